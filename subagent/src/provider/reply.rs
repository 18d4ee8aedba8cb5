//! Replies of models.

use ptc_prompt::ModelCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::usage::Usage;
use crate::words::words;

/// One reply of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The text as received.
    pub text: String,
    /// The calls of tools, in order; each has an id of its own. Empty if no tool was offered.
    pub calls: Vec<ModelCall>,
    /// The parts that only the provider understands.
    pub opaque: Vec<Opaque>,
    /// The tokens used, if the server states them.
    pub usage: Option<Usage>,
    /// The reason the model stopped.
    pub finish: Finish,
}

impl Reply {
    /// Makes a complete reply without usage.
    pub fn new(text: impl Into<String>) -> Reply {
        let (calls, opaque) = (Vec::new(), Vec::new());
        Reply { text: text.into(), calls, opaque, usage: None, finish: Finish::Stop }
    }
}

/// A part of a reply that only its provider understands, such as signed thinking. It is sent back to that provider
/// alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opaque {
    /// The kind of provider, such as `anthropic`.
    pub provider: String,
    /// The part.
    pub part: Value,
}

words! {
    /// The reason a model stopped.
    #[derive(Default)]
    pub enum Finish {
        /// The reply is complete.
        #[default]
        Stop = "stop",
        /// The reply reached its limit of tokens; the text is cut off.
        Length = "length",
        /// The server withheld text.
        Filtered = "filtered",
        /// Another reason, or the server states none.
        Other = "other",
    }
}
