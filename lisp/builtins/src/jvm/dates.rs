//! Dates of data: read from texts in the usual forms, compared, subtracted and shifted. Not in
//! Clojure.
//!
//! The values are those of `java.time`. A text with an offset becomes a date with time and zone, one
//! without becomes a date with time, and one without a time becomes a date.

use std::borrow::Cow;
use std::cmp::Ordering;

use jiff::civil::DateTime;
use ptc_signatures::Kinds;

use super::time::arguments::{EPOCH, out_of_range};
use super::time::{added, by_pattern, local_of, months_between, moved};
use ptc_facts::messages::{describe, not_a_number, wrong_type};
use ptc_facts::registry::facts::{INT, ResultShape, TEXT, as_value};
use ptc_machine::{Cx, Row, pure};
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::{DAY, Diagnostic, Moment, Res, Time, Unit, Value, Zone, epoch_nanos};

mod read;

pub const TABLE: &[Row] = &[
    pure(
        "parse-date",
        "text|text pattern",
        "Parses a text as a date or a date with time, in any usual form or by a pattern; nil if it is none. Not in Clojure.",
        "(str (parse-date \"March 5, 2024\")) => \"2024-03-05\"",
        as_value(ResultShape::OrNil(Kinds::STRING)),
        parse_date,
    ),
    pure(
        "time-between",
        "from to unit",
        "The number of whole units, such as :days, from one date or time of day to another; texts are parsed. Not in Clojure.",
        "(time-between \"2024-01-30\" \"2024-03-01\" :days) => 31",
        as_value(INT),
        |_, args| {
            let who = "time-between";
            let (from, to) = (point(who, "first", &args[0])?, point(who, "second", &args[1])?);
            let unit = unit(who, &args[2])?;
            let (from, to) = locals(who, &from, &to)?;
            let count = match unit.nanos() {
                Some(size) => (epoch_nanos(to) - epoch_nanos(from)) / size,
                None => i128::from(months_between(who, unit, from, to)?),
            };
            i64::try_from(count).map(Value::Int).map_err(|_| out_of_range())
        },
    ),
    pure(
        "date-add",
        "date n unit",
        "The date or time of day this number of units, such as :days, later; a text is parsed. Not in Clojure.",
        "(str (date-add \"2024-01-31\" 1 :months)) => \"2024-02-29\"",
        as_value(TEXT),
        |cx, args| {
            let who = "date-add";
            let date = point(who, "first", &args[0])?;
            let Value::Int(count) = args[1] else {
                return Err(wrong_type(who, "a whole number of units", &args[1])
                    .with_help("write `(date-add date 30 :days)`"));
            };
            let unit = unit(who, &args[2])?;
            let date = match &*date {
                // In UTC an instant has months too.
                Moment::Instant(instant) => {
                    Cow::Owned(Moment::Offset(local_of(instant.as_nanosecond(), 0)?, Zone::at(0)))
                }
                other => Cow::Borrowed(other),
            };
            give(cx, moved(&date, i128::from(count), unit)?)
        },
    ),
];

/// Applies an operation of numbers to dates, times and durations; none if it has no meaning.
pub fn time_op(cx: &mut Cx, op: Op, a: &Value, b: &Value) -> Option<Res> {
    let (left, right) = (Time::of(a), Time::of(b));
    let who = op.name();
    let is_order = op.order().is_some() && !matches!(op, Op::Equal | Op::NotEqual);
    match (op, left, right) {
        (_, Some(left), Some(right)) if is_order => {
            Some(time_order(who, left, right).map(|order| {
                Value::Bool(match op {
                    Op::Less => order.is_lt(),
                    Op::LessEq => order.is_le(),
                    Op::Greater => order.is_gt(),
                    _ => order.is_ge(),
                })
            }))
        }
        (Op::Add | Op::Sub, Some(left), Some(right)) => {
            Some(shifted(op, a, b, &left.kind, &right.kind).and_then(|moment| give(cx, moment)))
        }
        (Op::Add | Op::Sub, Some(date), None) if date.kind.is_point() && b.as_int().is_some() => {
            let sign = if op == Op::Sub { "-" } else { "" };
            let help = format!("write `(date-add date {sign}{b} :days)`");
            Some(Err(not_a_number(who, "first", a).with_help(help)))
        }
        (_, Some(_), None) | (_, None, Some(_)) if a.as_str().or(b.as_str()).is_some() => {
            let (which, text) = if left.is_none() { ("first", a) } else { ("second", b) };
            let problem =
                format!("`{who}` expects two dates, its {which} argument is {}", describe(text));
            Some(Err(Diagnostic::new(Code::WrongType, problem)
                .with_help("parse the text first: `(parse-date text)`")))
        }
        _ => None,
    }
}

