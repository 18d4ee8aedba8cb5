//! Functions whose bodies need frames only for the functions that they call.
//!
//! The checker gives every call frames, since it does not know the called value. The machine does: the value is a
//! constant, captured or global. If each is data, a function of its arguments alone, or a function whose own body needs
//! no frames, native calls evaluate the body. The machine looks at the values before every run of such a body.

use std::sync::Arc;

use super::borrowed::value_in;
use super::callback::{CallbackState, Once};
use super::each::Each;
use super::next::Next;
use super::problems::invariant_violated;
use super::row::{Imp, compiled, imp_of};
use super::tracer::Tracer;
use super::{Caller, Core, Frame};
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::How;
use ptc_values::ir::{
    Args, Arity, Callee, CalleeAt, Callees, Lambda, MAX_DIRECT, Node, Operand, OperandKind, Program,
};
use ptc_values::{BuiltinId, Res, Value};

/// The levels that such a call may go through.
#[derive(Clone, Copy)]
struct Levels {
    /// Functions of the program. With [`MAX_DIRECT`] they bound the native stack.
    functions: u8,
    /// A builtin that calls a function for every item. The machine cannot yield inside of it, so one must not contain
    /// another.
    may_loop: bool,
}

impl Levels {
    const ALL: Levels = Levels { functions: 3, may_loop: true };
}

/// The levels of functions written inside of such a body that are called by builtins of it. A loop may be at the outermost
/// only.
const INNER: u8 = 2;

/// The most calls in one body, since each is looked at before the body runs.
const MOST_CALLEES: usize = 8;

impl<W: Tracer> Core<W> {
    /// Returns whether a call of the function needs no frames now.
    pub(super) fn runs_unframed(&self, function: &Value, count: usize) -> bool {
        // A tracer sees frames. A lazy sequence calls functions where it is read.
        !W::ON && !self.cx.lazy_aware && self.is_unframed(function, count, Levels::ALL)
    }

    /// Returns whether a call of the function with this number needs no frames now.
    pub(super) fn runs_plain_unframed(
        &self,
        program: &Program,
        lambda: &Lambda,
        count: usize,
    ) -> bool {
        !W::ON && !self.cx.lazy_aware && self.all_unframed(program, lambda, &[], count, Levels::ALL)
    }

    fn is_unframed(&self, function: &Value, count: usize, levels: Levels) -> bool {
        match function {
            Value::Keyword(_) | Value::Map(_) | Value::Set(_) | Value::Vector(_) => true,
            Value::Builtin(id) => self.is_builtin_unframed(*id, count, levels),
            Value::Function(closure) => closure.lambda().is_some_and(|lambda| {
                self.all_unframed(&closure.program, lambda, &closure.captures, count, levels)
            }),
            _ => false,
        }
    }

    fn is_builtin_unframed(&self, id: BuiltinId, count: usize, levels: Levels) -> bool {
        id.for_count(count).is_ok_and(|id| match imp_of(id) {
            Imp::Pure(_) => id.builtin().takes(count),
            Imp::Lisp => {
                compiled(id).is_ok_and(|function| self.is_unframed(&function, count, levels))
            }
            _ => false,
        })
    }

    /// Returns whether no call of a body needs frames.
    fn all_unframed(
        &self,
        program: &Program,
        lambda: &Lambda,
        captures: &[Value],
        count: usize,
        levels: Levels,
    ) -> bool {
        let Some(functions) = levels.functions.checked_sub(1) else { return false };
        let Some(callees) = callees(program, lambda, count) else { return false };
        if callees.loops && !levels.may_loop {
            return false;
        }
        callees.calls.iter().all(|callee| {
            let count = callee.count as usize;
            let levels = Levels { functions, may_loop: levels.may_loop && !callee.in_loop };
            let value = match callee.at {
                CalleeAt::Builtin(id) => return self.is_builtin_unframed(id, count, levels),
                CalleeAt::Capture(index) => captures.get(index as usize),
                CalleeAt::Const(index) => program.consts.get(index as usize),
                CalleeAt::Global(global) => {
                    self.globals.get(global as usize).and_then(Option::as_ref)
                }
            };
            value.is_some_and(|value| self.is_unframed(value, count, levels))
        })
    }

