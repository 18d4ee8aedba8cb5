//! JSON: the model answers itself, and cannot call tools. The reply is read as the program that
//! returns the answer.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use minijinja::context;
use ptc_lisp::{Value as Data, json};
use ptc_signatures::Type;
use serde_json::Value;

use super::{
    Outcome, OutcomeEnd, Plan, Reading, ReplyParts, ReplyProblem, Style, StyleRules, Told, keys,
};
use crate::error::{Error, ErrorKind};
use crate::extract::without_thinking;
use crate::memo::Memo;
use crate::problem::Problem;
use crate::sample::is_hidden;
use crate::system::{self, SystemPrompt};
use crate::text::one_line;
use crate::{PromptPart, PromptSpec, TurnInfo, mission};

/// The style of answers as JSON. If the output of the mission is a `:string`, the whole reply is the
/// answer.
#[derive(Clone, Copy, Debug)]
pub struct JsonStyle;

impl Style for JsonStyle {
    fn name(&self) -> &'static str {
        "json"
    }

    fn sections(&self) -> &'static [PromptPart] {
        &[PromptPart::Role, PromptPart::Rules, PromptPart::Output]
    }

    fn system(&self, spec: &PromptSpec<'_>, _memo: &Memo) -> Result<SystemPrompt, Error> {
        answer_system(spec)
    }

    fn opening(
        &self,
        spec: &PromptSpec<'_>,
        _turn: TurnInfo,
        _memo: &Memo,
    ) -> Result<String, Error> {
        answer_opening(spec)
    }

    fn read(&self, reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading {
        if reply.is_cut_off {
            return Reading::Problem(ReplyProblem::CutOff);
        }
        match read_answer(reply.text, spec.signature.map(|signature| &signature.output)) {
            Some(answer) => match keys::answer(answer, spec) {
                Ok(answer) => Reading::Plan(Plan::returning(answer)),
                Err(message) => keys::broken(message),
            },
            None => Reading::Problem(ReplyProblem::NoAnswer),
        }
    }

    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        match &outcome.end {
            OutcomeEnd::Problem { problem, .. } => feedback(problem, turn).into(),
            // Unreachable: the program of an answer returns.
            OutcomeEnd::Value { .. } => feedback(&Problem::NoAnswer, turn).into(),
        }
    }

    fn rules(&self) -> StyleRules {
        StyleRules { acts: false, retries_every_problem: true, ..StyleRules::default() }
    }
}

/// Renders the system prompt of a question: how to answer, and in which form.
///
/// Without a signature, the answer may be any JSON. If the output is a `:string`, the whole reply
/// is the answer.
///
/// # Errors
///
/// Returns [`ErrorKind::Template`] if the template does not render.
fn answer_system(spec: &PromptSpec<'_>) -> Result<SystemPrompt, Error> {
    let output = spec.signature.map(|signature| &signature.output);
    let schema = spec.signature.map(|signature| signature.output_schema().to_string());
    let example = output.map(|output| output.example().to_string());
    let format = output.map(ToString::to_string);
    let text = output.is_some_and(is_text);
    let data = context! { text, format, schema, example };
    system::styled("answer", JsonStyle.sections(), &data, spec)
}

/// Renders the message with the question: the mission with its values, and every other value of the
/// input in full. Hidden fields are left out.
///
/// # Errors
///
/// Returns an error if a placeholder of the mission fails: [`ErrorKind::MalformedPlaceholder`],
/// [`ErrorKind::MissingValue`] or [`ErrorKind::HiddenValue`].
pub fn answer_opening(spec: &PromptSpec<'_>) -> Result<String, Error> {
    let mut text = mission::expand_with(spec, |value| visible(value).map(|it| plain(&it)))?;
    let named: BTreeSet<&str> = mission::placeholders(spec.mission)?
        .into_iter()
        .map(|path| path.split('.').next().unwrap_or_default())
        .collect();
    let rest = visible(spec.ctx)?;
    for (key, value) in rest.as_map().into_iter().flat_map(ptc_lisp::Map::iter) {
        let name = key.name().unwrap_or_default();
        if named.contains(name) || value.is_nil() {
            continue;
        }
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n\n{name}:\n{}", plain(value));
    }
    Ok(text)
}

