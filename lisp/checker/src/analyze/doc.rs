//! The text of `doc`.

use std::fmt::Write as _;

use super::forms;
use ptc_facts::registry::Registered;
use ptc_facts::registry::{find, foreign_name, unsupported_name};

/// Returns the text that `doc` prints for a name: usage, description and example. Returns none for
/// a name that Clojure does not have either.
pub fn text_of(name: &str) -> Option<String> {
    if let Some(form) = forms::find(name) {
        return Some(format!("{}\n{}\n  {}", form.name, form.usage, form.doc));
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
    let instead = unsupported_name(name).or_else(|| foreign_name(name))?;
    Some(format!("{name}\n  Not part of the language: {instead}."))
}
