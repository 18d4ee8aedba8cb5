//! The problem of a field that a value does not have.

use ptc_values::Diagnostic;
use ptc_values::code::Code;
use ptc_values::spelling::nearest;

use crate::messages::bare;

/// The number of names in a message.
const NAMED: usize = 12;

#[derive(Debug)]
pub struct MissingField {
    pub name: String,
    pub problem: Diagnostic,
    /// Whether another field was certainly meant.
    pub is_slip: bool,
}

impl MissingField {
    pub(super) fn of(name: &str, mut names: Vec<String>) -> MissingField {
        names.retain(|name| !name.starts_with('_'));
        let shown: Vec<String> = names.iter().take(NAMED).map(|name| keyword(name)).collect();
        let more = names.len().saturating_sub(NAMED);
        let fields = match (shown.as_slice(), more) {
            ([], _) => "it has no readable fields".to_owned(),
            ([only], 0) => format!("its field is {only}"),
            (several, 0) => format!("its fields are {}", several.join(", ")),
            (several, more) => format!("its fields are {} and {more} more", several.join(", ")),
        };
        let read = keyword(name);
        let near = nearest(name, names.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean {}?", keyword(near)),
            None => format!(
                "read one of these; if the field may exist, give a default: `(get x {} nil)`",
                bare(name)
            ),
        };
        let message = format!("the record has no field {read}; {fields}");
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        MissingField { name: name.to_owned(), problem, is_slip: near.is_some() }
    }

    /// Reports a field of the items that is read from their list.
    pub(super) fn of_list(name: &str) -> MissingField {
        let message = format!("a list has no field {}; its items have it", keyword(name));
        let help = format!("read it from each item: `(map {} xs)`", bare(name));
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        MissingField { name: name.to_owned(), problem, is_slip: true }
    }

    /// Reports a field that is read from a value without fields.
    pub(super) fn of_scalar(name: &str, what: &str) -> MissingField {
        let message = format!("{what} has no field {}", keyword(name));
        let help = "use the value itself; only maps have fields";
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        MissingField { name: name.to_owned(), problem, is_slip: true }
    }

    /// Reports a field that is read from a vector, such as an entry of a map.
    pub(super) fn of_items(name: &str, count: usize) -> MissingField {
        let (what, help) = match count {
            2 => (
                "a pair, such as an entry of a map,",
                "of an entry take `(val entry)`; instead of the entries of a map take `(vals m)`, or \
                 the field of a record that has the rows",
            ),
            _ => ("a vector", "take its items by their positions"),
        };
        let message = format!("{what} has no field {}", keyword(name));
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        MissingField { name: name.to_owned(), problem, is_slip: true }
    }
}

fn keyword(name: &str) -> String {
    format!("`{}`", bare(name))
}
