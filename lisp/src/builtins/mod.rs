//! The functions of the language: one static table.
//!
//! The checker resolves names with it, the reference of the prompt and the documentation are made
//! from it, and did-you-mean searches it. A builtin that loops pays fuel per element. One that can
//! make a large result from a small argument pays beforehand.

mod bits;
mod branch;
mod cast;
mod cell;
mod collection;
mod combinatorics;
mod core_more;
mod describe;
mod documentation;
mod each;
mod facts;
mod foreign;
mod format;
mod function;
mod hash;
mod interop;
mod json;
mod lazy;
mod lazy_overrides;
mod library;
mod map;
mod math;
mod near;
mod number;
mod order;
mod pattern;
mod precise;
mod predicate;
mod random;
mod read;
mod rearrange;
mod regex;
mod relation;
mod sequence;
mod set;
mod sorted;
mod state;
mod string;
mod time;
mod tools;
mod tower;
mod transduce;
mod transient;
mod unsupported;
mod walk;

use std::sync::LazyLock;

pub(crate) use documentation::text_of;
pub(crate) use facts::{Callback, Facts, Head, How, OnNil, Options, Order, Origin, Reads, Sends};
pub(crate) use foreign::foreign_name;
pub(crate) use lazy::without_end;
pub(crate) use lazy_overrides::{lazy_override, makes_lazy};
pub(crate) use library::{library, own_function, own_name_of};
pub(crate) use near::near;
pub(crate) use number::{no_order, no_sorted_key};
pub(crate) use sequence::as_seq;
pub(crate) use state::{caught, rethrown};
pub(crate) use string::{own_name, short_text};
pub(crate) use time::of_text as time_of_text;
pub(crate) use transduce::{named, reducing, streamed, wrong_arity_of_step};
pub(crate) use unsupported::unsupported_name;
pub use unsupported::unsupported_names;

use facts::{ANY, Lazily, arity, as_value};
use hashbrown::HashMap;

use crate::analyze::forms::{FORMS, Form};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{Call, CallbackState, Cx, Fork, ItemStep, Res, is_long};
pub(crate) use crate::value::BuiltinId;
use crate::value::{Class, Stage, Value, print};

/// A function of the language.
#[derive(Debug)]
pub struct Builtin {
    /// The name programs call it by.
    pub name: &'static str,
    /// The minimum number of arguments, taken from its usage.
    pub min: usize,
    /// The maximum number of arguments; none for no limit.
    pub max: Option<usize>,
    /// Its arguments by name, such as `f coll`. `|` separates arities, `&` marks a rest parameter.
    pub usage: &'static str,
    /// A description of one line.
    pub doc: &'static str,
    /// A call and its value, separated by ` => `.
    pub example: &'static str,
    pub(crate) imp: Imp,
    /// The value of a constant such as `Math/PI`; none for a function.
    pub(crate) constant: Option<fn() -> Value>,
    pub(crate) facts: Facts,
}

/// The fuel for a problem of a builtin: its texts are formatted, and a `catch` may read it.
pub(crate) const PROBLEM: u64 = 40;

#[derive(Clone, Copy)]
pub(crate) enum Imp {
    /// A function of its arguments alone, which it may move out.
    Pure(fn(&mut Cx, &mut [Value]) -> Res),
    /// A state machine that calls functions.
    CallbackState(fn(&mut Cx, Vec<Value>) -> Res<CallbackState>),
    /// The eager form of its step: see [`each`].
    Step,
    /// A fork that calls functions in branches.
    Fork(fn(&mut Cx, Vec<Value>) -> Res<Fork>),
    /// A definition in the language itself: see [`library`](mod@library).
    Lisp,
}

impl std::fmt::Debug for Imp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Imp::Pure(_) => "Pure",
            Imp::CallbackState(_) => "CallbackState",
            Imp::Step => "Step",
            Imp::Fork(_) => "Fork",
            Imp::Lisp => "Lisp",
        })
    }
}

