//! Sequences.

use std::sync::Arc;

use super::facts::{
    ANY, FIRST, LAST, LazyInput, Moves, OnNil, Origin, Pulls, ResultShape::By, as_value, lazily,
    listed,
};
use super::transduce::count_of_step;
use super::{Row, pure, take, wrong_type};
use ptc_facts::messages::out_of_bounds;
use ptc_facts::registry::facts::Passes;
use ptc_facts::shape::gives;
use ptc_machine::{Cx, ItemStep, Pass, items_of, make, merge_sort, not_a_collection, skip};
use ptc_values::{Ext, Lazy, Numbers, Res, Seq, Value};

pub const TABLE: &[Row] = &[
    pure(
        "seq",
        "coll",
        "The items as a sequence; nil if there are none.",
        "(seq []) => nil",
        lazily(By(gives::seq), LazyInput::Function)
            .pulls(Pulls::AsValue)
            .on_nil(OnNil::Passes)
            .origin(Origin::Last),
        |cx, args| {
            let source = take(args, 0);
            let seq = skip(cx, source, 0)?;
            Ok(if seq.is_empty() { Value::Nil } else { Value::List(seq) })
        },
    ),
    pure(
        "first",
        "coll",
        "The first item.",
        "(first [1 2]) => 1",
        lazily(By(gives::first), LazyInput::Function)
            .pulls(Pulls::First(|_| Some(1)))
            .origin(Origin::Last)
            .moves(Moves::Collection)
            .borrows(1, |_, coll, _| item_at_hand(coll, 0)),
        |_, args| item("first", &args[0], 0),
    ),
    pure(
        "second",
        "coll",
        "The second item.",
        "(second [1 2]) => 2",
        lazily(By(gives::one), LazyInput::Function)
            .pulls(Pulls::First(|_| Some(2)))
            .origin(Origin::Last)
            .moves(Moves::Collection)
            .borrows(1, |_, coll, _| item_at_hand(coll, 1)),
        |_, args| item("second", &args[0], 1),
    ),
    pure(
        "ffirst",
        "coll",
        "The first item of the first item.",
        "(ffirst [[1] 2]) => 1",
        lazily(ANY, LazyInput::Always),
        |_, args| {
            let first = item("ffirst", &args[0], 0)?;
            item("ffirst", &first, 0)
        },
    ),
    pure(
        "last",
        "coll",
        "The last item.",
        "(last [1 2]) => 2",
        listed(By(gives::one)).pulls(Pulls::AsValue).moves(Moves::Collection).origin(Origin::Last),
        |cx, args| match &args[0] {
            Value::List(seq) if seq.is_unbuilt() => {
                Ok(seq.front(seq.len() - 1).unwrap_or_default())
            }
            Value::Vector(vector) => Ok(vector
                .len()
                .checked_sub(1)
                .and_then(|at| vector.get(at))
                .cloned()
                .unwrap_or_default()),
            _ => Ok(items_of(cx, take(args, 0))?.pop().unwrap_or_default()),
        },
    ),
    pure(
        "butlast",
        "coll",
        "All items but the last.",
        "(butlast [1 2]) => (1)",
        listed(By(|g| g.fewer(0).or_nil())).pulls(Pulls::AsValue).origin(Origin::Last),
        |cx, args| {
            if let Some(numbers) = unbuilt(&args[0]) {
                let front = part(cx, &numbers.first(count_of("butlast", &args[0])? - 1))?;
                return Ok(if count_of("butlast", &front)? == 0 { Value::Nil } else { front });
            }
            let mut items = items_of(cx, take(args, 0))?;
            items.pop();
            if items.is_empty() { Ok(Value::Nil) } else { cx.list(items) }
        },
    ),
    pure(
        "rest",
        "coll",
        "The items after the first.",
        "(rest [1 2]) => (2)",
        lazily(By(|g| g.fewer(0)), LazyInput::Function).pulls(Pulls::AsValue).origin(Origin::Last),
        |cx, args| {
            let source = take(args, 0);
            let rest = skip(cx, source, 1)?;
            // As in Clojure, the rest of any used-up collection is the empty list.
            Ok(if rest.is_empty() { Value::empty_list() } else { Value::List(rest) })
        },
    ),
    pure(
        "next",
        "coll",
        "The items after the first; nil if there are none.",
        "(next [1]) => nil",
        lazily(By(|g| g.fewer(0).or_nil()), LazyInput::Function)
            .pulls(Pulls::AsValue)
            .origin(Origin::Last),
        |cx, args| {
            let source = take(args, 0);
            let rest = skip(cx, source, 1)?;
            Ok(if rest.is_empty() { Value::Nil } else { Value::List(rest) })
        },
    ),
    pure(
        "nth",
        "coll index|coll index default",
        "The item at a position.",
        "(nth [1 2] 1) => 2",
        lazily(By(gives::nth), LazyInput::Function)
            .pulls(Pulls::First(|args| usize::try_from(args[1].as_int()?).ok()?.checked_add(1)))
            .collection(FIRST)
            .charges_lookup()
            .moves(Moves::Values)
            .origin(Origin::First)
            .borrows(2, |_, coll, index| match coll {
                Value::Vector(vector) => {
                    vector.get(usize::try_from(index.as_int()?).ok()?).cloned()
                }
                _ => None,
            }),
        nth,
    ),
    pure(
        "cons",
        "x coll",
        "A sequence with x in front.",
        "(cons 1 [2]) => (1 2)",
        as_value(By(gives::cons)).collection(LAST),
        |cx, args| {
            let (first, source) = (take(args, 0), take(args, 1));
            if Lazy::of(&source).is_some() {
                return super::lazy_cells::cell(cx, first, source);
            }
            let rest = skip(cx, source, 0)?;
            cx.seq(Seq::cons(first, rest))
        },
    ),
    pure(
        "take",
        "n coll",
        "The first n items.",
        "(take 2 [1 2 3]) => (1 2)",
        lazily(By(gives::take), LazyInput::Function)
            .pulls(Pulls::First(|args| usize::try_from(args[0].as_int()?).ok()))
            .collection(LAST)
            .origin(Origin::Last),
        |cx, args| {
            let count = whole("take", &args[0])?;
            // As in Clojure, the collection is not checked if no item is taken.
            if count == 0 {
                return cx.list(Vec::new());
            }
            if let Some(numbers) = unbuilt(&args[1]) {
                return part(cx, &numbers.first(count));
            }
            let items = some_items(cx, take(args, 1), count)?;
            cx.list(items)
        },
    )
    .step(
        &ItemStep::plain(|_, state, _, item, _| {
            Ok(match state.count {
                0 => Pass::End,
                1 => {
                    state.count = 0;
                    Pass::Last(item)
                }
                _ => {
                    state.count -= 1;
                    Pass::One(item)
                }
            })
        })
        .start(|_, count| count_of_step("take", count))
        .passes(Passes::Some)
        .ending(),
    ),
    pure(
        "drop",
        "n coll",
        "The items after the first n.",
        "(drop 2 [1 2 3]) => (3)",
        lazily(By(|g| g.fewer(1)), LazyInput::Function)
            .pulls(Pulls::AsValue)
            .collection(LAST)
            .origin(Origin::Last),
        |cx, args| {
            let (count, source) = (whole("drop", &args[0])?, take(args, 1));
            let rest = skip(cx, source, count)?;
            Ok(Value::List(Seq::plain(rest)))
        },
    )
    .step(
        &ItemStep::plain(|_, state, _, item, _| {
            if state.count == 0 {
                return Ok(Pass::One(item));
            }
            state.count -= 1;
            Ok(Pass::Nothing)
        })
        .start(|_, count| count_of_step("drop", count))
        .passes(Passes::Some),
    ),
    pure(
        "take-last",
        "n coll",
        "The last n items.",
        "(take-last 2 [1 2 3]) => (2 3)",
        listed(By(|g| g.fewer(1).or_nil())).pulls(Pulls::AsValue).collection(LAST),
        |cx, args| {
            let count = whole("take-last", &args[0])?;
            if unbuilt(&args[1]).is_some() && count > 0 {
                let before = count_of("take-last", &args[1])?.saturating_sub(count);
                return skip(cx, take(args, 1), before).map(Value::List);
            }
            let mut items = items_of(cx, take(args, 1))?;
            let last = items.split_off(items.len().saturating_sub(count));
            if last.is_empty() { Ok(Value::Nil) } else { cx.list(last) }
        },
    ),
    pure(
        "drop-last",
        "coll|n coll",
        "All items but the last, or the last n.",
        "(drop-last 2 [1 2 3]) => (1)",
        listed(By(|g| g.fewer(g.last()))).pulls(Pulls::AsValue).collection(LAST),
        |cx, args| {
            let (count, at) =
                if args.len() == 2 { (whole("drop-last", &args[0])?, 1) } else { (1, 0) };
            if let Some(numbers) = unbuilt(&args[at]) {
                let left = count_of("drop-last", &args[at])?.saturating_sub(count);
                return part(cx, &numbers.first(left));
            }
            let mut items = items_of(cx, take(args, at))?;
            items.truncate(items.len().saturating_sub(count));
            cx.list(items)
        },
    ),
    pure(
        "nthrest",
        "coll n",
        "The items after the first n.",
        "(nthrest [1 2 3] 2) => (3)",
        lazily(ANY, LazyInput::Function).pulls(Pulls::AsValue),
        |cx, args| {
            let (source, count) = (take(args, 0), whole("nthrest", &args[1])?);
            // As in Clojure, skipping no items returns the same collection.
            if count == 0 || count_of("nthrest", &source)? == 0 {
                return Ok(source);
            }
            skip(cx, source, count).map(Value::List)
        },
    ),
    pure(
        "reverse",
        "coll",
        "The items in reverse order.",
        "(reverse [1 2]) => (2 1)",
        listed(By(|g| g.same(0))).pulls(Pulls::AsValue).origin(Origin::Last),
        |cx, args| {
            if let Some(numbers) = unbuilt(&args[0])
                && let Some(reversed) = numbers.reversed()
            {
                cx.alloc(128)?;
                return Ok(Value::List(Arc::new(Seq::of_range(&reversed).into_list())));
            }
            let mut items = items_of(cx, take(args, 0))?;
            items.reverse();
            cx.seq(Seq::new(items).into_list())
        },
    ),
];

