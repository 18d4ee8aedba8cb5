//! Dates, times and spans between them: the values of `java.time`, without a clock and without
//! time zones other than UTC.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use arcstr::ArcStr;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};

use super::{Ext, Value};

/// A value of `java.time`. Its text is made when it is first asked for.
pub struct Time {
    pub(crate) kind: Moment,
    text: OnceLock<ArcStr>,
}

/// What a [`Time`] is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Moment {
    Date(Date),
    DateTime(DateTime),
    Instant(Timestamp),
    /// Nanoseconds.
    Duration(i128),
    Period {
        years: i32,
        months: i32,
        days: i32,
    },
    /// From 1, which is Monday.
    DayOfWeek(i8),
    /// From 1, which is January.
    Month(i8),
    Unit(Unit),
    /// The letters of a pattern such as `yyyy-MM-dd`; they were checked.
    Formatter(ArcStr),
    /// UTC, by the name it was given.
    Zone(&'static str),
}

/// A unit of `ChronoUnit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Nanos,
    Micros,
    Millis,
    Seconds,
    Minutes,
    Hours,
    HalfDays,
    Days,
    Weeks,
    Months,
    Years,
    Decades,
    Centuries,
}

pub(crate) const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Nanoseconds of a second.
pub(crate) const SECOND: i128 = 1_000_000_000;
/// Nanoseconds of a day.
pub(crate) const DAY: i128 = 86_400 * SECOND;

impl Unit {
    /// Its length in nanoseconds, or none for one that counts months.
    pub(crate) fn nanos(self) -> Option<i128> {
        Some(match self {
            Unit::Nanos => 1,
            Unit::Micros => 1_000,
            Unit::Millis => 1_000_000,
            Unit::Seconds => SECOND,
            Unit::Minutes => 60 * SECOND,
            Unit::Hours => 3_600 * SECOND,
            Unit::HalfDays => DAY / 2,
            Unit::Days => DAY,
            Unit::Weeks => 7 * DAY,
            Unit::Months | Unit::Years | Unit::Decades | Unit::Centuries => return None,
        })
    }

    /// Its length in months, or none for one that counts time.
    pub(crate) fn months(self) -> Option<i64> {
        Some(match self {
            Unit::Months => 1,
            Unit::Years => 12,
            Unit::Decades => 120,
            Unit::Centuries => 1_200,
            _ => return None,
        })
    }
}

/// Days since 1970-01-01.
pub(crate) fn epoch_day(date: Date) -> i64 {
    // Years that start in March put the leap day last (Howard Hinnant's `days_from_civil`).
    let month = i64::from(date.month());
    let year = i64::from(date.year()) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(date.day()) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Nanoseconds since midnight.
pub(crate) fn nano_of_day(time: DateTime) -> i128 {
    let seconds =
        i64::from(time.hour()) * 3_600 + i64::from(time.minute()) * 60 + i64::from(time.second());
    i128::from(seconds) * SECOND + i128::from(time.subsec_nanosecond())
}

/// Nanoseconds since 1970-01-01T00:00.
pub(crate) fn epoch_nanos(time: DateTime) -> i128 {
    i128::from(epoch_day(time.date())) * DAY + nano_of_day(time)
}

impl Time {
    pub(crate) fn value(kind: Moment) -> Value {
        Value::Ext(Arc::new(Ext::Time(Time { kind, text: OnceLock::new() })))
    }

    /// The time that a value is, if it is one.
    pub(crate) fn of(value: &Value) -> Option<&Time> {
        match value {
            Value::Ext(ext) => match &**ext {
                Ext::Time(time) => Some(time),
                _ => None,
            },
            _ => None,
        }
    }

    /// What it is, in the words that messages use.
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            Moment::Date(_) => "date",
            Moment::DateTime(_) => "date with time",
            Moment::Instant(_) => "instant",
            Moment::Duration(_) => "duration",
            Moment::Period { .. } => "period",
            Moment::DayOfWeek(_) => "day of the week",
            Moment::Month(_) => "month",
            Moment::Unit(_) => "unit of time",
            Moment::Formatter(_) => "date format",
            Moment::Zone(_) => "time zone",
        }
    }

    /// Its class in Java.
    pub fn class(&self) -> &'static str {
        match self.kind {
            Moment::Date(_) => "java.time.LocalDate",
            Moment::DateTime(_) => "java.time.LocalDateTime",
            Moment::Instant(_) => "java.time.Instant",
            Moment::Duration(_) => "java.time.Duration",
            Moment::Period { .. } => "java.time.Period",
            Moment::DayOfWeek(_) => "java.time.DayOfWeek",
            Moment::Month(_) => "java.time.Month",
            Moment::Unit(_) => "java.time.temporal.ChronoUnit",
            Moment::Formatter(_) => "java.time.format.DateTimeFormatter",
            Moment::Zone(_) => "java.time.ZoneId",
        }
    }

    /// Its text, as `str` gives it: ISO 8601 for dates, times and spans.
    pub fn text(&self) -> &ArcStr {
        self.text.get_or_init(|| self.kind.write().into())
    }

    /// Whether its text stands for it in JSON: all but what only serves calculation.
    pub fn is_data(&self) -> bool {
        !matches!(self.kind, Moment::Unit(_) | Moment::Formatter(_) | Moment::Zone(_))
    }

    /// How far two dates, days of the week or months lie apart in the first part that differs, as
    /// `compareTo` counts; none for what has no such parts.
    pub(crate) fn difference(&self, other: &Time) -> Option<i64> {
        let (a, b) = match (&self.kind, &other.kind) {
            (Moment::Date(a), Moment::Date(b)) => (*a, *b),
            (Moment::DateTime(a), Moment::DateTime(b)) => (a.date(), b.date()),
            (Moment::DayOfWeek(a), Moment::DayOfWeek(b)) | (Moment::Month(a), Moment::Month(b)) => {
                return Some(i64::from(a - b));
            }
            _ => return None,
        };
        let parts = [
            i64::from(a.year()) - i64::from(b.year()),
            i64::from(a.month() - b.month()),
            i64::from(a.day() - b.day()),
        ];
        parts.into_iter().find(|part| *part != 0)
    }

    /// The order of two times of one kind; none if they have no order.
    pub(crate) fn order(&self, other: &Time) -> Option<Ordering> {
        match (&self.kind, &other.kind) {
            (Moment::Date(a), Moment::Date(b)) => Some(a.cmp(b)),
            (Moment::DateTime(a), Moment::DateTime(b)) => Some(a.cmp(b)),
            (Moment::Instant(a), Moment::Instant(b)) => Some(a.cmp(b)),
            (Moment::Duration(a), Moment::Duration(b)) => Some(a.cmp(b)),
            (Moment::DayOfWeek(a), Moment::DayOfWeek(b)) => Some(a.cmp(b)),
            (Moment::Month(a), Moment::Month(b)) => Some(a.cmp(b)),
            (Moment::Unit(a), Moment::Unit(b)) => Some((*a as u8).cmp(&(*b as u8))),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#object[{} \"{}\"]", self.class(), self.text())
    }
}

