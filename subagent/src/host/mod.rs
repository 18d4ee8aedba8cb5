//! Starting, watching, answering, resuming and cancelling runs, as every front end does it.
//!
//! A front end, such as a command, a server or a binding, translates between its users and these types:
//!
//! - [`Start`] and [`Decisions`] are data: what a new run begins with, and what a person decided about a recorded one. A
//!   [`Task`] is one of them. [`Task::mission`] makes the [`Mission`](crate::Mission), which can be observed, asked and
//!   cancelled.
//! - [`ChosenModel`] is the model of a run, with the options to reach it.
//! - [`Running`] is a run on the threads of a runtime, with its events and its end.
//! - [`DueRuns`] finds the waiting runs whose wait is over.
//! - [`Webhook`] tells another server about runs.
//! - [`Host`] has agents by name and the store of their runs, and ends them all.
//!
//! ```
//! use std::sync::Arc;
//!
//! use ptc_subagent::Agent;
//! use ptc_subagent::host::{Model, Running, Start, Task, Watch};
//! use ptc_subagent::provider::Scripted;
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), ptc_subagent::Error> {
//! let agent = Agent::new("Double {{n}}.").with_signature("(n :int) -> :int")?;
//! let model = Model::from(Scripted::new(["```clojure\n(return (* 2 ctx/n))\n```"]));
//! let task = Task::Start(Start::of(json!({"n": 4})));
//!
//! let (running, work) = Running::new(Arc::new(agent), model, None, task, Watch::default());
//! tokio::spawn(work).await.expect("the run does not panic");
//! let report = running.take_report().expect("the run has ended")?;
//! assert_eq!(report.value, json!(8));
//! # Ok(())
//! # }
//! ```

mod due;
mod model;
mod running;
mod task;
mod webhook;

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit, watch};

use crate::agent::Agent;
use crate::error::{Error, ErrorKind};
use crate::store::Store;

pub use crate::provider::ChosenModel;
pub use due::DueRuns;
pub use model::Model;
pub use running::{Asker, Permit, Running, Watch};
pub use task::{Decisions, Start, Task};
pub use webhook::Webhook;

/// Agents by name, with the store of their runs and a bound on the runs at the same time.
pub struct Host {
    store: Arc<Store>,
    agents: BTreeMap<String, Arc<Agent>>,
    places: Semaphore,
    max_runs: u32,
    ends: watch::Sender<bool>,
}

/// The place of a run among those of a host. Dropping it makes room for the next run.
#[must_use]
pub struct Place<'h>(
    #[expect(dead_code, reason = "its drop gives the place back")] SemaphorePermit<'h>,
);

impl Host {
    /// Creates a host without agents. At most `max_runs` runs have a place at the same time.
    pub fn new(store: impl Into<Arc<Store>>, max_runs: u32) -> Host {
        Host {
            store: store.into(),
            agents: BTreeMap::new(),
            places: Semaphore::new(max_runs as usize),
            max_runs,
            ends: watch::Sender::new(false),
        }
    }

    /// Adds an agent under its name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the agent is invalid, or if another one has its name.
    pub fn add(&mut self, agent: Agent) -> Result<Arc<Agent>, Error> {
        agent.check()?;
        if self.agents.contains_key(&agent.name) {
            let message = format!("two agents are named `{}`", agent.name);
            return Err(Error::new(ErrorKind::Agent, message)
                .with_help("give one of the files another `name`"));
        }
        let agent = Arc::new(agent);
        self.agents.insert(agent.name.clone(), Arc::clone(&agent));
        Ok(agent)
    }

    /// Returns the agent with a name.
    pub fn agent(&self, name: &str) -> Option<&Arc<Agent>> {
        self.agents.get(name)
    }

    /// Returns the agents, by their names.
    pub fn agents(&self) -> impl Iterator<Item = &Arc<Agent>> {
        self.agents.values()
    }

    /// Returns the store of the runs.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Waits until a run has a place. Runs get theirs in the order in which they asked.
    pub async fn place(&self) -> Option<Place<'_>> {
        // The semaphore is never closed.
        self.places.acquire().await.ok().map(Place)
    }

    /// Waits until [`Host::end`] is called. Runs of the host are cancelled on it.
    pub async fn ending(&self) {
        // The sender lives as long as the host.
        drop(self.ends.subscribe().wait_for(|ends| *ends).await);
    }

    /// Ends the host: the runs that wait for [`Host::ending`] are cancelled. Returns when all places are free.
    pub async fn end(&self) {
        self.ends.send_replace(true);
        drop(self.places.acquire_many(self.max_runs).await);
    }
}
