//! Classes as values, tests of them, and constructors.

use super::arguments::{display, text};
use super::fixed::{parse_double, value_of};
use crate::state::make;
use crate::take;
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, as_value, listed};
use ptc_machine::Row;
use ptc_machine::pure;
use ptc_values::{Class, Ext, Res, Value};

pub const TABLE: &[Row] = &[
    pure(
        "class",
        "x",
        "The class of a value; nil for nil.",
        "(class 1) => java.lang.Long",
        as_value(ANY),
        |_, args| Ok(Class::of(&args[0]).map_or(Value::Nil, class_value)),
    ),
    pure(
        "type",
        "x",
        "The class of a value; the same as `class`.",
        "(type \"a\") => java.lang.String",
        as_value(ANY),
        |_, args| Ok(Class::of(&args[0]).map_or(Value::Nil, class_value)),
    ),
    pure(
        ".getClass",
        "x",
        "The class of a value.",
        "(.getClass :a) => clojure.lang.Keyword",
        listed(ANY),
        |_, args| match Class::of(&args[0]) {
            Some(class) => Ok(class_value(class)),
            None => Err(wrong_type(".getClass", "a value", &args[0])),
        },
    ),
    pure(
        "class?",
        "x",
        "Whether it is a class.",
        "(class? String) => true",
        listed(ANY),
        |_, args| Ok(Value::Bool(class_of("class?", &args[0]).is_ok())),
    ),
    pure(
        "instance?",
        "class x",
        "Whether a value is an instance of a class or of a subclass.",
        "(instance? Number 1) => true",
        as_value(ANY),
        |_, args| Ok(Value::Bool(is_instance(class_of("instance?", &args[0])?, &args[1]))),
    ),
    pure(
        "cast",
        "class x",
        "The value itself; an error if it is not of the class.",
        "(cast Number 1) => 1",
        listed(ANY),
        |_, args| {
            let class = class_of("cast", &args[0])?;
            if args[1].is_nil() || is_instance(class, &args[1]) {
                return Ok(take(args, 1));
            }
            Err(wrong_type("cast", &format!("a value of the class {}", class.full_name), &args[1]))
        },
    ),
    pure(
        ".getName",
        "class",
        "The name of a class with its package.",
        "(.getName String) => \"java.lang.String\"",
        listed(ANY),
        |_, args| Ok(Value::str(class_of(".getName", &args[0])?.full_name)),
    ),
    pure(
        ".getSimpleName",
        "class",
        "The name of a class.",
        "(.getSimpleName (class 1)) => \"Long\"",
        listed(ANY),
        |_, args| Ok(Value::str(class_of(".getSimpleName", &args[0])?.name)),
    ),
    pure(
        "Integer.",
        "text",
        "Parses a text as an integer of 32 bits; an error if it is not one.",
        "(Integer. \"5\") => 5",
        listed(ANY),
        |_, args| value_of("Integer.", args, 32),
    ),
    pure(
        "Long.",
        "text",
        "Parses a text as an integer of 64 bits; an error if it is not one.",
        "(Long. \"9\") => 9",
        listed(ANY),
        |_, args| value_of("Long.", args, 64),
    ),
    pure(
        "BigInteger.",
        "text|text radix",
        "Parses a text as an integer of any size; an error if it is not one.",
        "(BigInteger. \"12\") => 12",
        listed(ANY),
        |cx, args| {
            cx.spend(text("BigInteger.", &args[0])?.len() as u64)?;
            super::fixed::any_size("BigInteger.", args)
        },
    ),
    pure(
        "Double.",
        "text",
        "Converts a text or number to a float; an error if it is not one.",
        "(Double. \"1.5\") => 1.5",
        listed(ANY),
        |_, args| match ptc_values::num::Num::of(&args[0]) {
            Some(number) => Ok(Value::Float(number.to_f64())),
            None => parse_double("Double.", &args[0]),
        },
    ),
    pure(
        "Boolean.",
        "text",
        "Whether a text is `true`, in upper or lower case.",
        "(Boolean. \"true\") => true",
        listed(ANY),
        |_, args| match &args[0] {
            Value::Bool(bool) => Ok(Value::Bool(*bool)),
            other => super::fixed::parse_boolean("Boolean.", other),
        },
    ),
    pure(
        "String.",
        "|text",
        "The text itself; an empty text without an argument.",
        "(String. \"abc\") => \"abc\"",
        listed(ANY),
        |cx, args| match args.first() {
            None => cx.string(""),
            Some(value) => {
                text("String.", value)?;
                display(cx, &args[0])
            }
        },
    ),
];

macro_rules! exceptions {
    ($($name:literal)+) => {
        pub const EXCEPTIONS: &[Row] = &[$(pure(
            concat!($name, "."),
            "|message|message cause",
            "An exception with a message.",
            concat!("(ex-message (", $name, ". \"bad\")) => \"bad\""),
            listed(ANY),
            |cx, args| make(cx, $name, args),
        ),)+];
    };
}

exceptions! {
    "Exception" "RuntimeException" "IllegalArgumentException" "IllegalStateException"
    "UnsupportedOperationException" "ArithmeticException" "NullPointerException"
    "IndexOutOfBoundsException" "ClassCastException" "NumberFormatException"
    "NoSuchElementException" "IOException" "InterruptedException" "TimeoutException"
    "Throwable" "Error" "AssertionError"
}

fn class_value(class: &'static Class) -> Value {
    Ext::Class(class).into_value()
}

fn class_of(who: &str, value: &Value) -> Res<&'static Class> {
    if let Value::Ext(ext) = value
        && let Ext::Class(class) = **ext
    {
        return Ok(class);
    }
    Err(wrong_type(who, "a class, such as String", value))
}

/// Returns whether a value is an instance of a class; a one-character text has two (D3).
fn is_instance(class: &Class, value: &Value) -> bool {
    let character = || value.as_str().is_some_and(|text| text.chars().count() == 1);
    Class::of(value).is_some_and(|own| own.is_a(class.name))
        || class.name == "Character" && character()
}
