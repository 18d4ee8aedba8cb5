//! The names of calls on record that call no tool.

/// The name under which a record has the waits of `flow/wait`, beside the calls of tools.
pub const WAIT: &str = "flow/wait";

/// The name under which a record has the questions of `ask`, beside the calls of tools.
pub const ASK: &str = "flow/ask";

/// The name under which a record has the expansions of `transcript/expand`, beside the calls of tools.
pub const EXPAND: &str = "transcript/expand";

/// The name under which a record has the questions whether a call may be made.
pub const CONFIRM: &str = "flow/confirm";

/// The name under which a record has the questions whether a program may run.
pub const APPROVE: &str = "flow/approve";
