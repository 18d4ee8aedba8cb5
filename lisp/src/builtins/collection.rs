//! What all collections share.

use std::sync::Arc;

use arcstr::ArcStr;

use super::{Builtin, at_least, between, exactly, find_in, lookup, pure, take, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{Cx, Res, items_of, set_of};
use crate::value::{COPY_MAX, Ext, Lazy, Map, Seq, Value, Vector};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "count",
        exactly(1),
        "coll",
        "How many items it has.",
        "(count [1 2]) => 2",
        |cx, args| {
            if let Value::Str(text) = &args[0] {
                return Ok(Value::Int(cx.positions.count(text) as i64));
            }
            super::sequence::count_of("count", &args[0]).map(|count| Value::Int(count as i64))
        },
    ),
    pure(
        "get",
        between(2, 3),
        "coll key|coll key default",
        "The value of a key, or the item at a position; nil or the default if there is none.",
        "(get {:a 1} :b 0) => 0",
        |cx, args| {
            cx.look_for(&args[1])?;
            match args {
                [Value::Str(text), key] => Ok(character(cx, text, key)),
                [Value::Str(text), key, default] => match character(cx, text, key) {
                    Value::Nil => Ok(std::mem::take(default)),
                    found => Ok(found),
                },
                [collection, key, default] => {
                    Ok(find_in(collection, key).cloned().unwrap_or_else(|| std::mem::take(default)))
                }
                [collection, key, ..] => Ok(lookup(collection, key)),
                _ => Ok(Value::Nil),
            }
        },
    ),
    pure(
        "get-in",
        between(2, 3),
        "coll keys|coll keys default",
        "The value at the end of a path of keys.",
        "(get-in {:a {:b 1}} [:a :b]) => 1",
        get_in,
    ),
    pure(
        "contains?",
        exactly(2),
        "coll key",
        "Whether a map has a key, a set a member, a vector a position.",
        "(contains? {:a nil} :a) => true",
        |cx, args| {
            cx.look_for(&args[1])?;
            contains("contains?", &args[0], &args[1]).map(Value::Bool)
        },
    ),
    pure(
        "conj",
        at_least(0),
        "|coll & items",
        "The collection with items added: at the end of a vector, in front of a list.",
        "(conj [1] 2) => [1 2]",
        conj,
    ),
    pure(
        "assoc",
        at_least(3),
        "coll key value & more",
        "The map or vector with values put under keys.",
        "(assoc {:a 1} :b 2) => {:a 1, :b 2}",
        assoc,
    ),
    pure(
        "assoc-in",
        exactly(3),
        "coll keys value",
        "The map with a value put at the end of a path of keys.",
        "(assoc-in {} [:a :b] 1) => {:a {:b 1}}",
        |cx, args| {
            let value = take(args, 2);
            let path = items_of(cx, take(args, 1))?;
            put_in(cx, take(args, 0), &path, value)
        },
    ),
    pure(
        "into",
        exactly(2),
        "to from",
        "The first collection with the items of the second added.",
        "(into [1] '(2 3)) => [1 2 3]",
        |cx, args| {
            let from = items_of(cx, take(args, 1))?;
            conj_all(cx, take(args, 0), from)
        },
    ),
    pure(
        "empty",
        exactly(1),
        "coll",
        "An empty collection of the same kind.",
        "(empty [1]) => []",
        |_, args| {
            Ok(match &args[0] {
                // As on the JVM, where there is no empty entry.
                Value::Vector(vector) if vector.as_entry().is_some() => Value::Nil,
                Value::Vector(_) => Value::vector(Vec::new()),
                Value::List(queue) if queue.is_queue() => Value::empty_queue(),
                Value::List(_) => Value::empty_list(),
                Value::Map(map) => Value::Map(Arc::new(map.empty_like())),
                Value::Set(set) => Value::Set(Arc::new(set.empty_like())),
                _ => Value::Nil,
            })
        },
    ),
    pure(
        "not-empty",
        exactly(1),
        "coll",
        "The collection, or nil if it has no items.",
        "(not-empty []) => nil",
        |_, args| {
            Ok(if super::sequence::count_of("not-empty", &args[0])? == 0 {
                Value::Nil
            } else {
                take(args, 0)
            })
        },
    ),
    pure(
        "vec",
        exactly(1),
        "coll",
        "The items as a vector.",
        "(vec '(1 2)) => [1 2]",
        |cx, args| match take(args, 0) {
            vector @ Value::Vector(_) => Ok(vector),
            other => {
                super::sequence::check_items(&other).map_err(|problem| {
                    problem.with_class("RuntimeException").with_jvm_message(format!(
                        "Unable to convert: class {} to Object[]",
                        super::class_name(&other, true)
                    ))
                })?;
                let items = items_of(cx, other)?;
                cx.vector(items)
            }
        },
    ),
    pure(
        "vector",
        at_least(0),
        "& items",
        "A vector of the arguments.",
        "(vector 1 2) => [1 2]",
        |cx, args| {
            let items = args.iter_mut().map(std::mem::take).collect();
            cx.vector(items)
        },
    ),
    pure(
        "list",
        at_least(0),
        "& items",
        "A list of the arguments.",
        "(list 1 2) => (1 2)",
        |cx, args| {
            let items = args.iter_mut().map(std::mem::take).collect();
            cx.seq(Seq::new(items).into_list())
        },
    ),
    pure(
        "set",
        exactly(1),
        "coll",
        "The items as a set.",
        "(set [1 1 2]) => #{1 2}",
        |cx, args| {
            let items = items_of(cx, take(args, 0))?;
            set_of(cx, items.into_iter())
        },
    ),
    pure(
        "hash-set",
        at_least(0),
        "& items",
        "A set of the arguments.",
        "(hash-set 1 1 2) => #{1 2}",
        |cx, args| set_of(cx, args.iter_mut().map(std::mem::take)),
    ),
    pure(
        "peek",
        exactly(1),
        "coll",
        "The last item of a vector, the first of a list or a queue.",
        "(peek [1 2]) => 2",
        |_, args| match &args[0] {
            Value::Nil => Ok(Value::Nil),
            Value::Vector(vector) => Ok(vector
                .len()
                .checked_sub(1)
                .and_then(|last| vector.get(last))
                .cloned()
                .unwrap_or_default()),
            Value::List(seq) if seq.is_list() || seq.is_queue() || seq.is_empty() => {
                Ok(seq.get(0).cloned().unwrap_or_default())
            }
            other => Err(wrong_type("peek", "a vector or a list", other)
                .with_help("write `(first xs)` for the first item of a sequence")),
        },
    ),
    pure(
        "pop",
        exactly(1),
        "coll",
        "A vector without its last item, a list or a queue without its first.",
        "(pop [1 2]) => [1]",
        |cx, args| match take(args, 0) {
            Value::Nil => Ok(Value::Nil),
            Value::Vector(mut vector) if !vector.is_empty() => {
                cx.spend(1)?;
                cx.own_vector(&mut vector)?.pop();
                Ok(Value::Vector(vector))
            }
            Value::List(queue) if queue.is_queue() => {
                cx.alloc(64)?;
                Ok(Value::List(Seq::dequeue(queue)))
            }
            Value::List(seq) if !seq.is_empty() && seq.is_list() => {
                Ok(Value::List(Seq::skip(seq, 1)))
            }
            Value::List(seq) if !seq.is_empty() => {
                Err(wrong_type("pop", "a vector or a list", &Value::List(seq))
                    .with_help("write `(rest xs)` for a sequence without its first item"))
            }
            source @ (Value::Vector(_) | Value::List(_)) => {
                let empty = if matches!(source, Value::Vector(_)) { "vector" } else { "list" };
                Err(Diagnostic::new(Code::OutOfBounds, "`pop` of an empty collection")
                    .with_class("IllegalStateException")
                    .with_jvm_message(format!("Can't pop empty {empty}"))
                    .with_help("test it first with `(seq coll)`"))
            }
            other => Err(wrong_type("pop", "a vector or a list", &other)),
        },
    ),
    pure(
        "subvec",
        between(2, 3),
        "vector start|vector start end",
        "The items of a vector from start to before end.",
        "(subvec [1 2 3] 1) => [2 3]",
        |cx, args| {
            let Value::Vector(vector) = &args[0] else {
                return Err(wrong_type("subvec", "a vector", &args[0]));
            };
            let position = |value| super::sequence::cut("subvec", "a position", value);
            let start = position(&args[1])?;
            let end = args.get(2).map_or(Ok(vector.len() as i64), position)?;
            if start < 0 || start > end || end as usize > vector.len() {
                let all = vector.len();
                return Err(Diagnostic::new(
                    Code::OutOfBounds,
                    format!("`subvec` from {start} to {end} of a vector of {all} items"),
                ));
            }
            // A long part shares its items.
            let copied = ((end - start) as usize).min(COPY_MAX) as u64;
            cx.spend(copied)?;
            let part = Vector::part(vector, start as usize, end as usize);
            cx.changed_vector(Arc::new(part), copied * 16 + 64)
        },
    ),
    pure(
        "reduced",
        exactly(1),
        "x",
        "The value that ends a `reduce` at once.",
        "(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) [1 2 3]) => 3",
        |cx, args| {
            cx.alloc(64)?;
            // The depth of nested ones is counted by native calls, so there are few.
            let (mut inner, mut nested) = (&args[0], 0);
            while let Value::Ext(ext) = inner
                && let Ext::Reduced(next) = &**ext
            {
                (inner, nested) = (next, nested + 1);
            }
            if nested >= 32 {
                return Err(wrong_type("reduced", "a value that is not reduced yet", &args[0]));
            }
            cx.depth(args[0].depth() + 1)?;
            Ok(Ext::Reduced(take(args, 0)).into_value())
        },
    ),
    pure("identity", exactly(1), "x", "The value itself.", "(identity 1) => 1", |_, args| {
        Ok(take(args, 0))
    }),
    pure(
        "memory/get",
        between(1, 2),
        "key|key default",
        "What was kept under a key in an earlier turn or before in this one.",
        "(memory/get :nothing 0) => 0",
        |cx, args| {
            let found = cx.own.memory.get(&args[0]).cloned();
            Ok(found.unwrap_or_else(|| take(args, 1)))
        },
    ),
    pure(
        "memory/put",
        exactly(2),
        "key value",
        "Keeps a value under a key for later turns, and gives it.",
        "(memory/put :n 1) => 1",
        |cx, args| {
            if args[0].name().is_none() {
                return Err(wrong_type("memory/put", "a keyword or string as its key", &args[0]));
            }
            cx.alloc(64)?;
            let (key, value) = (take(args, 0), take(args, 1));
            cx.own.put(key, value.clone());
            Ok(value)
        },
    ),
    pure(
        "println",
        at_least(0),
        "& values",
        "Prints a line that the next turn shows; gives nil.",
        "(println \"a\" 1) => nil",
        |cx, args| cx.print(args, false, "\n").map(|()| Value::Nil),
    ),
    pure(
        "prn",
        at_least(0),
        "& values",
        "Prints a line of readable values; gives nil.",
        "(prn \"a\") => nil",
        |cx, args| cx.print(args, true, "\n").map(|()| Value::Nil),
    ),
    pure(
        "print",
        at_least(0),
        "& values",
        "Prints values; gives nil.",
        "(print 1) => nil",
        |cx, args| cx.print(args, false, "").map(|()| Value::Nil),
    ),
    // What destructuring and `case` are made of.
    pure("ptc/item", exactly(2), "coll index", "The item of a pattern.", "", pattern_item),
    pure(
        "ptc/seq-item",
        exactly(2),
        "coll index",
        "The item of a pattern with a rest.",
        "",
        |cx, args| match &args[0] {
            Value::Map(_) | Value::Set(_) => {
                let index = args[1].as_int().unwrap_or(0) as usize;
                super::sequence::item("a pattern in square brackets", &args[0], index)
            }
            Value::Nil | Value::Vector(_) | Value::List(_) | Value::Str(_) => {
                pattern_item(cx, args)
            }
            other => Err(no_items(other)
                .with_class("IllegalArgumentException")
                .with_jvm_message(super::no_seq(other))),
        },
    ),
    pure("ptc/rest-from", exactly(2), "coll index", "The rest of a pattern.", "", |cx, args| {
        let skip = args[1].as_int().unwrap_or(0) as usize;
        let source = take(args, 0);
        let rest = super::sequence::skip(cx, source, skip)?;
        Ok(if rest.is_empty() { Value::Nil } else { Value::List(rest) })
    }),
    pure(
        "ptc/as-map",
        exactly(1),
        "x",
        "What a map pattern takes apart.",
        "",
        |cx, args| match take(args, 0) {
            Value::List(seq) => {
                let mut items = Seq::into_vec(seq);
                cx.spend(items.len() as u64)?;
                if items.len() == 1 {
                    return Ok(items.into_iter().next().unwrap_or_default());
                }
                // What stands behind the pairs is a map of more.
                let more = if items.len() % 2 == 1 { items.pop() } else { None };
                let map = crate::machine::map_of(cx, crate::analyze::pairs(items))?;
                match more {
                    Some(more) => conj_all(cx, map, vec![more]),
                    None => Ok(map),
                }
            }
            other => Ok(other),
        },
    ),
    pure("ptc/as-list", exactly(1), "x", "A vector as a sequence.", "", |cx, args| {
        match take(args, 0) {
            Value::Vector(vector) => {
                let items = Vector::into_vec(vector);
                cx.list(items)
            }
            other => Ok(other),
        }
    }),
    pure("ptc/no-clause", exactly(1), "x", "What `case` does without a match.", "", |_, args| {
        Err(Diagnostic::new(
            Code::NoClause,
            format!("no clause matches {}", super::describe(&args[0])),
        )
        .with_jvm_message(format!("No matching clause: {}", super::message_text(&args[0])))
        .with_help("add a default as the last form"))
    }),
];

