//! Replaces core nodes by fast nodes: the last pass over an admitted program.
//!
//! A fast node has the effects, fuel, spans and errors of its core node. It stores facts that the machine would
//! otherwise test at every step. Examples: an operand is a slot or a small integer, a test compares two of them, the
//! keys of a map differ. Nodes keep their numbers, so references stay valid.

use ptc_facts::registry::Registered;
use ptc_values::ir::{Args, Node, Op, Operand, OperandKind, Program};
use ptc_values::{BuiltinId, FLAT_MAX, Value, is_long};

/// Replaces each core node that has a fast node.
pub(crate) fn fuse(program: &mut Program) {
    // Parts come before the whole, so the test of an `if` is already fast when the `if` is visited.
    for at in 0..program.nodes.len() {
        let core = program.nodes[at];
        if let Some(fast) = fast(program, core) {
            program.replaced.push((at as u32, core));
            program.nodes[at] = fast;
        }
    }
}

fn fast(program: &Program, core: Node) -> Option<Node> {
    match core {
        Node::Op { op, a, b } => operation(program, op, a, b),
        Node::If { test, then, other } => comparing(program, test, then, other),
        Node::Recur { target, args } => turn(program, target, args),
        Node::Map(args) => is_record(program, args).then_some(Node::Record(args)),
        Node::Builtin { id, args } if is_text(program, id, args) => Some(Node::Text { id, args }),
        Node::Builtin { id, args } if let Some(fast) = field(program, id, args) => Some(fast),
        Node::Builtin { id, args } => {
            can_borrow(program, id, args).then_some(Node::Borrowing { id, args })
        }
        _ => None,
    }
}

/// Returns the fast node for an operation on two slots, or on a slot and a small integer.
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

/// Returns the fast node for an `if` that compares slots, or a slot and a small integer.
fn comparing(program: &Program, test: Operand, then: Operand, other: Operand) -> Option<Node> {
    let OperandKind::Direct(test) = test.kind() else { return None };
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

/// Returns the fast node for a loop turn whose next values need no frames.
fn turn(program: &Program, target: u32, args: Args) -> Option<Node> {
    let Node::Loop { first, body } = program.node(target) else { return None };
    let is_short = program.args(args).iter().all(|part| part.deep().is_none());
    let first = u16::try_from(first).ok().filter(|_| is_short)?;
    Some(Node::Turn { first, body, args })
}

/// Returns whether the keys of a map are few distinct short names.
fn is_record(program: &Program, args: Args) -> bool {
    let mut names = [""; FLAT_MAX];
    for (at, key) in program.args(args).iter().step_by(2).enumerate() {
        let OperandKind::Const(index) = key.kind() else { return false };
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

/// Returns whether a call is `str` of several operands that need no evaluation. Printing a lazy sequence calls
/// functions, so a lazy-aware program keeps the call.
fn is_text(program: &Program, id: BuiltinId, args: Args) -> bool {
    args.count > 1
        && !program.lazy_aware
        && id.builtin().name == "str"
        && program.args(args).iter().all(|part| part.node().is_none())
}

/// Returns the fast node for a part of a map pattern, which is `ptc/as-map` of a slot or `get` of a slot and a short
/// keyword. Also returns the one for a constant price.
fn field(program: &Program, id: BuiltinId, args: Args) -> Option<Node> {
    let [map, key @ ..] = program.args(args) else { return None };
    if id.name() == "ptc/pay" {
        return u32::try_from(program.int(*map)?).ok().map(Node::Pay);
    }
    map.slot().filter(|_| !program.lazy_aware)?;
    match (id.name(), key) {
        ("ptc/as-map", []) => Some(Node::AsMap(*map)),
        ("get", [key]) => {
            let OperandKind::Const(key) = key.kind() else { return None };
            let name = program.consts.get(key as usize)?;
            (matches!(name, Value::Keyword(_)) && !is_long(name))
                .then_some(Node::Field { key, map: *map })
        }
        _ => None,
    }
}

/// Returns whether a call can borrow its arguments. Only the first may need evaluation, because that may move the value
/// of another one out of its slot. In a lazy-aware program another function may replace the builtin.
fn can_borrow(program: &Program, id: BuiltinId, args: Args) -> bool {
    !program.lazy_aware
        && id.builtin().facts.borrowing.is_some_and(|it| it.count == args.count)
        && match program.args(args) {
            [first] => first.deep().is_none(),
            [first, second] => first.deep().is_none() && program.can_borrow(*second),
            _ => false,
        }
}
