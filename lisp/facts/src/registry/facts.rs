//! The facts of a row: everything known about a builtin besides its implementation.
//!
//! Every row states the result of its function and its handling of a lazy sequence. A row of a
//! function that calls others states what it calls. The other facts are rare and off by default.

use ptc_signatures::Kinds;

use crate::access::FieldPlaces;
use crate::shape::{Input, Shape};
use ptc_values::ir::Op;
use ptc_values::{Ext, Value};

#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "one for each fact")]
pub struct Facts {
    pub gives: ResultShape,
    pub lazily: LazyInput,
    pub calls: &'static [Callback],
    /// The maximum number of arguments with which it makes a lazy sequence, if it makes any.
    pub makes_lazy: Option<usize>,
    /// The argument with a replacement of the function, in `library/clj/of_sorted.clj`, if a function of
    /// the program sorts it.
    pub of_sorted: Option<usize>,
    pub collection: Option<Order>,
    pub options: Option<Options>,
    /// The argument that is a comparator, and the minimum number of arguments with which it is.
    pub comparator: Option<(usize, usize)>,
    /// The operation that a call performs, with the minimum and maximum number of arguments.
    pub op: Option<(Op, usize, usize)>,
    /// Whether it reads a position of a text and pays for the lookup itself.
    pub charges_lookup: bool,
    /// Whether it reads nested values, so that its collections must not contain lazy sequences.
    pub looks_inside: bool,
    pub on_nil: OnNil,
    pub origin: Origin,
    pub reads: FieldsRead,
    pub expects: Expects,
    pub sends: Option<TransducerUse>,
    /// Its use of one item. Without its collection it makes a transducer.
    pub step: Option<StepFacts>,
    /// The builtins it becomes with other numbers of arguments: minimum, maximum, and name.
    pub others: &'static [(usize, usize, &'static str)],
    /// The function that its name is a synonym of.
    pub same_as: Option<&'static str>,
    /// Whether a call with one argument is implausible.
    pub is_of_several: bool,
    /// Whether it has effects besides its value; names that end in `!` imply that.
    pub acts: bool,
    /// Whether its result may differ between two calls with the same arguments.
    pub varies: bool,
    pub pulls: Pulls,
    pub moves: Moves,
    /// The form of a call that borrows its arguments.
    pub borrowing: Option<Borrowing>,
}

/// The form of a function that borrows its arguments: it copies none, and touches no reference count of theirs.
#[derive(Debug, Clone, Copy)]
pub struct Borrowing {
    /// The number of arguments, one or two.
    pub count: u32,
    /// The fuel of each call that has a result.
    pub price: u64,
    /// Returns the result, or none if the function itself must be called: for rare kinds of values, for errors, and for
    /// whatever costs more fuel, or memory. Of one argument, the second is nil.
    pub call: fn(&mut FieldPlaces, &Value, &Value) -> Option<Value>,
}

