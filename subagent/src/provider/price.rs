//! The prices of models.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::{Cost, Usage};
use crate::error::{Error, ErrorKind, line_column};
use crate::files::{MAX_FILE, read_text};

/// A table of prices. The cost of a model that is not in the table is unknown.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The prices by name of a model. A name also matches its dated versions (`gpt-5-2025-08-07`). A name that ends in
    /// `*` matches all names with that prefix. The longest matching name applies.
    pub models: BTreeMap<String, Price>,
}

/// The price of one model, in US dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The price of input tokens.
    pub input: f64,
    /// The price of input tokens read from a cache; `None` is the price of other input tokens.
    pub cached_input: Option<f64>,
    /// The price of input tokens written to a cache; `None` is the price of other input tokens.
    pub cache_write: Option<f64>,
    /// The price of output tokens.
    pub output: f64,
}

/// The tokens of one reply, as far as the server reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tokens {
    /// All input tokens, including `cached` and `written`.
    pub(super) input: Option<u64>,
    pub(super) cached: u64,
    pub(super) written: u64,
    pub(super) output: Option<u64>,
    /// The cost of the reply, if the server reports it.
    pub(super) cost: Option<Cost>,
}

impl Prices {
    /// Returns the table of this crate. It has few models, and its prices may be out of date.
    pub fn built_in() -> Prices {
        // A test parses the table.
        toml::from_str(include_str!("prices.toml")).unwrap_or_default()
    }

    /// Reads a table from a TOML file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Model`] if the file cannot be read or is malformed.
    pub fn read(path: &Path) -> Result<Prices, Error> {
        let wrong = |message: String| Error::new(ErrorKind::Model, message).in_file(path);
        let text = read_text(path, MAX_FILE)
            .map_err(|error| wrong(format!("cannot read the prices: {error}")))?;
        let prices: Prices = toml::from_str(&text).map_err(|error| {
            let (line, column) = line_column(&text, error.span().map_or(text.len(), |it| it.start));
            wrong(format!("malformed prices: {}", error.message().trim()))
                .at(line, column)
                .with_help(
                    "write `[models]`, then lines like `\"gpt-5\" = { input = 1.25, output = 10 }`",
                )
        })?;
        let bad = |it: &f64| !(0.0..1e6).contains(it);
        for (name, price) in &prices.models {
            let Price { input, cached_input, cache_write, output } = *price;
            if [Some(input), cached_input, cache_write, Some(output)].iter().flatten().any(bad) {
                return Err(wrong(format!("a price of `{name}` is not an amount of dollars")));
            }
        }
        Ok(prices)
    }

    /// Returns the price of a model.
    pub fn of(&self, model: &str) -> Option<Price> {
        let fits = |name: &str| match name.strip_suffix('*') {
            Some(start) => model.starts_with(start),
            None => model.strip_prefix(name).is_some_and(is_date),
        };
        let fitting = self.models.iter().filter(|(name, _)| fits(name));
        fitting.max_by_key(|(name, _)| name.len()).map(|(_, price)| *price)
    }
}

/// Returns whether the rest of a name is empty, `-latest` or a date.
fn is_date(rest: &str) -> bool {
    if rest.is_empty() || rest == "-latest" {
        return true;
    }
    let digits = rest.strip_prefix(['-', '@']).unwrap_or_default().replace('-', "");
    digits.len() == 8 && digits.bytes().all(|it| it.is_ascii_digit())
}

impl Price {
    /// Returns the cost of a usage. It leaves out the surcharge for writing to a cache, because a usage does not
    /// contain those tokens.
    pub fn cost(&self, usage: &Usage) -> Option<Cost> {
        self.cost_of(&Tokens {
            input: Some(usage.input_tokens),
            cached: usage.cached_input_tokens,
            output: Some(usage.output_tokens),
            ..Tokens::default()
        })
    }

    fn cost_of(&self, tokens: &Tokens) -> Option<Cost> {
        let input = tokens.input.unwrap_or(0);
        let fresh = input.saturating_sub(tokens.cached).saturating_sub(tokens.written);
        let parts = [
            (fresh, self.input),
            (tokens.cached, self.cached_input.unwrap_or(self.input)),
            (tokens.written, self.cache_write.unwrap_or(self.input)),
            (tokens.output.unwrap_or(0), self.output),
        ];
        let dollars: f64 = parts.iter().map(|(tokens, price)| *tokens as f64 * price / 1e6).sum();
        Cost::from_dollars(dollars)
    }
}

impl Tokens {
    /// Returns the usage. Its cost is the one that the server reports, else the one that the price gives.
    pub(super) fn usage(&self, price: Option<Price>) -> Option<Usage> {
        if self.input.is_none() && self.output.is_none() {
            return None;
        }
        Some(Usage {
            input_tokens: self.input.unwrap_or(0),
            output_tokens: self.output.unwrap_or(0),
            cached_input_tokens: self.cached,
            cost: self.cost.or_else(|| price?.cost_of(self)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table() {
        let prices = Prices::built_in();
        assert!(prices.models.len() > 10, "{prices:?}");
        let check = |model: &str, input: Option<f64>| {
            assert_eq!(prices.of(model).map(|it| it.input), input, "{model}");
        };
        check("gpt-5", Some(1.25));
        check("gpt-5-2025-08-07", Some(1.25));
        check("gpt-5-mini", Some(0.25));
        check("gpt-5-pro", None);
        check("gpt-5.9", None);
        check("claude-sonnet-4-5-20250929", Some(3.0));
        check("claude-opus-4-9", None);
        check("", None);
    }

    #[test]
    fn the_longest_name_counts() {
        let price =
            |input: f64| Price { input, cached_input: None, cache_write: None, output: 0.0 };
        let names = [("*", 1.0), ("a*", 2.0), ("a-b", 3.0)];
        let models = names.map(|(name, input)| (name.to_string(), price(input)));
        let prices = Prices { models: models.into() };
        for (model, input) in [("x", 1.0), ("ab", 2.0), ("a-b", 3.0), ("a-b-2", 2.0)] {
            assert_eq!(prices.of(model), Some(price(input)), "{model}");
        }
    }

    #[test]
    fn costs() {
        let price =
            Price { input: 3.0, cached_input: Some(0.3), cache_write: Some(3.75), output: 15.0 };
        let tokens = Tokens {
            input: Some(1_000_000),
            cached: 400_000,
            written: 200_000,
            output: Some(100_000),
            cost: None,
        };
        // 0.4 × 3 + 0.4 × 0.3 + 0.2 × 3.75 + 0.1 × 15
        let cost = Cost::from_dollars(3.57);
        let usage = Usage {
            input_tokens: 1_000_000,
            output_tokens: 100_000,
            cached_input_tokens: 400_000,
            cost,
        };
        assert_eq!(tokens.usage(Some(price)), Some(usage));
        assert_eq!(tokens.usage(None), Some(Usage { cost: None, ..usage }));
        let said = Tokens { cost: Cost::from_dollars(0.5), ..tokens };
        assert_eq!(said.usage(Some(price)).and_then(|it| it.cost), said.cost);
        // A usage has no tokens written to a cache: 0.6 × 3 + 0.4 × 0.3 + 0.1 × 15.
        assert_eq!(price.cost(&usage), Cost::from_dollars(3.42));
        assert_eq!(Tokens::default().usage(Some(price)), None);
    }
}
