//! What other builtins do with values whose use calls functions of the program.
//!
//! A builtin is a step that calls nothing, so it cannot make the items of a lazy sequence. When one
//! is given such a value, the machine calls the function that stands here for it, which is written
//! in the language; a builtin without one gets all items of the sequence in a list. Only programs
//! that can make such values pay for the difference: see [`needs_frames`].

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{BuiltinId, library};
use crate::machine::Res;
use crate::value::{Lazy, Value};

/// What a builtin does when it is given a lazy sequence.
enum Instead {
    /// It is this function.
    Function(&'static str),
    /// It is this function whatever it is given: the sequences come from a function it calls, or are
    /// inside of what it is given.
    Always(&'static str),
    /// It is this function when it is given something that may hold a lazy sequence.
    Inside(&'static str),
    /// It is this function when an item of what it is given is a lazy sequence.
    Items(&'static str),
}

use Instead::{Always, Function, Inside, Items};

/// Builtins that take a lazy sequence as they take any value, without a look at its items. Those of
/// the language itself, `ptc/…`, do too, but for those in [`INSTEAD`].
const AS_IT_IS: &str = "any? array-map assoc associative? atom boolean cat class coll? comp completing conj cons constantly \
    counted? delay delay? deref eduction false? fn? fnil force halt-when hash-map identical? identity ifn? \
    instance? iterate juxt keyword keyword? list list? map? name namespace nil? not number? \
    partial peek pop re-find re-matches re-seq realized? reduced reduced? repeat repeatedly \
    reset! reset-vals! rseq seq? seqable? sequential? set? some? sorted? string? subs swap! \
    swap-vals! symbol symbol? transduce true? type vector vector? volatile! volatile? vreset! vswap!";

/// Builtins about single values that are no collections: they take a lazy sequence as they take any
/// other value that is not meant. A test is false, anything else is an error.
fn of_one_value() -> impl Iterator<Item = &'static str> {
    let numbers =
        [super::number::TABLE, super::math::TABLE, super::bits::TABLE, super::cast::TABLE];
    let tests = [super::predicate::TABLE, super::core_more::TABLE].into_iter().flatten();
    let tests = tests.filter(|row| row.max == Some(1) && row.name.ends_with('?'));
    numbers.into_iter().flatten().chain(tests).map(|row| row.name)
}

/// Functions instead of builtins.
static INSTEAD: &[(&str, Instead)] = &[
    ("seq", Function("(fn [xs] (if (ptc/step xs) xs nil))")),
    ("not-empty", Function("(fn [xs] (if (ptc/step xs) xs nil))")),
    ("empty?", Function("(fn [xs] (nil? (ptc/step xs)))")),
    ("first", Function("(fn [xs] (first (ptc/take 1 xs)))")),
    ("second", Function("(fn [xs] (first (ptc/drop 1 (ptc/take 2 xs))))")),
    ("ffirst", Always("(fn [xs] (first (first xs)))")),
    ("nfirst", Always("(fn [xs] (next (first xs)))")),
    ("empty", Function("(fn [xs] ())")),
    (
        "get",
        Function(
            "(fn
               ([coll k] (if (ptc/lazy? coll) nil (get coll (ptc/realized k))))
               ([coll k default] (if (ptc/lazy? coll) default (get coll (ptc/realized k) default))))",
        ),
    ),
    // Keys are looked for by their items; nothing is looked for in a sequence.
    (
        "contains?",
        Function("(fn [coll k] (contains? (if (ptc/lazy? coll) () coll) (ptc/realized k)))"),
    ),
    ("find", Function("(fn [m k] (find (if (ptc/lazy? m) () m) (ptc/realized k)))")),
    (
        "dissoc",
        Function("(fn [m & ks] (apply dissoc (if (ptc/lazy? m) () m) (map ptc/realized ks)))"),
    ),
    (
        "disj",
        Function("(fn [s & ks] (apply disj (if (ptc/lazy? s) () s) (map ptc/realized ks)))"),
    ),
    ("set", Items("(fn [xs] (set (ptc/realized xs)))")),
    ("frequencies", Items("(fn [xs] (frequencies (ptc/realized xs)))")),
    ("=", Inside(
        "(fn
           ([x] true)
           ([x y]
            (if (or (ptc/holds-lazy? x) (ptc/holds-lazy? y)) (ptc/same x y) (ptc/equal x y)))
           ([x y & more] (if (= x y) (apply = y more) false)))",
    )),
    ("not=", Inside("(fn [& xs] (not (apply = xs)))")),
    ("fnext", Function("(fn [xs] (first (next xs)))")),
    ("nnext", Function("(fn [xs] (next (next xs)))")),
    ("rest", Function("(fn [xs] (ptc/drop 1 xs))")),
    ("next", Function("(fn [xs] (seq (ptc/drop 1 xs)))")),
    (
        "nth",
        Function(
            "(fn
               ([xs n]
                (let [n (long n), x (if (neg? n) nil (ptc/step (ptc/drop n xs)))]
                  (if x (x 0) (ptc/no-item n))))
               ([xs n default]
                (let [n (long n), x (if (neg? n) nil (ptc/step (ptc/drop n xs)))]
                  (if x (x 0) default))))",
        ),
    ),
    ("ptc/item", Function("(fn [xs n] (let [x (ptc/step (ptc/drop n xs))] (if x (x 0) nil)))")),
    ("ptc/seq-item", Function("(fn [xs n] (let [x (ptc/step (ptc/drop n xs))] (if x (x 0) nil)))")),
    ("ptc/as-map", Function("(fn [x] (ptc/as-map (ptc/all x)))")),
    ("ptc/rest-from", Function("(fn [xs n] (seq (ptc/drop n xs)))")),
    ("take", Function("(fn [n xs] (if (ptc/has-room? n) (ptc/take n xs) (ptc/take-far n xs)))")),
    ("drop", Function("(fn [n xs] (ptc/drop n xs))")),
    ("nthrest", Function("(fn [xs n] (ptc/drop n xs))")),
    ("nthnext", Function("(fn [xs n] (seq (ptc/drop n xs)))")),
    (
        "split-at",
        Function(
            "(fn [n xs]
               [(take n xs)
                (if (ptc/has-room? n)
                  (ptc/drop n xs)
                  (ptc/lazy (ptc/endless? xs) (fn [] (ptc/drop n xs))))])",
        ),
    ),
    (
        "take-while",
        Function(
            "(fn [p xs]
               (loop [xs xs kept []]
                 (let [x (ptc/step xs)]
                   (cond
                     (not (and x (p (x 0)))) (ptc/as-list kept)
                     (= (count kept) 1000)
                     (ptc/append kept (cons (x 0) (ptc/while p (x 1))))
                     :else (recur (x 1) (conj kept (x 0)))))))",
        ),
    ),
    (
        "drop-while",
        Function(
            "(fn [p xs]
               (loop [xs xs]
                 (let [x (ptc/step xs)]
                   (cond (nil? x) () (p (x 0)) (recur (x 1)) :else xs))))",
        ),
    ),
    (
        "split-with",
        Function(
            "(fn [p xs]
               (let [front (take-while p xs)]
                 [front (if (ptc/lazy? front)
                          (ptc/lazy (ptc/endless? xs) (fn [] (drop-while p xs)))
                          (drop-while p xs))]))",
        ),
    ),
    (
        "map",
        Function(
            "(fn
               ([f xs]
                ((fn each [xs]
                   (ptc/lazy (ptc/endless? xs)
                     (fn [] (let [x (ptc/step xs)] (if x (cons (f (x 0)) (each (x 1))))))))
                 xs))
               ([f xs & more]
                (let [colls (ptc/level (cons xs more))]
                  (if (every? ptc/lazy? colls)
                    ((fn each [colls]
                       (ptc/lazy (every? ptc/endless? colls)
                         (fn []
                           (let [steps (map ptc/step colls)]
                             (if (every? some? steps)
                               (cons (apply f (map first steps)) (each (map second steps))))))))
                     colls)
                    (apply map f colls)))))",
        ),
    ),
    ("pmap", Function("(fn [f & colls] (apply pmap f (map ptc/all (ptc/level colls))))")),
    ("mapv", Function("(fn [f & colls] (apply mapv f (map ptc/all (ptc/level colls))))")),
    (
        "filter",
        Function(
            "(fn [p xs]
               ((fn each [xs]
                  (ptc/lazy (ptc/endless? xs)
                    (fn []
                      (loop [xs xs]
                        (let [x (ptc/step xs)]
                          (cond
                            (nil? x) nil
                            (p (x 0)) (cons (x 0) (each (x 1)))
                            :else (recur (x 1))))))))
                xs))",
        ),
    ),
    ("random-sample", Function("(fn [prob xs] (filter (fn [_] (< (rand) prob)) xs))")),
    ("remove", Function("(fn [p xs] (filter (fn [x] (not (p x))) xs))")),
    ("keep", Function("(fn [f xs] (filter some? (map f xs)))")),
    ("map-indexed", Function("(fn [f xs] (map f (range) xs))")),
    ("keep-indexed", Function("(fn [f xs] (filter some? (map f (range) xs)))")),
    ("concat", Function("(fn [& colls] (ptc/chain colls))")),
    ("apply", Function("(fn [f & args] (ptc/apply f (apply list* args)))")),
    (
        "list*",
        Function(
            "(fn [& args]
               (let [[last & others] (reverse args)]
                 (if others (reduce (fn [tail x] (cons x tail)) last others) (seq last))))",
        ),
    ),
    (
        "flatten",
        Always(
            "(fn [xs]
               (if (ptc/holds-lazy? xs)
                 ((fn each [work endless]
                    (ptc/lazy endless
                      (fn []
                        (loop [work work endless endless]
                          (if (seq work)
                            (let [x (ptc/step (first work))]
                              (cond
                                (nil? x) (recur (rest work) endless)
                                (sequential? (x 0))
                                (recur (cons (x 0) (cons (x 1) (rest work)))
                                       (or endless (ptc/endless? (x 0))))
                                :else
                                (cons (x 0) (each (cons (x 1) (rest work)) endless)))))))))
                  (if (sequential? xs) (list xs) ()) (ptc/endless? xs))
                 (ptc/flatten xs)))",
        ),
    ),
    (
        "interleave",
        Function(
            "(fn [& colls] (let [rows (apply map list colls)] (ptc/flat rows (ptc/endless? rows))))",
        ),
    ),
    (
        "interpose",
        Function(
            "(fn [sep xs] (rest (ptc/flat (map (fn [x] (list sep x)) xs) (ptc/endless? xs))))",
        ),
    ),
    (
        "take-nth",
        Function(
            "(fn [n xs]
               ((fn each [xs skip]
                  (ptc/lazy (ptc/endless? xs)
                    (fn []
                      (let [xs (ptc/drop skip xs), x (ptc/step xs)]
                        (if x (cons (x 0) (each xs n)))))))
                xs 0))",
        ),
    ),
    (
        "partition",
        Function(
            "(fn part
               ([n xs] (part n n xs))
               ([n step xs]
                (ptc/lazy (and (int? n) (ptc/endless? xs))
                  (fn []
                    (let [group (ptc/take n xs)]
                      (if (and (= n (count group)) (or (seq group) (ptc/step xs)))
                        (cons group (part n step (ptc/drop step xs))))))))
               ([n step pad xs]
                (ptc/lazy (and (int? n) (ptc/endless? xs))
                  (fn []
                    (let [group (ptc/take n xs)]
                      (cond
                        (not (or (seq group) (ptc/step xs))) nil
                        (= n (count group)) (cons group (part n step pad (ptc/drop step xs)))
                        :else (list (ptc/take n (concat group pad)))))))))",
        ),
    ),
    (
        "partition-all",
        Function(
            "(fn part
               ([n xs] (part n n xs))
               ([n step xs]
                (ptc/lazy (ptc/endless? xs)
                  (fn []
                    (let [group (ptc/take n xs)]
                      (if (or (seq group) (ptc/step xs))
                        (cons group (part n step (ptc/drop step xs)))))))))",
        ),
    ),
    (
        "partition-by",
        Function(
            "(fn [f xs]
               ((fn each [xs]
                  (ptc/lazy (ptc/endless? xs)
                    (fn []
                      (let [x (ptc/step xs)]
                        (if x
                          (let [key (f (x 0)), same? (fn [x] (= key (f x)))]
                            (loop [run [(x 0)] xs (x 1)]
                              (let [x (ptc/step xs)]
                                (cond
                                  (not (and x (same? (x 0)))) (cons (ptc/as-list run) (each xs))
                                  (= (count run) 1000)
                                  (let [more (ptc/while same? (x 1))
                                        behind (fn [] (ptc/drop (count more) (x 1)))]
                                    (cons (ptc/append run (cons (x 0) more))
                                          (each (ptc/lazy false behind))))
                                  :else (recur (conj run (x 0)) (x 1)))))))))))
                xs))",
        ),
    ),
    (
        "distinct",
        Items(
            "(fn [xs]
               (if (ptc/lazy? xs)
                 ((fn each [xs seen]
                    (ptc/lazy (ptc/endless? xs)
                      (fn []
                        (loop [xs xs]
                          (let [x (ptc/step xs)]
                            (if x
                              (let [key (ptc/realized (x 0))]
                                (if (contains? seen key)
                                  (recur (x 1))
                                  (cons (x 0) (each (x 1) (conj seen key)))))))))))
                  xs #{})
                 (distinct (ptc/realized xs))))",
        ),
    ),
    (
        "dedupe",
        Items(
            "(fn [xs]
               (if (ptc/lazy? xs)
                 (map first (partition-by identity xs))
                 (dedupe (ptc/realized xs))))",
        ),
    ),
    (
        "reductions",
        Function(
            "(fn from
               ([f xs] (let [x (ptc/step xs)] (if x (from f (x 0) (x 1)) (list (f)))))
               ([f init xs]
                (if (reduced? init)
                  (list @init)
                  (cons init
                        (ptc/lazy false
                          (fn []
                            (let [x (ptc/step xs)]
                              (if x (from f (f init (x 0)) (x 1))))))))))",
        ),
    ),
    (
        "some",
        Function(
            "(fn [p xs]
               (loop [xs xs]
                 (let [x (ptc/step xs)]
                   (if x (or (p (x 0)) (recur (x 1))) nil))))",
        ),
    ),
    (
        "every?",
        Function(
            "(fn [p xs]
               (loop [xs xs]
                 (let [x (ptc/step xs)]
                   (cond (nil? x) true (p (x 0)) (recur (x 1)) :else false))))",
        ),
    ),
    ("not-any?", Function("(fn [p xs] (not (some p xs)))")),
    ("not-every?", Function("(fn [p xs] (not (every? p xs)))")),
    (
        "reduce",
        Function(
            "(fn over
               ([f xs] (let [x (ptc/step xs)] (if x (over f (x 0) (x 1)) (f))))
               ([f init xs]
                (loop [so-far init xs xs]
                  (let [x (ptc/step xs)]
                    (if x
                      (let [next (f so-far (x 0))]
                        (if (reduced? next) @next (recur next (x 1))))
                      so-far)))))",
        ),
    ),
    ("sequence", Function("(fn [xs] (or (seq xs) ()))")),
    ("ptc/sequence", Function("(fn [xf & colls] (apply ptc/stream xf colls))")),
    ("run!", Function("(fn [f xs] (reduce (fn [_ x] (f x)) nil xs) nil)")),
    (
        "zipmap",
        Function(
            "(fn [ks vs] (let [[ks vs] (ptc/level [ks vs])] (zipmap (ptc/all ks) (ptc/all vs))))",
        ),
    ),
    (
        "mapcat",
        Always(
            "(fn [f & colls]
               (let [parts (apply map f colls)]
                 (if (or (ptc/lazy? parts) (some ptc/lazy? parts))
                   (ptc/chain parts)
                   (apply concat parts))))",
        ),
    ),
];

