//! Values as the items and the keys of collections.

use std::sync::Arc;

use super::drop::drop_held;
use super::eq::same_key;
use super::hash::{hash_key, hash_name};
use super::item::{Holder, Item};
use super::shape::{Key, SHORT_NAME, Shape};
use super::text::same_text;
use super::value::Value;

impl Item for Value {
    #[inline]
    fn depth(&self) -> u32 {
        Value::depth(self)
    }

    #[inline]
    fn is_plain(&self) -> bool {
        Value::is_plain(self)
    }

    #[inline]
    fn is_common_leaf(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Str(_) | Value::Float(_))
    }

    fn drop_held(holder: impl Holder<Value> + 'static) {
        drop_held(holder);
    }
}

thread_local! {
    static NO_KEYS: Arc<Shape<Value>> = Shape::of(Vec::new());
}

/// Keywords and strings are names (D5).
impl Key for Value {
    #[inline]
    fn is_same(&self, other: &Value) -> bool {
        same_key(self, other)
    }

    #[inline]
    fn hash(&self) -> u64 {
        hash_key(self)
    }

    #[inline]
    fn hash_of_name(name: &str) -> u64 {
        hash_name(name)
    }

    fn of_name(name: &str) -> Value {
        Value::str(name)
    }

    #[inline]
    fn is_named(&self, name: &str) -> bool {
        match self {
            Value::Str(text) | Value::Keyword(text) => same_text(text, name),
            _ => false,
        }
    }

    #[inline]
    fn is_the_name(&self, other: &Value) -> bool {
        Value::is_the_name(self, other)
    }

    #[inline]
    fn address(&self) -> Option<usize> {
        match self {
            Value::Str(text) | Value::Keyword(text) if text.len() <= SHORT_NAME => {
                Some(text.as_ptr().addr())
            }
            _ => None,
        }
    }

    fn no_keys() -> Arc<Shape<Value>> {
        NO_KEYS.try_with(Arc::clone).unwrap_or_else(|_| Shape::of(Vec::new()))
    }
}
