//! The numeric fields of dates and times.

use super::arguments::EPOCH;
use ptc_values::{Moment, epoch_day, nano_of_day};

/// A numeric field of a date or time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Year,
    YearOfEra,
    Quarter,
    Month,
    Day,
    DayOfYear,
    DayOfWeek,
    Hour,
    ClockHour,
    Hour12,
    ClockHour12,
    Minute,
    Second,
    Nano,
    MilliOfDay,
    NanoOfDay,
}

/// Returns a field of a date or time, if it has that field.
pub(super) fn field(what: &Moment, field: Field) -> Option<i64> {
    let time = match what {
        Moment::Clock(time) => Some(EPOCH.to_datetime(*time)),
        _ => what.local(),
    };
    let date = match what {
        Moment::Date(date) => Some(*date),
        Moment::YearMonth(year, month) => jiff::civil::Date::new(*year, *month, 1).ok(),
        _ => what.local().map(jiff::civil::DateTime::date),
    };
    // A month of a year has no day.
    let day = date.filter(|_| !matches!(what, Moment::YearMonth(..)));
    let hour = || time.map(|time| i64::from(time.hour()));
    let nanos = || time.map(|time| nano_of_day(time) as i64);
    let clock = |hour: i64, most: i64| if hour % most == 0 { most } else { hour % most };
    match field {
        Field::Year => date.map(|date| i64::from(date.year())),
        Field::YearOfEra => {
            date.map(|date| i64::from(if date.year() > 0 { date.year() } else { 1 - date.year() }))
        }
        Field::Quarter => date.map(|date| (i64::from(date.month()) + 2) / 3),
        Field::Month => date.map(|date| i64::from(date.month())),
        Field::Day => day.map(|date| i64::from(date.day())),
        Field::DayOfYear => day.map(|date| i64::from(date.day_of_year())),
        Field::DayOfWeek => day.map(|date| (epoch_day(date) + 3).rem_euclid(7) + 1),
        Field::Hour => hour(),
        Field::ClockHour => hour().map(|hour| clock(hour, 24)),
        Field::Hour12 => hour().map(|hour| hour % 12),
        Field::ClockHour12 => hour().map(|hour| clock(hour, 12)),
        Field::Minute => time.map(|time| i64::from(time.minute())),
        Field::Second => time.map(|time| i64::from(time.second())),
        Field::Nano => time.map(|time| i64::from(time.subsec_nanosecond())),
        Field::MilliOfDay => nanos().map(|nanos| nanos / 1_000_000),
        Field::NanoOfDay => nanos(),
    }
}
