//! Times of day, months of a year, and the parts of a date with time.

use super::arguments::{EPOCH, date, give, int, moment, out_of_range, text};
use super::shift::date_of;
use super::{iso, pattern, shift};
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, listed};
use ptc_machine::Row;
use ptc_machine::{constant, pure};
use ptc_values::{Diagnostic, Res, SECOND, Time};
use ptc_values::{Moment, Value};

table! {
    constants {
        "LocalTime/MIDNIGHT", "The time of day 00:00.", "(str LocalTime/MIDNIGHT) => \"00:00\"", Moment::Clock(jiff::civil::Time::midnight());
        "LocalTime/MIN", "The time of day 00:00.", "(str LocalTime/MIN) => \"00:00\"", Moment::Clock(jiff::civil::Time::midnight());
        "LocalTime/NOON", "The time of day 12:00.", "(str LocalTime/NOON) => \"12:00\"", Moment::Clock(jiff::civil::time(12, 0, 0, 0));
        "LocalTime/MAX", "The last time of a day.", "(str LocalTime/MAX) => \"23:59:59.999999999\"", Moment::Clock(jiff::civil::Time::MAX);
    }
    functions {
        "LocalTime/of", "hour minute|hour minute second|hour minute second nano", "The time of day from its parts.", "(str (LocalTime/of 10 30)) => \"10:30\"", |who, args| {
            shift::at_time(who, EPOCH, args).map(|time| Moment::Clock(time.time()))
        };
        "LocalTime/parse", "text|text formatter", "Parses a text as a time of day, such as 10:30:00, or in a format.", "(str (LocalTime/parse \"10:30:00\")) => \"10:30\"", |who, args| {
            match args.get(1) {
                None => iso::clock(who, text(who, &args[0])?).map(Moment::Clock),
                Some(format) => pattern::parse(who, text(who, &args[0])?, format)?.clock(who).map(Moment::Clock),
            }
        };
        "LocalTime/ofSecondOfDay", "seconds", "The time of day this number of seconds after midnight.", "(str (LocalTime/ofSecondOfDay 3661)) => \"01:01:01\"", |who, args| {
            let seconds = int(who, &args[0])?;
            if !(0..86_400).contains(&seconds) {
                return Err(out_of_range());
            }
            shift::clock_of(i128::from(seconds) * SECOND).map(Moment::Clock)
        };
        "LocalTime/from", "time", "The time of day of a date with time.", "(str (LocalTime/from (LocalDateTime/of 2024 1 5 10 30))) => \"10:30\"", time_of;
        "LocalDate/from", "time", "The date of a date with time.", "(str (LocalDate/from (LocalDateTime/of 2024 1 5 10 30))) => \"2024-01-05\"", date_part;
        "YearMonth/of", "year month", "The month of a year.", "(str (YearMonth/of 2024 2)) => \"2024-02\"", |who, args| {
            month_of(who, &[args[0].clone(), args[1].clone(), Value::Int(1)])
        };
        "YearMonth/parse", "text|text formatter", "Parses a text as a month of a year, such as 2024-02, or in a format.", "(str (YearMonth/parse \"2024-02\")) => \"2024-02\"", |who, args| {
            let (year, month) = match args.get(1) {
                None => iso::year_month(who, text(who, &args[0])?)?,
                Some(format) => pattern::parse(who, text(who, &args[0])?, format)?.year_month(who)?,
            };
            let first = shift::date(year, month, 1)
                .map_err(|problem| iso::in_text(problem, args[0].as_str().unwrap_or_default()))?;
            Ok(Moment::YearMonth(first.year(), first.month()))
        };
        "YearMonth/from", "date", "The month of a year that a date is in.", "(str (YearMonth/from (LocalDate/of 2024 2 15))) => \"2024-02\"", |who, args| match date_part(who, args)? {
            Moment::Date(date) => Ok(Moment::YearMonth(date.year(), date.month())),
            _ => Err(wrong_type(who, "a date", &args[0])),
        };
        ".atDay", "month day", "The day of a month of a year.", "(str (.atDay (YearMonth/of 2024 2) 1)) => \"2024-02-01\"", |who, args| {
            let (year, month) = year_month(who, &args[0])?;
            shift::date(year, month, int(who, &args[1])?).map(Moment::Date)
        };
        ".atEndOfMonth", "month", "The last day of a month of a year.", "(str (.atEndOfMonth (YearMonth/of 2024 2))) => \"2024-02-29\"", |who, args| {
            let (year, month) = year_month(who, &args[0])?;
            shift::date(year, month, 1).map(|first| Moment::Date(first.last_of_month()))
        };
        ".atDate", "time date", "The time of day on a date.", "(str (.atDate (LocalTime/of 10 30) (LocalDate/of 2024 1 5))) => \"2024-01-05T10:30\"", |who, args| {
            match moment(who, "a time of day", &args[0])? {
                Moment::Clock(time) => Ok(Moment::DateTime(date(who, &args[1])?.to_datetime(*time))),
                _ => Err(wrong_type(who, "a time of day", &args[0])),
            }
        };
        ".atTime", "date time|date hour minute|date hour minute second|date hour minute second nano", "The date with a time of day.", "(str (.atTime (LocalDate/of 2024 1 5) 10 30)) => \"2024-01-05T10:30\"", |who, args| joined(who, date(who, &args[0])?, &args[1..]);
        ".toLocalDate", "date", "The date of a date with time.", "(str (.toLocalDate (LocalDateTime/of 2024 1 5 10 30))) => \"2024-01-05\"", |who, args| {
            local(who, &args[0]).map(|local| Moment::Date(local.date()))
        };
        ".toLocalTime", "date", "The time of day of a date with time.", "(str (.toLocalTime (LocalDateTime/of 2024 1 5 10 30))) => \"10:30\"", |who, args| {
            local(who, &args[0]).map(|local| Moment::Clock(local.time()))
        };
        ".toLocalDateTime", "date", "The date with time of one in a zone.", "(str (.toLocalDateTime (OffsetDateTime/parse \"2024-01-05T10:30:00+02:00\"))) => \"2024-01-05T10:30\"", |who, args| {
            local(who, &args[0]).map(Moment::DateTime)
        };
        "LocalDateTime/of", "date time|year month day hour minute|year month day hour minute second|year month day hour minute second nano", "The date with time from its parts.", "(str (LocalDateTime/of 2024 1 5 10 30)) => \"2024-01-05T10:30\"", |who, args| match args {
            [first, time] => joined(who, date(who, first)?, std::slice::from_ref(time)),
            [year, month, day, time @ ..] => {
                joined(who, date_of(who, &[year.clone(), month.clone(), day.clone()])?, time)
            }
            _ => Err(out_of_range()),
        };
    }
    tests {
        ".toSecondOfDay", "time", "The seconds of a time of day since midnight.", "(.toSecondOfDay (LocalTime/of 1 0)) => 3600", |x| since_midnight(".toSecondOfDay", x, SECOND);
        ".toNanoOfDay", "time", "The nanoseconds of a time of day since midnight.", "(.toNanoOfDay (LocalTime/of 1 0)) => 3600000000000", |x| since_midnight(".toNanoOfDay", x, 1);
    }
    values {}
}

