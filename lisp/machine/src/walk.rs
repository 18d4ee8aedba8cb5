//! Evaluation with frames: the loop of the machine.

#![expect(clippy::inline_always, reason = "what the loop of the machine does in every step")]

use std::sync::Arc;

use super::exits::last_form;
use super::ints::{Compared, choose, int_in};
use super::plain::plain_number;
use super::problems::invariant_violated;
use super::tracer::Tracer;
use super::{Caller, Core, Frame, Host, Mode, Outcome, Step};
use ptc_values::ir::{Args, Node, Operand, OperandKind, Program};
use ptc_values::{Res, Value};

impl<W: Tracer> Core<W> {
    /// Runs until the program ends or the machine must stop.
    pub(super) fn walk(&mut self, host: &mut Host<'_>) -> Res<Step> {
        let mut mode = std::mem::replace(&mut self.task.mode, Mode::Over);
        let mut program = self.task.program.clone();
        loop {
            let next = match mode {
                Mode::Eval(_) => self.go(&program, mode, host),
                Mode::Enter(body) | Mode::Pause(body) => self.go(&program, Mode::Eval(body), host),
                Mode::Value(_) if !self.task.frames.is_empty() => self.go(&program, mode, host),
                Mode::Value(value) if self.task.is_branch() => {
                    W::value(self, &value);
                    self.join(Ok(value))
                }
                Mode::Value(value) => {
                    W::value(self, &value);
                    self.left_at = last_form(&program).map(|node| (program.clone(), node));
                    let outcome = self.outcome_of(value, Outcome::Value);
                    self.end(outcome);
                    return Ok(Step::Done);
                }
                Mode::Raise(problem) => Err(problem),
                Mode::Fork => self.step_fork(&program),
                Mode::CallbackState => self.step_callback(&program, None),
                Mode::Waiting => match self.answered(host).or_else(|| self.next_task()) {
                    Some(mode) => Ok(mode),
                    None if self.any_answered(host) => Ok(Mode::Waiting),
                    None => return Ok(Step::Calls(self.hand_out())),
                },
                Mode::Over => return Ok(Step::Done),
            };
            mode = match next {
                Ok(mode) => mode,
                Err(problem) => {
                    W::raised(self, &problem)?;
                    self.raise(problem)?
                }
            };
            // The program changes at calls into another one, their ends, and task switches.
            if !Arc::ptr_eq(&program, &self.task.program) {
                program = self.task.program.clone();
            }
            if self.cx.pausing()
                && let Some(step) = self.pause(&mode)?
            {
                self.task.mode = mode;
                return Ok(step);
            }
        }
    }

    /// Counts live bytes if a count is due; returns a step when the slice of fuel is used up.
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

    /// Evaluates operands and hands their values to the waiting frames: the loop of the machine.
    /// Returns when the running program changes, when the machine must wait or pause, and when no
    /// frame is left.
    fn go(&mut self, program: &Arc<Program>, start: Mode, host: &mut Host<'_>) -> Res<Mode> {
        let (mut operand, mut value) = match start {
            Mode::Eval(operand) => (Some(operand), Value::Nil),
            Mode::Value(value) => (None, value),
            other => return Ok(other),
        };
        loop {
            if let Some(operand) = operand {
                value = match self.eval(program, operand)? {
                    Mode::Value(value) => value,
                    Mode::Waiting => match self.answered(host) {
                        Some(Mode::Value(value)) if !self.cx.pausing() => value,
                        answered => return Ok(answered.unwrap_or(Mode::Waiting)),
                    },
                    other => return Ok(other),
                };
            }
            W::value(self, &value);
            // Count a large value before the program makes more of it. An integer is not large.
            if !matches!(value, Value::Int(_)) && self.cx.pausing() {
                return Ok(Mode::Value(value));
            }
            let Some(frame) = self.task.frames.pop() else { return Ok(Mode::Value(value)) };
            operand = match frame {
                Frame::Return { base, to: Caller::Here, .. } => {
                    self.leave(base);
                    None
                }
                Frame::Return { base, to: Caller::Elsewhere, .. } => {
                    self.leave(base);
                    self.go_back();
                    return Ok(Mode::Value(value));
                }
                Frame::Left { node } => {
                    let Node::Op { op, b, .. } = program.node(node) else {
                        return Err(invariant_violated());
                    };
                    self.task.at = node;
                    if b.deep().is_some() {
                        self.task.stack.push(value);
                        self.task.frames.push(Frame::Right { node });
                        value = Value::Nil;
                        Some(b)
                    } else {
                        let right = self.direct(program, b)?;
                        value = self.cx.take_op(op, value, right)?;
                        None
                    }
                }
                Frame::Right { node } => {
                    let Node::Op { op, .. } = program.node(node) else {
                        return Err(invariant_violated());
                    };
                    self.task.at = node;
                    let left = self.task.stack.pop().unwrap_or_default();
                    value = self.cx.take_op(op, left, value)?;
                    None
                }
                Frame::Bind { slot } => {
                    self.task.bind(slot, value);
                    value = Value::Nil;
                    None
                }
                rarer => {
                    let next = match rarer {
                        Frame::Return { base, to: Caller::Builtin { count }, .. } => {
                            self.next_item(program, (base, count), value, host)
                        }
                        rarer => self.resume_frame(program, rarer, value),
                    };
                    match next? {
                        Mode::Eval(next) if !self.cx.pausing() => {
                            value = Value::Nil;
                            Some(next)
                        }
                        Mode::Value(answer) if !self.cx.pausing() => {
                            value = answer;
                            None
                        }
                        other => return Ok(other),
                    }
                }
            };
        }
    }

