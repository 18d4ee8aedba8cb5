//! `clojure.set` over relations: sets of maps.

use super::facts::{ANY, MAP, listed};
use super::{Row, lisp};

pub const TABLE: &[Row] = &[
    lisp(
        "set/select",
        "pred xset",
        "The members of a set that pass.",
        "(set/select odd? #{1 2 3}) => #{1 3}",
        listed(ANY),
    ),
    lisp(
        "set/project",
        "xrel keys",
        "The maps of a set with only the given keys.",
        "(set/project #{{:a 1, :b 2}} [:a]) => #{{:a 1}}",
        listed(ANY),
    ),
    lisp(
        "set/rename",
        "xrel names",
        "The maps of a set with their keys renamed.",
        "(set/rename #{{:a 1}} {:a :b}) => #{{:b 1}}",
        listed(ANY),
    ),
    lisp(
        "set/index",
        "xrel keys",
        "A map from the values of the given keys to the maps of a set that have them.",
        "(set/index #{{:a 1, :b 2}} [:a]) => {{:a 1} #{{:a 1, :b 2}}}",
        listed(ANY),
    ),
    lisp(
        "set/map-invert",
        "m",
        "The map with keys and values exchanged.",
        "(set/map-invert {:a 1}) => {1 :a}",
        listed(MAP),
    ),
    lisp(
        "set/join",
        "xrel yrel|xrel yrel keys",
        "The maps of two sets merged where their shared keys, or the given ones, have equal values.",
        "(set/join #{{:id 1, :a 2}} #{{:id 1, :b 3}}) => #{{:id 1, :a 2, :b 3}}",
        listed(ANY),
    ),
];
