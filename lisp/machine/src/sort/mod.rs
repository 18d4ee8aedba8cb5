//! Sorting: stable, and sound for any comparator.

mod keys;

use std::cmp::Ordering;

use super::cx::Cx;
pub use keys::SortKeys;
use ptc_values::{Res, Value};

/// Fewer items are compared by their keys as they are.
const FEW: usize = 8;

/// Sorts items by their keys, in the order of `compare`, and pays for every comparison.
pub fn merge_sort<T: Default>(
    cx: &mut Cx,
    mut items: Vec<T>,
    key: impl Fn(&T) -> &Value,
    descending: bool,
) -> Res<Vec<T>> {
    let sorted: Vec<usize> = if items.len() < FEW {
        let keys: Vec<&Value> = items.iter().map(key).collect();
        merge_runs((0..keys.len()).collect(), |a, b| match (keys.get(a), keys.get(b)) {
            (Some(a), Some(b)) if descending => cx.compare(b, a),
            (Some(a), Some(b)) => cx.compare(a, b),
            _ => Ok(Ordering::Equal),
        })?
    } else {
        let keys = SortKeys::of(items.iter().map(key).collect(), descending);
        let sorted = merge_runs(keys.ranked(), |a, b| keys.compare(cx, a, b))?;
        sorted.into_iter().map(|(_, at)| at).collect()
    };
    Ok(sorted.into_iter().filter_map(|at| items.get_mut(at).map(std::mem::take)).collect())
}

/// Sorts by merging runs from the bottom up. A contradictory comparator gives some order, no panic.
fn merge_runs<T: Copy>(
    mut items: Vec<T>,
    mut compare: impl FnMut(T, T) -> Res<Ordering>,
) -> Res<Vec<T>> {
    let mut ends = Vec::new();
    for (at, pair) in items.windows(2).enumerate() {
        if let [one, next] = pair
            && compare(*one, *next)?.is_gt()
        {
            ends.push(at + 1);
        }
    }
    if ends.is_empty() {
        return Ok(items);
    }
    ends.push(items.len());
    let mut merged = Vec::with_capacity(items.len());
    while ends.len() > 1 {
        let mut start = 0;
        for pair in ends.chunks(2) {
            let (middle, end) = match *pair {
                [middle, end] => (middle, end),
                [end] => (end, end),
                _ => continue,
            };
            let run = |from: usize, to: usize| items.get(from..to).unwrap_or_default();
            merge(run(start, middle), run(middle, end), &mut merged, &mut compare)?;
            start = end;
        }
        std::mem::swap(&mut items, &mut merged);
        merged.clear();
        let last = ends.len() - 1;
        ends = ends
            .iter()
            .enumerate()
            .filter(|(at, _)| at % 2 == 1 || *at == last)
            .map(|(_, end)| *end)
            .collect();
    }
    Ok(items)
}

/// Merges two runs behind the items that are merged already.
fn merge<T: Copy>(
    mut left: &[T],
    mut right: &[T],
    merged: &mut Vec<T>,
    compare: &mut impl FnMut(T, T) -> Res<Ordering>,
) -> Res<()> {
    while let ([one, lefts @ ..], [other, rights @ ..]) = (left, right) {
        // Equal items keep their order, so the left one goes first.
        if compare(*one, *other)?.is_gt() {
            merged.push(*other);
            right = rights;
        } else {
            merged.push(*one);
            left = lefts;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}
