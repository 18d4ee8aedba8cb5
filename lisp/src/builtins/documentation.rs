//! What `doc`, `find-doc` and `apropos` answer: the table of functions, and a line for every form.

use std::fmt::Write as _;

use super::facts::{ANY, listed};
use super::regex::regex_value;
use super::{Builtin, builtins, elsewhere, find, left_out, pure, wrong_type};
use crate::machine::{Cx, Res};
use crate::value::{Ext, Value};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "apropos",
        "text-or-regex",
        "Names of functions and forms that hold a text or match a regex, as symbols.",
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
        "Prints what `doc` prints for every function and form whose `doc` matches; gives nil.",
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

/// The names whose text has a part that was asked for, sorted.
fn matching(
    cx: &mut Cx,
    who: &str,
    wanted: &Value,
    text: impl Fn(&'static str) -> String,
) -> Res<Vec<&'static str>> {
    let names = builtins().map(|(_, builtin)| builtin.name).chain(FORMS.iter().map(|row| row.0));
    let mut found = Vec::new();
    for name in names {
        cx.spend(1)?;
        let fits = match wanted {
            Value::Str(part) | Value::Symbol(part) => text(name).contains(part.as_str()),
            Value::Ext(ext) => match &**ext {
                Ext::Regex(regex) => {
                    let text = text(name);
                    cx.spend(regex.search_cost(text.len()))?;
                    regex.find_at(&text, 0).is_some()
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

/// What `doc` prints for a name of the language: how it is written, what it does, an example. None
/// for a name that Clojure does not have either.
pub(crate) fn text_of(name: &str) -> Option<String> {
    if let Some((name, usage, doc)) = FORMS.iter().find(|row| row.0 == name) {
        return Some(format!("{name}\n{usage}\n  {doc}"));
    }
    if let Some(id) = find(name) {
        let builtin = id.builtin();
        let mut text = builtin.name.to_owned();
        if !builtin.is_constant() {
            for args in builtin.usage.split('|') {
                let space = if args.is_empty() { "" } else { " " };
                let _ = write!(text, "\n({}{space}{args})", builtin.name);
            }
        }
        let _ = write!(text, "\n  {}", builtin.doc);
        if !builtin.example.is_empty() {
            let _ = write!(text, "\n  {}", builtin.example);
        }
        return Some(text);
    }
    let instead = left_out(name).or_else(|| elsewhere(name))?;
    Some(format!("{name}\n  Not part of the language: {instead}."))
}

/// Special forms and sugar: name, how it is written, what it gives.
pub(crate) static FORMS: &[(&str, &str, &str)] = &[
    ("if", "(if test then else?)", "then if the test is true, otherwise else, or nil."),
    ("do", "(do form …)", "Evaluates the forms and gives the last value."),
    ("let", "(let [pattern value …] body …)", "The body with names for values."),
    (
        "loop",
        "(loop [pattern value …] body …)",
        "The body, which `recur` runs again with new values.",
    ),
    ("recur", "(recur value …)", "Runs the innermost `loop` or function again with new values."),
    (
        "fn",
        "(fn name? [pattern …] body …)\n(fn name? ([pattern …] body …) …)",
        "A function; also written `#(+ % 1)`.",
    ),
    ("def", "(def name value?)", "Names a value for the rest of the program and later turns."),
    ("defonce", "(defonce name value)", "`def`, unless the name has a value already."),
    ("quote", "(quote form)", "The form itself as data; also written 'form."),
    ("and", "(and form …)", "The first false value, otherwise the last."),
    ("or", "(or form …)", "The first true value, otherwise the last."),
    (
        "lazy-seq",
        "(lazy-seq body …)",
        "A sequence whose body gives its items when they are asked for.",
    ),
    (
        "lazy-cat",
        "(lazy-cat coll …)",
        "The items of collections, each evaluated when it is reached.",
    ),
    (".", "(. object method argument …)", "Calls a method of Java."),
    ("..", "(.. object (method argument …) …)", "Calls methods one after another."),
    ("memfn", "(memfn method name …)", "A method of Java as a function."),
    ("new", "(new Class argument …)", "A new value of a class, as `(Class. argument …)`."),
    (
        "call",
        "(call \"tool\" {:argument value …})",
        "What a tool answers; its name is a literal text.",
    ),
    ("return", "(return value)", "Ends the program with the answer of the mission."),
    (
        "fail",
        "(fail {:reason :name :message \"text\"})",
        "Ends the program without an answer of the mission.",
    ),
    (
        "letfn",
        "(letfn [(name [pattern …] body …) …] body …)",
        "The body with functions that may call one another.",
    ),
    (
        "try",
        "(try body … (catch Class name handler …) … (finally form …))",
        "The body, or the handler of the first class that an exception belongs to.",
    ),
    ("catch", "(catch Class name handler …)", "A part of `try`: what to do with an exception."),
    ("finally", "(finally form …)", "The last part of `try`: evaluated in any case."),
    ("->", "(-> x form …)", "Puts x into each form as its first argument, in turn."),
    ("->>", "(->> x form …)", "Puts x into each form as its last argument, in turn."),
    ("as->", "(as-> x name form …)", "Each form with the name for the value before it."),
    ("cond->", "(cond-> x test form …)", "`->` through the forms whose test is true."),
    ("cond->>", "(cond->> x test form …)", "`->>` through the forms whose test is true."),
    ("some->", "(some-> x form …)", "`->` that stops at nil."),
    ("some->>", "(some->> x form …)", "`->>` that stops at nil."),
    ("cond", "(cond test value … :else value)", "The value of the first test that is true."),
    (
        "condp",
        "(condp f x test value … default?)",
        "The value of the first test for which (f test x) is true.",
    ),
    (
        "case",
        "(case x constant value … default?)",
        "The value of the constant that equals x; (a b) stands for either.",
    ),
    ("when", "(when test body …)", "The body if the test is true, otherwise nil."),
    ("when-not", "(when-not test body …)", "The body if the test is false, otherwise nil."),
    ("if-not", "(if-not test then else?)", "then if the test is false, otherwise else, or nil."),
    ("if-let", "(if-let [pattern value] then else?)", "`if` that binds a true value."),
    ("when-let", "(when-let [pattern value] body …)", "`when` that binds a true value."),
    ("if-some", "(if-some [pattern value] then else?)", "`if-let` for what is not nil."),
    ("when-some", "(when-some [pattern value] body …)", "`when-let` for what is not nil."),
    (
        "when-first",
        "(when-first [pattern coll] body …)",
        "The body with the first item, if there is one.",
    ),
    (
        "defn",
        "(defn name text? [pattern …] body …)\n(defn name text? ([pattern …] body …) …)",
        "Names a function for the rest of the program and later turns.",
    ),
    ("defn-", "(defn- name text? [pattern …] body …)", "The same as `defn`."),
    (
        "for",
        "(for [pattern coll … :let [pattern value …] :when test :while test] value)",
        "A sequence of values for every combination of items.",
    ),
    (
        "doseq",
        "(doseq [pattern coll … :let [pattern value …] :when test :while test] body …)",
        "Evaluates the body for every combination of items; gives nil.",
    ),
    (
        "dotimes",
        "(dotimes [name count] body …)",
        "Evaluates the body for 0, 1, … below count; gives nil.",
    ),
    ("while", "(while test body …)", "Evaluates the body as long as the test is true; gives nil."),
    ("assert", "(assert test message?)", "Throws an AssertionError when the test is false."),
    ("comment", "(comment form …)", "nil; the forms are not evaluated."),
    ("declare", "(declare name …)", "nil; a name may be used above its definition anyway."),
    ("doto", "(doto x form …)", "x, put into each form as its first argument."),
    ("pvalues", "(pvalues form …)", "The values of forms that are evaluated in branches."),
    ("delay", "(delay form …)", "What `@` or `force` computes once, when the value is asked for."),
    ("with-out-str", "(with-out-str form …)", "What the forms print, as a text."),
    ("var", "(var name)", "What the name stands for; also written #'name."),
    ("doc", "(doc name)", "Prints how a function, form or tool is used; gives nil."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_a_line_and_every_line_a_form() {
        let mut forms: Vec<&str> = crate::analyze::form_names().collect();
        let mut rows: Vec<&str> = FORMS.iter().map(|row| row.0).collect();
        forms.sort_unstable();
        rows.sort_unstable();
        assert_eq!(rows, forms);
    }

    #[test]
    fn a_line_says_how_its_form_is_written() {
        for (name, usage, doc) in FORMS {
            for usage in usage.lines() {
                let head = usage.trim_start_matches('(').split([' ', ')']).next();
                assert_eq!(head, Some(*name), "{usage}");
            }
            assert!(doc.ends_with('.') && doc.len() < 120, "{doc}");
        }
    }
}
