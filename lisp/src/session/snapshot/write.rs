//! Writes values as texts. A value becomes a numbered part if it is shared, or if programs can distinguish it from a
//! copy.
//!
//! One walk counts the references to each value; equal texts are one value. A part follows the parts that it holds, so a reader can make them in
//! order. Only a lazy sequence may hold itself, through an earlier part.

use std::sync::Arc;

use arcstr::ArcStr;
use hashbrown::HashMap;

use super::apart::{Decomposed, Programs, decompose, has_identity};
use super::lost::{Dropped, SnapshotError, propagate};
use ptc_values::{Ext, Value, print};

/// The nesting depth in one text above which a value becomes a part.
const NESTED: u32 = 48;

/// The weight up to which shared data is repeated instead of becoming a part. That is easier to read.
const SMALL: u32 = 16;

/// The weight at which counting stops.
const LARGE: u32 = 1 << 20;

/// The bytes above which a text may become a part.
const LONG: usize = 64;

/// A kept item: its name in a warning, and its values.
pub(super) struct Root {
    pub(super) what: String,
    pub(super) values: Vec<Value>,
}

/// The texts of everything kept.
pub(super) struct Written {
    /// The texts of each root's values; `None` if it was dropped.
    pub(super) roots: Vec<Option<Vec<String>>>,
    pub(super) parts: Vec<String>,
    pub(super) dropped: Vec<Dropped>,
}

/// The facts about a visited value.
struct Seen {
    /// Held so that its address is not reused.
    value: Value,
    /// The number of references to it.
    count: u32,
    /// The approximate length of its text.
    weight: u32,
    /// The nesting depth of its text.
    height: u32,
    /// Its tag and data; `None` for plain data.
    tagged: Option<(&'static str, Value)>,
    /// Whether its items are still being visited.
    open: bool,
    is_lazy: bool,
    /// The reason it has no form.
    bad: Option<String>,
    /// Whether it became a part because it nests deep.
    is_cut: bool,
    /// Its number among the parts.
    part: Option<usize>,
}

impl Seen {
    fn new(value: Value) -> Seen {
        Seen {
            value,
            count: 1,
            weight: 1,
            height: 0,
            tagged: None,
            open: true,
            is_lazy: false,
            bad: None,
            is_cut: false,
            part: None,
        }
    }

    fn is_part(&self) -> bool {
        let own = self.tagged.as_ref().is_some_and(|(tag, _)| has_identity(tag));
        self.is_cut || self.count > 1 && (own || self.weight > SMALL)
    }
}

/// A value whose items are being visited.
struct Level {
    seen: usize,
    held: std::vec::IntoIter<Value>,
    weight: u32,
    height: u32,
}

struct Writer<'p> {
    programs: &'p mut Programs,
    seen: Vec<Seen>,
    places: HashMap<Place, usize>,
    /// Visited values, inner ones first.
    order: Vec<usize>,
    /// Pairs of holder and held.
    holds: Vec<(usize, usize)>,
    /// The number of values that may still be visited. Each takes at least two bytes of text.
    left: usize,
    max: usize,
}

/// Writes all roots in at most `max` bytes.
pub(super) fn write(
    roots: Vec<Root>,
    programs: &mut Programs,
    max: usize,
) -> Result<Written, SnapshotError> {
    let mut writer = Writer {
        programs,
        seen: Vec::new(),
        places: HashMap::new(),
        order: Vec::new(),
        holds: Vec::new(),
        left: max / 2,
        max,
    };
    let mut tops = Vec::with_capacity(roots.len());
    for root in &roots {
        tops.push(writer.walk(&root.values)?);
    }
    let count = writer.seen.len();
    let bad = writer.seen.iter_mut().map(|seen| seen.bad.take()).collect();
    let bad = propagate(&writer.holds, count, bad);
    let mut last = 0;
    for at in &writer.order {
        if let Some(seen) = writer.seen.get_mut(*at)
            && bad.get(*at).is_none_or(Option::is_none)
            && seen.is_part()
        {
            seen.part = Some(last);
            last += 1;
        }
    }
    let mut out = Vec::new();
    for at in std::mem::take(&mut writer.order) {
        if let Some(seen) = writer.seen.get(at)
            && seen.part.is_some()
        {
            let value = seen.value.clone();
            out.push(writer.text(value, true)?);
        }
    }
    let mut written = Written { roots: Vec::new(), parts: out, dropped: Vec::new() };
    for (root, top) in roots.into_iter().zip(tops) {
        if let Some(Some(why)) = bad.get(top) {
            written.dropped.push(Dropped { what: root.what, why: why.clone() });
            written.roots.push(None);
            continue;
        }
        let texts = root.values.into_iter().map(|value| writer.text(value, false));
        written.roots.push(Some(texts.collect::<Result<_, _>>()?));
    }
    Ok(written)
}

