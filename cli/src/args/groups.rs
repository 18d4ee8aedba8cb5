//! Groups of arguments that several commands have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use ptc_subagent::provider::ModelSpec;
use ptc_subagent::tool::Effect;
use ptc_subagent::{BadCallPattern, CallPattern, MAX_SEED, RunChange, Transcript};

/// The agent file of a mission.
#[derive(Clone, Debug, Args)]
pub(crate) struct AgentArgs {
    /// The agent file, in TOML or JSON.
    #[arg(id = "agent", value_name = "AGENT.toml")]
    pub(crate) file: PathBuf,
}

/// The run that a command shows or repeats.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunOrFileArgs {
    /// The run: an id, the start of an id, or a file of `ptc export`; by default the newest run.
    #[arg(id = "run", value_name = "RUN|FILE")]
    name: Option<String>,
}

impl RunOrFileArgs {
    /// Returns the name of the run, or of the file, if one is given.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// The input of a mission.
#[derive(Clone, Debug, Args)]
pub(crate) struct InputArgs {
    /// The input of the mission: a JSON object; by default the agent's input.
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) input: Option<String>,
    /// Set one key of the input, replacing its value; `a.b=1` sets `b` in the object `a`.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

/// The form of a result.
#[derive(Clone, Debug, Args)]
pub(crate) struct JsonArgs {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The output of a command that runs one mission.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutcomeArgs {
    /// Print one JSON object with the outcome of the run.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The option that hides progress.
#[derive(Clone, Debug, Args)]
pub(crate) struct QuietArgs {
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The agent file of a run on record.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunAgentArgs {
    /// The agent file; by default the agent file of the run.
    #[arg(id = "agent", long, value_name = "AGENT.toml")]
    file: Option<PathBuf>,
}

impl RunAgentArgs {
    /// Returns the file, if the option is present.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

/// The record that a command reads.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    /// The record; `ptc run --help` names the default.
    #[arg(id = "store", long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl StoreArgs {
    /// Returns the file, if the option is present.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

/// The record that a command reads.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    #[command(flatten)]
    store: StoreArgs,
    #[cfg(feature = "restate")]
    #[command(flatten)]
    pub(crate) restate: RestateArgs,
}

impl RecordArgs {
    /// Returns the file, if the option is present.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.store.file()
    }
}

/// A Restate server with runs.
#[cfg(feature = "restate")]
#[derive(Clone, Debug, Args)]
pub(crate) struct RestateArgs {
    /// Use the runs of the Restate server with this ingress instead.
    #[arg(id = "restate", long, value_name = "URL", conflicts_with = "store")]
    pub(crate) ingress: Option<String>,
    /// The administration of that server; by default it is at port 9070 of its machine.
    #[arg(id = "restate-admin", long, value_name = "URL", requires = "restate")]
    pub(crate) admin: Option<String>,
}

/// The option to show hidden fields.
#[derive(Clone, Debug, Args)]
pub(crate) struct HiddenArgs {
    /// Show the values of hidden fields too; their names start with `_`.
    #[arg(id = "hidden", long)]
    all: bool,
}

impl HiddenArgs {
    /// Returns whether hidden values are shown.
    pub(crate) fn are_shown(&self) -> bool {
        self.all
    }
}

/// A model and its server.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ModelArgs {
    #[arg(long, value_name = "SPEC", help = model_help())]
    pub(crate) model: Option<String>,
    /// The base URL of the model's server, such as `http://localhost:8080/v1`.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The variable with the key of a kind or an alias of models, such as `openai=MY_KEY`; may be repeated.
    #[arg(long, value_name = "KIND=VARIABLE")]
    pub(crate) key_env: Vec<KeyVariable>,
}

impl ModelArgs {
    /// Returns the variables of keys, by kind or alias of model.
    pub(crate) fn variables(&self) -> BTreeMap<String, String> {
        self.key_env.iter().map(|it| (it.model.clone(), it.variable.clone())).collect()
    }

    /// Returns the change of a run that the options for keys are.
    pub(crate) fn keys(&self) -> Option<RunChange> {
        let mut change = RunChange::new();
        change.keys = self.variables();
        (!change.keys.is_empty()).then_some(change)
    }
}

/// Returns the help of `--model`, which names every kind of model.
fn model_help() -> String {
    let forms = ModelSpec::forms();
    format!("The model: `{}`; by default the agent's model", forms.join("`, `"))
}

/// The variable with the key of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyVariable {
    /// The kind of the models, or the alias of one.
    pub(crate) model: String,
    /// The name of the variable.
    pub(crate) variable: String,
}

impl FromStr for KeyVariable {
    type Err = String;

