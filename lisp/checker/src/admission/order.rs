//! Detects arguments in the wrong order, such as `->` instead of `->>`.

use ptc_signatures::Kinds;

use super::scan::Scan;
use ptc_facts::messages::{check_comparator, describe};
use ptc_facts::registry::{Builtin, thread_help};
use ptc_facts::shape::Shape;
use ptc_values::code::Code;
use ptc_values::ir::Operand;
use ptc_values::{Diagnostic, Value};

impl Scan<'_> {
    /// Reports a literal that cannot compare.
    pub(super) fn check_comparator(&mut self, at: u32, builtin: &Builtin, parts: &[Operand]) {
        let Some((argument, least)) = builtin.facts.comparator else { return };
        let Some(part) = parts.get(argument).filter(|_| parts.len() >= least) else { return };
        let problem = match self.shape(*part) {
            Shape::Known(value) => check_comparator(value).err(),
            Shape::Map(_) => check_comparator(&Value::map([])).err(),
            Shape::List(_) | Shape::Items(_) => check_comparator(&Value::vector(Vec::new())).err(),
            _ => None,
        };
        if let Some(problem) = problem {
            self.problem(at, problem);
        }
    }

    /// Reports a call whose collection is something else.
    pub(super) fn check_order(&mut self, at: u32, builtin: &Builtin, parts: &[Operand]) {
        let Some(order) = builtin.facts.collection else { return };
        let Some(part) = order.collection(parts) else { return };
        let literal = order.literal(self.program, part);
        let is_literal = literal.is_some();
        let known = || match self.shape(part) {
            Shape::Function(_) if order.fails => Some("a function".to_owned()),
            Shape::Known(value) if (order.is_wrong)(value) => Some(describe(value)),
            _ => None,
        };
        let Some(found) = literal.or_else(known) else { return };
        let threaded = thread_help(self.program, at);
        // The argument at the other end must be a possible collection.
        let other = if order.is_last { parts.first() } else { parts.last() };
        let collections = Kinds::LIST | Kinds::MAP | Kinds::STRING | Kinds::NIL;
        let is_swapped = other.is_some_and(|other| self.shape(*other).kinds().meets(collections));
        if !is_swapped || !order.fails && threaded.is_none() {
            return;
        }
        let end = if order.is_last { "last" } else { "first" };
        let message = format!("`{}` takes its collection {end}, found {found} there", builtin.name);
        let usage = || format!("write `({} {})`", builtin.name, builtin.usage);
        let problem =
            Diagnostic::new(Code::WrongType, message).with_help(threaded.unwrap_or_else(usage));
        match (order.fails, is_literal) {
            (true, true) => self.problem(at, problem),
            (true, false) => self.doubt(at, problem),
            (false, _) => self.warn(at, problem),
        }
    }
}
