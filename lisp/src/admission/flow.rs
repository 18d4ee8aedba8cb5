//! What builtins give, and how often they call the functions they are given.

use std::sync::LazyLock;

use hashbrown::HashMap;
use ptc_signatures::Kinds;

use super::shape::{Fields, Length, Shape};
use crate::builtins::{Beside, BuiltinId, own_name};
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
        ("sort-by", 3) => (0, How::Last),
        ("sort", 2) => (0, How::Pairs),
        ("reduce" | "reductions", 2 | 3) => (0, How::Fold),
        ("map-indexed" | "keep-indexed", 2) => (0, How::Indexed),
        ("max-key" | "min-key", 2..) => (0, How::Args),
        ("update-vals", 2) => (1, How::Vals),
        ("update-keys", 2) => (1, How::Keys),
        ("reduce-kv", 3) => (0, How::Entries),
        ("apply", 2..) | ("ptc/with-out-str", 1) => (0, How::Once),
        ("update", 3..) => (2, How::Field),
        ("update-in", 3..) => (2, How::Once),
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
        "sort-by" | "sort" => {
            let items = args.last().map_or(Shape::ANY, |shape| shape.item());
            sized(items.plain(), length.cloned())
        }
        "every?" | "not-every?" | "not-any?" => Shape::Kinds(Kinds::BOOL),
        "run!" => Shape::NIL,
        "group-by" => {
            let group = Shape::list(items(), Length { least: 1, ..Length::default() });
            Shape::entries(result.clone(), group)
        }
        "index-by" => Shape::entries(result.clone(), items()),
        "update-vals" | "update-keys" => match args.first() {
            Some(map @ (Shape::Map(_) | Shape::Entries(_))) if name == "update-vals" => {
                Shape::entries(key_of(map), result.clone())
            }
            Some(map @ (Shape::Map(_) | Shape::Entries(_))) => {
                Shape::entries(result.clone(), value_of(map))
            }
            _ => Shape::ANY,
        },
        "partition-by" => {
            sized(Shape::list(items(), Length { least: 1, ..Length::default() }), None)
        }
        "split-with" => {
            let part = Shape::list(items(), length.map(Length::up_to).unwrap_or_default());
            Shape::Items([part.clone(), part].into())
        }
        "mapcat" | "ptc/for" => sized(result.item(), None),
        "reductions" | "repeatedly" => Shape::Kinds(Kinds::LIST),
        "update" | "update-in" => match (args.first(), key_in(args.get(1))) {
            (Some(Shape::Map(map)), Some(key)) => {
                let value = if name == "update" { result.clone() } else { Shape::ANY };
                with_field(map, key, &value)
            }
            _ => Shape::ANY,
        },
        "sum-by" => Shape::Kinds(Kinds::NUMBER),
        "avg-by" => Shape::Kinds(Kinds::NUMBER | Kinds::NIL),
        "min-by" | "max-by" => {
            args.last().map_or(Shape::ANY, |shape| shape.item()).plain().or_nil()
        }
        "min-key" | "max-key" => {
            let items = args.iter().skip(1).map(|item| (*item).clone());
            items.reduce(|a, b| a.or(&b)).unwrap_or(Shape::ANY).plain()
        }
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
    (Kinds::INT, &["count", "int", "long", "compare", "hash", "rand-int"]),
    (Kinds::FLOAT, &["double", "float", "rand", "Math/random"]),
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
    (Kinds::MAP, &["hash-map", "array-map"]),
    (Kinds::LIST, &["hash-set", "interleave", "interpose", "flatten"]),
];