/// The parts of the table, in the order of the documentation.
static PARTS: &[(&str, &[Builtin])] = &[
    ("numbers", number::TABLE),
    ("numbers", cast::TABLE),
    ("numbers", math::TABLE),
    ("numbers", bits::TABLE),
    ("numbers", random::TABLE),
    ("numbers", tower::TABLE),
    ("tests", predicate::TABLE),
    ("collections", collection::TABLE),
    ("collections", pattern::TABLE),
    ("sequences", sequence::TABLE),
    ("sequences", rearrange::TABLE),
    ("sequences", core_more::TABLE),
    ("sequences", lazy::TABLE),
    ("maps and sets", map::TABLE),
    ("maps and sets", set::TABLE),
    ("maps and sets", relation::TABLE),
    ("maps and sets", sorted::TABLE),
    ("sequences", combinatorics::TABLE),
    ("collections", transient::TABLE),
    ("functions", each::TABLE),
    ("functions", order::TABLE),
    ("functions", function::TABLE),
    ("functions", branch::TABLE),
    ("transducers", transduce::TABLE),
    ("atoms and exceptions", cell::TABLE),
    ("atoms and exceptions", state::TABLE),
    ("atoms and exceptions", interop::EXCEPTIONS),
    ("functions", walk::TABLE),
    ("data", hash::TABLE),
    ("strings", string::TABLE),
    ("strings", regex::TABLE),
    ("strings", format::TABLE),
    ("data", read::TABLE),
    ("data", json::TABLE),
    ("data", describe::TABLE),
    ("data", documentation::TABLE),
    ("tools", tools::TABLE),
    ("dates and times", time::TABLE),
    ("dates and times", time::CLOCKS),
    ("dates and times", time::ZONES),
    ("dates and times", time::METHODS),
    ("Java", interop::CLASSES),
    ("Java", interop::TABLE),
    ("Java", interop::METHODS),
    ("Java", interop::BIG),
];

static BY_NAME: LazyLock<HashMap<&str, BuiltinId>> = LazyLock::new(|| ids().collect());

/// Returns the names in the table with their ids; a synonym has the id of its function.
pub(crate) fn ids() -> impl Iterator<Item = (&'static str, BuiltinId)> {
    rows().map(|(name, id)| match id.builtin().facts.same_as {
        Some(same) => (name, rows().find(|(other, _)| *other == same).map_or(id, |(_, id)| id)),
        None => (name, id),
    })
}

fn rows() -> impl Iterator<Item = (&'static str, BuiltinId)> {
    PARTS.iter().enumerate().flat_map(|(part, (_, rows))| {
        let id = move |row| BuiltinId(part as u8, row as u8);
        rows.iter().enumerate().map(move |(row, builtin)| (builtin.name, id(row)))
    })
}

/// The spellings of namespaces.
const NAMESPACES: &[(&str, &str)] = &[
    ("clojure.string/", "str/"),
    ("string/", "str/"),
    ("s/", "str/"),
    ("clojure.set/", "set/"),
    ("clojure.core/", ""),
    ("core/", ""),
    ("clojure.repl/", ""),
    ("clojure.walk/", "walk/"),
    ("w/", "walk/"),
    ("clojure.math.numeric-tower/", "numeric-tower/"),
    ("clojure.math.combinatorics/", "combo/"),
    ("combinatorics/", "combo/"),
    ("cheshire.core/", "json/"),
    ("clojure.data.json/", "json/"),
    ("cheshire/", "json/"),
    ("clojure.edn/", "edn/"),
    ("java.lang.", ""),
    ("java.io.", ""),
    ("java.math.", ""),
    ("java.util.concurrent.", ""),
    ("java.util.", ""),
    ("clojure.lang.", ""),
    ("java.time.format.", ""),
    ("java.time.temporal.", ""),
    ("java.time.", ""),
];

/// The spellings of `clojure.math`; its functions are those of `Math/` in another notation.
const MATH: [&str; 2] = ["clojure.math/", "math/"];

/// Returns all functions with their part of the table, in the order of the documentation. Names
/// that start with `ptc/` serve the language itself and are omitted.
pub fn builtins() -> impl Iterator<Item = (&'static str, &'static Builtin)> {
    PARTS
        .iter()
        .flat_map(|(part, rows)| rows.iter().map(move |row| (*part, row)))
        .filter(|(_, builtin)| !builtin.name.starts_with("ptc/"))
}

/// Returns the forms that are not functions: special forms and sugar.
pub fn forms() -> impl Iterator<Item = &'static Form> {
    FORMS.iter()
}

/// Returns the function of a name, with a full or short namespace.
pub(crate) fn find(name: &str) -> Option<BuiltinId> {
    if let Some(id) = BY_NAME.get(name) {
        return Some(*id);
    }
    if let Some(rest) = MATH.iter().find_map(|space| name.strip_prefix(space)) {
        return math::find(rest).and_then(|name| BY_NAME.get(name).copied());
    }
    BY_NAME.get(short(name)?.as_str()).copied()
}

/// Returns a name without its namespace, or with a shorter one; none if it cannot be shortened.
pub(crate) fn short(name: &str) -> Option<String> {
    NAMESPACES.iter().find_map(|(long, short)| {
        let rest = name.strip_prefix(long).filter(|rest| !rest.is_empty())?;
        Some(format!("{short}{rest}"))
    })
}

