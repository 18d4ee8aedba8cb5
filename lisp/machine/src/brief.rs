//! Calls of builtins that read their arguments where they are.

use super::cx::Cx;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::{Borrowing, Moves};
use ptc_values::{BuiltinId, Value, is_long};

impl Cx {
    /// Calls a builtin that can borrow its arguments; the second is nil if there is one. Returns none if it must be called as
    /// others are.
    #[inline]
    pub(super) fn borrow(&mut self, id: BuiltinId, first: &Value, second: &Value) -> Option<Value> {
        let facts = &id.builtin().facts;
        self.borrowed(facts.borrowing?, facts.moves, first, second)
    }

    /// Does the same for a call of a value with one or two arguments, also for an operation on numbers.
    #[inline]
    pub(super) fn call_brief(
        &mut self,
        id: BuiltinId,
        first: &Value,
        second: Option<&Value>,
    ) -> Option<Value> {
        let facts = &id.builtin().facts;
        let count = 1 + usize::from(second.is_some());
        if let Some(op) = facts.op_of(count) {
            return super::operations::of_numbers(op, first, second.unwrap_or(&Value::Int(1)));
        }
        let borrowing = facts.borrowing.filter(|it| it.count as usize == count)?;
        self.borrowed(borrowing, facts.moves, first, second.unwrap_or(&Value::Nil))
    }

    #[inline]
    fn borrowed(
        &mut self,
        borrowing: Borrowing,
        moves: Moves,
        first: &Value,
        second: &Value,
    ) -> Option<Value> {
        // A call that borrows looks at no text in a collection.
        let is_read =
            |value: &Value| is_long(value) && !matches!(value, Value::Map(_) | Value::Vector(_));
        if (is_read(first) || is_read(second)) && moves != Moves::Kind {
            return None;
        }
        let value = (borrowing.call)(&mut self.fields, first, second)?;
        // Without that fuel, the function itself is called and raises the problem.
        self.spend(borrowing.price).ok()?;
        Some(value)
    }
}
