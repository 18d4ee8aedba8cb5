//! The setting about fields that are nowhere in the data.

use serde::{Deserialize, Serialize};

/// The consequence of a read of a field that is nowhere in the data, if the program handles the nil.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StrictFields {
    /// The model is told. A return is held back once for each field, unless no turn is left.
    #[default]
    Hold,
    /// The model is told together with an observed value.
    Warn,
    /// The model is not told.
    Off,
}
