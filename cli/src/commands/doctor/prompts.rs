//! The checks of inputs and prompts. Nothing is sent.

use ptc_subagent::{Agent, ErrorKind, Mission};

use super::check::{Check, State};
use crate::input::mission_input;

pub(super) fn input(agent: &Agent) -> Check {
    let what = "input";
    let input = match mission_input(agent, None, &[]) {
        Ok(input) => input,
        Err(fault) => return Check::new(what, State::Fail, fault.to_string()),
    };
    let mission = Mission::new(agent, input);
    if let (Ok(warnings), Some(path)) = (mission.warnings(), &agent.input)
        && let [first, rest @ ..] = &warnings[..]
    {
        let more =
            if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
        let about = format!("{}: {}{more}", path.display(), first.message);
        return Check::new(what, State::Warn, about)
            .with_help("correct the file, or the signature");
    }
    match (mission.system_prompt(), &agent.input) {
        (Ok(_), Some(path)) => Check::new(what, State::Ok, format!("{} matches", path.display())),
        (Ok(_), None) => Check::new(what, State::Ok, "the agent needs none"),
        // Each run may have its own input.
        (Err(error), None) => Check::new(what, State::Warn, format!("none of its own: {error}"))
            .with_help("give one to each run with `--input` or `--set`"),
        (Err(error), Some(_)) => Check::of_error(what, &error),
    }
}

/// Checks that the prompt of an agent renders with an input of its signature. Returns the problems. `name` is the
/// sub-agent's name, or empty.
pub(super) fn prompt(name: &str, agent: &Agent) -> Vec<Check> {
    let what = format!("prompt {name}");
    let what = what.trim_end();
    if agent.workflow.is_some() {
        return Vec::new();
    }
    let Some(signature) = &agent.signature else {
        // The check of the input has those of an agent that no other calls.
        return if name.is_empty() { Vec::new() } else { placeholders(what, agent) };
    };
    match Mission::new(agent, signature.example_input()).system_prompt() {
        Err(error) if error.kind() == ErrorKind::Prompt => vec![Check::of_error(what, &error)],
        _ => Vec::new(),
    }
}

/// Returns a warning about placeholders of a prompt without a signature, which a call may leave without a value.
fn placeholders(what: &str, agent: &Agent) -> Vec<Check> {
    let texts = agent.instructions.iter().map(|it| it.text.as_str());
    let texts = std::iter::once(agent.prompt.as_str()).chain(texts);
    let named = texts.filter_map(|text| ptc_prompt::placeholders(text).ok()).flatten();
    let mut names: Vec<String> = named.map(|it| format!("`{{{{{it}}}}}`")).collect();
    names.dedup();
    if names.is_empty() {
        return Vec::new();
    }
    let message = format!("no signature has the input of {}", names.join(", "));
    vec![Check::new(what, State::Warn, message).with_help("give the agent a `signature`")]
}
