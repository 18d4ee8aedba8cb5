//! The table of the data in `ctx`.

use std::borrow::Cow;

use ptc_lisp::Value;
use ptc_signatures::{Field, HIDDEN, Type};
use serde::Serialize;

use crate::infer::infer;
use crate::kinds::Kinds;
use crate::sample::{is_hidden, is_plain_name, sample, sample_without_keys};
use crate::text::{cell, code_cell, one_line};
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
    #[serde(skip)]
    pub(crate) kinds: Kinds,
}

/// A key of the data.
#[derive(Debug, PartialEq, Serialize)]
struct Row {
    key: String,
    r#type: String,
    sample: String,
}

/// Builds the inventory of the data.
pub(crate) fn build(spec: &PromptSpec<'_>, is_tight: bool) -> Inventory {
    let mut rows = Vec::new();
    let count = spec.ctx.as_map().map_or(0, ptc_lisp::Map::len);
    let shown = if is_tight { TIGHT_ROWS } else { count };
    let (mut cut, mut hidden, mut keyless) = (false, false, false);
    let mut kinds = Kinds::default();
    for (key, value) in spec.ctx.as_map().into_iter().flat_map(ptc_lisp::Map::iter).take(shown) {
        let name = key.name().map_or_else(|| key.to_string(), str::to_owned);
        let param = spec.signature.and_then(|s| s.params.iter().find(|param| param.name == name));
        let ty = type_of(param, value);
        kinds.add(&ty, value);
        let mut text = if is_hidden(&name) {
            hidden = true;
            HIDDEN.to_owned()
        } else {
            // Small models copy samples, so they see whole values.
            let sample = if spec.limits.reference.is_for_small_models() {
                sample(value, &spec.limits)
            } else {
                sample_without_keys(value, &ty, &spec.limits)
            };
            cut |= sample.cut;
            keyless |= sample.keyless;
            hidden |= sample.hidden;
            let size =
                if sample.size.is_empty() { String::new() } else { format!(" {}", sample.size) };
            code_cell(&sample.text) + &size
        };
        if let Some(description) = param.and_then(|param| param.description.as_deref()) {
            text.push_str(" — ");
            text.push_str(&cell(&one_line(description, 200)));
        }
        rows.push(Row {
            key: code_cell(&path(&name)),
            r#type: code_cell(&if is_tight {
                one_line(&ty.to_string(), TIGHT_TYPE)
            } else {
                ty.to_string()
            }),
            sample: if is_tight { String::new() } else { text },
        });
    }
    let more = count.saturating_sub(shown);
    Inventory { rows, cut: cut && !is_tight, hidden, keyless: keyless && !is_tight, more, kinds }
}

/// Returns the form with which a program reads the key.
fn path(name: &str) -> String {
    if is_plain_name(name) {
        return format!("ctx/{name}");
    }
    let whole = PromptLimits { string_truncate: usize::MAX, ..PromptLimits::default() };
    format!("(get ctx {})", sample(&Value::str(name), &whole).text)
}

/// Returns the type. An inferred type covers the full depth of the data, or less if its text would
/// be too long.
fn type_of<'a>(param: Option<&'a Field>, value: &Value) -> Cow<'a, Type> {
    if let Some(param) = param {
        return Cow::Borrowed(&param.ty);
    }
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