    fn from_str(text: &str) -> Result<KeyVariable, String> {
        match text.split_once('=') {
            Some((model, variable)) if !model.is_empty() && !variable.is_empty() => {
                Ok(KeyVariable { model: model.to_owned(), variable: variable.to_owned() })
            }
            _ => Err("write KIND=VARIABLE, such as openai=MY_KEY".to_owned()),
        }
    }
}

/// The settings of a run.
#[derive(Clone, Debug, Args)]
pub(crate) struct SettingsArgs {
    /// Take the settings of a file, in TOML or JSON; the option can be repeated.
    #[arg(long = "with", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Run without the tools of this name; `*` is any text.
    #[arg(long = "without-tool", value_name = "GLOB")]
    pub(crate) removed: Vec<String>,
    /// Run only with the tools of this name; `*` is any text.
    #[arg(long = "only-tool", value_name = "GLOB")]
    pub(crate) only: Vec<String>,
    /// Run only with the tools of this effect.
    #[arg(long, value_name = "EFFECT", value_parser = effect)]
    pub(crate) effects: Option<Effect>,
    /// The effort of thinking of all models, from 1 to 100.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) effort: Option<u8>,
    /// The model to ask when the model does not reply; repeat it for more, in their order.
    #[arg(long = "fallback", value_name = "MODEL")]
    pub(crate) fallbacks: Vec<String>,
    /// Start a workflow at this step, without the steps before it.
    #[arg(long = "start-at", value_name = "STEP")]
    pub(crate) start_at: Option<String>,
    /// Run a workflow without this step; the option can be repeated.
    #[arg(long = "skip", value_name = "STEP")]
    pub(crate) skip: Vec<String>,
    /// Send the conversation by these rules, such as `{"tokens": 16000}`.
    #[arg(long, value_name = "JSON|@FILE", value_parser = transcript)]
    pub(crate) transcript: Option<Transcript>,
}

impl SettingsArgs {
    /// Returns whether no setting is given.
    pub(crate) fn is_empty(&self) -> bool {
        let SettingsArgs { files, removed, only, effects, effort, fallbacks, .. } = self;
        let has_tools = !removed.is_empty() || !only.is_empty() || effects.is_some();
        let has_models = effort.is_some() || !fallbacks.is_empty();
        let has_steps = self.start_at.is_some() || !self.skip.is_empty();
        let is_empty = files.is_empty() && !has_tools && !has_models && !has_steps;
        is_empty && self.transcript.is_none()
    }
}

fn transcript(text: &str) -> Result<Transcript, String> {
    let text = match text.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?,
        None => text.to_owned(),
    };
    text.parse().map_err(|error: ptc_subagent::Error| error.to_string())
}

fn effect(text: &str) -> Result<Effect, String> {
    let all = [Effect::Read, Effect::Write];
    all.into_iter().find(|it| it.as_str() == text).ok_or_else(|| "it is read or write".to_owned())
}

/// The seed of random functions.
#[derive(Clone, Debug, Args)]
pub(crate) struct SeedArgs {
    /// The seed of random functions such as `rand`; by default the agent's `seed`, or a fresh one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    pub(crate) seed: Option<u64>,
}

/// The host context of a run.
#[derive(Clone, Debug, Args)]
pub(crate) struct ContextArgs {
    /// A file with data for tools alone, as a JSON object. No prompt, event or record has it.
    #[arg(id = "context", long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl ContextArgs {
    /// Returns the file, if the option is present.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

/// The data, tools and limits of a program outside of a run.
#[derive(Clone, Debug, Args)]
pub(crate) struct DataArgs {
    /// The data under `ctx/`: a JSON object.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) ctx: Option<String>,
    /// The data of earlier programs under `memory/`: a JSON object.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) memory: Option<String>,
    /// A file of tools that answer from a table; `ptc eval --help` shows its form.
    #[arg(long, value_name = "FILE", conflicts_with = "agent")]
    pub(crate) tools: Option<PathBuf>,
    /// An agent file; the program gets its input, tools, signature, policy and limits.
    #[arg(long, value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    /// The limits of the program, such as `{"fuel": 1000}`.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) limits: Option<String>,
}

/// The filters of runs.
#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    /// Only runs with this status: queued, returned, failed, stopped, running, died, or the code of a stop such as fuel.
    #[arg(long, value_name = "STATUS")]
    pub(crate) status: Option<String>,
    /// Only runs of this agent.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only runs that called this tool.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Only runs that have an error with this code, or failed with this reason.
    #[arg(long, value_name = "CODE")]
    pub(crate) error: Option<String>,
    /// Only runs that began within a time such as `2d`, `12h` or `90m`, or since a date such as `2026-11-01`.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only runs of this conversation, which any of its runs names: an id, or the start of an id.
    #[arg(long, value_name = "RUN")]
    pub(crate) conversation: Option<String>,
    /// Leave out the runs of sub-agents.
    #[arg(long)]
    pub(crate) roots: bool,
}

/// The option that allows calls and programs without a person.
#[derive(Debug, Args)]
pub(crate) struct YesArgs {
    /// Allow calls and programs without asking: all, or only calls such as `'--yes=pay(amount :float[..100])'`.
    #[arg(long, value_name = "CALLS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) yes: Vec<Yes>,
}

/// A permission without a question.
#[derive(Clone, Debug)]
pub(crate) enum Yes {
    /// All calls and programs.
    All,
    /// The calls of a pattern.
    Calls(CallPattern),
}

impl FromStr for Yes {
    type Err = BadCallPattern;

    fn from_str(text: &str) -> Result<Yes, BadCallPattern> {
        if text.is_empty() { Ok(Yes::All) } else { text.parse().map(Yes::Calls) }
    }
}
