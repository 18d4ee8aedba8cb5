//! The loop: what runs most, in one match. All else is in `rare.rs`, so that the loop keeps its state in registers.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_values::ir::{Op as Operation, Program};
use ptc_values::{Diagnostic, Res, Value};

use crate::calls::broken;
use crate::code::{Codes, Frame, Kind, Op, Quick, WINDOW};
use crate::rare::Then;
use crate::{Host, Registers};

/// The reason the loop ended.
pub(crate) enum Exit {
    Done(Value),
    Call(ArcStr, Value),
    /// Lower this function, and go on.
    Link(Arc<Program>, u32),
    /// Count live bytes or yield, and go on.
    Pause,
}

/// Stores a value; plain values cost no call.
#[inline(always)]
pub(crate) fn put(slot: &mut Value, value: Value) {
    if slot.is_plain() {
        std::mem::forget(std::mem::replace(slot, value));
    } else {
        put_counted(slot, value);
    }
}

#[inline(never)]
fn put_counted(slot: &mut Value, value: Value) {
    *slot = value;
}

/// Stores an integer in a slot, which usually holds one already.
#[inline(always)]
pub(crate) fn put_int(slot: &mut Value, int: i64) {
    match slot {
        Value::Int(old) => *old = int,
        other => put(other, Value::Int(int)),
    }
}

#[inline(always)]
pub(crate) fn put_float(slot: &mut Value, float: f64) {
    match slot {
        Value::Float(old) => *old = float,
        other => put(other, Value::Float(float)),
    }
}

/// Empties slots.
#[inline(always)]
pub(crate) fn empty(slots: &mut [Value]) {
    for slot in slots {
        if !slot.is_plain() {
            put_counted(slot, Value::Nil);
        }
    }
}

/// Returns the slots of the frame at `base`.
#[inline(always)]
fn window(stack: &mut [Value], base: usize) -> Option<&mut [Value; WINDOW]> {
    stack.get_mut(base..)?.first_chunk_mut()
}

#[cold]
#[inline(never)]
fn grow(stack: &mut Vec<Value>, base: usize) {
    stack.resize((base + WINDOW) * 2, Value::Nil);
}

