//! Evaluation with frames: the loop of the machine.

use std::sync::Arc;

use super::cx::Res;
use super::{Frame, Hof, Machine, Mode, Outcome, Step, ToolCall};
use crate::builtins::Imp;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Args, Node, Operand, Program};
use crate::value::{Class, Value};

impl Machine {
    /// Goes on until the program is over or the machine has to stop.
    pub(super) fn walk(&mut self) -> Res<Step> {
        let Some(mut program) = self.running() else {
            self.end(Outcome::Value(Value::Nil));
            return Ok(Step::Done);
        };
        let mut mode = std::mem::replace(&mut self.task.mode, Mode::Over);
        loop {
            let next = match mode {
                Mode::Eval(operand) => self.eval(&mut program, operand),
                Mode::Value(value) => match self.task.frames.pop() {
                    Some(frame) => self.give(&mut program, frame, value),
                    None if self.task.is_branch() => self.join(&mut program, Ok(value)),
                    None => {
                        self.end_with(value, Outcome::Value);
                        return Ok(Step::Done);
                    }
                },
                Mode::Raise(problem) => Err(problem),
                Mode::Fork => self.step_fork(&mut program),
                Mode::Hof => self.step_hof(&mut program, None),
                Mode::Waiting => match self.next_task(&mut program) {
                    Some(mode) => Ok(mode),
                    None => return Ok(Step::Calls(std::mem::take(&mut self.pending))),
                },
                Mode::Over => return Ok(Step::Done),
            };
            mode = match next {
                Ok(mode) => mode,
                Err(problem) => self.raise(&mut program, problem)?,
            };
            if self.cx.pausing()
                && let Some(step) = self.pause(&mode)?
            {
                self.task.mode = mode;
                return Ok(step);
            }
        }
    }

    /// Counts live bytes when that is due; gives a step when the slice of fuel is over.
    #[cold]
    fn pause(&mut self, mode: &Mode) -> Res<Option<Step>> {
        if self.cx.counting_due() {
            let held = match mode {
                Mode::Value(value) => Some(value),
                _ => None,
            };
            self.count_live(held).map_err(|problem| self.locate(problem))?;
        }
        let running = !matches!(mode, Mode::Waiting | Mode::Over);
        Ok((running && self.cx.slice_over()).then_some(Step::Yield))
    }

    /// The program of the running function.
    pub(super) fn running(&self) -> Option<Arc<Program>> {
        match self.task.stack.get(self.task.base.wrapping_sub(1)) {
            Some(Value::Function(closure)) => Some(closure.program.clone()),
            _ => None,
        }
    }

    /// Evaluates an operand, as far as it can be without waiting for a part of it.
    fn eval(&mut self, program: &mut Arc<Program>, mut operand: Operand) -> Res<Mode> {
        loop {
            let Some(node) = operand.deep() else {
                return self.direct(program, operand).map(Mode::Value);
            };
            self.task.at = node;
            operand = match program.node(node) {
                Node::If { test, then, other } => {
                    if test.deep().is_some() {
                        self.task.frames.push(Frame::If { node });
                        test
                    } else if self.test(program, test)? {
                        then
                    } else {
                        other
                    }
                }
                Node::Do(_) | Node::And(_) | Node::Or(_) => return self.sequence(program, node, 0),
                Node::Bind { slot, value } => {
                    self.task.frames.push(Frame::Bind { slot });
                    value
                }
                Node::Op { a, b, .. } => {
                    if a.deep().is_none() {
                        let a = self.direct(program, a)?;
                        return self.right(program, node, a, b);
                    }
                    self.task.frames.push(Frame::Left { node });
                    a
                }
                Node::Get { map: part, .. }
                | Node::Def { value: part, .. }
                | Node::Tool { args: part, .. }
                | Node::Return(part)
                | Node::Fail(part) => {
                    if part.deep().is_none() {
                        let value = self.direct(program, part)?;
                        return self.part(program, node, value);
                    }
                    self.task.frames.push(Frame::Part { node });
                    part
                }
                Node::Loop { body, .. } => body,
                Node::Try(index) => {
                    let one = program.tries.get(index as usize).ok_or_else(crooked)?;
                    let (stack, hofs) = (self.task.stack.len() as u32, self.task.hofs.len() as u32);
                    if one.finally.is_some() {
                        self.task.frames.push(Frame::Finally { node, stack, hofs });
                    }
                    self.task.frames.push(Frame::Try { node, stack, hofs });
                    one.body
                }
                // A loop over one or two variables needs no detour over the value stack.
                Node::Recur { target, args }
                    if args.count <= 2 && self.all_direct(program, args) =>
                {
                    let Node::Loop { first, body } = program.node(target) else {
                        return Err(crooked());
                    };
                    self.cx.spend(1)?;
                    self.turn(program, args, first as usize)?;
                    if self.cx.pausing() {
                        return Ok(Mode::Eval(body));
                    }
                    body
                }
                Node::Call(args)
                | Node::Builtin { args, .. }
                | Node::Vector(args)
                | Node::Map(args)
                | Node::Set(args)
                | Node::Recur { args, .. }
                | Node::RecurFunction(args)
                | Node::Function { captures: args, .. } => {
                    match self.args(program, node, args, 0)? {
                        Mode::Eval(next) if !self.cx.pausing() => next,
                        mode => return Ok(mode),
                    }
                }
                Node::Myself
                | Node::Sibling(_)
                | Node::Global(_)
                | Node::Ctx(_)
                | Node::CtxAll
                | Node::Memory(_)
                | Node::MemoryAll
                | Node::History(_) => return self.direct(program, operand).map(Mode::Value),
            };
        }
    }

