//! `ReAct`: the model thinks, names one tool and its input as text, and reads an observation.

use minijinja::{Value as Data, context};
use ptc_lisp::{ToolDecl, Value, json};
use ptc_signatures::Type;

use super::json::{is_text, read_answer, with_fix};
use super::keys;
use super::lookup;
use super::payload;
use super::tools::{capitalized, replies_left};
use super::{
    Outcome, OutcomeEnd, Plan, PlannedCall, Reading, ReplyParts, ReplyProblem, Style, StyleRules,
    Told, observe,
};
use crate::error::Error;
use crate::extract::without_thinking;
use crate::memo::Memo;
use crate::problem::Problem;
use crate::system::{self, SystemPrompt};
use crate::text::{one_line, paragraphs};
use crate::{PromptPart, PromptSpec, TurnInfo};

/// The style of thoughts, actions and observations as text.
#[derive(Clone, Copy, Debug)]
pub struct ReactStyle;

impl Style for ReactStyle {
    fn name(&self) -> &'static str {
        "react"
    }

    fn sections(&self) -> &'static [PromptPart] {
        &[
            PromptPart::Role,
            PromptPart::Output,
            PromptPart::Rules,
            PromptPart::Tools,
            PromptPart::Payload,
        ]
    }

    fn system(&self, spec: &PromptSpec<'_>, _memo: &Memo) -> Result<SystemPrompt, Error> {
        let typed = spec.signature.filter(|it| !is_text(&it.output));
        let format = typed.map(|it| it.output.to_string());
        let schema = typed.map(|it| it.redacted().output_schema().to_string());
        let tools: Vec<&ToolDecl> = spec.tools.iter().filter(|tool| tool.callable).collect();
        let (catalogue, described) = lookup::described(tools, "tools", spec)?;
        let operations = payload::operations(spec);
        let tools = described.into_iter().chain(lookup::functions(spec)).chain(operations);
        let tools: Vec<Data> = tools.map(entry).collect();
        let operations: Vec<&str> = operations.iter().map(|it| it.name.as_str()).collect();
        let payload = payload::section(spec, &operations);
        let data = context! { format, schema, tools, catalogue, payload };
        system::styled("react", self.sections(), &data, spec)
    }

    fn opening(
        &self,
        spec: &PromptSpec<'_>,
        turn: TurnInfo,
        _memo: &Memo,
    ) -> Result<String, Error> {
        Ok(format!("{}\n\n{}", payload::opening(spec)?, replies_left(turn)))
    }

    fn stop(&self) -> &'static [&'static str] {
        &["Observation:"]
    }

    fn read(&self, reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading {
        let text = without_thinking(reply.text);
        let step = Step::read(&text);
        let mut notes = Vec::new();
        if step.observes {
            notes.push(OBSERVED.to_owned());
        }
        match step.end {
            StepEnd::Action { name, input } => {
                let call = action(&name, input.as_deref(), spec);
                Reading::Plan(Plan { calls: vec![call], notes, ..Plan::default() })
            }
            StepEnd::Answer(answer) => match read_final(&answer, spec) {
                Some(Ok(end)) => Reading::Plan(Plan { notes, ..end }),
                Some(Err(message)) => keys::broken(message),
                None => form(
                    "the final answer has no JSON",
                    "Write `Final Answer:` and the JSON value, and nothing else.",
                ),
            },
            StepEnd::Nothing if reply.is_cut_off => Reading::Problem(ReplyProblem::CutOff),
            StepEnd::Nothing => form(
                "the reply has neither an action nor a final answer",
                "Write `Action:` and `Action Input:`, or `Final Answer:`.",
            ),
        }
    }

    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        let call = outcome.plan.and_then(|plan| plan.calls.first()).zip(outcome.outcomes.first());
        let mut text = match (call, &outcome.end) {
            (Some((call, made)), _) => observe::observation(call, made, outcome.limits),
            (None, OutcomeEnd::Problem { problem, .. }) => problem_text(problem, turn),
            (None, OutcomeEnd::Value { .. }) => "Error: there was nothing to do".to_owned(),
        };
        for note in outcome.plan.iter().flat_map(|plan| &plan.notes) {
            text.push_str("\nNote: ");
            text.push_str(note);
        }
        text.insert_str(0, "Observation: ");
        if let Some(payload) = outcome.payload {
            text.push_str("\n\n");
            let changes = outcome.payload_changes;
            text.push_str(&payload::after_turn(payload, changes, outcome.limits));
        }
        if turn.is_last() && !turn.ends {
            text.push_str("\n\nThis is the last turn: write the final answer now.");
        }
        text.into()
    }

    fn expansion_hint(&self) -> &'static str {
        "The action `expand` with the turn {n} shows it whole."
    }

    fn rules(&self) -> StyleRules {
        StyleRules { remembers_calls: true, max_malformed: Some(3), ..StyleRules::default() }
    }
}

