//! The calls that a program has made, and their outcomes for the next message to the model.

use std::collections::{BTreeMap, BTreeSet};

use ptc_lisp::{CallId, Effect, Value};
use ptc_prompt::{CallCollector, CallMade, CallsMade};

use crate::record::Bound;
use crate::run::call_state::OpenCall;

/// The calls of a program that have started.
pub(super) struct MadeCalls<'t> {
    open: BTreeMap<CallId, OpenCall<'t>>,
    summary: CallCollector<CallId>,
    /// The calls of a plan: the next message to the model lists each of them.
    plan_calls: Option<BTreeMap<CallId, CallMade>>,
    /// The number of started calls of tools.
    count: u32,
    /// The names of the called tools.
    tools: BTreeSet<String>,
    /// The turns whose messages are to be sent whole again.
    expanded: BTreeSet<u32>,
    /// The results without a label.
    trusted: Vec<String>,
}

/// The calls of a program that has ended.
pub(in crate::run) struct FinishedCalls {
    /// The summary for the next message to the model.
    pub(in crate::run) summary: CallsMade,
    /// The calls of a plan, by their outermost branch.
    pub(in crate::run) branches: BTreeMap<(u32, u32), Vec<CallMade>>,
    /// The number of started calls.
    pub(in crate::run) count: u32,
    /// The names of the called tools.
    pub(in crate::run) tools: Vec<String>,
    /// The turns whose messages are to be sent whole again.
    pub(in crate::run) expanded: Vec<u32>,
    /// The bounds that the budget of the run set.
    pub(in crate::run) bounds: Vec<Bound>,
    /// The results without a label, if labels are computed.
    pub(in crate::run) trusted: Vec<String>,
}

impl<'t> MadeCalls<'t> {
    /// Creates an empty list. `is_plan` keeps each call, not only those that a summary has.
    pub(super) fn new(is_plan: bool) -> MadeCalls<'t> {
        MadeCalls {
            open: BTreeMap::new(),
            summary: CallCollector::new(),
            plan_calls: is_plan.then(BTreeMap::new),
            count: 0,
            tools: BTreeSet::new(),
            expanded: BTreeSet::new(),
            trusted: Vec::new(),
        }
    }

    /// Returns whether the calls are those of a plan.
    pub(super) fn is_plan(&self) -> bool {
        self.plan_calls.is_some()
    }

    /// Returns the number of started calls of tools.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Counts a call that has started and ended.
    pub(super) fn count_one(&mut self) {
        self.count += 1;
    }

    /// Keeps a result that has no label.
    pub(super) fn trust(&mut self, result: String) {
        self.trusted.push(result);
    }

    /// Adds a turn whose message is to be sent whole again.
    pub(super) fn expand(&mut self, turn: Option<u32>) {
        self.expanded.extend(turn);
    }

    /// Adds a call, a wait or a question that has started. Calls of tools are counted.
    pub(super) fn start(&mut self, id: CallId, call: OpenCall<'t>) {
        if call.tool.is_some() {
            self.count += 1;
            if !self.tools.contains(call.name.as_str()) {
                self.tools.insert(call.name.clone());
            }
        }
        self.open.insert(id, call);
    }

    /// Returns a call that has not ended.
    pub(super) fn open(&self, id: &CallId) -> Option<&OpenCall<'t>> {
        self.open.get(id)
    }

    /// Removes a call that ends. Its outcome must be [added](MadeCalls::add).
    pub(super) fn close(&mut self, id: &CallId) -> Option<OpenCall<'t>> {
        self.open.remove(id)
    }

    /// Adds a call with its outcome. No model is told of a wait or a question.
    pub(super) fn add(
        &mut self,
        id: CallId,
        call: OpenCall<'t>,
        outcome: Result<Value, String>,
        warnings: Vec<String>,
    ) {
        let Some(call) = call.with_outcome(outcome, warnings) else { return };
        if let Some(all) = &mut self.plan_calls {
            all.insert(id.clone(), call.clone());
        }
        self.summary.add(id, call);
    }

    /// Adds a call that cannot start, with the reason.
    pub(super) fn refuse(&mut self, id: &CallId, name: String, args: Value, message: &str) {
        if let Some(all) = &mut self.plan_calls {
            let (outcome, warnings) = (Err(message.to_string()), Vec::new());
            let effect = Effect::Read;
            all.insert(id.clone(), CallMade { name, args, outcome, effect, warnings, repeats: 0 });
        }
    }

    /// Ends the open calls as cancelled. Returns all calls of the program, with the bounds that it had.
    pub(super) fn finish(mut self, bounds: Vec<Bound>) -> FinishedCalls {
        for (id, call) in std::mem::take(&mut self.open) {
            self.add(id, call, Err("was cancelled".to_string()), Vec::new());
        }
        let mut branches: BTreeMap<(u32, u32), Vec<CallMade>> = BTreeMap::new();
        for (id, call) in self.plan_calls.into_iter().flatten() {
            branches.entry(id.branch()).or_default().push(call);
        }
        FinishedCalls {
            summary: self.summary.finish(),
            branches,
            count: self.count,
            tools: self.tools.into_iter().collect(),
            expanded: self.expanded.into_iter().collect(),
            trusted: self.trusted,
            bounds,
        }
    }
}
