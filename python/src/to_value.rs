//! Values of Python as values of the language.
//!
//! The conversion recurs nowhere: a list of open containers takes the place of the native stack.

use std::fmt::Write as _;
use std::sync::Arc;
use std::vec::IntoIter;

use num_bigint::BigInt;
use ptc_lisp::Value;
use ptc_lisp::values::Shapes;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple,
};

use crate::python;

/// The maximum nesting, in levels. A container that contains itself reaches it.
const MAX_DEPTH: usize = 10_000;

/// Converts an object. `name` begins the path in messages.
///
/// # Errors
///
/// `TypeError` names the path of an object without a form in a program, and `ValueError` a nesting that is too deep.
pub(crate) fn to_value(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Value> {
    convert(object, name, 0)
}

fn convert(object: &Bound<'_, PyAny>, name: &str, depth: usize) -> PyResult<Value> {
    let mut keys = Keys::default();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut made = match begin(object, &mut open) {
        Ok(made) => made,
        Err(problem) => return Err(problem.raise(name, &open)),
    };
    loop {
        let level = depth + open.len();
        if level > MAX_DEPTH {
            let message =
                format!("{name} is nested deeper than {MAX_DEPTH} levels, or contains itself");
            return Err(PyValueError::new_err(message));
        }
        let Some(top) = open.last_mut() else { return Ok(made.unwrap_or_default()) };
        if let Some(value) = made.take() {
            top.add(value);
        }
        let next = match top {
            Open::Items { items, .. } => items.next(),
            Open::Pairs { pairs, key, .. } => match pairs.next() {
                Some((name_of, value)) => {
                    *key = Some(match name_of.cast_exact::<PyString>() {
                        Ok(text) => keys.get(text)?,
                        Err(_) => convert(&name_of, "a key", level)?,
                    });
                    Some(value)
                }
                None => None,
            },
        };
        made = match next {
            Some(next) => begin(&next, &mut open).map_err(|problem| problem.raise(name, &open))?,
            None => open.pop().map(|top| top.finish(&mut keys.shapes)),
        };
    }
}

/// A container whose parts are converted.
enum Open<'py> {
    Items {
        items: IntoIter<Bound<'py, PyAny>>,
        made: Vec<Value>,
        is_set: bool,
    },
    Pairs {
        pairs: IntoIter<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        made: Vec<(Value, Value)>,
        key: Option<Value>,
    },
}

impl Open<'_> {
    fn add(&mut self, value: Value) {
        match self {
            Open::Items { made, .. } => made.push(value),
            Open::Pairs { made, key, .. } => made.push((key.take().unwrap_or_default(), value)),
        }
    }

    fn finish(self, shapes: &mut Shapes) -> Value {
        match self {
            Open::Items { made, is_set: true, .. } => Value::set(made),
            Open::Items { made, .. } => Value::vector(made),
            Open::Pairs { made, .. } => Value::Map(Arc::new(shapes.map(made))),
        }
    }

    /// Adds the place of the current part to a path.
    fn place(&self, path: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Open::Items { made, .. } => write!(path, "[{}]", made.len()),
            Open::Pairs { key, .. } => match key.as_ref().unwrap_or(&Value::Nil) {
                Value::Str(name) => write!(path, ".{name}"),
                key => write!(path, "[{key}]"),
            },
        };
    }
}

/// The reason that an object has no form.
enum Problem {
    /// The name of its type.
    Type(String),
    Raised(PyErr),
}

impl From<PyErr> for Problem {
    fn from(error: PyErr) -> Problem {
        Problem::Raised(error)
    }
}