/// The result of a builtin. It states only certain facts, which all test runs check.
#[derive(Debug, Clone, Copy)]
pub enum ResultShape {
    Kinds(Kinds),
    /// A value of these kinds, or nil.
    OrNil(Kinds),
    /// A shape computed from the arguments.
    By(fn(&Input<'_>) -> Shape),
}

pub const ANY: ResultShape = ResultShape::Kinds(Kinds::ANY);
pub const BOOL: ResultShape = ResultShape::Kinds(Kinds::BOOL);
pub const INT: ResultShape = ResultShape::Kinds(Kinds::INT);
pub const FLOAT: ResultShape = ResultShape::Kinds(Kinds::FLOAT);
pub const NUMBER: ResultShape = ResultShape::Kinds(Kinds::NUMBER);
pub const TEXT: ResultShape = ResultShape::Kinds(Kinds::STRING);
pub const LIST: ResultShape = ResultShape::Kinds(Kinds::LIST);
/// A map of the builtin's own, with keys that no type declares.
pub const MAP: ResultShape = ResultShape::Kinds(Kinds::MAP);
pub const NIL: ResultShape = ResultShape::Kinds(Kinds::NIL);
/// Any value that the program makes itself.
pub const MADE: ResultShape = ResultShape::By(|_| Shape::Made);

/// The handling of a lazy sequence by a builtin, which calls nothing and so cannot realize items.
/// Where a function replaces the builtin, `library/clj/of_lazy.clj` defines it under the same name.
#[derive(Debug, Clone, Copy)]
pub enum LazyInput {
    /// It receives all items of the sequence in a list.
    Listed,
    /// It takes the sequence like any value, and one item after another if it reads any.
    AsValue,
    /// The lazy sequence of its step replaces it for one collection, and a function for several.
    Streams,
    /// A function replaces it.
    Function,
    /// A function always replaces it. Lazy sequences come from a function that it calls, or are
    /// inside its arguments.
    Always,
    /// A function replaces it when an argument may contain a lazy sequence.
    Inside,
    /// The lazy sequence of its step replaces it for a lazy sequence, if it has a step. Otherwise it receives lists, also
    /// for lazy sequences inside of items.
    Items,
}

/// The way in which a builtin takes the items of its collection, so that a `range` that is written as its argument needs
/// not be built.
#[derive(Debug, Clone, Copy)]
pub enum Pulls {
    /// All at once. A range that is not built is built before.
    Whole,
    /// None. It takes a range as the value it is, in any place.
    AsValue,
    /// One after another, if they are the numbers of the `range` itself.
    Numbers,
    /// The same, but it stops before the last one, and the rest stays a range.
    Front,
    /// One after another, also those of stages over a `range`; usually all.
    All,
    /// The same, but it usually stops before the last one.
    Some,
    /// The first ones. The function returns their number for the arguments; none if that cannot be known.
    First(fn(&[Value]) -> Option<usize>),
    /// It makes numbers. The builtin of this name makes them one after another.
    Makes(&'static str),
    /// The same, and the result for each item depends on the item and the function alone. So it is a stage. It may end
    /// before the last item.
    Stage { ends: bool },
}

/// The arguments that a builtin moves, counts or finds, but does not read. It takes them as they are if they are texts that
/// grew or hold one, so a text in a collection is appended to as one in a local is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    Nothing,
    /// The collection that it begins with.
    Collection,
    /// That collection, and every second argument behind it. The others are keys.
    Values,
    /// That collection, and what it adds to that: values to a vector, and maps to a map.
    Items,
    /// The value that a reduction starts with: the last but one of at least three.
    Start,
    All,
    /// Its only argument. It looks at the kind of that, and at whether it is empty. So a long text is free.
    Kind,
}

/// The facts about the step of a sequence function. The step itself is in the row.
#[derive(Debug, Clone, Copy)]
pub struct StepFacts {
    /// Whether it calls its function with the item alone.
    pub calls_with_item: bool,
    pub passes: Passes,
}

/// The items that a step passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passes {
    /// The results of its function.
    Results,
    /// The results of its function that are not nil.
    NotNil,
    /// The items of the results of its function.
    Items,
    /// Some of its items, unchanged.
    Some,
    /// Groups of its items.
    Groups,
    Other,
}

/// A function that a builtin calls when it has at least `least` arguments.
#[derive(Debug, Clone, Copy)]
pub struct Callback {
    pub least: usize,
    /// The number of the argument that is the function.
    pub function: usize,
    pub how: How,
}

/// The number of calls a builtin makes to its function, and their arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Once,
    /// For each item of the collections after it, in parallel.
    Each,
    Last,
    /// For pairs of items of the last argument.
    Pairs,
    /// Once, for the value of a key of the first argument, followed by the later arguments.
    Field,
    /// For each item of the last argument, after the accumulated value.
    Fold,
    /// For each item of the last argument, after its position.
    Indexed,
    /// For each of the later arguments; the builtin of this name does so for the items of one.
    Args(&'static str),
    /// For each entry of a map, with its value.
    Vals,
    /// For each entry of a map, with its key.
    Keys,
    /// For each entry of a map, with the accumulated value, key and value.
    Entries,
    /// As many times as the previous argument says.
    Count,
    /// Once, and each later argument too, all without arguments.
    Thunks,
    /// Once, and it catches exceptions.
    Tried,
    /// For each item of the previous argument.
    Over,
    /// As many times as the option `:max` of the last argument says.
    Max,
}

/// No calls, or calls that admission does not follow.
pub const UNSEEN: &[Callback] = &[];
pub const EACH: &[Callback] = &[calls(0, How::Each)];
pub const INDEXED: &[Callback] = &[calls(0, How::Indexed)];
pub const FOLD: &[Callback] = &[calls(0, How::Fold)];
pub const ONCE: &[Callback] = &[calls(0, How::Once)];

/// Makes a callback of the argument of this number.
pub const fn calls(function: usize, how: How) -> Callback {
    Callback { least: function + 1, function, how }
}

/// The position of a builtin's collection, and a test for arguments that cannot be it.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    pub is_last: bool,
    pub is_wrong: fn(&Value) -> bool,
    /// Whether a wrong argument is an error; otherwise the result is implausible.
    pub fails: bool,
}

