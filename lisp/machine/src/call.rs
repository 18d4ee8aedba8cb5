//! Calls of values, builtins that call back, and the positions of errors.

#![expect(clippy::inline_always, reason = "what the loop of the machine does in every step")]

use std::sync::Arc;

use super::each::Each;
use super::next::{Next, Way};
use super::row::Imp;
use super::tracer::Tracer;
use super::{CallbackState, Caller, Core, Frame, Host, Mode};
use ptc_facts::registry::Registered;
use ptc_facts::registry::thread_help;
use ptc_values::code::Code;
use ptc_values::ir::{Arity, Program};
use ptc_values::{Diagnostic, Ext, Lazy, Res, Value, is_var, wrong_arity_of};

impl<W: Tracer> Core<W> {
    /// Calls the value below the last `count` values, which are its arguments.
    #[inline(never)]
    pub(super) fn enter(&mut self, count: usize) -> Res<Mode> {
        let place = self.task.stack.len() - count - 1;
        match &self.task.stack[place] {
            Value::Function(closure) => {
                let Some(arity) = closure.lambda().and_then(|lambda| lambda.arity(count as u32))
                else {
                    return Err(self.arity_problem(place, count));
                };
                let arity = *arity;
                if self.runs_unframed(&self.task.stack[place], count) && !self.cx.pausing() {
                    return self.call_unframed(None, place).map(Mode::Value);
                }
                if Arc::ptr_eq(&closure.program, &self.task.program) {
                    let pausing = self.pay_call(closure.program.builtin)?;
                    self.push_frame(&arity, count, Caller::Here)?;
                    Ok(if pausing { Mode::Pause(arity.body) } else { Mode::Eval(arity.body) })
                } else {
                    let program = closure.program.clone();
                    self.pay_call(program.builtin)?;
                    let caller = std::mem::replace(&mut self.task.program, program);
                    self.task.callers.push(caller);
                    self.push_frame(&arity, count, Caller::Elsewhere)?;
                    Ok(Mode::Enter(arity.body))
                }
            }
            Value::Builtin(id) if id.makes_transducer(count) => {
                let transducer = ptc_facts::registry::find("ptc/transducer");
                let of = transducer.ok_or_else(super::problems::invariant_violated)?;
                self.call_builtin(of, count + 1)
            }
            Value::Builtin(id) => {
                let id = id.for_count(count)?;
                self.task.stack.remove(place);
                self.call_builtin(id, count)
            }
            Value::Ext(ext) if matches!(**ext, Ext::Stage(_)) => {
                if self.task.callbacks.len() >= self.cx.limits.call_depth as usize {
                    return Err(self.cx.too_deep());
                }
                let args = self.task.stack.split_off(place + 1);
                let step = self.task.stack.pop().unwrap_or_default();
                match CallbackState::stage(&mut self.cx, step, args)? {
                    CallbackState::Value(value) => Ok(Mode::Value(value)),
                    state => {
                        self.task.callbacks.push(state);
                        Ok(Mode::CallbackState)
                    }
                }
            }
            _ => {
                if let Some(value) = self.value_of_var(place)? {
                    self.task.stack[place] = value;
                    return self.enter(count);
                }
                if self.looks_for_lazy(place)
                    && let Some(get) = ptc_facts::registry::find("get")
                {
                    self.task.stack.insert(place, Value::Builtin(get));
                    return self.enter(count + 1);
                }
                let result = self.look_up(place, count);
                self.task.stack.truncate(place);
                result.map(Mode::Value)
            }
        }
    }

    /// Returns whether a map or set at `place` is called with a lazy sequence, to be realized
    /// first.
    pub(super) fn looks_for_lazy(&self, place: usize) -> bool {
        let stack = self.task.stack.get(place..).unwrap_or_default();
        self.cx.lazy_aware
            && matches!(stack, [Value::Map(_) | Value::Set(_), key, ..] if Lazy::of(key).is_some())
    }

    /// Returns the definition of the var at `place`, which a call of the var calls; none without a
    /// var.
    fn value_of_var(&mut self, place: usize) -> Res<Option<Value>> {
        // A var may be defined as a var, even as itself.
        const MOST_VARS: usize = 32;
        let mut found = None;
        for _ in 0..MOST_VARS {
            let Value::Ext(ext) = found.as_ref().unwrap_or(&self.task.stack[place]) else { break };
            let Ext::Var(name) = &**ext else { break };
            self.cx.spend(self.global_names.len() as u64 / 64 + 1)?;
            let global = self.global_names.iter().position(|global| global == name);
            let value = global.and_then(|global| self.globals.get(global)).cloned().flatten();
            found = Some(value.unwrap_or_default());
        }
        Ok(found.filter(|value| !is_var(value)))
    }

