//! What each kind of node makes of its parts.

use ptc_signatures::Kinds;

use super::calls::Calls;
use super::problems;
use super::scan::{Fact, Scan};
use super::shape::{Callee, Shape};
use crate::diagnostic::Diagnostic;
use crate::ir::{Node, Op, Operand};
use crate::value::Value;

/// Parts of data whose functions are looked for.
const LOOKED_AT: usize = 256;

impl Scan<'_> {
    pub(super) fn node(&mut self, at: u32, node: Node) -> Fact {
        match node {
            Node::If { test, then, other } => {
                let test = self.of(test);
                self.branch(&test, then, other)
            }
            Node::IfInt { then, other, .. } | Node::IfSlots { then, other, .. } => {
                let test = Fact { shape: Shape::ANY, calls: 0, ends: false };
                self.branch(&test, then, other)
            }
            Node::And(args) | Node::Or(args) => {
                let or = matches!(node, Node::Or(_));
                let parts = self.parts(args);
                let last = parts.len().saturating_sub(1);
                let shapes: Vec<(Shape, bool)> = parts
                    .iter()
                    .enumerate()
                    .map(|(at, part)| {
                        let shape = if at == last {
                            part.shape.clone()
                        } else if or {
                            part.shape.not_nil()
                        } else {
                            Shape::Kinds(part.shape.kinds().and(Kinds::NIL | Kinds::BOOL))
                        };
                        (shape.plain(), part.ends)
                    })
                    .collect();
                let shape = self.merged(&shapes);
                let first_ends = parts.first().is_some_and(|part| part.ends);
                Fact { ends: first_ends, ..self.made(&parts, shape) }
            }
            Node::Do(args) => {
                let parts = self.facts_of(args);
                let shape = parts.last().map_or(Shape::NIL, |last| last.shape.clone());
                self.made(&parts, shape)
            }
            Node::Bind { slot, value } => {
                let fact = self.of(value);
                self.set(slot, fact.shape.clone());
                fact
            }
            Node::Call(args) => {
                let mut parts = self.facts_of(args);
                if parts.is_empty() {
                    return self.made(&[], Shape::ANY);
                }
                let head = parts.remove(0);
                let callee = match head.shape {
                    Shape::Function(callee) => Some(callee),
                    _ => None,
                };
                let fact = self.call(at, callee, &parts);
                let calls = self.sum([head.calls, fact.calls]);
                Fact { calls, ends: fact.ends || head.ends, ..fact }
            }
            Node::CallGlobal { global, args } => {
                let parts = self.facts_of(args);
                let callee = match self.global(global) {
                    Shape::Function(callee) => Some(callee),
                    _ => None,
                };
                self.call(at, callee, &parts)
            }
            Node::CallSelf(args) => {
                let parts = self.parts(args);
                if let Some(frame) = self.frames.last_mut() {
                    frame.recurs = true;
                    let lambda = frame.lambda;
                    self.gives(Callee::Lambda(lambda), parts.iter().map(|it| it.shape.clone()));
                }
                self.made(&parts, Shape::ANY)
            }
            Node::Builtin { id, args } | Node::Text { id, args } => self.builtin(at, id, args),
            Node::Op { op, a, b } | Node::OpSlots { op, a, b } => self.operation(op, a, Some(b)),
            Node::AddSlots { a, b } => self.operation(Op::Add, a, Some(b)),
            Node::OpInt { op, a, .. } | Node::AddInt { op, a, .. } => self.operation(op, a, None),
            Node::Get { key, map } => {
                let map = self.of(map);
                self.escape(&map.shape);
                let key = self.program.consts.get(key as usize).and_then(Value::name);
                let shape = key.map_or(Shape::ANY, |key| map.shape.field_of(key));
                self.made(&[map], shape)
            }
            Node::Vector(args) => {
                let parts = self.parts(args);
                let items = parts.iter().map(|part| part.shape.clone().plain()).collect();
                self.made(&parts, Shape::Items(items))
            }
            Node::Map(args) | Node::Record(args) => {
                let parts = self.parts(args);
                let shape = map_of(&parts);
                self.made(&parts, shape)
            }
            Node::Set(args) => {
                let parts = self.parts(args);
                self.made(&parts, Shape::Kinds(Kinds::LIST))
            }
            Node::Function { lambda, .. } => {
                Fact { shape: Shape::Function(Callee::Lambda(lambda)), calls: 0, ends: false }
            }
            Node::Myself => {
                let lambda = self.frames.last().map_or(0, |frame| frame.lambda);
                Fact { shape: Shape::Function(Callee::Lambda(lambda)), calls: 0, ends: false }
            }
            Node::Sibling(lambda) => {
                Fact { shape: Shape::Function(Callee::Lambda(lambda)), calls: 0, ends: false }
            }
            Node::Loop { first, .. } => {
                // The variables get other values at every turn.
                let slots = self.frames.last().map_or(0, |frame| frame.slots.len() as u32);
                for slot in first..slots {
                    let shape = self.slot(slot);
                    self.escape(&shape);
                    self.set(slot, Shape::ANY);
                }
                Fact { shape: Shape::ANY, calls: 0, ends: false }
            }
            Node::Recur { args, .. } | Node::Turn { args, .. } => {
                let parts = self.parts(args);
                Fact { ends: true, ..self.made(&parts, Shape::Kinds(Kinds::NONE)) }
            }
            Node::RecurFunction(args) => {
                let parts = self.parts(args);
                if let Some(frame) = self.frames.last_mut() {
                    frame.recurs = true;
                    let lambda = frame.lambda;
                    self.gives_anything(Callee::Lambda(lambda));
                }
                Fact { ends: true, ..self.made(&parts, Shape::Kinds(Kinds::NONE)) }
            }
            Node::Global(global) => {
                let shape = self.global(global);
                Fact { shape, calls: 0, ends: false }
            }
            Node::Def { global, value } => self.define(global, value),
            Node::Ctx(key) => {
                let shape = self.ctx(key);
                Fact { shape, calls: 0, ends: false }
            }
            Node::CtxAll => {
                let shape = Shape::of_map(self.world.ctx, "ctx");
                Fact { shape, calls: 0, ends: false }
            }
            Node::Memory(key) => self.memory(at, key),
            Node::MemoryAll => Fact { shape: Shape::Kinds(Kinds::MAP), calls: 0, ends: false },
            Node::History(back) => {
                let value = self.world.history.get(usize::from(back));
                self.reads_kept |= value.is_some_and(may_hold_functions);
                let name = ["*1", "*2", "*3"].get(usize::from(back)).copied().unwrap_or_default();
                let shape = value.map_or(Shape::ANY, |it| Shape::of_data(it, "", name));
                Fact { shape, calls: 0, ends: false }
            }
            Node::Tool { tool, args } => self.tool(at, tool, args),
            Node::Return(value) => {
                let value = self.of(value);
                self.escape(&value.shape);
                self.returned(at, &value.shape);
                Fact { ends: true, ..self.made(&[value], Shape::Kinds(Kinds::NONE)) }
            }
            Node::Fail(value) => {
                let value = self.of(value);
                self.escape(&value.shape);
                self.check_failure(at, &value.shape);
                Fact { ends: true, ..self.made(&[value], Shape::Kinds(Kinds::NONE)) }
            }
            Node::Try(index) => self.attempt(index),
        }
    }

    pub(super) fn branch(&mut self, test: &Fact, then: Operand, other: Operand) -> Fact {
        self.escape(&test.shape);
        let (then, other) = (self.of(then), self.of(other));
        let shape = self.merged(&[(then.shape, then.ends), (other.shape, other.ends)]);
        let calls = self.one_of(then.calls, other.calls);
        let calls = self.sum([test.calls, calls]);
        Fact { shape, calls, ends: test.ends || then.ends && other.ends }
    }

    pub(super) fn operation(&mut self, op: Op, a: Operand, b: Option<Operand>) -> Fact {
        let mut parts = vec![self.of(a)];
        parts.extend(b.map(|b| self.of(b)));
        for part in &parts {
            self.escape(&part.shape);
        }
        let whole = parts.iter().all(|part| part.shape.kinds() == Kinds::INT);
        let shape = match op {
            _ if op.order().is_some() => Kinds::BOOL,
            Op::Div => Kinds::NUMBER,
            _ if whole => Kinds::INT,
            _ => Kinds::NUMBER,
        };
        self.made(&parts, Shape::Kinds(shape))
    }

    pub(super) fn define(&mut self, global: u32, value: Operand) -> Fact {
        let fact = self.of(value);
        let once = self.world.defined.get(&global).is_some_and(|all| all.len() == 1);
        // A function of an earlier program may call what stood under the name before.
        if !once || global < self.world.globals.len() as u32 {
            self.escape(&fact.shape);
            self.globals.insert(global, Shape::ANY);
        } else {
            self.globals.insert(global, fact.shape.clone());
        }
        Fact { shape: Shape::Kinds(Kinds::OTHER), ..fact }
    }

    /// What stands under a name.
    pub(super) fn global(&mut self, global: u32) -> Shape {
        if let Some(shape) = self.globals.get(&global) {
            return shape.clone();
        }
        let earlier = global < self.world.globals.len() as u32;
        match self.world.defined.get(&global).map(Vec::as_slice) {
            // It is defined further down, or in a function that is called later.
            Some([Some(lambda)]) if !earlier => Shape::Function(Callee::Lambda(*lambda)),
            Some(_) => {
                self.reads_kept |= earlier;
                Shape::ANY
            }
            None => match self.world.globals.value(global) {
                Some(Value::Function(_)) => Shape::Function(Callee::Kept),
                Some(value) => {
                    self.reads_kept |= may_hold_functions(value);
                    {
                        let name = self.world.globals.names().nth(global as usize);
                        Shape::of_data(value, "", name.unwrap_or_default())
                    }
                }
                None => Shape::ANY,
            },
        }
    }

    pub(super) fn ctx(&mut self, key: u32) -> Shape {
        if let Some(shape) = self.ctx.get(&key) {
            return shape.clone();
        }
        let name = self.program.consts.get(key as usize).and_then(Value::name);
        let shape = match name.and_then(|name| Some((name, self.world.ctx.get_name(name)?))) {
            Some((name, value)) => Shape::of_data(value, "ctx", name),
            None => Shape::ANY,
        };
        self.ctx.insert(key, shape.clone());
        shape
    }

    pub(super) fn memory(&mut self, at: u32, key: u32) -> Fact {
        let key = self.program.consts.get(key as usize).and_then(Value::name).map(str::to_owned);
        let shape = key.map_or(Shape::ANY, |key| self.remembered(at, &key));
        Fact { shape, calls: 0, ends: false }
    }

    /// What `memory/get` of a literal key gives.
    pub(super) fn memory_read(&mut self, at: u32, name: &str, args: &[Shape]) -> Option<Shape> {
        match (name, args) {
            ("memory/get", [Shape::Known(Value::Keyword(key) | Value::Str(key))]) => {
                let key = key.to_string();
                Some(self.remembered(at, &key))
            }
            _ => None,
        }
    }

    pub(super) fn remembered(&mut self, at: u32, key: &str) -> Shape {
        let kept = self.world.memory.get_name(key);
        if self.writes_memory {
            return Shape::ANY;
        }
        if kept.is_none() {
            let problem = problems::unset_memory(key, self.world.memory);
            self.warn(at, problem);
        }
        kept.map_or(Shape::NIL, |value| Shape::of_data(value, "memory", key))
    }

    pub(super) fn tool(&mut self, at: u32, tool: u32, args: Operand) -> Fact {
        let args = self.of(args);
        self.escape(&args.shape);
        let name = self.program.tools.get(tool as usize).cloned().unwrap_or_default();
        let decl = self.world.tools.iter().find(|decl| decl.name == name.as_str());
        if let Some(decl) = decl {
            let (problems, warnings) = problems::arguments(decl, &args.shape);
            for problem in problems {
                self.problem(at, problem);
            }
            for warning in warnings {
                self.warn(at, warning);
            }
        }
        let own = self.keep(Calls::one(tool));
        let calls = self.sum([args.calls, own]);
        let shape = match self.results.get(&tool) {
            Some(shape) => shape.clone(),
            None => {
                let output = decl.and_then(|decl| decl.signature.as_ref()).map(|it| &it.output);
                let called = format!("the result of {name}");
                let shape = output.map_or(Shape::ANY, |ty| Shape::of_type(ty, &called, 6));
                self.results.insert(tool, shape.clone());
                shape
            }
        };
        Fact { shape, calls, ends: args.ends }
    }

    /// What is certain to be wrong; in a `try` the program may wait for it.
    pub(super) fn problem(&mut self, at: u32, problem: Diagnostic) {
        let problem = problem.at(self.program.span(at));
        if self.attempts == 0 {
            self.findings.problems.push(problem);
        } else {
            self.findings.warnings.push(problem);
        }
    }

    pub(super) fn warn(&mut self, at: u32, warning: Diagnostic) {
        let warning = warning.at(self.program.span(at));
        // The same name may be read in many places.
        if !self.findings.warnings.iter().any(|known| known.message() == warning.message()) {
            self.findings.warnings.push(warning);
        }
    }

    pub(super) fn returned(&mut self, at: u32, shape: &Shape) {
        if let Some((output, mode)) = self.world.output {
            for problem in problems::returned(output, shape, *mode) {
                self.problem(at, problem);
            }
        }
    }

    pub(super) fn attempt(&mut self, index: u32) -> Fact {
        let Some(attempt) = self.program.tries.get(index as usize) else {
            return Fact { shape: Shape::ANY, calls: 0, ends: false };
        };
        let body = self.of(attempt.body);
        let catches: Vec<Fact> = attempt.catches.iter().map(|catch| self.of(catch.body)).collect();
        let finally = attempt.finally.map(|finally| self.of(finally));
        let mut branches = vec![(body.shape.clone(), body.ends)];
        branches.extend(catches.iter().map(|catch| (catch.shape.clone(), catch.ends)));
        let shape = self.merged(&branches);
        let mut calls = body.calls;
        for catch in &catches {
            calls = self.sum([calls, catch.calls]);
        }
        calls = self.sum([calls, finally.as_ref().map_or(0, |finally| finally.calls)]);
        let ends = body.ends && catches.iter().all(|catch| catch.ends)
            || finally.is_some_and(|finally| finally.ends);
        Fact { shape, calls, ends }
    }
}

