//! The places of a program in the flow file that it was made of.

use std::ops::Range;

/// The beginning of a marked part, the end of its number, and its end. No text has these characters.
const MARKS: [char; 3] = ['\u{FDD0}', '\u{FDD1}', '\u{FDD2}'];

/// The places of parts of a program in a flow file, as bytes. A part may be inside another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places(Vec<(Range<usize>, Range<usize>)>);

impl Places {
    /// Returns the place of the innermost part that has a byte of the program.
    pub(crate) fn of(&self, at: usize) -> Option<Range<usize>> {
        let around = self.0.iter().filter(|(part, _)| part.contains(&at));
        around.min_by_key(|(part, _)| part.len()).map(|(_, place)| place.clone())
    }
}

/// Returns whether a text has a character that marks parts.
pub(super) fn has_marks(text: &str) -> bool {
    text.contains(MARKS)
}

/// Marks a part of a program as made of a part of the file.
pub(super) fn marked(source: &str, place: &Range<usize>) -> String {
    let [begin, numbered, end] = MARKS;
    format!("{begin}{}.{}{numbered}{source}{end}", place.start, place.end)
}

/// Removes the marks of a program, and returns the places that they give.
pub(super) fn unmarked(marked: &str) -> (String, Places) {
    let [begin, numbered, end] = MARKS;
    let (mut program, mut places, mut open) = (String::new(), Vec::new(), Vec::new());
    let mut rest = marked;
    while let Some(at) = rest.find(MARKS) {
        let (before, after) = rest.split_at(at);
        program.push_str(before);
        let mut chars = after.chars();
        let mark = chars.next();
        rest = chars.as_str();
        if mark == Some(begin) {
            if let Some((numbers, after)) = rest.split_once(numbered) {
                let number = |text: &str| text.parse::<usize>().unwrap_or_default();
                let (from, to) = numbers.split_once('.').unwrap_or((numbers, numbers));
                open.push((program.len(), number(from)..number(to)));
                rest = after;
            }
        } else if mark == Some(end)
            && let Some((start, place)) = open.pop()
        {
            places.push((start..program.len(), place));
        }
    }
    program.push_str(rest);
    (program, Places(places))
}
