//! The usage of replies: tokens and cost.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The tokens and the cost of one reply, or of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// The number of input tokens.
    pub input_tokens: u64,
    /// The number of output tokens.
    pub output_tokens: u64,
    /// The number of input tokens that the server read from a cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_input_tokens: u64,
    /// The cost; `None` if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

impl Usage {
    /// The usage of nothing, with the known cost of zero. The cost of [`Usage::default`] is unknown.
    pub const NOTHING: Usage =
        Usage { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost: Some(Cost::ZERO) };

    /// Adds another usage. The sum of the costs is known only if both costs are.
    pub fn add(&mut self, other: Usage) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_input_tokens =
            self.cached_input_tokens.saturating_add(other.cached_input_tokens);
        self.cost = self.cost.zip(other.cost).map(|(one, two)| one.plus(two));
    }

    /// Returns the sum of input and output tokens.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

/// An amount of money. It is a whole number of billionths of a US dollar, so a sum does not depend on the order of its
/// parts.
///
/// JSON has it as a number of dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost(u64);

impl Cost {
    /// The amount of zero.
    pub const ZERO: Cost = Cost(0);

    /// The number of billionths in a dollar.
    const DOLLAR: f64 = 1e9;

    /// Converts dollars, rounded to a billionth. Returns `None` for a number that is negative, not finite, or 10
    /// billion dollars or more.
    pub fn from_dollars(dollars: f64) -> Option<Cost> {
        let billionths = (dollars * Cost::DOLLAR).round();
        (0.0..1e19).contains(&billionths).then_some(Cost(billionths as u64))
    }

    /// Converts billionths of a dollar.
    pub fn from_billionths(billionths: u64) -> Cost {
        Cost(billionths)
    }

    /// Returns the amount in billionths of a dollar.
    pub fn billionths(self) -> u64 {
        self.0
    }

    /// Returns the amount in dollars.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / Cost::DOLLAR
    }

    /// Returns the difference, or zero if `other` is larger.
    #[must_use]
    pub fn minus(self, other: Cost) -> Cost {
        Cost(self.0.saturating_sub(other.0))
    }

    /// Returns the sum, at most the largest amount.
    #[must_use]
    pub fn plus(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

/// Writes dollars with at least two digits after the point, and more as needed: `$0.00`, `$0.0125`.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1_000_000_000, self.0 % 1_000_000_000);
        let digits = format!("{rest:09}");
        let digits = digits.trim_end_matches('0');
        write!(f, "${whole}.{digits:0<2}")
    }
}

impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.dollars())
    }
}

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Cost, D::Error> {
        let dollars = f64::deserialize(from)?;
        Cost::from_dollars(dollars)
            .ok_or_else(|| D::Error::custom(format!("{dollars} is not an amount of money")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dollars: f64, text: &str, json: &str) {
        let cost = Cost::from_dollars(dollars).unwrap();
        assert_eq!(cost.to_string(), text);
        assert_eq!(serde_json::to_string(&cost).unwrap(), json);
        assert_eq!(serde_json::from_str::<Cost>(json).unwrap(), cost);
    }

    #[test]
    fn amounts() {
        check(0.0, "$0.00", "0.0");
        check(0.1 + 0.2, "$0.30", "0.3");
        check(0.000_012_5, "$0.0000125", "0.0000125");
        check(12_345.6, "$12345.60", "12345.6");
        for wrong in [-0.01, f64::NAN, f64::INFINITY, 1e11] {
            assert_eq!(Cost::from_dollars(wrong), None, "{wrong}");
        }
        assert!(serde_json::from_str::<Cost>("-1").is_err());
    }

    #[test]
    fn a_sum_is_known_if_its_parts_are() {
        let priced = |billionths| Usage { cost: Some(Cost(billionths)), ..Usage::default() };
        let mut usage = Usage::NOTHING;
        usage.add(priced(3));
        usage.add(priced(u64::MAX));
        assert_eq!(usage.cost, Some(Cost(u64::MAX)));
        let tokens =
            Usage { input_tokens: 3, output_tokens: 2, cached_input_tokens: 1, ..Usage::default() };
        usage.add(tokens);
        usage.add(priced(1));
        assert_eq!(usage, tokens);
        let json = r#"{"input_tokens":3,"output_tokens":2,"cached_input_tokens":1}"#;
        assert_eq!(serde_json::to_string(&tokens).unwrap(), json);
    }
}
