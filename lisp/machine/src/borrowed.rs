//! Operands read where they are: in slots, constants, captured values and fields of records. Reading one touches no
//! reference count.

use super::Core;
use super::cx::Cx;
use super::tracer::Tracer;
use ptc_facts::access::FieldPlaces;
use ptc_values::ir::{Node, Operand, OperandKind, Program};
use ptc_values::{Res, Value};

impl<W: Tracer> Core<W> {
    /// Calls a keyword or a map with a computed argument, as [`Core::look_up`] does, but without sharing either. Returns
    /// none for other operands.
    #[inline]
    pub(super) fn look_up_in(
        &mut self,
        program: &Program,
        function: Operand,
        arg: Operand,
    ) -> Option<Res> {
        let frame = &self.task.stack[self.task.base - 1..];
        let function = value_in(program, frame, function)?;
        let found = borrowed_look_up(&mut self.cx, function, value_in(program, frame, arg)?)?;
        self.drop_taken(arg);
        Some(found)
    }

    /// Calls a global that is a keyword or a map, as [`Core::look_up_in`] does.
    #[inline]
    pub(super) fn look_up_global(
        &mut self,
        program: &Program,
        global: u32,
        arg: Operand,
    ) -> Option<Res> {
        let function = self.globals.get(global as usize)?.as_ref()?;
        let frame = &self.task.stack[self.task.base - 1..];
        let found = borrowed_look_up(&mut self.cx, function, value_in(program, frame, arg)?)?;
        self.drop_taken(arg);
        Some(found)
    }

    /// Drops the value of a slot that is read for the last time.
    #[inline]
    pub(super) fn drop_taken(&mut self, operand: Operand) {
        if let OperandKind::Take(slot) = operand.kind() {
            self.take_slot(slot).done();
        }
    }
}

/// Returns the value of a computed operand; `frame` is the running function and its slots.
#[inline]
pub(super) fn value_in<'a>(
    program: &'a Program,
    frame: &'a [Value],
    operand: Operand,
) -> Option<&'a Value> {
    match operand.kind() {
        OperandKind::Local(slot) | OperandKind::Take(slot) => frame.get(slot as usize + 1),
        OperandKind::Const(index) => program.consts.get(index as usize),
        OperandKind::Capture(index) => match frame.first() {
            Some(Value::Function(closure)) => closure.captures.get(index as usize),
            _ => None,
        },
        OperandKind::Direct(_) | OperandKind::Deep(_) => None,
    }
}

/// Returns the value of a computed operand, or of a field of one. A tracer sees each field, so it gets none here.
#[inline]
pub(super) fn field_in<'a, W: Tracer>(
    program: &'a Program,
    fields: &mut FieldPlaces,
    frame: &'a [Value],
    operand: Operand,
) -> Option<&'a Value> {
    let OperandKind::Direct(node) = operand.kind() else {
        return value_in(program, frame, operand);
    };
    match program.nodes[node as usize] {
        Node::Get { key, map } if !W::ON => {
            let map = value_in(program, frame, map)?;
            let key = &program.consts[key as usize];
            Some(fields.read(map, key).unwrap_or(&Value::Nil))
        }
        Node::Field { key, map } if !W::ON && matches!(map.kind(), OperandKind::Local(_)) => {
            match value_in(program, frame, map)? {
                map @ Value::Map(_) => {
                    Some(fields.read(map, &program.consts[key as usize]).unwrap_or(&Value::Nil))
                }
                Value::Nil => Some(&Value::Nil),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Looks up a value that is called as a function; returns none for all but keywords and maps.
#[inline]
fn borrowed_look_up(cx: &mut Cx, function: &Value, arg: &Value) -> Option<Res> {
    let found = match function {
        Value::Keyword(_) => cx
            .look_for(function)
            .and_then(|()| cx.look_for(arg))
            .map(|()| cx.fields.lookup(arg, function)),
        Value::Map(map) => cx.look_for(arg).map(|()| map.get(arg).cloned().unwrap_or_default()),
        _ => return None,
    };
    Some(found)
}
