//! The loop: what runs most, in one match. All else is in `rare.rs`, so that the loop keeps its state in registers.

#![expect(clippy::inline_always, reason = "measured: the loop keeps its state in registers")]

use std::sync::Arc;

use super::action::Action;
use super::codes::{Codes, Frame, Kind, Quick};
use super::driver::Host;
use super::machine_core::Core;
use super::parts::{has_items, is_at_hand, item, pay_for_rest, rest, rest_now};
use super::problems::invariant_violated;
use super::slots::{empty, items, put, put_float, put_int};
use super::task::Dest;
use super::then::{Exit, Then};
use super::tracer::Tracer;
use crate::ops::{Op, WINDOW};
use ptc_values::ir::Op as Operation;
use ptc_values::{Closure, Program, Res, Value};

/// Returns the slots of the frame at `base`.
#[inline(always)]
fn window(stack: &mut [Value], base: usize) -> Option<&mut [Value; WINDOW]> {
    stack.get_mut(base..)?.first_chunk_mut()
}

/// The slots of the first calls of a program, which need no other allocation.
const FIRST_CALLS: usize = 64;

#[cold]
#[inline(never)]
fn grow(stack: &mut Vec<Value>, base: usize) {
    // A copy of nil would be a call for each slot.
    stack.resize_with(base * 2 + WINDOW + FIRST_CALLS, || Value::Nil);
}

impl<W: Tracer> Core<W> {
    /// Runs the code of the running task until something outside the loop must happen.
    pub(super) fn go(&mut self, host: &mut Host<'_>) -> Res<Action> {
        loop {
            let codes = self.codes.clone();
            let exit = self.go_in(&codes, host);
            drop(codes);
            match exit? {
                Exit::Action(action) => return Ok(action),
                Exit::Pause => return Ok(Action::Go),
                Exit::Link(program, lambda) => self.link(&program, lambda)?,
            }
        }
    }

    /// Lowers a function.
    pub(super) fn link(&mut self, program: &Arc<Program>, lambda: u32) -> Res<()> {
        let codes = Arc::get_mut(&mut self.codes).ok_or_else(invariant_violated)?;
        codes.link(program, lambda)?;
        self.made.resize(codes.caches as usize, Value::Nil);
        Ok(())
    }

