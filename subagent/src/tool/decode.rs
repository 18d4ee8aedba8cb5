//! Bytes of commands and servers as text: UTF-8, or the charset that an answer declares.
//!
//! No byte is replaced silently, and bytes that are not text are in no message.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, UTF_8};

/// Decodes bytes by the charset of a header `Content-Type`, which is UTF-8 where none is declared. A byte order mark
/// decides where there is one. The error says what is wrong, and where.
pub(super) fn decoded<'a>(bytes: &'a [u8], content_type: &str) -> Result<Cow<'a, str>, String> {
    let (encoding, start) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (declared(content_type)?, 0),
    };
    let text = bytes.get(start..).unwrap_or_default();
    if encoding == UTF_8 {
        return utf8(text, start).map(Cow::Borrowed);
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length_without_replacement(text.len());
    let mut decoded = String::with_capacity(room.unwrap_or(text.len()));
    match decoder.decode_to_string_without_replacement(text, &mut decoded, true) {
        (DecoderResult::InputEmpty, _) => Ok(Cow::Owned(decoded)),
        (DecoderResult::Malformed(length, after), read) => {
            let at = start + read.saturating_sub(usize::from(length) + usize::from(after));
            Err(format!("it is not {}, at byte {at}", encoding.name()))
        }
        (DecoderResult::OutputFull, _) => Err(format!("it is too long for {}", encoding.name())),
    }
}

/// Reads bytes as UTF-8. `start` is the position of the first one, for the error.
fn utf8(bytes: &[u8], start: usize) -> Result<&str, String> {
    std::str::from_utf8(bytes)
        .map_err(|error| format!("it is not UTF-8, at byte {}", start + error.valid_up_to()))
}

/// Returns the charset of a header.
fn declared(content_type: &str) -> Result<&'static Encoding, String> {
    let parameters = content_type.split(';').skip(1).filter_map(|it| it.split_once('='));
    let mut charsets =
        parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset")).map(|it| it.1);
    let Some(name) = charsets.next() else { return Ok(UTF_8) };
    let name = name.trim().trim_matches('"');
    // The message has not the name: a server may have put a secret there.
    Encoding::for_label(name.as_bytes()).ok_or_else(|| "its charset is unknown".to_string())
}

/// Returns what a program or a server said, for a message. Its start may be cut, and so may its first character. Bytes
/// that are not text are only counted.
pub(super) fn said<'a>(bytes: &'a [u8], content_type: &str) -> Cow<'a, str> {
    let is_whole = |byte: &u8| *byte & 0xc0 != 0x80;
    let start = bytes.iter().position(is_whole).filter(|at| *at <= 3).unwrap_or(0);
    let text = bytes.get(start..).unwrap_or_default();
    match decoded(bytes, content_type).or_else(|_| utf8(text, start).map(Cow::Borrowed)) {
        Ok(text) => text,
        Err(why) => Cow::Owned(format!("{} bytes that cannot be shown: {why}", bytes.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charsets() {
        let check = |bytes: &[u8], content_type: &str, expected: Result<&str, &str>| {
            let found = decoded(bytes, content_type);
            let found = found.as_deref().map_err(String::as_str);
            assert_eq!(found, expected, "{content_type}");
        };
        check("é".as_bytes(), "", Ok("é"));
        check("\u{feff}é".as_bytes(), "text/plain", Ok("é"));
        check(b"caf\xe9", "text/plain; charset=ISO-8859-1", Ok("café"));
        check(b"\x80", "text/plain;charset=\"windows-1252\"", Ok("€"));
        check(b"a\0\xe9\0", "text/plain; a=b; Charset = utf-16le ", Ok("aé"));
        check(b"\xfe\xff\0a", "application/json", Ok("a"));
        check(b"\x93\xfa\x96\x7b", "text/plain; charset=shift_jis", Ok("日本"));
        check(b"caf\xe9", "", Err("it is not UTF-8, at byte 3"));
        check(b"\xef\xbb\xbfa\xff", "", Err("it is not UTF-8, at byte 4"));
        check(b"ab\x93", "text/plain; charset=shift_jis", Err("it is not Shift_JIS, at byte 2"));
        check(b"a\0\x00\xd8", "a/b; charset=utf-16", Err("it is not UTF-16LE, at byte 2"));
        check(b"a", "a/b; charset=klingon", Err("its charset is unknown"));
    }

    #[test]
    fn bytes_that_are_not_text_are_counted() {
        assert_eq!(said("é\u{1b}".as_bytes(), ""), "é\u{1b}");
        assert_eq!(said(&"én".as_bytes()[1..], ""), "n");
        assert_eq!(said(b"caf\xe9", "text/html; charset=latin1"), "café");
        let expected = "4 bytes that cannot be shown: it is not UTF-8, at byte 2";
        assert_eq!(said(b"\0\x01\xff\xfe", ""), expected);
    }
}
