//! Fast nodes in the place of core nodes: the last pass over a program that was admitted.
//!
//! A fast node does what its core node does, with the same fuel, the same spans and the same errors.
//! It only knows beforehand what the machine would find out at every step: that an operand is a slot
//! or a small integer, that a test compares two of them, that the keys of a map are all different.
//! The number of a node stays, so whatever names a node by its number still finds it.

use crate::builtins::BuiltinId;
use crate::ir::{Args, Node, Op, Operand, Place, Program};
use crate::machine::is_long;
use crate::value::{FLAT_MAX, Value};

/// Puts a fast node in the place of each core node that has one.
pub(crate) fn fuse(program: &mut Program) {
    // Parts come before the whole, so the test of an `if` is fast when the `if` is looked at.
    for at in 0..program.nodes.len() {
        let core = program.nodes[at];
        if let Some(fast) = fast(program, core) {
            program.replaced.push((at as u32, core));
            program.nodes[at] = fast;
        }
    }
}

/// The fast node for a core node.
fn fast(program: &Program, core: Node) -> Option<Node> {
    match core {
        Node::Op { op, a, b } => operation(program, op, a, b),
        Node::If { test, then, other } => comparing(program, test, then, other),
        Node::Recur { target, args } => turn(program, target, args),
        Node::Map(args) => is_record(program, args).then_some(Node::Record(args)),
        Node::Builtin { id, args } => is_text(program, id, args).then_some(Node::Text { id, args }),
        _ => None,
    }
}

/// An operation on a slot and another one, or a slot and a small integer.
fn operation(program: &Program, op: Op, a: Operand, b: Operand) -> Option<Node> {
    a.slot()?;
    if b.slot().is_some() {
        return Some(match op {
            Op::Add => Node::AddSlots { a, b },
            _ => Node::OpSlots { op, a, b },
        });
    }
    let int = program.int(b).and_then(|int| i32::try_from(int).ok())?;
    let plus = match op {
        Op::Add | Op::Inc => Some(int),
        Op::Sub | Op::Dec => int.checked_neg(),
        _ => None,
    };
    Some(match plus {
        Some(plus) => Node::AddInt { op, a, plus },
        None => Node::OpInt { op, a, int },
    })
}

/// An `if` that compares what is in slots.
fn comparing(program: &Program, test: Operand, then: Operand, other: Operand) -> Option<Node> {
    let Place::Direct(test) = test.place() else { return None };
    let small = |operand: Operand| operand.slot().and_then(|slot| u16::try_from(slot).ok());
    match program.node(test) {
        Node::OpInt { op, a, int } => {
            Some(Node::IfInt { order: op.order()?, slot: small(a)?, int, then, other })
        }
        Node::OpSlots { op, a, b } => {
            Some(Node::IfSlots { order: op.order()?, a: small(a)?, b: small(b)?, then, other })
        }
        _ => None,
    }
}

/// A turn of a loop whose next values need no frames.
fn turn(program: &Program, target: u32, args: Args) -> Option<Node> {
    let Node::Loop { first, body } = program.node(target) else { return None };
    let is_short = program.args(args).iter().all(|part| part.deep().is_none());
    let first = u16::try_from(first).ok().filter(|_| is_short)?;
    Some(Node::Turn { first, body, args })
}

/// Whether the keys of a map are few short names, all different.
fn is_record(program: &Program, args: Args) -> bool {
    let mut names = [""; FLAT_MAX];
    for (at, key) in program.args(args).iter().step_by(2).enumerate() {
        let Place::Const(index) = key.place() else { return false };
        let name = match program.consts.get(index as usize) {
            Some(key @ (Value::Str(name) | Value::Keyword(name))) if !is_long(key) => name,
            _ => return false,
        };
        let Some((before, [place, ..])) = names.split_at_mut_checked(at) else { return false };
        if before.contains(&name.as_str()) {
            return false;
        }
        *place = name;
    }
    true
}

/// Whether a call is `str` of several values that are already there. A lazy sequence among them calls
/// functions, so a program that may have one keeps the call.
fn is_text(program: &Program, id: BuiltinId, args: Args) -> bool {
    args.count > 1
        && !program.lazy_aware
        && id.builtin().name == "str"
        && program.args(args).iter().all(|part| part.node().is_none())
}
