//! The arguments of `ptc store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::groups::{JsonArgs, StoreArgs};
use crate::help;

/// The care of the record of runs.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Copy the record to a file while runs go on.
    #[command(after_help = help::STORE_BACKUP)]
    Backup(BackupArgs),
    /// Check the record: the database, hashes, the order of events, the list of runs.
    #[command(after_help = help::STORE_CHECK)]
    Check(CheckStoreArgs),
}

/// The arguments of `ptc store backup`.
#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// The file of the copy; an earlier copy in it is replaced.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `ptc store check`.
#[derive(Debug, Args)]
pub(crate) struct CheckStoreArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}
