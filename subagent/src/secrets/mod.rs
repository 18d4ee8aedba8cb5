//! Removal of secrets from text that comes from outside.
//!
//! A server or a program that receives a secret may echo it in a result, an error or a log line. The echo may have
//! another encoding. All text from outside passes through [`Secrets`] before other code sees it.

mod matcher;

use std::borrow::Cow;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use ptc_lisp::{Value as Exact, json};
use reqwest::Url;
use serde_json::{Map, Value};

use crate::data::Data;
use matcher::{Found, Pattern};

/// The minimum length of a secret, in bytes. Shorter values are placeholders (`none`, `EMPTY`) or ordinary words, and
/// replacing those would damage text.
const MIN_BYTES: usize = 8;

/// The minimum length of a short secret, in bytes. Shorter ones would replace parts of most words.
const MIN_SHORT_BYTES: usize = 3;

/// The length from which a text may have been cut by the code that received it, in bytes. The HTTP client of MCP cuts
/// the bodies of failed requests at 64 KiB.
const MAY_BE_CUT: usize = 60 << 10;

/// The secrets that one tool or one model received, each with the mark that replaces it.
///
/// Every text from outside goes through it before other code shows it. [`Secrets::cut`] is the only way to show a part
/// of such a text, because half a secret cannot be found and replaced.
#[derive(Clone, Default)]
pub struct Secrets {
    patterns: Vec<Pattern>,
}

impl Secrets {
    /// Adds a secret. The mark that replaces it is `name` in brackets.
    ///
    /// The secret is found unchanged, with characters escaped as in JSON, URLs and HTML, in Base64 and in hexadecimal.
    pub fn add(&mut self, name: &str, secret: &str) {
        let secret = secret.trim();
        if secret.len() >= MIN_BYTES {
            self.add_spellings(name, secret);
        }
    }

    /// Adds a secret that may be short, for messages in which ordinary words may be replaced.
    pub(crate) fn add_short(&mut self, name: &str, secret: &str) {
        let secret = secret.trim();
        if secret.len() >= MIN_SHORT_BYTES {
            self.add_spellings(name, secret);
        }
    }

