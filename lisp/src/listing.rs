//! Prints checked programs as text, one node a line, with their fast nodes.
//!
//! Operands: `s0` is a slot, `s0!` a slot whose value is moved out, `^0` a captured value, `#3` a node, anything else a
//! constant. A node after `!` needs frames.

use std::fmt::Write as _;

use ptc_facts::registry::Registered;
use ptc_values::ir::{Args, Node, Operand, OperandKind, Program};
use ptc_values::print::readable;

/// Lists the functions of a program, then its nodes in the order they were made.
pub(crate) fn of(program: &Program) -> String {
    let mut out = String::new();
    for (number, lambda) in program.lambdas.iter().enumerate() {
        let name = match lambda.name.as_deref() {
            Some(name) => name,
            None if number == 0 => "program",
            None => "fn",
        };
        let plain = if lambda.needs_itself { ", reads itself" } else { "" };
        for arity in lambda.arities.iter() {
            let rest = if arity.variadic { " and a rest" } else { "" };
            let body = operand(program, arity.body);
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{name}: {} parameters{rest}, {} slots{plain} = {body}",
                arity.params, arity.frame
            );
        }
    }
    for (number, node) in program.nodes.iter().enumerate() {
        let _ = writeln!(out, "#{number} {}", text(program, *node));
    }
    out
}

fn operand(program: &Program, operand: Operand) -> String {
    match operand.kind() {
        OperandKind::Local(slot) => format!("s{slot}"),
        OperandKind::Take(slot) => format!("s{slot}!"),
        OperandKind::Capture(index) => format!("^{index}"),
        OperandKind::Const(index) => {
            program.consts.get(index as usize).map(readable).unwrap_or_default()
        }
        OperandKind::Direct(node) => format!("#{node}"),
        OperandKind::Deep(node) => format!("!#{node}"),
    }
}

fn text(program: &Program, node: Node) -> String {
    let one = |part: Operand| operand(program, part);
    let all = |args: Args| {
        program.args(args).iter().fold(String::new(), |text, part| text + " " + &one(*part))
    };
    let constant =
        |index: u32| program.consts.get(index as usize).map(readable).unwrap_or_default();
    match node {
        Node::If { test, then, other } => {
            format!("if {} then {} else {}", one(test), one(then), one(other))
        }
        Node::IfInt { order, slot, int, then, other } => {
            let test = order.name();
            format!("if-int s{slot} {test} {int} then {} else {}", one(then), one(other))
        }
        Node::IfSlots { order, a, b, then, other } => {
            let test = order.name();
            format!("if-slots s{a} {test} s{b} then {} else {}", one(then), one(other))
        }
        Node::And(args) => format!("and{}", all(args)),
        Node::Or(args) => format!("or{}", all(args)),
        Node::Do(args) => format!("do{}", all(args)),
        Node::Bind { slot, value } => format!("bind s{slot} {}", one(value)),
        Node::Call(args) => format!("call{}", all(args)),
        Node::CallGlobal { global, args } => format!("call-global g{global}{}", all(args)),
        Node::CallSelf(args) => format!("call-self{}", all(args)),
        Node::Builtin { id, args } => format!("builtin {}{}", id.builtin().name, all(args)),
        Node::Text { args, .. } => format!("text{}", all(args)),
        Node::Borrowing { id, args } => format!("borrowing {}{}", id.builtin().name, all(args)),
        Node::Field { key, map } => format!("field {} {}", one(map), constant(key)),
        Node::AsMap(map) => format!("as-map {}", one(map)),
        Node::Pay(fuel) => format!("pay {fuel}"),
        Node::Op { op, a, b } => format!("op {} {} {}", op.name(), one(a), one(b)),
        Node::OpSlots { op, a, b } => format!("op-slots {} {} {}", op.name(), one(a), one(b)),
        Node::OpInt { op, a, int } => format!("op-int {} {} {int}", op.name(), one(a)),
        Node::AddSlots { a, b } => format!("add-slots {} {}", one(a), one(b)),
        Node::AddInt { op, a, plus } => {
            format!("add-int {} {plus}, written {}", one(a), op.name())
        }
        Node::Get { key, map } => format!("get {} {}", constant(key), one(map)),
        Node::Vector(args) => format!("vector{}", all(args)),
        Node::Map(args) => format!("map{}", all(args)),
        Node::Record(args) => format!("record{}", all(args)),
        Node::Set(args) => format!("set{}", all(args)),
        Node::Function { lambda, captures } => format!("function {lambda}{}", all(captures)),
        Node::Myself => "myself".to_owned(),
        Node::Sibling(lambda) => format!("sibling {lambda}"),
        Node::Loop { first, body } => format!("loop from s{first} {}", one(body)),
        Node::Recur { target, args } => format!("recur #{target}{}", all(args)),
        Node::Turn { first, body, args } => {
            format!("turn from s{first} to {}{}", one(body), all(args))
        }
        Node::RecurFunction(args) => format!("recur-function{}", all(args)),
        Node::Global(global) => format!("global g{global}"),
        Node::Def { global, value } => format!("def g{global} {}", one(value)),
        Node::Ctx(key) => format!("ctx {}", constant(key)),
        Node::CtxAll => "ctx".to_owned(),
        Node::Memory(key) => format!("memory {}", constant(key)),
        Node::MemoryAll => "memory".to_owned(),
        Node::History(back) => format!("history {back}"),
        Node::Tool { tool, args } => {
            let name = program.tools.get(tool as usize).map_or("", arcstr::ArcStr::as_str);
            format!("tool {name} {}", one(args))
        }
        Node::Named(args) => format!("named tool{}", all(args)),
        Node::Return(value) => format!("return {}", one(value)),
        Node::Fail(value) => format!("fail {}", one(value)),
        Node::Try(index) => format!("try {index}"),
    }
}
