//! Dropping nested values without native recursion.

use std::cell::RefCell;
use std::sync::Arc;

use super::Value;

/// Values nested at most this deep are dropped the ordinary way: 32 native frames fit any stack,
/// and the ordinary way needs no list of work.
pub(super) const SHALLOW: u32 = 32;

thread_local! {
    /// What comes up while [`drop_all`] is at work further up the native stack: the depth of a table
    /// does not count the function that sorts it, so a shallow value may hold deep ones.
    static MORE: RefCell<Option<Vec<Value>>> = const { RefCell::new(None) };
}

/// Drops values of any depth with a list of work instead of the native stack.
pub(crate) fn drop_all(mut work: Vec<Value>) {
    let inside = MORE.try_with(|more| match &mut *more.borrow_mut() {
        Some(more) => {
            more.append(&mut work);
            true
        }
        none => {
            *none = Some(Vec::new());
            false
        }
    });
    if inside.unwrap_or(false) {
        return;
    }
    loop {
        drop_each(&mut work);
        let more = MORE.try_with(|more| more.borrow_mut().as_mut().map(std::mem::take));
        match more {
            Ok(Some(more)) if !more.is_empty() => work = more,
            _ => break,
        }
    }
    let _ = MORE.try_with(|more| more.borrow_mut().take());
}

fn drop_each(work: &mut Vec<Value>) {
    while let Some(value) = work.pop() {
        match value {
            // Taking the items out of a tree copies what it shares with others, so a shallow one is
            // dropped as a whole.
            Value::Vector(_) | Value::Map(_) | Value::Set(_) if value.depth() <= SHALLOW => {}
            Value::Vector(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(work);
                }
            }
            Value::List(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(work);
                }
            }
            Value::Map(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(work);
                }
            }
            Value::Set(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(work);
                }
            }
            Value::Function(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(work);
                }
            }
            Value::Ext(shared) => {
                if let Some(mut own) = Arc::into_inner(shared) {
                    own.drain_into(work);
                }
            }
            _ => {}
        }
    }
}