    fn add_spellings(&mut self, name: &str, secret: &str) {
        let mut spellings = vec![secret.to_string()];
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            spellings.extend(inside_base64(&engine, secret.as_bytes()));
        }
        let hex = hex(secret);
        spellings.extend([hex.to_uppercase(), hex]);
        for spelling in spellings {
            let pattern = Pattern::new(&spelling, &format!("[{name}]"));
            if !self.patterns.contains(&pattern) {
                self.patterns.push(pattern);
            }
        }
    }

    /// Adds other secrets.
    pub(crate) fn add_all(&mut self, others: &Secrets) {
        for pattern in &others.patterns {
            if !self.patterns.contains(pattern) {
                self.patterns.push(pattern.clone());
            }
        }
    }

    /// Returns whether there are no secrets.
    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Adds the value of a variable if its name suggests a secret. If the value is a URL, also adds its secrets,
    /// whatever the name is.
    pub(crate) fn add_variable(&mut self, name: &str, value: &str) {
        if names_a_secret(name) {
            self.add(name, value);
        }
        if let Ok(url) = Url::parse(value.trim()) {
            self.add_url(name, &url);
        }
    }

    /// Adds the value of a header if its name suggests a secret: the whole value, and the credentials after a scheme
    /// such as `Bearer`. For the scheme `Basic` it also adds the decoded credentials.
    pub(crate) fn add_header(&mut self, name: &str, value: &str) {
        if !names_a_secret(name) {
            return;
        }
        self.add(name, value);
        let Some((scheme, credentials)) = value.trim().split_once(' ') else { return };
        self.add(name, credentials);
        if scheme.eq_ignore_ascii_case("basic")
            && let Ok(bytes) = STANDARD.decode(credentials.trim())
            && let Ok(text) = String::from_utf8(bytes)
        {
            self.add(name, &text);
            self.add(name, text.split_once(':').map_or("", |it| it.1));
        }
    }

    /// Adds the password of a URL, and the values in its query whose names suggest secrets.
    pub(crate) fn add_url(&mut self, name: &str, url: &Url) {
        let password = url.password().unwrap_or_default();
        self.add(name, &decoded(password));
        for (key, value) in url.query_pairs() {
            if names_a_secret(&key) {
                self.add(name, &value);
            }
        }
    }

    /// Returns the text with each secret replaced by its mark.
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let (mut cleaned, mut rest) = (String::new(), 0);
        while let Some((start, end, mark)) = self.next(text, rest) {
            cleaned.push_str(text.get(rest..start).unwrap_or_default());
            cleaned.push_str(mark);
            rest = end;
        }
        if rest == 0 {
            return Cow::Borrowed(text);
        }
        cleaned.push_str(text.get(rest..).unwrap_or_default());
        Cow::Owned(cleaned)
    }

    /// Replaces the secrets in the strings, keys and numbers of a value.
    pub fn clean_value(&self, value: &mut Value) {
        if self.patterns.is_empty() {
            return;
        }
        let mut rest = vec![value];
        while let Some(value) = rest.pop() {
            match value {
                Value::String(text) => self.clean_string(text),
                Value::Number(number) => {
                    if let Cow::Owned(marked) = self.clean(&number.to_string()) {
                        *value = Value::String(marked);
                    }
                }
                Value::Array(items) => rest.extend(items),
                Value::Object(map) => {
                    if map.keys().any(|key| matches!(self.clean(key), Cow::Owned(_))) {
                        let rows = std::mem::take(map).into_iter();
                        *map = rows.map(|(key, it)| (self.clean(&key).into_owned(), it)).collect();
                    }
                    rest.extend(Map::values_mut(map));
                }
                Value::Null | Value::Bool(_) => {}
            }
        }
    }

    /// Replaces the secrets in the strings, keys and numbers of data.
    pub fn clean_data(&self, data: &mut Data) {
        if !self.patterns.is_empty() {
            *data = Data::made(self.cleaned(data.value()));
        }
    }

    /// Returns data without secrets. It recurs at most as deep as [`Data`] nests.
    fn cleaned(&self, value: &Exact) -> Exact {
        match value {
            Exact::Str(text) => match self.clean(text) {
                Cow::Owned(cleaned) => Exact::str(cleaned),
                Cow::Borrowed(_) => value.clone(),
            },
            Exact::Int(_) | Exact::Float(_) | Exact::Big(_) => {
                match self.clean(&json::write(value).unwrap_or_default()) {
                    Cow::Owned(marked) => Exact::str(marked),
                    Cow::Borrowed(_) => value.clone(),
                }
            }
            Exact::Vector(items) => {
                Exact::vector(items.iter().map(|it| self.cleaned(it)).collect())
            }
            Exact::Map(map) => {
                Exact::map(map.iter().map(|(key, it)| (self.cleaned(key), self.cleaned(it))))
            }
            _ => value.clone(),
        }
    }

    /// Replaces the secrets in a text.
    pub(crate) fn clean_string(&self, text: &mut String) {
        if let Cow::Owned(cleaned) = self.clean(text) {
            *text = cleaned;
        }
    }

    /// Returns at most the first `max` characters of a text, trimmed, without secrets and control characters except line
    /// breaks and tabs. An ellipsis marks a cut.
    ///
    /// Secrets are replaced before the cut, and the cut leaves no start of one.
    pub fn cut(&self, text: &str, max: usize) -> String {
        let (mut start, is_cut) = self.start(text, max);
        if is_cut {
            start.push('…');
        }
        start
    }

    /// Returns the same as [`Secrets::cut`], with the length of the whole text after a cut.
    pub(crate) fn cut_with_length(&self, text: &str, max: usize) -> String {
        match self.start(text, max) {
            (start, false) => start,
            (start, true) => format!("{start}… ({} bytes in all)", text.trim().len()),
        }
    }

    /// Returns at most the last `max` bytes of a text, trimmed and without secrets. `is_cut` tells that the text has
    /// lost its start.
    pub(crate) fn end(&self, text: &str, max: usize, is_cut: bool) -> String {
        // The start of a text that is cut may be the end of a secret, which cannot be found.
        let lost = if is_cut { self.patterns.iter().map(Pattern::reach).max() } else { None };
        let lost = lost.unwrap_or_default().min(text.len() / 2);
        let whole = (lost..=text.len()).find_map(|at| text.get(at..)).unwrap_or_default();
        let cleaned = self.clean(whole);
        let cleaned = cleaned.trim();
        let at = cleaned.len().saturating_sub(max);
        let end = (at..=cleaned.len()).find_map(|at| cleaned.get(at..)).unwrap_or_default();
        if at > 0 || lost > 0 { format!("…{end}") } else { end.to_string() }
    }

    /// Returns the start of a text for [`Secrets::cut`], and whether more text follows.
    fn start(&self, text: &str, max: usize) -> (String, bool) {
        // Before secrets are replaced, because a control character may be inside one.
        let plain = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
        let plain: String = text.trim().chars().filter(plain).collect();
        let mut cleaned = self.clean(&plain).into_owned();
        let end = cleaned.char_indices().nth(max).map(|(at, _)| at);
        if let Some(end) = end {
            cleaned.truncate(end);
        }
        let is_cut = end.is_some() || text.len() >= MAY_BE_CUT;
        if is_cut {
            cleaned.truncate(self.open_end(&cleaned));
        }
        (cleaned, is_cut)
    }

    /// Returns the position from which the end of a text may be the start of a secret, else the length of the text. The
    /// text before it can be shown although more text follows.
    pub(crate) fn open_end(&self, text: &str) -> usize {
        let mut at = 0;
        while !self.patterns.is_empty() && at < text.len() {
            let (whole, is_open) = self.find_at(text, at);
            if is_open {
                return at;
            }
            at = whole.map_or_else(|| next_char(text, at), |(end, _)| end);
        }
        text.len()
    }

    /// Returns the start, the end and the mark of the first secret at or after `from`.
    fn next(&self, text: &str, from: usize) -> Option<(usize, usize, &str)> {
        if self.patterns.is_empty() {
            return None;
        }
        let rest = text.get(from..).unwrap_or_default();
        rest.char_indices().find_map(|(at, _)| {
            let (end, mark) = self.find_at(text, from + at).0?;
            Some((from + at, end, mark))
        })
    }

    /// Returns the end and the mark of the longest secret at a position. Also returns whether the text ends inside
    /// another secret.
    fn find_at(&self, text: &str, at: usize) -> (Option<(usize, &str)>, bool) {
        let (mut whole, mut is_open): (Option<(usize, &str)>, _) = (None, false);
        for pattern in &self.patterns {
            match pattern.find_at(text, at) {
                // Of two equal secrets, the one that was added first gives the name.
                Some(Found::Whole(end)) if whole.is_none_or(|it| it.0 < end) => {
                    whole = Some((end, pattern.mark()));
                }
                Some(Found::Whole(_)) => {}
                Some(Found::Start) => is_open = true,
                None => {}
            }
        }
        (whole, is_open)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

/// Returns whether the name of a variable, a header or a parameter suggests a secret.
pub(crate) fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let parts = ["key", "token", "secret", "passw", "passphrase", "credential", "cookie"];
    let words = ["auth", "authorization", "pass", "pat", "pwd", "sig", "signature"];
    parts.iter().any(|it| name.contains(it))
        || name.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

/// Returns whether a URL has a user, a password, or a value in its query whose name suggests a secret.
pub(crate) fn has_secrets(url: &str) -> bool {
    let Ok(url) = Url::parse(url.trim()) else { return url.contains('@') };
    let has_user = !url.username().is_empty() || url.password().is_some();
    has_user || url.query_pairs().any(|(key, _)| names_a_secret(&key))
}

/// Returns a URL for a message, without user, password, query and fragment. The URL need not be valid.
pub(crate) fn shown_url(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (scheme, rest));
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let place = match rest.rfind('@') {
        // The end of the password is ambiguous.
        Some(at) if at > end => "…",
        Some(at) => rest.get(at + 1..end).unwrap_or_default(),
        None => rest.get(..end).unwrap_or_default(),
    };
    if scheme.is_empty() { place.to_string() } else { format!("{scheme}://{place}") }
}

