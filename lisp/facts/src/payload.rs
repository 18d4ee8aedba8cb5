//! The payload: state that a host shares between runs, and that programs change under its rules.
//!
//! The host decides which operations are allowed and how they change a value. The language resolves
//! names, keeps what a program sees, and hands over the operations.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use ptc_signatures::{Field, Type};

use ptc_values::Value;
use ptc_values::spelling::nearest;

/// The payload of a session: its value, its signature, and the rules of the host.
#[derive(Debug, Clone)]
pub struct Payload {
    pub value: Value,
    signature: Option<Arc<Type>>,
    pub rules: Arc<dyn PayloadRules>,
    pub is_shared: bool,
}

/// One operation of a program on the payload.
#[derive(Debug, Clone, PartialEq)]
pub struct PayloadOp {
    /// The kind.
    pub kind: PayloadOpKind,
    /// The path: a vector of strings and of integers from 0.
    pub path: Value,
    /// The value, item or map as plain JSON; nil for a deletion.
    pub value: Value,
}

/// The kinds of a [`PayloadOp`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadOpKind {
    /// Sets the value at the path.
    Put,
    /// Appends an item to the list at the path.
    Push,
    /// Removes the value at the path.
    Delete,
    /// Sets the keys of a map in the map at the path.
    Merge,
}

/// The reason that an operation cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayloadError {
    /// The program may not make it.
    Denied(String),
    /// It does not fit the payload.
    Misfit(String),
}

/// The rules of the host about a payload. They are pure functions.
pub trait PayloadRules: fmt::Debug + Send + Sync {
    /// Checks that an operation on a path may be allowed, for some payload and some value.
    ///
    /// # Errors
    ///
    /// The reason in words, if it never is.
    fn may_allow(&self, kind: PayloadOpKind, path: &Value) -> Result<(), String>;

    /// Changes the payload. An operation that fails changes nothing.
    ///
    /// # Errors
    ///
    /// The reason that the operation cannot be made.
    fn apply(&self, payload: &mut Value, op: &PayloadOp) -> Result<(), PayloadError>;

    /// Adds the operations of another run, which had its own rules.
    ///
    /// # Errors
    ///
    /// The reason that the operations do not fit the payload.
    fn adopt(&self, payload: &mut Value, ops: &[PayloadOp]) -> Result<(), String>;

    /// Merges the operations of branches that began with one payload, in the order of the branches. Returns the merged
    /// payload, and the operations that make it.
    ///
    /// # Errors
    ///
    /// The conflict in words.
    fn join(
        &self,
        fork: &Value,
        branches: &[Vec<PayloadOp>],
    ) -> Result<(Value, Vec<PayloadOp>), String>;
}

/// A name in a path that the payload does not have.
pub struct UnknownKey {
    /// The path up to the name.
    pub path: String,
    /// The most similar name, if it is a likely slip.
    pub near: Option<String>,
    /// The names that are there.
    pub names: Vec<String>,
    /// The number of steps before the name.
    pub depth: usize,
}

impl Payload {
    /// Creates a payload. The value must be plain JSON, as [`json::plain`](ptc_values::json::plain) makes it.
    pub fn new(value: Value, rules: Arc<dyn PayloadRules>) -> Payload {
        Payload { value, signature: None, rules, is_shared: false }
    }

    /// Declares the type of the payload. Programs can then use only names that it or the payload has.
    #[must_use]
    pub fn with_signature(mut self, signature: Type) -> Payload {
        self.signature = Some(Arc::new(signature));
        self
    }

    /// Sets whether tools can change the payload while a program runs.
    #[must_use]
    pub fn shared_with_tools(mut self, is_shared: bool) -> Payload {
        self.is_shared = is_shared;
        self
    }

    /// Returns the first name in a literal path that neither the signature nor the payload has. Without a signature,
    /// every name may be used.
    pub fn unknown_key(&self, path: &[Value]) -> Option<UnknownKey> {
        let mut ty = self.signature.as_deref();
        let mut value = Some(&self.value);
        for (depth, step) in path.iter().enumerate() {
            ty = ty.map(required);
            let part = value.and_then(|value| part(value, step));
            ty = match (ty, step) {
                (Some(Type::Record(fields)), Value::Str(key)) if !fields.is_empty() => {
                    match fields.iter().find(|field| field.name == key.as_str()) {
                        Some(field) => Some(&field.ty),
                        None if part.is_some() || fields.open => None,
                        None => return Some(unknown(fields, value, path, depth)),
                    }
                }
                (Some(Type::List(item, _)), Value::Int(_)) => Some(item),
                _ => None,
            };
            value = part;
        }
        None
    }
}

impl PayloadOpKind {
    /// Returns the name of the function that makes such an operation.
    pub fn name(self) -> &'static str {
        match self {
            PayloadOpKind::Put => "payload/put",
            PayloadOpKind::Push => "payload/push",
            PayloadOpKind::Delete => "payload/delete",
            PayloadOpKind::Merge => "payload/merge",
        }
    }

    /// Returns the kind of the operation that a function makes.
    pub fn of_function(name: &str) -> Option<PayloadOpKind> {
        use PayloadOpKind::{Delete, Merge, Push, Put};
        [Put, Push, Delete, Merge].into_iter().find(|kind| kind.name() == name)
    }
}

/// Returns a direct part of a value.
pub fn part<'v>(value: &'v Value, step: &Value) -> Option<&'v Value> {
    match (value, step) {
        (Value::Map(map), Value::Str(key) | Value::Keyword(key)) => map.get_name(key),
        (Value::Vector(items), Value::Int(index)) => items.get(usize::try_from(*index).ok()?),
        _ => None,
    }
}

/// Returns a path as text, such as `items[0].price`.
pub fn path_text(path: &[Value]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Value::Str(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(key);
            }
            other => {
                // Writing to a string cannot fail.
                let _ = write!(text, "[{other}]");
            }
        }
    }
    text
}

fn required(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => inner,
        other => other,
    }
}

fn unknown(fields: &[Field], value: Option<&Value>, path: &[Value], depth: usize) -> UnknownKey {
    let present = value.and_then(Value::as_map).into_iter().flat_map(ptc_values::Map::iter);
    let declared = fields.iter().map(|field| field.name.as_str());
    let mut names: Vec<&str> = declared.chain(present.filter_map(|(key, _)| key.name())).collect();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    let wanted = path.get(depth).and_then(Value::name).unwrap_or_default();
    UnknownKey {
        path: path_text(path.get(..=depth).unwrap_or_default()),
        near: nearest(wanted, names.iter().copied()).map(str::to_owned),
        names: names.into_iter().map(str::to_owned).collect(),
        depth,
    }
}
