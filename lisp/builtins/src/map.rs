//! Maps and sets.

use std::sync::Arc;

use super::collection::{conj_all, put, put_in, take_out};
use super::facts::{
    ANY, FIRST, FieldsRead, How, LAST, LazyInput, MADE, MAP_FIRST, Moves, OnNil, ResultShape::By,
    UNSEEN, as_value, calls, lazily, listed,
};
use super::sequence::check_items;
use super::{Row, callback, class_name, no_seq, pure, take, wrong_type};
use ptc_facts::access::find_in;
use ptc_facts::messages::{cast_message, message_text};
use ptc_facts::shape::gives;
use ptc_machine::{
    CallbackState, Changes, Collect, Cx, Each, ItemIter, Shortcut, items_in, items_of,
};
use ptc_values::code::Code;
use ptc_values::{COPY_MAX, Diagnostic, Map, Res, Seq, Source, Value};

pub const TABLE: &[Row] = &[
    pure(
        "hash-map",
        "& keys-and-values",
        "A map of the keys and values.",
        "(hash-map :a 1) => {:a 1}",
        as_value(By(gives::map_of)),
        from_pairs,
    ),
    pure(
        "array-map",
        "& keys-and-values",
        "A map of the keys and values.",
        "(array-map :a 1) => {:a 1}",
        as_value(By(gives::map_of)),
        from_pairs,
    ),
    pure(
        "zipmap",
        "keys values",
        "A map from each key to the value at its position.",
        "(zipmap [:a :b] [1 2]) => {:a 1, :b 2}",
        lazily(By(gives::zipped), LazyInput::Function),
        |cx, args| {
            let keys = items_of(cx, take(args, 0))?;
            let values = items_of(cx, take(args, 1))?;
            cx.map_of(keys.into_iter().zip(values))
        },
    ),
    pure(
        "keys",
        "map",
        "The keys.",
        "(keys {:a 1}) => (:a)",
        listed(By(|g| g.sized(gives::key_of(g.arg(0)), g.length(0)).or_nil())),
        |cx, args| column(cx, "keys", &args[0], |(key, _)| key, Source::Keys),
    ),
    pure(
        "vals",
        "map",
        "The values.",
        "(vals {:a 1}) => (1)",
        listed(By(|g| g.sized(gives::value_of(g.arg(0)), g.length(0)).or_nil())),
        |cx, args| column(cx, "vals", &args[0], |(_, value)| value, Source::Vals),
    ),
    pure(
        "key",
        "entry",
        "The key of an entry.",
        "(key (first {:a 1})) => :a",
        listed(By(|g| gives::of_entry(g, 0))),
        |_, args| entry("key", &args[0], 0),
    ),
    pure(
        "val",
        "entry",
        "The value of an entry.",
        "(val (first {:a 1})) => 1",
        listed(By(|g| gives::of_entry(g, 1))),
        |_, args| entry("val", &args[0], 1),
    ),
    pure(
        "find",
        "map key",
        "The entry of a key; nil if there is none.",
        "(find {:a 1} :a) => [:a 1]",
        lazily(ANY, LazyInput::Function)
            .moves(Moves::Collection)
            .on_nil(OnNil::Asks)
            .reads(FieldsRead::Field),
        |cx, args| {
            cx.look_for(&args[1])?;
            cx.alloc(96)?;
            match &args[0] {
                Value::Map(map) => Ok(map
                    .row(&args[1])
                    .map_or(Value::Nil, |(key, value)| Value::entry(key.clone(), value.clone()))),
                Value::Nil => Ok(Value::Nil),
                Value::Vector(_) => match find_in(&args[0], &args[1]).cloned() {
                    Some(found) => Ok(Value::entry(take(args, 1), found)),
                    None => Ok(Value::Nil),
                },
                other => Err(no_find("find", other)),
            }
        },
    ),
    pure(
        "dissoc",
        "map & keys",
        "The map without the given keys.",
        "(dissoc {:a 1 :b 2} :a) => {:b 2}",
        lazily(By(gives::dissoc), LazyInput::Function).moves(Moves::Collection).collection(FIRST),
        |cx, args| match take(args, 0) {
            Value::Nil => Ok(Value::Nil),
            Value::Map(mut map) => {
                cx.spend(args.len() as u64 - 1)?;
                for key in &args[1..] {
                    cx.look_for(key)?;
                    // Only a map that changes is copied.
                    if map.contains(key) {
                        cx.spend(if Arc::strong_count(&map) > 1 {
                            map.len().min(64) as u64
                        } else {
                            1
                        })?;
                        cx.own_table(&mut map)?.remove(key);
                    }
                }
                Ok(Value::Map(map))
            }
            other if args.len() == 1 => Ok(other),
            other => Err(wrong_type("dissoc", "a map", &other)),
        },
    ),
    pure(
        "select-keys",
        "map keys",
        "The map with only the given keys.",
        "(select-keys {:a 1 :b 2} [:a]) => {:a 1}",
        listed(By(gives::select_keys))
            .moves(Moves::Collection)
            .collection(MAP_FIRST)
            .on_nil(OnNil::AsksInside)
            .reads(FieldsRead::Fields),
        |cx, args| {
            let keys = items_of(cx, take(args, 1))?;
            let mut picked = Map::default();
            for key in keys {
                cx.look_for(&key)?;
                let found = match &args[0] {
                    Value::Map(map) => map.get(&key).cloned(),
                    other if !matches!(other, Value::Vector(_) | Value::Nil) => {
                        return Err(no_find("select-keys", other));
                    }
                    other => find_in(other, &key).cloned(),
                };
                // The key keeps the spelling of the argument, as in Clojure.
                if let Some(value) = found {
                    picked.insert((key, value));
                }
            }
            cx.map(picked)
        },
    ),
    pure(
        "merge",
        "& maps",
        "All maps merged into one; later values win.",
        "(merge {:a 1} {:a 2 :b 3}) => {:a 2, :b 3}",
        listed(By(gives::merge)).moves(Moves::Items).of_sorted(0).several(),
        |cx, args| {
            let Some(first) = args.iter().position(Value::truthy) else {
                return Ok(Value::Nil);
            };
            // Values after nil go into an empty map, which counts as a map.
            let is_start = first == 0 || matches!(args[first], Value::Map(_));
            let start = if is_start { take(args, first) } else { Value::map([]) };
            let behind = first + usize::from(is_start);
            let rest = args.iter_mut().skip(behind).map(std::mem::take).collect();
            conj_all(cx, start, rest)
        },
    ),
    callback(
        "merge-with",
        "f & maps",
        "All maps merged into one; f combines the two values of a key.",
        "(merge-with + {:a 1} {:a 2}) => {:a 3}",
        UNSEEN,
        listed(MADE).of_sorted(1),
        merge_with,
    ),
    callback(
        "update",
        "map key f & args",
        "The map with f applied to the value of a key.",
        "(update {:a 1} :a + 10) => {:a 11}",
        &[calls(2, How::Field)],
        listed(By(gives::updated))
            .moves(Moves::Values)
            .collection(FIRST)
            .on_nil(OnNil::AsksInside)
            .of_sorted(0),
        |cx, args| {
            let mut args = args.into_iter();
            let (Some(mut map), Some(key), Some(function)) =
                (args.next(), args.next(), args.next())
            else {
                return Ok(CallbackState::value(Value::Nil));
            };
            let old = take_out(&mut map, &key);
            let call = std::iter::once(old).chain(args).collect();
            CallbackState::call_once(cx, function, call, vec![map, key], |cx, state, result| {
                let mut state = state.into_iter();
                put(cx, state.next().unwrap_or_default(), state.next().unwrap_or_default(), result)
            })
        },
    )
    .shortcut(Shortcut::Update(Changes::Field)),
    callback(
        "update-in",
        "map keys f & args",
        "The map with f applied to the value at the end of a path.",
        "(update-in {:a {:b 1}} [:a :b] inc) => {:a {:b 2}}",
        &[calls(2, How::Once)],
        listed(By(gives::put_in))
            .moves(Moves::Values)
            .collection(FIRST)
            .on_nil(OnNil::AsksInside)
            .of_sorted(0),
        |cx, args| {
            let mut args = args.into_iter();
            let (Some(map), Some(path), Some(function)) = (args.next(), args.next(), args.next())
            else {
                return Ok(CallbackState::value(Value::Nil));
            };
            let keys = items_in(cx, &path)?;
            let old = keys.iter().try_fold(&map, |level, key| cx.fields.find(level, key));
            let call = std::iter::once(old.cloned().unwrap_or_default()).chain(args).collect();
            drop(keys);
            CallbackState::call_once(cx, function, call, vec![map, path], |cx, state, result| {
                let mut state = state.into_iter();
                let map = state.next().unwrap_or_default();
                let path = state.next().unwrap_or_default();
                let keys = items_in(cx, &path)?;
                put_in(cx, map, &keys, result)
            })
        },
    )
    .shortcut(Shortcut::Update(Changes::Path)),
    callback(
        "update-vals",
        "map f",
        "The map with f applied to every value.",
        "(update-vals {:a 1} inc) => {:a 2}",
        &[calls(1, How::Vals)],
        listed(By(gives::with_vals)).collection(FIRST),
        |cx, mut args| {
            let vector = matches!(args.first(), Some(Value::Vector(_)));
            each_entry(
                cx,
                &mut args,
                "update-vals",
                |(_, value)| value.clone(),
                if vector {
                    |cx, each| cx.vector(each.out)
                } else {
                    |cx, each| cx.map_of(each.aside.into_iter().zip(each.out))
                },
                |(key, _)| key.clone(),
            )
        },
    ),
    callback(
        "update-keys",
        "map f",
        "The map with f applied to every key.",
        "(update-keys {:a 1} name) => {\"a\" 1}",
        &[calls(1, How::Keys)],
        listed(By(gives::with_keys)).collection(FIRST),
        |cx, mut args| {
            each_entry(
                cx,
                &mut args,
                "update-keys",
                |(key, _)| key.clone(),
                |cx, each| cx.map_of(each.out.into_iter().zip(each.aside)),
                |(_, value)| value.clone(),
            )
        },
    ),
    callback(
        "reduce-kv",
        "f init map",
        "Reduces all entries to one value: f of the value so far, the key and the value.",
        "(reduce-kv (fn [n k v] (+ n v)) 0 {:a 1 :b 2}) => 3",
        &[calls(0, How::Entries)],
        listed(By(gives::folded)).moves(Moves::Start).collection(LAST),
        |cx, args| {
            let [function, start, map] = <[Value; 3]>::try_from(args).unwrap_or_default();
            let items = match map {
                Value::Vector(vector) => ItemIter::Own(
                    vector
                        .iter()
                        .enumerate()
                        .map(|(at, item)| Value::vector(vec![Value::Int(at as i64), item.clone()]))
                        .collect::<Vec<_>>()
                        .into_iter(),
                ),
                Value::Map(_) | Value::Nil => ItemIter::of(cx, map)?,
                Value::List(_) | Value::Set(_) if all_entries(&map) => ItemIter::of(cx, map)?,
                other => return Err(no_entries("reduce-kv", "a map or a vector", &other)),
            };
            Ok(CallbackState::reduce_entries(function, start, items))
        },
    ),
];

