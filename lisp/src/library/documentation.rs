//! The functions `doc`, `find-doc` and `apropos`, over the table of functions and the forms.

use ptc_builtins::regex::regex_value;
use ptc_checker::analyze::forms::FORMS;
use ptc_checker::analyze::text_of;
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::builtins;
use ptc_facts::registry::facts::{ANY, listed};
use ptc_machine::{Cx, Row, pure};
use ptc_values::{Ext, Res, Value};

pub(super) const TABLE: &[Row] = &[
    pure(
        "apropos",
        "text-or-regex",
        "The names of functions and forms that contain a text or match a regex, as symbols.",
        "(apropos \"swap-v\") => (swap-vals!)",
        listed(ANY),
        |cx, args| {
            let found = matching(cx, "apropos", &args[0], str::to_owned)?;
            let symbols = found.into_iter().map(|name| Value::Symbol(name.into()));
            cx.list(symbols.collect())
        },
    ),
    pure(
        "find-doc",
        "text-or-regex",
        "Prints the `doc` of every function and form whose `doc` matches; returns nil.",
        "(find-doc \"split-lines\") => nil",
        listed(ANY),
        |cx, args| {
            let pattern = match &args[0] {
                Value::Str(text) => regex_value(cx, text)?,
                other => other.clone(),
            };
            let found =
                matching(cx, "find-doc", &pattern, |name| text_of(name).unwrap_or_default())?;
            for name in found {
                let text = Value::str(text_of(name).unwrap_or_default());
                cx.print(&[text], false, "\n")?;
            }
            Ok(Value::Nil)
        },
    ),
];

/// Returns the sorted names whose text contains the wanted part.
fn matching(
    cx: &mut Cx,
    who: &str,
    wanted: &Value,
    text: impl Fn(&'static str) -> String,
) -> Res<Vec<&'static str>> {
    let names =
        builtins().map(|(_, builtin)| builtin.name).chain(FORMS.iter().map(|form| form.name));
    let mut found = Vec::new();
    for name in names {
        cx.spend(1)?;
        let fits = match wanted {
            Value::Str(part) | Value::Symbol(part) => text(name).contains(part.as_str()),
            Value::Ext(ext) => match &**ext {
                Ext::Regex(regex) => {
                    let text = text(name);
                    cx.spend(regex.search_cost(text.len()))?;
                    regex.span_at(&text, 0).is_some()
                }
                _ => return Err(wrong_type(who, "a text or a regular expression", wanted)),
            },
            _ => return Err(wrong_type(who, "a text or a regular expression", wanted)),
        };
        if fits {
            found.push(name);
        }
    }
    found.sort_unstable();
    Ok(found)
}
