//! Searches for changes of delimiters that complete a text and fit its indentation.
//!
//! A text is split into parts: a line, and the following lines that begin with a closing delimiter. At the start of a
//! part, the indentation shows the forms that have ended and the form that the line belongs to. So a part must be
//! repaired within itself, and few changes remain. The search tries changes part by part, for all readings that fit so
//! far.

use std::ops::Range;

use crate::reader::{Class, Kind, Token};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Inserts a delimiter before the token; a closing one directly after the previous token.
    Open(Class),
    Close(Class),
    /// Removes the token.
    Delete,
    /// Changes the class of the token.
    Replace(Class),
}

/// A change at a token, by its index; one past the last is the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: usize,
    pub(super) what: What,
}

/// The strictness of the indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A line begins to the right of the form that it belongs to.
    Inside,
    /// In addition, the line begins below another part of that form, or one or two columns inside it.
    Aligned,
}

/// An open form.
#[derive(Debug, Clone, Copy)]
struct Frame {
    class: Class,
    column: i64,
    /// The column of its content.
    inside: i64,
    /// The columns of its first two parts, and of the last part that begins a line; 0 for none.
    first: i64,
    second: i64,
    line: i64,
}

/// A reading of the text so far.
#[derive(Debug, Clone, Default)]
struct Reading {
    open: Vec<Frame>,
    edits: Vec<Edit>,
}

/// The remaining effort of a search.
#[derive(Debug)]
pub(super) struct Effort {
    /// The number of tokens that may still be visited.
    pub(super) steps: usize,
    /// The maximum number of candidates; with more, nothing is certain.
    pub(super) candidates: usize,
}

/// The error of a search that exceeds its effort.
#[derive(Debug)]
pub(super) struct EffortExceeded;

/// The maximum number of readings at a time.
const MAX_READINGS: usize = 400;

pub(super) struct Search<'a> {
    tokens: &'a [Token],
    layout: Layout,
    parts: Vec<Range<usize>>,
    /// The column of top-level forms.
    base: i64,
}

