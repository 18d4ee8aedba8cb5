//! Paths such as `rows[0].name`, and the expressions that read them.

use ptc_lisp::{Value, print};

/// The readers of an expression, which decide how it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Writing {
    /// The program of a reply. In a condition, a property of nothing is an error.
    #[default]
    Reply,
    /// A program that people read: keys are keywords, and a property of nothing is nothing.
    Program,
}

impl Writing {
    /// Returns a key of a map.
    pub fn key(self, name: &str) -> String {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if self == Writing::Program && is_plain && name.chars().all(is_part) {
            format!(":{name}")
        } else {
            literal(name)
        }
    }

    /// Returns the value at a path in another one.
    pub(super) fn inside(self, root: &str, path: &[String]) -> String {
        match (self, path) {
            (_, []) => root.to_owned(),
            (Writing::Program, [key, rest @ ..]) if root == "ctx" && key.starts_with(':') => {
                self.inside(&key.replacen(':', "ctx/", 1), rest)
            }
            (Writing::Reply, _) => format!("(get-in {root} [{}] nil)", path.join(" ")),
            (Writing::Program, [key]) if key.starts_with(':') => format!("({key} {root})"),
            (Writing::Program, _) => format!("(get-in {root} [{}])", path.join(" ")),
        }
    }

    /// Splits a path such as `rows[0].name` into its first name and the literals of the rest.
    pub(super) fn path_of(self, text: &str) -> Option<(&str, Vec<String>)> {
        let (root, path) = path_of(text)?;
        let literal = |step: Step<'_>| match step {
            Step::Key(name) => self.key(name),
            Step::Index(index) => index.to_string(),
        };
        Some((root, path.into_iter().map(literal).collect()))
    }
}

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'t> {
    /// The key of a map.
    Key(&'t str),
    /// The index of a list.
    Index(u32),
}

/// Splits a path such as `rows[0].name` into its first name and the steps behind it; `None` for another text.
pub fn path_of(text: &str) -> Option<(&str, Vec<Step<'_>>)> {
    let mut root = None;
    let mut path = Vec::new();
    for part in text.split('.') {
        let (name, indexes) = part.find('[').map_or((part, ""), |at| part.split_at(at));
        let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '-';
        if name.is_empty() || !name.chars().all(is_letter) {
            return None;
        }
        match root {
            None => root = Some(name),
            Some(_) => path.push(Step::Key(name)),
        }
        let mut rest = indexes;
        while !rest.is_empty() {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            path.push(Step::Index(index.parse().ok()?));
            rest = after;
        }
    }
    root.map(|root| (root, path))
}

/// Returns the expression that reads a path of the payload.
pub(super) fn payload(path: &[String]) -> String {
    format!("(payload/get [{}])", path.join(" "))
}

/// Returns a text as a literal.
pub fn literal(text: &str) -> String {
    print::readable(&Value::str(text))
}
