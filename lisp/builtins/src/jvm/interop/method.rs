//! Methods of texts, numbers and collections.

use std::sync::Arc;

use arcstr::ArcStr;

use super::arguments::{character, display, int64, number, text};
use crate::regex::pattern_of;
use crate::replace::replace_matches;
use crate::string::white;
use crate::{sequence, string, take};
use ptc_facts::access::lookup;
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, Expects, listed};
use ptc_machine::Cx;
use ptc_machine::Row;
use ptc_values::code::Code;
use ptc_values::num::Num;
use ptc_values::{Diagnostic, Ext, Moment, Pattern, Res, Time, Value, difference};

table! {
    constants {}
    rows {
        ".intValue", "x", "The number as an integer of 32 bits; an integer is cut to its low bits.", "(.intValue 2.9) => 2", listed(ANY), |_, who, args| match number(who, &args[0])? {
            Num::Float(float) => Ok(Value::Int(i64::from(float as i32))),
            _ => Ok(Value::Int(i64::from(low_bits(&args[0]) as i32))),
        };
        ".longValue", "x", "The number as an integer of 64 bits.", "(.longValue 2.9) => 2", listed(ANY), |_, who, args| match number(who, &args[0])? {
            Num::Float(float) => Ok(Value::Int(float as i64)),
            _ => Ok(Value::Int(low_bits(&args[0]))),
        };
        ".doubleValue", "x", "The number as a float.", "(.doubleValue 2) => 2.0", listed(ANY), |_, who, args| number(who, &args[0]).map(|x| Value::Float(x.to_f64()));
        ".floatValue", "x", "The number as a float.", "(.floatValue 2) => 2.0", listed(ANY), |_, who, args| number(who, &args[0]).map(|x| Value::Float(x.to_f64()));
        ".booleanValue", "x", "The boolean itself.", "(.booleanValue true) => true", listed(ANY), |_, who, args| match &args[0] {
            Value::Bool(bool) => Ok(Value::Bool(*bool)),
            other => Err(wrong_type(who, "a boolean", other)),
        };
        ".isNaN", "x", "Whether a float is not a number.", "(.isNaN ##NaN) => true", listed(ANY), |_, who, args| match &args[0] {
            Value::Float(float) => Ok(Value::Bool(float.is_nan())),
            other => Err(wrong_type(who, "a float", other)),
        };
        ".toString", "x|x radix", "The text of a value; the digits of an integer in a radix.", "(.toString 12) => \"12\"", listed(ANY), |cx, who, args| {
            not_nil(who, &args[0])?;
            if args.len() == 2 {
                return super::fixed::digits(cx, who, args);
            }
            display(cx, &args[0])
        };
        ".name", "x", "The name of a day of the week or a month, in upper case.", "(.name (.getDayOfWeek (LocalDate/of 2024 1 5))) => \"FRIDAY\"", listed(ANY), |cx, who, args| {
            match Time::of(&args[0]).map(|time| (&time.kind, time.text())) {
                Some((Moment::DayOfWeek(_) | Moment::Month(_), text)) => cx.string(text.clone()),
                Some((Moment::Unit(_), text)) => cx.string(text.to_uppercase()),
                _ => Err(wrong_type(who, "a day of the week or a month", &args[0])
                    .with_help("for the name of a keyword write `(name x)`")),
            }
        };
        ".equals", "x y", "Whether two values are equal and of the same type: 1 and 1.0 are not.", "(.equals \"a\" \"a\") => true", listed(ANY), |cx, who, args| {
            not_nil(who, &args[0])?;
            let one_kind = match (&args[0], &args[1]) {
                (Value::Float(a), Value::Float(b)) => return Ok(Value::Bool(a.to_bits() == b.to_bits())),
                (a, b) if Num::of(a).is_some() && Num::of(b).is_some() => {
                    matches!(a, Value::Float(_)) == matches!(b, Value::Float(_))
                }
                _ => true,
            };
            Ok(Value::Bool(one_kind && cx.op(ptc_values::ir::Op::Equal, &args[0], &args[1])?.truthy()))
        };
        ".compareTo", "x y", "Negative, 0 or positive, as x is before, equal to or after y.", "(.compareTo \"a\" \"c\") => -2", listed(ANY), |cx, who, args| {
            not_nil(who, &args[0])?;
            not_nil(who, &args[1])?;
            cx.spend(1)?;
            compare(cx, &args[0], &args[1]).map(Value::Int)
        };
        ".getKey", "entry", "The key of a map entry.", "(.getKey (first {:a 1})) => :a", listed(ANY), |_, who, args| entry(who, &args[0], 0);
        ".getValue", "x", "The value of a map entry; the number of a day of the week or a month.", "(.getValue (first {:a 1})) => 1", listed(ANY), |_, who, args| {
            match Time::of(&args[0]).map(|time| &time.kind) {
                Some(Moment::DayOfWeek(number) | Moment::Month(number)) => Ok(Value::Int(i64::from(*number))),
                _ => entry(who, &args[0], 1),
            }
        };
        ".size", "coll", "The number of items of a collection.", "(.size [1 2]) => 2", listed(ANY), |_, who, args| {
            collection(who, &args[0])?;
            sequence::count_of(who, &args[0]).map(|count| Value::Int(count as i64))
        };
        ".get", "coll key", "The value of a key of a map; the item at a position, an error if there is none.", "(.get {:a 1} :a) => 1", listed(ANY), |cx, who, args| match &args[0] {
            Value::Map(_) | Value::Set(_) if args[1].depth() > 0 => {
                cx.look_for(&args[1])?;
                Ok(lookup(&args[0], &args[1]))
            }
            Value::Map(map) => Ok(map.get(&args[1]).cloned().unwrap_or_default()),
            Value::Set(_) => Ok(lookup(&args[0], &args[1])),
            Value::Vector(_) | Value::List(_) => item(who, &args[0], &args[1]),
            other => Err(wrong_type(who, "a map or a list", other)),
        };
        ".getOrDefault", "map key default", "The value of a key of a map, or a default.", "(.getOrDefault {:a 1} :b 0) => 0", listed(ANY), |cx, who, args| {
            cx.look_for(&args[1])?;
            let found = map(who, &args[0])?.get(&args[1]).cloned();
            Ok(found.unwrap_or_else(|| take(args, 2)))
        };
        ".containsKey", "map key", "Whether a map has a key.", "(.containsKey {:a 1} :a) => true", listed(ANY), |cx, who, args| {
            cx.look_for(&args[1])?;
            Ok(Value::Bool(map(who, &args[0])?.get(&args[1]).is_some()))
        };
        ".containsValue", "map value", "Whether a map has a value.", "(.containsValue {:a 1} 1) => true", listed(ANY), |cx, who, args| {
            let map = map(who, &args[0])?;
            cx.spend(map.len() as u64)?;
            for (_, value) in map.iter() {
                if cx.equal(value, &args[1])? {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        };
        ".keySet", "map", "The keys of a map, as a set.", "(.keySet {:a 1}) => #{:a}", listed(ANY), |cx, who, args| {
            let keys: Vec<Value> = map(who, &args[0])?.iter().map(|(key, _)| key.clone()).collect();
            cx.spend(keys.len() as u64)?;
            cx.set_of(keys.into_iter())
        };
        ".values", "map", "The values of a map.", "(.values {:a 1}) => (1)", listed(ANY), |cx, who, args| {
            let values: Vec<Value> = map(who, &args[0])?.iter().map(|(_, value)| value.clone()).collect();
            cx.spend(values.len() as u64)?;
            cx.list(values)
        };
        ".toUpperCase", "text", "The text in upper case.", "(.toUpperCase \"a\") => \"A\"", listed(ANY), |cx, who, args| mapped(cx, who, args, str::to_uppercase);
        ".toLowerCase", "text", "The text in lower case.", "(.toLowerCase \"A\") => \"a\"", listed(ANY), |cx, who, args| mapped(cx, who, args, str::to_lowercase);
        ".trim", "text", "The text without spaces and control characters at its ends.", "(.trim \" a \") => \"a\"", listed(ANY), |cx, who, args| mapped(cx, who, args, |text| text.trim_matches(|c| c <= ' ').to_owned());
        ".strip", "text", "The text without white space at its ends.", "(.strip \" a \") => \"a\"", listed(ANY), |cx, who, args| mapped(cx, who, args, |text| text.trim_matches(white).to_owned());
        ".stripLeading", "text", "The text without white space at its start.", "(.stripLeading \" a \") => \"a \"", listed(ANY), |cx, who, args| mapped(cx, who, args, |text| text.trim_start_matches(white).to_owned());
        ".stripTrailing", "text", "The text without white space at its end.", "(.stripTrailing \" a \") => \" a\"", listed(ANY), |cx, who, args| mapped(cx, who, args, |text| text.trim_end_matches(white).to_owned());
        ".length", "text", "The number of characters of a text.", "(.length \"abc\") => 3", listed(ANY).charges_lookup(), |cx, who, args| {
            let text = long(who, &args[0])?;
            cx.spend(text.len().min(256) as u64 / 16 + 1)?;
            Ok(Value::Int(cx.positions.count(text) as i64))
        };
        ".isBlank", "text", "Whether a text is empty or white space.", "(.isBlank \" \") => true", listed(ANY), |cx, who, args| Ok(Value::Bool(paid(cx, who, &args[0])?.chars().all(white)));
        ".isEmpty", "coll", "Whether a text or a collection is empty.", "(.isEmpty \"\") => true", listed(ANY), |_, who, args| match &args[0] {
            Value::Str(text) => Ok(Value::Bool(text.is_empty())),
            other => {
                collection(who, other)?;
                sequence::count_of(who, other).map(|count| Value::Bool(count == 0))
            }
        };
        ".startsWith", "text start|text start from", "Whether a text starts with another, optionally at a position.", "(.startsWith \"abc\" \"ab\") => true", listed(ANY), |cx, who, args| {
            let whole = paid(cx, who, &args[0])?;
            let start = text(who, &args[1])?;
            let rest = match args.get(2) {
                None => Some(whole),
                Some(from) => byte_at(whole, int64(who, from)?).map(|at| &whole[at..]),
            };
            Ok(Value::Bool(rest.is_some_and(|rest| rest.starts_with(start))))
        };
        ".endsWith", "text end", "Whether a text ends with another.", "(.endsWith \"abc\" \"bc\") => true", listed(ANY), |_, who, args| Ok(Value::Bool(text(who, &args[0])?.ends_with(text(who, &args[1])?)));
        ".contains", "coll x", "Whether a text contains another, or a collection an item.", "(.contains \"abc\" \"b\") => true", listed(ANY).expects(Expects::Member), |cx, who, args| match &args[0] {
            Value::Str(_) => Ok(Value::Bool(paid(cx, who, &args[0])?.contains(text(who, &args[1])?))),
            Value::Set(set) => {
                cx.look_for(&args[1])?;
                Ok(Value::Bool(set.contains(&args[1])))
            }
            list => find(cx, who, list, &args[1], false).map(|at| Value::Bool(at >= 0)),
        };
        ".indexOf", "coll x|text x from", "The position of a part of a text or an item of a list; -1 if there is none.", "(.indexOf \"abc\" \"c\") => 2", listed(ANY).charges_lookup().expects(Expects::Member), |cx, who, args| {
            let Value::Str(_) = &args[0] else { return find(cx, who, &args[0], &args[1], false).map(Value::Int) };
            let whole = long(who, &args[0])?;
            let part = part(who, &args[1])?;
            let from = args.get(2).map_or(Ok(0), |from| int64(who, from))?.max(0);
            let start = cx.positions.byte(whole, from as usize).unwrap_or(whole.len());
            let found = whole[start..].find(part.as_str()).map(|at| start + at);
            string::pay_search(cx, whole, start, found.map(|at| at + part.len()))?;
            Ok(Value::Int(found.map_or(-1, |byte| cx.positions.before(whole, byte) as i64)))
        };
        ".lastIndexOf", "coll x|text x from", "The last position of a part of a text or an item of a list; -1 if there is none.", "(.lastIndexOf \"abab\" \"b\") => 3", listed(ANY).expects(Expects::Member), |cx, who, args| {
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
        ".substring", "text start|text start end", "The characters from start (inclusive) to end (exclusive).", "(.substring \"hello\" 1 3) => \"el\"", listed(ANY).charges_lookup(), |cx, _, args| string::substring(cx, ".substring", args);
        ".charAt", "text index", "The character at a position.", "(.charAt \"abc\" 1) => \"b\"", listed(ANY).charges_lookup(), |cx, who, args| {
            let whole = long(who, &args[0])?;
            cx.spend(whole.len().min(256) as u64 / 16 + 1)?;
            let index = int64(who, &args[1])?;
            match usize::try_from(index).ok().and_then(|at| cx.positions.char(whole, at)) {
                Some(c) => Ok(Value::character(c)),
                None => Err(Diagnostic::new(
                    Code::OutOfBounds,
                    format!("the position {index} of `{who}` is out of range: the text has {} characters", whole.chars().count()),
                )
                .with_help("positions start at 0; use `(get text index)` for nil instead of an error")),
            }
        };
        ".codePointAt", "text index", "The Unicode code point of the character at a position.", "(.codePointAt \"abc\" 1) => 98", listed(ANY).charges_lookup(), |cx, who, args| {
            let whole = long(who, &args[0])?;
            cx.spend(whole.len().min(256) as u64 / 16 + 1)?;
            let index = int64(who, &args[1])?;
            usize::try_from(index).ok().and_then(|at| cx.positions.char(whole, at)).map(|c| Value::Int(i64::from(u32::from(c)))).ok_or_else(|| {
                Diagnostic::new(Code::OutOfBounds, format!("the position {index} of `{who}` is out of range: the text has {} characters", whole.chars().count()))
            })
        };
        ".concat", "text other", "The two texts, joined.", "(.concat \"a\" \"b\") => \"ab\"", listed(ANY), |cx, who, args| {
            let (a, b) = (paid(cx, who, &args[0])?, text(who, &args[1])?);
            cx.spend(b.len() as u64 / 16)?;
            cx.string(format!("{a}{b}"))
        };
        ".repeat", "text n", "The text, repeated n times.", "(.repeat \"ab\" 2) => \"abab\"", listed(ANY), |cx, who, args| {
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
        ".equalsIgnoreCase", "text other", "Whether two texts are equal, ignoring case.", "(.equalsIgnoreCase \"a\" \"A\") => true", listed(ANY), |cx, who, args| {
            let Value::Str(other) = &args[1] else { text(who, &args[0])?; return Ok(Value::Bool(false)) };
            Ok(Value::Bool(folded(paid(cx, who, &args[0])?) == folded(other)))
        };
        ".compareToIgnoreCase", "text other", "Negative, 0 or positive, as a text is before, equal to or after another, ignoring case.", "(.compareToIgnoreCase \"a\" \"B\") => -1", listed(ANY), |cx, who, args| {
            let (a, b) = (folded(paid(cx, who, &args[0])?), folded(text(who, &args[1])?));
            let order = a.cmp(&b);
            Ok(Value::Int(difference(&Value::str(a), &Value::str(b), order)))
        };
        ".replace", "text old new", "The text with every occurrence of a part replaced.", "(.replace \"a.b\" \".\" \"-\") => \"a-b\"", listed(ANY), |cx, who, args| {
            let whole = paid(cx, who, &args[0])?;
            let (old, new) = (text(who, &args[1])?, text(who, &args[2])?);
            cx.alloc((whole.matches(old).count() as u64).saturating_mul(new.len() as u64))?;
            cx.string(whole.replace(old, new))
        };
        ".replaceAll", "text regex replacement", "The text with every match of a regular expression replaced; `$1` is a group.", "(.replaceAll \"a1b22\" \"[0-9]+\" \"-\") => \"a-b-\"", listed(ANY), |cx, who, args| replace(cx, who, args, usize::MAX);
        ".replaceFirst", "text regex replacement", "The text with the first match of a regular expression replaced.", "(.replaceFirst \"a1b22\" \"[0-9]+\" \"-\") => \"a-b22\"", listed(ANY), |cx, who, args| replace(cx, who, args, 1);
        ".matches", "text regex", "Whether a regular expression matches the whole text.", "(.matches \"abc\" \"[a-z]+\") => true", listed(ANY), |cx, who, args| {
            let regex = regex(cx, who, &args[1])?;
            let whole = paid(cx, who, &args[0])?;
            Ok(Value::Bool(regex.full(whole).is_some()))
        };
        ".split", "text regex|text regex limit", "The parts of a text between matches of a regular expression.", "(.split \"a,b\" \",\") => [\"a\" \"b\"]", listed(ANY), |cx, who, args| {
            text(who, &args[0])?;
            args[1] = Ext::Regex(Arc::new(regex(cx, who, &args[1])?)).into_value();
            string::split(cx, args)
        };
        ".lines", "text", "The lines of a text.", "(.lines \"a\\nb\") => (\"a\" \"b\")", listed(ANY), |cx, who, args| {
            let lines: Vec<Value> = paid(cx, who, &args[0])?.lines().map(Value::str).collect();
            cx.spend(lines.len() as u64)?;
            cx.list(lines)
        };
    }
}

/// Returns a text and pays for reading all of it.
fn paid<'a>(cx: &mut Cx, who: &str, value: &'a Value) -> Res<&'a str> {
    let text = text(who, value)?;
    cx.spend(text.len() as u64 / 16 + 1)?;
    Ok(text)
}

/// Returns a text that is not read as a whole.
fn long<'a>(who: &str, value: &'a Value) -> Res<&'a ArcStr> {
    match value {
        Value::Str(text) => Ok(text),
        other => match text(who, other) {
            Err(problem) => Err(problem),
            Ok(_) => Err(wrong_type(who, "a text", other)),
        },
    }
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

fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

fn mapped(cx: &mut Cx, who: &str, args: &[Value], map: fn(&str) -> String) -> Res {
    let text = map(paid(cx, who, &args[0])?);
    cx.string(text)
}

/// Implements `compareTo`: texts by the first difference, dates by the differing part, others by
/// order.
fn compare(cx: &mut Cx, a: &Value, b: &Value) -> Res<i64> {
    match (a, b) {
        (Value::Int(_) | Value::Big(_), Value::Float(_))
        | (Value::Float(_), Value::Int(_) | Value::Big(_)) => {
            return Err(wrong_type(".compareTo", "two numbers of the same type", b)
                .with_help("`(compare x y)` compares numbers of any type"));
        }
        (Value::Float(a), Value::Float(b)) => return Ok(a.total_cmp(b) as i64),
        _ => {}
    }
    cx.compare(a, b).map(|order| difference(a, b, order))
}

fn entry(who: &str, value: &Value, at: usize) -> Res {
    match value {
        Value::Vector(entry) if entry.as_entry().is_some() => {
            Ok(entry.get(at).cloned().unwrap_or_default())
        }
        other => Err(wrong_type(who, "a map entry", other)),
    }
}

fn collection(who: &str, value: &Value) -> Res<()> {
    match value {
        Value::List(_) | Value::Vector(_) | Value::Map(_) | Value::Set(_) => Ok(()),
        Value::Str(_) => Err(wrong_type(who, "a collection", value)
            .with_help("for the length of a text write `(count text)`")),
        other => Err(wrong_type(who, "a collection", other)),
    }
}

fn map<'a>(who: &str, value: &'a Value) -> Res<&'a ptc_values::Map> {
    value.as_map().ok_or_else(|| wrong_type(who, "a map", value))
}

