//! Searches for one change of delimiters that completes a text and fits its indentation.
//!
//! A text is split into parts: a line, and the following lines that begin with a closing delimiter. At the start of a
//! part, the indentation shows the forms that have ended and the form that the line belongs to. So a part must be
//! repaired within itself, and few changes remain. The search tries changes part by part, for all readings that fit so
//! far.

use std::ops::Range;

use ptc_reader::{Class, Kind, Token};

/// The maximum number of tokens that the search of one text visits.
const MAX_STEPS: usize = 6_000_000;
/// The maximum number of candidates; with more, nothing is certain.
const MAX_CANDIDATES: usize = 64;
/// The maximum number of readings at a time.
const MAX_READINGS: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// Inserts an opening delimiter before the token.
    Open(Class),
    /// Inserts closing delimiters directly after the previous token.
    Close(Vec<Class>),
    /// Removes the token.
    Delete,
    /// Changes the class of the token.
    Replace(Class),
}

/// A change at a token, by its index; one past the last is the end of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: usize,
    pub(super) what: What,
}

/// An open form.
#[derive(Debug, Clone, Copy)]
struct Frame {
    class: Class,
    /// The line where it begins.
    row: u32,
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
    edit: Option<Edit>,
}

pub(super) struct Search<'a> {
    tokens: &'a [Token],
    parts: Vec<Range<usize>>,
    /// The column of top-level forms.
    base: i64,
}

impl<'a> Search<'a> {
    pub(super) fn new(tokens: &'a [Token]) -> Search<'a> {
        let mut starts: Vec<usize> = tokens
            .iter()
            .enumerate()
            .filter(|(at, token)| *at == 0 || begins_part(token))
            .map(|(at, _)| at)
            .collect();
        starts.push(tokens.len());
        let parts = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
        let base = tokens.first().map_or(1, |token| i64::from(token.column));
        Search { tokens, parts, base }
    }

    /// Returns whether there are several lines, so that the indentation is evidence.
    pub(super) fn has_lines(&self) -> bool {
        self.parts.len() > 1
    }

    /// Returns the changes of one delimiter that complete the text and fit the indentation, one for each resulting
    /// text. `None` means that the search exceeds a limit.
    pub(super) fn candidates(&self) -> Option<Vec<Edit>> {
        let mut steps = MAX_STEPS;
        let mut readings = vec![Reading::default()];
        for part in &self.parts {
            let mut next = Vec::new();
            for reading in &readings {
                self.read_part(part, reading, &mut next, &mut steps)?;
            }
            if part.end == self.tokens.len() {
                next.retain(|reading| reading.open.is_empty());
            }
            if next.len() > MAX_READINGS {
                return None;
            }
            readings = next;
        }
        let mut found: Vec<(Vec<u32>, Edit)> = Vec::new();
        for edit in readings.into_iter().filter_map(|reading| reading.edit) {
            let reads = self.token_sequence(&edit);
            steps = steps.checked_sub(reads.len())?;
            // Of equivalent places the last one comes first and is reported: the end of a line rather than its middle.
            if !found.iter().any(|(other, _)| *other == reads) {
                found.push((reads, edit));
            }
            if found.len() > MAX_CANDIDATES {
                return None;
            }
        }
        Some(found.into_iter().map(|(_, edit)| edit).collect())
    }

    /// Returns the change that closes all open forms at the end of the text, or before a form at the margin, if that
    /// is all that the text misses.
    pub(super) fn missing_ends(&self) -> Option<Edit> {
        let mut open: Vec<Frame> = Vec::new();
        let mut edit = None;
        let starts = self.parts.iter().map(|part| part.start).skip(1).chain([self.tokens.len()]);
        for (part, end) in self.parts.iter().zip(starts) {
            open = self.read(part, &open, None, &mut Vec::new()).0?;
            let at_margin = self.tokens.get(end).is_none_or(|it| i64::from(it.column) == self.base);
            if at_margin && let (Some(outer), Some(inner)) = (open.first(), open.last()) {
                // Forms of one line are no evidence: their text may be missing, too.
                if outer.row == inner.row || edit.is_some() {
                    return None;
                }
                let classes = open.drain(..).rev().map(|it| it.class).collect();
                edit = Some(Edit { at: end, what: What::Close(classes) });
            }
        }
        edit
    }

    /// Adds every reading of a part with at most one change of the text.
    fn read_part(
        &self,
        part: &Range<usize>,
        before: &Reading,
        next: &mut Vec<Reading>,
        steps: &mut usize,
    ) -> Option<()> {
        let mut tops = Vec::new();
        let mut read = |edit: Option<&Edit>, tops: &mut Vec<_>| {
            *steps = steps.checked_sub(part.len() + before.open.len() + 1)?;
            let (open, end) = self.read(part, &before.open, edit, tops);
            let edit = edit.or(before.edit.as_ref()).cloned();
            next.extend(open.map(|open| Reading { open, edit }));
            Some(end)
        };
        let end = read(None, &mut tops)?;
        if before.edit.is_none() {
            for edit in self.changes(part, end, &tops).iter().rev() {
                read(Some(edit), &mut Vec::new())?;
            }
        }
        Some(())
    }

    /// Returns the changes of a part up to the place where reading failed. Later changes cannot help.
    fn changes(&self, part: &Range<usize>, end: usize, tops: &[Option<Class>]) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut add = |at, what| edits.push(Edit { at, what });
        for at in part.start..=end.min(part.end) {
            if at > part.start
                && let Some(Some(class)) = tops.get(at - part.start)
            {
                add(at, What::Close(vec![*class]));
            }
            let Some(token) = self.tokens.get(at).filter(|_| at < part.end) else { continue };
            let is_plain = token.end - token.start == 1;
            if matches!(token.kind, Kind::Close(_) | Kind::Open(_)) && is_plain {
                add(at, What::Delete);
            }
            for class in Class::ALL {
                // Before a closing delimiter, only its opening one is tried.
                if !matches!(token.kind, Kind::Close(closes) if closes != class) {
                    add(at, What::Open(class));
                }
            }
            if let Kind::Open(class) | Kind::Close(class) = token.kind {
                let others = Class::ALL.into_iter().filter(|other| *other != class);
                // `#[` does not exist.
                let others = others.filter(|other| is_plain || *other != Class::Bracket);
                others.for_each(|other| add(at, What::Replace(other)));
            }
        }
        edits
    }

