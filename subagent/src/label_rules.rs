//! Rules for labels: which values may reach which argument of a call.
//!
//! The language computes where values may come from. The policy says what follows.

use std::collections::BTreeMap;

use ptc_lisp::labels::{CallLabels, Flows, Label, Mark, Sources};
use ptc_lisp::{Code, Diagnostic, Effect, Value};

use crate::labels::{OnLabel, Takes, ToolArgument};
use crate::policy::Policy;
use crate::record::{DeniedCall, LabelOrigin, SourceInto};

/// The names of labels with their rules.
const UNTRUSTED: &str = "untrusted";
const SECRET: &str = "secret";

/// The longest text of a form in a path, in characters.
const MAX_FORM: usize = 80;

/// The ruling of the policy about a call.
pub(crate) struct Verdict {
    pub(crate) action: OnLabel,
    /// The labels that led to it.
    pub(crate) because: Vec<LabelOrigin>,
}

/// Returns the labels of what the programs of an agent read; none if its policy has no rules for labels.
pub(crate) fn sources<'t>(
    policy: &Policy,
    trust: &BTreeMap<String, String>,
    tools: impl Iterator<Item = (&'t str, String)>,
    loaded: impl Iterator<Item = (SourceInto, &'t str, String)>,
) -> Sources {
    let mut sources = Sources::default();
    if !policy.has_labels() {
        return sources;
    }
    sources.withheld = policy.quarantine.iter().map(|it| it.as_str().into()).collect();
    sources.tools = tools.map(|(tool, label)| (tool.into(), label.into())).collect();
    for (into, path, label) in loaded {
        match into {
            SourceInto::Ctx => {
                // A part of an input makes the whole input a source.
                let key = path.split('.').next().unwrap_or(path);
                sources.inputs.push((key.into(), label.into()));
            }
            SourceInto::Payload => sources.payload.push(label.into()),
            // Tools alone see the context.
            SourceInto::Context | SourceInto::Unknown(_) => {}
        }
    }
    for (key, label) in trust {
        match (key.as_str(), label.as_str()) {
            (_, "trusted") => {}
            ("payload", label) => sources.payload.push(label.into()),
            ("conversation", label) => sources.conversation.push(label.into()),
            (key, label) => {
                sources.inputs.push((key.strip_prefix("ctx/").unwrap_or(key).into(), label.into()));
            }
        }
    }
    sources
}

/// Returns the labels of a call on record.
pub(crate) fn origins(labels: &CallLabels, args: &Value) -> Vec<LabelOrigin> {
    let mut found = Vec::new();
    let names = args.as_map().into_iter().flat_map(|map| map.iter().map(|(key, _)| key));
    for name in names.filter_map(Value::name) {
        add(&mut found, Some(name), labels.argument(name));
    }
    add(&mut found, None, &labels.place);
    found
}

fn add(found: &mut Vec<LabelOrigin>, argument: Option<&str>, label: &Label) {
    for mark in label.iter() {
        found.push(LabelOrigin {
            argument: argument.map(str::to_string),
            label: mark.name.to_string(),
            from: mark.origin.to_string(),
            certain: mark.certain,
            path: path(mark),
            rule: None,
        });
    }
}

fn path(mark: &Mark) -> Vec<String> {
    let mut path: Vec<String> = Vec::new();
    for step in mark.steps() {
        let (start, end) = (step.span.start as usize, step.span.end as usize);
        let Some(text) = step.source.get(start..end) else { continue };
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let text = match text.char_indices().nth(MAX_FORM) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        };
        if path.last() != Some(&text) {
            path.push(text);
        }
    }
    path
}

/// Returns the labels that reach the calls of a program, one a line.
pub(crate) fn lines(flows: &Flows) -> Vec<String> {
    let mut lines = Vec::new();
    let mut calls: Vec<_> = flows.calls.iter().collect();
    calls.sort_by_key(|(_, span, _)| span.start);
    for (tool, span, _) in calls {
        let tool = tool.as_deref().unwrap_or("any tool");
        let labels = flows.call(tool, *span);
        let arguments =
            labels.arguments.iter().map(|(name, label)| (format!("{tool}.{name}"), label));
        let rest = [(format!("{tool}.*"), &labels.rest), (tool.to_string(), &labels.place)];
        for (place, label) in arguments.chain(rest) {
            for mark in label.iter() {
                let perhaps = if mark.certain { "" } else { ", perhaps" };
                lines.push(format!("{place} ← {} ({}{perhaps})", mark.origin, mark.name));
            }
        }
    }
    lines.dedup();
    lines
}

