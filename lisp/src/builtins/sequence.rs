//! Sequences.

use std::sync::Arc;

use super::{Builtin, at_least, between, exactly, pure, take, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{Cx, Res, items_of, merge_sort, not_a_collection, set_of};
use crate::num;
use crate::value::{COPY_MAX, Ext, Lazy, Seq, Set, Source, Value};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "seq",
        exactly(1),
        "coll",
        "The items as a sequence; nil if there are none.",
        "(seq []) => nil",
        |cx, args| {
            let source = take(args, 0);
            let seq = skip(cx, source, 0)?;
            Ok(if seq.is_empty() { Value::Nil } else { Value::List(seq) })
        },
    ),
    pure("first", exactly(1), "coll", "The first item.", "(first [1 2]) => 1", |_, args| {
        item("first", &args[0], 0)
    }),
    pure("second", exactly(1), "coll", "The second item.", "(second [1 2]) => 2", |_, args| {
        item("second", &args[0], 1)
    }),
    pure(
        "ffirst",
        exactly(1),
        "coll",
        "The first item of the first item.",
        "(ffirst [[1] 2]) => 1",
        |_, args| {
            let first = item("ffirst", &args[0], 0)?;
            item("ffirst", &first, 0)
        },
    ),
    pure("last", exactly(1), "coll", "The last item.", "(last [1 2]) => 2", |cx, args| match &args
        [0]
    {
        Value::Vector(vector) => Ok(vector
            .len()
            .checked_sub(1)
            .and_then(|at| vector.get(at))
            .cloned()
            .unwrap_or_default()),
        _ => Ok(items_of(cx, take(args, 0))?.pop().unwrap_or_default()),
    }),
    pure(
        "butlast",
        exactly(1),
        "coll",
        "All items but the last.",
        "(butlast [1 2]) => (1)",
        |cx, args| {
            let mut items = items_of(cx, take(args, 0))?;
            items.pop();
            if items.is_empty() { Ok(Value::Nil) } else { cx.list(items) }
        },
    ),
    pure(
        "rest",
        exactly(1),
        "coll",
        "The items after the first.",
        "(rest [1 2]) => (2)",
        |cx, args| {
            let source = take(args, 0);
            let rest = skip(cx, source, 1)?;
            // As in Clojure, where nothing is left of any collection as the empty list.
            Ok(if rest.is_empty() { Value::empty_list() } else { Value::List(rest) })
        },
    ),
    pure(
        "next",
        exactly(1),
        "coll",
        "The items after the first; nil if there are none.",
        "(next [1]) => nil",
        |cx, args| {
            let source = take(args, 0);
            let rest = skip(cx, source, 1)?;
            Ok(if rest.is_empty() { Value::Nil } else { Value::List(rest) })
        },
    ),
    pure(
        "nth",
        between(2, 3),
        "coll index|coll index default",
        "The item at a position.",
        "(nth [1 2] 1) => 2",
        nth,
    ),
    pure(
        "cons",
        exactly(2),
        "x coll",
        "A sequence with x in front.",
        "(cons 1 [2]) => (1 2)",
        |cx, args| {
            let (first, source) = (take(args, 0), take(args, 1));
            if Lazy::of(&source).is_some() {
                return super::lazy::cell(cx, first, source);
            }
            let rest = skip(cx, source, 0)?;
            cx.seq(Seq::cons(first, rest))
        },
    ),
    pure(
        "take",
        exactly(2),
        "n coll",
        "The first n items.",
        "(take 2 [1 2 3]) => (1 2)",
        |cx, args| {
            let count = whole("take", &args[0])?;
            // As in Clojure, where nobody looks at what no item is taken of.
            if count == 0 {
                return cx.list(Vec::new());
            }
            let items = some_items(cx, take(args, 1), count)?;
            cx.list(items)
        },
    ),
    pure(
        "drop",
        exactly(2),
        "n coll",
        "The items after the first n.",
        "(drop 2 [1 2 3]) => (3)",
        |cx, args| {
            let (count, source) = (whole("drop", &args[0])?, take(args, 1));
            let rest = skip(cx, source, count)?;
            Ok(Value::List(Seq::plain(rest)))
        },
    ),
    pure(
        "take-last",
        exactly(2),
        "n coll",
        "The last n items.",
        "(take-last 2 [1 2 3]) => (2 3)",
        |cx, args| {
            let count = whole("take-last", &args[0])?;
            let mut items = items_of(cx, take(args, 1))?;
            let last = items.split_off(items.len().saturating_sub(count));
            if last.is_empty() { Ok(Value::Nil) } else { cx.list(last) }
        },
    ),
    pure(
        "drop-last",
        between(1, 2),
        "coll|n coll",
        "All items but the last, or the last n.",
        "(drop-last 2 [1 2 3]) => (1)",
        |cx, args| {
            let (count, at) =
                if args.len() == 2 { (whole("drop-last", &args[0])?, 1) } else { (1, 0) };
            let mut items = items_of(cx, take(args, at))?;
            items.truncate(items.len().saturating_sub(count));
            cx.list(items)
        },
    ),
    pure(
        "nthrest",
        exactly(2),
        "coll n",
        "The items after the first n.",
        "(nthrest [1 2 3] 2) => (3)",
        |cx, args| {
            let (source, count) = (take(args, 0), whole("nthrest", &args[1])?);
            // As in Clojure: where nothing is skipped, the collection is itself.
            if count == 0 || count_of("nthrest", &source)? == 0 {
                return Ok(source);
            }
            skip(cx, source, count).map(Value::List)
        },
    ),
    pure(
        "reverse",
        exactly(1),
        "coll",
        "The items in reverse order.",
        "(reverse [1 2]) => (2 1)",
        |cx, args| {
            let mut items = items_of(cx, take(args, 0))?;
            items.reverse();
            cx.seq(Seq::new(items).into_list())
        },
    ),
    pure(
        "concat",
        at_least(0),
        "& colls",
        "The items of one collection after another.",
        "(concat [1] [2]) => (1 2)",
        concat,
    ),
    pure(
        "distinct",
        exactly(1),
        "coll",
        "The items without repetitions.",
        "(distinct [1 2 1]) => (1 2)",
        |cx, args| {
            let source = take(args, 0);
            check_items(&source).map_err(|problem| {
                problem
                    .with_class("UnsupportedOperationException")
                    .with_jvm_message(no_nth(&source))
            })?;
            let items = items_of(cx, source)?;
            let seen = set_of(cx, items.into_iter())?;
            let items = items_of(cx, seen)?;
            cx.list(items)
        },
    ),
    pure(
        "dedupe",
        exactly(1),
        "coll",
        "The items without immediate repetitions.",
        "(dedupe [1 1 2 1]) => (1 2 1)",
        |cx, args| {
            let items = items_of(cx, take(args, 0))?;
            let mut kept: Vec<Value> = Vec::new();
            for item in items {
                if match kept.last() {
                    Some(last) => !cx.equal(last, &item)?,
                    None => true,
                } {
                    kept.push(item);
                }
            }
            cx.list(kept)
        },
    ),
    pure(
        "distinct?",
        at_least(1),
        "x & more",
        "Whether no two arguments are equal.",
        "(distinct? 1 2) => true",
        |cx, args| {
            cx.spend(args.len() as u64)?;
            let mut seen = Set::default();
            for value in args.iter() {
                cx.key(value)?;
                seen.insert(value.clone());
            }
            Ok(Value::Bool(seen.len() == args.len()))
        },
    ),
    pure(
        "flatten",
        exactly(1),
        "coll",
        "The items of lists and vectors at every depth.",
        "(flatten [1 [2 [3]]]) => (1 2 3)",
        flatten,
    ),
    pure("ptc/flatten", exactly(1), "coll", "`flatten` of what nothing lazy is in.", "", flatten),
    pure(
        "interleave",
        at_least(0),
        "& colls",
        "The first items, then the second ones, and so on.",
        "(interleave [1 2] [:a :b]) => (1 :a 2 :b)",
        |cx, args| {
            let mut columns = Vec::new();
            for collection in args {
                columns.push(items_of(cx, std::mem::take(collection))?.into_iter());
            }
            let rows = columns.iter().map(ExactSizeIterator::len).min().unwrap_or(0);
            let mut all = Vec::with_capacity(rows * columns.len());
            for _ in 0..rows {
                all.extend(columns.iter_mut().filter_map(Iterator::next));
            }
            cx.list(all)
        },
    ),
    pure(
        "interpose",
        exactly(2),
        "separator coll",
        "The items with a separator between them.",
        "(interpose 0 [1 2]) => (1 0 2)",
        |cx, args| {
            let items = items_of(cx, take(args, 1))?;
            let mut all = Vec::with_capacity(items.len() * 2);
            for item in items {
                if !all.is_empty() {
                    all.push(args[0].clone());
                }
                all.push(item);
            }
            cx.list(all)
        },
    ),
    pure(
        "partition",
        between(2, 4),
        "n coll|n step coll|n step pad coll",
        "Groups of n items, whole ones only.",
        "(partition 2 [1 2 3]) => ((1 2))",
        |cx, args| partition(cx, args, "partition", false),
    ),
    pure(
        "partition-all",
        between(2, 3),
        "n coll|n step coll",
        "Groups of n items, the last ones perhaps shorter.",
        "(partition-all 2 [1 2 3]) => ((1 2) (3))",
        |cx, args| partition(cx, args, "partition-all", true),
    ),
    pure(
        "split-at",
        exactly(2),
        "n coll",
        "The first n items and the others.",
        "(split-at 1 [1 2]) => [(1) (2)]",
        |cx, args| {
            let (count, source) = (whole("split-at", &args[0])?, take(args, 1));
            let parts = match source {
                // A long rest is a view, so that a walk in steps takes a linear time.
                source @ (Value::Vector(_) | Value::List(_))
                    if count_of("split-at", &source)? > COPY_MAX =>
                {
                    let items = some_items(cx, source.clone(), count)?;
                    let rest = skip(cx, source, count)?;
                    vec![cx.list(items)?, Value::List(Seq::plain(rest))]
                }
                source => {
                    let mut items = items_of(cx, source)?;
                    let rest = items.split_off(count.min(items.len()));
                    vec![cx.list(items)?, cx.list(rest)?]
                }
            };
            cx.vector(parts)
        },
    ),
    pure(
        "repeat",
        between(1, 2),
        "x|n x",
        "A sequence of n times x; without n, x again and again.",
        "(repeat 2 :a) => (:a :a)",
        |cx, args| {
            if let [x] = args {
                return super::lazy::again(cx, std::mem::take(x));
            }
            let count = cut("repeat", "a number of items", &args[0])?;
            let count = usize::try_from(count).unwrap_or(0);
            cx.spend(count as u64)?;
            cx.alloc((count as u64).saturating_mul(16))?;
            cx.list(vec![take(args, 1); count])
        },
    ),
    pure(
        "rseq",
        exactly(1),
        "coll",
        "The items of a vector or a sorted collection in reverse order; nil if there are none.",
        "(rseq [1 2]) => (2 1)",
        |cx, args| {
            let source = take(args, 0);
            if !matches!(source, Value::Vector(_)) && !super::sorted::is_sorted(&source) {
                return Err(wrong_type("rseq", "a vector or a sorted collection", &source)
                    .with_jvm_message(super::interop::cast_message(&source, "Reversible"))
                    .with_help("`(reverse coll)` takes any collection"));
            }
            let mut items = items_of(cx, source)?;
            items.reverse();
            if items.is_empty() { Ok(Value::Nil) } else { cx.list(items) }
        },
    ),
    pure(
        "frequencies",
        exactly(1),
        "coll",
        "How often each item occurs.",
        "(frequencies [:a :b :a]) => {:a 2, :b 1}",
        |cx, args| {
            let items = items_of(cx, take(args, 0))?;
            let mut counts = crate::value::Map::default();
            for item in items {
                cx.key(&item)?;
                match counts.get_mut(&item) {
                    Some(Value::Int(count)) => *count += 1,
                    _ => counts.insert((item, Value::Int(1))),
                }
            }
            cx.map(counts)
        },
    ),
    pure(
        "index-of",
        exactly(2),
        "coll x",
        "The position of the first item equal to x; nil if there is none. Not in Clojure.",
        "(index-of [:a :b] :b) => 1",
        |cx, args| {
            let items = items_of(cx, take(args, 0))?;
            for (at, item) in items.iter().enumerate() {
                if cx.equal(item, &args[1])? {
                    return Ok(Value::Int(at as i64));
                }
            }
            Ok(Value::Nil)
        },
    ),
];