/// Returns the integers of a range that is not built.
fn unbuilt(value: &Value) -> Option<Numbers> {
    match value {
        Value::List(seq) => seq.unbuilt(),
        _ => None,
    }
}

/// Makes a range of integers.
pub fn part(cx: &mut Cx, numbers: &Numbers) -> Res {
    cx.alloc(128)?;
    Ok(Value::List(Arc::new(Seq::of_range(numbers))))
}

/// Returns the number of items of a value.
pub fn count_of(who: &str, value: &Value) -> Res<usize> {
    Ok(match value {
        Value::Nil => 0,
        Value::List(seq) => seq.len(),
        Value::Vector(vector) => vector.len(),
        Value::Map(map) => map.len(),
        Value::Set(set) => set.len(),
        Value::Str(text) => text.chars().count(),
        other => {
            let class = if who == "count" {
                "UnsupportedOperationException"
            } else {
                "IllegalArgumentException"
            };
            let problem = wrong_type(who, "a collection", other).with_class(class);
            return Err(problem.with_jvm_message(if who == "count" {
                format!("count not supported on this type: {}", super::class_name(other, false))
            } else {
                super::no_seq(other)
            }));
        }
    })
}

/// Returns the JVM's message for a value without positions.
pub fn no_nth(value: &Value) -> String {
    format!("nth not supported on this type: {}", super::class_name(value, false))
}

