//! Values of the language as objects of Python, without recursion.

use ptc_lisp::Value;
use ptc_lisp::values::{Ext, Items, TableIter};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};

/// The reason that a value has no object.
pub(crate) enum NoObject {
    /// The kind of value without a form outside programs.
    Kind(&'static str),
    /// The value is larger than the limit.
    Size,
    Raised(PyErr),
}

impl From<PyErr> for NoObject {
    fn from(error: PyErr) -> NoObject {
        NoObject::Raised(error)
    }
}

/// Converts a value. Keywords and symbols become strings, dates and identifiers their text. A value that shares its
/// parts may be much larger outside, so its size is limited to `max` bytes, roughly those of its JSON.
///
/// # Errors
///
/// The reason that there is no object.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: &Value,
    max: usize,
) -> Result<Bound<'py, PyAny>, NoObject> {
    let mut maker = Maker { py, left: max, texts: Vec::new() };
    let mut open: Vec<Open<'_, 'py>> = Vec::new();
    let mut made = maker.begin(value, &mut open, false)?;
    loop {
        let Some(top) = open.last_mut() else {
            return made.ok_or(NoObject::Kind("value"));
        };
        if let Some(object) = made.take() {
            top.add(object)?;
        }
        let is_member = top.holds_members();
        let next = match &mut top.rest {
            Rest::Items(items) => items.next(),
            Rest::Pairs(pairs, entry) => match entry.take() {
                // The key was converted; its value follows.
                Some(value) => Some(value),
                None => pairs.next().map(|(key, value)| {
                    *entry = Some(value);
                    key
                }),
            },
        };
        made = match next {
            Some(next) => maker.begin(next, &mut open, is_member)?,
            None => open.pop().map(|it| it.finish(py)).transpose()?,
        };
    }
}

/// Converts data that the library made.
pub(crate) fn object<'py>(py: Python<'py>, data: &Value) -> PyResult<Bound<'py, PyAny>> {
    match to_python(py, data, usize::MAX) {
        Ok(object) => Ok(object),
        Err(NoObject::Raised(error)) => Err(error),
        // Data has a form, and the size has no limit.
        Err(NoObject::Kind(_) | NoObject::Size) => Ok(py.None().into_bound(py)),
    }
}

enum Rest<'v> {
    Items(Items<'v>),
    /// The entries, and the value of the current one.
    Pairs(TableIter<'v, (Value, Value)>, Option<&'v Value>),
}

/// A container whose parts are converted.
struct Open<'v, 'py> {
    rest: Rest<'v>,
    made: Vec<Bound<'py, PyAny>>,
    is_set: bool,
    /// Whether it is a key or a member, so that its object must have a hash.
    is_member: bool,
    /// The map, and the key of its current entry.
    map: Option<(Bound<'py, PyDict>, Option<Bound<'py, PyAny>>)>,
}

impl<'py> Open<'_, 'py> {
    /// Returns whether the next part is a key or a member.
    fn holds_members(&self) -> bool {
        match &self.map {
            Some((_, key)) => self.is_member || key.is_none(),
            None => self.is_member || self.is_set,
        }
    }

    fn add(&mut self, object: Bound<'py, PyAny>) -> PyResult<()> {
        match &mut self.map {
            None => self.made.push(object),
            Some((map, key)) => match key.take() {
                None => *key = Some(object),
                Some(key) => map.set_item(key, object)?,
            },
        }
        Ok(())
    }

    fn finish(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some((map, _)) = self.map {
            // Only a tuple of entries has a hash.
            return if self.is_member {
                Ok(PyTuple::new(py, map.iter())?.into_any())
            } else {
                Ok(map.into_any())
            };
        }
        Ok(match (self.is_set, self.is_member) {
            (true, false) => PySet::new(py, self.made)?.into_any(),
            (true, true) => PyFrozenSet::new(py, self.made)?.into_any(),
            (false, true) => PyTuple::new(py, self.made)?.into_any(),
            (false, false) => PyList::new(py, self.made)?.into_any(),
        })
    }
}

struct Maker<'v, 'py> {
    py: Python<'py>,
    left: usize,
    /// The latest short texts with their objects. Records share their keys.
    texts: Vec<(&'v str, Bound<'py, PyString>)>,
}

impl<'v, 'py> Maker<'v, 'py> {
    /// Converts a value without parts. A container is opened instead.
    fn begin(
        &mut self,
        value: &'v Value,
        open: &mut Vec<Open<'v, 'py>>,
        is_member: bool,
    ) -> Result<Option<Bound<'py, PyAny>>, NoObject> {
        let py = self.py;
        self.pay(2)?;
        let made = match value {
            Value::Nil => py.None().into_bound(py),
            Value::Bool(flag) => flag.into_bound_py_any(py)?,
            Value::Int(int) => int.into_bound_py_any(py)?,
            Value::Float(float) => float.into_bound_py_any(py)?,
            Value::Big(big) => {
                self.pay(big.bits() as usize / 3)?;
                let options = PyDict::new(py);
                options.set_item("signed", true)?;
                let bytes = PyBytes::new(py, &big.to_signed_bytes_le());
                py.get_type::<PyInt>().call_method(
                    "from_bytes",
                    (bytes, "little"),
                    Some(&options),
                )?
            }
            Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => self.text(text)?,
            Value::List(_) | Value::Vector(_) | Value::Set(_) => {
                let Some(items) = value.items() else { return Err(NoObject::Kind("value")) };
                let is_set = matches!(value, Value::Set(_));
                let rest = Rest::Items(items);
                open.push(Open { rest, made: Vec::new(), is_set, is_member, map: None });
                return Ok(None);
            }
            Value::Map(rows) => {
                let map = Some((PyDict::new(py), None));
                let rest = Rest::Pairs(rows.rows(), None);
                open.push(Open { rest, made: Vec::new(), is_set: false, is_member, map });
                return Ok(None);
            }
            Value::Ext(ext) => match &**ext {
                Ext::Time(time) if time.is_data() => self.text(time.text())?,
                Ext::Uuid(_) => PyString::new(py, &ptc_lisp::print::display(value)).into_any(),
                _ => return Err(NoObject::Kind(value.type_name())),
            },
            Value::Function(_) | Value::Builtin(_) => {
                return Err(NoObject::Kind(value.type_name()));
            }
        };
        Ok(Some(made))
    }

    fn pay(&mut self, bytes: usize) -> Result<(), NoObject> {
        self.left = self.left.checked_sub(bytes).ok_or(NoObject::Size)?;
        Ok(())
    }

    fn text(&mut self, text: &'v str) -> Result<Bound<'py, PyAny>, NoObject> {
        const MAX_LENGTH: usize = 32;
        const MAX: usize = 16;
        self.pay(text.len())?;
        if text.len() > MAX_LENGTH {
            return Ok(PyString::new(self.py, text).into_any());
        }
        // The address tells shared texts apart without reading them.
        if let Some((_, known)) = self.texts.iter().find(|(known, _)| std::ptr::eq(*known, text)) {
            return Ok(known.clone().into_any());
        }
        let made = PyString::new(self.py, text);
        if self.texts.len() == MAX {
            self.texts.clear();
        }
        self.texts.push((text, made.clone()));
        Ok(made.into_any())
    }
}
