//! Counts or estimates the tokens of a text.

/// A number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// The number of tokens.
    pub count: usize,
    /// The encoding of the count, or `None` for an estimate from the number of characters.
    pub encoding: Option<&'static str>,
}

/// The number of characters per token, measured over prompts of this crate. Tokenizers differ by a
/// third.
pub const CHARS_PER_TOKEN: f64 = 3.3;

/// Returns the number of tokens of a text: counted with the feature `tiktoken`, and otherwise
/// estimated.
#[cfg(feature = "tiktoken")]
pub fn tokens(text: &str) -> Tokens {
    let encoding = tiktoken_rs::o200k_base_singleton();
    Tokens { count: encoding.encode_ordinary(text).len(), encoding: Some("o200k_base") }
}

/// Returns the number of tokens of a text: counted with the feature `tiktoken`, and otherwise
/// estimated.
#[cfg(not(feature = "tiktoken"))]
pub fn tokens(text: &str) -> Tokens {
    let count = (text.chars().count() as f64 / CHARS_PER_TOKEN).ceil();
    Tokens { count: count as usize, encoding: None }
}
