//! Atoms: numbers, strings, characters, keywords, symbols.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};
use num_bigint::BigInt;

use super::form::{FormKind, Forms};
use ptc_values::code::Code;
use ptc_values::{Value, num};

/// Text that is not an atom.
pub(super) struct Wrong {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// The bytes to skip before reading continues.
    pub(super) length: usize,
    /// The bytes to point at.
    pub(super) shown: usize,
    /// The JVM class of the exception, if it depends on the token and the token is part of data.
    pub(super) class: Option<&'static str>,
}

/// The maximum characters of a number literal: parsing takes quadratic time.
const MAX_DIGITS: usize = 4096;

/// The maximum bytes of a keyword or symbol: a lookup takes linear time.
const MAX_NAME: usize = 4096;

/// A byte of a token.
const TOKEN: u8 = 1;
/// A blank between tokens.
const BLANK: u8 = 2;
/// A byte that may begin a comment or a non-ASCII blank.
const BLANK_START: u8 = 4;
/// A first byte that only names have.
const NAME: u8 = 8;

/// The classes of each byte.
static BYTES: [u8; 256] = {
    let mut all = [BLANK_START; 256];
    let mut byte = 0;
    while byte < 128 {
        all[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => TOKEN | NAME,
            b'*' | b'!' | b'_' | b'?' | b'<' | b'>' | b'=' | b'.' | b'/' | b'&' | b'|' | b'$' => {
                TOKEN | NAME
            }
            b'0'..=b'9' | b'+' | b'-' | b'%' | b':' | b'\'' => TOKEN,
            b'#' => TOKEN | BLANK_START,
            b'\t'..=b'\r' | b' ' | b',' => BLANK,
            b';' => BLANK_START,
            _ => 0,
        };
        byte += 1;
    }
    all
};

/// Returns the end of the bytes of a kind that begin at `at`.
#[expect(clippy::inline_always, reason = "a call costs more than the few bytes it looks at")]
#[inline(always)]
fn end_of(text: &str, mut at: usize, kind: u8) -> usize {
    while let Some(byte) = text.as_bytes().get(at)
        && BYTES[usize::from(*byte)] & kind != 0
    {
        at += 1;
    }
    at
}

/// Returns the end of the white space, commas and comments that begin at `at`.
#[expect(clippy::inline_always, reason = "a call costs more than the few bytes it looks at")]
#[inline(always)]
pub(super) fn skip(text: &str, at: usize) -> usize {
    let end = end_of(text, at, BLANK);
    match text.as_bytes().get(end) {
        Some(byte) if BYTES[usize::from(*byte)] & BLANK_START != 0 => skip_more(text, end),
        _ => end,
    }
}

/// Skips comments and blanks beyond ASCII too.
#[cold]
fn skip_more(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let length = match rest.as_bytes() {
            [b';', ..] | [b'#', b'!', ..] => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            [0x80..=0xff, ..] => {
                let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
                rest.len() - rest.trim_start_matches(is_blank).len()
            }
            _ => 0,
        };
        if length == 0 {
            return at;
        }
        at = end_of(text, at + length, BLANK);
    }
}

/// Returns the symbol that begins at `start` if its letters suffice to tell, as for most symbols. [`atom`] reads the
/// rest.
#[expect(clippy::inline_always, reason = "a call costs as much as the letters of a short name")]
#[inline(always)]
pub(super) fn plain_symbol(text: &str, start: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    if BYTES[usize::from(*bytes.get(start)?)] & NAME == 0 {
        return None;
    }
    let end = end_of(text, start + 1, TOKEN);
    let symbol = text.get(start..end)?;
    let continues = bytes.get(end).is_some_and(|byte| !byte.is_ascii());
    let is_reserved = matches!(symbol, "nil" | "true" | "false") || symbol.ends_with(':');
    (!continues && !is_reserved && symbol.len() < MAX_NAME).then_some(symbol)
}

/// Reads the atom at the start of the text; returns it and its length in bytes.
pub(super) fn atom(text: &str, forms: &mut Forms) -> Result<(FormKind, usize), Wrong> {
    match text.as_bytes() {
        [b'"', ..] => {
            return match plain_string(text) {
                Some(plain) => Ok((FormKind::Str(forms.intern(plain)), plain.len() + 2)),
                None => {
                    let (text, length) = string(text)?;
                    Ok((FormKind::Str(forms.intern(&text)), length))
                }
            };
        }
        [b'#', b'"', ..] => return regex(text, forms),
        [b'\\', ..] => return character(text, forms),
        [b'#', b'#', ..] => return special_float(text),
        _ => {}
    }
    let Ok((_, token)) = token(text) else {
        let first = text.chars().next().unwrap_or(' ');
        if first == '`' {
            return Err(backquote(text));
        }
        let length = first.len_utf8();
        return Err(wrong(format!("`{first}` is not allowed here"), length, unread_help(first)));
    };
    let length = token.len();
    let kind = match token.as_bytes() {
        [b'0'..=b'9', ..] | [b'+' | b'-', b'0'..=b'9', ..] => number(token, forms)?,
        _ if length > MAX_NAME => {
            let message = format!("a name is longer than {MAX_NAME} bytes");
            return Err(Wrong {
                shown: 1,
                ..wrong(message, length, Some("write text in double quotes"))
            });
        }
        [b':', ..] => keyword(token, forms)?,
        b"nil" => FormKind::Nil,
        b"true" => FormKind::Bool(true),
        b"false" => FormKind::Bool(false),
        _ => symbol(token, forms)?,
    };
    Ok((kind, length))
}

