//! Result rules of builtins: the shape of a result for the shapes of arguments. Rows of the table
//! name these rules.
//!
//! A rule states only what is certain. Every test run compares actual values with it.

use ptc_signatures::Kinds;

use crate::shape::{Fields, Length, Others, Reader, Shape};
use ptc_values::{Value, own_name};

/// The input of a builtin.
pub struct Input<'a> {
    /// The shapes of its arguments.
    pub args: &'a [&'a Shape],
    /// The result of the function that it calls.
    pub result: &'a Shape,
    /// The result of a fold over that function.
    pub folded: Option<&'a Shape>,
    /// The number of calls of the function, if known.
    pub times: Option<&'a Length>,
}

impl<'a> Input<'a> {
    /// Creates the input of a builtin that calls no function.
    pub fn alone(args: &'a [&'a Shape]) -> Input<'a> {
        Input { args, result: Shape::UNKNOWN, folded: None, times: None }
    }

    pub fn last(&self) -> usize {
        self.args.len().saturating_sub(1)
    }

    /// Returns an argument; any value if it is missing.
    pub fn arg(&self, at: usize) -> &Shape {
        self.args.get(at).copied().unwrap_or(Shape::UNKNOWN)
    }

    pub fn item(&self, at: usize) -> Shape {
        self.arg(at).item().plain()
    }

    pub fn length(&self, at: usize) -> Option<Length> {
        self.arg(at).length()
    }

    /// Returns a list of a given length.
    pub fn sized(&self, item: Shape, length: Option<Length>) -> Shape {
        Shape::list(item, length.unwrap_or_default())
    }

    pub fn list_of(&self, item: Shape) -> Shape {
        self.sized(item, None)
    }

    /// Returns a list with the items and the length of an argument.
    pub fn same(&self, at: usize) -> Shape {
        self.sized(self.item(at), self.length(at))
    }

    /// Returns a list of at most the items of an argument.
    pub fn fewer(&self, at: usize) -> Shape {
        self.sized(self.item(at), self.length(at).map(|length| length.up_to()))
    }

    /// Returns a list of at least one item of an argument.
    pub fn some_of(&self, at: usize) -> Shape {
        Shape::list(self.item(at), Length { least: 1, ..Length::default() })
    }

    /// Returns the union of the arguments from an index on.
    pub fn any_of(&self, from: usize) -> Shape {
        let args = self.args.iter().skip(from).map(|item| (*item).clone());
        args.reduce(|a, b| a.or(&b)).unwrap_or(Shape::ANY).plain()
    }

    /// Returns a list of at most one item per call.
    pub fn fewer_of(&self, item: Shape) -> Shape {
        self.sized(item.plain(), self.times.map(Length::up_to))
    }
}

/// Returns a list with the function's result for every call.
pub fn results(given: &Input<'_>) -> Shape {
    given.sized(given.result.clone().plain(), given.times.cloned())
}

/// Returns a list of the items that pass the function.
pub fn kept(given: &Input<'_>) -> Shape {
    given.fewer_of(given.arg(1).item())
}

/// Returns the items of the last argument in another order.
pub fn ordered(given: &Input<'_>) -> Shape {
    let last = given.last();
    match given.args {
        [_] => given.same(last),
        _ => given.sized(given.item(last), given.times.cloned()),
    }
}

pub fn folded(given: &Input<'_>) -> Shape {
    // A builtin makes a value of its own, such as `conj` and `merge`.
    given.folded.cloned().unwrap_or(Shape::Made)
}

/// Returns the result of `group-by`.
pub fn groups(given: &Input<'_>) -> Shape {
    Shape::entries(given.result.clone(), given.some_of(1))
}

/// Returns the result of `split-with`.
pub fn two_parts(given: &Input<'_>) -> Shape {
    let part = given.fewer_of(given.arg(1).item());
    Shape::Items([part.clone(), part].into())
}

/// Returns the result of `apply`. A builtin makes a value of its own, such as `merge-with`.
pub fn of_apply(given: &Input<'_>) -> Shape {
    match given.arg(0) {
        Shape::Kinds(Kinds::OTHER) => Shape::Made,
        _ => Shape::ANY,
    }
}

/// Returns the result of `filter-vals`.
pub fn some_entries(given: &Input<'_>) -> Shape {
    match given.arg(1) {
        entries @ Shape::Entries(_) => entries.clone(),
        map if map.is_own_map() => Shape::dictionary(),
        _ => Shape::ANY,
    }
}

