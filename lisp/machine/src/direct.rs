//! Evaluation by native calls, for nodes that call no function of the program. The checker bounds
//! their nesting ([`ptc_values::ir::MAX_DIRECT`]), so the native stack stays small.

#![expect(clippy::inline_always, reason = "what the loop of the machine does in every step")]

use super::Core;
use super::borrowed::{field_in, value_in};
use super::ints::{Compared, compare_ints, int_in, int_op, ints};
use super::problems::invariant_violated;
use super::tracer::Tracer;
use ptc_facts::messages::divides_by_zero;
use ptc_facts::registry::Registered;
use ptc_values::code::Code;
use ptc_values::ir::{Args, Node, Op, Operand, OperandKind, Program};
use ptc_values::{BuiltinId, Diagnostic, Map, Res, Set, Value, is_long, num};

impl<W: Tracer> Core<W> {
    /// Returns the value of an operand that needs no frames.
    #[inline]
    pub(super) fn direct(&mut self, program: &Program, operand: Operand) -> Res {
        match operand.kind() {
            OperandKind::Local(slot) => Ok(self.task.stack[self.task.base + slot as usize].clone()),
            OperandKind::Take(slot) => Ok(self.take_slot(slot)),
            OperandKind::Const(index) => Ok(program.consts[index as usize].clone()),
            OperandKind::Capture(index) => Ok(self.capture(index)),
            OperandKind::Direct(node) | OperandKind::Deep(node) => self.direct_node(program, node),
        }
    }

    /// Moves a value out of its slot.
    #[inline(always)]
    pub(super) fn take_slot(&mut self, slot: u32) -> Value {
        let slot = self.task.base + slot as usize;
        if self.watch.keeps() {
            return self.task.stack[slot].clone();
        }
        std::mem::take(&mut self.task.stack[slot])
    }

    fn capture(&self, index: u32) -> Value {
        match &self.task.stack[self.task.base - 1] {
            Value::Function(closure) => {
                closure.captures.get(index as usize).cloned().unwrap_or_default()
            }
            _ => Value::Nil,
        }
    }

    /// Returns whether an operand is truthy, without making a value for a comparison of integers.
    #[inline]
    pub(super) fn test(&mut self, program: &Program, operand: Operand) -> Res<bool> {
        if !W::ON
            && let OperandKind::Direct(node) = operand.kind()
            && let Some((op, a, b)) = ints(program, self.slots(), node)
            && let Some(answer) = compare_ints(op, a, b)
        {
            return Ok(answer);
        }
        self.test_any(program, operand)
    }

    #[inline(never)]
    fn test_any(&mut self, program: &Program, operand: Operand) -> Res<bool> {
        let frame = &self.task.stack[self.task.base - 1..];
        if let Some(value) = field_in::<W>(program, &mut self.cx.fields, frame, operand) {
            return Ok(value.truthy());
        }
        Ok(self.direct(program, operand)?.truthy())
    }

    /// Returns the value of a node that needs no frames.
    #[inline]
    fn direct_node(&mut self, program: &Program, node: u32) -> Res {
        if W::ON {
            return self.direct_watched(program, node);
        }
        match &program.nodes[node as usize] {
            Node::AddInt { .. }
            | Node::AddSlots { .. }
            | Node::OpInt { .. }
            | Node::OpSlots { .. }
            | Node::Op { .. } => {}
            Node::Field { key, map } => {
                let slot = self.task.base + map.index() as usize;
                let key = &program.consts[*key as usize];
                let value = match &self.task.stack[slot] {
                    map @ Value::Map(_) => self.cx.fields.lookup(map, key),
                    Value::Nil => Value::Nil,
                    _ => return self.direct_any(program, node),
                };
                self.drop_taken(*map);
                return Ok(value);
            }
            Node::Get { key, map } => {
                let frame = &self.task.stack[self.task.base - 1..];
                if let Some(map) = value_in(program, frame, *map) {
                    return Ok(self.cx.fields.lookup(map, &program.consts[*key as usize]));
                }
                return self.direct_any(program, node);
            }
            Node::AsMap(map) => {
                let slot = self.task.base + map.index() as usize;
                if let Value::Map(_) | Value::Nil = &self.task.stack[slot] {
                    return self.direct(program, *map);
                }
                return self.direct_any(program, node);
            }
            Node::Record(args) => return self.make_record(program, node, *args),
            Node::Pay(fuel) => return self.cx.spend(u64::from(*fuel)).map(|()| Value::Nil),
            _ => return self.direct_any(program, node),
        }
        let slots = self.slots();
        if let Some(int) = int_in(program, slots, Operand::new(OperandKind::Direct(node))) {
            return Ok(Value::Int(int));
        }
        if let Some((op, a, b)) = ints(program, slots, node)
            && let Some(answer) = compare_ints(op, a, b)
        {
            return Ok(Value::Bool(answer));
        }
        self.direct_any(program, node)
    }

