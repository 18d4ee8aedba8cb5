//! The loop: one match over all operations.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_machine::{CallbackState, Imp};
use ptc_values::ir::{Op as Operation, Program};
use ptc_values::{Closure, Diagnostic, Ext, Res, Value};

use crate::calls::{Asked, Found, Later, broken};
use crate::code::{Codes, Frame, Kind, Op, WINDOW};
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
fn put(slot: &mut Value, value: Value) {
    std::mem::replace(slot, value).done();
}

/// Stores an integer in a slot, which usually holds one already.
#[inline(always)]
fn put_int(slot: &mut Value, int: i64) {
    match slot {
        Value::Int(old) => *old = int,
        other => put(other, Value::Int(int)),
    }
}

#[inline(always)]
fn put_float(slot: &mut Value, float: f64) {
    match slot {
        Value::Float(old) => *old = float,
        other => put(other, Value::Float(float)),
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
                ($code:expr, $first:expr, $to:expr, $count:expr, $kind:expr) => {{
                    let callee: u32 = $code;
                    let frame = Frame {
                        code: current,
                        pc: pc as u32,
                        base: base as u32,
                        to: $to,
                        count: $count,
                        kind: $kind,
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
            macro_rules! asked {
                ($asked:expr, $first:expr, $to:expr) => {
                    match $asked {
                        Asked::Value(value) => {
                            show!();
                            put(&mut slots[usize::from($to)], value);
                            if self.cx.counting_due() {
                                break 'run Ok(Exit::Pause);
                            }
                        }
                        Asked::Enter(code, count) => {
                            enter!(code, $first, $to, count, Kind::Item);
                        }
                        Asked::Later(value) => {
                            self.later = Some(($first, $to, Later::Got(value)));
                            break 'run Ok(Exit::Pause);
                        }
                        Asked::Link(program, lambda, count) => {
                            self.later = Some(($first, $to, Later::Enter(count)));
                            break 'run Ok(Exit::Link(program, lambda));
                        }
                    }
                };
            }
            macro_rules! unless {
                ($a:expr, $b:expr, $to:expr, $op:tt) => {
                    match (&slots[usize::from($a)], &slots[usize::from($b)]) {
                        (Value::Int(a), Value::Int(b)) => {
                            if !(a $op b) {
                                pc = usize::from($to);
                            }
                        }
                        (Value::Float(a), Value::Float(b)) => {
                            if !(a $op b) {
                                pc = usize::from($to);
                            }
                        }
                        _ => {
                            if !tri!(self.slow_test(codes, current, pc, slots, $a, $b)) {
                                pc = usize::from($to);
                            }
                        }
                    }
                };
            }
            macro_rules! unless_int {
                ($a:expr, $int:expr, $to:expr, $op:tt) => {
                    if let Value::Int(a) = &slots[usize::from($a)] {
                        if !(*a $op i64::from($int)) {
                            pc = usize::from($to);
                        }
                    } else if !tri!(self.slow_test_int(codes, current, pc, slots, $a, $int)) {
                        pc = usize::from($to);
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
                        _ => tri!(self.slow_two($op, slots, code.locals, $to, $a, $b)),
                    }
                };
            }

            match self.later.take() {
                None => {}
                Some((first, to, Later::Got(value))) => {
                    let place = base + usize::from(first);
                    let asked = tri!(self.ask(codes, &mut stack, place, Some(value)));
                    asked!(asked, first, to);
                }
                Some((first, to, Later::Enter(count))) => {
                    let place = base + usize::from(first);
                    let asked = tri!(self.ask_again(codes, &mut stack, place, count));
                    asked!(asked, first, to);
                }
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
                    Op::TurnMove { slot, from, to } => {
                        if let Value::Int(int) = &slots[usize::from(from)] {
                            let int = *int;
                            put_int(&mut slots[usize::from(slot)], int);
                        } else {
                            let value = std::mem::take(&mut slots[usize::from(from)]);
                            put(&mut slots[usize::from(slot)], value);
                        }
                        pc = usize::from(to);
                        if tri!(self.cx.tick()) {
                            break 'run Ok(Exit::Pause);
                        }
                    }
                    Op::Turn { to } => {
                        pc = to as usize;
                        if tri!(self.cx.tick()) {
                            break 'run Ok(Exit::Pause);
                        }
                    }
                    Op::CallGlobal { to, first, count, global } => {
                        let Some(Some(callee)) = self.globals.get(global as usize) else {
                            break 'run Err(self.undefined(global));
                        };
                        if let Value::Function(closure) = callee
                            && let Some(found) = codes.quick(code.program, closure, count)
                        {
                            enter!(found, first, to, count, Kind::Call);
                        } else {
                            put(&mut slots[usize::from(first)], callee.clone());
                            match tri!(self.call(codes, slots, first, to, count)) {
                                Found::Code(found) => enter!(found, first, to, count, Kind::Call),
                                Found::Link(program, lambda) => {
                                    pc -= 1;
                                    break 'run Ok(Exit::Link(program, lambda));
                                }
                                Found::Done => {}
                            }
                        }
                    }
                    Op::CallSelf { to, first, count } => {
                        if code.params != count || code.variadic {
                            let callee = slots[0].clone();
                            put(&mut slots[usize::from(first)], callee);
                            match tri!(self.call(codes, slots, first, to, count)) {
                                Found::Code(found) => enter!(found, first, to, count, Kind::Call),
                                _ => break 'run Err(broken()),
                            }
                        } else if code.needs_itself {
                            let callee = std::mem::take(&mut slots[0]);
                            put(&mut slots[usize::from(first)], callee);
                            enter!(current, first, to, count, Kind::Myself);
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
                    Op::Call { to, first, count } => {
                        match tri!(self.call(codes, slots, first, to, count)) {
                            Found::Code(found) => enter!(found, first, to, count, Kind::Call),
                            Found::Link(program, lambda) => {
                                pc -= 1;
                                break 'run Ok(Exit::Link(program, lambda));
                            }
                            Found::Done => {
                                if self.cx.counting_due() {
                                    break 'run Ok(Exit::Pause);
                                }
                            }
                        }
                    }
                    Op::Return { from } => {
                        let mut value = std::mem::take(&mut slots[usize::from(from)]);
                        let locals = usize::from(code.locals);
                        let Some(frame) = frames.pop() else {
                            slots[..locals].iter_mut().for_each(|slot| put(slot, Value::Nil));
                            break 'run Ok(Exit::Done(value));
                        };
                        if frame.kind == Kind::Item && !code.variadic {
                            // The parameters are replaced, so only the locals are emptied.
                            let params = usize::from(frame.count) + 1;
                            let Some(args) = slots.get_mut(1..params) else {
                                break 'run Err(broken());
                            };
                            let Some(state) = self.callbacks.last_mut() else {
                                break 'run Err(broken());
                            };
                            if tri!(state.again(&mut self.cx, args, &mut value)) {
                                if locals > params {
                                    slots[params..locals].iter_mut().for_each(|slot| {
                                        if !slot.is_plain() {
                                            *slot = Value::Nil;
                                        }
                                    });
                                }
                                frames.push(frame);
                                pc = 0;
                                if !code.is_free && tri!(self.cx.tick()) {
                                    break 'run Ok(Exit::Pause);
                                }
                                continue;
                            }
                        }
                        let myself = if frame.kind == Kind::Myself {
                            std::mem::take(&mut slots[0])
                        } else {
                            Value::Nil
                        };
                        for slot in &mut slots[..locals] {
                            if !slot.is_plain() {
                                *slot = Value::Nil;
                            }
                        }
                        let place = base;
                        base = frame.base as usize;
                        pc = frame.pc as usize;
                        switch!(frame.code);
                        match frame.kind {
                            Kind::Call => {
                                myself.done();
                                show!();
                                put(&mut slots[usize::from(frame.to)], value);
                            }
                            Kind::Myself => {
                                show!();
                                put(&mut slots[0], myself);
                                put(&mut slots[usize::from(frame.to)], value);
                                continue;
                            }
                            Kind::Item => {
                                let first = (place - base) as u8;
                                let asked = tri!(self.ask(codes, &mut stack, place, Some(value)));
                                asked!(asked, first, frame.to);
                            }
                            Kind::Field | Kind::Path => {
                                show!();
                                let first = (place - base) as u8;
                                tri!(self.changed(slots, frame.kind, first, frame.to, value));
                                if self.cx.counting_due() {
                                    break 'run Ok(Exit::Pause);
                                }
                            }
                        }
                    }
                    Op::Move { to, from } => {
                        let value = std::mem::take(&mut slots[usize::from(from)]);
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Copy { to, from } => {
                        let value = slots[usize::from(from)].clone();
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Drop { slot } => put(&mut slots[usize::from(slot)], Value::Nil),
                    Op::Int { to, int } => put_int(&mut slots[usize::from(to)], i64::from(int)),
                    Op::Const { to, constant } => {
                        let value = self.constant(codes, code.program, constant);
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Capture { to, index } => {
                        let value = match &slots[0] {
                            Value::Function(closure) => {
                                closure.captures.get(usize::from(index)).cloned().unwrap_or_default()
                            }
                            _ => Value::Nil,
                        };
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Myself { to } => {
                        let value = slots[0].clone();
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Jump { to } => pc = to as usize,
                    Op::Unless { test, taken, to } => {
                        let slot = &mut slots[usize::from(test)];
                        if !slot.truthy() {
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
                        if let Value::Int(int) = &slots[usize::from(a)] {
                            if int & 1 != i64::from(rest) {
                                pc = usize::from(to);
                            }
                        } else if !tri!(self.slow_test_int(codes, current, pc, slots, a, 0)) {
                            pc = usize::from(to);
                        }
                    }
                    Op::Two { op, to, a, b } => {
                        if let (Value::Int(a), Value::Int(b)) =
                            (&slots[usize::from(a)], &slots[usize::from(b)])
                            && let Some(value) = two_ints(op, *a, *b)
                        {
                            put(&mut slots[usize::from(to)], value);
                        } else {
                            tri!(self.slow_two(op, slots, code.locals, to, a, b));
                        }
                    }
                    Op::TwoInt { op, to, a, int } => {
                        if let Value::Int(a) = &slots[usize::from(a)]
                            && let Some(value) = two_ints(op, *a, i64::from(int))
                        {
                            put(&mut slots[usize::from(to)], value);
                        } else {
                            let result = self.cx.op(
                                op,
                                &slots[usize::from(a)],
                                &Value::Int(i64::from(int)),
                            );
                            put(&mut slots[usize::from(to)], tri!(result));
                        }
                    }
                    Op::TwoConst { op, to, a, constant } => {
                        let b = codes.constant(code.program, u32::from(constant));
                        let value = tri!(self.cx.op(op, &slots[usize::from(a)], b));
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::ConstTwo { op, to, b, constant } => {
                        let a = codes.constant(code.program, u32::from(constant));
                        let value = tri!(self.cx.op(op, a, &slots[usize::from(b)]));
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Lookup { to, data, key, taken, over } => {
                        if let Some(found) =
                            self.look_up_at(&slots[usize::from(data)], &slots[usize::from(key)])
                        {
                            if taken {
                                put(&mut slots[usize::from(key)], Value::Nil);
                            }
                            put(&mut slots[usize::from(to)], tri!(found));
                            pc = usize::from(over);
                        }
                    }
                    Op::Pure { to, first, count, id } => {
                        let first = usize::from(first);
                        let Some(args) = slots.get_mut(first..first + usize::from(count)) else {
                            break 'run Err(broken());
                        };
                        let value = tri!(self.cx.call(id, args));
                        args.iter_mut().for_each(|arg| put(arg, Value::Nil));
                        put(&mut slots[usize::from(to)], value);
                        if self.cx.counting_due() {
                            break 'run Ok(Exit::Pause);
                        }
                    }
                    Op::Borrow { to, a, taken, id } => {
                        let value = tri!(self.borrow(slots, id, a, None));
                        if taken {
                            put(&mut slots[usize::from(a)], Value::Nil);
                        }
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Borrow2 { to, a, b, taken, id } => {
                        let value = tri!(self.borrow(slots, id, a, Some(b)));
                        if taken & 1 > 0 {
                            put(&mut slots[usize::from(a)], Value::Nil);
                        }
                        if taken & 2 > 0 {
                            put(&mut slots[usize::from(b)], Value::Nil);
                        }
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Calling { to, first, count, id } => {
                        let imp = self.cx.imp(id);
                        let place = usize::from(first);
                        let args = usize::from(count);
                        match imp {
                            Imp::Lisp => {
                                let function = tri!(ptc_machine::compiled(id));
                                put(&mut slots[place], function);
                                match tri!(self.call(codes, slots, first, to, count)) {
                                    Found::Code(found) => {
                                        enter!(found, first, to, count, Kind::Call);
                                    }
                                    Found::Link(program, lambda) => {
                                        pc -= 1;
                                        break 'run Ok(Exit::Link(program, lambda));
                                    }
                                    Found::Done => {}
                                }
                                continue;
                            }
                            Imp::Update(changes, _) => {
                                match tri!(self.update(codes, slots, changes, first, to, count)) {
                                    None => {}
                                    Some((Found::Code(found), kind)) => {
                                        enter!(found, first + 3, to, count - 2, kind);
                                        continue;
                                    }
                                    Some((Found::Link(program, lambda), _)) => {
                                        pc -= 1;
                                        break 'run Ok(Exit::Link(program, lambda));
                                    }
                                    Some((Found::Done, _)) => {
                                        if self.cx.counting_due() {
                                            break 'run Ok(Exit::Pause);
                                        }
                                        continue;
                                    }
                                }
                            }
                            _ => {}
                        }
                        let Some(args) = slots.get_mut(place + 1..place + 1 + args) else {
                            break 'run Err(broken());
                        };
                        let args = args.iter_mut().map(std::mem::take).collect();
                        match tri!(self.make(imp, args)) {
                            CallbackState::Value(value) => put(&mut slots[usize::from(to)], value),
                            state => {
                                self.callbacks.push(state);
                                let place = base + place;
                                let asked = tri!(self.ask(codes, &mut stack, place, None));
                                asked!(asked, first, to);
                            }
                        }
                    }
                    Op::Field { to, map, taken, key } => {
                        let key = codes.constant(code.program, u32::from(key));
                        let value = self.cx.fields.lookup(&slots[usize::from(map)], key);
                        if taken {
                            put(&mut slots[usize::from(map)], Value::Nil);
                        }
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::GetField { to, map, taken, key } => {
                        let key = codes.constant(code.program, u32::from(key));
                        let value = match &slots[usize::from(map)] {
                            map @ Value::Map(_) => self.cx.fields.lookup(map, key),
                            Value::Nil => Value::Nil,
                            other => {
                                let other = other.clone();
                                tri!(self.slow_get(codes, current, pc, other, key))
                            }
                        };
                        if taken {
                            put(&mut slots[usize::from(map)], Value::Nil);
                        }
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::AsMap { to, from, taken } => {
                        let slot = &mut slots[usize::from(from)];
                        let value = if taken { std::mem::take(slot) } else { slot.clone() };
                        let value = match value {
                            map @ (Value::Map(_) | Value::Nil) => map,
                            other => tri!(self.slow_as_map(codes, current, pc, other)),
                        };
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Pay { to, fuel } => {
                        tri!(self.cx.spend(u64::from(fuel)));
                        put(&mut slots[usize::from(to)], Value::Nil);
                    }
                    Op::Vector { to, first, count } => {
                        let items = taken(slots, first, usize::from(count));
                        put(&mut slots[usize::from(to)], tri!(self.cx.vector(items)));
                    }
                    Op::Set { to, first, count } => {
                        let items = taken(slots, first, usize::from(count));
                        put(&mut slots[usize::from(to)], tri!(self.make_set(items)));
                    }
                    Op::Map { to, first, count } => {
                        let items = taken(slots, first, usize::from(count));
                        put(&mut slots[usize::from(to)], tri!(self.make_map(items)));
                    }
                    Op::Record { to, first, count, shape } => {
                        let value =
                            tri!(self.make_record(codes, code, slots, first, count, shape));
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Function { to, first, lambda } => {
                        let value =
                            tri!(self.make_function(codes, current, pc, slots, first, lambda));
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Sibling { to, lambda } => {
                        let captures = match &slots[0] {
                            Value::Function(closure) => closure.captures.clone(),
                            _ => Box::default(),
                        };
                        let Some(linked) = codes.programs.get(code.program as usize) else {
                            break 'run Err(broken());
                        };
                        let closure = Closure::new(linked.program.clone(), lambda, captures);
                        tri!(self.cx.alloc(closure.captures.len() as u64 * 16 + 64));
                        put(&mut slots[usize::from(to)], Value::Function(Arc::new(closure)));
                    }
                    Op::Global { to, global } => match self.globals.get(global as usize) {
                        Some(Some(value)) => put(&mut slots[usize::from(to)], value.clone()),
                        _ => break 'run Err(self.undefined(global)),
                    },
                    Op::Def { to, from, global } => {
                        let value = std::mem::take(&mut slots[usize::from(from)]);
                        let name = self.global_names.get(global as usize).cloned();
                        if let Some(place) = self.globals.get_mut(global as usize) {
                            *place = Some(value);
                        }
                        let var = Value::Ext(Arc::new(Ext::Var(name.unwrap_or_default())));
                        put(&mut slots[usize::from(to)], var);
                    }
                    Op::Ctx { to, key } => {
                        let key = codes.constant(code.program, key);
                        let value = self.ctx.get(key).cloned().unwrap_or_default();
                        put(&mut slots[usize::from(to)], value);
                    }
                    Op::Tool { to, args, tool } => {
                        let args = std::mem::take(&mut slots[usize::from(args)]);
                        let Some(linked) = codes.programs.get(code.program as usize) else {
                            break 'run Err(broken());
                        };
                        let Some(name) = linked.program.tools.get(tool as usize) else {
                            break 'run Err(broken());
                        };
                        tri!(self.check_call(&args));
                        match host(name, &args) {
                            Some(answer) => {
                                put(&mut slots[usize::from(to)], answer);
                                self.args = args;
                                if self.cx.pausing() {
                                    break 'run Ok(Exit::Pause);
                                }
                            }
                            None => {
                                self.asked = Some(to);
                                break 'run Ok(Exit::Call(name.clone(), args));
                            }
                        }
                    }
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

/// Applies an operation to two integers if it is quick.
#[inline(always)]
fn two_ints(op: Operation, a: i64, b: i64) -> Option<Value> {
    Some(match op {
        Operation::Add | Operation::Inc => Value::Int(a.checked_add(b)?),
        Operation::Sub | Operation::Dec => Value::Int(a.checked_sub(b)?),
        Operation::Mul => Value::Int(a.checked_mul(b)?),
        Operation::Quot => Value::Int(a.checked_div(b)?),
        Operation::Rem => Value::Int(a.checked_rem(b)?),
        Operation::Mod => {
            let rest = a.checked_rem(b)?;
            Value::Int(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        }
        Operation::Div => return None,
        Operation::Less => Value::Bool(a < b),
        Operation::LessEq => Value::Bool(a <= b),
        Operation::Greater => Value::Bool(a > b),
        Operation::GreaterEq => Value::Bool(a >= b),
        Operation::Equal => Value::Bool(a == b),
        Operation::NotEqual => Value::Bool(a != b),
    })
}

/// Moves values out of their slots.
#[inline]
fn taken(slots: &mut [Value; WINDOW], first: u8, count: usize) -> Vec<Value> {
    let first = usize::from(first);
    slots.iter_mut().skip(first).take(count).map(std::mem::take).collect()
}