impl Moment {
    fn write(&self) -> String {
        let mut out = String::new();
        match self {
            Moment::Date(date) => write_date(&mut out, *date),
            Moment::DateTime(time) => {
                write_date(&mut out, time.date());
                write_clock(&mut out, *time, false);
            }
            Moment::Instant(instant) => {
                let time = jiff::tz::Offset::UTC.to_datetime(*instant);
                write_date(&mut out, time.date());
                write_clock(&mut out, time, true);
                out.push('Z');
            }
            Moment::Duration(nanos) => write_duration(&mut out, *nanos),
            Moment::Period { years, months, days } => {
                out.push('P');
                for (count, letter) in [(years, 'Y'), (months, 'M'), (days, 'D')] {
                    if *count != 0 {
                        let _ = write!(out, "{count}{letter}");
                    }
                }
                if out.len() == 1 {
                    out.push_str("0D");
                }
            }
            Moment::DayOfWeek(day) => out = name(&DAYS, *day).to_uppercase(),
            Moment::Month(month) => out = name(&MONTHS, *month).to_uppercase(),
            Moment::Unit(unit) => out = format!("{unit:?}"),
            Moment::Formatter(pattern) => out.push_str(pattern),
            Moment::Zone(zone) => out.push_str(zone),
        }
        out
    }
}

/// The name of a day or month that counts from 1.
pub(crate) fn name(names: &[&'static str], number: i8) -> &'static str {
    usize::try_from(number - 1).ok().and_then(|at| names.get(at)).copied().unwrap_or("")
}

fn write_date(out: &mut String, date: Date) {
    let sign = if date.year() < 0 { "-" } else { "" };
    let _ = write!(out, "{sign}{:04}-{:02}-{:02}", date.year().abs(), date.month(), date.day());
}

/// Hours and minutes, and seconds and their fraction if there are such.
fn write_clock(out: &mut String, time: DateTime, seconds: bool) {
    let _ = write!(out, "T{:02}:{:02}", time.hour(), time.minute());
    let nanos = time.subsec_nanosecond();
    if seconds || time.second() != 0 || nanos != 0 {
        let _ = write!(out, ":{:02}", time.second());
    }
    // Three digits, six or nine, as on the JVM.
    let _ = match nanos {
        0 => Ok(()),
        _ if nanos % 1_000_000 == 0 => write!(out, ".{:03}", nanos / 1_000_000),
        _ if nanos % 1_000 == 0 => write!(out, ".{:06}", nanos / 1_000),
        _ => write!(out, ".{nanos:09}"),
    };
}

fn write_duration(out: &mut String, nanos: i128) {
    let (seconds, fraction) = (nanos / SECOND, (nanos % SECOND).abs());
    out.push_str("PT");
    let (hours, minutes, rest) = (seconds / 3_600, seconds % 3_600 / 60, seconds % 60);
    if hours != 0 {
        let _ = write!(out, "{hours}H");
    }
    if minutes != 0 {
        let _ = write!(out, "{minutes}M");
    }
    if rest != 0 || fraction != 0 || out.len() == 2 {
        let sign = if nanos < 0 && rest == 0 && fraction != 0 { "-" } else { "" };
        let _ = write!(out, "{sign}{rest}");
        if fraction != 0 {
            let _ = write!(out, ".{}", format!("{fraction:09}").trim_end_matches('0'));
        }
        out.push('S');
    }
}