impl Policy {
    fn on_label(&self, label: &str) -> Option<OnLabel> {
        match label {
            UNTRUSTED => self.untrusted_to,
            SECRET => self.secret_to,
            other => self.labels_to.get(other).copied(),
        }
    }

    fn takes(&self, tool: &str, argument: &str) -> Option<Takes> {
        let named = |it: &&ToolArgument| it.tool == tool && it.argument == argument;
        self.arguments.keys().find(named).and_then(|it| self.arguments.get(it)).copied()
    }

    /// Returns what follows from a label of a call.
    fn action(&self, tool: &str, effect: Effect, origin: &LabelOrigin) -> OnLabel {
        let on_label = self.on_label(&origin.label).unwrap_or_default();
        match (origin.argument.as_deref().and_then(|it| self.takes(tool, it)), &origin.argument) {
            (Some(Takes::Any), _) => OnLabel::Allow,
            (Some(Takes::Trusted), _) => on_label.max(OnLabel::Ask),
            (None, None) if !self.control => OnLabel::Allow,
            (None, _) if effect == Effect::Write => on_label,
            (None, _) => OnLabel::Allow,
        }
    }

    /// Returns the rule of an agent file that leads to an action.
    fn rule(&self, tool: &str, origin: &LabelOrigin, action: OnLabel) -> String {
        let argument = origin.argument.as_deref();
        if self.on_label(&origin.label) != Some(action)
            && let Some(argument) = argument
        {
            return format!("\"{tool}({argument})\" = \"trusted\"");
        }
        let key = match origin.label.as_str() {
            UNTRUSTED => "untrusted_to".to_owned(),
            SECRET => "secret_to".to_owned(),
            other => format!("labels_to.{other}"),
        };
        format!("{key} = \"{}\"", action.as_str())
    }

    /// Returns what the rules say about a call with these labels, and notes the rule of each label.
    pub(crate) fn verdict(
        &self,
        tool: &str,
        effect: Effect,
        labels: &mut [LabelOrigin],
    ) -> Verdict {
        let mut verdict = Verdict { action: OnLabel::Allow, because: Vec::new() };
        for origin in labels {
            let action = self.action(tool, effect, origin);
            if action == OnLabel::Allow {
                continue;
            }
            origin.rule = Some(self.rule(tool, origin, action));
            if action < verdict.action {
                continue;
            }
            if action > verdict.action {
                verdict.because.clear();
            }
            verdict.action = action;
            verdict.because.push(origin.clone());
        }
        verdict
    }

    /// Returns the calls of a program that are certain to be denied, before it runs.
    pub(crate) fn denied_calls(
        &self,
        flows: &Flows,
        effect_of: impl Fn(&str) -> Effect,
    ) -> Vec<DeniedCall> {
        let mut found = Vec::new();
        for (tool, span, labels) in &flows.calls {
            let Some(tool) = tool.as_deref().filter(|_| !flows.is_coarse) else { continue };
            let mut origins = Vec::new();
            for (argument, label) in &labels.arguments {
                add(&mut origins, Some(argument), label);
            }
            origins.retain(|origin| origin.certain);
            let verdict = self.verdict(tool, effect_of(tool), &mut origins);
            if verdict.action == OnLabel::Deny {
                let (tool, labels) = (tool.to_string(), verdict.because);
                found.push(DeniedCall { tool, labels, span: *span, line: None, column: None });
            }
        }
        found
    }
}

/// The help for a denied call.
pub(crate) const HELP: &str = "use a value that the mission or a trusted tool gives, or fail";

impl DeniedCall {
    /// Returns the problem that refuses the program of the call.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let message = format!("the policy of this mission: {}", denied(&self.tool, &self.labels));
        Diagnostic::new(Code::Policy, message).at(self.span).with_help(HELP)
    }
}

/// Returns the reason that a call is denied.
pub(crate) fn denied(tool: &str, because: &[LabelOrigin]) -> String {
    let why: Vec<String> = because.iter().map(ToString::to_string).collect();
    format!("a call of `{tool}` is not allowed: {}", why.join("; "))
}