    /// Gives a value to the frame that waits for it.
    fn give(&mut self, program: &mut Arc<Program>, frame: Frame, value: Value) -> Res<Mode> {
        match frame {
            Frame::Return { base, switch, .. } => {
                self.task.stack.truncate(self.task.base - 1);
                self.task.base = base as usize;
                self.task.depth -= 1;
                if switch && let Some(caller) = self.running() {
                    *program = caller;
                }
                Ok(Mode::Value(value))
            }
            Frame::If { node } => {
                self.task.at = node;
                match program.node(node) {
                    Node::If { then, other, .. } => {
                        Ok(Mode::Eval(if value.truthy() { then } else { other }))
                    }
                    _ => Err(crooked()),
                }
            }
            Frame::Sequence { node, next } => {
                self.task.at = node;
                let over = match program.node(node) {
                    Node::And(_) => !value.truthy(),
                    Node::Or(_) => value.truthy(),
                    _ => false,
                };
                if over { Ok(Mode::Value(value)) } else { self.sequence(program, node, next) }
            }
            Frame::Bind { slot } => {
                self.task.stack[self.task.base + slot as usize] = value;
                Ok(Mode::Value(Value::Nil))
            }
            Frame::Args { node, next } => {
                self.task.at = node;
                self.task.stack.push(value);
                match operands_of(program.node(node)) {
                    Some(args) => self.args(program, node, args, next),
                    None => Err(crooked()),
                }
            }
            Frame::Left { node } => match program.node(node) {
                Node::Op { b, .. } => {
                    self.task.at = node;
                    self.right(program, node, value, b)
                }
                _ => Err(crooked()),
            },
            Frame::Right { node } => match program.node(node) {
                Node::Op { op, .. } => {
                    self.task.at = node;
                    let left = self.task.stack.pop().unwrap_or_default();
                    self.cx.op(op, &left, &value).map(Mode::Value)
                }
                _ => Err(crooked()),
            },
            Frame::Part { node } => {
                self.task.at = node;
                self.part(program, node, value)
            }
            Frame::Hof => self.step_hof(program, Some(value)),
            Frame::Try { .. } => Ok(Mode::Value(value)),
            Frame::Finally { node, .. } => {
                self.task.stack.push(value);
                self.finally(program, node, false)
            }
            Frame::AfterFinally { raise: false } => {
                Ok(Mode::Value(self.task.stack.pop().unwrap_or_default()))
            }
            Frame::AfterFinally { raise: true } => {
                Err(self.task.raised.pop().unwrap_or_else(crooked))
            }
        }
    }