    /// Evaluates an operand as far as possible without waiting for a part of it.
    #[inline]
    fn eval(&mut self, program: &Arc<Program>, mut operand: Operand) -> Res<Mode> {
        loop {
            let Some(node) = operand.deep() else {
                return self.direct(program, operand).map(Mode::Value);
            };
            self.task.at = node;
            W::begin(self, program, node)?;
            operand = match program.node(node) {
                Node::IfInt { order, slot, int, then, other } => {
                    let known = self.compares(order, slot, Compared::Int(int));
                    let holds = match known {
                        Some(holds) => holds,
                        None => self.test_of(program, node)?,
                    };
                    choose(holds, then, other)
                }
                Node::IfSlots { order, a, b, then, other } => {
                    let known = self.compares(order, a, Compared::Slot(b));
                    let holds = match known {
                        Some(holds) => holds,
                        None => self.test_of(program, node)?,
                    };
                    choose(holds, then, other)
                }
                Node::If { test, then, other } => {
                    if test.deep().is_none() {
                        choose(self.test(program, test)?, then, other)
                    } else if let Some(value) = self.call_now(program, test)? {
                        choose(value.truthy(), then, other)
                    } else {
                        self.task.frames.push(Frame::If { node });
                        test
                    }
                }
                Node::CallSelf(args) => {
                    let mode = match self.task.plain() {
                        Some(lambda) => self.call_plain(program, node, lambda, args)?,
                        None => self.call_itself(program, node, args)?,
                    };
                    match mode {
                        Mode::Eval(next) => next,
                        mode => return Ok(mode),
                    }
                }
                Node::CallGlobal { global, args } => {
                    let mode = match self.plain_global(program, global) {
                        Some(lambda) => self.call_plain(program, node, lambda, args)?,
                        None => self.call_global(program, node, args)?,
                    };
                    match mode {
                        Mode::Eval(next) => next,
                        mode => return Ok(mode),
                    }
                }
                Node::Turn { first, body, args } => {
                    let pausing = self.cx.tick()?;
                    self.turn(program, args, first)?;
                    W::again(self, program, node);
                    if pausing {
                        return Ok(Mode::Pause(body));
                    }
                    body
                }
                Node::Op { a, .. } if a.deep().is_some() => {
                    self.task.frames.push(Frame::Left { node });
                    a
                }
                other => match self.eval_rarer(program, node, other)? {
                    Mode::Eval(next) => next,
                    mode => return Ok(mode),
                },
            };
        }
    }

