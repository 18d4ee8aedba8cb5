//! The setting about runs without an answer.

use serde::{Deserialize, Serialize};

/// The behaviour of a run without an answer when turns run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnLimit {
    /// It stops.
    #[default]
    Stop,
    /// The last observed value that matches the signature becomes the answer, also when tokens, money or time run out.
    /// The report then has a warning with the code `fallback`.
    LastValue,
    /// The model is asked once more, without tools, for an answer from what it knows. The report then is
    /// [partial](crate::RunReport::partial).
    Summarize,
}