    /// Lets a task go on behind a problem, or the one it branched off from when it catches nothing.
    #[cold]
    fn raise(&mut self, program: &mut Arc<Program>, problem: Diagnostic) -> Res<Mode> {
        // What was being computed for others may be given up by this.
        self.cx.computed = true;
        let mut problem = problem;
        loop {
            problem = match self.unwind(program, problem) {
                Err(problem) if self.task.is_branch() && problem.class().is_some() => problem,
                result => return result,
            };
            problem = match self.join(program, Err(problem)) {
                Err(problem) => problem,
                result => return result,
            };
        }
    }

    /// Goes back to the innermost `try` that catches a problem or has something to do before it
    /// goes on. Limits and the end of the program pass through.
    fn unwind(&mut self, program: &mut Arc<Program>, problem: Diagnostic) -> Res<Mode> {
        let problem = self.locate(problem);
        self.abandon_fork();
        if problem.class().is_none() {
            return Err(problem);
        }
        while let Some(frame) = self.task.frames.pop() {
            match frame {
                Frame::Return { base, .. } => {
                    self.task.stack.truncate(self.task.base - 1);
                    self.task.base = base as usize;
                    self.task.depth -= 1;
                }
                Frame::Try { node, stack, hofs } => {
                    self.enter_handler(program, node, stack, hofs)?;
                    let Node::Try(index) = program.node(node) else { return Err(crooked()) };
                    let catches =
                        program.tries.get(index as usize).map(|one| one.catches.as_slice());
                    let catch = catches.unwrap_or_default().iter().find(|catch| {
                        problem
                            .class()
                            .and_then(Class::find)
                            .is_some_and(|class| class.is_a(&catch.class))
                    });
                    if let Some(catch) = catch {
                        self.task.stack[self.task.base + catch.slot as usize] =
                            crate::builtins::caught(problem);
                        return Ok(Mode::Eval(catch.body));
                    }
                }
                Frame::Finally { node, stack, hofs } => {
                    self.enter_handler(program, node, stack, hofs)?;
                    self.task.raised.push(problem);
                    return self.finally(program, node, true);
                }
                // The `finally` itself has failed: what it was to raise is forgotten, as on the JVM.
                Frame::AfterFinally { raise: true } => drop(self.task.raised.pop()),
                _ => {}
            }
        }
        Err(problem)
    }

    /// Brings the stacks back to where a `try` began.
    fn enter_handler(
        &mut self,
        program: &mut Arc<Program>,
        node: u32,
        stack: u32,
        hofs: u32,
    ) -> Res<()> {
        self.task.stack.truncate(stack as usize);
        self.task.hofs.truncate(hofs as usize);
        *program = self.running().ok_or_else(crooked)?;
        self.task.at = node;
        Ok(())
    }

    fn finally(&mut self, program: &Program, node: u32, raise: bool) -> Res<Mode> {
        let Node::Try(index) = program.node(node) else { return Err(crooked()) };
        let finally = program.tries.get(index as usize).and_then(|one| one.finally);
        self.task.frames.push(Frame::AfterFinally { raise });
        finally.map(Mode::Eval).ok_or_else(crooked)
    }

    /// Goes on with the parts of `do`, `and` or `or`.
    fn sequence(&mut self, program: &Program, node: u32, from: u32) -> Res<Mode> {
        let kind = program.node(node);
        let (Node::Do(args) | Node::And(args) | Node::Or(args)) = kind else {
            return Err(crooked());
        };
        let operands = program.args(args);
        let Some((last, before)) = operands.split_last() else {
            return Ok(Mode::Value(Value::Nil));
        };
        for (at, operand) in before.iter().enumerate().skip(from as usize) {
            if operand.deep().is_some() {
                self.task.frames.push(Frame::Sequence { node, next: at as u32 + 1 });
                return Ok(Mode::Eval(*operand));
            }
            let value = self.direct(program, *operand)?;
            match kind {
                Node::And(_) if !value.truthy() => return Ok(Mode::Value(value)),
                Node::Or(_) if value.truthy() => return Ok(Mode::Value(value)),
                _ => {}
            }
        }
        Ok(Mode::Eval(*last))
    }

