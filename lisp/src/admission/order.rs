//! Detects arguments in the wrong order, such as `->` instead of `->>`.

use ptc_signatures::Kinds;

use super::scan::Scan;
use crate::code::Code;
use crate::messages::describe;
use crate::registry::Builtin;
use crate::registry::facts::Order;
use crate::shape::Shape;
use crate::value::Diagnostic;
use crate::value::ir::{Node, Operand, OperandKind, Program};

impl Order {
    /// Returns whether a thread that puts its value last (or else first) misplaces the collection.
    pub(crate) fn is_against(self, last: bool) -> bool {
        self.is_last != last
    }

    /// Returns the argument that is the collection.
    fn collection(self, parts: &[Operand]) -> Option<Operand> {
        let (first, last) = (parts.first()?, parts.last()?);
        (parts.len() > 1).then_some(if self.is_last { *last } else { *first })
    }

    /// Returns whether the collection is a constant or a function, which may be wrong.
    pub(crate) fn is_doubtful(self, program: &Program, parts: &[Operand]) -> bool {
        self.collection(parts).is_some_and(|part| self.literal(program, part).is_some())
    }

    /// Describes a literal that is not such a collection.
    fn literal(self, program: &Program, part: Operand) -> Option<String> {
        match part.kind() {
            OperandKind::Const(index) => {
                let value = program.consts.get(index as usize)?;
                (self.is_wrong)(value).then(|| describe(value))
            }
            OperandKind::Direct(node) => {
                let is_function = matches!(program.node(node), Node::Function { .. });
                (is_function && self.fails).then(|| "a function".to_owned())
            }
            _ => None,
        }
    }
}

impl Scan<'_> {
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

/// Returns the correct thread for a step that puts its value at the wrong end.
pub(crate) fn thread_help(program: &Program, node: u32) -> Option<String> {
    /// The characters of a step that a message repeats.
    const SHOWN: usize = 60;

    let span = program.span(node);
    let Node::Builtin { id, .. } = *program.nodes.get(node as usize)? else { return None };
    if !program.threads.contains(&span) {
        return None;
    }
    let order = id.builtin().facts.collection?;
    let step = program.source.get(span.start as usize..span.end as usize)?;
    let arrow = if order.is_last { "->>" } else { "->" };
    let example = if step.chars().nth(SHOWN).is_none() {
        format!(": `({arrow} x {step})`")
    } else {
        String::new()
    };
    Some(format!("thread the collection with `{arrow}`{example}"))
}
