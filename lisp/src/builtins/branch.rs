//! Functions called side by side.

use super::{Builtin, at_least, exactly, fork, take};
use crate::machine::{Feed, Fork, Res};

pub(super) const TABLE: &[Builtin] = &[
    fork(
        "pmap",
        at_least(2),
        "f coll & colls",
        "`map` whose calls of tools are made side by side; results in the order of the items.",
        "(pmap inc [1 2]) => (2 3)",
        |cx, args| {
            let mut args = args.into_iter();
            let function = args.next().unwrap_or_default();
            Ok(Fork::over(function, args.map(|items| Feed::of(cx, items)).collect::<Res<_>>()?))
        },
    ),
    fork(
        "pcalls",
        at_least(0),
        "& fs",
        "Calls functions without arguments side by side; a sequence of what they give.",
        "(pcalls (fn [] 1) (fn [] 2)) => (1 2)",
        |_, args| Ok(Fork::calls(args)),
    ),
    fork(
        "ptc/with-out-str",
        exactly(1),
        "f",
        "What `with-out-str` does with its body.",
        "",
        |_, mut args| Ok(Fork::captured(take(&mut args, 0))),
    ),
];