/// Returns the result of `update-vals`.
pub fn with_vals(given: &Input<'_>) -> Shape {
    match given.arg(0) {
        map @ (Shape::Map(_) | Shape::Entries(_)) => {
            Shape::entries(key_of(map), given.result.clone())
        }
        _ => Shape::ANY,
    }
}

/// Returns the result of `update-keys`.
pub fn with_keys(given: &Input<'_>) -> Shape {
    match given.arg(0) {
        map @ (Shape::Map(_) | Shape::Entries(_)) => {
            Shape::entries(given.result.clone(), value_of(map))
        }
        _ => Shape::ANY,
    }
}

/// Returns the result of `update`: the map with another value under its key.
pub fn updated(given: &Input<'_>) -> Shape {
    let (map, key, value) = (given.arg(0), given.arg(1), given.result);
    match (map, key_of_field(key)) {
        (Shape::Map(map), Some(key)) => with_field(map, key, value),
        (Shape::Entries(entries), _) => Shape::entries(entries.0.or(key), entries.1.or(value)),
        (Shape::Map(fields), _) if fields.fields.is_empty() && !fields.open => {
            Shape::entries(key.clone(), value.clone())
        }
        _ if map.is_own_map() => Shape::dictionary(),
        _ => Shape::ANY,
    }
}

/// Returns the result of `assoc-in` and `update-in`: the map with another value at the end of a path.
pub fn put_in(given: &Input<'_>) -> Shape {
    let first = match given.arg(1) {
        Shape::Items(path) => path.first().and_then(key_of_field),
        _ => None,
    };
    match (given.arg(0), first) {
        (Shape::Map(map), Some(key)) => {
            let value = if map.open || map.has(&key) { Shape::ANY } else { Shape::Made };
            with_field(map, key, &value)
        }
        (map, _) if map.is_own_map() => Shape::dictionary(),
        _ => Shape::ANY,
    }
}

/// Returns the result of `juxt` and `comp`.
pub fn reader(make: fn(Vec<Shape>) -> Reader, given: &Input<'_>) -> Shape {
    let parts = given.args.iter().map(|part| Reader::part(part));
    Shape::Reader(make(parts.collect()).into())
}

pub fn complement(given: &Input<'_>) -> Shape {
    let parts = given.args.iter().map(|part| Reader::part(part));
    let all = std::iter::once(Shape::Kinds(Kinds::OTHER)).chain(parts);
    Shape::Reader(Reader::Comp(all.collect()).into())
}

pub fn seq(given: &Input<'_>) -> Shape {
    match given.arg(0) {
        Shape::Map(_) | Shape::Entries(_) => given.same(0).or_nil(),
        _ => given.fewer(0).or_nil(),
    }
}

pub fn not_empty(given: &Input<'_>) -> Shape {
    match given.arg(0) {
        map @ (Shape::Map(_) | Shape::Entries(_)) => map.clone().or_nil(),
        _ => given.fewer(0).or_nil(),
    }
}

/// Returns the result of `list`. Its items have no positions, since a sequence of keys and values destructures as a map.
pub fn sequence(given: &Input<'_>) -> Shape {
    let length = Length::exactly(given.args.len() as u64);
    let items = given.args.iter().map(|item| (*item).clone());
    let item = items.reduce(|a, b| a.or(&b)).unwrap_or(Shape::Kinds(Kinds::NONE));
    given.sized(item, Some(length))
}

/// Returns a vector as a sequence.
pub fn unpositioned(given: &Input<'_>) -> Shape {
    match given.arg(0) {
        Shape::Items(_) => given.same(0),
        other => other.clone(),
    }
}

pub fn concat(given: &Input<'_>) -> Shape {
    let items = given.args.iter().map(|list| list.item());
    given.list_of(items.reduce(|a, b| a.or(&b)).unwrap_or(Shape::Kinds(Kinds::NONE)))
}

pub fn cons(given: &Input<'_>) -> Shape {
    match given.args {
        [one, list] => given.list_of(list.item().or(one)),
        _ => Shape::Kinds(Kinds::LIST),
    }
}

pub fn conj(given: &Input<'_>) -> Shape {
    match given.args {
        [map @ Shape::Map(_), new @ ..] => with_entries(map, new.iter().copied()),
        [Shape::List(_) | Shape::Items(_), new @ ..] => {
            given.list_of(new.iter().fold(given.item(0), |all, one| all.or(one)))
        }
        _ => Shape::ANY,
    }
}

