//! Dropping nested values without native recursion.

use std::sync::Arc;

use super::Value;

/// Values nested at most this deep are dropped the ordinary way: 32 native frames fit any stack,
/// and the ordinary way needs no list of work.
pub(super) const SHALLOW: u32 = 32;

/// Drops values of any depth with a list of work instead of the native stack.
pub(crate) fn drop_all(mut work: Vec<Value>) {
    while let Some(value) = work.pop() {
        match value {
            // Taking the items out of a tree copies what it shares with others, so a shallow one is
            // dropped as a whole.
            Value::Vector(_) | Value::Map(_) | Value::Set(_) if value.depth() <= SHALLOW => {}
            Value::Vector(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(&mut work);
                }
            }
            Value::List(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(&mut work);
                }
            }
            Value::Map(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(&mut work);
                }
            }
            Value::Set(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(&mut work);
                }
            }
            Value::Function(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(&mut work);
                }
            }
            Value::Ext(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(&mut work);
                }
            }
            _ => {}
        }
    }
}
