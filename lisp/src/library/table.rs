//! The table of all builtins.

use super::documentation;
use ptc_builtins::{self as builtins, jvm};
use ptc_machine::Row;
use ptc_values::BuiltinId;

/// The parts of the table, in the order of the documentation.
pub(super) static PARTS: &[(&str, &[Row])] = &[
    ("numbers", builtins::number::TABLE),
    ("numbers", builtins::cast::TABLE),
    ("numbers", builtins::math::TABLE),
    ("numbers", builtins::bits::TABLE),
    ("numbers", builtins::random::TABLE),
    ("numbers", builtins::tower::TABLE),
    ("tests", builtins::predicate::TABLE),
    ("collections", builtins::collection::TABLE),
    ("collections", builtins::pattern::TABLE),
    ("sequences", builtins::sequence::TABLE),
    ("sequences", builtins::rearrange::TABLE),
    ("sequences", builtins::core_more::TABLE),
    ("sequences", builtins::lazy::TABLE),
    ("maps and sets", builtins::map::TABLE),
    ("maps and sets", builtins::set::TABLE),
    ("maps and sets", builtins::relation::TABLE),
    ("maps and sets", builtins::sorted::TABLE),
    ("sequences", builtins::combinatorics::TABLE),
    ("collections", builtins::transient::TABLE),
    ("functions", builtins::each::TABLE),
    ("functions", builtins::order::TABLE),
    ("functions", builtins::function::TABLE),
    ("functions", builtins::branch::TABLE),
    ("transducers", builtins::transduce::TABLE),
    ("atoms and exceptions", builtins::cell::TABLE),
    ("atoms and exceptions", builtins::state::TABLE),
    ("atoms and exceptions", jvm::interop::EXCEPTIONS),
    ("functions", builtins::walk::TABLE),
    ("data", jvm::hash::TABLE),
    ("strings", builtins::string::TABLE),
    ("strings", builtins::replace::TABLE),
    ("strings", builtins::regex::TABLE),
    ("strings", jvm::format::TABLE),
    ("data", builtins::read::TABLE),
    ("data", jvm::tagged::TABLE),
    ("data", builtins::json::TABLE),
    ("data", builtins::describe::TABLE),
    ("data", documentation::TABLE),
    ("data work", builtins::statistics::TABLE),
    ("data work", builtins::data::TABLE),
    ("data work", jvm::dates::TABLE),
    ("tools", builtins::tools::TABLE),
    ("payload", builtins::payload::TABLE),
    ("conversation", builtins::conversation::TABLE),
    ("conversation", builtins::artifact::TABLE),
    ("flow", builtins::flow::TABLE),
    ("dates and times", jvm::time::TABLE),
    ("dates and times", jvm::time::CLOCKS),
    ("dates and times", jvm::time::ZONES),
    ("dates and times", jvm::time::METHODS),
    ("Java", jvm::interop::CLASSES),
    ("Java", jvm::interop::TABLE),
    ("Java", jvm::interop::METHODS),
    ("Java", jvm::interop::BIG),
];

/// Returns all rows with their ids.
pub(super) fn rows() -> impl Iterator<Item = (&'static Row, BuiltinId)> {
    PARTS.iter().flat_map(|(_, rows)| *rows).zip(0..).map(|(row, id)| (row, BuiltinId(id)))
}
