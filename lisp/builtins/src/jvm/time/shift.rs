//! Arithmetic with dates and times, as in `java.time`.

use jiff::civil::{Date, DateTime, Time as Clock};
use jiff::{Span, Timestamp};

use super::arguments::{EPOCH, int, moment, out_of_range, period};
use ptc_facts::messages::wrong_type;
use ptc_values::code::Code;
use ptc_values::{
    DAY, Diagnostic, MONTHS, Moment, Res, SECOND, Time, Unit, Value, Zone, epoch_day, epoch_nanos,
    nano_of_day, time_name,
};

pub(super) fn date(year: i64, month: i64, day: i64) -> Res<Date> {
    let year = i16::try_from(year).map_err(|_| out_of_range())?;
    let month =
        i8::try_from(month).ok().filter(|month| (1..=12).contains(month)).ok_or_else(|| {
            bad(format!("a month is a number from 1 to 12, found {month}"))
                .with_jvm_message(invalid("MonthOfYear", "1 - 12", month))
        })?;
    let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day)).ok_or_else(|| {
        bad(format!("a day of the month is a number from 1 to 31, found {day}"))
            .with_jvm_message(invalid("DayOfMonth", "1 - 28/31", day))
    })?;
    Date::new(year, month, day).map_err(|_| {
        let name = time_name(&MONTHS, month);
        bad(format!("{name} {year} has no day {day}"))
            .with_jvm_message(if (month, day) == (2, 29) {
                format!("Invalid date 'February 29' as '{year}' is not a leap year")
            } else {
                format!("Invalid date '{} {day}'", name.to_uppercase())
            })
            .with_help("for the last day of a month write `(.lengthOfMonth date)`")
    })
}

/// Returns the JVM's message for an invalid number in a date or time.
fn invalid(field: &str, range: &str, found: i64) -> String {
    format!("Invalid value for {field} (valid values {range}): {found}")
}

#[cold]
fn bad(message: String) -> Diagnostic {
    Diagnostic::new(Code::BadDate, message)
}

pub(super) fn of_year_day(who: &str, year: i64, day: i64) -> Res<Date> {
    let first = date(year, 1, 1)?;
    if !(1..=i64::from(first.days_in_year())).contains(&day) {
        return Err(bad(format!("`{who}`: the year {year} has no day {day}")));
    }
    date_of_day(i128::from(epoch_day(first)) + i128::from(day) - 1)
}

/// Returns the date this number of days after 1970-01-01.
pub(super) fn date_of_day(days: i128) -> Res<Date> {
    let span = i64::try_from(days).ok().and_then(|days| Span::new().try_days(days).ok());
    span.and_then(|span| EPOCH.checked_add(span).ok()).ok_or_else(out_of_range)
}

/// Returns the date with time this number of nanoseconds after 1970-01-01.
pub(super) fn date_time_of(nanos: i128) -> Res<DateTime> {
    let date = date_of_day(nanos.div_euclid(DAY))?;
    let of_day = nanos.rem_euclid(DAY);
    let seconds = (of_day / SECOND) as i32;
    let [hour, minute, second] =
        [seconds / 3_600, seconds / 60 % 60, seconds % 60].map(|n| n as i8);
    DateTime::new(
        date.year(),
        date.month(),
        date.day(),
        hour,
        minute,
        second,
        (of_day % SECOND) as i32,
    )
    .map_err(|_| out_of_range())
}

/// Returns the time of day this number of nanoseconds after midnight.
pub(super) fn clock_of(nanos: i128) -> Res<Clock> {
    date_time_of(nanos).map(DateTime::time)
}

/// Returns the nanoseconds since midnight.
pub(super) fn nano_of_clock(time: Clock) -> i128 {
    nano_of_day(EPOCH.to_datetime(time))
}

/// Returns the local time of a zone at an instant.
pub(super) fn local_of(nanos: i128, zone: &Zone) -> Res<DateTime> {
    date_time_of(nanos + i128::from(zone.offset) * SECOND)
}

pub(super) fn instant_of(nanos: i128) -> Res<Timestamp> {
    Timestamp::from_nanosecond(nanos).map_err(|_| out_of_range())
}