/// What a map is that these keys and values make.
fn map_of(parts: &[Fact]) -> Shape {
    let mut fields = Vec::with_capacity(parts.len() / 2);
    let mut open = false;
    for pair in parts.chunks_exact(2) {
        match &pair[0].shape {
            Shape::Known(Value::Keyword(key) | Value::Str(key)) => {
                fields.push((key.clone(), pair[1].shape.clone().plain()));
            }
            _ => open = true,
        }
    }
    // A key that is not known may be any of the others.
    if open { Shape::Kinds(Kinds::MAP) } else { Shape::map(fields, false) }
}

/// Whether a value may hold functions or what calls them.
fn may_hold_functions(value: &Value) -> bool {
    let mut work = vec![value.clone()];
    let mut left = LOOKED_AT;
    while let Some(value) = work.pop() {
        if left == 0 {
            return true;
        }
        left -= 1;
        match &value {
            Value::Function(_) | Value::Ext(_) => return true,
            Value::Map(map) => {
                for (key, value) in map.iter().take(LOOKED_AT) {
                    work.extend([key.clone(), value.clone()]);
                }
            }
            other => {
                let items = other.items().into_iter().flatten().take(LOOKED_AT);
                work.extend(items.map(|item| std::borrow::Borrow::<Value>::borrow(&item).clone()));
            }
        }
    }
    false
}
