//! Derives the facts of each kind of node from its parts.

use ptc_signatures::{Kinds, SignatureMode};

use super::calls::Calls;
use super::problems;
use super::scan::{Effect, Fact, Scan};
use crate::lowered::Defined;
use arcstr::ArcStr;
use ptc_facts::flows::Labels;
use ptc_facts::shape::{Callee, Shape};
use ptc_facts::tool::ToolDecl;
use ptc_values::ir::{Node, Op, Operand, OperandKind};
use ptc_values::{Diagnostic, Value};

/// The number of data parts searched for functions.
const LOOKED_AT: usize = 256;

impl Scan<'_> {
    pub(super) fn node(&mut self, at: u32, node: Node) -> Fact {
        match node {
            Node::If { test, then, other } => self.branch(test, then, other),
            Node::And(args) | Node::Or(args) => {
                let parts = self.program.args(args);
                let shape = self.logic(matches!(node, Node::Or(_)), parts);
                let effect = self.escape_all(parts);
                let first = parts.first().map(|part| self.effect(*part));
                Effect { ends: first.is_some_and(|first| first.ends), ..effect }.of(shape)
            }
            Node::Do(args) => {
                let parts = self.program.args(args);
                let shape = parts.last().map_or(Shape::NIL, |last| self.shape(*last).clone());
                self.effects(parts).of(shape)
            }
            Node::Bind { slot, value } => {
                let fact = self.fact(value);
                self.set(slot, fact.shape.clone());
                fact
            }
            Node::Call(args) => self.call_of_value(at, self.program.args(args)),
            Node::CallGlobal { global, args } => {
                let callee = match self.global(global) {
                    Shape::Function(callee) => Some(callee),
                    _ => None,
                };
                self.call(at, callee, self.program.args(args))
            }
            Node::CallSelf(args) => self.call_of_itself(self.program.args(args)),
            Node::Builtin { id, args } => self.builtin(at, id, args),
            Node::Op { op, a, b } => self.operation(at, op, a, b),
            Node::Get { key, map } => self.keyword_read(at, key, map),
            Node::Vector(args) => {
                let parts = self.program.args(args);
                let items = parts.iter().map(|part| self.shape(*part).clone().plain()).collect();
                self.escape_all(parts).of(Shape::Items(items))
            }
            Node::Map(args) => {
                let parts = self.program.args(args);
                let shape = self.map_of(parts);
                self.escape_all(parts).of(shape)
            }
            Node::Set(args) => {
                self.escape_all(self.program.args(args)).of(Shape::Kinds(Kinds::LIST))
            }
            Node::Function { lambda, .. } => Fact::of(Shape::Function(Callee::Lambda(lambda))),
            Node::Myself => {
                let lambda = self.frames.last().map_or(0, |frame| frame.lambda);
                Fact::of(Shape::Function(Callee::Lambda(lambda)))
            }
            Node::Sibling(lambda) => Fact::of(Shape::Function(Callee::Lambda(lambda))),
            Node::Loop { first, .. } => self.start_loop(at, first),
            Node::Recur { target, args } => {
                self.record_turn(target, self.program.args(args));
                self.diverging(self.program.args(args))
            }
            Node::RecurFunction(args) => {
                self.recurs(self.program.args(args), true);
                self.diverging(self.program.args(args))
            }
            Node::Global(global) => {
                let shape = self.global(global);
                Fact::of(shape)
            }
            Node::Def { global, value } => self.define(global, value),
            Node::Ctx(key) => {
                let shape = self.ctx(key);
                Fact::of(shape)
            }
            Node::CtxAll if self.is_later => Fact::of(Shape::Kinds(Kinds::MAP)),
            Node::CtxAll => {
                let shape = self.ctx_all();
                Fact::of(shape)
            }
            Node::Memory(key) => self.memory(at, key),
            Node::MemoryAll => Fact::of(Shape::Kinds(Kinds::MAP)),
            Node::History(back) => {
                let shape = self.earlier_value(usize::from(back));
                Fact::of(shape)
            }
            Node::Tool { tool, args } => self.tool(at, tool, args),
            Node::Named(args) => {
                self.record_end();
                self.named(at, args)
            }
            Node::Return(value) => {
                self.record_end();
                let shape = self.shape(value).clone();
                self.returned(at, &shape);
                self.diverging(&[value])
            }
            Node::Fail(value) => {
                self.record_end();
                let shape = self.shape(value).clone();
                self.check_failure(at, &shape);
                self.diverging(&[value])
            }
            Node::Try(index) => self.attempt(index),
        }
    }

    /// Scans a call of the value of the first part.
    fn call_of_value(&mut self, at: u32, parts: &[Operand]) -> Fact {
        let Some((head, parts)) = parts.split_first() else { return Fact::of(Shape::ANY) };
        let mut fact = self.call(at, self.callee(*head), parts);
        if self.callee(*head).is_none() {
            fact.shape = self.called(at, *head, parts);
        }
        let head = self.effect(*head);
        self.both(head, fact.effect()).of(fact.shape)
    }

    /// Scans a call of a function by itself, whose result is not known yet.
    fn call_of_itself(&mut self, parts: &[Operand]) -> Fact {
        let effect = self.escape_all(parts);
        self.recurs(parts, false);
        self.record_call(self.frames.last().map(|frame| Callee::Lambda(frame.lambda)));
        effect.of(Shape::ANY)
    }

    /// Gives the variables of a loop their shapes at every turn.
    fn start_loop(&mut self, at: u32, first: u32) -> Fact {
        let slots = self.frames.last().map_or(0, |frame| frame.slots.len() as u32);
        for slot in first..slots {
            let part = Operand::new(OperandKind::Local(slot));
            self.escape_part(part);
            let start = self.shape(part).clone().plain();
            let shape = self.loop_variable((at, slot - first), start);
            self.set(slot, shape);
        }
        Fact { is_loop: true, ..Fact::of(Shape::ANY) }
    }

    fn keyword_read(&mut self, at: u32, key: u32, map: Operand) -> Fact {
        self.escape_part(map);
        let shape = match self.program.consts.get(key as usize) {
            Some(Value::Keyword(key) | Value::Str(key)) => {
                self.record_read(at, self.shape(map).read_field(key))
            }
            _ => Shape::ANY,
        };
        self.effect(map).of(shape)
    }

    /// Returns the fact of a node that never gives a value.
    fn diverging(&mut self, parts: &[Operand]) -> Fact {
        let effect = self.escape_all(parts);
        Effect { ends: true, ..effect }.of(Shape::Kinds(Kinds::NONE))
    }

    /// Returns the value of `and` or `or`.
    fn logic(&mut self, or: bool, parts: &[Operand]) -> Shape {
        let last = parts.len().saturating_sub(1);
        let mut shapes = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let shape = self.shape(*part);
            let shape = if at == last {
                shape.clone()
            } else if or {
                shape.not_nil()
            } else {
                Shape::Kinds(shape.kinds().and(Kinds::NIL | Kinds::BOOL))
            };
            shapes.push((shape.plain(), self.effect(*part).ends));
        }
        self.merged(&shapes)
    }

    fn branch(&mut self, test: Operand, then: Operand, other: Operand) -> Fact {
        self.escape_part(test);
        let test = self.effect(test);
        let shape = self.either(then, other);
        let (then, other) = (self.effect(then), self.effect(other));
        let calls = self.one_of(then.calls, other.calls);
        self.both(test, Effect { calls, ends: then.ends && other.ends }).of(shape)
    }

    /// Returns the value of one of two parts. A part that never gives a value does not count.
    fn either(&mut self, a: Operand, b: Operand) -> Shape {
        let ends = (self.effect(a).ends, self.effect(b).ends);
        let shape = match ends {
            (false, false) => self.shape(a).or(self.shape(b)),
            (false, true) => self.shape(a).clone(),
            (true, false) => self.shape(b).clone(),
            (true, true) => Shape::Kinds(Kinds::NONE),
        };
        // A function that is no longer tracked may be called from anywhere.
        if ends.0 || !matches!(shape, Shape::Function(_)) {
            self.escape_part(a);
        }
        if ends.1 || !matches!(shape, Shape::Function(_)) {
            self.escape_part(b);
        }
        shape
    }

    fn operation(&mut self, at: u32, op: Op, a: Operand, b: Operand) -> Fact {
        let divisor = self.shape(b).clone();
        self.check_division(at, op, a, &divisor);
        if matches!(op, Op::Equal | Op::NotEqual) {
            let a = self.shape(a).clone();
            self.compare(at, &a, &divisor);
        } else if op.order().is_some() {
            self.order(at, op.name(), a, b);
        }
        let parts = [a, b];
        let effect = self.escape_all(&parts);
        let is_whole = |part: &Operand| self.shape(*part).kinds() == Kinds::INT;
        // Dates and spans are texts outside a program.
        let may_be_date = |part: &Operand| self.shape(*part).kinds().meets(Kinds::STRING);
        let shape = match op {
            _ if op.order().is_some() => Kinds::BOOL,
            Op::Add | Op::Sub if parts.iter().all(may_be_date) => Kinds::NUMBER | Kinds::STRING,
            Op::Div => Kinds::NUMBER,
            _ if parts.iter().all(is_whole) => Kinds::INT,
            _ => Kinds::NUMBER,
        };
        effect.of(Shape::Kinds(shape))
    }

    /// Reports a division by a literal zero; only `/` of a float gives an infinity instead.
    fn check_division(&mut self, at: u32, op: Op, dividend: Operand, divisor: &Shape) {
        let divides = matches!(op, Op::Div | Op::Quot | Op::Rem | Op::Mod);
        if !divides || !matches!(divisor, Shape::Known(Value::Int(0))) {
            return;
        }
        let kinds = self.shape(dividend).kinds();
        let certain = op != Op::Div || kinds.without(Kinds::INT) == Kinds::NONE;
        if certain || kinds.meets(Kinds::INT) {
            self.doubt_if(certain, at, ptc_facts::messages::divides_by_zero(op));
        }
    }

    pub(super) fn define(&mut self, global: u32, value: Operand) -> Fact {
        let fact = self.fact(value);
        let defined = self.world.defined.get(&global);
        let once = defined.is_some_and(|defined| *defined != Defined::Several);
        // A function of an earlier program may call the previous value of the name.
        if !once || global < self.world.env.globals.count() as u32 {
            self.escape(&fact.shape);
            self.outside.globals.insert(global, Shape::ANY);
        } else {
            self.outside.globals.insert(global, fact.shape.clone());
        }
        Fact { shape: Shape::Kinds(Kinds::OTHER), ..fact }
    }

    pub(super) fn global(&mut self, global: u32) -> Shape {
        // A later program may redefine the name.
        if self.is_later {
            return Shape::ANY;
        }
        if let Some(shape) = self.outside.globals.get(&global) {
            return shape.clone();
        }
        let earlier = global < self.world.env.globals.count() as u32;
        match self.world.defined.get(&global) {
            // It is defined further down, or in a function that is called later.
            Some(Defined::Function(lambda)) if !earlier => Shape::Function(Callee::Lambda(*lambda)),
            Some(_) => {
                self.reads_kept |= earlier;
                Shape::ANY
            }
            None => match self.world.env.globals.value(global) {
                Some(Value::Function(_)) => Shape::Function(Callee::Kept),
                Some(value) => {
                    self.reads_kept |= may_hold_functions(value);
                    if self.world.env.withholds(|labels| labels.of_global(global)) {
                        return Shape::ANY;
                    }
                    let name = self.world.env.globals.name(global);
                    let shape = Shape::of_data(value, "", name.map_or("", ArcStr::as_str)).kept();
                    self.reads.has_records |= shape.has_record();
                    shape
                }
                None => Shape::ANY,
            },
        }
    }

    /// Returns the shape of `*1`, `*2` or `*3`.
    fn earlier_value(&mut self, back: usize) -> Shape {
        let value = self.world.env.history.get(back);
        self.reads_kept |= value.is_some_and(may_hold_functions);
        let name = ["*1", "*2", "*3"].get(back).copied().unwrap_or_default();
        let is_known =
            !self.is_later && !self.world.env.withholds(|labels| labels.of_history(back));
        let value = value.filter(|_| is_known);
        let shape = value.map_or(Shape::ANY, |it| Shape::of_data(it, "", name).kept());
        self.reads.has_records |= shape.has_record();
        shape
    }

    pub(super) fn ctx(&mut self, key: u32) -> Shape {
        if self.is_later {
            return Shape::ANY;
        }
        if let Some(shape) = self.outside.ctx.get(&key) {
            return shape.clone();
        }
        let name = self.program.consts.get(key as usize).and_then(Value::name);
        let shape = match name.and_then(|name| Some((name, self.world.env.ctx.get_name(name)?))) {
            Some((name, _)) if self.assumes(name) => self.assumed_input(name),
            Some((name, value)) => self.typed(name, Shape::of_data(value, "ctx", name)),
            None => Shape::ANY,
        };
        self.reads.has_records |= shape.has_record();
        self.outside.ctx.insert(key, shape.clone());
        shape
    }

    pub(super) fn memory(&mut self, at: u32, key: u32) -> Fact {
        let key = self.program.consts.get(key as usize).and_then(Value::name).map(str::to_owned);
        let shape = key.map_or(Shape::ANY, |key| self.remembered(at, &key));
        Fact::of(shape)
    }

    /// Returns the result of `memory/get` with a literal key.
    pub(super) fn memory_read(&mut self, at: u32, name: &str, parts: &[Operand]) -> Option<Shape> {
        let ("memory/get", [key]) = (name, parts) else { return None };
        match self.shape(*key) {
            Shape::Known(Value::Keyword(key) | Value::Str(key)) => {
                let key = key.clone();
                Some(self.remembered(at, &key))
            }
            _ => None,
        }
    }

    /// Returns the result of `payload/get` with a literal path, if nothing changes the payload before the read.
    pub(super) fn payload_read(&mut self, name: &str, parts: &[Operand]) -> Option<Shape> {
        let ("payload/get", [path]) = (name, parts) else { return None };
        let is_withheld = self.world.env.withholds(Labels::of_payload);
        if self.world.changes_payload || self.is_later || is_withheld {
            return None;
        }
        let Shape::Items(steps) = self.shape(*path) else { return None };
        let mut value = Some(&self.world.env.payload?.value);
        let mut last = "";
        for step in steps.iter() {
            let Shape::Known(step) = step else { return None };
            last = step.name().unwrap_or(last);
            value = value.and_then(|value| ptc_facts::payload::part(value, step));
        }
        let shape = value.map_or(Shape::NIL, |value| Shape::of_data(value, "payload", last).kept());
        self.reads.has_records |= shape.has_record();
        Some(shape)
    }

    pub(super) fn remembered(&mut self, at: u32, key: &str) -> Shape {
        let kept = self.world.env.memory.get_name(key);
        if self.world.writes_memory || self.is_later {
            return Shape::Made;
        }
        if kept.is_none() {
            let is_withheld = self.world.env.withholds(Labels::of_memory);
            let names = Some(self.world.env.memory).filter(|_| !is_withheld);
            self.warn(at, problems::unset_memory(key, names));
        }
        if self.world.env.withholds(|labels| labels.of_memory_key(key)) {
            return Shape::ANY;
        }
        let shape = kept.map_or(Shape::NIL, |value| Shape::of_data(value, "memory", key).kept());
        self.reads.has_records |= shape.has_record();
        shape
    }

    pub(super) fn tool(&mut self, at: u32, tool: u32, args: Operand) -> Fact {
        self.escape_part(args);
        let (effect, args) = (self.effect(args), self.shape(args).clone());
        let name = self.program.tools.get(tool as usize).cloned().unwrap_or_default();
        let decl = self.world.env.tools.iter().find(|decl| decl.name == name.as_str());
        if let Some(decl) = decl {
            let (problems, warnings) = problems::arguments(decl, &args);
            for problem in problems {
                self.problem(at, problem);
            }
            for warning in warnings {
                self.warn(at, warning);
            }
        }
        let own = Effect { calls: self.store_calls(Calls::one(tool)), ends: false };
        let effect = self.both(effect, own);
        let shape = self.result_of(tool, decl);
        effect.of(shape)
    }

    pub(super) fn result_of(&mut self, tool: u32, decl: Option<&ToolDecl>) -> Shape {
        if let Some(shape) = self.outside.results.get(&tool) {
            return shape.clone();
        }
        let shape = match decl.and_then(|decl| Some((&decl.name, decl.signature.as_ref()?))) {
            Some((name, it)) => {
                let shape = Shape::of_type(&it.output, &format!("the result of {name}"), 6);
                // A result that does not match is let through, so its scalars may be of any kind.
                let is_checked = decl.is_none_or(|it| it.mode.is_none_or(SignatureMode::refuses));
                let shape = if is_checked { shape } else { shape.unchecked() };
                let is_withheld = self.world.env.withholds(|labels| labels.sources.tool(name));
                match self.world.env.seen.get(name.as_str()).filter(|_| !is_withheld) {
                    Some(seen) => shape.with_seen(seen),
                    None => shape,
                }
            }
            None => Shape::ANY,
        };
        self.reads.has_records |= shape.has_record();
        self.outside.results.insert(tool, shape.clone());
        shape
    }

    /// Records that a function may end the program.
    fn record_end(&mut self) {
        self.failures.functions_may_end |= self.frames.len() > 1;
    }

    /// Records a certain failure; a `try` around it may expect it.
    pub(super) fn problem(&mut self, at: u32, problem: Diagnostic) {
        let problem = problem.at(self.program.span(at));
        self.failures.certain.push((self.guard(), problem));
    }

    pub(super) fn warn(&mut self, at: u32, warning: Diagnostic) {
        let warning = warning.at(self.program.span(at));
        // The same name may be read in many places.
        if !self.findings.warnings.iter().any(|known| known.message() == warning.message()) {
            self.findings.warnings.push(warning);
        }
    }

    pub(super) fn returned(&mut self, at: u32, shape: &Shape) {
        if let Some((output, mode)) = self.world.env.output {
            for problem in problems::returned(output, shape, *mode) {
                self.problem(at, problem);
            }
        }
    }

    pub(super) fn attempt(&mut self, index: u32) -> Fact {
        let Some(attempt) = self.program.tries.get(index as usize) else {
            return Fact::of(Shape::ANY);
        };
        let body = self.fact(attempt.body);
        let catches: Vec<Fact> =
            attempt.catches.iter().map(|catch| self.fact(catch.body)).collect();
        let finally = attempt.finally.map(|finally| self.effect(finally)).unwrap_or_default();
        let mut branches = vec![(body.shape.clone(), body.ends)];
        branches.extend(catches.iter().map(|catch| (catch.shape.clone(), catch.ends)));
        let shape = self.merged(&branches);
        let mut effect = body.effect();
        for catch in &catches {
            effect = self.both(effect, catch.effect());
        }
        effect = self.both(effect, finally);
        let ends = body.ends && catches.iter().all(|catch| catch.ends) || finally.ends;
        Effect { ends, ..effect }.of(shape)
    }

    /// Returns the map of these keys and values.
    fn map_of(&self, parts: &[Operand]) -> Shape {
        let mut fields = Vec::with_capacity(parts.len() / 2);
        let mut open = false;
        for pair in parts.chunks_exact(2) {
            match self.shape(pair[0]) {
                Shape::Known(Value::Keyword(key) | Value::Str(key)) => {
                    fields.push((key.clone(), self.shape(pair[1]).clone().plain()));
                }
                _ => open = true,
            }
        }
        // An unknown key may be any of the others.
        if open { Shape::dictionary() } else { Shape::record(fields, false) }
    }
}

/// Returns whether a value may hold functions or values that call them.
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
