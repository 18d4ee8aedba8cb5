//! Validation templates: the rules of other systems for payloads, read as signatures.
//!
//! A template is an example of the payload. A string in it may be a rule, and so may the end of a key:
//!
//! | rule | signature |
//! |---|---|
//! | `"a": "string"` | `a :string` |
//! | `"a": "string:!empty"` | `a :string[1..]` |
//! | `"a": "string:[5]"`, `"a": "string:[=5]"` | `a :string[5..5]` |
//! | `"a": "string:[2-5]"` | `a :string[2..5]` |
//! | `"a": "number"` | `a :float` |
//! | `"a": "number:[0-100]"` | `a :float[0..100]` |
//! | `"a": "boolean"` | `a :bool` |
//! | `"a": "array"` | `a [:any]` |
//! | `"a": "array:[3+]"`, `"a:[3+]": []` | `a [:any][3..]` |
//! | `"a": "array:!empty"` | `a [:any][1..]` |
//! | `"a": "object"` | `a :map` |
//! | `"a": "any"` | `a :any` |
//! | `"a": "string?"`, `"a?": "string"` | `a :string?` |
//! | `"a": "string?:enum:low,high"` | `a :enum[low high]?` |
//! | `"a*": …` | `a :any?` |
//! | `"a": {"b": "string"}` | `a {b :string}` |
//! | `"a": "John Doe"`, `"a": 25`, `"a": []` | `a :any` |
//!
//! Three rules have no signature. They are left out, and [`Template::left_out`] names them: `object:!empty`, `!empty`
//! of another type than a string or a list, and `enum:` of another type than a string. `!empty` of a string also
//! refuses blank text in other systems; a signature does not.

use std::fmt::Write as _;

use ptc_lisp::Value;
use ptc_signatures::key_rules::{KeyRules, Range, TYPES, is_rule, range, rules_of, words};
use ptc_signatures::{Bounds, Field, MAX_NESTING, Type};

use super::path::Path;
use super::tree::{self, Segment};
use crate::Data;

/// A validation template, read as a signature.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::Template;
/// use serde_json::json;
///
/// let template = Data::from(json!({"score": "number:[0-100]", "tags": "array:[3+]", "extra": "object:!empty"}));
/// let template = Template::read(&template)?;
/// assert_eq!(template.signature.to_string(), "{score :float[0..100], tags [:any][3..], extra :map}");
/// assert_eq!(template.left_out, ["extra: `!empty` of object"]);
/// # Ok::<(), ptc_subagent::payload::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The signature.
    pub signature: Type,
    /// The rules that no signature has, each with its path.
    pub left_out: Vec<String>,
}

/// The reason that a template cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the template{at}: expected {expected}, found {found}")]
pub struct TemplateError {
    /// The place, with a space before it; empty for the whole template.
    pub at: String,
    /// The expectation in words.
    pub expected: String,
    /// The finding in words.
    pub found: String,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// [`TemplateError`] if it is not a map, nests too deeply, has one key twice, or has a rule with a malformed
    /// range.
    pub fn read(template: &Data) -> Result<Template, TemplateError> {
        let root = template.value();
        let Value::Map(_) = root else {
            return Err(error(&Path::root(), "a map of rules", tree::kind(root)));
        };
        let mut left_out = Vec::new();
        let mut stack = vec![Open::new(Path::root(), Key::default(), root)];
        while let Some(top) = stack.last_mut() {
            let Some((segment, value)) = top.rest.next() else {
                let Some(done) = stack.pop() else { break };
                let ty =
                    done.key.whole(Type::Record(done.fields.into()), &done.path, &mut left_out)?;
                match stack.last_mut() {
                    None => return Ok(Template { signature: ty, left_out }),
                    Some(around) => around.field(done.key.0.name, ty)?,
                }
                continue;
            };
            let Segment::Key(text) = segment else { continue };
            let key = Key(KeyRules::read(&text));
            let path = top.path.child(key.0.name.as_str());
            match value {
                Value::Map(map) if !map.is_empty() && !key.0.is_unchecked => {
                    if path.segments().len() >= MAX_NESTING {
                        let expected = format!("at most {MAX_NESTING} levels");
                        return Err(error(&path, &expected, "more"));
                    }
                    stack.push(Open::new(path, key, value));
                }
                value => {
                    let ty = key.leaf(value, &path, &mut left_out)?;
                    top.field(key.0.name, ty)?;
                }
            }
        }
        Err(error(&Path::root(), "a map of rules", "nothing"))
    }
}

/// A map of a template that is being read.
struct Open<'v> {
    path: Path,
    key: Key,
    rest: std::vec::IntoIter<(Segment, &'v Value)>,
    fields: Vec<Field>,
}

impl<'v> Open<'v> {
    fn new(path: Path, key: Key, map: &'v Value) -> Open<'v> {
        let rest = tree::children(map).collect::<Vec<_>>().into_iter();
        Open { path, key, rest, fields: Vec::new() }
    }

    fn field(&mut self, name: String, ty: Type) -> Result<(), TemplateError> {
        if self.fields.iter().any(|field| field.name == name) {
            return Err(error(&self.path.child(name.as_str()), "one rule for a key", "two"));
        }
        self.fields.push(Field::new(name, ty));
        Ok(())
    }
}

/// A key with the rules behind its name.
#[derive(Default)]
struct Key(KeyRules);

impl Key {
    /// Returns the type of a map whose parts are read.
    fn whole(
        &self,
        record: Type,
        path: &Path,
        left_out: &mut Vec<String>,
    ) -> Result<Type, TemplateError> {
        let mut spec = Spec { ty: "object", ..Spec::default() };
        for rule in &self.0.rules {
            spec.add(rule, path)?;
        }
        Ok(self.wrap(spec.with_base(record, path, left_out)))
    }

