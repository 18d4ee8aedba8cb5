//! One look at every node, in order, and again while that adds something.

use arcstr::ArcStr;
use hashbrown::HashMap;
use ptc_signatures::Kinds;

use super::calls::Calls;
use super::fields::Lack;
use super::shape::{Callee, Shape};
use super::times::Times;
use super::{Findings, Mark, World};
use crate::diagnostic::Diagnostic;
use crate::ir::{Args, Node, Operand, Place, Program};
use crate::value::Value;

/// How often a program is looked at: what is known of a function's arguments reaches functions in
/// functions in functions, and what is assumed of a value that grows turn by turn has to hold.
const LOOKS: usize = 8;

pub(super) fn examine(program: &Program, marks: &[(u32, Mark)], world: &World<'_>) -> Findings {
    let findings = look_at(program, marks, world);
    if is_named(program) {
        return Findings { named: names_for_later(program, marks, world), ..findings };
    }
    findings
}

/// Whether a program calls tools by computed names.
fn is_named(program: &Program) -> bool {
    program.nodes.iter().any(|node| matches!(node, Node::Named(_)))
}

/// Looks at a program until what was assumed holds.
fn look_at(program: &Program, marks: &[(u32, Mark)], world: &World<'_>) -> Findings {
    // What functions are given matters to calls of tools, to what is returned, and to fields of data.
    let calls = !program.tools.is_empty() || world.output.is_some() || is_named(program);
    let several = calls || world.reads_data;
    let mut known = Assumed { optimistic: several, ..Assumed::default() };
    let looks = if several { LOOKS } else { 1 };
    for look in 1..=looks {
        let mut scan = Scan::new(program, world, marks, known);
        scan.run();
        let next = scan.given_next();
        let holds = scan.holds(&next);
        // Without data that has fields there is nothing more to find out.
        let more = calls || scan.has_records;
        if holds && (looks == 1 || !more || next == scan.known.given) {
            return scan.finish();
        }
        if !more || look == looks {
            break;
        }
        known = Assumed { given: next, turns: scan.turns, optimistic: true };
    }
    // What was assumed did not come to hold, so nothing is.
    let mut scan = Scan::new(program, world, marks, Assumed::default());
    scan.run();
    scan.finish()
}

/// The tools that functions of a program can call by computed names, whatever they are given and
/// whatever the session holds when they are called.
fn names_for_later(program: &Program, marks: &[(u32, Mark)], world: &World<'_>) -> Vec<ArcStr> {
    let mut scan = Scan::new(program, world, marks, Assumed::default());
    scan.is_later = true;
    scan.run();
    scan.names
}

/// What functions are given, by lambda and arity, where all their calls are known.
pub(super) type Given = HashMap<(u32, usize), Vec<Shape>>;

/// What values that change turn by turn are: variables of loops by the loop's node and their number, what
/// has been made so far by the node of the builtin.
pub(super) type Turns = HashMap<(u32, u32), Shape>;

/// What a look begins with, from the looks before it.
#[derive(Default)]
pub(super) struct Assumed {
    pub(super) given: Given,
    pub(super) turns: Turns,
    /// Whether values that change may be taken to be what they were so far, which a later look confirms.
    pub(super) optimistic: bool,
}

/// What is known of a node's value, and of getting it.
#[derive(Clone)]
pub(super) struct Fact {
    pub(super) shape: Shape,
    /// Its place among the calls; 0 is none.
    pub(super) calls: u32,
    /// Whether it never gives a value: it returns, fails, or goes back to a loop.
    pub(super) ends: bool,
    /// Whether it stands for a loop, of which is known what is known of its body.
    pub(super) is_loop: bool,
}

impl Fact {
    /// That a value is there, and getting it does nothing.
    pub(super) fn of(shape: Shape) -> Fact {
        Effect::default().of(shape)
    }

    pub(super) fn effect(&self) -> Effect {
        Effect { calls: self.calls, ends: self.ends }
    }
}

/// What getting a value does.
#[derive(Clone, Copy, Default)]
pub(super) struct Effect {
    /// Its place among the calls; 0 is none.
    pub(super) calls: u32,
    /// Whether it never gives a value.
    pub(super) ends: bool,
}

impl Effect {
    pub(super) fn of(self, shape: Shape) -> Fact {
        Fact { shape, calls: self.calls, ends: self.ends, is_loop: false }
    }
}

