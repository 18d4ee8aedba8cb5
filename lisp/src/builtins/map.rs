//! Maps and sets.

use std::sync::Arc;

use super::collection::{conj_all, put, put_in, take_out};
use super::{Builtin, at_least, exactly, find_in, hof, pure, take, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{Collect, Cx, Each, Feed, Hof, Res, items_of, map_of};
use crate::value::{Map, Row, Set, Value};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "hash-map",
        at_least(0),
        "& keys-and-values",
        "A map of the arguments.",
        "(hash-map :a 1) => {:a 1}",
        from_pairs,
    ),
    pure(
        "array-map",
        at_least(0),
        "& keys-and-values",
        "A map of the arguments.",
        "(array-map :a 1) => {:a 1}",
        from_pairs,
    ),
    pure(
        "zipmap",
        exactly(2),
        "keys values",
        "A map of keys to values in turn.",
        "(zipmap [:a :b] [1 2]) => {:a 1, :b 2}",
        |cx, args| {
            let keys = items_of(cx, take(args, 0))?;
            let values = items_of(cx, take(args, 1))?;
            map_of(cx, keys.into_iter().zip(values))
        },
    ),
    pure("keys", exactly(1), "map", "The keys.", "(keys {:a 1}) => (:a)", |cx, args| {
        column(cx, "keys", &args[0], |(key, _)| key)
    }),
    pure("vals", exactly(1), "map", "The values.", "(vals {:a 1}) => (1)", |cx, args| {
        column(cx, "vals", &args[0], |(_, value)| value)
    }),
    pure(
        "key",
        exactly(1),
        "entry",
        "The key of an entry.",
        "(key (first {:a 1})) => :a",
        |_, args| entry("key", &args[0], 0),
    ),
    pure(
        "val",
        exactly(1),
        "entry",
        "The value of an entry.",
        "(val (first {:a 1})) => 1",
        |_, args| entry("val", &args[0], 1),
    ),
    pure(
        "find",
        exactly(2),
        "map key",
        "The entry of a key; nil if there is none.",
        "(find {:a 1} :a) => [:a 1]",
        |cx, args| match &args[0] {
            Value::Map(map) => match map.row(&args[1]) {
                Some((key, value)) => cx.vector(vec![key.clone(), value.clone()]),
                None => Ok(Value::Nil),
            },
            Value::Nil => Ok(Value::Nil),
            Value::Vector(_) => match find_in(&args[0], &args[1]).cloned() {
                Some(found) => cx.vector(vec![take(args, 1), found]),
                None => Ok(Value::Nil),
            },
            other => Err(wrong_type("find", "a map", other)),
        },
    ),
    pure(
        "dissoc",
        at_least(1),
        "map & keys",
        "The map without some keys.",
        "(dissoc {:a 1 :b 2} :a) => {:b 2}",
        |cx, args| match take(args, 0) {
            Value::Nil => Ok(Value::Nil),
            Value::Map(mut map) => {
                cx.spend(args.len() as u64 - 1)?;
                for key in &args[1..] {
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
            other => Err(wrong_type("dissoc", "a map", &other)),
        },
    ),
    pure(
        "select-keys",
        exactly(2),
        "map keys",
        "The entries of some keys.",
        "(select-keys {:a 1 :b 2} [:a]) => {:a 1}",
        |cx, args| {
            let keys = items_of(cx, take(args, 1))?;
            let mut picked = Map::default();
            for key in keys {
                let row = match &args[0] {
                    Value::Map(map) => map.row(&key).cloned(),
                    other => find_in(other, &key).map(|found| (key.clone(), found.clone())),
                };
                // The key is spelt as it was asked for, as in Clojure.
                if let Some((_, value)) = row {
                    picked.insert((key, value));
                }
            }
            cx.map(picked)
        },
    ),
    pure(
        "merge",
        at_least(0),
        "& maps",
        "One map of all; later values win.",
        "(merge {:a 1} {:a 2 :b 3}) => {:a 2, :b 3}",
        |cx, args| {
            let Some(first) = args.iter().position(|map| !map.is_nil()) else {
                return Ok(Value::Nil);
            };
            let start = take(args, first);
            let rest = args.iter_mut().skip(first + 1).map(std::mem::take).collect();
            conj_all(cx, start, rest)
        },
    ),
    hof(
        "merge-with",
        at_least(1),
        "f & maps",
        "One map of all; f makes one value of two.",
        "(merge-with + {:a 1} {:a 2}) => {:a 3}",
        merge_with,
    ),
    hof(
        "update",
        at_least(3),
        "map key f & args",
        "The map with the value of a key replaced by f of it.",
        "(update {:a 1} :a + 10) => {:a 11}",
        |_, args| {
            let mut args = args.into_iter();
            let (Some(mut map), Some(key), Some(function)) =
                (args.next(), args.next(), args.next())
            else {
                return Ok(Hof::value(Value::Nil));
            };
            let old = take_out(&mut map, &key);
            let call = std::iter::once(old).chain(args).collect();
            Ok(Hof::once(function, call, vec![map, key], |cx, state, result| {
                let mut state = state.into_iter();
                put(cx, state.next().unwrap_or_default(), state.next().unwrap_or_default(), result)
            }))
        },
    ),
    hof(
        "update-in",
        at_least(3),
        "map keys f & args",
        "The map with the value at the end of a path replaced by f of it.",
        "(update-in {:a {:b 1}} [:a :b] inc) => {:a {:b 2}}",
        |cx, args| {
            let mut args = args.into_iter();
            let (Some(map), Some(path), Some(function)) = (args.next(), args.next(), args.next())
            else {
                return Ok(Hof::value(Value::Nil));
            };
            let keys = items_of(cx, path.clone())?;
            let old = keys
                .iter()
                .try_fold(map.clone(), |level, key| find_in(&level, key).cloned())
                .unwrap_or_default();
            let call = std::iter::once(old).chain(args).collect();
            Ok(Hof::once(function, call, vec![map, path], |cx, state, result| {
                let mut state = state.into_iter();
                let map = state.next().unwrap_or_default();
                let path = items_of(cx, state.next().unwrap_or_default())?;
                put_in(cx, map, &path, result)
            }))
        },
    ),
    hof(
        "update-vals",
        exactly(2),
        "map f",
        "The map with f of every value.",
        "(update-vals {:a 1} inc) => {:a 2}",
        |cx, mut args| {
            each_entry(
                cx,
                &mut args,
                "update-vals",
                |(_, value)| value.clone(),
                |cx, each| map_of(cx, each.aside.into_iter().zip(each.out)),
                |(key, _)| key.clone(),
            )
        },
    ),
    hof(
        "update-keys",
        exactly(2),
        "map f",
        "The map with f of every key.",
        "(update-keys {:a 1} name) => {\"a\" 1}",
        |cx, mut args| {
            each_entry(
                cx,
                &mut args,
                "update-keys",
                |(key, _)| key.clone(),
                |cx, each| map_of(cx, each.out.into_iter().zip(each.aside)),
                |(_, value)| value.clone(),
            )
        },
    ),
    hof(
        "reduce-kv",
        exactly(3),
        "f init map",
        "One value of all entries: f of it, the key and the value.",
        "(reduce-kv (fn [n k v] (+ n v)) 0 {:a 1 :b 2}) => 3",
        |_, args| {
            let [function, start, map] = <[Value; 3]>::try_from(args).unwrap_or_default();
            let items = match map {
                Value::Vector(vector) => Feed::Own(
                    vector
                        .iter()
                        .enumerate()
                        .map(|(at, item)| Value::vector(vec![Value::Int(at as i64), item.clone()]))
                        .collect::<Vec<_>>()
                        .into_iter(),
                ),
                Value::Map(_) | Value::Nil => Feed::of(map)?,
                other => return Err(wrong_type("reduce-kv", "a map or a vector", &other)),
            };
            Ok(Hof::reduce_entries(function, start, items))
        },
    ),
    pure(
        "disj",
        at_least(1),
        "set & members",
        "The set without some members.",
        "(disj #{1 2} 1) => #{2}",
        |cx, args| match take(args, 0) {
            Value::Nil => Ok(Value::Nil),
            Value::Set(mut set) => {
                for member in &args[1..] {
                    cx.spend(1)?;
                    if set.contains(member) {
                        cx.own_table(&mut set)?.remove(member);
                    }
                }
                Ok(Value::Set(set))
            }
            other => Err(wrong_type("disj", "a set", &other)),
        },
    ),
    pure(
        "set/union",
        at_least(0),
        "& sets",
        "The members of any of the sets.",
        "(set/union #{1} #{2}) => #{1 2}",
        |cx, args| {
            let mut all = match args.first_mut().map(std::mem::take) {
                None | Some(Value::Nil) => Arc::new(Set::default()),
                Some(Value::Set(set)) => set,
                Some(other) => return Err(wrong_type("set/union", "sets", &other)),
            };
            for more in args.iter_mut().skip(1) {
                let members = items_of(cx, std::mem::take(more))?;
                cx.alloc(members.len() as u64 * 24)?;
                let own = cx.own_table(&mut all)?;
                for member in members {
                    cx.insert(own, member)?;
                }
            }
            Ok(Value::Set(all))
        },
    ),
    pure(
        "set/intersection",
        at_least(1),
        "set & sets",
        "The members of all of the sets.",
        "(set/intersection #{1 2} #{2}) => #{2}",
        |cx, args| sift(cx, args, "set/intersection", true),
    ),
    pure(
        "set/difference",
        at_least(1),
        "set & sets",
        "The members of the first set only.",
        "(set/difference #{1 2} #{2}) => #{1}",
        |cx, args| sift(cx, args, "set/difference", false),
    ),
    pure(
        "set/subset?",
        exactly(2),
        "set1 set2",
        "Whether the second set has all members of the first.",
        "(set/subset? #{1} #{1 2}) => true",
        |cx, args| match (&args[0], &args[1]) {
            (Value::Set(a), Value::Set(b)) => {
                cx.spend(a.len() as u64)?;
                Ok(Value::Bool(a.iter().all(|member| b.contains(member))))
            }
            (Value::Set(_), other) | (other, _) => Err(wrong_type("set/subset?", "sets", other)),
        },
    ),
    pure(
        "set/superset?",
        exactly(2),
        "set1 set2",
        "Whether the first set has all members of the second.",
        "(set/superset? #{1 2} #{1}) => true",
        |cx, args| match (&args[0], &args[1]) {
            (Value::Set(a), Value::Set(b)) => {
                cx.spend(b.len() as u64)?;
                Ok(Value::Bool(b.iter().all(|member| a.contains(member))))
            }
            (Value::Set(_), other) | (other, _) => Err(wrong_type("set/superset?", "sets", other)),
        },
    ),
    pure(
        "set/rename-keys",
        exactly(2),
        "map names",
        "The map with keys renamed.",
        "(set/rename-keys {:a 1} {:a :b}) => {:b 1}",
        |cx, args| match (&args[0], &args[1]) {
            (Value::Map(map), Value::Map(names)) => {
                cx.spend(map.len() as u64)?;
                let mut renamed = Map::default();
                for (key, value) in map.iter().filter(|(key, _)| !names.contains(key)) {
                    renamed.insert((key.clone(), value.clone()));
                }
                for (old, new) in names.iter() {
                    if let Some(value) = map.get(old) {
                        renamed.insert((new.clone(), value.clone()));
                    }
                }
                cx.map(renamed)
            }
            (Value::Map(_), other) | (other, _) => {
                Err(wrong_type("set/rename-keys", "maps", other))
            }
        },
    ),
];

fn from_pairs(cx: &mut Cx, args: &mut [Value]) -> Res {
    if !args.len().is_multiple_of(2) {
        return Err(Diagnostic::new(Code::WrongArity, "`hash-map` has a key without a value")
            .with_help("give keys and values in turn"));
    }
    map_of(cx, crate::analyze::pairs(args.iter_mut().map(std::mem::take).collect()))
}

fn column(cx: &mut Cx, who: &str, map: &Value, pick: fn(&(Value, Value)) -> &Value) -> Res {
    match map {
        Value::Nil => Ok(Value::Nil),
        Value::Map(map) if map.is_empty() => Ok(Value::Nil),
        Value::Map(map) => {
            cx.spend(map.len() as u64)?;
            cx.list(map.rows().map(|row| pick(row).clone()).collect())
        }
        Value::List(_) | Value::Vector(_) | Value::Set(_)
            if map.items().is_some_and(|mut items| items.next().is_none()) =>
        {
            Ok(Value::Nil)
        }
        other => Err(wrong_type(who, "a map", other)),
    }
}

fn entry(who: &str, value: &Value, index: usize) -> Res {
    match value {
        Value::Vector(entry) if entry.len() == 2 => {
            Ok(entry.get(index).cloned().unwrap_or_default())
        }
        other => Err(wrong_type(who, "an entry of a map", other)),
    }
}

/// Calls a function for a part of every entry of a map, with another part aside.
fn each_entry(
    cx: &mut Cx,
    args: &mut [Value],
    who: &str,
    part: fn(&(Value, Value)) -> Value,
    finish: fn(&mut Cx, Each) -> Res,
    aside: fn(&(Value, Value)) -> Value,
) -> Res<Hof> {
    let map = match &args[0] {
        Value::Map(map) => map.clone(),
        Value::Nil => return Ok(Hof::value(Value::map([]))),
        other => return Err(wrong_type(who, "a map and then a function", other)),
    };
    cx.spend(map.len() as u64)?;
    let parts: Vec<Value> = map.rows().map(part).collect();
    let hof = Each::one(take(args, 1), Feed::Own(parts.into_iter()), Collect::Results, finish);
    Ok(match hof {
        Hof::Each(mut each) => {
            each.aside = map.rows().map(aside).collect();
            Hof::Each(each)
        }
        other => other,
    })
}

/// Merging calls f for every pair of values under one key: the pairs are collected first, per map,
/// in a program of the language's own.
fn merge_with(cx: &mut Cx, mut args: Vec<Value>) -> Res<Hof> {
    let function = take(&mut args, 0);
    let maps: Vec<Value> = args.into_iter().skip(1).filter(|map| !map.is_nil()).collect();
    let mut entries = Vec::new();
    for map in &maps {
        let Value::Map(map) = map else { return Err(wrong_type("merge-with", "maps", map)) };
        cx.spend(map.len() as u64)?;
        entries
            .extend(map.iter().map(|(key, value)| Value::vector(vec![key.clone(), value.clone()])));
    }
    if maps.is_empty() {
        return Ok(Hof::value(Value::Nil));
    }
    cx.alloc(entries.len() as u64 * 80)?;
    let start = match maps.first() {
        Some(Value::Map(map)) => map.empty_like(),
        _ => Map::default(),
    };
    Ok(Hof::merge(function, start, entries))
}

fn sift(cx: &mut Cx, args: &mut [Value], who: &str, keep: bool) -> Res {
    let first = match take(args, 0) {
        Value::Set(first) => first,
        Value::Nil => return Ok(Value::Nil),
        other => return Err(wrong_type(who, "sets", &other)),
    };
    if keep && args[1..].iter().any(Value::is_nil) {
        return Ok(Value::Nil);
    }
    let mut left = (*first).clone();
    for other in &args[1..] {
        cx.spend(left.len() as u64)?;
        let has = |member: &Value| match other {
            Value::Set(set) => Ok(set.contains(member)),
            Value::Map(map) => Ok(map.contains(member)),
            Value::Nil => Ok(false),
            other => Err(wrong_type(who, "sets", other)),
        };
        if left.order().is_some() {
            // What is left of a sorted set is in order already.
            for member in left.clone().iter() {
                if has(member)? != keep {
                    left.remove(member);
                }
            }
            continue;
        }
        let mut next = Set::default();
        for member in left.iter() {
            if has(member.key())? == keep {
                next.insert(member.clone());
            }
        }
        left = next;
    }
    cx.set(left)
}
