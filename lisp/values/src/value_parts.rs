//! Functions of the parts of values that look at the values they hold, or are held by.

use std::sync::Arc;

use super::ir::{Operand, OperandKind};
use super::seq::Base;
use super::stage::StageKind;
use super::time::{Moment, Time};
use super::value::{
    Closure, Ext, Grown, Lazy, Link, Map, Program, Pulled, Source, Stage, Thrown, Value,
};

impl Closure {
    pub fn new(program: Arc<Program>, lambda: u32, captures: Box<[Value]>) -> Closure {
        let deepest = captures.iter().map(nesting).max().unwrap_or(0);
        Closure::over(program, lambda, captures, deepest)
    }
}

/// Returns the nesting of a captured value. A function may hold a range that is not built.
fn nesting(value: &Value) -> u32 {
    match value {
        Value::List(seq) if seq.is_unbuilt() => 1,
        other => other.depth(),
    }
}

impl Value {
    /// Returns the same value, as a plain text if it is a text that grew.
    #[inline]
    pub fn plain(&self) -> &Value {
        Grown::of(self).map_or(self, Grown::plain)
    }
}

impl Program {
    /// Returns the integer of an operand, if it is a constant one.
    pub fn int(&self, operand: Operand) -> Option<i64> {
        let OperandKind::Const(index) = operand.kind() else { return None };
        self.consts.get(index as usize)?.as_int()
    }
}

impl Lazy {
    /// Puts an item in front of a sequence that may be unrealized.
    pub fn cons(first: Value, rest: Value) -> Lazy {
        let endless = Lazy::of(&rest).is_some_and(Lazy::is_endless);
        Lazy::with(Link::Made(first, rest), endless)
    }

    /// Returns whether it is known if there is a first item. Sequences of builtins count as known.
    pub fn is_made(&self) -> bool {
        match self.link() {
            Link::Unmade(function, _) => matches!(function, Value::Builtin(_)),
            Link::Made(..) | Link::Empty => true,
            Link::Making(..) | Link::Over => false,
        }
    }
}

impl Stage {
    pub fn transducer(kind: StageKind, arg: Value, more: Value) -> Stage {
        Stage::before(kind, (arg, more), None, 0, 0)
    }

    /// Makes the reducing function of a step in front of another; `count` is its initial count.
    pub fn reducing(kind: StageKind, args: (Value, Value), next: Value, count: u64) -> Stage {
        let following = Stage::of(&next).map_or(0, |next| next.length);
        Stage::before(kind, args, Some(next), following, count)
    }
}

impl Base<'_, Value> {
    /// Returns the collection itself.
    pub fn value(&self) -> Value {
        match self {
            Base::Vector(vector) => Value::Vector(Arc::clone(vector)),
            Base::Seq(seq) => Value::List(Arc::clone(seq)),
            Base::Table(source) => source.table(),
        }
    }
}

impl Source {
    pub fn table(&self) -> Value {
        match self {
            Source::Entries(map) | Source::Keys(map) | Source::Vals(map) => Value::Map(map.clone()),
            Source::Members(set) => Value::Set(set.clone()),
        }
    }
}

impl Map {
    /// Adds one to the count of a key.
    pub fn count(&mut self, key: Value) {
        let add = |count: &mut Value, ()| {
            if let Value::Int(count) = count {
                *count += 1;
            }
        };
        self.change(key, (), add, |()| Value::Int(1));
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