/// Compares two dates, times or durations; a date is its midnight.
pub fn time_order(who: &str, a: &Time, b: &Time) -> Res<Ordering> {
    if a.kind.is_point() && b.kind.is_point() {
        return locals(who, &a.kind, &b.kind).map(|(a, b)| a.cmp(&b));
    }
    let is_ordered = !matches!(a.kind, Moment::Unit(_));
    a.order(b).filter(|_| is_ordered).ok_or_else(|| {
        Diagnostic::new(
            Code::WrongType,
            format!("`{who}` cannot compare a {} with a {}", a.type_name(), b.type_name()),
        )
    })
}

fn parse_date(cx: &mut Cx, args: &mut [Value]) -> Res {
    let text = match &args[0] {
        Value::Str(text) => text.clone(),
        Value::Int(_) | Value::Float(_) => return Err(number("parse-date", "first", &args[0])),
        date if Time::of(date).is_some_and(|time| time.kind.is_point()) => return Ok(date.clone()),
        _ => return Ok(Value::Nil),
    };
    let found = match args.get(1) {
        None => read::date("parse-date", &text)?,
        Some(Value::Str(pattern)) if pattern.contains('%') => {
            return Err(Diagnostic::new(
                Code::BadFormat,
                format!("the letters of the pattern \"{pattern}\" are those of another language"),
            )
            .with_help("write `yyyy-MM-dd HH:mm:ss` for `%Y-%m-%d %H:%M:%S`"));
        }
        Some(Value::Str(pattern)) => by_pattern("parse-date", &text, pattern)?,
        Some(other) => {
            return Err(wrong_type("parse-date", "a pattern such as \"dd/MM/yyyy\"", other));
        }
    };
    found.map_or(Ok(Value::Nil), |moment| give(cx, moment))
}

fn give(cx: &mut Cx, moment: Moment) -> Res {
    cx.spend(1)?;
    cx.alloc(96)?;
    Ok(Time::value(moment))
}

/// Returns the date or the time of day in a value or in its text.
fn point<'a>(who: &str, which: &str, value: &'a Value) -> Res<Cow<'a, Moment>> {
    if let Some(time) = Time::of(value)
        && (time.kind.is_point() || matches!(time.kind, Moment::Clock(_)))
    {
        return Ok(Cow::Borrowed(&time.kind));
    }
    let clock = |text: &str| read::clock(text).map(Moment::Clock);
    match value {
        Value::Str(text) => match read::date(who, text)?.or_else(|| clock(text)) {
            Some(moment) => Ok(Cow::Owned(moment)),
            None => Err(Diagnostic::new(
                Code::BadDate,
                format!("`{who}` cannot read its {which} argument, {}, as a date", describe(value)),
            )
            .with_help(
                "write it as 2024-01-05 or 2024-01-05T10:30:00Z, or parse it by a pattern: `(parse-date text \"dd/MM/yyyy\")`",
            )),
        },
        Value::Int(_) | Value::Float(_) => Err(number(who, which, value)),
        _ => {
            let problem =
                format!("`{who}` expects a date, its {which} argument is {}", describe(value));
            Err(Diagnostic::new(Code::WrongType, problem).with_help(if value.is_nil() {
                "the date is missing: check the key, or leave out rows without one"
            } else {
                "a date is a text such as \"2024-01-05\", or a value of `parse-date`"
            }))
        }
    }
}