/// Returns the item at a position of any collection, or nil.
pub fn item(who: &str, value: &Value, index: usize) -> Res {
    let found = match value {
        Value::Nil => None,
        Value::List(seq) => seq.front(index),
        Value::Vector(vector) => vector.get(index).cloned(),
        Value::Map(map) => {
            map.rows().nth(index).map(|(key, value)| Value::entry(key.clone(), value.clone()))
        }
        Value::Set(set) => set.iter().nth(index).cloned(),
        Value::Str(text) => text.chars().nth(index).map(Value::character),
        other => {
            return Err(wrong_type(who, "a collection", other)
                .with_class("IllegalArgumentException")
                .with_jvm_message(super::no_seq(other)));
        }
    };
    Ok(found.unwrap_or_default())
}

/// Returns an item of a vector or a list, or nil; returns none for other values.
fn item_at_hand(value: &Value, index: usize) -> Option<Value> {
    match value {
        Value::Nil => Some(Value::Nil),
        Value::List(seq) => Some(seq.front(index).unwrap_or_default()),
        Value::Vector(vector) => Some(vector.get(index).cloned().unwrap_or_default()),
        _ => None,
    }
}

/// Returns a count: negative numbers are zero and fractions round up, as in Clojure, which counts
/// down while the number is positive.
pub fn whole(who: &str, value: &Value) -> Res<usize> {
    match value {
        Value::Int(int) => Ok(usize::try_from(*int).unwrap_or(0)),
        Value::Float(float) => Ok(float.ceil().max(0.0) as usize),
        Value::Big(big) if big.sign() == num_bigint::Sign::Minus => Ok(0),
        Value::Big(_) => Ok(usize::MAX),
        other => Err(wrong_type(who, "a number of items", other)),
    }
}

