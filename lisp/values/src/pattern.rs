//! Regular expressions with the syntax and searches of Java, on an engine with linear time: without
//! look-around and back-references (D9).
//!
//! Time is linear in the text, but the time for each byte grows with the expression. The cost of an
//! expression is known before it is compiled ([`Shape`]), so compiling and searching are paid for
//! beforehand.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::OnceLock;

use arcstr::ArcStr;
use regex::{Captures, Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};

/// The maximum size of a compiled expression, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The maximum cost of compiling an expression, in fuel.
const MAX_UNITS: u64 = 100_000;

/// The minimum cost of compiling an expression, in fuel: even a short one takes several analyses.
const LEAST_UNITS: u64 = 1_000;

/// The maximum nesting of an expression, in levels.
const MAX_NESTING: u32 = 100;

/// The length in bytes from which the engine finds a literal faster.
const LONG: usize = 1024;

/// The cost of an expression, known before it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    /// The fuel for compiling it: the number of its parts, with repetitions counted.
    units: u64,
    /// The worst cost of a byte of text, in quarters of a unit of fuel.
    weight: u64,
    /// The number of bytes a search may read behind its match; none for no limit.
    reach: Option<usize>,
}

impl Shape {
    fn of(hir: &Hir, asks_for_end: bool) -> Shape {
        let (mut size, mut width, mut groups) = (0u64, 0u64, 0u64);
        let mut work = vec![(hir, 1u64)];
        while let Some((hir, times)) = work.pop() {
            // The number of its parts, and of those that may be tried at the same time.
            let (parts, tried) = match hir.kind() {
                HirKind::Empty | HirKind::Look(_) => (1, 1),
                HirKind::Literal(text) => (text.0.len(), text.0.len()),
                HirKind::Class(Class::Unicode(class)) => {
                    let bytes = if class.is_ascii() { 1 } else { 3 };
                    (class.ranges().len() * bytes, bytes)
                }
                HirKind::Class(Class::Bytes(class)) => (class.ranges().len(), 1),
                HirKind::Repetition(part) => {
                    let most = u64::from(part.max.unwrap_or(part.min)).max(1);
                    work.push((&part.sub, times.saturating_mul(most)));
                    (1, 1)
                }
                HirKind::Capture(group) => {
                    groups += 1;
                    work.push((&group.sub, times));
                    (2, 0)
                }
                HirKind::Concat(parts) | HirKind::Alternation(parts) => {
                    work.extend(parts.iter().map(|part| (part, times)));
                    (parts.len(), 0)
                }
            };
            size = size.saturating_add(times.saturating_mul(parts as u64));
            width = width.saturating_add(times.saturating_mul(tried as u64));
        }
        // The end of the text may mean two positions, and both are searched.
        let searches = 1 + u64::from(asks_for_end);
        let weight = (1 + width / 8).saturating_mul(1 + groups / 16).saturating_mul(searches);
        let reach = match hir.properties().maximum_len() {
            _ if stops(hir) => Some(0),
            longest => longest,
        };
        Shape { units: size.saturating_add(LEAST_UNITS), weight, reach }
    }
}

/// Returns whether a search stops soon after its match, or never rereads bytes in vain, for texts
/// of any length.
///
/// A search continues behind a match while a preferred match is still possible. That is harmless
/// for an endless repetition at the end, since continuing there extends the match. It is also
/// harmless where it repeats one character between required parts, since a later match would have
/// been part of this one. Elsewhere, as in `(?:a[^z]*z)?`, each of many matches may read the whole
/// rest.
fn stops(hir: &Hir) -> bool {
    let character = |hir: &Hir| match hir.kind() {
        HirKind::Class(_) => true,
        HirKind::Literal(text) => text.0.len() == 1,
        _ => false,
    };
    let may_be_empty = |hir: &Hir| {
        hir.properties().minimum_len() == Some(0) && hir.properties().look_set().is_empty()
    };
    // Each part, with whether it must match and whether it is the last.
    let mut work = vec![(hir, true, true)];
    while let Some((hir, must, last)) = work.pop() {
        match hir.kind() {
            HirKind::Repetition(part) if part.max.is_none() => {
                if !(must && character(&part.sub)) {
                    if !last {
                        return false;
                    }
                    work.push((&part.sub, false, true));
                }
            }
            HirKind::Repetition(part) => work.push((&part.sub, false, last && part.max == Some(1))),
            HirKind::Capture(group) => work.push((&group.sub, must, last)),
            HirKind::Concat(parts) => {
                let mut last = last;
                for part in parts.iter().rev() {
                    work.push((part, must, last));
                    last &= may_be_empty(part);
                }
            }
            HirKind::Alternation(parts) => {
                work.extend(parts.iter().map(|part| (part, false, last)));
            }
            HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => {}
        }
    }
    true
}

