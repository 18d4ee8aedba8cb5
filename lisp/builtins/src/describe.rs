//! `describe`: a bounded summary of the shape of data. Not in Clojure.

use super::facts::{ANY, listed};
use super::{Row, pure};
use ptc_machine::Cx;
use ptc_values::{Map, Res, Value, print};

pub const TABLE: &[Row] = &[pure(
    "describe",
    "x",
    "A short summary of data: its type and count; for items their types, keys and examples. Not in Clojure.",
    "(describe [1 2.5 nil]) => {:type \"vector\", :count 3, :items {:types {\"integer\" 1, \"float\" 1, \"nil\" 1}, :examples [1 2.5]}}",
    listed(ANY),
    |cx, args| describe(cx, &args[0]),
)];

/// The maximum number of map keys shown.
const MAX_KEYS: usize = 40;
/// The maximum number of examples of each value.
const MAX_EXAMPLES: usize = 3;
/// The maximum length of an example, in characters.
const MAX_CHARS: usize = 60;

/// The facts about the values at one place.
#[derive(Default)]
struct Seen {
    count: i64,
    types: Vec<(&'static str, i64)>,
    examples: Vec<Value>,
}

impl Seen {
    fn add(&mut self, value: &Value) {
        self.count += 1;
        let name = value.type_name();
        match self.types.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => self.types.push((name, 1)),
        }
        if self.examples.len() < MAX_EXAMPLES && !value.is_nil() {
            let shown = example(value);
            if !self.examples.contains(&shown) {
                self.examples.push(shown);
            }
        }
    }

    fn types(&self) -> Value {
        Value::map(self.types.iter().map(|(name, count)| (Value::str(*name), Value::Int(*count))))
    }
}

/// Returns an example of a value: short scalars unchanged, long texts cut, others in words.
fn example(value: &Value) -> Value {
    match value {
        Value::Str(text) => match text.char_indices().nth(MAX_CHARS) {
            Some((end, _)) => Value::from(format!("{}…", &text[..end])),
            None => value.clone(),
        },
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Keyword(_) => {
            value.clone()
        }
        _ => {
            let bounds = print::Preview {
                max_chars: MAX_CHARS,
                max_items: 3,
                max_depth: 2,
                hide_private: true,
            };
            Value::from(print::preview(value, &bounds).0)
        }
    }
}

fn entry(name: &str, value: Value) -> (Value, Value) {
    (Value::keyword(name), value)
}

fn describe(cx: &mut Cx, value: &Value) -> Res {
    let mut summary = vec![entry("type", Value::str(value.type_name()))];
    match value {
        Value::Map(map) => {
            summary.push(entry("count", Value::Int(map.len() as i64)));
            let keys = keys(cx, std::iter::once(map.as_ref()), false)?;
            summary.extend(keys);
        }
        Value::List(_) | Value::Vector(_) | Value::Set(_) => {
            let mut all = Seen::default();
            let mut maps = Vec::new();
            for item in value.items().into_iter().flatten() {
                cx.spend(1)?;
                all.add(item);
                maps.extend(item.as_map());
            }
            summary.push(entry("count", Value::Int(all.count)));
            if all.count > 0 {
                let mut items = vec![entry("types", all.types())];
                if maps.is_empty() {
                    items.push(entry("examples", Value::vector(all.examples)));
                } else {
                    items.extend(keys(cx, maps.into_iter(), true)?);
                }
                summary.push(entry("items", Value::map(items)));
            }
        }
        Value::Str(text) => {
            cx.spend(text.len() as u64 / 16 + 1)?;
            summary.push(entry("count", Value::Int(text.chars().count() as i64)));
            summary.push(entry("example", example(value)));
        }
        Value::Nil => {}
        _ => summary.push(entry("example", example(value))),
    }
    let summary = Value::map(summary);
    cx.alloc(1024)?;
    cx.depth(summary.depth())?;
    Ok(summary)
}

/// Summarises the values under the keys of maps. Values of private keys are hidden.
fn keys<'m>(
    cx: &mut Cx,
    maps: impl Iterator<Item = &'m Map>,
    many: bool,
) -> Res<Vec<(Value, Value)>> {
    let mut order: Vec<(Value, Seen)> = Vec::new();
    let mut places: Map = Map::default();
    for map in maps {
        cx.spend(map.len() as u64)?;
        for (key, value) in map.iter() {
            let place = match places.get(key).and_then(Value::as_int) {
                Some(place) => place as usize,
                None => {
                    places.insert((key.clone(), Value::Int(order.len() as i64)));
                    cx.alloc(64)?;
                    order.push((key.clone(), Seen::default()));
                    order.len() - 1
                }
            };
            if place >= MAX_KEYS {
                continue;
            }
            if let Some((_, seen)) = order.get_mut(place) {
                seen.add(value);
            }
        }
    }
    let more = order.len().saturating_sub(MAX_KEYS);
    let told = order.into_iter().take(MAX_KEYS).map(|(key, seen)| {
        let private = key.name().is_some_and(|name| name.starts_with('_'));
        let mut about = Vec::new();
        if many {
            about.push(entry("present", Value::Int(seen.count)));
        }
        about.push(entry("types", seen.types()));
        if !private {
            about.push(entry("examples", Value::vector(seen.examples)));
        }
        (key, Value::map(about))
    });
    let mut all = vec![entry("keys", Value::map(told.collect::<Vec<_>>()))];
    if more > 0 {
        all.push(entry("more-keys", Value::Int(more as i64)));
    }
    Ok(all)
}
