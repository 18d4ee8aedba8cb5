//! Changes of atoms and volatiles, and delays. Both may call functions that wait while other branches run.

use super::cx::Cx;
use super::problems::over;
use super::request::{CallsBack, Request};
use super::waiting;
use ptc_facts::messages::wrong_type;
use ptc_values::code::Code;
use ptc_values::{Cell, CellKind, Diagnostic, Ext, Progress, Res, Value};

/// One change of an atom: compute, validate, store, notify the watches. A volatile is one that takes every result.
pub struct Change {
    atom: Value,
    /// The function of `swap!` and its arguments; other changes have their new value already.
    function: Option<(Value, Vec<Value>)>,
    old: Value,
    new: Value,
    stage: Stage,
    /// The value that the atom must hold for `compare-and-set!`.
    expected: Option<Value>,
    answer: Answer,
    /// The watches that are not notified yet.
    watches: std::vec::IntoIter<(Value, Value)>,
}

#[derive(Clone, Copy)]
enum Stage {
    Compute,
    Validate,
    Tell,
}

#[derive(Clone, Copy)]
pub enum Answer {
    New,
    /// The old value and the new one.
    Both,
    /// Whether the change was made.
    Made,
    /// The atom itself, which is new: only the validator runs.
    Atom,
    /// Nothing: the new value is a validator, which must accept the old value.
    Validator,
}

impl Change {
    /// Makes a `swap!` or a relative: the new value is computed from the old one.
    pub fn compute(atom: Value, function: Value, args: Vec<Value>, answer: Answer) -> Change {
        Change::new(atom, Some((function, args)), Value::Nil, None, answer)
    }

    /// Makes a `reset!` or a relative: the new value is given.
    pub fn put(atom: Value, new: Value, expected: Option<Value>, answer: Answer) -> Change {
        Change::new(atom, None, new, expected, answer)
    }

    /// Makes a `swap!` whose function runs with the old value.
    pub(super) fn computing(atom: Value, function: Value, args: Vec<Value>, old: Value) -> Change {
        Change { old, ..Change::compute(atom, function, args, Answer::New) }
    }

    fn new(
        atom: Value,
        function: Option<(Value, Vec<Value>)>,
        new: Value,
        expected: Option<Value>,
        answer: Answer,
    ) -> Change {
        let (old, watches) = (Value::Nil, Vec::new().into_iter());
        let stage = Stage::Compute;
        Change { atom, function, old, new, stage, expected, answer, watches }
    }

    /// Stores the new value; returns false if the atom does not hold the expected one.
    fn make(&mut self, cx: &mut Cx) -> Res<bool> {
        let atom = cell("swap!", &self.atom)?;
        match self.answer {
            Answer::Atom => return Ok(true),
            Answer::Validator => {
                atom.set_validator(self.new.clone());
                return Ok(true);
            }
            Answer::New | Answer::Both | Answer::Made => {}
        }
        let now = atom.get().ok_or_else(over)?;
        // The cell is locked four times, and its watches are read.
        cx.spend(2)?;
        let as_expected = match &self.expected {
            Some(expected) => cx.equal(&now, expected)?,
            None => {
                let is_free = self.function.is_none() || atom.kind() == CellKind::Volatile;
                is_free || same(&now, &self.old)
            }
        };
        if as_expected {
            self.old = now;
            atom.replace(self.new.clone());
            self.watches = atom.watches().into_iter();
        }
        Ok(as_expected)
    }

    fn done(&mut self, cx: &mut Cx) -> Res<Request> {
        Ok(Request::Done(match self.answer {
            Answer::New => std::mem::take(&mut self.new),
            Answer::Both => {
                cx.vector(vec![std::mem::take(&mut self.old), std::mem::take(&mut self.new)])?
            }
            Answer::Made => Value::Bool(true),
            Answer::Atom => self.atom.clone(),
            Answer::Validator => Value::Nil,
        }))
    }

    #[cold]
    fn invalid(&self) -> Diagnostic {
        let found = match self.answer {
            Answer::Validator => cell("swap!", &self.atom).ok().and_then(Cell::get),
            _ => Some(self.new.clone()),
        };
        let found = ptc_facts::messages::describe(&found.unwrap_or_default());
        Diagnostic::new(Code::Thrown, "Invalid reference state")
            .with_class("IllegalStateException")
            .with_help(format!("the validator of the atom rejects {found}"))
    }
}

