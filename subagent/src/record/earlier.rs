//! The run that another one follows: in its conversation, or by its payload.

use serde::{Deserialize, Serialize};

use super::id::RunId;
use crate::data::Data;

/// The run before the next message of a conversation. A run of the same agent follows it.
/// [`Earlier::of`] loads it, and [`Mission::after`](crate::Mission::after) takes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Earlier {
    /// The run.
    pub run: RunId,
    /// The first run of the conversation. Its id is also that of the conversation.
    pub first: RunId,
    /// The number of messages of the user in the conversation so far.
    pub exchanges: u32,
    /// The name of the conversation, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The newest messages, in order: a list of maps. Each has the `role`, `"user"` or `"assistant"`, and the `content`.
    /// An answer without a value has the `status` of its run, and the reason as its content.
    pub messages: Data,
    /// The state that the programs of the run left: definitions, memory and last values, as
    /// [`Snapshot::to_json`](ptc_lisp::snapshot::Snapshot::to_json) writes them; `None` if it is lost.
    pub state: Option<serde_json::Value>,
    /// The reason that the state is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// The values of artifacts that a person made since, by name; null if there are none.
    #[serde(skip_serializing_if = "Data::is_null")]
    pub artifacts: Data,
    /// The payload of the run at its end, which a new run starts with.
    #[serde(skip)]
    pub(crate) payload: Option<EarlierPayload>,
}

/// The link to the earlier run of a conversation, as records have it. The messages and the state are long, so they are
/// fields of their own.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct After {
    run: RunId,
    first: RunId,
    exchanges: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost: Option<String>,
    #[serde(default, skip_serializing_if = "Data::is_null")]
    artifacts: Data,
}

impl After {
    pub(crate) fn of(it: &Earlier) -> After {
        let (run, first) = (it.run.clone(), it.first.clone());
        After {
            run,
            first,
            exchanges: it.exchanges,
            name: it.name.clone(),
            lost: it.lost.clone(),
            artifacts: it.artifacts.clone(),
        }
    }

    pub(crate) fn with(self, messages: Data, state: Option<serde_json::Value>) -> Earlier {
        let After { run, first, exchanges, name, lost, artifacts } = self;
        Earlier { run, first, exchanges, name, messages, state, lost, artifacts, payload: None }
    }

    /// Returns the place of the next run in the conversation.
    pub(crate) fn next_place(self) -> ConversationPlace {
        let After { run: after, first, exchanges, name, .. } = self;
        ConversationPlace { first, after: Some(after), message: exchanges.saturating_add(1), name }
    }
}

impl Earlier {
    /// Returns the place of the next run in the conversation.
    pub(crate) fn next_place(&self) -> ConversationPlace {
        After::of(self).next_place()
    }
}

/// The place of a run in a conversation that an earlier run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConversationPlace {
    /// The first run, whose id is that of the conversation.
    pub first: RunId,
    /// The run before; `None` if the run begins the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<RunId>,
    /// The number of the message that the run answers, from 1.
    pub message: u32,
    /// The name of the conversation, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl ConversationPlace {
    /// Makes the place of the first run of a conversation with a name.
    pub(crate) fn beginning(run: &RunId, name: String) -> ConversationPlace {
        ConversationPlace { first: run.clone(), after: None, message: 1, name: Some(name) }
    }
}

/// The payload that a run can continue from. [`Store::payload_of`](crate::store::Store::payload_of) finds it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EarlierPayload {
    /// The earlier run; `None` if the store does not have it.
    pub run: Option<RunId>,
    /// Its payload at its end; `None` if it has none.
    pub payload: Option<Data>,
    /// The reason that there is no payload, in words.
    pub lost: Option<String>,
}
