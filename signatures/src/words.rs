//! Describes types and values in the words of messages.

use std::borrow::{Borrow, Cow};
use std::fmt::Display;

use crate::cursor::is_name;
use crate::datum::{Datum, Kinds, View};
use crate::render::{Quoted, Word};
use crate::suggest;
use crate::types::{Bounds, Type};

/// The maximum number of characters of a value in a message.
const SHOWN: usize = 40;

/// The maximum number of values of an enum in a message.
const NAMED: usize = 20;

/// Describes a type without its parts: `int from 1 to 100`, `list`, `map or nil`.
pub(crate) fn expected(ty: &Type, or_nil: bool) -> String {
    let mut alternatives = Vec::new();
    let mut nil = or_nil;
    collect(ty, &mut alternatives, &mut nil);
    if nil && ty != &Type::Any {
        alternatives.push("nil".into());
    }
    alternatives.join(" or ")
}

/// Describes a value, cut after about 40 characters: `string "abc"`, `list of 3 items`.
pub(crate) fn found<D: Datum>(value: &D) -> String {
    let with_literal = |kind: &str| match value.literal() {
        Some(literal) => format!("{kind} {}", cut(&literal)),
        None => kind.into(),
    };
    match value.view() {
        View::Nil => "nil".into(),
        View::Bool(value) => format!("bool {value}"),
        View::Int(value) => format!("int {value}"),
        View::BigInt(_) => with_literal("big int"),
        View::Float(value) => format!("float {value:?}"),
        View::Str(text) => quote(text),
        View::Keyword(name) => format!("keyword :{}", cut(name)),
        View::Datetime => with_literal("datetime"),
        View::Other(kind) => with_literal(kind),
        View::Unknown(kinds) => kinds.to_string(),
        View::List => match value.length() {
            None => "list".into(),
            Some(0) => "empty list".into(),
            Some(n_items) => format!("list of {}", count(n_items, "item")),
        },
        View::Map => match names(value.entries().map(|(key, _)| key)).as_str() {
            "" => "empty map".into(),
            names => format!("map with {names}"),
        },
    }
}

/// Advice on how to fix a value that a type does not accept.
pub(crate) struct Advice {
    /// The advice in words.
    pub(crate) help: String,
    /// The form that fixes the value, with `%` in its place.
    pub(crate) form: Option<String>,
}

/// Returns advice on how to fix a value that a type does not accept, where there is any.
pub(crate) fn advice<D: Datum>(ty: &Type, value: &D) -> Option<Advice> {
    // A form is `(f name)`; its name says what it takes.
    let form = |form: String, name: &str, does: &str| {
        let help = format!("`{}` {does}", form.replace('%', name));
        D::HAS_FORMS.then_some(Advice { help, form: Some(form) })
    };
    let words = |help: String| Some(Advice { help, form: None });
    match (ty, value.view()) {
        (Type::Optional(inner), _) => advice(inner, value),
        (Type::Union(members), _) => members.iter().find_map(|member| advice(member, value)),
        (Type::Int(_), View::Str(_) | View::Unknown(Kinds::STRING)) => {
            form("(parse-long %)".into(), "s", "turns a string into an int")
        }
        (Type::Float(_), View::Str(_) | View::Unknown(Kinds::STRING)) => {
            form("(parse-double %)".into(), "s", "turns a string into a float")
        }
        (Type::Int(_), View::Float(_)) => {
            form("(long %)".into(), "x", "drops the fraction of a float")
        }
        (Type::Datetime, View::Str(_)) => {
            words("a datetime is written as `2026-01-31T12:00:00Z`, a date as `2026-01-31`".into())
        }
        (Type::Enum(allowed), View::Str(text) | View::Keyword(text)) => {
            let near = suggest::nearest(text, allowed.iter().map(String::as_str))?;
            words(format!("did you mean `{}`?", Word(near)))
        }
        (_, View::List) if value.length() == Some(1) => {
            let fits = value.items().next().is_some_and(|item| might_fit(ty, item.borrow()));
            let take = || form("(first %)".into(), "xs", "takes the item out of a list of one");
            if fits { take() } else { None }
        }
        (Type::Int(_), View::List) => {
            let does = "takes one item of a list, `(count xs)` their number";
            form("(first %)".into(), "xs", does).map(|it| Advice { form: None, ..it })
        }
        (Type::List(..), View::List) => None,
        (_, View::List) => {
            let fits = value.items().next().is_none_or(|item| might_fit(ty, item.borrow()));
            let take = || form("(first %)".into(), "xs", "takes the first item of a list");
            if fits && value.length() != Some(0) { take() } else { None }
        }
        (Type::String(_), View::Int(_) | View::Float(_) | View::Bool(_)) => {
            form("(str %)".into(), "x", "turns a value into a string")
        }
        (Type::List(item, _), View::Map) => {
            let mut entries = value.entries();
            let (key, first) = entries.next()?;
            if item.accepts(first.view()) {
                form("(vals %)".into(), "m", "gives the values of a map as a list")
            } else if item.accepts(View::Str(&key)) {
                form("(keys %)".into(), "m", "gives the keys of a map as a list")
            } else if matches!(**item, Type::Record(_) | Type::Map) {
                form("[%]".into(), "m", "makes a list of the one map")
            } else {
                None
            }
        }
        (Type::List(item, _), view) if item.accepts(view) => {
            form("[%]".into(), "x", "makes a list of the one item")
        }
        (_, View::Map) => {
            let fits = |(key, part): &(Cow<'_, str>, &D)| {
                key.len() <= SHOWN
                    && is_name(key)
                    && !key.starts_with('_')
                    && ty.accepts(part.view())
            };
            let (key, _) = value.entries().take(SEARCHED).find(fits)?;
            let does = match value.entries().nth(1) {
                None => "takes the value out of a map",
                Some(_) => "takes one value out of a map",
            };
            form(format!("(:{key} %)"), "m", does)
        }
        _ => None,
    }
}