    /// Pays for a call before any part of it runs; returns whether the machine should pause. Calls
    /// inside the language's own functions are free.
    #[inline(always)]
    pub(super) fn pay_call(&mut self, builtin: bool) -> Res<bool> {
        let pausing = if builtin { false } else { self.cx.tick()? };
        if self.task.depth >= self.cx.limits.call_depth {
            return Err(self.cx.too_deep());
        }
        Ok(pausing)
    }

    /// Makes a frame of the last `count` values, the arguments.
    #[inline(always)]
    pub(super) fn push_frame(&mut self, arity: &Arity, count: usize, to: Caller) -> Res<()> {
        self.task.depth += 1;
        self.task.frames.push(Frame::Return { base: self.task.base as u32, at: self.task.at, to });
        self.task.base = self.task.stack.len() - count;
        self.arrange(arity, count)
    }

    /// Puts the lazy override of a builtin below its arguments, if needed; returns its argument
    /// count.
    pub(super) fn push_override(
        &mut self,
        id: ptc_values::BuiltinId,
        start: usize,
    ) -> Res<Option<usize>> {
        if !self.cx.lazy_aware {
            return Ok(None);
        }
        let Some(found) = super::row::lazy_override(id, &self.task.stack[start..]) else {
            return Ok(None);
        };
        let (function, with_all) = found?;
        if with_all {
            self.task.stack.insert(start, Value::Builtin(id));
        }
        self.task.stack.insert(start, function);
        Ok(Some(self.task.stack.len() - start - 1))
    }

    /// Calls a builtin whose arguments are the last values.
    pub(super) fn call_builtin(&mut self, id: ptc_values::BuiltinId, count: usize) -> Res<Mode> {
        let start = self.task.stack.len() - count;
        if let Some(count) = self.push_override(id, start)? {
            return self.enter(count);
        }
        match self.cx.imp(id) {
            Imp::Pure(_) => {
                let result = self.cx.call(id, &mut self.task.stack[start..]);
                self.task.stack.truncate(start);
                result.map(Mode::Value)
            }
            imp @ (Imp::CallbackState(_) | Imp::Update(..) | Imp::Step(_)) => {
                if let Imp::Update(changes, _) = imp
                    && !self.cx.pausing()
                    && let Some(changed) = self.update_now(changes, start)?
                {
                    return Ok(Mode::Value(changed));
                }
                let args = self.task.stack.split_off(start);
                let mut state = match imp {
                    Imp::Step(step) => Each::eager(&mut self.cx, step, args)?.into(),
                    Imp::CallbackState(make) | Imp::Update(_, make) => make(&mut self.cx, args)?,
                    _ => return Err(super::problems::invariant_violated()),
                };
                if let CallbackState::Value(value) = state {
                    return Ok(Mode::Value(value));
                }
                state.simplify(&self.task.program, |function, count| {
                    self.runs_unframed(function, count)
                });
                self.task.callbacks.push(state);
                Ok(Mode::CallbackState)
            }
            Imp::Fork(make) => {
                let args = self.task.stack.split_off(start);
                let fork = make(&mut self.cx, args)?;
                Ok(self.fork(fork))
            }
            Imp::Act(act) => {
                let argument = self.task.stack.split_off(start).pop().unwrap_or_default();
                self.act(act, argument)
            }
            Imp::Lisp => {
                let function = super::row::compiled(id)?;
                self.task.stack.insert(start, function);
                self.enter(count)
            }
        }
    }

    /// Arranges arguments as a frame: the rest in a list, the other slots empty.
    #[inline(always)]
    pub(super) fn arrange(&mut self, arity: &Arity, count: usize) -> Res<()> {
        if arity.variadic {
            self.collect_rest(count - arity.params as usize)?;
        }
        let end = self.task.base + arity.frame as usize;
        while self.task.stack.len() < end {
            self.task.stack.push(Value::Nil);
        }
        Ok(())
    }

    /// Collects the last `count` values into a list.
    #[inline(never)]
    fn collect_rest(&mut self, count: usize) -> Res<()> {
        if std::mem::take(&mut self.cx.rest_given) {
            return Ok(());
        }
        let rest = self.task.stack.split_off(self.task.stack.len() - count);
        let rest = if rest.is_empty() { Value::Nil } else { self.cx.list(rest)? };
        self.task.stack.push(rest);
        Ok(())
    }

