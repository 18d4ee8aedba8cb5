//! Mutable values: atoms, volatiles and delays. They live as long as the program (D7).

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The kind of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// An atom, changed by `swap!` and `reset!`. It may have watches and a validator.
    Atom,
    /// A volatile, changed by `vswap!` and `vreset!`.
    Volatile,
    /// A delay, computed on demand.
    Delay,
}

/// A cell of one program.
#[derive(Debug)]
pub struct Cell<T> {
    kind: CellKind,
    /// None after the end of the program that made it.
    contents: Mutex<Option<Contents<T>>>,
}

#[derive(Debug)]
struct Contents<T> {
    /// The value; for a delay that is not computed, the function that computes it.
    value: T,
    progress: Progress,
    /// Watches and a validator, which few atoms have.
    hooks: Option<Box<Hooks<T>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Not computed yet.
    Ahead,
    /// A task computes it.
    Running,
    Done,
    /// Failed; the value is the exception.
    Failed,
}

/// The functions to call when an atom changes.
#[derive(Debug, Default)]
struct Hooks<T> {
    /// The function that checks a new value; nil if none does.
    validator: T,
    /// The functions to notify of changes, by key.
    watches: Vec<(T, T)>,
}

impl<T: Clone + Default> Cell<T> {
    pub fn new(kind: CellKind, value: T) -> Cell<T> {
        let progress = match kind {
            CellKind::Delay => Progress::Ahead,
            CellKind::Atom | CellKind::Volatile => Progress::Done,
        };
        Cell { kind, contents: Mutex::new(Some(Contents { value, progress, hooks: None })) }
    }

    /// Makes a cell whose program has ended.
    pub fn over(kind: CellKind) -> Cell<T> {
        Cell { kind, contents: Mutex::new(None) }
    }

    /// Returns whether its program has ended.
    pub fn is_over(&self) -> bool {
        self.contents().is_none()
    }

    /// Returns its kind.
    pub fn kind(&self) -> CellKind {
        self.kind
    }

    fn contents(&self) -> MutexGuard<'_, Option<Contents<T>>> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the current value; none after the end of its program.
    pub fn get(&self) -> Option<T> {
        self.contents().as_ref().map(|contents| contents.value.clone())
    }

    /// Replaces the value and returns the old one; does nothing after the end of its program.
    pub fn replace(&self, value: T) -> Option<T> {
        self.contents().as_mut().map(|contents| std::mem::replace(&mut contents.value, value))
    }

    /// Returns the value; none if a change calls something or its program has ended.
    pub fn get_plain(&self) -> Option<T> {
        let contents = self.contents();
        let contents = contents.as_ref().filter(|contents| contents.hooks.is_none())?;
        Some(contents.value.clone())
    }

    /// Replaces the value if it is as expected and a change calls nothing, and returns the old one. Otherwise returns the
    /// new one as an error.
    ///
    /// # Errors
    ///
    /// Returns the new value if the cell did not take it.
    pub fn exchange(&self, new: T, expects: impl FnOnce(&T) -> bool) -> Result<T, T> {
        let mut contents = self.contents();
        match contents.as_mut() {
            Some(contents) if contents.hooks.is_none() && expects(&contents.value) => {
                Ok(std::mem::replace(&mut contents.value, new))
            }
            _ => Err(new),
        }
    }

    /// Replaces the value by what a function makes of it, and returns that; none if the function makes nothing, a change
    /// calls something or its program has ended.
    pub fn change_plain(&self, change: impl FnOnce(&T) -> Option<T>) -> Option<T> {
        let mut contents = self.contents();
        let contents = contents.as_mut().filter(|contents| contents.hooks.is_none())?;
        let new = change(&contents.value)?;
        contents.value = new.clone();
        Some(new)
    }

    /// Takes the value and leaves nil; does nothing if a change calls something or its program has ended.
    pub fn take_plain(&self) -> Option<T> {
        let mut contents = self.contents();
        let contents = contents.as_mut().filter(|contents| contents.hooks.is_none())?;
        Some(std::mem::take(&mut contents.value))
    }

    /// Returns the progress of a delay; none after the end of its program.
    pub fn progress(&self) -> Option<Progress> {
        self.contents().as_ref().map(|contents| contents.progress)
    }

    /// Returns whether it has a value or an exception; none after the end of its program.
    pub fn is_computed(&self) -> Option<bool> {
        self.progress().map(|it| matches!(it, Progress::Done | Progress::Failed))
    }

    pub fn set_progress(&self, progress: Progress) {
        if let Some(contents) = self.contents().as_mut() {
            contents.progress = progress;
        }
    }

    pub fn validator(&self) -> T {
        let contents = self.contents();
        let hooks = contents.as_ref().and_then(|contents| contents.hooks.as_ref());
        hooks.map(|hooks| hooks.validator.clone()).unwrap_or_default()
    }

    pub fn set_validator(&self, validator: T) {
        if let Some(contents) = self.contents().as_mut() {
            contents.hooks.get_or_insert_default().validator = validator;
        }
    }

    /// Returns the watches with their keys.
    pub fn watches(&self) -> Vec<(T, T)> {
        let contents = self.contents();
        let hooks = contents.as_ref().and_then(|contents| contents.hooks.as_ref());
        hooks.map(|hooks| hooks.watches.clone()).unwrap_or_default()
    }

    pub fn set_watches(&self, watches: Vec<(T, T)>) {
        if let Some(contents) = self.contents().as_mut() {
            contents.hooks.get_or_insert_default().watches = watches;
        }
    }

    pub fn values(&self) -> Vec<T> {
        let contents = self.contents();
        let Some(contents) = contents.as_ref() else { return Vec::new() };
        let mut values = vec![contents.value.clone()];
        if let Some(hooks) = &contents.hooks {
            values.push(hooks.validator.clone());
            let watches = hooks.watches.iter();
            values.extend(watches.flat_map(|(key, watch)| [key.clone(), watch.clone()]));
        }
        values
    }

    /// Removes the values for good. A cell may hold itself, so only this frees it.
    pub fn close(&self) -> Vec<T> {
        let Some(contents) = self.contents().take() else { return Vec::new() };
        let mut values = vec![contents.value];
        if let Some(hooks) = contents.hooks {
            values.push(hooks.validator);
            values.extend(hooks.watches.into_iter().flat_map(|(key, watch)| [key, watch]));
        }
        values
    }
}
