//! The names of the services at the server.

/// The service that starts runs.
pub(crate) const RUNS: &str = "PtcRuns";

/// The workflow of a run, by its id.
pub(crate) const RUN: &str = "PtcRun";

/// The object with the record of a run, by its id.
pub(crate) const RECORD: &str = "PtcRecord";
