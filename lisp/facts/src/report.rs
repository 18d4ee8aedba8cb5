//! The report of a program: everything it can touch, known before it runs.

use std::collections::BTreeSet;

use arcstr::ArcStr;
use serde_json::json;

pub use crate::times::{Collection, Term, Times};
use crate::tool::{Effect, ToolDecl};

/// The abilities of a checked program. They bound every run: no run calls another tool, or calls a tool more often than
/// stated.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The tools it can call, in order of first appearance. Tools that only functions of earlier programs call come
    /// last.
    pub tools: Vec<ToolUse>,
    /// Whether every path through the program ends in `return`, `fail` or an error.
    pub always_ends: bool,
    /// The keys of `ctx` it reads; `*` if it reads the whole map.
    pub ctx: BTreeSet<String>,
    /// The keys of memory it reads; `*` for keys that are not literal.
    pub memory_reads: BTreeSet<String>,
    /// The keys of memory it writes; `*` for keys that are not literal.
    pub memory_writes: BTreeSet<String>,
    /// The paths of the payload that it reads; `*` for the whole payload and for paths that are not literal.
    pub payload_reads: BTreeSet<String>,
    /// The paths of the payload that it changes, as in `payload_reads`.
    pub payload_writes: BTreeSet<String>,
    /// The names it defines for later turns.
    pub defines: BTreeSet<String>,
    calls_limit: u32,
}

/// A tool that a program can call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse {
    /// The name of the tool.
    pub name: String,
    /// The effect of a call.
    pub effect: Effect,
    /// The number of places in the program that call it, including calls by computed names. 0 if only functions of
    /// earlier programs call it.
    pub places: u32,
    /// The bound on the number of calls.
    pub times: Times,
    /// The cost of a call, if the tool declares one.
    pub cost: Option<f64>,
}

impl Report {
    /// Returns whether the program can call a tool that writes.
    pub fn can_write(&self) -> bool {
        self.tools.iter().any(|tool| tool.effect == Effect::Write)
    }

    /// Returns the highest cost of all calls; `None` if no tool declares a cost. A tool without a bound is counted with
    /// the limit of tool calls.
    pub fn worst_cost(&self) -> Option<f64> {
        let most = u64::from(self.calls_limit);
        let cost = |tool: &ToolUse| {
            let times = tool.times.at_most().map_or(most, |times| times.min(most));
            Some(tool.cost? * times as f64)
        };
        let costs: Vec<f64> = self.tools.iter().filter_map(cost).collect();
        (!costs.is_empty()).then(|| costs.iter().sum())
    }

    pub fn calls_tool(&mut self, decl: &ToolDecl) {
        match self.tools.iter_mut().find(|tool| tool.name == decl.name) {
            Some(tool) => tool.places += 1,
            None => self.tools.push(ToolUse::of(decl, 1)),
        }
    }

    /// Records the findings about the whole program.
    pub fn found(
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
                    // A removed tool cannot be called.
                    let Some(decl) = known.iter().find(|decl| decl.name == name.as_str()) else {
                        continue;
                    };
                    self.tools.push(ToolUse { times, ..ToolUse::of(decl, 0) });
                }
            }
        }
    }

    pub fn reads_ctx(&mut self, key: &str) {
        self.ctx.insert(key.to_owned());
    }

    pub fn reads_memory(&mut self, key: String) {
        self.memory_reads.insert(key);
    }

    pub fn writes_memory(&mut self, key: String) {
        self.memory_writes.insert(key);
    }

    pub fn uses_payload(&mut self, path: String, is_write: bool) {
        let paths = if is_write { &mut self.payload_writes } else { &mut self.payload_reads };
        paths.insert(path);
    }

    pub fn defines(&mut self, name: String) {
        self.defines.insert(name);
    }

    /// Returns the report as JSON.
    ///
    /// `{"tools": [{"name", "effect", "places", "at_most", "times", "terms"}], "can_write", "always_ends", "ctx", "memory": {"reads", "writes"}, "defines"}`.
    ///
    /// - `at_most` is a number, or null if there is no bound or it depends on the result of a tool.
    /// - `times` is the bound in words.
    /// - `terms` are the parts of the sum, null without a bound.
    /// - `payload` is present if the program uses the payload: `{"reads", "writes"}`.
    /// - `worst_cost` is present if a tool has a cost.
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
        if !self.payload_reads.is_empty() || !self.payload_writes.is_empty() {
            report["payload"] = json!({"reads": self.payload_reads, "writes": self.payload_writes});
        }
        if let Some(cost) = self.worst_cost() {
            report["worst_cost"] = json!(cost);
        }
        report
    }
}

impl ToolUse {
    /// Creates an entry; its bound is set once the whole program is known.
    fn of(decl: &ToolDecl, places: u32) -> ToolUse {
        let (name, times) = (decl.name.clone(), Times::default());
        ToolUse { name, effect: decl.effect, places, times, cost: decl.cost }
    }

    fn to_json(&self) -> serde_json::Value {
        let terms = self.times.terms().map(|terms| {
            let term = |term: &crate::times::Term| {
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
