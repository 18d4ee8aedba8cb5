//! The rest of a collection, as a sequence.

use std::sync::Arc;

use super::cx::Cx;
use super::items::items_of;
use ptc_values::{COPY_MAX, Res, Seq, Source, Value};

/// Returns the items of any collection after the first `count`.
pub fn skip(cx: &mut Cx, value: Value, count: usize) -> Res<Arc<Seq>> {
    cx.spend(1)?;
    cx.alloc(64)?;
    Ok(match value {
        Value::List(seq) => {
            if count > 0 && seq.unmade().is_some() {
                make(cx, &seq)?;
            }
            Seq::skip(if seq.is_queue() { Seq::plain(seq) } else { seq }, count)
        }
        Value::Map(map) if count == 0 && map.len() > COPY_MAX => {
            Arc::new(Seq::of_table(Source::Entries(map)))
        }
        Value::Set(set) if count == 0 && set.len() > COPY_MAX => {
            Arc::new(Seq::of_table(Source::Members(set)))
        }
        Value::Vector(vector) => {
            let start = count.min(vector.len());
            Arc::new(Seq::of_vector(vector, start))
        }
        Value::Nil => Arc::new(Seq::default()),
        other => {
            let mut items = items_of(cx, other)?;
            let rest = items.split_off(count.min(items.len()));
            cx.alloc(rest.len() as u64 * 16)?;
            Arc::new(Seq::new(rest))
        }
    })
}

/// Pays for making items of the rows of a table.
pub fn make(cx: &mut Cx, seq: &Seq) -> Res<()> {
    cx.spend(seq.len() as u64)?;
    cx.alloc(seq.len() as u64 * 16)
}

pub(crate) fn as_seq(cx: &mut Cx, value: Value) -> Res<Arc<Seq>> {
    skip(cx, value, 0)
}