/// The only text that an expression matches.
#[derive(Debug, PartialEq, Eq)]
enum Literal {
    Char(char),
    Text(String),
}

impl Literal {
    fn of(hir: &Hir) -> Option<Literal> {
        let HirKind::Literal(text) = hir.kind() else { return None };
        let text = String::from_utf8(text.0.to_vec()).ok()?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(char), None) => Some(Literal::Char(char)),
            _ => Some(Literal::Text(text)),
        }
    }

    /// Returns the bytes of its first place in a text.
    fn find(&self, text: &str) -> Option<Range<usize>> {
        let (start, length) = match self {
            Literal::Char(char) => (text.find(*char)?, char.len_utf8()),
            Literal::Text(literal) => (text.find(literal.as_str())?, literal.len()),
        };
        Some(start..start + length)
    }
}

/// A compiled regular expression.
#[derive(Debug)]
pub struct Pattern {
    source: ArcStr,
    /// The source in the syntax of the engine.
    translated: String,
    regex: Regex,
    /// Whether it tests for the end of the text, which may also be before a final line end.
    asks_for_end: bool,
    shape: Shape,
    /// The only text that it matches: a short text is searched without the engine.
    literal: Option<Literal>,
    /// The expression for a match of the whole text; made on first use.
    whole: OnceLock<Option<Regex>>,
}

fn build(translated: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(translated)
        .size_limit(MAX_BYTES)
        .dfa_size_limit(MAX_BYTES)
        .nest_limit(MAX_NESTING)
        .crlf(true)
        .build()
}

/// Returns the cost of an expression and its literal, or the reason it is invalid.
fn shape(translated: &str, asks_for_end: bool) -> Result<(Shape, Option<Literal>), String> {
    let mut parser = regex_syntax::ParserBuilder::new().nest_limit(MAX_NESTING).crlf(true).build();
    let hir = parser.parse(translated).map_err(|error| error.to_string())?;
    let shape = Shape::of(&hir, asks_for_end);
    if shape.units > MAX_UNITS {
        return Err(format!(
            "written without repetitions it has {} parts, more than {MAX_UNITS}",
            shape.units
        ));
    }
    Ok((shape, Literal::of(&hir)))
}

impl Pattern {
    /// Compiles an expression after paying for it.
    ///
    /// # Errors
    ///
    /// Returns the error of `pay`, or the error that `refused` makes of the reason the expression
    /// is invalid.
    pub fn new<E>(
        source: &str,
        pay: impl FnOnce(u64) -> Result<(), E>,
        refused: impl FnOnce(String) -> E,
    ) -> Result<Pattern, E> {
        let (translated, asks_for_end) = translate(source);
        let (shape, literal) = match shape(&translated, asks_for_end) {
            Ok(known) => known,
            Err(why) => return Err(refused(why)),
        };
        pay(shape.units)?;
        match build(&translated) {
            Ok(regex) => Ok(Pattern {
                source: source.into(),
                regex,
                translated,
                asks_for_end,
                shape,
                literal,
                whole: OnceLock::new(),
            }),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    /// Returns the fuel for compiling an expression.
    ///
    /// # Errors
    ///
    /// Returns the engine's message if the expression is invalid, needs look-around or is too
    /// large.
    pub fn units(source: &str) -> Result<u64, String> {
        let (translated, asks_for_end) = translate(source);
        shape(&translated, asks_for_end).map(|(shape, _)| shape.units)
    }

    /// Returns the number of groups of a match, including the whole match.
    pub fn groups(&self) -> usize {
        self.regex.captures_len()
    }

    /// Returns the fuel for searching this number of bytes.
    pub fn search_cost(&self, bytes: usize) -> u64 {
        (bytes as u64 / 4 + 1).saturating_mul(self.shape.weight)
    }

    /// Returns the fuel for the bytes a search reads behind its match, if `bytes` bytes follow.
    pub fn reach_cost(&self, bytes: usize) -> u64 {
        let reach = self.shape.reach.unwrap_or(usize::MAX).min(bytes);
        (reach as u64).saturating_mul(self.shape.weight) / 64
    }

    /// Returns the source text.
    pub fn source(&self) -> &ArcStr {
        &self.source
    }

    /// Returns the first match that starts at a byte of a text or after it, with its groups.
    pub fn find_at<'t>(&self, text: &'t str, at: usize) -> Option<Captures<'t>> {
        let start = |found: &Captures<'_>| found.get(0).map(|all| all.start());
        self.first(text, at, |text| self.regex.captures_at(text, at), start)
    }

