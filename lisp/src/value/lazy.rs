//! Sequences whose items are made when they are asked for (D2).

use std::sync::{Arc, Mutex, PoisonError};

use super::{Ext, Value};

/// A cell of a sequence: what makes it, or its first item and what follows.
///
/// To make a cell may call functions of the program, so it is the machine that does it, and a
/// builtin never meets a cell that is not made: see [`crate::builtins`], `instead.rs`.
#[derive(Debug)]
pub struct Lazy {
    link: Mutex<Link>,
    endless: bool,
}

/// What is known of a cell.
#[derive(Debug, Clone)]
pub(crate) enum Link {
    /// Nothing yet: this function, called with these arguments, gives the items.
    Unmade(Value, Arc<[Value]>),
    /// The function is being called.
    Making(Value, Arc<[Value]>),
    /// The first item, and a sequence of those after it.
    Made(Value, Value),
    /// It has no items.
    Empty,
    /// The run that made it is over.
    Over,
}

impl Lazy {
    /// A sequence that a function makes when it is asked for. `endless`: that it never ends is known.
    pub(crate) fn unmade(function: Value, args: Vec<Value>, endless: bool) -> Lazy {
        Lazy { link: Mutex::new(Link::Unmade(function, args.into())), endless }
    }

    /// A sequence whose first part is known, or how it goes on.
    pub(crate) fn with(link: Link, endless: bool) -> Lazy {
        Lazy { link: Mutex::new(link), endless }
    }

    /// An item in front of a sequence that may not be made yet.
    pub(crate) fn cons(first: Value, rest: Value) -> Lazy {
        let endless = Lazy::of(&rest).is_some_and(Lazy::is_endless);
        Lazy { link: Mutex::new(Link::Made(first, rest)), endless }
    }

    /// The lazy sequence that a value is.
    pub(crate) fn of(value: &Value) -> Option<&Lazy> {
        match value {
            Value::Ext(ext) => match &**ext {
                Ext::Lazy(lazy) => Some(lazy),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is known never to end.
    pub(crate) fn is_endless(&self) -> bool {
        self.endless
    }

    /// Whether its first item is known, or that it has none. What the language itself counts is known.
    pub(crate) fn is_made(&self) -> bool {
        match self.link() {
            Link::Unmade(function, _) => matches!(function, Value::Builtin(_)),
            Link::Made(..) | Link::Empty => true,
            Link::Making(..) | Link::Over => false,
        }
    }

    /// What is known of it now.
    pub(crate) fn link(&self) -> Link {
        self.link.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes down what it is made of; what was there is given back, to be dropped.
    pub(crate) fn set(&self, link: Link) -> Link {
        std::mem::replace(&mut *self.link.lock().unwrap_or_else(PoisonError::into_inner), link)
    }
}

impl Link {
    /// The values it holds.
    pub(crate) fn into_values(self, work: &mut Vec<Value>) {
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
