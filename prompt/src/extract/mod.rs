//! Finds the one program in a model's reply.
//!
//! A reply should be one fenced `clojure` block. Real replies have prose around it, thinking before
//! it, other blocks beside it, no fence at all, or stop in the middle. An unambiguous reply is
//! accepted, and a [`Note`] reports each part that was ignored. An ambiguous reply is refused.
//!
//! This module reads text, not the language. Admission decides whether a program is valid.

mod blocks;
mod lexer;
mod mend;
mod thinking;
mod wrapping;

use std::borrow::Cow;
use std::fmt;

use blocks::{Block, End, Language};

/// A program found in a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// The source to admit. Its line ends are `\n`; the notes report every other difference from
    /// the reply.
    pub program: String,
    /// The ignored parts and the changes, in the order in which they were found.
    pub notes: Vec<Note>,
}

/// A flaw of a reply that does not prevent the use of its program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Thinking before the program was removed.
    Thinking,
    /// Text outside the block was ignored.
    Prose,
    /// This number of blocks that are not the program were ignored.
    OtherBlocks(usize),
    /// The program's block names no language, or an unknown one.
    Unlabelled,
    /// The program was not in a block.
    Unfenced,
    /// This number of characters outside strings were replaced or removed (typographic quotes,
    /// invisible characters).
    Mended(usize),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thinking => f.write_str("thinking before the program was removed"),
            Self::Prose => f.write_str("text outside the code block was ignored"),
            Self::OtherBlocks(1) => f.write_str("one other code block was ignored"),
            Self::OtherBlocks(n) => write!(f, "{n} other code blocks were ignored"),
            Self::Unlabelled => f.write_str("the code block was not marked `clojure`"),
            Self::Unfenced => f.write_str("the program stood in no code block"),
            Self::Mended(1) => f.write_str("one typographic or invisible character was mended"),
            Self::Mended(n) => write!(f, "{n} typographic or invisible characters were mended"),
        }
    }
}

/// The reason that a reply has no usable program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtractError {
    /// There is text, but no program.
    NoProgram,
    /// The code block is marked as another language.
    OtherLanguage {
        /// The mark, in lower case.
        language: String,
    },
    /// There is more than one program.
    SeveralPrograms {
        /// The number of programs.
        count: usize,
    },
    /// The reply stops in the middle of its program, or of its thinking.
    CutOff,
    /// The reply is empty, or its code block is.
    Empty,
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProgram => f.write_str("the reply has no program"),
            Self::OtherLanguage { language } => {
                write!(f, "the reply's code block is marked `{language}`, not `clojure`")
            }
            Self::SeveralPrograms { count } => write!(f, "the reply has {count} programs, not one"),
            Self::CutOff => f.write_str("the reply stops before its end"),
            Self::Empty => f.write_str("the reply is empty"),
        }
    }
}

impl std::error::Error for ExtractError {}

/// Extracts the program of a reply, in time linear in the reply's length.
///
/// # Errors
///
/// Returns an [`ExtractError`] with the reason if the reply has no usable program.
///
/// ```
/// use ptc_prompt::{ExtractError, Note, extract};
///
/// let found = extract("Here it is:\n```clojure\n(return 1)\n```")?;
/// assert_eq!(found.program, "(return 1)");
/// assert_eq!(found.notes, [Note::Prose]);
/// assert_eq!(extract("```clojure\n(return"), Err(ExtractError::CutOff));
/// # Ok::<(), ExtractError>(())
/// ```
pub fn extract(reply: &str) -> Result<Extracted, ExtractError> {
    let mut notes = Vec::new();
    let thought = thinking::remove(reply);
    if thought.unclosed {
        return Err(ExtractError::CutOff);
    }
    if thought.removed {
        notes.push(Note::Thinking);
    }
    let text = thought.text.replace("\r\n", "\n");
    let text = wrapping::unwrap(&text);
    let whole = trim(&text);
    if whole.is_empty() {
        return Err(ExtractError::Empty);
    }
    let code = blocks::after_language_line(whole).map_or(whole, trim);
    if lexer::reads_as_program(code) {
        notes.push(Note::Unfenced);
        return Ok(finish(code, notes));
    }
    // The first line keeps its indentation, which is removed from the lines of an indented block.
    let page = blocks::read(trim_end(text.trim_start_matches(lexer::is_invisible)));
    let program = choose(&page, &mut notes)?;
    Ok(finish(program, notes))
}

