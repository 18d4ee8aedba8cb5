//! A snapshot as JSON.

use serde_json::{Map as Object, Value as Json, json};

use ptc_values::ir::KnownRead;

use super::lost::{Dropped, SnapshotError};
use super::{Checked, KeptProgram, Snapshot};

/// The marker that distinguishes a snapshot from other JSON.
const FORMAT: &str = "ptc-session";

/// The version of the format.
const VERSION: u64 = 1;

type Read<T> = Result<T, SnapshotError>;

impl Snapshot {
    /// Returns everything that was left out for lack of a text form, with reasons.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// Returns the snapshot without the keys of `ctx` that the host changed, for a session with other data.
    #[must_use]
    pub fn without_ctx(mut self) -> Snapshot {
        self.ctx.clear();
        self.dropped.retain(|it| !it.what.starts_with("ctx/"));
        if let Some(labels) = &mut self.labels {
            labels["inputs"] = json!([]);
        }
        self
    }

    /// Returns the snapshot as JSON; equal sessions give equal JSON.
    ///
    /// - `names`, `memory`, `history` and `ctx` hold values as EDN texts.
    /// - `parts` holds shared values; a text refers to one as `#part` with its number.
    /// - `programs` holds the lines of programs whose functions are kept.
    /// - `labels`, if the session has labels, holds where each of these may come from.
    pub fn to_json(&self) -> Json {
        let programs: Vec<Json> = self.programs.iter().map(KeptProgram::to_json).collect();
        let dropped: Vec<Json> =
            self.dropped.iter().map(|one| json!([one.what, one.why])).collect();
        let mut made = json!({
            "format": FORMAT,
            "version": VERSION,
            "names": self.names,
            "memory": self.memory,
            "history": self.history,
            "ctx": self.ctx,
            "parts": self.parts,
            "programs": programs,
            "fields": self.seen,
            "tools": self.kept_tools,
            "framed": self.lazy_aware,
            // Some JSON readers lose digits of large numbers.
            "seed": self.seed.to_string(),
            "ended": self.ended,
            "uncounted": self.uncounted,
            "dropped": dropped,
        });
        // Commands that show a record hide a field of this name.
        if !self.hidden.is_empty() {
            made["_hidden"] = json!(self.hidden);
        }
        if let Some(labels) = &self.labels {
            made["labels"] = labels.clone();
        }
        made
    }

    /// Reads a snapshot from the JSON of [`Snapshot::to_json`]. Its texts are checked on restore.
    ///
    /// # Errors
    /// Returns an error if the JSON is not a snapshot, or is one of another version.
    pub fn from_json(json: &Json) -> Result<Snapshot, SnapshotError> {
        let top = object(json, "the top")?;
        let field = |name: &str| top.get(name).unwrap_or(&Json::Null);
        if field("format") != FORMAT {
            let problem = format!("expected \"{FORMAT}\", found {}", shown(field("format")));
            return Err(SnapshotError::at("`format`", problem));
        }
        if field("version") != VERSION {
            let found = shown(field("version"));
            let problem =
                format!("expected version {VERSION}, found {found}; read it with a newer `ptc`");
            return Err(SnapshotError::at("`version`", problem));
        }
        let number = |name| int(field(name), &format!("`{name}`"));
        let seed = text(field("seed"), "`seed`")?;
        let history = list(field("history"), "`history`", text)?;
        if history.len() != 3 {
            let problem = format!("expected three values, found {}", history.len());
            return Err(SnapshotError::at("`history`", problem));
        }
        Ok(Snapshot {
            names: list(field("names"), "`names`", |it, at| pair(it, at, text, optional_text))?,
            memory: list(field("memory"), "`memory`", |it, at| pair(it, at, text, text))?,
            history,
            ctx: list(field("ctx"), "`ctx`", |it, at| pair(it, at, text, optional_text))?,
            parts: list(field("parts"), "`parts`", text)?,
            programs: list(field("programs"), "`programs`", KeptProgram::from_json)?,
            seen: list(field("fields"), "`fields`", |it, at| {
                pair(it, at, text, |it, at| list(it, at, text))
            })?,
            kept_tools: list(field("tools"), "`tools`", text)?,
            hidden: match field("_hidden") {
                Json::Null => Vec::new(),
                found => list(found, "`_hidden`", text)?,
            },
            lazy_aware: truth(field("framed"), "`framed`")?,
            seed: seed.parse().map_err(|_| {
                SnapshotError::at("`seed`", format!("expected digits, found \"{seed}\""))
            })?,
            ended: number("ended")?,
            uncounted: number("uncounted")?,
            dropped: list(field("dropped"), "`dropped`", |it, at| {
                pair(it, at, text, text).map(|(what, why)| Dropped { what, why })
            })?,
            labels: top.get("labels").cloned(),
        })
    }