    /// Calls a keyword, map, set or vector: a lookup.
    pub(super) fn look_up(&mut self, place: usize, count: usize) -> Res {
        let Some([callee, args @ ..]) = self.task.stack.get(place..) else {
            return Err(super::problems::invariant_violated());
        };
        if let Value::Keyword(_) | Value::Symbol(_) = callee {
            self.cx.look_for(callee)?;
        }
        args.iter().try_for_each(|key| self.cx.look_for(key))?;
        if let (Value::Keyword(_), [map]) = (callee, args) {
            return Ok(self.cx.fields.lookup(map, callee));
        }
        ptc_facts::access::call_data(callee, args).unwrap_or_else(|| {
            Err(Diagnostic::new(
                Code::NotCallable,
                format!(
                    "{} was called as a function with {count} arguments",
                    ptc_facts::messages::describe(callee)
                ),
            )
            .with_class(if callee.is_nil() { "NullPointerException" } else { "ClassCastException" })
            .with_jvm_message(ptc_facts::messages::no_function(callee))
            .with_help(match callee {
                Value::Nil => "the function is nil: check where it comes from",
                Value::List(_) => {
                    "an extra pair of parentheses calls the result of a call; remove it"
                }
                _ => "only functions, keywords, maps, sets and vectors can be called",
            }))
        })
    }

    #[cold]
    pub(super) fn arity_problem(&self, place: usize, count: usize) -> Diagnostic {
        match self.task.stack.get(place) {
            Some(Value::Function(closure)) => match closure.lambda() {
                Some(lambda) => ptc_values::wrong_arity_of(lambda, count),
                None => super::problems::invariant_violated(),
            },
            _ => super::problems::invariant_violated(),
        }
    }

    /// Steps the innermost builtin that calls back until it is done or its function needs frames.
    pub(super) fn step_callback(
        &mut self,
        program: &Arc<Program>,
        mut got: Option<Value>,
    ) -> Res<Mode> {
        loop {
            // The builtin stays on its stack while its function runs, so that its values count.
            let Some(state) = self.task.callbacks.last_mut() else {
                return Err(super::problems::invariant_violated());
            };
            let way = state.way();
            match state.step(&mut self.cx, &mut self.task.stack, got.take())? {
                Next::Done(value) => {
                    self.task.callbacks.pop();
                    return Ok(Mode::Value(value));
                }
                Next::Hold(of) => return Ok(self.hold(of)),
                Next::Pause => return Ok(Mode::CallbackState),
                Next::Call(count) if way == Way::NeedsFrames => {
                    self.task.frames.push(Frame::CallbackState);
                    return self.call_for_item(program, count);
                }
                Next::Call(count) => match self.repeat(program, count, way)? {
                    Some(value) if self.cx.pausing() => {
                        self.task.frames.push(Frame::CallbackState);
                        return Ok(Mode::Value(value));
                    }
                    Some(value) => got = Some(value),
                    None => {
                        self.task.frames.push(Frame::CallbackState);
                        return if way == Way::Plain {
                            self.call_callee(program, count)
                        } else {
                            self.enter(count)
                        };
                    }
                },
            }
        }
    }

    /// Calls the function below the last `count` values for the first item of the innermost
    /// builtin.
    fn call_for_item(&mut self, program: &Program, count: usize) -> Res<Mode> {
        let lambda = self.task.lambda(program, self.task.stack.len() - count);
        let lambda = lambda.ok_or_else(super::problems::invariant_violated)?;
        // A `reduce` of nothing without a start calls its function without arguments.
        let Some(arity) = lambda.arity(count as u32) else {
            return Err(wrong_arity_of(lambda, count));
        };
        let pausing = self.pay_call(program.builtin)?;
        let to = match u8::try_from(count) {
            Ok(count) if !arity.variadic && !W::ON => Caller::Builtin { count },
            _ => Caller::Here,
        };
        self.push_frame(arity, count, to)?;
        Ok(if pausing { Mode::Pause(arity.body) } else { Mode::Eval(arity.body) })
    }