    /// Returns the value of a call whose parts need no frames, if the call needs none now.
    pub(super) fn call_now(&mut self, program: &Program, operand: Operand) -> Res<Option<Value>> {
        let Some(node) = operand.deep() else { return Ok(None) };
        let (function, args) = match program.node(node) {
            Node::Call(all) => {
                let Some((function, _)) = program.args(all).split_first() else { return Ok(None) };
                let frame = &self.task.stack[self.task.base - 1..];
                (value_in(program, frame, *function), all.from(1))
            }
            Node::CallGlobal { global, args } => {
                (self.globals.get(global as usize).and_then(Option::as_ref), args)
            }
            _ => return Ok(None),
        };
        let is_now = function.is_some_and(|it| self.runs_unframed(it, args.count as usize))
            && program.args(args).iter().all(|part| part.deep().is_none())
            && !self.cx.pausing();
        if is_now { self.direct_any(program, node).map(Some) } else { Ok(None) }
    }

    /// Calls the value below the last values, which are its arguments, without frames. `running` is the program of the
    /// caller, if it is at hand.
    pub(super) fn call_unframed(&mut self, running: Option<&Program>, place: usize) -> Res {
        let count = self.task.stack.len() - place - 1;
        let value = match &self.task.stack[place] {
            Value::Function(closure) => {
                let arity = closure.lambda().and_then(|lambda| lambda.arity(count as u32));
                let arity = *arity.ok_or_else(invariant_violated)?;
                let builtin = closure.program.builtin;
                let own = running.filter(|it| std::ptr::eq(*it, Arc::as_ptr(&closure.program)));
                let other = if own.is_some() { None } else { Some(closure.program.clone()) };
                self.pay_call(builtin)?;
                let base = std::mem::replace(&mut self.task.base, place + 1);
                match (own, other) {
                    (Some(program), _) => {
                        self.run_unframed(program, &arity, count, (base, None))?
                    }
                    (None, Some(program)) => {
                        let caller = if Arc::ptr_eq(&program, &self.task.program) {
                            None
                        } else {
                            Some(std::mem::replace(&mut self.task.program, program.clone()))
                        };
                        self.run_unframed(&program, &arity, count, (base, caller))?
                    }
                    (None, None) => return Err(invariant_violated()),
                }
            }
            Value::Builtin(id) => self.builtin_now(id.for_count(count)?, place + 1)?,
            _ => self.look_up(place, count)?,
        };
        self.task.drop_above(place);
        if self.cx.counting_due() {
            self.count_live(Some(&value))?;
        }
        Ok(value)
    }

    /// Calls the value below the last values for a builtin. As in other calls of builtins, a problem does not name a
    /// function whose body calls nothing.
    pub(super) fn call_for_builtin(&mut self, place: usize) -> Res {
        let count = self.task.stack.len() - place - 1;
        let is_short = match &self.task.stack[place] {
            Value::Function(closure) => closure
                .lambda()
                .and_then(|lambda| lambda.arity(count as u32))
                .is_some_and(|arity| arity.body.deep().is_none()),
            _ => false,
        };
        if !is_short {
            return self.call_unframed(None, place);
        }
        let program = self.task.program.clone();
        self.call_directly(&program, count)?.ok_or_else(invariant_violated)
    }

    /// Calls a builtin with the values from `start` on, without frames.
    pub(super) fn builtin_now(&mut self, id: BuiltinId, start: usize) -> Res {
        match self.cx.imp(id) {
            Imp::Pure(_) => {
                let value = self.cx.call(id, &mut self.task.stack[start..]);
                self.task.drop_above(start);
                value
            }
            Imp::Lisp => {
                self.task.stack.insert(start, compiled(id)?);
                self.call_unframed(None, start)
            }
            Imp::Update(changes, make) => {
                if let Some(changed) = self.update_now(changes, start)? {
                    return Ok(changed);
                }
                let args = self.task.stack.split_off(start);
                match make(&mut self.cx, args)? {
                    CallbackState::Value(value) => Ok(value),
                    CallbackState::Once(once) => {
                        let Once { function, args, state, finish } = *once;
                        self.task.stack.extend(state);
                        let place = self.task.stack.len();
                        self.task.stack.push(function);
                        self.task.stack.extend(args);
                        let value = self.call_for_builtin(place)?;
                        let state = self.task.stack.split_off(start);
                        finish(&mut self.cx, state, value)
                    }
                    _ => Err(invariant_violated()),
                }
            }
            Imp::Step(step) => {
                let args = self.task.stack.split_off(start);
                let each = Each::eager(&mut self.cx, step, args)?;
                self.loop_now(each.into())
            }
            Imp::CallbackState(make) => {
                let args = self.task.stack.split_off(start);
                let state = make(&mut self.cx, args)?;
                self.loop_now(state)
            }
            Imp::Fork(_) | Imp::Act(_) => Err(invariant_violated()),
        }
    }