    /// Returns the approximate number of bytes as text.
    pub(super) fn bytes(&self) -> usize {
        let all = |texts: &[String]| texts.iter().map(|text| text.len() + 3).sum::<usize>();
        let some = |rows: &[(String, Option<String>)]| {
            let length = |text: &Option<String>| text.as_ref().map_or(4, String::len);
            rows.iter().map(|(name, text)| name.len() + length(text) + 8).sum::<usize>()
        };
        let memory: usize = self.memory.iter().map(|(key, it)| key.len() + it.len() + 8).sum();
        let programs = self.programs.iter().map(|kept| {
            let reads = kept.checked.as_ref().map_or(0, |checked| checked.reads.len());
            kept.source.len() + 12 * reads + 60
        });
        let seen = self.seen.iter().map(|(tool, fields)| tool.len() + all(fields));
        let dropped = self.dropped.iter().map(|one| one.what.len() + one.why.len() + 8);
        let texts =
            all(&self.parts) + all(&self.history) + all(&self.kept_tools) + all(&self.hidden);
        let rest: usize = programs.chain(seen).chain(dropped).sum();
        let rest = rest + self.labels.as_ref().map_or(0, |labels| labels.to_string().len());
        texts + some(&self.names) + some(&self.ctx) + memory + rest
    }
}

impl KeptProgram {
    fn to_json(&self) -> Json {
        let lines: Vec<&str> = self.source.split('\n').collect();
        match &self.checked {
            None => json!({"source": lines}),
            Some(Checked { known, lazy_aware, reads }) => {
                let reads: Vec<_> = reads.iter().map(|it| (it.node, it.is_present)).collect();
                json!({"source": lines, "known": known, "framed": lazy_aware, "reads": reads})
            }
        }
    }

    fn from_json(json: &Json, at: &str) -> Read<KeptProgram> {
        let top = object(json, at)?;
        let field = |name: &str| top.get(name).unwrap_or(&Json::Null);
        let lines = list(field("source"), at, text)?;
        let checked = match top.get("known") {
            None => None,
            Some(known) => Some(Checked {
                known: int(known, at)? as usize,
                lazy_aware: truth(field("framed"), at)?,
                reads: list(field("reads"), at, |it, at| {
                    let (node, is_present) = pair(it, at, int, truth)?;
                    Ok(KnownRead { node: node as u32, is_present })
                })?,
            }),
        };
        Ok(KeptProgram { source: lines.join("\n"), checked })
    }
}

/// Describes a JSON value in a message.
fn shown(json: &Json) -> String {
    match json {
        Json::Null => "nothing".to_owned(),
        Json::Array(_) => "an array".to_owned(),
        Json::Object(_) => "an object".to_owned(),
        other => {
            let text = other.to_string();
            if text.chars().nth(40).is_none() { text } else { "a long text".to_owned() }
        }
    }
}

#[cold]
fn wrong(at: &str, expected: &str, found: &Json) -> SnapshotError {
    SnapshotError::at(at, format!("expected {expected}, found {}", shown(found)))
}

fn object<'j>(json: &'j Json, at: &str) -> Read<&'j Object<String, Json>> {
    json.as_object().ok_or_else(|| wrong(at, "an object", json))
}

fn text(json: &Json, at: &str) -> Read<String> {
    json.as_str().map(str::to_owned).ok_or_else(|| wrong(at, "a text", json))
}

fn optional_text(json: &Json, at: &str) -> Read<Option<String>> {
    if json.is_null() { Ok(None) } else { text(json, at).map(Some) }
}

fn int(json: &Json, at: &str) -> Read<u64> {
    json.as_u64().ok_or_else(|| wrong(at, "a number from 0", json))
}

fn truth(json: &Json, at: &str) -> Read<bool> {
    json.as_bool().ok_or_else(|| wrong(at, "true or false", json))
}

fn list<T>(json: &Json, at: &str, read: impl Fn(&Json, &str) -> Read<T>) -> Read<Vec<T>> {
    let items = json.as_array().ok_or_else(|| wrong(at, "an array", json))?;
    items.iter().enumerate().map(|(number, it)| read(it, &format!("{at}, item {number}"))).collect()
}

fn pair<A, B>(
    json: &Json,
    at: &str,
    first: impl Fn(&Json, &str) -> Read<A>,
    second: impl Fn(&Json, &str) -> Read<B>,
) -> Read<(A, B)> {
    match json.as_array().map(Vec::as_slice) {
        Some([a, b]) => Ok((first(a, at)?, second(b, at)?)),
        _ => Err(wrong(at, "a pair", json)),
    }
}