    /// The left operand is known: goes on with the right one.
    fn right(&mut self, program: &Program, node: u32, left: Value, right: Operand) -> Res<Mode> {
        if right.deep().is_some() {
            self.task.stack.push(left);
            self.task.frames.push(Frame::Right { node });
            return Ok(Mode::Eval(right));
        }
        let right = self.direct(program, right)?;
        match program.node(node) {
            Node::Op { op, .. } => self.cx.op(op, &left, &right).map(Mode::Value),
            _ => Err(crooked()),
        }
    }

    /// Pushes the values of a list of operands, and uses them when all are there.
    fn args(&mut self, program: &mut Arc<Program>, node: u32, args: Args, from: u32) -> Res<Mode> {
        for (at, operand) in program.args(args).iter().enumerate().skip(from as usize) {
            if operand.deep().is_some() {
                let operand = *operand;
                self.task.frames.push(Frame::Args { node, next: at as u32 + 1 });
                return Ok(Mode::Eval(operand));
            }
            let value = self.direct(program, *operand)?;
            self.task.stack.push(value);
        }
        let count = args.count as usize;
        let start = self.task.stack.len() - count;
        match program.node(node) {
            Node::Call(_) => self.enter(program, count - 1),
            Node::Builtin { id, .. } => self.call_builtin(program, id, count),
            Node::Vector(_) => {
                let items = self.task.stack.split_off(start);
                self.cx.vector(items).map(Mode::Value)
            }
            Node::Map(_) => self.make_map(start).map(Mode::Value),
            Node::Set(_) => self.make_set(start).map(Mode::Value),
            Node::Recur { target, .. } => {
                self.cx.spend(1)?;
                let Node::Loop { first, body } = program.node(target) else {
                    return Err(crooked());
                };
                self.rebind(first as usize, start);
                Ok(Mode::Eval(body))
            }
            Node::RecurFunction(_) => {
                self.cx.spend(u64::from(!program.builtin))?;
                self.rebind(0, start);
                self.restart(program, count)
            }
            _ => Err(crooked()),
        }
    }

    fn all_direct(&self, program: &Program, args: Args) -> bool {
        program.args(args).iter().all(|operand| operand.deep().is_none())
    }

    /// Gives the one or two variables of a loop their next values.
    fn turn(&mut self, program: &Program, args: Args, first: usize) -> Res<()> {
        let slots = self.task.base + first;
        match *program.args(args) {
            [one] => {
                let one = self.direct(program, one)?;
                self.task.stack[slots] = one;
            }
            [one, two] => {
                let one = self.direct(program, one)?;
                let two = self.direct(program, two)?;
                self.task.stack[slots] = one;
                self.task.stack[slots + 1] = two;
            }
            _ => {}
        }
        Ok(())
    }

    /// Moves the values above `start` into the slots from `first` on.
    fn rebind(&mut self, first: usize, start: usize) {
        let slots = self.task.base + first;
        for at in start..self.task.stack.len() {
            self.task.stack[slots + at - start] = std::mem::take(&mut self.task.stack[at]);
        }
        self.task.stack.truncate(start);
    }

    /// The body of the running function again, which has been given its parameters anew.
    fn restart(&mut self, program: &Program, params: usize) -> Res<Mode> {
        let Value::Function(closure) = &self.task.stack[self.task.base - 1] else {
            return Err(crooked());
        };
        let lambda = program.lambdas.get(closure.lambda as usize);
        let arity = lambda.and_then(|lambda| {
            lambda
                .arities
                .iter()
                .find(|arity| arity.params as usize + usize::from(arity.variadic) == params)
        });
        arity.map(|arity| Mode::Eval(arity.body)).ok_or_else(crooked)
    }

    /// The one part of a node is known.
    fn part(&mut self, program: &Arc<Program>, node: u32, value: Value) -> Res<Mode> {
        match program.node(node) {
            Node::Get { key, .. } => {
                Ok(Mode::Value(crate::builtins::lookup(&value, &program.consts[key as usize])))
            }
            Node::Def { global, .. } => self.define(global, value).map(Mode::Value),
            Node::Return(_) => {
                self.check_json(&value)?;
                self.end_with(value, Outcome::Return);
                Ok(Mode::Over)
            }
            Node::Fail(_) => {
                self.check_json(&value)?;
                self.end_with(value, |value| Outcome::Fail(super::Failure::of(value)));
                Ok(Mode::Over)
            }
            Node::Tool { tool, .. } => self.call_tool(program, node, tool, value),
            _ => Err(crooked()),
        }
    }

