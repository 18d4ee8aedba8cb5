//! The runs that wait for a place and those that have one. Each caller has its turn: one with many runs does not keep the
//! others waiting.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hyper::StatusCode;
use ptc_subagent::RunId;
use ptc_subagent::host::Running;
use tokio::sync::watch;

use crate::problem::Problem;

/// The seconds after which a refused caller may try again.
const RETRY_AFTER: u64 = 2;

/// The runs of a server that are not settled.
pub(crate) struct Queue {
    max_runs: usize,
    max_queued: usize,
    lists: Mutex<Lists>,
}

#[derive(Default)]
struct Lists {
    /// The runs of each caller that wait, in the order in which the callers have their turns.
    waiting: VecDeque<(Option<String>, VecDeque<RunId>)>,
    /// The number of those runs.
    queued: usize,
    /// The number of places in the queue that are promised.
    promised: usize,
    /// All runs that are not settled. Dropping a sender tells those who wait for it.
    open: BTreeMap<RunId, Open>,
    running: usize,
    is_closed: bool,
}

/// A run that is not settled.
#[derive(Default)]
struct Open {
    settled: watch::Sender<()>,
    /// The run, once it runs.
    running: Option<Running>,
    /// Whether a person has cancelled it.
    is_cancelled: bool,
    /// Whether it has a place.
    has_place: bool,
    /// How it goes on once its place is given back.
    again: Option<Again>,
}

/// A run that was added while it had a place.
struct Again {
    caller: Option<String>,
}

/// A place in the queue that is promised.
pub(crate) struct Promise<'q>(&'q Queue);

impl Drop for Promise<'_> {
    fn drop(&mut self) {
        self.0.lock().promised -= 1;
    }
}

/// The state of a run that a person cancels.
pub(crate) enum Cancelled {
    /// It runs, and ends soon.
    Running,
    /// It has left the queue.
    Queued,
    /// The server does not have it.
    Absent,
}

impl Queue {
    pub(crate) fn new(max_runs: usize, max_queued: usize) -> Queue {
        Queue { max_runs: max_runs.max(1), max_queued, lists: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Promises a place for a new run.
    ///
    /// # Errors
    ///
    /// The problem of a queue that is full or closed.
    pub(crate) fn promise(&self) -> Result<Promise<'_>, Problem> {
        let mut lists = self.lock();
        lists.check_open()?;
        // A run that finds a free place does not wait.
        let free = self.max_runs.saturating_sub(lists.running);
        if lists.queued + lists.promised >= self.max_queued + free {
            return Err(unavailable("queue-full", "too many runs wait for a place"));
        }
        lists.promised += 1;
        drop(lists);
        Ok(Promise(self))
    }

    /// Checks that runs may go on.
    ///
    /// # Errors
    ///
    /// The problem of a queue that is closed.
    pub(crate) fn check_open(&self) -> Result<(), Problem> {
        self.lock().check_open()
    }

    /// Adds a run on record behind those of its caller. A run that waits for a place already stays where it is. One that
    /// has a place has ended there, and is added when it gives the place back.
    pub(crate) fn add(&self, run: RunId, caller: Option<String>) {
        self.lock().add(run, caller);
    }

    /// Returns the next run if there is a place for it. The run has the place until [`Queue::settle`].
    pub(crate) fn next(&self) -> Option<RunId> {
        let mut lists = self.lock();
        if lists.is_closed || lists.running >= self.max_runs {
            return None;
        }
        let (caller, mut runs) = lists.waiting.pop_front()?;
        let run = runs.pop_front()?;
        if !runs.is_empty() {
            lists.waiting.push_back((caller, runs));
        }
        lists.queued -= 1;
        lists.running += 1;
        if let Some(open) = lists.open.get_mut(&run) {
            open.has_place = true;
        }
        Some(run)
    }

    /// Notes that a run with a place runs. It is cancelled at once if a person has asked for it.
    pub(crate) fn begin(&self, run: &RunId, running: &Running) {
        if let Some(open) = self.lock().open.get_mut(run) {
            if open.is_cancelled {
                running.cancel();
            }
            open.running = Some(running.clone());
        }
    }

    /// Gives back the place of a run. Returns whether a person has cancelled it.
    pub(crate) fn settle(&self, run: &RunId) -> bool {
        let mut lists = self.lock();
        lists.running -= 1;
        let Some(open) = lists.open.remove(run) else { return false };
        if let Some(Again { caller }) = open.again {
            // Those who wait for it go on waiting.
            let Open { settled, is_cancelled, .. } = open;
            lists.wait(run.clone(), caller, Open { settled, is_cancelled, ..Open::default() });
            return is_cancelled;
        }
        open.is_cancelled
    }

    /// Returns whether a person has cancelled a run.
    pub(crate) fn is_cancelled(&self, run: &RunId) -> bool {
        self.lock().open.get(run).is_some_and(|it| it.is_cancelled)
    }

    /// Cancels a run.
    pub(crate) fn cancel(&self, run: &RunId) -> Cancelled {
        let mut lists = self.lock();
        let mut left = false;
        for (_, runs) in &mut lists.waiting {
            let before = runs.len();
            runs.retain(|it| it != run);
            left |= runs.len() < before;
        }
        if left {
            lists.waiting.retain(|(_, runs)| !runs.is_empty());
            lists.queued -= 1;
            lists.open.remove(run);
            return Cancelled::Queued;
        }
        let Some(open) = lists.open.get_mut(run) else { return Cancelled::Absent };
        open.is_cancelled = true;
        if let Some(running) = &open.running {
            running.cancel();
        }
        Cancelled::Running
    }

    /// Returns what becomes ready when a run is settled; `None` if the server does not have it.
    pub(crate) fn settled(&self, run: &RunId) -> Option<watch::Receiver<()>> {
        self.lock().open.get(run).map(|it| it.settled.subscribe())
    }

    /// Closes the queue: no further run starts.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Cancels all runs that run.
    pub(crate) fn interrupt(&self) {
        for open in self.lock().open.values() {
            open.running.iter().for_each(Running::cancel);
        }
    }

    /// Returns the numbers of runs that wait and that run.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let lists = self.lock();
        (lists.queued, lists.running)
    }
}