/// Returns the names of all functions that a program may call.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    builtins().map(|(_, builtin)| builtin.name)
}

/// Returns the full name of a function that was written without its namespace.
pub(crate) fn in_a_namespace(name: &str) -> Option<&'static str> {
    names().find(|full| {
        full.split_once('/').is_some_and(|(space, rest)| !space.is_empty() && rest == name)
    })
}

impl BuiltinId {
    /// Returns the function.
    pub fn builtin(self) -> &'static Builtin {
        // Ids come only from the table.
        &PARTS[self.0 as usize].1[self.1 as usize]
    }

    /// Returns the value of the name: the function, or the constant.
    pub(crate) fn value(self) -> Value {
        self.builtin().constant.map_or(Value::Builtin(self), |value| value())
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0) << 8 | usize::from(self.1)
    }
}

impl Builtin {
    /// Returns whether it is a constant such as `Math/PI`, not a function.
    pub fn is_constant(&self) -> bool {
        self.constant.is_some()
    }

    pub(crate) fn takes(&self, count: usize) -> bool {
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }

    /// Returns whether a call may have this many arguments, also one that makes a transducer.
    pub fn accepts(&self, count: usize) -> bool {
        self.takes(count) || find(self.name).is_some_and(|id| id.for_count(count).is_ok())
    }

    /// Returns the name of the function that is called; it differs from its own name for a synonym.
    pub fn stands_for(&self) -> &'static str {
        find(self.name).map_or(self.name, |id| id.builtin().name)
    }

    /// Returns whether it calls no function, so that it needs only its arguments.
    pub(crate) fn is_pure(&self) -> bool {
        matches!(self.imp, Imp::Pure(_))
    }

    #[inline]
    pub(crate) fn call(&self, cx: &mut Cx, args: &mut [Value]) -> Res {
        match self.imp {
            Imp::Pure(function) => {
                if args.iter().any(is_long) {
                    self.charge_arguments(cx, args)?;
                }
                let result = function(cx, args);
                // Describing a problem takes longer than most calls, and a program may catch it.
                if result.is_err() {
                    cx.spend(PROBLEM)?;
                }
                result
            }
            Imp::CallbackState(_) | Imp::Step | Imp::Fork(_) | Imp::Lisp => {
                Err(wrong_place(self.name))
            }
        }
    }

    /// Pays for long arguments. A builtin that reads a position of a text pays for the lookup once,
    /// and itself pays for the characters it reads.
    #[cold]
    fn charge_arguments(&self, cx: &mut Cx, args: &[Value]) -> Res<()> {
        match args {
            [Value::Str(text), rest @ ..] if self.facts.charges_lookup => {
                cx.charge_lookup(text)?;
                cx.charge_arguments(rest)
            }
            _ => cx.charge_arguments(args),
        }
    }

    /// Returns its name with its namespace in Clojure, such as `clojure.string/join`.
    pub fn full_name(&self) -> String {
        match self.name.split_once('/') {
            Some(("str", name)) => format!("clojure.string/{name}"),
            Some(("combo", name)) => format!("clojure.math.combinatorics/{name}"),
            Some(("numeric-tower", _)) => format!("clojure.math.{}", self.name),
            Some(("json", "read-str" | "write-str")) => format!("clojure.data.{}", self.name),
            Some(("json", name)) if name != "parse-lines" => format!("cheshire.core/{name}"),
            Some(("set" | "walk" | "edn", _)) => format!("clojure.{}", self.name),
            Some((space, _)) if !space.is_empty() => self.name.to_owned(),
            _ => format!("clojure.core/{}", self.name),
        }
    }

    #[cold]
    pub(crate) fn wrong_arity(&self, count: usize) -> Diagnostic {
        let takes = match (self.min, self.max) {
            (min, Some(max)) if min == max => min.to_string(),
            (min, Some(max)) => format!("{min} to {max}"),
            (min, None) => format!("at least {min}"),
        };
        let plural =
            if takes.ends_with('1') && !takes.contains("to") { "argument" } else { "arguments" };
        let usage: Vec<String> = self
            .usage
            .split('|')
            .map(|args| {
                format!("`({}{}{})`", self.name, if args.is_empty() { "" } else { " " }, args)
            })
            .collect();
        Diagnostic::new(
            Code::WrongArity,
            format!("`{}` takes {takes} {plural}, not {count}", self.name),
        )
        .with_jvm_message(crate::value::wrong_number(count, &self.full_name()))
        .with_help(format!("write {}", usage.join(" or ")))
    }
}

