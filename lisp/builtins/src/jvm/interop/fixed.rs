//! Static functions and constants.

use super::arguments::{character, display, int64, number, text};
use crate::cast::{no_number, parse_integer};
use crate::jvm::format;
use crate::string::white;
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, listed};
use ptc_machine::Row;
use ptc_machine::{Cx, items_of};
use ptc_values::num::Num;
use ptc_values::{Res, Value};

table! {
    constants {
        "Integer/MAX_VALUE", "The greatest integer of 32 bits.", "Integer/MAX_VALUE => 2147483647", Value::Int(2_147_483_647);
        "Integer/MIN_VALUE", "The least integer of 32 bits.", "Integer/MIN_VALUE => -2147483648", Value::Int(-2_147_483_648);
        "Long/MAX_VALUE", "The greatest integer of 64 bits.", "Long/MAX_VALUE => 9223372036854775807", Value::Int(i64::MAX);
        "Long/MIN_VALUE", "The least integer of 64 bits.", "Long/MIN_VALUE => -9223372036854775808", Value::Int(i64::MIN);
        "Double/MAX_VALUE", "The greatest float that is not infinite.", "Double/MAX_VALUE => 1.7976931348623157E308", Value::Float(f64::MAX);
        "Double/MIN_VALUE", "The least float greater than 0.", "(pos? Double/MIN_VALUE) => true", Value::Float(5e-324);
        "Double/POSITIVE_INFINITY", "The infinite float.", "Double/POSITIVE_INFINITY => ##Inf", Value::Float(f64::INFINITY);
        "Double/NEGATIVE_INFINITY", "The negative infinite float.", "Double/NEGATIVE_INFINITY => ##-Inf", Value::Float(f64::NEG_INFINITY);
        "Double/NaN", "The float that is not a number.", "Double/NaN => ##NaN", Value::Float(f64::NAN);
        "Boolean/TRUE", "true.", "Boolean/TRUE => true", Value::Bool(true);
        "Boolean/FALSE", "false.", "Boolean/FALSE => false", Value::Bool(false);
    }
    rows {
        "Integer/parseInt", "text|text radix", "Parses a text as an integer of 32 bits; an error if it is not one.", "(Integer/parseInt \"42\") => 42", listed(ANY), |_, who, args| parse(who, args, 32);
        "Long/parseLong", "text|text radix", "Parses a text as an integer of 64 bits; an error if it is not one.", "(Long/parseLong \"42\") => 42", listed(ANY), |_, who, args| parse(who, args, 64);
        "Integer/valueOf", "text|text radix", "Converts a text or number to an integer of 32 bits; an error if it is not one.", "(Integer/valueOf \"42\") => 42", listed(ANY), |_, who, args| value_of(who, args, 32);
        "Long/valueOf", "text|text radix", "Converts a text or number to an integer of 64 bits; an error if it is not one.", "(Long/valueOf \"42\") => 42", listed(ANY), |_, who, args| value_of(who, args, 64);
        "Double/parseDouble", "text", "Parses a text as a float; an error if it is not one.", "(Double/parseDouble \"2.5\") => 2.5", listed(ANY), |_, who, args| parse_double(who, &args[0]);
        "Float/parseFloat", "text", "Parses a text as a float; an error if it is not one.", "(Float/parseFloat \"1.5\") => 1.5", listed(ANY), |_, who, args| parse_double(who, &args[0]);
        "Double/valueOf", "text", "Converts a text or number to a float; an error if it is not one.", "(Double/valueOf \"2.5\") => 2.5", listed(ANY), |_, who, args| match Num::of(&args[0]) {
            Some(number) => Ok(Value::Float(number.to_f64())),
            None => parse_double(who, &args[0]),
        };
        "Boolean/parseBoolean", "text", "Whether a text is `true`, in upper or lower case.", "(Boolean/parseBoolean \"True\") => true", listed(ANY), |_, who, args| parse_boolean(who, &args[0]);
        "Boolean/valueOf", "text", "Whether a text is `true`, in upper or lower case; a boolean is unchanged.", "(Boolean/valueOf \"no\") => false", listed(ANY), |_, who, args| match &args[0] {
            Value::Bool(bool) => Ok(Value::Bool(*bool)),
            other => parse_boolean(who, other),
        };
        "Integer/toString", "x|x radix", "The digits of an integer.", "(Integer/toString 255 16) => \"ff\"", listed(ANY), digits;
        "Long/toString", "x|x radix", "The digits of an integer.", "(Long/toString 255 2) => \"11111111\"", listed(ANY), digits;
        "Double/toString", "x", "The text of a float.", "(Double/toString 2) => \"2.0\"", listed(ANY), |cx, who, args| {
            let float = number(who, &args[0])?.to_f64();
            let mut out = String::new();
            cx.text_of(&mut out, &Value::Float(float), false)?;
            cx.string(out)
        };
        "Boolean/toString", "x", "The text of a boolean.", "(Boolean/toString true) => \"true\"", listed(ANY), |cx, who, args| match &args[0] {
            Value::Bool(bool) => cx.string(bool.to_string()),
            other => Err(wrong_type(who, "a boolean", other)),
        };
        "Integer/toBinaryString", "x", "The bits of an integer of 32 bits.", "(Integer/toBinaryString 10) => \"1010\"", listed(ANY), |cx, who, args| int32(who, &args[0]).and_then(|x| cx.string(format!("{x:b}")));
        "Integer/toHexString", "x", "The hexadecimal digits of an integer of 32 bits.", "(Integer/toHexString 255) => \"ff\"", listed(ANY), |cx, who, args| int32(who, &args[0]).and_then(|x| cx.string(format!("{x:x}")));
        "Integer/toOctalString", "x", "The octal digits of an integer of 32 bits.", "(Integer/toOctalString 8) => \"10\"", listed(ANY), |cx, who, args| int32(who, &args[0]).and_then(|x| cx.string(format!("{x:o}")));
        "Long/toBinaryString", "x", "The bits of an integer of 64 bits.", "(Long/toBinaryString 10) => \"1010\"", listed(ANY), |cx, who, args| int64(who, &args[0]).and_then(|x| cx.string(format!("{x:b}")));
        "Long/toHexString", "x", "The hexadecimal digits of an integer of 64 bits.", "(Long/toHexString -1) => \"ffffffffffffffff\"", listed(ANY), |cx, who, args| int64(who, &args[0]).and_then(|x| cx.string(format!("{x:x}")));
        "Long/toOctalString", "x", "The octal digits of an integer of 64 bits.", "(Long/toOctalString 8) => \"10\"", listed(ANY), |cx, who, args| int64(who, &args[0]).and_then(|x| cx.string(format!("{x:o}")));
        "Long/bitCount", "x", "The number of bits that are set in an integer.", "(Long/bitCount 7) => 3", listed(ANY), |_, who, args| int64(who, &args[0]).map(|x| Value::Int(i64::from(x.count_ones())));
        "Integer/compare", "x y", "-1, 0 or 1, as x is less than, equal to or greater than y.", "(Integer/compare 1 2) => -1", listed(ANY), |_, who, args| Ok(Value::Int(int64(who, &args[0])?.cmp(&int64(who, &args[1])?) as i64));
        "Long/compare", "x y", "-1, 0 or 1, as x is less than, equal to or greater than y.", "(Long/compare 2 1) => 1", listed(ANY), |_, who, args| Ok(Value::Int(int64(who, &args[0])?.cmp(&int64(who, &args[1])?) as i64));
        "Double/compare", "x y", "-1, 0 or 1, as x is less than, equal to or greater than y; not-a-number is the greatest.", "(Double/compare 1.5 1) => 1", listed(ANY), |_, who, args| Ok(Value::Int(number(who, &args[0])?.to_f64().total_cmp(&number(who, &args[1])?.to_f64()) as i64));
        "Long/signum", "x", "The sign of an integer: -1, 0 or 1.", "(Long/signum -5) => -1", listed(ANY), |_, who, args| int64(who, &args[0]).map(|x| Value::Int(x.signum()));
        "Integer/signum", "x", "The sign of an integer: -1, 0 or 1.", "(Integer/signum 5) => 1", listed(ANY), |_, who, args| int64(who, &args[0]).map(|x| Value::Int(x.signum()));
        "Double/isNaN", "x", "Whether a float is not a number.", "(Double/isNaN ##NaN) => true", listed(ANY), |_, who, args| number(who, &args[0]).map(|x| Value::Bool(x.to_f64().is_nan()));
        "Double/isInfinite", "x", "Whether a float is infinite.", "(Double/isInfinite ##Inf) => true", listed(ANY), |_, who, args| number(who, &args[0]).map(|x| Value::Bool(x.to_f64().is_infinite()));
        "String/valueOf", "x", "The text of a value.", "(String/valueOf 12) => \"12\"", listed(ANY), |cx, _, args| {
            if args[0].is_nil() { cx.string("null") } else { display(cx, &args[0]) }
        };
        "String/format", "text & values", "The text with its directives replaced by values; the same as `format`.", "(String/format \"%03d\" 7) => \"007\"", listed(ANY), |cx, who, args| {
            let out = format::formatted(cx, who, args)?;
            cx.string(out)
        };
        "String/join", "separator texts|separator text & texts", "The texts, joined with a separator.", "(String/join \", \" [\"a\" \"b\"]) => \"a, b\"", listed(ANY), join;
        "Character/isDigit", "c", "Whether a character is a digit.", "(Character/isDigit \\7) => true", listed(ANY), |_, who, args| test(who, &args[0], |c| c.is_ascii_digit() || (!c.is_ascii() && decimal(c)));
        "Character/isLetter", "c", "Whether a character is a letter.", "(Character/isLetter \\a) => true", listed(ANY), |_, who, args| test(who, &args[0], letter);
        "Character/isLetterOrDigit", "c", "Whether a character is a letter or a digit.", "(Character/isLetterOrDigit \\-) => false", listed(ANY), |_, who, args| test(who, &args[0], |c| letter(c) || c.is_ascii_digit() || (!c.is_ascii() && decimal(c)));
        "Character/isAlphabetic", "c", "Whether a character is alphabetic.", "(Character/isAlphabetic 97) => true", listed(ANY), |_, who, args| test(who, &args[0], char::is_alphabetic);
        "Character/isWhitespace", "c", "Whether a character is white space.", "(Character/isWhitespace \\space) => true", listed(ANY), |_, who, args| test(who, &args[0], white);
        "Character/isSpaceChar", "c", "Whether a character is a space.", "(Character/isSpaceChar \\space) => true", listed(ANY), |_, who, args| test(who, &args[0], |c| c.is_whitespace() && !c.is_control());
        "Character/isUpperCase", "c", "Whether a character is an upper-case letter.", "(Character/isUpperCase \\A) => true", listed(ANY), |_, who, args| test(who, &args[0], char::is_uppercase);
        "Character/isLowerCase", "c", "Whether a character is a lower-case letter.", "(Character/isLowerCase \\A) => false", listed(ANY), |_, who, args| test(who, &args[0], char::is_lowercase);
        "Character/toUpperCase", "c", "The character in upper case.", "(Character/toUpperCase \\a) => \"A\"", listed(ANY), |_, who, args| map_char(who, &args[0], |c| c.to_uppercase().to_string());
        "Character/toLowerCase", "c", "The character in lower case.", "(Character/toLowerCase \\A) => \"a\"", listed(ANY), |_, who, args| map_char(who, &args[0], |c| c.to_lowercase().to_string());
        "Character/toString", "c", "The text of a character.", "(Character/toString \\a) => \"a\"", listed(ANY), |cx, who, args| character(who, &args[0]).and_then(|c| cx.string(c.to_string()));
        "Character/getNumericValue", "c", "The numeric value of a digit or letter: 7 for 7, 10 for a; -1 for others.", "(Character/getNumericValue \\7) => 7", listed(ANY), |_, who, args| {
            character(who, &args[0]).map(|c| Value::Int(c.to_digit(36).map_or(-1, i64::from)))
        };
        "Character/digit", "c radix", "The value of a character as a digit in a radix; -1 for others.", "(Character/digit \\f 16) => 15", listed(ANY), |_, who, args| {
            let radix = radix(who, args.get(1))?;
            character(who, &args[0]).map(|c| Value::Int(c.to_digit(radix).map_or(-1, i64::from)))
        };
    }
}