    /// Reads a part with a change. Returns the open forms if it fits, and the place where it ended. Fills `tops` with
    /// the innermost open form before each token.
    fn read(
        &self,
        part: &Range<usize>,
        before: &[Frame],
        edit: Option<&Edit>,
        tops: &mut Vec<Option<Class>>,
    ) -> (Option<Vec<Frame>>, usize) {
        let mut open = before.to_vec();
        let (mut shift, mut line) = (0_i64, 0);
        // A form after a prefix belongs to the part that the prefix began.
        let mut prefixed = false;
        for at in part.start..=part.end {
            let token = self.tokens.get(at).filter(|_| at < part.end);
            if token.is_some_and(|token| token.line != line) {
                shift = 0;
                line = token.map_or(0, |token| token.line);
            }
            let what = edit.filter(|edit| edit.at == at).map(|edit| &edit.what);
            let mut replaced = None;
            // A closing delimiter directly follows the previous token; an opening one directly precedes this token.
            match what {
                Some(What::Close(classes)) => {
                    for class in classes {
                        if prefixed || open.pop().is_none_or(|top| top.class != *class) {
                            return (None, at);
                        }
                        shift += i64::from(token.is_some_and(|token| !token.first));
                    }
                }
                Some(What::Open(class)) => {
                    let Some(token) = token else { return (None, at) };
                    let column = i64::from(token.column) + shift;
                    if !self.fits_layout(&mut open, column, token.first, prefixed) {
                        return (None, at);
                    }
                    prefixed = false;
                    open.push(frame(*class, token.line, column, 1));
                    shift += 1;
                }
                Some(What::Replace(class)) => replaced = Some(*class),
                Some(What::Delete) | None => {}
            }
            tops.push(open.last().map(|top| top.class).filter(|_| !prefixed));
            let Some(token) = token else { break };
            let length = (token.end - token.start) as i64;
            if what == Some(&What::Delete) {
                shift -= length;
                continue;
            }
            let column = i64::from(token.column) + shift;
            let first = token.first && !matches!(what, Some(What::Open(_)));
            if let Kind::Close(class) = token.kind {
                let class = replaced.unwrap_or(class);
                if prefixed || open.pop().is_none_or(|top| top.class != class) {
                    return (None, at);
                }
                continue;
            }
            if !self.fits_layout(&mut open, column, first, prefixed) {
                return (None, at);
            }
            prefixed = token.kind == Kind::Prefix;
            if let Kind::Open(class) = token.kind {
                open.push(frame(replaced.unwrap_or(class), token.line, column, length));
            }
        }
        (Some(open), part.end)
    }

    /// Records that the innermost open form has a part at a column. Returns false if a line beginning with that part
    /// does not fit the indentation: it begins below another part of that form, or one or two columns inside it.
    fn fits_layout(
        &self,
        open: &mut [Frame],
        column: i64,
        first_of_line: bool,
        prefixed: bool,
    ) -> bool {
        let Some(top) = open.last_mut() else {
            return !first_of_line || column == self.base;
        };
        if prefixed {
            return true;
        }
        if first_of_line {
            let list = top.class == Class::Paren;
            let fits = [top.first, top.line, top.inside].contains(&column)
                || (list && (top.second == column || column == top.inside + 1));
            if column <= top.column || !fits {
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
    fn token_sequence(&self, edit: &Edit) -> Vec<u32> {
        let class = |class: Class| class as u32;
        let mut out = Vec::with_capacity(self.tokens.len() + 1);
        for at in 0..=self.tokens.len() {
            let token = self.tokens.get(at);
            let mut kind = token.map(|token| token.kind);
            if edit.at == at {
                match (&edit.what, kind) {
                    (What::Open(it), _) => out.push(class(*it)),
                    (What::Close(all), _) => out.extend(all.iter().map(|it| 3 + class(*it))),
                    (What::Delete, _) => kind = None,
                    (What::Replace(it), Some(Kind::Open(_))) => kind = Some(Kind::Open(*it)),
                    (What::Replace(it), _) => kind = Some(Kind::Close(*it)),
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

fn frame(class: Class, row: u32, column: i64, length: i64) -> Frame {
    Frame { class, row, column, inside: column + length, first: 0, second: 0, line: 0 }
}
