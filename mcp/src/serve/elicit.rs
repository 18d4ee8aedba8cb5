//! Questions of runs, as elicitation: a form that the client shows to a person.
//!
//! In the older revisions of the protocol the server asks in mid-call. In the newest one a call ends with the questions, and
//! the client repeats it with the answers; the run waits on record meanwhile.

use std::collections::BTreeMap;

use ptc_signatures::Type;
use ptc_signatures::shown::{escape, escape_owned};
use ptc_subagent::form::{Choice, Control, Form, FormField, FormProblem};
use ptc_subagent::{Data, OpenQuestion, Question, QuestionKind};
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest,
    InputRequests, InputRequiredResult, InputResponses,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::{Map, Value, json};

use super::revision::is_newest;
use crate::wire::exact;

/// The maximum length of a question, in bytes. A longer one is not asked: a person must see all that the answer is about.
const MAX_QUESTION: usize = 16_000;

/// The reason of a no where nobody can be asked.
const NOBODY: &str = "this client cannot ask a person";

/// The reason of a no to a question that has no answer.
const UNASKED: &str = "nobody was asked: the question is too long, or the client gave no answer";

/// The way to ask a person, by the abilities of a client.
#[derive(Clone)]
pub(super) enum Asking {
    /// The client cannot ask.
    Never,
    /// The server asks in mid-call.
    Now(Peer<RoleServer>),
    /// The call ends with the questions.
    Later,
}

impl Asking {
    pub(super) fn of(cx: &RequestContext<RoleServer>) -> Asking {
        let capability = cx.client_capabilities().and_then(|it| it.elicitation);
        if !capability.is_some_and(|it| it.form.is_some() || it.url.is_none()) {
            return Asking::Never;
        }
        if is_newest(cx) { Asking::Later } else { Asking::Now(cx.peer.clone()) }
    }
}

/// Asks the client in mid-call. Returns `None` if the question stays open: there is no answer, or the question cannot be
/// asked, such as one for a secret, which the protocol forbids.
pub(super) async fn ask(peer: Peer<RoleServer>, asked: Asked) -> Option<Data> {
    let result = peer.create_elicitation(asked.request?).await;
    answer(asked.kind, &asked.form, result.ok()?)
}

/// A question, as a client is asked it.
pub(super) struct Asked {
    kind: QuestionKind,
    form: Form,
    request: Option<ElicitRequestParams>,
}

impl Asked {
    pub(super) fn of(question: &Question<'_>) -> Asked {
        let problem = (!question.problems.is_empty()).then(|| joined(question.problems));
        let request = request(question.form, problem.as_deref());
        Asked { kind: question.open.kind, form: question.form.clone(), request }
    }

    /// Whether the client can be asked.
    pub(super) fn can_be_asked(&self) -> bool {
        self.request.is_some()
    }

    /// Returns the answer where the question may not stay open: a no to a call or a program, and none to a form.
    pub(super) fn refused(&self, asking: &Asking) -> Option<Data> {
        let reason = if matches!(asking, Asking::Never) { NOBODY } else { UNASKED };
        match self.kind {
            QuestionKind::Form => None,
            _ => self.form.verdict(false, Some(reason)).map(Data::from),
        }
    }
}

/// Returns the result of a call whose run waits for answers; `None` if a client cannot be asked all of them. `problems` are
/// those of the answers before, by the ids of the questions.
pub(super) fn questions(
    open: &[OpenQuestion],
    state: &str,
    problems: &BTreeMap<String, String>,
) -> Option<InputRequiredResult> {
    let request = |it: &OpenQuestion| {
        let problem = problems.get(&it.id).map(String::as_str);
        let params = request(&Form::read(&it.form).ok()?, problem)?;
        Some((it.id.clone(), InputRequest::Elicitation(ElicitRequest::new(params))))
    };
    let requests: Option<InputRequests> = open.iter().map(request).collect();
    let requests = requests.filter(|it| !it.is_empty())?;
    Some(InputRequiredResult::new(Some(requests), Some(state.to_string())))
}

/// Returns the answers of a client and the problems of those that do not fit, by the ids of the questions. A question
/// without an answer has neither.
pub(super) fn answers(
    open: &[OpenQuestion],
    responses: &InputResponses,
) -> (BTreeMap<String, Data>, BTreeMap<String, String>) {
    let (mut answers, mut problems) = (BTreeMap::new(), BTreeMap::new());
    for question in open {
        let response = responses.get(&question.id).cloned().map(serde_json::from_value);
        let (Some(Ok(response)), Ok(form)) = (response, Form::read(&question.form)) else {
            continue;
        };
        let Some(answer) = answer(question.kind, &form, response) else { continue };
        match form.check(answer.clone()) {
            Ok(_) => drop(answers.insert(question.id.clone(), answer)),
            Err(wrong) => drop(problems.insert(question.id.clone(), joined(&wrong))),
        }
    }
    (answers, problems)
}