    /// Returns the slot and the value of an operand that binds one. A tracer sees each node, so it gets none here.
    #[inline]
    pub(super) fn bound(&self, program: &Program, operand: Operand) -> Option<(u32, Operand)> {
        let (OperandKind::Direct(node) | OperandKind::Deep(node)) = operand.kind() else {
            return None;
        };
        match program.nodes[node as usize] {
            Node::Bind { slot, value } if !W::ON => Some((slot, value)),
            _ => None,
        }
    }

    /// Evaluates a node with a tracer that sees every form.
    fn direct_watched(&mut self, program: &Program, node: u32) -> Res {
        let watched = W::begin(self, program, node)?;
        let result = self.direct_any(program, node);
        if let Err(problem) = &result {
            W::raised(self, problem)?;
        }
        if watched {
            W::end(self, &result);
        }
        result
    }

    /// Evaluates a node of any kind; locates an error at the node.
    #[inline(never)]
    pub(super) fn direct_any(&mut self, program: &Program, node: u32) -> Res {
        match self.direct_inner(program, node) {
            Ok(value) => Ok(value),
            Err(problem) => Err(self.locate_in(problem, program, node)),
        }
    }

    #[inline]
    fn direct_inner(&mut self, program: &Program, node: u32) -> Res {
        match program.node(node) {
            Node::Op { op, a, b } | Node::OpSlots { op, a, b } => {
                if let Some(result) = self.op_on_fields(program, op, a, b) {
                    return result;
                }
                let a = self.direct(program, a)?;
                let b = self.direct(program, b)?;
                self.cx.take_op(op, a, b)
            }
            Node::OpInt { op, a, int } => {
                let a = self.direct(program, a)?;
                self.cx.take_op(op, a, Value::Int(i64::from(int)))
            }
            Node::AddSlots { a, b } => {
                let a = self.direct(program, a)?;
                let b = self.direct(program, b)?;
                self.cx.take_op(Op::Add, a, b)
            }
            Node::AddInt { op, a, plus } => {
                let a = self.direct(program, a)?;
                self.cx.take_op(op, a, Value::Int(op.written(plus)))
            }
            Node::Get { key, map } => {
                let key = &program.consts[key as usize];
                let frame = &self.task.stack[self.task.base - 1..];
                if let Some(map) = field_in::<W>(program, &mut self.cx.fields, frame, map) {
                    return Ok(self.cx.fields.lookup(map, key));
                }
                let map = self.direct(program, map)?;
                Ok(self.cx.fields.lookup(&map, key))
            }
            Node::IfInt { order, slot, int, then, other } => {
                let holds = match self.compares(order, slot, Compared::Int(int)) {
                    Some(holds) => holds,
                    None => self.test_of(program, node)?,
                };
                self.direct(program, if holds { then } else { other })
            }
            Node::IfSlots { order, a, b, then, other } => {
                let holds = match self.compares(order, a, Compared::Slot(b)) {
                    Some(holds) => holds,
                    None => self.test_of(program, node)?,
                };
                self.direct(program, if holds { then } else { other })
            }
            Node::If { test, then, other } => {
                let chosen = if self.test(program, test)? { then } else { other };
                self.direct(program, chosen)
            }
            Node::And(args) => {
                let mut value = Value::Bool(true);
                for operand in program.args(args) {
                    value = self.direct(program, *operand)?;
                    if !value.truthy() {
                        break;
                    }
                }
                Ok(value)
            }
            Node::Or(args) => {
                let mut value = Value::Nil;
                for operand in program.args(args) {
                    value = self.direct(program, *operand)?;
                    if value.truthy() {
                        break;
                    }
                }
                Ok(value)
            }
            Node::Do(args) => {
                let Some((last, before)) = program.args(args).split_last() else {
                    return Ok(Value::Nil);
                };
                for operand in before {
                    match self.bound(program, *operand) {
                        Some((slot, value)) => {
                            let value = self.direct(program, value)?;
                            self.task.bind(slot, value);
                        }
                        None => self.direct(program, *operand)?.done(),
                    }
                }
                self.direct(program, *last)
            }
            Node::Bind { slot, value } => {
                let value = self.direct(program, value)?;
                self.task.bind(slot, value);
                Ok(Value::Nil)
            }
            Node::Text { id, args } => match self.text(program, args) {
                Some(text) => text,
                None => self.call_direct(program, id, args),
            },
            Node::Borrowing { id, args } if !W::ON => self.call_borrowing(program, id, args),
            Node::Builtin { id, args } | Node::Borrowing { id, args } => {
                if id.builtin().is_pure {
                    return self.call_direct(program, id, args);
                }
                let start = self.push_args(program, args)?;
                self.builtin_now(id, start)
            }
            Node::Field { .. } | Node::AsMap(_) | Node::Pay(_) => match program.core(node) {
                Some(Node::Builtin { id, args }) => self.call_direct(program, id, args),
                _ => Err(invariant_violated()),
            },
            Node::Vector(args) => {
                let start = self.push_args(program, args)?;
                let items = self.task.stack.split_off(start);
                self.cx.vector(items)
            }
            Node::Map(args) => {
                let start = self.push_args(program, args)?;
                self.make_map(start)
            }
            Node::Record(args) => self.make_record(program, node, args),
            Node::Set(args) => {
                let start = self.push_args(program, args)?;
                self.make_set(start)
            }
            Node::Function { lambda, captures } => {
                let start = self.push_args(program, captures)?;
                let captures: Box<[Value]> = self.task.stack.drain(start..).collect();
                self.make_function(lambda, captures)
            }
            Node::Myself => Ok(self.task.stack[self.task.base - 1].clone()),
            Node::Sibling(lambda) => {
                let captures = match &self.task.stack[self.task.base - 1] {
                    Value::Function(closure) => closure.captures.clone(),
                    _ => Box::default(),
                };
                self.make_function(lambda, captures)
            }
            Node::Global(global) => match self.globals.get(global as usize) {
                Some(Some(value)) => Ok(value.clone()),
                _ => Err(self.undefined(global)),
            },
            Node::Def { global, value } => {
                let value = self.direct(program, value)?;
                self.define(global, value)
            }
            Node::Ctx(key) => {
                Ok(self.ctx.get(&program.consts[key as usize]).cloned().unwrap_or_default())
            }
            Node::CtxAll => Ok(Value::Map(self.ctx.clone())),
            Node::Memory(key) => Ok(self
                .cx
                .own
                .memory
                .get(&program.consts[key as usize])
                .cloned()
                .unwrap_or_default()),
            Node::MemoryAll => Ok(Value::Map(self.cx.own.memory.clone())),
            Node::History(back) => Ok(self.history.get(back as usize).cloned().unwrap_or_default()),
            Node::Call(args) => {
                if let [function, arg] = program.args(args)
                    && let Some(found) = self.look_up_in(program, *function, *arg)
                {
                    return found;
                }
                let place = self.push_args(program, args)?;
                self.call_unframed(Some(program), place)
            }
            Node::CallGlobal { global, args } => {
                if let Some(lambda) = self.plain_global(program, global)
                    && let Some(int) = self.call_ints_now(program, lambda, args)?
                {
                    return Ok(int);
                }
                if let [arg] = program.args(args)
                    && let Some(found) = self.look_up_global(program, global, *arg)
                {
                    return found;
                }
                let place = self.task.stack.len();
                let function = self.globals.get(global as usize).cloned().flatten();
                self.task.stack.push(function.unwrap_or_default());
                self.push_args(program, args)?;
                self.call_unframed(Some(program), place)
            }
            Node::CallSelf(_)
            | Node::Loop { .. }
            | Node::Recur { .. }
            | Node::Turn { .. }
            | Node::RecurFunction(_)
            | Node::Tool { .. }
            | Node::Named(_)
            | Node::Return(_)
            | Node::Fail(_)
            | Node::Try(_) => Err(invariant_violated()),
        }
    }

