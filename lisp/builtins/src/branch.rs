//! Functions that call others in parallel branches.

use super::facts::{
    EACH, How, LAST, LIST, LazyInput, ONCE, Origin, ResultShape::By, TEXT, as_value, calls, lazily,
    listed,
};
use super::{Row, fork, take};
use ptc_facts::shape::gives;
use ptc_machine::{Fork, ItemIter};
use ptc_values::Res;

pub const TABLE: &[Row] = &[
    fork(
        "pmap",
        "f coll & colls",
        "`map` with concurrent tool calls; the results are in the order of the items.",
        "(pmap inc [1 2]) => (2 3)",
        EACH,
        lazily(By(gives::results), LazyInput::Function).collection(LAST).origin(Origin::Results),
        |cx, args| {
            let mut args = args.into_iter();
            let function = args.next().unwrap_or_default();
            Ok(Fork::over(function, args.map(|items| ItemIter::of(cx, items)).collect::<Res<_>>()?))
        },
    ),
    fork(
        "pcalls",
        "& fs",
        "Calls functions without arguments, with concurrent tool calls; returns a sequence of their results.",
        "(pcalls (fn [] 1) (fn [] 2)) => (1 2)",
        &[calls(0, How::Thunks)],
        listed(LIST),
        |_, args| Ok(Fork::calls(args)),
    ),
    fork(
        "ptc/with-out-str",
        "f",
        "The implementation of `with-out-str`.",
        "",
        ONCE,
        as_value(TEXT),
        |_, mut args| Ok(Fork::captured(take(&mut args, 0))),
    ),
];
