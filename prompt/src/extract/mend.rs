//! Replaces typographic and invisible characters outside strings and comments.

use super::lexer::{Lexer, Seen};

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

/// Returns whether a character is invisible. It never occurs in a program on purpose.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FE0E}' | '\u{FE0F}' | '\u{FEFF}')
}

fn mend_code(c: char) -> Option<char> {
    Some(match c {
        c if c.is_ascii() => c,
        c if is_invisible(c) => return None,
        '\u{2028}' | '\u{2029}' | '\u{0085}' => '\n',
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
