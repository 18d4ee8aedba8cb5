//! PTC-Lisp: the language that models answer in.
//!
//! A Clojure subset for one small program at a time: [`Session::admit`] reads and checks a source
//! before anything runs, [`Session::start`] makes a [`Machine`], and [`Machine::run`] goes on until
//! the program is over or needs a tool. The machine never waits; whoever drives it makes the tool
//! calls and answers them.
//!
//! ```
//! use ptc_lisp::{Budget, Limits, Outcome, Session, Step, Value, json};
//!
//! let ctx = json::parse(r#"{"orders": [{"id": 1, "total": 40}, {"id": 2, "total": 2}]}"#).unwrap();
//! let session = Session::new(ctx, Vec::new(), Limits::default());
//! let program = session.admit("(reduce + (map :total ctx/orders))").unwrap();
//! let mut machine = session.start(&program);
//! let mut budget = Budget::new(session.limits());
//! while !matches!(machine.run(&mut budget), Step::Done) {}
//! let Outcome::Value(value) = machine.finish().outcome else { panic!() };
//! assert_eq!(value, Value::from(42));
//! ```
//!
//! The crate does no IO, reads no clock, starts no thread and knows no async runtime.

mod admission;
mod analyze;
mod builtins;
mod datum;
mod debug;
mod diagnostic;
mod fuse;
mod ir;
mod limits;
mod listing;
mod lookup;
mod machine;
mod num;
mod random;
mod reader;
mod repair;
mod report;
mod session;
mod value;

pub use admission::{Collection, Term, Times};
pub use analyze::forms::{Form, Parts};
pub use builtins::{Builtin, BuiltinId, builtins, forms, left_out_names};
pub use debug::{
    Answers, Break, CallMade, Debugger, Evaluated, Gave, Go, Level, Line, Name, Names, Place, Stop,
    Trace, What,
};
pub use diagnostic::{Code, Diagnostic, Kind, Span};
pub use limits::{Limit, LimitValue, Limits};
pub use machine::{
    Budget, CallId, Closure, Ended, Failure, Host, Machine, Outcome, Step, ToolCall, ToolFailure,
};
pub use random::derived_seed;
pub use repair::{Change, Repair};
pub use report::{Report, ToolUse};
pub use session::snapshot::{Dropped, Snapshot, SnapshotError};
pub use session::{Admitted, Effect, Rejection, Session, ToolDecl};
pub use value::{
    Cell, CellKind, Class, Ext, Items, Lazy, Map, Matcher, Pattern, Seq, SeqIter, Set, Stage,
    TableIter, Thrown, Time, Uuid, Value, Vector, VectorIter, json, print,
};

/// The guide's examples compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/debugger.md")]
struct Guide;
