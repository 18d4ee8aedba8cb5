//! `clojure.math.combinatorics`: the same results in the same order, computed lazily.
//!
//! Each item is represented by the number of its position among the distinct items. `ptc/…`
//! functions find the next result among the numbers, in time linear in their count. The library
//! itself is written in the language.

use super::facts::{ANY, as_value, listed};
use super::{Row, lisp, pure, wrong_type};
use crate::code::Code;
use crate::machine::Cx;
use crate::messages::position;
use crate::value::{Diagnostic, Res, Value};

pub(crate) const TABLE: &[Row] = &[
    lisp(
        "combo/combinations",
        "items n",
        "All combinations of n of the items.",
        "(combo/combinations [1 2 3] 2) => ((1 2) (1 3) (2 3))",
        listed(ANY).makes_lazy(usize::MAX),
        "(fn [items n]
           (cond
             (zero? n) (list ())
             (> n (count items)) nil
             :else
             (let [v (vec (distinct items)) counts (ptc/counts-of v items)]
               ((fn each [taken]
                  (ptc/lazy false
                    (fn []
                      (cons (map v taken)
                            (let [next (ptc/next-combination taken counts)]
                              (if next (each next)))))))
                (ptc/first-combination counts n)))))",
    ),
    lisp(
        "combo/subsets",
        "items",
        "All subsets of the items, the shortest first.",
        "(combo/subsets [1 2]) => (() (1) (2) (1 2))",
        listed(ANY).makes_lazy(usize::MAX),
        "(fn [items]
           (let [size (count items)]
             (ptc/flat
               ((fn each [n]
                  (ptc/lazy false
                    (fn [] (if (<= n size) (cons (combo/combinations items n) (each (inc n)))))))
                0)
               false)))",
    ),
    lisp(
        "combo/cartesian-product",
        "& colls",
        "All combinations of one item from each collection.",
        "(combo/cartesian-product [1 2] [3 4]) => ((1 3) (1 4) (2 3) (2 4))",
        listed(ANY).makes_lazy(usize::MAX),
        "(fn [& colls]
           (let [vs (mapv vec colls) sizes (mapv count vs)]
             (if (every? pos? sizes)
               ((fn each [at]
                  (ptc/lazy false
                    (fn []
                      (cons (map nth vs at)
                            (let [next (ptc/next-product at sizes)]
                              (if next (each next)))))))
                (mapv (fn [_] 0) vs))
               nil)))",
    ),
    lisp(
        "combo/selections",
        "items n",
        "All ways to choose n items, with repetition.",
        "(combo/selections [1 2] 2) => ((1 1) (1 2) (2 1) (2 2))",
        listed(ANY).makes_lazy(usize::MAX),
        "(fn [items n]
           (apply combo/cartesian-product (repeat n items)))",
    ),
    lisp(
        "combo/permutations",
        "items",
        "All distinct permutations of the items.",
        "(combo/permutations [1 2 3]) => ([1 2 3] [1 3 2] [2 1 3] [2 3 1] [3 1 2] [3 2 1])",
        listed(ANY).makes_lazy(usize::MAX),
        "(fn [items]
           (let [v (vec (distinct items))]
             (ptc/permutations-from (ptc/in-order (ptc/counts-of v items)) v (ptc/ascending? items))))",
    ),
    lisp(
        "combo/drop-permutations",
        "items n",
        "All distinct permutations of the items without the first n.",
        "(combo/drop-permutations [1 2 3] 4) => ([3 1 2] [3 2 1])",
        listed(ANY).makes_lazy(usize::MAX),
        "(fn [items n]
           (cond
             (zero? n) (combo/permutations items)
             (= n (combo/count-permutations items)) ()
             :else
             (let [v (vec (distinct items))]
               (ptc/permutations-from (ptc/nth-order (ptc/counts-of v items) n) v
                                      (ptc/ascending? items)))))",
    ),
    lisp(
        "combo/permuted-combinations",
        "items n",
        "All permutations of all combinations of n of the items.",
        "(combo/permuted-combinations [1 2] 2) => ([1 2] [2 1])",
        listed(ANY).makes_lazy(usize::MAX),
        "(fn [items n]
           (ptc/flat
             ((fn each [combinations]
                (ptc/lazy false
                  (fn []
                    (let [x (ptc/step combinations)]
                      (if x (cons (combo/permutations (x 0)) (each (x 1))))))))
              (combo/combinations items n))
             false))",
    ),
    lisp(
        "combo/count-permutations",
        "items",
        "The number of permutations.",
        "(combo/count-permutations [1 1 2]) => 3",
        listed(ANY),
        "(fn [items]
           (ptc/count-orders (vals (frequencies items))))",
    ),
    lisp(
        "combo/count-combinations",
        "items n",
        "The number of combinations of n items.",
        "(combo/count-combinations [1 2 3 4] 2) => 6",
        listed(ANY),
        "(fn [items n]
           (ptc/count-ways (vals (frequencies items)) n))",
    ),
    lisp(
        "combo/count-subsets",
        "items",
        "The number of subsets.",
        "(combo/count-subsets [1 2 3]) => 8",
        listed(ANY),
        "(fn [items]
           (reduce * 1 (map inc (vals (frequencies items)))))",
    ),
    lisp(
        "combo/nth-permutation",
        "items n",
        "The permutation at a position, computed without the ones before it.",
        "(combo/nth-permutation [1 2 3] 4) => [3 1 2]",
        listed(ANY),
        "(fn [items n]
           (let [v (vec (distinct items))] (mapv v (ptc/nth-order (ptc/counts-of v items) n))))",
    ),
    lisp(
        "combo/nth-combination",
        "items n at",
        "The combination at a position, computed without the ones before it.",
        "(combo/nth-combination [1 2 3 4] 2 5) => [3 4]",
        listed(ANY),
        "(fn [items n at]
           (let [v (vec (distinct items))
                 counts (ptc/counts-of v items)
                 all (ptc/count-ways counts n)]
             (if (< -1 at all)
               (loop [taken [] k 0 counts counts n n at at]
                 (if (zero? n)
                   taken
                   (let [left (nth counts k)
                         with (if (zero? left)
                                0
                                (ptc/count-ways (assoc counts k (dec left)) (dec n)))]
                     (if (< at with)
                       (recur (conj taken (v k)) k (assoc counts k (dec left)) (dec n) at)
                       (recur taken (inc k) (assoc counts k 0) n (- at with))))))
               (ptc/too-far at all \"combinations\"))))",
    ),
    lisp(
        "combo/nth-subset",
        "items at",
        "The subset at a position, computed without the ones before it.",
        "(combo/nth-subset [1 2 3] 5) => [1 3]",
        listed(ANY),
        "(fn [items at]
           (let [all (combo/count-subsets items)]
             (if (< -1 at all)
               (loop [n 0 at at]
                 (let [ways (combo/count-combinations items n)]
                   (if (< at ways) (combo/nth-combination items n at) (recur (inc n) (- at ways)))))
               (ptc/too-far at all \"subsets\"))))",
    ),
    lisp(
        "combo/permutation-index",
        "items",
        "The position of items among the permutations of the sorted ones.",
        "(combo/permutation-index [3 1 2]) => 4",
        listed(ANY),
        "(fn [items]
           (let [v (vec (sort (distinct items)))
                 places (zipmap v (range (count v)))]
             (loop [xs (seq items)
                    counts (ptc/counts-of v items)
                    all (ptc/count-orders counts)
                    left (count items)
                    index 0]
               (if xs
                 (let [k (places (first xs))
                       before (reduce + (subvec counts 0 k))]
                   (recur (next xs)
                          (update counts k dec)
                          (quot (* all (nth counts k)) left)
                          (dec left)
                          (+ index (quot (* all before) left))))
                 index))))",
    ),
    lisp(
        "combo/partitions",
        "items|items :min n :max n",
        "All partitions of the items into groups; `:min` and `:max` bound the number of groups.",
        "(combo/partitions [1 2 3]) => (([1 2 3]) ([1 2] [3]) ([1 3] [2]) ([1] [2 3]) ([1] [2] [3]))",
        listed(ANY).makes_lazy(usize::MAX),
        "(fn [items & {from :min to :max}]
           (let [items (vec items)
                 size (count items)
                 v (vec (distinct items))
                 counts (ptc/counts-of v items)
                 least (or from 0)
                 from (if (and from (<= from 1)) nil from)
                 to (if (and to (>= to size)) nil to)
                 groups (fn [groups]
                          (map (fn [group] (vec (mapcat (fn [n x] (repeat n x)) group v))) groups))]
             (cond
               (zero? size) (if (<= least 0 (or to 0)) (list ()) ())
               (not (<= 1 (or from 1) (or to size) size)) ()
               (apply distinct? items)
               ((fn each [places]
                  (ptc/lazy false
                    (fn []
                      (cons (let [parts (group-by places (range size))]
                              (map (fn [n] (mapv items (parts n))) (range (count parts))))
                            (let [next (ptc/next-places places (or from 1) (or to size))]
                              (if next (each next)))))))
                (ptc/first-places size (or from 1)))
               :else
               ((fn each [parts]
                  (ptc/lazy false
                    (fn []
                      (loop [parts parts]
                        (if parts
                          (if (<= (or from 1) (count parts) (or to size))
                            (cons (groups parts) (each (ptc/next-parts parts)))
                            (recur (ptc/next-parts parts))))))))
                [counts]))))",
    ),
    lisp(
        "ptc/counts-of",
        "v items",
        "The number of times each distinct item occurs.",
        "",
        as_value(ANY),
        "(fn [v items]
           (let [counts (frequencies items)] (mapv (fn [x] (get counts x)) v)))",
    ),
    lisp(
        "ptc/in-order",
        "counts",
        "Each number, repeated as often as its count.",
        "",
        as_value(ANY),
        "(fn [counts]
           (vec (mapcat (fn [n k] (repeat n k)) counts (range))))",
    ),
    lisp(
        "ptc/ascending?",
        "items",
        "Whether items are numbers in order.",
        "",
        as_value(ANY),
        "(fn [items]
           (and (every? number? items) (or (empty? items) (apply <= items))))",
    ),
    lisp(
        "ptc/permutations-from",
        "order v vectors",
        "A permutation, and those after it.",
        "",
        as_value(ANY),
        "(fn [order v vectors]
           ((fn each [order]
              (ptc/lazy false
                (fn []
                  (cons (if vectors (mapv v order) (map v order))
                        (let [next (ptc/next-order order)] (if next (each next)))))))
            order))",
    ),
    lisp(
        "ptc/count-orders",
        "counts",
        "The number of permutations.",
        "",
        as_value(ANY),
        "(fn [counts]
           (let [factorial (fn [n] (reduce * 1 (range 2 (inc n))))]
             (reduce quot (factorial (reduce + 0 counts)) (map factorial counts))))",
    ),
    lisp(
        "ptc/count-ways",
        "counts n",
        "The number of ways to choose n items.",
        "",
        as_value(ANY),
        "(fn [counts n]
           (let [all (reduce + 0 counts)]
             (cond
               (or (neg? n) (> n all)) 0
               (every? (fn [c] (<= c 1)) counts)
               (let [n (min n (- all n))]
                 (reduce (fn [ways i] (quot (* ways (- all (dec i))) i)) 1 (range 1 (inc n))))
               :else
               (peek
                 (reduce
                   (fn [ways c]
                     (mapv (fn [j] (reduce + (subvec ways (max 0 (- j c)) (inc j)))) (range (inc n))))
                   (into [1] (repeat n 0))
                   counts)))))",
    ),
    lisp(
        "ptc/nth-order",
        "counts at",
        "The permutation at a position.",
        "",
        as_value(ANY),
        "(fn [counts at]
           (let [all (ptc/count-orders counts)]
             (if (< -1 at all)
               (loop [order [] counts counts left (reduce + 0 counts) all all at at]
                 (if (zero? left)
                   order
                   (let [[k with at] (loop [k 0 at at]
                                       (let [with (quot (* all (nth counts k)) left)]
                                         (if (< at with) [k with at] (recur (inc k) (- at with)))))]
                     (recur (conj order k) (update counts k dec) (dec left) with at))))
               (ptc/too-far at all \"permutations\"))))",
    ),
    pure("ptc/too-far", "at all what", "The error of a position after the last one.", "", as_value(ANY), |_, args| {
        let what = args[2].as_str().unwrap_or_default();
        Err(Diagnostic::new(
            Code::OutOfBounds,
            format!("{} is out of range: there are {} {what}", describe(&args[0]), args[1]),
        )
        .with_class("AssertionError")
        .with_help(format!("positions start at 0; `combo/count-{what}` counts them")))
    }),
    pure("ptc/next-order", "order", "The next permutation; nil after the last.", "", as_value(ANY), |cx, args| {
        let mut order = numbers(cx, &args[0])?;
        let Some(at) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else {
            return Ok(Value::Nil);
        };
        let pivot = order[at];
        if let Some(with) = order.iter().rposition(|it| *it > pivot) {
            order.swap(at, with);
        }
        order[at + 1..].reverse();
        vector(cx, &order)
    }),
    pure("ptc/first-combination", "counts n", "The first n positions.", "", as_value(ANY), |cx, args| {
        let counts = numbers(cx, &args[0])?;
        let wanted = match &args[1] {
            Value::Int(n) => usize::try_from(*n).ok(),
            Value::Float(n) if n.trunc() == *n && *n >= 0.0 => Some(*n as usize),
            _ => None,
        };
        let wanted = wanted.ok_or_else(|| {
            wrong_type("combo/combinations", "a number of items that is not negative", &args[1])
                .with_class("IllegalArgumentException")
        })?;
        let mut taken = Vec::new();
        fill(&counts, 0, wanted, &mut taken);
        cx.spend(taken.len() as u64)?;
        vector(cx, &taken)
    }),
    pure("ptc/next-combination", "taken counts", "The next combination; nil after the last.", "", as_value(ANY), |cx, args| {
        let (mut taken, counts) = (numbers(cx, &args[0])?, numbers(cx, &args[1])?);
        // The number of items with at least this number.
        let mut above = vec![0; counts.len() + 1];
        for at in (0..counts.len()).rev() {
            above[at] = above[at + 1] + counts[at];
        }
        let wanted = taken.len();
        let enough = |number: usize, places: usize| above.get(number).is_some_and(|it| *it >= places);
        let Some(at) = (0..wanted).rev().find(|at| enough(taken[*at] + 1, wanted - at)) else {
            return Ok(Value::Nil);
        };
        let from = taken[at] + 1;
        taken.truncate(at);
        fill(&counts, from, wanted, &mut taken);
        vector(cx, &taken)
    }),
    pure("ptc/next-product", "at sizes", "The next positions; nil after the last.", "", as_value(ANY), |cx, args| {
        let (mut at, sizes) = (numbers(cx, &args[0])?, numbers(cx, &args[1])?);
        for (place, size) in at.iter_mut().zip(&sizes).rev() {
            *place += 1;
            if *place < *size {
                return vector(cx, &at);
            }
            *place = 0;
        }
        Ok(Value::Nil)
    }),
    pure("ptc/first-places", "n least", "The first groups of n items.", "", as_value(ANY), |cx, args| {
        let [size, least] = [0, 1].map(|at| args[at].as_int().and_then(|it| usize::try_from(it).ok()));
        let (size, least) = (size.unwrap_or(0), least.unwrap_or(1));
        cx.spend(size as u64)?;
        let mut places = vec![0];
        finish_places(&mut places, size, least);
        vector(cx, &places)
    }),
    pure("ptc/next-places", "places least most", "The next groups; nil after the last.", "", as_value(ANY), |cx, args| {
        let mut places = numbers(cx, &args[0])?;
        let [least, most] = [1, 2].map(|at| args[at].as_int().and_then(|it| usize::try_from(it).ok()));
        let (least, most) = (least.unwrap_or(1), most.unwrap_or(usize::MAX));
        let size = places.len();
        // The highest number before each place.
        let mut highest = 0;
        let before: Vec<usize> =
            places.iter().map(|it| { let before = highest; highest = highest.max(*it); before }).collect();
        let fits = |at: &usize| {
            let next = places[*at] + 1;
            let groups = before[*at].max(next) + 1;
            next <= before[*at] + 1 && next < most && groups + (size - at - 1) >= least
        };
        let Some(at) = (1..size).rev().find(fits) else { return Ok(Value::Nil) };
        places.truncate(at + 1);
        places[at] += 1;
        finish_places(&mut places, size, least);
        vector(cx, &places)
    }),
    pure("ptc/next-parts", "parts", "The next partition of counted items; nil after the last.", "", as_value(ANY), |cx, args| {
        let parts = args[0].items().into_iter().flatten().cloned().collect::<Vec<_>>();
        let mut parts = parts.iter().map(|it| numbers(cx, it)).collect::<Res<Vec<_>>>()?;
        let mut left = vec![0; parts.first().map_or(0, Vec::len)];
        while let Some(part) = parts.pop() {
            add(&mut left, &part);
            let Some(mut part) = lesser(&part, &left) else { continue };
            // Each later part is the greatest one that is not greater than the one before.
            loop {
                for (left, taken) in left.iter_mut().zip(&part) {
                    *left -= taken;
                }
                parts.push(part.clone());
                if left.iter().all(|it| *it == 0) {
                    break;
                }
                cx.spend(part.len() as u64)?;
                let mut tight = true;
                for (number, left) in part.iter_mut().zip(&left) {
                    if !tight || *left < *number {
                        tight = false;
                        *number = *left;
                    }
                }
            }
            let rows = parts.iter().map(|part| vector(cx, part)).collect::<Res<Vec<_>>>()?;
            return cx.vector(rows);
        }
        Ok(Value::Nil)
    }),
];

/// Returns the numbers of a vector; pays for each.
fn numbers(cx: &mut Cx, value: &Value) -> Res<Vec<usize>> {
    let number = |it: &Value| it.as_int().and_then(|it| usize::try_from(it).ok());
    let items = value.items().into_iter().flatten();
    let numbers: Option<Vec<usize>> = items.map(number).collect();
    let numbers = numbers.ok_or_else(|| wrong_type("combo/", "numbers", value))?;
    cx.spend(numbers.len() as u64)?;
    Ok(numbers)
}

fn vector(cx: &mut Cx, numbers: &[usize]) -> Res {
    cx.vector(numbers.iter().map(|it| Value::Int(*it as i64)).collect())
}

/// Takes the lowest numbers from `from` on, each up to its count, until `wanted` are taken.
fn fill(counts: &[usize], from: usize, wanted: usize, taken: &mut Vec<usize>) {
    for (number, count) in counts.iter().enumerate().skip(from) {
        let more = (*count).min(wanted - taken.len());
        taken.extend(std::iter::repeat_n(number, more));
    }
}

/// Appends the least end to a growth string that opens enough groups to have `least`, as late as
/// possible.
fn finish_places(places: &mut Vec<usize>, size: usize, least: usize) {
    let mut groups = places.iter().max().map_or(0, |it| it + 1);
    while places.len() < size {
        if least.saturating_sub(groups) >= size - places.len() {
            places.push(groups);
            groups += 1;
        } else {
            places.push(0);
        }
    }
}

fn add(left: &mut [usize], part: &[usize]) {
    for (left, number) in left.iter_mut().zip(part) {
        *left += number;
    }
}

/// Returns the greatest part below `part` that the remaining items allow. Parts descend, so it
/// takes some of the first number left.
fn lesser(part: &[usize], left: &[usize]) -> Option<Vec<usize>> {
    let first = left.iter().position(|it| *it > 0)?;
    let at = (first..part.len()).rev().find(|at| part[*at] > usize::from(*at == first))?;
    let mut lesser = part[..at].to_vec();
    lesser.push(part[at] - 1);
    lesser.extend(&left[at + 1..]);
    Some(lesser)
}

fn describe(value: &Value) -> String {
    position(value)
}