/// The collection is first.
pub const FIRST: Order = Order { is_last: false, is_wrong: has_no_items, fails: true };
/// The collection is last.
pub const LAST: Order = Order { is_last: true, is_wrong: has_no_items, fails: true };
/// The collection is last, and is not a text.
pub const NO_TEXT_LAST: Order = Order { is_last: true, is_wrong: is_text, fails: false };
/// A text is first, not a regular expression.
pub const TEXT_FIRST: Order = Order { is_last: false, is_wrong: is_regex, fails: true };
/// A map is first, not a key.
pub const MAP_FIRST: Order = Order { is_last: false, is_wrong: is_key, fails: false };

#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The number of the first option argument.
    pub from: usize,
    pub known: &'static [&'static str],
    /// Whether an unknown option is an error.
    pub closed: bool,
}

/// The treatment of a nil argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnNil {
    /// No special treatment.
    Uses,
    /// It tests whether the value is nil.
    Asks,
    /// It tests whether there is a value under its key.
    AsksInside,
    /// It returns nil.
    Passes,
    /// It takes a nil of its function as false.
    Drops,
}

/// The origin of a builtin's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Unknown or new.
    Made,
    /// The first argument or items of it.
    First,
    /// The last argument or items of it.
    Last,
    Results,
}

/// The fields that a builtin reads by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldsRead {
    Nothing,
    /// The field named by its second argument, whose value it returns.
    Value,
    /// The field named by its second argument, but it returns another value.
    Field,
    /// The fields on the path in its second argument.
    Path,
    /// The fields listed in its second argument.
    Fields,
    /// The fields of the items of its second argument that are keys of its first.
    Matched,
    /// The fields of the items of its last argument that its second function names.
    Mapped,
}

/// The kinds of arguments with which a call makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expects {
    Anything,
    /// Its first argument has items.
    Items,
    /// Its arguments are of one kind, since it orders them.
    Order,
    /// Its arguments are of one kind, since it compares them by equality.
    Equality,
    /// An item of its first argument may equal the second.
    Member,
    /// Its second argument is a key of the first: a position of a vector, a member of a set.
    Key,
}

/// The use that a builtin makes of transducers and their items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransducerUse {
    /// Puts the items into its first argument; the transducer is the second.
    Into,
    /// Lists the items; the transducer is the first argument.
    Lists,
    /// Folds the items; the transducer is the first argument.
    Folds,
    /// Lists the items; all arguments but the last are transducers.
    ListsAll,
    /// Composes several transducers; there are no items yet.
    Together,
}

/// Makes the facts of a builtin that receives lists for lazy sequences.
pub const fn listed(gives: ResultShape) -> Facts {
    lazily(gives, LazyInput::Listed)
}

/// Makes the facts of a builtin that takes a lazy sequence like any value.
pub const fn as_value(gives: ResultShape) -> Facts {
    lazily(gives, LazyInput::AsValue)
}

