//! The labels of the arguments of a call, as a record has them, and calls that were denied for them.

use std::fmt;

use ptc_lisp::Span;
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
    /// The rule of the policy that denies the call or asks a person, such as `untrusted_to = "deny"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// A call that the rules for labels denied before its program ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeniedCall {
    /// The name of the tool.
    pub tool: String,
    /// The line of the call in the program, counted from 1.
    pub line: Option<u32>,
    /// The column of the call in the program, counted from 1.
    pub column: Option<u32>,
    /// The labels that the rules deny.
    pub labels: Vec<LabelOrigin>,
    /// The place of the call in the program.
    #[serde(skip)]
    pub(crate) span: Span,
}

impl LabelOrigin {
    /// Returns the origin for a person: what reaches the call, the forms on the way, and the rule, one a line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.to_string()];
        if !self.path.is_empty() {
            lines.push(format!("  by {}", self.path.join(" → ")));
        }
        lines.extend(self.rule.iter().map(|rule| format!("  rule: {rule}")));
        lines
    }
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