/// Makes a duration; its seconds have 64 bits, as on the JVM.
pub(super) fn duration(nanos: i128) -> Res<Moment> {
    match i64::try_from(nanos.div_euclid(SECOND)) {
        Ok(_) => Ok(Moment::Duration(nanos)),
        Err(_) => Err(out_of_range()),
    }
}

/// Joins a date with hours, minutes, seconds and nanoseconds.
pub(super) fn at_time(who: &str, date: Date, parts: &[Value]) -> Res<DateTime> {
    let mut numbers = [0; 4];
    let bounds = [
        ("hour", "HourOfDay", 23),
        ("minute", "MinuteOfHour", 59),
        ("second", "SecondOfMinute", 59),
        ("nanosecond", "NanoOfSecond", 999_999_999),
    ];
    for ((number, part), (name, field, most)) in numbers.iter_mut().zip(parts).zip(bounds) {
        *number = int(who, part)?;
        if !(0..=most).contains(number) {
            return Err(bad(format!(
                "`{who}`: the {name} is a number from 0 to {most}, found {number}"
            ))
            .with_jvm_message(invalid(field, &format!("0 - {most}"), *number)));
        }
    }
    let [hour, minute, second, nano] = numbers;
    date_time_of(
        i128::from(epoch_day(date)) * DAY
            + i128::from(hour * 3_600 + minute * 60 + second) * SECOND
            + i128::from(nano),
    )
}

#[cold]
pub(super) fn no_unit(what: &str, unit: Unit) -> Diagnostic {
    let problem = Diagnostic::new(
        Code::BadDate,
        format!(
            "{} has no {}",
            if what == "instant" { "an instant".to_owned() } else { format!("a {what}") },
            format!("{unit:?}").to_lowercase()
        ),
    );
    match (what, unit) {
        ("date", _) => problem.with_help("a date has no time: add one with `(.atStartOfDay date)`"),
        ("instant", _) => problem.with_help(
            "convert it to a date with time: `(LocalDateTime/ofInstant instant ZoneOffset/UTC)`",
        ),
        _ => problem,
    }
}

fn months_later(date: Date, months: i128) -> Res<Date> {
    let months = i64::try_from(months).map_err(|_| out_of_range())?;
    let span = Span::new().try_months(months).map_err(|_| out_of_range())?;
    // A day after the end of the month becomes its last day, as on the JVM.
    date.checked_add(span).map_err(|_| out_of_range())
}

/// Returns a date or time this number of units later.
pub(super) fn shift(what: &Moment, count: i128, unit: Unit) -> Res<Moment> {
    let months = unit.months().map(|months| count.saturating_mul(i128::from(months)));
    let nanos = count.saturating_mul(unit.nanos().unwrap_or(0));
    if let (Some(local), Some(_)) = (what.local(), what.zone()) {
        // Offsets are fixed, so the local time moves as without a zone.
        let moved = shift(&Moment::DateTime(local), count, unit)?;
        return moved.local().map(|local| what.with_local(local)).ok_or_else(out_of_range);
    }
    match (what, months) {
        (Moment::YearMonth(year, month), Some(months)) => {
            let first = date(i64::from(*year), i64::from(*month), 1)?;
            let moved = months_later(first, months)?;
            Ok(Moment::YearMonth(moved.year(), moved.month()))
        }
        (Moment::YearMonth(..), None) => Err(no_unit("month of a year", unit)),
        (Moment::Clock(time), None) if !matches!(unit, Unit::Days | Unit::Weeks) => {
            clock_of(nano_of_clock(*time).saturating_add(nanos).rem_euclid(DAY)).map(Moment::Clock)
        }
        (Moment::Clock(_), _) => Err(no_unit("time of day", unit)),
        (Moment::Date(date), Some(months)) => months_later(*date, months).map(Moment::Date),
        (Moment::Date(date), None) if matches!(unit, Unit::Days | Unit::Weeks) => {
            date_of_day(i128::from(epoch_day(*date)) + nanos / DAY).map(Moment::Date)
        }
        (Moment::Date(_), None) => Err(no_unit("date", unit)),
        (Moment::DateTime(time), Some(months)) => {
            let date = months_later(time.date(), months)?;
            Ok(Moment::DateTime(date.to_datetime(time.time())))
        }
        (Moment::DateTime(time), None) => {
            date_time_of(epoch_nanos(*time).saturating_add(nanos)).map(Moment::DateTime)
        }
        (Moment::Instant(instant), None) if unit != Unit::Weeks => {
            instant_of(instant.as_nanosecond().saturating_add(nanos)).map(Moment::Instant)
        }
        (Moment::Instant(_), _) => Err(no_unit("instant", unit)),
        (Moment::Duration(own), None) if unit != Unit::Weeks => duration(own.saturating_add(nanos)),
        (Moment::Duration(_), _) => Err(no_unit("duration", unit)),
        (Moment::Period { years, months: own_months, days }, _) => {
            let count = i32::try_from(count).map_err(|_| out_of_range())?;
            let (mut years, mut months, mut days) = (*years, *own_months, *days);
            let part = match unit {
                Unit::Years => &mut years,
                Unit::Months => &mut months,
                Unit::Days => &mut days,
                _ => return Err(no_unit("period", unit)),
            };
            *part = part.checked_add(count).ok_or_else(out_of_range)?;
            Ok(period(years, months, days))
        }
        _ => Err(bad("only dates, times and spans can be shifted".to_owned())),
    }
}