/// Returns a count or a position as Java casts it to an integer: fractions are cut off.
pub fn cut(who: &str, expected: &str, value: &Value) -> Res<i64> {
    match value {
        Value::Int(int) => Ok(*int),
        Value::Float(float) if float.is_nan() || float.abs() <= 9_223_372_036_854_775_808.0 => {
            Ok(*float as i64)
        }
        Value::Float(_) | Value::Big(_) => {
            Err(wrong_type(who, expected, value).with_class("IllegalArgumentException"))
        }
        other => Err(wrong_type(who, expected, other)),
    }
}

fn nth(cx: &mut Cx, args: &mut [Value]) -> Res {
    let at = cut("nth", "a position", &args[1])?;
    let (found, length) = match &args[0] {
        Value::Nil => return Ok(take(args, 2)),
        Value::Vector(vector) => {
            (usize::try_from(at).ok().and_then(|at| vector.get(at)).cloned(), vector.len())
        }
        Value::List(seq) => {
            if seq.unmade().is_some() {
                make(cx, seq)?;
            }
            (usize::try_from(at).ok().and_then(|at| seq.front(at)), seq.len())
        }
        Value::Str(text) => {
            let found = usize::try_from(at).ok().and_then(|at| cx.positions.char(text, at));
            let length = if found.is_none() { cx.positions.count(text) } else { 0 };
            (found.map(Value::character), length)
        }
        Value::Ext(ext) if let Ext::Matcher(matcher) = &**ext => {
            let group = usize::try_from(at).unwrap_or(usize::MAX);
            (super::regex::group("nth", matcher, group)?, matcher.groups())
        }
        other => {
            return Err(wrong_type("nth", "a vector, a list or a string", other)
                .with_class("UnsupportedOperationException")
                .with_jvm_message(no_nth(other)));
        }
    };
    match found {
        Some(found) => Ok(found),
        None if args.len() == 3 => Ok(take(args, 2)),
        None if matches!(args[0], Value::Str(_)) => Err(out_of_bounds(&args[1], length)
            .with_class("StringIndexOutOfBoundsException")
            .with_jvm_message(format!("String index out of range: {at}"))),
        None => Err(out_of_bounds(&args[1], length)),
    }
}

/// Sorts items in the order of `compare` and pays for every comparison.
pub fn sorted(cx: &mut Cx, items: Vec<Value>) -> Res<Vec<Value>> {
    merge_sort(cx, items, |item| item, false)
}

/// Sorts items in the order of their keys.
pub fn sorted_by(cx: &mut Cx, keyed: Vec<(Value, Value)>) -> Res<Vec<Value>> {
    let sorted = merge_sort(cx, keyed, |(key, _)| key, false)?;
    Ok(sorted.into_iter().map(|(_, item)| item).collect())
}

/// Checks that a value has items, before any work.
pub fn check_items(value: &Value) -> Res<()> {
    match value {
        Value::Nil
        | Value::List(_)
        | Value::Vector(_)
        | Value::Map(_)
        | Value::Set(_)
        | Value::Str(_) => Ok(()),
        other => Err(not_a_collection(other)),
    }
}

/// Returns the first `count` items of any collection; pays only for those.
pub fn some_items(cx: &mut Cx, value: Value, count: usize) -> Res<Vec<Value>> {
    match &value {
        Value::Map(map) => {
            let rows = map.iter().take(count);
            let items: Vec<Value> =
                rows.map(|(key, value)| Value::entry(key.clone(), value.clone())).collect();
            cx.spend(items.len() as u64)?;
            Ok(items)
        }
        Value::List(_) | Value::Vector(_) | Value::Set(_) => {
            let items: Vec<Value> =
                value.items().into_iter().flatten().take(count).cloned().collect();
            cx.spend(items.len() as u64)?;
            Ok(items)
        }
        _ => {
            let mut items = items_of(cx, value)?;
            items.truncate(count);
            Ok(items)
        }
    }
}