    /// Returns the bytes of the match that [`Pattern::find_at`] gives. This is faster.
    pub fn span_at(&self, text: &str, at: usize) -> Option<Range<usize>> {
        if let Some(literal) = &self.literal
            && text.len() < LONG
        {
            let found = literal.find(text.get(at..)?)?;
            return Some(at + found.start..at + found.end);
        }
        let find = |text: &str| self.regex.find_at(text, at).map(|found| found.range());
        self.first(text, at, find, |found| Some(found.start))
    }

    /// Returns the first match. The end of the text may also be the position before the final line
    /// end.
    fn first<'t, T>(
        &self,
        text: &'t str,
        at: usize,
        find: impl Fn(&'t str) -> Option<T>,
        start: impl Fn(&T) -> Option<usize>,
    ) -> Option<T> {
        let found = find(text);
        let end = text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
        let Some(before) = end.filter(|before| self.asks_for_end && at <= before.len()) else {
            return found;
        };
        // The earlier match wins, and of two with the same start the one that saw the whole text.
        match (found, find(before)) {
            (Some(found), Some(cut)) if start(&cut) < start(&found) => Some(cut),
            (found, cut) => found.or(cut),
        }
    }

    /// Returns the match of a whole text.
    pub fn full<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        let whole = || build(&format!(r"\A(?:{})\z", self.translated)).ok();
        self.whole.get_or_init(whole).as_ref()?.captures(text)
    }
}

/// Returns the byte where the search continues after a match; none at the end of the text.
pub fn after(text: &str, found: &Range<usize>) -> Option<usize> {
    if !found.is_empty() {
        return Some(found.end);
    }
    // An empty match skips one character.
    text.get(found.end..)?.chars().next().map(|c| found.end + c.len_utf8())
}

/// Returns the bytes of a match.
pub fn span(found: &Captures<'_>) -> Range<usize> {
    found.get(0).map_or(0..0, |all| all.range())
}

/// The classes that Java names itself, for ASCII only.
const POSIX: &[(&str, &str)] = &[
    ("ASCII", r"\x00-\x7F"),
    ("Alnum", "0-9A-Za-z"),
    ("Alpha", "A-Za-z"),
    ("Blank", r" \t"),
    ("Cntrl", r"\x00-\x1F\x7F"),
    ("Digit", "0-9"),
    ("Graph", "!-~"),
    ("Lower", "a-z"),
    ("Print", " -~"),
    ("Punct", r"!-/:-@\[-`{-~"),
    ("Space", r" \t\n\x0B\f\r"),
    ("Upper", "A-Z"),
    ("XDigit", "0-9A-Fa-f"),
    ("javaLowerCase", r"\p{Lowercase}"),
    ("javaUpperCase", r"\p{Uppercase}"),
];