fn joined(problems: &[FormProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<String>>().join("; ")
}

/// Returns a form as a request; `None` if it is too long, or asks for a secret, which the protocol forbids. `problem` is
/// that of the answer before.
fn request(form: &Form, problem: Option<&str>) -> Option<ElicitRequestParams> {
    if form.fields.iter().any(|it| it.is_secret) {
        return None;
    }
    let problem = problem.map(|it| format!("The answer was refused: {it}"));
    let parts = [Some(form.summary()), form.help.as_deref(), problem.as_deref()];
    let message = escape_owned(parts.into_iter().flatten().collect::<Vec<&str>>().join("\n\n"));
    if message.len() > MAX_QUESTION {
        return None;
    }
    let properties: Map<String, Value> =
        form.fields.iter().map(|it| (it.id.clone(), property(it))).collect();
    let is_required = |it: &&FormField| it.is_required && it.default.is_none();
    let required: Vec<&str> =
        form.fields.iter().filter(is_required).map(|it| it.id.as_str()).collect();
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let requested_schema = serde_json::from_value(schema).ok()?;
    Some(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
}

/// Returns the schema of a field, which has a type without parts. Another value is asked for as JSON in a text.
fn property(field: &FormField) -> Value {
    let options = field.options();
    let mut schema = if options.is_empty() { plain(field) } else { choice(field, &options) };
    schema["title"] = json!(escape(&field.label));
    let notes = [
        field.help.clone(),
        (options.is_empty() && is_json(&field.ty))
            .then(|| format!("JSON of the type `{}`", field.ty)),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    if !notes.is_empty() {
        schema["description"] = json!(escape(&notes.join(". ")));
    }
    schema
}

/// Returns the schema of a value without choices, with its bounds.
fn plain(field: &FormField) -> Value {
    let ty = field.ty.to_schema();
    let kind = match &field.ty {
        Type::Bool => "boolean",
        Type::Int(_) => "integer",
        Type::Float(_) => "number",
        _ => "string",
    };
    let mut schema = json!({"type": kind});
    if !is_json(&field.ty) {
        for key in ["minimum", "maximum", "minLength", "maxLength"] {
            if let Some(bound) = ty.get(key) {
                schema[key] = bound.clone();
            }
        }
    }
    match field.control {
        Some(Control::Email) => schema["format"] = json!("email"),
        Some(Control::Date) => schema["format"] = json!("date"),
        _ => {}
    }
    match &field.default {
        Some(default) if kind == "string" => schema["default"] = json!(text_of(default)),
        Some(default) => schema["default"] = default.clone(),
        None => {}
    }
    schema
}

/// Returns the schema of choices, as texts. They have titles if their labels say more than their values, or if a value is
/// not shown as it is.
fn choice(field: &FormField, options: &[Choice]) -> Value {
    let is_titled = options.iter().any(|it| escape(&it.label) != text_of(&it.value));
    let titled = |it: &Choice| json!({"const": text_of(&it.value), "title": escape(&it.label)});
    let titled: Vec<Value> = options.iter().map(titled).collect();
    let values: Vec<String> = options.iter().map(|it| text_of(&it.value)).collect();
    let mut schema = match (field.takes_several(), is_titled) {
        (true, false) => json!({"type": "array", "items": {"type": "string", "enum": values}}),
        (true, true) => json!({"type": "array", "items": {"anyOf": titled}}),
        (false, false) => json!({"type": "string", "enum": values}),
        (false, true) => json!({"type": "string", "oneOf": titled}),
    };
    match &field.default {
        Some(Value::Array(chosen)) => {
            schema["default"] = chosen.iter().map(|it| json!(text_of(it))).collect();
        }
        Some(default) => schema["default"] = json!(text_of(default)),
        None => {}
    }
    schema
}

/// Whether a value of the type is JSON in a text.
fn is_json(ty: &Type) -> bool {
    matches!(ty, Type::List(..) | Type::Record(_) | Type::Map | Type::Union(_) | Type::Any)
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// Returns the answer to a form from what a client sent. A person who declines says no to a call or a program; a cancelled
/// question stays open.
fn answer(kind: QuestionKind, form: &Form, result: ElicitResult) -> Option<Data> {
    match (result.action, result.content) {
        (ElicitationAction::Accept, Some(content @ Value::Object(_))) => {
            let content = exact::data(&content).ok()?;
            let value = |(id, value)| {
                let field = form.fields.iter().find(|it| it.id == id);
                let value = field.map_or_else(|| Data::clone(&value), |it| value_of(it, &value));
                (id, value)
            };
            Some(Data::object(content.fields().map(value)))
        }
        (ElicitationAction::Decline, _) if kind != QuestionKind::Form => {
            form.verdict(false, Some("the person declined")).map(Data::from)
        }
        _ => None,
    }
}

/// Returns the value of a field: the choice that a text names, or the JSON of a text where the type needs it.
fn value_of(field: &FormField, value: &Data) -> Data {
    if let Some(items) = value.items() {
        return Data::list(items.map(|it| value_of(field, &it)));
    }
    let Some(text) = value.as_str() else { return value.clone() };
    let options = field.options();
    if !options.is_empty() {
        let chosen = options.into_iter().find(|it| text_of(&it.value) == text);
        return chosen.map_or_else(|| value.clone(), |it| it.value.into());
    }
    let parsed = is_json(&field.ty).then(|| text.parse().ok()).flatten();
    parsed.unwrap_or_else(|| value.clone())
}
