//! PTC-Lisp: the language that models answer in.
//!
//! The language is a subset of Clojure. [`Session::admit`] reads and checks a program before anything runs, and
//! [`Session::start`] makes a [`Machine`]. [`Machine::run`] runs until the program ends or needs a tool. The machine
//! never waits: the caller makes the tool calls and answers them.
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

mod access;
mod admission;
mod analyze;
mod builtins;
mod code;
mod datum;
pub mod debug;
mod fuse;
mod globals;
mod jvm;
mod library;
mod limits;
mod listing;
mod lookup;
mod machine;
mod messages;
mod payload;
mod random;
mod reader;
mod registry;
pub mod repair;
pub mod report;
mod session;
mod shape;
mod spelling;
mod times;
mod tool;
mod value;

pub use code::{Code, Kind, Span};
pub use limits::{Limit, LimitValue, Limits};
pub use machine::{
    AnswerEffects, Budget, CallId, Ended, Failure, Host, Machine, Outcome, PayloadEnd, Step,
    ToolCall, ToolFailure,
};
pub use payload::{Payload, PayloadError, PayloadOp, PayloadOpKind, PayloadRules};
pub use random::derived_seed;
pub use repair::Repair;
pub use report::Report;
pub use session::{Admitted, Rejection, Session};
pub use tool::{Effect, ToolDecl};
pub use value::{Diagnostic, Map, Set, Value, json, print};

/// The names of the language: builtins, forms, and names of Clojure that are not available.
pub mod vocabulary {
    pub use crate::analyze::forms::{Form, Parts, forms};
    pub use crate::library::builtins;
    pub use crate::registry::{Builtin, unsupported_names};
    pub use crate::value::BuiltinId;
}

/// The parts of a source text, for highlighting.
pub mod syntax {
    pub use crate::reader::{Syntax, syntax};
}

/// The state of a session as text.
pub mod snapshot {
    pub use crate::session::snapshot::{Dropped, Snapshot, SnapshotError};
}

/// The parts of a [`Value`].
pub mod values {
    pub use crate::value::{
        Cell, CellKind, Class, Closure, Ext, Items, Lazy, Matcher, Pattern, Seq, SeqIter, Stage,
        TableIter, Thrown, Time, Uuid, Vector, VectorIter,
    };
}

/// The guides, whose examples are compiled and run.
///
/// They are pages of the folder `docs/` of the repository; links between them lead to its files.
#[cfg(any(doc, doctest))]
pub mod guide {
    #[doc = include_str!("../docs/language/README.md")]
    pub mod language {}

    #[doc = include_str!("../docs/language/mission.md")]
    pub mod mission {}

    #[doc = include_str!("../docs/language/divergences.md")]
    pub mod divergences {}

    #[doc = include_str!("../docs/debugger.md")]
    pub mod debugger {}
}