/// Makes the facts of a builtin with this handling of lazy sequences.
pub const fn lazily(gives: ResultShape, lazily: LazyInput) -> Facts {
    Facts {
        gives,
        lazily,
        calls: UNSEEN,
        makes_lazy: None,
        of_sorted: None,
        collection: None,
        options: None,
        comparator: None,
        op: None,
        charges_lookup: false,
        looks_inside: false,
        on_nil: OnNil::Uses,
        origin: Origin::Made,
        reads: FieldsRead::Nothing,
        expects: Expects::Anything,
        sends: None,
        step: None,
        others: &[],
        same_as: None,
        is_of_several: false,
        acts: false,
        varies: false,
        pulls: Pulls::Whole,
        moves: Moves::Nothing,
        borrowing: None,
    }
}

impl Facts {
    pub const fn calls(self, calls: &'static [Callback]) -> Facts {
        Facts { calls, ..self }
    }

    /// With at least `least` arguments, the one of this number is a comparator.
    pub const fn compares_by(self, argument: usize, least: usize) -> Facts {
        Facts { comparator: Some((argument, least)), ..self }
    }

    /// It makes a lazy sequence with at most this number of arguments.
    pub const fn makes_lazy(self, most: usize) -> Facts {
        Facts { makes_lazy: Some(most), ..self }
    }

    pub const fn of_sorted(self, argument: usize) -> Facts {
        Facts { of_sorted: Some(argument), ..self }
    }

    pub const fn collection(self, order: Order) -> Facts {
        Facts { collection: Some(order), ..self }
    }

    pub const fn options(self, options: Options) -> Facts {
        Facts { options: Some(options), ..self }
    }

    pub const fn op(self, op: Op, least: usize, most: usize) -> Facts {
        Facts { op: Some((op, least, most)), ..self }
    }

    pub const fn charges_lookup(self) -> Facts {
        Facts { charges_lookup: true, ..self }
    }

    pub const fn looks_inside(self) -> Facts {
        Facts { looks_inside: true, ..self }
    }

    pub const fn on_nil(self, on_nil: OnNil) -> Facts {
        Facts { on_nil, ..self }
    }

    pub const fn origin(self, origin: Origin) -> Facts {
        Facts { origin, ..self }
    }

    pub const fn reads(self, reads: FieldsRead) -> Facts {
        Facts { reads, ..self }
    }

    pub const fn expects(self, expects: Expects) -> Facts {
        Facts { expects, ..self }
    }

    pub const fn moves(self, moves: Moves) -> Facts {
        Facts { moves, ..self }
    }

    pub const fn sends(self, sends: TransducerUse) -> Facts {
        Facts { sends: Some(sends), ..self }
    }

    pub const fn step(self, step: StepFacts) -> Facts {
        Facts { step: Some(step), ..self }
    }

