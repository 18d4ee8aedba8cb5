//! Finds the last reading of each local, so that it moves the value out of its slot.
//!
//! What is then changed (`conj`, `assoc`, the accumulator of a loop) is held once only and is
//! changed in place. The checker notes readings and writings in the order of evaluation, and
//! where control parts, joins and turns back; one walk from the end finds what is still needed.

use crate::ir::{Operand, Place, Program};

/// Frames with more slots than this keep all values: the sets of the walk would be too large.
const MAX_SLOTS: u32 = 256;

/// One thing that happens while a function is evaluated, in order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    /// A slot is read.
    Read(Read),
    /// A slot gets a new value.
    Write(u32),
    /// Control parts: one of two runs of events follows.
    Fork,
    /// The second run begins.
    Else,
    /// Both have come together.
    Join,
    /// A loop begins; slots from `first` on are its own.
    Loop { first: u32 },
    /// The loop turns back to its beginning.
    Again,
    /// The loop is over.
    EndLoop,
    /// A `try` begins.
    Try,
    /// Its body is over; what follows may begin at any moment of the body.
    Catch,
    /// The `try` is over.
    EndTry,
}

/// The reading of a slot, and where its operand is kept.
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
    /// As a part of a `try`: its body, its handlers in turn, what ends it.
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

/// Turns each last reading into a move.
pub(super) fn mark(events: &[Event], frame: u32, program: &mut Program, body: &mut Operand) {
    if frame > MAX_SLOTS {
        return;
    }
    let outer = outer_reads(events);
    let mut live = Slots::default();
    // What is needed after each fork whose second run is being walked, and what its second run needs.
    let mut forks: Vec<(Slots, Option<Slots>)> = Vec::new();
    // What each loop around needs when it turns back, innermost last.
    let mut loops: Vec<Slots> = Vec::new();
    // What follows each `try` around, and what its handlers need, innermost last.
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
                // What the loop reads from outside is needed at every turn, so no reading inside
                // is the last one unless control cannot come back: see `Again`.
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

/// For each loop, by the place of its end: the slots it reads that are not its own.
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
                    // What an inner loop reads, the outer one reads too, if it is not its own.
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
        && operand.place() == Place::Local(read.slot)
    {
        *operand = Operand::new(Place::Take(read.slot));
    }
}