    /// Ends a call for an item; reuses the frame for the next item, if any, as `recur` does.
    #[inline(never)]
    pub(super) fn next_item(
        &mut self,
        program: &Arc<Program>,
        (base, count): (u32, u8),
        mut value: Value,
        host: &mut Host<'_>,
    ) -> Res<Mode> {
        let lambda = self.task.lambda(program, self.task.base);
        let arity = lambda.and_then(|lambda| lambda.arity(u32::from(count)));
        let arity = *arity.ok_or_else(super::problems::invariant_violated)?;
        let tool = arity.body.deep().and_then(|node| self.tool_node(program, node));
        let to = Caller::Builtin { count };
        self.task.frames.push(Frame::Return { base, at: self.task.at, to });
        loop {
            match self.put_next(program, &arity, usize::from(count), &mut value) {
                Ok(true) => {}
                end => {
                    self.task.frames.pop();
                    self.end_item(base);
                    end?;
                    return self.step_callback(program, Some(value));
                }
            }
            if self.cx.pausing() {
                return Ok(Mode::Pause(arity.body));
            }
            // A call that the host answers at once bypasses the loop of the machine.
            let Some(tool) = &tool else { return Ok(Mode::Eval(arity.body)) };
            self.call_tool_at(program, tool)?;
            if let Some(mode) = self.answered_here(host, &mut value) {
                return Ok(mode);
            }
            if self.cx.pausing() {
                return Ok(Mode::Value(value));
            }
        }
    }

    /// Returns to the function that called the innermost builtin.
    fn end_item(&mut self, base: u32) {
        self.leave(base);
        self.task.frames.pop();
    }

    /// Replaces the arguments by the next ones. Returns false if the builtin needs a full step to see
    /// the result.
    #[inline]
    fn put_next(
        &mut self,
        program: &Program,
        arity: &Arity,
        count: usize,
        value: &mut Value,
    ) -> Res<bool> {
        if self.cx.pausing() {
            return Ok(false);
        }
        let start = self.task.base;
        self.task.drop_above(start + count);
        let (Some(state), Some(args)) =
            (self.task.callbacks.last_mut(), self.task.stack.get_mut(start..))
        else {
            return Err(super::problems::invariant_violated());
        };
        if !state.again(&mut self.cx, args, value)? {
            return Ok(false);
        }
        if !program.builtin {
            self.cx.tick()?;
        }
        self.arrange(arity, count)?;
        Ok(true)
    }

    /// Adds the position of the current node and the chain of calls to an error without a position.
    #[cold]
    pub(super) fn locate(&self, problem: Diagnostic) -> Diagnostic {
        let mut problem = problem;
        let mut names = Vec::new();
        'all: for task in self.lineage() {
            let (mut program, mut base, mut at) = (&task.program, task.base, task.at);
            let mut callers = task.callers.iter().rev();
            let mut frames = task.frames.iter().rev();
            while let Some(lambda) = task.lambda(program, base) {
                // An error inside the language's own functions belongs to the call that led there.
                problem = self.locate_in(problem, program, at);
                if problem.has_trace() {
                    return problem;
                }
                let caller = frames.find_map(|frame| match frame {
                    Frame::Return { base, at, to } => Some((*base as usize, *at, *to)),
                    _ => None,
                });
                let Some((caller_base, caller_at, to)) = caller else { break };
                if !program.builtin {
                    names.push(lambda.name.as_deref().unwrap_or("fn").to_owned());
                }
                if to == Caller::Elsewhere {
                    let Some(caller) = callers.next() else { break };
                    program = caller;
                }
                (base, at) = (caller_base, caller_at);
                if names.len() == 10 {
                    break 'all;
                }
            }
        }
        problem.with_trace(names)
    }

    #[cold]
    pub(super) fn locate_in(
        &self,
        problem: Diagnostic,
        program: &Program,
        node: u32,
    ) -> Diagnostic {
        if problem.has_place() || program.builtin || node == u32::MAX {
            return problem;
        }
        let is_type = problem.code_value() == Code::WrongType;
        let help = if is_type { thread_help(program, node) } else { None };
        let problem = match help {
            Some(help) => problem.with_help(help),
            None => super::nil::name_field(problem, program, node),
        };
        problem.at(program.span(node)).in_source(&program.source)
    }

    /// Counts the bytes that the machine holds, and stops a program that keeps too many.
    pub(super) fn count_live(&mut self, held: Option<&Value>) -> Res<()> {
        let mut count = super::live::Count::new(self.cx.limits.memory, self.cx.parts);
        for value in held.into_iter().chain(&self.history) {
            count.add(value);
        }
        for value in self.globals.iter().flatten() {
            count.add(value);
        }
        let mut bytes = self.cx.own.each_value(&mut |value| count.add(value));
        bytes += self.task.each_value(&mut |value| count.add(value));
        bytes += self.branches.each_value(&mut |value| count.add(value));
        count.add_bytes(bytes);
        self.cx.parts = count.parts();
        self.cx.counted(count.bytes())
    }
}
