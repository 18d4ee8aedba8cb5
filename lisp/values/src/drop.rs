//! Dropping nested values without native recursion.

use std::cell::RefCell;
use std::sync::Arc;

use super::Value;

/// The nesting up to which values are dropped recursively, in levels. 32 native frames fit any
/// stack, and no list of work is needed.
pub(super) const SHALLOW: u32 = 32;

thread_local! {
    /// The values that are added while [`drop_all`] runs further up the native stack: unshared
    /// items of a tree, and the contents of a cell in a shallow value.
    static MORE: RefCell<Option<Vec<Value>>> = const { RefCell::new(None) };
}

/// Drops values of any depth with a list of work instead of the native stack.
pub fn drop_all(mut work: Vec<Value>) {
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
    macro_rules! drain {
        ($shared:expr) => {
            if let Some(mut own) = Arc::into_inner($shared) {
                own.drain_into(work);
            }
        };
    }
    while let Some(value) = work.pop() {
        match value {
            Value::Vector(shared) => drain!(shared),
            Value::List(shared) => drain!(shared),
            Value::Map(shared) => drain!(shared),
            Value::Set(shared) => drain!(shared),
            Value::Function(shared) => drain!(shared),
            Value::Ext(shared) => drain!(shared),
            _ => {}
        }
    }
}
