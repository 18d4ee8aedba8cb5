//! Repairs mismatched delimiters of a program, if the intent is certain.
//!
//! This folder has the search for repairs (`search.rs`), the rating of candidates
//! (`plausibility.rs`), and the description of a repair. It never changes anything but delimiters,
//! and never makes a repair that admission refuses.

mod plausibility;
mod search;

use crate::code::Code;
use crate::reader::{Class, Kind, Token, Tokens, name_of, tokens};
use crate::session::{Admitted, Rejection, Session};
use plausibility::Meaning;
use search::{Edit, Effort, EffortExceeded, Layout, Search, What};

/// The maximum bytes of a text to repair: every candidate is read and checked whole.
const MAX_BYTES: usize = 32 << 10;
const MAX_TOKENS: usize = 4_000;
/// The maximum number of tokens that the search of one text visits.
const MAX_STEPS: usize = 6_000_000;
/// The maximum bytes given to admission for one text, and the maximum number of admissions.
const MAX_ADMITTED_BYTES: usize = 400_000;
const MAX_ADMISSIONS: usize = 64;
/// The maximum size of regular expressions, because admission compiles them.
const MAX_REGEX_UNITS: u64 = 5_000;
/// The maximum number of changed delimiters.
const MAX_CHANGES: usize = 3;

/// The changes made to a program before it was admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The program that was admitted.
    pub source: String,
    /// The changes in the order of the text.
    pub changes: Vec<Change>,
    message: String,
}

/// A changed delimiter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The offset in the original text, in bytes.
    pub offset: usize,
    /// The line of the offset, from 1.
    pub line: u32,
    /// The column of the offset in characters, from 1.
    pub column: u32,
    /// The removed text; empty for an insertion.
    pub removed: String,
    /// The inserted text; empty for a removal.
    pub added: String,
}

impl Repair {
    /// Returns a description of the changes without a final dot, such as ``added `)` at line 3,
    /// column 20, which closes `(let …` of line 1``.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns
    /// `{"message", "source", "changes": [{"offset", "line", "column", "removed", "added"}]}`.
    pub fn to_json(&self) -> serde_json::Value {
        let changes: Vec<_> = self
            .changes
            .iter()
            .map(|it| {
                serde_json::json!({
                    "offset": it.offset,
                    "line": it.line,
                    "column": it.column,
                    "removed": it.removed,
                    "added": it.added,
                })
            })
            .collect();
        serde_json::json!({"message": self.message, "source": self.source, "changes": changes})
    }

    /// Reads the JSON of [`to_json`](Self::to_json).
    pub fn from_json(json: &serde_json::Value) -> Option<Repair> {
        let text = |from: &serde_json::Value, key| Some(from.get(key)?.as_str()?.to_string());
        let number = |from: &serde_json::Value, key| from.get(key)?.as_u64()?.try_into().ok();
        let change = |it: &serde_json::Value| {
            Some(Change {
                offset: usize::try_from(it.get("offset")?.as_u64()?).ok()?,
                line: number(it, "line")?,
                column: number(it, "column")?,
                removed: text(it, "removed")?,
                added: text(it, "added")?,
            })
        };
        let changes = json.get("changes")?.as_array()?.iter().map(change);
        let (source, message) = (text(json, "source")?, text(json, "message")?);
        Some(Repair { source, changes: changes.collect::<Option<_>>()?, message })
    }
}

impl Session {
    /// Checks a program as [`Session::admit`] does, and repairs mismatched delimiters if the intent is certain. A
    /// repair inserts, removes or replaces at most three delimiters and changes nothing else. Returns the repair, if
    /// any.
    ///
    /// # Errors
    /// Returns the problems of the program as it was written.
    pub fn admit_repaired(&self, source: &str) -> Result<(Admitted, Option<Repair>), Rejection> {
        admit(self, source)
    }
}

fn admit(session: &Session, source: &str) -> Result<(Admitted, Option<Repair>), Rejection> {
    let rejection = match session.admit(source) {
        Ok(admitted) => return Ok((admitted, None)),
        Err(rejection) => rejection,
    };
    let delimiters = |code| matches!(code, Code::UnclosedDelimiter | Code::UnexpectedDelimiter);
    if source.len() > MAX_BYTES
        || !rejection.diagnostics.iter().any(|it| delimiters(it.code_value()))
    {
        return Err(rejection);
    }
    let tokens = tokens(source);
    if tokens.bad || tokens.all.len() > MAX_TOKENS || tokens.regex_units > MAX_REGEX_UNITS {
        return Err(rejection);
    }
    match (Attempt { session, source, tokens: &tokens, admissions: 0, bytes: 0 }).run() {
        Ok(Some((admitted, repair))) => Ok((admitted, Some(repair))),
        Ok(None) | Err(EffortExceeded) => Err(rejection),
    }
}

/// A candidate that admission accepts.
struct Passed {
    edits: Vec<Edit>,
    source: String,
    admitted: Admitted,
}