const OBSERVED: &str = "you wrote an observation yourself, and it was ignored.";

pub(super) fn entry(tool: &ToolDecl) -> Data {
    let description = tool.description.as_deref().map(paragraphs).unwrap_or_default();
    let (input, output) = match &tool.signature {
        Some(signature) => {
            let output = signature.redacted().output;
            let output = (output != Type::Any).then(|| output.to_string());
            (signature.input_schema().to_string(), output)
        }
        None => ("any JSON object".to_owned(), None),
    };
    context! {
        name => one_line(&tool.name, usize::MAX),
        description => one_line(&description, 1_000),
        input,
        output,
    }
}

fn form(message: &str, fix: &str) -> Reading {
    let (message, fix) = (message.to_owned(), fix.to_owned());
    Reading::Problem(ReplyProblem::Form { message, fix })
}

fn problem_text(problem: &Problem<'_>, turn: TurnInfo) -> String {
    match problem {
        Problem::CutOff => {
            with_fix("Error: your reply stops in the middle", "Write a shorter one.", turn)
        }
        Problem::Form { message, fix } => {
            with_fix(&format!("Error: {}", capitalized(message)), fix, turn)
        }
        Problem::WrongReturn { expected, mismatches, .. } => {
            let all = mismatches.iter().take(10).map(|it| format!("- {}", it.redacted()));
            let all: Vec<String> = all.collect();
            format!("Error: the answer is not of the type `{expected}`:\n{}", all.join("\n"))
        }
        other => format!("Error: {}", one_line(&other.message(), 1_000)),
    }
}

/// Reads a final answer as the plan that returns it.
fn read_final(answer: &str, spec: &PromptSpec<'_>) -> Option<Result<Plan, String>> {
    let output = spec.signature.map(|it| &it.output);
    if output.is_none_or(is_text) {
        return Some(Ok(Plan::returning(Value::str(answer))));
    }
    let answer = keys::answer(read_answer(answer, output)?, spec);
    Some(answer.map(Plan::returning))
}

/// Reads an action as a call.
fn action(name: &str, input: Option<&str>, spec: &PromptSpec<'_>) -> PlannedCall {
    let mut tools = lookup::callable(spec);
    tools.extend(lookup::functions(spec));
    tools.extend(payload::operations(spec));
    let (name, input) = split_name(name, input, &tools);
    let source = match tools.iter().find(|tool| tool.name == name) {
        None => {
            let known: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
            Err(lookup::unknown(&name, &known, lookup::search(spec)))
        }
        Some(tool) => arguments(tool, input.as_deref().unwrap_or_default())
            .and_then(|args| lookup::source(tool, &args)),
    };
    PlannedCall { id: String::new(), name, source }
}

/// Splits an action such as `search[cats]`, `search("cats")` or `search {"q": "cats"}` into the name
/// and the input, unless the whole line is a name.
fn split_name(line: &str, input: Option<&str>, tools: &[&ToolDecl]) -> (String, Option<String>) {
    let line = line.trim().trim_matches(['`', '"', '\'', '*']).trim();
    let input = input.map(str::to_owned);
    if tools.iter().any(|tool| tool.name == line) {
        return (line.to_owned(), input);
    }
    let at = line.find(|c: char| c.is_whitespace() || "([{".contains(c));
    let Some((name, rest)) = at.and_then(|at| line.split_at_checked(at)) else {
        return (line.to_owned(), input);
    };
    let rest = rest.trim();
    let inner = |open: char, close: char| rest.strip_prefix(open)?.strip_suffix(close);
    let inner = inner('(', ')').or_else(|| inner('[', ']')).unwrap_or(rest).trim();
    let own = (!inner.is_empty()).then(|| inner.to_owned());
    (name.trim_matches(['`', '"', '\'', '*']).to_owned(), input.or(own))
}