impl<'a> Search<'a> {
    pub(super) fn new(tokens: &'a [Token], layout: Layout) -> Search<'a> {
        let mut starts: Vec<usize> = tokens
            .iter()
            .enumerate()
            .filter(|(at, token)| *at == 0 || begins_part(token))
            .map(|(at, _)| at)
            .collect();
        starts.push(tokens.len());
        let parts = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
        let base = tokens.first().map_or(1, |token| i64::from(token.column));
        Search { tokens, layout, parts, base }
    }

    /// Returns whether there are several lines, so that the indentation is evidence.
    pub(super) fn has_lines(&self) -> bool {
        self.parts.len() > 1
    }

    /// Returns all sets of exactly `count` changes that complete the text and fit the indentation, one for each
    /// resulting reading.
    pub(super) fn candidates(
        &self,
        count: usize,
        effort: &mut Effort,
    ) -> Result<Vec<Vec<Edit>>, EffortExceeded> {
        let mut readings = vec![Reading::default()];
        for (number, part) in self.parts.iter().enumerate() {
            let is_last = number + 1 == self.parts.len();
            let mut next = Vec::new();
            for reading in &readings {
                self.read_part(part, reading, count, &mut next, effort)?;
            }
            if is_last {
                next.retain(|reading| reading.open.is_empty() && reading.edits.len() == count);
            }
            if next.len() > MAX_READINGS {
                return Err(EffortExceeded);
            }
            readings = next;
        }
        let mut found: Vec<(Vec<u32>, Vec<Edit>)> = Vec::new();
        for Reading { edits, .. } in readings {
            let reads = self.token_sequence(&edits);
            effort.steps = effort.steps.checked_sub(reads.len()).ok_or(EffortExceeded)?;
            // Of equivalent places the last one comes first and is reported: the end of a line rather than its middle.
            if !found.iter().any(|(other, _)| *other == reads) {
                found.push((reads, edits));
            }
            if found.len() > effort.candidates {
                return Err(EffortExceeded);
            }
        }
        Ok(found.into_iter().map(|(_, edits)| edits).collect())
    }

    /// Adds every reading of a part that the remaining changes allow.
    fn read_part(
        &self,
        part: &Range<usize>,
        before: &Reading,
        count: usize,
        next: &mut Vec<Reading>,
        effort: &mut Effort,
    ) -> Result<(), EffortExceeded> {
        let left = count.saturating_sub(before.edits.len());
        let mut sets: Vec<Vec<Edit>> = vec![Vec::new()];
        let mut tops = Vec::new();
        while let Some(edits) = sets.pop() {
            let cost = part.len() + before.open.len() + 1;
            effort.steps = effort.steps.checked_sub(cost).ok_or(EffortExceeded)?;
            let (reading, end) = self.read(part, before, &edits, &mut tops);
            if edits.len() < left {
                let from = sets.len();
                self.extend_sets(part, &edits, end, &tops, &mut sets);
                if count > 2 {
                    // Three changes are tried only as insertions of closing delimiters; other sets are too many.
                    let mut kept = sets.split_off(from);
                    let closes = |set: &Vec<Edit>| {
                        set.iter().all(|edit| matches!(edit.what, What::Close(_)))
                    };
                    kept.retain(closes);
                    sets.append(&mut kept);
                }
            }
            if let Some(mut reading) = reading {
                reading.edits.extend(edits);
                next.push(reading);
            }
        }
        Ok(())
    }

    /// Adds the sets with one more change, up to the place where reading failed. Later changes cannot help.
    fn extend_sets(
        &self,
        part: &Range<usize>,
        edits: &[Edit],
        end: usize,
        tops: &[Option<Class>],
        sets: &mut Vec<Vec<Edit>>,
    ) {
        let mut add = |at, what| {
            let mut set = edits.to_vec();
            set.push(Edit { at, what });
            sets.push(set);
        };
        // Several changes in one part are one kind of slip: missing or superfluous closing delimiters.
        let from = edits.last().map_or(part.start, |last| last.at);
        let (closing, deleting) = match edits.last().map(|last| last.what) {
            None => (true, true),
            Some(What::Close(_)) => (true, false),
            Some(What::Delete) => (false, true),
            Some(_) => (false, false),
        };
        let several = !edits.is_empty();
        if several
            && !edits.iter().all(|edit| match edit.what {
                What::Close(_) => true,
                What::Delete => matches!(self.tokens[edit.at].kind, Kind::Close(_)),
                _ => false,
            })
        {
            return;
        }
        for at in from..=end.min(part.end) {
            if closing
                && at > part.start
                && let Some(Some(class)) = tops.get(at - part.start)
            {
                add(at, What::Close(*class));
            }
            let Some(token) = self.tokens.get(at).filter(|_| at < part.end) else { continue };
            let is_plain = token.end - token.start == 1;
            match token.kind {
                Kind::Close(_) if deleting && (!several || at > from) => add(at, What::Delete),
                Kind::Open(_) if !several && is_plain => add(at, What::Delete),
                _ => {}
            }
            if several {
                continue;
            }
            for class in Class::ALL {
                // Before a closing delimiter, only its opening one is tried.
                if matches!(token.kind, Kind::Close(closes) if closes != class) {
                    continue;
                }
                add(at, What::Open(class));
            }
            if let Kind::Open(class) | Kind::Close(class) = token.kind {
                let others = Class::ALL.into_iter().filter(|other| *other != class);
                // `#[` does not exist.
                let others = others.filter(|other| is_plain || *other != Class::Bracket);
                for other in others {
                    add(at, What::Replace(other));
                }
            }
        }
    }

    /// Reads a part with changes. Returns the reading if it fits, and the place where it ended. Fills `tops` with the
    /// innermost open form before each token.
    fn read(
        &self,
        part: &Range<usize>,
        before: &Reading,
        edits: &[Edit],
        tops: &mut Vec<Option<Class>>,
    ) -> (Option<Reading>, usize) {
        let mut reading = before.clone();
        let (mut shift, mut line) = (0_i64, 0);
        let mut edits = edits.iter().peekable();
        // A form after a prefix belongs to the part that the prefix began.
        let mut prefixed = false;
        tops.clear();
        for at in part.start..=part.end {
            let token = self.tokens.get(at).filter(|_| at < part.end);
            if token.is_some_and(|token| token.line != line) {
                shift = 0;
                line = token.map_or(0, |token| token.line);
            }
            let mut deleted = false;
            let mut replaced = None;
            // A closing delimiter directly follows the previous token; an opening one directly precedes this token.
            let mut opened_here = false;
            while let Some(edit) = edits.next_if(|edit| edit.at == at) {
                match edit.what {
                    What::Close(class) => {
                        let fits = reading.open.pop().is_some_and(|top| top.class == class);
                        if !fits || prefixed {
                            tops.push(None);
                            return (None, at);
                        }
                        shift += i64::from(token.is_some_and(|token| !token.first));
                    }
                    What::Open(class) => {
                        let Some(token) = token else { return (None, at) };
                        let column = i64::from(token.column) + shift;
                        if !self.fits_layout(&mut reading, column, token.first, prefixed) {
                            return (None, at);
                        }
                        prefixed = false;
                        reading.open.push(frame(class, column, 1));
                        shift += 1;
                        opened_here = true;
                    }
                    What::Delete => deleted = true,
                    What::Replace(class) => replaced = Some(class),
                }
            }
            tops.push(reading.open.last().map(|top| top.class).filter(|_| !prefixed));
            let Some(token) = token else { break };
            let length = (token.end - token.start) as i64;
            if deleted {
                shift -= length;
                continue;
            }
            let column = i64::from(token.column) + shift;
            let first = token.first && !opened_here;
            match token.kind {
                Kind::Close(class) => {
                    let class = replaced.unwrap_or(class);
                    if prefixed || reading.open.pop().is_none_or(|top| top.class != class) {
                        return (None, at);
                    }
                }
                Kind::Open(class) => {
                    if !self.fits_layout(&mut reading, column, first, prefixed) {
                        return (None, at);
                    }
                    prefixed = false;
                    reading.open.push(frame(replaced.unwrap_or(class), column, length));
                }
                Kind::Atom | Kind::Prefix => {
                    if !self.fits_layout(&mut reading, column, first, prefixed) {
                        return (None, at);
                    }
                    prefixed = token.kind == Kind::Prefix;
                }
            }
        }
        (Some(reading), part.end)
    }

    /// Records that the innermost open form has a part at a column. Returns false if a line beginning with that part
    /// does not fit the indentation.
    fn fits_layout(
        &self,
        reading: &mut Reading,
        column: i64,
        first_of_line: bool,
        prefixed: bool,
    ) -> bool {
        let aligned = self.layout == Layout::Aligned;
        let Some(top) = reading.open.last_mut() else {
            return !first_of_line || !aligned || column == self.base;
        };
        if prefixed {
            return true;
        }
        if first_of_line {
            if column <= top.column {
                return false;
            }
            let list = top.class == Class::Paren;
            let fits = [top.first, top.line].contains(&column)
                || (list && (top.second == column || column == top.inside + 1))
                || (column == top.inside);
            if aligned && !fits {
                return false;
            }
            top.line = column;
        }
        if top.first == 0 {
            top.first = column;
        } else if top.second == 0 {
            top.second = column;
        }
        true
    }

    /// Returns the changed text as a sequence of token numbers.
    fn token_sequence(&self, edits: &[Edit]) -> Vec<u32> {
        let class = |class: Class| class as u32;
        let mut out = Vec::with_capacity(self.tokens.len() + edits.len());
        let mut edits = edits.iter().peekable();
        for at in 0..=self.tokens.len() {
            let token = self.tokens.get(at);
            let mut kind = token.map(|token| token.kind);
            while let Some(edit) = edits.next_if(|edit| edit.at == at) {
                match (edit.what, kind) {
                    (What::Open(it), _) => out.push(class(it)),
                    (What::Close(it), _) => out.push(3 + class(it)),
                    (What::Delete, _) => kind = None,
                    (What::Replace(it), Some(Kind::Open(_))) => kind = Some(Kind::Open(it)),
                    (What::Replace(it), _) => kind = Some(Kind::Close(it)),
                }
            }
            let long = token.is_some_and(|token| token.end - token.start == 2);
            out.extend(kind.map(|kind| match kind {
                Kind::Open(it) => class(it) + if long { 6 } else { 0 },
                Kind::Close(it) => 3 + class(it),
                Kind::Atom | Kind::Prefix => 16 + at as u32,
            }));
        }
        out
    }
}

fn begins_part(token: &Token) -> bool {
    token.first && !matches!(token.kind, Kind::Close(_))
}

fn frame(class: Class, column: i64, length: i64) -> Frame {
    Frame { class, column, inside: column + length, first: 0, second: 0, line: 0 }
}