fn radix(who: &str, value: Option<&Value>) -> Res<u32> {
    match value {
        None => Ok(10),
        Some(Value::Int(radix @ 2..=36)) => Ok(*radix as u32),
        Some(other) => Err(wrong_type(who, "a radix from 2 to 36", other)),
    }
}

fn parse(who: &str, args: &[Value], bits: u32) -> Res {
    let Value::Str(text) = &args[0] else {
        let problem = wrong_type(who, "a text", &args[0]).with_help(match &args[0] {
            Value::Nil => "the value is nil: check the key, or give a default with `(or x \"0\")`",
            _ => "a number needs no parsing; `(long x)` converts it to an integer",
        });
        // For the JVM, nil is a text that is not a number.
        return Err(match &args[0] {
            Value::Nil => problem
                .with_class("NumberFormatException")
                .with_jvm_message("Cannot parse null string".to_owned()),
            _ => problem,
        });
    };
    let radix = radix(who, args.get(1))?;
    let value = parse_integer(who, text, radix)?;
    let fits = value.as_int().is_some_and(|int| bits == 64 || i32::try_from(int).is_ok());
    if fits {
        return Ok(value);
    }
    Err(no_number(who, text, &format!("an integer of {bits} bits"), radix).with_help(
        if bits == 32 {
            "`(parse-long text)` reads integers of 64 bits, `(bigint text)` of any size"
        } else {
            "`(bigint text)` reads integers of any size"
        },
    ))
}

