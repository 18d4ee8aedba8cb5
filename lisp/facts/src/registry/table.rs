//! The rows of all builtins, by their names and ids.

use std::sync::OnceLock;

use hashbrown::HashMap;

use super::facts::{ANY, Facts, Pulls, arity, as_value};
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::{BuiltinId, Diagnostic, Res, Value, register_names, wrong_number};

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
    /// Whether it is a function of its arguments alone, which calls no function.
    pub is_pure: bool,
    /// The value of a constant such as `Math/PI`; none for a function.
    pub constant: Option<fn() -> Value>,
    pub facts: Facts,
}

/// A row with the name of its part of the documentation.
pub type Entry = (&'static str, &'static Builtin);

/// The registered rows.
struct Registry {
    /// The rows in the order of the documentation. The id of a builtin is its index.
    rows: Vec<Entry>,
    /// The ids of all names; a synonym has the id of its function.
    by_name: HashMap<&'static str, BuiltinId>,
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// Registers the rows of all builtins; later calls change nothing.
pub fn register(rows: impl FnOnce() -> Vec<Entry>) {
    REGISTRY.get_or_init(|| {
        let rows = rows();
        register_names(rows.iter().map(|(_, row)| row.name).collect());
        let ids = || rows.iter().zip(0..).map(|((_, row), id)| (row, BuiltinId(id)));
        let mut by_name: HashMap<_, _> = ids().map(|(row, id)| (row.name, id)).collect();
        for (row, _) in ids() {
            if let Some(same) = row.facts.same_as.and_then(|same| by_name.get(same).copied()) {
                by_name.insert(row.name, same);
            }
        }
        Registry { rows, by_name }
    });
}

/// Returns all rows with their ids.
pub fn rows() -> impl Iterator<Item = (&'static Builtin, BuiltinId)> {
    entries().iter().zip(0..).map(|((_, row), id)| (*row, BuiltinId(id)))
}

/// Returns all names with their ids; a synonym has the id of its function.
pub fn ids() -> impl Iterator<Item = (&'static str, BuiltinId)> {
    REGISTRY.get().into_iter().flat_map(|it| it.by_name.iter().map(|(name, id)| (*name, *id)))
}

/// Returns all functions that a program may call, with their part of the table, in the order of the
/// documentation.
pub fn builtins() -> impl Iterator<Item = Entry> {
    entries().iter().copied().filter(|(_, builtin)| !builtin.name.starts_with("ptc/"))
}

/// Returns the function of a name, with a full or short namespace.
pub fn find(name: &str) -> Option<BuiltinId> {
    if let Some(id) = by_name(name) {
        return Some(id);
    }
    if let Some(rest) = MATH.iter().find_map(|space| name.strip_prefix(space)) {
        return in_math(rest).and_then(by_name);
    }
    by_name(short(name)?.as_str())
}

/// Returns the operation of a builtin.
pub fn op_of(function: &Value) -> Option<Op> {
    match function {
        Value::Builtin(id) => id.builtin().facts.op_of(2),
        _ => None,
    }
}

/// Returns the value of a name of the language itself; nil if there is none.
pub fn named(name: &str) -> Value {
    find(name).map_or(Value::Nil, Value::Builtin)
}

/// Returns a name without its namespace, or with a shorter one; none if it cannot be shortened.
pub fn short(name: &str) -> Option<String> {
    NAMESPACES.iter().find_map(|(long, short)| {
        let rest = name.strip_prefix(long).filter(|rest| !rest.is_empty())?;
        Some(format!("{short}{rest}"))
    })
}

/// Returns the names of all functions that a program may call.
pub fn names() -> impl Iterator<Item = &'static str> {
    builtins().map(|(_, builtin)| builtin.name)
}

/// Returns the full name of a function that was written without its namespace.
pub fn in_a_namespace(name: &str) -> Option<&'static str> {
    names().find(|full| {
        full.split_once('/').is_some_and(|(space, rest)| !space.is_empty() && rest == name)
    })
}

/// Returns the name in `Math/` of a function of `clojure.math`, which separates words by hyphens.
fn in_math(name: &str) -> Option<&'static str> {
    let same = |full: &&str| {
        full.strip_prefix("Math/").is_some_and(|camel| {
            let mut camel = camel.chars();
            let mut words = name.split('-');
            words.next().is_some_and(|word| word.chars().all(|c| camel.next() == Some(c)))
                && words.all(|word| {
                    let mut word = word.chars();
                    word.next().is_some_and(|c| camel.next() == Some(c.to_ascii_uppercase()))
                        && word.all(|c| camel.next() == Some(c))
                })
                && camel.next().is_none()
        })
    };
    // These are spelled differently there.
    match name {
        "IEEE-remainder" => return Some("Math/IEEEremainder"),
        "abs" | "max" | "min" | "fma" | "to-int-exact" => return None,
        _ => {}
    }
    names().find(same)
}

