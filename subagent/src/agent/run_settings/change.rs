//! The settings of a run as data: an ordered list of changes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ptc_lisp::Effect;
use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::agent::RunBudget;
use crate::agent::recorded_forms::{As, is_default};
use crate::agent::settings::Part;
use crate::error::{Error, ErrorKind};
use crate::record::RunRecord;
use crate::secrets::{has_secrets, shown_url};
use crate::setters::setters;
use crate::tool::ToolDef;
use crate::transcript::Transcript;

/// The settings of one run and of those below it: changes of its agents, in their order.
///
/// The definition of the agent stays as it is, so the next run does without them. They are on record beside it, keys by
/// the names of their variables, and a replay or a resumed run takes them from there.
///
/// ```
/// use ptc_subagent::provider::NoModel;
/// use ptc_subagent::tool::{Constant, Effect, ToolDef};
/// use ptc_subagent::{Agent, Mission, RunChange, RunSettings};
/// use serde_json::json;
///
/// let tool = |name: &str| ToolDef::new(name, Constant::returns(json!(1)));
/// let agent = Agent::new("What is {{n}}?")
///     .with_tool(tool("orders").with_effect(Effect::Read))
///     .with_tool(tool("refund").with_effect(Effect::Write));
/// let settings = RunSettings::from(RunChange::new().with_effects([Effect::Read]));
/// let mission = Mission::new(&agent, json!({"n": 1})).with_settings(settings);
/// let prompt = mission.system_prompt()?;
/// assert!(prompt.text().contains("orders") && !prompt.text().contains("refund"));
/// # Ok::<(), ptc_subagent::Error>(())
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunSettings {
    /// The changes. A later one finds the agents as the earlier ones left them.
    pub changes: Vec<RunChange>,
}

/// One change of the agents of a run. Its keys are those of a settings file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "the keys of a change")]
#[non_exhaustive]
pub struct RunChange {
    /// The runs that it holds for.
    #[serde(rename = "for", skip_serializing_if = "is_default")]
    pub scope: Scope,
    /// The model, such as `openai:NAME`.
    #[serde(skip_serializing_if = "is_default")]
    pub model: Option<String>,
    /// The base URL of the model's server. A record has it without a password or a key.
    #[serde(skip_serializing_if = "is_default", serialize_with = "without_secrets")]
    pub base_url: Option<String>,
    /// The models that are asked when the model does not reply, in their order.
    #[serde(skip_serializing_if = "is_default")]
    pub fallback_models: Option<Vec<String>>,
    /// The effort of the model, from 1 to 100.
    #[serde(skip_serializing_if = "is_default")]
    pub effort: Option<u8>,
    /// The names of the environment variables that hold keys, by kind or alias of model.
    #[serde(skip_serializing_if = "is_default")]
    pub keys: BTreeMap<String, String>,
    /// The change of the tools.
    #[serde(skip_serializing_if = "ToolChange::is_empty")]
    pub tools: ToolChange,
    /// The switches of parts of the prompt.
    #[serde(skip_serializing_if = "is_default")]
    pub prompt: BTreeMap<String, bool>,
    /// The rules about the parts of the conversation that are sent. An absent rule stays as the agent has it.
    #[serde(skip_serializing_if = "is_default")]
    pub transcript: Transcript,
    /// The ceilings. An absent one stays as the agent has it.
    #[serde(skip_serializing_if = "is_default")]
    pub budget: Option<RunBudget>,
    /// The sources that are loaded.
    #[serde(skip_serializing_if = "is_default")]
    pub sources: SourceSwitches,
    /// Whether runs make artifacts; true leaves that to the agent.
    #[serde(skip_serializing_if = "is_default")]
    pub artifacts: Option<bool>,
    /// The step that a workflow starts at. The steps before it are not done.
    #[serde(skip_serializing_if = "is_default")]
    pub start_at: Option<String>,
    /// The steps that a workflow skips.
    #[serde(skip_serializing_if = "is_default")]
    pub skip: Vec<String>,
    /// The file that defines the tools it adds.
    #[serde(skip_serializing_if = "is_default")]
    pub file: Option<PathBuf>,
}

/// A change of the tools of an agent. First tools are removed, then tools are added. Then those go that `allow` or
/// `effects` does not let through. `*` in a name is any text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "the keys of a change of tools")]
#[non_exhaustive]
pub struct ToolChange {
    /// The tools to add. An agent that has a tool of the name keeps its own, with a warning.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "As::<Vec<Part>>")]
    pub add: Vec<ToolDef>,
    /// The tools to remove.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    /// The only tools that stay; `None` lets all of them stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow: Option<Vec<String>>,
    /// The only effects that tools may have; `None` allows every effect.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "effects")]
    pub effects: Option<Vec<Effect>>,
}

/// The runs of a tree that a change holds for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The run and all runs below it.
    #[default]
    All,
    /// The run alone.
    Root,
    /// All runs below the run.
    Children,
    /// The runs of the agents with these names.
    Agents(Vec<String>),
}

/// The sources that are loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected true, false, or a table of names with true or false")]
#[non_exhaustive]
pub enum SourceSwitches {
    /// All of them, or none.
    All(bool),
    /// The switches of single sources, by name. The others stay as the agent has them.
    Named(BTreeMap<String, bool>),
}

impl Default for SourceSwitches {
    fn default() -> SourceSwitches {
        SourceSwitches::Named(BTreeMap::new())
    }
}

