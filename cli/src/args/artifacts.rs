//! The arguments of `ptc artifacts`.

use clap::Args;

use super::groups::{HiddenArgs, JsonArgs, StoreArgs};

/// The arguments of `ptc artifacts`.
#[derive(Debug, Args)]
pub(crate) struct ArtifactsArgs {
    /// A run of the conversation: an id, or the start of one; or the name of the conversation.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// An artifact; without one, all of them are listed.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The version; by default the newest one.
    #[arg(long = "version", value_name = "N", requires = "name")]
    pub(crate) number: Option<u32>,
    /// Show what changed since this version.
    #[arg(long, value_name = "N", requires = "name")]
    pub(crate) since: Option<u32>,
    /// Make the next version, with this value; the next run of the conversation reads it.
    #[arg(long, value_name = "JSON|@FILE", requires = "name", conflicts_with_all = ["number", "since"])]
    pub(crate) put: Option<String>,
    /// The type of the new version, such as `text/markdown`.
    #[arg(long = "type", value_name = "TYPE", requires = "put")]
    pub(crate) media_type: Option<String>,
    /// List also those that their agent hides.
    #[arg(long, conflicts_with = "name")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}
