//! Dates, times and durations: the values of `java.time`, without a clock and without time zone
//! data. A zone is UTC or a fixed offset from it.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::sync::OnceLock;

use arcstr::ArcStr;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time as Clock};

/// A value of `java.time`. Its text is made on first use.
pub struct Time {
    pub kind: Moment,
    text: OnceLock<ArcStr>,
}

/// The kind and content of a [`Time`].
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    Date(Date),
    DateTime(DateTime),
    /// A time of day.
    Clock(Clock),
    /// A year and a month.
    YearMonth(i16, i8),
    /// A date with time at an offset from UTC.
    Offset(DateTime, Zone),
    /// A date with time in a zone.
    Zoned(DateTime, Zone),
    Instant(Timestamp),
    /// A duration in nanoseconds.
    Duration(i128),
    Period {
        years: i32,
        months: i32,
        days: i32,
    },
    /// A day of the week, from 1 for Monday.
    DayOfWeek(i8),
    /// A month, from 1 for January.
    Month(i8),
    Unit(Unit),
    /// A checked pattern, such as `yyyy-MM-dd`.
    Formatter(ArcStr),
    Zone(Zone),
}

/// UTC or a fixed offset from it, with the name it was given.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    pub id: ArcStr,
    /// Seconds east of UTC.
    pub offset: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
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

