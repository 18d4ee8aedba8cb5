//! Sequences made of the items of others, reordered or grouped.

use ptc_signatures::Kinds;

use super::facts::{
    ANY, BOOL, Expects, LAST, LIST, LazyInput, NO_TEXT_LAST, Origin, ResultShape::By, as_value,
    lazily, listed,
};
use super::sequence::{check_items, count_of, cut, no_nth, some_items, whole};
use super::{Row, pure, take, wrong_type};
use ptc_facts::registry::facts::Passes;
use ptc_facts::shape::{Shape, gives};
use ptc_machine::{Cx, Each, ItemStep, Pass, items_of, skip};
use ptc_values::{COPY_MAX, Res, Seq, Set, StageState, Value, num};

pub const TABLE: &[Row] = &[
    pure(
        "concat",
        "& colls",
        "The items of all collections, one collection after another.",
        "(concat [1] [2]) => (1 2)",
        lazily(By(gives::concat), LazyInput::Function).several(),
        concat,
    ),
    pure(
        "distinct",
        "coll",
        "The items without duplicates.",
        "(distinct [1 2 1]) => (1 2)",
        lazily(By(|g| g.fewer(0)), LazyInput::Items).origin(Origin::Last),
        |cx, args| {
            let source = take(args, 0);
            check_items(&source).map_err(|problem| {
                problem
                    .with_class("UnsupportedOperationException")
                    .with_jvm_message(no_nth(&source))
            })?;
            let items = items_of(cx, source)?;
            let items = Each::run(cx, &Value::Nil, items, distinct)?;
            // Every item that is kept is looked up once more than the others.
            cx.spend(items.len() as u64)?;
            cx.list(items)
        },
    )
    .step(&ItemStep::comparing(distinct).passes(Passes::Some)),
    pure(
        "dedupe",
        "coll",
        "The items without consecutive duplicates.",
        "(dedupe [1 1 2 1]) => (1 2 1)",
        lazily(By(|g| g.fewer(0)), LazyInput::Items),
        |cx, args| {
            let items = items_of(cx, take(args, 0))?;
            let items = Each::run(cx, &Value::Nil, items, dedupe)?;
            cx.list(items)
        },
    )
    .step(&ItemStep::comparing(dedupe).passes(Passes::Some)),
    pure(
        "distinct?",
        "x & more",
        "Whether no two arguments are equal.",
        "(distinct? 1 2) => true",
        listed(BOOL),
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
        "coll",
        "The items of lists and vectors at every depth.",
        "(flatten [1 [2 [3]]]) => (1 2 3)",
        lazily(LIST, LazyInput::Always),
        flatten,
    ),
    pure(
        "ptc/flatten",
        "coll",
        "`flatten` of a value without lazy sequences.",
        "",
        as_value(ANY),
        flatten,
    ),
    pure(
        "interleave",
        "& colls",
        "The first items of all collections, then the second items, and so on.",
        "(interleave [1 2] [:a :b]) => (1 :a 2 :b)",
        lazily(LIST, LazyInput::Function),
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
        "separator coll",
        "The items with a separator between them.",
        "(interpose 0 [1 2]) => (1 0 2)",
        lazily(LIST, LazyInput::Streams).collection(NO_TEXT_LAST),
        |cx, args| {
            let items = items_of(cx, take(args, 1))?;
            let items = Each::run(cx, &args[0], items, interpose)?;
            cx.list(items)
        },
    )
    .step(&ItemStep::plain(interpose)),
    pure(
        "partition",
        "n coll|n step coll|n step pad coll",
        "Groups of n items; an incomplete last group is left out.",
        "(partition 2 [1 2 3]) => ((1 2))",
        lazily(By(gives::parts), LazyInput::Function).collection(LAST),
        |cx, args| partition(cx, args, "partition", false),
    ),
    pure(
        "partition-all",
        "n coll|n step coll",
        "Groups of n items; the last groups may be shorter.",
        "(partition-all 2 [1 2 3]) => ((1 2) (3))",
        lazily(By(gives::parts), LazyInput::Function).collection(LAST),
        |cx, args| partition(cx, args, "partition-all", true),
    )
    .step(
        &ItemStep::plain(|cx, state, _, item, _| {
            cx.alloc(16)?;
            state.group.push(item);
            if state.group.len() as u64 != state.count {
                return Ok(Pass::Nothing);
            }
            Ok(Pass::Group(std::mem::take(&mut state.group), None))
        })
        .start(|_, count| match count {
            Value::Int(count @ 0..) => Ok(*count as u64),
            other => Err(wrong_type("partition-all", "a positive integer first", other)
                .with_class("IllegalArgumentException")),
        })
        .passes(Passes::Groups)
        .keeping(),
    ),
    pure(
        "split-at",
        "n coll",
        "The first n items, and the remaining items.",
        "(split-at 1 [1 2]) => [(1) (2)]",
        lazily(ANY, LazyInput::Function).collection(LAST),
        |cx, args| {
            let (count, source) = (whole("split-at", &args[0])?, take(args, 1));
            let parts = match source {
                // A long rest is a view, so that a walk in steps takes linear time.
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
        "x|n x",
        "A sequence of n copies of x; endless without n.",
        "(repeat 2 :a) => (:a :a)",
        as_value(ANY).makes_lazy(1),
        |cx, args| {
            if let [x] = args {
                return super::lazy_cells::repeating(cx, std::mem::take(x));
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
        "coll",
        "The items of a vector or a sorted collection in reverse order; nil if there are none.",
        "(rseq [1 2]) => (2 1)",
        as_value(ANY),
        |cx, args| {
            let source = take(args, 0);
            if !matches!(source, Value::Vector(_)) && !super::sorted::is_sorted(&source) {
                return Err(wrong_type("rseq", "a vector or a sorted collection", &source)
                    .with_jvm_message(ptc_facts::messages::cast_message(&source, "Reversible"))
                    .with_help("`(reverse coll)` takes any collection"));
            }
            let mut items = items_of(cx, source)?;
            items.reverse();
            if items.is_empty() { Ok(Value::Nil) } else { cx.list(items) }
        },
    ),
    pure(
        "frequencies",
        "coll",
        "A map from each item to the number of times it occurs.",
        "(frequencies [:a :b :a]) => {:a 2, :b 1}",
        lazily(By(|g| Shape::entries(g.item(0), Shape::Kinds(Kinds::INT))), LazyInput::Items),
        |cx, args| {
            let items = items_of(cx, take(args, 0))?;
            let mut counts = ptc_values::Map::default();
            for item in items {
                cx.key(&item)?;
                counts.count(item);
            }
            cx.map(counts)
        },
    ),
    pure(
        "index-of",
        "coll x",
        "The position of the first item equal to x; nil if there is none. Not in Clojure.",
        "(index-of [:a :b] :b) => 1",
        listed(ANY).expects(Expects::Member),
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

/// Passes on an item that is not among the items seen before.
#[inline]
fn distinct(cx: &mut Cx, state: &mut StageState, _: &Value, item: Value, key: Value) -> Res<Pass> {
    cx.key(&key)?;
    let known = state.seen.len();
    state.seen.insert(key);
    if state.seen.len() == known {
        return Ok(Pass::Nothing);
    }
    cx.alloc(24)?;
    Ok(Pass::One(item))
}

/// Passes on an item that differs from the one before.
#[inline]
fn dedupe(cx: &mut Cx, state: &mut StageState, _: &Value, item: Value, key: Value) -> Res<Pass> {
    if std::mem::replace(&mut state.begun, true) && cx.equal(&state.last, &key)? {
        return Ok(Pass::Nothing);
    }
    std::mem::replace(&mut state.last, key).done();
    Ok(Pass::One(item))
}

/// Passes on an item, with the separator before it if it is not the first.
#[inline]
fn interpose(
    _: &mut Cx,
    state: &mut StageState,
    separator: &Value,
    item: Value,
    _: Value,
) -> Res<Pass> {
    let is_first = !std::mem::replace(&mut state.begun, true);
    Ok(if is_first { Pass::One(item) } else { Pass::Two(separator.clone(), item) })
}

/// Concatenates collections.
///
/// A long first or last part is not copied. So a sequence that grows by one item at a time takes
/// linear time, as in Clojure, where it is lazy. The other parts are paid for.
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
        // A tree pays off where few items go in front of many.
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
    // As in Clojure, the numbers are not checked if there are no items.
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
            return super::lazy_cells::zero_step(cx, who, group);
        }
        groups.push(group);
        start = start.saturating_add(step);
    }
    cx.list(groups)
}
