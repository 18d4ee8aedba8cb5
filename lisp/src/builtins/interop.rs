//! Static functions and methods of Java that models write from habit. They do what Java does, but
//! that positions count characters (D3) and integers grow (D4).

use super::{Builtin, at_least, between, constant, exactly, pure, string, take, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{Cx, Res, items_of};
use crate::num::Num;
use crate::value::{Ext, Moment, Time, Value};

macro_rules! table {
    (
        constants { $($cname:literal, $cdoc:literal, $cexample:literal, $cvalue:expr;)+ }
        rows { $($name:literal, $arity:expr, $usage:literal, $doc:literal, $example:literal, $make:expr;)+ }
    ) => {
        pub(super) const TABLE: &[Builtin] = &[
            $(constant!($cname, $cdoc, $cexample, $cvalue),)+
            $(pure($name, $arity, $usage, $doc, $example, |cx, args| {
                let make: fn(&mut Cx, &'static str, &mut [Value]) -> Res = $make;
                make(cx, $name, args)
            }),)+
        ];
    };
}

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
        "Integer/parseInt", between(1, 2), "text|text radix", "The integer of 32 bits that a text is; an error if it is none.", "(Integer/parseInt \"42\") => 42", |_, who, args| parse(who, args, 32);
        "Long/parseLong", between(1, 2), "text|text radix", "The integer of 64 bits that a text is; an error if it is none.", "(Long/parseLong \"42\") => 42", |_, who, args| parse(who, args, 64);
        "Integer/valueOf", between(1, 2), "text|text radix", "The integer of 32 bits that a text or number is; an error if it is none.", "(Integer/valueOf \"42\") => 42", |_, who, args| value_of(who, args, 32);
        "Long/valueOf", between(1, 2), "text|text radix", "The integer of 64 bits that a text or number is; an error if it is none.", "(Long/valueOf \"42\") => 42", |_, who, args| value_of(who, args, 64);
        "Double/parseDouble", exactly(1), "text", "The float that a text is; an error if it is none.", "(Double/parseDouble \"2.5\") => 2.5", |_, who, args| parse_double(who, &args[0]);
        "Double/valueOf", exactly(1), "text", "The float that a text or number is; an error if it is none.", "(Double/valueOf \"2.5\") => 2.5", |_, who, args| match Num::of(&args[0]) {
            Some(number) => Ok(Value::Float(number.to_f64())),
            None => parse_double(who, &args[0]),
        };
        "Boolean/parseBoolean", exactly(1), "text", "Whether a text is true, in small letters or capitals.", "(Boolean/parseBoolean \"True\") => true", |_, who, args| parse_boolean(who, &args[0]);
        "Boolean/valueOf", exactly(1), "text", "Whether a text is true, in small letters or capitals; a boolean is itself.", "(Boolean/valueOf \"no\") => false", |_, who, args| match &args[0] {
            Value::Bool(bool) => Ok(Value::Bool(*bool)),
            other => parse_boolean(who, other),
        };
        "Integer/toString", between(1, 2), "x|x radix", "The digits of an integer.", "(Integer/toString 255 16) => \"ff\"", digits;
        "Long/toString", between(1, 2), "x|x radix", "The digits of an integer.", "(Long/toString 255 2) => \"11111111\"", digits;
        "Double/toString", exactly(1), "x", "The text of a float.", "(Double/toString 2) => \"2.0\"", |cx, who, args| {
            let float = number(who, &args[0])?.to_f64();
            let mut out = String::new();
            cx.text_of(&mut out, &Value::Float(float), false)?;
            cx.string(out)
        };
        "Boolean/toString", exactly(1), "x", "The text of a boolean.", "(Boolean/toString true) => \"true\"", |cx, who, args| match &args[0] {
            Value::Bool(bool) => cx.string(bool.to_string()),
            other => Err(wrong_type(who, "a boolean", other)),
        };
        "Integer/toBinaryString", exactly(1), "x", "The bits of an integer of 32 bits.", "(Integer/toBinaryString 10) => \"1010\"", |cx, who, args| int32(who, &args[0]).and_then(|x| cx.string(format!("{x:b}")));
        "Integer/toHexString", exactly(1), "x", "The hexadecimal digits of an integer of 32 bits.", "(Integer/toHexString 255) => \"ff\"", |cx, who, args| int32(who, &args[0]).and_then(|x| cx.string(format!("{x:x}")));
        "Integer/toOctalString", exactly(1), "x", "The octal digits of an integer of 32 bits.", "(Integer/toOctalString 8) => \"10\"", |cx, who, args| int32(who, &args[0]).and_then(|x| cx.string(format!("{x:o}")));
        "Long/toBinaryString", exactly(1), "x", "The bits of an integer of 64 bits.", "(Long/toBinaryString 10) => \"1010\"", |cx, who, args| int64(who, &args[0]).and_then(|x| cx.string(format!("{x:b}")));
        "Long/toHexString", exactly(1), "x", "The hexadecimal digits of an integer of 64 bits.", "(Long/toHexString -1) => \"ffffffffffffffff\"", |cx, who, args| int64(who, &args[0]).and_then(|x| cx.string(format!("{x:x}")));
        "Long/toOctalString", exactly(1), "x", "The octal digits of an integer of 64 bits.", "(Long/toOctalString 8) => \"10\"", |cx, who, args| int64(who, &args[0]).and_then(|x| cx.string(format!("{x:o}")));
        "Long/bitCount", exactly(1), "x", "How many bits of an integer are set.", "(Long/bitCount 7) => 3", |_, who, args| int64(who, &args[0]).map(|x| Value::Int(i64::from(x.count_ones())));
        "Integer/compare", exactly(2), "x y", "-1, 0 or 1, as x is less than, like or greater than y.", "(Integer/compare 1 2) => -1", |_, who, args| Ok(Value::Int(int64(who, &args[0])?.cmp(&int64(who, &args[1])?) as i64));
        "Long/compare", exactly(2), "x y", "-1, 0 or 1, as x is less than, like or greater than y.", "(Long/compare 2 1) => 1", |_, who, args| Ok(Value::Int(int64(who, &args[0])?.cmp(&int64(who, &args[1])?) as i64));
        "Double/compare", exactly(2), "x y", "-1, 0 or 1, as x is less than, like or greater than y; not-a-number is the greatest.", "(Double/compare 1.5 1) => 1", |_, who, args| Ok(Value::Int(number(who, &args[0])?.to_f64().total_cmp(&number(who, &args[1])?.to_f64()) as i64));
        "Long/signum", exactly(1), "x", "The sign of an integer: -1, 0 or 1.", "(Long/signum -5) => -1", |_, who, args| int64(who, &args[0]).map(|x| Value::Int(x.signum()));
        "Integer/signum", exactly(1), "x", "The sign of an integer: -1, 0 or 1.", "(Integer/signum 5) => 1", |_, who, args| int64(who, &args[0]).map(|x| Value::Int(x.signum()));
        "Double/isNaN", exactly(1), "x", "Whether a float is not a number.", "(Double/isNaN ##NaN) => true", |_, who, args| number(who, &args[0]).map(|x| Value::Bool(x.to_f64().is_nan()));
        "Double/isInfinite", exactly(1), "x", "Whether a float is infinite.", "(Double/isInfinite ##Inf) => true", |_, who, args| number(who, &args[0]).map(|x| Value::Bool(x.to_f64().is_infinite()));
        "String/valueOf", exactly(1), "x", "The text of a value.", "(String/valueOf 12) => \"12\"", |cx, _, args| {
            if args[0].is_nil() { cx.string("null") } else { display(cx, &args[0]) }
        };
        "String/format", at_least(1), "text & values", "The text with values in place of its directives; the same as `format`.", "(String/format \"%03d\" 7) => \"007\"", |cx, who, args| {
            let out = super::format::formatted(cx, who, args)?;
            cx.string(out)
        };
        "String/join", at_least(2), "separator texts|separator text & texts", "Texts with a separator between them.", "(String/join \", \" [\"a\" \"b\"]) => \"a, b\"", join;
        "Character/isDigit", exactly(1), "c", "Whether a character is a digit.", "(Character/isDigit \\7) => true", |_, who, args| test(who, &args[0], |c| c.is_ascii_digit() || (!c.is_ascii() && decimal(c)));
        "Character/isLetter", exactly(1), "c", "Whether a character is a letter.", "(Character/isLetter \\a) => true", |_, who, args| test(who, &args[0], letter);
        "Character/isLetterOrDigit", exactly(1), "c", "Whether a character is a letter or a digit.", "(Character/isLetterOrDigit \\-) => false", |_, who, args| test(who, &args[0], |c| letter(c) || c.is_ascii_digit() || (!c.is_ascii() && decimal(c)));
        "Character/isAlphabetic", exactly(1), "c", "Whether a character is alphabetic.", "(Character/isAlphabetic 97) => true", |_, who, args| test(who, &args[0], char::is_alphabetic);
        "Character/isWhitespace", exactly(1), "c", "Whether a character is white space.", "(Character/isWhitespace \\space) => true", |_, who, args| test(who, &args[0], white);
        "Character/isSpaceChar", exactly(1), "c", "Whether a character is a space.", "(Character/isSpaceChar \\space) => true", |_, who, args| test(who, &args[0], |c| c.is_whitespace() && !c.is_control());
        "Character/isUpperCase", exactly(1), "c", "Whether a character is a capital.", "(Character/isUpperCase \\A) => true", |_, who, args| test(who, &args[0], char::is_uppercase);
        "Character/isLowerCase", exactly(1), "c", "Whether a character is a small letter.", "(Character/isLowerCase \\A) => false", |_, who, args| test(who, &args[0], char::is_lowercase);
        "Character/toUpperCase", exactly(1), "c", "The capital of a character.", "(Character/toUpperCase \\a) => \"A\"", |cx, who, args| turned(cx, who, &args[0], |c| c.to_uppercase().to_string());
        "Character/toLowerCase", exactly(1), "c", "The small letter of a character.", "(Character/toLowerCase \\A) => \"a\"", |cx, who, args| turned(cx, who, &args[0], |c| c.to_lowercase().to_string());
        "Character/toString", exactly(1), "c", "The text of a character.", "(Character/toString \\a) => \"a\"", |cx, who, args| character(who, &args[0]).and_then(|c| cx.string(c.to_string()));
        "Character/getNumericValue", exactly(1), "c", "The number a digit or letter stands for: 7 for 7, 10 for a; -1 for others.", "(Character/getNumericValue \\7) => 7", |_, who, args| {
            character(who, &args[0]).map(|c| Value::Int(c.to_digit(36).map_or(-1, i64::from)))
        };
        "Character/digit", exactly(2), "c radix", "The digit a character is in a radix; -1 for others.", "(Character/digit \\f 16) => 15", |_, who, args| {
            let radix = radix(who, args.get(1))?;
            character(who, &args[0]).map(|c| Value::Int(c.to_digit(radix).map_or(-1, i64::from)))
        };
        ".intValue", exactly(1), "x", "The number as an integer of 32 bits; an integer is cut to its low bits.", "(.intValue 2.9) => 2", |_, who, args| match number(who, &args[0])? {
            Num::Float(float) => Ok(Value::Int(i64::from(float as i32))),
            _ => Ok(Value::Int(i64::from(low_bits(&args[0]) as i32))),
        };
        ".longValue", exactly(1), "x", "The number as an integer of 64 bits.", "(.longValue 2.9) => 2", |_, who, args| match number(who, &args[0])? {
            Num::Float(float) => Ok(Value::Int(float as i64)),
            _ => Ok(Value::Int(low_bits(&args[0]))),
        };
        ".doubleValue", exactly(1), "x", "The number as a float.", "(.doubleValue 2) => 2.0", |_, who, args| number(who, &args[0]).map(|x| Value::Float(x.to_f64()));
        ".floatValue", exactly(1), "x", "The number as a float.", "(.floatValue 2) => 2.0", |_, who, args| number(who, &args[0]).map(|x| Value::Float(x.to_f64()));
        ".booleanValue", exactly(1), "x", "The boolean itself.", "(.booleanValue true) => true", |_, who, args| match &args[0] {
            Value::Bool(bool) => Ok(Value::Bool(*bool)),
            other => Err(wrong_type(who, "a boolean", other)),
        };
        ".isNaN", exactly(1), "x", "Whether a float is not a number.", "(.isNaN ##NaN) => true", |_, who, args| match &args[0] {
            Value::Float(float) => Ok(Value::Bool(float.is_nan())),
            other => Err(wrong_type(who, "a float", other)),
        };
        ".toString", exactly(1), "x", "The text of a value.", "(.toString 12) => \"12\"", |cx, who, args| {
            not_nil(who, &args[0])?;
            display(cx, &args[0])
        };
        ".name", exactly(1), "x", "The name of a day of the week or a month, in capitals.", "(.name (.getDayOfWeek (LocalDate/of 2024 1 5))) => \"FRIDAY\"", |cx, who, args| {
            match Time::of(&args[0]).map(|time| (&time.kind, time.text())) {
                Some((Moment::DayOfWeek(_) | Moment::Month(_), text)) => cx.string(text.clone()),
                Some((Moment::Unit(_), text)) => cx.string(text.to_uppercase()),
                _ => Err(wrong_type(who, "a day of the week or a month", &args[0])
                    .with_help("the name of a keyword is `(name x)`")),
            }
        };
        ".equals", exactly(2), "x y", "Whether two values are equal and of one kind: 1 and 1.0 are not.", "(.equals \"a\" \"a\") => true", |cx, who, args| {
            not_nil(who, &args[0])?;
            let one_kind = match (&args[0], &args[1]) {
                (Value::Float(a), Value::Float(b)) => return Ok(Value::Bool(a.to_bits() == b.to_bits())),
                (a, b) if Num::of(a).is_some() && Num::of(b).is_some() => {
                    matches!(a, Value::Float(_)) == matches!(b, Value::Float(_))
                }
                _ => true,
            };
            Ok(Value::Bool(one_kind && cx.op(crate::ir::Op::Equal, &args[0], &args[1])?.truthy()))
        };
        ".compareTo", exactly(2), "x y", "Negative, 0 or positive, as x is before, like or after y.", "(.compareTo \"a\" \"c\") => -2", |cx, who, args| {
            not_nil(who, &args[0])?;
            not_nil(who, &args[1])?;
            cx.spend(1)?;
            compare(cx, &args[0], &args[1]).map(Value::Int)
        };
        ".getKey", exactly(1), "entry", "The key of an entry of a map.", "(.getKey (first {:a 1})) => :a", |_, who, args| entry(who, &args[0], 0);
        ".getValue", exactly(1), "x", "The value of an entry of a map; the number of a day of the week or a month.", "(.getValue (first {:a 1})) => 1", |_, who, args| {
            match Time::of(&args[0]).map(|time| &time.kind) {
                Some(Moment::DayOfWeek(number) | Moment::Month(number)) => Ok(Value::Int(i64::from(*number))),
                _ => entry(who, &args[0], 1),
            }
        };
        ".size", exactly(1), "coll", "How many items a collection has.", "(.size [1 2]) => 2", |_, who, args| {
            collection(who, &args[0])?;
            super::sequence::count_of(who, &args[0]).map(|count| Value::Int(count as i64))
        };
        ".get", exactly(2), "coll key", "The value of a key of a map; the item at a position, an error if there is none.", "(.get {:a 1} :a) => 1", |_, who, args| match &args[0] {
            Value::Map(map) => Ok(map.get(&args[1]).cloned().unwrap_or_default()),
            Value::Set(_) => Ok(super::lookup(&args[0], &args[1])),
            Value::Vector(_) | Value::List(_) => item(who, &args[0], &args[1]),
            other => Err(wrong_type(who, "a map or a list", other)),
        };
        ".getOrDefault", exactly(3), "map key default", "The value of a key of a map, or a default.", "(.getOrDefault {:a 1} :b 0) => 0", |_, who, args| {
            let found = map(who, &args[0])?.get(&args[1]).cloned();
            Ok(found.unwrap_or_else(|| take(args, 2)))
        };
        ".containsKey", exactly(2), "map key", "Whether a map has a key.", "(.containsKey {:a 1} :a) => true", |_, who, args| Ok(Value::Bool(map(who, &args[0])?.get(&args[1]).is_some()));
        ".containsValue", exactly(2), "map value", "Whether a map has a value.", "(.containsValue {:a 1} 1) => true", |cx, who, args| {
            let map = map(who, &args[0])?;
            cx.spend(map.len() as u64)?;
            Ok(Value::Bool(map.iter().any(|(_, value)| *value == args[1])))
        };
        ".keySet", exactly(1), "map", "The keys of a map, as a set.", "(.keySet {:a 1}) => #{:a}", |cx, who, args| {
            let keys: Vec<Value> = map(who, &args[0])?.iter().map(|(key, _)| key.clone()).collect();
            cx.spend(keys.len() as u64)?;
            crate::machine::set_of(cx, keys.into_iter())
        };
        ".values", exactly(1), "map", "The values of a map.", "(.values {:a 1}) => (1)", |cx, who, args| {
            let values: Vec<Value> = map(who, &args[0])?.iter().map(|(_, value)| value.clone()).collect();
            cx.spend(values.len() as u64)?;
            cx.list(values)
        };
        ".toUpperCase", exactly(1), "text", "The text in capitals.", "(.toUpperCase \"a\") => \"A\"", |cx, who, args| mapped(cx, who, args, str::to_uppercase);
        ".toLowerCase", exactly(1), "text", "The text in small letters.", "(.toLowerCase \"A\") => \"a\"", |cx, who, args| mapped(cx, who, args, str::to_lowercase);
        ".trim", exactly(1), "text", "The text without spaces and control characters at its ends.", "(.trim \" a \") => \"a\"", |cx, who, args| mapped(cx, who, args, |text| text.trim_matches(|c| c <= ' ').to_owned());
        ".strip", exactly(1), "text", "The text without white space at its ends.", "(.strip \" a \") => \"a\"", |cx, who, args| mapped(cx, who, args, |text| text.trim_matches(white).to_owned());
        ".stripLeading", exactly(1), "text", "The text without white space in front.", "(.stripLeading \" a \") => \"a \"", |cx, who, args| mapped(cx, who, args, |text| text.trim_start_matches(white).to_owned());
        ".stripTrailing", exactly(1), "text", "The text without white space behind.", "(.stripTrailing \" a \") => \" a\"", |cx, who, args| mapped(cx, who, args, |text| text.trim_end_matches(white).to_owned());
        ".length", exactly(1), "text", "How many characters a text has.", "(.length \"abc\") => 3", |cx, who, args| {
            let text = paid(cx, who, &args[0])?;
            Ok(Value::Int(text.chars().count() as i64))
        };
        ".isBlank", exactly(1), "text", "Whether a text is empty or white space.", "(.isBlank \" \") => true", |cx, who, args| Ok(Value::Bool(paid(cx, who, &args[0])?.chars().all(white)));
        ".isEmpty", exactly(1), "coll", "Whether a text or a collection has nothing in it.", "(.isEmpty \"\") => true", |_, who, args| match &args[0] {
            Value::Str(text) => Ok(Value::Bool(text.is_empty())),
            other => {
                collection(who, other)?;
                super::sequence::count_of(who, other).map(|count| Value::Bool(count == 0))
            }
        };
        ".startsWith", between(2, 3), "text start|text start from", "Whether a text starts with another, perhaps at a position.", "(.startsWith \"abc\" \"ab\") => true", |cx, who, args| {
            let whole = paid(cx, who, &args[0])?;
            let start = text(who, &args[1])?;
            let rest = match args.get(2) {
                None => Some(whole),
                Some(from) => byte_at(whole, int64(who, from)?).map(|at| &whole[at..]),
            };
            Ok(Value::Bool(rest.is_some_and(|rest| rest.starts_with(start))))
        };
        ".endsWith", exactly(2), "text end", "Whether a text ends with another.", "(.endsWith \"abc\" \"bc\") => true", |_, who, args| Ok(Value::Bool(text(who, &args[0])?.ends_with(text(who, &args[1])?)));
        ".contains", exactly(2), "coll x", "Whether a text contains another, or a collection an item.", "(.contains \"abc\" \"b\") => true", |cx, who, args| match &args[0] {
            Value::Str(_) => Ok(Value::Bool(paid(cx, who, &args[0])?.contains(text(who, &args[1])?))),
            Value::Set(set) => Ok(Value::Bool(set.contains(&args[1]))),
            list => find(cx, who, list, &args[1], false).map(|at| Value::Bool(at >= 0)),
        };
        ".indexOf", between(2, 3), "coll x|text x from", "The position of a part of a text or an item of a list; -1 if there is none.", "(.indexOf \"abc\" \"c\") => 2", |cx, who, args| {
            let Value::Str(_) = &args[0] else { return find(cx, who, &args[0], &args[1], false).map(Value::Int) };
            let whole = paid(cx, who, &args[0])?;
            let part = part(who, &args[1])?;
            let from = args.get(2).map_or(Ok(0), |from| int64(who, from))?.max(0);
            let start = byte_at(whole, from).unwrap_or(whole.len());
            Ok(position(whole, whole[start..].find(part.as_str()).map(|at| start + at)))
        };
        ".lastIndexOf", between(2, 3), "coll x|text x from", "The last position of a part of a text or an item of a list; -1 if there is none.", "(.lastIndexOf \"abab\" \"b\") => 3", |cx, who, args| {
            let Value::Str(_) = &args[0] else { return find(cx, who, &args[0], &args[1], true).map(Value::Int) };
            let whole = paid(cx, who, &args[0])?;
            let part = part(who, &args[1])?;
            let end = match args.get(2) {
                None => whole.len(),
                Some(from) => match int64(who, from)? {
                    ..=-1 => return Ok(Value::Int(-1)),
                    from => byte_at(whole, from).map_or(whole.len(), |at| (at + part.len()).min(whole.len())),
                },
            };
            Ok(position(whole, whole.get(..end).unwrap_or(whole).rfind(part.as_str())))
        };
        ".substring", between(2, 3), "text start|text start end", "The characters from start to before end.", "(.substring \"hello\" 1 3) => \"el\"", |cx, _, args| string::substring(cx, ".substring", args);
        ".charAt", exactly(2), "text index", "The character at a position.", "(.charAt \"abc\" 1) => \"b\"", |cx, who, args| {
            let whole = paid(cx, who, &args[0])?;
            let index = int64(who, &args[1])?;
            match usize::try_from(index).ok().and_then(|at| whole.chars().nth(at)) {
                Some(c) => cx.string(c.to_string()),
                None => Err(Diagnostic::new(
                    Code::OutOfBounds,
                    format!("`{who}` of {index} in a text of {} characters", whole.chars().count()),
                )
                .with_help("positions start at 0; use `(get text index)` for nil instead of an error")),
            }
        };
        ".codePointAt", exactly(2), "text index", "The Unicode number of the character at a position.", "(.codePointAt \"abc\" 1) => 98", |cx, who, args| {
            let whole = paid(cx, who, &args[0])?;
            let index = int64(who, &args[1])?;
            usize::try_from(index).ok().and_then(|at| whole.chars().nth(at)).map(|c| Value::Int(i64::from(u32::from(c)))).ok_or_else(|| {
                Diagnostic::new(Code::OutOfBounds, format!("`{who}` of {index} in a text of {} characters", whole.chars().count()))
            })
        };
        ".concat", exactly(2), "text other", "The texts one after the other.", "(.concat \"a\" \"b\") => \"ab\"", |cx, who, args| {
            let (a, b) = (paid(cx, who, &args[0])?, text(who, &args[1])?);
            cx.spend(b.len() as u64 / 16)?;
            cx.string(format!("{a}{b}"))
        };
        ".repeat", exactly(2), "text n", "The text so many times.", "(.repeat \"ab\" 2) => \"abab\"", |cx, who, args| {
            let text = text(who, &args[0])?;
            let count = int64(who, &args[1])?;
            let Ok(count) = usize::try_from(count) else {
                return Err(Diagnostic::new(Code::NumberRange, format!("`{who}` takes a count that is not negative, found {count}")));
            };
            let size = (text.len() as u64).saturating_mul(count as u64);
            cx.spend(size / 16 + 1)?;
            cx.alloc(size)?;
            cx.string(text.repeat(count))
        };
        ".equalsIgnoreCase", exactly(2), "text other", "Whether two texts are equal but for capitals.", "(.equalsIgnoreCase \"a\" \"A\") => true", |cx, who, args| {
            let Value::Str(other) = &args[1] else { text(who, &args[0])?; return Ok(Value::Bool(false)) };
            Ok(Value::Bool(folded(paid(cx, who, &args[0])?) == folded(other)))
        };
        ".compareToIgnoreCase", exactly(2), "text other", "Negative, 0 or positive, as a text is before, like or after another, without regard to capitals.", "(.compareToIgnoreCase \"a\" \"B\") => -1", |cx, who, args| {
            let (a, b) = (folded(paid(cx, who, &args[0])?), folded(text(who, &args[1])?));
            Ok(Value::Int(compare_texts(&a, &b)))
        };
        ".replace", exactly(3), "text old new", "The text with every such part replaced.", "(.replace \"a.b\" \".\" \"-\") => \"a-b\"", |cx, who, args| {
            let whole = paid(cx, who, &args[0])?;
            let (old, new) = (text(who, &args[1])?, text(who, &args[2])?);
            cx.alloc((whole.matches(old).count() as u64).saturating_mul(new.len() as u64))?;
            cx.string(whole.replace(old, new))
        };
        ".replaceAll", exactly(3), "text regex replacement", "The text with every match of a regular expression replaced; `$1` is a group.", "(.replaceAll \"a1b22\" \"[0-9]+\" \"-\") => \"a-b-\"", |cx, who, args| replace(cx, who, args, usize::MAX);
        ".replaceFirst", exactly(3), "text regex replacement", "The text with the first match of a regular expression replaced.", "(.replaceFirst \"a1b22\" \"[0-9]+\" \"-\") => \"a-b22\"", |cx, who, args| replace(cx, who, args, 1);
        ".matches", exactly(2), "text regex", "Whether a regular expression matches the whole text.", "(.matches \"abc\" \"[a-z]+\") => true", |cx, who, args| {
            let regex = regex(cx, who, &args[1])?;
            let whole = paid(cx, who, &args[0])?.to_owned();
            string::full_match(&regex, &whole).map(|found| Value::Bool(found.is_some()))
        };
        ".split", between(2, 3), "text regex|text regex limit", "The parts of a text around matches of a regular expression.", "(.split \"a,b\" \",\") => [\"a\" \"b\"]", |cx, who, args| {
            text(who, &args[0])?;
            args[1] = Value::Ext(std::sync::Arc::new(Ext::Regex(regex(cx, who, &args[1])?)));
            string::split(cx, args)
        };
        ".lines", exactly(1), "text", "The lines of a text.", "(.lines \"a\\nb\") => (\"a\" \"b\")", |cx, who, args| {
            let lines: Vec<Value> = paid(cx, who, &args[0])?.lines().map(Value::str).collect();
            cx.spend(lines.len() as u64)?;
            cx.list(lines)
        };
    }
}

