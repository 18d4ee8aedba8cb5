//! Runs that are to start or to go on as soon as a host has a place for them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::provider::Cost;

/// A run is to start, or to go on, as soon as a host has a place for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RunQueued {
    /// The name of the one who asked for it, if the host has names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The key under which the same one asks only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The hash of what was asked for under the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The part of a budget of several runs that the run reserves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserves: Option<Reserved>,
    /// The decisions with which a run goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisions: Option<QueuedDecisions>,
}

/// The part of a budget that a run reserves until it ends. No other run may use it meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Reserved {
    /// The tokens of prompts and replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// The decisions of a person with which a run goes on, by the full keys of calls and questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct QueuedDecisions {
    /// Answers to questions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Data>,
    /// The results of calls that took effect.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub done: BTreeMap<String, Data>,
    /// Calls to make again.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub retry: BTreeSet<String>,
    /// Whether a workflow continues although its program changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accepts_change: bool,
}

impl RunQueued {
    /// Makes the data of a run that nobody named asks for.
    pub fn new() -> RunQueued {
        RunQueued::default()
    }
}