    /// Applies an operation to fields without sharing their values; returns none for other operands.
    #[inline]
    fn op_on_fields(&mut self, program: &Program, op: Op, a: Operand, b: Operand) -> Option<Res> {
        let frame = &self.task.stack[self.task.base - 1..];
        let fields = &mut self.cx.fields;
        let is_moved = |operand: Operand| matches!(operand.kind(), OperandKind::Take(_));
        if is_moved(a) || is_moved(b) {
            return None;
        }
        let a = field_in::<W>(program, fields, frame, a)?;
        let b = field_in::<W>(program, fields, frame, b)?;
        Some(self.cx.op(op, a, b))
    }

    /// Calls a builtin that calls nothing itself.
    #[inline]
    fn call_direct(&mut self, program: &Program, id: BuiltinId, args: Args) -> Res {
        let start = self.push_args(program, args)?;
        self.call_pushed(id, start)
    }

    /// Calls a builtin with the values from `start` on.
    #[inline]
    fn call_pushed(&mut self, id: BuiltinId, start: usize) -> Res {
        let result = self.cx.call(id, &mut self.task.stack[start..]);
        self.task.drop_above(start);
        let value = result?;
        if self.cx.counting_due() {
            self.count_live(Some(&value))?;
        }
        Ok(value)
    }