/// Makes the row of a function of its arguments alone.
const fn pure(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
    function: fn(&mut Cx, &mut [Value]) -> Res,
) -> Builtin {
    row(name, usage, doc, example, facts, Imp::Pure(function))
}

/// Makes the row of a function that calls others.
const fn callback(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    calls: &'static [Callback],
    facts: Facts,
    function: fn(&mut Cx, Vec<Value>) -> Res<CallbackState>,
) -> Builtin {
    row(name, usage, doc, example, facts.calls(calls), Imp::CallbackState(function))
}

/// Makes the row of a function that its step defines, which calls another one.
const fn step(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
    step: &'static ItemStep,
) -> Builtin {
    let calls = if let Call::Indexed = step.call { facts::INDEXED } else { facts::EACH };
    row(name, usage, doc, example, facts.calls(calls).step(step), Imp::Step)
}

/// Makes the row of a function that calls others in branches.
const fn fork(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    calls: &'static [Callback],
    facts: Facts,
    function: fn(&mut Cx, Vec<Value>) -> Res<Fork>,
) -> Builtin {
    row(name, usage, doc, example, facts.calls(calls), Imp::Fork(function))
}

/// Makes the row of a function written in the language.
const fn lisp(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
) -> Builtin {
    row(name, usage, doc, example, facts, Imp::Lisp)
}

const fn row(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
    imp: Imp,
) -> Builtin {
    let (min, max) = arity(usage);
    Builtin { name, min, max, usage, doc, example, imp, constant: None, facts }
}

/// Makes the row of a constant. Java allows parentheses around a static field, so a constant can be
/// called without arguments.
macro_rules! constant {
    ($name:literal, $doc:literal, $example:literal, $value:expr) => {
        $crate::builtins::Builtin {
            constant: Some(|| $value),
            ..$crate::builtins::constant_row($name, $doc, $example, |_, _| Ok($value))
        }
    };
}
use constant;

const fn constant_row(
    name: &'static str,
    doc: &'static str,
    example: &'static str,
    value: fn(&mut Cx, &mut [Value]) -> Res,
) -> Builtin {
    pure(name, "", doc, example, as_value(ANY), value)
}

/// Returns the error of a builtin that was called in a place for others.
#[cold]
fn wrong_place(name: &str) -> Diagnostic {
    Diagnostic::new(
        Code::InvariantViolated,
        format!("`{name}` was called in the wrong place; this is a bug of the language"),
    )
}

/// Moves an argument out of its place.
fn take(args: &mut [Value], index: usize) -> Value {
    args.get_mut(index).map(std::mem::take).unwrap_or_default()
}

/// Returns the JVM's message for a call of a value that is not a function.
pub(crate) fn no_function(value: &Value) -> Option<String> {
    interop::cast_message(value, "IFn")
}

/// Returns the text of a value for a message of the JVM, cut to the length of a message.
fn message_text(value: &Value) -> String {
    let mut out = String::new();
    print::append(&mut out, value, print::Style::Text, 1_000, &mut 1_000);
    out
}

fn class_name(value: &Value, full: bool) -> &'static str {
    match Class::of(value) {
        Some(class) if full => class.full_name,
        Some(class) => class.name,
        None => "null",
    }
}

/// Returns the JVM's message for a value without items.
pub(crate) fn no_seq(value: &Value) -> String {
    format!("Don't know how to create ISeq from: {}", class_name(value, true))
}

/// Describes a value in few words, for messages.
pub(crate) fn describe(value: &Value) -> String {
    let bounds = print::Preview { max_chars: 40, max_items: 5, max_depth: 2, hide_private: true };
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Ext(_) if Stage::of(value).is_some_and(|step| step.next.is_none()) => {
            let name = Stage::of(value).map_or("map", |step| step.kind.name());
            format!("the transducer of `{name}`")
        }
        Value::Function(_) | Value::Builtin(_) => {
            format!("the function {}", print::preview(value, &bounds).0)
        }
        Value::Map(map) if map.is_empty() => "an empty map".to_owned(),
        Value::Vector(vector) if vector.is_empty() => "an empty vector".to_owned(),
        Value::List(list) if list.is_empty() => "an empty list".to_owned(),
        _ => {
            let name = value.type_name();
            let article = if name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
            let text = match crate::value::Time::of(value) {
                Some(time) => time.text().to_string(),
                None => print::preview(value, &bounds).0,
            };
            format!("{article} {name} {text}")
        }
    }
}

