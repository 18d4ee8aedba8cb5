//! The labels of the arguments of a call, as a record has them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A label of an argument, with the place that it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelOrigin {
    /// The argument; `None` for the place of the call, which tests decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// The label, such as `untrusted`.
    pub label: String,
    /// The place that the value comes from: the name of a tool, `ctx/mails`, `payload`, `conversation` or `model`.
    pub from: String,
    /// Whether every run of the program gives it to the call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub certain: bool,
    /// The forms of one way from there to the call, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
}

impl fmt::Display for LabelOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.argument {
            Some(argument) => write!(f, "{argument}")?,
            None => f.write_str("the call")?,
        }
        write!(f, " ← {} ({})", self.from, self.label)
    }
}
