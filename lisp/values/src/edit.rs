//! Changes to JSON data in place, for hosts that keep state outside programs.
//!
//! A collection that is shared is copied first: a short one as a block, a long one as a tree that
//! shares its parts with the original.

use arcstr::ArcStr;

use super::{Map, Value, Vector};

impl Value {
    /// Sets the value under a string key of a map. A new key becomes the last one. Returns false if
    /// this is not a map, or is a sorted map.
    ///
    /// ```
    /// use ptc_values::{Value, json};
    ///
    /// let old = json::parse(r#"{"a": 1, "b": 2}"#).unwrap();
    /// let mut new = old.clone();
    /// assert!(new.set_field("a", Value::from(3)));
    /// assert_eq!(json::write(&new).unwrap(), r#"{"a":3,"b":2}"#);
    /// assert_eq!(json::write(&old).unwrap(), r#"{"a":1,"b":2}"#);
    /// ```
    pub fn set_field(&mut self, key: impl Into<ArcStr>, value: Value) -> bool {
        match self {
            Value::Map(map) if map.order().is_none() => {
                Map::make_mut(map).insert((Value::Str(key.into()), value));
                true
            }
            _ => false,
        }
    }

    /// Takes the value under a key of a map and leaves nil under the key. A caller that changes a
    /// nested value takes it out, changes it, and sets it again.
    pub fn take_field(&mut self, key: &str) -> Option<Value> {
        let Value::Map(map) = self else { return None };
        map.get_name(key)?;
        Map::make_mut(map).get_mut(&Value::str(key)).map(std::mem::take)
    }

    /// Removes a key of a map, and returns its value.
    pub fn remove_field(&mut self, key: &str) -> Option<Value> {
        let Value::Map(map) = self else { return None };
        map.get_name(key)?;
        Map::make_mut(map).remove(&Value::str(key)).map(|(_, value)| value)
    }

    /// Replaces the item at an existing index of a vector. Returns false if there is none.
    pub fn set_item(&mut self, index: usize, value: Value) -> bool {
        match self {
            Value::Vector(vector) if index < vector.len() => {
                Vector::make_mut(vector).set(index, value);
                true
            }
            _ => false,
        }
    }

    /// Appends an item to a vector. Returns false if this is not a vector.
    pub fn push_item(&mut self, value: Value) -> bool {
        let Value::Vector(vector) = self else { return false };
        Vector::make_mut(vector).push(value);
        true
    }

    /// Takes the item at an index of a vector and leaves nil there.
    pub fn take_item(&mut self, index: usize) -> Option<Value> {
        match self {
            Value::Vector(vector) => {
                let item = vector.get(index)?.clone();
                Vector::make_mut(vector).set(index, Value::Nil);
                Some(item)
            }
            _ => None,
        }
    }

    /// Removes the item at an index of a vector and returns it. The items behind it move up.
    pub fn remove_item(&mut self, index: usize) -> Option<Value> {
        match self {
            Value::Vector(vector) if index < vector.len() => Vector::make_mut(vector).remove(index),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn numbers(count: i64) -> Value {
        Value::vector((0..count).map(Value::from).collect())
    }

    #[test]
    fn a_shared_vector_keeps_its_items() {
        for count in [3, 200] {
            let old = numbers(count);
            let mut new = old.clone();
            assert_eq!(new.take_item(1), Some(Value::from(1)));
            assert!(new.set_item(1, Value::from(7)));
            assert_eq!(new.remove_item(0), Some(Value::from(0)));
            assert!(new.push_item(Value::from(8)));
            assert!(!new.set_item(count as usize, Value::Nil));
            assert_eq!(new.remove_item(count as usize), None);
            let mut expected: Vec<Value> = (2..count).map(Value::from).collect();
            expected.insert(0, Value::from(7));
            expected.push(Value::from(8));
            assert_eq!(new, Value::vector(expected));
            assert_eq!(old, numbers(count));
        }
    }

    #[test]
    fn a_shared_map_keeps_its_rows() {
        for count in [3, 20, 200] {
            let rows = || (0..count).map(|at: i64| (Value::from(at.to_string()), Value::from(at)));
            let old = Value::map(rows());
            let mut new = old.clone();
            assert_eq!(new.take_field("1"), Some(Value::from(1)));
            assert!(new.set_field("1", Value::from(7)));
            assert_eq!(new.remove_field("0"), Some(Value::from(0)));
            assert_eq!(new.remove_field("0"), None);
            assert_eq!(new.take_field("x"), None);
            assert!(new.set_field("x", Value::from(8)));
            let mut expected: Vec<(Value, Value)> = rows().skip(1).collect();
            expected[0].1 = Value::from(7);
            expected.push((Value::from("x"), Value::from(8)));
            assert_eq!(json::write(&new), json::write(&Value::map(expected)));
            assert_eq!(json::write(&old), json::write(&Value::map(rows())));
        }
    }

    #[test]
    fn other_values_have_no_parts_to_change() {
        let mut value = Value::from(1);
        assert!(!value.set_field("a", Value::Nil) && !value.push_item(Value::Nil));
        assert!(!value.set_item(0, Value::Nil));
        assert_eq!((value.take_field("a"), value.remove_field("a")), (None, None));
        assert_eq!((value.take_item(0), value.remove_item(0)), (None, None));
        assert_eq!(value, Value::from(1));
    }
}
