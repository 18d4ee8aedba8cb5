//! Lazy sequences, whose items are computed on demand (D2).

use std::sync::{Arc, Mutex, PoisonError};

use super::Value;

/// A cell of a lazy sequence: the call that computes it, or its first item and the rest.
///
/// Computing a cell may call functions of the program, so only the machine does it. A builtin never
/// receives an unrealized cell: see `library/lazy_overrides.rs`.
#[derive(Debug)]
pub struct Lazy {
    link: Mutex<Link>,
    endless: bool,
}

#[derive(Debug, Clone)]
pub enum Link {
    /// Not computed: calling this function with these arguments returns the items.
    Unmade(Value, Arc<[Value]>),
    /// The function is running.
    Making(Value, Arc<[Value]>),
    /// The first item, and the sequence of the others.
    Made(Value, Value),
    Empty,
    /// The run that made it has ended.
    Over,
}

impl Lazy {
    /// Makes a sequence that a function computes. `endless` means that it is known not to end.
    pub fn unmade(function: Value, args: Vec<Value>, endless: bool) -> Lazy {
        Lazy { link: Mutex::new(Link::Unmade(function, args.into())), endless }
    }

    /// Makes a sequence from a link.
    pub fn with(link: Link, endless: bool) -> Lazy {
        Lazy { link: Mutex::new(link), endless }
    }

    /// Puts an item in front of a sequence that may be unrealized.
    pub fn cons(first: Value, rest: Value) -> Lazy {
        let endless = Lazy::of(&rest).is_some_and(Lazy::is_endless);
        Lazy { link: Mutex::new(Link::Made(first, rest)), endless }
    }

    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// Returns whether it is known if there is a first item. Sequences of builtins count as known.
    pub fn is_made(&self) -> bool {
        match self.link() {
            Link::Unmade(function, _) => matches!(function, Value::Builtin(_)),
            Link::Made(..) | Link::Empty => true,
            Link::Making(..) | Link::Over => false,
        }
    }

    pub fn link(&self) -> Link {
        self.link.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the link; returns the old one, to be dropped.
    pub fn set(&self, link: Link) -> Link {
        std::mem::replace(&mut *self.link.lock().unwrap_or_else(PoisonError::into_inner), link)
    }
}

impl Link {
    /// Moves out the values it holds.
    pub fn into_values(self, work: &mut Vec<Value>) {
        match self {
            Link::Unmade(function, args) | Link::Making(function, args) => {
                work.push(function);
                work.extend(args.iter().cloned());
            }
            Link::Made(first, rest) => work.extend([first, rest]),
            Link::Empty | Link::Over => {}
        }
    }
}
