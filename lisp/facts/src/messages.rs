//! Descriptions of values, and problems of values that do not fit, for several layers.

use ptc_reader::is_plain_name;
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::{Class, Diagnostic, Lazy, Stage, Time, Value, print};

/// Describes a value in few words, for messages.
pub fn describe(value: &Value) -> String {
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
            let text = match Time::of(value) {
                Some(time) => time.text().to_string(),
                None => print::preview(value, &bounds).0,
            };
            format!("{article} {name} {text}")
        }
    }
}

#[cold]
pub fn wrong_type(who: &str, expected: &str, found: &Value) -> Diagnostic {
    let problem = Diagnostic::new(
        Code::WrongType,
        format!("`{who}` expects {expected}, found {}", describe(found)),
    );
    match found {
        Value::Nil => problem
            .with_class("NullPointerException")
            .with_help("the value is nil: check the key, or give a default with `(or x default)`"),
        _ if Lazy::of(found).is_some() => problem.with_help(LAZY_HELP),
        _ => problem,
    }
}

/// The help for a lazy sequence in a place where it cannot be used.
pub const LAZY_HELP: &str =
    "give a list instead: `(take n xs)`, or `(doall xs)` of a sequence that ends";

/// The functions that compare numbers and dates, and not texts.
const ORDERS: [&str; 4] = ["<", "<=", ">", ">="];

#[cold]
pub fn not_a_number(who: &str, which: &str, found: &Value) -> Diagnostic {
    let problem = Diagnostic::new(
        Code::WrongType,
        format!("`{who}` expects numbers, its {which} argument is {}", describe(found)),
    );
    let problem = problem.with_jvm_message(cast_message(found, "Number"));
    match found {
        Value::Nil => problem
            .with_class("NullPointerException")
            .with_nil_number(usize::from(which != "first"))
            .with_help(
            "give missing numbers a default with `(or x 0)`, or drop them with `(filter some? xs)`",
        ),
        Value::Str(text) if text.trim().parse::<f64>().is_err() && ORDERS.contains(&who) => problem
            .with_help(
                "`(compare a b)` compares texts and is negative, zero or positive; `(sort-by f #(compare %2 %1) xs)` puts the greatest first",
            ),
        Value::Str(text) if text.trim().parse::<f64>().is_err() && matches!(who, "max" | "min") => {
            problem.with_help(format!("`({who}-by identity xs)` compares texts"))
        }
        Value::Str(_) => {
            problem.with_help("turn text into a number with `parse-long` or `parse-double`")
        }
        Value::Map(map) => match map.iter().take(SEARCHED).find_map(number_key) {
            Some(key) => problem.with_help(format!(
                "take the number out of each map, such as `(map :{key} items)`"
            )),
            None => problem,
        },
        _ => problem,
    }
}

/// The maximum number of entries of a map that are searched for a number.
const SEARCHED: usize = 64;

/// Returns the name of a key that programs can write as a keyword, if its value is a number. Names
/// that start with `_` are hidden.
fn number_key<'a>((key, value): (&'a Value, &Value)) -> Option<&'a str> {
    let is_number = matches!(value, Value::Int(_) | Value::Float(_));
    let is_shown = |name: &&str| name.len() <= LONGEST_KEY && !name.starts_with('_');
    key.name().filter(|_| is_number).filter(is_shown).filter(|name| is_plain_name(name))
}

/// The longest key that a help names, in bytes.
const LONGEST_KEY: usize = 64;

#[cold]
pub fn out_of_bounds(index: &Value, length: usize) -> Diagnostic {
    let items = if length == 1 { "item" } else { "items" };
    Diagnostic::new(
        Code::OutOfBounds,
        format!("there is no item at {}; the collection has {length} {items}", position(index)),
    )
    .with_help(match index {
        // A vector of keywords is often meant as a function that reads several fields.
        Value::Map(_) => "a vector reads its items by position; `(juxt :a :b)` reads several fields of a map",
        _ => "positions start at 0; use `(get coll index)` or `(nth coll index nil)` for nil instead of an error",
    })
}

