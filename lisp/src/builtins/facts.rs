//! What is known of a function of the language besides how it is made: the facts of its row.
//!
//! Every row says what its function gives and how it takes a lazy sequence, and, of a function that
//! calls others, what it calls. The other facts are rare, and a row without one of them says no.

use ptc_signatures::Kinds;

use crate::admission::{Input, Shape};
use crate::ir::Op;
use crate::value::{Ext, StageKind, Value};

/// The facts of a row.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "one for each fact")]
pub(crate) struct Facts {
    pub(crate) gives: Gives,
    pub(crate) lazily: Lazily,
    pub(crate) calls: &'static [Callback],
    /// The most arguments with which it makes a lazy sequence.
    pub(crate) makes_lazy: Option<usize>,
    /// The function to call instead when the argument of this number is sorted by a function of the
    /// program.
    pub(crate) of_sorted: Option<(usize, &'static str)>,
    pub(crate) collection: Option<Order>,
    pub(crate) options: Option<Options>,
    /// The operation that a call consists of, with the fewest and the most arguments.
    pub(crate) op: Option<(Op, usize, usize)>,
    /// Whether it looks at a position of a text, and pays for the way there itself.
    pub(crate) glances: bool,
    /// Whether it looks at what is inside the collections it is given, so that no lazy sequence may
    /// be left there.
    pub(crate) looks_inside: bool,
    pub(crate) on_nil: OnNil,
    pub(crate) origin: Origin,
    pub(crate) reads: Reads,
    pub(crate) sends: Option<Sends>,
    /// The transducer that it makes of its argument.
    pub(crate) step: Option<StageKind>,
    /// Builtins that it is with other numbers of arguments: the fewest, the most, and the name.
    pub(crate) others: &'static [(usize, usize, &'static str)],
    /// The function that its name is another name of.
    pub(crate) same_as: Option<&'static str>,
    pub(crate) head: Head,
    /// Whether nobody calls it with one argument.
    pub(crate) is_of_several: bool,
    /// Whether it does more than give a value; names that end in `!` say so themselves.
    pub(crate) acts: bool,
}

/// What a builtin gives. Only what is certain: every run of the tests compares the values it makes
/// with this.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Gives {
    /// A value of these kinds.
    Kinds(Kinds),
    /// The same, or nil.
    OrNil(Kinds),
    /// What follows from what it is given.
    By(fn(&Input<'_>) -> Shape),
}

pub(crate) const ANY: Gives = Gives::Kinds(Kinds::ANY);
pub(crate) const BOOL: Gives = Gives::Kinds(Kinds::BOOL);
pub(crate) const INT: Gives = Gives::Kinds(Kinds::INT);
pub(crate) const FLOAT: Gives = Gives::Kinds(Kinds::FLOAT);
pub(crate) const NUMBER: Gives = Gives::Kinds(Kinds::NUMBER);
pub(crate) const TEXT: Gives = Gives::Kinds(Kinds::STRING);
pub(crate) const LIST: Gives = Gives::Kinds(Kinds::LIST);
pub(crate) const MAP: Gives = Gives::Kinds(Kinds::MAP);
pub(crate) const NIL: Gives = Gives::Kinds(Kinds::NIL);

/// What a builtin does when it is given a lazy sequence. A builtin calls nothing, so it cannot make the
/// items itself.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lazily {
    /// It gets all items of the sequence in a list.
    Listed,
    /// It takes the sequence as it takes any value, without a look at its items.
    AsItIs,
    /// It is this function, written in the language.
    Function(&'static str),
    /// It is this function whatever it is given: lazy sequences come from a function that it calls, or
    /// are inside of its arguments.
    Always(&'static str),
    /// It is this function when it is given something that may hold a lazy sequence.
    Inside(&'static str),
    /// It is this function when an item of what it is given is a lazy sequence.
    Items(&'static str),
}

/// A function that a builtin calls when it has so many arguments or more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Callback {
    pub(crate) least: usize,
    /// The argument that is the function.
    pub(crate) function: usize,
    pub(crate) how: How,
}

/// How often a builtin calls its function, and with what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// Once.
    Once,
    /// For each item of the collections behind it, item by item.
    Each,
    /// For each item of the last argument.
    Last,
    /// For pairs of items of the last argument.
    Pairs,
    /// Once, for the value of a key of the first argument, before the arguments behind it.
    Field,
    /// For each item of the last argument, after what was made so far.
    Fold,
    /// For each item of the last argument, behind its position.
    Indexed,
    /// For each of the arguments behind it; the builtin of this name does so for the items of one.
    Args(&'static str),
    /// For each entry of a map: the value.
    Vals,
    /// For each entry of a map: the key.
    Keys,
    /// For each entry of a map: what was made so far, key and value.
    Entries,
    /// As many times as the argument before it says.
    Count,
    /// Once, and the arguments behind it too, each with nothing.
    Thunks,
}

/// Calls no function, or in a way that admission does not follow.
pub(crate) const UNSEEN: &[Callback] = &[];
pub(crate) const EACH: &[Callback] = &[calls(0, How::Each)];
pub(crate) const INDEXED: &[Callback] = &[calls(0, How::Indexed)];
pub(crate) const FOLD: &[Callback] = &[calls(0, How::Fold)];
pub(crate) const ONCE: &[Callback] = &[calls(0, How::Once)];

/// A call of the argument of this number.
pub(crate) const fn calls(function: usize, how: How) -> Callback {
    Callback { least: function + 1, function, how }
}

/// Where a builtin takes its collection, and what is certainly something else.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    pub(crate) is_last: bool,
    pub(crate) is_wrong: fn(&Value) -> bool,
    /// Whether it fails for what is wrong; otherwise it gives what nobody means.
    pub(crate) fails: bool,
}

/// The collection stands first.
pub(crate) const FIRST: Order = Order { is_last: false, is_wrong: has_no_items, fails: true };
/// The collection stands last.
pub(crate) const LAST: Order = Order { is_last: true, is_wrong: has_no_items, fails: true };
/// The collection stands last, and is no text.
pub(crate) const NO_TEXT_LAST: Order = Order { is_last: true, is_wrong: is_text, fails: false };
/// A text stands first, and no regular expression.
pub(crate) const TEXT_FIRST: Order = Order { is_last: false, is_wrong: is_regex, fails: true };
/// A map stands first, and no key.
pub(crate) const MAP_FIRST: Order = Order { is_last: false, is_wrong: is_key, fails: false };

/// Options that a builtin takes by name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// The argument where they begin.
    pub(crate) from: usize,
    pub(crate) known: &'static [&'static str],
    /// Whether the builtin fails when it gets another one.
    pub(crate) closed: bool,
}