#[cold]
pub(crate) fn wrong_type(who: &str, expected: &str, found: &Value) -> Diagnostic {
    let problem = Diagnostic::new(
        Code::WrongType,
        format!("`{who}` expects {expected}, found {}", describe(found)),
    );
    match found {
        Value::Nil => problem
            .with_class("NullPointerException")
            .with_help("the value is nil: check the key, or give a default with `(or x default)`"),
        _ if crate::value::Lazy::of(found).is_some() => problem.with_help(LAZY_HELP),
        _ => problem,
    }
}

/// The help for a lazy sequence in a place where it cannot be used.
pub(crate) const LAZY_HELP: &str =
    "give a list instead: `(take n xs)`, or `(doall xs)` of a sequence that ends";

#[cold]
pub(crate) fn not_a_number(who: &str, which: &str, found: &Value) -> Diagnostic {
    let problem = Diagnostic::new(
        Code::WrongType,
        format!("`{who}` expects numbers, its {which} argument is {}", describe(found)),
    );
    let problem = problem.with_jvm_message(interop::cast_message(found, "Number"));
    match found {
        Value::Nil => problem
            .with_class("NullPointerException")
            .with_nil_number(usize::from(which != "first"))
            .with_help(
            "give missing numbers a default with `(or x 0)`, or drop them with `(filter some? xs)`",
        ),
        Value::Str(_) => {
            problem.with_help("turn text into a number with `parse-long` or `parse-double`")
        }
        _ => problem,
    }
}

/// Finds what `get` finds: the value of a key, an item at a position, or a member.
pub(crate) fn find_in<'a>(collection: &'a Value, key: &Value) -> Option<&'a Value> {
    match collection {
        Value::Map(map) => map.get(key),
        Value::Set(set) => set.row(key),
        Value::Vector(vector) => {
            usize::try_from(key.as_int()?).ok().and_then(|index| vector.get(index))
        }
        _ => None,
    }
}

/// Returns the result of [`find_in`], or nil; a string has its characters.
#[inline]
pub(crate) fn lookup(collection: &Value, key: &Value) -> Value {
    match (collection, key) {
        (Value::Map(map), key) => map.get(key).cloned().unwrap_or_default(),
        (Value::Str(text), Value::Int(index)) => usize::try_from(*index)
            .ok()
            .and_then(|index| text.chars().nth(index))
            .map_or(Value::Nil, |c| Value::str(c.to_string())),
        _ => find_in(collection, key).cloned().unwrap_or_default(),
    }
}

/// Calls data as a function: a keyword, symbol, map, set or vector. Returns none for other values.
pub(crate) fn call_data(callee: &Value, args: &[Value]) -> Option<Res> {
    let arity = |takes: &str| {
        Diagnostic::new(
            Code::WrongArity,
            format!(
                "{} as a function takes {takes}, not {} arguments",
                describe(callee),
                args.len()
            ),
        )
    };
    Some(match (callee, args) {
        (Value::Keyword(_) | Value::Symbol(_), [map]) => Ok(lookup(map, callee)),
        (Value::Keyword(_) | Value::Symbol(_), [map, default]) => {
            Ok(find_in(map, callee).unwrap_or(default).clone())
        }
        (Value::Keyword(_) | Value::Symbol(_), _) => Err(arity("a map and an optional default")),
        (Value::Map(_) | Value::Set(_), [key]) => Ok(lookup(callee, key)),
        (Value::Map(_), [key, default]) => Ok(find_in(callee, key).unwrap_or(default).clone()),
        (Value::Map(_), _) => Err(arity("a key and an optional default")),
        (Value::Set(_), _) => Err(arity("one member")),
        (Value::Vector(vector), [index]) => match find_in(callee, index) {
            Some(item) => Ok(item.clone()),
            None => {
                let problem = sequence::out_of_bounds(index, vector.len());
                Err(if index.as_int().is_none() {
                    problem.with_class("IllegalArgumentException")
                } else {
                    problem
                })
            }
        },
        (Value::Vector(_), _) => Err(arity("one position")),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_has_the_value_of_its_row() {
        let value = |name| find(name).map(BuiltinId::value).unwrap_or_default().to_string();
        assert_eq!(value("Math/PI"), "3.141592653589793");
        assert_eq!(value("clojure.math/E"), "2.718281828459045");
        assert_eq!(value("java.lang.Long/MAX_VALUE"), "9223372036854775807");
        assert_eq!(
            value("java.time.temporal.ChronoUnit/DAYS"),
            "#object[java.time.temporal.ChronoUnit \"Days\"]"
        );
        assert_eq!(value("inc"), "#function[inc]");
    }

    #[test]
    fn every_name_is_in_the_table_once() {
        let mut names: Vec<_> =
            PARTS.iter().flat_map(|(_, rows)| *rows).map(|row| row.name).collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