/// How many items a value has.
pub(super) fn count_of(who: &str, value: &Value) -> Res<usize> {
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

/// The message of the JVM for a value without positions.
pub(super) fn no_nth(value: &Value) -> String {
    format!("nth not supported on this type: {}", super::class_name(value, false))
}

/// The item at a position of anything that has items; nil if there is none.
pub(super) fn item(who: &str, value: &Value, index: usize) -> Res {
    let found = match value {
        Value::Nil => None,
        Value::List(seq) => seq.front(index),
        Value::Vector(vector) => vector.get(index).cloned(),
        Value::Map(map) => {
            map.rows().nth(index).map(|(key, value)| Value::entry(key.clone(), value.clone()))
        }
        Value::Set(set) => set.iter().nth(index).cloned(),
        Value::Str(text) => text.chars().nth(index).map(|c| Value::str(c.to_string())),
        other => {
            return Err(wrong_type(who, "a collection", other)
                .with_class("IllegalArgumentException")
                .with_jvm_message(super::no_seq(other)));
        }
    };
    Ok(found.unwrap_or_default())
}

/// The items of anything after the first so many.
pub(super) fn skip(cx: &mut Cx, value: Value, count: usize) -> Res<Arc<Seq>> {
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

/// Pays for the items that are about to be made of the rows of a table.
pub(super) fn make(cx: &mut Cx, seq: &Seq) -> Res<()> {
    cx.spend(seq.len() as u64)?;
    cx.alloc(seq.len() as u64 * 16)
}

/// The items of collections one after another.
///
/// A long first or last part is not copied, so that a sequence which grows by one item at a time
/// takes a linear time, as in Clojure, where it is lazy. What counts is the rest.
fn concat(cx: &mut Cx, args: &mut [Value]) -> Res {
    let long = |value: Option<&Value>| match value {
        Some(Value::List(seq)) if seq.len() > COPY_MAX => seq.len(),
        Some(Value::Vector(vector)) if vector.len() > COPY_MAX => vector.len(),
        _ => 0,
    };
    let (first, last) = (long(args.first()), long(args.last()));
    let parts = args.len();
    let (mut before, mut behind) = (None, None);
    if first > 0 && (first >= last || parts == 1) {
        before = Some(skip(cx, take(args, 0), 0)?);
    } else if last > 0 {
        behind = Some(skip(cx, take(args, parts - 1), 0)?);
    }
    let mut all = Vec::new();
    for collection in args {
        let items = items_of(cx, std::mem::take(collection))?;
        cx.alloc((all.len() + items.len()) as u64 / 64)?;
        if all.is_empty() {
            all = items;
        } else {
            all.extend(items);
        }
        if all.len() as u64 * 16 > cx.limits.memory {
            return Err(cx.too_much());
        }
    }
    match (before, behind) {
        (Some(before), _) => {
            cx.spend(Seq::copy_cost(&before))?;
            cx.alloc(all.len() as u64 * 16)?;
            cx.seq(Seq::append(before, all))
        }
        // A tree pays where little is put in front of much.
        (None, Some(behind)) if all.len() * 4 > behind.len() => {
            all.extend(behind.iter().cloned());
            cx.list(all)
        }
        (None, Some(behind)) => {
            cx.spend(Seq::copy_cost(&behind))?;
            cx.alloc(all.len() as u64 * 16)?;
            cx.seq(Seq::prepend(behind, all))
        }
        (None, None) => cx.list(all),
    }
}

/// Anything that has items as a sequence.
pub(crate) fn as_seq(cx: &mut Cx, value: Value) -> Res<Arc<Seq>> {
    skip(cx, value, 0)
}

/// The first so many items of anything; pays for those only.
fn some_items(cx: &mut Cx, value: Value, count: usize) -> Res<Vec<Value>> {
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

/// A count: negative ones are zero and fractions go up, as in Clojure, which counts down while the
/// number is positive.
pub(super) fn whole(who: &str, value: &Value) -> Res<usize> {
    match value {
        Value::Int(int) => Ok(usize::try_from(*int).unwrap_or(0)),
        Value::Float(float) => Ok(float.ceil().max(0.0) as usize),
        Value::Big(big) if big.sign() == num_bigint::Sign::Minus => Ok(0),
        Value::Big(_) => Ok(usize::MAX),
        other => Err(wrong_type(who, "a number of items", other)),
    }
}

/// A count or a position as Java casts it to an integer: fractions are cut off.
pub(super) fn cut(who: &str, expected: &str, value: &Value) -> Res<i64> {
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

#[cold]
pub(super) fn out_of_bounds(index: &Value, length: usize) -> Diagnostic {
    let items = if length == 1 { "item" } else { "items" };
    Diagnostic::new(
        Code::OutOfBounds,
        format!("there is no item at {}; the collection has {length} {items}", position(index)),
    )
    .with_help("positions start at 0; use `(get coll index)` or `(nth coll index nil)` for nil instead of an error")
}

/// A position in the words of a message.
#[cold]
pub(super) fn position(index: &Value) -> String {
    match index {
        Value::Int(at) => format!("position {at}"),
        other => super::describe(other),
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
            (usize::try_from(at).ok().and_then(|at| seq.get(at)).cloned(), seq.len())
        }
        Value::Str(text) => {
            let found = usize::try_from(at).ok().and_then(|at| cx.positions.char(text, at));
            let length = if found.is_none() { cx.positions.count(text) } else { 0 };
            (found.map(|c| Value::str(c.to_string())), length)
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

fn flatten(cx: &mut Cx, args: &mut [Value]) -> Res {
    let mut flat = Vec::new();
    let mut work = vec![take(args, 0)];
    // Items wait in reverse, so that the first is taken first.
    if !matches!(work.first(), Some(Value::List(_) | Value::Vector(_))) {
        return cx.list(Vec::new());
    }
    while let Some(value) = work.pop() {
        cx.spend(1)?;
        match value {
            Value::List(_) | Value::Vector(_) => {
                let start = work.len();
                work.extend(value.items().into_iter().flatten().cloned());
                cx.alloc((work.len() - start) as u64 * 16)?;
                work[start..].reverse();
            }
            other => flat.push(other),
        }
    }
    cx.list(flat)
}

fn partition(cx: &mut Cx, args: &mut [Value], who: &str, all: bool) -> Res {
    let (step, pad, source) = match args.len() {
        2 => (0, None, take(args, 1)),
        3 => (1, None, take(args, 2)),
        _ => (1, Some(take(args, 2)), take(args, 3)),
    };
    // As in Clojure, where nobody looks at the numbers if there are no items.
    if count_of(who, &source)? == 0 {
        return cx.list(Vec::new());
    }
    let (size, step) = (whole(who, &args[0])?, whole(who, &args[step])?);
    // A group of 1.5 items is never full.
    let can_be_full = num::equal(&args[0], &Value::Int(i64::try_from(size).unwrap_or(i64::MAX)));
    let items = items_of(cx, source)?;
    let mut groups = Vec::new();
    let mut start = 0;
    while start < items.len() {
        let end = start.saturating_add(size).min(items.len());
        let mut group = items.get(start..end).unwrap_or_default().to_vec();
        cx.spend(group.len() as u64)?;
        if !(all || can_be_full && group.len() == size) {
            if let Some(pad) = pad {
                let pad = items_of(cx, pad)?;
                group.extend(pad.into_iter().take(size - group.len()));
                groups.push(cx.list(group)?);
            }
            break;
        }
        let group = cx.list(group)?;
        if step == 0 {
            return super::lazy::standing(cx, who, group);
        }
        groups.push(group);
        start = start.saturating_add(step);
    }
    cx.list(groups)
}

/// Items in the order of `compare`; every comparison is paid for.
pub(super) fn sorted(cx: &mut Cx, items: Vec<Value>) -> Res<Vec<Value>> {
    merge_sort(items, |a, b| cx.compare(a, b))
}

/// Items in the order of their keys.
pub(super) fn sorted_by(cx: &mut Cx, keyed: Vec<(Value, Value)>) -> Res<Vec<Value>> {
    let sorted = merge_sort(keyed, |(a, _), (b, _)| cx.compare(a, b))?;
    Ok(sorted.into_iter().map(|(_, item)| item).collect())
}

/// Refuses what has no items, before anything is made of it.
pub(super) fn check_items(value: &Value) -> Res<()> {
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