impl Lists {
    fn add(&mut self, run: RunId, caller: Option<String>) {
        if let Some(open) = self.open.get_mut(&run) {
            open.again = open.has_place.then_some(Again { caller });
            return;
        }
        self.wait(run, caller, Open::default());
    }

    /// Has a run wait for a place.
    fn wait(&mut self, run: RunId, caller: Option<String>, open: Open) {
        self.open.insert(run.clone(), open);
        self.queued += 1;
        match self.waiting.iter_mut().find(|(it, _)| *it == caller) {
            Some((_, runs)) => runs.push_back(run),
            None => self.waiting.push_back((caller, VecDeque::from([run]))),
        }
    }

    fn check_open(&self) -> Result<(), Problem> {
        if self.is_closed {
            return Err(unavailable("stopping", "the server stops, and takes no further run"));
        }
        Ok(())
    }
}

fn unavailable(code: &'static str, detail: &str) -> Problem {
    let mut problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, detail);
    problem.retry_after = Some(RETRY_AFTER);
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_take_turns_and_each_run_has_its_place_once() {
        let ids = ["0", "1", "2", "3", "4"].map(|end| format!("0000000000000000000000000{end}"));
        let runs: Vec<RunId> = ids.iter().map(|it| it.parse().unwrap()).collect();
        let queue = Queue::new(2, 10);
        let callers = [Some("ada"), Some("ada"), Some("ada"), Some("bo"), None];
        for (run, caller) in runs.iter().zip(callers) {
            queue.add(run.clone(), caller.map(str::to_string));
            queue.add(run.clone(), caller.map(str::to_string));
        }
        let mut order = vec![queue.next(), queue.next(), queue.next()];
        for run in [0, 3, 4, 1] {
            assert!(!queue.settle(&runs[run]));
            order.push(queue.next());
        }
        let place =
            |it: &Option<RunId>| it.as_ref().map(|it| runs.iter().position(|run| run == it));
        let order: Vec<_> = order.iter().map(|it| place(it).flatten()).collect();
        assert_eq!(order, [Some(0), Some(3), None, Some(4), Some(1), Some(2), None]);
        assert_eq!(queue.counts(), (0, 1));
    }

    #[test]
    fn a_run_that_is_added_before_its_place_is_free_runs_again() {
        let run: RunId = "00000000000000000000000000".parse().unwrap();
        let queue = Queue::new(1, 10);
        queue.add(run.clone(), None);
        assert_eq!(queue.next().as_ref(), Some(&run));
        queue.add(run.clone(), Some("ada".to_string()));
        assert_eq!((queue.next(), queue.counts()), (None, (0, 1)));
        let settled = queue.settled(&run).unwrap();
        assert!(!queue.settle(&run));
        assert!(settled.has_changed().is_ok());
        assert_eq!((queue.next().as_ref(), queue.counts()), (Some(&run), (0, 1)));
        // Who cancels it before it goes on cancels what follows, too.
        queue.add(run.clone(), None);
        assert!(matches!(queue.cancel(&run), Cancelled::Running));
        assert!(queue.settle(&run));
        assert_eq!(queue.next().as_ref(), Some(&run));
        assert!(queue.is_cancelled(&run));
        assert!(queue.settle(&run));
        assert!(settled.has_changed().is_err());
        assert_eq!((queue.next(), queue.counts()), (None, (0, 0)));
    }
}
