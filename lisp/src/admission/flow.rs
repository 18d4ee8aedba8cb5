//! What builtins give, and how often they call the functions they are given.

use std::sync::LazyLock;

use hashbrown::HashMap;
use ptc_signatures::Kinds;

use super::shape::{Length, Shape};
use crate::builtins::{Beside, BuiltinId};
use crate::value::Value;

/// A builtin that calls a function.
#[derive(Clone, Copy)]
pub(super) struct Calls {
    /// The argument that is the function.
    pub(super) function: usize,
    pub(super) how: How,
}

/// How often a builtin calls its function, and with what.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Once.
    Once,
    /// For each item of the collections behind it, item by item.
    Each,
    /// For each item of the last argument, after what was made so far.
    Fold,
    /// For each item of the last argument, behind its position.
    Indexed,
    /// For each of the arguments behind it.
    Args,
    /// For each entry of a map: the value.
    Vals,
    /// For each entry of a map: the key.
    Keys,
    /// For each entry of a map: what was made so far, key and value.
    Entries,
    /// As many times as the argument before it says.
    Count,
}

/// The same by its name; more than three arguments are like four.
fn calls_by_name(name: &str, count: usize) -> Option<Calls> {
    let (function, how) = match (name, count) {
        (
            "map" | "mapv" | "mapcat" | "keep" | "filter" | "filterv" | "remove" | "take-while"
            | "drop-while" | "some" | "every?" | "not-every?" | "not-any?" | "run!" | "group-by"
            | "partition-by" | "split-with" | "sum-by" | "avg-by" | "min-by" | "max-by"
            | "distinct-by" | "index-by" | "pmap",
            2..,
        )
        | ("ptc/for", 3)
        | ("sort-by", 2) => (0, How::Each),
        ("reduce" | "reductions", 2 | 3) => (0, How::Fold),
        ("map-indexed" | "keep-indexed", 2) => (0, How::Indexed),
        ("max-key" | "min-key", 2..) => (0, How::Args),
        ("update-vals", 2) => (1, How::Vals),
        ("update-keys", 2) => (1, How::Keys),
        ("reduce-kv", 3) => (0, How::Entries),
        ("apply", 2..) | ("ptc/with-out-str", 1) => (0, How::Once),
        ("update" | "update-in", 3..) => (2, How::Once),
        ("repeatedly", 2) => (1, How::Count),
        _ => return None,
    };
    Some(Calls { function, how })
}

/// What a builtin gives that calls a function which gives `result`.
pub(super) fn of_calls(
    name: &str,
    args: &[&Shape],
    result: &Shape,
    length: Option<&Length>,
) -> Shape {
    let items = || args.get(1).map_or(Shape::ANY, |shape| shape.item());
    let sized = |item: Shape, length: Option<Length>| match length {
        Some(length) => Shape::list(item, length),
        None => Shape::list(item, Length::default()),
    };
    match name {
        "map" | "mapv" | "pmap" => sized(result.clone().plain(), length.cloned()),
        "map-indexed" if args.len() == 2 => sized(result.clone().plain(), length.cloned()),
        "keep" | "keep-indexed" => sized(result.not_nil().plain(), length.map(Length::up_to)),
        "filter" | "filterv" | "remove" | "take-while" | "drop-while" | "distinct-by" => {
            sized(items().plain(), length.map(Length::up_to))
        }
        "sort-by" => sized(items().plain(), length.cloned()),
        "every?" | "not-every?" | "not-any?" => Shape::Kinds(Kinds::BOOL),
        "run!" => Shape::NIL,
        "group-by" | "index-by" => Shape::Kinds(Kinds::MAP),
        "partition-by" | "split-with" | "mapcat" | "reductions" | "repeatedly" | "ptc/for" => {
            Shape::Kinds(Kinds::LIST)
        }
        "sum-by" => Shape::Kinds(Kinds::NUMBER),
        "avg-by" => Shape::Kinds(Kinds::NUMBER | Kinds::NIL),
        "min-by" | "max-by" => items().or(&Shape::NIL),
        "ptc/with-out-str" => Shape::Kinds(Kinds::STRING),
        _ => Shape::ANY,
    }
}

