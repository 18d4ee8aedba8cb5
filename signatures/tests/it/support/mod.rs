//! Data like that of the language, with keywords, functions and lists made on demand.

pub(crate) mod types;

use std::borrow::{Borrow, Cow};

use ptc_signatures::{Datum, View};

#[derive(Clone, Debug)]
pub(crate) enum Lisp {
    Nil,
    Int(i64),
    Big(f64),
    Float(f64),
    Str(&'static str),
    Keyword(&'static str),
    Datetime,
    Function,
    Range(i64),
    Map(Vec<(Lisp, Lisp)>),
}

impl Datum for Lisp {
    const HAS_FORMS: bool = true;

    fn view(&self) -> View<'_> {
        match self {
            Lisp::Nil => View::Nil,
            Lisp::Int(int) => View::Int(*int),
            Lisp::Big(near) => View::BigInt(*near),
            Lisp::Float(float) => View::Float(*float),
            Lisp::Str(text) => View::Str(text),
            Lisp::Keyword(name) => View::Keyword(name),
            Lisp::Datetime => View::Datetime,
            Lisp::Function => View::Other("function"),
            Lisp::Range(_) => View::List,
            Lisp::Map(_) => View::Map,
        }
    }

    fn items(&self) -> impl Iterator<Item = impl Borrow<Lisp>> {
        let end = if let Lisp::Range(end) = self { *end } else { 0 };
        (0..end).map(Lisp::Int)
    }

    fn field(&self, name: &str) -> Option<&Lisp> {
        self.entries().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    fn entries(&self) -> impl Iterator<Item = (Cow<'_, str>, &Lisp)> {
        let entries = if let Lisp::Map(entries) = self { entries.as_slice() } else { &[] };
        entries.iter().map(|(key, value)| match key {
            Lisp::Keyword(name) | Lisp::Str(name) => (Cow::Borrowed(*name), value),
            Lisp::Int(int) => (Cow::Owned(int.to_string()), value),
            other => (Cow::Owned(format!("{other:?}")), value),
        })
    }

    fn literal(&self) -> Option<String> {
        matches!(self, Lisp::Datetime).then(|| "2026-01-31".into())
    }
}