/// Adds a duration or a period to a date or time; a sign of -1 subtracts it.
pub(super) fn add(who: &str, what: &Value, amount: &Value, sign: i32) -> Res<Moment> {
    let this = moment(who, "a date, a time or a span", what)?;
    match (this, moment(who, "a duration or a period", amount)?) {
        (Moment::Date(_), Moment::Duration(_)) => Err(no_unit("date", Unit::Seconds)),
        (Moment::Period { .. }, Moment::Duration(_)) => Err(wrong_type(who, "a period", amount)),
        (_, Moment::Duration(nanos)) => shift(this, nanos * i128::from(sign), Unit::Nanos),
        (Moment::Duration(_), Moment::Period { .. }) => Err(wrong_type(who, "a duration", amount)),
        (Moment::Period { .. }, Moment::Period { years, months, days }) => {
            let mut sum = this.clone();
            for (count, unit) in [(years, Unit::Years), (months, Unit::Months), (days, Unit::Days)]
            {
                sum = shift(&sum, i128::from(*count) * i128::from(sign), unit)?;
            }
            Ok(sum)
        }
        (_, Moment::Period { years, months, days }) => {
            let months = i128::from(*years) * 12 + i128::from(*months);
            let mut sum = this.clone();
            for (count, unit) in [(months, Unit::Months), (i128::from(*days), Unit::Days)] {
                if count != 0 {
                    sum = shift(&sum, count * i128::from(sign), unit)?;
                }
            }
            Ok(sum)
        }
        _ => Err(wrong_type(who, "a duration or a period", amount)),
    }
}

/// Returns two times of one kind, in nanoseconds since 1970-01-01.
fn both_nanos(who: &str, from: &Value, to: &Value) -> Res<(i128, i128)> {
    let nanos = |value| match moment(who, "a date with time or an instant", value)? {
        Moment::DateTime(time) => Ok((0, epoch_nanos(*time))),
        Moment::Instant(instant) => Ok((1, instant.as_nanosecond())),
        Moment::Clock(time) => Ok((2, nano_of_clock(*time))),
        zoned @ Moment::Offset(..) => Ok((3, zoned.nanos().unwrap_or(0))),
        zoned @ Moment::Zoned(..) => Ok((4, zoned.nanos().unwrap_or(0))),
        Moment::Date(_) => Err(wrong_type(who, "a date with time or an instant", value)
            .with_help("for the days between dates write `(.between ChronoUnit/DAYS from to)`")),
        _ => Err(wrong_type(who, "a date with time or an instant", value)),
    };
    let ((kind, from_nanos), (other, to_nanos)) = (nanos(from)?, nanos(to)?);
    if kind == other {
        return Ok((from_nanos, to_nanos));
    }
    Err(wrong_type(who, "two times of the same type", to).with_help(
        "convert both to the same type: `(LocalDateTime/ofInstant instant ZoneOffset/UTC)`",
    ))
}

pub(super) fn duration_between(who: &str, from: &Value, to: &Value) -> Res<Moment> {
    let (from, to) = both_nanos(who, from, to)?;
    duration(to - from)
}