/// Functions instead of builtins that are given a collection sorted by a function of the program, as
/// the argument of this number.
static SORTED: &[(&str, usize, &str)] = &[
    ("conj", 0, "(fn [coll & xs] (reduce ptc/add coll xs))"),
    ("into", 0, "(fn [coll xs] (reduce ptc/add coll xs))"),
    ("assoc", 0, "(fn [m & keyvals] (reduce ptc/add m (apply ptc/entries keyvals)))"),
    ("merge", 0, "(fn [m & maps] (reduce ptc/add m maps))"),
    ("update", 0, "(fn [m k f & args] (ptc/put m k (apply f (get m k) args)))"),
    (
        "update-in",
        0,
        "(fn [m [k & ks] f & args]
           (ptc/put m k (if ks
                          (apply update-in (get m k) ks f args)
                          (apply f (get m k) args))))",
    ),
    ("assoc-in", 0, "(fn [m [k & ks] x] (ptc/put m k (if ks (assoc-in (get m k) ks x) x)))"),
    (
        "merge-with",
        1,
        "(fn [f m & maps]
           (reduce (fn [m more]
                     (reduce-kv (fn [m k x]
                                  (ptc/put m k (if (contains? m k) (f (get m k) x) x)))
                                m more))
                   m maps))",
    ),
    ("set/union", 0, "(fn [s & sets] (reduce (fn [s more] (reduce ptc/add s more)) s sets))"),
];

