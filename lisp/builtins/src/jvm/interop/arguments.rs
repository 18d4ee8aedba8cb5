//! The arguments and results of names of Java.

use ptc_facts::messages::wrong_type;
use ptc_machine::Cx;
use ptc_values::num::Num;
use ptc_values::{Res, Value};

pub(super) fn text<'a>(who: &str, value: &'a Value) -> Res<&'a str> {
    value.as_str().ok_or_else(|| {
        let problem = wrong_type(who, "a text", value);
        // For the JVM, a value without the method is an argument of the wrong kind.
        if who.starts_with('.') && !value.is_nil() {
            return problem.with_class("IllegalArgumentException");
        }
        problem
    })
}

pub(super) fn number<'a>(who: &str, value: &'a Value) -> Res<Num<'a>> {
    Num::of(value).ok_or_else(|| wrong_type(who, "a number", value))
}

pub(super) fn int64(who: &str, value: &Value) -> Res<i64> {
    value.as_int().ok_or_else(|| wrong_type(who, "an integer of 64 bits", value))
}

pub(super) fn display(cx: &mut Cx, value: &Value) -> Res {
    let mut out = String::new();
    cx.text_of(&mut out, value, false)?;
    cx.spend(out.len() as u64 / 16 + 1)?;
    cx.string(out)
}

/// Returns the character of a text with one character, or of a Unicode number.
pub(super) fn character(who: &str, value: &Value) -> Res<char> {
    let found = match value {
        Value::Str(text) => {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        }
        Value::Int(code) => u32::try_from(*code).ok().and_then(char::from_u32),
        _ => None,
    };
    found.ok_or_else(|| wrong_type(who, "a character", value))
}
