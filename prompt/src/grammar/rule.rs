//! A grammar as plain data: rules over a few kinds of parts.

/// A rule: a name for a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name: small letters, digits and hyphens.
    pub name: String,
    /// Whether it is one word of the language: it refers to other words only, and in a program something
    /// that is no part of a word follows it.
    pub token: bool,
    /// What it produces.
    pub body: Part,
}

/// What a rule produces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// This text.
    Text(String),
    /// One character.
    Char(Chars),
    /// One after the other.
    All(Vec<Part>),
    /// One of them.
    Any(Vec<Part>),
    /// At least so many times; at most so many times, if there is a bound.
    Repeat(Box<Part>, u32, Option<u32>),
    /// What the rule of this name produces.
    Rule(String),
}

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chars {
    /// Whether all characters but those of the ranges are meant.
    pub not: bool,
    /// First and last characters.
    pub ranges: Vec<(char, char)>,
}

impl Chars {
    /// Whether a character is in the set.
    pub fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != self.not
    }

    /// The characters of a text; `a-z` is a range, and a hyphen at the end is itself.
    pub(super) fn of(text: &str) -> Chars {
        let chars: Vec<char> = text.chars().collect();
        let mut ranges = Vec::new();
        let mut rest = chars.as_slice();
        while let [first, more @ ..] = rest {
            if let ['-', last, more @ ..] = more {
                ranges.push((*first, *last));
                rest = more;
            } else {
                ranges.push((*first, *first));
                rest = more;
            }
        }
        Chars { not: false, ranges }
    }

    /// All characters but those of a text.
    pub(super) fn but(text: &str) -> Chars {
        Chars { not: true, ..Chars::of(text) }
    }

    /// The set without these characters.
    pub(super) fn without(&self, left_out: impl Fn(char) -> bool + Copy) -> Chars {
        let mut ranges: Vec<(char, char)> = Vec::new();
        for (first, last) in &self.ranges {
            if *last > '\u{7f}' {
                // Only ASCII is ever left out.
                ranges.push((*first, *last));
                continue;
            }
            for c in (*first..=*last).filter(|c| !left_out(*c)) {
                match ranges.last_mut() {
                    Some((_, end)) if *end as u32 + 1 == c as u32 => *end = c,
                    _ => ranges.push((c, c)),
                }
            }
        }
        Chars { not: false, ranges }
    }
}

pub(super) fn text(text: impl Into<String>) -> Part {
    Part::Text(text.into())
}

pub(super) fn rule(name: impl Into<String>) -> Part {
    Part::Rule(name.into())
}

pub(super) fn char_of(chars: &str) -> Part {
    Part::Char(Chars::of(chars))
}

pub(super) fn char_but(chars: &str) -> Part {
    Part::Char(Chars::but(chars))
}

pub(super) fn all(parts: impl IntoIterator<Item = Part>) -> Part {
    one_or(parts, Part::All)
}

pub(super) fn any(parts: impl IntoIterator<Item = Part>) -> Part {
    one_or(parts, Part::Any)
}

fn one_or(parts: impl IntoIterator<Item = Part>, many: fn(Vec<Part>) -> Part) -> Part {
    let mut parts: Vec<Part> = parts.into_iter().collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => many(parts),
    }
}

pub(super) fn repeat(part: Part, min: usize, max: Option<usize>) -> Part {
    Part::Repeat(Box::new(part), min as u32, max.map(|max| max as u32))
}

pub(super) fn maybe(part: Part) -> Part {
    repeat(part, 0, Some(1))
}

pub(super) fn many(part: Part) -> Part {
    repeat(part, 0, None)
}

pub(super) fn some(part: Part) -> Part {
    repeat(part, 1, None)
}
