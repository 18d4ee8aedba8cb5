//! What a client sends: the start of a run, and decisions about one.

use ptc_subagent::Data;
use ptc_subagent::host::{Decisions, Start};
use serde::{Deserialize, Serialize};

/// A run to start.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Begin {
    /// The name of the agent.
    pub agent: String,
    /// The input; without one, the default input of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Data>,
    /// The payload at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Data>,
    /// The seed of random functions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The person who starts the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A run that has started.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Begun {
    /// Its id.
    pub run: String,
}

/// The decisions of a person about a run that waits.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Decide {
    /// Answers, each with the id of its question; without an id, the run has one open question.
    pub answers: Vec<(Option<String>, Data)>,
    /// Calls that took effect, with their results.
    pub done: Vec<(String, Data)>,
    /// Calls to make again.
    pub retry: Vec<String>,
    /// Whether a workflow continues although its program changed.
    pub accept_change: bool,
    /// The person who decides.
    pub by: Option<String>,
}

impl From<Begin> for Start {
    fn from(begin: Begin) -> Start {
        let mut start = Start::default();
        (start.input, start.payload) = (begin.input, begin.payload);
        (start.seed, start.by) = (begin.seed, begin.by);
        start
    }
}

impl From<Decide> for Decisions {
    fn from(decide: Decide) -> Decisions {
        let mut decisions = Decisions::default();
        (decisions.answers, decisions.done) = (decide.answers, decide.done);
        (decisions.retry, decisions.by) = (decide.retry, decide.by);
        decisions.accepts_change = decide.accept_change;
        decisions
    }
}

impl From<Decisions> for Decide {
    fn from(decisions: Decisions) -> Decide {
        let Decisions { answers, done, retry, by, accepts_change, .. } = decisions;
        Decide { answers, done, retry, accept_change: accepts_change, by }
    }
}