    /// Runs a builtin that calls a function for every item to its end, without frames.
    fn loop_now(&mut self, mut state: CallbackState) -> Res {
        if let CallbackState::Value(value) = state {
            return Ok(value);
        }
        let program = self.task.program.clone();
        state.simplify(&program, |function, count| self.runs_unframed(function, count));
        self.task.callbacks.push(state);
        let mut got = None;
        loop {
            let state = self.task.callbacks.last_mut().ok_or_else(invariant_violated)?;
            let way = state.way();
            match state.step(&mut self.cx, &mut self.task.stack, got.take())? {
                Next::Done(value) => {
                    self.task.callbacks.pop();
                    return Ok(value);
                }
                Next::Call(count) => got = self.repeat(&program, count, way)?,
                Next::Hold(_) | Next::Pause => {}
            }
            if got.is_none() {
                if self.task.depth < self.cx.limits.call_depth {
                    return Err(invariant_violated());
                }
                self.cx.spend(1)?;
                return Err(self.cx.too_deep());
            }
            if self.cx.counting_due() {
                self.count_live(got.as_ref())?;
            }
        }
    }

    /// Evaluates the body of a function whose arguments are the last values. The caller is given by the start of its
    /// slots, and by its program if that is another one.
    #[inline]
    fn run_unframed(
        &mut self,
        program: &Program,
        arity: &Arity,
        count: usize,
        (base, caller): (usize, Option<Arc<Program>>),
    ) -> Res {
        let (frames, callers) = (self.task.frames.len(), self.task.callers.len());
        self.task.depth += 1;
        match self.arrange(arity, count).and_then(|()| self.direct(program, arity.body)) {
            Ok(value) => {
                self.task.depth -= 1;
                self.task.base = base;
                if let Some(caller) = caller {
                    self.task.program = caller;
                }
                Ok(value)
            }
            Err(problem) => {
                self.frame_failed((frames, callers), base, caller);
                Err(problem)
            }
        }
    }

    /// Makes the frame of a function that failed without one, below the frames of those it called: a problem names them,
    /// and a `catch` goes back through them. The arguments are the heights of the stacks when it was called.
    #[cold]
    pub(super) fn frame_failed(
        &mut self,
        (frames, callers): (usize, usize),
        base: usize,
        caller: Option<Arc<Program>>,
    ) {
        let to = if caller.is_some() { Caller::Elsewhere } else { Caller::Here };
        if let Some(caller) = caller {
            self.task.callers.insert(callers, caller);
        }
        let frame = Frame::Return { base: base as u32, at: self.task.at, to };
        self.task.frames.insert(frames, frame);
    }
}

/// Returns the calls of the body for `count` arguments; none if it needs frames besides.
fn callees<'l>(program: &Program, lambda: &'l Lambda, count: usize) -> Option<&'l Callees> {
    let is_it = |arity: &Arity| !arity.variadic && arity.params as usize == count;
    let place = lambda.arities.iter().position(is_it)?;
    let all = lambda.callees.get_or_init(|| {
        lambda.arities.iter().map(|arity| Calls::of(program, arity, INNER)).collect()
    });
    all.get(place)?.as_ref()
}

/// The calls found in a body so far.
struct Calls<'p> {
    program: &'p Program,
    found: Vec<Callee>,
    /// The levels of functions that may be written inside of the body.
    inner: u8,
    loops: bool,
}

