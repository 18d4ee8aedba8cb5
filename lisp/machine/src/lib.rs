//! The machine: an evaluator of register code with a stack of its own.
//!
//! It owns frames, evaluation, calls, suspension at tool calls, and limits. It never waits and uses
//! no clocks or threads. A tool call ends [`Machine::run`] with [`Yielded::Calls`]. The driver answers
//! through [`Machine::resume`] and runs the machine again.
//!
//! Each function of a program is lowered into register code at its first call (`lower/`). One loop
//! runs it (`run.rs`). Nothing is evaluated on the native stack, so the machine can stop between any
//! two operations.

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::return_self_not_must_use,
    reason = "a part of `ptc-lisp`, which documents what it re-exports"
)]

mod action;
mod alive;
mod applied;
mod branch;
mod branches;
mod brief;
mod budget;
mod built;
mod builtin_ops;
mod call;
mod callback;
mod calls;
mod change;
mod codes;
mod cx;
mod driver;
mod each;
mod exception;
mod exits;
mod failure;
mod flow;
mod flow_place;
mod fork;
mod item_iter;
mod items;
mod live;
mod lower;
mod machine;
mod machine_core;
mod making;
mod nil;
mod operations;
mod ops;
mod outcome;
mod own;
mod own_payload;
mod parts;
mod payload;
mod pipe;
mod prints;
mod problems;
mod pulling;
mod quiet;
mod rare;
mod realizer;
mod reduce;
mod reducing;
mod request;
mod rest;
mod row;
mod run;
mod slots;
mod slow;
mod sort;
mod sorted_insert;
mod sorting;
mod stages;
mod step;
mod swap;
mod taken;
mod task;
mod texts;
mod then;
mod tool_call;
mod tracer;
mod unwind;
mod update;
mod updating;
mod view;
mod waiting;
mod walk;
mod world;

pub use alive::Alive;
pub use budget::Budget;
pub use callback::CallbackState;
pub use change::{Answer, Change, cell_of};
pub use cx::Cx;
pub use driver::{Ended, Host, Start, Yielded};
pub use each::{Each, feeds, finish_first, finish_groups, finish_vector};
pub use exception::raise;
pub use failure::ToolFailure;
pub use flow::arguments_from;
pub use flow_place::{FlowPath, FlowPlace, Looped, MachineAction, StepChoice, StepTaken};
pub use fork::Fork;
pub use item_iter::{ItemIter, rows_of};
pub use items::{items_in, items_of, not_a_collection};
pub use live::Count;
pub use lower::code_listing;
pub use machine::Machine;
pub use machine_core::Core;
pub use outcome::{Failure, Outcome};
pub use own_payload::PayloadEnd;
pub use problems::over;
pub use realizer::LazyRealizer;
pub use reducing::{kind_of, streamed};
pub use request::Request;
pub use rest::{make, skip};
pub use row::{
    Functions, Implementation, PROBLEM, Row, Shortcut, act, callback, compiled, constant_row, fork,
    lisp, pure, register, step, time_order,
};
pub use sort::{SortKeys, merge_sort};
pub use sorted_insert::{SortedInsert, sorted_by};
pub use sorting::{Sort, SortBy};
pub use stages::{Items, Stages};
pub use step::{Collect, ItemStep, Pass, StageStep, register_steps};
pub use texts::{made, pay};
pub use tool_call::{AnswerEffects, CallId, ToolCall};
pub use tracer::Tracer;
pub use update::Changes;
pub use view::{Level, Waits};
pub use world::{NOTHING, World};
