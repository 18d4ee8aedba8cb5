//! Functions that call another function for each item.

use super::facts::{
    ANY, BOOL, EACH, LAST, LazyInput, NIL, OnNil, Origin, Pulls, ResultShape, ResultShape::By,
    as_value, lazily, listed,
};
use super::{Row, callback, pure, step, take};
use ptc_facts::registry::facts::Passes;
use ptc_facts::shape::gives;
use ptc_machine::{
    CallbackState, Collect, Cx, Each, ItemStep, Pass, feeds, finish_first, finish_groups,
    finish_vector,
};
use ptc_signatures::Kinds;
use ptc_values::{Res, Value};

pub const TABLE: &[Row] = &[
    step(
        "map",
        "f coll & colls",
        "The results of f for every item.",
        "(map inc [1 2]) => (2 3)",
        lazily(By(gives::results), LazyInput::Streams)
            .pulls(Pulls::Stage { ends: false })
            .collection(LAST)
            .origin(Origin::Results),
        &ItemStep::calling(Collect::Results),
    ),
    callback(
        "mapv",
        "f coll & colls",
        "The results of f for every item, as a vector.",
        "(mapv inc [1 2]) => [2 3]",
        EACH,
        lazily(By(gives::results), LazyInput::Function)
            .pulls(Pulls::Numbers)
            .collection(LAST)
            .origin(Origin::Results),
        |cx, args| each(cx, args, Collect::Results, finish_vector),
    ),
    step(
        "mapcat",
        "f coll & colls",
        "The items of the results of f for every item, one result after another.",
        "(mapcat reverse [[2 1] [3]]) => (1 2 3)",
        lazily(By(|g| g.list_of(g.result.item())), LazyInput::Always)
            .pulls(Pulls::Stage { ends: false })
            .collection(LAST),
        &ItemStep::calling(Collect::Items),
    ),
    step(
        "map-indexed",
        "f coll",
        "The results of f for every position and item.",
        "(map-indexed vector [:a]) => ([0 :a])",
        lazily(By(gives::results), LazyInput::Streams).pulls(Pulls::Numbers).collection(LAST),
        &ItemStep::indexed(Collect::Results),
    ),
    step(
        "keep",
        "f coll",
        "The results of f for every item, without nils.",
        "(keep :a [{:a 1} {}]) => (1)",
        lazily(By(|g| g.fewer_of(g.result.not_nil())), LazyInput::Streams)
            .pulls(Pulls::Stage { ends: false })
            .collection(LAST)
            .on_nil(OnNil::Asks),
        &ItemStep::calling(Collect::NotNil),
    ),
    step(
        "keep-indexed",
        "f coll",
        "The results of f for every position and item, without nils.",
        "(keep-indexed (fn [i x] (if (odd? i) x)) [:a :b]) => (:b)",
        lazily(By(|g| g.fewer_of(g.result.not_nil())), LazyInput::Streams)
            .pulls(Pulls::Numbers)
            .collection(LAST),
        &ItemStep::indexed(Collect::NotNil),
    ),
    step(
        "ptc/given",
        "f coll",
        "The implementation of `for`: the results of f for every item, without those that are `ptc/none`.",
        "",
        lazily(By(|g| g.fewer_of(g.result.clone())), LazyInput::Streams)
            .collection(LAST)
            .pulls(Pulls::Stage { ends: false }),
        &ItemStep::calling(Collect::Given),
    ),
    pure(
        "ptc/none",
        "",
        "No item: a result for `ptc/given`. It is never called.",
        "",
        as_value(ResultShape::Kinds(Kinds::NONE)),
        |_, _| Ok(Value::Nil),
    ),
    step(
        "filter",
        "pred coll",
        "The items that pass.",
        "(filter odd? [1 2 3]) => (1 3)",
        lazily(By(gives::kept), LazyInput::Streams)
            .pulls(Pulls::Stage { ends: false })
            .collection(LAST)
            .on_nil(OnNil::Drops)
            .origin(Origin::Last),
        &ItemStep::calling(Collect::Kept),
    ),
    callback(
        "filterv",
        "pred coll",
        "The items that pass, as a vector.",
        "(filterv odd? [1 2 3]) => [1 3]",
        EACH,
        listed(By(gives::kept))
            .pulls(Pulls::Numbers)
            .collection(LAST)
            .on_nil(OnNil::Drops)
            .origin(Origin::Last),
        |cx, args| each(cx, args, Collect::Kept, finish_vector),
    ),
    step(
        "remove",
        "pred coll",
        "The items that do not pass.",
        "(remove odd? [1 2 3]) => (2)",
        lazily(By(gives::kept), LazyInput::Streams)
            .pulls(Pulls::Stage { ends: false })
            .collection(LAST)
            .on_nil(OnNil::Drops)
            .origin(Origin::Last),
        &ItemStep::calling(Collect::Dropped),
    ),
    step(
        "take-while",
        "pred coll",
        "The items up to the first that does not pass.",
        "(take-while odd? [1 2 3]) => (1)",
        as_value(By(gives::kept))
            .pulls(Pulls::Stage { ends: true })
            .collection(LAST)
            .on_nil(OnNil::Drops)
            .origin(Origin::Last),
        &ItemStep::calling(Collect::While),
    ),
    step(
        "drop-while",
        "pred coll",
        "The items from the first that does not pass.",
        "(drop-while odd? [1 2 3]) => (2 3)",
        as_value(By(gives::kept))
            .pulls(Pulls::Front)
            .collection(LAST)
            .on_nil(OnNil::Drops)
            .origin(Origin::Last),
        &ItemStep::calling(Collect::From),
    ),
    callback(
        "some",
        "pred coll",
        "The first true result of pred; nil if there is none.",
        "(some #{2} [1 2]) => 2",
        EACH,
        as_value(ANY).pulls(Pulls::Some).collection(LAST).on_nil(OnNil::Drops),
        |cx, args| each(cx, args, Collect::First, finish_first),
    ),
    callback(
        "every?",
        "pred coll",
        "Whether all items pass.",
        "(every? odd? [1 3]) => true",
        EACH,
        as_value(BOOL).pulls(Pulls::Some).collection(LAST).on_nil(OnNil::Drops),
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
        as_value(BOOL).pulls(Pulls::Some).collection(LAST).on_nil(OnNil::Drops),
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
        as_value(BOOL).pulls(Pulls::Some).collection(LAST).on_nil(OnNil::Drops),
        |cx, args| each(cx, args, Collect::First, |_, each| Ok(Value::Bool(each.out.is_empty()))),
    ),
    callback(
        "run!",
        "f coll",
        "Calls f for every item; returns nil.",
        "(run! println []) => nil",
        EACH,
        as_value(NIL).pulls(Pulls::All).collection(LAST),
        |cx, args| each(cx, args, Collect::Nothing, |_, _| Ok(Value::Nil)),
    ),
    callback(
        "group-by",
        "f coll",
        "A map from each result of f to a vector of its items.",
        "(group-by odd? [1 2 3]) => {true [1 3], false [2]}",
        EACH,
        listed(By(gives::groups)).pulls(Pulls::Numbers).collection(LAST),
        |cx, args| each(cx, args, Collect::Both, finish_groups),
    ),
    step(
        "partition-by",
        "f coll",
        "The items in groups; a new group starts when the result of f changes.",
        "(partition-by odd? [1 3 2]) => ((1 3) (2))",
        lazily(By(|g| g.list_of(g.some_of(1))), LazyInput::Streams)
            .pulls(Pulls::Numbers)
            .collection(LAST),
        &ItemStep::calling(Collect::By(|cx, state, _, item, key| {
            cx.alloc(16)?;
            let is_first = state.group.is_empty();
            let before = std::mem::replace(&mut state.last, key);
            if is_first || cx.equal(&before, &state.last)? {
                state.group.push(item);
                return Ok(Pass::Nothing);
            }
            Ok(Pass::Group(std::mem::take(&mut state.group), Some(item)))
        }))
        .passes(Passes::Groups)
        .keeping(),
    ),
    callback(
        "split-with",
        "pred coll",
        "The items up to the first that does not pass, and the remaining items.",
        "(split-with odd? [1 2 3]) => [(1) (2 3)]",
        EACH,
        lazily(By(gives::two_parts), LazyInput::Function)
            .pulls(Pulls::Front)
            .collection(LAST)
            .on_nil(OnNil::Drops),
        |cx, args| {
            each(cx, args, Collect::Split, |cx, each| {
                let parts = vec![cx.list(each.out)?, each.rest.unwrap_or_else(Value::empty_list)];
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
    let feeds = feeds(cx, &mut args, collect)?;
    Ok(Each::over(take(&mut args, 0), feeds, collect, finish).into())
}
