//! Splits a text into delimiters and atoms, for texts whose nesting is broken.
//!
//! The tokens are those of the reader: delimiters inside strings, regular expressions, characters
//! and comments do not count.

use super::{FormKind, Forms, atom};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Open(Class),
    Close(Class),
    /// `'`, `@`, `^`, `#_`, `#'`: precedes a form.
    Prefix,
    Atom,
}

/// A pair of delimiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Paren,
    Bracket,
    Brace,
}

impl Class {
    pub const ALL: [Class; 3] = [Class::Paren, Class::Bracket, Class::Brace];

    pub fn open(self) -> char {
        match self {
            Class::Paren => '(',
            Class::Bracket => '[',
            Class::Brace => '{',
        }
    }

    pub fn close(self) -> char {
        match self {
            Class::Paren => ')',
            Class::Bracket => ']',
            Class::Brace => '}',
        }
    }
}

/// A token with its cursor. Lines and columns count from 1; a column counts characters.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    pub line: u32,
    pub column: u32,
    /// The cursor directly after it.
    pub end_line: u32,
    pub end_column: u32,
    /// Whether it is the first token of its line.
    pub first: bool,
    pub syntax: Syntax,
}

/// The kind of a part of a source text, for highlighting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// White space and commas.
    Blank,
    /// A comment to the end of its line.
    Comment,
    /// A delimiter, or a prefix such as `'` and `#_`.
    Mark,
    /// A string, a regular expression or a character, even if it has no end.
    Text,
    /// A number.
    Number,
    /// A keyword.
    Keyword,
    /// `nil`, `true` or `false`.
    Literal,
    /// A name, or a text that is not a token.
    Name,
}

/// Splits a text into its parts, each with its kind. Joined, they are the text, even if it is not a valid program.
///
/// The tokens are those of the reader, so a delimiter inside a string, a character or a comment is a part of that.
pub fn syntax(source: &str) -> Vec<(Syntax, &str)> {
    let mut parts = Vec::new();
    let mut at = 0;
    for token in tokens(source).all {
        blanks(source.get(at..token.start).unwrap_or_default(), &mut parts);
        parts.push((token.syntax, source.get(token.start..token.end).unwrap_or_default()));
        at = token.end;
    }
    blanks(source.get(at..).unwrap_or_default(), &mut parts);
    parts
}

/// Splits the text between two tokens into comments and white space.
fn blanks<'s>(mut text: &'s str, parts: &mut Vec<(Syntax, &'s str)>) {
    while !text.is_empty() {
        let start = text.find(';').unwrap_or(text.len());
        let (blank, rest) = text.split_at(start);
        let (comment, rest) = rest.split_at(rest.find('\n').unwrap_or(rest.len()));
        parts.extend((!blank.is_empty()).then_some((Syntax::Blank, blank)));
        parts.extend((!comment.is_empty()).then_some((Syntax::Comment, comment)));
        text = rest;
    }
}

fn syntax_of(kind: FormKind) -> Syntax {
    match kind {
        FormKind::Str(_) | FormKind::Regex(_) => Syntax::Text,
        FormKind::Int(_) | FormKind::Big(_) | FormKind::Float(_) => Syntax::Number,
        FormKind::Keyword(_) => Syntax::Keyword,
        FormKind::Nil | FormKind::Bool(_) => Syntax::Literal,
        _ => Syntax::Name,
    }
}

/// The tokens of a text.
pub struct Tokens {
    pub all: Vec<Token>,
    /// Whether the text contains something that is not a token.
    pub bad: bool,
    /// The units of work that compiling its regular expressions takes.
    pub regex_units: u64,
}

pub fn tokens(text: &str) -> Tokens {
    let mut found = Tokens { all: Vec::new(), bad: false, regex_units: 0 };
    let mut forms = Forms::default();
    let mut cursor = Cursor { at: 0, line: 1, column: 1, first: true };
    while cursor.at < text.len() {
        cursor.skip(text, atom::skip(text, cursor.at) - cursor.at);
        let rest = &text[cursor.at..];
        let Some(first) = rest.chars().next() else { break };
        let mut syntax = Syntax::Mark;
        let (kind, length) = match first {
            '(' => (Kind::Open(Class::Paren), 1),
            '[' => (Kind::Open(Class::Bracket), 1),
            '{' => (Kind::Open(Class::Brace), 1),
            ')' => (Kind::Close(Class::Paren), 1),
            ']' => (Kind::Close(Class::Bracket), 1),
            '}' => (Kind::Close(Class::Brace), 1),
            '\'' | '@' | '^' => (Kind::Prefix, 1),
            '#' if rest.starts_with("#{") => (Kind::Open(Class::Brace), 2),
            '#' if rest.starts_with("#(") => (Kind::Open(Class::Paren), 2),
            '#' if rest.starts_with("#_") || rest.starts_with("#'") => (Kind::Prefix, 2),
            _ => match atom::atom(rest, &mut forms) {
                Ok((kind, length)) => {
                    syntax = syntax_of(kind);
                    if let FormKind::Regex(text) = kind {
                        let text = forms.text(text);
                        let units = ptc_values::Pattern::units(text).unwrap_or(0);
                        found.regex_units = found.regex_units.saturating_add(units);
                    }
                    (Kind::Atom, length)
                }
                Err(wrong) => {
                    found.bad = true;
                    let is_text = first == '"' || rest.starts_with("#\"");
                    syntax = if is_text { Syntax::Text } else { Syntax::Name };
                    (Kind::Atom, wrong.length.max(first.len_utf8()))
                }
            },
        };
        let Cursor { at: start, line, column, first } = cursor;
        cursor.skip(text, length);
        cursor.first = false;
        found.all.push(Token {
            kind,
            start,
            end: cursor.at,
            line,
            column,
            end_line: cursor.line,
            end_column: cursor.column,
            first,
            syntax,
        });
    }
    found
}

#[derive(Clone, Copy)]
struct Cursor {
    at: usize,
    line: u32,
    column: u32,
    first: bool,
}

impl Cursor {
    fn skip(&mut self, text: &str, length: usize) {
        let end = (self.at + length).min(text.len());
        for c in text[self.at..end].chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
                self.first = true;
            } else {
                self.column += 1;
            }
        }
        self.at = end;
    }
}

/// Names a form for a message by its delimiter and first word, such as `(let …`.
pub fn name_of(text: &str, tokens: &[Token], open: usize) -> String {
    const MOST: usize = 24;
    let Some(token) = tokens.get(open) else { return String::new() };
    let mut name = text[token.start..token.end].to_owned();
    if let Some(next) = tokens.get(open + 1).filter(|next| next.kind == Kind::Atom) {
        let word: Vec<char> = text[next.start..next.end].chars().take(MOST + 1).collect();
        let cut = word.iter().position(|c| *c == '\n').unwrap_or(word.len()).min(MOST);
        name.extend(&word[..cut]);
        if cut == word.len() {
            name.push(' ');
        }
    }
    name.push('…');
    name
}
