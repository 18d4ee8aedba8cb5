//! The language reference, in the requested size.

use std::fmt::Write;

use minijinja::value::Serde;
use minijinja::{Value as Data, context};

use crate::examples::{Examples, Records};
use crate::kinds::Kinds;
use crate::{Reference, templates};

/// Returns the data of the reference's template.
pub(crate) fn data(size: Reference, examples: &Examples) -> Data {
    context! {
        size => size.as_str(),
        lines => lines(examples),
        functions => functions(),
        ..Data::from(Serde(examples))
    }
}

/// Returns the lines of the reference `auto` that a mission needs.
pub(crate) fn lines(examples: &Examples) -> Vec<String> {
    LINES.iter().filter_map(|line| line(examples)).collect()
}

/// Returns the forms and functions that most programs need.
pub(crate) fn functions() -> String {
    templates::message("functions", context! {})
}

/// A line of the reference `auto`: none if the mission does not need it. A program in it runs.
type Line = fn(&Examples) -> Option<String>;

/// The lines in their order.
const LINES: [Line; 7] = [core, rows, numbers, dates, missing_values, side_by_side, failing_call];

fn core(_: &Examples) -> Option<String> {
    let text = "Clojure's core, str/, set/ and Math/; a keyword equals the string of its name";
    Some(text.to_owned())
}

fn rows(mission: &Examples) -> Option<String> {
    let (path, label, value, number) = match &mission.records {
        Some(Records { path, label, value, number, .. }) => {
            let is_sum = |name: &&str| name != label && !is_id(name);
            (path.as_str(), label.as_str(), value.as_str(), number.as_deref().filter(is_sum))
        }
        None if mission.kinds.rows => ("[{:k 1, :n 2}]", "k", "1", Some("n")),
        None => return None,
    };
    let mut line = format!("Rows: `(where {{:{label} {value}}} {path})`");
    let _ = match number {
        Some(number) => write!(line, ", `(sum-by :{number} {path})`, so `max-by`"),
        None => write!(line, ", `(count-by :{label} {path})`"),
    };
    Some(line)
}

/// Returns whether a field has numbers that nobody adds up.
pub(crate) fn is_id(name: &str) -> bool {
    name == "id" || name.ends_with("_id") || name.ends_with("-id")
}

fn numbers(mission: &Examples) -> Option<String> {
    let text = "Numbers: `(round 2.675 2)`, `(percentile 95 [1 2])`, so `sum` `mean` `median`";
    mission.kinds.floats.then(|| text.to_owned())
}

fn dates(mission: &Examples) -> Option<String> {
    let Kinds { dates, times, .. } = mission.kinds;
    let on_days = "`(time-between \"2026-01-31\" \"2026-03-01\" :days)`, `(str (date-add \"2026-01-31\" 1 :months))`";
    let in_day = "`(time-between \"22:10\" \"23:55\" :minutes)`";
    let (title, calls) = match (dates, times) {
        (true, true) => ("Dates", format!("{on_days}, {in_day}")),
        (true, false) => ("Dates", on_days.to_owned()),
        (false, true) => ("Times", in_day.to_owned()),
        (false, false) => return None,
    };
    Some(format!("{title}: {calls}; `compare` compares texts, not `<`"))
}

fn missing_values(mission: &Examples) -> Option<String> {
    let text = "What is missing is nil, and nil in arithmetic is an error: `(or (:name {}) 0)`";
    mission.kinds.optional.then(|| text.to_owned())
}

fn side_by_side(mission: &Examples) -> Option<String> {
    match (&mission.each, &mission.first) {
        (Some(each), _) => {
            Some(format!("Calls side by side: `{}`", each.replacen("(mapv ", "(pmap ", 1)))
        }
        (None, Some(_)) => Some("`pmap` makes calls side by side".to_owned()),
        (None, None) => None,
    }
}

fn failing_call(mission: &Examples) -> Option<String> {
    let call = &mission.first.as_ref()?.call;
    Some(format!("A default for a call that fails: `(if-error {call} nil)`"))
}