    /// Calls a builtin that can borrow its arguments.
    #[inline]
    fn call_borrowing(&mut self, program: &Program, id: BuiltinId, args: Args) -> Res {
        let Some(borrowing) = id.builtin().facts.borrowing else {
            return self.call_direct(program, id, args);
        };
        let operands = program.args(args);
        let [first, ..] = operands else { return self.call_direct(program, id, args) };
        let made =
            if program.can_borrow(*first) { None } else { Some(self.direct(program, *first)?) };
        let frame = &self.task.stack[self.task.base - 1..];
        let fields = &mut self.cx.fields;
        let given = match &made {
            Some(value) => Some(value),
            None => field_in::<W>(program, fields, frame, *first),
        };
        let second = match operands.get(1) {
            Some(operand) => field_in::<W>(program, fields, frame, *operand),
            None => Some(&Value::Nil),
        };
        let result = match (given, second) {
            (Some(first), Some(second)) if !is_long(first) && !is_long(second) => {
                (borrowing.call)(fields, first, second)
            }
            _ => None,
        };
        let Some(result) = result else {
            let start = self.task.stack.len();
            let rest = if made.is_some() { &operands[1..] } else { operands };
            self.task.stack.extend(made);
            self.push_each(program, rest.iter())?;
            return self.call_pushed(id, start);
        };
        for operand in operands {
            self.drop_taken(*operand);
        }
        if self.cx.counting_due() {
            self.count_live(Some(&result))?;
        }
        Ok(result)
    }

    /// Returns the result of `str` for computed short strings and integers.
    #[inline(never)]
    fn text(&mut self, program: &Program, args: Args) -> Option<Res> {
        let operands = program.args(args);
        let frame = &self.task.stack[self.task.base - 1..];
        let values = operands.iter().map(|operand| value_in(program, frame, *operand));
        let result = super::texts::short_text(&mut self.cx, values)?;
        for operand in operands {
            self.drop_taken(*operand);
        }
        Some(result.and_then(|text| {
            if self.cx.counting_due() {
                self.count_live(Some(&text))?;
            }
            Ok(text)
        }))
    }