/// The kinds of those that may give nil as well.
const OR_NIL: &[(Kinds, &str)] =
    &[(Kinds::INT, "parse-long"), (Kinds::FLOAT, "parse-double"), (Kinds::KEYWORD, "keyword")];

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
        "contains?" => kinds(Kinds::BOOL),
        "str/split" | "str/split-lines" => Shape::list(kinds(Kinds::STRING), Length::default()),
        "vec" | "sort" | "doall" | "sequence" if args.len() == 1 => sequence(item(0), length(0)),
        "reverse" => sequence(item(0), length(0)),
        "shuffle" => sequence(item(0), length(0)),
        "random-sample" => sequence(item(1), length(1).map(|length| length.up_to())),
        "rand-nth" => item(0).or_nil(),
        "set" => sequence(item(0), length(0).map(|length| length.up_to())),
        "seq" | "not-empty" if matches!(first, Some(Shape::Map(_) | Shape::Entries(_))) => {
            match (first, name) {
                (Some(map), "not-empty") => map.clone().or_nil(),
                _ => sequence(item(0), length(0)).or_nil(),
            }
        }
        "seq" | "not-empty" => sequence(item(0), length(0).map(|length| length.up_to())).or_nil(),
        "list" | "vector" => {
            Shape::Items(args.iter().map(|item| (*item).clone().plain()).collect())
        }
        "concat" | "ptc/concat" => {
            let items = args.iter().map(|list| list.item());
            let item = items.reduce(|a, b| a.or(&b)).unwrap_or(Shape::Kinds(Kinds::NONE));
            Shape::list(item, Length::default())
        }
        "cons" => match args {
            [one, list] => Shape::list(list.item().or(one), Length::default()),
            _ => kinds(Kinds::LIST),
        },
        "conj" => match args {
            [Shape::List(_) | Shape::Items(_), new @ ..] => {
                let item = new.iter().fold(item(0), |all, one| all.or(one));
                Shape::list(item, Length::default())
            }
            _ => Shape::ANY,
        },
        "into" => match args {
            [Shape::List(_) | Shape::Items(_), list] => {
                Shape::list(item(0).or(&list.item()), Length::default())
            }
            [map, list] => match (map, list.item()) {
                (Shape::Map(map), Shape::Items(pair)) if map.fields.is_empty() && !map.open => {
                    match &*pair {
                        [key, value] => Shape::entries(key.clone(), value.clone()),
                        _ => kinds(Kinds::MAP),
                    }
                }
                _ => Shape::ANY,
            },
            _ => Shape::ANY,
        },
        "zipmap" => Shape::entries(item(0), item(1)),
        "frequencies" => Shape::entries(item(0), kinds(Kinds::INT)),
        "keys" => sequence(first.map_or(Shape::ANY, key_of), length(0)).or_nil(),
        "vals" => sequence(first.map_or(Shape::ANY, value_of), length(0)).or_nil(),
        "partition" | "partition-all" => match args.last() {
            Some(list) if args.len() < 4 => sequence(sequence(list.item(), None), None),
            _ => kinds(Kinds::LIST),
        },
        "drop-last" if args.len() == 2 => sequence(item(1), length(1).map(|length| length.up_to())),
        "take-last" => sequence(item(1), length(1).map(|length| length.up_to())).or_nil(),
        "take-nth" => sequence(item(1), length(1).map(|length| length.up_to())),
        "nth" | "ptc/item" | "ptc/seq-item" => match args {
            [list, at] => item_at(list, at),
            _ => Shape::ANY,
        },
        "ptc/rest-from" => sequence(item(0), None).or_nil(),
        "key" | "val" => match first.map(Shape::collection) {
            Some(Shape::Items(pair)) if pair.len() == 2 => {
                pair.get(usize::from(name == "val")).cloned().unwrap_or(Shape::ANY)
            }
            _ => Shape::ANY,
        },
        "distinct" | "dedupe" if args.len() == 1 => {
            sequence(item(0), length(0).map(|length| length.up_to()))
        }
        "rest" | "next" | "butlast" | "drop-last" if args.len() == 1 => {
            let rest = sequence(item(0), length(0).map(|length| length.up_to()));
            if name == "rest" || name == "drop-last" { rest } else { rest.or_nil() }
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
            Shape::Kinds(_) | Shape::Known(_) => Shape::ANY,
            _ => item(0).or_nil(),
        }),
        "range" => match args {
            [Shape::Known(Value::Int(end))] => {
                let length = Length::exactly(u64::try_from(*end).unwrap_or(0));
                Shape::list(kinds(Kinds::INT), length)
            }
            _ => kinds(Kinds::LIST),
        },
        "get" | "ptc/get" => match (first, args.get(1)) {
            (Some(list @ (Shape::Items(_) | Shape::List(_))), Some(at))
                if args.len() == 2 && at.alternatives().iter().all(|at| at.name().is_none()) =>
            {
                item_at(list, at).or_nil()
            }
            (Some(Shape::Entries(entries)), Some(_)) => match args.get(2) {
                None => entries.1.clone().or_nil(),
                Some(default) => entries.1.or(default),
            },
            (Some(map), Some(key)) => {
                let found = map.found(key);
                args.get(2).map_or(found.clone(), |default| found.or(default))
            }
            _ => Shape::ANY,
        },
        "name" => {
            let names = first.map_or(&[][..], Shape::alternatives).iter();
            let names = names.map(|it| match it {
                Value::Keyword(text) => Shape::Known(Value::str(own_name(text))),
                Value::Str(_) => Shape::Known(it.clone()),
                _ => Shape::ANY,
            });
            names.reduce(|a, b| a.or(&b)).unwrap_or(Shape::ANY)
        }
        "dissoc" => match args {
            [Shape::Map(map), keys @ ..] => {
                match keys.iter().map(|key| key_of_field(key)).collect() {
                    Some(keys) => {
                        let keys: Vec<arcstr::ArcStr> = keys;
                        let mut fields = map.fields.clone();
                        fields.retain(|(name, _)| !keys.contains(name));
                        Shape::Map(Fields { fields, open: map.open, complete: map.complete }.into())
                    }
                    None => kinds(Kinds::MAP),
                }
            }
            [entries @ Shape::Entries(_), ..] => (*entries).clone(),
            _ => Shape::ANY,
        },
        "select-keys" => match args {
            [map, Shape::Items(keys)] => {
                let keys: Option<Vec<_>> = keys.iter().map(key_of_field).collect();
                match keys {
                    Some(keys) if has_fields(map) => {
                        let field = |key: arcstr::ArcStr| (key.clone(), map.field_of(&key).plain());
                        let fields = keys.into_iter().map(field).collect();
                        Shape::Map(Fields { fields, open: false, complete: is_record(map) }.into())
                    }
                    _ => kinds(Kinds::MAP),
                }
            }
            _ => kinds(Kinds::MAP),
        },
        "assoc-in" => match (first, key_in(args.get(1).copied().as_ref())) {
            (Some(Shape::Map(map)), Some(key)) => with_field(map, key, &Shape::ANY),
            _ => Shape::ANY,
        },
        "assoc" => match args {
            [Shape::Maybe(map), rest @ ..] if matches!(&**map, Shape::Map(_)) => {
                let map = there_or_not(map);
                let args: Vec<&Shape> = std::iter::once(&map).chain(rest.iter().copied()).collect();
                of_builtin(id, &args)
            }
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
                    return match rest {
                        [key, value] if fields.fields.is_empty() => {
                            Shape::entries((*key).clone(), (*value).clone())
                        }
                        _ => kinds(Kinds::MAP),
                    };
                }
                let complete = fields.complete || fields.fields.is_empty();
                Shape::Map(Fields { fields: all, open, complete }.into())
            }
            [Shape::Entries(entries), key, value] => {
                Shape::entries(entries.0.or(key), entries.1.or(value))
            }
            _ => Shape::ANY,
        },
        "merge" if args.iter().all(|arg| matches!(arg, Shape::Map(_))) && !args.is_empty() => {
            let mut all: Vec<(arcstr::ArcStr, Shape)> = Vec::new();
            let (mut open, mut complete, mut guessed) = (false, false, false);
            for arg in args {
                let Shape::Map(map) = arg else { continue };
                if map.open {
                    // It may have the other fields too.
                    for (_, value) in &mut all {
                        *value = Shape::ANY;
                    }
                    open = true;
                }
                complete |= map.complete;
                guessed |= map.open && !map.complete;
                for (key, value) in &map.fields {
                    let before = all.iter().position(|(known, _)| known == key);
                    let before = before.map(|at| all.remove(at).1);
                    let value = match before {
                        // A field that may be absent leaves the one before it.
                        Some(before) if value.kinds().meets(Kinds::NIL) => before.or(value),
                        _ => value.clone(),
                    };
                    all.push((key.clone(), value));
                }
            }
            let complete = complete && !guessed;
            Shape::Map(Fields { fields: all, open, complete }.into())
        }
        "ptc/as-map" => match first {
            Some(map @ (Shape::Map(_) | Shape::Entries(_) | Shape::Data(_) | Shape::Maybe(_))) => {
                map_alone(map)
            }
            _ => Shape::ANY,
        },
        "ptc/as-list" | "ptc/realized" | "identity" => first.cloned().unwrap_or(Shape::ANY),
        "max" | "min" if args.len() == 1 => first.cloned().unwrap_or(Shape::ANY),
        "max" | "min" => kinds(Kinds::NUMBER),
        _ => Shape::ANY,
    }
}

