//! Checks comparisons of values that are never equal, such as a number and a text.

use std::collections::BTreeSet;

use super::scan::Scan;
use ptc_facts::registry::Registered;
use ptc_facts::shape::{Shape, kinds_of};
use ptc_signatures::Kinds;
use ptc_values::code::Code;
use ptc_values::ir::{Node, Operand, OperandKind};
use ptc_values::print::literal;
use ptc_values::{BuiltinId, Diagnostic, Set, Value};

/// The tests of a scalar's type. A program with one of them may compare the value in a branch that is never taken.
const TYPE_TESTS: &[&str] = &[
    "string?",
    "number?",
    "int?",
    "integer?",
    "float?",
    "keyword?",
    "boolean?",
    "nat-int?",
    "pos-int?",
    "type",
    "class",
    "instance?",
];

/// The tests of a collection's type. A program with one of them may read a field in a branch that is never taken.
const COLLECTION_TESTS: &[&str] =
    &["map?", "associative?", "coll?", "sequential?", "vector?", "list?", "seq?", "set?"];

/// The kinds of values that equal one another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Number,
    Text,
    Boolean,
}

impl Group {
    /// Returns the group of all values of a shape that are not nil.
    pub(super) fn of(shape: &Shape) -> Option<Group> {
        let kinds = shape.kinds().without(Kinds::NIL);
        let within = |all: Kinds| kinds != Kinds::NONE && kinds.without(all) == Kinds::NONE;
        match () {
            () if within(Kinds::NUMBER) => Some(Group::Number),
            () if within(Kinds::STRING | Kinds::KEYWORD) => Some(Group::Text),
            () if within(Kinds::BOOL) => Some(Group::Boolean),
            () => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Group::Number => "a number",
            Group::Text => "a text",
            Group::Boolean => "a boolean",
        }
    }
}