/// Translates Java's syntax to the engine's; also returns whether the end of the text is tested.
fn translate(source: &str) -> (String, bool) {
    let mut out = String::with_capacity(source.len());
    let mut asks_for_end = false;
    let mut classes = 0;
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let Some(escaped) = rest.chars().next() else {
                    out.push('\\');
                    break;
                };
                rest = &rest[escaped.len_utf8()..];
                match escaped {
                    'Q' => {
                        let (quoted, after) = rest.split_once(r"\E").unwrap_or((rest, ""));
                        out.push_str(&regex::escape(quoted));
                        rest = after;
                    }
                    'E' => {}
                    'd' => out.push_str("[0-9]"),
                    'D' => out.push_str("[^0-9]"),
                    'w' => out.push_str("[0-9A-Za-z_]"),
                    'W' => out.push_str("[^0-9A-Za-z_]"),
                    's' => out.push_str(r"[ \t\n\x0B\f\r]"),
                    'S' => out.push_str(r"[^ \t\n\x0B\f\r]"),
                    'h' => out.push_str(
                        r"[ \t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}]",
                    ),
                    'v' => out.push_str(r"[\n\x0B\f\r\x{85}\x{2028}\x{2029}]"),
                    'R' => out.push_str(r"(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])"),
                    'e' => out.push_str(r"\x1B"),
                    'Z' if classes == 0 => {
                        asks_for_end = true;
                        out.push_str(r"\z");
                    }
                    '0' => rest = octal(&mut out, rest),
                    'p' | 'P' => rest = property(&mut out, rest, escaped == 'P'),
                    _ => {
                        out.push('\\');
                        out.push(escaped);
                    }
                }
            }
            '[' => {
                classes += 1;
                out.push('[');
                if let Some(after) = rest.strip_prefix('^') {
                    out.push('^');
                    rest = after;
                }
                // A bracket at the start of a class is a member of it.
                if let Some(after) = rest.strip_prefix(']') {
                    out.push_str(r"\]");
                    rest = after;
                }
            }
            ']' if classes > 0 => {
                classes -= 1;
                out.push(']');
            }
            // The engine subtracts with two of these; Java reads them as members.
            '-' | '~' if classes > 0 && rest.starts_with(c) => {
                out.push('\\');
                out.push(c);
            }
            '$' if classes == 0 => {
                asks_for_end = true;
                out.push('$');
            }
            _ => out.push(c),
        }
    }
    (out, asks_for_end)
}

/// Translates `\0101`, a character by its octal number.
fn octal<'t>(out: &mut String, rest: &'t str) -> &'t str {
    let most = if rest.starts_with(['0', '1', '2', '3']) { 3 } else { 2 };
    let count = rest.bytes().take(most).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    let (digits, rest) = rest.split_at(count);
    let _ = match u32::from_str_radix(digits, 8) {
        Ok(number) => write!(out, r"\x{{{number:X}}}"),
        // Without digits it is not an escape, and the engine reports it.
        Err(_) => write!(out, r"\0"),
    };
    rest
}

