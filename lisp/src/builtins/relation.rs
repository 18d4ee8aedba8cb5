//! `clojure.set` over relations: sets of maps.

use super::facts::{ANY, listed};
use super::{Row, lisp};

pub(crate) const TABLE: &[Row] = &[
    lisp(
        "set/select",
        "pred xset",
        "The members of a set that pass.",
        "(set/select odd? #{1 2 3}) => #{1 3}",
        listed(ANY),
        "(fn [pred xset]
           (reduce (fn [s x] (if (pred x) s (disj s x))) xset xset))",
    ),
    lisp(
        "set/project",
        "xrel keys",
        "The maps of a set with only the given keys.",
        "(set/project #{{:a 1, :b 2}} [:a]) => #{{:a 1}}",
        listed(ANY),
        "(fn [xrel ks]
           (set (map (fn [m] (select-keys m ks)) xrel)))",
    ),
    lisp(
        "set/rename",
        "xrel names",
        "The maps of a set with their keys renamed.",
        "(set/rename #{{:a 1}} {:a :b}) => #{{:b 1}}",
        listed(ANY),
        "(fn [xrel names]
           (set (map (fn [m] (set/rename-keys m names)) xrel)))",
    ),
    lisp(
        "set/index",
        "xrel keys",
        "A map from the values of the given keys to the maps of a set that have them.",
        "(set/index #{{:a 1, :b 2}} [:a]) => {{:a 1} #{{:a 1, :b 2}}}",
        listed(ANY),
        "(fn [xrel ks]
           (reduce (fn [m x] (let [ik (select-keys x ks)] (assoc m ik (conj (get m ik #{}) x))))
                   {} xrel))",
    ),
    lisp(
        "set/map-invert",
        "m",
        "The map with keys and values exchanged.",
        "(set/map-invert {:a 1}) => {1 :a}",
        listed(ANY),
        "(fn [m]
           (reduce (fn [inverted [k v]] (assoc inverted v k)) {} m))",
    ),
    lisp(
        "set/join",
        "xrel yrel|xrel yrel keys",
        "The maps of two sets merged where their shared keys, or the given ones, have equal values.",
        "(set/join #{{:id 1, :a 2}} #{{:id 1, :b 3}}) => #{{:id 1, :a 2, :b 3}}",
        listed(ANY),
        "(fn
           ([xrel yrel]
            (if (and (seq xrel) (seq yrel))
              (let [ks (set/intersection (set (keys (first xrel))) (set (keys (first yrel))))
                    [r s] (if (<= (count xrel) (count yrel)) [xrel yrel] [yrel xrel])
                    idx (set/index r ks)]
                (reduce (fn [ret x]
                          (reduce (fn [ret y] (conj ret (merge y x))) ret (get idx (select-keys x ks))))
                        #{} s))
              #{}))
           ([xrel yrel km]
            (let [[r s k] (if (<= (count xrel) (count yrel))
                            [xrel yrel (set/map-invert km)]
                            [yrel xrel km])
                  idx (set/index r (vals k))]
              (reduce (fn [ret x]
                        (reduce (fn [ret y] (conj ret (merge y x))) ret
                                (get idx (set/rename-keys (select-keys x (keys k)) k))))
                      #{} s))))",
    ),
];
