//! Values that change: atoms, volatiles and delays. They live as long as the program (D7).

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Value;

/// What a cell is called by the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// Changed by `swap!` and `reset!`; may be watched and guarded.
    Atom,
    /// Changed by `vswap!` and `vreset!`.
    Volatile,
    /// Computed when it is asked for.
    Delay,
}

/// A cell of one program.
#[derive(Debug)]
pub struct Cell {
    kind: CellKind,
    /// None when the program that made it is over.
    held: Mutex<Option<Held>>,
}

#[derive(Debug)]
struct Held {
    /// The value; of a delay that has none yet, the function that computes it.
    value: Value,
    progress: Progress,
    /// What few atoms have.
    hooks: Option<Box<Hooks>>,
}

/// How far a delay is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The value is not asked for yet.
    Ahead,
    /// Somebody computes it.
    Running,
    /// The value is there.
    Done,
    /// Computing it has failed; the value is the exception.
    Failed,
}

/// What is called when an atom changes.
#[derive(Debug, Default)]
struct Hooks {
    /// Says whether a value may be put in; nil if any may.
    validator: Value,
    /// What is told of changes, by key.
    watches: Vec<(Value, Value)>,
}

impl Cell {
    pub(crate) fn new(kind: CellKind, value: Value) -> Cell {
        let progress = match kind {
            CellKind::Delay => Progress::Ahead,
            CellKind::Atom | CellKind::Volatile => Progress::Done,
        };
        Cell { kind, held: Mutex::new(Some(Held { value, progress, hooks: None })) }
    }

    /// A cell whose program is over.
    pub(crate) fn over(kind: CellKind) -> Cell {
        Cell { kind, held: Mutex::new(None) }
    }

    /// Whether its program is over.
    pub(crate) fn is_over(&self) -> bool {
        self.held().is_none()
    }

    /// What it is called.
    pub fn kind(&self) -> CellKind {
        self.kind
    }

    fn held(&self) -> MutexGuard<'_, Option<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The present value; none when its program is over.
    pub(crate) fn get(&self) -> Option<Value> {
        self.held().as_ref().map(|held| held.value.clone())
    }

    /// Puts a value in and gives the old one; changes nothing when its program is over.
    pub(crate) fn replace(&self, value: Value) -> Option<Value> {
        self.held().as_mut().map(|held| std::mem::replace(&mut held.value, value))
    }

    /// How far a delay is; none when its program is over.
    pub(crate) fn progress(&self) -> Option<Progress> {
        self.held().as_ref().map(|held| held.progress)
    }

    /// Whether there is a value, or an exception instead; none when its program is over.
    pub(crate) fn is_computed(&self) -> Option<bool> {
        self.progress().map(|it| matches!(it, Progress::Done | Progress::Failed))
    }

    pub(crate) fn set_progress(&self, progress: Progress) {
        if let Some(held) = self.held().as_mut() {
            held.progress = progress;
        }
    }

    /// What says whether a value may be put in; nil if any may.
    pub(crate) fn validator(&self) -> Value {
        let held = self.held();
        let hooks = held.as_ref().and_then(|held| held.hooks.as_ref());
        hooks.map(|hooks| hooks.validator.clone()).unwrap_or_default()
    }

    pub(crate) fn set_validator(&self, validator: Value) {
        if let Some(held) = self.held().as_mut() {
            held.hooks.get_or_insert_default().validator = validator;
        }
    }

    /// What is told of changes, with its keys.
    pub(crate) fn watches(&self) -> Vec<(Value, Value)> {
        let held = self.held();
        let hooks = held.as_ref().and_then(|held| held.hooks.as_ref());
        hooks.map(|hooks| hooks.watches.clone()).unwrap_or_default()
    }

    pub(crate) fn set_watches(&self, watches: Vec<(Value, Value)>) {
        if let Some(held) = self.held().as_mut() {
            held.hooks.get_or_insert_default().watches = watches;
        }
    }

    /// Every value in it.
    pub(crate) fn values(&self) -> Vec<Value> {
        let held = self.held();
        let Some(held) = held.as_ref() else { return Vec::new() };
        let mut values = vec![held.value.clone()];
        if let Some(hooks) = &held.hooks {
            values.push(hooks.validator.clone());
            let watches = hooks.watches.iter();
            values.extend(watches.flat_map(|(key, watch)| [key.clone(), watch.clone()]));
        }
        values
    }

    /// Takes the values out for good. A cell may hold itself, so this is also what frees it.
    pub(crate) fn close(&self) -> Vec<Value> {
        let Some(held) = self.held().take() else { return Vec::new() };
        let mut values = vec![held.value];
        if let Some(hooks) = held.hooks {
            values.push(hooks.validator);
            values.extend(hooks.watches.into_iter().flat_map(|(key, watch)| [key, watch]));
        }
        values
    }
}