impl Scan<'_> {
    /// Records a comparison of two values by equality.
    pub(super) fn compare(&mut self, at: u32, a: &Shape, b: &Shape) {
        let problem = never(a, b).filter(|_| !(self.is_written(a) && self.is_written(b)));
        self.comparisons.of_equality.push((at, problem));
    }

    /// Records a comparison of several values by equality.
    pub(super) fn compare_all(&mut self, at: u32, all: &[Shape]) {
        let problem = all.windows(2).find_map(|pair| match pair {
            [a, b] if self.is_written(a) && self.is_written(b) => None,
            [a, b] => never(a, b),
            _ => None,
        });
        self.comparisons.of_equality.push((at, problem));
    }

    /// Records the search of a value in a set that the program writes.
    pub(super) fn compare_member(&mut self, at: u32, set: Operand, value: Operand) {
        if self.is_written_set(set) {
            let value = self.shape(value).clone();
            self.compare_with_members(at, set, &value);
        }
    }

    /// Records a comparison of a value with the members of a set that the program writes.
    pub(super) fn compare_with_members(&mut self, at: u32, set: Operand, value: &Shape) {
        if !self.is_written(value) {
            let members = self.shape(set).item();
            self.compare(at, value, &members);
        }
    }

    /// Returns whether the program writes the set itself.
    pub(super) fn is_written_set(&self, set: Operand) -> bool {
        let OperandKind::Const(index) = set.kind() else { return false };
        matches!(self.program.consts.get(index as usize), Some(Value::Set(_)))
    }

    /// Returns whether the program writes the value itself.
    pub(super) fn is_written(&self, shape: &Shape) -> bool {
        matches!(shape, Shape::Known(value) if self.writes(value))
    }

    /// Returns whether a scalar is a constant of the program.
    pub(super) fn writes(&self, value: &Value) -> bool {
        let scalars = self.comparisons.written.get_or_init(|| {
            let parts = Kinds::LIST | Kinds::MAP | Kinds::OTHER;
            let mut written = Set::default();
            for value in self.program.consts.iter().filter(|it| !kinds_of(it).meets(parts)) {
                written.insert(value.clone());
            }
            written
        });
        scalars.contains(value)
    }

    /// Returns whether the program tests the type of a value that it reads a field of.
    pub(super) fn tests_types(&self) -> bool {
        self.calls_one_of(&[TYPE_TESTS, COLLECTION_TESTS])
    }

    /// Returns whether the program names one of these builtins.
    fn calls_one_of(&self, tables: &[&[&str]]) -> bool {
        let is_one = |id: BuiltinId| tables.iter().any(|it| it.contains(&id.builtin().name));
        let calls = self.program.nodes.iter().any(|node| match node {
            Node::Builtin { id, .. } => is_one(*id),
            _ => false,
        });
        calls
            || self.program.consts.iter().any(|it| matches!(it, Value::Builtin(id) if is_one(*id)))
    }

    /// Reports the comparisons that never hold. A place with several comparisons, such as `case` or a function with
    /// several calls, is wrong only if none of them can hold.
    pub(super) fn report_comparisons(&mut self, guarded: &[u32]) {
        let comparisons = std::mem::take(&mut self.comparisons.of_equality);
        if self.comparisons.wrong_kinds.is_empty() && comparisons.iter().all(|it| it.1.is_none()) {
            return;
        }
        let place = |at: u32| {
            let span = self.program.span(at);
            (span.start, span.end)
        };
        let holds = comparisons.iter().filter(|it| it.1.is_none());
        let holds: BTreeSet<_> = holds.map(|it| place(it.0)).collect();
        let mut reported = BTreeSet::new();
        let warns = self.calls_one_of(&[TYPE_TESTS]) || self.world.env.tolerates_fields;
        for (at, problem) in comparisons {
            let Some(problem) = problem else { continue };
            let span = self.program.span(at);
            let place = (span.start, span.end);
            if holds.contains(&place) || !reported.insert(place) {
                continue;
            }
            if warns {
                self.warn(at, problem);
            } else {
                self.findings.problems.push(problem.at(span));
            }
        }
        for (at, (guard, problem)) in std::mem::take(&mut self.comparisons.wrong_kinds) {
            if warns || Self::is_guarded(guard, guarded) {
                self.warn(at, problem);
            } else {
                self.findings.problems.push(problem.at(self.program.span(at)));
            }
        }
    }

    /// Records a value of a kind that fails, unless a `try` expects the error.
    pub(super) fn refuse_kind(&mut self, at: u32, problem: Diagnostic) {
        let guard = self.guard();
        self.comparisons.wrong_kinds.entry(at).or_insert((guard, problem));
    }
}

/// Returns the problem of two values that are never equal.
fn never(a: &Shape, b: &Shape) -> Option<Diagnostic> {
    let (one, other) = (Group::of(a)?, Group::of(b)?);
    let both_nil = a.kinds().meets(Kinds::NIL) && b.kinds().meets(Kinds::NIL);
    if one == other || both_nil {
        return None;
    }
    let message = format!("{} never equals {}", one.name(), other.name());
    Some(Diagnostic::new(Code::WrongType, message).with_help(conversion((a, one), (b, other))))
}

/// Returns the help that makes two values comparable.
pub(super) fn conversion((a, one): (&Shape, Group), (b, other): (&Shape, Group)) -> String {
    let sides = [(a, other), (b, one)];
    if sides.iter().any(|(shape, _)| matches!(shape, Shape::Datetime)) {
        return "the text is a date: compare `(parse-date s)` with another date".to_owned();
    }
    for (shape, wanted) in sides {
        if let Shape::Known(Value::Str(text) | Value::Keyword(text)) = shape {
            let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
            let is_boolean = matches!(text.as_str(), "true" | "false");
            if wanted == Group::Number && is_number || wanted == Group::Boolean && is_boolean {
                return format!("compare with `{text}`");
            }
        }
    }
    for (shape, wanted) in sides {
        if let (Shape::Known(Value::Int(number)), Group::Text) = (shape, wanted) {
            return format!("compare with {}", literal(&number.to_string()));
        }
    }
    match (one, other) {
        (Group::Number, Group::Text) | (Group::Text, Group::Number) => {
            "`(parse-long s)` turns a string into an int, `(str n)` a number into a string"
                .to_owned()
        }
        _ => "compare values of one type".to_owned(),
    }
}
