//! Functions that a program makes.

use std::sync::Arc;

use super::ir::{Lambda, Program};
use super::item::{Holder, Item, SHALLOW};

/// A function of a program with its captured values.
pub struct Closure<T: Item> {
    pub program: Arc<Program<T>>,
    pub lambda: u32,
    pub captures: Box<[T]>,
    depth: u32,
    /// Whether a call of it needs only the number of its lambda.
    plain: bool,
}

impl<T: Item> Closure<T> {
    /// Makes a function whose captured values nest so deep.
    pub(crate) fn over(
        program: Arc<Program<T>>,
        lambda: u32,
        captures: Box<[T]>,
        deepest: u32,
    ) -> Closure<T> {
        let depth = deepest + 1;
        let needs_itself = program.lambdas.get(lambda as usize).is_none_or(|one| one.needs_itself);
        let plain = captures.is_empty() && !needs_itself;
        Closure { program, lambda, captures, depth, plain }
    }

    /// Returns the number of its lambda if a call from a function of this program needs only that.
    #[inline]
    pub fn plain_in(&self, program: &Program<T>) -> Option<u32> {
        (self.plain && std::ptr::eq(Arc::as_ptr(&self.program), program)).then_some(self.lambda)
    }

    /// Returns the function's name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.lambda().and_then(|lambda| lambda.name.as_deref())
    }

    pub fn lambda(&self) -> Option<&Lambda> {
        self.program.lambdas.get(self.lambda as usize)
    }

    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl<T: Item> Holder<T> for Closure<T> {
    fn drain_into(&mut self, work: &mut Vec<T>) {
        self.depth = 0;
        work.extend(std::mem::take(&mut self.captures));
    }
}

impl<T: Item> Drop for Closure<T> {
    fn drop(&mut self) {
        // A chain of functions that close over one another may be long.
        if self.depth > SHALLOW {
            T::drop_held(std::mem::take(&mut self.captures).into_vec());
        }
    }
}

impl<T: Item> std::fmt::Debug for Closure<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#function[{}]", self.name().unwrap_or("fn"))
    }
}
