//! The calls of a program that have not started, and the waits and questions that have not ended.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ptc_lisp::CallId;

use crate::run::call_state::{Ready, Work};

/// The calls of a program before they are made. Waits and questions are among them, and need no room.
pub(super) struct CallQueue<'t> {
    /// The largest number of calls in flight.
    most: usize,
    /// The calls that wait for room, in the order of the program.
    calls: VecDeque<Ready<'t>>,
    /// The waits and questions that have not begun.
    waits: Vec<Ready<'t>>,
    /// The waits and questions that have begun and not ended.
    open_waits: BTreeSet<CallId>,
    /// The calls that wait for the yes of a person.
    unconfirmed: BTreeMap<CallId, Box<Ready<'t>>>,
}

impl<'t> CallQueue<'t> {
    /// Creates the queue of a program that may have `most` calls in flight.
    pub(super) fn new(most: usize) -> CallQueue<'t> {
        CallQueue {
            most,
            calls: VecDeque::new(),
            waits: Vec::new(),
            open_waits: BTreeSet::new(),
            unconfirmed: BTreeMap::new(),
        }
    }

    /// Makes room for more calls. Thousands of runs may wait at once, so spare capacity would add up.
    pub(super) fn reserve(&mut self, calls: usize) {
        self.calls.reserve_exact(calls);
    }

    /// Adds a call behind the others.
    pub(super) fn push(&mut self, call: Ready<'t>) {
        match call.work {
            Work::Tool(_) => self.calls.push_back(call),
            Work::Wait(_) | Work::Question(_) | Work::Expansion(_) | Work::Denied(..) => {
                self.waits.push(call);
            }
        }
    }

    /// Removes as many calls as there is room for beside `in_flight` others, and all waits and questions.
    pub(super) fn take(&mut self, in_flight: usize) -> Vec<Ready<'t>> {
        let room = self.most.saturating_sub(in_flight.saturating_sub(self.open_waits.len()));
        let room = room.min(self.calls.len());
        self.calls.drain(..room).chain(self.waits.drain(..)).collect()
    }

    /// Puts calls back, in front of the others.
    pub(super) fn put_back(&mut self, calls: Vec<Ready<'t>>) {
        let (calls, waits): (Vec<_>, Vec<_>) =
            calls.into_iter().partition(|it| it.tool().is_some());
        calls.into_iter().rev().for_each(|call| self.calls.push_front(call));
        self.waits.splice(0..0, waits);
    }

    /// Keeps the start of a call that is taken: a wait or a question is open from now on, and so is the call that a
    /// question is about.
    pub(super) fn begin(&mut self, call: &mut Ready<'t>) {
        match &mut call.work {
            Work::Tool(_) => return,
            Work::Wait(_) | Work::Expansion(_) | Work::Denied(..) => {}
            Work::Question(asking) => {
                if let Some(unconfirmed) = asking.call.take() {
                    self.unconfirmed.insert(call.id.clone(), unconfirmed);
                }
            }
        }
        self.open_waits.insert(call.id.clone());
    }

    /// Returns whether a wait or a question is open.
    pub(super) fn is_open_wait(&self, id: &CallId) -> bool {
        self.open_waits.contains(id)
    }

    /// Ends a wait or a question. Returns the call that waited for the answer of a person.
    pub(super) fn end(&mut self, id: &CallId) -> Option<Ready<'t>> {
        self.open_waits.remove(id);
        self.unconfirmed.remove(id).map(|call| *call)
    }

    /// Removes everything with the id of a call.
    pub(super) fn remove(&mut self, id: &CallId) {
        self.calls.retain(|call| call.id != *id);
        self.waits.retain(|call| call.id != *id);
        self.end(id);
    }
}
