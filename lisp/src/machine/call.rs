//! Calls of values, builtins that call back, and where errors point.

use std::sync::Arc;

use super::cx::Res;
use super::hof::Next;
use super::{Frame, Machine, Mode};
use crate::builtins::Imp;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Arity, Program};
use crate::value::{Ext, Value};

impl Machine {
    /// Calls the value below the last `count` values, which are its arguments.
    pub(super) fn enter(&mut self, program: &mut Arc<Program>, count: usize) -> Res<Mode> {
        let place = self.task.stack.len() - count - 1;
        match &self.task.stack[place] {
            Value::Function(closure) => {
                let arity = match closure.lambda().and_then(|lambda| lambda.arity(count as u32)) {
                    Some(arity) => *arity,
                    None => return Err(self.arity_problem(place, count)),
                };
                let switch = !Arc::ptr_eq(&closure.program, program);
                if switch {
                    *program = closure.program.clone();
                }
                if !program.builtin {
                    self.cx.spend(1)?;
                }
                if self.task.depth >= self.cx.limits.call_depth {
                    return Err(self.too_deep());
                }
                self.task.depth += 1;
                self.task.frames.push(Frame::Return {
                    base: self.task.base as u32,
                    at: self.task.at,
                    switch,
                });
                self.task.base = place + 1;
                self.arrange(&arity, count)?;
                Ok(Mode::Eval(arity.body))
            }
            Value::Builtin(id) => {
                let id = *id;
                let builtin = id.builtin();
                if !builtin.takes(count) {
                    return Err(builtin.wrong_arity(count));
                }
                self.task.stack.remove(place);
                self.call_builtin(program, id, count)
            }
            _ => {
                let result = self.look_up(place, count);
                self.task.stack.truncate(place);
                result.map(Mode::Value)
            }
        }
    }

    /// Puts the function to call instead of a builtin below its arguments, if what it is given
    /// needs one; gives how many arguments that function takes.
    pub(super) fn detour(
        &mut self,
        id: crate::builtins::BuiltinId,
        start: usize,
    ) -> Res<Option<usize>> {
        if !self.cx.framed {
            return Ok(None);
        }
        let Some(found) = crate::builtins::instead(id, &self.task.stack[start..]) else {
            return Ok(None);
        };
        let (function, with_all) = found?;
        if with_all {
            self.task.stack.insert(start, Value::Builtin(id));
        }
        self.task.stack.insert(start, function);
        Ok(Some(self.task.stack.len() - start - 1))
    }

    /// Brings arguments into the shape of a frame: the rest in a list, the other slots empty.
    fn arrange(&mut self, arity: &Arity, count: usize) -> Res<()> {
        if arity.variadic {
            let rest =
                self.task.stack.split_off(self.task.stack.len() - (count - arity.params as usize));
            let rest = if rest.is_empty() { Value::Nil } else { self.cx.list(rest)? };
            self.task.stack.push(rest);
        }
        self.task.stack.resize(self.task.base + arity.frame as usize, Value::Nil);
        Ok(())
    }

    /// Calls a keyword, map, set or vector: a look-up.
    fn look_up(&mut self, place: usize, count: usize) -> Res {
        let Some([callee, args @ ..]) = self.task.stack.get(place..) else {
            return Err(super::walk::crooked());
        };
        args.iter().try_for_each(|key| self.cx.look_for(key))?;
        crate::builtins::call_data(callee, args).unwrap_or_else(|| {
            Err(Diagnostic::new(
                Code::NotCallable,
                format!(
                    "{} was called as a function with {count} arguments",
                    crate::builtins::describe(callee)
                ),
            )
            .with_class(if callee.is_nil() { "NullPointerException" } else { "ClassCastException" })
            .with_jvm_message(crate::builtins::no_function(callee))
            .with_help(match callee {
                Value::Nil => "the function is nil: check where it comes from",
                Value::List(_) => {
                    "one pair of parentheses too many calls the result of a call; remove it"
                }
                _ => "only functions, keywords, maps, sets and vectors can be called",
            }))
        })
    }

    #[cold]
    fn arity_problem(&self, place: usize, count: usize) -> Diagnostic {
        match self.task.stack.get(place) {
            Some(Value::Function(closure)) => match closure.lambda() {
                Some(lambda) => super::wrong_arity_of(lambda, count),
                None => super::walk::crooked(),
            },
            _ => super::walk::crooked(),
        }
    }

    #[cold]
    pub(super) fn too_deep(&self) -> Diagnostic {
        Diagnostic::new(
            Code::CallDepthLimit,
            format!("calls nest deeper than the limit of {}", self.cx.limits.call_depth),
        )
        .with_help("use `loop` and `recur`, or `reduce`; or raise the limit `call_depth`")
    }