pub fn into(given: &Input<'_>) -> Shape {
    match given.args {
        [Shape::List(_) | Shape::Items(_), list] => given.list_of(given.item(0).or(&list.item())),
        [map @ Shape::Map(_), Shape::Items(pairs)] => with_entries(map, pairs.iter()),
        [map @ Shape::Map(_), more @ Shape::Map(_)] => merge(&Input::alone(&[*map, *more])),
        [map, list] => match (map, list.item()) {
            (map, item) if map.is_own_map() => filled(map, &item),
            _ => Shape::ANY,
        },
        [map, ..] if map.is_own_map() => Shape::dictionary(),
        _ => Shape::ANY,
    }
}

/// Returns a map of the program with more entries, of this shape.
pub fn filled(map: &Shape, entry: &Shape) -> Shape {
    match (map.collection(), entry) {
        (Shape::Map(map), Shape::Items(pair)) if map.fields.is_empty() => match &**pair {
            [key, value] => Shape::entries(key.clone(), value.clone()),
            _ => Shape::dictionary(),
        },
        (Shape::Entries(entries), Shape::Items(pair)) => match &**pair {
            [key, value] => Shape::entries(entries.0.or(key), entries.1.or(value)),
            _ => Shape::dictionary(),
        },
        _ => Shape::dictionary(),
    }
}

/// Returns a map with more entries: maps, or pairs of a key and a value.
fn with_entries<'s>(map: &Shape, new: impl Iterator<Item = &'s Shape>) -> Shape {
    let mut map = map.clone();
    for entry in new {
        map = match entry {
            Shape::Map(_) => merge(&Input::alone(&[&map, entry])),
            Shape::Items(pair) => match &**pair {
                [key, value] => assoc(&Input::alone(&[&map, key, value])),
                _ => return Shape::ANY,
            },
            _ => return Shape::ANY,
        };
    }
    map
}

/// Returns the map of alternating keys and values.
pub fn map_of(given: &Input<'_>) -> Shape {
    with_pairs(given.args.chunks_exact(2).map(|pair| (pair[0], pair[1])))
}

/// Returns the result of `zipmap`.
pub fn zipped(given: &Input<'_>) -> Shape {
    match (given.arg(0), given.arg(1)) {
        (Shape::Items(keys), Shape::Items(values)) => with_pairs(keys.iter().zip(values.iter())),
        _ => Shape::entries(given.item(0), given.item(1)),
    }
}

fn with_pairs<'s>(pairs: impl Iterator<Item = (&'s Shape, &'s Shape)>) -> Shape {
    let empty = Shape::record(Vec::new(), false);
    let map = pairs.fold(empty, |map, (key, value)| assoc(&Input::alone(&[&map, key, value])));
    match map {
        map @ (Shape::Map(_) | Shape::Entries(_)) => map,
        _ => Shape::dictionary(),
    }
}

/// Returns the result of `partition` and `partition-all`.
pub fn parts(given: &Input<'_>) -> Shape {
    match given.args.last() {
        Some(list) if given.args.len() < 4 => given.list_of(given.list_of(list.item())),
        _ => Shape::Kinds(Kinds::LIST),
    }
}

/// Returns the result of `nth` without a default.
pub fn nth(given: &Input<'_>) -> Shape {
    match given.args {
        [list, at] => item_at(list, at),
        _ => Shape::ANY,
    }
}

/// Returns the key or the value of an entry.
pub fn of_entry(given: &Input<'_>, at: usize) -> Shape {
    match given.arg(0).collection() {
        Shape::Items(pair) if pair.len() == 2 => pair.get(at).cloned().unwrap_or(Shape::ANY),
        _ => Shape::ANY,
    }
}

pub fn take(given: &Input<'_>) -> Shape {
    match given.args {
        [Shape::Known(Value::Int(count)), items] => {
            let most = u64::try_from(*count).unwrap_or(0);
            let length = items.length().unwrap_or_default();
            let shorter = length.most.is_some_and(|known| known <= most);
            let of = if shorter { length.of } else { None };
            let most = Some(length.most.map_or(most, |known| known.min(most)));
            Shape::list(items.item().plain(), Length { least: 0, most, of })
        }
        _ => Shape::Kinds(Kinds::LIST),
    }
}

pub fn first(given: &Input<'_>) -> Shape {
    match given.arg(0) {
        Shape::Items(items) if !items.is_empty() => {
            items.first().cloned().unwrap_or(Shape::ANY).plain()
        }
        _ => one(given),
    }
}

/// Returns an item of a list, or nil.
pub fn one(given: &Input<'_>) -> Shape {
    match given.arg(0) {
        Shape::Kinds(_) | Shape::Known(_) => Shape::ANY,
        _ => given.item(0).or_nil(),
    }
}