/// The character at a position of a text; nil if there is none.
fn character(cx: &mut Cx, text: &ArcStr, key: &Value) -> Value {
    let Value::Int(at) = key else { return Value::Nil };
    let found = usize::try_from(*at).ok().and_then(|at| cx.positions.char(text, at));
    found.map_or(Value::Nil, |c| Value::str(c.to_string()))
}

/// Whether a map has a key, a set a member, a vector or a text a position.
pub(super) fn contains(who: &str, coll: &Value, key: &Value) -> Res<bool> {
    match coll {
        Value::Nil => Ok(false),
        Value::Map(_) | Value::Set(_) | Value::Vector(_) => Ok(find_in(coll, key).is_some()),
        Value::Str(text) if key.as_int().is_some() => {
            Ok(key.as_int().is_some_and(|at| at >= 0 && (at as usize) < text.chars().count()))
        }
        other => Err(wrong_type(who, "a map, a set or a vector", other)
            .with_class("IllegalArgumentException")
            .with_jvm_message(format!(
                "contains? not supported on type: {}",
                super::class_name(other, true)
            ))
            .with_help("to look for an item of a list write `(some #{x} coll)`")),
    }
}

fn get_in(cx: &mut Cx, args: &mut [Value]) -> Res {
    let path = items_of(cx, args[1].clone())?;
    let mut found = args[0].clone();
    for key in &path {
        cx.look_for(key)?;
        let next = match (&found, key) {
            (Value::Str(text), key) => {
                cx.glance(text)?;
                match character(cx, text, key) {
                    Value::Nil => None,
                    c => Some(c),
                }
            }
            _ => find_in(&found, key).cloned(),
        };
        match next {
            Some(next) => found = next,
            None => return Ok(take(args, 2)),
        }
    }
    Ok(found)
}

