//! The arguments and results of functions of dates and times.

use jiff::civil::Date;

use ptc_facts::messages::wrong_type;
use ptc_machine::Cx;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Moment, Res, Time, Unit, Value};

pub(crate) const EPOCH: Date = jiff::civil::date(1970, 1, 1);

pub(super) fn give(cx: &mut Cx, moment: Moment) -> Res {
    cx.spend(1)?;
    cx.alloc(96)?;
    Ok(Time::value(moment))
}

pub(super) const fn period(years: i32, months: i32, days: i32) -> Moment {
    Moment::Period { years, months, days }
}

pub(super) fn text<'a>(who: &str, value: &'a Value) -> Res<&'a str> {
    value.as_str().ok_or_else(|| wrong_type(who, "a text", value))
}

pub(super) fn int(who: &str, value: &Value) -> Res<i64> {
    match value {
        Value::Int(int) => Ok(*int),
        // As on the JVM, a float is cut.
        Value::Float(float) => Ok(*float as i64),
        other => Err(wrong_type(who, "an integer", other)),
    }
}

pub(super) fn int32(who: &str, value: &Value) -> Res<i32> {
    i32::try_from(int(who, value)?).map_err(|_| out_of_range())
}

#[cold]
pub(crate) fn out_of_range() -> Diagnostic {
    Diagnostic::new(Code::BadDate, "the date or duration is out of range")
        .with_help("years go from -9999 to 9999")
}

pub(super) fn moment<'a>(who: &str, expected: &str, value: &'a Value) -> Res<&'a Moment> {
    Time::of(value).map(|time| &time.kind).ok_or_else(|| {
        let problem = wrong_type(who, expected, value);
        if matches!(value, Value::Str(_)) {
            return problem
                .with_help("parse a text first: `(LocalDate/parse text)`, `(LocalDateTime/parse text)` or `(Instant/parse text)`");
        }
        problem
    })
}

pub(super) fn date(who: &str, value: &Value) -> Res<Date> {
    match moment(who, "a date", value)? {
        Moment::Date(date) => Ok(*date),
        _ => Err(wrong_type(who, "a date", value)),
    }
}

pub(super) fn unit(who: &str, value: &Value) -> Res<Unit> {
    match Time::of(value).map(|time| &time.kind) {
        Some(Moment::Unit(unit)) => Ok(*unit),
        _ => Err(wrong_type(who, "a unit of time", value)
            .with_help("the units are `ChronoUnit/DAYS`, `ChronoUnit/HOURS` and so on")),
    }
}