struct Attempt<'a> {
    session: &'a Session,
    source: &'a str,
    tokens: &'a Tokens,
    admissions: usize,
    bytes: usize,
}

impl Attempt<'_> {
    fn run(&mut self) -> Result<Option<(Admitted, Repair)>, EffortExceeded> {
        let mut effort = Effort { steps: MAX_STEPS, candidates: MAX_ADMISSIONS };
        let aligned = Search::new(&self.tokens.all, Layout::Aligned);
        // Without indentation there is no evidence for more than one change.
        let most = if aligned.has_lines() { MAX_CHANGES } else { 1 };
        for count in 1..=most {
            let passed = self.admissible(aligned.candidates(count, &mut effort)?)?;
            if !passed.is_empty() {
                return Ok(self.choose(passed, aligned.has_lines()));
            }
        }
        if !aligned.has_lines() {
            return Ok(None);
        }
        // The layout is unusual, so indentation cannot choose between candidates. It may still
        // exclude one.
        let inside = Search::new(&self.tokens.all, Layout::Inside);
        let passed = self.admissible(inside.candidates(1, &mut effort)?)?;
        Ok(self.choose(passed, false))
    }

    fn admissible(&mut self, candidates: Vec<Vec<Edit>>) -> Result<Vec<Passed>, EffortExceeded> {
        let mut passed = Vec::new();
        for edits in candidates {
            let source = self.with(&edits);
            self.admissions += 1;
            self.bytes += source.len();
            if self.admissions > MAX_ADMISSIONS || self.bytes > MAX_ADMITTED_BYTES {
                return Err(EffortExceeded);
            }
            if let Ok(admitted) = self.session.admit(&source) {
                passed.push(Passed { edits, source, admitted });
            }
        }
        Ok(passed)
    }

    /// Returns the only plausible candidate, if there is no doubt.
    fn choose(&self, mut passed: Vec<Passed>, by_lines: bool) -> Option<(Admitted, Repair)> {
        if passed.len() > 1 && !by_lines {
            return None;
        }
        let mut meanings: Vec<Meaning> =
            passed.iter().map(|it| Meaning::of(&it.source, self.session)).collect::<Option<_>>()?;
        let mut senseless = meanings.iter().map(|it| it.senseless).collect::<Vec<_>>().into_iter();
        passed.retain(|_| senseless.next() == Some(false));
        meanings.retain(|it| !it.senseless);
        // A program that is still implausible has damage that this search did not find.
        let at = meanings.iter().position(|it| it.implausible == 0)?;
        let mut others = meanings.iter().enumerate().filter(|(other, _)| *other != at);
        // Doubt about the arguments of calls or about results stays doubt.
        if others.any(|(_, it)| it.implausible == 0 || it.effects != meanings[at].effects) {
            return None;
        }
        let Passed { edits, source, admitted } = passed.into_iter().nth(at)?;
        if edits.iter().any(|edit| self.is_doubtful(edit, by_lines)) || !self.is_one_slip(&edits) {
            return None;
        }
        let (changes, message) = self.described(&edits);
        Some((admitted, Repair { source, changes, message }))
    }

    /// Returns whether a change may be only half of the repair. A mismatched delimiter next to an
    /// equal one may also be superfluous. Without evidence from lines, a delimiter
    /// without an equal neighbour is not certain to be superfluous.
    fn is_doubtful(&self, edit: &Edit, by_lines: bool) -> bool {
        let kind = |at: Option<usize>| self.tokens.all.get(at?).map(|token| token.kind);
        let here = kind(Some(edit.at));
        let before = edit.at.checked_sub(1);
        let is_doubled = [before, Some(edit.at + 1)].into_iter().any(|at| kind(at) == here);
        let token = |at: Option<usize>| self.tokens.all.get(at?);
        let is_apart = token(Some(edit.at))
            .zip(token(before))
            .is_some_and(|(it, before)| matches!(it.kind, Kind::Close(_)) && it.start > before.end);
        match edit.what {
            What::Replace(_) => !by_lines || is_doubled || is_apart,
            What::Delete => is_apart || (!by_lines && !is_doubled),
            // A pair around the whole program leaves no trace at its start.
            What::Open(_) => {
                let begins = edit.at == 0 && kind(Some(0)) != Some(Kind::Atom);
                !by_lines || begins || edit.at == 1
            }
            // A form of one line that would be empty may as well have lost the text after it.
            What::Close(class) => {
                !by_lines
                    && (class == Class::Brace || matches!(kind(before), Some(Kind::Open(_)) | None))
            }
        }
    }

    /// Returns whether the changes are one slip, of a kind without an alternative explanation. That
    /// is a single delimiter, except a removed opening one, whose end may be missing instead. Or it
    /// is several closing delimiters missing in one place, at the end of the text or before a form
    /// at the margin.
    fn is_one_slip(&self, edits: &[Edit]) -> bool {
        let Some((first, more)) = edits.split_first() else { return false };
        let here = self.tokens.all.get(first.at);
        if more.is_empty() {
            let opens = here.is_some_and(|token| matches!(token.kind, Kind::Open(_)));
            return first.what != What::Delete || !opens;
        }
        let at_margin = here.is_none_or(|token| token.column == 1);
        let closes = |edit: &Edit| matches!(edit.what, What::Close(_)) && edit.at == first.at;
        at_margin && edits.iter().all(closes)
    }

    fn with(&self, edits: &[Edit]) -> String {
        let mut out = String::with_capacity(self.source.len() + edits.len());
        let mut from = 0;
        for edit in edits {
            let change = self.change(edit);
            out.push_str(&self.source[from..change.offset]);
            out.push_str(&change.added);
            from = change.offset + change.removed.len();
        }
        out.push_str(&self.source[from..]);
        out
    }

    fn change(&self, edit: &Edit) -> Change {
        let token = self.tokens.all.get(edit.at);
        let before = edit.at.checked_sub(1).and_then(|before| self.tokens.all.get(before));
        let here = token.map_or((0, 0, 0), |it| (it.start, it.line, it.column));
        let (at, removed, added) = match edit.what {
            What::Open(class) => (here, None, Some(class.open())),
            What::Close(class) => {
                let behind = before.map_or(here, |it| (it.end, it.end_line, it.end_column));
                (behind, None, Some(class.close()))
            }
            What::Delete => (here, token.map(|it| it.end - it.start), None),
            What::Replace(class) => {
                let opens = matches!(token.map(|it| it.kind), Some(Kind::Open(_)));
                // The last character of `#(` is the delimiter.
                let sign = token.map_or(0, |it| it.end - it.start - 1);
                let at = (here.0 + sign, here.1, here.2 + sign as u32);
                (at, Some(1), Some(if opens { class.open() } else { class.close() }))
            }
        };
        let (offset, line, column) = at;
        let removed = self.source[offset..offset + removed.unwrap_or(0)].to_owned();
        let added = added.map(String::from).unwrap_or_default();
        Change { offset, line, column, removed, added }
    }

    /// Returns the changes and their description.
    fn described(&self, edits: &[Edit]) -> (Vec<Change>, String) {
        let closed = self.closed(edits);
        let changes: Vec<Change> = edits.iter().map(|edit| self.change(edit)).collect();
        let mut parts = Vec::new();
        let mut at = 0;
        while let (Some(first), Some(edit)) = (changes.get(at), edits.get(at)) {
            // Delimiters closed in one place are described together.
            let together = changes[at..]
                .iter()
                .zip(&edits[at..])
                .take_while(|(it, other)| {
                    it.offset == first.offset
                        && matches!((edit.what, other.what), (What::Close(_), What::Close(_)))
                })
                .count()
                .max(1);
            let Change { line, column, removed, added, .. } = first;
            let added: String = match together {
                1 => added.clone(),
                _ => changes[at..at + together].iter().map(|it| it.added.as_str()).collect(),
            };
            let mut part = match (removed.is_empty(), added.is_empty()) {
                (true, _) => format!("added `{added}` at line {line}, column {column}"),
                (_, true) => format!("removed the `{removed}` at line {line}, column {column}"),
                _ => format!(
                    "wrote `{added}` instead of the `{removed}` at line {line}, column {column}"
                ),
            };
            let names: Vec<&str> =
                closed[at..at + together].iter().flatten().map(String::as_str).collect();
            if let Some((last, first)) = names.split_last() {
                part += ", which closes ";
                part += &first.join(", ");
                part += if first.is_empty() { "" } else { " and " };
                part += last;
            }
            parts.push(part);
            at += together;
        }
        (changes, parts.join("; "))
    }

    /// Returns the form that each change closes, if any, by name and line.
    fn closed(&self, edits: &[Edit]) -> Vec<Option<String>> {
        let all = &self.tokens.all;
        let mut closed = vec![None; edits.len()];
        // An open form is a token, or the change that inserts it (`None`).
        let mut open: Vec<Option<usize>> = Vec::new();
        let name = |open: Option<usize>| -> Option<String> {
            let token: &Token = all.get(open?)?;
            Some(format!("`{}` of line {}", name_of(self.source, all, open?), token.line))
        };
        let mut number = 0;
        for at in 0..=all.len() {
            let mut kind = all.get(at).map(|it| it.kind);
            let mut replaced = None;
            while let Some(edit) = edits.get(number).filter(|edit| edit.at == at) {
                match edit.what {
                    What::Open(_) => open.push(None),
                    What::Close(_) => closed[number] = name(open.pop().flatten()),
                    What::Delete => kind = None,
                    What::Replace(_) => replaced = Some(number),
                }
                number += 1;
            }
            match kind {
                Some(Kind::Open(_)) => open.push(Some(at)),
                Some(Kind::Close(_)) => {
                    let name = name(open.pop().flatten());
                    if let Some(number) = replaced {
                        closed[number] = name;
                    }
                }
                _ => {}
            }
        }
        closed
    }
}
