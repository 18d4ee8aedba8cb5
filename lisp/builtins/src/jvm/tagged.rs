//! The tags `#uuid` and `#inst` of data.

use super::time;
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, as_value};
use ptc_machine::{Row, pure};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Ext, Uuid, Value, print};

pub const TABLE: &[Row] = &[pure(
    "ptc/tagged",
    "who tag x",
    "The value of data with a tag.",
    "",
    as_value(ANY),
    |cx, args| {
        cx.alloc(96)?;
        let who = args[0].as_str().unwrap_or_default().to_owned();
        let text = args[2].as_str();
        match (args[1].name(), text) {
            (Some("uuid"), Some(text)) => match Uuid::parse(text) {
                Some(uuid) => Ok(Ext::Uuid(uuid).into_value()),
                None => Err(unread(&who, "a UUID", &args[2])
                    .with_jvm_message(format!("Invalid UUID string: {text}"))),
            },
            (Some("inst"), Some(text)) => {
                time::inst(&who, text).map_err(|_| unread(&who, "an instant", &args[2]))
            }
            (Some("uuid"), None) => {
                Err(wrong_type("#uuid", "a text", &args[2]).with_class("AssertionError"))
            }
            (Some("inst"), None) => Err(wrong_type("#inst", "a text", &args[2])),
            _ => {
                let tag = args[1].name().unwrap_or_default();
                Err(Diagnostic::new(Code::BadToken, format!("`{who}` has no reader for `#{tag}`"))
                    .with_class("RuntimeException")
                    .with_jvm_message(format!("No reader function for tag {tag}"))
                    .with_help(format!(
                        "give one: `(edn/read-string {{:readers {{'{tag} (fn [x] …)}}}} text)`"
                    )))
            }
        }
    },
)];

/// Returns the error of a text that does not fit its tag.
#[cold]
fn unread(who: &str, what: &str, text: &Value) -> Diagnostic {
    let text = print::readable(text);
    Diagnostic::new(Code::BadToken, format!("`{who}` cannot read {text} as {what}"))
        .with_class("RuntimeException")
}