    /// Pushes the values of operands that need no frames; returns the position of the first.
    #[inline]
    fn push_args(&mut self, program: &Program, args: Args) -> Res<usize> {
        self.push_each(program, program.args(args).iter())
    }

    #[inline]
    pub(super) fn push_each<'p>(
        &mut self,
        program: &'p Program,
        operands: impl Iterator<Item = &'p Operand>,
    ) -> Res<usize> {
        let start = self.task.stack.len();
        for operand in operands {
            let value = match operand.kind() {
                OperandKind::Local(slot) => self.task.stack[self.task.base + slot as usize].clone(),
                OperandKind::Take(slot) => self.take_slot(slot),
                OperandKind::Const(index) => program.consts[index as usize].clone(),
                // After an error the values stay, since a frame may start above them.
                _ => self.direct(program, *operand)?,
            };
            self.task.stack.push(value);
        }
        Ok(start)
    }

    pub(super) fn make_map(&mut self, start: usize) -> Res {
        let mut map = Map::with_capacity((self.task.stack.len() - start) / 2);
        for (key, value) in ptc_values::pairs(self.task.stack.drain(start..)) {
            self.cx.key(&key)?;
            if map.contains(&key) {
                return Err(written_twice("key", &key));
            }
            map.insert((key, value));
        }
        self.cx.map(map)
    }

    pub(super) fn make_set(&mut self, start: usize) -> Res {
        let mut set = Set::with_capacity(self.task.stack.len() - start);
        for member in self.task.stack.drain(start..) {
            self.cx.key(&member)?;
            if set.contains(&member) {
                return Err(written_twice("member", &member));
            }
            set.insert(member);
        }
        self.cx.set(set)
    }

    fn make_function(&mut self, lambda: u32, captures: Box<[Value]>) -> Res {
        let closure = ptc_values::Closure::new(self.task.program.clone(), lambda, captures);
        self.cx.alloc(closure.captures.len() as u64 * 16 + 64)?;
        Ok(Value::Function(std::sync::Arc::new(closure)))
    }

    pub(super) fn define(&mut self, global: u32, value: Value) -> Res {
        let Some(place) = self.globals.get_mut(global as usize) else { return Ok(Value::Nil) };
        *place = Some(value);
        Ok(Value::Ext(std::sync::Arc::new(ptc_values::Ext::Var(self.global_name(global)))))
    }

    pub(super) fn global_name(&self, global: u32) -> arcstr::ArcStr {
        self.global_names.get(global as usize).cloned().unwrap_or_default()
    }

    #[cold]
    fn undefined(&self, global: u32) -> Diagnostic {
        let name = self.global_name(global);
        Diagnostic::new(Code::UnknownName, format!("`{name}` is used before it is defined"))
            .with_help(format!("move the definition of `{name}` up"))
    }
}

#[cold]
fn written_twice(what: &str, value: &Value) -> Diagnostic {
    Diagnostic::new(
        Code::BadForm,
        format!("this {what} occurs twice: {}", ptc_facts::messages::describe(value)),
    )
    .with_help("build the collection with `assoc`, `conj` or `into` if a later one should win")
}

impl super::Cx {
    /// Applies an operation to two values.
    #[inline(always)]
    pub fn take_op(&mut self, op: Op, a: Value, b: Value) -> Res {
        if let (Value::Int(int), Value::Int(other)) = (&a, &b)
            && let Some(int) = int_op(op, *int, *other)
        {
            a.done();
            b.done();
            return Ok(Value::Int(int));
        }
        self.op(op, &a, &b)
    }

