//! `clojure.walk`: changes of nested data, from the inside or the outside. Written in the language,
//! so that a function argument may call tools, and nesting takes no native stack.

use super::facts::{ANY, listed};
use super::{Row, lisp};

pub(crate) const TABLE: &[Row] = &[
    lisp(
        "walk/walk",
        "inner outer form",
        "Applies inner to every item, and outer to the collection of the results.",
        "(walk/walk inc #(apply + %) [1 2]) => 5",
        listed(ANY),
        "(fn walk [inner outer form]
           (cond
             (map-entry? form) (outer (MapEntry/create (inner (key form)) (inner (val form))))
             (list? form) (outer (apply list (map inner form)))
             (seq? form) (outer (map inner form))
             (coll? form) (outer (into (empty form) (map inner form)))
             :else (outer form)))",
    ),
    lisp(
        "walk/postwalk",
        "f form",
        "The data with every part replaced by f of it, inner parts first.",
        "(walk/postwalk #(if (int? %) (inc %) %) {:a [1 2]}) => {:a [2 3]}",
        listed(ANY),
        "(fn postwalk [f form]
           (walk/walk (fn [part] (postwalk f part)) f form))",
    ),
    lisp(
        "walk/prewalk",
        "f form",
        "The data with every part replaced by f of it, outer parts first.",
        "(walk/prewalk #(if (int? %) (inc %) %) {:a [1 2]}) => {:a [2 3]}",
        listed(ANY),
        "(fn prewalk [f form]
           (walk/walk (fn [part] (prewalk f part)) identity (f form)))",
    ),
    lisp(
        "walk/keywordize-keys",
        "form",
        "The data with keywords for string keys, at every level.",
        "(walk/keywordize-keys {\"a\" [{\"b\" 1}]}) => {:a [{:b 1}]}",
        listed(ANY),
        "(fn [form]
           (let [turn (fn [[k v]] (if (string? k) [(keyword k) v] [k v]))]
             (walk/postwalk (fn [x] (if (map? x) (into {} (map turn x)) x)) form)))",
    ),
    lisp(
        "walk/stringify-keys",
        "form",
        "The data with strings for keyword keys, at every level.",
        "(walk/stringify-keys {:a [{:b 1}]}) => {\"a\" [{\"b\" 1}]}",
        listed(ANY),
        "(fn [form]
           (let [turn (fn [[k v]] (if (keyword? k) [(name k) v] [k v]))]
             (walk/postwalk (fn [x] (if (map? x) (into {} (map turn x)) x)) form)))",
    ),
    lisp(
        "walk/postwalk-replace",
        "replacements form",
        "The data with parts that are keys of a map replaced by its values, inner parts first.",
        "(walk/postwalk-replace {:a 1} [:a [:a :b]]) => [1 [1 :b]]",
        listed(ANY),
        "(fn [smap form]
           (walk/postwalk (fn [x] (if (contains? smap x) (smap x) x)) form))",
    ),
    lisp(
        "walk/prewalk-replace",
        "replacements form",
        "The data with parts that are keys of a map replaced by its values, outer parts first.",
        "(walk/prewalk-replace {:a 1} [:a [:a :b]]) => [1 [1 :b]]",
        listed(ANY),
        "(fn [smap form]
           (walk/prewalk (fn [x] (if (contains? smap x) (smap x) x)) form))",
    ),
];
