//! Lazy sequences, whose items are computed on demand (D2).

use std::sync::{Arc, Mutex, PoisonError};

/// A cell of a lazy sequence: the call that computes it, or its first item and the rest.
///
/// Computing a cell may call functions of the program, so only the machine does it. A builtin never
/// receives an unrealized cell: see `library/lazy_overrides.rs`.
#[derive(Debug)]
pub struct Lazy<T> {
    link: Mutex<Link<T>>,
    endless: bool,
}

#[derive(Debug, Clone)]
pub enum Link<T> {
    /// Not computed: calling this function with these arguments returns the items.
    Unmade(T, Arc<[T]>),
    /// The function is running.
    Making(T, Arc<[T]>),
    /// The first item, and the sequence of the others.
    Made(T, T),
    Empty,
    /// The run that made it has ended.
    Over,
}

impl<T: Clone> Lazy<T> {
    /// Makes a sequence that a function computes. `endless` means that it is known not to end.
    pub fn unmade(function: T, args: Vec<T>, endless: bool) -> Lazy<T> {
        Lazy { link: Mutex::new(Link::Unmade(function, args.into())), endless }
    }

    /// Makes a sequence from a link.
    pub fn with(link: Link<T>, endless: bool) -> Lazy<T> {
        Lazy { link: Mutex::new(link), endless }
    }

    pub fn is_endless(&self) -> bool {
        self.endless
    }

    pub fn link(&self) -> Link<T> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the link; returns the old one, to be dropped.
    pub fn set(&self, link: Link<T>) -> Link<T> {
        std::mem::replace(&mut *self.link.lock().unwrap_or_else(PoisonError::into_inner), link)
    }
}

impl<T: Clone> Link<T> {
    /// Moves out the values it holds.
    pub fn into_values(self, work: &mut Vec<T>) {
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
