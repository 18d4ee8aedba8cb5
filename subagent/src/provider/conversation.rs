//! The messages of a conversation, in a form that no provider owns.

use std::collections::BTreeSet;

use ptc_lisp::json::{self, marks};
use ptc_prompt::{CallResult, ModelCall};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::images::IMAGE_CHARS;
use super::reply::{Opaque, Reply};

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The author of the message.
    pub role: Role,
    /// The text of the message.
    pub text: String,
    /// The calls that the model asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ModelCall>,
    /// The results of the calls of the message before. They precede the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<CallResult>,
    /// The hashes of the images that the message shows. They follow the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<String>,
    /// The parts that only one provider understands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<Opaque>,
}

/// The author of a [`Message`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The runtime: the mission, an observation, feedback.
    User,
    /// The model.
    Assistant,
}

impl Message {
    /// Creates a message of the runtime.
    pub fn user(text: impl Into<String>) -> Message {
        Message {
            role: Role::User,
            text: text.into(),
            calls: Vec::new(),
            results: Vec::new(),
            images: Vec::new(),
            opaque: Vec::new(),
        }
    }

    /// Creates a message of the model.
    pub fn assistant(text: impl Into<String>) -> Message {
        Message { role: Role::Assistant, ..Message::user(text) }
    }

    /// Creates the message of the model that a reply is.
    pub fn of_reply(reply: &Reply) -> Message {
        let (calls, opaque) = (reply.calls.clone(), reply.opaque.clone());
        Message { calls, opaque, ..Message::assistant(&reply.text) }
    }

    /// Adds results of calls.
    #[must_use]
    pub fn with_results(mut self, results: Vec<CallResult>) -> Message {
        self.results = results;
        self
    }

    /// Sets the hashes of the images that the message shows.
    #[must_use]
    pub fn with_images(mut self, hashes: Vec<String>) -> Message {
        self.images = hashes;
        self
    }

    /// Returns the number of bytes of all texts. An image counts as a long text.
    pub(crate) fn len(&self) -> usize {
        let calls = self.calls.iter().map(|it| it.name.len() + it.arguments.len());
        let results = self.results.iter().map(|it| it.text.len());
        let images = self.images.len() * IMAGE_CHARS;
        self.text.len() + images + calls.chain(results).sum::<usize>()
    }

    /// Returns the JSON of a message that has only a text, which is the same in all protocols.
    pub(super) fn json(&self) -> Value {
        json!({"role": self.role.as_str(), "content": self.text})
    }

    /// Returns the parts for a kind of provider.
    pub(super) fn opaque_for(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.opaque.iter().filter(move |it| it.provider == kind).map(|it| &it.part)
    }
}

impl Role {
    /// Returns `user` or `assistant`.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

/// Returns the arguments of a call as an object, with marks for integers past 64 bits. Malformed arguments are an empty one: the result of the call tells the
/// model what was wrong.
pub(super) fn arguments(call: &ModelCall) -> Value {
    let object = json::parse(&call.arguments).ok().filter(|it| it.as_map().is_some());
    object.map_or_else(|| json!({}), |it| marks::marked(&it))
}

/// Returns the name of a call that a server accepts in a conversation: letters, digits, `_` and `-`, at most 64.
pub(super) fn name(call: &ModelCall) -> String {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String =
        call.name.chars().take(64).map(|c| if is_valid(c) { c } else { '_' }).collect();
    if name.is_empty() { "unnamed".to_string() } else { name }
}

/// Gives every call an id of its own. Some servers send none, and some models repeat one.
pub(super) fn with_own_ids(mut calls: Vec<ModelCall>) -> Vec<ModelCall> {
    let mut seen: BTreeSet<String> = calls.iter().map(|call| call.id.clone()).collect();
    let mut first = BTreeSet::new();
    let mut number = 0;
    for call in &mut calls {
        if !call.id.is_empty() && first.insert(call.id.clone()) {
            continue;
        }
        while {
            number += 1;
            call.id = format!("call-{number}");
            !seen.insert(call.id.clone())
        } {}
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str, name: &str, arguments: &str) -> ModelCall {
        ModelCall { id: id.into(), name: name.into(), arguments: arguments.into() }
    }

    #[test]
    fn ids_are_unique() {
        let ids = ["a", "", "a", "call-4", "", "call-5", "a"];
        let calls = ids.iter().map(|id| call(id, "f", "{}")).collect();
        let own: Vec<String> = with_own_ids(calls).into_iter().map(|it| it.id).collect();
        assert_eq!(own, ["a", "call-1", "call-2", "call-4", "call-3", "call-5", "call-6"]);
    }

    #[test]
    fn ids_of_many_calls_are_made_in_one_pass() {
        let calls = (0..20_000).map(|_| call("a", "f", "{}")).collect();
        let own = with_own_ids(calls);
        assert_eq!(own.last().map(|it| it.id.as_str()), Some("call-19999"));
    }

    #[test]
    fn calls_are_sent_back_in_a_form_that_servers_accept() {
        assert_eq!(name(&call("a", "crm/find one", "")), "crm_find_one");
        assert_eq!(name(&call("a", "", "")), "unnamed");
        assert_eq!(name(&call("a", &"x".repeat(100), "")), "x".repeat(64));
        assert_eq!(arguments(&call("a", "f", r#"{"a": 1}"#)), json!({"a": 1}));
        assert_eq!(arguments(&call("a", "f", "[1]")), json!({}));
        assert_eq!(arguments(&call("a", "f", "{")), json!({}));
    }
}