    /// What leaves the program must have a JSON form.
    fn check_json(&self, value: &Value) -> Res<()> {
        match crate::value::json::size(value, self.cx.limits.result_bytes as usize) {
            Ok(_) => Ok(()),
            Err(not_json) => Err(Diagnostic::new(Code::NotJson, not_json.to_string())
                .with_help("return strings, numbers, booleans, nil, lists and maps of these")),
        }
    }

    fn call_tool(&mut self, program: &Program, node: u32, tool: u32, args: Value) -> Res<Mode> {
        let name = program.tools.get(tool as usize).cloned().unwrap_or_default();
        if !matches!(args, Value::Map(_)) {
            return Err(Diagnostic::new(
                Code::WrongType,
                format!(
                    "the tool `{name}` takes a map of arguments, found {}",
                    crate::builtins::describe(&args)
                ),
            )
            .with_help(format!("write `(call \"{name}\" {{:argument value}})`")));
        }
        let max = self.cx.limits.result_bytes as usize;
        match crate::value::json::size(&args, max) {
            Ok(size) if size <= max => {}
            Ok(_) => {
                return Err(Diagnostic::new(
                    Code::ResultSizeLimit,
                    format!("the arguments of the tool `{name}` are larger as JSON than the limit of {max} bytes"),
                )
                .with_help("send less: ids instead of rows, a part at a time; or raise the limit `result_bytes`"));
            }
            Err(not_json) => {
                return Err(Diagnostic::new(
                    Code::NotJson,
                    format!("arguments of the tool `{name}`: {not_json}"),
                ));
            }
        }
        if self.cx.calls_left == 0 {
            return Err(Diagnostic::new(
                Code::ToolCallLimit,
                format!(
                    "the program makes more than its limit of {} tool calls",
                    self.cx.limits.tool_calls
                ),
            )
            .with_help("ask for more at once, or for less; or raise the limit `tool_calls`"));
        }
        self.cx.calls_left -= 1;
        self.calls_made += 1;
        let id = self.next_call_id()?;
        self.await_answer(ToolCall { id, name, args, span: program.span(node) });
        Ok(Mode::Waiting)
    }

    /// Calls a builtin whose arguments are the last values.
    pub(super) fn call_builtin(
        &mut self,
        program: &mut Arc<Program>,
        id: crate::builtins::BuiltinId,
        count: usize,
    ) -> Res<Mode> {
        let builtin = id.builtin();
        let start = self.task.stack.len() - count;
        if let Some(count) = self.detour(id, start)? {
            return self.enter(program, count);
        }
        match builtin.imp {
            Imp::Pure(_) => {
                let result = builtin.call(&mut self.cx, &mut self.task.stack[start..]);
                self.task.stack.truncate(start);
                result.map(Mode::Value)
            }
            Imp::Hof(make) => {
                let args = self.task.stack.split_off(start);
                let hof = make(&mut self.cx, args)?;
                if let Hof::Value(value) = hof {
                    return Ok(Mode::Value(value));
                }
                self.task.hofs.push(hof);
                self.step_hof(program, None)
            }
            Imp::Fork(make) => {
                let args = self.task.stack.split_off(start);
                let fork = make(&mut self.cx, args)?;
                Ok(self.fork(fork))
            }
            Imp::Lisp(_) => {
                let function = crate::builtins::library(id)?;
                self.task.stack.insert(start, function);
                self.enter(program, count)
            }
        }
    }
}

fn operands_of(node: Node) -> Option<Args> {
    match node {
        Node::Call(args)
        | Node::Builtin { args, .. }
        | Node::Vector(args)
        | Node::Map(args)
        | Node::Set(args)
        | Node::Recur { args, .. }
        | Node::RecurFunction(args) => Some(args),
        _ => None,
    }
}

/// The stack of frames does not fit the program: a bug of the machine, never of a program.
#[cold]
pub(super) fn crooked() -> Diagnostic {
    Diagnostic::new(Code::Unsupported, "the machine lost its place; this is a bug of the language")
}
