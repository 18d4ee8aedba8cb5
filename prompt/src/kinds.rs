//! The kinds of values that a mission has, which decide the lines of its reference.

use ptc_lisp::Value;
use ptc_signatures::Type;
use ptc_signatures::datetime::{begins_with_date, is_hour_and_minute};

use crate::PromptSpec;

/// The kinds of values in the data and in the signatures of a mission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one for each kind")]
pub(crate) struct Kinds {
    /// Dates and date-times, also as ISO texts.
    pub(crate) dates: bool,
    /// Texts of times of day.
    pub(crate) times: bool,
    pub(crate) floats: bool,
    /// Lists of records.
    pub(crate) rows: bool,
    /// Values that may be missing.
    pub(crate) optional: bool,
}

impl Kinds {
    /// Adds the kinds of the signatures of a mission and of its tools.
    pub(crate) fn with_signatures(mut self, spec: &PromptSpec<'_>) -> Kinds {
        let tools = spec.tools.iter().filter_map(|tool| tool.signature.as_ref());
        for signature in spec.signature.into_iter().chain(tools) {
            self.add_type(&signature.output);
        }
        self
    }

    /// Adds the kinds of a key of the data.
    pub(crate) fn add(&mut self, ty: &Type, value: &Value) {
        self.add_type(ty);
        let of = |is: fn(&str) -> bool| has_text(value, is);
        self.dates |= of(begins_with_date);
        self.times |= of(is_hour_and_minute);
    }

    fn add_type(&mut self, ty: &Type) {
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            match ty {
                Type::Datetime => self.dates = true,
                Type::Float(_) => self.floats = true,
                Type::Optional(inner) => {
                    self.optional = true;
                    work.push(inner);
                }
                Type::List(item, _) => {
                    self.rows |= matches!(**item, Type::Record(_));
                    work.push(item);
                }
                Type::Record(fields) => work.extend(fields.iter().map(|field| &field.ty)),
                Type::Union(members) => work.extend(members),
                _ => {}
            }
        }
    }
}

/// The number of values that are searched for a text.
const MAX_SEARCHED: usize = 200;

/// Returns whether one of the first values inside a value is such a text.
fn has_text(value: &Value, is: fn(&str) -> bool) -> bool {
    let mut work = vec![value];
    for _ in 0..MAX_SEARCHED {
        let Some(value) = work.pop() else { return false };
        if value.as_str().is_some_and(is) {
            return true;
        }
        if let Some(map) = value.as_map() {
            work.extend(map.iter().map(|(_, value)| value).take(MAX_SEARCHED));
        } else {
            work.extend(value.items().into_iter().flatten().take(3));
        }
    }
    false
}
