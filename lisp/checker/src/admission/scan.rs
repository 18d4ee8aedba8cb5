//! Scans every node in order, and repeats while that finds more.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use arcstr::ArcStr;
use hashbrown::HashMap;
use ptc_signatures::Kinds;

use super::calls::Calls;
use super::findings::Findings;
use super::world::World;
use crate::lowered::Mark;
use ptc_facts::registry::Registered;
use ptc_facts::shape::{Callee, MissingField, Shape};
use ptc_facts::times::Times;
use ptc_values::ir::{Args, Node, Operand, OperandKind};
use ptc_values::{Diagnostic, Program, Set, Value};

/// The maximum number of passes. Each pass propagates argument shapes through one level of nested functions.
/// Assumptions about values that change per turn must hold in a later pass.
const MAX_PASSES: usize = 8;

pub(super) fn examine(program: &Program, marks: &[(u32, Mark)], world: &World<'_>) -> Findings {
    let findings = examine_until_stable(program, marks, world);
    if is_named(program) {
        return Findings { named: names_for_later(program, marks, world), ..findings };
    }
    findings
}

/// Returns whether a program calls tools by computed names.
fn is_named(program: &Program) -> bool {
    program.nodes.iter().any(|node| matches!(node, Node::Named(_)))
}

/// Repeats passes until the assumptions hold.
fn examine_until_stable(program: &Program, marks: &[(u32, Mark)], world: &World<'_>) -> Findings {
    // Argument shapes affect tool calls, returned values, and fields of data.
    let calls = !program.tools.is_empty() || world.env.output.is_some() || is_named(program);
    let several = calls || world.reads_data;
    let mut known = Assumed { optimistic: several, ..Assumed::default() };
    let passes = if several { MAX_PASSES } else { 1 };
    for pass in 1..=passes {
        let mut scan = Scan::new(program, world, marks, known);
        scan.run();
        let next = scan.given_next();
        let holds = scan.holds(&next);
        // Without data that has fields there is nothing more to find.
        let more = calls || scan.reads.has_records;
        if holds && (passes == 1 || !more || next == scan.assumed.given) {
            return scan.finish();
        }
        if !more || pass == passes {
            break;
        }
        known = Assumed { given: next, turns: scan.changing.turns, optimistic: true };
    }
    // The assumptions never held, so nothing is assumed.
    let mut scan = Scan::new(program, world, marks, Assumed::default());
    scan.run();
    scan.finish()
}

/// Returns the tools that functions can call by computed names, for any arguments and any state of the session.
fn names_for_later(program: &Program, marks: &[(u32, Mark)], world: &World<'_>) -> Vec<ArcStr> {
    let mut scan = Scan::new(program, world, marks, Assumed::default());
    scan.is_later = true;
    scan.run();
    scan.named_tools.names
}

/// The arguments of functions whose calls are all known, by lambda and arity.
pub(super) type Given = HashMap<(u32, usize), Vec<Shape>>;

/// The values that change per turn: loop variables by the loop's node and their number, and accumulators by the
/// builtin's node.
pub(super) type Turns = HashMap<(u32, u32), Shape>;

/// The assumptions of a pass, taken from the previous ones.
#[derive(Default)]
pub(super) struct Assumed {
    pub(super) given: Given,
    pub(super) turns: Turns,
    /// Whether changing values are assumed to keep their shapes so far; a later pass confirms it.
    pub(super) optimistic: bool,
}

/// The facts about a node: its value, and the effect of evaluating it.
#[derive(Clone)]
pub(super) struct Fact {
    pub(super) shape: Shape,
    /// The index of its calls; 0 for none.
    pub(super) calls: u32,
    /// Whether it never gives a value, because it returns, fails, or turns a loop back.
    pub(super) ends: bool,
    /// Whether it represents a loop, whose facts are those of its body.
    pub(super) is_loop: bool,
}

impl Fact {
    /// Creates the fact of a value without effects.
    pub(super) fn of(shape: Shape) -> Fact {
        Effect::default().of(shape)
    }

    pub(super) fn effect(&self) -> Effect {
        Effect { calls: self.calls, ends: self.ends }
    }
}

/// The effect of evaluating a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Effect {
    /// The index of its calls; 0 for none.
    pub(super) calls: u32,
    /// Whether it never gives a value.
    pub(super) ends: bool,
}

impl Effect {
    pub(super) fn of(self, shape: Shape) -> Fact {
        Fact { shape, calls: self.calls, ends: self.ends, is_loop: false }
    }
}

