//! Maps with keys that are constants, such as the arguments of a tool call.
//!
//! The map of the last tool call is reused once the host has dropped it. That saves two allocations for each call: a
//! call that is answered at once takes a third less time. A floor in `bench/benches/ratios.rs` checks the gain.

use std::sync::Arc;

use super::Core;
use super::problems::invariant_violated;
use super::tracer::Tracer;
use crate::value::ir::{Args, OperandKind, Program};
use crate::value::{Res, Value};

impl<W: Tracer> Core<W> {
    /// Makes a map of keys that are known to be valid; locates an error at the node.
    #[inline(never)]
    pub(super) fn make_record(&mut self, program: &Program, node: u32, args: Args) -> Res {
        match self.record(program, args) {
            Ok(map) => Ok(map),
            Err(problem) => Err(self.locate_in(problem, program, node)),
        }
    }

    #[inline]
    fn record(&mut self, program: &Program, args: Args) -> Res {
        let (pairs, _) = program.args(args).as_chunks::<2>();
        let mut map = match self.call.as_mut().map(|call| std::mem::take(&mut call.args)) {
            Some(Value::Map(map)) if Arc::strong_count(&map) == 1 => map,
            _ => Arc::default(),
        };
        let own = Arc::get_mut(&mut map).ok_or_else(invariant_violated)?;
        own.start_record(pairs.len());
        if pairs.iter().all(|[_, value]| value.slot().is_some()) {
            for (at, [name, value]) in pairs.iter().enumerate() {
                let value = match value.kind() {
                    OperandKind::Take(slot) => self.take_slot(slot),
                    _ => self.task.stack[self.task.base + value.index() as usize].clone(),
                };
                own.put_field(at, &program.consts[name.index() as usize], value);
            }
        } else {
            // Computed values are pushed on the stack, so that their bytes count.
            let start = self.push_each(program, pairs.iter().map(|[_, value]| value))?;
            let values = self.task.stack.drain(start..);
            for (at, ([name, _], value)) in pairs.iter().zip(values).enumerate() {
                own.put_field(at, &program.consts[name.index() as usize], value);
            }
        }
        self.cx.changed_map(map, pairs.len() as u64 * 40 + 64)
    }
}