#[cold]
fn number(who: &str, which: &str, value: &Value) -> Diagnostic {
    let problem = format!("`{who}` expects a date, its {which} argument is {}", describe(value));
    Diagnostic::new(Code::WrongType, problem).with_help(
        "for seconds since 1970 write `(Instant/ofEpochSecond n)`, for milliseconds `(Instant/ofEpochMilli n)`",
    )
}

fn unit(who: &str, value: &Value) -> Res<Unit> {
    if let Some(Moment::Unit(unit)) = Time::of(value).map(|time| &time.kind) {
        return Ok(*unit);
    }
    let name = value.name().unwrap_or_default();
    Ok(match name.strip_suffix('s').unwrap_or(name) {
        "year" => Unit::Years,
        "month" => Unit::Months,
        "week" => Unit::Weeks,
        "day" => Unit::Days,
        "hour" => Unit::Hours,
        "minute" => Unit::Minutes,
        "second" => Unit::Seconds,
        "milli" => Unit::Millis,
        _ => {
            return Err(wrong_type(who, "a unit of time", value).with_help(
                "the units are :years :months :weeks :days :hours :minutes :seconds :millis",
            ));
        }
    })
}

/// Returns two dates as local times at one offset. A date is its midnight, at the offset of the
/// other. Two times of day are on the same day.
fn locals(who: &str, from: &Moment, to: &Moment) -> Res<(DateTime, DateTime)> {
    match (from, to) {
        (Moment::Clock(from), Moment::Clock(to)) => {
            return Ok((EPOCH.to_datetime(*from), EPOCH.to_datetime(*to)));
        }
        (Moment::Clock(_), _) | (_, Moment::Clock(_)) => {
            let (from, to) = (from.write(), to.write());
            let problem =
                format!("`{who}` cannot relate {from} and {to}: only one of them has a date");
            return Err(Diagnostic::new(Code::WrongType, problem)
                .with_help("put the date in front of the time: `(str date \"T\" time)`"));
        }
        _ => {}
    }
    let offset = |moment: &Moment| match moment {
        Moment::Instant(_) => Some(0),
        other => other.zone().map(|zone| zone.offset),
    };
    let local = |moment: &Moment, offset: i32| match moment {
        Moment::Date(date) => Ok(Some(date.to_datetime(jiff::civil::Time::midnight()))),
        other => match other.nanos() {
            Some(nanos) => local_of(nanos, offset).map(Some),
            None => Ok(None),
        },
    };
    let pair = match offset(from).or(offset(to)) {
        Some(offset) => local(from, offset)?.zip(local(to, offset)?),
        None => {
            let plain = |moment: &Moment| match moment {
                Moment::DateTime(local) => Some(*local),
                other => local(other, 0).ok().flatten(),
            };
            plain(from).zip(plain(to))
        }
    };
    pair.ok_or_else(|| {
        Diagnostic::new(
            Code::WrongType,
            format!(
                "`{who}` cannot relate {} and {}: only one of them has an offset from UTC",
                from.write(),
                to.write()
            ),
        )
        .with_help("give both an offset: append \"Z\" to the text without one if it is in UTC")
    })
}

/// Returns the sum or the difference of two dates, times and spans.
fn shifted(op: Op, a: &Value, b: &Value, left: &Moment, right: &Moment) -> Res<Moment> {
    let who = op.name();
    let sign = if op == Op::Sub { -1 } else { 1 };
    match (left, right) {
        _ if op == Op::Sub && left.is_point() && right.is_point() => {
            let (to, from) = locals(who, left, right)?;
            Ok(Moment::Duration(epoch_nanos(to) - epoch_nanos(from)))
        }
        // Whole days, which a date has.
        (Moment::Date(_), Moment::Duration(nanos)) if nanos % DAY == 0 => {
            moved(left, nanos / DAY * sign, Unit::Days)
        }
        (Moment::Duration(_) | Moment::Period { .. }, _) if op == Op::Add && right.is_point() => {
            shifted(op, b, a, right, left)
        }
        _ => added(who, a, b, sign as i32),
    }
}
