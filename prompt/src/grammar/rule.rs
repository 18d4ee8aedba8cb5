//! A grammar as plain data: rules over a few kinds of parts.

/// A rule: a named part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name, in lower-case letters, digits and hyphens.
    pub name: String,
    /// Whether the rule is one word of the language. Such a rule only refers to other words. In a
    /// program, a character that cannot belong to the word follows it.
    pub token: bool,
    /// The part that the rule produces.
    pub body: Part,
}

/// A part of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A literal text.
    Text(String),
    /// One character.
    Char(Chars),
    /// All parts, one after the other.
    All(Vec<Part>),
    /// One of the parts.
    Any(Vec<Part>),
    /// A part repeated: at least the first number of times, and at most the second, if there is
    /// one.
    Repeat(Box<Part>, u32, Option<u32>),
    /// A reference to the rule of this name.
    Rule(String),
}

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chars {
    /// Whether the set has all characters except those of the ranges.
    pub not: bool,
    /// The ranges, each as its first and its last character.
    pub ranges: Vec<(char, char)>,
}

impl Chars {
    /// Returns whether a character is in the set.
    pub fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != self.not
    }

    /// Parses a set: the characters of a text, with ranges such as `a-z`. A hyphen at the end is a
    /// literal hyphen.
    pub(super) fn parse(text: &str) -> Chars {
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

    /// Parses the complement of a set.
    pub(super) fn parse_complement(text: &str) -> Chars {
        Chars { not: true, ..Chars::parse(text) }
    }

    /// Returns the set without the ASCII characters that `left_out` accepts.
    pub(super) fn without(&self, left_out: impl Fn(char) -> bool + Copy) -> Chars {
        let mut ranges: Vec<(char, char)> = Vec::new();
        for (first, last) in &self.ranges {
            if *last > '\u{7f}' {
                // Only ASCII characters are ever left out.
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
    Part::Char(Chars::parse(chars))
}

pub(super) fn char_except(chars: &str) -> Part {
    Part::Char(Chars::parse_complement(chars))
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

/// Returns a rule between whose parts blanks may occur.
pub(super) fn plain(name: impl Into<String>, body: Part) -> Rule {
    Rule { name: name.into(), token: false, body }
}

/// Returns an optional part between delimiters.
pub(super) fn within(open: &str, inside: Part, close: &str) -> Part {
    let blank = || maybe(rule("ws"));
    all([text(open), blank(), maybe(all([inside, blank()])), text(close)])
}

/// Returns a part one or more times, separated by blanks.
pub(super) fn list(part: Part) -> Part {
    all([part.clone(), many(all([rule("ws"), part]))])
}
