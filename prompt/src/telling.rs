//! Chooses the items of a list that tell a model something that the type of the list does not: the forms of texts, and signs.

use std::collections::BTreeSet;

use ptc_lisp::Value;

/// Returns the items of a list that a sample shows, at most so many: the first one, and each later one that has a form that
/// no earlier one has. Of a long list, only the beginning is searched.
pub(crate) fn telling<'a>(items: impl Iterator<Item = &'a Value>, most: usize) -> Vec<&'a Value> {
    let mut seen = BTreeSet::new();
    let mut chosen = Vec::new();
    for item in items.take(MAX_SEARCHED) {
        if chosen.len() == most {
            break;
        }
        let before = seen.len();
        add_forms(item, &mut seen);
        if chosen.is_empty() || seen.len() > before {
            chosen.push(item);
        }
    }
    chosen
}

/// The maximum number of items that are searched.
const MAX_SEARCHED: usize = 50;
/// The maximum number of values of an item whose forms count.
const MAX_VALUES: usize = 100;
/// The maximum length of a form, in bytes. Longer texts differ in their beginnings, or not at all.
const MAX_FORM: usize = 24;

/// Adds the forms of the values in an item, each with the keys that lead to it.
fn add_forms(item: &Value, seen: &mut BTreeSet<(String, String)>) {
    let mut work = vec![(String::new(), item)];
    for _ in 0..MAX_VALUES {
        let Some((path, value)) = work.pop() else { return };
        if let Some(map) = value.as_map() {
            let key = |key: &Value| format!("{path}/{}", key.name().unwrap_or_default());
            work.extend(map.iter().take(MAX_VALUES).map(|(name, value)| (key(name), value)));
        } else if let Some(mut items) = value.items() {
            work.extend(items.next().map(|it| (format!("{path}[]"), it)));
        } else if let Some(form) = form(value) {
            seen.insert((path, form));
        }
    }
}

/// Returns the form of a text or a number. Other values have none, since their type says it all.
fn form(value: &Value) -> Option<String> {
    match value {
        Value::Nil | Value::Bool(_) => None,
        Value::Int(number) if *number < 0 => Some("negative".to_owned()),
        Value::Float(number) if *number < 0.0 => Some("negative".to_owned()),
        other => Some(other.as_str().map_or_else(String::new, form_of_text)),
    }
}

/// Returns the form of a text: a digit for each number, a letter for the words in a row, and all other characters. The form of
/// `2025-03-01` is `0-0-0`, and that of `Ann Lee <ann@example.org>` is `A <a@a.a>`.
fn form_of_text(text: &str) -> String {
    let mut form = String::new();
    let mut last = None;
    for c in text.chars() {
        let class = match c {
            c if c.is_numeric() => '0',
            c if c.is_alphabetic() && is_letter(last) => continue,
            c if c.is_uppercase() => 'A',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        let is_same_number = class == '0' && last == Some('0');
        last = Some(class);
        if is_same_number {
            continue;
        }
        let mut before = form.chars().rev();
        if is_letter(last) && before.next() == Some(' ') && is_letter(before.next()) {
            // A further word.
            form.pop();
            continue;
        }
        form.push(class);
        if form.len() >= MAX_FORM {
            break;
        }
    }
    form
}

fn is_letter(class: Option<char>) -> bool {
    matches!(class, Some('a' | 'A'))
}

#[cfg(test)]
mod tests {
    use ptc_lisp::json;

    use super::*;

    #[test]
    fn forms_of_texts() {
        for (text, form) in [
            ("", ""),
            ("2025-03-01", "0-0-0"),
            ("Ann Lee van Dam", "A"),
            ("ann lee", "a"),
            ("Ann  Lee", "A  A"),
            ("Ann Lee <ann@example.org>", "A <a@a.a>"),
            ("Привет, {name}!", "A, {a}!"),
            ("+49 170 5", "+0 0 0"),
            ("1.5h", "0.0a"),
            ("a1 b2 c3", "a0 a0 a0"),
            ("----------------------------------------", "------------------------"),
        ] {
            assert_eq!(form_of_text(text), form, "{text}");
        }
    }

    #[test]
    fn items_that_tell_something() {
        let told = |text: &str| {
            let list = json::parse(text).unwrap();
            let chosen = telling(list.items().unwrap(), 3);
            chosen.iter().map(ToString::to_string).collect::<Vec<String>>().join(" ")
        };
        for (list, chosen) in [
            ("[]", ""),
            ("[1, 2, 3]", "1"),
            ("[1, 2, -3, null, \"4\"]", "1 -3 \"4\""),
            (r#"["Haas", "Lind", "lind", "n/a"]"#, r#""Haas" "lind" "n/a""#),
            (r#"[{"a": 1}, {"a": 2}, {"a": null}, {}, {"b": 3}]"#, r#"{"a" 1} {"b" 3}"#),
            (r#"[{"a": [1, 2]}, {"a": []}, {"a": [-3]}]"#, r#"{"a" [1 2]} {"a" [-3]}"#),
        ] {
            assert_eq!(told(list), chosen, "{list}");
        }
    }
}
