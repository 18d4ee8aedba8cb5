//! The instructions of an author: texts for the system prompt of any answer style.

use serde::{Deserialize, Serialize};

/// A text of the author for the system prompt. In it, `{{path.to.value}}` is replaced with a value of the input, as in a
/// mission.
///
/// The instructions of an agent become one section, in the order of their numbers. Those of equal numbers keep the order
/// in which they are listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Instruction {
    /// The name, by which a run switches it on and off.
    pub name: String,
    /// The text.
    pub text: String,
    /// The number that it is ordered by.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub order: i64,
    /// Whether it is in the prompt.
    #[serde(default = "on", rename = "on", skip_serializing_if = "is_on")]
    pub is_on: bool,
}

impl Instruction {
    /// Makes an instruction that is in the prompt.
    ///
    /// ```
    /// use ptc_prompt::Instruction;
    ///
    /// let mut house = Instruction::new("house", "Write every amount in EUR.");
    /// house.order = 10;
    /// assert!(house.is_on);
    /// ```
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Instruction {
        Instruction { name: name.into(), text: text.into(), order: 0, is_on: true }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(order: &i64) -> bool {
    *order == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_on(it: &bool) -> bool {
    *it
}

fn on() -> bool {
    true
}