/// The maximum number of fields that are searched for one that fits.
const SEARCHED: usize = 64;

/// Returns whether an item of a list may have a type, seen without its parts. Any map fits a map
/// type: its fields are checked once it is in the right place.
fn might_fit<D: Datum>(ty: &Type, item: &D) -> bool {
    match item.view() {
        View::Map => matches!(ty, Type::Map | Type::Record(_)),
        View::Unknown(kinds) => kinds.meets(ty.kinds()),
        view => ty.accepts(view),
    }
}

/// Returns the text, cut after 40 characters with an ellipsis.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into(),
    }
}

/// Returns a string in quotes. If it is too long, it is cut and its length is given.
fn quote(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => {
            let length = count(text.chars().count() as u64, "character");
            format!("string of {length} {}…", Quoted(text.get(..end).unwrap_or_default()))
        }
        None => format!("string {}", Quoted(text)),
    }
}

/// Returns the names of as many fields as fit in [`SHOWN`] characters.
fn names<'a>(keys: impl Iterator<Item = Cow<'a, str>>) -> String {
    let mut names = String::new();
    for key in keys {
        let name = Word(&cut(&key)).to_string();
        if names.is_empty() {
            names = name;
        } else if names.chars().count() + 2 + name.chars().count() > SHOWN {
            names.push_str(", …");
            break;
        } else {
            names.push_str(", ");
            names.push_str(&name);
        }
    }
    names
}

fn collect(ty: &Type, alternatives: &mut Vec<String>, nil: &mut bool) {
    let words = match ty {
        Type::Any => "anything".into(),
        Type::Bool => "bool".into(),
        Type::Int(range) => format!("int{}", span(range)),
        Type::Float(range) => format!("float{}", span(range)),
        Type::String(length) => format!("string{}", size(length, "character")),
        Type::Keyword => "keyword".into(),
        Type::Datetime => "datetime".into(),
        Type::Map | Type::Record(_) => "map".into(),
        Type::List(_, length) => format!("list{}", size(length, "item")),
        Type::Enum(words) => {
            let named = words.iter().take(NAMED);
            let mut named: Vec<String> = named.map(|word| Word(word).to_string()).collect();
            if words.len() > NAMED {
                named.push("…".into());
            }
            format!("one of {}", named.join(", "))
        }
        Type::Union(members) => {
            return members.iter().for_each(|member| collect(member, alternatives, nil));
        }
        Type::Optional(inner) => {
            *nil = true;
            return collect(inner, alternatives, nil);
        }
    };
    if !alternatives.contains(&words) {
        alternatives.push(words);
    }
}

/// Describes a range of numbers in words, with a leading space.
fn span<T: Display>(range: &Bounds<T>) -> String {
    match (&range.min, &range.max) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    }
}

/// Describes a range of lengths in words, with a leading space.
fn size(length: &Bounds<u64>, unit: &str) -> String {
    match (length.min, length.max) {
        (Some(min), Some(max)) if min == max => format!(" of {}", count(min, unit)),
        (Some(min), Some(max)) => format!(" of {min} to {}", count(max, unit)),
        (Some(min), None) => format!(" of at least {}", count(min, unit)),
        (None, Some(max)) => format!(" of at most {}", count(max, unit)),
        (None, None) => String::new(),
    }
}

fn count(n: u64, unit: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {unit}{plural}")
}