    /// Evaluates nodes that are rarer in loops and calls.
    fn eval_rarer(&mut self, program: &Arc<Program>, node: u32, kind: Node) -> Res<Mode> {
        Ok(Mode::Eval(match kind {
            Node::Do(_) | Node::And(_) | Node::Or(_) => return self.sequence(program, node, 0),
            Node::Bind { slot, value } => {
                if let Some(value) = self.call_now(program, value)? {
                    self.task.bind(slot, value);
                    return Ok(Mode::Value(Value::Nil));
                }
                self.task.frames.push(Frame::Bind { slot });
                value
            }
            Node::Op { a, b, .. } => {
                // Only the right part needs frames.
                let left = self.direct(program, a)?;
                self.task.stack.push(left);
                self.task.frames.push(Frame::Right { node });
                b
            }
            Node::Get { map: part, .. }
            | Node::Def { value: part, .. }
            | Node::Return(part)
            | Node::Fail(part) => {
                if part.deep().is_none() {
                    let value = self.direct(program, part)?;
                    return self.part(program, node, value);
                }
                self.task.frames.push(Frame::Part { node });
                part
            }
            Node::Tool { args, .. } => {
                if let Some(waiting) = self.call_tool_of(program, node)? {
                    return Ok(waiting);
                }
                self.task.frames.push(Frame::Part { node });
                args
            }
            Node::Loop { body, .. } => body,
            Node::Try(index) => self.begin_try(program, node, index)?,
            Node::Call(args)
            | Node::Builtin { args, .. }
            | Node::Vector(args)
            | Node::Map(args)
            | Node::Record(args)
            | Node::Set(args)
            | Node::Recur { args, .. }
            | Node::RecurFunction(args)
            | Node::Named(args)
            | Node::Function { captures: args, .. } => {
                match self.push_operands(program, node, args, 0)? {
                    Some(deep) => deep,
                    None => return self.apply(program, node, args.count as usize),
                }
            }
            Node::If { .. }
            | Node::IfInt { .. }
            | Node::IfSlots { .. }
            | Node::CallSelf(_)
            | Node::CallGlobal { .. }
            | Node::Turn { .. } => return Err(invariant_violated()),
            Node::Text { .. }
            | Node::Borrowing { .. }
            | Node::Field { .. }
            | Node::AsMap(_)
            | Node::Pay(_)
            | Node::OpSlots { .. }
            | Node::OpInt { .. }
            | Node::AddSlots { .. }
            | Node::AddInt { .. }
            | Node::Myself
            | Node::Sibling(_)
            | Node::Global(_)
            | Node::Ctx(_)
            | Node::CtxAll
            | Node::Memory(_)
            | Node::MemoryAll
            | Node::History(_) => {
                if W::ON {
                    // The tracer already sees this node.
                    return self.direct_any(program, node).map(Mode::Value);
                }
                return self
                    .direct(program, Operand::new(OperandKind::Deep(node)))
                    .map(Mode::Value);
            }
        }))
    }

    /// Returns whether the test inside an `if` holds for values of any kind.
    #[inline(never)]
    pub(super) fn test_of(&mut self, program: &Program, node: u32) -> Res<bool> {
        let Some(Node::If { test, .. }) = program.core(node) else {
            return Err(invariant_violated());
        };
        self.test(program, test)
    }

    /// Calls the last value, a function or the number of one, with these arguments.
    #[inline(always)]
    pub(super) fn call_with(&mut self, program: &Program, node: u32, args: Args) -> Res<Mode> {
        match self.push_operands(program, node, args, 0)? {
            Some(deep) => Ok(Mode::Eval(deep)),
            None => self.call_callee(program, args.count as usize),
        }
    }

    /// Pushes the values of operands from `from` on; returns the first that needs frames.
    #[inline(always)]
    fn push_operands(
        &mut self,
        program: &Program,
        node: u32,
        args: Args,
        from: u32,
    ) -> Res<Option<Operand>> {
        for (next, operand) in (from + 1..).zip(program.args(args.from(from))) {
            match self.int(program, *operand) {
                Some(int) => self.task.stack.push(Value::Int(int)),
                None if self.push_operand(program, *operand)? => {}
                None => {
                    self.task.frames.push(Frame::Args { node, next });
                    return Ok(Some(*operand));
                }
            }
        }
        Ok(None)
    }

    /// Pushes the value of an operand of any kind; returns false if it needs frames.
    #[inline(never)]
    fn push_operand(&mut self, program: &Program, operand: Operand) -> Res<bool> {
        let value = if operand.deep().is_none() {
            self.direct(program, operand)?
        } else if let Some(value) = self.call_now(program, operand)? {
            value
        } else {
            return Ok(false);
        };
        self.task.stack.push(value);
        Ok(true)
    }

