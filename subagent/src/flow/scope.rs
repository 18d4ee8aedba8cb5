//! The agent around a flow, and the functions that its program needs.

use std::collections::BTreeSet;

use ptc_prompt::expressions::Helper;

use super::names::{RESULTS, flow_names};
use crate::tool::ToolDef;

/// The parts of its agent that a flow uses.
pub(crate) struct FlowScope<'a> {
    pub(crate) tools: &'a [ToolDef],
    pub(crate) has_payload: bool,
    pub(super) names: Vec<(String, String)>,
}

impl<'a> FlowScope<'a> {
    pub(crate) fn new(agent: &str, tools: &'a [ToolDef], has_payload: bool) -> FlowScope<'a> {
        FlowScope { tools, has_payload, names: flow_names(agent) }
    }

    /// Returns the names of conditions.
    pub(super) fn condition_names(&self, has_result: bool) -> Vec<(String, String)> {
        let own = [
            ("payload", "(payload/get [])", self.has_payload),
            ("stepResult", "result", has_result),
            ("data", "ctx", true),
        ];
        let own = own.into_iter().filter(|it| it.2);
        let own = own.map(|(name, source, _)| (name.to_owned(), source.to_owned()));
        own.chain(self.names.iter().cloned()).collect()
    }
}

/// A definition that a program may need besides its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// The results of the steps by name.
    Results,
    /// The function that gives a value as a part of a text.
    Text,
    /// The function that finds an output whatever the case of its letters.
    Output,
    /// The function that merges a reply into the payload.
    Merge,
    /// The same without the fields that say how the flow goes on.
    MergeWithoutControl,
}

/// The definitions that a program needs besides its steps.
#[derive(Default)]
pub(super) struct Needs {
    all: BTreeSet<Need>,
    pub(super) helpers: Vec<&'static Helper>,
}

impl Needs {
    pub(super) fn has(&self, need: Need) -> bool {
        self.all.contains(&need)
    }

    pub(super) fn add(&mut self, need: Need, is_needed: bool) {
        self.all.extend(is_needed.then_some(need));
    }

    /// Notes what an expression reads.
    pub(super) fn reads(&mut self, source: &str) {
        self.add(Need::Results, source.contains(RESULTS));
    }
}