    /// Returns the type of a value of the template that is not a map with parts.
    fn leaf(
        &self,
        value: &Value,
        path: &Path,
        left_out: &mut Vec<String>,
    ) -> Result<Type, TemplateError> {
        if self.0.is_unchecked {
            return Ok(Type::Any.optional());
        }
        let mut spec = match value.as_str() {
            Some(text) => Spec::read(text, path)?,
            None => None,
        };
        if !self.0.rules.is_empty() {
            // Rules of the key are about the kind of the example.
            let ty = match value {
                Value::Str(_) => "string",
                Value::Int(_) | Value::Big(_) | Value::Float(_) => "number",
                Value::Bool(_) => "boolean",
                Value::Vector(_) => "array",
                Value::Map(_) => "object",
                _ => "any",
            };
            let spec = spec.get_or_insert_with(|| Spec { ty, ..Spec::default() });
            for rule in &self.0.rules {
                spec.add(rule, path)?;
            }
        }
        Ok(self.wrap(spec.unwrap_or_default().into_type(path, left_out)))
    }

    fn wrap(&self, ty: Type) -> Type {
        if self.0.is_optional { ty.optional() } else { ty }
    }
}

/// The rules of one value.
#[derive(Default)]
struct Spec {
    ty: &'static str,
    optional: bool,
    not_empty: bool,
    range: Option<Range>,
    words: Vec<String>,
}

impl Spec {
    /// Reads a rule. Text that is not a rule is an example, and gives none.
    fn read(text: &str, path: &Path) -> Result<Option<Spec>, TemplateError> {
        let (text, trailing) = match text.strip_suffix('?') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (ty, rules) = match text.split_once(':') {
            Some((ty, rules)) => (ty, rules_of(rules)),
            None => (text, Vec::new()),
        };
        let (ty, optional) = match ty.strip_suffix('?') {
            Some(ty) => (ty, true),
            None => (ty, trailing),
        };
        let Some(ty) = TYPES.iter().find(|known| **known == ty) else { return Ok(None) };
        if !rules.iter().all(|rule| is_rule(rule)) {
            return Ok(None);
        }
        let mut spec = Spec { ty, optional, ..Spec::default() };
        for rule in &rules {
            spec.add(rule, path)?;
        }
        Ok(Some(spec))
    }

    fn add(&mut self, rule: &str, path: &Path) -> Result<(), TemplateError> {
        if let Some(ty) = TYPES.iter().find(|known| **known == rule) {
            self.ty = ty;
        } else if rule == "!empty" {
            self.not_empty = true;
        } else if let Some(words) = words(rule) {
            self.words = words;
            if self.words.is_empty() {
                return Err(error(path, "values behind `enum:`", "none"));
            }
        } else {
            let range = range(rule);
            let expected = "`[N]`, `[N+]`, `[N-M]` or `[=N]`";
            self.range = Some(range.ok_or_else(|| error(path, expected, &format!("`{rule}`")))?);
        }
        Ok(())
    }

    fn into_type(self, path: &Path, left_out: &mut Vec<String>) -> Type {
        let base = match self.ty {
            "string" => Type::STRING,
            "number" => Type::FLOAT,
            "boolean" => Type::Bool,
            "array" => Type::list(Type::Any),
            "object" => Type::Map,
            _ => Type::Any,
        };
        self.with_base(base, path, left_out)
    }

    /// Applies the rules to a type, and names those that it cannot have.
    fn with_base(self, base: Type, path: &Path, left_out: &mut Vec<String>) -> Type {
        let mut leave_out = |rule: &str, ty: &str| {
            let mut line = String::new();
            let _ = write!(line, "{path}: `{rule}` of {ty}");
            left_out.push(line);
        };
        let counts = |spec: &Spec| {
            let range = spec.range;
            let min = range.map_or(0.0, |range| range.min).max(0.0).ceil() as u64;
            let min = if spec.not_empty { min.max(1) } else { min };
            let max = range.and_then(|range| range.max).map(|max| max.max(0.0).floor() as u64);
            Bounds { min: Some(min).filter(|min| *min > 0 || max.is_some()), max }
        };
        let mut used = (false, false, false);
        let ty = match base {
            Type::String(_) if !self.words.is_empty() => {
                used.2 = true;
                // A word of the list is not empty.
                used.0 = true;
                Type::Enum(self.words.clone())
            }
            Type::String(_) => {
                (used.0, used.1) = (true, true);
                Type::String(counts(&self))
            }
            Type::List(item, _) => {
                (used.0, used.1) = (true, true);
                Type::List(item, counts(&self))
            }
            Type::Float(_) => {
                used.1 = true;
                let bounds = self
                    .range
                    .map_or(Bounds::OPEN, |range| Bounds { min: Some(range.min), max: range.max });
                Type::Float(bounds)
            }
            other => other,
        };
        let kind = if self.ty.is_empty() { "any" } else { self.ty };
        if self.not_empty && !used.0 {
            leave_out("!empty", kind);
        }
        if self.range.is_some() && !used.1 {
            leave_out("[…]", kind);
        }
        if !self.words.is_empty() && !used.2 {
            leave_out("enum:", kind);
        }
        if self.optional { ty.optional() } else { ty }
    }
}

fn error(path: &Path, expected: &str, found: &str) -> TemplateError {
    let at = if path.is_root() { String::new() } else { format!(" at {path}") };
    TemplateError { at, expected: expected.to_owned(), found: found.to_owned() }
}