type When = fn(&Value) -> bool;

static FUNCTIONS: LazyLock<HashMap<BuiltinId, Option<(Value, When)>>> = LazyLock::new(|| {
    let mut functions = HashMap::new();
    let own = super::PARTS.iter().flat_map(|(_, rows)| *rows).map(|row| row.name);
    let own = own.filter(|name| name.starts_with("ptc/"));
    let as_they_are = AS_IT_IS.split_whitespace().chain(of_one_value()).chain(own);
    functions.extend(as_they_are.filter_map(|name| Some((super::find(name)?, None))));
    for (name, instead) in INSTEAD {
        let (source, when): (_, When) = match instead {
            Function(source) => (source, |arg| Lazy::of(arg).is_some()),
            Always(source) => (source, |_| true),
            Inside(source) => (source, |arg| arg.depth() > 0 || Lazy::of(arg).is_some()),
            Items(source) => (source, |arg| {
                let mut items = arg.items().into_iter().flatten();
                Lazy::of(arg).is_some() || items.any(|item| Lazy::of(item).is_some())
            }),
        };
        let function = library::compile(source, true).map(|function| (function, when));
        functions.extend(super::find(name).map(|id| (id, function)));
    }
    functions
});

static OF_SORTED: LazyLock<HashMap<BuiltinId, (usize, Value)>> = LazyLock::new(|| {
    SORTED
        .iter()
        .filter_map(|(name, at, source)| {
            Some((super::find(name)?, (*at, library::compile(source, true)?)))
        })
        .collect()
});