/// Returns the Base64 characters of these bytes for each of the three alignments in longer data. It omits characters
/// that also depend on neighbouring bytes.
fn inside_base64(engine: &impl base64::Engine, bytes: &[u8]) -> [String; 3] {
    [0, 1, 2].map(|before| {
        let encoded = engine.encode([&vec![0; before], bytes].concat());
        let (start, end) = ((before * 8).div_ceil(6), (before + bytes.len()) * 8 / 6);
        encoded.get(start..end).unwrap_or_default().to_string()
    })
}

/// Returns the bytes of a text in lower-case hexadecimal digits.
fn hex(text: &str) -> String {
    let digit = |it: u8| char::from_digit(u32::from(it), 16).unwrap_or_default();
    text.bytes().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Decodes the `%XX` escapes of a text.
fn decoded(text: &str) -> String {
    let pairs = format!("a={}", text.replace('+', "%2B").replace('&', "%26"));
    let url = Url::parse(&format!("http://h/?{pairs}"));
    let value = url.ok().and_then(|url| Some(url.query_pairs().next()?.1.into_owned()));
    value.unwrap_or_else(|| text.to_string())
}

fn next_char(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.chars().next().map_or(1, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn secrets() -> Secrets {
        let mut secrets = Secrets::default();
        secrets.add("KEY", "tok/LIVE-ö\"7");
        secrets.add("SHORT", "seven77");
        secrets.add("NUMBER", "9876543210");
        secrets.add("PEM", "line one\nline two");
        secrets.add("LONGER", "9876543210-and-more");
        secrets
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(secrets().clean(text), expected, "{text}");
        // Cleaning is idempotent.
        assert_eq!(secrets().clean(expected), expected, "{text}");
    }

    #[test]
    fn every_encoding() {
        check("a tok/LIVE-ö\"7 b", "a [KEY] b");
        check(r#"a tok\/LIVE-\u00f6\"7 b"#, "a [KEY] b");
        check(r#"a tok\\\/LIVE-\\\u00F6\\\"7 b"#, "a [KEY] b");
        check(r"\u0074\u006f\u006b\u002fLIVE-ö\u00227", "[KEY]");
        check("a tok%2FLIVE-%C3%B6%227 b", "a [KEY] b");
        check("a tok%252fLIVE-%25c3%25b6%25227 b", "a [KEY] b");
        check("tok&#x2F;LIVE-&#246;&quot;7 tok&#47;LIVE-&amp;#xF6;&#034;7", "[KEY] [KEY]");
        check("line%20one%0Aline+two line one\\nline two", "[PEM] [PEM]");
        check("line one\r\nline two", "[PEM]");
        check("9876543210, 9876543210-and-more", "[NUMBER], [LONGER]");
        check("seven77 tok/LIVE-o\"7 tok/LIVE", "seven77 tok/LIVE-o\"7 tok/LIVE");
        let hex = hex("tok/LIVE-ö\"7");
        check(&format!("<{hex}> <{}>", hex.to_uppercase()), "<[KEY]> <[KEY]>");
    }

    /// The remaining Base64 characters depend on the bytes beside the secret.
    #[test]
    fn base64_in_every_position() {
        for (before, after) in ["", "u", "us", "user:"].iter().zip(["", "a", "bc", " and"]) {
            for engine in [STANDARD, base64::engine::general_purpose::URL_SAFE] {
                let encoded = engine.encode(format!("{before}tok/LIVE-ö\"7{after}"));
                for text in [encoded.clone(), encoded.replace('/', "\\/"), wrapped(&encoded)] {
                    let cleaned = secrets().clean(&text).into_owned();
                    assert!(cleaned.contains("[KEY]"), "{text} {cleaned}");
                    let left = cleaned.replace("[KEY]", "");
                    assert!(left.len() <= before.len() * 2 + after.len() * 2 + 5, "{cleaned}");
                }
            }
        }
    }

    /// Splits a text into lines, as `base64` and mail programs do.
    fn wrapped(text: &str) -> String {
        let (start, end) = text.split_at(text.len() / 2);
        format!("{start}\n{end}")
    }

    #[test]
    fn secrets_in_json() {
        let mut value = json!({
            "a": ["tok/LIVE-ö\"7", 9_876_543_210_u64, 987_654_321, true, null],
            "tok/LIVE-ö\"7": {"b": r#"{"c": "tok\/LIVE-\u00f6\"7"}"#},
        });
        secrets().clean_value(&mut value);
        let expected = json!({
            "a": ["[KEY]", "[NUMBER]", 987_654_321, true, null],
            "[KEY]": {"b": r#"{"c": "[KEY]"}"#},
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn ends_that_may_be_the_start_of_a_secret() {
        let check = |shown: &str, held: &str| {
            assert_eq!(secrets().open_end(&format!("{shown}{held}")), shown.len(), "{shown}{held}");
        };
        check("a ", "tok/L");
        check("a ", r"tok\");
        check("a ", r"tok\u00");
        check("a ", r"\u007");
        check("a ", "tok%2FLIVE-%C3");
        check("a tok/LIVE-ö\"7 ", "tok");
        check("tok/live", "");
        check("", "");
        // Another secret begins with this one.
        check("", "9876543210");
    }

    /// A cut at every position of a secret shows nothing of it.
    #[test]
    fn a_cut_leaves_no_piece_of_a_secret() {
        let secret = "tok/LIVE-ö\"7";
        let spellings = ["%2F", "/\u{1b}"].map(|it| secret.replace('/', it));
        for spelling in spellings.into_iter().chain([secret.to_string()]) {
            let text = format!("a word {spelling} and more text behind it, of any length");
            let whole = "a word [KEY] and more text behind it, of any length";
            for max in 0..40 {
                let cut = secrets().cut(&text, max);
                let kept = cut.strip_suffix('…').unwrap();
                assert!(whole.starts_with(kept), "{max}: {kept}");
                // The last character may begin a secret.
                assert!(kept.len() + 1 >= max, "{max}: {kept}");
            }
        }
        assert_eq!(secrets().cut(&format!(" {secret} \u{1b}[31m\n"), 12), "[KEY] [31m");
        assert_eq!(secrets().cut_with_length("a tok/LIVE", 4), "a … (10 bytes in all)");
        // Another program has cut the text.
        let body = format!("{}tok/LIVE-", "\u{1}".repeat(MAY_BE_CUT));
        assert_eq!(secrets().cut(&body, 100), "…");
        assert_eq!(Secrets::default().cut("short", 5), "short");
    }

    #[test]
    fn the_end_of_a_text_has_no_piece_of_a_secret() {
        let secret = "9876543210-and-more";
        for lost in 0..secret.len() {
            let text = format!("{}{}", &secret[lost..], ".".repeat(600));
            let end = secrets().end(&text, 1000, true);
            assert!(end.starts_with("….") && end.ends_with('.'), "{end}");
        }
        assert_eq!(secrets().end(&format!("say {secret}\n"), 8, false), "…[LONGER]");
        assert_eq!(secrets().end(" text ", 8, false), "text");
    }

    #[test]
    fn secrets_in_variables_and_headers() {
        let mut secrets = Secrets::default();
        secrets.add_variable("DATABASE", "postgres://user:p%40ssword1@host/db");
        secrets.add_variable("REGION", "europe-west");
        secrets.add_header("Authorization", "Basic dXNlcjpvcGVuLXNlc2FtZQ==");
        secrets.add_header("accept", "application/json");
        let text =
            "p@ssword1 p%40ssword1 europe-west open-sesame user:open-sesame application/json";
        let expected =
            "[DATABASE] [DATABASE] europe-west [Authorization] [Authorization] application/json";
        assert_eq!(secrets.clean(text), expected);
        assert_eq!(format!("{secrets:?}"), "Secrets { .. }");
    }

    #[test]
    fn names_that_suggest_secrets() {
        for name in ["OPENAI_API_KEY", "x-auth", "PASS", "db_pwd", "Set-Cookie", "X-Amz-Signature"]
        {
            assert!(names_a_secret(name), "{name}");
        }
        for name in ["AUTHOR", "PATH", "PATIENT", "region", "SIGNAL", "COMPASS"] {
            assert!(!names_a_secret(name), "{name}");
        }
    }

    #[test]
    fn urls_in_messages() {
        let check = |url: &str, expected: &str| assert_eq!(shown_url(url), expected, "{url}");
        check("ftp://user:PW@h/a?key=Q#F", "ftp://h/a");
        check("user:PW@h", "h");
        check("ftp://user:p/w@h?key=Q", "ftp://h");
        check("ftp://user:p?w@h?key=Q", "ftp://…");
        check("ftp://h?key=a@b", "ftp://…");
        check("h:80", "h:80");
        check("", "");
    }
}