fn whole_months(from: Date, to: Date) -> i64 {
    // Days are the low digits, as on the JVM: a month ends when its day is reached.
    let packed = |date: Date| {
        (i64::from(date.year()) * 12 + i64::from(date.month()) - 1) * 32 + i64::from(date.day())
    };
    (packed(to) - packed(from)) / 32
}

/// Returns the number of whole units between two dates or times.
pub(super) fn units_between(who: &str, unit: Unit, from: &Value, to: &Value) -> Res<i64> {
    let count = match (Time::of(from).map(|time| &time.kind), Time::of(to).map(|time| &time.kind)) {
        // After a date, a date with time counts as its date, as on the JVM.
        (Some(Moment::Date(from)), Some(Moment::Date(_) | Moment::DateTime(_))) => {
            let to = match moment(who, "a date", to)? {
                Moment::DateTime(time) => time.date(),
                Moment::Date(date) => *date,
                _ => *from,
            };
            match (unit.months(), unit) {
                (Some(months), _) => i128::from(whole_months(*from, to) / months),
                (None, Unit::Days) => i128::from(epoch_day(to) - epoch_day(*from)),
                (None, Unit::Weeks) => i128::from((epoch_day(to) - epoch_day(*from)) / 7),
                _ => return Err(no_unit("date", unit)),
            }
        }
        (Some(Moment::DateTime(from)), Some(Moment::DateTime(to))) if unit.months().is_some() => {
            let (start, mut end) = (from.date(), to.date());
            let clock = nano_of_day(*to).cmp(&nano_of_day(*from));
            if end > start && clock.is_lt() {
                end = date_of_day(i128::from(epoch_day(end)) - 1)?;
            } else if end < start && clock.is_gt() {
                end = date_of_day(i128::from(epoch_day(end)) + 1)?;
            }
            i128::from(whole_months(start, end) / unit.months().unwrap_or(1))
        }
        (Some(from @ (Moment::Offset(..) | Moment::Zoned(..))), Some(to))
            if std::mem::discriminant(from) == std::mem::discriminant(to) =>
        {
            // Both as local times in the zone of the first.
            let zone = from.zone().cloned().unwrap_or_else(|| Zone::at(0));
            let [from, to] = [from, to].map(|one| local_of(one.nanos().unwrap_or(0), &zone));
            let [from, to] = [from?, to?].map(|local| Time::value(Moment::DateTime(local)));
            return units_between(who, unit, &from, &to);
        }
        (Some(Moment::YearMonth(year, month)), Some(Moment::YearMonth(other, other_month))) => {
            let months = |year: i16, month: i8| i128::from(year) * 12 + i128::from(month);
            let between = months(*other, *other_month) - months(*year, *month);
            match unit.months() {
                Some(months) => between / i128::from(months),
                None => return Err(no_unit("month of a year", unit)),
            }
        }
        (Some(Moment::Clock(_)), Some(Moment::Clock(_)))
            if unit.nanos().is_none_or(|size| size >= DAY) =>
        {
            return Err(no_unit("time of day", unit));
        }
        (Some(Moment::Instant(_)), Some(Moment::Instant(_)))
            if unit.months().is_some() || unit == Unit::Weeks =>
        {
            return Err(no_unit("instant", unit));
        }
        _ => {
            let (from, to) = both_nanos(who, from, to)?;
            (to - from) / unit.nanos().unwrap_or(1)
        }
    };
    i64::try_from(count).map_err(|_| out_of_range())
}

pub(super) fn period_between(from: Date, to: Date) -> Res<Moment> {
    let index = |date: Date| i64::from(date.year()) * 12 + i64::from(date.month());
    let mut months = index(to) - index(from);
    let mut days = i64::from(to.day()) - i64::from(from.day());
    if months > 0 && days < 0 {
        months -= 1;
        days = epoch_day(to) - epoch_day(months_later(from, i128::from(months))?);
    } else if months < 0 && days > 0 {
        months += 1;
        days -= i64::from(to.days_in_month());
    }
    Ok(period((months / 12) as i32, (months % 12) as i32, days as i32))
}

pub(super) fn date_of(who: &str, args: &[Value]) -> Res<Date> {
    let [year, month, day] = args else { return Err(out_of_range()) };
    let month = match Time::of(month).map(|time| &time.kind) {
        Some(Moment::Month(month)) => i64::from(*month),
        _ => int(who, month)?,
    };
    date(int(who, year)?, month, int(who, day)?)
}
