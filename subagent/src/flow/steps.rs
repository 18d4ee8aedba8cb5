//! The steps and the paths of a flow file, checked and with their tools.

use std::ops::Range;

use ptc_signatures::Type;
use ptc_signatures::spelling::nearest;
use toml::Spanned;

use super::fault::FlowFault;
use super::file::{EachFile, FlowFile, PathFile, PathOn, StepFile, StepStatus, WhileFile};
use super::graph::{FlowGraph, FlowPath, FlowStep};
use super::names::function_names;
use crate::tool::ToolDef;

/// The most steps and the most paths of a flow.
const MAX_STEPS: usize = 200;
const MAX_PATHS: usize = 1_000;
/// The longest time limit of a step, in seconds.
const MAX_TIMEOUT: f64 = 31_536_000.0;

/// The kind of work of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepKind {
    Action,
    Prompt,
    Agent,
}

/// How often a step does its work.
pub(super) enum Repeated<'f> {
    Once,
    Each(&'f EachFile),
    While(&'f WhileFile),
}

/// A step with its tool.
pub(super) struct Step<'f> {
    pub(super) file: &'f StepFile,
    pub(super) kind: StepKind,
    pub(super) tool: &'f ToolDef,
    pub(super) repeated: Repeated<'f>,
    /// The name of the function that does it.
    pub(super) function: String,
    /// The paths away from it, in the order in which they are tried.
    pub(super) paths: Vec<PathTo<'f>>,
}

/// A path to a step, by the place of the step.
pub(super) struct PathTo<'f> {
    pub(super) to: usize,
    pub(super) file: &'f PathFile,
}

impl<'f> Step<'f> {
    pub(super) fn name(&self) -> &'f str {
        self.file.name.get_ref()
    }

    pub(super) fn is_active(&self) -> bool {
        self.file.status == StepStatus::Active
    }

    /// Returns whether an error of the step leads along a path.
    pub(super) fn is_attempted(&self) -> bool {
        self.paths.iter().any(|it| it.file.on != PathOn::Success)
    }

    /// Returns the type of the tool's results, if it is known.
    pub(super) fn gives(&self) -> Option<&'f Type> {
        self.tool.signature.as_ref().map(|it| &it.output)
    }

    /// Returns whether a result may be a map.
    pub(super) fn may_be_map(&self) -> bool {
        fn is_map(gives: &Type) -> bool {
            match gives {
                Type::Any | Type::Map | Type::Record(_) => true,
                Type::Optional(inner) => is_map(inner),
                Type::Union(all) => all.iter().any(is_map),
                _ => false,
            }
        }
        self.gives().is_none_or(is_map)
    }

    /// Returns whether the results of the step may have a field.
    pub(super) fn may_give(&self, field: &str) -> bool {
        self.gives().is_none_or(|gives| may_have(gives, field))
    }
}

fn may_have(gives: &Type, field: &str) -> bool {
    match gives {
        Type::Any | Type::Map => true,
        Type::Record(record) => {
            record.open
                || record.fields.is_empty()
                || record.fields.iter().any(|it| it.name == field)
        }
        Type::Optional(inner) => may_have(inner, field),
        Type::Union(all) => all.iter().any(|it| may_have(it, field)),
        _ => false,
    }
}

/// Checks the steps and the paths of a file.
pub(super) fn steps<'f>(
    file: &'f FlowFile,
    tools: &'f [ToolDef],
) -> Result<Vec<Step<'f>>, FlowFault> {
    let whole = 0..0;
    if file.steps.len() > MAX_STEPS || file.paths.len() > MAX_PATHS {
        let message = format!("a flow has at most {MAX_STEPS} steps and {MAX_PATHS} paths");
        return Err(FlowFault::new(whole, message));
    }
    let functions = function_names(file.steps.iter().map(|it| it.name.get_ref().as_str()));
    let mut steps: Vec<Step<'f>> = Vec::new();
    for (file, function) in file.steps.iter().zip(functions) {
        let name = file.name.get_ref();
        if name.trim().is_empty() || name.contains('/') {
            let message = "a step needs a name, without `/`";
            return Err(FlowFault::new(file.name.span(), message));
        }
        if steps.iter().any(|it| it.name() == name) {
            return Err(FlowFault::new(file.name.span(), format!("two steps are named `{name}`")));
        }
        steps.push(step(file, tools, function)?);
    }
    let mut sorted: Vec<&PathFile> = file.paths.iter().collect();
    sorted.sort_by_key(|it| std::cmp::Reverse(it.priority));
    for path in sorted {
        let (from, to) = (place(&path.from, &steps)?, place(&path.to, &steps)?);
        if let Some(step) = steps.get_mut(from) {
            step.paths.push(PathTo { to, file: path });
        }
    }
    if !steps.iter().any(|it| it.file.starts) {
        let fault = FlowFault::new(whole, "no step of the flow starts it");
        return Err(fault.with_help("write `starts = true` in the first step"));
    }
    if !steps.iter().any(|it| it.file.starts && it.is_active()) {
        return Err(FlowFault::new(whole, "no step that starts the flow is active"));
    }
    Ok(steps)
}

