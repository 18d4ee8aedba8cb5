//! Functions that call another function for each item.

use super::facts::{
    ANY, BOOL, EACH, Gives::By, INDEXED, LAST, Lazily, NIL, OnNil, Origin, lazily, listed,
};
use super::{Builtin, callback, take};
use crate::admission::gives;
use crate::machine::{
    CallbackState, Collect, Cx, Each, ItemIter, Res, finish_first, finish_groups, finish_list,
    finish_vector, items_of,
};
use crate::value::Value;

pub(super) const TABLE: &[Builtin] = &[
    callback(
        "map",
        "f coll & colls",
        "The results of f for every item.",
        "(map inc [1 2]) => (2 3)",
        EACH,
        lazily(By(gives::results), Lazily::Function)
            .collection(LAST)
            .others(&[(1, 1, "ptc/map")])
            .origin(Origin::Results),
        |cx, args| each(cx, args, Collect::Results, finish_list),
    ),
    callback(
        "mapv",
        "f coll & colls",
        "The results of f for every item, as a vector.",
        "(mapv inc [1 2]) => [2 3]",
        EACH,
        lazily(By(gives::results), Lazily::Function).collection(LAST).origin(Origin::Results),
        |cx, args| each(cx, args, Collect::Results, finish_vector),
    ),
    callback(
        "mapcat",
        "f coll & colls",
        "The items of the results of f for every item, one result after another.",
        "(mapcat reverse [[2 1] [3]]) => (1 2 3)",
        EACH,
        lazily(By(|g| g.list_of(g.result.item())), Lazily::Always).collection(LAST).others(&[(
            1,
            1,
            "ptc/mapcat",
        )]),
        |cx, args| {
            each(cx, args, Collect::Results, |cx, each| {
                let mut all = Vec::new();
                for part in each.out {
                    all.extend(items_of(cx, part)?);
                    cx.alloc(0)?;
                }
                cx.list(all)
            })
        },
    ),
    callback(
        "map-indexed",
        "f coll",
        "The results of f for every position and item.",
        "(map-indexed vector [:a]) => ([0 :a])",
        INDEXED,
        lazily(By(gives::results), Lazily::Function).collection(LAST).others(&[(
            1,
            1,
            "ptc/map-indexed",
        )]),
        |cx, args| each(cx, args, Collect::Results, finish_list).map(Each::indexed),
    ),
    callback(
        "keep",
        "f coll",
        "The results of f for every item, without nils.",
        "(keep :a [{:a 1} {}]) => (1)",
        EACH,
        lazily(By(|g| g.fewer_of(g.result.not_nil())), Lazily::Function)
            .collection(LAST)
            .others(&[(1, 1, "ptc/keep")])
            .on_nil(OnNil::Asks),
        |cx, args| each(cx, args, Collect::NotNil, finish_list),
    ),
    callback(
        "keep-indexed",
        "f coll",
        "The results of f for every position and item, without nils.",
        "(keep-indexed (fn [i x] (if (odd? i) x)) [:a :b]) => (:b)",
        INDEXED,
        lazily(By(|g| g.fewer_of(g.result.not_nil())), Lazily::Function)
            .collection(LAST)
            .others(&[(1, 1, "ptc/keep-indexed")]),
        |cx, args| each(cx, args, Collect::NotNil, finish_list).map(Each::indexed),
    ),
    callback(
        "filter",
        "pred coll",
        "The items that pass.",
        "(filter odd? [1 2 3]) => (1 3)",
        EACH,
        lazily(By(gives::kept), Lazily::Function)
            .collection(LAST)
            .others(&[(1, 1, "ptc/filter")])
            .on_nil(OnNil::Drops)
            .origin(Origin::Last),
        |cx, args| each(cx, args, Collect::Kept, finish_list),
    ),
    callback(
        "filterv",
        "pred coll",
        "The items that pass, as a vector.",
        "(filterv odd? [1 2 3]) => [1 3]",
        EACH,
        listed(By(gives::kept)).collection(LAST).on_nil(OnNil::Drops).origin(Origin::Last),
        |cx, args| each(cx, args, Collect::Kept, finish_vector),
    ),
    callback(
        "remove",
        "pred coll",
        "The items that do not pass.",
        "(remove odd? [1 2 3]) => (2)",
        EACH,
        lazily(By(gives::kept), Lazily::Function)
            .collection(LAST)
            .others(&[(1, 1, "ptc/remove")])
            .on_nil(OnNil::Drops)
            .origin(Origin::Last),
        |cx, args| each(cx, args, Collect::Dropped, finish_list),
    ),
    callback(
        "take-while",
        "pred coll",
        "The items up to the first that does not pass.",
        "(take-while odd? [1 2 3]) => (1)",
        EACH,
        lazily(By(gives::kept), Lazily::Function)
            .collection(LAST)
            .others(&[(1, 1, "ptc/take-while")])
            .origin(Origin::Last),
        |cx, args| walk(cx, args, Collect::While, finish_list),
    ),
    callback(
        "drop-while",
        "pred coll",
        "The items from the first that does not pass.",
        "(drop-while odd? [1 2 3]) => (2 3)",
        EACH,
        lazily(By(gives::kept), Lazily::Function)
            .collection(LAST)
            .others(&[(1, 1, "ptc/drop-while")])
            .origin(Origin::Last),
        |cx, args| walk(cx, args, Collect::From, finish_list),
    ),
    callback(
        "some",
        "pred coll",
        "The first true result of pred; nil if there is none.",
        "(some #{2} [1 2]) => 2",
        EACH,
        lazily(ANY, Lazily::Function).collection(LAST),
        |cx, args| each(cx, args, Collect::First, finish_first),
    ),
    callback(
        "every?",
        "pred coll",
        "Whether all items pass.",
        "(every? odd? [1 3]) => true",
        EACH,
        lazily(BOOL, Lazily::Function).collection(LAST),
        |cx, args| {
            each(cx, args, Collect::FirstFalse, |_, each| Ok(Value::Bool(each.out.is_empty())))
        },
    ),
    callback(
        "not-every?",
        "pred coll",
        "Whether some item does not pass.",
        "(not-every? odd? [1 2]) => true",
        EACH,
        lazily(BOOL, Lazily::Function).collection(LAST),
        |cx, args| {
            each(cx, args, Collect::FirstFalse, |_, each| Ok(Value::Bool(!each.out.is_empty())))
        },
    ),
    callback(
        "not-any?",
        "pred coll",
        "Whether no item passes.",
        "(not-any? odd? [2]) => true",
        EACH,
        lazily(BOOL, Lazily::Function).collection(LAST),
        |cx, args| each(cx, args, Collect::First, |_, each| Ok(Value::Bool(each.out.is_empty()))),
    ),
    callback(
        "run!",
        "f coll",
        "Calls f for every item; returns nil.",
        "(run! println []) => nil",
        EACH,
        lazily(NIL, Lazily::Function).collection(LAST),
        |cx, args| each(cx, args, Collect::Nothing, |_, _| Ok(Value::Nil)),
    ),
    callback(
        "group-by",
        "f coll",
        "A map from each result of f to a vector of its items.",
        "(group-by odd? [1 2 3]) => {true [1 3], false [2]}",
        EACH,
        listed(By(gives::groups)).collection(LAST),
        |cx, args| each(cx, args, Collect::Both, finish_groups),
    ),
    callback(
        "partition-by",
        "f coll",
        "The items in groups; a new group starts when the result of f changes.",
        "(partition-by odd? [1 3 2]) => ((1 3) (2))",
        EACH,
        lazily(By(|g| g.list_of(g.some_of(1))), Lazily::Function).collection(LAST).others(&[(
            1,
            1,
            "ptc/partition-by",
        )]),
        |cx, args| {
            each(cx, args, Collect::Both, |cx, each| {
                let mut groups = Vec::new();
                let mut group = Vec::new();
                let mut last: Option<Value> = None;
                for (key, item) in each.out.into_iter().zip(each.aside) {
                    let changed = match &last {
                        Some(last) => !cx.equal(last, &key)?,
                        None => false,
                    };
                    if changed {
                        groups.push(cx.list(std::mem::take(&mut group))?);
                    }
                    group.push(item);
                    last = Some(key);
                }
                if !group.is_empty() {
                    groups.push(cx.list(group)?);
                }
                cx.list(groups)
            })
        },
    ),
    callback(
        "split-with",
        "pred coll",
        "The items up to the first that does not pass, and the remaining items.",
        "(split-with odd? [1 2 3]) => [(1) (2 3)]",
        EACH,
        lazily(By(gives::two_parts), Lazily::Function).collection(LAST),
        |cx, args| {
            walk(cx, args, Collect::Split, |cx, mut each| {
                let rest = each.aside.pop();
                let parts = vec![cx.list(each.out)?, rest.unwrap_or_else(Value::empty_list)];
                cx.vector(parts)
            })
        },
    ),
];

/// Makes a call of a function for every item of one or more collections.
pub(super) fn each(
    cx: &mut Cx,
    mut args: Vec<Value>,
    collect: Collect,
    finish: fn(&mut Cx, Each) -> Res,
) -> Res<CallbackState> {
    let mut feeds = Vec::with_capacity(args.len() - 1);
    for collection in args.drain(1..) {
        feeds.push(ItemIter::of(cx, collection)?);
    }
    Ok(Each::over(take(&mut args, 0), feeds, collect, finish))
}

/// Makes a walk that may end early, without copying the items.
fn walk(
    cx: &mut Cx,
    mut args: Vec<Value>,
    collect: Collect,
    finish: fn(&mut Cx, Each) -> Res,
) -> Res<CallbackState> {
    let items = ItemIter::kept(cx, take(&mut args, 1))?;
    Ok(Each::one(take(&mut args, 0), items, collect, finish))
}
