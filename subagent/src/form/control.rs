//! The controls that forms can name, and the type that each implies.

use ptc_signatures::datetime::{is_date, is_hour_and_minute};
use ptc_signatures::{Bounds, Field, Record, Type};

use crate::words::words;

words! {
    /// A control that suits a field. It implies a type, and sometimes a further check.
    pub enum Control {
        /// One line of text.
        Text = "text",
        /// Several lines of text.
        Textarea = "textarea",
        /// An e-mail address.
        Email = "email",
        /// A number.
        Number = "number",
        /// An amount of money.
        Currency = "currency",
        /// A date.
        Date = "date",
        /// A date and a time.
        Datetime = "datetime",
        /// A time of day, `HH:MM`.
        Time = "time",
        /// Two dates, under `start` and `end`.
        Daterange = "daterange",
        /// A number between two ends.
        Slider = "slider",
        /// One of a few choices, each a button.
        Buttongroup = "buttongroup",
        /// One of several choices.
        Radio = "radio",
        /// One of many choices.
        Dropdown = "dropdown",
        /// A yes or no; with choices, any number of them.
        Checkbox = "checkbox",
    }
}

impl Control {
    /// Returns the type that the control implies without choices; `None` if it needs choices.
    pub(super) fn ty(self) -> Option<Type> {
        Some(match self {
            Control::Text | Control::Textarea | Control::Email | Control::Time => Type::STRING,
            Control::Number | Control::Currency | Control::Slider => Type::Float(Bounds::OPEN),
            Control::Date | Control::Datetime => Type::Datetime,
            Control::Daterange => Type::Record(Record::from(vec![
                Field::new("start", Type::Datetime),
                Field::new("end", Type::Datetime),
            ])),
            Control::Checkbox => Type::Bool,
            _ => return None,
        })
    }

    /// Returns the form of a text that the control accepts, if the text does not have it.
    pub(super) fn refuses(self, text: &str) -> Option<&'static str> {
        let (is_right, expected) = match self {
            Control::Email => (is_email(text), "an e-mail address, such as `ada@example.com`"),
            Control::Date => (is_date(text), "a date, such as `2026-01-31`"),
            Control::Time => (is_hour_and_minute(text), "a time, such as `09:30`"),
            _ => return None,
        };
        (!is_right).then_some(expected)
    }
}

fn is_email(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    text.split_once('@').is_some_and(|(name, host)| {
        is_part(name) && is_part(host) && !host.contains('@') && host.contains('.')
    })
}