/// Integers with more digits than this are refused: reading them takes quadratic time.
const MAX_DIGITS: usize = crate::value::json::MAX_DIGITS;

/// The integer of any size that a text is in some radix.
pub(super) fn parse_integer(who: &str, text: &str, radix: u32) -> Res {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || digits.len() > MAX_DIGITS || !digits.chars().all(|c| c.is_digit(radix))
    {
        return Err(no_number(who, text, "an integer"));
    }
    num_bigint::BigInt::parse_bytes(text.as_bytes(), radix)
        .map(Value::big)
        .ok_or_else(|| no_number(who, text, "an integer"))
}

#[cold]
fn no_number(who: &str, text: &str, what: &str) -> Diagnostic {
    let shown = super::describe(&Value::str(text));
    let shown = shown.strip_prefix("a string ").unwrap_or(&shown);
    let better = if what == "a float" { "parse-double" } else { "parse-long" };
    Diagnostic::new(Code::BadNumber, format!("`{who}` cannot read {shown} as {what}")).with_help(
        format!("`({better} text)` gives nil for what is no number; trim spaces and commas first"),
    )
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
        return Err(wrong_type(who, "a text", &args[0]).with_help(match &args[0] {
            Value::Nil => "the value is nil: check the key, or give a default with `(or x \"0\")`",
            _ => "a number needs no parsing; `(long x)` makes an integer of it",
        }));
    };
    let value = parse_integer(who, text, radix(who, args.get(1))?)?;
    let fits = value.as_int().is_some_and(|int| bits == 64 || i32::try_from(int).is_ok());
    if fits {
        return Ok(value);
    }
    Err(no_number(who, text, &format!("an integer of {bits} bits")).with_help(if bits == 32 {
        "`(parse-long text)` reads integers of 64 bits, `(bigint text)` of any size"
    } else {
        "`(bigint text)` reads integers of any size"
    }))
}

