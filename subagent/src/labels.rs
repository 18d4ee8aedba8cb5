//! The words of rules for labels: what follows when a value with a label reaches a call.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The consequence of a value with a label that reaches a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnLabel {
    /// The call is made.
    #[default]
    Allow,
    /// A person is asked before the call is made.
    Ask,
    /// The call fails.
    Deny,
}

impl OnLabel {
    /// Returns the word of agent files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            OnLabel::Allow => "allow",
            OnLabel::Ask => "ask",
            OnLabel::Deny => "deny",
        }
    }
}

/// The values that an argument may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Takes {
    /// Values without a label. Others are asked about, or denied if the policy says so.
    Trusted,
    /// All values.
    Any,
}

/// An argument of a tool, written `mail(to)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToolArgument {
    /// The name of the tool.
    pub tool: String,
    /// The name of the argument.
    pub argument: String,
}

impl FromStr for ToolArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<ToolArgument, String> {
        let parts = text.trim().strip_suffix(')').and_then(|it| it.split_once('('));
        match parts {
            Some((tool, argument)) if !tool.is_empty() && !argument.trim().is_empty() => {
                let (tool, argument) = (tool.trim().to_string(), argument.trim().to_string());
                Ok(ToolArgument { tool, argument })
            }
            _ => Err(format!("`{text}` is not an argument of a tool, such as `mail(to)`")),
        }
    }
}

impl Serialize for ToolArgument {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{}({})", self.tool, self.argument))
    }
}

impl<'de> Deserialize<'de> for ToolArgument {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ToolArgument, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}