/// All functions that stand instead of builtins, with names that no two have.
pub(super) fn functions() -> impl Iterator<Item = (String, Value)> {
    let of_lazy = FUNCTIONS.iter().filter_map(|(id, function)| {
        let (function, _) = function.as_ref()?;
        Some((format!("lazy {}", id.builtin().name), function.clone()))
    });
    let of_sorted = OF_SORTED
        .iter()
        .map(|(id, (_, function))| (format!("sorted {}", id.builtin().name), function.clone()));
    of_lazy.chain(of_sorted)
}

/// The function to call instead of a builtin, with the same arguments. None if the builtin itself
/// can take them. `with_all`: the function takes the builtin before its arguments.
pub(crate) fn instead(id: BuiltinId, args: &[Value]) -> Option<Res<(Value, bool)>> {
    if let Some((at, function)) = OF_SORTED.get(&id)
        && args.get(*at).is_some_and(super::sorted::is_sorted_by)
    {
        return Some(Ok((function.clone(), false)));
    }
    match FUNCTIONS.get(&id) {
        Some(Some((function, when))) if args.iter().any(when) => {
            Some(Ok((function.clone(), false)))
        }
        Some(_) => None,
        None if args.iter().any(|arg| Lazy::of(arg).is_some()) => {
            let all = super::find("ptc/with-all")?;
            Some(library(all).map(|function| (function, true)))
        }
        None => None,
    }
}

