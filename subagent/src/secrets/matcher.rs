//! Matching of secrets in texts. Each character of a text may be escaped in its own way.

/// A spelling of a secret, and the mark that replaces it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    chars: Vec<char>,
    mark: String,
}

/// The result of a match at one position of a text.
#[derive(Clone, Copy)]
pub(super) enum Found {
    /// The whole spelling, with the position after it.
    Whole(usize),
    /// The start of the spelling, cut off by the end of the text.
    Start,
}

impl Pattern {
    pub(super) fn new(spelling: &str, mark: &str) -> Pattern {
        Pattern { chars: spelling.chars().collect(), mark: mark.to_string() }
    }

    /// Returns the text that replaces the secret.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Returns the length of text that the usual encodings of the spelling take, in bytes.
    pub(super) fn reach(&self) -> usize {
        // `%C3%B6` is the longest usual form of a byte, and `\\u00f6` that of a character.
        6 * self.chars.iter().map(|it| it.len_utf8()).sum::<usize>()
    }

    /// Matches the spelling at a byte position of the text.
    pub(super) fn find_at(&self, text: &str, at: usize) -> Option<Found> {
        let first = *self.chars.first()?;
        let byte = *text.as_bytes().get(at)?;
        let ([start, ..], _) = utf8(first);
        if byte != start && !matches!(byte, b'\\' | b'%' | b'&') {
            return None;
        }
        // All positions after the characters so far, because an escape can be read in several ways.
        let (mut places, mut next) = (vec![at], Vec::new());
        let mut is_open = false;
        for c in &self.chars {
            for place in &places {
                is_open |= match_char(text, *place, *c, &mut next);
            }
            places.clear();
            std::mem::swap(&mut places, &mut next);
            places.sort_unstable();
            places.dedup();
            if places.is_empty() {
                return is_open.then_some(Found::Start);
            }
        }
        let end = places.pop()?;
        Some(Found::Whole(end))
    }
}

/// The maximum number of escape layers, such as a percent sign that is escaped again and again.
const MAX_LAYERS: usize = 16;

/// Adds the positions after `c` if `c` is at position `at` in any form. Returns whether the text may end inside that
/// form.
fn match_char(text: &str, at: usize, c: char, places: &mut Vec<usize>) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    if rest.is_empty() {
        return true;
    }
    if rest.starts_with(c) {
        places.push(at + c.len_utf8());
    }
    let first = rest.as_bytes().first().copied().unwrap_or_default();
    match first {
        b'+' if c == ' ' => places.push(at + 1),
        b'\r' if c == '\n' && rest.starts_with("\r\n") => places.push(at + 2),
        // Line breaks inside Base64.
        b'\n' | b'\r' if is_base64(c) => {
            let blank = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
            if rest.get(blank..).is_some_and(|it| it.starts_with(c)) {
                places.push(at + blank + c.len_utf8());
            }
        }
        b'\\' => return backslashes(rest, at, c, places),
        b'%' => return percent(rest, at, c, places),
        b'&' => return entity(rest, at, c, places),
        _ => {}
    }
    false
}

/// Reads a backslash escape at any depth, such as JSON inside JSON: `\/`, `
/// `, `\u00f6`.
fn backslashes(rest: &str, at: usize, c: char, places: &mut Vec<usize>) -> bool {
    // Each layer doubles the backslashes and adds one.
    const MAX_BACKSLASHES: usize = 64;
    let run = rest.bytes().take(MAX_BACKSLASHES).take_while(|it| *it == b'\\').count();
    if c == '\\' {
        places.extend((2..=run).map(|it| at + it));
        return run == rest.len();
    }
    let behind = rest.get(run..).unwrap_or_default();
    let Some(letter) = behind.chars().next() else { return true };
    let named = match letter {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        other if !other.is_alphanumeric() => Some(other),
        _ => None,
    };
    if named == Some(c) {
        places.push(at + run + letter.len_utf8());
    }
    if letter != 'u' {
        return false;
    }
    let mut units = [0; 2];
    let wanted = c.encode_utf16(&mut units);
    let mut length = run;
    for (number, unit) in wanted.iter().enumerate() {
        let tail = rest.get(length..).unwrap_or_default();
        let tail = if number > 0 { tail.trim_start_matches('\\') } else { tail };
        let escape: String = tail.chars().take(5).collect();
        if format!("u{unit:04x}").starts_with(&escape.to_lowercase()) && escape.len() < 5 {
            return true;
        }
        if escape.to_lowercase() != format!("u{unit:04x}") {
            return false;
        }
        length = rest.len() - tail.len() + 5;
    }
    places.push(at + length);
    false
}

/// Reads the percent escapes of all bytes of a character, at any depth: `%2F`, `%252F`.
fn percent(rest: &str, at: usize, c: char, places: &mut Vec<usize>) -> bool {
    let (bytes, count) = utf8(c);
    let mut tail = rest;
    for byte in bytes.iter().take(count) {
        let Some(mut digits) = tail.strip_prefix('%') else { return tail.is_empty() };
        for _ in 0..MAX_LAYERS {
            // `%25` is a percent sign. Either the secret has it here, or it begins the next layer.
            match digits.strip_prefix("25") {
                Some(inner) if *byte != b'%' || inner.starts_with("25") => digits = inner,
                _ => break,
            }
        }
        let code: String = digits.chars().take(2).collect();
        let wanted = format!("{byte:02X}");
        if code.len() < 2 && wanted.starts_with(&code.to_uppercase()) {
            return true;
        }
        if !code.eq_ignore_ascii_case(&wanted) {
            return false;
        }
        tail = digits.get(2..).unwrap_or_default();
    }
    places.push(at + rest.len() - tail.len());
    false
}

/// Reads an HTML entity, escaped once or several times: `&amp;`, `&#47;`, `&#x2F;`.
fn entity(rest: &str, at: usize, c: char, places: &mut Vec<usize>) -> bool {
    const MAX_LENGTH: usize = 12;
    let mut inner = rest.get(1..).unwrap_or_default();
    for _ in 0..MAX_LAYERS {
        match inner.strip_prefix("amp;") {
            Some(more) if more.starts_with('#') || c != '&' => inner = more,
            _ => break,
        }
    }
    let Some(end) = inner.bytes().take(MAX_LENGTH).position(|it| it == b';') else {
        let is_letter = |it: char| it.is_ascii_alphanumeric() || it == '#';
        return inner.len() < MAX_LENGTH && inner.chars().all(is_letter);
    };
    let (name, behind) = inner.split_at(end);
    let number = |text: &str, radix| u32::from_str_radix(text, radix).ok().and_then(char::from_u32);
    let read = match name.strip_prefix('#') {
        Some(code) => match code.strip_prefix(['x', 'X']) {
            Some(hex) => number(hex, 16),
            None => number(code, 10),
        },
        None => match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => None,
        },
    };
    if read == Some(c) {
        places.push(at + rest.len() - behind.len() + 1);
    }
    false
}

fn is_base64(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_')
}

/// Returns the UTF-8 bytes of a character, and their number.
fn utf8(c: char) -> ([u8; 4], usize) {
    let mut bytes = [0; 4];
    let count = c.encode_utf8(&mut bytes).len();
    (bytes, count)
}
