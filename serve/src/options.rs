//! The options of a server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::host::Webhook;
use ptc_subagent::provider::{ModelSpec, Provider};
use ptc_subagent::store::RunRecord;
use ptc_subagent::{Agent, Error, Event, RunChange, RunId};
use serde_json::Value;

use crate::access::TokenFile;

/// Reads the agent of a recorded run again, with the tools that its servers had. It may block.
pub type Recall = Arc<dyn Fn(&RunRecord) -> Result<Agent, Error> + Send + Sync>;

/// Gets events of runs.
pub type Observer = Arc<dyn Fn(&RunId, &Event) + Send + Sync>;

/// Gets lines of the log.
pub type Log = Arc<dyn Fn(&Value) + Send + Sync>;

/// The options of a server.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// The maximum number of runs at the same time.
    pub max_runs: u32,
    /// The maximum number of new runs that wait for a place.
    pub max_queued: u32,
    /// The time that running runs have to end when the server stops. The others go on at its next start.
    pub grace: Duration,
    /// The time in which a client must send the head of a request, and then the same for its body.
    pub patience: Duration,
    /// The age at which runs that have ended are deleted, counted from their start. Without it, none is. Budgets of a day
    /// count the runs of a day, so they need a day at least.
    pub keep: Option<Duration>,
    /// The model of all runs whose settings name none, instead of that of their agents.
    pub model: Option<ModelSpec>,
    /// The base URL of that model.
    pub base_url: Option<String>,
    /// The variables with the keys of models.
    pub keys: Option<RunChange>,
    /// A model in code for all runs.
    pub provider: Option<Arc<dyn Provider>>,
    /// Gets every event of the runs that the server drives, as it happens. A run that goes on begins again with its
    /// `run-started`. It must not block.
    pub observer: Option<Observer>,
    /// Gets a line for each answered request and each run that ended: an object with `event`, and with
    /// its time in milliseconds since 1970 as `at`. It must not block.
    pub log: Option<Log>,
    /// The server that is told about runs that end or wait.
    pub webhook: Option<Arc<Webhook>>,
    /// How the agent of a recorded run is read, if it has tools of servers.
    pub recall: Option<Recall>,
    /// The file of the tokens that requests need. Without one, only a loopback address is served.
    pub tokens: Option<TokenFile>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_runs: 64,
            max_queued: 1000,
            grace: Duration::from_secs(10),
            patience: Duration::from_secs(30),
            keep: None,
            model: None,
            base_url: None,
            keys: None,
            provider: None,
            observer: None,
            log: None,
            webhook: None,
            recall: None,
            tokens: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("max_runs", &self.max_runs)
            .field("max_queued", &self.max_queued)
            .field("grace", &self.grace)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