    pub const fn others(self, others: &'static [(usize, usize, &'static str)]) -> Facts {
        Facts { others, ..self }
    }

    pub const fn same_as(self, name: &'static str) -> Facts {
        Facts { same_as: Some(name), ..self }
    }

    pub const fn several(self) -> Facts {
        Facts { is_of_several: true, ..self }
    }

    /// It takes the items of its collection one after another.
    pub const fn pulls(self, pulls: Pulls) -> Facts {
        Facts { pulls, ..self }
    }

    /// It takes the items of its collection in this way, unless another one was stated.
    pub const fn or_pulls(self, pulls: Pulls) -> Facts {
        match self.pulls {
            Pulls::Whole => Facts { pulls, ..self },
            _ => self,
        }
    }

    /// Returns whether the function as a value tells that there is no item.
    pub fn is_no_item(&self) -> bool {
        matches!(self.gives, ResultShape::Kinds(Kinds::NONE))
    }

    pub const fn varies(self) -> Facts {
        Facts { varies: true, ..self }
    }

    pub const fn acts(self) -> Facts {
        Facts { acts: true, ..self }
    }

    /// It can borrow its `count` arguments for nothing: see [`Borrowing`].
    pub const fn borrows(
        self,
        count: u32,
        call: fn(&mut FieldPlaces, &Value, &Value) -> Option<Value>,
    ) -> Facts {
        Facts { borrowing: Some(Borrowing { count, price: 0, call }), ..self }
    }

    /// It can borrow its two arguments for one unit of fuel.
    pub const fn borrows_two_for_one(
        self,
        call: fn(&mut FieldPlaces, &Value, &Value) -> Option<Value>,
    ) -> Facts {
        Facts { borrowing: Some(Borrowing { count: 2, price: 1, call }), ..self }
    }

    /// Returns whether it takes a function first and data after it.
    pub fn takes_function_first(&self) -> bool {
        matches!(self.calls, [Callback { least: 1, function: 0, how }]
            if !matches!(how, How::Once | How::Thunks))
    }

    /// Returns the kinds of its result, if they do not depend on the arguments.
    pub fn kinds(&self) -> Option<Kinds> {
        match self.gives {
            ResultShape::Kinds(Kinds::ANY | Kinds::MAP) | ResultShape::By(_) => None,
            ResultShape::Kinds(kinds) => Some(kinds),
            ResultShape::OrNil(kinds) => Some(kinds | Kinds::NIL),
        }
    }

    pub fn shape(&self, given: &Input<'_>) -> Shape {
        match self.gives {
            ResultShape::Kinds(Kinds::MAP) => Shape::dictionary(),
            ResultShape::Kinds(kinds) => Shape::Kinds(kinds),
            ResultShape::OrNil(kinds) => Shape::Kinds(kinds | Kinds::NIL),
            ResultShape::By(of) => of(given),
        }
    }

    /// Returns the callback of a call with this number of arguments.
    pub fn calls_of(&self, count: usize) -> Option<Callback> {
        self.calls.iter().rev().find(|calls| calls.least <= count).copied()
    }

    /// Returns whether some calls read their arguments where they are.
    #[inline]
    pub fn is_brief(&self) -> bool {
        self.op.is_some() || self.borrowing.is_some()
    }

    /// Returns the operation of a call with this number of arguments.
    pub fn op_of(&self, count: usize) -> Option<Op> {
        let (op, least, most) = self.op?;
        (least <= count && count <= most).then_some(op)
    }
}

/// Returns the minimum and maximum number of arguments of a usage such as `f coll|f init & more`.
pub(super) const fn arity(usage: &str) -> (usize, Option<usize>) {
    let bytes = usage.as_bytes();
    let (mut least, mut most, mut any) = (usize::MAX, 0, false);
    let (mut at, mut count, mut rest) = (0, 0, false);
    loop {
        if at == bytes.len() || bytes[at] == b'|' {
            least = if count < least { count } else { least };
            most = if count > most { count } else { most };
            any |= rest;
            (count, rest) = (0, false);
            if at == bytes.len() {
                return (least, if any { None } else { Some(most) });
            }
        } else if bytes[at] == b'&' {
            rest = true;
        } else if bytes[at] != b' '
            && !rest
            && (at == 0 || bytes[at - 1] == b' ' || bytes[at - 1] == b'|')
        {
            count += 1;
        }
        at += 1;
    }
}

fn has_no_items(value: &Value) -> bool {
    matches!(
        value,
        Value::Keyword(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Builtin(_)
    )
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Str(_))
}

fn is_regex(value: &Value) -> bool {
    matches!(value, Value::Ext(ext) if matches!(**ext, Ext::Regex(_)))
}

fn is_key(value: &Value) -> bool {
    matches!(value, Value::Keyword(_) | Value::Str(_) | Value::Int(_) | Value::Vector(_))
}

#[cfg(test)]
mod tests {
    use super::arity;

    #[test]
    fn the_usage_gives_the_numbers_of_arguments() {
        assert_eq!(arity(""), (0, Some(0)));
        assert_eq!(arity("x"), (1, Some(1)));
        assert_eq!(arity("|to|to xform from"), (0, Some(3)));
        assert_eq!(arity("f coll|f init coll"), (2, Some(3)));
        assert_eq!(arity("f args|f x & more args"), (2, None));
        assert_eq!(arity("& values"), (0, None));
    }
}
