//! How many tokens a text takes.

/// A number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// How many.
    pub count: usize,
    /// The encoding that they were counted in; `None` for an estimate from the number of characters.
    pub encoding: Option<&'static str>,
}

/// Characters to a token, measured over prompts of this crate; tokenizers differ by a third.
pub const CHARS_PER_TOKEN: f64 = 3.3;

/// The tokens of a text: counted, with the feature `tiktoken`, else estimated.
#[cfg(feature = "tiktoken")]
pub fn tokens(text: &str) -> Tokens {
    let encoding = tiktoken_rs::o200k_base_singleton();
    Tokens { count: encoding.encode_ordinary(text).len(), encoding: Some("o200k_base") }
}

/// The tokens of a text: counted, with the feature `tiktoken`, else estimated.
#[cfg(not(feature = "tiktoken"))]
pub fn tokens(text: &str) -> Tokens {
    let count = (text.chars().count() as f64 / CHARS_PER_TOKEN).ceil();
    Tokens { count: count as usize, encoding: None }
}
