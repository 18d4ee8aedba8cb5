//! The values that operations make: collections, functions, definitions, and records.
//!
//! A record is a map with few constant keys, such as the arguments of a tool call. The map of the last tool call is reused
//! once the host has dropped it, which saves two allocations for each call. The kinds of its values bound its size as JSON.

use std::sync::Arc;

use super::codes::Entry;
use super::machine_core::Core;
use super::problems::invariant_violated;
use super::slots::put;
use super::tracer::Tracer;
use crate::ops::WINDOW;
use ptc_values::code::Code;
use ptc_values::{
    CHARGE_BYTES, Closure, Diagnostic, Ext, Map, Program, Res, Set, Value, holds_grown,
};

/// The most bytes that a pair of a record takes as JSON, without a text as its value. The name is not long, and each of
/// its bytes takes at most six.
const PAIR_BYTES: usize = CHARGE_BYTES as usize * 6 + 40;

impl<W: Tracer> Core<W> {
    pub(super) fn make_map(&mut self, items: Vec<Value>) -> Res {
        let mut map = Map::with_capacity(items.len() / 2);
        for (mut key, value) in ptc_values::pairs(items) {
            self.cx.build(&mut key)?;
            self.cx.key(&key)?;
            if map.contains(&key) {
                return Err(written_twice("key", &key));
            }
            map.insert((key, value));
        }
        self.cx.map(map)
    }

    pub(super) fn make_set(&mut self, items: Vec<Value>) -> Res {
        let mut set = Set::with_capacity(items.len());
        for mut member in items {
            self.cx.build(&mut member)?;
            self.cx.key(&member)?;
            if set.contains(&member) {
                return Err(written_twice("member", &member));
            }
            set.insert(member);
        }
        self.cx.set(set)
    }

    pub(super) fn make_function(
        &mut self,
        program: &Arc<Program>,
        lambda: u32,
        mut captures: Box<[Value]>,
    ) -> Res {
        // A later program may call the function, and must find what a snapshot would hold.
        captures
            .iter_mut()
            .filter(|it| !matches!(it, Value::List(_)))
            .try_for_each(|it| self.cx.build(it))?;
        let closure = Closure::new(program.clone(), lambda, captures);
        self.cx.alloc(closure.captures.len() as u64 * 16 + 64)?;
        Ok(Value::Function(Arc::new(closure)))
    }

    /// Defines a global; returns its var. A range stays one.
    pub(super) fn define(&mut self, global: u32, mut value: Value) -> Res {
        if !matches!(value, Value::List(_)) {
            self.cx.build(&mut value)?;
        }
        let Some(place) = self.cx.world.globals.values.get_mut(global as usize) else {
            return Ok(Value::Nil);
        };
        *place = Some(value);
        Ok(Value::Ext(Arc::new(Ext::Var(self.global_name(global)))))
    }

    /// Makes a map of keys that are known to be valid and distinct. Notes whether its size as JSON is known to be small.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is done for every call of a tool")]
    pub(super) fn make_record(
        &mut self,
        entry: &Entry,
        slots: &mut [Value; WINDOW],
        first: u8,
        count: u8,
        shape: u16,
    ) -> Res {
        let keys = entry.code.shapes.get(usize::from(shape)).ok_or_else(invariant_violated)?;
        let known = entry.shapes.get(usize::from(shape)).ok_or_else(invariant_violated)?;
        let shape =
            known.get_or_init(|| self.cx.shapes.of(keys.iter().map(|key| entry.constant(*key))));
        let first = usize::from(first);
        let values = slots.get_mut(first..first + usize::from(count)).unwrap_or_default();
        let (mut depth, mut texts, mut is_flat) = (0, 0, true);
        for value in &mut *values {
            match value {
                Value::Int(_) | Value::Nil | Value::Bool(_) => {}
                Value::Float(float) => is_flat &= float.is_finite(),
                Value::Str(text) | Value::Keyword(text) => texts += text.len(),
                other => {
                    if !holds_grown(other) {
                        self.cx.build(other)?;
                    }
                    is_flat = false;
                    depth = depth.max(other.depth());
                }
            }
        }
        let last = match self.call.as_mut().map(|call| std::mem::take(&mut call.args)) {
            Some(Value::Map(map)) if Arc::strong_count(&map) == 1 => Some(map),
            _ => None,
        };
        let mut map = match last {
            Some(mut map) => {
                let own = Arc::get_mut(&mut map).ok_or_else(invariant_violated)?;
                let places = own.start_record(shape).unwrap_or_default();
                for (place, value) in places.iter_mut().zip(values) {
                    put(place, std::mem::take(value));
                }
                own.set_depth(depth);
                map
            }
            None => {
                let values = values.iter_mut().map(std::mem::take).collect();
                Arc::new(Map::of_record(shape.clone(), values, depth))
            }
        };
        let max = self.cx.limits.result_bytes as usize;
        let names = (usize::from(count) + 1) * PAIR_BYTES;
        self.fits = is_flat && texts.saturating_mul(6).saturating_add(names) <= max;
        self.cx.alloc(u64::from(count) * 40 + 64)?;
        self.cx.build_map(&mut map)?;
        Ok(Value::Map(map))
    }

    pub(super) fn global_name(&self, global: u32) -> arcstr::ArcStr {
        self.cx.world.globals.name(global).cloned().unwrap_or_default()
    }

    #[cold]
    pub(super) fn undefined(&self, global: u32) -> Diagnostic {
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
