//! The waits and questions of a tree of runs, and the decision to leave them to another process.
//!
//! While all branches of all runs of a tree wait for a time or a person, nothing is held but a timer. A host may then end
//! the process: everything is on record, and the run resumes when its first wait is over, or with an answer.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::record::{OpenQuestion, now_ms};

/// The open waits and questions of a tree of runs.
#[derive(Debug)]
pub(super) struct Waits {
    /// The longest wait that the process waits for itself; `None` for any.
    patience: Option<Duration>,
    open: Mutex<Open>,
    is_leaving: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Open {
    /// The time at which each wait is over, in milliseconds since 1970, by the number of the wait.
    due: BTreeMap<u64, u64>,
    /// The questions, and whether the host is being asked them.
    questions: BTreeMap<u64, (OpenQuestion, bool)>,
    /// Whether a run of the tree waits in another process, which this one cannot wake.
    is_elsewhere: bool,
    next: u64,
}

impl Open {
    fn next(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }
}

impl Waits {
    pub(super) fn new(patience: Option<Duration>) -> Waits {
        Waits { patience, open: Mutex::default(), is_leaving: watch::Sender::new(false) }
    }

    /// Adds a wait.
    pub(super) fn add(&self, rest: Duration) -> OpenWait<'_> {
        let rest = u64::try_from(rest.as_millis()).unwrap_or(u64::MAX);
        let mut open = self.lock();
        let number = open.next();
        open.due.insert(number, now_ms().saturating_add(rest));
        OpenWait { waits: self, number }
    }

    /// Adds a question. `is_asked` is whether the host is being asked it.
    pub(super) fn add_question(&self, question: OpenQuestion, is_asked: bool) -> OpenWait<'_> {
        let mut open = self.lock();
        let number = open.next();
        open.questions.insert(number, (question, is_asked));
        OpenWait { waits: self, number }
    }

    /// Adds the waits and questions of a run that waits in another process. The runs of this one leave theirs as soon as
    /// nothing works.
    pub(super) fn add_elsewhere(&self, due: Option<u64>, questions: &[OpenQuestion]) {
        let mut open = self.lock();
        open.is_elsewhere = true;
        if let Some(due) = due {
            let number = open.next();
            open.due.insert(number, due);
        }
        for question in questions {
            let number = open.next();
            open.questions.insert(number, (question.clone(), false));
        }
    }

    /// Returns the time at which the first wait is over or the first question expires, in milliseconds since 1970.
    pub(super) fn due(&self) -> Option<u64> {
        let open = self.lock();
        let expiries = open.questions.values().filter_map(|(question, _)| question.expires);
        open.due.values().copied().chain(expiries).min()
    }

    /// Returns the open questions.
    pub(super) fn questions(&self) -> Vec<OpenQuestion> {
        self.lock().questions.values().map(|(question, _)| question.clone()).collect()
    }

    /// Makes all runs of the tree leave their waits, if the first one takes longer than this process waits, or if they
    /// wait for a person alone. Nothing in the tree may be working.
    pub(super) fn leave_if_long(&self) {
        let leaves = {
            let open = self.lock();
            let asks_host = open.questions.values().any(|(_, is_asked)| *is_asked);
            let rest = open.due.values().min().map(|due| due.saturating_sub(now_ms()));
            match (rest, self.patience) {
                _ if asks_host => false,
                _ if open.is_elsewhere => true,
                (None, _) => !open.questions.is_empty(),
                (Some(rest), Some(patience)) => Duration::from_millis(rest) > patience,
                (Some(_), None) => false,
            }
        };
        if leaves {
            self.is_leaving.send_replace(true);
        }
    }

    /// Waits until the runs of the tree leave their waits.
    pub(super) async fn left(&self) {
        // The sender lives as long as `self`.
        drop(self.is_leaving.subscribe().wait_for(|is_leaving| *is_leaving).await);
    }

    fn remove(&self, number: u64) {
        let mut open = self.lock();
        open.due.remove(&number);
        open.questions.remove(&number);
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open wait or question of a tree. It is withdrawn when it is dropped, unless the runs of the tree leave it to another
/// process.
#[derive(Debug)]
pub(super) struct OpenWait<'a> {
    waits: &'a Waits,
    number: u64,
}

impl OpenWait<'_> {
    /// Ends a wait that is over, or a question that has its answer.
    pub(super) fn end(self) {
        self.waits.remove(self.number);
    }

    /// Notes that the host has left a question open.
    pub(super) fn leave_open(&self) {
        if let Some((_, is_asked)) = self.waits.lock().questions.get_mut(&self.number) {
            *is_asked = false;
        }
    }
}

impl Drop for OpenWait<'_> {
    fn drop(&mut self) {
        if !*self.waits.is_leaving.borrow() {
            self.waits.remove(self.number);
        }
    }
}