fn pattern_item(cx: &mut Cx, args: &mut [Value]) -> Res {
    let index = args[1].as_int().unwrap_or(0) as usize;
    match &args[0] {
        Value::Nil => Ok(Value::Nil),
        Value::Vector(vector) => Ok(vector.get(index).cloned().unwrap_or_default()),
        Value::List(seq) => Ok(seq.front(index).unwrap_or_default()),
        Value::Str(text) => Ok(character(cx, text, &args[1])),
        Value::Ext(ext) if let Ext::Matcher(matcher) = &**ext => {
            let who = "a pattern in square brackets";
            Ok(super::regex::group(who, matcher, index)?.unwrap_or_default())
        }
        other => Err(no_items(other)
            .with_class("UnsupportedOperationException")
            .with_jvm_message(super::sequence::no_nth(other))
            .with_help(match other {
                Value::Set(_) => "a set has no positions: write `[a & more]`, or `(first s)`",
                _ => "take a map apart with `{:keys [a b]}`",
            })),
    }
}

/// A value that a pattern in square brackets cannot take apart.
#[cold]
fn no_items(value: &Value) -> Diagnostic {
    wrong_type("a pattern in square brackets", "a list, a vector, a string or nil", value)
}

fn conj(cx: &mut Cx, args: &mut [Value]) -> Res {
    match args.split_first_mut() {
        None => Ok(Value::vector(Vec::new())),
        Some((collection, items)) => {
            let collection = std::mem::take(collection);
            let items = items.iter_mut().map(std::mem::take).collect();
            conj_all(cx, collection, items)
        }
    }
}