    fn go_in(&mut self, codes: &Codes, host: &mut Host<'_>) -> Res<Exit> {
        let mut stack = std::mem::take(&mut self.task.stack);
        let mut frames = std::mem::take(&mut self.task.frames);
        let mut current = self.task.entry;
        let mut pc = self.task.pc as usize;
        let mut base = self.task.base as usize;
        let max_depth = self.cx.limits.call_depth.saturating_sub(self.task.depth) as usize;
        if base + WINDOW > stack.len() {
            grow(&mut stack, base);
        }

        let end: Res<Exit> = 'run: {
            let Some(mut entry) = codes.list.get(current as usize) else {
                break 'run Err(invariant_violated());
            };
            let mut ops = &entry.code.ops[..];
            let Some(mut slots) = window(&mut stack, base) else {
                break 'run Err(invariant_violated());
            };

            macro_rules! tri {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(problem) => break 'run Err(problem),
                    }
                };
            }
            // Pays for a turn and jumps. A problem belongs to the operation before the jump.
            macro_rules! turn {
                ($to:expr) => {{
                    let pausing = tri!(self.cx.tick());
                    pc = $to;
                    if pausing {
                        break 'run Ok(Exit::Pause);
                    }
                }};
            }
            // Shows the slots of the frame at `base` again.
            macro_rules! show {
                () => {
                    match window(&mut stack, base) {
                        Some(found) => slots = found,
                        None => break 'run Err(invariant_violated()),
                    }
                };
            }
            // Does something that looks at the stacks of the task.
            macro_rules! outside {
                ($do:expr) => {{
                    self.task.stack = stack;
                    self.task.frames = frames;
                    (self.task.entry, self.task.pc) = (current, pc as u32);
                    self.task.base = base as u32;
                    let result = $do;
                    stack = std::mem::take(&mut self.task.stack);
                    frames = std::mem::take(&mut self.task.frames);
                    show!();
                    result
                }};
            }
            macro_rules! switch {
                ($entry:expr) => {
                    if $entry != current {
                        current = $entry;
                        match codes.list.get(current as usize) {
                            Some(found) => {
                                entry = found;
                                ops = &entry.code.ops[..];
                            }
                            None => break 'run Err(invariant_violated()),
                        }
                    }
                };
            }
            // Enters a function whose callee is at `first`.
            macro_rules! enter {
                ($entry:expr, $first:expr, $to:expr, $count:expr, $kind:expr) => {
                    enter!($entry, $first, $to, $count, $kind, 0)
                };
                ($entry:expr, $first:expr, $to:expr, $count:expr, $kind:expr, $from:expr) => {{
                    let callee: u32 = $entry;
                    let frame = Frame {
                        entry: current,
                        pc: pc as u32,
                        base: base as u32,
                        to: $to,
                        count: $count,
                        kind: $kind,
                        from: $from,
                    };
                    let Some(found) = codes.list.get(callee as usize) else {
                        break 'run Err(invariant_violated());
                    };
                    let pausing = if found.is_free { false } else { tri!(self.cx.tick()) };
                    if frames.len() >= max_depth {
                        break 'run Err(self.cx.too_deep());
                    }
                    switch!(callee);
                    frames.push(frame);
                    base += usize::from($first);
                    if base + WINDOW > stack.len() {
                        grow(&mut stack, base);
                    }
                    show!();
                    pc = 0;
                    if entry.variadic {
                        tri!(self.collect_rest(slots, entry.params, $count));
                    }
                    if pausing {
                        break 'run Ok(Exit::Pause);
                    }
                }};
            }
            macro_rules! then {
                ($then:expr) => {{
                    let then: Then = $then;
                    // Most operations go on. The compiler cannot move the test behind the box into the one before it.
                    if !matches!(then, Then::Request) {
                    std::hint::black_box(());
                    match then {
                        Then::Request => {}
                        Then::Jump(to) => pc = to as usize,
                        Then::Enter { entry, first, to, count, kind } => {
                            enter!(entry, first, to, count, kind);
                        }
                        Then::Exit => break 'run self.exit(),
                    }
                    }
                }};
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
                        _ => tri!(self.slow_test(entry, pc, slots, $a, $b)),
                    };
                    jump_unless!(holds, $to);
                }};
            }
            macro_rules! unless_int {
                ($a:expr, $int:expr, $to:expr, $op:tt) => {{
                    let holds = match &slots[usize::from($a)] {
                        Value::Int(a) => *a $op i64::from($int),
                        _ => tri!(self.slow_test_int(entry, pc, slots, $a, $int)),
                    };
                    jump_unless!(holds, $to);
                }};
            }
            // Pays for the rest of a collection and makes it, if it is at hand.
            macro_rules! rest {
                ($from:expr, $over:expr, $make:expr) => {
                    if is_at_hand(&slots[usize::from($from)]) {
                        tri!(pay_for_rest(&mut self.cx));
                        $make;
                        pc = usize::from($over);
                        if self.cx.counting_due() {
                            break 'run Ok(Exit::Pause);
                        }
                    }
                };
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
                        _ => tri!(self.slow_two($op, slots, entry.locals, $to, $a, $b)),
                    }
                };
            }

            if let Some((first, to, later)) = self.task.later.take() {
                then!(self.go_on(codes, slots, first, to, later));
            }

            loop {
                let Some(op) = ops.get(pc) else { break 'run Err(invariant_violated()) };
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
                            tri!(self.slow_add(entry, pc, slots, to, a, int));
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
                            tri!(self.slow_turn(entry, pc, slots, slot, int));
                        }
                        turn!(usize::from(to));
                    }
                    Op::TurnMove { slot, from, to } => {
                        if let Value::Int(int) = &slots[usize::from(from)] {
                            let int = *int;
                            put_int(&mut slots[usize::from(slot)], int);
                        } else {
                            let value = std::mem::take(&mut slots[usize::from(from)]);
                            put(&mut slots[usize::from(slot)], value);
                        }
                        turn!(usize::from(to));
                    }
                    Op::Turn { to } => turn!(to as usize),
                    Op::CallGlobal { to, first, count, global } => {
                        if let Some(Quick { entry: found, params }) =
                            self.quick.get(global as usize)
                            && *params == count
                        {
                            enter!(*found, first, to, count, Kind::Call);
                        } else {
                            then!(self.call_global(codes, slots, global, first, to, count));
                        }
                    }
                    Op::CallSelf { to, first, count } => {
                        if entry.needs_itself {
                            let callee = std::mem::take(&mut slots[0]);
                            put(&mut slots[usize::from(first)], callee);
                            enter!(current, first, to, count, Kind::Lent);
                        } else {
                            enter!(current, first, to, count, Kind::Call);
                        }
                    }
                    Op::CallKnown { to, first, count, lambda } => {
                        match codes.known(entry.number, lambda, count) {
                            Some(found) => enter!(found, first, to, count, Kind::Call),
                            None => {
                                let closure =
                                    Closure::new(entry.program.clone(), lambda, Box::default());
                                put(
                                    &mut slots[usize::from(first)],
                                    Value::Function(Arc::new(closure)),
                                );
                                then!(self.call(codes, slots, first, to, count));
                            }
                        }
                    }
                    Op::Return { from } => {
                        let mut value = std::mem::take(&mut slots[usize::from(from)]);
                        if W::ON {
                            outside!(W::value(self, &value));
                        }
                        let locals = usize::from(entry.locals);
                        let Some(frame) = frames.last().copied() else {
                            empty(&mut slots[..locals]);
                            self.task.dest = Dest::End;
                            break 'run Ok(Exit::Action(Action::Value(value)));
                        };
                        if frame.kind == Kind::Call {
                            empty(&mut slots[..locals]);
                            frames.pop();
                            base = frame.base as usize;
                            pc = frame.pc as usize;
                            switch!(frame.entry);
                            show!();
                            put(&mut slots[usize::from(frame.to)], value);
                            continue;
                        }
                        if frame.kind == Kind::Item
                            && (!entry.variadic || frame.count == entry.params)
                        {
                            // The parameters are replaced, so only the locals are emptied.
                            let params = usize::from(frame.count) + 1;
                            if tri!(self.again(slots, frame.count, &mut value)) {
                                if locals > params {
                                    empty(&mut slots[params..locals]);
                                    if entry.variadic {
                                        // A `recur` may have put a number there.
                                        put(&mut slots[params], Value::Nil);
                                    }
                                }
                                if entry.is_free {
                                    pc = 0;
                                } else {
                                    turn!(0);
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
                        frames.pop();
                        let first = (base - frame.base as usize) as u8;
                        base = frame.base as usize;
                        pc = frame.pc as usize;
                        switch!(frame.entry);
                        show!();
                        if frame.kind == Kind::Lent {
                            put(&mut slots[usize::from(frame.from)], lent);
                            put(&mut slots[usize::from(frame.to)], value);
                            continue;
                        }
                        self.task.pc = pc as u32;
                        then!(self.deliver(codes, slots, frame.kind, value, first, frame.to));
                    }
                    Op::Move { to, from } => {
                        let value = if W::ON && self.watch.keeps() {
                            slots[usize::from(from)].clone()
                        } else {
                            std::mem::take(&mut slots[usize::from(from)])
                        };
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
                            _ => tri!(self.slow_test_int(entry, pc, slots, a, 0)),
                        };
                        jump_unless!(holds, to);
                    }
                    Op::CallSlot { to, first, count, callee } => {
                        let slot = &slots[usize::from(callee)];
                        match codes.own(entry.number, slot, count) {
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
                    Op::Pay { to, fuel } => {
                        tri!(self.cx.spend(u64::from(fuel)));
                        put(&mut slots[usize::from(to)], Value::Nil);
                    }
                    Op::Const { to, constant } => {
                        let value = entry.constant(constant).clone();
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
                            && tri!(self.look_up_slot(slots, to, data, key, taken))
                        {
                            pc = usize::from(over);
                        }
                    }
                    Op::Items { to, from, count, taken, over } => {
                        if items(slots, to, from, count, taken) {
                            pc = usize::from(over);
                        }
                    }
                    Op::HasItems { to, a, is_seq, taken, over } => {
                        let slot = &mut slots[usize::from(a)];
                        if let Some(has) = has_items(slot, is_seq) {
                            if taken {
                                put(slot, Value::Nil);
                            }
                            if is_seq {
                                tri!(pay_for_rest(&mut self.cx));
                            }
                            if has == is_seq {
                                pc = usize::from(over) + 1;
                            } else {
                                put(&mut slots[usize::from(to)], Value::Nil);
                                pc = usize::from(over);
                            }
                            if is_seq && self.cx.counting_due() {
                                break 'run Ok(Exit::Pause);
                            }
                        }
                    }
                    Op::Item { to, from, at, taken, over } => {
                        if item(slots, to, from, at, taken) {
                            pc = usize::from(over);
                        }
                    }
                    Op::Rest { to, from, at, taken, over } => {
                        rest!(from, over, rest(slots, to, from, at, taken, false));
                    }
                    Op::Next { to, from, at, taken, over } => {
                        rest!(from, over, rest(slots, to, from, at, taken, true));
                    }
                    Op::RestLater { to, from, over } => {
                        // No call of such a builtin has this value.
                        rest!(from, over, put(&mut slots[usize::from(to)], Value::Bool(true)));
                    }
                    Op::RestNow { slot, from, at, or_nil } => {
                        rest_now(slots, slot, from, at, or_nil);
                    }
                    Op::Two { op, to, a, b } => tri!(self.two(slots, entry.locals, op, to, a, b)),
                    Op::TwoInt { op, to, a, int } => tri!(self.two_int(slots, op, to, a, int)),
                    Op::TwoConst { op, to, a, constant } => {
                        let b = entry.constant(u32::from(constant));
                        tri!(self.two_const(slots, op, to, a, b));
                    }
                    Op::UnlessConst { op, a, constant, to } => {
                        let b = entry.constant(u32::from(constant));
                        if !tri!(self.test_const(slots, op, a, b)) {
                            pc = usize::from(to);
                        }
                    }
                    Op::Pure { to, first, count, id } => {
                        then!(self.pure(codes, slots, to, first, count, id));
                    }
                    Op::Text { to, first, count, id } => {
                        then!(self.text(codes, slots, to, first, count, id));
                    }
                    Op::Borrow { to, a, taken, id } => {
                        then!(self.borrow_one((codes, entry), slots, to, a, taken, id));
                    }
                    Op::Borrow2 { to, a, b, taken, id } => {
                        then!(self.borrow_two((codes, entry), slots, to, a, b, taken, id));
                    }
                    Op::Field { to, map, taken, key } => {
                        self.field(slots, to, map, taken, entry.constant(u32::from(key)));
                    }
                    Op::GetField { to, map, taken, key } => {
                        let key = entry.constant(u32::from(key));
                        then!(self.get_field((codes, entry, pc), slots, to, map, taken, key));
                    }
                    Op::AsMap { to, from, taken } => {
                        then!(self.as_map((codes, entry, pc), slots, to, from, taken));
                    }
                    Op::Record { to, first, count, shape } => {
                        then!(self.record(entry, slots, to, first, count, shape));
                    }
                    Op::Arguments { to, first, count, shape } => {
                        self.task.pc = pc as u32;
                        let then = self.arguments(entry, slots, to, first, count, shape, host);
                        pc = self.task.pc as usize;
                        then!(then);
                    }
                    Op::Tool { to, args, is_record, tool } => {
                        self.task.pc = pc as u32;
                        match entry.program.tools.get(tool as usize) {
                            Some(name) => {
                                let span = entry.program.span(entry.node(pc as u32));
                                then!(self.tool(slots, (name, span), to, args, is_record, host));
                            }
                            None => break 'run Err(invariant_violated()),
                        }
                    }
                    Op::Begin { node } => {
                        if W::ON {
                            let begun = outside!(W::begin(self, &entry.program, node));
                            tri!(begun);
                        }
                    }
                    Op::End { from, node } => {
                        if W::ON {
                            let value = slots[usize::from(from)].clone();
                            outside!(W::end(self, &entry.program, node, &value));
                        }
                    }
                    Op::Again { node } => {
                        if W::ON {
                            outside!(W::again(self, &entry.program, node));
                        }
                    }
                    op => {
                        self.task.pc = pc as u32;
                        self.task.entry = current;
                        then!(self.rare(codes, entry, pc, op, slots));
                    }
                }
            }
        };
        self.task.stack = stack;
        self.task.frames = frames;
        self.task.entry = current;
        self.task.pc = pc as u32;
        self.task.base = base as u32;
        end
    }
}