fn sequence(item: Shape, length: Option<Length>) -> Shape {
    Shape::list(item, length.unwrap_or_default())
}

/// What an item is at a position; nil where there is none.
pub(super) fn item_at(list: &Shape, at: &Shape) -> Shape {
    match (list.collection(), at) {
        (Shape::Items(items), Shape::Known(Value::Int(at))) => {
            let item = usize::try_from(*at).ok().and_then(|at| items.get(at));
            item.cloned().unwrap_or(Shape::NIL).plain()
        }
        (Shape::List(_) | Shape::Items(_) | Shape::Data(_), _) => list.item().plain().or_nil(),
        _ => Shape::ANY,
    }
}

/// What the keys of a map are.
pub(super) fn key_of(map: &Shape) -> Shape {
    match map.collection() {
        Shape::Entries(entries) => entries.0.clone(),
        Shape::Map(map) if !map.open => Shape::Kinds(Kinds::KEYWORD | Kinds::STRING),
        _ => Shape::ANY,
    }
}

/// What the values of a map are.
pub(super) fn value_of(map: &Shape) -> Shape {
    match map.collection() {
        map @ (Shape::Entries(_) | Shape::Map(_) | Shape::Data(_)) => match map.item() {
            Shape::Items(pair) => pair.get(1).cloned().unwrap_or(Shape::ANY),
            _ => Shape::ANY,
        },
        _ => Shape::ANY,
    }
}