/// Reads the object at the start of a text whose further lines a model made up, such as a result.
fn first_object(text: &str) -> Option<Value> {
    let ends = text.match_indices('\n').take(MOST_LINES).map(|(end, _)| end);
    let mut starts = ends.filter_map(|end| text.get(..end));
    starts.find_map(|start| json::parse(start).ok()).filter(|value| value.as_map().is_some())
}

/// The most lines that are tried as the end of an object, so that the work is bounded.
const MOST_LINES: usize = 50;

/// Reads the input of an action: a JSON object, or a value of the only argument.
fn arguments(tool: &ToolDecl, input: &str) -> Result<Value, String> {
    let text = unfenced(input);
    let name = one_line(&tool.name, 200);
    let value = match json::parse(text) {
        Ok(value) if value.as_map().is_some() => return Ok(value),
        Ok(value) => value,
        Err(error) if text.starts_with('{') => {
            if let Some(value) = first_object(text) {
                return Ok(value);
            }
            return Err(format!("Error: the arguments of `{name}` are not valid JSON: {error}"));
        }
        Err(_) if text.is_empty() => return Ok(Value::map([])),
        Err(_) => Value::str(text),
    };
    let params = tool.signature.as_ref().map(|it| it.params.as_slice());
    match params {
        None => Ok(Value::map([(Value::str("input"), value)])),
        Some([one]) => Ok(Value::map([(Value::str(&one.name), value)])),
        Some(all) => {
            let mut required = all.iter().filter(|it| !matches!(it.ty, Type::Optional(_)));
            match (required.next(), required.next()) {
                (Some(one), None) => Ok(Value::map([(Value::str(&one.name), value)])),
                _ => Err(format!("Error: the arguments of `{name}` must be a JSON object")),
            }
        }
    }
}

/// Removes a fence around a text.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix("```").and_then(|it| it.split_once('\n')) else {
        return text.trim_matches('`').trim();
    };
    inner.1.trim_end().strip_suffix("```").unwrap_or(inner.1).trim()
}

/// The parts of a reply.
#[derive(Debug, PartialEq)]
struct Step {
    end: StepEnd,
    /// Whether the model wrote an observation, from which on the reply is ignored.
    observes: bool,
}