fn item(who: &str, list: &Value, index: &Value) -> Res {
    let at = usize::try_from(int64(who, index)?).ok();
    let (found, length) = match list {
        Value::Vector(items) => (at.and_then(|at| items.get(at)), items.len()),
        Value::List(items) => (at.and_then(|at| items.get(at)), items.len()),
        _ => (None, 0),
    };
    found.cloned().ok_or_else(|| ptc_facts::messages::out_of_bounds(index, length))
}

/// Returns the position of an item of a list, or -1.
fn find(cx: &mut Cx, who: &str, list: &Value, wanted: &Value, last: bool) -> Res<i64> {
    let (Value::List(_) | Value::Vector(_)) = list else {
        return Err(wrong_type(who, "a text or a list", list));
    };
    let items: Vec<&Value> = list.items().into_iter().flatten().collect();
    cx.spend(items.len() as u64)?;
    let mut places: Vec<usize> = (0..items.len()).collect();
    if last {
        places.reverse();
    }
    for at in places {
        if let Some(item) = items.get(at)
            && cx.equal(item, wanted)?
        {
            return Ok(at as i64);
        }
    }
    Ok(-1)
}

/// Returns the text to search for: a text, or a character by its number.
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

/// Makes the regular expression of a text; Java's methods take texts where Clojure takes patterns.
fn regex(cx: &mut Cx, who: &str, value: &Value) -> Res<Pattern> {
    cx.alloc(4096)?;
    match value {
        Value::Str(text) => pattern_of(cx, text),
        other => Err(wrong_type(who, "the text of a regular expression", other)
            .with_help("a method takes it as a text: `(.split text \",\")`; or write `(str/split text #\",\")`")),
    }
}

fn replace(cx: &mut Cx, who: &str, args: &[Value], most: usize) -> Res {
    let whole = paid(cx, who, &args[0])?;
    let regex = regex(cx, who, &args[1])?;
    let out = replace_matches(cx, &regex, whole, text(who, &args[2])?, most)?;
    cx.string(out)
}