/// Returns the error of a value without keys.
#[cold]
fn no_find(who: &str, value: &Value) -> Diagnostic {
    wrong_type(who, "a map", value)
        .with_class("IllegalArgumentException")
        .with_jvm_message(format!("find not supported on type: {}", class_name(value, true)))
}

fn from_pairs(cx: &mut Cx, args: &mut [Value]) -> Res {
    if !args.len().is_multiple_of(2) {
        let key = args.last().map(message_text).unwrap_or_default();
        return Err(Diagnostic::new(Code::WrongArity, "`hash-map` has a key without a value")
            .with_class("IllegalArgumentException")
            .with_jvm_message(format!("No value supplied for key: {key}"))
            .with_help("give a value after every key"));
    }
    cx.map_of(ptc_values::pairs(args.iter_mut().map(std::mem::take)))
}

fn column(
    cx: &mut Cx,
    who: &str,
    map: &Value,
    pick: for<'r> fn((&'r Value, &'r Value)) -> &'r Value,
    view: fn(Arc<Map>) -> Source,
) -> Res {
    match map {
        Value::Nil => Ok(Value::Nil),
        Value::Map(map) if map.is_empty() => Ok(Value::Nil),
        Value::Map(map) if map.len() > COPY_MAX => {
            cx.spend(1)?;
            cx.seq(Seq::of_table(view(map.clone())))
        }
        Value::Map(map) => {
            cx.spend(map.len() as u64)?;
            cx.list(map.rows().map(pick).cloned().collect())
        }
        Value::List(_) | Value::Vector(_) | Value::Set(_)
            if map.items().is_some_and(|mut items| items.next().is_none()) =>
        {
            Ok(Value::Nil)
        }
        Value::Str(text) if text.is_empty() => Ok(Value::Nil),
        // A sequence of entries, such as `seq` and `filter` make of a map.
        Value::List(entries) => {
            cx.spend(entries.len() as u64)?;
            let mut found = Vec::with_capacity(entries.len());
            for item in entries.iter() {
                let Some(row) = item.as_entry() else { return Err(no_entry(who, item)) };
                found.push(pick(row).clone());
            }
            cx.list(found)
        }
        other => Err(no_entries(who, "a map", other)),
    }
}

