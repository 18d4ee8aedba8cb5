//! Maps with keys that are constants, such as the arguments of a tool call.
//!
//! The map of the last tool call is reused once the host has dropped it. That saves two allocations for each call. A
//! second call of the same tool only replaces the values of the map ([`Core::call_again`]). The kinds of the values bound
//! their size as JSON. Floors in `bench/benches/ratios.rs` check both gains.

#![expect(clippy::inline_always, reason = "what the machine does for every tool call")]

use std::sync::Arc;

use arcstr::ArcStr;

use super::Core;
use super::flow::Looped;
use super::problems::invariant_violated;
use super::tracer::Tracer;
use crate::code::Span;
use crate::value::ir::{Args, Node, Operand, OperandKind, Program};
use crate::value::{CHARGE_BYTES, Map, Res, Value};

/// The most bytes that a pair of a record takes as JSON, without a text as its value. The name is not long, and each of
/// its bytes takes at most six.
const PAIR_BYTES: usize = CHARGE_BYTES as usize * 6 + 40;

/// A node that calls a tool, with arguments that need no frames.
pub(super) struct ToolNode<'p> {
    pub(super) node: u32,
    pub(super) name: &'p ArcStr,
    pub(super) args: Operand,
    pub(super) record: Option<ArgsRecord<'p>>,
}

/// Arguments that can replace those of the last call: a record whose values need no evaluation.
pub(super) struct ArgsRecord<'p> {
    node: u32,
    pairs: &'p [[Operand; 2]],
    span: Span,
    in_loop: bool,
    /// The bytes that they are charged.
    bytes: u64,
    /// The bytes of texts that keep the arguments below the limit of their size as JSON.
    texts: usize,
}

/// The source of the values of a record.
#[derive(Clone, Copy)]
enum Source {
    /// Slots and constants.
    AtHand,
    /// Slots, which keep their values, and constants.
    Kept,
    /// Computed values, in the order of the pairs.
    Computed,
}

/// The known facts about the values of a record.
struct Filled {
    /// The bytes of the texts and keywords among them.
    texts: usize,
    /// Whether all are texts, keywords, numbers of at most 64 bits, booleans or nil with a form as JSON.
    is_flat: bool,
}

impl<W: Tracer> Core<W> {
    /// Makes a map of keys that are known to be valid; locates an error at the node.
    #[inline(never)]
    pub(super) fn make_record(&mut self, program: &Program, node: u32, args: Args) -> Res {
        match self.record(program, args) {
            Ok(map) => Ok(map),
            Err(problem) => Err(self.locate_in(problem, program, node)),
        }
    }

    fn record(&mut self, program: &Program, args: Args) -> Res {
        let pairs = pairs_of(program, args);
        let mut map = match self.call.as_mut().map(|call| std::mem::take(&mut call.args)) {
            Some(Value::Map(map)) if Arc::strong_count(&map) == 1 => map,
            _ => Arc::default(),
        };
        let own = Arc::get_mut(&mut map).ok_or_else(invariant_violated)?;
        if are_at_hand(pairs) {
            let source = if self.watch.keeps() { Source::Kept } else { Source::AtHand };
            fill(own, program, pairs, &mut self.task.stack[self.task.base..], source);
        } else {
            // Computed values are pushed on the stack, so that their bytes count.
            let start = self.push_each(program, pairs.iter().map(|[_, value]| value))?;
            fill(own, program, pairs, &mut self.task.stack[start..], Source::Computed);
            self.task.drop_above(start);
        }
        self.cx.changed_map(map, record_bytes(pairs))
    }