/// Parses an integer of any size from arguments with an optional radix.
pub(super) fn any_size(who: &str, args: &[Value]) -> Res {
    parse_integer(who, text(who, &args[0])?, radix(who, args.get(1))?)
}

pub(super) fn value_of(who: &str, args: &[Value], bits: u32) -> Res {
    match &args[0] {
        Value::Int(int) if bits == 64 || i32::try_from(*int).is_ok() => Ok(Value::Int(*int)),
        _ => parse(who, args, bits),
    }
}

pub(super) fn parse_double(who: &str, value: &Value) -> Res {
    let text = text(who, value)?;
    crate::number::parse_double(text)
        .map(Value::Float)
        .ok_or_else(|| no_number(who, text, "a float", 10))
}

pub(super) fn parse_boolean(who: &str, value: &Value) -> Res {
    match value {
        Value::Nil => Ok(Value::Bool(false)),
        Value::Str(text) => Ok(Value::Bool(text.eq_ignore_ascii_case("true"))),
        other => Err(wrong_type(who, "a text", other)),
    }
}

pub(super) fn digits(cx: &mut Cx, who: &'static str, args: &mut [Value]) -> Res {
    let radix = radix(who, args.get(1))?;
    match &args[0] {
        Value::Int(int) => cx.string(num_bigint::BigInt::from(*int).to_str_radix(radix)),
        Value::Big(big) => {
            cx.spend(big.bits())?;
            cx.string(big.to_str_radix(radix))
        }
        other => Err(wrong_type(who, "an integer", other)),
    }
}