/// The kinds of what builtins give, whatever they are given.
const KINDS: &[(Kinds, &[&str])] = &[
    (
        Kinds::STRING,
        &[
            "str",
            "pr-str",
            "prn-str",
            "print-str",
            "println-str",
            "subs",
            "str/join",
            "str/upper-case",
            "str/lower-case",
            "str/capitalize",
            "str/trim",
            "str/triml",
            "str/trimr",
            "str/trim-newline",
            "str/reverse",
            "format",
            "json/generate-string",
        ],
    ),
    (Kinds::INT, &["count", "int", "long", "compare", "hash"]),
    (Kinds::FLOAT, &["double", "float"]),
    (Kinds::NUMBER, &["abs"]),
    (
        Kinds::BOOL,
        &[
            "nil?",
            "some?",
            "empty?",
            "not",
            "true?",
            "false?",
            "string?",
            "number?",
            "integer?",
            "map?",
            "vector?",
            "keyword?",
            "coll?",
            "seq?",
            "set?",
            "contains?",
            "even?",
            "odd?",
            "zero?",
            "pos?",
            "neg?",
            "str/blank?",
            "str/starts-with?",
            "str/ends-with?",
            "str/includes?",
            "boolean",
            "identical?",
            "distinct?",
        ],
    ),
    (Kinds::NIL, &["println", "print", "prn", "pr"]),
    (Kinds::MAP, &["select-keys", "zipmap", "frequencies", "hash-map", "array-map"]),
    (
        Kinds::LIST,
        &[
            "hash-set",
            "set",
            "vector",
            "list",
            "concat",
            "interleave",
            "interpose",
            "partition",
            "partition-all",
            "flatten",
        ],
    ),
];

/// The kinds of those that may give nil as well.
const OR_NIL: &[(Kinds, &str)] = &[
    (Kinds::INT, "parse-long"),
    (Kinds::FLOAT, "parse-double"),
    (Kinds::KEYWORD, "keyword"),
    (Kinds::LIST, "keys"),
    (Kinds::LIST, "vals"),
];

/// What is the same for every call of a builtin.
struct Flow {
    /// The kinds of what it gives, if they are the same whatever it is given.
    kinds: Option<Kinds>,
    /// How it calls its function with so many arguments; the last place is for more.
    calls: [Option<Calls>; 5],
}

/// Made once, so that names are not compared for every call.
static FLOWS: LazyLock<Beside<Flow>> = LazyLock::new(|| {
    let or_nil = OR_NIL.iter().map(|(kinds, name)| (*name, *kinds | Kinds::NIL));
    let all = KINDS.iter().flat_map(|(kinds, names)| names.iter().map(|name| (*name, *kinds)));
    let kinds: HashMap<&str, Kinds> = all.chain(or_nil).collect();
    Beside::new(|name| Flow {
        kinds: kinds.get(name).copied(),
        calls: std::array::from_fn(|count| calls_by_name(name, count)),
    })
});

/// How a builtin calls its function, if it does so in a way that is known.
pub(super) fn calls(id: BuiltinId, count: usize) -> Option<Calls> {
    FLOWS.get(id)?.calls[count.min(4)]
}

/// The kinds of what a builtin gives, if they are the same whatever it is given.
pub(super) fn kinds_of(id: BuiltinId) -> Option<Kinds> {
    FLOWS.get(id)?.kinds
}