/// Returns the error of a value without entries, or without items.
#[cold]
fn no_entries(who: &str, expected: &str, value: &Value) -> Diagnostic {
    let problem = wrong_type(who, expected, value);
    if check_items(value).is_ok() {
        return problem;
    }
    problem.with_class("IllegalArgumentException").with_jvm_message(no_seq(value))
}

fn entry(who: &str, value: &Value, index: usize) -> Res {
    match value.as_entry() {
        Some((key, value)) => Ok(if index == 0 { key.clone() } else { value.clone() }),
        None => Err(no_entry(who, value)),
    }
}

#[cold]
fn no_entry(who: &str, value: &Value) -> Diagnostic {
    let problem =
        wrong_type(who, "a map entry", value).with_jvm_message(cast_message(value, "Map$Entry"));
    match value {
        Value::Vector(_) => problem.with_help(
            "a vector that the program made is not an entry: use `first` and `second`, or destructure it with `[k v]`",
        ),
        _ => problem,
    }
}

fn all_entries(items: &Value) -> bool {
    items.items().into_iter().flatten().all(|item| item.as_entry().is_some())
}

/// Calls a function for one part of every map entry, keeping the other part.
fn each_entry(
    cx: &mut Cx,
    args: &mut [Value],
    who: &str,
    part: fn(&(Value, Value)) -> Value,
    finish: fn(&mut Cx, Each) -> Res,
    aside: fn(&(Value, Value)) -> Value,
) -> Res<CallbackState> {
    let rows: Vec<(Value, Value)> = match &args[0] {
        Value::Map(map) => map.rows().map(|(key, value)| (key.clone(), value.clone())).collect(),
        // The keys of a vector are its positions.
        Value::Vector(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| (Value::Int(at as i64), item.clone()))
            .collect(),
        Value::Nil => return Ok(CallbackState::value(Value::map([]))),
        other => return Err(no_entries(who, "a map and then a function", other)),
    };
    cx.spend(rows.len() as u64)?;
    cx.alloc(rows.len() as u64 * 32)?;
    let parts: Vec<Value> = rows.iter().map(part).collect();
    let mut each =
        Each::one(take(args, 1), ItemIter::Own(parts.into_iter()), Collect::Results, finish);
    each.aside = rows.iter().map(aside).collect();
    Ok(each.into())
}

/// Merges maps with a function that is called for every pair of values under one key. A program of
/// the language collects the pairs of each map first.
fn merge_with(cx: &mut Cx, mut args: Vec<Value>) -> Res<CallbackState> {
    let function = take(&mut args, 0);
    let mut maps: Vec<Value> = args.into_iter().skip(1).filter(|map| !map.is_nil()).collect();
    // A long first map receives the others; a short one is rebuilt.
    let start = match maps.first_mut() {
        Some(Value::Map(map)) if map.len() > COPY_MAX => std::mem::take(map),
        Some(Value::Map(map)) => Arc::new(map.empty_like()),
        _ => Arc::default(),
    };
    let mut entries = Vec::new();
    for map in &maps {
        let Value::Map(map) = map else { return Err(wrong_type("merge-with", "maps", map)) };
        cx.spend(map.len() as u64)?;
        entries
            .extend(map.iter().map(|(key, value)| Value::vector(vec![key.clone(), value.clone()])));
    }
    if maps.is_empty() {
        return Ok(CallbackState::value(Value::Nil));
    }
    cx.alloc(entries.len() as u64 * 80)?;
    Ok(CallbackState::merge(function, start, entries))
}