fn wrong(message: String, length: usize, help: Option<&str>) -> Wrong {
    Wrong {
        code: Code::BadToken,
        message,
        help: help.map(str::to_owned),
        length,
        shown: length,
        class: None,
    }
}

/// Explains a backquote: of a macro, of JavaScript text, of a Markdown name, or of a code fence.
fn backquote(text: &str) -> Wrong {
    if text.starts_with("```") {
        let help = "a program is only code; remove the fence around it";
        return wrong("a code fence is not allowed here".to_owned(), 3, Some(help));
    }
    let rest = text.get(1..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let (opens, closing) = (rest.starts_with(['(', '[', '{']), line.find('`'));
    let length = closing.filter(|_| !opens).map_or(1, |at| at + 2);
    let help = match () {
        () if opens => {
            "macros are not part of the language: write `(fn [x] …)` or `(defn f [x] …)` for code that runs, \
             `(list 'f x)` or `'(f x)` for code as data"
        }
        () if closing.is_some() => {
            "write text in double quotes, such as \"text\", and names without quotes"
        }
        () => "write `'name` for the symbol, or `name` for its value",
    };
    wrong("a backquote is not part of the language".to_owned(), length, Some(help))
}

fn unread_help(first: char) -> Option<&'static str> {
    match first {
        '~' => Some(
            "unquoting belongs to macros, which are not part of the language; \
             build code as data with `(list 'f x)`",
        ),
        '#' => Some("tagged literals and reader conditionals are not part of the language"),
        '“' | '”' | '„' => Some("write strings between plain double quotes"),
        _ => None,
    }
}

fn is_token(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => BYTES[usize::from(byte)] & TOKEN != 0,
        _ => {
            c.is_alphanumeric() || (!c.is_whitespace() && !c.is_control() && !"“”„‘’«»".contains(c))
        }
    }
}

fn token(text: &str) -> IResult<&str, &str> {
    let bytes = text.as_bytes();
    let length = end_of(text, 0, TOKEN);
    // Nearly all tokens are ASCII, where a byte is a character.
    if length > 0
        && !matches!(bytes[0], b'#' | b'\'')
        && bytes.get(length).is_none_or(u8::is_ascii)
        && let Some((token, rest)) = text.split_at_checked(length)
    {
        return Ok((rest, token));
    }
    let first = |c: char| is_token(c) && c != '#' && c != '\'';
    recognize(pair(nom::character::complete::satisfy(first), take_while(is_token))).parse(text)
}

