//! Sorting: stable, and sound for any comparator.

use std::cmp::Ordering;

use crate::value::Res;

/// Sorts by merging runs from the bottom up. A contradictory comparator gives some order, no panic.
///
/// It sorts the positions of the items, so a merge moves no values and no run has a list of its own.
pub(crate) fn merge_sort<T: Default>(
    mut items: Vec<T>,
    mut compare: impl FnMut(&T, &T) -> Res<Ordering>,
) -> Res<Vec<T>> {
    let mut ends = Vec::new();
    for (at, pair) in items.windows(2).enumerate() {
        if let [one, next] = pair
            && compare(one, next)?.is_gt()
        {
            ends.push(at + 1);
        }
    }
    if ends.is_empty() {
        return Ok(items);
    }
    ends.push(items.len());
    let mut order: Vec<usize> = (0..items.len()).collect();
    let mut merged = Vec::with_capacity(order.len());
    while ends.len() > 1 {
        let mut start = 0;
        for pair in ends.chunks(2) {
            let (middle, end) = match *pair {
                [middle, end] => (middle, end),
                [end] => (end, end),
                _ => continue,
            };
            let run = |from: usize, to: usize| order.get(from..to).unwrap_or_default();
            merge(&items, run(start, middle), run(middle, end), &mut merged, &mut compare)?;
            start = end;
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        let last = ends.len() - 1;
        ends = ends
            .iter()
            .enumerate()
            .filter(|(at, _)| at % 2 == 1 || *at == last)
            .map(|(_, end)| *end)
            .collect();
    }
    Ok(order.into_iter().filter_map(|at| items.get_mut(at).map(std::mem::take)).collect())
}

/// Merges two runs of positions behind those that are merged already.
fn merge<T>(
    items: &[T],
    mut left: &[usize],
    mut right: &[usize],
    merged: &mut Vec<usize>,
    compare: &mut impl FnMut(&T, &T) -> Res<Ordering>,
) -> Res<()> {
    while let ([a, lefts @ ..], [b, rights @ ..]) = (left, right)
        && let (Some(one), Some(other)) = (items.get(*a), items.get(*b))
    {
        // Equal items keep their order, so the left one goes first.
        if compare(one, other)?.is_gt() {
            merged.push(*b);
            right = rights;
        } else {
            merged.push(*a);
            left = lefts;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}