    /// Returns a node as one that calls a tool, if its arguments need no frames.
    #[inline(always)]
    pub(super) fn tool_node<'p>(&self, program: &'p Program, node: u32) -> Option<ToolNode<'p>> {
        let Node::Tool { tool, args } = program.node(node) else { return None };
        if args.deep().is_some() {
            return None;
        }
        let name = program.tools.get(tool as usize)?;
        let record = self.args_record(program, node, args);
        Some(ToolNode { node, name, args, record })
    }

    /// Returns the arguments of a call if they may replace those of the last one. The answer is the same for all calls
    /// that a builtin makes in a row.
    #[inline(always)]
    fn args_record<'p>(
        &self,
        program: &'p Program,
        node: u32,
        args: Operand,
    ) -> Option<ArgsRecord<'p>> {
        let (limits, flow) = (&self.cx.limits, &self.cx.own.flow);
        if W::ON || self.task.is_branch() || flow.step.is_some() || limits.value_depth == 0 {
            return None;
        }
        let record = args.node()?;
        let Node::Record(args) = program.node(record) else { return None };
        let pairs = pairs_of(program, args);
        let bytes = record_bytes(pairs);
        if !are_at_hand(pairs) || bytes > limits.memory {
            return None;
        }
        let texts = (limits.result_bytes as usize).checked_sub((pairs.len() + 1) * PAIR_BYTES)? / 6;
        let (span, in_loop) = (program.span(node), flow.looped != Looped::No);
        Some(ArgsRecord { node: record, pairs, span, in_loop, bytes, texts })
    }

    /// Calls a tool again if its arguments can replace those of the last call. Returns false if the last call was one of
    /// another tool, or if the host keeps its arguments. Then nothing has happened.
    #[inline(always)]
    pub(super) fn call_again(
        &mut self,
        program: &Program,
        tool: &ToolNode<'_>,
        record: &ArgsRecord<'_>,
    ) -> Res<bool> {
        let Some(call) = &mut self.call else { return Ok(false) };
        let Value::Map(map) = &mut call.args else { return Ok(false) };
        if !ArcStr::ptr_eq(&call.name, tool.name) || call.step.is_some() {
            return Ok(false);
        }
        let Some(own) = Arc::get_mut(map) else { return Ok(false) };
        let slots = &mut self.task.stack[self.task.base..];
        let filled = fill(own, program, record.pairs, slots, Source::AtHand);
        if !filled.is_flat || filled.texts > record.texts || self.cx.calls_left == 0 {
            return self.call_with_record(program, tool, record);
        }
        (call.span, call.in_loop) = (record.span, record.in_loop);
        call.id.number = self.task.next_number();
        // The identity takes four bytes.
        self.cx.charge(record.bytes + 4);
        self.cx.calls_left -= 1;
        self.calls_made += 1;
        self.asked = true;
        Ok(true)
    }

    /// Calls a tool with replaced arguments that need a closer check.
    #[inline(never)]
    fn call_with_record(
        &mut self,
        program: &Program,
        tool: &ToolNode<'_>,
        record: &ArgsRecord<'_>,
    ) -> Res<bool> {
        let args = self.call.as_mut().map(|call| std::mem::take(&mut call.args));
        let Some(Value::Map(map)) = args else { return Err(invariant_violated()) };
        match self.cx.changed_map(map, record.bytes) {
            Ok(args) => self.ask(tool.name, args, record.span).map(|_| true),
            Err(problem) => Err(self.locate_in(problem, program, record.node)),
        }
    }
}

#[inline]
fn are_at_hand(pairs: &[[Operand; 2]]) -> bool {
    pairs.iter().all(|[_, value]| value.is_at_hand())
}

#[inline]
fn pairs_of(program: &Program, args: Args) -> &[[Operand; 2]] {
    program.args(args).as_chunks::<2>().0
}

/// Makes a map a record of pairs.
#[inline(always)]
fn fill(
    map: &mut Map,
    program: &Program,
    pairs: &[[Operand; 2]],
    slots: &mut [Value],
    source: Source,
) -> Filled {
    let mut filled = Filled { texts: 0, is_flat: true };
    let mut depth = 0;
    let rows = map.start_record(pairs.len()).unwrap_or_default();
    for (at, ((name, place), [key, value])) in rows.iter_mut().zip(pairs).enumerate() {
        let value = match (source, value.kind()) {
            (Source::Computed, _) => std::mem::take(&mut slots[at]),
            (_, OperandKind::Const(index)) => program.consts[index as usize].clone(),
            (Source::AtHand, OperandKind::Take(slot)) => std::mem::take(&mut slots[slot as usize]),
            _ => slots[value.index() as usize].clone(),
        };
        match &value {
            Value::Int(_) | Value::Nil | Value::Bool(_) => {}
            Value::Float(float) => filled.is_flat &= float.is_finite(),
            Value::Str(text) | Value::Keyword(text) => filled.texts += text.len(),
            other => {
                filled.is_flat = false;
                depth = depth.max(other.depth());
            }
        }
        let key = &program.consts[key.index() as usize];
        if !name.is_the_name(key) {
            *name = key.clone();
        }
        std::mem::replace(place, value).done();
    }
    map.set_depth(depth);
    filled
}

/// Returns the bytes that a record of these pairs is charged.
#[inline]
fn record_bytes(pairs: &[[Operand; 2]]) -> u64 {
    pairs.len() as u64 * 40 + 64
}