/// Finds the answer in a reply: the whole reply where a `:string` is wanted, and otherwise its
/// JSON.
///
/// Ignores thinking before the answer, a code block around it, and text beside it.
///
/// ```
/// use ptc_prompt::read_answer;
/// use serde_json::json;
///
/// let ty = "-> {sure :bool}".parse::<ptc_signatures::Signature>()?.output;
/// let answer = read_answer("```json\n{\"sure\": true}\n```", Some(&ty));
/// assert_eq!(answer, Some(json!({"sure": true}).into()));
/// assert_eq!(read_answer("I am not sure.", Some(&ty)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_answer(reply: &str, output: Option<&Type>) -> Option<Data> {
    let text = without_thinking(reply);
    let text = text.trim();
    if output.is_some_and(is_text) {
        let quoted = json::parse(text).ok().filter(|it| it.as_str().is_some());
        return quoted.or_else(|| (!text.is_empty()).then(|| Data::str(text)));
    }
    json::parse(json_in(text)?).ok()
}

/// Returns the JSON of a reply: all of its text, or the first object or list in it. Ignores thinking before it.
pub(super) fn json_of(reply: &str) -> Option<String> {
    json_in(without_thinking(reply).trim()).map(str::to_owned)
}

/// Renders the feedback on a reply that is not an answer.
fn feedback(problem: &Problem<'_>, turn: TurnInfo) -> String {
    let what = match problem {
        Problem::CutOff => {
            with_fix("Your reply stops in the middle", "Write a shorter answer.", turn)
        }
        Problem::WrongReturn { expected, mismatches, .. } => {
            let all = mismatches.iter().take(10).map(|it| format!("- {}", it.redacted()));
            let all: Vec<String> = all.collect();
            format!("Your answer is not of the type `{expected}`:\n{}", all.join("\n"))
        }
        Problem::NoAnswer => "There is no JSON in your reply.".to_owned(),
        other => format!("Your answer cannot be used: {}.", one_line(&other.message(), 1_000)),
    };
    if turn.ends {
        return what;
    }
    let last = if turn.turns_left() == 0 { " This is the last attempt." } else { "" };
    format!("{what}\n\nAnswer again, with the JSON value and nothing else.{last}")
}

pub(super) fn is_text(output: &Type) -> bool {
    match output {
        Type::String(_) => true,
        Type::Optional(inner) => is_text(inner),
        _ => false,
    }
}

/// Returns the input as plain JSON data, without hidden fields.
fn visible(ctx: &Data) -> Result<Data, Error> {
    let plain = json::plain(ctx)
        .map_err(|error| Error::new(ErrorKind::MissingValue, format!("the input: {error}")))?;
    Ok(without_hidden(&plain))
}

pub(crate) fn without_hidden(value: &Data) -> Data {
    match value {
        Data::Map(map) => {
            let visible = map.iter().filter(|(key, _)| !key.name().is_some_and(is_hidden));
            Data::map(visible.map(|(key, it)| (key.clone(), without_hidden(it))))
        }
        Data::Vector(items) => Data::vector(items.iter().map(without_hidden).collect()),
        other => other.clone(),
    }
}

/// Formats a value for a question: a string unquoted, anything else as JSON.
pub(crate) fn plain(value: &Data) -> String {
    if let Data::Str(text) = value {
        return text.to_string();
    }
    // `serde_json` writes some floats shorter. It only fails on an integer beyond 64 bits.
    let short = json::to_serde(value).map(|it| it.to_string());
    short.or_else(|_| json::write(value)).unwrap_or_default()
}

/// Returns the JSON that a text is, or the first JSON object or list inside it.
fn json_in(text: &str) -> Option<&str> {
    if serde_json::from_str::<Value>(text).is_ok() {
        return Some(text);
    }
    let starts = text.char_indices().filter(|(_, c)| matches!(c, '{' | '['));
    // Each failing start costs a parse up to its error, so only the first 20 are tried.
    starts.take(20).find_map(|(at, _)| {
        let from = text.get(at..)?;
        let mut values = serde_json::Deserializer::from_str(from).into_iter::<Value>();
        let is_json = values.next()?.is_ok();
        is_json.then(|| from.get(..values.byte_offset())).flatten()
    })
}

/// Returns a problem and its remedy. A mission that stops here has none.
pub(super) fn with_fix(problem: &str, fix: &str, turn: TurnInfo) -> String {
    if turn.ends { format!("{problem}.") } else { format!("{problem}. {fix}") }
}
