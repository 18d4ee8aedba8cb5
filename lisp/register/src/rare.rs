//! The operations that are rarer than a turn or a call, and the ends of calls that builtins make.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_machine::{CallbackState, Imp};
use ptc_values::ir::Op as Operation;
use ptc_values::{BuiltinId, Closure, Diagnostic, Ext, Res, Value};

use crate::calls::{Asked, Later, broken};
use crate::code::{Code, Codes, Kind, Op, WINDOW};
use crate::run::{Exit, empty, put, put_float};
use crate::{Host, Registers};

type Slots = [Value; WINDOW];

/// How the loop goes on.
#[derive(Clone, Copy)]
pub(crate) enum Then {
    Next,
    Jump(u32),
    Enter {
        code: u32,
        first: u8,
        to: u8,
        count: u8,
        kind: Kind,
    },
    /// Leave the loop; the machine holds the reason.
    Exit,
    /// The same, and repeat the operation afterwards.
    Again,
}

const _: () = assert!(size_of::<Then>() <= 16);

impl Registers {
    /// Returns the reason to leave the loop.
    pub(crate) fn exit(&mut self) -> Res<Exit> {
        match self.problem.take() {
            Some(problem) => Err(problem),
            None => Ok(self.exit.take().unwrap_or(Exit::Pause)),
        }
    }

    #[cold]
    fn failed(&mut self, problem: Diagnostic) -> Then {
        self.problem = Some(problem);
        Then::Exit
    }

    pub(crate) fn leave(&mut self, exit: Exit) -> Then {
        self.exit = Some(exit);
        Then::Exit
    }

    fn or_failed(&mut self, then: Res<Then>) -> Then {
        match then {
            Ok(then) => then,
            Err(problem) => self.failed(problem),
        }
    }

    /// Goes on after a pause within a builtin that calls back.
    pub(crate) fn go_on(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        first: u8,
        to: u8,
        later: Later,
    ) -> Then {
        let place = usize::from(first);
        let asked = match later {
            Later::Got(value) => self.ask(codes, &mut slots[place..], Some(value)),
            Later::Enter(count) => self.ask_again(codes, &mut slots[place..], count),
        };
        let then = asked.and_then(|asked| self.asked(slots, asked, first, to));
        self.or_failed(then)
    }

    fn asked(&mut self, slots: &mut Slots, asked: Asked, first: u8, to: u8) -> Res<Then> {
        Ok(match asked {
            Asked::Value(value) => {
                put(&mut slots[usize::from(to)], value);
                self.next()
            }
            Asked::Enter(code, count) => Then::Enter { code, first, to, count, kind: Kind::Item },
            Asked::Later(value) => {
                self.later = Some((first, to, Later::Got(value)));
                self.leave(Exit::Pause)
            }
            Asked::Link(program, lambda, count) => {
                self.later = Some((first, to, Later::Enter(count)));
                self.leave(Exit::Link(program, lambda))
            }
        })
    }

