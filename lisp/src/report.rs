//! What a program can touch, known before it runs.

use std::collections::BTreeSet;

use arcstr::ArcStr;
use serde_json::json;

pub use crate::admission::{Collection, Term, Times};
use crate::session::{Effect, ToolDecl};

/// What a checked program can do. It is true of every run of the program: no run calls a tool that
/// is not here, or more often than is said here.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The tools it can call, in the order they first appear; last those that only functions of
    /// earlier programs call.
    pub tools: Vec<ToolUse>,
    /// Whether every way through the program ends in `return` or `fail`, or in an error.
    pub always_ends: bool,
    /// Keys of `ctx` it reads; `*` when it reads the whole map.
    pub ctx: BTreeSet<String>,
    /// Keys of memory it reads; `*` for keys that are not literal.
    pub memory_reads: BTreeSet<String>,
    /// Keys of memory it writes; `*` for keys that are not literal.
    pub memory_writes: BTreeSet<String>,
    /// Names it defines for later turns.
    pub defines: BTreeSet<String>,
    /// How many tool calls the limit lets a program make.
    calls_limit: u32,
}

/// A tool that a program can call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse {
    /// The tool.
    pub name: String,
    /// What calling it may do.
    pub effect: Effect,
    /// In how many places of the program the call stands, those with computed names included; 0 for a
    /// tool that only functions of earlier programs call.
    pub places: u32,
    /// How often it is called at most.
    pub times: Times,
    /// What a call costs, if the tool says so.
    pub cost: Option<f64>,
}

impl Report {
    /// Whether it can call a tool that writes.
    pub fn can_write(&self) -> bool {
        self.tools.iter().any(|tool| tool.effect == Effect::Write)
    }

    /// What its calls cost at most, where tools say what a call costs; none if none does. A tool
    /// whose calls have no bound is counted as often as the limit of tool calls allows.
    pub fn worst_cost(&self) -> Option<f64> {
        let most = u64::from(self.calls_limit);
        let cost = |tool: &ToolUse| {
            let times = tool.times.at_most().map_or(most, |times| times.min(most));
            Some(tool.cost? * times as f64)
        };
        let costs: Vec<f64> = self.tools.iter().filter_map(cost).collect();
        (!costs.is_empty()).then(|| costs.iter().sum())
    }

    pub(crate) fn calls_tool(&mut self, decl: &ToolDecl) {
        match self.tools.iter_mut().find(|tool| tool.name == decl.name) {
            Some(tool) => tool.places += 1,
            None => self.tools.push(ToolUse::of(decl, 1)),
        }
    }

    /// Takes down what was found out about the whole program.
    pub(crate) fn found(
        &mut self,
        tools: Vec<(ArcStr, Times)>,
        ends: bool,
        known: &[ToolDecl],
        calls_limit: u32,
    ) {
        self.always_ends = ends;
        self.calls_limit = calls_limit;
        for (name, times) in tools {
            match self.tools.iter_mut().find(|tool| tool.name == name.as_str()) {
                Some(tool) => tool.times = times,
                None => {
                    // A tool that is no longer there cannot be called either.
                    let Some(decl) = known.iter().find(|decl| decl.name == name.as_str()) else {
                        continue;
                    };
                    self.tools.push(ToolUse { times, ..ToolUse::of(decl, 0) });
                }
            }
        }
    }

    pub(crate) fn reads_ctx(&mut self, key: &str) {
        self.ctx.insert(key.to_owned());
    }

    pub(crate) fn reads_memory(&mut self, key: String) {
        self.memory_reads.insert(key);
    }

    pub(crate) fn writes_memory(&mut self, key: String) {
        self.memory_writes.insert(key);
    }

    pub(crate) fn defines(&mut self, name: String) {
        self.defines.insert(name);
    }

    /// The report as JSON.
    ///
    /// `{"tools": [{"name", "effect", "places", "at_most", "times", "terms"}], "can_write",
    /// "always_ends", "ctx", "memory": {"reads", "writes"}, "defines"}`. `at_most` is a number, or
    /// null when there is no bound or one that depends on what a tool gives; `times` says it in
    /// words; `terms` are the parts of the sum, null without a bound. `worst_cost` is there when a tool
    /// has a cost.
    pub fn to_json(&self) -> serde_json::Value {
        let tools: Vec<_> = self.tools.iter().map(ToolUse::to_json).collect();
        let mut report = json!({
            "tools": tools,
            "can_write": self.can_write(),
            "always_ends": self.always_ends,
            "ctx": self.ctx,
            "memory": {"reads": self.memory_reads, "writes": self.memory_writes},
            "defines": self.defines,
        });
        if let Some(cost) = self.worst_cost() {
            report["worst_cost"] = json!(cost);
        }
        report
    }
}

impl ToolUse {
    /// How often it is called is found out when the whole program is known.
    fn of(decl: &ToolDecl, places: u32) -> ToolUse {
        let (name, times) = (decl.name.clone(), Times::default());
        ToolUse { name, effect: decl.effect, places, times, cost: decl.cost }
    }

    fn to_json(&self) -> serde_json::Value {
        let terms = self.times.terms().map(|terms| {
            let term = |term: &crate::admission::Term| {
                let each = term.each.iter().map(|of| json!({"name": &*of.name, "len": of.len}));
                json!({"times": term.times, "each": each.collect::<Vec<_>>()})
            };
            terms.iter().map(term).collect::<Vec<_>>()
        });
        json!({
            "name": self.name,
            "effect": self.effect.as_str(),
            "places": self.places,
            "at_most": self.times.at_most(),
            "times": self.times.to_string(),
            "terms": terms,
        })
    }
}