/// The name that a literal key is.
fn key_of_field(key: &Shape) -> Option<arcstr::ArcStr> {
    match key {
        Shape::Known(Value::Keyword(key) | Value::Str(key)) => Some(key.clone()),
        _ => None,
    }
}

/// The first key of an update: the key itself, or the first one of a path.
fn key_in(path: Option<&&Shape>) -> Option<arcstr::ArcStr> {
    match path? {
        Shape::Items(path) => path.first().and_then(key_of_field),
        key => key_of_field(key),
    }
}

/// The map with another value of a field.
fn with_field(map: &Fields<false>, key: arcstr::ArcStr, value: &Shape) -> Shape {
    let mut fields = map.fields.clone();
    fields.retain(|(known, _)| *known != key);
    fields.push((key, value.clone().plain()));
    let complete = map.complete || map.fields.is_empty();
    Shape::Map(Fields { fields, open: map.open, complete }.into())
}

/// A map whose fields are all nil if it is not there.
fn there_or_not(map: &Shape) -> Shape {
    match map {
        Shape::Map(map) => {
            let fields = map.fields.iter();
            let fields = fields.map(|(name, it)| (name.clone(), it.clone().or_nil())).collect();
            Shape::Map(Fields { fields, open: map.open, complete: map.complete }.into())
        }
        other => other.clone(),
    }
}

fn has_fields(map: &Shape) -> bool {
    matches!(map.collection(), Shape::Map(_) | Shape::Data(_))
}

fn is_record(map: &Shape) -> bool {
    match map.collection() {
        Shape::Map(map) => map.complete,
        Shape::Data(_) => true,
        _ => false,
    }
}

/// What a pattern takes a value for that is a map or nil: it may be a list of keys and values too.
fn map_alone(map: &Shape) -> Shape {
    match map {
        Shape::Maybe(inner) if !has_fields(inner) => Shape::ANY,
        other => other.clone(),
    }
}
