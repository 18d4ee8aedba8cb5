//! Kinds of values that are too rare for a variant of [`Value`].

use std::sync::Arc;

use arcstr::ArcStr;

use super::drop::drop_all;
use super::{
    Cell, CellKind, Class, Grown, Lazy, Link, Matcher, Moment, Pattern, Pulled, Stage, Time,
    UNBUILT, Uuid, Value,
};
use crate::Diagnostic;

/// The rarer kinds of values.
#[derive(Debug)]
pub enum Ext {
    /// A compiled regular expression; it prints as its source.
    Regex(Arc<Pattern>),
    /// The value that ends a `reduce` early.
    Reduced(Value),
    /// The result of `def`.
    Var(ArcStr),
    /// An atom, a volatile or a delay.
    Cell(Cell),
    /// The exception that `catch` binds and `throw` throws.
    Error(Thrown),
    /// A date, a time or a span between them.
    Time(Time),
    /// A lazy sequence; it lives as long as its session.
    Lazy(Lazy),
    /// A class of the JVM, the value of a class name.
    Class(&'static Class),
    /// An identifier of 128 bits.
    Uuid(Uuid),
    /// A search that continues from match to match.
    Matcher(Matcher),
    /// A transducer, or a reducing function that one made.
    Stage(Stage),
    /// Integers and stages over them, on the way to a builtin.
    Pulled(Pulled),
    /// A text that grew. Programs take it for the plain one.
    Grown(Grown),
}

/// An exception as a value.
#[derive(Debug, Clone)]
pub struct Thrown {
    /// The JVM's name for its class, without the package.
    pub class: ArcStr,
    /// The message; none if it was made without one.
    pub message: Option<ArcStr>,
    /// The map given to `ex-info`, or nil.
    pub data: Value,
    /// The exception that caused this one, or nil.
    pub cause: Value,
    /// The problem it represents, if the language itself raised it.
    pub problem: Option<Diagnostic>,
    depth: u32,
}

impl Thrown {
    pub fn new(class: ArcStr, message: Option<ArcStr>, data: Value, cause: Value) -> Thrown {
        let depth = data.depth().max(cause.depth()) + 1;
        Thrown { class, message, data, cause, problem: None, depth }
    }

    /// Returns the nesting of its containers and causes, in levels.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl Ext {
    /// Returns the name of its class on the JVM.
    pub(super) fn class_name(&self) -> &str {
        match self {
            Ext::Regex(_) => "Pattern",
            Ext::Reduced(_) => "Reduced",
            Ext::Var(_) => "Var",
            Ext::Cell(cell) => match cell.kind() {
                CellKind::Atom => "Atom",
                CellKind::Volatile => "Volatile",
                CellKind::Delay => "Delay",
            },
            Ext::Error(thrown) => &thrown.class,
            Ext::Time(time) => time.class(),
            Ext::Class(_) => "Class",
            Ext::Lazy(_) | Ext::Pulled(_) => "LazySeq",
            Ext::Uuid(_) => "UUID",
            Ext::Matcher(_) => "Matcher",
            Ext::Stage(_) => "AFunction",
            Ext::Grown(_) => "String",
        }
    }

    /// Returns the nesting of its containers, in levels.
    pub(super) fn depth(&self) -> u32 {
        match self {
            Ext::Reduced(inner) => inner.depth() + 1,
            Ext::Error(thrown) => thrown.depth,
            Ext::Stage(step) => step.depth(),
            // So the check of the nesting finds it in a collection.
            Ext::Grown(_) => UNBUILT,
            // The contents of a cell or a lazy sequence change; a drop unpacks them separately.
            _ => 0,
        }
    }

    /// Returns the kind of value, in the words of messages.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Ext::Regex(_) => "regular expression",
            Ext::Reduced(_) => "reduced value",
            Ext::Var(_) => "var",
            Ext::Cell(cell) => match cell.kind() {
                CellKind::Atom => "atom",
                CellKind::Volatile => "volatile",
                CellKind::Delay => "delay",
            },
            Ext::Error(_) => "exception",
            Ext::Time(time) => time.type_name(),
            Ext::Lazy(_) | Ext::Pulled(_) => "lazy sequence",
            Ext::Class(_) => "class",
            Ext::Uuid(_) => "UUID",
            Ext::Matcher(_) => "matcher",
            Ext::Stage(_) => "function",
            Ext::Grown(_) => "string",
        }
    }

    /// Moves the values out for [`drop_all`].
    pub(super) fn drain_into(&mut self, work: &mut Vec<Value>) {
        match self {
            Ext::Reduced(inner) => work.push(std::mem::take(inner)),
            Ext::Cell(cell) => work.extend(cell.close()),
            Ext::Error(thrown) => {
                work.push(std::mem::take(&mut thrown.data));
                work.push(std::mem::take(&mut thrown.cause));
            }
            Ext::Lazy(lazy) => lazy.set(Link::Over).into_values(work),
            Ext::Stage(step) => step.drain_into(work),
            _ => {}
        }
    }

    pub fn into_value(self) -> Value {
        Value::Ext(Arc::new(self))
    }
}

impl Drop for Ext {
    fn drop(&mut self) {
        // Dropping a chain of these nests as deep as the chain is long.
        let mut work = Vec::new();
        self.drain_into(&mut work);
        if !work.is_empty() {
            drop_all(work);
        }
    }
}

/// Makes the function that returns the part of a value that is stored behind [`Ext`].
macro_rules! parts {
    ($($part:ident = $kind:ident, $what:literal;)+) => {
        $(impl $part {
            #[doc = concat!("Returns the ", $what, " in a value.")]
            pub fn of(value: &Value) -> Option<&$part> {
                match value {
                    Value::Ext(ext) => match &**ext {
                        Ext::$kind(part) => Some(part),
                        _ => None,
                    },
                    _ => None,
                }
            }
        })+
    };
}

parts! {
    Grown = Grown, "text that grew";
    Lazy = Lazy, "lazy sequence";
    Pulled = Pulled, "range that is not built";
    Stage = Stage, "transducer or reducing function";
    Thrown = Error, "exception";
    Time = Time, "time";
}

impl Time {
    pub fn value(kind: Moment) -> Value {
        Ext::Time(Time::new(kind)).into_value()
    }
}

/// Returns the value that ends a `reduce` early, or the unchanged value as an error.
#[inline]
pub fn reduced(value: Value) -> Result<Value, Value> {
    match value {
        Value::Ext(ext) => match &*ext {
            Ext::Reduced(inner) => Ok(inner.clone()),
            _ => Err(Value::Ext(ext)),
        },
        other => Err(other),
    }
}

/// Returns whether a value is a var, the result of `def`.
#[inline]
pub fn is_var(value: &Value) -> bool {
    matches!(value, Value::Ext(ext) if matches!(**ext, Ext::Var(_)))
}
