//! `clojure.math.combinatorics`: the same results in the same order, computed lazily.
//!
//! Each item is represented by the number of its position among the distinct items. `ptc/…`
//! functions find the next result among the numbers, in time linear in their count. The library
//! itself is written in the language.

use super::facts::{ANY, as_value, listed};
use super::{Row, lisp, pure, wrong_type};
use ptc_facts::messages::position;
use ptc_machine::Cx;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Res, Value};

pub const TABLE: &[Row] = &[
    lisp(
        "combo/combinations",
        "items n",
        "All combinations of n of the items.",
        "(combo/combinations [1 2 3] 2) => ((1 2) (1 3) (2 3))",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    lisp(
        "combo/subsets",
        "items",
        "All subsets of the items, the shortest first.",
        "(combo/subsets [1 2]) => (() (1) (2) (1 2))",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    lisp(
        "combo/cartesian-product",
        "& colls",
        "All combinations of one item from each collection.",
        "(combo/cartesian-product [1 2] [3 4]) => ((1 3) (1 4) (2 3) (2 4))",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    lisp(
        "combo/selections",
        "items n",
        "All ways to choose n items, with repetition.",
        "(combo/selections [1 2] 2) => ((1 1) (1 2) (2 1) (2 2))",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    lisp(
        "combo/permutations",
        "items",
        "All distinct permutations of the items.",
        "(combo/permutations [1 2 3]) => ([1 2 3] [1 3 2] [2 1 3] [2 3 1] [3 1 2] [3 2 1])",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    lisp(
        "combo/drop-permutations",
        "items n",
        "All distinct permutations of the items without the first n.",
        "(combo/drop-permutations [1 2 3] 4) => ([3 1 2] [3 2 1])",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    lisp(
        "combo/permuted-combinations",
        "items n",
        "All permutations of all combinations of n of the items.",
        "(combo/permuted-combinations [1 2] 2) => ([1 2] [2 1])",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    lisp(
        "combo/count-permutations",
        "items",
        "The number of permutations.",
        "(combo/count-permutations [1 1 2]) => 3",
        listed(ANY),
    ),
    lisp(
        "combo/count-combinations",
        "items n",
        "The number of combinations of n items.",
        "(combo/count-combinations [1 2 3 4] 2) => 6",
        listed(ANY),
    ),
    lisp(
        "combo/count-subsets",
        "items",
        "The number of subsets.",
        "(combo/count-subsets [1 2 3]) => 8",
        listed(ANY),
    ),
    lisp(
        "combo/nth-permutation",
        "items n",
        "The permutation at a position, computed without the ones before it.",
        "(combo/nth-permutation [1 2 3] 4) => [3 1 2]",
        listed(ANY),
    ),
    lisp(
        "combo/nth-combination",
        "items n at",
        "The combination at a position, computed without the ones before it.",
        "(combo/nth-combination [1 2 3 4] 2 5) => [3 4]",
        listed(ANY),
    ),
    lisp(
        "combo/nth-subset",
        "items at",
        "The subset at a position, computed without the ones before it.",
        "(combo/nth-subset [1 2 3] 5) => [1 3]",
        listed(ANY),
    ),
    lisp(
        "combo/permutation-index",
        "items",
        "The position of items among the permutations of the sorted ones.",
        "(combo/permutation-index [3 1 2]) => 4",
        listed(ANY),
    ),
    lisp(
        "combo/partitions",
        "items|items :min n :max n",
        "All partitions of the items into groups; `:min` and `:max` bound the number of groups.",
        "(combo/partitions [1 2 3]) => (([1 2 3]) ([1 2] [3]) ([1 3] [2]) ([1] [2 3]) ([1] [2] [3]))",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    lisp(
        "ptc/counts-of",
        "v items",
        "The number of times each distinct item occurs.",
        "",
        as_value(ANY),
    ),
    lisp(
        "ptc/in-order",
        "counts",
        "Each number, repeated as often as its count.",
        "",
        as_value(ANY),
    ),
    lisp("ptc/ascending?", "items", "Whether items are numbers in order.", "", as_value(ANY)),
    lisp(
        "ptc/permutations-from",
        "order v vectors",
        "A permutation, and those after it.",
        "",
        as_value(ANY),
    ),
    lisp("ptc/count-orders", "counts", "The number of permutations.", "", as_value(ANY)),
    lisp("ptc/count-ways", "counts n", "The number of ways to choose n items.", "", as_value(ANY)),
    lisp("ptc/nth-order", "counts at", "The permutation at a position.", "", as_value(ANY)),
    pure(
        "ptc/too-far",
        "at all what",
        "The error of a position after the last one.",
        "",
        as_value(ANY),
        |_, args| {
            let what = args[2].as_str().unwrap_or_default();
            Err(Diagnostic::new(
                Code::OutOfBounds,
                format!("{} is out of range: there are {} {what}", describe(&args[0]), args[1]),
            )
            .with_class("AssertionError")
            .with_help(format!("positions start at 0; `combo/count-{what}` counts them")))
        },
    ),
    pure(
        "ptc/next-order",
        "order",
        "The next permutation; nil after the last.",
        "",
        as_value(ANY),
        |cx, args| {
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
        },
    ),
    pure(
        "ptc/first-combination",
        "counts n",
        "The first n positions.",
        "",
        as_value(ANY),
        |cx, args| {
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
        },
    ),
    pure(
        "ptc/next-combination",
        "taken counts",
        "The next combination; nil after the last.",
        "",
        as_value(ANY),
        |cx, args| {
            let (mut taken, counts) = (numbers(cx, &args[0])?, numbers(cx, &args[1])?);
            // The number of items with at least this number.
            let mut above = vec![0; counts.len() + 1];
            for at in (0..counts.len()).rev() {
                above[at] = above[at + 1] + counts[at];
            }
            let wanted = taken.len();
            let enough =
                |number: usize, places: usize| above.get(number).is_some_and(|it| *it >= places);
            let Some(at) = (0..wanted).rev().find(|at| enough(taken[*at] + 1, wanted - at)) else {
                return Ok(Value::Nil);
            };
            let from = taken[at] + 1;
            taken.truncate(at);
            fill(&counts, from, wanted, &mut taken);
            vector(cx, &taken)
        },
    ),
    pure(
        "ptc/next-product",
        "at sizes",
        "The next positions; nil after the last.",
        "",
        as_value(ANY),
        |cx, args| {
            let (mut at, sizes) = (numbers(cx, &args[0])?, numbers(cx, &args[1])?);
            for (place, size) in at.iter_mut().zip(&sizes).rev() {
                *place += 1;
                if *place < *size {
                    return vector(cx, &at);
                }
                *place = 0;
            }
            Ok(Value::Nil)
        },
    ),
    pure(
        "ptc/first-places",
        "n least",
        "The first groups of n items.",
        "",
        as_value(ANY),
        |cx, args| {
            let [size, least] =
                [0, 1].map(|at| args[at].as_int().and_then(|it| usize::try_from(it).ok()));
            let (size, least) = (size.unwrap_or(0), least.unwrap_or(1));
            cx.spend(size as u64)?;
            let mut places = vec![0];
            finish_places(&mut places, size, least);
            vector(cx, &places)
        },
    ),
    pure(
        "ptc/next-places",
        "places least most",
        "The next groups; nil after the last.",
        "",
        as_value(ANY),
        |cx, args| {
            let mut places = numbers(cx, &args[0])?;
            let [least, most] =
                [1, 2].map(|at| args[at].as_int().and_then(|it| usize::try_from(it).ok()));
            let (least, most) = (least.unwrap_or(1), most.unwrap_or(usize::MAX));
            let size = places.len();
            // The highest number before each place.
            let mut highest = 0;
            let before: Vec<usize> = places
                .iter()
                .map(|it| {
                    let before = highest;
                    highest = highest.max(*it);
                    before
                })
                .collect();
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
        },
    ),
    pure(
        "ptc/next-parts",
        "parts",
        "The next partition of counted items; nil after the last.",
        "",
        as_value(ANY),
        |cx, args| {
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
        },
    ),
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