pub const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub const MONTHS: [&str; 12] = [
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

/// The nanoseconds of a second.
pub const SECOND: i128 = 1_000_000_000;
/// The nanoseconds of a day.
pub const DAY: i128 = 86_400 * SECOND;

impl Unit {
    const ALL: [Unit; 13] = [
        Unit::Nanos,
        Unit::Micros,
        Unit::Millis,
        Unit::Seconds,
        Unit::Minutes,
        Unit::Hours,
        Unit::HalfDays,
        Unit::Days,
        Unit::Weeks,
        Unit::Months,
        Unit::Years,
        Unit::Decades,
        Unit::Centuries,
    ];

    pub fn named(text: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| format!("{unit:?}") == text)
    }

    /// Returns its length in nanoseconds; none for a unit of months.
    pub fn nanos(self) -> Option<i128> {
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

    /// Returns its length in months; none for a unit of time.
    pub fn months(self) -> Option<i64> {
        Some(match self {
            Unit::Months => 1,
            Unit::Years => 12,
            Unit::Decades => 120,
            Unit::Centuries => 1_200,
            _ => return None,
        })
    }
}

/// Returns the days since 1970-01-01.
pub fn epoch_day(date: Date) -> i64 {
    // Years that start in March put the leap day last (Howard Hinnant's `days_from_civil`).
    let month = i64::from(date.month());
    let year = i64::from(date.year()) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(date.day()) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the nanoseconds since midnight.
pub fn nano_of_day(time: DateTime) -> i128 {
    let seconds =
        i64::from(time.hour()) * 3_600 + i64::from(time.minute()) * 60 + i64::from(time.second());
    i128::from(seconds) * SECOND + i128::from(time.subsec_nanosecond())
}

/// Returns the nanoseconds since 1970-01-01T00:00.
pub fn epoch_nanos(time: DateTime) -> i128 {
    i128::from(epoch_day(time.date())) * DAY + nano_of_day(time)
}

impl Zone {
    /// Makes a zone of a plain offset, in seconds.
    pub fn at(offset: i32) -> Zone {
        let size = offset.abs();
        let sign = if offset < 0 { '-' } else { '+' };
        let id = match (size, size % 60) {
            (0, _) => "Z".to_owned(),
            (_, 0) => format!("{sign}{:02}:{:02}", size / 3_600, size / 60 % 60),
            (_, seconds) => {
                format!("{sign}{:02}:{:02}:{seconds:02}", size / 3_600, size / 60 % 60)
            }
        };
        Zone { id: id.into(), offset }
    }

    /// Returns whether it is a plain offset, a `ZoneOffset` of Java.
    pub fn is_offset(&self) -> bool {
        self.id == "Z" || self.id.starts_with(['+', '-'])
    }
}

impl Moment {
    /// Returns its local date with time, if it has one.
    pub fn local(&self) -> Option<DateTime> {
        match self {
            Moment::DateTime(local) | Moment::Offset(local, _) | Moment::Zoned(local, _) => {
                Some(*local)
            }
            _ => None,
        }
    }

    /// Returns the same kind of date with time, in the same zone, for another local time.
    pub fn with_local(&self, local: DateTime) -> Moment {
        match self {
            Moment::Offset(_, zone) => Moment::Offset(local, zone.clone()),
            Moment::Zoned(_, zone) => Moment::Zoned(local, zone.clone()),
            _ => Moment::DateTime(local),
        }
    }

    /// Returns whether it is a date, with or without a time, or an instant.
    pub fn is_point(&self) -> bool {
        self.local().is_some() || matches!(self, Moment::Date(_) | Moment::Instant(_))
    }

    pub fn zone(&self) -> Option<&Zone> {
        match self {
            Moment::Offset(_, zone) | Moment::Zoned(_, zone) => Some(zone),
            _ => None,
        }
    }

    /// Returns the nanoseconds since 1970-01-01T00:00Z, for a point on the time line.
    pub fn nanos(&self) -> Option<i128> {
        match self {
            Moment::Instant(instant) => Some(instant.as_nanosecond()),
            Moment::Offset(local, zone) | Moment::Zoned(local, zone) => {
                Some(epoch_nanos(*local) - i128::from(zone.offset) * SECOND)
            }
            _ => None,
        }
    }
}

impl Time {
    pub(super) fn new(kind: Moment) -> Time {
        Time { kind, text: OnceLock::new() }
    }

    /// Returns its kind, in the words of messages.
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            Moment::Date(_) => "date",
            Moment::DateTime(_) => "date with time",
            Moment::Clock(_) => "time of day",
            Moment::YearMonth(..) => "month of a year",
            Moment::Offset(..) | Moment::Zoned(..) => "date with time and zone",
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

    /// Returns its class in Java.
    pub fn class(&self) -> &'static str {
        match &self.kind {
            Moment::Date(_) => "java.time.LocalDate",
            Moment::DateTime(_) => "java.time.LocalDateTime",
            Moment::Clock(_) => "java.time.LocalTime",
            Moment::YearMonth(..) => "java.time.YearMonth",
            Moment::Offset(..) => "java.time.OffsetDateTime",
            Moment::Zoned(..) => "java.time.ZonedDateTime",
            Moment::Instant(_) => "java.time.Instant",
            Moment::Duration(_) => "java.time.Duration",
            Moment::Period { .. } => "java.time.Period",
            Moment::DayOfWeek(_) => "java.time.DayOfWeek",
            Moment::Month(_) => "java.time.Month",
            Moment::Unit(_) => "java.time.temporal.ChronoUnit",
            Moment::Formatter(_) => "java.time.format.DateTimeFormatter",
            Moment::Zone(zone) if zone.is_offset() => "java.time.ZoneOffset",
            Moment::Zone(_) => "java.time.ZoneId",
        }
    }

    /// Returns its text, as by `str`: ISO 8601 for dates, times and durations.
    pub fn text(&self) -> &ArcStr {
        self.text.get_or_init(|| self.kind.write().into())
    }

    /// Returns whether its text represents it in JSON: not for values that serve only calculation.
    pub fn is_data(&self) -> bool {
        !matches!(self.kind, Moment::Unit(_) | Moment::Formatter(_) | Moment::Zone(_))
    }

    /// Returns the distance of the first parts that differ in two dates, days of the week or
    /// months, as `compareTo` does. Returns none for other times.
    pub fn difference(&self, other: &Time) -> Option<i64> {
        let (a, b) = match (&self.kind, &other.kind) {
            (Moment::Date(a), Moment::Date(b)) => (*a, *b),
            (Moment::DateTime(a), Moment::DateTime(b)) => (a.date(), b.date()),
            (Moment::YearMonth(year, month), Moment::YearMonth(other, other_month)) => {
                let years = i64::from(*year) - i64::from(*other);
                return Some(if years == 0 { i64::from(month - other_month) } else { years });
            }
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

    /// Returns the order of two times of one kind; none if they have no order.
    pub fn order(&self, other: &Time) -> Option<Ordering> {
        let other_nanos = other.kind.nanos();
        match (&self.kind, &other.kind) {
            (Moment::Date(a), Moment::Date(b)) => Some(a.cmp(b)),
            (Moment::DateTime(a), Moment::DateTime(b)) => Some(a.cmp(b)),
            (Moment::Instant(a), Moment::Instant(b)) => Some(a.cmp(b)),
            (Moment::Clock(a), Moment::Clock(b)) => Some(a.cmp(b)),
            (Moment::YearMonth(year, month), Moment::YearMonth(other, other_month)) => {
                Some((year, month).cmp(&(other, other_month)))
            }
            // At the same point of time, the earlier local time comes first, as on the JVM.
            (Moment::Offset(a, zone), Moment::Offset(b, other))
            | (Moment::Zoned(a, zone), Moment::Zoned(b, other)) => {
                let order = self.kind.nanos().cmp(&other_nanos);
                Some(order.then(a.cmp(b)).then_with(|| zone.id.cmp(&other.id)))
            }
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
    pub fn write(&self) -> String {
        let mut out = String::new();
        match self {
            Moment::Date(date) => write_date(&mut out, *date),
            Moment::DateTime(time) => {
                write_date(&mut out, time.date());
                out.push('T');
                write_clock(&mut out, time.time(), false);
            }
            Moment::Clock(time) => write_clock(&mut out, *time, false),
            Moment::YearMonth(year, month) => {
                write_year(&mut out, *year);
                let _ = write!(out, "-{month:02}");
            }
            Moment::Offset(local, zone) | Moment::Zoned(local, zone) => {
                out = Moment::DateTime(*local).write();
                out.push_str(&Zone::at(zone.offset).id);
                if !zone.is_offset() {
                    let _ = write!(out, "[{}]", zone.id);
                }
            }
            Moment::Instant(instant) => {
                let time = jiff::tz::Offset::UTC.to_datetime(*instant);
                write_date(&mut out, time.date());
                out.push('T');
                write_clock(&mut out, time.time(), true);
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
            Moment::Zone(zone) => out.push_str(&zone.id),
        }
        out
    }
}

/// Returns the name of a day or month that counts from 1.
pub fn name(names: &[&'static str], number: i8) -> &'static str {
    usize::try_from(number - 1).ok().and_then(|at| names.get(at)).copied().unwrap_or("")
}

fn write_date(out: &mut String, date: Date) {
    write_year(out, date.year());
    let _ = write!(out, "-{:02}-{:02}", date.month(), date.day());
}

fn write_year(out: &mut String, year: i16) {
    let sign = if year < 0 { "-" } else { "" };
    let _ = write!(out, "{sign}{:04}", year.abs());
}

/// Writes hours and minutes, then seconds and their fraction if there are any.
fn write_clock(out: &mut String, time: Clock, seconds: bool) {
    let _ = write!(out, "{:02}:{:02}", time.hour(), time.minute());
    let nanos = time.subsec_nanosecond();
    if seconds || time.second() != 0 || nanos != 0 {
        let _ = write!(out, ":{:02}", time.second());
    }
    // Three, six or nine digits, as on the JVM.
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
