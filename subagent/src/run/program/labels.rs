//! The labels of what programs and models read.

use ptc_lisp::ToolDecl;
use ptc_lisp::labels::{Label, Mark, Sources};

use crate::agent::{Agent, ToolOf};
use crate::label_rules;

/// The most levels of sub-agents whose tools are looked at.
const MOST_LEVELS: usize = 8;

/// The labels of a run that neither its agent nor its session has.
#[derive(Default)]
pub(super) struct RunLabels {
    /// The labels of the payload that the run was given.
    pub(super) of_payload: Vec<String>,
    /// Whether constants of the running program may come from what the model has read.
    pub(super) is_suspect: bool,
    /// The labels of what the program of the turn did, if it ran.
    pub(super) of_program: ProgramLabels,
}

/// The labels of what messages about a program quote.
#[derive(Default)]
pub(super) struct ProgramLabels {
    /// The label of its value.
    pub(super) value: Label,
    /// The label of what it printed.
    pub(super) printed: Label,
    /// The label of everything that it read: arguments, results, warnings and problems.
    pub(super) met: Label,
}

/// Adds the names of labels, with the model as their origin.
pub(super) fn add(shown: &mut Label, label: &Label) {
    let of_model = label.iter().map(|mark| match mark.origin.strip_prefix(READ) {
        Some(_) => Mark::new(mark.name.clone(), mark.origin.clone()),
        None => Mark::new(mark.name.clone(), format!("{READ}{}", mark.origin).into()),
    });
    shown.add(&of_model.collect());
}

/// Returns the label of what the model reads before its first program: inputs, the payload, the conversation, and the
/// descriptions of tools that servers give.
pub(super) fn at_first(agent: &Agent, tools: &[ToolOf<'_>], sources: &Sources) -> Label {
    let of_servers = tools.iter().filter(|it| it.server.is_some() && it.description.is_some());
    let labels = of_servers.filter_map(|it| Some((it.name.clone(), label_of(agent, it, 0)?)));
    let mut label: Label = labels
        .map(|(tool, name)| Mark::new(name.into(), format!("the description of {tool}").into()))
        .collect();
    for (key, _) in &sources.inputs {
        label.add(&sources.input(key));
    }
    label.add(&sources.payload());
    label.add(&sources.conversation());
    label
}

/// The origin of what the model may have taken from a text that it has read.
const READ: &str = "the model, which read ";

/// Returns the labels of what the programs of an agent read.
pub(crate) fn labels_of(agent: &Agent) -> Sources {
    let tools: Vec<ToolOf<'_>> = agent.tools.iter().map(|tool| tool.of(agent)).collect();
    sources_of(agent, &tools)
}

/// Returns the labels of what programs with these tools read.
pub(super) fn sources_of(agent: &Agent, tools: &[ToolOf<'_>]) -> Sources {
    let labels = tools.iter().filter_map(|it| Some((it.name.as_str(), label_of(agent, it, 0)?)));
    let loaded = agent.sources.iter().filter_map(|it| {
        let label = match (&it.trust, it.of_tool()) {
            (Some(label), _) => Some(label.clone()).filter(|it| it != "trusted"),
            (None, tool) => {
                let tool = tools.iter().find(|it| Some(it.name.as_str()) == tool)?;
                label_of(agent, tool, 0)
            }
        };
        Some((it.into, it.path(), label?))
    });
    let mut sources = label_rules::sources(&agent.policy, &agent.trust, labels, loaded);
    if agent.policy.has_labels() {
        let shares = |it: &&ToolOf<'_>| {
            it.as_agent().is_some_and(|called| called.agent(agent).payload.is_some())
        };
        sources.sharing = tools.iter().filter(shares).map(|it| it.name.as_str().into()).collect();
    }
    sources
}

/// Returns the label of the results of a tool. The answer of an agent may have what that agent reads.
pub(super) fn label_of(agent: &Agent, tool: &ToolOf<'_>, level: usize) -> Option<String> {
    if let Some(label) = tool.label() {
        return Some(label.to_string());
    }
    let called = tool.as_agent().filter(|_| tool.trust.is_none() && level < MOST_LEVELS)?;
    let called = called.agent(agent);
    if std::ptr::eq(called, agent) {
        return None;
    }
    let loaded = called.sources.iter().filter_map(|it| it.trust.as_ref());
    let inputs = called.trust.values().chain(loaded).find(|label| *label != "trusted").cloned();
    inputs.or_else(|| {
        called.tools.iter().find_map(|tool| label_of(called, &tool.of(called), level + 1))
    })
}

/// Takes the texts of a server out of the declaration of its tool, if the label of the tool is in quarantine.
pub(super) fn without_server_texts(
    declaration: &mut ToolDecl,
    tool: &ToolOf<'_>,
    sources: &Sources,
) {
    if tool.server.is_some() && sources.withholds(&sources.tool(&tool.name)) {
        declaration.description = None;
        let signature = declaration.signature.take();
        declaration.signature = signature.map(|it| it.without_descriptions());
    }
}
