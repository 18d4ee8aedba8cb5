//! The inputs of a prompt.

use ptc_lisp::{ToolDecl, Value};
use ptc_signatures::{Signature, Type};
use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{Instruction, Sections};

/// The inputs of the system prompt of a mission.
#[derive(Clone, Copy)]
pub struct PromptSpec<'a> {
    /// The agent.
    pub agent: AgentSpec<'a>,
    /// The task. `{{path.to.value}}` is replaced with a value of `ctx`.
    pub mission: &'a str,
    /// The way in which the mission ends.
    pub mode: MissionMode,
    /// The mission's input: a map.
    pub ctx: &'a Value,
    /// The contract of the mission: the types of `ctx` and of the returned value.
    pub signature: Option<&'a Signature>,
    /// The payload; `None` if the mission has none.
    pub payload: Option<PayloadSpec<'a>>,
    /// The tools, in display order. Tools that are not callable are shown for planning.
    pub tools: &'a [ToolDecl],
    /// The limits on the contents of the prompt.
    pub limits: PromptLimits,
    /// The user's templates, which replace the bundled ones.
    pub sections: Option<&'a Sections>,
    /// The author's texts, which become a section.
    pub instructions: &'a [Instruction],
}

/// The agent of a mission, as its prompt presents it.
#[derive(Clone, Copy, Debug, Default)]
pub struct AgentSpec<'a> {
    /// The name.
    pub name: &'a str,
    /// The purpose.
    pub description: Option<&'a str>,
    /// The name of the agent that called it; `None` for an agent that works for a user.
    pub parent: Option<&'a str>,
    /// The names of the tools that are agents.
    pub sub_agents: &'a [String],
    /// Whether the model is told that it can ask a person.
    pub can_ask: bool,
    /// Whether messages of the conversation may be shortened, and the model can get them back.
    pub can_expand: bool,
    /// The names of the tools and the data whose values the model does not read, as programs write them.
    pub withheld: &'a [String],
    /// The most calls of tools of one program, if they are limited.
    pub max_calls: Option<u64>,
    /// The most calls of tools at a time, if they are limited.
    pub max_calls_at_once: Option<u64>,
}

/// The payload of a mission: state that its runs share.
#[derive(Clone, Copy, Debug)]
pub struct PayloadSpec<'a> {
    /// The payload at the start of the run.
    pub value: &'a Value,
    /// The type of the payload, if it is declared.
    pub signature: Option<&'a Type>,
    /// The paths that programs may change, as text; `None` for all.
    pub writes: Option<&'a str>,
    /// Whether programs may change any path.
    pub can_write: bool,
}

/// The way in which a mission ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissionMode {
    /// Several turns; `return` or `fail` ends the mission.
    #[default]
    Agent,
    /// One turn without tools; the value of the expression is the answer.
    SingleTurn,
}

/// The limits on the contents of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptLimits {
    /// The maximum number of items of a list.
    pub list_sample: usize,
    /// The maximum number of characters of a string. A string inside other data gets a quarter of
    /// it, and one whole sample four times as much.
    pub string_truncate: usize,
    /// The size of the language reference.
    #[serde(deserialize_with = "reference_on_record")]
    pub reference: Reference,
    /// The maximum number of tools that are described in full. More tools become a catalogue, and a
    /// program looks up their descriptions.
    pub max_tools: usize,
    /// The maximum length of the whole system prompt, in characters. Samples, tools and the
    /// reference are cut until it fits. A prompt that still does not fit is an error, since the
    /// mission is never cut.
    pub max_chars: Option<usize>,
}

impl Default for PromptLimits {
    fn default() -> Self {
        Self {
            list_sample: 3,
            string_truncate: 500,
            reference: Reference::Auto,
            max_tools: 40,
            max_chars: None,
        }
    }
}

/// Reads a size, also by the former name of [`Reference::Full`], which old records have.
fn reference_on_record<'de, D: Deserializer<'de>>(from: D) -> Result<Reference, D::Error> {
    let name = String::deserialize(from)?;
    match name.as_str() {
        "standard" => Ok(Reference::Full),
        name => Reference::deserialize(name.into_deserializer()),
    }
}

/// The size of the language reference in a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reference {
    /// No reference: the section is left out.
    None,
    /// The lines that this mission needs: a line about dates if its data has dates, and so on.
    #[default]
    Auto,
    /// Worked examples with the names of the mission, for small models.
    Minimal,
    /// The forms and functions that most programs need, and the examples, for small models.
    Full,
}

impl Reference {
    /// All sizes, the smallest first.
    pub const ALL: [Reference; 4] =
        [Reference::None, Reference::Auto, Reference::Minimal, Reference::Full];

    /// Returns the name of the size in agent files.
    pub fn as_str(self) -> &'static str {
        match self {
            Reference::None => "none",
            Reference::Auto => "auto",
            Reference::Minimal => "minimal",
            Reference::Full => "full",
        }
    }

    /// Returns whether the prompt is for a model that learns the language from examples.
    pub(crate) fn is_for_small_models(self) -> bool {
        matches!(self, Reference::Minimal | Reference::Full)
    }
}

/// The position of a turn in its mission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnInfo {
    /// The number of the requested turn, from 1.
    pub turn: u32,
    /// The number of the last working turn.
    pub max_turns: u32,
    /// The number of retry turns after it. They are for a program whose only problem is the
    /// returned value.
    pub retry_turns: u32,
    /// Whether the mission stops here, and the message ends with a [`summary_request`]. Then it has no instruction
    /// of its own.
    ///
    /// [`summary_request`]: crate::summary_request
    pub ends: bool,
}

impl TurnInfo {
    /// Returns whether this turn is the last working turn or a retry.
    pub fn is_last(self) -> bool {
        self.turn >= self.max_turns
    }

    /// Returns the number of this retry, from 1, or `None` for a working turn.
    pub fn retry(self) -> Option<u32> {
        self.turn.checked_sub(self.max_turns).filter(|retry| *retry > 0)
    }

    /// Returns the maximum number of turns after this one, including retries.
    pub fn turns_left(self) -> u32 {
        self.max_turns.saturating_add(self.retry_turns).saturating_sub(self.turn)
    }
}