/// What may be around a node that waits for its errors.
#[derive(Clone, Copy)]
pub(super) enum Guard {
    /// A `try`.
    Try,
    /// A call in a `try` of the function in which the node stands.
    Calls(u32),
}

/// A function whose body is being looked at.
pub(super) struct Frame {
    pub(super) lambda: u32,
    pub(super) slots: Vec<Shape>,
    /// Whether it calls itself.
    pub(super) recurs: bool,
    /// The node of its body is known when it ends.
    pub(super) arity: usize,
}

/// What is known of a function whose body was looked at.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) calls: Calls,
    pub(super) ends: bool,
    pub(super) result: Shape,
}

/// A function of the program.
pub(super) struct Function {
    /// The function as a value.
    shape: Shape,
    /// None before one of its bodies was looked at.
    pub(super) known: Option<Known>,
    /// How many of its bodies were looked at.
    pub(super) arities: usize,
    /// Whether one of them calls the function.
    recurs: bool,
    /// What it closes over.
    pub(super) captures: Option<Args>,
    /// What it was given, by arity.
    pub(super) seen: Vec<(usize, Vec<Shape>)>,
    /// Whether it may be given anything.
    pub(super) takes_anything: bool,
}

impl Function {
    fn new(lambda: u32) -> Function {
        Function {
            shape: Shape::Function(Callee::Lambda(lambda)),
            known: None,
            arities: 0,
            recurs: false,
            captures: None,
            seen: Vec::new(),
            takes_anything: false,
        }
    }
}