pub fn range(given: &Input<'_>) -> Shape {
    match given.args {
        [Shape::Known(Value::Int(end))] => {
            let length = Length::exactly(u64::try_from(*end).unwrap_or(0));
            Shape::list(Shape::Kinds(Kinds::INT), length)
        }
        _ => Shape::Kinds(Kinds::LIST),
    }
}

pub fn get(given: &Input<'_>) -> Shape {
    match given.args {
        [list @ (Shape::Items(_) | Shape::List(_)), at]
            if at.alternatives().iter().all(|at| at.name().is_none()) =>
        {
            item_at(list, at).or_nil()
        }
        [Shape::Entries(entries), _] => entries.1.clone().or_nil(),
        [Shape::Entries(entries), _, default] => entries.1.or(default),
        [map, key, default @ ..] => {
            let found = map.found(key);
            default.first().map_or(found.clone(), |default| found.or(default))
        }
        _ => Shape::ANY,
    }
}

pub fn name(given: &Input<'_>) -> Shape {
    let names = given.arg(0).alternatives().iter();
    let names = names.map(|it| match it {
        Value::Keyword(text) => Shape::Known(Value::str(own_name(text))),
        Value::Str(_) => Shape::Known(it.clone()),
        _ => Shape::ANY,
    });
    names.reduce(|a, b| a.or(&b)).unwrap_or(Shape::ANY)
}

pub fn dissoc(given: &Input<'_>) -> Shape {
    match given.args {
        [Shape::Map(map), keys @ ..] => match keys.iter().map(|key| key_of_field(key)).collect() {
            Some(keys) => {
                let keys: Vec<arcstr::ArcStr> = keys;
                let mut fields = map.fields.clone();
                fields.retain(|(name, _)| !keys.contains(name));
                Shape::Map(Fields { fields, open: map.open, others: map.others }.into())
            }
            None => Shape::dictionary(),
        },
        [entries @ Shape::Entries(_), ..] => (*entries).clone(),
        _ => Shape::ANY,
    }
}

pub fn select_keys(given: &Input<'_>) -> Shape {
    let [map, Shape::Items(keys)] = given.args else { return Shape::Kinds(Kinds::MAP) };
    let keys: Option<Vec<_>> = keys.iter().map(key_of_field).collect();
    match keys {
        Some(keys) if has_fields(map) => {
            let field = |key: arcstr::ArcStr| (key.clone(), map.field_of(&key).plain());
            let fields = keys.into_iter().map(field).collect();
            Shape::Map(Fields { fields, open: false, others: others_of(map) }.into())
        }
        _ => Shape::Kinds(Kinds::MAP),
    }
}

pub fn assoc(given: &Input<'_>) -> Shape {
    match given.args {
        [Shape::Maybe(map), rest @ ..] if matches!(&**map, Shape::Map(_)) => {
            let map = with_nilable_fields(map);
            let args: Vec<&Shape> = std::iter::once(&map).chain(rest.iter().copied()).collect();
            assoc(&Input::alone(&args))
        }
        [Shape::Map(fields), rest @ ..] => {
            let mut all = fields.fields.clone();
            let mut open = fields.open;
            for pair in rest.chunks(2) {
                match pair {
                    [Shape::Known(Value::Keyword(key) | Value::Str(key)), value] => {
                        all.retain(|(known, _)| known != key);
                        all.push((key.clone(), (*value).clone().plain()));
                    }
                    _ => open = true,
                }
            }
            // An unknown key may be any of the fields.
            if open && !fields.open {
                return match rest {
                    [key, value] if fields.fields.is_empty() => {
                        Shape::entries((*key).clone(), (*value).clone())
                    }
                    _ => Shape::dictionary(),
                };
            }
            Shape::Map(Fields { fields: all, open, others: fields.filled() }.into())
        }
        [Shape::Entries(entries), key, value] => {
            Shape::entries(entries.0.or(key), entries.1.or(value))
        }
        _ => Shape::ANY,
    }
}

pub fn merge(given: &Input<'_>) -> Shape {
    let args = given.args;
    if args.is_empty() || !args.iter().all(|arg| matches!(arg, Shape::Map(_))) {
        let are_own = !args.is_empty() && args.iter().all(|arg| arg.is_own_map());
        return if are_own { Shape::dictionary() } else { Shape::ANY };
    }
    let mut all: Vec<(arcstr::ArcStr, Shape)> = Vec::new();
    let (mut open, mut others, mut guessed) = (false, Others::Allowed, false);
    for arg in args {
        let Shape::Map(map) = arg else { continue };
        if map.open {
            // An open map may have the other fields too.
            for (_, value) in &mut all {
                *value = Shape::ANY;
            }
            open = true;
        }
        others = others.max(map.others);
        guessed |= map.open && map.others == Others::Allowed;
        for (key, value) in &map.fields {
            let before = all.iter().position(|(known, _)| known == key);
            let before = before.map(|at| all.remove(at).1);
            let value = match before {
                // A field that may be absent keeps the value before it.
                Some(before) if value.kinds().meets(Kinds::NIL) => before.or(value),
                _ => value.clone(),
            };
            all.push((key.clone(), value));
        }
    }
    let others = if guessed { Others::Allowed } else { others };
    Shape::Map(Fields { fields: all, open, others }.into())
}

