//! Finds the last read of each local, which moves the value out of its slot.
//!
//! Then an updated value (`conj`, `assoc`, the accumulator of a loop) has one holder and changes in place. The checker
//! records reads and writes in order of evaluation, and where control forks, joins and turns back. One backward walk
//! finds the live slots.

use ptc_values::Program;
use ptc_values::ir::{Operand, OperandKind};

/// Frames with more slots keep all values: the slot sets would be too large.
const MAX_SLOTS: u32 = 256;

/// An event of a function's evaluation, in order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    /// A slot is read.
    Read(Read),
    /// A slot gets a new value.
    Write(u32),
    /// Control forks: two alternative runs of events follow.
    Fork,
    /// The second run begins.
    Else,
    /// Both runs join.
    Join,
    /// A loop begins; slots from `first` on belong to it.
    Loop { first: u32 },
    /// The loop turns back to its beginning.
    Again,
    /// The loop ends.
    EndLoop,
    /// A `try` begins.
    Try,
    /// Its body ends. A handler may begin at any moment of the body.
    Catch,
    /// The `try` ends.
    EndTry,
}

/// The read of a slot, and where its operand is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    pub(super) slot: u32,
    pub(super) kept: Kept,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Kept {
    Nowhere,
    /// In the list of operands.
    Operand(u32),
    /// In a field of a node.
    Field {
        node: u32,
        field: u8,
    },
    /// As the body of the function.
    Body,
    /// As a part of a `try`: the body, a handler, or the `finally`.
    Try {
        index: u32,
        part: u32,
    },
}

#[derive(Clone, Copy, Default)]
struct Slots([u64; (MAX_SLOTS / 64) as usize]);

impl Slots {
    fn bit(slot: u32) -> (usize, u64) {
        ((slot / 64) as usize, 1 << (slot % 64))
    }

    fn has(&self, slot: u32) -> bool {
        let (word, bit) = Slots::bit(slot);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn add(&mut self, slot: u32) {
        let (word, bit) = Slots::bit(slot);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    fn remove(&mut self, slot: u32) {
        let (word, bit) = Slots::bit(slot);
        if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
    }

    fn union(&mut self, other: &Slots) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }
}

/// Turns each last read into a move.
pub(super) fn mark(events: &[Event], frame: u32, program: &mut Program, body: &mut Operand) {
    if frame > MAX_SLOTS {
        return;
    }
    let outer = outer_reads(events);
    let mut live = Slots::default();
    // For each fork: the slots live after it, and those live at its second run.
    let mut forks: Vec<(Slots, Option<Slots>)> = Vec::new();
    // For each enclosing loop, the slots live when it turns back, innermost last.
    let mut loops: Vec<Slots> = Vec::new();
    // For each enclosing `try`, the slots live after it and in its handlers, innermost last.
    let mut tries: Vec<(Slots, Slots)> = Vec::new();
    for (at, event) in events.iter().enumerate().rev() {
        match *event {
            Event::Read(read) => {
                if !live.has(read.slot) {
                    live.add(read.slot);
                    take(read, program, body);
                }
            }
            Event::Write(slot) => live.remove(slot),
            Event::Join => forks.push((live, None)),
            Event::Else => {
                if let Some((after, second)) = forks.last_mut() {
                    *second = Some(live);
                    live = *after;
                }
            }
            Event::Fork => {
                if let Some((after, second)) = forks.pop() {
                    live.union(&second.unwrap_or(after));
                }
            }
            Event::EndLoop => {
                let needed =
                    outer.iter().rev().find(|(end, _)| *end == at).map(|(_, reads)| *reads);
                loops.push(needed.unwrap_or_default());
                // Slots that the loop reads from outside are live at every turn. So no read inside is the last one,
                // unless control cannot come back: see `Again`.
            }
            Event::Again => {
                live = loops.last().copied().unwrap_or_default();
                for (_, handlers) in &tries {
                    live.union(handlers);
                }
            }
            Event::EndTry => tries.push((live, Slots::default())),
            Event::Catch => {
                if let Some((after, handlers)) = tries.last_mut() {
                    *handlers = live;
                    live.union(after);
                }
            }
            Event::Try => {
                tries.pop();
            }
            Event::Loop { .. } => {
                if let Some(needed) = loops.pop() {
                    live.union(&needed);
                }
            }
        }
    }
}

/// Returns, for each loop by the index of its end, the outer slots it reads.
fn outer_reads(events: &[Event]) -> Vec<(usize, Slots)> {
    let mut open: Vec<(u32, Slots)> = Vec::new();
    let mut done = Vec::new();
    for (at, event) in events.iter().enumerate() {
        match *event {
            Event::Loop { first } => open.push((first, Slots::default())),
            Event::Read(read) => {
                if let Some((first, reads)) = open.last_mut()
                    && read.slot < *first
                {
                    reads.add(read.slot);
                }
            }
            Event::EndLoop => {
                if let Some((_, reads)) = open.pop() {
                    done.push((at, reads));
                    // The outer loop reads the slots of the inner one too, except its own.
                    if let Some((first, outer)) = open.last_mut() {
                        for slot in (0..*first).filter(|slot| reads.has(*slot)) {
                            outer.add(slot);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    done.sort_by_key(|(at, _)| *at);
    done
}

fn take(read: Read, program: &mut Program, body: &mut Operand) {
    let operand = match read.kept {
        Kept::Nowhere => return,
        Kept::Body => Some(body),
        Kept::Try { index, part } => {
            program.tries.get_mut(index as usize).and_then(|one| one.part_mut(part))
        }
        Kept::Operand(index) => program.operands.get_mut(index as usize),
        Kept::Field { node, field } => {
            program.nodes.get_mut(node as usize).and_then(|node| node.field_mut(field))
        }
    };
    if let Some(operand) = operand
        && operand.kind() == OperandKind::Local(read.slot)
    {
        *operand = Operand::new(OperandKind::Take(read.slot));
    }
}
