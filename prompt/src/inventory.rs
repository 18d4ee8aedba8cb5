//! The list of the data in `ctx`.

use std::borrow::Cow;

use ptc_lisp::Value;
use ptc_signatures::{Field, HIDDEN, Type};
use serde::Serialize;

use crate::infer::infer;
use crate::kinds::Kinds;
use crate::sample::{is_hidden, is_plain_name, sample, sample_beyond_type};
use crate::text::{code, one_line};
use crate::{PromptLimits, PromptSpec};

/// The data of the inventory's template.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Inventory {
    rows: Vec<Row>,
    /// Whether a sample is cut.
    cut: bool,
    /// Whether a sample hides a field.
    hidden: bool,
    /// Whether a sample leaves out keys.
    keyless: bool,
    /// The number of keys without a row.
    more: usize,
    payload: Option<Payload>,
    #[serde(skip)]
    pub(crate) kinds: Kinds,
}

/// The payload of the mission.
#[derive(Debug, PartialEq, Serialize)]
struct Payload {
    rows: Vec<Row>,
    /// The number of names without a row.
    more: usize,
    /// The paths that programs may change; none for all.
    writes: Option<String>,
    /// Whether programs may change no path.
    reads_only: bool,
}

/// A key of the data.
#[derive(Debug, PartialEq, Serialize)]
struct Row {
    /// The key with its type.
    declared: String,
    key: String,
    r#type: String,
    sample: String,
}

/// Builds the inventory of the data.
pub(crate) fn build(spec: &PromptSpec<'_>, is_tight: bool) -> Inventory {
    let mut table = Table::new(spec, is_tight);
    let params = spec.signature.map_or(&[][..], |signature| &signature.params);
    let more = table.add("ctx", spec.ctx.as_map(), params);
    let rows = std::mem::take(&mut table.rows);
    let payload = spec.payload.map(|payload| {
        let fields = match payload.signature {
            Some(Type::Record(fields)) => &**fields,
            _ => &[],
        };
        let more = match payload.value.as_map() {
            Some(map) => table.add("payload", Some(map), fields),
            None => {
                let ty = payload.signature.map(Cow::Borrowed);
                let ty = ty.unwrap_or_else(|| inferred(payload.value));
                table.room = spec.limits.string_truncate;
                table.row("payload", payload.value, &ty, None);
                0
            }
        };
        let writes = payload.writes.filter(|_| payload.can_write);
        let writes = writes.map(|writes| code(&one_line(writes, LONGEST_TYPE)));
        let rows = std::mem::take(&mut table.rows);
        Payload { rows, more, writes, reads_only: !payload.can_write }
    });
    let Table { cut, hidden, keyless, kinds, .. } = table;
    let (cut, keyless) = (cut && !is_tight, keyless && !is_tight);
    Inventory { rows, cut, hidden, keyless, more, payload, kinds }
}

/// A table that is being made, with notes about its samples.
#[expect(clippy::struct_excessive_bools, reason = "one for each note")]
struct Table<'a> {
    limits: &'a PromptLimits,
    is_tight: bool,
    rows: Vec<Row>,
    cut: bool,
    hidden: bool,
    keyless: bool,
    kinds: Kinds,
    /// The length of a sample, in bytes, beyond which it has no further items. The keys share it.
    room: usize,
}

impl<'a> Table<'a> {
    fn new(spec: &'a PromptSpec<'_>, is_tight: bool) -> Table<'a> {
        Table {
            limits: &spec.limits,
            is_tight,
            rows: Vec::new(),
            cut: false,
            hidden: false,
            keyless: false,
            kinds: Kinds::default(),
            room: 0,
        }
    }

    /// Adds a row for each key of a map, and for each further declared field of the payload. Returns the number of
    /// keys without a row.
    fn add(&mut self, space: &str, map: Option<&ptc_lisp::Map>, fields: &[Field]) -> usize {
        let known = map.into_iter().flat_map(ptc_lisp::Map::iter);
        let absent = fields.iter().filter(|field| {
            space == "payload" && map.is_none_or(|map| map.get_name(&field.name).is_none())
        });
        let count = map.map_or(0, ptc_lisp::Map::len) + absent.clone().count();
        let shown = if self.is_tight { TIGHT_ROWS } else { count };
        self.room = self.limits.string_truncate / shown.min(count).max(1);
        let known = known
            .map(|(key, value)| (key.name().map_or_else(|| key.to_string(), str::to_owned), value));
        let absent = absent.map(|field| (field.name.clone(), &Value::Nil));
        for (name, value) in known.chain(absent).take(shown) {
            let field = fields.iter().find(|field| field.name == name);
            let ty = field.map_or_else(|| inferred(value), |field| Cow::Borrowed(&field.ty));
            if is_hidden(&name) {
                self.hidden = true;
                self.kinds.add(&ty, value);
                self.push(&path(space, &name), &ty, HIDDEN.to_owned(), field);
            } else {
                self.row(&path(space, &name), value, &ty, field);
            }
        }
        count.saturating_sub(shown)
    }

    /// Adds the row of a value that is not hidden.
    fn row(&mut self, key: &str, value: &Value, ty: &Type, field: Option<&Field>) {
        self.kinds.add(ty, value);
        // Small models copy samples, so they see whole values.
        let sample = if self.limits.reference.is_for_small_models() {
            sample(value, self.limits)
        } else {
            sample_beyond_type(value, ty, self.limits, self.room)
        };
        self.cut |= sample.cut;
        self.keyless |= sample.keyless;
        self.hidden |= sample.hidden;
        let size = if sample.size.is_empty() { String::new() } else { format!(" {}", sample.size) };
        self.push(key, ty, code(&sample.text) + &size, field);
    }

    fn push(&mut self, key: &str, ty: &Type, mut text: String, field: Option<&Field>) {
        if let Some(description) = field.and_then(|field| field.description.as_deref()) {
            text.push_str(" — ");
            text.push_str(&one_line(description, 200));
        }
        let ty = ty.to_string();
        let ty = if self.is_tight { one_line(&ty, TIGHT_TYPE) } else { ty };
        self.rows.push(Row {
            declared: code(&format!("{key} {ty}")),
            key: code(key),
            r#type: code(&ty),
            sample: if self.is_tight { String::new() } else { text },
        });
    }
}

/// Returns the form with which a program reads the key.
fn path(space: &str, name: &str) -> String {
    if is_plain_name(name) {
        return format!("{space}/{name}");
    }
    let whole = PromptLimits { string_truncate: usize::MAX, ..PromptLimits::default() };
    format!("(get {space} {})", sample(&Value::str(name), &whole).text)
}

/// Returns the type of a value without a declared one. It covers the full depth of the data, or less if its text would
/// be too long.
fn inferred(value: &Value) -> Cow<'static, Type> {
    let mut ty = Type::Any;
    for depth in [MAX_DEPTH, 3, 2, 1] {
        ty = infer(value, depth);
        if ty.to_string().len() <= LONGEST_TYPE {
            break;
        }
    }
    Cow::Owned(ty)
}

/// The maximum number of rows in a tight prompt.
const TIGHT_ROWS: usize = 10;
/// The maximum length of a type in a tight prompt, in characters.
const TIGHT_TYPE: usize = 60;
/// The maximum depth of an inferred type, in levels. Deeper data is `:any`.
const MAX_DEPTH: usize = 12;
/// The maximum length of the text of an inferred type, in bytes.
const LONGEST_TYPE: usize = 1_000;
