//! A lexer that only tells code from strings and comments.

use ptc_signatures::shown::is_unsafe;

/// The context of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// Code, except the delimiters of strings.
    Code,
    /// The delimiter that opens a string.
    OpenString,
    /// The inside of a string, or the character of a character literal. Such characters are never
    /// changed.
    Inside,
    /// The delimiter that closes a string.
    CloseString,
    /// A comment, including the end of its line.
    Comment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Code,
    Character,
    String { typographic: bool, escaped: bool },
    Comment,
}

/// The state of the lexer, which reads a program character by character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer {
    state: State,
    /// The number of open brackets. It is negative if more were closed than opened.
    pub(super) depth: i64,
}

impl Lexer {
    pub(super) fn new() -> Self {
        Self { state: State::Code, depth: 0 }
    }

    pub(super) fn step(&mut self, c: char) -> Seen {
        match self.state {
            State::Character => {
                self.state = State::Code;
                Seen::Inside
            }
            State::Comment => {
                if c == '\n' {
                    self.state = State::Code;
                }
                Seen::Comment
            }
            State::String { typographic, escaped } => {
                let closes = c == '"' || (typographic && is_double_quote(c));
                if closes && !escaped {
                    self.state = State::Code;
                    return Seen::CloseString;
                }
                self.state = State::String { typographic, escaped: c == '\\' && !escaped };
                Seen::Inside
            }
            State::Code => self.step_code(c),
        }
    }

    pub(super) fn in_string(&self) -> bool {
        matches!(self.state, State::String { .. })
    }

    pub(super) fn in_comment(&self) -> bool {
        self.state == State::Comment
    }

    fn step_code(&mut self, c: char) -> Seen {
        match c {
            '"' => {
                self.state = State::String { typographic: false, escaped: false };
                return Seen::OpenString;
            }
            c if is_double_quote(c) => {
                self.state = State::String { typographic: true, escaped: false };
                return Seen::OpenString;
            }
            '\\' => self.state = State::Character,
            ';' => {
                self.state = State::Comment;
                return Seen::Comment;
            }
            '(' | '[' | '{' | '（' | '［' | '｛' => self.depth = self.depth.saturating_add(1),
            ')' | ']' | '}' | '）' | '］' | '｝' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Seen::Code
    }
}

/// Returns whether a character is a typographic double quote.
pub(super) fn is_double_quote(c: char) -> bool {
    matches!(c, '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{201F}' | '\u{FF02}' | '\u{2033}')
}

/// Returns whether the whole text is balanced code that starts with a list. The code may have no
/// fence, so that prose in parentheses before a block does not count as a program.
pub(super) fn reads_as_program(text: &str) -> bool {
    let whole = scan(text);
    starts_with_list(text) && whole.balanced && !whole.fence && whole.words <= MAX_WORDS
}

/// Returns whether the text may be a program with unbalanced brackets.
pub(super) fn may_be_program(text: &str) -> bool {
    let whole = scan(text);
    starts_with_list(text) && !whole.fence && whole.words <= MAX_WORDS
}

/// Returns whether there is anything except white space and comments.
pub(super) fn has_code(text: &str) -> bool {
    first_code(text).is_some()
}

/// Returns the text from its first character that is neither white space nor part of a comment.
pub(super) fn first_code(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || is_invisible(c));
        if !rest.starts_with(';') {
            return Some(rest).filter(|rest| !rest.is_empty());
        }
        rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or("");
    }
}

/// The maximum number of bare words at the top level of a program. More words are a sentence.
const MAX_WORDS: usize = 2;

struct Scan {
    balanced: bool,
    fence: bool,
    words: usize,
}

fn scan(text: &str) -> Scan {
    let mut lexer = Lexer::new();
    let (mut below, mut ticks, mut fence, mut words, mut in_word) = (false, 0_u32, false, 0, false);
    for c in text.chars() {
        let seen = lexer.step(c);
        ticks = if seen == Seen::Code && c == '`' { ticks + 1 } else { 0 };
        fence |= ticks >= 3;
        below |= lexer.depth < 0;
        let bracket = matches!(c, ')' | ']' | '}' | '）' | '］' | '｝');
        let word = seen == Seen::Code && lexer.depth == 0 && !c.is_whitespace() && !bracket;
        words += usize::from(word && !in_word);
        in_word = word;
    }
    Scan { balanced: lexer.depth == 0 && !below && !lexer.in_string(), fence, words }
}

fn starts_with_list(text: &str) -> bool {
    first_code(text).is_some_and(|code| code.starts_with(['(', '（']))
}

/// Returns whether a character is invisible. It never occurs in a program on purpose.
pub(super) fn is_invisible(c: char) -> bool {
    // Texts need the joiners and the selectors, and programs do not.
    let is_joiner = matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}');
    is_joiner || (is_unsafe(c) && !c.is_ascii() && !ends_line(c))
}

/// Returns whether a character ends a line in a text, but not in a program.
pub(super) fn ends_line(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{0085}')
}