impl RunSettings {
    /// Makes settings without a change.
    pub fn new() -> RunSettings {
        RunSettings::default()
    }

    /// Adds a change after the others.
    #[must_use]
    pub fn with(mut self, change: RunChange) -> RunSettings {
        self.changes.push(change);
        self
    }

    /// Returns whether they change nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the settings as a record has them; `None` without a change. The tools that they add have no
    /// implementation there.
    pub(crate) fn on_record(&self) -> Option<Value> {
        // Cannot fail: all keys are strings, and settings have no numbers that JSON lacks.
        (!self.is_empty()).then(|| serde_json::to_value(self).unwrap_or_default())
    }

    /// Returns the settings of a recorded run. Calls of the tools that they add fail.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the record has settings that this version cannot read.
    pub fn of_record(record: &RunRecord) -> Result<RunSettings, Error> {
        let Some(json) = &record.setup.settings else { return Ok(RunSettings::default()) };
        RunSettings::deserialize(json).map_err(|why| {
            let message = format!("the settings on record cannot be read: {why}");
            Error::new(ErrorKind::Replay, message)
        })
    }
}

impl From<RunChange> for RunSettings {
    fn from(change: RunChange) -> RunSettings {
        RunSettings { changes: vec![change] }
    }
}

impl RunChange {
    /// Returns the change as a record has it.
    pub(super) fn on_record(&self) -> Value {
        // Cannot fail, as that of settings.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Makes a change that changes nothing yet, and holds for all runs of a tree.
    pub fn new() -> RunChange {
        RunChange::default()
    }

    /// Adds a tool.
    #[must_use]
    pub fn with_tool(mut self, tool: ToolDef) -> RunChange {
        self.tools.add.push(tool);
        self
    }

    /// Removes tools. `*` in a name is any text.
    #[must_use]
    pub fn without_tools<S: Into<String>>(
        mut self,
        names: impl IntoIterator<Item = S>,
    ) -> RunChange {
        self.tools.remove.extend(names.into_iter().map(Into::into));
        self
    }

    /// Removes all tools except those with these names. `*` in a name is any text.
    #[must_use]
    pub fn with_only_tools<S: Into<String>>(
        mut self,
        names: impl IntoIterator<Item = S>,
    ) -> RunChange {
        self.tools.allow = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Switches a part of the prompt on or off: an instruction, or a part that the answer style can leave out.
    #[must_use]
    pub fn with_prompt_switch(mut self, name: impl Into<String>, is_on: bool) -> RunChange {
        self.prompt.insert(name.into(), is_on);
        self
    }

    /// Skips steps of a workflow.
    #[must_use]
    pub fn skipping<S: Into<String>>(mut self, steps: impl IntoIterator<Item = S>) -> RunChange {
        self.skip.extend(steps.into_iter().map(Into::into));
        self
    }

    /// Removes all tools except those with these effects.
    #[must_use]
    pub fn with_effects(mut self, effects: impl IntoIterator<Item = Effect>) -> RunChange {
        self.tools.effects = Some(effects.into_iter().collect());
        self
    }
}

setters! {
    RunChange:
    /// Sets the runs that it holds for.
    with_scope(scope: Scope);
    /// Sets the rules about the parts of the conversation that are sent.
    with_transcript(transcript: Transcript);
    /// Sets the step that a workflow starts at.
    starting_at(start_at: String) => Some;
    /// Sets ceilings.
    with_budget(budget: RunBudget) => Some;
}

impl ToolChange {
    pub(super) fn is_empty(&self) -> bool {
        let ToolChange { add, remove, allow, effects } = self;
        add.is_empty() && remove.is_empty() && allow.is_none() && effects.is_none()
    }
}

impl Scope {
    /// Returns whether a change holds for a run of the agent with this name.
    pub(super) fn holds(&self, is_root: bool, agent: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::Root => is_root,
            Scope::Children => !is_root,
            Scope::Agents(names) => names.iter().any(|it| it == agent),
        }
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Scope::All => to.serialize_str("all"),
            Scope::Root => to.serialize_str("root"),
            Scope::Children => to.serialize_str("children"),
            Scope::Agents(names) => names.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Scope, D::Error> {
        const EXPECTED: &str = "\"root\", \"children\", \"all\" or a list of names of agents";
        Ok(match OneOrMore::deserialize(from)? {
            OneOrMore::One(word) => match word.as_str() {
                "all" => Scope::All,
                "root" => Scope::Root,
                "children" => Scope::Children,
                _ => return Err(serde::de::Error::custom(format!("`{word}` is not {EXPECTED}"))),
            },
            OneOrMore::More(names) => Scope::Agents(names),
        })
    }
}

/// A text, or a list of them.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[expect(clippy::ref_option, reason = "serde asks for a reference")]
fn without_secrets<S: Serializer>(url: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
    let shown = |url: &String| if has_secrets(url) { shown_url(url) } else { url.clone() };
    url.as_ref().map(shown).serialize(to)
}

/// Reads an effect or a list of effects.
pub(super) fn effects<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Effect>>, D::Error> {
    let effect = |word: String| Effect::deserialize(word.into_deserializer());
    let words = match OneOrMore::deserialize(from)? {
        OneOrMore::One(word) => vec![word],
        OneOrMore::More(words) => words,
    };
    words.into_iter().map(effect).collect::<Result<_, _>>().map(Some)
}
