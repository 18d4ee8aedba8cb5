//! PTC-Lisp: the language that models answer in.
//!
//! The language is a subset of Clojure. [`Session::admit`] reads and checks a program before anything runs, and
//! [`Session::start`] makes a [`Machine`]. [`Machine::run`] runs until the program ends or needs a tool. The machine
//! never waits: the caller makes the tool calls and answers them.
//!
//! ```
//! use ptc_lisp::{Budget, Limits, Outcome, Session, Yielded, Value, json};
//!
//! let ctx = json::parse(r#"{"orders": [{"id": 1, "total": 40}, {"id": 2, "total": 2}]}"#).unwrap();
//! let session = Session::new(ctx, Vec::new(), Limits::default());
//! let program = session.admit("(reduce + (map :total ctx/orders))").unwrap();
//! let mut machine = session.start(&program);
//! let mut budget = Budget::new(session.limits());
//! while !matches!(machine.run(&mut budget), Yielded::Done) {}
//! let Outcome::Value(value) = machine.finish().outcome else { panic!() };
//! assert_eq!(value, Value::from(42));
//! ```
//!
//! The crate does no IO, reads no clock, starts no thread and knows no async runtime.

pub mod debug;
mod library;
mod listing;
#[cfg(test)]
mod machine_tests;
#[cfg(test)]
mod names_tests;
pub mod repair;
mod session;

pub use ptc_facts::payload::{Payload, PayloadError, PayloadOp, PayloadOpKind, PayloadRules};
pub use ptc_facts::report::{self, Report};
pub use ptc_facts::tool::{Effect, ToolDecl};
pub use ptc_machine::{
    AnswerEffects, Budget, CallId, Ended, Failure, FlowPlace, Host, Machine, Outcome, PayloadEnd,
    StepChoice, StepTaken, ToolCall, ToolFailure, Yielded,
};
pub use ptc_values::code::{Code, Kind, Span};
pub use ptc_values::limits::{Limit, LimitValue, Limits};
pub use ptc_values::random::derived_seed;
pub use ptc_values::{Diagnostic, HiddenTexts, Map, Set, Value};
pub use repair::Repair;
pub use session::{Admitted, Rejection, Session};

/// The number of clones of values, for benchmarks.
#[cfg(feature = "clones")]
pub mod clones {
    pub use ptc_values::clones::made;
}

/// The names of the language: builtins, forms, and names of Clojure that are not available.
pub mod vocabulary {
    pub use crate::library::builtins;
    pub use ptc_checker::analyze::forms::{Form, Parts, forms};
    pub use ptc_facts::registry::{Builtin, unsupported_names};
    pub use ptc_values::BuiltinId;
}

/// Labels of values: where they may come from.
pub mod labels {
    pub use ptc_facts::flows::{CallLabels, Flows, Label, Mark, Reading, Sources, Step};
}

/// Values from JSON, and JSON from values.
pub mod json {
    pub use ptc_values::json::{
        Error, NotJson, from_serde, marks, parse, plain, size, to_serde, write, write_pretty,
    };
}

/// Values as text.
pub mod print {
    pub use ptc_values::print::{Preview, display, preview, readable};
}

/// The parts of a source text, for highlighting.
pub mod syntax {
    pub use ptc_reader::{Syntax, syntax};
}

/// The state of a session as text.
pub mod snapshot {
    pub use crate::session::snapshot::{Dropped, Snapshot, SnapshotError};
}

/// The parts of a [`Value`].
pub mod values {
    pub use ptc_values::{
        Cell, CellKind, Class, Closure, Ext, Items, Lazy, Matcher, Pattern, Seq, SeqIter, Shapes,
        Stage, TableIter, Thrown, Time, Uuid, Vector, VectorIter,
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
