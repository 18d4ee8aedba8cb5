//! The parts of a machine.

use std::sync::Arc;

use super::branches::Branches;
use super::codes::{Codes, Quick};
use super::cx::Cx;
use super::outcome::{Outcome, Wrap};
use super::task::Task;
use super::then::Exit;
use super::tool_call::{CallId, ToolCall};
use ptc_values::{Diagnostic, HiddenTexts, Program, Value};

/// The machine itself, with a tracer: see [`super::tracer::Tracer`].
pub struct Core<W> {
    pub watch: W,
    /// The running task; the main task is the first.
    pub(super) task: Task,
    /// All other tasks.
    pub(super) branches: Branches,
    pub(super) cx: Cx,
    /// The code of all functions called so far.
    pub(super) codes: Arc<Codes>,
    /// For each global, the code of its function if a call needs nothing else.
    pub(super) quick: Vec<Quick>,
    /// Functions that are made once.
    pub(super) made: Vec<Value>,
    /// The values that a builtin passes to the function it calls.
    pub(super) scratch: Vec<Value>,
    /// The reason to leave the loop of the machine: see `rare.rs`.
    pub(super) exit: Option<Exit>,
    pub(super) problem: Option<Diagnostic>,
    /// The value that ends the program, its outcome, and whether its size as JSON is within the limit.
    pub(super) leaving: Option<(Value, Wrap, bool)>,
    /// Whether the last record is known to be small as JSON.
    pub(super) fits: bool,
    /// The latest tool call of the running task. While `asked` is set, the task waits for it unless
    /// the host answers at once. Afterwards it is an answered call without its arguments. The next
    /// call reuses it, so reference counts of equal names are not touched.
    pub(super) call: Option<ToolCall>,
    /// The place of its tool among the tools, if the tool has a signature.
    pub(super) signed: Option<usize>,
    /// Whether `call` is new and unanswered.
    pub(super) asked: bool,
    /// Tool calls that are not handed out yet.
    pub(super) pending: Vec<ToolCall>,
    /// The number of pending calls that the host was offered to answer at once.
    pub(super) offered: usize,
    /// Calls in flight whose answers no task needs any more.
    pub(super) given_up: Vec<CallId>,
    pub(super) outcome: Option<Outcome>,
    pub(super) fuel_used: u64,
    pub(super) calls_made: u32,
    /// The hidden values that the program began with, once a message may quote one.
    pub(super) own_hidden: Option<HiddenTexts>,
    /// The node that ended the program, and its program.
    pub(super) left_at: Option<(Arc<Program>, u32)>,
}
