//! The calls in flight, their reports, and the order in which a program receives recorded outcomes.

use std::collections::{BTreeMap, BTreeSet};

use ptc_lisp::CallId;

use crate::in_flight::InFlight;
use crate::provider::BoxFuture;
use crate::record::CallProgress;
use crate::run::answer::Answer;
use crate::run::call_state::Flight;
use crate::tool::{Reporter, Reports};

/// The calls in flight.
#[derive(Default)]
pub(super) struct Flights<'a> {
    in_flight: InFlight<'a, Flight, Answer>,
    /// The reports of tools. There are none without a call that an observer may hear of.
    reports: Option<Reports<CallId>>,
    /// Recorded outcomes that the program has not received yet, by their recorded order. The program receives them in
    /// that order, because the order of its further calls depends on it.
    recorded: BTreeMap<(u32, CallId), (Flight, Answer)>,
    /// The recorded positions of calls whose sub-agents are replaying.
    replaying: BTreeSet<u32>,
}

/// The next event of the calls in flight.
pub(super) enum Arrival {
    Report(CallId, CallProgress),
    /// A call has an answer, or its tool panicked.
    Answer(Flight, Box<std::thread::Result<Answer>>),
}

impl<'a> Flights<'a> {
    /// Adds a call.
    pub(super) fn push(&mut self, flight: Flight, made: BoxFuture<'a, Answer>) {
        self.replaying.extend(flight.ended);
        self.in_flight.push(flight, made);
    }

    /// Adds a call whose outcome is on record, at its position among the ended calls.
    pub(super) fn push_recorded(&mut self, place: u32, flight: Flight, answer: Answer) {
        self.replaying.remove(&place);
        self.recorded.insert((place, flight.id.clone()), (flight, answer));
    }

    /// Returns the reporter of a call.
    pub(super) fn reporter(&mut self, id: CallId) -> Reporter {
        self.reports.get_or_insert_with(Reports::new).reporter(id)
    }

    /// Returns the number of calls whose outcome the program has not received.
    pub(super) fn len(&self) -> usize {
        self.in_flight.len() + self.recorded.len()
    }

    /// Returns the calls that are being made.
    pub(super) fn making(&self) -> impl Iterator<Item = &Flight> {
        self.in_flight.keys()
    }

    /// Returns whether no call is being made.
    pub(super) fn is_idle(&self) -> bool {
        self.in_flight.is_empty()
    }

    /// Returns whether the program has not received all recorded outcomes of its started calls.
    pub(super) fn is_replaying(&self) -> bool {
        !self.recorded.is_empty() || !self.replaying.is_empty()
    }

    /// Removes the next recorded outcome. Returns `None` while an earlier one is pending.
    pub(super) fn next_recorded(&mut self) -> Option<(Flight, Answer)> {
        let next = self.recorded.first_entry()?;
        let is_first = self.replaying.first().is_none_or(|pending| next.key().0 < *pending);
        is_first.then(|| next.remove())
    }

    /// Waits for the next report or answer. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Arrival {
        let report = async {
            match &mut self.reports {
                Some(reports) => reports.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            (id, progress) = report => Arrival::Report(id, progress),
            (flight, answer) = self.in_flight.next() => Arrival::Answer(flight, Box::new(answer)),
        }
    }

    /// Returns the next report that has arrived.
    pub(super) fn report(&mut self) -> Option<(CallId, CallProgress)> {
        self.reports.as_mut()?.arrived()
    }

    /// Drops a call. Returns whether it was there.
    pub(super) fn give_up(&mut self, id: &CallId) -> bool {
        let recorded = self.recorded.extract_if(.., |(_, call), _| call == id).next();
        let flight = self.in_flight.remove(|flight| flight.id == *id);
        let flight = flight.or(recorded.map(|(_, (flight, _))| flight));
        if let Some(ended) = flight.as_ref().and_then(|flight| flight.ended) {
            self.replaying.remove(&ended);
        }
        flight.is_some()
    }

    /// Drops the calls that are being made.
    pub(super) fn clear(&mut self) {
        self.in_flight.clear();
    }
}