fn step<'f>(
    file: &'f StepFile,
    tools: &'f [ToolDef],
    function: String,
) -> Result<Step<'f>, FlowFault> {
    let name = file.name.get_ref();
    let given = [
        (StepKind::Action, file.action.as_ref()),
        (StepKind::Prompt, file.prompt.as_ref()),
        (StepKind::Agent, file.agent.as_ref()),
    ];
    let given: Vec<(StepKind, &Spanned<String>)> =
        given.into_iter().filter_map(|(kind, tool)| Some((kind, tool?))).collect();
    let [(kind, tool)] = given[..] else {
        let message = if given.is_empty() {
            format!("step `{name}` has no `action`, `prompt` or `agent`")
        } else {
            format!("step `{name}` has more than one of `action`, `prompt` and `agent`")
        };
        let fault = FlowFault::new(file.name.span(), message);
        return Err(fault.with_help("name one tool of the agent file"));
    };
    let Some(found) = tools.iter().find(|it| it.name == *tool.get_ref()) else {
        let message =
            format!("step `{name}` names `{}`, which is not a tool of the agent", tool.get_ref());
        let names = tools.iter().map(|it| it.name.as_str());
        let help = match nearest(tool.get_ref(), names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the tools are {}", names.collect::<Vec<_>>().join(", ")),
        };
        let fault = FlowFault::new(tool.span(), message).with_help(help);
        return Err(FlowFault { lacks_tool: true, ..fault });
    };
    if kind != StepKind::Action && found.called_agent().is_none() {
        let message = format!("`{}` asks no model, so it is an `action`", found.name);
        return Err(FlowFault::new(tool.span(), message));
    }
    let repeated = match (&file.each, &file.repeated) {
        (None, None) => Repeated::Once,
        (Some(each), None) => Repeated::Each(each.get_ref()),
        (None, Some(condition)) => Repeated::While(condition.get_ref()),
        (Some(_), Some(condition)) => {
            let message = format!("step `{name}` has both `each` and `while`");
            return Err(FlowFault::new(condition.span(), message));
        }
    };
    let delay = match repeated {
        Repeated::Once => None,
        Repeated::Each(each) => each.delay,
        Repeated::While(repeated) => repeated.delay,
    };
    if delay.is_some_and(|it| !(0.0..=MAX_TIMEOUT).contains(&it)) {
        let message = format!("the delay of step `{name}` is no number of seconds");
        return Err(FlowFault::new(file.name.span(), message));
    }
    if let Some(limit) = &file.timeout {
        let seconds = *limit.get_ref();
        if !(seconds > 0.0 && seconds <= MAX_TIMEOUT) {
            let message = format!("{seconds} is no number of seconds above 0");
            return Err(FlowFault::new(limit.span(), message));
        }
    }
    Ok(Step { file, kind, tool: found, repeated, function, paths: Vec::new() })
}

fn place(name: &Spanned<String>, steps: &[Step<'_>]) -> Result<usize, FlowFault> {
    let found = steps.iter().position(|it| it.name() == name.get_ref());
    found.ok_or_else(|| {
        let message = format!("there is no step `{}`", name.get_ref());
        let names = steps.iter().map(Step::name);
        let help = match nearest(name.get_ref(), names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the steps are {}", names.collect::<Vec<_>>().join(", ")),
        };
        FlowFault::new(name.span(), message).with_help(help)
    })
}

/// Returns the graph of the steps.
pub(super) fn graph(steps: &[Step<'_>]) -> FlowGraph {
    let step = |it: &Step<'_>| FlowStep {
        name: it.name().to_owned(),
        kind: match it.kind {
            StepKind::Action => "action",
            StepKind::Prompt => "prompt",
            StepKind::Agent => "agent",
        }
        .to_owned(),
        tool: it.tool.name.clone(),
        description: it.file.description.clone(),
        starts: it.file.starts,
        status: it.file.status,
        timeout: it.file.timeout.as_ref().map(|it| *it.get_ref()),
        repeated: match it.repeated {
            Repeated::Once => None,
            Repeated::Each(_) => Some("each".to_owned()),
            Repeated::While(_) => Some("while".to_owned()),
        },
    };
    let name = |at: usize| steps.get(at).map(|it| it.name().to_owned()).unwrap_or_default();
    let path = |from: &Step<'_>, it: &PathTo<'_>| FlowPath {
        from: from.name().to_owned(),
        to: name(it.to),
        when: it.file.when.as_ref().map(|it| it.get_ref().clone()),
        on: it.file.on,
        priority: it.file.priority,
    };
    let paths = steps.iter().flat_map(|from| from.paths.iter().map(move |it| path(from, it)));
    FlowGraph { steps: steps.iter().map(step).collect(), paths: paths.collect() }
}

/// Returns the place of a text of the file.
pub(super) fn span<T>(spanned: &Spanned<T>) -> Range<usize> {
    spanned.span()
}
