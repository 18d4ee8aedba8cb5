//! Functions that all collections share.

use std::sync::Arc;

use arcstr::ArcStr;

use super::facts::{
    ANY, BOOL, Expects, FIRST, FieldsRead, INT, LIST, LazyInput, MAP_FIRST, Moves, NIL, OnNil,
    Origin, Pulls, ResultShape::By, as_value, lazily, listed,
};
use super::{Row, lookup, pure, take, wrong_type};
use ptc_facts::access::find_in;
use ptc_facts::messages::out_of_bounds;
use ptc_facts::shape::{Shape, gives};
use ptc_machine::{Cx, items_in, items_of};
use ptc_values::code::Code;
use ptc_values::{COPY_MAX, Diagnostic, Ext, Lazy, Map, Res, Seq, Value, Vector};

pub const TABLE: &[Row] = &[
    pure(
        "count",
        "coll",
        "The number of items.",
        "(count [1 2]) => 2",
        listed(INT).pulls(Pulls::AsValue).charges_lookup().expects(Expects::Items).borrows(
            1,
            |_, x, _| match x {
                Value::Vector(vector) => Some(Value::Int(vector.len() as i64)),
                Value::Map(map) => Some(Value::Int(map.len() as i64)),
                Value::Set(set) => Some(Value::Int(set.len() as i64)),
                Value::Nil => Some(Value::Int(0)),
                _ => None,
            },
        ),
        |cx, args| {
            if let Value::Str(text) = &args[0] {
                return Ok(Value::Int(cx.positions.count(text) as i64));
            }
            let count = super::sequence::count_of("count", &args[0])?;
            // A range may have more items than an integer of 64 bits counts.
            Ok(i64::try_from(count).map_or_else(|_| Value::big(count.into()), Value::Int))
        },
    ),
    pure(
        "get",
        "coll key|coll key default",
        "The value of a key, or the item at a position; nil or the default if there is none.",
        "(get {:a 1} :b 0) => 0",
        lazily(By(gives::get), LazyInput::Function)
            .moves(Moves::Values)
            .collection(MAP_FIRST)
            .charges_lookup()
            .reads(FieldsRead::Value)
            .expects(Expects::Key)
            .borrows(2, |fields, collection, key| match (collection, key) {
                (Value::Map(_), Value::Keyword(_) | Value::Str(_) | Value::Int(_))
                | (Value::Vector(_), Value::Int(_)) => {
                    Some(fields.read(collection, key).cloned().unwrap_or_default())
                }
                (Value::Nil, _) => Some(Value::Nil),
                _ => None,
            }),
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
                [collection, key, ..] => Ok(cx.fields.lookup(collection, key)),
                _ => Ok(Value::Nil),
            }
        },
    ),
    pure(
        "get-in",
        "coll keys|coll keys default",
        "The value at the end of a path of keys.",
        "(get-in {:a {:b 1}} [:a :b]) => 1",
        listed(ANY).moves(Moves::Values).collection(MAP_FIRST).reads(FieldsRead::Path),
        get_in,
    ),
    pure(
        "contains?",
        "coll key",
        "Whether a map has a key, a set a member, a vector a position.",
        "(contains? {:a nil} :a) => true",
        lazily(BOOL, LazyInput::Function)
            .moves(Moves::Collection)
            .collection(FIRST)
            .on_nil(OnNil::Asks)
            .reads(FieldsRead::Field)
            .expects(Expects::Key),
        |cx, args| {
            cx.look_for(&args[1])?;
            contains("contains?", &args[0], &args[1]).map(Value::Bool)
        },
    ),
    pure(
        "conj",
        "|coll & items",
        "The collection with items added: at the end of a vector, in front of a list.",
        "(conj [1] 2) => [1 2]",
        as_value(By(gives::conj)).moves(Moves::Items).collection(FIRST).of_sorted(0).several(),
        conj,
    ),
    pure(
        "assoc",
        "coll key value & more",
        "The map or vector with values put under keys.",
        "(assoc {:a 1} :b 2) => {:a 1, :b 2}",
        as_value(By(gives::assoc)).moves(Moves::Values).collection(FIRST).of_sorted(0),
        assoc,
    ),
    pure(
        "assoc-in",
        "coll keys value",
        "The map with a value put at the end of a path of keys.",
        "(assoc-in {} [:a :b] 1) => {:a {:b 1}}",
        listed(By(gives::put_in)).moves(Moves::Values).collection(FIRST).of_sorted(0),
        |cx, args| {
            let value = take(args, 2);
            let path = take(args, 1);
            let path = items_in(cx, &path)?;
            put_in(cx, take(args, 0), &path, value)
        },
    ),
    pure(
        "into",
        "to from",
        "The first collection with the items of the second added.",
        "(into [1] '(2 3)) => [1 2 3]",
        listed(By(gives::into)).others(&[(0, 1, "ptc/into"), (3, 3, "ptc/into")]).of_sorted(0),
        |cx, args| {
            let from = items_of(cx, take(args, 1))?;
            conj_all(cx, take(args, 0), from)
        },
    ),
    pure(
        "empty",
        "coll",
        "An empty collection of the same type.",
        "(empty [1]) => []",
        lazily(ANY, LazyInput::Function).pulls(Pulls::AsValue),
        |_, args| {
            Ok(match &args[0] {
                // As on the JVM, which has no empty entry.
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
        "coll",
        "The collection, or nil if it has no items.",
        "(not-empty []) => nil",
        lazily(By(gives::not_empty), LazyInput::Function)
            .pulls(Pulls::AsValue)
            .on_nil(OnNil::Passes),
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
        "coll",
        "The items as a vector.",
        "(vec '(1 2)) => [1 2]",
        listed(By(|g| g.same(0))).origin(Origin::Last),
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
        "& items",
        "A vector of the arguments.",
        "(vector 1 2) => [1 2]",
        as_value(By(|g| Shape::Items(g.args.iter().map(|item| (*item).clone().plain()).collect())))
            .moves(Moves::All),
        |cx, args| {
            let items = args.iter_mut().map(std::mem::take).collect();
            cx.vector(items)
        },
    ),
    pure(
        "list",
        "& items",
        "A list of the arguments.",
        "(list 1 2) => (1 2)",
        as_value(By(gives::sequence)),
        |cx, args| {
            let items = args.iter_mut().map(std::mem::take).collect();
            cx.seq(Seq::new(items).into_list())
        },
    ),
    pure(
        "set",
        "coll",
        "The items as a set.",
        "(set [1 1 2]) => #{1 2}",
        lazily(By(|g| g.fewer(0)), LazyInput::Items),
        |cx, args| {
            let items = items_of(cx, take(args, 0))?;
            cx.set_of(items.into_iter())
        },
    ),
    pure(
        "hash-set",
        "& items",
        "A set of the arguments.",
        "(hash-set 1 1 2) => #{1 2}",
        listed(LIST),
        |cx, args| cx.set_of(args.iter_mut().map(std::mem::take)),
    ),
    pure(
        "peek",
        "coll",
        "The last item of a vector, the first of a list or a queue.",
        "(peek [1 2]) => 2",
        as_value(By(gives::one)).moves(Moves::Collection),
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
        "coll",
        "A vector without its last item, a list or a queue without its first.",
        "(pop [1 2]) => [1]",
        as_value(ANY).moves(Moves::Collection),
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
        "vector start|vector start end",
        "The items of a vector from start (inclusive) to end (exclusive).",
        "(subvec [1 2 3] 1) => [2 3]",
        listed(ANY),
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
                    format!(
                        "`subvec` from {start} to {end} is out of range: the vector has {all} items"
                    ),
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
        "x",
        "Wraps a value; `reduce` stops at it and returns the value.",
        "(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) [1 2 3]) => 3",
        as_value(ANY),
        |cx, args| {
            cx.alloc(64)?;
            // Native calls count the nesting, so few levels are allowed.
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
    pure(
        "identity",
        "x",
        "The value itself.",
        "(identity 1) => 1",
        as_value(By(|g| g.arg(0).clone()))
            .pulls(Pulls::AsValue)
            .moves(Moves::All)
            .on_nil(OnNil::Passes)
            .origin(Origin::Last),
        |_, args| Ok(take(args, 0)),
    ),
    pure(
        "memory/get",
        "key|key default",
        "The value kept under a key, in an earlier turn or earlier in this one.",
        "(memory/get :nothing 0) => 0",
        listed(ANY).varies(),
        |cx, args| {
            let found = cx.own.memory.get(&args[0]).cloned();
            Ok(found.unwrap_or_else(|| take(args, 1)))
        },
    ),
    pure(
        "memory/put",
        "key value",
        "Keeps a value under a key for later turns; returns the value.",
        "(memory/put :n 1) => 1",
        listed(ANY).looks_inside().acts(),
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
        "& values",
        "Prints a line that the next turn shows; returns nil.",
        "(println \"a\" 1) => nil",
        listed(NIL).looks_inside().acts(),
        |cx, args| cx.print(args, false, "\n").map(|()| Value::Nil),
    ),
    pure(
        "prn",
        "& values",
        "Prints a line of readable values; returns nil.",
        "(prn \"a\") => nil",
        listed(NIL).looks_inside().acts(),
        |cx, args| cx.print(args, true, "\n").map(|()| Value::Nil),
    ),
    pure(
        "print",
        "& values",
        "Prints values; returns nil.",
        "(print 1) => nil",
        listed(NIL).looks_inside().acts(),
        |cx, args| cx.print(args, false, "").map(|()| Value::Nil),
    ),
];

/// Returns the character at a position of a text, or nil.
pub(super) fn character(cx: &mut Cx, text: &ArcStr, key: &Value) -> Value {
    let Value::Int(at) = key else { return Value::Nil };
    let found = usize::try_from(*at).ok().and_then(|at| cx.positions.char(text, at));
    found.map_or(Value::Nil, Value::character)
}

/// Returns whether a map has a key, a set a member, a vector or a text a position.
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
            .with_help("to find an item in a list write `(some #{x} coll)`")),
    }
}

fn get_in(cx: &mut Cx, args: &mut [Value]) -> Res {
    let path = items_in(cx, &args[1])?;
    // A character of a text is a value of its own.
    let mut character_found;
    let mut found = &args[0];
    for key in path.iter() {
        cx.look_for(key)?;
        let next = match found.plain() {
            Value::Str(text) => {
                cx.charge_lookup(text)?;
                character_found = character(cx, text, key);
                Some(&character_found).filter(|it| !it.is_nil())
            }
            _ if args.len() == 2 => cx.fields.read(found, key),
            _ => cx.fields.find(found, key),
        };
        match next {
            Some(next) => found = next,
            None => return Ok(take(args, 2)),
        }
    }
    Ok(found.clone())
}

fn conj(cx: &mut Cx, args: &mut [Value]) -> Res {
    if let [Value::Vector(_), item] = args {
        let item = std::mem::take(item);
        let Value::Vector(mut vector) = take(args, 0) else { return Ok(Value::Nil) };
        match Vector::own_block(&mut vector) {
            Some(own) => {
                cx.spend(u64::from(own.len() > COPY_MAX))?;
                own.push(item);
            }
            None => cx.own_vector(&mut vector)?.push(item),
        }
        return cx.changed_vector(vector, 16);
    }
    match args.split_first_mut() {
        None => Ok(Value::vector(Vec::new())),
        Some((collection, items)) => {
            let collection = std::mem::take(collection);
            let items = items.iter_mut().map(std::mem::take).collect();
            conj_all(cx, collection, items)
        }
    }
}

/// Adds items to a collection, at the end that its kind uses.
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
        Value::List(queue) if queue.is_queue() => enqueue(cx, queue, items),
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
                insert_rows(cx, own, &item)?;
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
            items.into_iter().try_fold(lazy, |rest, item| super::lazy_cells::cell(cx, item, rest))
        }
        // As in Clojure, a value is not checked if nothing is added to it.
        other if items.is_empty() => Ok(other),
        other => Err(wrong_type("conj", "a collection", &other)),
    }
}