fn value_of(who: &str, args: &[Value], bits: u32) -> Res {
    match &args[0] {
        Value::Int(int) if bits == 64 || i32::try_from(*int).is_ok() => Ok(Value::Int(*int)),
        _ => parse(who, args, bits),
    }
}

fn parse_double(who: &str, value: &Value) -> Res {
    let text = text(who, value)?;
    super::number::parse_double(text)
        .map(Value::Float)
        .ok_or_else(|| no_number(who, text, "a float"))
}

fn parse_boolean(who: &str, value: &Value) -> Res {
    match value {
        Value::Nil => Ok(Value::Bool(false)),
        Value::Str(text) => Ok(Value::Bool(text.eq_ignore_ascii_case("true"))),
        other => Err(wrong_type(who, "a text", other)),
    }
}

fn digits(cx: &mut Cx, who: &'static str, args: &mut [Value]) -> Res {
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

fn text<'a>(who: &str, value: &'a Value) -> Res<&'a str> {
    value.as_str().ok_or_else(|| wrong_type(who, "a text", value))
}

/// A text, with looking through it paid for.
fn paid<'a>(cx: &mut Cx, who: &str, value: &'a Value) -> Res<&'a str> {
    let text = text(who, value)?;
    cx.spend(text.len() as u64 / 16 + 1)?;
    Ok(text)
}

