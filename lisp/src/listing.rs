//! Prints checked programs as text: their nodes, and the code that machines run, one a line.
//!
//! Operands: `s0` is a slot, `s0!` a slot whose value is moved out, `^0` a captured value, `#3` a node, anything else a
//! constant. A node after `!` may call functions of the program.

use std::fmt::Write as _;

use ptc_facts::registry::Registered;
use ptc_values::Program;
use ptc_values::ir::{Args, Node, Operand, OperandKind};
use ptc_values::print::readable;

/// Lists the functions of a program, then its nodes in the order they were made, then the code of its functions.
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
    for number in 0..program.lambdas.len() as u32 {
        out.push_str(&ptc_machine::code_listing(program, number));
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
        Node::And(args) => format!("and{}", all(args)),
        Node::Or(args) => format!("or{}", all(args)),
        Node::Do(args) => format!("do{}", all(args)),
        Node::Bind { slot, value } => format!("bind s{slot} {}", one(value)),
        Node::Call(args) => format!("call{}", all(args)),
        Node::CallGlobal { global, args } => format!("call-global g{global}{}", all(args)),
        Node::CallSelf(args) => format!("call-self{}", all(args)),
        Node::Builtin { id, args } => format!("builtin {}{}", id.builtin().name, all(args)),
        Node::Op { op, a, b } => format!("op {} {} {}", op.name(), one(a), one(b)),
        Node::Get { key, map } => format!("get {} {}", constant(key), one(map)),
        Node::Vector(args) => format!("vector{}", all(args)),
        Node::Map(args) => format!("map{}", all(args)),
        Node::Set(args) => format!("set{}", all(args)),
        Node::Function { lambda, captures } => format!("function {lambda}{}", all(captures)),
        Node::Myself => "myself".to_owned(),
        Node::Sibling(lambda) => format!("sibling {lambda}"),
        Node::Loop { first, body } => format!("loop from s{first} {}", one(body)),
        Node::Recur { target, args } => format!("recur #{target}{}", all(args)),
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
