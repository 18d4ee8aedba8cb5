//! Functions that call others in parallel branches.

use super::facts::{
    EACH, Gives::By, How, LAST, LIST, Lazily, ONCE, Origin, TEXT, as_value, calls, lazily, listed,
};
use super::{Builtin, fork, take};
use crate::admission::gives;
use crate::machine::{Fork, ItemIter, Res};

pub(super) const TABLE: &[Builtin] = &[
    fork(
        "pmap",
        "f coll & colls",
        "`map` whose calls of tools are made side by side; results in the order of the items.",
        "(pmap inc [1 2]) => (2 3)",
        EACH,
        lazily(
            By(gives::results),
            Lazily::Function(
                "(fn [f & colls]
           (apply pmap f (map ptc/all (ptc/level colls))))",
            ),
        )
        .collection(LAST)
        .origin(Origin::Results),
        |cx, args| {
            let mut args = args.into_iter();
            let function = args.next().unwrap_or_default();
            Ok(Fork::over(function, args.map(|items| ItemIter::of(cx, items)).collect::<Res<_>>()?))
        },
    ),
    fork(
        "pcalls",
        "& fs",
        "Calls functions without arguments side by side; a sequence of what they give.",
        "(pcalls (fn [] 1) (fn [] 2)) => (1 2)",
        &[calls(0, How::Thunks)],
        listed(LIST),
        |_, args| Ok(Fork::calls(args)),
    ),
    fork(
        "ptc/with-out-str",
        "f",
        "What `with-out-str` does with its body.",
        "",
        ONCE,
        as_value(TEXT),
        |_, mut args| Ok(Fork::captured(take(&mut args, 0))),
    ),
];