fn enqueue(cx: &mut Cx, queue: Arc<Seq>, items: Vec<Value>) -> Res {
    // The number of holders of the vector decides how much a change copies.
    let shared = (Arc::strong_count(&queue) > 1).then(|| queue.queue_vector().cloned());
    let copied = queue.queue_vector().map_or(0, Vector::copy_cost);
    drop(shared);
    cx.spend(1)?;
    cx.alloc((copied + items.len() as u64).saturating_mul(16) + 64)?;
    let longer = Seq::enqueue(queue, items);
    cx.depth(longer.depth())?;
    Ok(Value::List(Arc::new(longer)))
}

/// Inserts what `conj` adds to a map: an entry, or the rows of a collection of them.
fn insert_rows(cx: &mut Cx, own: &mut Map, item: &Value) -> Res<()> {
    match item {
        Value::Map(more) => {
            cx.spend(more.len() as u64)?;
            cx.alloc(more.len() as u64 * 40)?;
            for (key, value) in more.iter() {
                cx.insert(own, (key.clone(), value.clone()))?;
            }
            Ok(())
        }
        Value::Nil => Ok(()),
        Value::Vector(entry) => match (entry.get(0), entry.get(1)) {
            (Some(key), Some(value)) if entry.len() == 2 => {
                cx.insert(own, (key.clone(), value.clone()))
            }
            _ => Err(no_entry(item)
                .with_class("IllegalArgumentException")
                .with_jvm_message("Vector arg to map conj must be a pair".to_owned())),
        },
        // A sequence of entries, such as the result of `seq` on a map.
        Value::List(_) | Value::Set(_) => {
            for entry in item.items().into_iter().flatten() {
                let (key, value) = entry.as_entry().ok_or_else(|| no_entry(item))?;
                cx.spend(1)?;
                cx.alloc(40)?;
                cx.insert(own, (key.clone(), value.clone()))?;
            }
            Ok(())
        }
        Value::Str(text) if text.is_empty() => Ok(()),
        Value::Str(_) => Err(no_entry(item)),
        other => Err(no_entry(other)
            .with_class("IllegalArgumentException")
            .with_jvm_message(super::no_seq(other))),
    }
}

/// Returns the error of adding a value that is not an entry to a map.
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

/// Puts a value under a key of a map or vector.
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
            Some(_) => Err(out_of_bounds(&key, vector.len())),
            None => Err(wrong_type("assoc", "a position as the key of a vector", &key)
                .with_class("IllegalArgumentException")),
        },
        other => Err(wrong_type("assoc", "a map or a vector", &other)),
    }
}

/// Puts a value at the end of a path of a map.
pub(super) fn put_in(cx: &mut Cx, collection: Value, path: &[Value], value: Value) -> Res {
    let Some((last, before)) = path.split_last() else {
        return put(cx, collection, Value::Nil, value);
    };
    // Take each level out of the one above it, down the path; then put them back, up the path.
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

/// Returns the value under a key, moved out of an unshared collection to be changed in place.
pub(super) fn take_out(collection: &mut Value, key: &Value) -> Value {
    if let Value::Map(map) = collection
        && let Some(own) = Arc::get_mut(map)
    {
        return own.get_mut(key).map(std::mem::take).unwrap_or_default();
    }
    lookup(collection, key)
}
