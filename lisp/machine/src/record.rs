//! Maps with keys that are constants, such as the arguments of a tool call.
//!
//! The map of the last tool call is reused once the host has dropped it. That saves two allocations for each call. A
//! second call of the same tool only replaces the values of the map ([`Core::call_again`]). The kinds of the values bound
//! their size as JSON. Floors in `bench/benches/ratios.rs` check both gains.

#![expect(clippy::inline_always, reason = "what the machine does for every tool call")]

use std::sync::Arc;

use arcstr::ArcStr;

use super::flow::Looped;
use super::problems::invariant_violated;
use super::tracer::Tracer;
use super::{Core, ToolCall};
use ptc_values::code::Span;
use ptc_values::ir::{Args, Node, Operand, OperandKind, Program};
use ptc_values::{CHARGE_BYTES, Map, Res, Value};

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

/// Arguments that can replace those of the last call: a record.
pub(super) struct ArgsRecord<'p> {
    node: u32,
    pairs: &'p [[Operand; 2]],
    /// Whether a value needs evaluation.
    pub(super) is_computed: bool,
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
        if !are_at_hand(pairs) {
            let start = self.push_values(program, pairs)?;
            return self.record_of_pushed(program, pairs, start);
        }
        let mut map = self.empty_record();
        let own = Arc::get_mut(&mut map).ok_or_else(invariant_violated)?;
        let source = if self.watch.keeps() { Source::Kept } else { Source::AtHand };
        fill(own, program, pairs, &mut self.task.stack[self.task.base..], source);
        self.cx.changed_map(map, record_bytes(pairs))
    }

    /// Makes a record of the values above `start` on the stack.
    fn record_of_pushed(&mut self, program: &Program, pairs: &[[Operand; 2]], start: usize) -> Res {
        let mut map = self.empty_record();
        let own = Arc::get_mut(&mut map).ok_or_else(invariant_violated)?;
        fill(own, program, pairs, &mut self.task.stack[start..], Source::Computed);
        self.task.drop_above(start);
        self.cx.changed_map(map, record_bytes(pairs))
    }

    /// Returns the map of the last call if nobody else holds it, otherwise a new one.
    fn empty_record(&mut self) -> Arc<Map> {
        match self.call.as_mut().map(|call| std::mem::take(&mut call.args)) {
            Some(Value::Map(map)) if Arc::strong_count(&map) == 1 => map,
            _ => Arc::default(),
        }
    }

    /// Pushes the values of a record on the stack, so that their bytes count. Returns the place of the first.
    fn push_values(&mut self, program: &Program, pairs: &[[Operand; 2]]) -> Res<usize> {
        self.push_each(program, pairs.iter().map(|[_, value]| value))
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
        if bytes > limits.memory {
            return None;
        }
        let is_computed = !are_at_hand(pairs);
        let texts = (limits.result_bytes as usize).checked_sub((pairs.len() + 1) * PAIR_BYTES)? / 6;
        let (span, in_loop) = (program.span(node), flow.looped != Looped::No);
        Some(ArgsRecord { node: record, pairs, is_computed, span, in_loop, bytes, texts })
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
        let Some(own) = args_to_replace(&mut self.call, tool.name) else { return Ok(false) };
        let slots = &mut self.task.stack[self.task.base..];
        let filled = fill(own, program, record.pairs, slots, Source::AtHand);
        self.call_filled(program, tool, record, &filled).map(|()| true)
    }

    /// Calls a tool with arguments that need evaluation.
    #[inline(never)]
    pub(super) fn call_computed(
        &mut self,
        program: &Program,
        tool: &ToolNode<'_>,
        record: &ArgsRecord<'_>,
    ) -> Res<()> {
        let start = match self.push_values(program, record.pairs) {
            Ok(start) => start,
            Err(problem) => return Err(self.locate_in(problem, program, record.node)),
        };
        let Some(own) = args_to_replace(&mut self.call, tool.name) else {
            return match self.record_of_pushed(program, record.pairs, start) {
                Ok(args) => self.ask(tool.name, args, record.span).map(|_| ()),
                Err(problem) => Err(self.locate_in(problem, program, record.node)),
            };
        };
        let filled =
            fill(own, program, record.pairs, &mut self.task.stack[start..], Source::Computed);
        self.task.drop_above(start);
        self.call_filled(program, tool, record, &filled)
    }

    /// Calls a tool whose arguments have replaced those of the last call.
    #[inline(always)]
    fn call_filled(
        &mut self,
        program: &Program,
        tool: &ToolNode<'_>,
        record: &ArgsRecord<'_>,
        filled: &Filled,
    ) -> Res<()> {
        let Some(call) = &mut self.call else { return Err(invariant_violated()) };
        if !filled.is_flat || filled.texts > record.texts || self.cx.calls_left == 0 {
            return self.call_checked(program, tool, record);
        }
        (call.span, call.in_loop) = (record.span, record.in_loop);
        call.id.number = self.task.next_number();
        // The identity takes four bytes.
        self.cx.charge(record.bytes + 4);
        self.cx.calls_left -= 1;
        self.calls_made += 1;
        self.asked = true;
        Ok(())
    }

    /// Calls a tool with replaced arguments that need a closer check.
    #[inline(never)]
    fn call_checked(
        &mut self,
        program: &Program,
        tool: &ToolNode<'_>,
        record: &ArgsRecord<'_>,
    ) -> Res<()> {
        let args = self.call.as_mut().map(|call| std::mem::take(&mut call.args));
        let Some(Value::Map(map)) = args else { return Err(invariant_violated()) };
        match self.cx.changed_map(map, record.bytes) {
            Ok(args) => self.ask(tool.name, args, record.span).map(|_| ()),
            Err(problem) => Err(self.locate_in(problem, program, record.node)),
        }
    }
}

/// Returns the arguments of the last call if they can be replaced for another call of this tool: the host has dropped
/// them, and the call had no step.
#[inline(always)]
fn args_to_replace<'c>(call: &'c mut Option<ToolCall>, tool: &ArcStr) -> Option<&'c mut Map> {
    let call = call.as_mut().filter(|call| ArcStr::ptr_eq(&call.name, tool))?;
    match &mut call.args {
        Value::Map(map) if call.step.is_none() => Arc::get_mut(map),
        _ => None,
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