/// Translates `\p{Alpha}`, a class by its name.
fn property<'t>(out: &mut String, rest: &'t str, negated: bool) -> &'t str {
    let sign = if negated { 'P' } else { 'p' };
    let Some((name, after)) = rest.strip_prefix('{').and_then(|name| name.split_once('}')) else {
        out.push('\\');
        out.push(sign);
        return rest;
    };
    if let Some((_, members)) = POSIX.iter().find(|(known, _)| *known == name) {
        let _ = write!(out, "[{}{members}]", if negated { "^" } else { "" });
    } else {
        let _ = write!(out, r"\{sign}{{{}}}", name.strip_prefix("Is").unwrap_or(name));
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(source: &str) -> Pattern {
        Pattern::new(source, |_| Ok(()), |why| why).unwrap()
    }

    #[test]
    fn syntax_of_java_is_translated() {
        let of = |source| translate(source).0;
        assert_eq!(of(r"\Qa.b\E+"), r"a\.b+");
        assert_eq!(of(r"[\Q]^\E]"), r"[\]\^]");
        assert_eq!(of(r"[^\W\d]"), "[^[^0-9A-Za-z_][0-9]]");
        assert_eq!(of(r"\p{Punct}\P{IsAlphabetic}\pL"), r"[!-/:-@\[-`{-~]\P{Alphabetic}\pL");
        assert_eq!(of(r"\0101\R"), r"\x{41}(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])");
        assert_eq!(of(r"[]a$--z]\$"), r"[\]a$\--z]\$");
        assert!(translate("a$").1 && translate(r"a\Z").1);
        assert!(!translate(r"[$]\$").1);
    }

    #[test]
    fn searches_as_java_does() {
        let all = |source: &str, text: &str| -> Vec<String> {
            let (pattern, mut found, mut next) = (pattern(source), Vec::new(), Some(0));
            while let Some(one) = next.and_then(|at| pattern.span_at(text, at)) {
                assert_eq!(span(&pattern.find_at(text, next.unwrap()).unwrap()), one);
                found.push(text[one.clone()].to_owned());
                next = after(text, &one);
            }
            found
        };
        assert_eq!(all("a*", "aab"), ["aa", "", ""]);
        assert_eq!(all("a$", "ba\n"), ["a"]);
        assert_eq!(all("a$", "ba\r\n"), ["a"]);
        assert_eq!(all("$", "a\n"), ["", ""]);
        assert_eq!(all(r"\s*$", "a \n"), [" \n", ""]);
        assert_eq!(all(r"a\z", "a\n"), [""; 0]);
        assert_eq!(all("(?m)a$", "a\nba\n"), ["a", "a"]);
        assert_eq!(all(".", "a\rb\nc"), ["a", "b", "c"]);
        assert_eq!(all(".", "日本"), ["日", "本"]);
        assert_eq!(all("本|日", "日本"), ["日", "本"]);
        assert_eq!(all("本", "日本本 本"), ["本", "本", "本"]);
        assert_eq!(all(r"\Q.*\E", ".*.*"), [".*", ".*"]);
        assert_eq!(all("", "日"), ["", ""]);
        let literal = |source| pattern(source).literal;
        assert_eq!(literal(r"\."), Some(Literal::Char('.')));
        assert_eq!(literal("é"), Some(Literal::Char('é')));
        assert_eq!(literal("(?:, )"), Some(Literal::Text(", ".to_owned())));
        let long = "-".repeat(2 * LONG);
        assert_eq!(all("é|日", &format!("é{long}日")), ["é", "日"]);
        assert_eq!(all("日", &format!("日{long}日")), ["日", "日"]);
        assert_eq!(all("-é", &format!("{long}é")), ["-é"]);
        for other in ["(a)", "(?i)a", "a$", "a?", "", "[ab]", r"a\b"] {
            assert_eq!(literal(other), None, "{other}");
        }
        let either = pattern("a|ab");
        assert_eq!(either.full("ab").unwrap().get(0).unwrap().as_str(), "ab");
        assert!(pattern("a$").full("a\n").is_none());
    }

    #[test]
    fn the_cost_of_an_expression_is_known_before_it_is_compiled() {
        let weight = |source| pattern(source).shape.weight;
        assert_eq!(weight("a+"), 1);
        assert_eq!(weight("é{1000}"), 251);
        assert_eq!(weight("(?:a{0,100}){0,100}"), 1263);
        assert!(Pattern::units("\\p{L}{20}").unwrap() > 40_000);
        for large in ["a{1000000}", "(?:(?:a{100}){100}){100}", "(?:\\p{L}\\p{L}){50}"] {
            assert!(Pattern::units(large).is_err(), "{large}");
        }
        // An empty part is read as nothing, however often it is repeated.
        assert_eq!(Pattern::units("(?:){1000000}"), Ok(LEAST_UNITS + 1));
    }

    #[test]
    fn searches_that_stop_are_known() {
        let reach = |source| pattern(source).shape.reach;
        for stops in [
            r"\d+",
            r"\w+\s*=\s*(\w+)",
            r"\d+(?:\.\d+)?",
            "^a.*$",
            r"\w+(?:,\w+)*",
            "a*|b+",
            "[^,]*",
        ] {
            assert_eq!(reach(stops), Some(0), "{stops}");
        }
        for goes_on in ["(?:a[^z]*z)?", "a[^z]*z|a", r"\d+\.\d+|\d", "(?:a|bc)*d", "(?:a+b){2}"] {
            assert_eq!(reach(goes_on), None, "{goes_on}");
        }
        assert_eq!(reach("ab{2,3}"), Some(0));
    }
}
