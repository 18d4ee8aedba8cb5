//! Forms: what a run asks a person, as data. A form is a signature with labels, help, choices and defaults.
//!
//! [`Form::read`] reads one, [`Form::check`] checks an answer, and [`Form::to_json`] renders it for a host that draws its
//! own controls. The module is pure.

mod check;
mod control;
mod fields;
mod read;
mod schema;

use serde_json::Value;

pub use control::Control;
pub use fields::{Choice, Form, FormField, FormProblem};

use crate::data::Data;

impl Form {
    /// Reads a form. A text asks for a text; a map without `fields` asks for one value; `fields` is a list of maps, or
    /// the inputs of a signature as text.
    ///
    /// ```
    /// use ptc_subagent::form::Form;
    /// use serde_json::json;
    ///
    /// let form = json!({
    ///     "title": "Pay 2600 euros for a laptop?",
    ///     "fields": "(approved :bool \"Approve it?\", reason :string?)",
    /// });
    /// let form = Form::read(&form).unwrap();
    /// assert_eq!(form.signature().to_string(), "() -> {approved :bool \"Approve it?\", reason :string?}");
    /// assert_eq!(form.check(json!({"approved": "yes"})).unwrap(), json!({"approved": true}));
    /// let problems = form.check(json!({"reason": "Too much."})).unwrap_err();
    /// assert_eq!(problems[0].to_string(), "`approved`: an answer is required");
    /// ```
    ///
    /// # Errors
    ///
    /// All problems of the form.
    pub fn read(form: &Value) -> Result<Form, Vec<FormProblem>> {
        read::form(form)
    }

    /// Checks an answer: an object of values by the ids of the fields. Returns it with defaults, and with values in
    /// their types and every digit. A form with one field also takes the value itself, and a form of yes or no a boolean.
    ///
    /// # Errors
    ///
    /// All problems of the answer.
    pub fn check(&self, answer: impl Into<Data>) -> Result<Data, Vec<FormProblem>> {
        let answer = answer.into();
        let verdict = answer.as_bool().and_then(|is_yes| self.verdict(is_yes, None));
        check::answer(self, verdict.map_or(answer, Data::from))
    }
}

impl FormField {
    /// Checks a value. Returns it in the type of the field.
    ///
    /// # Errors
    ///
    /// All problems of the value.
    pub fn check(&self, value: impl Into<Data>) -> Result<Data, Vec<FormProblem>> {
        check::value(self, value.into())
    }
}
