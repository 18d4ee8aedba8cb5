//! The position of the parser in its text, the tokens of the grammar, and the errors at a position.

use std::ops::Range;

use nom::bytes::complete::take_while;
use nom::character::complete::{char, satisfy};
use nom::combinator::{opt, recognize};
use nom::{IResult, Parser as _};

use crate::error::{Error, ErrorKind};

/// A text and the position of the parser in it. The methods here read names and literals; the
/// methods that read types are in `parse.rs`.
pub(crate) struct Parser<'s> {
    source: &'s str,
    /// The offset of the next byte.
    pub(crate) pos: usize,
    /// The number of open lists and records.
    pub(crate) depth: usize,
}

/// Returns whether the whole text is a name of the grammar.
pub(crate) fn is_name(text: &str) -> bool {
    matches!(name(text), Ok(("", _)))
}

impl<'s> Parser<'s> {
    pub(crate) fn new(source: &'s str) -> Parser<'s> {
        Parser { source, pos: 0, depth: 0 }
    }

    pub(crate) fn end(&mut self) -> Result<(), Error> {
        self.skip();
        if self.peek().is_none() {
            return Ok(());
        }
        let found = self.found();
        Err(self.syntax(format!("expected the end, found {found}")))
    }

    /// Parses text in double quotes.
    pub(crate) fn literal(&mut self) -> Result<String, Error> {
        let start = self.pos;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            let escaped = match c {
                '"' => {
                    self.pos = start + i + 1;
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, '"')) => '"',
                    Some((_, '\\')) => '\\',
                    Some((_, 'n')) => '\n',
                    Some((_, 'r')) => '\r',
                    Some((_, 't')) => '\t',
                    Some((j, other)) => {
                        let span = start + i..start + j + other.len_utf8();
                        let message = format!("unknown escape `\\{other}`");
                        return Err(Error::new(ErrorKind::Syntax, span, message)
                            .with_help("the escapes are `\\\"`, `\\\\`, `\\n`, `\\r` and `\\t`"));
                    }
                    None => break,
                },
                c => c,
            };
            text.push(escaped);
        }
        let message = "the text in quotes is never closed";
        Err(Error::new(ErrorKind::Syntax, start..start + 1, message))
    }

    /// Returns the error for a missing closing bracket. Its span is the opening bracket at `open`
    /// if nothing follows, and otherwise the next token.
    pub(crate) fn unclosed(&self, open: usize, close: char) -> Error {
        if self.peek().is_some() {
            return self.syntax(format!("expected `{close}`, found {}", self.found()));
        }
        let bracket = self.source.get(open..).and_then(|rest| rest.chars().next());
        let message = format!("`{}` is never closed", bracket.unwrap_or(close));
        Error::new(ErrorKind::Syntax, open..open + 1, message)
    }

    pub(crate) fn syntax(&self, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Syntax, self.here(), message)
    }

    /// Returns the span of the next token: a word with its colon, an arrow, or one character.
    fn here(&self) -> Range<usize> {
        let word = recognize((opt(char(':')), name)).parse(self.rest());
        let next = match word {
            Ok((_, word)) => word.len(),
            Err(_) if self.follows("->") => 2,
            Err(_) => self.peek().map_or(0, char::len_utf8),
        };
        self.pos..self.pos + next
    }

    /// Returns the next token as messages quote it.
    pub(crate) fn found(&self) -> String {
        match self.source.get(self.here()) {
            Some(next) if !next.is_empty() => format!("`{next}`"),
            _ => "the end".into(),
        }
    }

    fn rest(&self) -> &'s str {
        self.source.get(self.pos..).unwrap_or_default()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Returns the word at this place if it has other letters than a to z.
    pub(crate) fn foreign_word(&self) -> Option<&'s str> {
        let rest = self.rest();
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
        let word = rest.get(..end.unwrap_or(rest.len()))?;
        (word.starts_with(char::is_alphabetic) && !word.is_ascii()).then_some(word)
    }

    pub(crate) fn at(&self, c: char) -> bool {
        self.peek() == Some(c)
    }

    pub(crate) fn follows(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let eaten = self.follows(text);
        if eaten {
            self.pos += text.len();
        }
        eaten
    }

    /// Skips white space and commas.
    pub(crate) fn skip(&mut self) {
        self.skip_while(|c| c.is_whitespace() || c == ',');
    }

    /// Skips white space but not commas: a suffix after it still belongs to the type just read.
    pub(crate) fn skip_blank(&mut self) {
        self.skip_while(char::is_whitespace);
    }

    fn skip_while(&mut self, skipped: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.pos += rest.len() - rest.trim_start_matches(skipped).len();
    }

    pub(crate) fn token(
        &mut self,
        read: impl Fn(&'s str) -> IResult<&'s str, &'s str>,
    ) -> Option<&'s str> {
        let token = self.peek_token(read)?;
        self.pos += token.len();
        Some(token)
    }

    /// Returns the token without moving past it.
    pub(crate) fn peek_token(
        &self,
        read: impl Fn(&'s str) -> IResult<&'s str, &'s str>,
    ) -> Option<&'s str> {
        read(self.rest()).ok().map(|(_, token)| token)
    }
}

pub(crate) fn name(input: &str) -> IResult<&str, &str> {
    let first = satisfy(|c| c.is_ascii_alphabetic() || c == '_');
    let rest = take_while(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    recognize((first, rest)).parse(input)
}
