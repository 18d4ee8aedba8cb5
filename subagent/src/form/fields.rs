//! Forms and their fields.

use std::fmt;

use ptc_signatures::{Field, Signature, Type};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::control::Control;

/// A form: the fields that a person fills in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Form {
    /// The question, or the title above the fields.
    pub title: Option<String>,
    /// Further text about the whole form.
    pub help: Option<String>,
    /// The label of the button that sends the answer.
    pub submit: Option<String>,
    /// The time after which the question expires, in milliseconds since it was asked.
    pub expires: Option<u64>,
    /// The fields, in order.
    pub fields: Vec<FormField>,
    /// Whether the answer is the value of the only field, not a map.
    pub is_bare: bool,
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FormField {
    /// The id, under which the answer has the value.
    pub id: String,
    /// The label.
    pub label: String,
    /// The type of the value.
    pub ty: Type,
    /// Whether a value is required.
    pub is_required: bool,
    /// The value if the person gives none.
    pub default: Option<Value>,
    /// Further text about the field.
    pub help: Option<String>,
    /// The values to choose from; empty if the type alone decides.
    pub choices: Vec<Choice>,
    /// The control that suits the field, if the form names one.
    pub control: Option<Control>,
    /// Whether a terminal does not show what is typed.
    pub is_secret: bool,
    /// Hints for a host that draws the field, such as `placeholder` or `width`.
    pub hints: Map<String, Value>,
}

/// A value to choose, with its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// A text, a number or a boolean.
    pub value: Value,
    /// The label.
    pub label: String,
    /// The name of an icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
}

/// A problem of a form or of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormProblem {
    /// The id of the field; `None` if the problem is about the whole form.
    pub field: Option<String>,
    /// The message.
    pub message: String,
}

/// The id of the only field of a form that asks for a value itself.
pub(super) const ANSWER: &str = "answer";

impl Form {
    /// Returns the answer that says yes or no: the first `:bool` of the form has it, and the first text the reason.
    /// Returns `None` if the form has no place for it.
    pub fn verdict(&self, is_yes: bool, reason: Option<&str>) -> Option<Value> {
        let place = |is: fn(&Type) -> bool| self.fields.iter().find(|it| is(&it.ty));
        let verdict = place(|ty| matches!(ty, Type::Bool))?;
        let mut answer = Map::from_iter([(verdict.id.clone(), json!(is_yes))]);
        if let Some(reason) = reason {
            let field = place(|ty| matches!(ty, Type::String(_)))?;
            answer.insert(field.id.clone(), json!(reason));
        }
        Some(Value::Object(answer))
    }

    /// Returns a form that asks for a yes or a no.
    pub(crate) fn yes_or_no(title: &str) -> Form {
        let field = FormField {
            id: ANSWER.to_string(),
            label: title.to_string(),
            ty: Type::Bool,
            is_required: true,
            default: None,
            help: None,
            choices: Vec::new(),
            control: None,
            is_secret: false,
            hints: Map::new(),
        };
        let (title, help, submit, expires) = (Some(title.to_string()), None, None, None);
        Form { title, help, submit, expires, fields: vec![field], is_bare: true }
    }

    /// Returns the signature of the answer. The descriptions of its fields are their labels.
    pub fn signature(&self) -> Signature {
        let of = |field: &FormField| {
            let ty = if field.is_required { field.ty.clone() } else { field.ty.clone().optional() };
            let description = Some(field.label.clone()).filter(|label| *label != field.id);
            Field { description, ..Field::new(&field.id, ty) }
        };
        let output = match self.fields.as_slice() {
            [only] if self.is_bare => of(only).ty,
            fields => Type::Record(fields.iter().map(of).collect()),
        };
        Signature { params: Vec::new(), output }
    }

    /// Returns the form as JSON, which [`Form::read`] reads back to an equal form.
    pub fn to_json(&self) -> Value {
        let Form { title, help, submit, expires, fields, is_bare } = self;
        let mut json = match fields.as_slice() {
            [only] if *is_bare => only.to_json(),
            fields => {
                let fields = fields.iter().map(|it| Value::Object(it.to_json())).collect();
                Map::from_iter([("fields".to_string(), Value::Array(fields))])
            }
        };
        if *is_bare {
            json.remove("id");
            json.remove("label");
        }
        let texts = [("title", title), ("help", help), ("submit", submit)];
        for (key, text) in texts {
            if let Some(text) = text {
                json.insert(key.to_string(), json!(text));
            }
        }
        if let Some(expires) = expires {
            json.insert("expires".to_string(), json!(expires));
        }
        Value::Object(json)
    }

    /// Returns the title of the form, or the label of its first field.
    pub fn summary(&self) -> &str {
        let first = self.fields.first().map(|it| it.label.as_str());
        self.title.as_deref().or(first).unwrap_or_default()
    }
}

impl FormField {
    /// Returns the values to choose from: the choices of the form, or those of the type.
    pub fn options(&self) -> Vec<Choice> {
        if !self.choices.is_empty() {
            return self.choices.clone();
        }
        let item = match &self.ty {
            Type::List(item, _) => item,
            ty => ty,
        };
        match item {
            Type::Enum(words) => words.iter().map(|it| Choice::plain(json!(it))).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns whether the value is a list of choices.
    pub fn takes_several(&self) -> bool {
        matches!(self.ty, Type::List(..)) && !self.options().is_empty()
    }

    fn to_json(&self) -> Map<String, Value> {
        let FormField { id, label, ty, is_required, default, help, choices, .. } = self;
        let ty = if *is_required { ty.clone() } else { ty.clone().optional() };
        let mut json = self.hints.clone();
        let mut set = |key: &str, value: Value| drop(json.insert(key.to_string(), value));
        set("id", json!(id));
        set("label", json!(label));
        set("type", json!(ty.to_string()));
        if let Some(default) = default {
            set("default", default.clone());
        }
        if let Some(help) = help {
            set("help", json!(help));
        }
        if !choices.is_empty() {
            set("choices", json!(choices));
        }
        if let Some(control) = self.control {
            set("control", json!(control.as_str()));
        }
        if self.is_secret {
            set("secret", json!(true));
        }
        json
    }
}

impl Choice {
    /// Returns a choice whose label is its value.
    pub(super) fn plain(value: Value) -> Choice {
        let label = label_of(&value);
        Choice { value, label, icon: None }
    }
}

/// Returns a value as the label of a choice.
pub(super) fn label_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

impl FormProblem {
    pub(super) fn new(field: Option<&str>, message: impl Into<String>) -> FormProblem {
        FormProblem { field: field.map(str::to_string), message: message.into() }
    }
}

impl fmt::Display for FormProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "`{field}`: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
