//! What a program can touch, known before it runs.

use std::collections::BTreeSet;

use crate::session::Effect;

/// What a checked program names: tools, keys of `ctx`, what it keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The tools it can call, in the order they first appear.
    pub tools: Vec<ToolUse>,
    /// Keys of `ctx` it reads; `*` when it reads the whole map.
    pub ctx: BTreeSet<String>,
    /// Keys of memory it reads; `*` for keys that are not literal.
    pub memory_reads: BTreeSet<String>,
    /// Keys of memory it writes; `*` for keys that are not literal.
    pub memory_writes: BTreeSet<String>,
    /// Names it defines for later turns.
    pub defines: BTreeSet<String>,
}

/// A tool that a program can call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolUse {
    /// The tool.
    pub name: String,
    /// What calling it may do.
    pub effect: Effect,
    /// In how many places of the program the call stands.
    pub places: u32,
}

impl Report {
    pub(crate) fn calls_tool(&mut self, name: &str, effect: Effect) {
        match self.tools.iter_mut().find(|tool| tool.name == name) {
            Some(tool) => tool.places += 1,
            None => self.tools.push(ToolUse { name: name.to_owned(), effect, places: 1 }),
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
    pub fn to_json(&self) -> serde_json::Value {
        let tools: Vec<_> = self
            .tools
            .iter()
            .map(|tool| serde_json::json!({"name": tool.name, "effect": tool.effect.as_str(), "places": tool.places}))
            .collect();
        serde_json::json!({
            "tools": tools,
            "ctx": self.ctx,
            "memory": {"reads": self.memory_reads, "writes": self.memory_writes},
            "defines": self.defines,
        })
    }
}