fn number(token: &str, forms: &mut Forms) -> Result<FormKind, Wrong> {
    if token.len() > MAX_DIGITS {
        return Err(wrong("a number has too many digits".to_owned(), token.len(), None));
    }
    let (negative, digits) = match token.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, token.strip_prefix('+').unwrap_or(token)),
    };
    if !digits.starts_with('0')
        && digits.len() < 19
        && let Some(int) = decimal(digits)
    {
        return Ok(FormKind::Int(if negative { -int } else { int }));
    }
    let integer = |radix: u32, digits: &str, forms: &mut Forms| {
        if let Ok(int) = i64::from_str_radix(digits, radix) {
            return Some(FormKind::Int(if negative { -int } else { int }));
        }
        let big = BigInt::parse_bytes(digits.as_bytes(), radix)?;
        let big = if negative { -big } else { big };
        Some(match i64::try_from(&big) {
            Ok(int) => FormKind::Int(int),
            Err(_) => FormKind::Big(forms.add_big(big)),
        })
    };
    let whole = digits.strip_suffix('N').unwrap_or(digits);
    let read = if let Some(hex) = whole.strip_prefix("0x").or_else(|| whole.strip_prefix("0X")) {
        integer(16, hex, forms)
    } else if let Some((radix, digits)) = whole.split_once(['r', 'R']) {
        radix
            .parse()
            .ok()
            .filter(|radix| (2..=36).contains(radix))
            .and_then(|radix| integer(radix, digits, forms))
    } else if whole.len() > 1
        && whole.starts_with('0')
        && whole.bytes().all(|byte| byte.is_ascii_digit())
    {
        integer(8, whole, forms)
    } else if whole.bytes().all(|byte| byte.is_ascii_digit()) {
        integer(10, whole, forms)
    } else if let Ok(("", text)) = float(digits) {
        text.parse::<f64>().ok().map(|float| FormKind::Float(if negative { -float } else { float }))
    } else if let Some((above, below)) = digits.split_once('/') {
        // As `/` computes it: an integer if the division is exact, else a float (D4).
        let digits = |text: &str| {
            let plain = text.bytes().all(|byte| byte.is_ascii_digit());
            BigInt::parse_bytes(text.as_bytes(), 10).filter(|_| plain)
        };
        let above = digits(above).map(|above| if negative { -above } else { above });
        above.zip(digits(below)).and_then(|(above, below)| {
            match num::div(&Value::big(above), &Value::big(below)).ok()? {
                Value::Int(int) => Some(FormKind::Int(int)),
                Value::Float(float) => Some(FormKind::Float(float)),
                Value::Big(big) => Some(FormKind::Big(forms.add_big((*big).clone()))),
                _ => None,
            }
        })
    } else if digits.ends_with('M') {
        return Err(wrong(
            format!("`{token}` is a BigDecimal, and the language has none"),
            token.len(),
            Some("leave the `M` off: numbers with a point are 64-bit floats"),
        ));
    } else {
        None
    };
    match read {
        Some(kind) => Ok(kind),
        None => Err(Wrong {
            class: Some("NumberFormatException"),
            ..wrong(format!("`{token}` is not a number"), token.len(), None)
        }),
    }
}

/// Parses digits too few to overflow; `None` if a character is not a digit.
fn decimal(digits: &str) -> Option<i64> {
    digits.bytes().try_fold(0, |int: i64, byte| {
        byte.is_ascii_digit().then(|| int * 10 + i64::from(byte - b'0'))
    })
}

fn float(text: &str) -> IResult<&str, &str> {
    let exponent = || (one_of("eE"), opt(one_of("+-")), digit1);
    alt((
        recognize((digit1, tag("."), opt(digit1), opt(exponent()))),
        recognize((digit1, exponent())),
    ))
    .parse(text)
}

fn special_float(text: &str) -> Result<(FormKind, usize), Wrong> {
    let mut word = preceded(tag("##"), take_while1::<_, &str, nom::error::Error<&str>>(is_token));
    let float = match word.parse(text) {
        Ok((_, "Inf")) => (f64::INFINITY, 5),
        Ok((_, "-Inf")) => (f64::NEG_INFINITY, 6),
        Ok((_, "NaN")) => (f64::NAN, 5),
        Ok((_, word)) => {
            return Err(wrong(
                format!("`##{word}` is not a number"),
                word.len() + 2,
                Some("write `##Inf`, `##-Inf` or `##NaN`"),
            ));
        }
        Err(_) => {
            return Err(wrong(
                "`##` needs a name".to_owned(),
                2,
                Some("write `##Inf`, `##-Inf` or `##NaN`"),
            ));
        }
    };
    Ok((FormKind::Float(float.0), float.1))
}

fn keyword(token: &str, forms: &mut Forms) -> Result<FormKind, Wrong> {
    let name = &token[1..];
    if let Some(own) = name.strip_prefix(':') {
        let (space, rest) = own.split_once('/').unwrap_or(("user", own));
        if space.is_empty() || rest.is_empty() || own.starts_with(':') || own.ends_with(':') {
            return Err(no_keyword(token));
        }
        return Ok(FormKind::Keyword(forms.intern_own(name)));
    }
    if name.is_empty() || name.ends_with(':') {
        return Err(no_keyword(token));
    }
    Ok(FormKind::Keyword(forms.intern(name)))
}

fn no_keyword(token: &str) -> Wrong {
    let help = "a keyword is a colon and a name, such as `:id`";
    wrong(format!("`{token}` is not a keyword"), token.len(), Some(help))
}

fn symbol(token: &str, forms: &mut Forms) -> Result<FormKind, Wrong> {
    if token.ends_with(':') {
        return Err(wrong(
            format!("`{token}` is not a name"),
            token.len(),
            Some("a keyword starts with its colon, such as `:id`"),
        ));
    }
    // `%` and `%1` are the same parameter of a short function.
    Ok(FormKind::Symbol(forms.intern(if token == "%1" { "%" } else { token })))
}

/// Returns the content of a string without escapes.
fn plain_string(text: &str) -> Option<&str> {
    let body = text.get(1..)?;
    let end = body.bytes().position(|byte| matches!(byte, b'"' | b'\\'))?;
    (body.as_bytes().get(end) == Some(&b'"')).then(|| &body[..end])
}

