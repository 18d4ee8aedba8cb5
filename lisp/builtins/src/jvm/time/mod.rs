//! `java.time`: dates, times and durations, parsed, compared, shifted and formatted.
//!
//! This module has the static functions and constants of dates, instants and durations. Those of
//! times of day and months are in `clock`, those with a zone in `zone`. Methods are in `method`,
//! arithmetic in `shift`, reading and writing in `iso` and `pattern`. There is no current time and
//! no time zone data.

use jiff::Timestamp;
use jiff::civil::DateTime;

use ptc_facts::registry::facts::{ANY, listed};

pub use crate::jvm::time::clock::TABLE as CLOCKS;
pub use crate::jvm::time::method::TABLE as METHODS;
pub use crate::jvm::time::zone::TABLE as ZONES;
use crate::jvm::time::zone::{of_instant, zone};

use arguments::{EPOCH, date, give, int, int32, out_of_range, period, text, unit};
use ptc_machine::Row;
use ptc_machine::{constant, pure};
use ptc_values::code::Code;
use ptc_values::{DAY, DAYS, Diagnostic, MONTHS, Moment, Res, SECOND, Time, Unit, Value, Zone};
use shift::date_of;

macro_rules! table {
    (
        constants { $($cname:literal, $cdoc:literal, $cexample:literal, $cvalue:expr;)+ }
        functions { $($name:literal, $usage:literal, $doc:literal, $example:literal, $make:expr;)+ }
        tests { $($tname:literal, $tusage:literal, $tdoc:literal, $texample:literal, $test:expr;)+ }
        values { $($vname:literal, $vusage:literal, $vdoc:literal, $vexample:literal, $value:expr;)* }
    ) => {
        pub const TABLE: &[Row] = &[
            $(constant!($cname, $cdoc, $cexample, Time::value($cvalue)),)+
            $(pure($name, $usage, $doc, $example, listed(ANY), |cx, args| {
                let make: fn(&'static str, &[Value]) -> Res<Moment> = $make;
                let moment = make($name, args)?;
                give(cx, moment)
            }),)+
            $(pure($tname, $tusage, $tdoc, $texample, listed(ANY), |_, args| {
                let test: fn(&Value) -> Res = $test;
                test(&args[0])
            }),)+
            $(pure($vname, $vusage, $vdoc, $vexample, listed(ANY), |_, args| {
                let value: fn(&'static str, &[Value]) -> Res = $value;
                value($vname, args)
            }),)*
        ];
    };
}
pub(super) mod arguments;
mod clock;
mod field;
mod iso;
mod method;
mod pattern;
mod shift;
mod zone;

table! {
    constants {
        "LocalDate/EPOCH", "The date 1970-01-01.", "(str LocalDate/EPOCH) => \"1970-01-01\"", Moment::Date(EPOCH);
        "Instant/EPOCH", "The instant 1970-01-01T00:00:00Z.", "(str Instant/EPOCH) => \"1970-01-01T00:00:00Z\"", Moment::Instant(Timestamp::UNIX_EPOCH);
        "Duration/ZERO", "The duration of zero.", "(str Duration/ZERO) => \"PT0S\"", Moment::Duration(0);
        "Period/ZERO", "The period of zero days.", "(str Period/ZERO) => \"P0D\"", period(0, 0, 0);
        "ChronoUnit/NANOS", "The unit of nanoseconds.", "(str ChronoUnit/NANOS) => \"Nanos\"", Moment::Unit(Unit::Nanos);
        "ChronoUnit/MICROS", "The unit of microseconds.", "(str ChronoUnit/MICROS) => \"Micros\"", Moment::Unit(Unit::Micros);
        "ChronoUnit/MILLIS", "The unit of milliseconds.", "(str ChronoUnit/MILLIS) => \"Millis\"", Moment::Unit(Unit::Millis);
        "ChronoUnit/SECONDS", "The unit of seconds.", "(str ChronoUnit/SECONDS) => \"Seconds\"", Moment::Unit(Unit::Seconds);
        "ChronoUnit/MINUTES", "The unit of minutes.", "(str ChronoUnit/MINUTES) => \"Minutes\"", Moment::Unit(Unit::Minutes);
        "ChronoUnit/HOURS", "The unit of hours.", "(str ChronoUnit/HOURS) => \"Hours\"", Moment::Unit(Unit::Hours);
        "ChronoUnit/HALF_DAYS", "The unit of half days.", "(str ChronoUnit/HALF_DAYS) => \"HalfDays\"", Moment::Unit(Unit::HalfDays);
        "ChronoUnit/DAYS", "The unit of days.", "(.between ChronoUnit/DAYS (LocalDate/of 2024 1 1) (LocalDate/of 2024 3 1)) => 60", Moment::Unit(Unit::Days);
        "ChronoUnit/WEEKS", "The unit of weeks.", "(str ChronoUnit/WEEKS) => \"Weeks\"", Moment::Unit(Unit::Weeks);
        "ChronoUnit/MONTHS", "The unit of months.", "(str ChronoUnit/MONTHS) => \"Months\"", Moment::Unit(Unit::Months);
        "ChronoUnit/YEARS", "The unit of years.", "(str ChronoUnit/YEARS) => \"Years\"", Moment::Unit(Unit::Years);
        "ChronoUnit/DECADES", "The unit of ten years.", "(str ChronoUnit/DECADES) => \"Decades\"", Moment::Unit(Unit::Decades);
        "ChronoUnit/CENTURIES", "The unit of a hundred years.", "(str ChronoUnit/CENTURIES) => \"Centuries\"", Moment::Unit(Unit::Centuries);
        "DayOfWeek/MONDAY", "The day of the week Monday.", "(= DayOfWeek/MONDAY (.getDayOfWeek (LocalDate/of 2024 1 1))) => true", Moment::DayOfWeek(1);
        "DayOfWeek/TUESDAY", "The day of the week Tuesday.", "(str DayOfWeek/TUESDAY) => \"TUESDAY\"", Moment::DayOfWeek(2);
        "DayOfWeek/WEDNESDAY", "The day of the week Wednesday.", "(str DayOfWeek/WEDNESDAY) => \"WEDNESDAY\"", Moment::DayOfWeek(3);
        "DayOfWeek/THURSDAY", "The day of the week Thursday.", "(str DayOfWeek/THURSDAY) => \"THURSDAY\"", Moment::DayOfWeek(4);
        "DayOfWeek/FRIDAY", "The day of the week Friday.", "(str DayOfWeek/FRIDAY) => \"FRIDAY\"", Moment::DayOfWeek(5);
        "DayOfWeek/SATURDAY", "The day of the week Saturday.", "(str DayOfWeek/SATURDAY) => \"SATURDAY\"", Moment::DayOfWeek(6);
        "DayOfWeek/SUNDAY", "The day of the week Sunday.", "(str DayOfWeek/SUNDAY) => \"SUNDAY\"", Moment::DayOfWeek(7);
        "Month/JANUARY", "The month January.", "(.getValue Month/JANUARY) => 1", Moment::Month(1);
        "Month/FEBRUARY", "The month February.", "(.getValue Month/FEBRUARY) => 2", Moment::Month(2);
        "Month/MARCH", "The month March.", "(.getValue Month/MARCH) => 3", Moment::Month(3);
        "Month/APRIL", "The month April.", "(.getValue Month/APRIL) => 4", Moment::Month(4);
        "Month/MAY", "The month May.", "(.getValue Month/MAY) => 5", Moment::Month(5);
        "Month/JUNE", "The month June.", "(.getValue Month/JUNE) => 6", Moment::Month(6);
        "Month/JULY", "The month July.", "(.getValue Month/JULY) => 7", Moment::Month(7);
        "Month/AUGUST", "The month August.", "(.getValue Month/AUGUST) => 8", Moment::Month(8);
        "Month/SEPTEMBER", "The month September.", "(.getValue Month/SEPTEMBER) => 9", Moment::Month(9);
        "Month/OCTOBER", "The month October.", "(.getValue Month/OCTOBER) => 10", Moment::Month(10);
        "Month/NOVEMBER", "The month November.", "(.getValue Month/NOVEMBER) => 11", Moment::Month(11);
        "Month/DECEMBER", "The month December.", "(.getValue Month/DECEMBER) => 12", Moment::Month(12);
        "DateTimeFormatter/ISO_LOCAL_DATE", "The format of 2024-01-05.", "(.format (LocalDate/of 2024 1 5) DateTimeFormatter/ISO_LOCAL_DATE) => \"2024-01-05\"", formatter(pattern::ISO_DATE);
        "DateTimeFormatter/ISO_DATE", "The format of 2024-01-05.", "(.format (LocalDate/of 2024 1 5) DateTimeFormatter/ISO_DATE) => \"2024-01-05\"", formatter(pattern::ISO_DATE);
        "DateTimeFormatter/BASIC_ISO_DATE", "The format of 20240105.", "(.format (LocalDate/of 2024 1 5) DateTimeFormatter/BASIC_ISO_DATE) => \"20240105\"", formatter(pattern::BASIC);
        "DateTimeFormatter/ISO_LOCAL_TIME", "The format of 10:30:00.", "(.format (LocalTime/of 10 30) DateTimeFormatter/ISO_LOCAL_TIME) => \"10:30:00\"", formatter(pattern::ISO_TIME);
        "DateTimeFormatter/ISO_OFFSET_DATE_TIME", "The format of 2024-01-05T10:30:00+02:00.", "(.format (OffsetDateTime/parse \"2024-01-05T10:30+02:00\") DateTimeFormatter/ISO_OFFSET_DATE_TIME) => \"2024-01-05T10:30:00+02:00\"", formatter(pattern::ISO_OFFSET);
        "DateTimeFormatter/ISO_ZONED_DATE_TIME", "The format of 2024-01-05T10:30:00Z[UTC].", "(.format (ZonedDateTime/parse \"2024-01-05T10:30Z[UTC]\") DateTimeFormatter/ISO_ZONED_DATE_TIME) => \"2024-01-05T10:30:00Z[UTC]\"", formatter(pattern::ISO_ZONED);
        "DateTimeFormatter/ISO_INSTANT", "The format of 2024-01-05T10:30:00Z.", "(.format DateTimeFormatter/ISO_INSTANT Instant/EPOCH) => \"1970-01-01T00:00:00Z\"", formatter(pattern::ISO_INSTANT);
        "DateTimeFormatter/ISO_LOCAL_DATE_TIME", "The format of 2024-01-05T10:30:00.", "(.format (LocalDateTime/of 2024 1 5 10 30) DateTimeFormatter/ISO_LOCAL_DATE_TIME) => \"2024-01-05T10:30:00\"", formatter(pattern::ISO_DATE_TIME);
        "DateTimeFormatter/ISO_DATE_TIME", "The format of 2024-01-05T10:30:00.", "(.format (LocalDateTime/of 2024 1 5 10 30) DateTimeFormatter/ISO_DATE_TIME) => \"2024-01-05T10:30:00\"", formatter(pattern::ISO_ANY);
    }
    functions {
        "LocalDate/of", "year month day", "The date of a year, a month and a day.", "(str (LocalDate/of 2024 1 5)) => \"2024-01-05\"", |who, args| date_of(who, args).map(Moment::Date);
        "LocalDate/parse", "text|text formatter", "Parses a text as a date, such as 2024-01-05, or in a format.", "(str (LocalDate/parse \"2024-01-05\")) => \"2024-01-05\"", |who, args| {
            match args.get(1) {
                None => iso::date(who, text(who, &args[0])?).map(Moment::Date),
                Some(format) => pattern::parse(who, text(who, &args[0])?, format)?.date(who).map(Moment::Date),
            }
        };
        "LocalDate/ofEpochDay", "days", "The date this number of days after 1970-01-01.", "(str (LocalDate/ofEpochDay 1)) => \"1970-01-02\"", |who, args| {
            shift::date_of_day(i128::from(int(who, &args[0])?)).map(Moment::Date)
        };
        "LocalDate/ofYearDay", "year day", "The date of a year and a day of the year.", "(str (LocalDate/ofYearDay 2024 60)) => \"2024-02-29\"", |who, args| {
            shift::of_year_day(who, int(who, &args[0])?, int(who, &args[1])?).map(Moment::Date)
        };
        "LocalDate/ofInstant", "instant zone", "The date at an instant in a zone.", "(str (LocalDate/ofInstant Instant/EPOCH ZoneOffset/UTC)) => \"1970-01-01\"", |who, args| {
            of_instant(who, args).map(|time| Moment::Date(time.date()))
        };
        "LocalDateTime/parse", "text|text formatter", "Parses a text as a date with time, such as 2024-01-05T10:30, or in a format.", "(str (LocalDateTime/parse \"2024-01-05T10:30:00\")) => \"2024-01-05T10:30\"", |who, args| {
            match args.get(1) {
                None => iso::date_time(who, text(who, &args[0])?).map(Moment::DateTime),
                Some(format) => pattern::parse(who, text(who, &args[0])?, format)?.date_time(who).map(Moment::DateTime),
            }
        };
        "LocalDateTime/ofInstant", "instant zone", "The date with time at an instant in a zone.", "(str (LocalDateTime/ofInstant Instant/EPOCH ZoneOffset/UTC)) => \"1970-01-01T00:00\"", |who, args| {
            of_instant(who, args).map(Moment::DateTime)
        };
        "LocalDateTime/ofEpochSecond", "seconds nanos zone", "The date with time in a zone, this number of seconds after 1970-01-01 in UTC.", "(str (LocalDateTime/ofEpochSecond 60 0 ZoneOffset/UTC)) => \"1970-01-01T00:01\"", |who, args| {
            let zone = zone(who, &args[2])?;
            shift::local_of(seconds(who, args)?, &zone).map(Moment::DateTime)
        };
        "Instant/parse", "text", "Parses a text as an instant, such as 2024-01-05T10:30:00Z.", "(str (Instant/parse \"2024-01-05T10:30:00+02:00\")) => \"2024-01-05T08:30:00Z\"", |who, args| {
            iso::instant(who, text(who, &args[0])?).map(Moment::Instant)
        };
        "Instant/ofEpochMilli", "millis", "The instant this number of milliseconds after 1970-01-01.", "(str (Instant/ofEpochMilli 1500)) => \"1970-01-01T00:00:01.500Z\"", |who, args| {
            shift::instant_of(i128::from(int(who, &args[0])?) * 1_000_000).map(Moment::Instant)
        };
        "Instant/ofEpochSecond", "seconds|seconds nanos", "The instant this number of seconds after 1970-01-01.", "(str (Instant/ofEpochSecond 60)) => \"1970-01-01T00:01:00Z\"", |who, args| {
            shift::instant_of(seconds(who, args)?).map(Moment::Instant)
        };
        "Duration/ofDays", "n", "A duration of n days of 24 hours.", "(str (Duration/ofDays 1)) => \"PT24H\"", |who, args| duration(who, args, DAY);
        "Duration/ofHours", "n", "A duration of n hours.", "(str (Duration/ofHours 2)) => \"PT2H\"", |who, args| duration(who, args, 3_600 * SECOND);
        "Duration/ofMinutes", "n", "A duration of n minutes.", "(str (Duration/ofMinutes 90)) => \"PT1H30M\"", |who, args| duration(who, args, 60 * SECOND);
        "Duration/ofSeconds", "n|n nanos", "A duration of n seconds.", "(str (Duration/ofSeconds 61)) => \"PT1M1S\"", |who, args| shift::duration(seconds(who, args)?);
        "Duration/ofMillis", "n", "A duration of n milliseconds.", "(str (Duration/ofMillis 1500)) => \"PT1.5S\"", |who, args| duration(who, args, 1_000_000);
        "Duration/ofNanos", "n", "A duration of n nanoseconds.", "(str (Duration/ofNanos 5)) => \"PT0.000000005S\"", |who, args| duration(who, args, 1);
        "Duration/of", "n unit", "A duration of n units.", "(str (Duration/of 3 ChronoUnit/HOURS)) => \"PT3H\"", |who, args| {
            let unit = unit(who, &args[1])?;
            match unit.nanos().filter(|_| unit != Unit::Weeks) {
                Some(nanos) => duration(who, args, nanos),
                None => Err(shift::no_unit("duration", unit)),
            }
        };
        "Duration/between", "from to", "The duration between two dates with time, or two instants.", "(str (Duration/between (Instant/parse \"2024-01-05T10:00:00Z\") (Instant/parse \"2024-01-05T12:30:00Z\"))) => \"PT2H30M\"", |who, args| shift::duration_between(who, &args[0], &args[1]);
        "Duration/parse", "text", "Parses a text as a duration, such as PT1H30M.", "(.toMinutes (Duration/parse \"PT1H30M\")) => 90", |who, args| iso::duration(who, text(who, &args[0])?).and_then(shift::duration);
        "Period/of", "years months days", "A period of years, months and days.", "(str (Period/of 1 2 3)) => \"P1Y2M3D\"", |who, args| {
            Ok(period(int32(who, &args[0])?, int32(who, &args[1])?, int32(who, &args[2])?))
        };
        "Period/ofDays", "n", "A period of n days.", "(str (Period/ofDays 3)) => \"P3D\"", |who, args| Ok(period(0, 0, int32(who, &args[0])?));
        "Period/ofWeeks", "n", "A period of n weeks.", "(str (Period/ofWeeks 2)) => \"P14D\"", |who, args| {
            let days = int32(who, &args[0])?.checked_mul(7).ok_or_else(out_of_range)?;
            Ok(period(0, 0, days))
        };
        "Period/ofMonths", "n", "A period of n months.", "(str (Period/ofMonths 3)) => \"P3M\"", |who, args| Ok(period(0, int32(who, &args[0])?, 0));
        "Period/ofYears", "n", "A period of n years.", "(str (Period/ofYears 1)) => \"P1Y\"", |who, args| Ok(period(int32(who, &args[0])?, 0, 0));
        "Period/between", "from to", "The years, months and days between two dates.", "(str (Period/between (LocalDate/of 2024 1 31) (LocalDate/of 2024 3 1))) => \"P1M1D\"", |who, args| {
            shift::period_between(date(who, &args[0])?, date(who, &args[1])?)
        };
        "Period/parse", "text", "Parses a text as a period, such as P1Y2M3D.", "(.getMonths (Period/parse \"P1Y2M\")) => 2", |who, args| iso::period(who, text(who, &args[0])?);
        "DayOfWeek/of", "n", "The day of the week by its number, from 1 for Monday.", "(str (DayOfWeek/of 7)) => \"SUNDAY\"", |who, args| number_in(who, &args[0], 7).map(Moment::DayOfWeek);
        "Month/of", "n", "The month by its number.", "(str (Month/of 2)) => \"FEBRUARY\"", |who, args| number_in(who, &args[0], 12).map(Moment::Month);
        "DateTimeFormatter/ofPattern", "pattern", "A date format from its letters: yyyy MM dd HH mm ss, MMM and EEE for names.", "(.format (LocalDate/of 2024 1 5) (DateTimeFormatter/ofPattern \"d MMM yyyy\")) => \"5 Jan 2024\"", |who, args| {
            let pattern = text(who, &args[0])?;
            pattern::check(pattern)?;
            Ok(formatter(pattern))
        };
    }
    tests {
        "inst?", "x", "Whether it is an instant.", "(inst? (Instant/ofEpochMilli 0)) => true", |x| {
            Ok(Value::Bool(Time::of(x).is_some_and(|time| matches!(time.kind, Moment::Instant(_)))))
        };
        "inst-ms", "instant", "The milliseconds of an instant since 1970-01-01.", "(inst-ms (Instant/ofEpochMilli 5)) => 5", |x| {
            method::epoch_milli("inst-ms", x)
        };
    }
    values {}
}

fn formatter(pattern: &str) -> Moment {
    Moment::Formatter(pattern.into())
}

/// Returns a number from 1 to `most`.
fn number_in(who: &str, value: &Value, most: i64) -> Res<i8> {
    let number = int(who, value)?;
    if (1..=most).contains(&number) {
        return Ok(number as i8);
    }
    Err(Diagnostic::new(
        Code::BadDate,
        format!("`{who}` takes a number from 1 to {most}, found {number}"),
    ))
}

fn duration(who: &str, args: &[Value], nanos: i128) -> Res<Moment> {
    shift::duration(i128::from(int(who, &args[0])?).saturating_mul(nanos))
}

/// Returns seconds and optional nanoseconds, in nanoseconds.
fn seconds(who: &str, args: &[Value]) -> Res<i128> {
    let nanos = args.get(1).map_or(Ok(0), |nanos| int(who, nanos))?;
    Ok(i128::from(int(who, &args[0])?) * SECOND + i128::from(nanos))
}

/// Parses the text of a value of a class of `java.time`.
pub fn of_text(class: &str, text: &str) -> Option<Value> {
    let name = class.rsplit('.').next().unwrap_or(class);
    let place = |names: &[&str]| names.iter().position(|name| name.eq_ignore_ascii_case(text));
    let moment = match name {
        "LocalDate" => Moment::Date(iso::date(name, text).ok()?),
        "LocalDateTime" => Moment::DateTime(iso::date_time(name, text).ok()?),
        "LocalTime" => Moment::Clock(iso::clock(name, text).ok()?),
        "YearMonth" => {
            let (year, month) = iso::year_month(name, text).ok()?;
            let date = shift::date(year, month, 1).ok()?;
            Moment::YearMonth(date.year(), date.month())
        }
        "OffsetDateTime" => {
            let (local, zone) = iso::zoned(name, text).ok()?;
            Moment::Offset(local, zone)
        }
        "ZonedDateTime" => {
            let (local, zone) = iso::zoned(name, text).ok()?;
            Moment::Zoned(local, zone)
        }
        "Instant" => Moment::Instant(iso::instant(name, text).ok()?),
        "Duration" => Moment::Duration(iso::duration(name, text).ok()?),
        "Period" => iso::period(name, text).ok()?,
        "DayOfWeek" => Moment::DayOfWeek(place(&DAYS)? as i8 + 1),
        "Month" => Moment::Month(place(&MONTHS)? as i8 + 1),
        "ChronoUnit" => Moment::Unit(Unit::named(text)?),
        "DateTimeFormatter" => {
            let known = [
                pattern::ISO_DATE,
                pattern::BASIC,
                pattern::ISO_TIME,
                pattern::ISO_OFFSET,
                pattern::ISO_ZONED,
                pattern::ISO_INSTANT,
                pattern::ISO_DATE_TIME,
                pattern::ISO_ANY,
            ];
            if !known.contains(&text) {
                pattern::check(text).ok()?;
            }
            formatter(text)
        }
        "ZoneId" | "ZoneOffset" => Moment::Zone(iso::zone_id(text).ok()?),
        _ => return None,
    };
    Some(Time::value(moment)).filter(|value| {
        Time::of(value).is_some_and(|time| time.class().ends_with(name) && *time.text() == text)
    })
}

/// Parses the instant behind the tag `#inst`. All parts but the year are optional.
pub fn inst(who: &str, text: &str) -> Res {
    const DATE: &str = "0000-01-01";
    const CLOCK: &str = "00:00:00";
    let (date, clock) = text.split_once('T').unwrap_or((text, ""));
    let (clock, offset) = clock.split_at(clock.find(['Z', '+', '-']).unwrap_or(clock.len()));
    let date_end = DATE.get(date.len()..).unwrap_or_default();
    let clock_end = CLOCK.get(clock.len()..).unwrap_or_default();
    let offset = if offset.is_empty() { "Z" } else { offset };
    iso::instant(who, &format!("{date}{date_end}T{clock}{clock_end}{offset}"))
        .map(|instant| Time::value(Moment::Instant(instant)))
}

/// Reads a text by a pattern; none if it does not fit.
pub fn by_pattern(who: &str, text: &str, format: &str) -> Res<Option<Moment>> {
    pattern::check(format)?;
    let format = Time::value(formatter(format));
    Ok(pattern::parse(who, text, &format).and_then(|read| read.moment(who)).ok())
}

/// Returns a date or time this number of units later.
pub fn moved(what: &Moment, count: i128, unit: Unit) -> Res<Moment> {
    shift::shift(what, count, unit)
}

/// Adds a span to a date or time; a sign of -1 subtracts it.
pub fn added(who: &str, what: &Value, span: &Value, sign: i32) -> Res<Moment> {
    shift::add(who, what, span, sign)
}

/// Returns the number of whole units of months between two dates.
pub fn months_between(who: &str, unit: Unit, from: DateTime, to: DateTime) -> Res<i64> {
    let [from, to] = [from, to].map(|local| Time::value(Moment::DateTime(local)));
    shift::units_between(who, unit, &from, &to)
}

/// Returns the local time at an offset in seconds.
pub fn local_of(nanos: i128, offset: i32) -> Res<DateTime> {
    shift::local_of(nanos, &Zone::at(offset))
}
