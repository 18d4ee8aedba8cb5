//! The check of a definition.

use std::collections::BTreeSet;

use super::agent_tool::AgentTool;
use super::settings::Agent;
use crate::error::{Error, ErrorKind};
use crate::provider::Transport;

impl Agent {
    /// Validates the definition. Every mission does so before it starts.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] names the first invalid part.
    pub fn check(&self) -> Result<(), Error> {
        self.find_fault().map_or(Ok(()), |fault| Err(fault.error(ErrorKind::Agent)))
    }

    pub(super) fn find_fault(&self) -> Option<Fault> {
        let fault = |tool: Option<usize>, key: &'static str, message: String| {
            Some(Fault { tool, key, message, help: None })
        };
        if self.max_turns == 0 {
            return fault(None, "max_turns", "`max_turns` is 0: no turn, no answer".to_string());
        }
        if self.workflow.is_none() && self.prompt.trim().is_empty() {
            return fault(None, "prompt", "`prompt` is empty".to_string());
        }
        if self.workflow.is_some() && !self.prompt.is_empty() {
            let message = "a workflow has a `program` and no `prompt`".to_string();
            return fault(None, "prompt", message);
        }
        if let Some(message) = self.pending_fault() {
            return fault(None, "flow", message);
        }
        let style = self.answers.style();
        let rules = style.rules();
        if self.workflow.is_some() && !rules.writes_programs {
            let message = "a workflow asks no model, so it has no `answers`".to_string();
            return fault(None, "answers", message);
        }
        if !rules.acts && !self.tools.is_empty() {
            let message =
                format!("an agent with `answers = \"{}\"` cannot have tools", style.name());
            return fault(None, "tools", message);
        }
        if !rules.acts && self.payload.is_some() {
            let message =
                format!("an agent with `answers = \"{}\"` cannot have a payload", style.name());
            return fault(None, "payload", message);
        }
        if !rules.writes_programs && self.transport == Transport::Tool {
            let message = format!(
                "`transport = \"tool\"` is for programs, and the agent has `answers = \"{}\"`",
                style.name()
            );
            return fault(None, "transport", message);
        }
        if self.parameters.effort.is_some_and(|it| !(1..=100).contains(&it)) {
            return fault(None, "effort", "`effort` is a number from 1 to 100".to_string());
        }
        if let Some((key, error)) = self.model_fault() {
            let help = error.help().map(str::to_string);
            return Some(Fault { tool: None, key, message: error.message().to_string(), help });
        }
        if let Some((_, message)) = self.transcript.fault() {
            return fault(None, "transcript", message);
        }
        if let Some(message) = self.limits.fault() {
            return fault(None, "limits", message.to_string());
        }
        if let Err(error) = self.check_placeholders(&self.prompt) {
            return fault(None, "prompt", error.to_string());
        }
        if let Some(message) = self.fault_of_instructions() {
            return fault(None, "system.instructions", message);
        }
        if let Some((_, message)) = self.artifacts.fault() {
            let help = "name a part, such as `payload.report`".to_string();
            return Some(Fault { tool: None, key: "artifacts", message, help: Some(help) });
        }
        let mut sources = 0..self.sources.len();
        if let Some((_, _, message, help)) = sources.find_map(|it| self.source_fault(it)) {
            return Some(Fault { tool: None, key: "sources", message, help: Some(help) });
        }
        if let Some(fault) = self.step_fault() {
            return Some(fault);
        }
        let mut names = BTreeSet::new();
        for (index, tool) in self.tools.iter().enumerate() {
            let name = tool.name.as_str();
            if let Some((key, message)) = tool.fault() {
                return fault(Some(index), key, message);
            }
            if let Some((key, message, help)) = tool.of(self).unsafe_repetition() {
                return Some(Fault { tool: Some(index), key, message, help: Some(help) });
            }
            if let Some(Err(error)) = tool.as_agent().and_then(AgentTool::other).map(Agent::check) {
                return fault(Some(index), "agent", format!("agent `{name}`: {error}"));
            }
            if !names.insert(name) {
                return fault(Some(index), "name", format!("two tools are named `{name}`"));
            }
        }
        if let Some((message, help)) = self.fault_of_quarantine() {
            let help = Some(help.to_string());
            return Some(Fault { tool: None, key: "policy", message, help });
        }
        let capped = self.policy.max_calls.keys().map(|name| ("max_calls", name.as_str()));
        let free = self.policy.yes.iter().map(|it| ("yes", it.tool()));
        if let Some((key, name)) = capped.chain(free).find(|(_, name)| !names.contains(name)) {
            let message = format!("`{key}` of the policy names `{name}`, which is not a tool");
            return fault(None, "policy", message);
        }
        None
    }
}

impl Agent {
    /// Returns why the model would read a value in quarantine, with help.
    fn fault_of_quarantine(&self) -> Option<(String, &'static str)> {
        if self.policy.quarantine.is_empty() || self.workflow.is_some() {
            return None;
        }
        let style = self.answers.style();
        if !style.rules().writes_programs {
            let message = format!(
                "`quarantine` of the policy is for programs, and the agent has `answers = \"{}\"`",
                style.name()
            );
            return Some((
                message,
                "only a program passes on a value that its author does not read",
            ));
        }
        let is_withheld = |label: &String| self.policy.quarantine.contains(label);
        let instructions = self.instructions.iter().map(|it| &it.text);
        let texts = instructions.chain([&self.prompt]);
        let mut paths = texts.flat_map(|it| ptc_prompt::placeholders(it).unwrap_or_default());
        let shown = paths.find(|path| {
            let name = path.split('.').next().unwrap_or_default();
            let of_source = self.sources.iter().filter(|it| it.name == name);
            let labels = of_source.filter_map(|it| it.trust.as_ref());
            labels.chain(self.trust.get(name)).any(is_withheld)
        })?;
        let message =
            format!("the prompt shows `{{{{{shown}}}}}`, which the policy keeps in quarantine");
        Some((message, "leave it out: programs read it in `ctx`"))
    }
}

/// A fault in the definition of an agent.
pub(super) struct Fault {
    /// The index of the tool at fault, if it is one.
    pub(super) tool: Option<usize>,
    /// The key of the agent file.
    pub(super) key: &'static str,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Fault {
    pub(super) fn error(self, kind: ErrorKind) -> Error {
        let error = Error::new(kind, self.message);
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}