impl Problem {
    #[cold]
    fn raise(self, name: &str, open: &[Open<'_>]) -> PyErr {
        match self {
            Problem::Raised(error) => error,
            Problem::Type(kind) => {
                let mut path = name.to_owned();
                open.iter().take(32).for_each(|it| it.place(&mut path));
                PyTypeError::new_err(format!("{path}: a `{kind}` has no form in a program"))
            }
        }
    }
}

/// An object of a type that the language has, or not.
enum Begun {
    Made(Value),
    /// A container, whose parts follow.
    Opened,
    Unknown,
}

/// Converts an object without parts. A container is opened instead.
fn begin<'py>(
    object: &Bound<'py, PyAny>,
    open: &mut Vec<Open<'py>>,
) -> Result<Option<Value>, Problem> {
    let begun = match begin_known(object, open)? {
        Begun::Unknown => begin_known(&python::plain(object)?, open)?,
        begun => begun,
    };
    match begun {
        Begun::Made(value) => Ok(Some(value)),
        Begun::Opened => Ok(None),
        Begun::Unknown => {
            let kind = object.get_type().qualname()?;
            Err(Problem::Type(kind.to_string_lossy().into_owned()))
        }
    }
}

/// Converts or opens an object of a type that the language has.
fn begin_known<'py>(
    object: &Bound<'py, PyAny>,
    open: &mut Vec<Open<'py>>,
) -> Result<Begun, Problem> {
    let items = |items: Vec<Bound<'py, PyAny>>, is_set| {
        let made = Vec::with_capacity(items.len());
        Open::Items { items: items.into_iter(), made, is_set }
    };
    let value = if let Ok(text) = object.cast::<PyString>() {
        Value::str(text.to_str()?)
    } else if object.is_none() {
        Value::Nil
    } else if let Ok(flag) = object.cast::<PyBool>() {
        Value::Bool(flag.is_true())
    } else if let Ok(int) = object.cast::<PyInt>() {
        integer(int)?
    } else if let Ok(float) = object.cast::<PyFloat>() {
        Value::Float(float.value())
    } else {
        // The parts are collected first: converting one may run code that changes its container.
        open.push(if let Ok(map) = object.cast::<PyDict>() {
            let pairs: Vec<_> = map.iter().collect();
            let made = Vec::with_capacity(pairs.len());
            Open::Pairs { pairs: pairs.into_iter(), made, key: None }
        } else if let Ok(list) = object.cast::<PyList>() {
            items(list.iter().collect(), false)
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            items(tuple.iter().collect(), false)
        } else if let Ok(set) = object.cast::<PySet>() {
            items(set.iter().collect(), true)
        } else if let Ok(set) = object.cast::<PyFrozenSet>() {
            items(set.iter().collect(), true)
        } else {
            return Ok(Begun::Unknown);
        });
        return Ok(Begun::Opened);
    };
    Ok(Begun::Made(value))
}

/// Converts an integer of any size.
fn integer(int: &Bound<'_, PyInt>) -> PyResult<Value> {
    if let Ok(small) = int.extract::<i64>() {
        return Ok(Value::Int(small));
    }
    let bits: usize = int.call_method0("bit_length")?.extract()?;
    let options = PyDict::new(int.py());
    options.set_item("signed", true)?;
    let bytes = int.call_method("to_bytes", (bits / 8 + 1, "little"), Some(&options))?;
    let big = BigInt::from_signed_bytes_le(bytes.cast::<PyBytes>()?.as_bytes());
    Ok(Value::Big(big.into()))
}

/// The latest keys. Records share the objects of their keys, so each name is copied once. Maps of them share the keys.
#[derive(Default)]
struct Keys<'py> {
    known: Vec<(Bound<'py, PyString>, Value)>,
    shapes: Shapes,
}

impl<'py> Keys<'py> {
    const MAX: usize = 32;

    fn get(&mut self, key: &Bound<'py, PyString>) -> PyResult<Value> {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| known.is(key)) {
            return Ok(known.clone());
        }
        let value = Value::str(key.to_str()?);
        if self.known.len() == Self::MAX {
            self.known.clear();
        }
        self.known.push((key.clone(), value.clone()));
        Ok(value)
    }
}
