//! Forms as JSON Schema, for hosts that draw forms from it.

use serde_json::{Map, Value, json};

use super::fields::{Choice, Form, FormField};

impl Form {
    /// Returns the JSON Schema of the answer. Titles, further texts and defaults of the fields are in it.
    pub fn to_schema(&self) -> Value {
        let mut schema = match self.fields.as_slice() {
            [only] if self.is_bare => only.to_schema(),
            fields => {
                let properties: Map<String, Value> =
                    fields.iter().map(|it| (it.id.clone(), it.to_schema())).collect();
                let required = fields.iter().filter(|it| it.is_required && it.default.is_none());
                let required: Vec<&str> = required.map(|it| it.id.as_str()).collect();
                json!({
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                })
            }
        };
        let texts = [("title", Some(self.summary())), ("description", self.help.as_deref())];
        for (key, text) in texts {
            if let Some(text) = text.filter(|it| !it.is_empty()) {
                schema[key] = json!(text);
            }
        }
        schema
    }
}

impl FormField {
    fn to_schema(&self) -> Value {
        let mut schema = self.ty.to_schema();
        if !self.choices.is_empty() {
            let choice = |it: &Choice| json!({"const": it.value, "title": it.label});
            let choices: Vec<Value> = self.choices.iter().map(choice).collect();
            if self.takes_several() {
                schema["items"] = json!({"oneOf": choices});
            } else {
                schema = json!({"oneOf": choices});
            }
        }
        schema["title"] = json!(self.label);
        if let Some(help) = &self.help {
            schema["description"] = json!(help);
        }
        if let Some(default) = &self.default {
            schema["default"] = default.clone();
        }
        if let Some(control) = self.control {
            schema["x-control"] = json!(control.as_str());
        }
        if self.is_secret {
            schema["writeOnly"] = json!(true);
        }
        schema
    }
}