impl Calls<'_> {
    fn of(program: &Program, arity: &Arity, inner: u8) -> Option<Callees> {
        let Some(last) = arity.body.node() else { return Some(Callees::default()) };
        // A definition could replace a function that is called later.
        let nodes = program.nodes.get(arity.start as usize..=last as usize)?;
        if nodes.iter().any(|node| matches!(node, Node::Def { .. })) {
            return None;
        }
        let mut calls = Calls { program, found: Vec::new(), inner, loops: false };
        let Calls { found, loops, .. } =
            if calls.add(arity.body, MAX_DIRECT) { calls } else { return None };
        (found.len() <= MOST_CALLEES).then(|| Callees { calls: found.into_boxed_slice(), loops })
    }

    /// Adds the calls in an operand; returns false if it needs frames besides.
    fn add(&mut self, operand: Operand, levels: u8) -> bool {
        let Some(node) = operand.deep() else { return true };
        let (Some(levels), Some(node)) = (levels.checked_sub(1), self.program.core(node)) else {
            return false;
        };
        let program = self.program;
        let is_known = match node {
            Node::Call(args) => match program.args(args) {
                [function, rest @ ..] => self.calls(*function, rest.len() as u32),
                [] => false,
            },
            Node::CallGlobal { global, args } => self.push(CalleeAt::Global(global), args.count),
            Node::Builtin { id, args } => {
                id.builtin().is_pure || self.calls_of_builtin(id, program.args(args))
            }
            Node::If { .. }
            | Node::And(_)
            | Node::Or(_)
            | Node::Do(_)
            | Node::Op { .. }
            | Node::Bind { .. }
            | Node::Get { .. }
            | Node::Vector(_)
            | Node::Map(_)
            | Node::Set(_)
            | Node::Function { .. } => true,
            _ => false,
        };
        let mut all = is_known;
        program.each_operand(node, &mut |part| all = all && self.add(part, levels));
        all
    }

    /// Adds a call of a builtin that calls functions, or is written in the language.
    fn calls_of_builtin(&mut self, id: BuiltinId, args: &[Operand]) -> bool {
        let facts = &id.builtin().facts;
        let is_loop = match imp_of(id) {
            Imp::Lisp => return self.push(CalleeAt::Builtin(id), args.len() as u32),
            Imp::Update(..) => false,
            Imp::Step(_) | Imp::CallbackState(_) => true,
            _ => return false,
        };
        let mut functions = facts.calls.iter().filter(|call| call.least <= args.len());
        let (Some(call), None) = (functions.next(), functions.next()) else { return false };
        let count = match call.how {
            How::Field | How::Once if !is_loop => args.len() - 2,
            How::Each if is_loop && args.len() == call.function + 2 => 1,
            How::Vals | How::Keys if is_loop => 1,
            // Without a start the function may be called without arguments.
            How::Fold if is_loop && (args.len() == 3 || is_constant(args, call.function)) => 2,
            How::Indexed if is_loop => 2,
            How::Entries if is_loop => 3,
            _ => return false,
        };
        if is_loop && self.inner < INNER {
            return false;
        }
        let before = self.found.len();
        let is_known = args.get(call.function).is_some_and(|it| self.passes(*it, count as u32));
        if is_loop {
            self.loops = true;
            self.found.iter_mut().skip(before).for_each(|callee| callee.in_loop = true);
        }
        is_known
    }

    /// Adds the call of an operand's value; returns false if the value is not known before the body runs.
    fn calls(&mut self, function: Operand, count: u32) -> bool {
        match function.kind() {
            OperandKind::Capture(index) => self.push(CalleeAt::Capture(index), count),
            OperandKind::Const(index) => self.push(CalleeAt::Const(index), count),
            _ => false,
        }
    }

    fn push(&mut self, at: CalleeAt, count: u32) -> bool {
        self.found.push(Callee { at, count, in_loop: false });
        true
    }

    /// Adds the call of a function that the body passes to a builtin: also of one that it makes.
    fn passes(&mut self, function: Operand, count: u32) -> bool {
        let Some(node) = function.node() else { return self.calls(function, count) };
        match self.program.core(node) {
            Some(Node::Builtin { id, args }) => self.passes_made(id, args, count),
            Some(Node::Function { lambda, captures }) => {
                let lambda = self.program.lambdas.get(lambda as usize);
                let arity = lambda.and_then(|lambda| lambda.arity(count));
                let Some(arity) = arity.filter(|arity| !arity.variadic) else { return false };
                let Some(levels) = self.inner.checked_sub(1) else { return false };
                let Some(inner) = Calls::of(self.program, arity, levels) else { return false };
                let captures = self.program.args(captures);
                inner.calls.iter().all(|callee| match callee.at {
                    CalleeAt::Capture(index) => captures
                        .get(index as usize)
                        .is_some_and(|captured| self.calls(*captured, callee.count)),
                    at => self.push(at, callee.count),
                })
            }
            Some(Node::Global(global)) => self.push(CalleeAt::Global(global), count),
            _ => false,
        }
    }

    /// Adds the call of a function that a builtin makes of constants.
    fn passes_made(&self, id: BuiltinId, args: Args, count: u32) -> bool {
        let is_callable = |part: &Operand| match part.kind() {
            OperandKind::Const(index) => match self.program.consts.get(index as usize) {
                Some(Value::Builtin(id)) => id.builtin().is_pure,
                constant => constant.is_some(),
            },
            _ => false,
        };
        // The functions made by others, or for other numbers of arguments, collect a rest or call builtins that call.
        matches!(
            (id.name(), args.count, count),
            ("fnil", 2, 1 | 2) | ("comp" | "juxt", 2, 1) | ("complement", 1, 1)
        ) && self.program.args(args).iter().all(is_callable)
    }
}

fn is_constant(args: &[Operand], at: usize) -> bool {
    args.get(at).is_some_and(|arg| matches!(arg.kind(), OperandKind::Const(_)))
}