fn since_midnight(who: &str, value: &Value, unit: i128) -> Res {
    match moment(who, "a time of day", value)? {
        Moment::Clock(time) => Ok(Value::Int((shift::nano_of_clock(*time) / unit) as i64)),
        _ => Err(wrong_type(who, "a time of day", value)),
    }
}

fn local(who: &str, value: &Value) -> Res<jiff::civil::DateTime> {
    let what = moment(who, "a date with time", value)?;
    what.local().ok_or_else(|| no_local(who, value))
}

#[cold]
fn no_local(who: &str, value: &Value) -> Diagnostic {
    wrong_type(who, "a date with time", value)
        .with_help("an instant has no date without a zone: `(.atZone instant (ZoneId/of \"UTC\"))`")
}

fn time_of(who: &'static str, args: &[Value]) -> Res<Moment> {
    match moment(who, "a date with time", &args[0])? {
        Moment::Clock(time) => Ok(Moment::Clock(*time)),
        what => {
            let local = what.local().ok_or_else(|| no_local(who, &args[0]))?;
            Ok(Moment::Clock(local.time()))
        }
    }
}

fn date_part(who: &'static str, args: &[Value]) -> Res<Moment> {
    match moment(who, "a date", &args[0])? {
        Moment::Date(date) => Ok(Moment::Date(*date)),
        what => {
            let local = what.local().ok_or_else(|| no_local(who, &args[0]))?;
            Ok(Moment::Date(local.date()))
        }
    }
}

fn year_month(who: &str, value: &Value) -> Res<(i64, i64)> {
    match moment(who, "a month of a year", value)? {
        Moment::YearMonth(year, month) => Ok((i64::from(*year), i64::from(*month))),
        _ => Err(wrong_type(who, "a month of a year", value)
            .with_help("make one: `(YearMonth/from date)`")),
    }
}

fn month_of(who: &str, parts: &[Value]) -> Res<Moment> {
    let first = date_of(who, parts)?;
    Ok(Moment::YearMonth(first.year(), first.month()))
}

/// Joins a date with a time of day, or with hours, minutes, seconds and nanoseconds.
fn joined(who: &str, date: jiff::civil::Date, time: &[Value]) -> Res<Moment> {
    if let [one] = time {
        return match moment(who, "a time of day", one)? {
            Moment::Clock(time) => Ok(Moment::DateTime(date.to_datetime(*time))),
            _ => Err(wrong_type(who, "a time of day", one)),
        };
    }
    shift::at_time(who, date, time).map(Moment::DateTime)
}
