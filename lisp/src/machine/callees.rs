//! Functions whose bodies need frames only for the functions that they call.
//!
//! The checker gives every call frames, since it does not know the called value. The machine does: the value is a
//! constant, captured or global. If each is data, a function of its arguments alone, or a function whose own body needs
//! no frames, native calls evaluate the body. The machine looks at the values before every run of such a body.

use std::sync::Arc;

use super::callback::{CallbackState, Once};
use super::direct::value_in;
use super::problems::invariant_violated;
use super::row::{Imp, compiled, imp_of};
use super::tracer::Tracer;
use super::{Caller, Core, Frame};
use crate::value::ir::{
    Arity, Callee, CalleeAt, Callees, Lambda, MAX_DIRECT, Node, Operand, OperandKind, Program,
};
use crate::value::{BuiltinId, Res, Value};

/// The functions of the program that such a call may go through. With [`MAX_DIRECT`] it bounds the native stack.
const LEVELS: u8 = 3;

/// The most calls in one body, since each is looked at before the body runs.
const MOST_CALLEES: usize = 8;

impl<W: Tracer> Core<W> {
    /// Returns whether a call of the function needs no frames now.
    pub(super) fn runs_unframed(&self, function: &Value, count: usize) -> bool {
        // A tracer sees frames. A lazy sequence calls functions where it is read.
        !W::ON && !self.cx.lazy_aware && self.is_unframed(function, count, LEVELS)
    }

    /// Returns whether a call of the function with this number needs no frames now.
    pub(super) fn runs_plain_unframed(
        &self,
        program: &Program,
        lambda: &Lambda,
        count: usize,
    ) -> bool {
        !W::ON && !self.cx.lazy_aware && self.all_unframed(program, lambda, &[], count, LEVELS)
    }

    fn is_unframed(&self, function: &Value, count: usize, levels: u8) -> bool {
        match function {
            Value::Keyword(_) | Value::Map(_) | Value::Set(_) | Value::Vector(_) => true,
            Value::Builtin(id) => self.is_builtin_unframed(*id, count, levels),
            Value::Function(closure) => closure.lambda().is_some_and(|lambda| {
                self.all_unframed(&closure.program, lambda, &closure.captures, count, levels)
            }),
            _ => false,
        }
    }

    fn is_builtin_unframed(&self, id: BuiltinId, count: usize, levels: u8) -> bool {
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
        levels: u8,
    ) -> bool {
        let Some(levels) = levels.checked_sub(1) else { return false };
        let Some(callees) = callees(program, lambda, count) else { return false };
        callees.iter().all(|callee| {
            let count = callee.count as usize;
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
                        let value = self.call_unframed(None, place)?;
                        let state = self.task.stack.split_off(start);
                        finish(&mut self.cx, state, value)
                    }
                    _ => Err(invariant_violated()),
                }
            }
            _ => Err(invariant_violated()),
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
fn callees<'l>(program: &Program, lambda: &'l Lambda, count: usize) -> Option<&'l [Callee]> {
    let place = lambda
        .arities
        .iter()
        .position(|arity| !arity.variadic && arity.params as usize == count)?;
    let all = lambda
        .callees
        .get_or_init(|| lambda.arities.iter().map(|arity| Calls::of(program, arity)).collect());
    all.get(place)?.as_deref()
}

/// The calls found in a body so far.
struct Calls<'p> {
    program: &'p Program,
    found: Vec<Callee>,
}

impl Calls<'_> {
    fn of(program: &Program, arity: &Arity) -> Option<Callees> {
        let Some(last) = arity.body.node() else { return Some(Callees::default()) };
        // A definition could replace a function that is called later.
        let nodes = program.nodes.get(arity.start as usize..=last as usize)?;
        if nodes.iter().any(|node| matches!(node, Node::Def { .. })) {
            return None;
        }
        let mut calls = Calls { program, found: Vec::new() };
        (calls.add(arity.body, MAX_DIRECT) && calls.found.len() <= MOST_CALLEES)
            .then(|| calls.found.into_boxed_slice())
    }

    /// Adds the calls in an operand; returns false if it needs frames besides.
    fn add(&mut self, operand: Operand, levels: u8) -> bool {
        let Some(node) = operand.deep() else { return true };
        let (Some(levels), Some(node)) = (levels.checked_sub(1), self.program.core(node)) else {
            return false;
        };
        let program = self.program;
        match node {
            Node::Call(args) => {
                let Some((function, rest)) = program.args(args).split_first() else { return false };
                self.calls(*function, rest.len() as u32)
                    && rest.iter().all(|part| self.add(*part, levels))
            }
            Node::CallGlobal { global, args } => {
                self.found.push(Callee { at: CalleeAt::Global(global), count: args.count });
                program.args(args).iter().all(|part| self.add(*part, levels))
            }
            Node::Builtin { id, args } if !id.builtin().is_pure => {
                let args = program.args(args);
                let count = args.len() as u32;
                let is_known = match imp_of(id) {
                    Imp::Lisp => {
                        self.found.push(Callee { at: CalleeAt::Builtin(id), count });
                        true
                    }
                    Imp::Update(..) => {
                        args.get(2).is_some_and(|function| self.passes(*function, count - 2))
                    }
                    _ => false,
                };
                is_known && args.iter().all(|part| self.add(*part, levels))
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
            | Node::Function { .. }
            | Node::Builtin { .. } => {
                let mut all = true;
                program.each_operand(node, &mut |part| all = all && self.add(part, levels));
                all
            }
            _ => false,
        }
    }

    /// Adds the call of an operand's value; returns false if the value is not known before the body runs.
    fn calls(&mut self, function: Operand, count: u32) -> bool {
        let at = match function.kind() {
            OperandKind::Capture(index) => CalleeAt::Capture(index),
            OperandKind::Const(index) => CalleeAt::Const(index),
            _ => return false,
        };
        self.found.push(Callee { at, count });
        true
    }

    /// Adds the call of a function that the body passes to a builtin: also of one that another builtin makes of constants.
    fn passes(&mut self, function: Operand, count: u32) -> bool {
        let Some(node) = function.node() else { return self.calls(function, count) };
        let Some(Node::Builtin { id, args }) = self.program.core(node) else { return false };
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