#[inline]
fn entries() -> &'static [Entry] {
    REGISTRY.get().map_or(&[], |registry| &registry.rows)
}

fn by_name(name: &str) -> Option<BuiltinId> {
    REGISTRY.get()?.by_name.get(name).copied()
}

/// The row of an id that no row has; ids come only from the registry.
static NO_ROW: Builtin = Builtin::new("", "", "", "", true, as_value(ANY));

/// An id of the registry.
pub trait Registered: Sized {
    /// Returns the function.
    fn builtin(self) -> &'static Builtin;

    /// Returns the value of the name: the function, or the constant.
    fn value(self) -> Value;

    /// Returns the builtin of a call with this number of arguments.
    fn for_count(self, count: usize) -> Res<BuiltinId>;

    /// Returns whether a call with `count` arguments lacks only the collection, and so makes a transducer.
    fn makes_transducer(self, count: usize) -> bool;

    /// Returns the builtin that replaces this one in a call with `count` arguments, if any.
    fn other_for(self, count: usize) -> Option<BuiltinId>;
}

impl Registered for BuiltinId {
    #[inline]
    fn builtin(self) -> &'static Builtin {
        entries().get(self.index()).map_or(&NO_ROW, |(_, row)| row)
    }

    fn value(self) -> Value {
        self.builtin().constant.map_or(Value::Builtin(self), |value| value())
    }

    #[inline]
    fn for_count(self, count: usize) -> Res<BuiltinId> {
        if self.builtin().takes(count) || self.makes_transducer(count) {
            return Ok(self);
        }
        self.other_for(count).ok_or_else(|| self.builtin().wrong_arity(count))
    }

    fn makes_transducer(self, count: usize) -> bool {
        let builtin = self.builtin();
        count + 1 == builtin.min && builtin.facts.step.is_some()
    }

    fn other_for(self, count: usize) -> Option<BuiltinId> {
        let builtin = self.builtin();
        if builtin.takes(count) {
            return None;
        }
        let mut others = builtin.facts.others.iter();
        let (_, _, other) = others.find(|(least, most, _)| (*least..=*most).contains(&count))?;
        find(other)
    }
}

impl Builtin {
    /// Makes the facts of a row.
    pub const fn new(
        name: &'static str,
        usage: &'static str,
        doc: &'static str,
        example: &'static str,
        is_pure: bool,
        facts: Facts,
    ) -> Builtin {
        let (min, max) = arity(usage);
        Builtin { name, min, max, usage, doc, example, is_pure, constant: None, facts }
    }

    /// Returns whether it is a constant such as `Math/PI`, not a function.
    pub fn is_constant(&self) -> bool {
        self.constant.is_some()
    }

    #[inline]
    pub fn takes(&self, count: usize) -> bool {
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }

    /// Returns the argument that it takes item by item in a call with `count` arguments, if it has one collection.
    pub fn pulled_at(&self, count: usize) -> Option<usize> {
        match self.facts.pulls {
            Pulls::Whole | Pulls::AsValue | Pulls::Makes(_) => None,
            _ if self.max.is_none() && count > 2 => None,
            _ if self.facts.collection.is_some_and(|order| !order.is_last) => Some(0),
            _ => count.checked_sub(1),
        }
    }

    /// Returns whether a call may have this many arguments, also one that makes a transducer.
    pub fn accepts(&self, count: usize) -> bool {
        self.takes(count) || find(self.name).is_some_and(|id| id.for_count(count).is_ok())
    }

    /// Returns the name of the function that is called; it differs from its own name for a synonym.
    pub fn stands_for(&self) -> &'static str {
        find(self.name).map_or(self.name, |id| id.builtin().name)
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
    pub fn wrong_arity(&self, count: usize) -> Diagnostic {
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
        .with_jvm_message(wrong_number(count, &self.full_name()))
        .with_help(format!("write {}", usage.join(" or ")))
    }
}

/// The spellings of namespaces.
pub(super) const NAMESPACES: &[(&str, &str)] = &[
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
pub(super) const MATH: [&str; 2] = ["clojure.math/", "math/"];