/// Returns the content of a string with escapes, and its length in the source in bytes.
fn string(text: &str) -> Result<(String, usize), Wrong> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((out, at + 1)),
            '\\' => match escape(&text[at + 1..]) {
                Some((c, length)) => {
                    out.push(c);
                    // The escape is ASCII, so its bytes are characters.
                    for _ in 0..length {
                        chars.next();
                    }
                }
                None => {
                    let rest = end_of_string(text, at);
                    let shown = text[at..].chars().take(2).collect::<String>();
                    return Err(Wrong {
                        code: Code::BadToken,
                        message: format!("`{shown}` is not a string escape"),
                        help: Some("write `\\\\` for a backslash; there are also \\n \\t \\r \\b \\f \\\" and \\u0000".to_owned()),
                        length: rest,
                        shown: rest,
                        class: None,
                    });
                }
            },
            c => out.push(c),
        }
    }
    Err(Wrong {
        code: Code::UnclosedString,
        message: "this string is never closed; the program ends first".to_owned(),
        help: Some("close it with `\"`".to_owned()),
        length: text.len(),
        shown: 1,
        class: None,
    })
}

/// Returns the end of a string with a bad escape, where reading continues.
fn end_of_string(text: &str, from: usize) -> usize {
    let mut escaped = false;
    for (at, c) in text[from..].char_indices() {
        match c {
            '"' if !escaped => return from + at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Returns the character of an escape, and the bytes of the escape after the backslash.
fn escape(rest: &str) -> Option<(char, usize)> {
    let plain = |c| Some((c, 1));
    match rest.as_bytes().first()? {
        b'n' => plain('\n'),
        b't' => plain('\t'),
        b'r' => plain('\r'),
        b'b' => plain('\u{8}'),
        b'f' => plain('\u{c}'),
        b'"' => plain('"'),
        b'\\' => plain('\\'),
        b'u' => {
            let unit = u32::from_str_radix(rest.get(1..5)?, 16).ok()?;
            if let Some(c) = char::from_u32(unit) {
                return Some((c, 5));
            }
            let low = rest.get(5..7).filter(|mark| *mark == "\\u").and(rest.get(7..11))?;
            let low = u32::from_str_radix(low, 16).ok()?;
            let code = 0x1_0000 + (unit.checked_sub(0xd800)? << 10) + low.checked_sub(0xdc00)?;
            char::from_u32(code).map(|c| (c, 11))
        }
        b'0'..=b'7' => {
            let digits =
                rest.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
            let code = u32::from_str_radix(rest.get(..digits)?, 8).ok()?;
            char::from_u32(code).filter(|_| code <= 0o377).map(|c| (c, digits))
        }
        _ => None,
    }
}

/// Reads a regular expression literal. Only `\"` is an escape; all else belongs to the expression.
fn regex(text: &str, forms: &mut Forms) -> Result<(FormKind, usize), Wrong> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(2) {
        match c {
            '"' if !escaped => {
                let text = forms.intern(&text[2..at]);
                return Ok((FormKind::Regex(text), at + 1));
            }
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Err(Wrong {
        code: Code::UnclosedString,
        message: "this regular expression is never closed; the program ends first".to_owned(),
        help: Some("close it with `\"`".to_owned()),
        length: text.len(),
        shown: 2,
        class: None,
    })
}

/// Reads `\a`, `\newline`, `\u0041` as a string of one character (D3).
fn character(text: &str, forms: &mut Forms) -> Result<(FormKind, usize), Wrong> {
    let body = &text[1..];
    let Some(first) = body.chars().next() else {
        return Err(wrong("a backslash at the end of the program".to_owned(), 1, None));
    };
    let more =
        body[first.len_utf8()..].find(|c| !is_token(c)).unwrap_or(body.len() - first.len_utf8());
    let name = &body[..first.len_utf8() + more];
    let length = 1 + name.len();
    let found = match name {
        "newline" => Some('\n'),
        "space" => Some(' '),
        "tab" => Some('\t'),
        "return" => Some('\r'),
        "backspace" => Some('\u{8}'),
        "formfeed" => Some('\u{c}'),
        _ if name.chars().count() == 1 => Some(first),
        _ => match first {
            'u' => u32::from_str_radix(&name[1..], 16).ok().and_then(char::from_u32),
            'o' => u32::from_str_radix(&name[1..], 8).ok().and_then(char::from_u32),
            _ => None,
        },
    };
    match found {
        Some(c) => Ok((FormKind::Str(forms.character(c)), length)),
        None => Err(wrong(
            format!("`\\{name}` is not a character"),
            length,
            Some(
                "a character is a backslash and one character, or `\\newline`, `\\space`, `\\tab`",
            ),
        )),
    }
}
