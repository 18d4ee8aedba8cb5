//! The problem of a field that a value does not have.

use std::fmt::Write as _;

use ptc_values::Diagnostic;
use ptc_values::code::Code;
use ptc_values::spelling::nearest;

use super::types::Others;
use crate::messages::bare;

/// The number of names in a message.
const NAMED: usize = 12;

#[derive(Debug)]
pub struct MissingField {
    pub name: String,
    pub problem: Diagnostic,
    pub absence: Absence,
    /// Whether the name is near that of another field.
    pub is_slip: bool,
}

/// The reason why a value does not have a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// No value of its kind has fields, such as a number or a list.
    Impossible,
    /// Its type does not declare the field.
    Undeclared,
    /// No value in the data has the field.
    Unseen,
}

impl MissingField {
    pub(super) fn of(name: &str, names: Vec<String>, others: Others) -> MissingField {
        let Names { list, count, help, is_slip } = Names::of(name, names);
        let fields = match count {
            0 => "it has no readable fields".to_owned(),
            1 => format!("its field is {list}"),
            _ => format!("its fields are {list}"),
        };
        let message = format!("the record has no field {}; {fields}", keyword(name));
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        let absence = match others {
            Others::Undeclared => Absence::Undeclared,
            Others::Unseen | Others::Allowed => Absence::Unseen,
        };
        MissingField { name: name.to_owned(), problem, absence, is_slip }
    }

    /// Reports a field of the items that is read from their list.
    pub(super) fn of_list(name: &str) -> MissingField {
        let message = format!("a list has no field {}; its items have it", keyword(name));
        let help = format!("read it from each item: `(map {} xs)`", bare(name));
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        MissingField::impossible(name, problem)
    }

    /// Reports a field that is read from a value without fields.
    pub(super) fn of_scalar(name: &str, what: &str) -> MissingField {
        let field = keyword(name);
        let message = format!("{what} has no field {field}");
        let help = format!(
            "only maps have fields: use the value itself, or read {field} from the maps before `(map :other maps)` takes \
             one field of each"
        );
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        MissingField::impossible(name, problem)
    }

    /// Reports a field that is read from a list, of this number of items if they are known one by one, such as those of
    /// an entry of a map.
    pub(super) fn of_items(name: &str, count: Option<usize>) -> MissingField {
        let (what, help) = match count {
            Some(2) => (
                "a pair, such as an entry of a map,",
                "of an entry take `(val entry)`; instead of the entries of a map take `(vals m)`, or \
                 the field of a record that has the rows",
            ),
            Some(_) => ("a vector", "take its items by their positions"),
            None => ("a list", "take its items by their positions, or go over them: `(map f xs)`"),
        };
        let message = format!("{what} has no field {}", keyword(name));
        let problem = Diagnostic::new(Code::UnknownField, message);
        let problem = match name.parse::<u32>() {
            Ok(position) => problem.with_help(format!("a position is a number: `{position}`")),
            Err(_) => problem.with_help(help),
        };
        MissingField::impossible(name, problem)
    }

    fn impossible(name: &str, problem: Diagnostic) -> MissingField {
        let absence = Absence::Impossible;
        MissingField { name: name.to_owned(), problem, absence, is_slip: false }
    }
}

fn keyword(name: &str) -> String {
    format!("`{}`", bare(name))
}

/// The names of fields that exist, in words.
pub(crate) struct Names {
    pub(crate) list: String,
    pub(crate) count: usize,
    /// The help for a name that does not exist.
    pub(crate) help: String,
    /// Whether that name is near one that exists.
    pub(crate) is_slip: bool,
}

impl Names {
    pub(crate) fn of(unknown: &str, mut names: Vec<String>) -> Names {
        names.retain(|name| !name.starts_with('_'));
        let shown: Vec<String> = names.iter().take(NAMED).map(|name| keyword(name)).collect();
        let mut list = shown.join(", ");
        let more = names.len().saturating_sub(NAMED);
        if more > 0 {
            let _ = write!(list, " and {more} more");
        }
        let near = nearest(unknown, names.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean {}?", keyword(near)),
            None => format!(
                "read one of these; if the field may exist, give a default: `(get x {} nil)`",
                bare(unknown)
            ),
        };
        Names { list, count: names.len(), help, is_slip: near.is_some() }
    }
}