impl CallsBack for Change {
    fn step(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        mut got: Option<Value>,
    ) -> Res<Request> {
        loop {
            match self.stage {
                Stage::Compute => {
                    if let Some((function, args)) = &self.function {
                        let Some(new) = got.take() else {
                            self.old = cell("swap!", &self.atom)?.get().ok_or_else(over)?;
                            stack.extend([function.clone(), self.old.clone()]);
                            stack.extend(args.iter().cloned());
                            return Ok(Request::Call(args.len() + 1));
                        };
                        self.new = new;
                    }
                    self.stage = Stage::Validate;
                    let validator = match self.answer {
                        Answer::Validator => self.new.clone(),
                        _ => cell("swap!", &self.atom)?.validator(),
                    };
                    if !validator.is_nil() {
                        let value = match self.answer {
                            Answer::Validator => {
                                cell("swap!", &self.atom)?.get().ok_or_else(over)?
                            }
                            _ => self.new.clone(),
                        };
                        stack.extend([validator, value]);
                        return Ok(Request::Call(1));
                    }
                }
                Stage::Validate => {
                    if let Some(valid) = got.take()
                        && !valid.truthy()
                    {
                        return Err(self.invalid());
                    }
                    if !self.make(cx)? {
                        if self.function.is_none() {
                            return Ok(Request::Done(Value::Bool(false)));
                        }
                        // Another branch changed the atom meanwhile: try again with its value.
                        cx.spend(1)?;
                        self.stage = Stage::Compute;
                        continue;
                    }
                    self.stage = Stage::Tell;
                }
                Stage::Tell => {
                    got.take();
                    let Some((key, watch)) = self.watches.next() else { return self.done(cx) };
                    cx.spend(1)?;
                    let (atom, old, new) = (self.atom.clone(), self.old.clone(), self.new.clone());
                    stack.extend([watch, key, atom, old, new]);
                    return Ok(Request::Call(4));
                }
            }
        }
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        for value in [&self.atom, &self.old, &self.new] {
            visit(value);
        }
        self.expected.iter().for_each(&mut *visit);
        if let Some((function, args)) = &self.function {
            visit(function);
            args.iter().for_each(&mut *visit);
        }
        for (key, watch) in self.watches.as_slice() {
            visit(key);
            visit(watch);
        }
    }
}

/// Returns whether a program cannot tell two values apart.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    use std::sync::Arc;
    match (a, b) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::Big(a), Value::Big(b)) => Arc::ptr_eq(a, b),
        (Value::Str(a), Value::Str(b))
        | (Value::Keyword(a), Value::Keyword(b))
        | (Value::Symbol(a), Value::Symbol(b)) => std::ptr::eq(a.as_ptr(), b.as_ptr()) || a == b,
        (Value::Vector(a), Value::Vector(b)) => Arc::ptr_eq(a, b),
        (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b),
        (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b),
        (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(a, b),
        (Value::Function(a), Value::Function(b)) => Arc::ptr_eq(a, b),
        (Value::Builtin(a), Value::Builtin(b)) => a == b,
        (Value::Ext(a), Value::Ext(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// The value of a delay, computed once by the first task that asks.
pub struct Force {
    delay: Value,
    /// Whether this state computes it.
    computing: bool,
}

impl Force {
    pub(super) fn new(delay: Value) -> Force {
        Force { delay, computing: false }
    }
}

impl CallsBack for Force {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        let delay = cell("deref", &self.delay)?;
        if let Some(got) = got {
            // The function returns the value in a vector, or the exception that ended it.
            let (progress, value) = match got.items().and_then(|mut items| items.next()) {
                Some(value) => (Progress::Done, value.clone()),
                None => (Progress::Failed, got),
            };
            delay.replace(value);
            delay.set_progress(progress);
            self.computes(&mut |of| cx.waiting.wake(of));
            self.computing = false;
        }
        if let Some(value) = ready(&self.delay)? {
            return Ok(Request::Done(value));
        }
        if delay.progress() == Some(Progress::Running)
            && let Value::Ext(delay) = &self.delay
        {
            return Ok(Request::Hold(waiting::key(delay)));
        }
        cx.spend(1)?;
        delay.set_progress(Progress::Running);
        self.computing = true;
        stack.extend(delay.get());
        Ok(Request::Call(0))
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(&self.delay);
    }

    /// Visits the key of the delay if this state computes it.
    fn computes(&self, visit: &mut impl FnMut(usize)) {
        if self.computing
            && let Value::Ext(delay) = &self.delay
        {
            visit(waiting::key(delay));
        }
    }
}

impl Drop for Force {
    fn drop(&mut self) {
        // The branch that computed it was given up: the next task that asks computes it.
        if self.computing
            && let Ok(delay) = cell("deref", &self.delay)
        {
            delay.set_progress(Progress::Ahead);
        }
    }
}

/// Returns the value of a delay, if it is computed, or the error that ended it.
pub(super) fn ready(delay: &Value) -> Res<Option<Value>> {
    let cell = cell("deref", delay)?;
    let value = cell.get().ok_or_else(over)?;
    match cell.progress() {
        Some(Progress::Done) => Ok(Some(value)),
        Some(Progress::Failed) => Err(super::exception::rethrown(&value)),
        _ => Ok(None),
    }
}

fn cell<'a>(who: &str, value: &'a Value) -> Res<&'a Cell> {
    match value {
        Value::Ext(ext) => match &**ext {
            Ext::Cell(cell) => Ok(cell),
            _ => Err(wrong_type(who, "an atom", value)),
        },
        other => Err(wrong_type(who, "an atom", other)),
    }
}

/// Returns the cell in a value if it is of one kind.
pub fn cell_of<'a>(who: &str, kind: CellKind, value: &'a Value) -> Res<&'a Cell> {
    match cell(who, value) {
        Ok(cell) if cell.kind() == kind => Ok(cell),
        _ => Err(wrong_type(
            who,
            match kind {
                CellKind::Atom => "an atom",
                CellKind::Volatile => "a volatile",
                CellKind::Delay => "a delay",
            },
            value,
        )),
    }
}