/// A possible guard of a node, which may catch its errors.
#[derive(Clone, Copy)]
pub(super) enum Guard {
    /// A `try` in the same function.
    Try,
    /// A `try` around a call of the node's function.
    Calls(u32),
}

/// A function whose body is being scanned.
pub(super) struct Frame {
    pub(super) lambda: u32,
    pub(super) slots: Vec<Shape>,
    /// Whether it calls itself.
    pub(super) recurs: bool,
    /// The arity; the node of its body is known at its end.
    pub(super) arity: usize,
}

/// The facts about a function whose body has been scanned.
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
    /// The facts; `None` before one of its bodies has been scanned.
    pub(super) known: Option<Known>,
    /// The number of scanned bodies.
    pub(super) arities: usize,
    /// Whether one of its bodies calls the function.
    recurs: bool,
    pub(super) captures: Option<Args>,
    /// The observed arguments, by arity.
    pub(super) seen: Vec<(usize, Vec<Shape>)>,
    /// Whether it may be called with any arguments.
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

/// The values that change per turn, in a pass that assumes the shapes of the previous one.
#[derive(Default)]
pub(super) struct Changing {
    /// Their observed shapes.
    pub(super) turns: Turns,
    /// Whether one of them differs from its assumed shape.
    pub(super) differs: bool,
    /// Functions, with arities, whose self-calls were skipped because their arguments are unknown yet.
    pub(super) deferred: Vec<(u32, usize)>,
}

/// The reads of fields.
#[derive(Default)]
pub(super) struct Reads {
    /// Whether data with fields occurred.
    pub(super) has_records: bool,
    /// Reads of absent fields.
    pub(super) missing: Vec<(u32, MissingField)>,
    /// The fields that `contains?` or `find` asks for.
    pub(super) asked: Vec<String>,
}

/// The comparisons of values, and the arguments of kinds that builtins refuse.
#[derive(Default)]
pub(super) struct Comparisons {
    /// Comparisons by equality, with the problem of those that never hold.
    pub(super) of_equality: Vec<(u32, Option<Diagnostic>)>,
    /// Nodes with an argument of a kind with which their builtin fails.
    pub(super) wrong_kinds: BTreeMap<u32, (Guard, Diagnostic)>,
    /// The scalars among the constants, once they are asked for.
    pub(super) written: OnceCell<Set>,
}

/// The calls of functions whose places are known, and the functions that are called from other ones.
pub(super) struct CallGraph {
    /// Functions that may be called from anywhere, any number of times.
    pub(super) escaped: Vec<Callee>,
    /// Functions called before their bodies were scanned.
    pub(super) called_early: Vec<u32>,
    /// The known calls: caller and callee.
    pub(super) edges: Vec<(u32, u32)>,
}

/// The shapes of values from outside a function, by their numbers.
#[derive(Default)]
pub(super) struct Outside {
    pub(super) globals: HashMap<u32, Shape>,
    /// The values of `ctx` keys, by the constant of the key.
    pub(super) ctx: HashMap<u32, Shape>,
    /// The results of tools.
    pub(super) results: HashMap<u32, Shape>,
}

/// The calls within a `try`, which may catch failures.
#[derive(Default)]
pub(super) struct Tries {
    /// The number of enclosing `try`s.
    pub(super) open: u32,
    /// The functions called in a `try`, and whether an unknown function is called in one.
    pub(super) called: Vec<u32>,
    pub(super) call_unknown: bool,
    /// The functions that call an unknown function.
    pub(super) callers_of_unknown: Vec<u32>,
}

/// The problems of nodes, and the facts that decide which of them certainly occur.
#[derive(Default)]
pub(super) struct Failures {
    /// The certain failures, with their guards.
    pub(super) certain: Vec<(Guard, Diagnostic)>,
    /// The problems of nodes, which occur if the node is evaluated.
    pub(super) doubts: Vec<(u32, Diagnostic)>,
    /// The functions that nodes certainly call, with the number of arguments if known.
    pub(super) certain_calls: Vec<(u32, u32, Option<usize>)>,
    /// Whether a function may `return` or `fail`.
    pub(super) functions_may_end: bool,
}

/// The calls of tools by computed names.
#[derive(Default)]
pub(super) struct NamedTools {
    /// The tools that are missing from the other lists.
    pub(super) names: Vec<ArcStr>,
    /// The tools, one per place; and whether the name is one of a few.
    pub(super) places: Vec<(u32, bool)>,
}

