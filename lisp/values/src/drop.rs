//! Dropping nested values without native recursion.

use std::cell::RefCell;
use std::sync::Arc;

use super::item::Holder;
use super::value::{Ext, Value};

type Holders = Vec<Box<dyn Holder<Value>>>;

thread_local! {
    /// The holders that are dropped while [`drop_held`] runs further up the native stack: unshared
    /// items of a tree, and the contents of a cell in a shallow value.
    static MORE: RefCell<Option<Holders>> = const { RefCell::new(None) };
}

/// Drops the values of a holder of any depth with a list of work instead of the native stack.
pub(crate) fn drop_held(holder: impl Holder<Value> + 'static) {
    let mut holder = Some(holder);
    let _ = MORE.try_with(|more| match &mut *more.borrow_mut() {
        Some(more) => more.extend(holder.take().map(|it| Box::new(it) as Box<dyn Holder<Value>>)),
        none => *none = Some(Vec::new()),
    });
    let Some(mut holder) = holder else { return };
    let mut work = Vec::new();
    holder.drain_into(&mut work);
    drop(holder);
    loop {
        drop_each(&mut work);
        let more = MORE.try_with(|more| more.borrow_mut().as_mut().map(std::mem::take));
        match more {
            Ok(Some(more)) if !more.is_empty() => {
                for mut holder in more {
                    holder.drain_into(&mut work);
                }
            }
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

impl Drop for Ext {
    fn drop(&mut self) {
        // Dropping a chain of these nests as deep as the chain is long.
        let mut work = Vec::new();
        self.drain_into(&mut work);
        if !work.is_empty() {
            drop_held(work);
        }
    }
}
