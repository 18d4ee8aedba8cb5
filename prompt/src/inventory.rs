//! The table of the data in `ctx`.

use ptc_lisp::Value;
use ptc_signatures::{Field, HIDDEN};
use serde::Serialize;

use crate::infer::infer;
use crate::sample::{is_hidden, is_plain_name, sample};
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
    /// The number of keys without a row.
    more: usize,
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
    let (mut cut, mut hidden) = (false, false);
    for (key, value) in spec.ctx.as_map().into_iter().flat_map(ptc_lisp::Map::iter).take(shown) {
        let name = key.name().map_or_else(|| key.to_string(), str::to_owned);
        let param = spec.signature.and_then(|s| s.params.iter().find(|param| param.name == name));
        let mut text = if is_hidden(&name) {
            hidden = true;
            HIDDEN.to_owned()
        } else {
            let sample = sample(value, &spec.limits);
            cut |= sample.cut;
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
                one_line(&type_of(param, value), TIGHT_TYPE)
            } else {
                type_of(param, value)
            }),
            sample: if is_tight { String::new() } else { text },
        });
    }
    Inventory { rows, cut: cut && !is_tight, hidden, more: count.saturating_sub(shown) }
}

/// Returns the form with which a program reads the key.
fn path(name: &str) -> String {
    if is_plain_name(name) {
        return format!("ctx/{name}");
    }
    let whole = PromptLimits { string_truncate: usize::MAX, ..PromptLimits::default() };
    format!("(get ctx {})", sample(&Value::str(name), &whole).text)
}

/// Returns the text of the type. An inferred type covers the full depth of the data, or less if its
/// text would be too long.
fn type_of(param: Option<&Field>, value: &Value) -> String {
    if let Some(param) = param {
        return param.ty.to_string();
    }
    let mut text = String::new();
    for depth in [MAX_DEPTH, 3, 2, 1] {
        text = infer(value, depth).to_string();
        if text.len() <= LONGEST_TYPE {
            break;
        }
    }
    text
}

/// The maximum number of rows in a tight prompt.
const TIGHT_ROWS: usize = 10;
/// The maximum length of a type in a tight prompt, in characters.
const TIGHT_TYPE: usize = 60;
/// The maximum depth of an inferred type, in levels. Deeper data is `:any`.
const MAX_DEPTH: usize = 12;
/// The maximum length of the text of an inferred type, in bytes.
const LONGEST_TYPE: usize = 1_000;