pub(super) struct Scan<'a> {
    pub(super) program: &'a Program,
    pub(super) world: &'a World<'a>,
    pub(super) marks: &'a [(u32, Mark)],
    consts: Vec<Shape>,
    pub(super) assumed: Assumed,
    /// Whether functions are scanned as later programs may call them.
    pub(super) is_later: bool,
    pub(super) facts: Vec<Fact>,
    pub(super) all_calls: Vec<Calls>,
    pub(super) frames: Vec<Frame>,
    /// The facts about each function, by its lambda.
    pub(super) functions: Vec<Function>,
    pub(super) outside: Outside,
    /// Whether the program reads data of earlier programs that may hold functions.
    pub(super) reads_kept: bool,
    pub(super) changing: Changing,
    pub(super) graph: CallGraph,
    pub(super) tries: Tries,
    pub(super) named_tools: NamedTools,
    pub(super) reads: Reads,
    pub(super) comparisons: Comparisons,
    pub(super) failures: Failures,
    pub(super) findings: Findings,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        program: &'a Program,
        world: &'a World<'a>,
        marks: &'a [(u32, Mark)],
        assumed: Assumed,
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
        // Nil may be a placeholder for a refused form.
        let constant = |value: &Value| match value {
            Value::Nil if world.has_gaps => Shape::ANY,
            Value::Builtin(id) if id.builtin().facts.is_no_item() => Shape::Kinds(Kinds::NONE),
            _ => Shape::of_constant(value),
        };
        let edges = Vec::with_capacity(if program.lambdas.len() > 1 { 8 } else { 0 });
        Scan {
            program,
            world,
            marks,
            consts: program.consts.iter().map(constant).collect(),
            assumed,
            is_later: false,
            facts: Vec::with_capacity(program.nodes.len()),
            all_calls: vec![Calls::default()],
            frames: Vec::new(),
            functions,
            outside: Outside::default(),
            reads_kept: false,
            changing: Changing::default(),
            graph: CallGraph { escaped: Vec::new(), called_early: Vec::new(), edges },
            tries: Tries::default(),
            named_tools: NamedTools::default(),
            reads: Reads::default(),
            comparisons: Comparisons::default(),
            failures: Failures::default(),
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
                let given = self.assumed.given.get(&(lambda, number));
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
            Mark::Catch { slot } => self.set(slot, Shape::Made),
            Mark::Try => self.tries.open += 1,
            Mark::EndTry => self.tries.open -= 1,
        }
    }

    /// Ends the body of a function.
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
            // An arity may call any other one, scanned before or after it.
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

    /// Returns the facts about a function, if one of its bodies has been scanned.
    pub(super) fn known(&self, lambda: u32) -> Option<&Known> {
        self.functions.get(lambda as usize)?.known.as_ref()
    }

    pub(super) fn calls(&self, place: u32) -> &Calls {
        // The first entry is empty.
        self.all_calls.get(place as usize).unwrap_or(&self.all_calls[0])
    }

    pub(super) fn store_calls(&mut self, calls: Calls) -> u32 {
        if calls.is_none() {
            return 0;
        }
        self.all_calls.push(calls);
        self.all_calls.len() as u32 - 1
    }

    /// Combines two effects that both happen.
    pub(super) fn both(&mut self, a: Effect, b: Effect) -> Effect {
        let calls = match (a.calls, b.calls) {
            (calls, 0) | (0, calls) => calls,
            (a, b) => {
                let calls = self.calls(a).clone().plus(self.calls(b));
                self.store_calls(calls)
            }
        };
        Effect { calls, ends: a.ends || b.ends }
    }

    /// Combines the effects of several parts, evaluated in order.
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
            Some(calls) => Effect { calls: self.store_calls(calls), ..first },
        }
    }

    /// Combines the calls of two alternatives.
    pub(super) fn one_of(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (a, 0) => a,
            (0, b) => b,
            (a, b) => {
                let calls = self.calls(a).clone().or(self.calls(b));
                self.store_calls(calls)
            }
        }
    }

    pub(super) fn fact(&mut self, operand: Operand) -> Fact {
        self.effect(operand).of(self.shape(operand).clone())
    }

    /// Returns the effect of evaluating a part of a node.
    #[inline]
    pub(super) fn effect(&mut self, operand: Operand) -> Effect {
        let (OperandKind::Direct(node) | OperandKind::Deep(node)) = operand.kind() else {
            return Effect::default();
        };
        match self.facts.get(node as usize) {
            Some(fact) if fact.is_loop => self.loop_effect(node),
            Some(fact) => fact.effect(),
            None => Effect::default(),
        }
    }

    #[inline]
    pub(super) fn shape(&self, operand: Operand) -> &Shape {
        let known = match operand.kind() {
            OperandKind::Local(slot) | OperandKind::Take(slot) => {
                self.frames.last().and_then(|frame| frame.slots.get(slot as usize))
            }
            OperandKind::Const(index) => self.consts.get(index as usize),
            OperandKind::Capture(index) => Some(self.capture(index)),
            OperandKind::Direct(node) | OperandKind::Deep(node) => {
                match self.facts.get(node as usize) {
                    Some(fact) if fact.is_loop => Some(self.loop_shape(node)),
                    fact => fact.map(|fact| &fact.shape),
                }
            }
        };
        known.unwrap_or(Shape::UNKNOWN)
    }

    /// Returns a captured value: a slot of an enclosing function, or an enclosing function itself.
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

    /// Returns a captured value as a part of the enclosing function that owns it.
    fn captured(&self, mut index: u32) -> Option<(&Frame, Operand)> {
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            let args = self.functions.get(frame.lambda as usize)?.captures?;
            let around = self.frames.get(depth.checked_sub(1)?)?;
            let part = *self.program.args(args).get(index as usize)?;
            match part.kind() {
                OperandKind::Capture(outer) => index = outer,
                _ => return Some((around, part)),
            }
        }
        None
    }

    /// Returns a value that changes per turn: the union of its previous shapes and the new one.
    pub(super) fn accumulator(&mut self, key: (u32, u32), start: &Shape, became: &Shape) -> Shape {
        if !self.assumed.optimistic {
            return Shape::ANY;
        }
        let next = match self.assumed.turns.get(&key) {
            // The new shape was derived without any assumption.
            None => {
                self.changing.differs = true;
                start.clone().plain()
            }
            Some(before) => {
                let next = before.or(start).or(became);
                self.changing.differs |= next != *before;
                next
            }
        };
        self.changing.turns.insert(key, next.clone());
        next
    }

    pub(super) fn holds(&self, next: &Given) -> bool {
        !self.changing.differs && !self.changing.deferred.iter().any(|key| next.contains_key(key))
    }

    /// Returns the union of alternative values. Alternatives that never give a value do not count.
    pub(super) fn merged(&mut self, branches: &[(Shape, bool)]) -> Shape {
        let mut merged: Option<Shape> = None;
        for (shape, ends) in branches {
            if *ends {
                // It gives nothing, but may have passed a function on before.
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
        self.report_comparisons(&guarded);
        self.report_wrong(&guarded);
        let program = self.known(0).cloned();
        let mut calls = program.as_ref().map(|it| it.calls.clone()).unwrap_or_default();
        for callee in std::mem::take(&mut self.graph.escaped) {
            let own = match callee {
                Callee::Lambda(lambda) => {
                    self.known(lambda).map(|it| it.calls.clone()).unwrap_or_default()
                }
                Callee::Kept => self.kept_tool_calls(),
            };
            calls = calls.plus(&own.unbounded());
        }
        if self.reads_kept {
            calls = calls.plus(&self.kept_tool_calls());
        }
        if self.reaches_tools() {
            let named = self.named_tools.places.iter().map(|(tool, _)| *tool);
            let all = (0..self.program.tools.len() as u32).chain(named);
            calls = calls.plus(&Calls::of(all.map(|tool| (tool, Times::UNBOUNDED)).collect()));
        }
        self.decide();
        let mut findings = std::mem::take(&mut self.findings);
        let name = |tool: u32| self.tool_names().nth(tool as usize).cloned().unwrap_or_default();
        let is_called = |tool: u32| calls.iter().any(|(called, _)| *called == tool);
        // An unknown name in a function that is never called adds no calls.
        let places =
            self.named_tools.places.iter().filter(|(tool, known)| *known || is_called(*tool));
        findings.places = places.map(|(tool, _)| name(*tool)).collect();
        findings.tools = calls.iter().map(|(tool, times)| (name(*tool), times.clone())).collect();
        findings.guarded = guarded;
        findings.ends = program.as_ref().is_some_and(|program| program.ends);
        findings.value = program.map(|program| program.result);
        findings
    }

    /// Returns whether a function that was called before its scan can call a tool.
    pub(super) fn reaches_tools(&self) -> bool {
        let mut work = self.graph.called_early.clone();
        let mut done = Vec::new();
        while let Some(lambda) = work.pop() {
            if done.contains(&lambda) {
                continue;
            }
            done.push(lambda);
            if self.known(lambda).is_none_or(|known| !known.calls.is_none()) {
                return true;
            }
            work.extend(
                self.graph.edges.iter().filter(|(from, _)| *from == lambda).map(|(_, to)| *to),
            );
        }
        false
    }
}