impl Registers {
    /// Runs until something outside the loop must happen.
    pub(crate) fn go(&mut self, codes: &Codes, host: &mut Host<'_>) -> Res<Exit> {
        let mut stack = std::mem::take(&mut self.stack);
        let mut frames = std::mem::take(&mut self.frames);
        let mut current = self.code;
        let mut pc = self.pc as usize;
        let mut base = self.base as usize;
        let max_depth = self.cx.limits.call_depth as usize;

        let end: Res<Exit> = 'run: {
            let Some(mut code) = codes.list.get(current as usize) else { break 'run Err(broken()) };
            let mut ops = &code.ops[..];
            let Some(mut slots) = window(&mut stack, base) else { break 'run Err(broken()) };

            macro_rules! tri {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(problem) => break 'run Err(problem),
                    }
                };
            }
            macro_rules! tick {
                () => {
                    if tri!(self.cx.tick()) {
                        break 'run Ok(Exit::Pause);
                    }
                };
            }
            // Shows the slots of the frame at `base` again.
            macro_rules! show {
                () => {
                    match window(&mut stack, base) {
                        Some(found) => slots = found,
                        None => break 'run Err(broken()),
                    }
                };
            }
            macro_rules! switch {
                ($code:expr) => {
                    if $code != current {
                        current = $code;
                        match codes.list.get(current as usize) {
                            Some(found) => {
                                code = found;
                                ops = &code.ops[..];
                            }
                            None => break 'run Err(broken()),
                        }
                    }
                };
            }
            // Enters a function whose callee is at `first`.
            macro_rules! enter {
                ($code:expr, $first:expr, $to:expr, $count:expr, $kind:expr) => {
                    enter!($code, $first, $to, $count, $kind, 0)
                };
                ($code:expr, $first:expr, $to:expr, $count:expr, $kind:expr, $from:expr) => {{
                    let callee: u32 = $code;
                    let frame = Frame {
                        code: current,
                        pc: pc as u32,
                        base: base as u32,
                        to: $to,
                        count: $count,
                        kind: $kind,
                        from: $from,
                    };
                    switch!(callee);
                    let pausing = if code.is_free { false } else { tri!(self.cx.tick()) };
                    if frames.len() >= max_depth {
                        break 'run Err(self.cx.too_deep());
                    }
                    frames.push(frame);
                    base += usize::from($first);
                    if base + WINDOW > stack.len() {
                        grow(&mut stack, base);
                    }
                    show!();
                    pc = 0;
                    if code.variadic {
                        tri!(self.collect_rest(slots, code.params, $count));
                    }
                    if pausing {
                        break 'run Ok(Exit::Pause);
                    }
                }};
            }
            macro_rules! then {
                ($then:expr) => {
                    match $then {
                        Then::Next => {}
                        Then::Jump(to) => pc = to as usize,
                        Then::Enter { code, first, to, count, kind } => {
                            enter!(code, first, to, count, kind);
                        }
                        Then::Exit => break 'run self.exit(),
                        Then::Again => {
                            pc -= 1;
                            break 'run self.exit();
                        }
                    }
                };
            }
            // Jumps with a branch, so that the next operation is fetched before the test is known. A conditional move
            // would wait for the test. The compiler cannot move past the box.
            macro_rules! jump_unless {
                ($holds:expr, $to:expr) => {
                    if !$holds {
                        std::hint::black_box(());
                        pc = usize::from($to);
                    }
                };
            }
            macro_rules! unless {
                ($a:expr, $b:expr, $to:expr, $op:tt) => {{
                    let holds = match (&slots[usize::from($a)], &slots[usize::from($b)]) {
                        (Value::Int(a), Value::Int(b)) => a $op b,
                        (Value::Float(a), Value::Float(b)) => a $op b,
                        _ => tri!(self.slow_test(codes, current, pc, slots, $a, $b)),
                    };
                    jump_unless!(holds, $to);
                }};
            }
            macro_rules! unless_int {
                ($a:expr, $int:expr, $to:expr, $op:tt) => {{
                    let holds = match &slots[usize::from($a)] {
                        Value::Int(a) => *a $op i64::from($int),
                        _ => tri!(self.slow_test_int(codes, current, pc, slots, $a, $int)),
                    };
                    jump_unless!(holds, $to);
                }};
            }
            macro_rules! two {
                ($op:expr, $to:expr, $a:expr, $b:expr, $int:ident, $float:tt) => {
                    match (&slots[usize::from($a)], &slots[usize::from($b)]) {
                        (Value::Int(a), Value::Int(b)) if let Some(int) = a.$int(*b) => {
                            put_int(&mut slots[usize::from($to)], int);
                        }
                        (Value::Float(a), Value::Float(b)) => {
                            let float = a $float b;
                            put_float(&mut slots[usize::from($to)], float);
                        }
                        _ => tri!(self.slow_two($op, slots, code.locals, $to, $a, $b)),
                    }
                };
            }

            if let Some((first, to, later)) = self.later.take() {
                then!(self.go_on(codes, slots, first, to, later));
            }

            loop {
                let Some(op) = ops.get(pc) else { break 'run Err(broken()) };
                pc += 1;
                match *op {
                    Op::UnlessLessInt { a, to, int } => unless_int!(a, int, to, <),
                    Op::UnlessLess { a, b, to } => unless!(a, b, to, <),
                    Op::AddInt { to, a, int } => {
                        if let Value::Int(a) = &slots[usize::from(a)]
                            && let Some(sum) = a.checked_add(i64::from(int))
                        {
                            put_int(&mut slots[usize::from(to)], sum);
                        } else {
                            tri!(self.slow_add(codes, current, pc, slots, to, a, int));
                        }
                    }
                    Op::Add { to, a, b } => two!(Operation::Add, to, a, b, checked_add, +),
                    Op::Sub { to, a, b } => two!(Operation::Sub, to, a, b, checked_sub, -),
                    Op::Mul { to, a, b } => two!(Operation::Mul, to, a, b, checked_mul, *),
                    Op::MulInt { to, a, int } => {
                        if let Value::Int(a) = &slots[usize::from(a)]
                            && let Some(product) = a.checked_mul(i64::from(int))
                        {
                            put_int(&mut slots[usize::from(to)], product);
                        } else {
                            let int = Value::Int(i64::from(int));
                            let value =
                                tri!(self.cx.op(Operation::Mul, &slots[usize::from(a)], &int));
                            put(&mut slots[usize::from(to)], value);
                        }
                    }
                    Op::TurnAdd { slot, to, int } => {
                        if let Value::Int(old) = &mut slots[usize::from(slot)]
                            && let Some(sum) = old.checked_add(i64::from(int))
                        {
                            *old = sum;
                        } else {
                            tri!(self.slow_add(codes, current, pc, slots, slot, slot, int));
                        }
                        pc = usize::from(to);
                        tick!();
                    }
                    Op::TurnMove { slot, from, to } => {
                        if let Value::Int(int) = &slots[usize::from(from)] {
                            let int = *int;
                            put_int(&mut slots[usize::from(slot)], int);
                        } else {
                            let value = std::mem::take(&mut slots[usize::from(from)]);
                            put(&mut slots[usize::from(slot)], value);
                        }
                        pc = usize::from(to);
                        tick!();
                    }
                    Op::Turn { to } => {
                        pc = to as usize;
                        tick!();
                    }
                    Op::CallGlobal { to, first, count, global } => {
                        if let Some(Quick { code: found, params }) = self.quick.get(global as usize)
                            && *params == count
                        {
                            enter!(*found, first, to, count, Kind::Call);
                        } else {
                            then!(self.call_global(codes, slots, global, first, to, count));
                        }
                    }
                    Op::CallSelf { to, first, count } => {
                        if code.params != count || code.variadic {
                            let callee = slots[0].clone();
                            put(&mut slots[usize::from(first)], callee);
                            then!(self.call(codes, slots, first, to, count));
                        } else if code.needs_itself {
                            let callee = std::mem::take(&mut slots[0]);
                            put(&mut slots[usize::from(first)], callee);
                            enter!(current, first, to, count, Kind::Lent);
                        } else {
                            enter!(current, first, to, count, Kind::Call);
                        }
                    }
                    Op::CallKnown { to, first, count, lambda } => {
                        match codes.known(code.program, lambda, count) {
                            Some(found) => enter!(found, first, to, count, Kind::Call),
                            None => break 'run Err(broken()),
                        }
                    }
                    Op::Return { from } => {
                        let mut value = std::mem::take(&mut slots[usize::from(from)]);
                        let locals = usize::from(code.locals);
                        let Some(frame) = frames.last().copied() else {
                            empty(&mut slots[..locals]);
                            break 'run Ok(Exit::Done(value));
                        };
                        if frame.kind == Kind::Call {
                            empty(&mut slots[..locals]);
                            frames.pop();
                            base = frame.base as usize;
                            pc = frame.pc as usize;
                            switch!(frame.code);
                            show!();
                            put(&mut slots[usize::from(frame.to)], value);
                            continue;
                        }
                        if frame.kind == Kind::Item && !code.variadic {
                            // The parameters are replaced, so only the locals are emptied.
                            let params = usize::from(frame.count) + 1;
                            if tri!(self.again(slots, frame.count, &mut value)) {
                                if locals > params {
                                    empty(&mut slots[params..locals]);
                                }
                                pc = 0;
                                if !code.is_free {
                                    tick!();
                                }
                                continue;
                            }
                        }
                        let lent = if frame.kind == Kind::Lent {
                            std::mem::take(&mut slots[0])
                        } else {
                            Value::Nil
                        };
                        empty(&mut slots[..locals]);
                        let asked = if frame.kind == Kind::Item {
                            Some(tri!(self.ask(codes, &mut slots[..], Some(value))))
                        } else {
                            self.value = value;
                            None
                        };
                        frames.pop();
                        let first = (base - frame.base as usize) as u8;
                        base = frame.base as usize;
                        pc = frame.pc as usize;
                        switch!(frame.code);
                        show!();
                        if frame.kind == Kind::Lent {
                            put(&mut slots[usize::from(frame.from)], lent);
                            let value = std::mem::take(&mut self.value);
                            put(&mut slots[usize::from(frame.to)], value);
                            continue;
                        }
                        then!(self.deliver(slots, frame.kind, asked, first, frame.to));
                    }
                    Op::Move { to, from } => {
                        let value = std::mem::take(&mut slots[usize::from(from)]);
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Copy { to, from } => {
                        let value = slots[usize::from(from)].clone();
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Int { to, int } => put_int(&mut slots[usize::from(to)], i64::from(int)),
                    Op::Jump { to } => pc = to as usize,
                    Op::Unless { test, taken, to } => {
                        let slot = &mut slots[usize::from(test)];
                        if !slot.truthy() {
                            std::hint::black_box(());
                            pc = to as usize;
                        } else if taken {
                            put(slot, Value::Nil);
                        }
                    }
                    Op::If { test, taken, to } => {
                        let slot = &mut slots[usize::from(test)];
                        if slot.truthy() {
                            pc = to as usize;
                            if taken {
                                put(slot, Value::Nil);
                            }
                        }
                    }
                    Op::UnlessLessEq { a, b, to } => unless!(a, b, to, <=),
                    Op::UnlessGreater { a, b, to } => unless!(a, b, to, >),
                    Op::UnlessGreaterEq { a, b, to } => unless!(a, b, to, >=),
                    Op::UnlessEqual { a, b, to } => unless!(a, b, to, ==),
                    Op::UnlessNotEqual { a, b, to } => unless!(a, b, to, !=),
                    Op::UnlessLessEqInt { a, to, int } => unless_int!(a, int, to, <=),
                    Op::UnlessGreaterInt { a, to, int } => unless_int!(a, int, to, >),
                    Op::UnlessGreaterEqInt { a, to, int } => unless_int!(a, int, to, >=),
                    Op::UnlessEqualInt { a, to, int } => unless_int!(a, int, to, ==),
                    Op::UnlessNotEqualInt { a, to, int } => unless_int!(a, int, to, !=),
                    Op::UnlessEven { a, rest, to } => {
                        let holds = match &slots[usize::from(a)] {
                            Value::Int(int) => int & 1 == i64::from(rest),
                            _ => tri!(self.slow_test_int(codes, current, pc, slots, a, 0)),
                        };
                        jump_unless!(holds, to);
                    }
                    Op::CallSlot { to, first, count, callee } => {
                        let slot = &slots[usize::from(callee)];
                        match codes.own(code.program, slot, count) {
                            Some((found, false)) => enter!(found, first, to, count, Kind::Call),
                            Some((found, true)) => {
                                let function = std::mem::take(&mut slots[usize::from(callee)]);
                                put(&mut slots[usize::from(first)], function);
                                enter!(found, first, to, count, Kind::Lent, callee);
                            }
                            None => {
                                let function = slot.clone();
                                put(&mut slots[usize::from(first)], function);
                                then!(self.call(codes, slots, first, to, count));
                            }
                        }
                    }
                    Op::Call { to, first, count } => {
                        then!(self.call(codes, slots, first, to, count));
                    }
                    Op::Const { to, constant } => {
                        let value = code.constant(constant).clone();
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Capture { to, index } => {
                        let value = match &slots[0] {
                            Value::Function(closure) => {
                                match closure.captures.get(usize::from(index)) {
                                    Some(value) => value.clone(),
                                    None => Value::Nil,
                                }
                            }
                            _ => Value::Nil,
                        };
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Lookup { to, data, key, taken, over } => {
                        if !matches!(&slots[usize::from(data)], Value::Function(_))
                            && tri!(self.look_up(slots, to, data, key, taken))
                        {
                            pc = usize::from(over);
                        }
                    }
                    Op::Two { op, to, a, b } => tri!(self.two(slots, code.locals, op, to, a, b)),
                    Op::TwoInt { op, to, a, int } => tri!(self.two_int(slots, op, to, a, int)),
                    Op::TwoConst { op, to, a, constant } => {
                        let b = code.constant(u32::from(constant));
                        tri!(self.two_const(slots, op, to, a, b));
                    }
                    Op::UnlessConst { op, a, constant, to } => {
                        let b = code.constant(u32::from(constant));
                        if !tri!(self.test_const(slots, op, a, b)) {
                            pc = usize::from(to);
                        }
                    }
                    Op::Pure { to, first, count, id } => {
                        then!(self.pure(slots, to, first, count, id));
                    }
                    Op::Borrow { to, a, taken, id } => {
                        tri!(self.borrow_one(slots, to, a, taken, id));
                    }
                    Op::Borrow2 { to, a, b, taken, id } => {
                        tri!(self.borrow_two(slots, to, a, b, taken, id));
                    }
                    Op::Field { to, map, taken, key } => {
                        self.field(slots, to, map, taken, code.constant(u32::from(key)));
                    }
                    Op::GetField { to, map, taken, key } => {
                        let key = code.constant(u32::from(key));
                        tri!(self.get_field((codes, code, pc), slots, to, map, taken, key));
                    }
                    Op::AsMap { to, from, taken } => {
                        tri!(self.as_map((codes, code, pc), slots, to, from, taken));
                    }
                    Op::Record { to, first, count, shape } => {
                        tri!(self.record(code, slots, to, first, count, shape));
                    }
                    Op::Tool { to, args, is_record, tool } => {
                        let linked = codes.programs.get(code.program as usize);
                        match linked.and_then(|linked| linked.program.tools.get(tool as usize)) {
                            Some(name) => then!(self.tool(slots, name, to, args, is_record, host)),
                            None => break 'run Err(broken()),
                        }
                    }
                    op => then!(self.rare(codes, code, pc, op, slots)),
                }
            }
        };
        self.stack = stack;
        self.frames = frames;
        self.code = current;
        self.pc = pc as u32;
        self.base = base as u32;
        end.map_err(|problem| self.located(codes, problem))
    }

    /// Adds the place in the source to a problem without one.
    #[cold]
    fn located(&self, codes: &Codes, problem: Diagnostic) -> Diagnostic {
        let Some(code) = codes.list.get(self.code as usize) else { return problem };
        let node = code.nodes.get((self.pc as usize).wrapping_sub(1));
        match (node, codes.programs.get(code.program as usize)) {
            (Some(node), Some(linked)) if !problem.has_place() && !linked.program.builtin => {
                problem.at(linked.program.span(*node)).in_source(&linked.program.source)
            }
            _ => problem,
        }
    }
}
