//! Hidden fields in the output of commands that show runs.

use ptc_subagent::store::{Hidden, RunRecord};

use crate::args::HiddenArgs;
use crate::report::Result;

/// Returns the hidden fields of a tree of runs, or none if the command line asks to show them.
pub(crate) fn of(runs: &[RunRecord], args: &HiddenArgs) -> Result<Hidden> {
    Ok(if args.are_shown() { Hidden::NOTHING } else { Hidden::of(runs)? })
}