/// What a builtin does with a nil.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnNil {
    /// Nothing that counts as dealing with it.
    Uses,
    /// It asks whether the value is there.
    Asks,
    /// It asks whether there is a value under its key.
    AsksInside,
    /// It gives nil.
    Passes,
    /// It leaves out items that its function says are not there.
    Drops,
}

/// Where what a builtin gives comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Somewhere.
    Made,
    /// It is the first argument or items of it.
    First,
    /// It is the last argument or items of it.
    Last,
    /// It is results of its function.
    Results,
}

/// Whether the value of a call may be called at once, as in `((partial + 1) 2)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// It is data as a rule.
    Value,
    /// It is a function.
    Function,
    /// It is a function that may take no arguments.
    Thunk,
}

/// Fields that a builtin reads by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reads {
    Nothing,
    /// The field that its second argument names, whose value it gives.
    Value,
    /// The same, and it gives something else.
    Field,
    /// The fields on the path that is its second argument.
    Path,
    /// The fields that its second argument lists.
    Fields,
}

/// What a builtin does with transducers, and with the items that it sends through them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sends {
    /// Puts them into its first argument; the transducer is the second.
    Into,
    /// Lists them; the transducer is the first argument.
    Lists,
    /// Makes one value of them; the transducer is the first argument.
    Folds,
    /// Lists them; all arguments but the last are transducers.
    ListsAll,
    /// Makes one transducer of several; there are no items yet.
    Together,
}

/// The facts of a builtin that gets lists instead of lazy sequences.
pub(crate) const fn listed(gives: Gives) -> Facts {
    lazily(gives, Lazily::Listed)
}

/// The facts of a builtin that takes a lazy sequence as it takes any value.
pub(crate) const fn as_it_is(gives: Gives) -> Facts {
    lazily(gives, Lazily::AsItIs)
}

/// The facts of a builtin that is another function for lazy sequences.
pub(crate) const fn lazily(gives: Gives, lazily: Lazily) -> Facts {
    Facts {
        gives,
        lazily,
        calls: UNSEEN,
        makes_lazy: None,
        of_sorted: None,
        collection: None,
        options: None,
        op: None,
        glances: false,
        looks_inside: false,
        on_nil: OnNil::Uses,
        origin: Origin::Made,
        reads: Reads::Nothing,
        sends: None,
        step: None,
        others: &[],
        same_as: None,
        head: Head::Value,
        is_of_several: false,
        acts: false,
    }
}

impl Facts {
    pub(crate) const fn calls(self, calls: &'static [Callback]) -> Facts {
        Facts { calls, ..self }
    }

