//! Lookups in data: by key, by position, and by calling data as a function.

use crate::messages::{describe, out_of_bounds};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Map, Res, Value};

/// Finds what `get` finds: the value of a key, an item at a position, or a member.
pub fn find_in<'a>(collection: &'a Value, key: &Value) -> Option<&'a Value> {
    match collection {
        Value::Map(map) => map.get(key),
        Value::Set(set) => set.row(key),
        Value::Vector(vector) => {
            usize::try_from(key.as_int()?).ok().and_then(|index| vector.get(index))
        }
        _ => None,
    }
}

/// Returns the result of [`find_in`], or nil; a string has its characters.
#[inline]
pub fn lookup(collection: &Value, key: &Value) -> Value {
    match (collection, key) {
        (Value::Map(map), key) => map.get(key).cloned().unwrap_or_default(),
        (Value::Str(text), Value::Int(index)) => usize::try_from(*index)
            .ok()
            .and_then(|index| text.chars().nth(index))
            .map_or(Value::Nil, Value::character),
        _ => find_in(collection, key).cloned().unwrap_or_default(),
    }
}

/// Where the fields of records were found last, by the address of a keyword.
pub struct FieldPlaces([u8; FieldPlaces::COUNT]);

impl Default for FieldPlaces {
    fn default() -> FieldPlaces {
        FieldPlaces([0; FieldPlaces::COUNT])
    }
}

impl FieldPlaces {
    const COUNT: usize = 64;

    /// Returns the result of [`lookup`].
    #[inline]
    pub fn lookup(&mut self, collection: &Value, key: &Value) -> Value {
        if let (Value::Map(map), Value::Keyword(_)) = (collection, key) {
            return self.field(map, key).cloned().unwrap_or_default();
        }
        lookup(collection, key)
    }

    /// Returns the result of [`find_in`].
    #[inline]
    pub fn find<'a>(&mut self, collection: &'a Value, key: &Value) -> Option<&'a Value> {
        match (collection, key) {
            (Value::Map(map), Value::Keyword(_)) => self.field(map, key),
            _ => find_in(collection, key),
        }
    }

    /// Returns the value of a keyword in a map.
    #[inline]
    fn field<'a>(&mut self, map: &'a Map, key: &Value) -> Option<&'a Value> {
        let Value::Keyword(name) = key else { return None };
        let near = self.0.get_mut(name.as_ptr().addr() / 16 % FieldPlaces::COUNT)?;
        map.get_near(key, near)
    }
}

/// Calls data as a function: a keyword, symbol, map, set or vector. Returns none for other values.
pub fn call_data(callee: &Value, args: &[Value]) -> Option<Res> {
    let arity = |takes: &str| {
        Diagnostic::new(
            Code::WrongArity,
            format!(
                "{} as a function takes {takes}, not {} arguments",
                describe(callee),
                args.len()
            ),
        )
    };
    Some(match (callee, args) {
        (Value::Keyword(_) | Value::Symbol(_), [map]) => Ok(lookup(map, callee)),
        (Value::Keyword(_) | Value::Symbol(_), [map, default]) => {
            Ok(find_in(map, callee).unwrap_or(default).clone())
        }
        (Value::Keyword(_) | Value::Symbol(_), _) => Err(arity("a map and an optional default")),
        (Value::Map(_) | Value::Set(_), [key]) => Ok(lookup(callee, key)),
        (Value::Map(_), [key, default]) => Ok(find_in(callee, key).unwrap_or(default).clone()),
        (Value::Map(_), _) => Err(arity("a key and an optional default")),
        (Value::Set(_), _) => Err(arity("one member")),
        (Value::Vector(vector), [index]) => match find_in(callee, index) {
            Some(item) => Ok(item.clone()),
            None => {
                let problem = out_of_bounds(index, vector.len());
                Err(if index.as_int().is_none() {
                    problem.with_class("IllegalArgumentException")
                } else {
                    problem
                })
            }
        },
        (Value::Vector(_), _) => Err(arity("one position")),
        _ => return None,
    })
}