#[expect(clippy::struct_excessive_bools, reason = "each is noted on its own as nodes come up")]
pub(super) struct Scan<'a> {
    pub(super) program: &'a Program,
    pub(super) world: &'a World<'a>,
    pub(super) facts: Vec<Fact>,
    pub(super) all_calls: Vec<Calls>,
    pub(super) frames: Vec<Frame>,
    /// What is known of each function, by its lambda.
    pub(super) functions: Vec<Function>,
    pub(super) known: Assumed,
    /// What values that change turn by turn have been found to be.
    pub(super) turns: Turns,
    /// Whether one of them was found to be something else than was assumed.
    pub(super) moved: bool,
    /// Functions, with arities, whose calls of themselves were passed over, since what they are given is
    /// not known yet.
    pub(super) waiting: Vec<(u32, usize)>,
    /// Whether data with fields came up.
    pub(super) has_records: bool,
    /// Readings of fields that are not there.
    pub(super) lacking: Vec<(u32, Lack)>,
    pub(super) marks: &'a [(u32, Mark)],
    /// Functions that may be called from anywhere, as often as may be.
    pub(super) escaped: Vec<Callee>,
    /// Functions called before their bodies were looked at.
    pub(super) ahead: Vec<u32>,
    /// Who calls whom, where it is known.
    pub(super) edges: Vec<(u32, u32)>,
    /// What the constants are.
    consts: Vec<Shape>,
    pub(super) globals: HashMap<u32, Shape>,
    /// What is under keys of `ctx`, by the constants that they are.
    pub(super) ctx: HashMap<u32, Shape>,
    pub(super) results: HashMap<u32, Shape>,
    /// Whether the program reads data of earlier programs that may hold functions.
    pub(super) reads_kept: bool,
    /// How many `try`s stand around: what fails in one may be waited for.
    pub(super) attempts: u32,
    /// Functions that are called in a `try`, and whether a call in one may be that of any function.
    pub(super) tried: Vec<u32>,
    pub(super) tries_any: bool,
    /// Functions that call what is not known.
    pub(super) calls_any: Vec<u32>,
    /// What is certain to be wrong, and where.
    pub(super) wrong: Vec<(Guard, Diagnostic)>,
    /// Tools that are called by computed names and stand in no list of the program.
    pub(super) names: Vec<ArcStr>,
    /// Tools of calls by computed names, a place each; and whether the name is one of a few.
    pub(super) places: Vec<(u32, bool)>,
    /// Whether functions are looked at as later programs may call them.
    pub(super) is_later: bool,
    /// What is wrong with nodes, if they are evaluated.
    pub(super) doubts: Vec<(u32, Diagnostic)>,
    /// Functions that nodes are certain to call, with how many arguments, if that is known.
    pub(super) entered: Vec<(u32, u32, Option<usize>)>,
    /// Whether a function may `return` or `fail`.
    pub(super) leaves_inside: bool,
    pub(super) findings: Findings,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        program: &'a Program,
        world: &'a World<'a>,
        marks: &'a [(u32, Mark)],
        known: Assumed,
    ) -> Scan<'a> {
        let mut functions: Vec<Function> =
            (0..program.lambdas.len() as u32).map(Function::new).collect();
        for node in &program.nodes {
            if let Node::Function { lambda, captures: args } = *node
                && let Some(function) = functions.get_mut(lambda as usize)
            {
                function.captures = Some(args);
            }
        }
        // Nil may stand where the program has something that was refused.
        let constant = |value: &Value| {
            if world.has_gaps && value.is_nil() { Shape::ANY } else { Shape::of_constant(value) }
        };
        Scan {
            program,
            world,
            facts: Vec::with_capacity(program.nodes.len()),
            all_calls: vec![Calls::default()],
            frames: Vec::new(),
            functions,
            known,
            turns: Turns::new(),
            moved: false,
            waiting: Vec::new(),
            has_records: false,
            lacking: Vec::new(),
            marks,
            escaped: Vec::new(),
            ahead: Vec::new(),
            edges: Vec::with_capacity(if program.lambdas.len() > 1 { 8 } else { 0 }),
            consts: program.consts.iter().map(constant).collect(),
            globals: HashMap::new(),
            ctx: HashMap::new(),
            results: HashMap::new(),
            reads_kept: false,
            attempts: 0,
            tried: Vec::new(),
            tries_any: false,
            calls_any: Vec::new(),
            wrong: Vec::new(),
            names: Vec::new(),
            places: Vec::new(),
            is_later: false,
            doubts: Vec::new(),
            entered: Vec::new(),
            leaves_inside: false,
            findings: Findings::default(),
        }
    }

    pub(super) fn run(&mut self) {
        let marks = self.marks;
        self.mark(Mark::Enter { lambda: 0, params: 0, variadic: false });
        let mut marks = marks.iter().peekable();
        for at in 0..=self.program.nodes.len() as u32 {
            while let Some((_, mark)) = marks.next_if(|(node, _)| *node <= at) {
                self.mark(*mark);
            }
            if let Some(node) = self.program.nodes.get(at as usize) {
                let fact = self.node(at, *node);
                self.facts.push(fact);
            }
        }
        self.leave();
        self.escape_results();
    }

    pub(super) fn mark(&mut self, mark: Mark) {
        match mark {
            Mark::Enter { lambda, params, variadic } => {
                let number = match self.functions.get_mut(lambda as usize) {
                    Some(function) => {
                        function.arities += 1;
                        function.arities - 1
                    }
                    None => 0,
                };
                let given = self.known.given.get(&(lambda, number));
                let all = self.program.lambdas.get(lambda as usize);
                let arity = all.and_then(|lambda| lambda.arities.iter().nth(number));
                let mut slots = Vec::with_capacity(arity.map_or(0, |it| it.frame as usize));
                slots.extend((0..params as usize).map(|at| {
                    given.and_then(|given| given.get(at)).cloned().unwrap_or(Shape::ANY)
                }));
                if variadic && let Some(rest) = slots.last_mut() {
                    *rest = Shape::Kinds(Kinds::LIST | Kinds::NIL | Kinds::MAP);
                }
                self.frames.push(Frame { lambda, slots, recurs: false, arity: number });
            }
            Mark::Leave => self.leave(),
            Mark::Catch { slot } => self.set(slot, Shape::ANY),
            Mark::Try => self.attempts += 1,
            Mark::EndTry => self.attempts -= 1,
        }
    }

    /// The body of a function is over.
    pub(super) fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let lambda = self.program.lambdas.get(frame.lambda as usize);
        let Some(arity) = lambda.and_then(|lambda| lambda.arities.iter().nth(frame.arity)) else {
            return;
        };
        self.frames.push(frame);
        let fact = self.fact(arity.body);
        let Some(frame) = self.frames.pop() else { return };
        let calls = self.calls(fact.calls).clone();
        let known = Known { calls, ends: fact.ends, result: fact.shape };
        let before = self.functions.get_mut(frame.lambda as usize).and_then(|it| it.known.take());
        let mut known = match before {
            None => known,
            Some(other) => Known {
                calls: other.calls.or(&known.calls),
                ends: other.ends && known.ends,
                result: self.merged(&[(other.result, other.ends), (known.result, known.ends)]),
            },
        };
        if let Some(function) = self.functions.get_mut(frame.lambda as usize) {
            // An arity may call any of the others, which are looked at before it or behind.
            function.recurs |= frame.recurs;
            if function.recurs {
                known.calls = known.calls.unbounded();
            }
            function.known = Some(known);
        }
    }

    pub(super) fn set(&mut self, slot: u32, shape: Shape) {
        if let Some(frame) = self.frames.last_mut() {
            let slot = slot as usize;
            if frame.slots.len() <= slot {
                frame.slots.resize(slot + 1, Shape::ANY);
            }
            frame.slots[slot] = shape;
        }
    }

    /// What is known of a function some of whose bodies were looked at.
    pub(super) fn known(&self, lambda: u32) -> Option<&Known> {
        self.functions.get(lambda as usize)?.known.as_ref()
    }

    pub(super) fn calls(&self, place: u32) -> &Calls {
        // The first one is none.
        self.all_calls.get(place as usize).unwrap_or(&self.all_calls[0])
    }

    pub(super) fn keep(&mut self, calls: Calls) -> u32 {
        if calls.is_none() {
            return 0;
        }
        self.all_calls.push(calls);
        self.all_calls.len() as u32 - 1
    }

    /// What happens if both happen.
    pub(super) fn both(&mut self, a: Effect, b: Effect) -> Effect {
        let calls = match (a.calls, b.calls) {
            (calls, 0) | (0, calls) => calls,
            (a, b) => {
                let calls = self.calls(a).clone().plus(self.calls(b));
                self.keep(calls)
            }
        };
        Effect { calls, ends: a.ends || b.ends }
    }

    /// What getting several parts does, one after another.
    pub(super) fn effects(&mut self, parts: &[Operand]) -> Effect {
        let (mut first, mut all) = (Effect::default(), None::<Calls>);
        for part in parts {
            let effect = self.effect(*part);
            first.ends |= effect.ends;
            if effect.calls == 0 {
                continue;
            }
            match (first.calls, all.take()) {
                (0, _) => first.calls = effect.calls,
                (before, None) => {
                    all = Some(self.calls(before).clone().plus(self.calls(effect.calls)));
                }
                (_, Some(before)) => all = Some(before.plus(self.calls(effect.calls))),
            }
        }
        match all {
            None => first,
            Some(calls) => Effect { calls: self.keep(calls), ..first },
        }
    }

    /// The calls of things one of which happens.
    pub(super) fn one_of(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (a, 0) => a,
            (0, b) => b,
            (a, b) => {
                let calls = self.calls(a).clone().or(self.calls(b));
                self.keep(calls)
            }
        }
    }

    /// What is known of a part of a node.
    pub(super) fn fact(&mut self, operand: Operand) -> Fact {
        self.effect(operand).of(self.shape(operand).clone())
    }

    /// What getting a part of a node does.
    #[inline]
    pub(super) fn effect(&mut self, operand: Operand) -> Effect {
        let (Place::Direct(node) | Place::Deep(node)) = operand.place() else {
            return Effect::default();
        };
        match self.facts.get(node as usize) {
            Some(fact) if fact.is_loop => self.loop_effect(node),
            Some(fact) => fact.effect(),
            None => Effect::default(),
        }
    }

    /// What is known of the value of a part of a node.
    #[inline]
    pub(super) fn shape(&self, operand: Operand) -> &Shape {
        let known = match operand.place() {
            Place::Local(slot) | Place::Take(slot) => {
                self.frames.last().and_then(|frame| frame.slots.get(slot as usize))
            }
            Place::Const(index) => self.consts.get(index as usize),
            Place::Capture(index) => Some(self.capture(index)),
            Place::Direct(node) | Place::Deep(node) => match self.facts.get(node as usize) {
                Some(fact) if fact.is_loop => Some(self.loop_shape(node)),
                fact => fact.map(|fact| &fact.shape),
            },
        };
        known.unwrap_or(Shape::UNKNOWN)
    }

    /// A value that the function closed over: a slot of one of those around it, or one of them itself.
    #[inline(never)]
    fn capture(&self, index: u32) -> &Shape {
        let Some((frame, part)) = self.captured(index) else { return Shape::UNKNOWN };
        let lambda = match part.node().map(|node| self.program.node(node)) {
            Some(Node::Myself) => frame.lambda,
            Some(Node::Sibling(lambda)) => lambda,
            _ => {
                let slot = part.slot().and_then(|slot| frame.slots.get(slot as usize));
                return slot.unwrap_or(Shape::UNKNOWN);
            }
        };
        self.functions.get(lambda as usize).map_or(Shape::UNKNOWN, |function| &function.shape)
    }

    /// What a function closed over, as a part of the function around that has it for its own.
    fn captured(&self, mut index: u32) -> Option<(&Frame, Operand)> {
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            let args = self.functions.get(frame.lambda as usize)?.captures?;
            let around = self.frames.get(depth.checked_sub(1)?)?;
            let part = *self.program.args(args).get(index as usize)?;
            match part.place() {
                Place::Capture(outer) => index = outer,
                _ => return Some((around, part)),
            }
        }
        None
    }

    /// What a value is that changes turn by turn: what it was so far, and what it has become.
    pub(super) fn turned(&mut self, key: (u32, u32), start: &Shape, became: &Shape) -> Shape {
        if !self.known.optimistic {
            return Shape::ANY;
        }
        let next = match self.known.turns.get(&key) {
            // What it becomes was found out before anything was known of it.
            None => {
                self.moved = true;
                start.clone().plain()
            }
            Some(before) => {
                let next = before.or(start).or(became);
                self.moved |= next != *before;
                next
            }
        };
        self.turns.insert(key, next.clone());
        next
    }

    /// Whether all that was assumed in this look holds.
    pub(super) fn holds(&self, next: &Given) -> bool {
        !self.moved && !self.waiting.iter().any(|key| next.contains_key(key))
    }

    /// The shape of one of several values, of which those that never come do not count.
    pub(super) fn merged(&mut self, branches: &[(Shape, bool)]) -> Shape {
        let mut merged: Option<Shape> = None;
        for (shape, ends) in branches {
            if *ends {
                // What ends gives nothing, but may have been a function on its way.
                self.escape(shape);
                continue;
            }
            merged = Some(match merged {
                None => shape.clone(),
                Some(other) => {
                    let both = other.or(shape);
                    if !matches!(both, Shape::Function(_)) {
                        self.escape(&other);
                        self.escape(shape);
                    }
                    both
                }
            });
        }
        merged.unwrap_or(Shape::Kinds(Kinds::NONE))
    }

    pub(super) fn finish(mut self) -> Findings {
        let guarded = self.guarded();
        self.report_fields();
        self.report_wrong(&guarded);
        let program = self.known(0).cloned();
        let mut calls = program.as_ref().map(|it| it.calls.clone()).unwrap_or_default();
        for callee in std::mem::take(&mut self.escaped) {
            let own = match callee {
                Callee::Lambda(lambda) => {
                    self.known(lambda).map(|it| it.calls.clone()).unwrap_or_default()
                }
                Callee::Kept => self.kept(),
            };
            calls = calls.plus(&own.unbounded());
        }
        if self.reads_kept {
            calls = calls.plus(&self.kept());
        }
        if self.reaches_tools() {
            let named = self.places.iter().map(|(tool, _)| *tool);
            let all = (0..self.program.tools.len() as u32).chain(named);
            calls = calls.plus(&Calls::of(all.map(|tool| (tool, Times::UNBOUNDED)).collect()));
        }
        self.decide();
        let mut findings = std::mem::take(&mut self.findings);
        let name = |tool: u32| self.tool_names().nth(tool as usize).cloned().unwrap_or_default();
        let is_called = |tool: u32| calls.iter().any(|(called, _)| *called == tool);
        // A name that may be any calls nothing in a function that nobody calls.
        let places = self.places.iter().filter(|(tool, known)| *known || is_called(*tool));
        findings.places = places.map(|(tool, _)| name(*tool)).collect();
        findings.tools = calls.iter().map(|(tool, times)| (name(*tool), times.clone())).collect();
        findings.guarded = guarded;
        findings.ends = program.as_ref().is_some_and(|program| program.ends);
        findings.value = program.map(|program| program.result);
        findings
    }

    /// Whether a function that was called before it was looked at can call a tool.
    pub(super) fn reaches_tools(&self) -> bool {
        let mut work = self.ahead.clone();
        let mut done = Vec::new();
        while let Some(lambda) = work.pop() {
            if done.contains(&lambda) {
                continue;
            }
            done.push(lambda);
            if self.known(lambda).is_none_or(|known| !known.calls.is_none()) {
                return true;
            }
            work.extend(self.edges.iter().filter(|(from, _)| *from == lambda).map(|(_, to)| *to));
        }
        false
    }
}