    pub(crate) const fn makes_lazy(self, most: usize) -> Facts {
        Facts { makes_lazy: Some(most), ..self }
    }

    pub(crate) const fn of_sorted(self, argument: usize, source: &'static str) -> Facts {
        Facts { of_sorted: Some((argument, source)), ..self }
    }

    pub(crate) const fn collection(self, order: Order) -> Facts {
        Facts { collection: Some(order), ..self }
    }

    pub(crate) const fn options(self, options: Options) -> Facts {
        Facts { options: Some(options), ..self }
    }

    pub(crate) const fn op(self, op: Op, least: usize, most: usize) -> Facts {
        Facts { op: Some((op, least, most)), ..self }
    }

    pub(crate) const fn glances(self) -> Facts {
        Facts { glances: true, ..self }
    }

    pub(crate) const fn looks_inside(self) -> Facts {
        Facts { looks_inside: true, ..self }
    }

    pub(crate) const fn on_nil(self, on_nil: OnNil) -> Facts {
        Facts { on_nil, ..self }
    }

    pub(crate) const fn origin(self, origin: Origin) -> Facts {
        Facts { origin, ..self }
    }

    pub(crate) const fn reads(self, reads: Reads) -> Facts {
        Facts { reads, ..self }
    }

    pub(crate) const fn sends(self, sends: Sends) -> Facts {
        Facts { sends: Some(sends), ..self }
    }

    pub(crate) const fn step(self, kind: StageKind) -> Facts {
        Facts { step: Some(kind), ..self }
    }

    pub(crate) const fn others(self, others: &'static [(usize, usize, &'static str)]) -> Facts {
        Facts { others, ..self }
    }

    pub(crate) const fn same_as(self, name: &'static str) -> Facts {
        Facts { same_as: Some(name), ..self }
    }

    pub(crate) const fn head(self, head: Head) -> Facts {
        Facts { head, ..self }
    }

    pub(crate) const fn several(self) -> Facts {
        Facts { is_of_several: true, ..self }
    }

    pub(crate) const fn acts(self) -> Facts {
        Facts { acts: true, ..self }
    }

    /// Whether it takes a function first and data behind it.
    pub(crate) fn takes_function_first(&self) -> bool {
        matches!(self.calls, [Callback { least: 1, function: 0, how }]
            if !matches!(how, How::Once | How::Thunks))
    }

    /// The kinds of what it gives, if they are the same whatever it is given.
    pub(crate) fn kinds(&self) -> Option<Kinds> {
        match self.gives {
            Gives::Kinds(Kinds::ANY) | Gives::By(_) => None,
            Gives::Kinds(kinds) => Some(kinds),
            Gives::OrNil(kinds) => Some(kinds | Kinds::NIL),
        }
    }

    /// What it gives for what it is given.
    pub(crate) fn shape(&self, given: &Input<'_>) -> Shape {
        match self.gives {
            Gives::Kinds(kinds) => Shape::Kinds(kinds),
            Gives::OrNil(kinds) => Shape::Kinds(kinds | Kinds::NIL),
            Gives::By(of) => of(given),
        }
    }

    /// What it calls when it has so many arguments.
    pub(crate) fn calls_of(&self, count: usize) -> Option<Callback> {
        self.calls.iter().rev().find(|calls| calls.least <= count).copied()
    }

    /// The operation that a call with so many arguments consists of.
    pub(crate) fn op_of(&self, count: usize) -> Option<Op> {
        let (op, least, most) = self.op?;
        (least <= count && count <= most).then_some(op)
    }
}

/// The fewest and the most arguments that a usage such as `f coll|f init coll & more` allows.
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
    use super::{How, arity};
    use crate::builtins::{find, rows};

    #[test]
    fn facts_name_functions_of_the_table() {
        for (name, id) in rows() {
            let facts = &id.builtin().facts;
            let others = facts.others.iter().map(|(.., other)| *other).chain(facts.same_as);
            let calls = facts.calls.iter().filter_map(|calls| match calls.how {
                How::Args(other) => Some(other),
                _ => None,
            });
            for other in others.chain(calls) {
                assert!(find(other).is_some(), "`{name}` names `{other}`");
            }
        }
    }

    #[test]
    fn the_usage_says_how_many_arguments_there_are() {
        assert_eq!(arity(""), (0, Some(0)));
        assert_eq!(arity("x"), (1, Some(1)));
        assert_eq!(arity("|to|to xform from"), (0, Some(3)));
        assert_eq!(arity("f coll|f init coll"), (2, Some(3)));
        assert_eq!(arity("f args|f x & more args"), (2, None));
        assert_eq!(arity("& values"), (0, None));
    }
}
