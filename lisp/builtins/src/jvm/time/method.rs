//! Methods of dates, times and durations.

use super::arguments::{EPOCH, date, give, int, moment, out_of_range, period, unit};
use super::field::{Field, field};
use super::{pattern, shift};
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, listed};
use ptc_machine::Row;
use ptc_machine::pure;
use ptc_values::{DAY, Diagnostic, Moment, Res, SECOND, Time, Unit, Value, epoch_day, epoch_nanos};

macro_rules! table {
    (
        fields { $($fname:literal, $fdoc:literal, $fexample:literal, $field:expr;)+ }
        plus { $($pname:literal, $mname:literal, $pdoc:literal, $mdoc:literal, $pexample:literal, $mexample:literal, $unit:expr;)+ }
        numbers { $($nname:literal, $nexpected:literal, $ndoc:literal, $nexample:literal, $number:expr;)+ }
        values { $($vname:literal, $vusage:literal, $vdoc:literal, $vexample:literal, $make:expr;)+ }
        times { $($tname:literal, $tusage:literal, $tdoc:literal, $texample:literal, $time:expr;)+ }
    ) => {
        pub const TABLE: &[Row] = &[
            $(pure($fname, "date", $fdoc, $fexample, listed(ANY), |_, args| number_of($fname, &args[0], $field)),)+
            $(pure($pname, "date n", $pdoc, $pexample, listed(ANY), |cx, args| {
                let moment = plus_units($pname, args, $unit, 1)?;
                give(cx, moment)
            }),
            pure($mname, "date n", $mdoc, $mexample, listed(ANY), |cx, args| {
                let moment = plus_units($mname, args, $unit, -1)?;
                give(cx, moment)
            }),)+
            $(pure($nname, "x", $ndoc, $nexample, listed(ANY), |_, args| {
                let number: fn(&Moment) -> Option<Value> = $number;
                number(moment($nname, $nexpected, &args[0])?)
                    .ok_or_else(|| wrong_type($nname, $nexpected, &args[0]))
            }),)+
            $(pure($vname, $vusage, $vdoc, $vexample, listed(ANY), |_, args| {
                let make: fn(&'static str, &[Value]) -> Res = $make;
                make($vname, args)
            }),)+
            $(pure($tname, $tusage, $tdoc, $texample, listed(ANY), |cx, args| {
                let make: fn(&'static str, &[Value]) -> Res<Moment> = $time;
                let moment = make($tname, args)?;
                give(cx, moment)
            }),)+
            pure(".format", "date formatter", "The text of a date in a format.", "(.format (LocalDate/of 2024 1 5) (DateTimeFormatter/ofPattern \"dd/MM/yyyy\")) => \"05/01/2024\"", listed(ANY), |cx, args| {
                // Both orders work: `(.format date formatter)`, `(.format formatter date)`.
                let [first, second] = args else { return Ok(Value::Nil) };
                let (format, date) = match moment(".format", "a date", first)? {
                    Moment::Formatter(format) => (format, &*second),
                    _ => match moment(".format", "a date format", second)? {
                        Moment::Formatter(format) => (format, &*first),
                        _ => return Err(wrong_type(".format", "a date format", second)
                            .with_help("make one: `(DateTimeFormatter/ofPattern \"dd.MM.yyyy\")`")),
                    },
                };
                cx.spend(format.len() as u64 / 16 + 1)?;
                let text = pattern::format(".format", format, moment(".format", "a date", date)?, date)?;
                cx.string(text)
            }),
        ];
    };
}

table! {
    fields {
        ".getYear", "The year of a date.", "(.getYear (LocalDate/of 2024 1 5)) => 2024", Field::Year;
        ".getMonthValue", "The number of the month of a date.", "(.getMonthValue (LocalDate/of 2024 1 5)) => 1", Field::Month;
        ".getDayOfMonth", "The day of the month of a date.", "(.getDayOfMonth (LocalDate/of 2024 1 5)) => 5", Field::Day;
        ".getDayOfYear", "The day of the year of a date.", "(.getDayOfYear (LocalDate/of 2024 2 1)) => 32", Field::DayOfYear;
        ".getHour", "The hour of a date with time.", "(.getHour (LocalDateTime/of 2024 1 5 10 30)) => 10", Field::Hour;
        ".getMinute", "The minute of a date with time.", "(.getMinute (LocalDateTime/of 2024 1 5 10 30)) => 30", Field::Minute;
        ".getSecond", "The second of a date with time.", "(.getSecond (LocalDateTime/of 2024 1 5 10 30 7)) => 7", Field::Second;
    }
    plus {
        ".plusDays", ".minusDays", "The date n days later.", "The date n days earlier.", "(str (.plusDays (LocalDate/of 2024 2 28) 2)) => \"2024-03-01\"", "(str (.minusDays (LocalDate/of 2024 3 1) 1)) => \"2024-02-29\"", Unit::Days;
        ".plusWeeks", ".minusWeeks", "The date n weeks later.", "The date n weeks earlier.", "(str (.plusWeeks (LocalDate/of 2024 1 1) 1)) => \"2024-01-08\"", "(str (.minusWeeks (LocalDate/of 2024 1 8) 1)) => \"2024-01-01\"", Unit::Weeks;
        ".plusMonths", ".minusMonths", "The date n months later; a day that the month does not have becomes its last day.", "The date n months earlier; a day that the month does not have becomes its last day.", "(str (.plusMonths (LocalDate/of 2024 1 31) 1)) => \"2024-02-29\"", "(str (.minusMonths (LocalDate/of 2024 3 31) 1)) => \"2024-02-29\"", Unit::Months;
        ".plusYears", ".minusYears", "The date n years later.", "The date n years earlier.", "(str (.plusYears (LocalDate/of 2024 2 29) 1)) => \"2025-02-28\"", "(str (.minusYears (LocalDate/of 2024 1 5) 1)) => \"2023-01-05\"", Unit::Years;
        ".plusHours", ".minusHours", "The date with time n hours later.", "The date with time n hours earlier.", "(str (.plusHours (LocalDateTime/of 2024 1 5 23 0) 2)) => \"2024-01-06T01:00\"", "(str (.minusHours (LocalDateTime/of 2024 1 5 1 0) 2)) => \"2024-01-04T23:00\"", Unit::Hours;
        ".plusMinutes", ".minusMinutes", "The date with time n minutes later.", "The date with time n minutes earlier.", "(str (.plusMinutes (LocalDateTime/of 2024 1 5 10 0) 90)) => \"2024-01-05T11:30\"", "(str (.minusMinutes (LocalDateTime/of 2024 1 5 10 0) 1)) => \"2024-01-05T09:59\"", Unit::Minutes;
        ".plusSeconds", ".minusSeconds", "The time n seconds later.", "The time n seconds earlier.", "(str (.plusSeconds (Instant/ofEpochMilli 0) 61)) => \"1970-01-01T00:01:01Z\"", "(str (.minusSeconds (Instant/ofEpochMilli 0) 1)) => \"1969-12-31T23:59:59Z\"", Unit::Seconds;
        ".plusMillis", ".minusMillis", "The instant n milliseconds later, or the duration n milliseconds longer.", "The instant n milliseconds earlier, or the duration n milliseconds shorter.", "(str (.plusMillis (Instant/ofEpochMilli 0) 5)) => \"1970-01-01T00:00:00.005Z\"", "(str (.minusMillis (Duration/ofSeconds 1) 500)) => \"PT0.5S\"", Unit::Millis;
        ".plusNanos", ".minusNanos", "The time n nanoseconds later.", "The time n nanoseconds earlier.", "(str (.plusNanos (Duration/ofSeconds 1) 1)) => \"PT1.000000001S\"", "(str (.minusNanos (Duration/ofSeconds 1) 1)) => \"PT0.999999999S\"", Unit::Nanos;
    }
    numbers {
        ".getDayOfWeek", "a date", "The day of the week of a date, such as MONDAY.", "(str (.getDayOfWeek (LocalDate/of 2024 1 5))) => \"FRIDAY\"", |what| field(what, Field::DayOfWeek).map(|day| Time::value(Moment::DayOfWeek(day as i8)));
        ".getMonth", "a date", "The month of a date, such as JANUARY.", "(str (.getMonth (LocalDate/of 2024 1 5))) => \"JANUARY\"", |what| field(what, Field::Month).map(|month| Time::value(Moment::Month(month as i8)));
        ".isLeapYear", "a date", "Whether the year of a date has 366 days.", "(.isLeapYear (LocalDate/of 2024 1 5)) => true", |what| month_of(what).map(|date| Value::Bool(date.in_leap_year()));
        ".lengthOfMonth", "a date", "The number of days in the month of a date.", "(.lengthOfMonth (LocalDate/of 2024 2 5)) => 29", |what| month_of(what).map(|date| Value::Int(i64::from(date.days_in_month())));
        ".lengthOfYear", "a date", "The number of days in the year of a date.", "(.lengthOfYear (LocalDate/of 2023 2 5)) => 365", |what| month_of(what).map(|date| Value::Int(i64::from(date.days_in_year())));
        ".toEpochDay", "a date", "The number of days from 1970-01-01 to a date.", "(.toEpochDay (LocalDate/of 2024 1 1)) => 19723", |what| match what {
            Moment::Date(date) => Some(Value::Int(epoch_day(*date))),
            _ => None,
        };
        ".toEpochMilli", "an instant", "The milliseconds of an instant since 1970-01-01.", "(.toEpochMilli (Instant/parse \"1970-01-01T00:00:01Z\")) => 1000", |what| match what {
            Moment::Instant(instant) => Some(Value::Int(instant.as_nanosecond().div_euclid(1_000_000) as i64)),
            _ => None,
        };
        ".getEpochSecond", "an instant", "The seconds of an instant since 1970-01-01.", "(.getEpochSecond (Instant/ofEpochMilli 1500)) => 1", |what| match what {
            Moment::Instant(instant) => Some(Value::Int(instant.as_nanosecond().div_euclid(SECOND) as i64)),
            _ => None,
        };
        ".getNano", "a time or a duration", "The nanoseconds within the second.", "(.getNano (Duration/ofMillis 1500)) => 500000000", |what| match what {
            Moment::Instant(instant) => Some(Value::Int(instant.as_nanosecond().rem_euclid(SECOND) as i64)),
            Moment::Duration(nanos) => Some(Value::Int(nanos.rem_euclid(SECOND) as i64)),
            other => field(other, Field::Nano).map(Value::Int),
        };
        ".toDays", "a duration", "The whole days of a duration.", "(.toDays (Duration/ofHours 49)) => 2", |what| whole(what, DAY);
        ".toHours", "a duration", "The whole hours of a duration.", "(.toHours (Duration/ofMinutes 150)) => 2", |what| whole(what, 3_600 * SECOND);
        ".toMinutes", "a duration", "The whole minutes of a duration.", "(.toMinutes (Duration/ofSeconds 150)) => 2", |what| whole(what, 60 * SECOND);
        ".toSeconds", "a duration", "The seconds of a duration.", "(.toSeconds (Duration/ofMinutes 2)) => 120", seconds;
        ".getSeconds", "a duration", "The seconds of a duration.", "(.getSeconds (Duration/ofMinutes 2)) => 120", seconds;
        ".toMillis", "a duration", "The milliseconds of a duration.", "(.toMillis (Duration/ofSeconds 2)) => 2000", |what| match what {
            Moment::Duration(nanos) => Some(Value::big((nanos / 1_000_000).into())),
            _ => None,
        };
        ".toNanos", "a duration", "The nanoseconds of a duration.", "(.toNanos (Duration/ofMillis 2)) => 2000000", |what| match what {
            Moment::Duration(nanos) => Some(Value::big((*nanos).into())),
            _ => None,
        };
        ".toDaysPart", "a duration", "The days of a duration.", "(.toDaysPart (Duration/ofHours 49)) => 2", |what| whole(what, DAY);
        ".toHoursPart", "a duration", "The hours of a duration beyond its days.", "(.toHoursPart (Duration/ofHours 49)) => 1", |what| part(what, 3_600, 24);
        ".toMinutesPart", "a duration", "The minutes of a duration beyond its hours.", "(.toMinutesPart (Duration/ofMinutes 150)) => 30", |what| part(what, 60, 60);
        ".toSecondsPart", "a duration", "The seconds of a duration beyond its minutes.", "(.toSecondsPart (Duration/ofSeconds 150)) => 30", |what| part(what, 1, 60);
        ".toMillisPart", "a duration", "The milliseconds of a duration beyond its seconds.", "(.toMillisPart (Duration/ofMillis 1500)) => 500", |what| match what {
            Moment::Duration(nanos) => Some(Value::Int((nanos.rem_euclid(SECOND) / 1_000_000) as i64)),
            _ => None,
        };
        ".getYears", "a period", "The years of a period.", "(.getYears (Period/parse \"P1Y2M3D\")) => 1", |what| match what {
            Moment::Period { years, .. } => Some(Value::Int(i64::from(*years))),
            _ => None,
        };
        ".getMonths", "a period", "The months of a period beyond its years.", "(.getMonths (Period/parse \"P1Y2M3D\")) => 2", |what| match what {
            Moment::Period { months, .. } => Some(Value::Int(i64::from(*months))),
            _ => None,
        };
        ".getDays", "a period", "The days of a period beyond its months.", "(.getDays (Period/parse \"P1Y2M3D\")) => 3", |what| match what {
            Moment::Period { days, .. } => Some(Value::Int(i64::from(*days))),
            _ => None,
        };
        ".toTotalMonths", "a period", "The years and months of a period in months.", "(.toTotalMonths (Period/parse \"P1Y2M\")) => 14", |what| match what {
            Moment::Period { years, months, .. } => Some(Value::Int(i64::from(*years) * 12 + i64::from(*months))),
            _ => None,
        };
        ".isZero", "a duration or a period", "Whether a duration or period is zero.", "(.isZero (Duration/ofSeconds 0)) => true", |what| match what {
            Moment::Duration(nanos) => Some(Value::Bool(*nanos == 0)),
            Moment::Period { years, months, days } => Some(Value::Bool(*years == 0 && *months == 0 && *days == 0)),
            _ => None,
        };
        ".isNegative", "a duration or a period", "Whether a duration or a part of a period is negative.", "(.isNegative (Duration/ofSeconds -1)) => true", |what| match what {
            Moment::Duration(nanos) => Some(Value::Bool(*nanos < 0)),
            Moment::Period { years, months, days } => Some(Value::Bool(*years < 0 || *months < 0 || *days < 0)),
            _ => None,
        };
    }
    values {
        ".abs", "x", "The duration or integer without its sign.", "(str (.abs (Duration/ofHours -1))) => \"PT1H\"", |who, args| match &args[0] {
            Value::Int(_) | Value::Big(_) => ptc_values::num::absolute(&args[0]).map_err(|_| wrong_type(who, "an integer", &args[0])),
            _ => match moment(who, "a duration", &args[0])? {
                Moment::Duration(nanos) => shift::duration(nanos.abs()).map(Time::value),
                _ => Err(wrong_type(who, "a duration", &args[0])),
            },
        };
        ".isBefore", "x y", "Whether a date or time is before another.", "(.isBefore (LocalDate/of 2024 1 5) (LocalDate/of 2024 1 6)) => true", |who, args| ordered(who, args).map(|order| Value::Bool(order.is_lt()));
        ".isAfter", "x y", "Whether a date or time is after another.", "(.isAfter (LocalDate/of 2024 1 5) (LocalDate/of 2024 1 6)) => false", |who, args| ordered(who, args).map(|order| Value::Bool(order.is_gt()));
        ".isEqual", "x y", "Whether a date is the same as another.", "(.isEqual (LocalDate/of 2024 1 5) (LocalDate/parse \"2024-01-05\")) => true", |who, args| ordered(who, args).map(|order| Value::Bool(order.is_eq()));
        ".between", "unit from to", "The number of whole units between two dates or times.", "(.between ChronoUnit/MONTHS (LocalDate/of 2024 1 31) (LocalDate/of 2024 3 1)) => 1", |who, args| {
            shift::units_between(who, unit(who, &args[0])?, &args[1], &args[2]).map(Value::Int)
        };
        ".until", "from to|from to unit", "The period between two dates, or the number of whole units.", "(.until (LocalDate/of 2024 1 5) (LocalDate/of 2024 2 5) ChronoUnit/DAYS) => 31", |who, args| match args {
            [from, to, counted] => shift::units_between(who, unit(who, counted)?, from, to).map(Value::Int),
            _ => Ok(Time::value(shift::period_between(date(who, &args[0])?, date(who, &args[1])?)?)),
        };
    }
    times {
        ".plus", "date amount|date n unit", "The date or time plus a duration or a period.", "(str (.plus (LocalDate/of 2024 1 5) 2 ChronoUnit/WEEKS)) => \"2024-01-19\"", |who, args| plus_amount(who, args, 1);
        ".minus", "date amount|date n unit", "The date or time minus a duration or a period.", "(str (.minus (Instant/ofEpochMilli 0) (Duration/ofHours 1))) => \"1969-12-31T23:00:00Z\"", |who, args| plus_amount(who, args, -1);
        ".negated", "span", "The negation of a duration or period.", "(str (.negated (Duration/ofHours 1))) => \"PT-1H\"", |who, args| multiplied(who, &args[0], -1);
        ".multipliedBy", "span n", "The duration or period multiplied by n.", "(str (.multipliedBy (Duration/ofMinutes 30) 3)) => \"PT1H30M\"", |who, args| multiplied(who, &args[0], int(who, &args[1])?);
        ".dividedBy", "duration n", "A duration divided by n.", "(str (.dividedBy (Duration/ofHours 1) 4)) => \"PT15M\"", |who, args| match (moment(who, "a duration", &args[0])?, int(who, &args[1])?) {
            (_, 0) => Err(Diagnostic::new(ptc_values::code::Code::DivideByZero, "`.dividedBy` divides a duration by zero")),
            (Moment::Duration(nanos), by) => shift::duration(nanos / i128::from(by)),
            _ => Err(wrong_type(who, "a duration", &args[0])),
        };
        ".truncatedTo", "time unit", "The time with everything below a unit cut off.", "(str (.truncatedTo (Instant/parse \"2024-01-05T10:20:30Z\") ChronoUnit/HOURS)) => \"2024-01-05T10:00:00Z\"", |who, args| {
            let unit = unit(who, &args[1])?;
            let what = moment(who, "a date with time, an instant or a duration", &args[0])?;
            let Some(size) = unit.nanos().filter(|size| *size <= DAY) else { return Err(shift::no_unit("time of day", unit)) };
            match what {
                Moment::DateTime(time) | Moment::Offset(time, _) | Moment::Zoned(time, _) => {
                    shift::date_time_of(epoch_nanos(*time).div_euclid(size) * size).map(|local| what.with_local(local))
                }
                Moment::Clock(time) => shift::clock_of(shift::nano_of_clock(*time) / size * size).map(Moment::Clock),
                Moment::Instant(instant) => shift::instant_of(instant.as_nanosecond().div_euclid(size) * size).map(Moment::Instant),
                Moment::Duration(nanos) => shift::duration(nanos / size * size),
                _ => Err(wrong_type(who, "a date with time, an instant or a duration", &args[0])),
            }
        };
        ".withYear", "date n", "The date in another year.", "(str (.withYear (LocalDate/of 2024 2 29) 2023)) => \"2023-02-28\"", |who, args| with_field(who, args, Field::Year);
        ".withMonth", "date n", "The date in another month.", "(str (.withMonth (LocalDate/of 2024 1 31) 2)) => \"2024-02-29\"", |who, args| with_field(who, args, Field::Month);
        ".withDayOfMonth", "date n", "The date on another day of the month.", "(str (.withDayOfMonth (LocalDate/of 2024 1 31) 1)) => \"2024-01-01\"", |who, args| with_field(who, args, Field::Day);
        ".withDayOfYear", "date n", "The date on another day of the year.", "(str (.withDayOfYear (LocalDate/of 2024 1 31) 60)) => \"2024-02-29\"", |who, args| with_field(who, args, Field::DayOfYear);
        ".withHour", "date n", "The date with time at another hour.", "(str (.withHour (LocalDateTime/of 2024 1 5 10 30) 8)) => \"2024-01-05T08:30\"", |who, args| with_field(who, args, Field::Hour);
        ".withMinute", "date n", "The date with time at another minute.", "(str (.withMinute (LocalDateTime/of 2024 1 5 10 30) 8)) => \"2024-01-05T10:08\"", |who, args| with_field(who, args, Field::Minute);
        ".withSecond", "date n", "The date with time at another second.", "(str (.withSecond (LocalDateTime/of 2024 1 5 10 30) 8)) => \"2024-01-05T10:30:08\"", |who, args| with_field(who, args, Field::Second);
        ".withNano", "date n", "The date with time at another nanosecond.", "(str (.withNano (LocalDateTime/of 2024 1 5 10 30) 1000000)) => \"2024-01-05T10:30:00.001\"", |who, args| with_field(who, args, Field::Nano);
    }
}

pub(super) fn epoch_milli(who: &str, value: &Value) -> Res {
    match moment(who, "an instant", value)? {
        Moment::Instant(instant) => {
            Ok(Value::Int(instant.as_nanosecond().div_euclid(1_000_000) as i64))
        }
        _ => Err(wrong_type(who, "an instant", value)),
    }
}

fn number_of(who: &str, value: &Value, wanted: Field) -> Res {
    let what = moment(who, "a date", value)?;
    field(what, wanted).map(Value::Int).ok_or_else(|| match what {
        Moment::Instant(_) => wrong_type(who, "a date", value)
            .with_help("convert it to a date: `(LocalDateTime/ofInstant instant ZoneOffset/UTC)`"),
        Moment::Date(_) => wrong_type(who, "a date with time", value),
        _ => wrong_type(who, "a date", value),
    })
}

/// Implements `.plusDays` and similar methods, for the values that have them in Java.
fn plus_units(who: &str, args: &[Value], unit: Unit, sign: i64) -> Res<Moment> {
    let what = moment(who, "a date, a time or a span", &args[0])?;
    let known: &[Unit] = match what {
        Moment::Date(_) => &[Unit::Days, Unit::Weeks, Unit::Months, Unit::Years],
        Moment::Clock(_) => &[Unit::Hours, Unit::Minutes, Unit::Seconds, Unit::Nanos],
        Moment::YearMonth(..) => &[Unit::Months, Unit::Years],
        Moment::DateTime(_) | Moment::Offset(..) | Moment::Zoned(..) => &[
            Unit::Days,
            Unit::Weeks,
            Unit::Months,
            Unit::Years,
            Unit::Hours,
            Unit::Minutes,
            Unit::Seconds,
            Unit::Nanos,
        ],
        Moment::Instant(_) => &[Unit::Seconds, Unit::Millis, Unit::Nanos],
        Moment::Duration(_) => {
            &[Unit::Days, Unit::Hours, Unit::Minutes, Unit::Seconds, Unit::Millis, Unit::Nanos]
        }
        Moment::Period { .. } => &[Unit::Days, Unit::Months, Unit::Years],
        _ => &[],
    };
    if !known.contains(&unit) {
        let expected = match unit {
            Unit::Hours | Unit::Minutes => "a date with time or a duration",
            Unit::Seconds | Unit::Nanos => "a date with time, an instant or a duration",
            Unit::Millis => "an instant or a duration",
            Unit::Weeks => "a date",
            _ => "a date or a span",
        };
        let problem = wrong_type(who, expected, &args[0]);
        return Err(match what {
            Moment::Instant(_) if unit.nanos().is_some() => problem.with_help(format!(
                "write `({} instant n ChronoUnit/{})`",
                if sign < 0 { ".minus" } else { ".plus" },
                format!("{unit:?}").to_uppercase()
            )),
            Moment::Date(_) => {
                problem.with_help("a date has no time: add one with `(.atStartOfDay date)`")
            }
            _ => problem,
        });
    }
    shift::shift(what, i128::from(int(who, &args[1])?) * i128::from(sign), unit)
}

/// Implements `.plus` and `.minus`, with a duration or with a number of units.
fn plus_amount(who: &str, args: &[Value], sign: i32) -> Res<Moment> {
    match args {
        [what, count, unit] => {
            let unit = super::arguments::unit(who, unit)?;
            let what = moment(who, "a date, a time or a duration", what)?;
            shift::shift(what, i128::from(int(who, count)?) * i128::from(sign), unit)
        }
        [what, amount, ..] => shift::add(who, what, amount, sign),
        _ => Err(out_of_range()),
    }
}

fn whole(what: &Moment, size: i128) -> Option<Value> {
    match what {
        // Seconds are rounded down to the second below, as on the JVM, and then cut.
        Moment::Duration(nanos) => {
            Some(Value::Int((nanos.div_euclid(SECOND) / (size / SECOND)) as i64))
        }
        _ => None,
    }
}

fn seconds(what: &Moment) -> Option<Value> {
    whole(what, SECOND)
}

fn part(what: &Moment, seconds: i128, of: i128) -> Option<Value> {
    match what {
        Moment::Duration(nanos) => {
            Some(Value::Int((nanos.div_euclid(SECOND) / seconds % of) as i64))
        }
        _ => None,
    }
}

fn ordered(who: &str, args: &[Value]) -> Res<std::cmp::Ordering> {
    moment(who, "a date or time", &args[0])?;
    moment(who, "a date or time", &args[1])?;
    let (Some(a), Some(b)) = (Time::of(&args[0]), Time::of(&args[1])) else {
        return Err(wrong_type(who, "a date or time", &args[0]));
    };
    let order = match (&a.kind, &b.kind) {
        // Only the instant matters here, not the local time.
        (Moment::Offset(..), Moment::Offset(..)) | (Moment::Zoned(..), Moment::Zoned(..)) => {
            Some(a.kind.nanos().cmp(&b.kind.nanos()))
        }
        (
            Moment::Date(_)
            | Moment::DateTime(_)
            | Moment::Instant(_)
            | Moment::Clock(_)
            | Moment::YearMonth(..)
            | Moment::Offset(..)
            | Moment::Zoned(..),
            _,
        ) => a.order(b),
        _ => return Err(wrong_type(who, "a date or time", &args[0])),
    };
    order.ok_or_else(|| {
        wrong_type(who, &format!("a {} like the first", a.type_name()), &args[1])
            .with_help("convert both to the same type, as `(.toLocalDate date-with-time)` does")
    })
}

fn multiplied(who: &str, value: &Value, by: i64) -> Res<Moment> {
    match moment(who, "a duration or a period", value)? {
        Moment::Duration(nanos) => shift::duration(nanos.saturating_mul(i128::from(by))),
        Moment::Period { years, months, days } => {
            let by = i32::try_from(by).map_err(|_| out_of_range())?;
            let times = |count: &i32| count.checked_mul(by).ok_or_else(out_of_range);
            Ok(period(times(years)?, times(months)?, times(days)?))
        }
        _ => Err(wrong_type(who, "a duration or a period", value)),
    }
}

fn with_field(who: &str, args: &[Value], wanted: Field) -> Res<Moment> {
    let what = moment(who, "a date", &args[0])?;
    let number = int(who, &args[1])?;
    let get = |own: Field| field(what, own).unwrap_or(0);
    let of_day = matches!(wanted, Field::Hour | Field::Minute | Field::Second | Field::Nano);
    let known = match what {
        Moment::Date(_) => true,
        Moment::YearMonth(..) => matches!(wanted, Field::Year | Field::Month),
        Moment::Clock(_) => of_day,
        _ => what.local().is_some(),
    };
    if !known {
        return Err(wrong_type(who, "a date", &args[0]));
    }
    let parts = [Field::Hour, Field::Minute, Field::Second, Field::Nano]
        .map(|own| Value::Int(if own == wanted { number } else { get(own) }));
    if let Moment::Clock(_) = what {
        return shift::at_time(who, EPOCH, &parts).map(|time| Moment::Clock(time.time()));
    }
    if let Moment::YearMonth(..) = what {
        let part = |own: Field| if own == wanted { number } else { get(own) };
        let first = shift::date(part(Field::Year), part(Field::Month), 1)?;
        return Ok(Moment::YearMonth(first.year(), first.month()));
    }
    let clamped = |year: i64, month: i64| {
        let last = shift::date(year, month, 1)?.days_in_month();
        shift::date(year, month, get(Field::Day).min(i64::from(last)))
    };
    let date = match wanted {
        Field::Year => clamped(number, get(Field::Month))?,
        Field::Month => clamped(get(Field::Year), number)?,
        Field::Day => shift::date(get(Field::Year), get(Field::Month), number)?,
        Field::DayOfYear => shift::of_year_day(who, get(Field::Year), number)?,
        _ => shift::date(get(Field::Year), get(Field::Month), get(Field::Day))?,
    };
    if matches!(what, Moment::Date(_)) {
        if of_day {
            return Err(wrong_type(who, "a date with time", &args[0])
                .with_help("make one: `(.atStartOfDay date)`"));
        }
        return Ok(Moment::Date(date));
    }
    shift::at_time(who, date, &parts).map(|local| what.with_local(local))
}

/// Returns the first day of the month of a date or a month of a year.
fn month_of(what: &Moment) -> Option<jiff::civil::Date> {
    match what {
        Moment::Date(date) => Some(*date),
        Moment::YearMonth(year, month) => jiff::civil::Date::new(*year, *month, 1).ok(),
        _ => None,
    }
}
