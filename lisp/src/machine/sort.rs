//! Sorting: stable, and sound for any comparator.

use crate::value::Res;
use std::cmp::Ordering;

/// Sorts by merging runs from the bottom up. A contradictory comparator gives some order, no panic.
pub(crate) fn merge_sort<T>(
    items: Vec<T>,
    mut compare: impl FnMut(&T, &T) -> Res<Ordering>,
) -> Res<Vec<T>> {
    let mut runs: Vec<Vec<T>> = Vec::new();
    let mut run: Vec<T> = Vec::new();
    for item in items {
        if let Some(last) = run.last()
            && compare(last, &item)?.is_gt()
        {
            runs.push(std::mem::take(&mut run));
        }
        run.push(item);
    }
    runs.push(run);
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut pairs = runs.into_iter();
        while let Some(left) = pairs.next() {
            merged.push(match pairs.next() {
                Some(right) => merge(left, right, &mut compare)?,
                None => left,
            });
        }
        runs = merged;
    }
    Ok(runs.pop().unwrap_or_default())
}

fn merge<T>(
    left: Vec<T>,
    right: Vec<T>,
    compare: &mut impl FnMut(&T, &T) -> Res<Ordering>,
) -> Res<Vec<T>> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        // Equal items keep their order, so the left one goes first.
        let next = if compare(a, b)?.is_gt() { right.next() } else { left.next() };
        merged.extend(next);
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}
