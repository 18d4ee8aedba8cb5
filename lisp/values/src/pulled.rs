//! Items, and stages over them, that are made one after another.
//!
//! A builtin that takes items one by one gets a `range` or an `iterate` that is written as its argument in this form. So it
//! pays for the items that it takes, and for no others. No program sees such a value: it goes from one operation to the
//! next.

use super::builtin_id::BuiltinId;

/// Integers from a first one on, at equal distances.
#[derive(Debug, Clone)]
pub struct Numbers {
    pub next: i64,
    pub step: i64,
    /// The number of integers; none if they do not end.
    pub left: Option<u64>,
}

/// The origin of items.
#[derive(Debug, Clone)]
pub enum Origin<T> {
    Numbers(Numbers),
    /// A first item, then the result of the function for it, and so on without an end.
    Iterated {
        function: T,
        first: T,
    },
}

/// Items, and the stages that they go through, the first stage first: builtins with their functions.
#[derive(Debug, Clone)]
pub struct Pulled<T> {
    pub origin: Origin<T>,
    pub stages: Vec<(BuiltinId, T)>,
}

impl Numbers {
    /// Returns the number of integers, at most `most`.
    pub fn at_most(&self, most: usize) -> usize {
        self.left.map_or(most, |left| left.min(most as u64) as usize)
    }
}

impl Numbers {
    /// Returns the first `count` of integers that end.
    #[must_use]
    pub fn first(self, count: usize) -> Numbers {
        Numbers { left: self.left.map(|left| left.min(count as u64)), ..self }
    }

    /// Returns integers that end in reverse order, if their step has an opposite.
    #[must_use]
    pub fn reversed(&self) -> Option<Numbers> {
        let [_, step, next] = self.ends()?;
        Some(Numbers { next, step: step.checked_neg()?, left: self.left })
    }

    /// Returns the first integer, the step and the last integer, if there is a last one.
    pub fn ends(&self) -> Option<[i64; 3]> {
        let last = i128::from(self.next) + i128::from(self.step) * (i128::from(self.left?) - 1);
        Some([self.next, self.step, i64::try_from(last).ok()?])
    }

    /// Makes the integers that [`Numbers::ends`] tells the ends of.
    pub fn between([next, step, last]: [i64; 3]) -> Option<Numbers> {
        let (distance, wide) = (i128::from(last) - i128::from(next), i128::from(step));
        if distance.checked_rem(wide)? != 0 {
            return None;
        }
        let left = u64::try_from(distance / wide + 1).ok()?;
        Some(Numbers { next, step, left: Some(left) })
    }

    /// Returns the integers with the last one taken.
    #[must_use]
    pub fn back(&self) -> Numbers {
        let left = self.left.map(|left| left.saturating_add(1));
        Numbers { next: self.next.wrapping_sub(self.step), step: self.step, left }
    }
}

impl Iterator for Numbers {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        let number = self.next;
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(1)?;
        }
        // Only the integer after the last one can be too large, and nobody takes it.
        self.next = number.wrapping_add(self.step);
        Some(number)
    }
}

impl<T> Pulled<T> {
    /// Returns the number of items of the origin; none if it does not end.
    pub fn left(&self) -> Option<u64> {
        match &self.origin {
            Origin::Numbers(numbers) => numbers.left,
            Origin::Iterated { .. } => None,
        }
    }

    /// Visits the values it holds.
    pub fn each_value<'v>(&'v self, visit: &mut impl FnMut(&'v T)) {
        self.stages.iter().for_each(|(_, function)| visit(function));
        if let Origin::Iterated { function, first } = &self.origin {
            visit(function);
            visit(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn numbers_end_at_the_largest_integer() {
        let numbers = Numbers { next: i64::MAX - 1, step: 1, left: Some(2) };
        assert_eq!(numbers.collect::<Vec<_>>(), [i64::MAX - 1, i64::MAX]);
        let down = Numbers { next: 3, step: -2, left: Some(3) };
        assert_eq!(down.at_most(2), 2);
        assert_eq!(down.clone().collect::<Vec<_>>(), [3, 1, -1]);
        assert_eq!(down.reversed().unwrap().collect::<Vec<_>>(), [-1, 1, 3]);
        assert_eq!(down.ends(), Some([3, -2, -1]));
        assert_eq!(Numbers::between([3, -2, -1]).unwrap().left, down.left);
        for wrong in [[3, -2, 0], [3, 0, 3], [3, 1, 1]] {
            assert!(Numbers::between(wrong).is_none(), "{wrong:?}");
        }
    }
}
