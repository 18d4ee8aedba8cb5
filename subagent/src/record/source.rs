//! Records of the sources that were loaded before a run.

use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// The destination of the value of a source.
    #[derive(Default)]
    pub enum SourceInto {
        /// The input of the run, which programs read under `ctx/` and prompts show.
        #[default]
        Ctx = "ctx",
        /// The payload at the start.
        Payload = "payload",
        /// The [host context](crate::tool::HostContext), which tools alone read. No record has the value.
        Context = "context",
    }
}

words! {
    /// The state of a source after loading.
    pub enum SourceState {
        /// Its value was loaded.
        Loaded = "loaded",
        /// The caller had given a value that leaves no room for it, so it was not loaded.
        Given = "given",
        /// It was switched off.
        Off = "off",
        /// It could not be loaded.
        Failed = "failed",
    }
}

/// A source of a run, as the record and the report have it. Its value is in the input or the payload of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SourceRecord {
    /// The name.
    pub name: String,
    /// The destination of its value.
    pub into: SourceInto,
    /// The path at the destination.
    pub path: String,
    /// The state after loading.
    pub state: SourceState,
    /// The number of items, if the value is a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// The size of what was read, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Whether what was read comes from a cache.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// The reason that it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the run stopped because of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stops: bool,
}

impl SourceRecord {
    /// Makes the record of a source that nothing was read of.
    pub(crate) fn new(
        name: &str,
        (into, path): (SourceInto, &str),
        state: SourceState,
    ) -> SourceRecord {
        SourceRecord {
            name: name.to_string(),
            into,
            path: path.to_string(),
            state,
            rows: None,
            bytes: None,
            cached: false,
            error: None,
            stops: false,
        }
    }

    /// Returns the source in one line for people: what became of it, and how much it is.
    pub fn summary(&self) -> String {
        let size = |count: Option<u64>, what: &str| {
            count.map(|it| format!(", {it} {what}{}", if it == 1 { "" } else { "s" }))
        };
        let rows = size(self.rows, "row").unwrap_or_default();
        let bytes = size(self.bytes, "byte").unwrap_or_default();
        let cached = if self.cached { ", cached" } else { "" };
        let error = self.error.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        format!("{}{rows}{bytes}{cached}{error}", self.state)
    }
}