fn number<'a>(who: &str, value: &'a Value) -> Res<Num<'a>> {
    Num::of(value).ok_or_else(|| wrong_type(who, "a number", value))
}

fn int64(who: &str, value: &Value) -> Res<i64> {
    value.as_int().ok_or_else(|| wrong_type(who, "an integer of 64 bits", value))
}

fn int32(who: &str, value: &Value) -> Res<i32> {
    i32::try_from(int64(who, value)?).map_err(|_| {
        wrong_type(who, "an integer of 32 bits", value)
            .with_help("`Long/` has the same functions for 64 bits")
    })
}

fn low_bits(value: &Value) -> i64 {
    match value {
        Value::Int(int) => *int,
        Value::Big(big) => {
            let low = big.iter_u64_digits().next().unwrap_or(0) as i64;
            if big.sign() == num_bigint::Sign::Minus { low.wrapping_neg() } else { low }
        }
        _ => 0,
    }
}

fn not_nil(who: &str, value: &Value) -> Res<()> {
    if value.is_nil() { Err(wrong_type(who, "a value", value)) } else { Ok(()) }
}

fn display(cx: &mut Cx, value: &Value) -> Res {
    let mut out = String::new();
    cx.text_of(&mut out, value, false)?;
    cx.spend(out.len() as u64 / 16 + 1)?;
    cx.string(out)
}

