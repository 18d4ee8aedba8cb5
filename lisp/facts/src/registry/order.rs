//! The end of the arguments at which a builtin takes its collection.

use ptc_values::Program;
use ptc_values::ir::{Node, Operand, OperandKind};

use super::facts::Order;
use super::table::Registered;
use crate::messages::describe;

impl Order {
    /// Returns whether a thread that puts its value last (or else first) misplaces the collection.
    pub fn is_against(self, last: bool) -> bool {
        self.is_last != last
    }

    /// Returns the argument that is the collection.
    pub fn collection(self, parts: &[Operand]) -> Option<Operand> {
        let (first, last) = (parts.first()?, parts.last()?);
        (parts.len() > 1).then_some(if self.is_last { *last } else { *first })
    }

    /// Returns whether the collection is a constant or a function, which may be wrong.
    pub fn is_doubtful(self, program: &Program, parts: &[Operand]) -> bool {
        self.collection(parts).is_some_and(|part| self.literal(program, part).is_some())
    }

    /// Describes a literal that is not such a collection.
    pub fn literal(self, program: &Program, part: Operand) -> Option<String> {
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

/// Returns the correct thread for a step that puts its value at the wrong end.
pub fn thread_help(program: &Program, node: u32) -> Option<String> {
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
