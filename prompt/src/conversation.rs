//! The parts of a conversation that no provider owns: offered tools, calls and their results.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A tool that a model can call natively.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOffer {
    /// The name: letters, digits, `_` and `-`, at most 64 of them.
    pub name: String,
    /// The purpose.
    pub description: String,
    /// The JSON Schema of the arguments: an object.
    pub parameters: serde_json::Value,
}

/// A call that a model asks for natively.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelCall {
    /// The id, unique within the reply.
    pub id: String,
    /// The name of the tool, as the model wrote it.
    pub name: String,
    /// The arguments as JSON text, which may be malformed. Records and recordings have an object
    /// where the text is one, and a string otherwise.
    #[serde(serialize_with = "write_arguments", deserialize_with = "read_arguments")]
    pub arguments: String,
}

/// The result of a call, for the model that asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallResult {
    /// The id of the call.
    pub id: String,
    /// The name of the tool, as the model wrote it.
    pub name: String,
    /// The result, or the error, as text.
    pub text: String,
}

fn write_arguments<S: Serializer>(arguments: &str, to: S) -> Result<S::Ok, S::Error> {
    let raw = RawValue::from_string(arguments.to_owned()).ok();
    match raw.filter(|it| it.get().trim_start().starts_with('{')) {
        Some(raw) => raw.serialize(to),
        None => to.serialize_str(arguments),
    }
}

fn read_arguments<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let raw = Box::<RawValue>::deserialize(from)?;
    if raw.get().starts_with('"') {
        return serde_json::from_str(raw.get()).map_err(D::Error::custom);
    }
    Ok(raw.get().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: &str, written: &str) {
        let call = ModelCall { id: "a".into(), name: "f".into(), arguments: arguments.into() };
        let json = serde_json::to_string(&call).unwrap();
        assert_eq!(json, format!(r#"{{"id":"a","name":"f","arguments":{written}}}"#));
        assert_eq!(serde_json::from_str::<ModelCall>(&json).unwrap(), call);
    }

    #[test]
    fn arguments_keep_every_digit_and_every_mistake() {
        check(
            r#"{"n": 123456789012345678901234567890}"#,
            r#"{"n": 123456789012345678901234567890}"#,
        );
        check("{\"a\":", r#""{\"a\":""#);
        check("", r#""""#);
        check("[1]", r#""[1]""#);
        check(r#""text""#, r#""\"text\"""#);
    }
}
