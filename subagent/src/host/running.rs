//! A run on the threads of a runtime.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Notify;

use super::model::Model;
use super::task::{Task, no_store_to_resume_from};
use crate::agent::Agent;
use crate::data::Data;
use crate::error::Error;
use crate::provider::BoxFuture;
use crate::record::{Event, RunId, RunReport};
use crate::replay::Resume;
use crate::run::{Elsewhere, Question};
use crate::store::Store;

/// A run in progress, or its end. Clones are the same run.
#[derive(Clone)]
pub struct Running(Arc<Shared>);

/// Answers the questions of a run, as [`Mission::ask_with`](crate::Mission::ask_with) says.
pub type Asker = Box<dyn FnMut(Question<'_>) -> BoxFuture<'static, Option<Data>> + Send>;

/// Says whether the agent of a name may be called, or why not.
pub type Permit = Box<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// How a host watches a run.
#[derive(Default)]
#[non_exhaustive]
pub struct Watch {
    /// Whether events are kept until the host takes them. Without it there are none.
    pub keeps_events: bool,
    /// Whether replies are streamed.
    pub streams: bool,
    /// Answers questions; without it, a question leaves the run waiting.
    pub asker: Option<Asker>,
    /// Says whether a sub-agent may be called, as [`Mission::permit`](crate::Mission::permit) says.
    pub permit: Option<Permit>,
    /// Lets sub-agents work in other processes, as [`Mission::elsewhere`](crate::Mission::elsewhere) says.
    pub elsewhere: Option<Arc<dyn Elsewhere>>,
    /// The longest wait of the process; `None` for any.
    pub wait_at_most: Option<Duration>,
    /// Called when an event or the end arrives after the host has taken what was there. It must not block.
    pub wake: Option<Box<dyn Fn() + Send + Sync>>,
}

struct Shared {
    state: Mutex<State>,
    arrived: Condvar,
    cancelled: Notify,
    wake: Option<Box<dyn Fn() + Send + Sync>>,
}

#[derive(Default)]
struct State {
    events: VecDeque<(RunId, Event)>,
    end: Option<Result<RunReport, Error>>,
    /// Whether the run ended; its end may have been taken.
    is_over: bool,
    is_woken: bool,
}

impl Running {
    /// Creates a run and the work that drives it, for the host to spawn. The work reads the store. On a runtime with more
    /// than one thread, other work goes on meanwhile. Dropping it cancels the run.
    ///
    /// A new run of an agent with servers shows the types of their [earlier results](Agent::learn).
    pub fn new(
        agent: Arc<Agent>,
        model: Model,
        store: Option<Arc<Store>>,
        task: Task,
        watch: Watch,
    ) -> (Running, impl Future<Output = ()> + Send + use<>) {
        let Watch { keeps_events, streams, asker, permit, elsewhere, wait_at_most, wake } = watch;
        let running = Running(Arc::new(Shared {
            state: Mutex::default(),
            arrived: Condvar::new(),
            cancelled: Notify::new(),
            wake,
        }));
        let told = running.clone();
        // It is part of the futures of hosts, so it is small.
        let run = Box::pin(async move {
            let store = store.as_deref();
            let (learned, provider, mission);
            match task {
                Task::Start(start) => {
                    learned = match store {
                        Some(store) => may_block(|| Agent::learned(agent, store))?,
                        None => agent,
                    };
                    provider = may_block(|| model.open(&learned, &start.settings))?;
                    mission = start.mission(&learned, store).await?;
                }
                Task::Resume(run, decisions) => {
                    let store = store.ok_or_else(no_store_to_resume_from)?;
                    learned = agent;
                    let context = decisions.context.clone();
                    let resume = may_block(|| Resume::of(store, &run)?.decide(decisions))?;
                    provider = may_block(|| model.open_for(&resume, &learned))?;
                    mission = may_block(|| resume.mission(&learned))?.with_context(context);
                }
                Task::Answer(call, is_begun) => {
                    let store = store.ok_or_else(no_store_to_resume_from)?;
                    learned = agent;
                    let resume = may_block(|| Resume::of_call(store, *call, is_begun))?;
                    provider = may_block(|| model.open_for(&resume, &learned))?;
                    mission = may_block(|| resume.mission(&learned))?;
                }
            }
            let mut mission = mission.stream(streams).elsewhere(elsewhere);
            if let Some(longest) = wait_at_most {
                mission = mission.wait_at_most(longest);
            }
            if keeps_events {
                let told = told.clone();
                mission = mission.observe(move |run, event| {
                    told.change(|state| state.events.push_back((run.clone(), event.clone())));
                });
            }
            if let Some(mut asker) = asker {
                mission = mission.ask_with(move |question| asker(question));
            }
            if let Some(permit) = permit {
                mission = mission.permit(permit);
            }
            let cancelled = told.clone();
            let cancelled = async move { cancelled.0.cancelled.notified().await };
            mission.cancel_on(cancelled).run(&*provider).await
        });
        let over = running.clone();
        let work = async move {
            let end = run.await;
            over.change(|state| {
                state.end = Some(end);
                state.is_over = true;
            });
        };
        (running, work)
    }

    /// Returns whether the run has ended.
    pub fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// Takes the events since the last call, each with the run that it is of.
    pub fn take_events(&self) -> VecDeque<(RunId, Event)> {
        let mut state = self.lock();
        state.is_woken = false;
        std::mem::take(&mut state.events)
    }

    /// Waits until an event or the end is there, but not longer than `longest`. Returns whether one is. Blocks the calling
    /// thread.
    pub fn wait(&self, longest: Duration) -> bool {
        self.wait_until(longest, |state| state.is_over || !state.events.is_empty())
    }

    /// Waits for the end, but not longer than `longest`. Returns whether the run is over. Blocks the calling thread.
    pub fn wait_for_end(&self, longest: Duration) -> bool {
        self.wait_until(longest, |state| state.is_over)
    }

    /// Cancels the run. It ends soon, stopped as [`Stop::Cancelled`](crate::Stop::Cancelled).
    pub fn cancel(&self) {
        self.0.cancelled.notify_one();
    }

    /// Takes the report of the run, once; `None` before its end.
    pub fn take_report(&self) -> Option<Result<RunReport, Error>> {
        self.lock().end.take()
    }

    fn wait_until(&self, longest: Duration, is_there: impl Fn(&State) -> bool) -> bool {
        let waits = |state: &mut State| !is_there(state);
        let waited = self.0.arrived.wait_timeout_while(self.lock(), longest, waits);
        is_there(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        let wakes = !std::mem::replace(&mut state.is_woken, true);
        drop(state);
        self.0.arrived.notify_all();
        if let Some(wake) = self.0.wake.as_ref().filter(|_| wakes) {
            wake();
        }
    }
}

/// Does work that waits for files or the store. Other tasks of the thread move to another one, if the runtime has several.
fn may_block<T>(work: impl FnOnce() -> T) -> T {
    let several =
        Handle::try_current().is_ok_and(|it| it.runtime_flavor() == RuntimeFlavor::MultiThread);
    if several { tokio::task::block_in_place(work) } else { work() }
}