/// What a builtin gives that calls nothing. Only what is certain: every run of the tests holds the
/// values it makes against this.
pub(super) fn of_builtin(id: BuiltinId, args: &[&Shape]) -> Shape {
    if let Some(kinds) = kinds_of(id) {
        return Shape::Kinds(kinds);
    }
    let name = id.builtin().name;
    let first = args.first().copied();
    let kinds = |kinds: Kinds| Shape::Kinds(kinds);
    let item = |at: usize| args.get(at).map_or(Shape::ANY, |shape| shape.item()).plain();
    let length = |at: usize| args.get(at).and_then(|shape| shape.length());
    match name {
        "str/split" | "str/split-lines" => Shape::list(kinds(Kinds::STRING), Length::default()),
        "vec" | "sort" if args.len() == 1 => sequence(item(0), length(0)),
        "reverse" => sequence(item(0), length(0)),
        "distinct" | "dedupe" if args.len() == 1 => {
            sequence(item(0), length(0).map(|length| length.up_to()))
        }
        "rest" | "next" | "butlast" | "drop-last" if args.len() == 1 => {
            let rest = sequence(item(0), length(0).map(|length| length.up_to()));
            if name == "rest" || name == "drop-last" {
                rest
            } else {
                Shape::Kinds(Kinds::LIST | Kinds::NIL)
            }
        }
        "take" => match args {
            [Shape::Known(Value::Int(count)), items] => {
                let most = u64::try_from(*count).unwrap_or(0);
                let length = items.length().unwrap_or_default();
                let shorter = length.most.is_some_and(|known| known <= most);
                let of = if shorter { length.of } else { None };
                let most = Some(length.most.map_or(most, |known| known.min(most)));
                Shape::list(items.item().plain(), Length { least: 0, most, of })
            }
            _ => kinds(Kinds::LIST),
        },
        "drop" => {
            let length = length(1).map(|length| length.up_to());
            sequence(item(1), length)
        }
        "first" | "second" | "last" | "peek" => first.map_or(Shape::ANY, |list| match list {
            Shape::Items(items) if !items.is_empty() && name == "first" => {
                items.first().cloned().unwrap_or(Shape::ANY).plain()
            }
            Shape::List(_) | Shape::Items(_) => item(0).or(&Shape::NIL),
            _ => Shape::ANY,
        }),
        "range" => match args {
            [Shape::Known(Value::Int(end))] => {
                let length = Length::exactly(u64::try_from(*end).unwrap_or(0));
                Shape::list(kinds(Kinds::INT), length)
            }
            _ => kinds(Kinds::LIST),
        },
        "get" | "ptc/get" => match (first, args.get(1)) {
            (Some(map), Some(key)) => {
                let found = map.found(key);
                args.get(2).map_or(found.clone(), |default| found.or(default))
            }
            _ => Shape::ANY,
        },
        "name" => {
            let names = first.map_or(&[][..], Shape::alternatives).iter();
            let names =
                names.map(|it| it.name().map_or(Shape::ANY, |it| Shape::Known(Value::str(it))));
            names.reduce(|a, b| a.or(&b)).unwrap_or(Shape::ANY)
        }
        "ptc/item" | "nth" => match args {
            [Shape::Items(items), Shape::Known(Value::Int(at))] => {
                let item = usize::try_from(*at).ok().and_then(|at| items.get(at));
                item.cloned().unwrap_or(Shape::ANY).plain()
            }
            _ => Shape::ANY,
        },
        "assoc" => match args {
            [Shape::Map(fields), rest @ ..] => {
                let mut all = fields.fields.clone();
                let mut open = fields.open;
                for pair in rest.chunks(2) {
                    match pair {
                        [Shape::Known(Value::Keyword(key) | Value::Str(key)), value] => {
                            all.retain(|(known, _)| known != key);
                            all.push((key.clone(), (*value).clone().plain()));
                        }
                        _ => open = true,
                    }
                }
                // A key that is not known may be any of them.
                if open && !fields.open {
                    return kinds(Kinds::MAP);
                }
                Shape::map(all, open)
            }
            _ => Shape::ANY,
        },
        "merge" if args.iter().all(|arg| matches!(arg, Shape::Map(_))) && !args.is_empty() => {
            let mut all: Vec<(arcstr::ArcStr, Shape)> = Vec::new();
            for arg in args {
                let Shape::Map(map) = arg else { continue };
                if map.open {
                    return kinds(Kinds::MAP);
                }
                for (key, value) in &map.fields {
                    all.retain(|(known, _)| known != key);
                    all.push((key.clone(), value.clone()));
                }
            }
            Shape::map(all, false)
        }
        "ptc/as-map" if matches!(first, Some(Shape::Map(_))) => {
            first.cloned().unwrap_or(Shape::ANY)
        }
        "ptc/as-list" | "ptc/realized" | "identity" => first.cloned().unwrap_or(Shape::ANY),
        "max" | "min" if args.len() == 1 => first.cloned().unwrap_or(Shape::ANY),
        "max" | "min" => kinds(Kinds::NUMBER),
        _ => Shape::ANY,
    }
}

fn sequence(item: Shape, length: Option<Length>) -> Shape {
    Shape::list(item, length.unwrap_or_default())
}
