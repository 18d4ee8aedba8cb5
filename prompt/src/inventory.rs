//! The table of the data in `ctx`.

use minijinja::{Value as Data, context};
use ptc_lisp::Value;
use ptc_signatures::{Field, HIDDEN};

use crate::infer::infer;
use crate::sample::{is_hidden, is_plain_name, sample};
use crate::text::{cell, code_cell, one_line};
use crate::{PromptLimits, PromptSpec};

/// What the inventory's template takes.
pub(crate) fn data(spec: &PromptSpec<'_>, is_tight: bool) -> Data {
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
        rows.push(context! {
            key => code_cell(&path(&name)),
            type => code_cell(&if is_tight {
                one_line(&type_of(param, value), TIGHT_TYPE)
            } else {
                type_of(param, value)
            }),
            sample => if is_tight { String::new() } else { text },
        });
    }
    cut &= !is_tight;
    context! { rows, cut, hidden, more => count.saturating_sub(shown) }
}

/// How a program reads the key.
fn path(name: &str) -> String {
    if is_plain_name(name) {
        return format!("ctx/{name}");
    }
    let whole = PromptLimits { string_truncate: usize::MAX, ..PromptLimits::default() };
    format!("(get ctx {})", sample(&Value::str(name), &whole).text)
}

/// The type's text: as deep as the data is, or less deep if that is too long to be read.
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

/// How many rows a prompt has that has hardly any room, and how long their types are.
const TIGHT_ROWS: usize = 10;
const TIGHT_TYPE: usize = 60;
/// Deeper data is `:any`.
const MAX_DEPTH: usize = 12;
/// How long the text of an inferred type may be.
const LONGEST_TYPE: usize = 1_000;