fn int32(who: &str, value: &Value) -> Res<i32> {
    i32::try_from(int64(who, value)?).map_err(|_| {
        wrong_type(who, "an integer of 32 bits", value)
            .with_help("`Long/` has the same functions for 64 bits")
    })
}

fn test(who: &str, value: &Value, test: fn(char) -> bool) -> Res {
    character(who, value).map(|c| Value::Bool(test(c)))
}

/// Changes a character, and keeps its kind: a character or a number.
fn map_char(who: &str, value: &Value, turn: fn(char) -> String) -> Res {
    let c = character(who, value)?;
    let text = turn(c);
    // A letter that would become several stays unchanged, as on the JVM.
    let turned = if text.chars().count() == 1 { text } else { c.to_string() };
    match value {
        Value::Int(_) => {
            character(who, &Value::str(turned)).map(|c| Value::Int(i64::from(u32::from(c))))
        }
        _ => character(who, &Value::str(turned)).map(Value::character),
    }
}

/// Returns whether a character is a letter in Java: not the numbers that Unicode calls alphabetic.
fn letter(c: char) -> bool {
    c.is_alphabetic() && !c.is_numeric()
}

/// Returns whether a character is a decimal digit: Unicode numbers them in runs of ten.
fn decimal(c: char) -> bool {
    c.is_numeric()
        && regex::Regex::new(r"^\p{Nd}$")
            .is_ok_and(|digit| digit.is_match(c.encode_utf8(&mut [0; 4])))
}

fn join(cx: &mut Cx, who: &'static str, args: &mut [Value]) -> Res {
    let separator = text(who, &args[0])?.to_owned();
    let items = match &args[1..] {
        [Value::Str(_), ..] => args[1..].to_vec(),
        [items] => items_of(cx, items.clone())?,
        [other, ..] => return Err(wrong_type(who, "texts", other)),
        [] => Vec::new(),
    };
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(&separator);
        }
        match item {
            Value::Str(text) => out.push_str(text),
            Value::Nil => out.push_str("null"),
            other => {
                return Err(wrong_type(who, "texts", other)
                    .with_help("`(str/join separator items)` takes items of any type"));
            }
        }
        cx.alloc(separator.len() as u64)?;
        if out.len() as u64 > cx.limits.memory {
            return Err(cx.too_much());
        }
    }
    cx.spend(out.len() as u64 / 16 + 1)?;
    cx.string(out)
}
