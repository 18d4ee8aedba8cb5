//! Character indexes of long texts.
//!
//! Texts are UTF-8 and positions count characters (D3), so finding one is a walk from the front. A
//! program that visits a text position by position would take quadratic time. So character indexes
//! are cached for the long texts used last.

use arcstr::ArcStr;

/// Bytes of a text or integer that cost a builtin one unit of fuel; shorter ones are free.
pub const CHARGE_BYTES: u64 = 256;

/// The length in bytes up to which walking through a text costs no more than an index lookup.
const SHORT: usize = 256;

/// The number of characters between two cached positions.
const STEP: usize = 64;

/// The maximum number of cached texts.
const TEXTS: usize = 4;

/// The cached character indexes.
#[derive(Default)]
pub struct Positions {
    known: Vec<Known>,
    /// The entry to replace next.
    next: usize,
}

struct Known {
    text: ArcStr,
    chars: usize,
    /// The byte offset of every `STEP`th character; empty if each character is one byte.
    marks: Vec<usize>,
}

impl Positions {
    /// Returns whether the index of a text is cached.
    pub fn knows(&self, text: &ArcStr) -> bool {
        self.known.iter().any(|known| ArcStr::ptr_eq(&known.text, text))
    }

    /// Returns the number of characters of a text.
    pub fn count(&mut self, text: &ArcStr) -> usize {
        if text.len() <= SHORT { text.chars().count() } else { self.of(text).chars }
    }

    /// Returns the byte where a character starts; the end is a valid position.
    pub fn byte(&mut self, text: &ArcStr, at: usize) -> Option<usize> {
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

    /// Returns the number of characters before a byte.
    pub fn before(&mut self, text: &ArcStr, byte: usize) -> usize {
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

    pub fn char(&mut self, text: &ArcStr, at: usize) -> Option<char> {
        let byte = self.byte(text, at)?;
        text.get(byte..)?.chars().next()
    }

    /// Removes all entries, which frees unshared texts.
    pub fn clear(&mut self) {
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
/// Returns the name of a keyword or symbol without its namespace.
pub fn own_name(text: &str) -> &str {
    let name = text.rsplit_once('/').map_or(text, |(_, name)| name);
    if name.is_empty() { text } else { name }
}

/// Returns whether two texts are equal. Most texts are short, so this compares them in place.
#[inline]
pub fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    match (a.split_first_chunk::<8>(), b.split_first_chunk::<8>()) {
        // The two parts overlap.
        (Some((start, _)), Some((other, _))) if a.len() <= 16 => {
            start == other && a.last_chunk::<8>() == b.last_chunk::<8>()
        }
        (Some((start, rest)), Some((other, more))) => start == other && rest == more,
        _ => match (a.first_chunk::<4>(), b.first_chunk::<4>()) {
            (Some(start), Some(other)) => {
                start == other && a.last_chunk::<4>() == b.last_chunk::<4>()
            }
            _ => a.iter().eq(b),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::same_text;

    #[test]
    fn texts_are_equal_if_all_bytes_are() {
        let text = "abcdefghijklmnopqrstuvwxyz";
        for length in 0..=text.len() {
            let text = &text[..length];
            let copy: String = text.chars().collect();
            assert!(same_text(text, &copy), "{text}");
            assert!(!same_text(text, &format!("{text}a")), "{text}");
            for at in 0..length {
                let other = format!("{}-{}", &text[..at], &text[at + 1..]);
                assert!(!same_text(text, &other), "{text} {other}");
            }
        }
    }
}
