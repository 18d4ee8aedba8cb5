//! The model's own program with the one change that fixes it.

use std::ops::Range;

use ptc_lisp::syntax::{Syntax, syntax};

/// Returns the only `return` of a program with its value inside a form, where `%` marks the place of
/// the value: `(return (first xs))` for `(first %)`.
///
/// Returns `None` if the program has no `return` or several, or if the form would be too long.
pub(crate) fn with_value_in(program: &str, form: &str) -> Option<String> {
    let value = returned(program)?;
    let (before, after) = form.split_once('%')?;
    short(format!("(return {before}{value}{after})"))
}

/// The maximum length of a program in a message, in characters.
const LONGEST: usize = 500;

fn short(program: String) -> Option<String> {
    (program.chars().count() <= LONGEST).then_some(program)
}

/// Returns the value of the only `(return value)` of a program.
fn returned(program: &str) -> Option<&str> {
    let mut found = None;
    let mut at = 0;
    // A `return` behind a quote or inside of a threading form has another meaning.
    let mut last = ("", "");
    for (kind, text) in syntax(program) {
        let is_call = kind == Syntax::Name && text == "return" && last.1 == "(";
        if is_call && (found.replace(at + text.len()).is_some() || is_prefix(last.0)) {
            return None;
        }
        at += text.len();
        if kind != Syntax::Blank && kind != Syntax::Comment {
            last = (last.1, text);
        }
    }
    let rest = program.get(found?..)?;
    let [value] = <[Range<usize>; 1]>::try_from(forms(rest)).ok()?;
    rest.get(value)
}

fn is_prefix(text: &str) -> bool {
    matches!(text, "'" | "@" | "^" | "#_" | "#'")
}

/// Returns the forms of a text, up to its end or to the delimiter that closes more than the text
/// opens. A text that opens more than it closes has no last form.
fn forms(text: &str) -> Vec<Range<usize>> {
    let mut forms = Vec::new();
    let (mut at, mut start, mut depth) = (0, None, 0_usize);
    for (kind, part) in syntax(text) {
        let from = at;
        at += part.len();
        match kind {
            Syntax::Blank | Syntax::Comment => continue,
            Syntax::Mark if part.ends_with(['(', '[', '{']) => {
                start.get_or_insert(from);
                depth += 1;
                continue;
            }
            Syntax::Mark if part.ends_with([')', ']', '}']) => {
                if depth == 0 {
                    return forms;
                }
                depth -= 1;
            }
            Syntax::Mark => {
                start.get_or_insert(from);
                continue;
            }
            _ => {
                start.get_or_insert(from);
            }
        }
        if depth == 0 {
            forms.extend(start.take().map(|start| start..at));
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::with_value_in;

    #[test]
    fn a_value_is_put_into_a_form() {
        let check = |program: &str, mended: Option<&str>| {
            assert_eq!(with_value_in(program, "(first %)").as_deref(), mended, "{program}");
        };
        check("(return xs)", Some("(return (first xs))"));
        check("(let [a 1]\n  (return (f a ; one\n)))", Some("(return (first (f a ; one\n)))"));
        check("(return [\"(\" \\) #{1}])", Some("(return (first [\"(\" \\) #{1}]))"));
        check("(return 'a)", Some("(return (first 'a))"));
        check("(return @a)", Some("(return (first @a))"));
        check("(if a (return b) (return c))", None);
        check("'(return a)", None);
        check("#_(return a) (return b)", None);
        check("(->> a return)", None);
        check("(->> a (return))", None);
        check("(return a b)", None);
        check("(return (f a)", Some("(return (first (f a)))"));
        check("(return", None);
        check("", None);
        check(&format!("(return [{}])", "1 ".repeat(300)), None);
    }
}