#[cold]
pub fn position(index: &Value) -> String {
    match index {
        Value::Int(at) => format!("position {at}"),
        other => describe(other),
    }
}

/// Returns the error of comparing two values without an order.
#[cold]
pub fn no_order(a: &Value, b: &Value) -> Diagnostic {
    Diagnostic::new(
        Code::WrongType,
        format!("{} and {} cannot be compared", describe(a), describe(b)),
    )
    .with_help(
        "compare numbers with numbers and strings with strings; sort by a key that all items have",
    )
}

/// Returns the error of a value that cannot be the first key of a sorted map or set.
#[cold]
pub fn no_sorted_key(key: &Value) -> Diagnostic {
    Diagnostic::new(
        Code::WrongType,
        format!("a sorted map or set expects keys that can be compared, found {}", describe(key)),
    )
    .with_jvm_message(format!(
        "Default comparator requires nil, Number, or Comparable: {}",
        message_text(key)
    ))
    .with_help("use numbers, strings, keywords or vectors of them as keys")
}

#[cold]
pub fn without_end() -> Diagnostic {
    Diagnostic::new(
        Code::EndlessSequence,
        "the program needs all items of a sequence that never ends",
    )
    .with_help("take a part of it first: `(take 10 xs)` or `(take-while pred xs)`")
}

#[cold]
pub fn divides_by_zero(op: Op) -> Diagnostic {
    Diagnostic::new(Code::DivideByZero, format!("`{}` divides by zero", op.name()))
        .with_jvm_message("Divide by zero".to_owned())
        .with_help("test the divisor first: `(if (zero? n) … (/ x n))`")
}

/// Returns the JVM's message for a call of a value that is not a function.
pub fn no_function(value: &Value) -> Option<String> {
    cast_message(value, "IFn")
}

/// Returns the JVM's message for a value without items.
pub fn no_seq(value: &Value) -> String {
    format!("Don't know how to create ISeq from: {}", class_name(value, true))
}

pub fn class_name(value: &Value, full: bool) -> &'static str {
    match Class::of(value) {
        Some(class) if full => class.full_name,
        Some(class) => class.name,
        None => "null",
    }
}

/// Returns the text of a value for a message of the JVM, cut to the length of a message.
pub fn message_text(value: &Value) -> String {
    let mut out = String::new();
    print::append(&mut out, value, print::Style::Text, 1_000, &mut 1_000);
    out
}

/// Returns the JVM's message for a value that is not an instance of a class.
pub fn cast_message(value: &Value, wanted: &str) -> Option<String> {
    let (found, wanted) = (Class::of(value)?.full_name, Class::find(wanted)?.full_name);
    let module = |name: &str| {
        if name.starts_with("java.") {
            "module java.base of loader 'bootstrap'"
        } else {
            "unnamed module of loader 'app'"
        }
    };
    let modules = if module(found) == module(wanted) {
        format!("{found} and {wanted} are in {}", module(found))
    } else {
        format!("{found} is in {}; {wanted} is in {}", module(found), module(wanted))
    };
    Some(format!("class {found} cannot be cast to class {wanted} ({modules})"))
}

/// Checks that a value orders two values; data can be called but does not. Nil means `compare`.
pub fn check_comparator(value: &Value) -> Result<(), Diagnostic> {
    match value {
        Value::Nil | Value::Function(_) | Value::Builtin(_) => Ok(()),
        other => Err(Diagnostic::new(
            Code::WrongType,
            format!("sorting expects a function that compares two values, found {}", describe(other)),
        )
        .with_jvm_message(cast_message(other, "Comparator"))
        .with_help("write a function such as `>` or `(fn [a b] (compare a b))`; to sort by a key write `(sort-by key coll)`")),
    }
}

/// The characters of a name in a message.
const NAME: usize = 40;

/// Writes a name as a program does.
pub fn bare(name: &str) -> String {
    let text: String = name.chars().take(NAME).collect();
    let plain = |c: char| c.is_alphanumeric() || "-_?!*+./".contains(c);
    if !text.is_empty() && text.len() == name.len() && text.chars().all(plain) {
        format!(":{text}")
    } else {
        ptc_values::print::literal(&text)
    }
}
