//! Forms on a terminal: choices by number, defaults by return, secrets without echo.

use std::fmt::Write as _;
use std::io::Write as _;

use ptc_signatures::Type;
use ptc_subagent::Data;
use ptc_subagent::form::{Choice, Form, FormField, FormProblem};
use serde_json::{Value, json};

use crate::report::clean;

/// Returns the text above the fields: who asks, what, and the problems of the answer before.
pub(super) fn head(agent: &str, form: &Form, problems: &[FormProblem]) -> String {
    let mut text = format!("\n{agent} asks: {}\n", clean(form.summary()));
    if let Some(help) = &form.help {
        let _ = writeln!(text, "{}", clean(help));
    }
    for problem in problems {
        let _ = writeln!(text, "{}", clean(&problem.to_string()));
    }
    text
}

/// Asks for each field until its value fits. Returns `None` at the end of the input, which leaves the question open.
pub(super) fn fill(form: &Form) -> Option<Data> {
    let mut values = Vec::new();
    for field in &form.fields {
        let label = if form.is_bare { "" } else { field.label.as_str() };
        values.push((field.id.clone(), ask(field, label)?));
    }
    Some(Data::object(values))
}

/// Asks for a field. Null leaves it empty, or takes the default.
fn ask(field: &FormField, label: &str) -> Option<Data> {
    let options = field.options();
    say(&above(field, label, &options));
    loop {
        say(&prompt(field, label, &options));
        let line = if field.is_secret { secret() } else { line() }?;
        let text = line.trim();
        if text.is_empty() {
            if field.default.is_some() || !field.is_required {
                return Some(Data::default());
            }
            say("an answer is required\n");
            continue;
        }
        match field.check(read(field, &options, text)) {
            Ok(value) => return Some(value),
            Err(problems) => {
                for problem in problems {
                    say(&format!("{}\n", clean(&problem.message)));
                }
            }
        }
    }
}

/// Returns the help and the numbered choices of a field.
fn above(field: &FormField, label: &str, options: &[Choice]) -> String {
    let mut text = String::new();
    if !options.is_empty() && !label.is_empty() {
        let _ = writeln!(text, "{}", clean(label));
    }
    if let Some(help) = &field.help {
        let _ = writeln!(text, "{}", clean(help));
    }
    for (index, choice) in options.iter().enumerate() {
        let _ = writeln!(text, "  {}  {}", index + 1, clean(&choice.label));
    }
    text
}

/// Returns the line that the person completes, with the default in brackets.
fn prompt(field: &FormField, label: &str, options: &[Choice]) -> String {
    let what = match (options.is_empty(), field.takes_several(), &field.ty) {
        (false, true, _) => "numbers".to_owned(),
        (false, false, _) => "number".to_owned(),
        (true, _, Type::Bool) => format!("{label} yes or no"),
        _ => label.to_owned(),
    };
    let number = |value: &Value| options.iter().position(|it| it.value == *value);
    let default = field.default.as_ref().map(|value| match number(value) {
        Some(index) => (index + 1).to_string(),
        None => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    });
    let default = match default {
        Some(default) if field.is_secret => "*".repeat(default.chars().count().min(8)),
        Some(default) => default,
        None if !field.is_required => "none".to_owned(),
        None => String::new(),
    };
    let default = if default.is_empty() { default } else { format!(" [{default}]") };
    let text = format!("{}{}", what.trim(), default);
    if text.is_empty() { "> ".to_owned() } else { format!("{}: ", clean(text.trim())) }
}

/// Returns the value for a line.
fn read(field: &FormField, options: &[Choice], text: &str) -> Data {
    let chosen = |word: &str| {
        let number =
            word.parse::<usize>().ok().and_then(|number| options.get(number.checked_sub(1)?));
        let named = || options.iter().find(|it| it.label.eq_ignore_ascii_case(word));
        number.or_else(named).map(|it| it.value.clone())
    };
    if field.takes_several() {
        let words = text.split([',', ' ']).filter(|word| !word.is_empty());
        let values: Value = words.map(|word| chosen(word).unwrap_or_else(|| json!(word))).collect();
        return values.into();
    }
    if !options.is_empty() {
        return chosen(text).unwrap_or_else(|| json!(text)).into();
    }
    match &field.ty {
        Type::String(_) | Type::Keyword | Type::Datetime | Type::Bool | Type::Enum(_) => {
            json!(text).into()
        }
        _ => text.parse().unwrap_or_else(|_| json!(text).into()),
    }
}

/// Reads a line; `None` at the end of the input.
pub(super) fn line() -> Option<String> {
    let mut line = String::new();
    let bytes = std::io::stdin().read_line(&mut line).unwrap_or_default();
    if bytes == 0 {
        say("\n");
        return None;
    }
    Some(line)
}

/// Reads a line that the terminal does not show.
fn secret() -> Option<String> {
    rpassword::read_password().ok()
}

/// Writes to the terminal, whose live line is hidden.
fn say(text: &str) {
    // Nobody reads the text if stderr is closed.
    drop(std::io::stderr().lock().write_all(text.as_bytes()));
}
