//! Writes types as schemas.

use serde_json::{Map, Value, json};

use crate::types::{Bounds, Field, Signature, Type};

impl Type {
    /// Returns a schema that accepts the same JSON as [`check`](crate::check).
    pub fn to_schema(&self) -> Value {
        Value::Object(schema(self, false))
    }

    /// Returns a schema that accepts the same JSON as [`check_strict`](crate::check_strict):
    /// records allow no other fields.
    pub fn to_strict_schema(&self) -> Value {
        Value::Object(schema(self, true))
    }
}

impl Signature {
    /// Returns the schema of the arguments, which is an object.
    pub fn input_schema(&self) -> Value {
        Value::Object(record(&self.params, false))
    }

    /// Returns the schema of the arguments that allows no others.
    pub fn strict_input_schema(&self) -> Value {
        Value::Object(record(&self.params, true))
    }

    /// Returns the schema of the output.
    pub fn output_schema(&self) -> Value {
        self.output.to_schema()
    }

    /// Returns the schema of the output that allows no other fields in records.
    pub fn strict_output_schema(&self) -> Value {
        self.output.to_strict_schema()
    }
}

/// A pattern of the texts that `:datetime` accepts, with days of months and leap years. `format`
/// does not suffice: it requires an offset, and validators may ignore it.
pub(super) const DATETIME: &str = concat!(
    "^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)",
    "(?:[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.,][0-9]{1,9})?)?",
    "(?:[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)?)?$",
);

/// Writes one type. It recurses on the type, whose nesting bounds the recursion.
fn schema(ty: &Type, strict: bool) -> Map<String, Value> {
    match ty {
        Type::Any => Map::new(),
        Type::Bool => of("boolean"),
        Type::Int(range) => ranged(of("integer"), range, ["minimum", "maximum"]),
        Type::Float(range) => ranged(of("number"), range, ["minimum", "maximum"]),
        Type::String(length) => ranged(of("string"), length, ["minLength", "maxLength"]),
        // JSON has no keywords, so a keyword is a string there.
        Type::Keyword => of("string"),
        Type::Datetime => with(of("string"), "pattern", json!(DATETIME)),
        Type::Map => of("object"),
        Type::Enum(words) if words.is_empty() => nothing(),
        Type::Enum(words) => with(of("string"), "enum", json!(words)),
        Type::List(item, length) => {
            let list = with(of("array"), "items", Value::Object(schema(item, strict)));
            ranged(list, length, ["minItems", "maxItems"])
        }
        // A record type without fields accepts any map, also in strict checks.
        Type::Record(it) if it.open => {
            with(record(it, strict), "additionalProperties", json!(true))
        }
        Type::Record(fields) => record(fields, strict && !fields.is_empty()),
        Type::Union(members) if members.is_empty() => nothing(),
        Type::Union(members) => {
            let members = members.iter().map(|member| Value::Object(schema(member, strict)));
            with(Map::new(), "anyOf", members.collect())
        }
        Type::Optional(inner) => or_null(schema(inner, strict)),
    }
}

fn record(fields: &[Field], closed: bool) -> Map<String, Value> {
    let mut properties = Map::new();
    for field in fields {
        let ty = match &field.ty {
            Type::Optional(inner) if field.nil_is_absent => inner,
            ty => ty,
        };
        let mut property = schema(ty, closed);
        if let Some(description) = &field.description {
            property.insert("description".into(), json!(description));
        }
        properties.insert(field.name.clone(), Value::Object(property));
    }
    let mut object = with(of("object"), "properties", Value::Object(properties));
    let required = fields.iter().filter(|field| !field.is_optional());
    let required: Vec<&str> = required.map(|field| field.name.as_str()).collect();
    if !required.is_empty() {
        object.insert("required".into(), json!(required));
    }
    if closed {
        object.insert("additionalProperties".into(), json!(false));
    }
    object
}

/// Extends a schema to accept null, in the shortest form.
fn or_null(mut schema: Map<String, Value>) -> Map<String, Value> {
    if schema.is_empty() {
        return schema;
    }
    if let Some(Value::Array(members)) = schema.get_mut("anyOf") {
        members.push(json!({"type": "null"}));
        return schema;
    }
    let Some(kind @ Value::String(_)) = schema.get_mut("type") else {
        // The schema is already optional, or accepts nothing.
        return with(Map::new(), "anyOf", json!([schema, {"type": "null"}]));
    };
    *kind = json!([kind.take(), "null"]);
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    schema
}

fn of(kind: &str) -> Map<String, Value> {
    with(Map::new(), "type", json!(kind))
}

/// Returns the schema that accepts nothing, for hand-built types without alternatives.
fn nothing() -> Map<String, Value> {
    with(Map::new(), "not", json!({}))
}

fn with(mut schema: Map<String, Value>, key: &str, value: Value) -> Map<String, Value> {
    schema.insert(key.to_owned(), value);
    schema
}

fn ranged<T: Copy + Into<Value>>(
    mut schema: Map<String, Value>,
    bounds: &Bounds<T>,
    [least, greatest]: [&str; 2],
) -> Map<String, Value> {
    for (key, bound) in [(least, bounds.min), (greatest, bounds.max)] {
        // An infinite float is not a bound and has no JSON form.
        let bound = bound.map(Into::into).filter(|bound: &Value| !bound.is_null());
        if let Some(bound) = bound {
            schema.insert(key.to_owned(), bound);
        }
    }
    schema
}