/// Whether a call of this name with so many arguments, or its use as a value, can make a value whose
/// use calls functions. A program in which one stands gives frames to all its builtins.
pub(crate) fn needs_frames(name: &str, args: Option<usize>) -> bool {
    let most = match name.rsplit('/').next().unwrap_or(name) {
        "iterate" | "cycle" | "lazy-seq" | "lazy-cat" | "eduction" => return true,
        "sorted-map-by" | "sorted-set-by" => return true,
        "combinations" | "permuted-combinations" | "permutations" | "drop-permutations" => {
            return true;
        }
        "subsets" | "selections" | "partitions" | "cartesian-product" => return true,
        "range" => 0,
        // A thread may put one more in.
        "repeat" | "repeatedly" => 1,
        _ => return false,
    };
    args.is_none_or(|count| count <= most)
}

/// Whether a builtin looks at what is inside the collections it is given, so that no lazy sequence
/// may be left there.
pub(crate) fn looks_inside(name: &str) -> bool {
    matches!(
        name,
        "str"
            | "pr-str"
            | "prn-str"
            | "print-str"
            | "println-str"
            | "println"
            | "prn"
            | "print"
            | "pr"
            | "format"
            | "printf"
            | "hash"
            | "compare"
            | "memory/put"
            | "json/generate-string"
            | "json/write-str"
    )
}