    /// Applies a node to its operands, the last `count` values.
    fn apply(&mut self, program: &Arc<Program>, node: u32, count: usize) -> Res<Mode> {
        let start = self.task.stack.len() - count;
        match program.node(node) {
            Node::Call(_) => self.enter(count - 1),
            Node::CallGlobal { .. } | Node::CallSelf(_) => self.call_callee(program, count),
            Node::Builtin { id, .. } => match self.call_builtin(id, count)? {
                Mode::CallbackState if !self.cx.pausing() => self.step_callback(program, None),
                mode => Ok(mode),
            },
            Node::Named(_) => self.call_named(program, node),
            Node::Vector(_) => {
                let items = self.task.stack.split_off(start);
                self.cx.vector(items).map(Mode::Value)
            }
            Node::Map(_) | Node::Record(_) => self.make_map(start).map(Mode::Value),
            Node::Set(_) => self.make_set(start).map(Mode::Value),
            Node::Recur { target, .. } => {
                let pausing = self.cx.tick()?;
                let Node::Loop { first, body } = program.node(target) else {
                    return Err(invariant_violated());
                };
                self.rebind(first as usize, start);
                W::again(self, program, node);
                Ok(if pausing { Mode::Pause(body) } else { Mode::Eval(body) })
            }
            Node::RecurFunction(_) => {
                let pausing = if program.builtin { false } else { self.cx.tick()? };
                self.rebind(0, start);
                W::again(self, program, node);
                let body = self.body(program, count)?;
                Ok(if pausing { Mode::Pause(body) } else { Mode::Eval(body) })
            }
            _ => Err(invariant_violated()),
        }
    }

    /// Calls the value below the last `count` values: a function, or the number of one.
    #[inline(always)]
    pub(super) fn call_callee(&mut self, program: &Program, count: usize) -> Res<Mode> {
        let place = self.task.stack.len() - count - 1;
        if let Value::Int(number) = self.task.stack[place]
            && let Some(lambda) = plain_number(number)
        {
            return self.enter_plain(program, lambda, count);
        }
        self.enter(count)
    }

    /// Calls the running function itself when its number does not suffice.
    #[inline(never)]
    fn call_itself(&mut self, program: &Program, node: u32, args: Args) -> Res<Mode> {
        let callee = self.task.stack[self.task.base - 1].clone();
        self.task.stack.push(callee);
        self.call_with(program, node, args)
    }

    /// Calls the value of a global when its number does not suffice.
    #[inline(never)]
    fn call_global(&mut self, program: &Program, node: u32, args: Args) -> Res<Mode> {
        let callee = self.direct(program, program.before(args).ok_or_else(invariant_violated)?)?;
        let sound = !matches!(callee, Value::Int(int) if plain_number(int).is_some());
        self.task.stack.push(callee);
        if sound {
            return self.call_with(program, node, args);
        }
        // This number of the program looks like the number of a function. Calling it is an error
        // for any arguments, so they are not evaluated.
        self.task.stack.extend(std::iter::repeat_n(Value::Nil, args.count as usize));
        self.enter(args.count as usize)
    }

    /// Returns to the frame of the caller.
    #[inline]
    pub(super) fn leave(&mut self, base: u32) {
        self.task.drop_above(self.task.base - 1);
        self.task.base = base as usize;
        self.task.depth -= 1;
    }

    /// Returns to the program of the caller.
    #[cold]
    pub(super) fn go_back(&mut self) {
        if let Some(caller) = self.task.callers.pop() {
            self.task.program = caller;
        }
    }

