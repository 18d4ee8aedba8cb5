//! The language reference, in the requested size.

use minijinja::value::Serde;
use minijinja::{Value as Data, context};

use crate::Reference;
use crate::examples::Examples;

/// Returns the data of the reference's template.
pub(crate) fn data(size: Reference, examples: &Examples) -> Data {
    let lines: Vec<String> = LINES.iter().filter_map(|line| line(examples)).collect();
    context! { size => size.as_str(), lines, ..Data::from(Serde(examples)) }
}

/// A line of the reference `auto`: none if the mission does not need it. A program in it runs.
type Line = fn(&Examples) -> Option<String>;

/// The lines in their order.
const LINES: [Line; 7] =
    [core, sums_by_group, rounding, days_between, missing_values, side_by_side, failing_call];

fn core(_: &Examples) -> Option<String> {
    let text = "Clojure's core, with `str/join`, `set/union`, `Math/abs` and their kind; a keyword equals the string of its name";
    Some(text.to_owned())
}

fn sums_by_group(mission: &Examples) -> Option<String> {
    let rows = mission.records.as_ref()?;
    let (label, path) = (&rows.label, &rows.path);
    // Nobody adds up ids.
    let is_id = |name: &String| name == "id" || name.ends_with("_id") || name.ends_with("-id");
    let number = rows.number.as_ref().filter(|name| *name != label && !is_id(name))?;
    let groups = format!("[[k rows] (group-by :{label} {path})]");
    Some(format!("Sums by group: `(into {{}} (for {groups} [k (reduce + (map :{number} rows))]))`"))
}

fn rounding(mission: &Examples) -> Option<String> {
    let text = "To cents: `(/ (Math/round (* 2.675 100.0)) 100.0)`";
    mission.kinds.floats.then(|| text.to_owned())
}

fn days_between(mission: &Examples) -> Option<String> {
    let [from, to] = ["2026-01-31", "2026-03-01"].map(|day| format!("(LocalDate/parse \"{day}\")"));
    let text = format!("Days between dates: `(.between ChronoUnit/DAYS {from} {to})`");
    mission.kinds.dates.then_some(text)
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
        (None, Some(_)) => Some("For calls side by side write `pmap` instead of `map`".to_owned()),
        (None, None) => None,
    }
}

fn failing_call(mission: &Examples) -> Option<String> {
    let call = &mission.first.as_ref()?.call;
    Some(format!("A call that fails throws: `(try {call} (catch Exception e nil))`"))
}