/// Adds items to a collection, each where its kind adds.
pub(super) fn conj_all(cx: &mut Cx, collection: Value, items: Vec<Value>) -> Res {
    match collection {
        Value::Vector(mut vector) => {
            let grown = items.len() as u64 * 16;
            let own = cx.own_vector(&mut vector)?;
            for item in items {
                own.push(item);
            }
            cx.changed_vector(vector, grown)
        }
        Value::Nil if items.is_empty() => Ok(Value::Nil),
        Value::Nil => conj_all(cx, Value::empty_list(), items),
        Value::List(queue) if queue.is_queue() => {
            // Whether the vector is held by one or by several decides what a change of it copies.
            let shared = (Arc::strong_count(&queue) > 1).then(|| queue.queue_vector().cloned());
            let copied = queue.queue_vector().map_or(0, Vector::copy_cost);
            drop(shared);
            cx.spend(1)?;
            cx.alloc((copied + items.len() as u64).saturating_mul(16) + 64)?;
            let longer = Seq::enqueue(queue, items);
            cx.depth(longer.depth())?;
            Ok(Value::List(Arc::new(longer)))
        }
        Value::List(mut seq) => {
            for item in items {
                cx.alloc(64)?;
                let list = seq.is_list();
                let longer = Seq::cons(item, seq);
                seq = Arc::new(if list { longer.into_list() } else { longer });
            }
            cx.depth(seq.depth())?;
            Ok(Value::List(seq))
        }
        Value::Map(mut map) => {
            let grown = items.len() as u64 * 40;
            let rows = |item: &Value| if let Value::Map(map) = item { map.len() } else { 1 };
            let own = cx.own_table_for(&mut map, items.iter().map(rows).sum())?;
            for item in items {
                match item {
                    Value::Map(more) => {
                        cx.spend(more.len() as u64)?;
                        cx.alloc(more.len() as u64 * 40)?;
                        for (key, value) in more.iter() {
                            cx.insert(own, (key.clone(), value.clone()))?;
                        }
                    }
                    Value::Nil => {}
                    Value::Vector(ref entry) => match (entry.get(0), entry.get(1)) {
                        (Some(key), Some(value)) if entry.len() == 2 => {
                            cx.insert(own, (key.clone(), value.clone()))?;
                        }
                        _ => {
                            return Err(no_entry(&item)
                                .with_class("IllegalArgumentException")
                                .with_jvm_message(
                                    "Vector arg to map conj must be a pair".to_owned(),
                                ));
                        }
                    },
                    // A sequence of entries, such as `seq` makes of a map.
                    Value::List(_) | Value::Set(_) => {
                        for entry in item.items().into_iter().flatten() {
                            let Some((key, value)) = entry.as_entry() else {
                                return Err(no_entry(&item));
                            };
                            cx.spend(1)?;
                            cx.alloc(40)?;
                            cx.insert(own, (key.clone(), value.clone()))?;
                        }
                    }
                    Value::Str(ref text) if text.is_empty() => {}
                    Value::Str(_) => return Err(no_entry(&item)),
                    other => {
                        return Err(no_entry(&other)
                            .with_class("IllegalArgumentException")
                            .with_jvm_message(super::no_seq(&other)));
                    }
                }
            }
            cx.changed_map(map, grown)
        }
        Value::Set(mut set) => {
            cx.alloc(items.len() as u64 * 24)?;
            let own = cx.own_table_for(&mut set, items.len())?;
            for item in items {
                cx.insert(own, item)?;
            }
            cx.depth(set.depth())?;
            Ok(Value::Set(set))
        }
        lazy if Lazy::of(&lazy).is_some() => {
            items.into_iter().try_fold(lazy, |rest, item| super::lazy::cell(cx, item, rest))
        }
        // As in Clojure, where nothing is asked of a value that nothing is added to.
        other if items.is_empty() => Ok(other),
        other => Err(wrong_type("conj", "a collection", &other)),
    }
}