/// Returns a reply without the thinking before its answer.
pub(crate) fn without_thinking(reply: &str) -> Cow<'_, str> {
    thinking::remove(reply).text
}

/// Selects the block of the program. Without such a block, selects the text outside blocks.
fn choose<'a>(page: &'a blocks::Page, notes: &mut Vec<Note>) -> Result<&'a str, ExtractError> {
    let named =
        |b: &&Block| b.language == Language::Program && (b.end == End::Missing || !b.is_empty());
    let unlabelled = |b: &&Block| b.language != Language::Program && b.looks_like_program();
    let mut found: Vec<&Block> = page.blocks.iter().filter(named).collect();
    if found.is_empty() {
        found = page.blocks.iter().filter(unlabelled).collect();
        if !found.is_empty() {
            notes.push(Note::Unlabelled);
        }
    }
    match found.as_slice() {
        [block] if block.end == End::Missing => Err(ExtractError::CutOff),
        [block] => {
            let others = page.blocks.iter().filter(|b| !b.is_empty()).count().saturating_sub(1);
            if others > 0 {
                notes.push(Note::OtherBlocks(others));
            }
            if !trim(&page.prose).is_empty() {
                notes.push(Note::Prose);
            }
            let unnamed = block.language == Language::Unnamed;
            let named = if unnamed { blocks::after_language_line(&block.text) } else { None };
            Ok(trim_blank_lines(named.unwrap_or(&block.text)))
        }
        [] => without_block(page, notes),
        several => Err(ExtractError::SeveralPrograms { count: several.len() }),
    }
}

fn without_block<'a>(
    page: &'a blocks::Page,
    notes: &mut Vec<Note>,
) -> Result<&'a str, ExtractError> {
    let prose = trim(&page.prose);
    // If a server dropped the opening fence, the closing one looks like an unclosed block.
    let stray = |b: &Block| b.end == End::Missing && b.language == Language::Unnamed;
    if page.blocks.iter().all(|b| b.is_empty() || stray(b)) && lexer::may_be_program(prose) {
        notes.push(Note::Unfenced);
        return Ok(prose);
    }
    // A whole reply in single backticks: `(return 1)`.
    let inline = prose.strip_prefix('`').and_then(|p| p.strip_suffix('`')).map(str::trim);
    if let Some(code) = inline.filter(|code| lexer::reads_as_program(code)) {
        notes.push(Note::Unfenced);
        return Ok(code);
    }
    if page.blocks.iter().any(|b| b.language == Language::Program) {
        return Err(ExtractError::Empty);
    }
    let other = page.blocks.iter().find_map(|b| match &b.language {
        Language::Other(language) | Language::Unknown(language) if !b.is_empty() => Some(language),
        _ => None,
    });
    Err(match other {
        Some(language) => ExtractError::OtherLanguage { language: language.clone() },
        None if prose.is_empty() && page.blocks.iter().all(Block::is_empty) => ExtractError::Empty,
        None => ExtractError::NoProgram,
    })
}

fn finish(program: &str, mut notes: Vec<Note>) -> Extracted {
    let (program, mended) = mend::mend(program);
    if mended > 0 {
        notes.push(Note::Mended(mended));
    }
    Extracted { program, notes }
}

/// Trims white space, invisible characters, and the end marks that some servers leave in a reply.
fn trim(text: &str) -> &str {
    trim_end(text).trim_start_matches(is_blank)
}

fn trim_end(text: &str) -> &str {
    let mut text = text.trim_end_matches(is_blank);
    while let Some(rest) = END_MARKS.iter().find_map(|mark| text.strip_suffix(mark)) {
        text = rest.trim_end_matches(is_blank);
    }
    text
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || lexer::is_invisible(c)
}

const END_MARKS: [&str; 5] = ["<|im_end|>", "<|eot_id|>", "<|end|>", "<|endoftext|>", "</s>"];

/// Drops blank lines at both ends, but keeps the indentation of the first line.
fn trim_blank_lines(text: &str) -> &str {
    let text = text.trim_end();
    let first = text.find(|c: char| !c.is_whitespace()).unwrap_or(0);
    let start = text.get(..first).and_then(|blank| blank.rfind('\n')).map_or(0, |i| i + 1);
    text.get(start..).unwrap_or(text)
}
