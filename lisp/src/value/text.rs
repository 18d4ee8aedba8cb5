//! Positions of characters in long texts.
//!
//! Texts are UTF-8, and positions count characters (D3), so finding one is a walk from the front.
//! A program that goes through a text position by position would take a quadratic time; of the long
//! texts that were asked about last it is remembered where their characters are.

use arcstr::ArcStr;

/// Walking through a text up to this long costs no more than looking it up.
const SHORT: usize = 256;

/// How many characters lie between two that are remembered.
const STEP: usize = 64;

/// How many texts are remembered.
const TEXTS: usize = 4;

/// Where the characters of some texts are.
#[derive(Default)]
pub(crate) struct Positions {
    known: Vec<Known>,
    /// Which one is forgotten next.
    next: usize,
}

struct Known {
    text: ArcStr,
    chars: usize,
    /// The byte of every so many characters; none if each is one byte.
    marks: Vec<usize>,
}

impl Positions {
    /// Whether it is remembered where the characters of a text are.
    pub(crate) fn knows(&self, text: &ArcStr) -> bool {
        self.known.iter().any(|known| ArcStr::ptr_eq(&known.text, text))
    }

    /// How many characters a text has.
    pub(crate) fn count(&mut self, text: &ArcStr) -> usize {
        if text.len() <= SHORT { text.chars().count() } else { self.of(text).chars }
    }

    /// The byte where a character starts; the end counts as one more.
    pub(crate) fn byte(&mut self, text: &ArcStr, at: usize) -> Option<usize> {
        if text.len() <= SHORT {
            return walk(text, at);
        }
        let known = self.of(text);
        if known.chars == text.len() {
            return (at <= text.len()).then_some(at);
        }
        let mark = *known.marks.get(at / STEP)?;
        walk(text.get(mark..)?, at % STEP).map(|byte| mark + byte)
    }

    /// How many characters lie before a byte.
    pub(crate) fn before(&mut self, text: &ArcStr, byte: usize) -> usize {
        if text.len() <= SHORT {
            return count(text, 0, byte);
        }
        let known = self.of(text);
        if known.chars == text.len() {
            return byte;
        }
        let mark = known.marks.partition_point(|mark| *mark <= byte).saturating_sub(1);
        mark * STEP + count(text, known.marks.get(mark).copied().unwrap_or(0), byte)
    }

    /// The character at a position.
    pub(crate) fn char(&mut self, text: &ArcStr, at: usize) -> Option<char> {
        let byte = self.byte(text, at)?;
        text.get(byte..)?.chars().next()
    }

    /// Forgets all, which frees the texts that nobody else holds.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }

    fn of(&mut self, text: &ArcStr) -> &Known {
        let same = |known: &Known| ArcStr::ptr_eq(&known.text, text);
        let at = self.known.iter().position(same).unwrap_or_else(|| {
            let known = Known::of(text);
            if self.known.len() < TEXTS {
                self.known.push(known);
                return self.known.len() - 1;
            }
            let at = self.next;
            self.next = (at + 1) % TEXTS;
            self.known[at] = known;
            at
        });
        &self.known[at]
    }
}

impl Known {
    fn of(text: &ArcStr) -> Known {
        if text.is_ascii() {
            return Known { text: text.clone(), chars: text.len(), marks: Vec::new() };
        }
        let mut marks = Vec::with_capacity(text.len() / STEP + 1);
        let mut chars = 0;
        for (byte, _) in text.char_indices() {
            if chars % STEP == 0 {
                marks.push(byte);
            }
            chars += 1;
        }
        if chars % STEP == 0 {
            marks.push(text.len());
        }
        Known { text: text.clone(), chars, marks }
    }
}

fn walk(text: &str, at: usize) -> Option<usize> {
    text.char_indices().map(|(byte, _)| byte).chain([text.len()]).nth(at)
}

fn count(text: &str, from: usize, to: usize) -> usize {
    text.get(from..to).map_or(0, |part| part.chars().count())
}