#[derive(Debug, PartialEq)]
enum StepEnd {
    Action { name: String, input: Option<String> },
    Answer(String),
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Label {
    Thought,
    Action,
    Input,
    Answer,
    Observation,
}

/// The labels in the order in which they are tried: a longer one before its beginning.
const LABELS: [(&str, Label); 5] = [
    ("action input", Label::Input),
    ("action", Label::Action),
    ("final answer", Label::Answer),
    ("thought", Label::Thought),
    ("observation", Label::Observation),
];

impl Step {
    /// Reads the lines of a reply. The first action or final answer counts.
    fn read(text: &str) -> Step {
        let (mut name, mut input, mut answer) = (None::<String>, None::<String>, None::<String>);
        let mut open: Option<Label> = None;
        let mut observes = false;
        for line in text.lines() {
            match label(line) {
                // The text of an answer may have lines that look like labels.
                Some((found, _)) if answer.is_some() && found != Label::Observation => {
                    extend(&mut answer, line);
                }
                Some((Label::Observation, _)) if name.is_some() || answer.is_some() => {
                    observes = true;
                    break;
                }
                Some((Label::Action, rest)) if name.is_none() => {
                    (name, open) = (Some(rest.to_owned()), Some(Label::Action));
                }
                Some((Label::Input, rest)) if name.is_some() && input.is_none() => {
                    (input, open) = (Some(rest.to_owned()), Some(Label::Input));
                }
                Some((Label::Answer, rest)) if name.is_none() => {
                    (answer, open) = (Some(rest.to_owned()), Some(Label::Answer));
                }
                // A second action, or an answer behind an action: the first one counts.
                Some((Label::Action | Label::Answer, _)) => break,
                Some(_) => open = None,
                None => match open {
                    Some(Label::Input) => extend(&mut input, line),
                    Some(Label::Answer) => extend(&mut answer, line),
                    // The name may be on the line after its label.
                    Some(Label::Action) if name.as_deref().is_some_and(str::is_empty) => {
                        name = Some(line.trim().to_owned());
                    }
                    _ => {}
                },
            }
        }
        let filled = |text: Option<String>| text.map(|it| it.trim().to_owned());
        let name = filled(name).filter(|it| !it.is_empty());
        let answer = filled(answer).filter(|it| !it.is_empty());
        let end = match (name, answer) {
            (Some(name), _) => StepEnd::Action { name, input: filled(input) },
            (None, Some(answer)) => StepEnd::Answer(answer),
            (None, None) => StepEnd::Nothing,
        };
        Step { end, observes }
    }
}

fn extend(text: &mut Option<String>, line: &str) {
    let text = text.get_or_insert_default();
    text.push('\n');
    text.push_str(line);
}

/// Returns the label of a line and the text behind it. Marks of Markdown around a label are ignored.
fn label(line: &str) -> Option<(Label, &str)> {
    const MARKS: [char; 7] = ['*', '#', '>', '_', '`', ' ', '\t'];
    let start = line.trim_start_matches(MARKS);
    LABELS.iter().find_map(|(word, label)| {
        let (head, rest) = start.split_at_checked(word.len())?;
        let rest = rest.trim_start_matches(['*', '_', ' ']).strip_prefix(':')?;
        let is_it = head.eq_ignore_ascii_case(word);
        is_it.then(|| (*label, rest.trim_start_matches(['*', '_']).trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, end: StepEnd, observes: bool) {
        assert_eq!(Step::read(text), Step { end, observes }, "{text}");
    }

    fn act(name: &str, input: Option<&str>) -> StepEnd {
        StepEnd::Action { name: name.into(), input: input.map(str::to_owned) }
    }

    fn answer(text: &str) -> StepEnd {
        StepEnd::Answer(text.into())
    }

    /// R15, RT19.
    #[test]
    fn r15_rt19_steps_are_read_leniently() {
        check(
            "Thought: a\nb\nAction: add\nAction Input: {\"x\": 1}",
            act("add", Some("{\"x\": 1}")),
            false,
        );
        check("Action: add", act("add", None), false);
        check(
            "Action: search\nAction Input: cats and dogs",
            act("search", Some("cats and dogs")),
            false,
        );
        let fenced = "Action: add\nAction Input:\n```json\n{\"x\": 1,\n \"y\": 2}\n```";
        check(fenced, act("add", Some("```json\n{\"x\": 1,\n \"y\": 2}\n```")), false);
        check("**Action:** add\n**Action Input:** {}", act("add", Some("{}")), false);
        check("  ACTION : add\n  action input : {}", act("add", Some("{}")), false);
        check("Action:\nadd\nAction Input: {}", act("add", Some("{}")), false);
        check(
            "Action: a\nAction Input: 1\nObservation: 7\nFinal Answer: 7",
            act("a", Some("1")),
            true,
        );
        check("Action: a\nAction Input: 1\nFinal Answer: 7", act("a", Some("1")), false);
        check("Action: a\nAction Input: 1\nAction: b\nAction Input: 2", act("a", Some("1")), false);
        check("Final Answer: 7\nAction: a", answer("7\nAction: a"), false);
        check("Thought: x\nFinal Answer:\nline 1\nline 2\n", answer("line 1\nline 2"), false);
        check("Final Answer: 7\nObservation: no", answer("7"), true);
        check("Thought: x", StepEnd::Nothing, false);
        check("Actions: a", StepEnd::Nothing, false);
        check("Action:\nAction Input: {}", StepEnd::Nothing, false);
        check("Observation: 1\nAction: a", act("a", None), false);
        check("", StepEnd::Nothing, false);
    }

    #[test]
    fn actions_may_have_their_input_beside_the_name() {
        let check = |line: &str, name: &str, input: Option<&str>| {
            let found = split_name(line, None, &[]);
            assert_eq!(found, (name.to_owned(), input.map(str::to_owned)), "{line}");
        };
        check("search[cats]", "search", Some("cats"));
        check("search(\"cats\")", "search", Some("\"cats\""));
        check("search {\"q\": 1}", "search", Some("{\"q\": 1}"));
        check("`search`", "search", None);
        check("search()", "search", None);
    }

    #[test]
    fn fences_are_removed() {
        assert_eq!(unfenced("```json\n{}\n```"), "{}");
        assert_eq!(unfenced("`{}`"), "{}");
        assert_eq!(unfenced("```\n{}"), "{}");
    }
}
