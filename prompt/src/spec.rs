//! What a prompt is made from.

use ptc_lisp::{ToolDecl, Value};
use ptc_signatures::Signature;

use crate::Sections;

/// Everything that decides the system prompt of a mission.
#[derive(Clone, Copy)]
pub struct PromptSpec<'a> {
    /// The task; `{{path.to.value}}` stands for a value of `ctx`.
    pub mission: &'a str,
    /// How the mission ends.
    pub mode: MissionMode,
    /// The mission's input: a map.
    pub ctx: &'a Value,
    /// The contract of the mission: types for `ctx`, and what has to be returned.
    pub signature: Option<&'a Signature>,
    /// The tools, in the order to show them; those that are not callable are shown for planning.
    pub tools: &'a [ToolDecl],
    /// How much of the data is shown.
    pub limits: PromptLimits,
    /// Templates of a user in place of the bundled ones.
    pub sections: Option<&'a Sections>,
}

/// How a mission ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissionMode {
    /// Several turns; `return` or `fail` ends the mission.
    #[default]
    Agent,
    /// One turn without tools; the value of the expression is the answer.
    SingleTurn,
}

/// How much a prompt shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptLimits {
    /// How many items of a list are shown.
    pub list_sample: usize,
    /// How many characters of a string are shown. Strings inside of other data get a quarter of it, and
    /// one sample as a whole gets four times as much.
    pub string_truncate: usize,
    /// How much of the language is explained.
    pub reference: Reference,
    /// How many tools are shown with all that is known of them; of more there is a catalogue, and a program
    /// looks them up.
    pub max_tools: usize,
    /// How many characters the whole system prompt may have. Samples, tools and the reference are cut until it
    /// fits; a prompt that still does not fit is an error, since the mission is never cut.
    pub max_chars: Option<usize>,
}

impl Default for PromptLimits {
    fn default() -> Self {
        Self {
            list_sample: 3,
            string_truncate: 500,
            reference: Reference::Standard,
            max_tools: 40,
            max_chars: None,
        }
    }
}

/// How much of the language a prompt explains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// Nothing; the section is left out, with its examples.
    None,
    /// The examples.
    Minimal,
    /// What most programs need.
    #[default]
    Standard,
    /// Every form and every function with its arguments, by groups.
    Full,
}

impl Reference {
    /// All sizes, the smallest first.
    pub const ALL: [Reference; 4] =
        [Reference::None, Reference::Minimal, Reference::Standard, Reference::Full];

    /// Its name in agent files.
    pub fn as_str(self) -> &'static str {
        match self {
            Reference::None => "none",
            Reference::Minimal => "minimal",
            Reference::Standard => "standard",
            Reference::Full => "full",
        }
    }
}

/// Where a mission stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnInfo {
    /// The turn that the model is asked for, from 1.
    pub turn: u32,
    /// The last turn to work in.
    pub max_turns: u32,
    /// How many turns may come behind it, if nothing is wrong but the value that the last one returned.
    pub retry_turns: u32,
}

impl TurnInfo {
    /// Whether the mission ends with this turn, if its program returns what is wanted.
    pub fn is_last(self) -> bool {
        self.turn >= self.max_turns
    }

    /// Which retry this turn is, from 1; `None` for a turn to work in.
    pub fn retry(self) -> Option<u32> {
        self.turn.checked_sub(self.max_turns).filter(|retry| *retry > 0)
    }

    /// How many turns may come after this one, retries included.
    pub fn turns_left(self) -> u32 {
        self.max_turns.saturating_add(self.retry_turns).saturating_sub(self.turn)
    }
}
