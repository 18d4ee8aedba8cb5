//! Repairs mismatched delimiters of a program, if the intent is certain.
//!
//! This folder has the search for repairs (`search.rs`), the rating of candidates
//! (`plausibility.rs`), and the description of a repair. It never changes anything but delimiters,
//! and never makes a repair that admission refuses.

mod plausibility;
mod search;

use crate::session::{Admitted, Rejection, Session};
use plausibility::is_plausible;
use ptc_reader::{Class, Kind, Tokens, name_of, tokens};
use ptc_values::code::Code;
use search::{Edit, Search, What};

/// The maximum bytes of a text to repair: every candidate is read and checked whole.
const MAX_BYTES: usize = 32 << 10;
const MAX_TOKENS: usize = 4_000;
/// The maximum bytes given to admission for one text.
const MAX_ADMITTED_BYTES: usize = 400_000;
/// The maximum size of regular expressions, because admission compiles them.
const MAX_REGEX_UNITS: u64 = 5_000;

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
    /// Checks a program as [`Session::admit`] does, and repairs mismatched delimiters if one change is certain to be
    /// intended. Returns the repair, if any.
    ///
    /// # Errors
    ///
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
    let attempt = Attempt { session, source, tokens: &tokens };
    attempt.run().map_or(Err(rejection), |(admitted, repair)| Ok((admitted, Some(repair))))
}

/// A candidate that admission accepts.
struct Passed {
    edit: Edit,
    source: String,
    admitted: Admitted,
}

struct Attempt<'a> {
    session: &'a Session,
    source: &'a str,
    tokens: &'a Tokens,
}

impl Attempt<'_> {
    fn run(&self) -> Option<(Admitted, Repair)> {
        let search = Search::new(&self.tokens.all);
        let mut passed = self.admissible(search.candidates()?)?;
        if passed.is_empty() && search.has_lines() {
            passed = self.admissible(search.missing_ends().into_iter().collect())?;
        }
        self.choose(passed, search.has_lines())
    }

    /// Returns the candidates that admission accepts, or `None` if they are too long together.
    fn admissible(&self, candidates: Vec<Edit>) -> Option<Vec<Passed>> {
        let mut passed = Vec::new();
        let mut bytes = 0;
        for edit in candidates {
            let change = self.change(&edit);
            let mut source = self.source.to_owned();
            source
                .replace_range(change.offset..change.offset + change.removed.len(), &change.added);
            bytes += source.len();
            if bytes > MAX_ADMITTED_BYTES {
                return None;
            }
            if let Ok(admitted) = self.session.admit(&source) {
                passed.push(Passed { edit, source, admitted });
            }
        }
        Some(passed)
    }

    /// Returns the only plausible candidate, if there is no doubt.
    fn choose(&self, mut passed: Vec<Passed>, by_lines: bool) -> Option<(Admitted, Repair)> {
        if passed.len() > 1 && !by_lines {
            return None;
        }
        passed.retain(|it| is_plausible(&it.source, self.session));
        let only = passed.pop().filter(|_| passed.is_empty())?;
        let Passed { edit, source, admitted } = only;
        if self.is_doubtful(&edit, by_lines) {
            return None;
        }
        let change = self.change(&edit);
        let message = self.description(&edit, &change);
        Some((admitted, Repair { source, changes: vec![change], message }))
    }

    /// Returns whether a change has an alternative explanation. A mismatched delimiter next to an
    /// equal one may also be superfluous, and only such a one is certain to be superfluous.
    fn is_doubtful(&self, edit: &Edit, by_lines: bool) -> bool {
        let kind = |at: Option<usize>| self.tokens.all.get(at?).map(|token| token.kind);
        let before = kind(edit.at.checked_sub(1));
        let is_doubled = [before, kind(Some(edit.at + 1))].contains(&kind(Some(edit.at)));
        match &edit.what {
            What::Replace(_) => !by_lines || is_doubled,
            What::Delete => !is_doubled,
            What::Open(_) => !by_lines,
            // A form of one line that would be empty may as well have lost the text after it.
            What::Close(classes) => {
                !by_lines
                    && (classes.contains(&Class::Brace)
                        || matches!(before, Some(Kind::Open(_)) | None))
            }
        }
    }

    fn change(&self, edit: &Edit) -> Change {
        let token = self.tokens.all.get(edit.at);
        let before = edit.at.checked_sub(1).and_then(|before| self.tokens.all.get(before));
        let here = token.map_or((0, 0, 0), |it| (it.start, it.line, it.column));
        let length = token.map_or(0, |it| it.end - it.start);
        let ((offset, line, column), removed, added) = match &edit.what {
            What::Open(class) => (here, 0, class.open().to_string()),
            What::Close(classes) => {
                let behind = before.map_or(here, |it| (it.end, it.end_line, it.end_column));
                (behind, 0, classes.iter().map(|class| class.close()).collect())
            }
            What::Delete => (here, length, String::new()),
            What::Replace(class) => {
                let opens = matches!(token.map(|it| it.kind), Some(Kind::Open(_)));
                // The last character of `#(` is the delimiter.
                let sign = length.saturating_sub(1);
                let at = (here.0 + sign, here.1, here.2 + sign as u32);
                (at, 1, if opens { class.open() } else { class.close() }.to_string())
            }
        };
        let removed = self.source[offset..offset + removed].to_owned();
        Change { offset, line, column, removed, added }
    }

    fn description(&self, edit: &Edit, change: &Change) -> String {
        let Change { line, column, removed, added, .. } = change;
        let mut text = match (removed.is_empty(), added.is_empty()) {
            (true, _) => format!("added `{added}` at line {line}, column {column}"),
            (_, true) => format!("removed the `{removed}` at line {line}, column {column}"),
            _ => format!(
                "wrote `{added}` instead of the `{removed}` at line {line}, column {column}"
            ),
        };
        if let Some((last, first)) = self.closed(edit).split_last() {
            text += ", which closes ";
            text += &first.join(", ");
            text += if first.is_empty() { "" } else { " and " };
            text += last;
        }
        text
    }

    /// Returns the forms that a change closes, by name and line, innermost first.
    fn closed(&self, edit: &Edit) -> Vec<String> {
        let all = &self.tokens.all;
        let closes = matches!(all.get(edit.at).map(|it| it.kind), Some(Kind::Close(_)));
        let count = match &edit.what {
            What::Close(classes) => classes.len(),
            What::Replace(_) => usize::from(closes),
            What::Open(_) | What::Delete => 0,
        };
        let mut open = Vec::new();
        for (at, token) in all.iter().enumerate().take(edit.at) {
            match token.kind {
                Kind::Open(_) => open.push((at, token.line)),
                Kind::Close(_) => drop(open.pop()),
                Kind::Atom | Kind::Prefix => {}
            }
        }
        let name = |(at, line)| format!("`{}` of line {line}", name_of(self.source, all, at));
        open.into_iter().rev().take(count).map(name).collect()
    }
}
