//! Hidden fields in what commands show of runs.

use ptc_subagent::store::{Hidden, RunRecord};

use crate::args::HiddenArgs;
use crate::report::Result;

/// Returns what is hidden in the runs of a tree, for a command that shows some of them.
pub(crate) fn of(runs: &[RunRecord], args: &HiddenArgs) -> Result<Hidden> {
    Ok(if args.are_shown() { Hidden::NOTHING } else { Hidden::of(runs)? })
}