    /// Applies an operation to two values of any kind.
    #[inline(never)]
    pub fn op(&mut self, op: Op, a: &Value, b: &Value) -> Res {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            if let Some(int) = int_op(op, *a, *b) {
                return Ok(Value::Int(int));
            }
            if let Some(answer) = compare_ints(op, *a, *b) {
                return Ok(Value::Bool(answer));
            }
        }
        if let (Value::Float(a), Value::Float(b)) = (a, b)
            && let Some(value) = float_op(op, *a, *b)
        {
            return Ok(value);
        }
        self.price_digits(op, a, b)?;
        let result = match op {
            Op::Equal | Op::NotEqual => {
                return self.equal(a, b).map(|same| Value::Bool(same == (op == Op::Equal)));
            }
            Op::Add | Op::Inc => num::add(a, b),
            Op::Sub | Op::Dec => num::sub(a, b),
            Op::Mul => num::mul(a, b),
            Op::Div => num::div(a, b),
            Op::Quot => num::divide(a, b, num::Division::Quot),
            Op::Rem => num::divide(a, b, num::Division::Rem),
            Op::Mod => num::divide(a, b, num::Division::Mod),
            Op::Less | Op::LessEq | Op::Greater | Op::GreaterEq => {
                match (num::Num::of(a), num::Num::of(b)) {
                    (Some(a), Some(b)) => {
                        let order = num::partial_order(a, b);
                        Ok(Value::Bool(order.is_some_and(|order| match op {
                            Op::Less => order.is_lt(),
                            Op::LessEq => order.is_le(),
                            Op::Greater => order.is_gt(),
                            _ => order.is_ge(),
                        })))
                    }
                    _ => Err(num::Wrong::NotANumber),
                }
            }
        };
        match result {
            Ok(value) => {
                if let Value::Big(big) = &value {
                    self.spend(big.bits() / 64)?;
                    self.alloc(big.bits() / 8 + 48)?;
                }
                Ok(value)
            }
            Err(wrong) => {
                if wrong == num::Wrong::NotANumber
                    && let Some(result) = super::row::time_op(self, op, a, b)
                    && (result.is_ok() || self.spend(super::row::PROBLEM).is_ok())
                {
                    return result;
                }
                self.spend(super::row::PROBLEM)?;
                Err(wrong_operands(op, a, b, wrong))
            }
        }
    }

    /// Pays for big integers by length; for products and quotients, by the product of the lengths.
    fn price_digits(&mut self, op: Op, a: &Value, b: &Value) -> Res<()> {
        match (op, a, b) {
            (Op::Mul | Op::Div | Op::Quot | Op::Rem | Op::Mod, Value::Big(a), Value::Big(b)) => {
                self.spend((a.bits() / 64).saturating_mul(b.bits() / 64) / 16)
            }
            (_, Value::Big(big), _) | (_, _, Value::Big(big)) => self.spend(big.bits() / 1024),
            _ => Ok(()),
        }
    }
}

#[inline]
fn float_op(op: Op, a: f64, b: f64) -> Option<Value> {
    Some(match op {
        Op::Add | Op::Inc => Value::Float(a + b),
        Op::Sub | Op::Dec => Value::Float(a - b),
        Op::Mul => Value::Float(a * b),
        Op::Div => Value::Float(a / b),
        Op::Less => Value::Bool(a < b),
        Op::LessEq => Value::Bool(a <= b),
        Op::Greater => Value::Bool(a > b),
        Op::GreaterEq => Value::Bool(a >= b),
        Op::Equal => Value::Bool(a == b),
        Op::NotEqual => Value::Bool(a != b),
        Op::Quot | Op::Rem | Op::Mod => return None,
    })
}

#[cold]
fn wrong_operands(op: Op, a: &Value, b: &Value, wrong: num::Wrong) -> Diagnostic {
    match wrong {
        num::Wrong::DivideByZero => divides_by_zero(op),
        num::Wrong::NotFinite => Diagnostic::new(
            Code::NumberRange,
            format!("the quotient of {a} and {b} in `{}` is not finite", op.name()),
        )
        .with_class("NumberFormatException")
        .with_jvm_message("Infinite or NaN".to_owned())
        .with_help("test the numbers first with `infinite?` and `NaN?`"),
        num::Wrong::NotANumber => {
            let (which, found) =
                if num::Num::of(a).is_none() { ("first", a) } else { ("second", b) };
            ptc_facts::messages::not_a_number(op.name(), which, found)
        }
    }
}
