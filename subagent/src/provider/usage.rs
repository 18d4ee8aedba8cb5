//! What replies take: tokens and money.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Tokens and money of one reply, or of a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the reply.
    pub output_tokens: u64,
    /// Those of the prompt that the server had in a cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_input_tokens: u64,
    /// What they cost; `None` if nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

impl Usage {
    /// What nothing takes. It costs nothing, which is known; [`Usage::default`] does not say what it costs.
    pub const NOTHING: Usage =
        Usage { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost: Some(Cost::ZERO) };

    /// Adds another reply's. What costs together is known only if both are.
    pub fn add(&mut self, other: Usage) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_input_tokens =
            self.cached_input_tokens.saturating_add(other.cached_input_tokens);
        self.cost = self.cost.zip(other.cost).map(|(one, two)| one.plus(two));
    }

    /// Returns the tokens of prompt and reply together.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

/// An amount of money in US dollars, counted in billionths, so that sums do not depend on their order.
///
/// As JSON it is a number of dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost(u64);

impl Cost {
    /// Nothing.
    pub const ZERO: Cost = Cost(0);

    /// The dollar in the unit that is counted.
    const DOLLAR: f64 = 1e9;

    /// Takes a number of dollars, rounded to a billionth; `None` for what is no amount: less than nothing,
    /// or more than all the money there is.
    pub fn from_dollars(dollars: f64) -> Option<Cost> {
        let billionths = (dollars * Cost::DOLLAR).round();
        (0.0..1e19).contains(&billionths).then_some(Cost(billionths as u64))
    }

    /// Takes billionths of a dollar.
    pub fn from_billionths(billionths: u64) -> Cost {
        Cost(billionths)
    }

    /// Returns the billionths of a dollar.
    pub fn billionths(self) -> u64 {
        self.0
    }

    /// Returns the dollars.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / Cost::DOLLAR
    }

    /// Returns what is left of it without `other`, nothing at least.
    #[must_use]
    pub fn minus(self, other: Cost) -> Cost {
        Cost(self.0.saturating_sub(other.0))
    }

    /// Returns the sum.
    #[must_use]
    pub fn plus(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

/// Dollars with as many digits as are needed, at least two after the point: `$0.00`, `$0.0125`.
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
            .ok_or_else(|| D::Error::custom(format!("{dollars} is no amount of money")))
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