/// A text of one character, or a Unicode number.
fn character(who: &str, value: &Value) -> Res<char> {
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

fn test(who: &str, value: &Value, test: fn(char) -> bool) -> Res {
    character(who, value).map(|c| Value::Bool(test(c)))
}

/// The same kind comes back: a character for a character, a number for a number.
fn turned(cx: &mut Cx, who: &str, value: &Value, turn: fn(char) -> String) -> Res {
    let c = character(who, value)?;
    let text = turn(c);
    // A letter that becomes several stays as it is, as on the JVM.
    let turned = if text.chars().count() == 1 { text } else { c.to_string() };
    match value {
        Value::Int(_) => {
            character(who, &Value::str(turned)).map(|c| Value::Int(i64::from(u32::from(c))))
        }
        _ => cx.string(turned),
    }
}

/// Letters in Java's sense: not the numbers that Unicode calls alphabetic.
fn letter(c: char) -> bool {
    c.is_alphabetic() && !c.is_numeric()
}

/// Decimal digits of other scripts: Unicode numbers them in runs of ten.
fn decimal(c: char) -> bool {
    c.is_numeric()
        && regex::Regex::new(r"^\p{Nd}$")
            .is_ok_and(|digit| digit.is_match(c.encode_utf8(&mut [0; 4])))
}

/// White space in Java's sense: not the spaces that do not break a line.
fn white(c: char) -> bool {
    (c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}'))
        || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

fn mapped(cx: &mut Cx, who: &str, args: &[Value], map: fn(&str) -> String) -> Res {
    let text = map(paid(cx, who, &args[0])?);
    cx.string(text)
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
                    .with_help("`(str/join separator items)` takes items of any kind"));
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

fn compare_texts(a: &str, b: &str) -> i64 {
    let differ = a.chars().zip(b.chars()).find(|(a, b)| a != b);
    match differ {
        Some((a, b)) => i64::from(u32::from(a)) - i64::from(u32::from(b)),
        None => a.chars().count() as i64 - b.chars().count() as i64,
    }
}

/// `compareTo`: texts by the first difference, dates by the part that differs, others by order.
fn compare(cx: &mut Cx, a: &Value, b: &Value) -> Res<i64> {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => return Ok(compare_texts(a, b)),
        (Value::Int(_) | Value::Big(_), Value::Float(_))
        | (Value::Float(_), Value::Int(_) | Value::Big(_)) => {
            return Err(wrong_type(".compareTo", "two numbers of one kind", b)
                .with_help("`(compare x y)` compares numbers of any kind"));
        }
        (Value::Float(a), Value::Float(b)) => return Ok(a.total_cmp(b) as i64),
        _ => {}
    }
    if let (Some(a), Some(b)) = (Time::of(a), Time::of(b)) {
        let dates = match (&a.kind, &b.kind) {
            (Moment::Date(a), Moment::Date(b)) => Some((*a, *b)),
            (Moment::DateTime(a), Moment::DateTime(b)) => Some((a.date(), b.date())),
            (Moment::DayOfWeek(a), Moment::DayOfWeek(b)) | (Moment::Month(a), Moment::Month(b)) => {
                return Ok(i64::from(a - b));
            }
            _ => None,
        };
        let differ = dates.and_then(|(a, b)| {
            let parts = [
                i64::from(a.year()) - i64::from(b.year()),
                i64::from(a.month() - b.month()),
                i64::from(a.day() - b.day()),
            ];
            parts.into_iter().find(|part| *part != 0)
        });
        if let Some(differ) = differ {
            return Ok(differ);
        }
    }
    cx.compare(a, b).map(|order| order as i64)
}

fn entry(who: &str, value: &Value, at: usize) -> Res {
    match value {
        Value::Vector(entry) if entry.len() == 2 => Ok(entry.get(at).cloned().unwrap_or_default()),
        other => Err(wrong_type(who, "an entry of a map", other)),
    }
}

fn collection(who: &str, value: &Value) -> Res<()> {
    match value {
        Value::List(_) | Value::Vector(_) | Value::Map(_) | Value::Set(_) => Ok(()),
        Value::Str(_) => Err(wrong_type(who, "a collection", value)
            .with_help("the length of a text is `(count text)`")),
        other => Err(wrong_type(who, "a collection", other)),
    }
}

fn map<'a>(who: &str, value: &'a Value) -> Res<&'a crate::value::Map> {
    value.as_map().ok_or_else(|| wrong_type(who, "a map", value))
}