    /// Goes on, unless a count of live bytes is due.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Then {
        if self.cx.counting_due() { self.leave(Exit::Pause) } else { Then::Next }
    }

    /// Gives the value of a function to the builtin that called it, and takes its next arguments. Returns false if there
    /// are none.
    #[inline(never)]
    pub(crate) fn again(&mut self, slots: &mut Slots, count: u8, value: &mut Value) -> Res<bool> {
        let args = slots.get_mut(1..=usize::from(count)).ok_or_else(broken)?;
        let state = self.callbacks.last_mut().ok_or_else(broken)?;
        state.again(&mut self.cx, args, value)
    }

    /// Delivers the value of a function that a builtin called.
    #[inline(never)]
    pub(crate) fn deliver(
        &mut self,
        slots: &mut Slots,
        kind: Kind,
        asked: Option<Asked>,
        first: u8,
        to: u8,
    ) -> Then {
        let then = match (kind, asked) {
            (Kind::Item, Some(asked)) => self.asked(slots, asked, first, to),
            (Kind::Field | Kind::Path, None) => {
                let value = std::mem::take(&mut self.value);
                self.changed(slots, kind, first, to, value).map(|()| self.next())
            }
            _ => Err(broken()),
        };
        self.or_failed(then)
    }

    /// Looks up a key in data; returns false for a function.
    #[inline(never)]
    pub(crate) fn look_up(
        &mut self,
        slots: &mut Slots,
        to: u8,
        data: u8,
        key: u8,
        taken: bool,
    ) -> Res<bool> {
        let found = self.look_up_at(&slots[usize::from(data)], &slots[usize::from(key)]);
        let Some(found) = found else { return Ok(false) };
        if taken {
            put(&mut slots[usize::from(key)], Value::Nil);
        }
        put(&mut slots[usize::from(to)], found?);
        Ok(true)
    }

    #[inline(never)]
    pub(crate) fn two(
        &mut self,
        slots: &mut Slots,
        locals: u8,
        op: Operation,
        to: u8,
        a: u8,
        b: u8,
    ) -> Res<()> {
        if let (Value::Int(a), Value::Int(b)) = (&slots[usize::from(a)], &slots[usize::from(b)])
            && let Some(value) = two_ints(op, *a, *b)
        {
            put(&mut slots[usize::from(to)], value);
            return Ok(());
        }
        self.slow_two(op, slots, locals, to, a, b)
    }

    #[inline(never)]
    pub(crate) fn two_int(
        &mut self,
        slots: &mut Slots,
        op: Operation,
        to: u8,
        a: u8,
        int: i32,
    ) -> Res<()> {
        let int = i64::from(int);
        let value = match &slots[usize::from(a)] {
            Value::Int(a) if let Some(value) = two_ints(op, *a, int) => value,
            a => self.cx.op(op, a, &Value::Int(int))?,
        };
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn two_const(
        &mut self,
        slots: &mut Slots,
        op: Operation,
        to: u8,
        a: u8,
        b: &Value,
    ) -> Res<()> {
        let value = match (&slots[usize::from(a)], b) {
            (Value::Float(a), Value::Float(b)) if let Some(float) = two_floats(op, *a, *b) => {
                put_float(&mut slots[usize::from(to)], float);
                return Ok(());
            }
            (a, b) => self.cx.op(op, a, b)?,
        };
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn test_const(
        &mut self,
        slots: &Slots,
        op: Operation,
        a: u8,
        b: &Value,
    ) -> Res<bool> {
        let (Value::Float(a), Value::Float(b)) = (&slots[usize::from(a)], b) else {
            return Ok(self.cx.op(op, &slots[usize::from(a)], b)?.truthy());
        };
        Ok(match op {
            Operation::Less => a < b,
            Operation::LessEq => a <= b,
            Operation::Greater => a > b,
            Operation::GreaterEq => a >= b,
            Operation::Equal => a == b,
            _ => a != b,
        })
    }

    /// Calls a builtin that calls nothing.
    #[inline(never)]
    pub(crate) fn pure(
        &mut self,
        slots: &mut Slots,
        to: u8,
        first: u8,
        count: u8,
        id: BuiltinId,
    ) -> Then {
        let first = usize::from(first);
        let Some(args) = slots.get_mut(first..first + usize::from(count)) else {
            return self.failed(broken());
        };
        match self.cx.call(id, args) {
            Ok(value) => {
                empty(args);
                put(&mut slots[usize::from(to)], value);
                self.next()
            }
            Err(problem) => self.failed(problem),
        }
    }

    #[inline(never)]
    pub(crate) fn borrow_one(
        &mut self,
        slots: &mut Slots,
        to: u8,
        a: u8,
        taken: bool,
        id: BuiltinId,
    ) -> Res<()> {
        let value = self.borrow(slots, id, a, None)?;
        if taken {
            put(&mut slots[usize::from(a)], Value::Nil);
        }
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn borrow_two(
        &mut self,
        slots: &mut Slots,
        to: u8,
        a: u8,
        b: u8,
        taken: u8,
        id: BuiltinId,
    ) -> Res<()> {
        let value = self.borrow(slots, id, a, Some(b))?;
        if taken & 1 > 0 {
            put(&mut slots[usize::from(a)], Value::Nil);
        }
        if taken & 2 > 0 {
            put(&mut slots[usize::from(b)], Value::Nil);
        }
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn field(&mut self, slots: &mut Slots, to: u8, map: u8, taken: bool, key: &Value) {
        let value = self.cx.fields.lookup(&slots[usize::from(map)], key);
        if taken {
            put(&mut slots[usize::from(map)], Value::Nil);
        }
        put(&mut slots[usize::from(to)], value);
    }

    #[inline(never)]
    pub(crate) fn record(
        &mut self,
        code: &Code,
        slots: &mut Slots,
        to: u8,
        first: u8,
        count: u8,
        shape: u16,
    ) -> Res<()> {
        let value = self.make_record(code, slots, first, count, shape)?;
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    /// Calls the tool of a name; the host may answer at once.
    #[inline(never)]
    pub(crate) fn tool(
        &mut self,
        slots: &mut Slots,
        name: &ArcStr,
        to: u8,
        args: u8,
        is_record: bool,
        host: &mut Host<'_>,
    ) -> Then {
        let args = std::mem::take(&mut slots[usize::from(args)]);
        if let Err(problem) = self.check_call(&args, is_record) {
            return self.failed(problem);
        }
        match host(name, &args) {
            Some(answer) => {
                put(&mut slots[usize::from(to)], answer);
                self.args = args;
                if self.cx.pausing() { self.leave(Exit::Pause) } else { Then::Next }
            }
            None => {
                self.asked = Some(to);
                self.leave(Exit::Call(name.clone(), args))
            }
        }
    }

    /// `get` of a keyword.
    #[inline(never)]
    pub(crate) fn get_field(
        &mut self,
        (codes, code, pc): (&Codes, &Code, usize),
        slots: &mut Slots,
        to: u8,
        map: u8,
        taken: bool,
        key: &Value,
    ) -> Res<()> {
        let value = match &slots[usize::from(map)] {
            map @ Value::Map(_) => self.cx.fields.lookup(map, key),
            Value::Nil => Value::Nil,
            other => {
                let other = other.clone();
                self.slow_get(codes, code, pc, other, key)?
            }
        };
        if taken {
            put(&mut slots[usize::from(map)], Value::Nil);
        }
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn as_map(
        &mut self,
        (codes, code, pc): (&Codes, &Code, usize),
        slots: &mut Slots,
        to: u8,
        from: u8,
        taken: bool,
    ) -> Res<()> {
        let slot = &mut slots[usize::from(from)];
        let value = if taken { std::mem::take(slot) } else { slot.clone() };
        let value = match value {
            map @ (Value::Map(_) | Value::Nil) => map,
            other => self.slow_as_map(codes, code, pc, other)?,
        };
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    /// Calls a global other than a function without captured values.
    #[inline(never)]
    pub(crate) fn call_global(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        global: u32,
        first: u8,
        to: u8,
        count: u8,
    ) -> Then {
        match self.globals.get(global as usize) {
            Some(Some(callee)) => {
                put(&mut slots[usize::from(first)], callee.clone());
                self.call(codes, slots, first, to, count)
            }
            _ => {
                let problem = self.undefined(global);
                self.failed(problem)
            }
        }
    }

    /// Calls the callee at `first`.
    #[inline(never)]
    pub(crate) fn call(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        first: u8,
        to: u8,
        count: u8,
    ) -> Then {
        let then = self.call_any(codes, slots, first, to, count);
        self.or_failed(then)
    }

    /// Runs an operation that is rarer.
    #[inline(never)]
    pub(crate) fn rare(
        &mut self,
        codes: &Codes,
        code: &Code,
        pc: usize,
        op: Op,
        slots: &mut Slots,
    ) -> Then {
        let then = self.rare_any(codes, code, pc, op, slots);
        self.or_failed(then)
    }

    #[inline(always)]
    fn rare_any(
        &mut self,
        codes: &Codes,
        code: &Code,
        pc: usize,
        op: Op,
        slots: &mut Slots,
    ) -> Res<Then> {
        match op {
            Op::Drop { slot } => put(&mut slots[usize::from(slot)], Value::Nil),
            Op::Myself { to } => {
                let value = slots[0].clone();
                put(&mut slots[usize::from(to)], value);
            }
            Op::ConstTwo { op, to, b, constant } => {
                let a = code.constant(u32::from(constant));
                let b = &slots[usize::from(b)];
                if let (Value::Float(a), Value::Float(b)) = (a, b)
                    && let Some(float) = two_floats(op, *a, *b)
                {
                    put_float(&mut slots[usize::from(to)], float);
                } else if let (Value::Int(a), Value::Int(b)) = (a, b)
                    && let Some(value) = two_ints(op, *a, *b)
                {
                    put(&mut slots[usize::from(to)], value);
                } else {
                    let value = self.cx.op(op, a, b)?;
                    put(&mut slots[usize::from(to)], value);
                }
            }
            Op::Known { to, cache, over } => {
                match self.caches.get(code.caches as usize + usize::from(cache)) {
                    None | Some(Value::Nil) => {}
                    Some(known) => {
                        put(&mut slots[usize::from(to)], known.clone());
                        return Ok(Then::Jump(u32::from(over)));
                    }
                }
            }
            Op::Remember { from, cache } => {
                if let Some(place) = self.caches.get_mut(code.caches as usize + usize::from(cache))
                {
                    *place = slots[usize::from(from)].clone();
                }
            }
            Op::Calling { to, first, count, id } => {
                let place = usize::from(first);
                let imp = self.cx.imp(id);
                match imp {
                    Imp::Lisp => {
                        put(&mut slots[place], ptc_machine::compiled(id)?);
                        return self.call_any(codes, slots, first, to, count);
                    }
                    Imp::Update(changes, _) => {
                        if let Some(then) = self.update(codes, slots, changes, first, to, count)? {
                            return Ok(then);
                        }
                    }
                    _ => {}
                }
                let args = taken(slots, first + 1, usize::from(count));
                match self.make(imp, args)? {
                    CallbackState::Value(value) => put(&mut slots[usize::from(to)], value),
                    state => {
                        self.callbacks.push(state);
                        let asked = self.ask(codes, &mut slots[place..], None)?;
                        return self.asked(slots, asked, first, to);
                    }
                }
            }
            Op::Pay { to, fuel } => {
                self.cx.spend(u64::from(fuel))?;
                put(&mut slots[usize::from(to)], Value::Nil);
            }
            Op::Vector { to, first, count } => {
                let items = taken(slots, first, usize::from(count));
                put(&mut slots[usize::from(to)], self.cx.vector(items)?);
            }
            Op::Set { to, first, count } => {
                let items = taken(slots, first, usize::from(count));
                put(&mut slots[usize::from(to)], self.make_set(items)?);
            }
            Op::Map { to, first, count } => {
                let items = taken(slots, first, usize::from(count));
                put(&mut slots[usize::from(to)], self.make_map(items)?);
            }
            Op::Function { to, first, lambda } => {
                let value = self.make_function(codes, code, pc, slots, first, lambda)?;
                put(&mut slots[usize::from(to)], value);
            }
            Op::Sibling { to, lambda } => {
                let captures = match &slots[0] {
                    Value::Function(closure) => closure.captures.clone(),
                    _ => Box::default(),
                };
                let Some(linked) = codes.programs.get(code.program as usize) else {
                    return Err(broken());
                };
                let closure = Closure::new(linked.program.clone(), lambda, captures);
                self.cx.alloc(closure.captures.len() as u64 * 16 + 64)?;
                put(&mut slots[usize::from(to)], Value::Function(Arc::new(closure)));
            }
            Op::Global { to, global } => match self.globals.get(global as usize) {
                Some(Some(value)) => put(&mut slots[usize::from(to)], value.clone()),
                _ => return Err(self.undefined(global)),
            },
            Op::Def { to, from, global } => {
                let value = std::mem::take(&mut slots[usize::from(from)]);
                let name = self.global_names.get(global as usize).cloned();
                self.remember(codes, code.program, global, &value);
                if let Some(place) = self.globals.get_mut(global as usize) {
                    *place = Some(value);
                }
                let var = Value::Ext(Arc::new(Ext::Var(name.unwrap_or_default())));
                put(&mut slots[usize::from(to)], var);
            }
            Op::Ctx { to, key } => {
                let key = code.constant(key);
                let value = self.ctx.get(key).cloned().unwrap_or_default();
                put(&mut slots[usize::from(to)], value);
            }
            _ => return Err(broken()),
        }
        Ok(Then::Next)
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

#[inline(always)]
fn two_floats(op: Operation, a: f64, b: f64) -> Option<f64> {
    match op {
        Operation::Add | Operation::Inc => Some(a + b),
        Operation::Sub | Operation::Dec => Some(a - b),
        Operation::Mul => Some(a * b),
        Operation::Div => Some(a / b),
        _ => None,
    }
}

/// Moves values out of their slots.
#[inline]
fn taken(slots: &mut [Value; WINDOW], first: u8, count: usize) -> Vec<Value> {
    let first = usize::from(first);
    slots.iter_mut().skip(first).take(count).map(std::mem::take).collect()
}
