//! Replaces typographic and invisible characters outside strings and comments.

use super::lexer::{Lexer, Seen, ends_line, is_invisible};

/// Returns the program with plain quotes, dashes and brackets and without invisible characters, and
/// the number of characters changed. Strings, comments and character literals stay unchanged.
pub(super) fn mend(program: &str) -> (String, usize) {
    let mut lexer = Lexer::new();
    let mut text = String::with_capacity(program.len());
    let mut mended = 0;
    for c in program.chars() {
        let plain = match lexer.step(c) {
            Seen::OpenString | Seen::CloseString => Some('"'),
            Seen::Code => mend_code(c),
            Seen::Inside | Seen::Comment => Some(c),
        };
        mended += usize::from(plain != Some(c));
        text.extend(plain);
    }
    (text, mended)
}

fn mend_code(c: char) -> Option<char> {
    Some(match c {
        c if c.is_ascii() => c,
        c if is_invisible(c) => return None,
        c if ends_line(c) => '\n',
        c if c.is_whitespace() => ' ',
        '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}' | '\u{2032}' => '\'',
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        '（' => '(',
        '）' => ')',
        '［' => '[',
        '］' => ']',
        '｛' => '{',
        '｝' => '}',
        c => c,
    })
}