/// The identity of a value. Programs cannot distinguish equal texts, and a replayed run may hold one text where the
/// recorded one held two.
#[derive(PartialEq, Eq, Hash)]
enum Place {
    Address(usize),
    Text(ArcStr),
}

/// Returns the identity of a value; `None` for kinds that are never shared.
fn place_of(value: &Value) -> Option<Place> {
    Some(Place::Address(match value {
        Value::Str(text) if text.len() > LONG => return Some(Place::Text(text.clone())),
        Value::List(seq) => Arc::as_ptr(seq).addr(),
        Value::Vector(vector) => Arc::as_ptr(vector).addr(),
        Value::Map(map) => Arc::as_ptr(map).addr(),
        Value::Set(set) => Arc::as_ptr(set).addr(),
        Value::Function(closure) => Arc::as_ptr(closure).addr(),
        Value::Ext(ext) => Arc::as_ptr(ext).addr(),
        _ => return None,
    }))
}

impl Writer<'_> {
    /// Visits values that are kept together and returns their number among the visited ones.
    fn walk(&mut self, values: &[Value]) -> Result<usize, SnapshotError> {
        let top = self.seen.len();
        self.seen.push(Seen::new(Value::Nil));
        let mut levels = vec![self.level(top, values.to_vec())?];
        while let Some(level) = levels.last_mut() {
            let Some(value) = level.held.next() else {
                let Some(done) = levels.pop() else { break };
                let (at, weight, height) = self.leave(&done);
                if let Some(above) = levels.last_mut() {
                    self.holds.push((above.seen, at));
                    above.weight = above.weight.saturating_add(weight).min(LARGE);
                    above.height = above.height.max(height);
                }
                continue;
            };
            let above = level.seen;
            match self.enter(value, above)? {
                Entered::Inside(inside) => levels.push(inside),
                Entered::Over(weight, height) => {
                    level.weight = level.weight.saturating_add(weight).min(LARGE);
                    level.height = level.height.max(height);
                }
            }
        }
        Ok(top)
    }

    fn level(&mut self, seen: usize, held: Vec<Value>) -> Result<Level, SnapshotError> {
        let Some(left) = self.left.checked_sub(held.len()) else {
            return Err(SnapshotError::too_large(self.max));
        };
        self.left = left;
        Ok(Level { seen, held: held.into_iter(), weight: 1, height: 0 })
    }

    fn enter(&mut self, value: Value, above: usize) -> Result<Entered, SnapshotError> {
        let place = place_of(&value);
        if let Some(at) = place.as_ref().and_then(|place| self.places.get(place).copied())
            && let Some(seen) = self.seen.get_mut(at)
        {
            seen.count += 1;
            self.holds.push((above, at));
            let (weight, height) = (seen.weight, seen.height);
            if seen.open && !seen.is_lazy {
                let why = Some("it holds itself".to_owned());
                if let Some(above) = self.seen.get_mut(above) {
                    above.bad = why;
                }
            }
            return Ok(Entered::Over(weight, height));
        }
        let taken = decompose(&value, self.programs);
        let Some(place) = place else {
            let length = if let Decomposed::Text(text) = taken { text.len() } else { 0 };
            return Ok(Entered::Over(1 + length as u32 / 16, 0));
        };
        let at = self.seen.len();
        self.places.insert(place, at);
        let mut seen = Seen::new(value);
        let held = match taken {
            Decomposed::Text(text) => {
                seen.weight = 1 + text.len() as u32 / 16;
                Vec::new()
            }
            Decomposed::Items { items, .. } | Decomposed::Pairs(items) => items,
            Decomposed::Tagged(tag, data) => {
                seen.is_lazy = matches!(tag, "lazy" | "endless");
                seen.tagged = Some((tag, data.clone()));
                vec![data]
            }
            Decomposed::Nothing(why) => {
                seen.bad =
                    Some(format!("{} has no form in a snapshot: {why}", name_of(&seen.value)));
                Vec::new()
            }
        };
        let weight = seen.weight;
        self.seen.push(seen);
        let mut level = self.level(at, held)?;
        level.weight = weight;
        Ok(Entered::Inside(level))
    }

    /// Records the facts about a value whose items are done.
    fn leave(&mut self, level: &Level) -> (usize, u32, u32) {
        self.order.push(level.seen);
        let Some(seen) = self.seen.get_mut(level.seen) else { return (level.seen, 1, 0) };
        seen.open = false;
        seen.weight = level.weight;
        seen.height = level.height + 1;
        if seen.height > NESTED && place_of(&seen.value).is_some() {
            seen.is_cut = true;
            seen.height = 0;
        }
        (level.seen, seen.weight, seen.height)
    }

    /// Returns the text of a value. With `whole`, a part is written out.
    fn text(&mut self, value: Value, whole: bool) -> Result<String, SnapshotError> {
        enum Out {
            Text(&'static str),
            Close(char),
            Value(Value, bool),
        }
        let mut out = String::new();
        let mut work = vec![Out::Value(value, whole)];
        while let Some(next) = work.pop() {
            if out.len() > self.max {
                return Err(SnapshotError::too_large(self.max));
            }
            let (value, whole) = match next {
                Out::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Out::Close(close) => {
                    out.push(close);
                    continue;
                }
                Out::Value(value, whole) => (value, whole),
            };
            let seen = place_of(&value).and_then(|place| self.places.get(&place));
            let seen = seen.and_then(|at| self.seen.get(*at));
            if let Some(part) = seen.and_then(|seen| seen.part)
                && !whole
            {
                out.push_str("#part ");
                out.push_str(&part.to_string());
                continue;
            }
            // Parts are found by address, so the visited data must be written.
            let taken = match seen.and_then(|seen| seen.tagged.clone()) {
                Some((tag, data)) => Decomposed::Tagged(tag, data),
                None => decompose(&value, self.programs),
            };
            match taken {
                Decomposed::Text(text) => out.push_str(&text),
                Decomposed::Tagged(tag, data) => {
                    out.push('#');
                    out.push_str(tag);
                    out.push(' ');
                    work.push(Out::Value(data, false));
                }
                Decomposed::Items { open, close, items } => {
                    out.push_str(open);
                    work.push(Out::Close(close));
                    for (at, item) in items.into_iter().enumerate().rev() {
                        work.push(Out::Value(item, false));
                        if at > 0 {
                            work.push(Out::Text(" "));
                        }
                    }
                }
                Decomposed::Pairs(items) => {
                    out.push('{');
                    work.push(Out::Close('}'));
                    for (at, item) in items.into_iter().enumerate().rev() {
                        work.push(Out::Value(item, false));
                        if at > 0 {
                            work.push(Out::Text(if at % 2 == 0 { ", " } else { " " }));
                        }
                    }
                }
                Decomposed::Nothing(_) => out.push_str("nil"),
            }
        }
        // The remaining bytes, for all other texts.
        let Some(max) = self.max.checked_sub(out.len()) else {
            return Err(SnapshotError::too_large(self.max));
        };
        self.max = max;
        Ok(out)
    }
}

enum Entered {
    Inside(Level),
    Over(u32, u32),
}

/// Describes a value in few words.
fn name_of(value: &Value) -> String {
    match value {
        Value::Ext(ext) if matches!(**ext, Ext::Time(_)) => print::display(value),
        Value::Function(_) => value.to_string(),
        _ => format!("the {}", value.type_name()),
    }
}