/// Returns the value that a map pattern matches. The input may be a map, nil, or a sequence of keys and values; a vector
/// is itself.
pub fn as_map(given: &Input<'_>) -> Shape {
    let named = Kinds::KEYWORD | Kinds::STRING | Kinds::MAP;
    match given.arg(0) {
        // A sequence without names has no keys that a pattern reads, and neither has a vector.
        list @ Shape::List(items) if !items.0.kinds().meets(named) => list.clone(),
        Shape::Maybe(inner) if !has_fields(inner) && !matches!(**inner, Shape::Items(_)) => {
            Shape::ANY
        }
        map @ (Shape::Map(_) | Shape::Entries(_) | Shape::Data(_) | Shape::Maybe(_)) => map.clone(),
        vector @ Shape::Items(_) => vector.clone(),
        other if !other.kinds().meets(Kinds::LIST | Kinds::MAP | Kinds::OTHER) => other.clone(),
        _ => Shape::ANY,
    }
}

/// Returns the result of `max` and `min`.
pub fn extreme(given: &Input<'_>) -> Shape {
    match given.args {
        [only] => (*only).clone(),
        // Dates are texts outside a program.
        all if all.iter().all(|arg| arg.kinds().meets(Kinds::STRING)) => {
            Shape::Kinds(Kinds::NUMBER | Kinds::STRING)
        }
        _ => Shape::Kinds(Kinds::NUMBER),
    }
}

/// Returns the item at a position; nil if there is none.
pub fn item_at(list: &Shape, at: &Shape) -> Shape {
    match (list.collection(), at) {
        (Shape::Items(items), Shape::Known(Value::Int(at))) => {
            let item = usize::try_from(*at).ok().and_then(|at| items.get(at));
            item.cloned().unwrap_or(Shape::NIL).plain()
        }
        (Shape::List(_) | Shape::Items(_) | Shape::Data(_), _) => list.item().plain().or_nil(),
        _ => Shape::ANY,
    }
}

pub fn key_of(map: &Shape) -> Shape {
    match map.collection() {
        Shape::Entries(entries) => entries.0.clone(),
        Shape::Map(map) if !map.open => Shape::Kinds(Kinds::KEYWORD | Kinds::STRING),
        _ => Shape::ANY,
    }
}

pub fn value_of(map: &Shape) -> Shape {
    match map.collection() {
        map @ (Shape::Entries(_) | Shape::Map(_) | Shape::Data(_)) => match map.item() {
            Shape::Items(pair) => pair.get(1).cloned().unwrap_or(Shape::ANY),
            _ => Shape::ANY,
        },
        _ => Shape::ANY,
    }
}

/// Returns the name of a literal key.
fn key_of_field(key: &Shape) -> Option<arcstr::ArcStr> {
    match key {
        Shape::Known(Value::Keyword(key) | Value::Str(key)) => Some(key.clone()),
        _ => None,
    }
}

fn with_field(map: &Fields<false>, key: arcstr::ArcStr, value: &Shape) -> Shape {
    let mut fields = map.fields.clone();
    fields.retain(|(known, _)| *known != key);
    fields.push((key, value.clone().plain()));
    Shape::Map(Fields { fields, open: map.open, others: map.filled() }.into())
}

/// Makes every field of a map nilable, for a map that may be absent.
fn with_nilable_fields(map: &Shape) -> Shape {
    match map {
        Shape::Map(map) => {
            let fields = map.fields.iter();
            let fields = fields.map(|(name, it)| (name.clone(), it.clone().or_nil())).collect();
            Shape::Map(Fields { fields, open: map.open, others: map.others }.into())
        }
        other => other.clone(),
    }
}

fn has_fields(map: &Shape) -> bool {
    matches!(map.collection(), Shape::Map(_) | Shape::Data(_))
}

fn others_of(map: &Shape) -> Others {
    match map.collection() {
        Shape::Map(map) => map.others,
        Shape::Data(data) => data.others(),
        _ => Others::Allowed,
    }
}