    /// Lets the innermost builtin that calls back go on, until it is done or its function needs
    /// frames.
    pub(super) fn step_hof(
        &mut self,
        program: &mut Arc<Program>,
        mut got: Option<Value>,
    ) -> Res<Mode> {
        loop {
            // The builtin stays on its stack while its function runs, so that its values count.
            let Some(hof) = self.task.hofs.last_mut() else { return Err(super::walk::crooked()) };
            match hof.step(&mut self.cx, &mut self.task.stack, got.take())? {
                Next::Done(value) => {
                    self.task.hofs.pop();
                    return Ok(Mode::Value(value));
                }
                Next::Hold => return Ok(self.hold()),
                Next::Call(count) => match self.call_directly(program, count)? {
                    Some(value) if self.cx.pausing() => {
                        self.task.frames.push(Frame::Hof);
                        return Ok(Mode::Value(value));
                    }
                    Some(value) => got = Some(value),
                    None => {
                        self.task.frames.push(Frame::Hof);
                        return self.enter(program, count);
                    }
                },
            }
        }
    }

    /// Calls the value below the last `count` values without frames, if it can be.
    #[inline]
    pub(super) fn call_directly(
        &mut self,
        running: &Arc<Program>,
        count: usize,
    ) -> Res<Option<Value>> {
        let place = self.task.stack.len() - count - 1;
        match &self.task.stack[place] {
            Value::Function(closure) => {
                let Some(arity) = closure.lambda().and_then(|lambda| lambda.arity(count as u32))
                else {
                    return Err(self.arity_problem(place, count));
                };
                if arity.body.deep().is_some() {
                    return Ok(None);
                }
                let arity = *arity;
                // The function nearly always belongs to the running program.
                let other =
                    (!Arc::ptr_eq(&closure.program, running)).then(|| closure.program.clone());
                let program = other.as_ref().unwrap_or(running);
                if !program.builtin {
                    self.cx.spend(1)?;
                }
                let base = std::mem::replace(&mut self.task.base, place + 1);
                let result = match self.arrange(&arity, count) {
                    Ok(()) => self.direct(program, arity.body),
                    Err(problem) => Err(problem),
                };
                self.task.base = base;
                self.task.stack.truncate(place);
                result.map(Some)
            }
            Value::Builtin(id) => {
                let builtin = id.builtin();
                if !builtin.takes(count) {
                    return Err(builtin.wrong_arity(count));
                }
                let Imp::Pure(_) = builtin.imp else { return Ok(None) };
                if self.cx.framed
                    && crate::builtins::instead(*id, &self.task.stack[place + 1..]).is_some()
                {
                    return Ok(None);
                }
                let result = builtin.call(&mut self.cx, &mut self.task.stack[place + 1..]);
                self.task.stack.truncate(place);
                result.map(Some)
            }
            _ => {
                let result = self.look_up(place, count);
                self.task.stack.truncate(place);
                result.map(Some)
            }
        }
    }

    /// Gives an error the place of the node being evaluated, if it has none yet, and the chain of
    /// calls that led there.
    #[cold]
    pub(super) fn locate(&self, problem: Diagnostic) -> Diagnostic {
        let mut problem = problem;
        let mut names = Vec::new();
        'all: for task in self.line() {
            let running = |base: usize| match task.stack.get(base.wrapping_sub(1)) {
                Some(Value::Function(closure)) => Some(closure),
                _ => None,
            };
            let (mut base, mut at) = (task.base, task.at);
            let mut frames = task.frames.iter().rev();
            while let Some(closure) = running(base) {
                // An error inside the language's own functions belongs to the call that led there.
                problem = self.locate_in(problem, &closure.program, at);
                if problem.has_trace() {
                    return problem;
                }
                let caller = frames.find_map(|frame| match frame {
                    Frame::Return { base, at, .. } => Some((*base as usize, *at)),
                    _ => None,
                });
                let Some(caller) = caller else { break };
                if !closure.program.builtin {
                    names.push(closure.name().unwrap_or("fn").to_owned());
                }
                (base, at) = caller;
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
        problem.at(program.span(node)).in_source(&program.source)
    }

    /// Counts the bytes that the machine holds, and stops a program that keeps too many.
    pub(super) fn count_live(&mut self, held: Option<&Value>) -> Res<()> {
        let mut count = super::live::Count::new(self.cx.limits.memory);
        for value in held.into_iter().chain(&self.history) {
            count.add(value);
        }
        for value in self.globals.iter().flatten() {
            count.add(value);
        }
        count.add(&Value::Map(self.cx.memory.clone()));
        self.task.each_value(&mut |value| count.add(value));
        let bytes = self.branches.each_value(&mut |value| count.add(value));
        count.more(bytes);
        self.cx.counted(count.bytes())
    }
}

/// Whether a value ends a `reduce` early, and with what.
pub(super) fn reduced(value: Value) -> Result<Value, Value> {
    match value {
        Value::Ext(ext) => match &*ext {
            Ext::Reduced(inner) => Ok(inner.clone()),
            _ => Err(Value::Ext(ext)),
        },
        other => Err(other),
    }
}
