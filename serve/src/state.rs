//! What all requests share.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use ptc_subagent::host::Host;
use ptc_subagent::store::{RunSummary, Snapshot, Store};
use ptc_subagent::{Agent, Error, RunId};
use serde_json::Value;
use tokio::sync::Mutex;

use crate::access::{self, Access, Action, Caller};
use crate::hub::Hub;
use crate::keys::Keys;
use crate::metrics::Metrics;
use crate::models::Models;
use crate::options::Options;
use crate::problem::{Problem, internal};
use crate::queue::Queue;

/// What all requests of a server share.
pub(crate) struct State {
    pub(crate) host: Host,
    pub(crate) access: Access,
    pub(crate) options: Options,
    pub(crate) queue: Queue,
    pub(crate) hub: Hub,
    pub(crate) models: Models,
    pub(crate) keys: Keys,
    pub(crate) metrics: Metrics,
    /// Held from a look at the rest of a budget to the record of what was taken of it.
    pub(crate) budgets: Mutex<()>,
    /// The description of the API.
    pub(crate) description: Value,
}

impl State {
    /// Returns the store.
    pub(crate) fn store(&self) -> &Arc<Store> {
        self.host.store()
    }

    /// Returns the agent of a name, if the caller may do this with it. An agent that the caller may not see is unknown.
    ///
    /// # Errors
    ///
    /// The problem to answer with.
    pub(crate) fn agent(
        &self,
        caller: &Caller,
        action: Action,
        name: &str,
    ) -> Result<&Arc<Agent>, Problem> {
        let unknown = || {
            Problem::new(
                hyper::StatusCode::NOT_FOUND,
                "unknown-agent",
                format!("there is no agent `{name}`"),
            )
        };
        let agent = self.host.agent(name).ok_or_else(unknown)?;
        access::allow(caller, Action::View, name).map_err(|_| unknown())?;
        access::allow(caller, action, name)?;
        Ok(agent)
    }

    /// Returns the agents whose runs a caller may see; `None` for all.
    pub(crate) fn visible(&self, caller: &Caller) -> Option<Vec<String>> {
        if access::sees_all(caller) {
            return None;
        }
        let names = self.host.agents().map(|it| it.name.clone());
        Some(names.filter(|it| access::allow(caller, Action::View, it).is_ok()).collect())
    }

    /// Asks the store, on a thread that may wait.
    ///
    /// # Errors
    ///
    /// The problem to answer with.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<State>,
        ask: impl FnOnce(&Snapshot<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        let store = Arc::clone(self.store());
        blocking(move || store.read(ask)).await?.map_err(Problem::from)
    }

    /// Returns the summary of the run that an id names, if the caller may do this with it.
    ///
    /// # Errors
    ///
    /// The problem to answer with.
    pub(crate) async fn run(
        self: &Arc<State>,
        caller: &Caller,
        action: Action,
        id: &str,
    ) -> Result<RunSummary, Problem> {
        let unknown = |id: &str| {
            Problem::new(
                hyper::StatusCode::NOT_FOUND,
                "unknown-run",
                format!("there is no run `{id}`"),
            )
        };
        // A prefix of an id is for people at a terminal.
        let run: RunId = id.parse().map_err(|_| unknown(id))?;
        let summary = self.ask(move |snapshot| snapshot.summary(run.as_str())).await;
        let summary = summary.map_err(|problem| match problem.code {
            "unknown-run" => unknown(id),
            _ => problem,
        })?;
        if !caller.owns(summary.by.as_deref()) {
            access::allow(caller, Action::View, &summary.agent).map_err(|_| unknown(id))?;
            access::allow(caller, action, &summary.agent)?;
        }
        Ok(summary)
    }
}

/// Returns the time in milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Does work that waits, on a thread that may.
///
/// # Errors
///
/// The problem of work that has panicked.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|_| internal())
}