/// What cannot be added to a map.
#[cold]
fn no_entry(value: &Value) -> Diagnostic {
    wrong_type("conj", "pairs or maps to add to a map", value)
        .with_help("write the pair as a vector: `(conj m [key value])`")
}

fn assoc(cx: &mut Cx, args: &mut [Value]) -> Res {
    if args.len().is_multiple_of(2) {
        return Err(Diagnostic::new(Code::WrongArity, "`assoc` has a key without a value")
            .with_help("write `(assoc m :key value)`"));
    }
    let mut collection = take(args, 0);
    for pair in args[1..].chunks_exact_mut(2) {
        let (key, value) = (take(pair, 0), take(pair, 1));
        collection = put(cx, collection, key, value)?;
    }
    Ok(collection)
}

/// A map or vector with one value put under a key.
pub(super) fn put(cx: &mut Cx, collection: Value, key: Value, value: Value) -> Res {
    cx.key(&key)?;
    match collection {
        Value::Nil => {
            let mut map = Map::default();
            map.insert((key, value));
            cx.map(map)
        }
        Value::Map(mut map) => {
            let own = cx.own_table(&mut map)?;
            cx.insert(own, (key, value))?;
            cx.changed_map(map, 40)
        }
        Value::Vector(mut vector) => match key.as_int() {
            Some(at) if at >= 0 && (at as usize) < vector.len() => {
                cx.own_vector(&mut vector)?.set(at as usize, value);
                cx.changed_vector(vector, 0)
            }
            Some(at) if at as usize == vector.len() => {
                cx.own_vector(&mut vector)?.push(value);
                cx.changed_vector(vector, 16)
            }
            Some(_) => Err(super::sequence::out_of_bounds(&key, vector.len())),
            None => Err(wrong_type("assoc", "a position as the key of a vector", &key)
                .with_class("IllegalArgumentException")),
        },
        other => Err(wrong_type("assoc", "a map or a vector", &other)),
    }
}

/// A map with a value put at the end of a path.
pub(super) fn put_in(cx: &mut Cx, collection: Value, path: &[Value], value: Value) -> Res {
    let Some((last, before)) = path.split_last() else {
        return put(cx, collection, Value::Nil, value);
    };
    // Down the path, taking each level out of the one above; then up again, putting them back.
    let mut levels = Vec::with_capacity(path.len());
    let mut level = collection;
    for key in before {
        cx.look_for(key)?;
        let inner = take_out(&mut level, key);
        levels.push((level, key));
        level = inner;
    }
    let mut changed = put(cx, level, last.clone(), value)?;
    for (level, key) in levels.into_iter().rev() {
        changed = put(cx, level, key.clone(), changed)?;
    }
    Ok(changed)
}

/// The value under a key, moved out when nobody else holds the collection, so that it can be
/// changed in place.
pub(super) fn take_out(collection: &mut Value, key: &Value) -> Value {
    if let Value::Map(map) = collection
        && let Some(own) = Arc::get_mut(map)
    {
        return own.get_mut(key).map(std::mem::take).unwrap_or_default();
    }
    lookup(collection, key)
}