fn item(who: &str, list: &Value, index: &Value) -> Res {
    let at = usize::try_from(int64(who, index)?).ok();
    let (found, length) = match list {
        Value::Vector(items) => (at.and_then(|at| items.get(at)), items.len()),
        Value::List(items) => (at.and_then(|at| items.get(at)), items.len()),
        _ => (None, 0),
    };
    found.cloned().ok_or_else(|| super::sequence::out_of_bounds(index, length))
}

/// The position of an item of a list; -1 if there is none.
fn find(cx: &mut Cx, who: &str, list: &Value, wanted: &Value, last: bool) -> Res<i64> {
    let (Value::List(_) | Value::Vector(_)) = list else {
        return Err(wrong_type(who, "a text or a list", list));
    };
    let items: Vec<&Value> = list.items().into_iter().flatten().collect();
    cx.spend(items.len() as u64)?;
    let found = if last {
        items.iter().rposition(|item| *item == wanted)
    } else {
        items.iter().position(|item| *item == wanted)
    };
    Ok(found.map_or(-1, |at| at as i64))
}

/// What is looked for in a text: a text, or a character by its number.
fn part(who: &str, value: &Value) -> Res<String> {
    match value {
        Value::Str(text) => Ok(text.to_string()),
        Value::Int(_) => character(who, value).map(String::from),
        other => Err(wrong_type(who, "a text", other)),
    }
}