    /// Passes a value to the frame that waits for it.
    fn resume_frame(&mut self, program: &Arc<Program>, frame: Frame, value: Value) -> Res<Mode> {
        match frame {
            // The loop itself handles these.
            Frame::Return { .. }
            | Frame::Left { .. }
            | Frame::Right { .. }
            | Frame::Bind { .. } => Err(invariant_violated()),
            Frame::If { node } => {
                self.task.at = node;
                match program.node(node) {
                    Node::If { then, other, .. } => {
                        Ok(Mode::Eval(if value.truthy() { then } else { other }))
                    }
                    _ => Err(invariant_violated()),
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
            Frame::Args { node, next } => {
                self.task.at = node;
                self.task.stack.push(value);
                let args = operands_of(program.node(node)).ok_or_else(invariant_violated)?;
                match self.push_operands(program, node, args, next)? {
                    Some(deep) => Ok(Mode::Eval(deep)),
                    None => self.apply(program, node, args.count as usize),
                }
            }
            Frame::Part { node } => {
                self.task.at = node;
                self.part(program, node, value)
            }
            Frame::CallbackState => self.step_callback(program, Some(value)),
            Frame::Try { .. } => Ok(Mode::Value(value)),
            Frame::Finally { node, .. } => {
                self.task.stack.push(value);
                self.finally(program, node, false)
            }
            Frame::AfterFinally { raise: false } => {
                Ok(Mode::Value(self.task.stack.pop().unwrap_or_default()))
            }
            Frame::AfterFinally { raise: true } => {
                Err(self.task.raised.pop().unwrap_or_else(invariant_violated))
            }
        }
    }

    fn sequence(&mut self, program: &Program, node: u32, from: u32) -> Res<Mode> {
        let kind = program.node(node);
        let (Node::Do(args) | Node::And(args) | Node::Or(args)) = kind else {
            return Err(invariant_violated());
        };
        let operands = program.args(args);
        let Some((last, before)) = operands.split_last() else {
            return Ok(Mode::Value(Value::Nil));
        };
        for (at, operand) in before.iter().enumerate().skip(from as usize) {
            let value = if operand.deep().is_none() {
                if let Some((slot, value)) = self.bound(program, *operand) {
                    let value = self.direct(program, value)?;
                    self.task.bind(slot, value);
                    Value::Nil
                } else {
                    self.direct(program, *operand)?
                }
            } else if let Some(value) = self.call_now(program, *operand)? {
                value
            } else {
                self.task.frames.push(Frame::Sequence { node, next: at as u32 + 1 });
                return Ok(Mode::Eval(*operand));
            };
            match kind {
                Node::And(_) if !value.truthy() => return Ok(Mode::Value(value)),
                Node::Or(_) if value.truthy() => return Ok(Mode::Value(value)),
                _ => {}
            }
        }
        Ok(Mode::Eval(*last))
    }

    /// Assigns the variables of a loop their next values.
    #[inline(always)]
    fn turn(&mut self, program: &Program, args: Args, first: u16) -> Res<()> {
        let first = usize::from(first);
        if W::ON {
            return self.turn_any(program, args, first);
        }
        let Some(operands) = program.operands.get(args.first as usize..) else {
            return Err(invariant_violated());
        };
        let slots = &mut self.task.stack[self.task.base..];
        // Compute both before storing either: each may read the slot of the other.
        if args.count == 2 {
            if let [one, two, ..] = operands
                && let Some(one) = int_in(program, slots, *one)
                && let Some(two) = int_in(program, slots, *two)
                && let [first, second, ..] = &mut slots[first..]
            {
                put_int(first, one);
                put_int(second, two);
                return Ok(());
            }
        } else if args.count == 1
            && let [one, ..] = operands
            && let Some(one) = int_in(program, slots, *one)
        {
            put_int(&mut slots[first], one);
            return Ok(());
        }
        self.turn_any(program, args, first)
    }

    /// Assigns any number of variables values of any kind.
    #[inline(never)]
    fn turn_any(&mut self, program: &Program, args: Args, first: usize) -> Res<()> {
        let start = self.task.stack.len();
        for operand in program.args(args) {
            let value = match self.int(program, *operand) {
                Some(int) => Value::Int(int),
                None => match self.direct(program, *operand) {
                    Ok(value) => value,
                    Err(problem) => {
                        self.task.drop_above(start);
                        return Err(problem);
                    }
                },
            };
            self.task.stack.push(value);
        }
        self.rebind(first, start);
        Ok(())
    }

    /// Moves the values above `start` into the slots from `first` on.
    fn rebind(&mut self, first: usize, start: usize) {
        let slots = self.task.base + first;
        let (kept, above) = self.task.stack.split_at_mut(start);
        for (slot, value) in kept[slots..].iter_mut().zip(above) {
            std::mem::replace(slot, std::mem::take(value)).done();
        }
        self.task.drop_above(start);
    }

    /// Returns the body of the running function for a number of parameters.
    fn body(&mut self, program: &Program, params: usize) -> Res<Operand> {
        let arity = self.task.lambda(program, self.task.base).and_then(|lambda| {
            lambda
                .arities
                .iter()
                .find(|arity| arity.params as usize + usize::from(arity.variadic) == params)
        });
        arity.map(|arity| arity.body).ok_or_else(invariant_violated)
    }
}

/// Stores an integer in a slot, which usually holds one already.
#[inline]
fn put_int(slot: &mut Value, int: i64) {
    match slot {
        Value::Int(old) => *old = int,
        other => *other = Value::Int(int),
    }
}

fn operands_of(node: Node) -> Option<Args> {
    match node {
        Node::Call(args)
        | Node::CallGlobal { args, .. }
        | Node::CallSelf(args)
        | Node::Builtin { args, .. }
        | Node::Vector(args)
        | Node::Map(args)
        | Node::Record(args)
        | Node::Set(args)
        | Node::Recur { args, .. }
        | Node::RecurFunction(args)
        | Node::Named(args) => Some(args),
        _ => None,
    }
}
