//! Looking for the changes of delimiters that make a text whole and fit its indentation.
//!
//! A text is taken as parts: a line and the lines after it that begin with a closing delimiter. At
//! the beginning of every part the indentation says which forms are over and which one the line
//! belongs to; so what is wrong in a part must be changed in that part, and few changes are left
//! over. Changes are tried part by part, with all of the readings that fitted so far.

use std::ops::Range;

use crate::reader::{Class, Kind, Token};

/// What is done to a delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Put in before the token; behind the one before it, when it closes.
    Open(Class),
    Close(Class),
    /// The token is left out.
    Delete,
    /// The token becomes one of another class.
    Replace(Class),
}

/// A change at a token, by its place; one past the last is the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: usize,
    pub(super) what: What,
}

/// How much the indentation has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A line begins right of the form that it belongs to.
    Inside,
    /// And where such a line is written: below another part of that form, or one or two columns
    /// inside of it.
    Aligned,
}

/// A form that is open.
#[derive(Debug, Clone, Copy)]
struct Frame {
    class: Class,
    column: i64,
    /// Where its inside begins.
    inside: i64,
    /// The columns of its first two parts and of the last that a line begins with; 0 for none.
    first: i64,
    second: i64,
    line: i64,
}

/// A way to read the text so far.
#[derive(Debug, Clone, Default)]
struct Reading {
    open: Vec<Frame>,
    edits: Vec<Edit>,
}

/// What may be spent on a search.
#[derive(Debug)]
pub(super) struct Effort {
    /// Tokens that may still be looked at.
    pub(super) steps: usize,
    /// The most candidates; with more of them nothing is certain anyway.
    pub(super) candidates: usize,
}

/// There is too much to try.
#[derive(Debug)]
pub(super) struct TooMuch;

/// Readings that are kept at the same time.
const MAX_READINGS: usize = 400;

pub(super) struct Search<'a> {
    tokens: &'a [Token],
    layout: Layout,
    parts: Vec<Range<usize>>,
    /// The column at which the forms at the top begin.
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

    /// Whether there is more than one line, so that the indentation says something.
    pub(super) fn has_lines(&self) -> bool {
        self.parts.len() > 1
    }

    /// All sets of exactly so many changes that make the text whole and fit the indentation, one for
    /// each way in which it then reads.
    pub(super) fn candidates(
        &self,
        count: usize,
        effort: &mut Effort,
    ) -> Result<Vec<Vec<Edit>>, TooMuch> {
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
                return Err(TooMuch);
            }
            readings = next;
        }
        let mut found: Vec<(Vec<u32>, Vec<Edit>)> = Vec::new();
        for Reading { edits, .. } in readings {
            let reads = self.reads_as(&edits);
            effort.steps = effort.steps.checked_sub(reads.len()).ok_or(TooMuch)?;
            // Of equal places the last one comes first, and is told: the end of a line rather than
            // its middle.
            if !found.iter().any(|(other, _)| *other == reads) {
                found.push((reads, edits));
            }
            if found.len() > effort.candidates {
                return Err(TooMuch);
            }
        }
        Ok(found.into_iter().map(|(_, edits)| edits).collect())
    }

    /// Reads a part in every way that the changes left over allow.
    fn read_part(
        &self,
        part: &Range<usize>,
        before: &Reading,
        count: usize,
        next: &mut Vec<Reading>,
        effort: &mut Effort,
    ) -> Result<(), TooMuch> {
        let left = count.saturating_sub(before.edits.len());
        let mut sets: Vec<Vec<Edit>> = vec![Vec::new()];
        let mut tops = Vec::new();
        while let Some(edits) = sets.pop() {
            let cost = part.len() + before.open.len() + 1;
            effort.steps = effort.steps.checked_sub(cost).ok_or(TooMuch)?;
            let (reading, end) = self.read(part, before, &edits, &mut tops);
            if edits.len() < left {
                let from = sets.len();
                self.more(part, &edits, end, &tops, &mut sets);
                if count > 2 {
                    // Three are looked for only where three are missing: others are too many to try.
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

    /// The sets of changes with one more. Past the place where reading failed nothing helps.
    fn more(
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
        // Several changes in one part are the same kind of slip: delimiters that close, left out or
        // written too often.
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
                // Before what closes, only the other half of it.
                if matches!(token.kind, Kind::Close(closes) if closes != class) {
                    continue;
                }
                add(at, What::Open(class));
            }
            if let Kind::Open(class) | Kind::Close(class) = token.kind {
                let others = Class::ALL.into_iter().filter(|other| *other != class);
                // `#[` is nothing.
                let others = others.filter(|other| is_plain || *other != Class::Bracket);
                for other in others {
                    add(at, What::Replace(other));
                }
            }
        }
    }

    /// Reads a part with changes. Gives the reading unless it does not fit, and the place where it
    /// ended; notes what the innermost open form was before each token.
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
        // A form behind a prefix is the part that the prefix began.
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
            // What closes stands right behind the token before, what opens right before this one.
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
                        if !self.part_of(&mut reading, column, token.first, prefixed) {
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
                    if !self.part_of(&mut reading, column, first, prefixed) {
                        return (None, at);
                    }
                    prefixed = false;
                    reading.open.push(frame(replaced.unwrap_or(class), column, length));
                }
                Kind::Atom | Kind::Prefix => {
                    if !self.part_of(&mut reading, column, first, prefixed) {
                        return (None, at);
                    }
                    prefixed = token.kind == Kind::Prefix;
                }
            }
        }
        (Some(reading), part.end)
    }

    /// Notes that the innermost open form has a part at a column. False when a line that begins with
    /// it would stand elsewhere.
    fn part_of(
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

    /// How the text reads with changes: its tokens in order, as numbers.
    fn reads_as(&self, edits: &[Edit]) -> Vec<u32> {
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
