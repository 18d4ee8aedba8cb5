//! Patterns of calls: the name of a tool, and types that its arguments must have.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use ptc_signatures::{Datum, Signature};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A pattern of calls: `pay` for all calls of a tool, or `pay(amount :float[..100])` for those whose arguments fit the
/// types. The types are those of a [signature](Signature)'s inputs. Arguments that the pattern does not name are free.
///
/// ```
/// use ptc_subagent::CallPattern;
/// use serde_json::json;
///
/// let small: CallPattern = "pay(amount :float[..100], currency :enum[EUR USD])".parse()?;
/// assert!(small.matches("pay", &json!({"amount": 20, "currency": "EUR", "to": "Ada"})));
/// assert!(!small.matches("pay", &json!({"amount": 120, "currency": "EUR"})));
/// assert!(!small.matches("pay", &json!({"amount": "20", "currency": "EUR"})));
/// assert!(!small.matches("refund", &json!({"amount": 20, "currency": "EUR"})));
///
/// let error = "pay(amount)".parse::<CallPattern>().unwrap_err();
/// assert!(error.to_string().starts_with("`pay(amount)` is not a pattern of calls: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CallPattern {
    tool: String,
    inputs: Option<Signature>,
}

impl CallPattern {
    /// Returns the name of the tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Returns whether a call matches. No argument is coerced.
    pub fn matches<D: Datum>(&self, tool: &str, args: &D) -> bool {
        self.tool == tool
            && self.inputs.as_ref().is_none_or(|inputs| inputs.check_input(args).is_empty())
    }
}

/// The error of a text that is not a pattern of calls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is not a pattern of calls: {why}")]
pub struct BadCallPattern {
    pattern: String,
    why: String,
}

impl FromStr for CallPattern {
    type Err = BadCallPattern;

    fn from_str(text: &str) -> Result<CallPattern, BadCallPattern> {
        let text = text.trim();
        let bad = |why: String| BadCallPattern { pattern: text.to_string(), why };
        let (tool, inputs) = match text.find('(') {
            None => (text, None),
            Some(at) => {
                let inputs = format!("{} -> :any", &text[at..]);
                let inputs = inputs.parse::<Signature>().map_err(|error| bad(error.to_string()))?;
                (text[..at].trim_end(), Some(inputs))
            }
        };
        if tool.is_empty() || tool.contains(|c: char| c.is_whitespace() || c == ')') {
            return Err(bad("it begins with the name of a tool".to_string()));
        }
        Ok(CallPattern { tool: tool.to_string(), inputs })
    }
}

impl Serialize for CallPattern {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CallPattern {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<CallPattern, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl Display for CallPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tool)?;
        let Some(inputs) = &self.inputs else { return Ok(()) };
        let text = inputs.to_string();
        f.write_str(text.strip_suffix(" -> :any").unwrap_or(&text))
    }
}