fn byte_at(text: &str, at: i64) -> Option<usize> {
    let at = usize::try_from(at).ok()?;
    text.char_indices().map(|(byte, _)| byte).chain([text.len()]).nth(at)
}

fn position(text: &str, byte: Option<usize>) -> Value {
    Value::Int(byte.map_or(-1, |byte| text[..byte].chars().count() as i64))
}

/// The regular expression of a text; Java's methods take texts where Clojure takes patterns.
fn regex(cx: &mut Cx, who: &str, value: &Value) -> Res<regex::Regex> {
    cx.alloc(4096)?;
    let compiled = match value {
        Value::Str(text) => string::compile_regex(text)?,
        other => {
            return Err(wrong_type(who, "the text of a regular expression", other)
                .with_help("a method takes it as a text: `(.split text \",\")`; or write `(str/split text #\",\")`"));
        }
    };
    match &compiled {
        Value::Ext(ext) => match &**ext {
            Ext::Regex(regex) => Ok(regex.clone()),
            _ => Err(wrong_type(who, "a regular expression", value)),
        },
        _ => Err(wrong_type(who, "a regular expression", value)),
    }
}

fn replace(cx: &mut Cx, who: &str, args: &[Value], most: usize) -> Res {
    let whole = paid(cx, who, &args[0])?;
    let regex = regex(cx, who, &args[1])?;
    let out = string::replace_matches(cx, &regex, whole, text(who, &args[2])?, most)?;
    cx.string(out)
}
