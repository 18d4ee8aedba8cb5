//! Dates with time in a zone: UTC or a fixed offset from it. There is no time zone data (D10).

use jiff::civil::DateTime;

use super::arguments::{date, give, int, moment, out_of_range, text};
use super::iso::{offset_of, zone_id};
use super::shift::date_of;
use super::{iso, pattern, shift};
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, listed};
use ptc_machine::Row;
use ptc_machine::{constant, pure};
use ptc_values::Value;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Moment, Res, SECOND, Time, Zone, epoch_nanos, print};

table! {
    constants {
        "ZoneOffset/UTC", "The zone UTC.", "(str ZoneOffset/UTC) => \"Z\"", Moment::Zone(Zone::at(0));
    }
    functions {
        "ZoneId/of", "name", "The zone of a name: UTC, or an offset such as +02:00; there are no others.", "(str (ZoneId/of \"UTC\")) => \"UTC\"", |who, args| zone_id(text(who, &args[0])?).map(Moment::Zone);
        "ZoneOffset/of", "text", "Parses a text as an offset, such as +02:00.", "(str (ZoneOffset/of \"+02:00\")) => \"+02:00\"", |who, args| {
            let text = text(who, &args[0])?;
            match offset_of(text) {
                Some(offset) => Ok(Moment::Zone(Zone::at(offset))),
                None => Err(Diagnostic::new(Code::BadDate, format!("`{who}` cannot read {} as an offset", print::readable(&args[0])))
                    .with_jvm_message(format!("Invalid ID for ZoneOffset, invalid format: {text}"))
                    .with_help("write it as +02:00 or Z")),
            }
        };
        "ZoneOffset/ofHours", "n", "The offset of n hours.", "(str (ZoneOffset/ofHours -5)) => \"-05:00\"", |who, args| offset(int(who, &args[0])?, 0);
        "ZoneOffset/ofHoursMinutes", "hours minutes", "The offset of hours and minutes, both with the same sign.", "(str (ZoneOffset/ofHoursMinutes 5 30)) => \"+05:30\"", |who, args| offset(int(who, &args[0])?, int(who, &args[1])?);
        "OffsetDateTime/parse", "text|text formatter", "Parses a text as a date with time and offset, such as 2024-01-05T10:30:00+02:00, or in a format.", "(str (OffsetDateTime/parse \"2024-01-05T10:30:00+02:00\")) => \"2024-01-05T10:30+02:00\"", |who, args| {
            parsed(who, args).map(|(local, zone)| Moment::Offset(local, Zone::at(zone.offset)))
        };
        "OffsetDateTime/of", "date-time offset|year month day hour minute second nano offset", "A date with time at an offset.", "(str (OffsetDateTime/of (LocalDateTime/of 2024 1 5 10 30) (ZoneOffset/ofHours 2))) => \"2024-01-05T10:30+02:00\"", |who, args| {
            of_parts(who, args).map(|(local, zone)| Moment::Offset(local, Zone::at(zone.offset)))
        };
        "OffsetDateTime/ofInstant", "instant zone", "The date with time and offset at an instant, in a zone.", "(str (OffsetDateTime/ofInstant Instant/EPOCH (ZoneOffset/ofHours 2))) => \"1970-01-01T02:00+02:00\"", |who, args| {
            let zone = zone(who, &args[1])?;
            shift::local_of(instant(who, &args[0])?, &zone).map(|local| Moment::Offset(local, Zone::at(zone.offset)))
        };
        "ZonedDateTime/parse", "text|text formatter", "Parses a text as a date with time and zone, such as 2024-01-05T10:30:00Z, or in a format.", "(str (ZonedDateTime/parse \"2024-01-05T10:30:00Z[UTC]\")) => \"2024-01-05T10:30Z[UTC]\"", |who, args| {
            parsed(who, args).map(|(local, zone)| Moment::Zoned(local, zone))
        };
        "ZonedDateTime/of", "date-time zone|year month day hour minute second nano zone", "A date with time in a zone.", "(str (ZonedDateTime/of (LocalDateTime/of 2024 1 5 10 30) (ZoneId/of \"UTC\"))) => \"2024-01-05T10:30Z[UTC]\"", |who, args| {
            of_parts(who, args).map(|(local, zone)| Moment::Zoned(local, zone))
        };
        "ZonedDateTime/ofInstant", "instant zone", "The date with time and zone at an instant.", "(str (ZonedDateTime/ofInstant Instant/EPOCH (ZoneId/of \"UTC\"))) => \"1970-01-01T00:00Z[UTC]\"", |who, args| {
            let zone = zone(who, &args[1])?;
            shift::local_of(instant(who, &args[0])?, &zone).map(|local| Moment::Zoned(local, zone))
        };
        "Instant/from", "time", "The instant of a date with time and zone.", "(str (Instant/from (OffsetDateTime/parse \"2024-01-05T10:30:00+02:00\"))) => \"2024-01-05T08:30:00Z\"", |who, args| {
            shift::instant_of(place(who, &args[0])?).map(Moment::Instant)
        };
        ".atZone", "time zone", "An instant or a date with time, in a zone.", "(str (.atZone Instant/EPOCH (ZoneId/of \"UTC\"))) => \"1970-01-01T00:00Z[UTC]\"", |who, args| {
            let zone = zone(who, &args[1])?;
            put(who, &args[0], &zone).map(|local| Moment::Zoned(local, zone))
        };
        ".atOffset", "time offset", "An instant or a date with time, at an offset.", "(str (.atOffset Instant/EPOCH (ZoneOffset/ofHours 2))) => \"1970-01-01T02:00+02:00\"", |who, args| {
            let zone = only_offset(who, &args[1])?;
            put(who, &args[0], &zone).map(|local| Moment::Offset(local, zone))
        };
        ".atZoneSameInstant", "time zone", "The same instant in another zone.", "(str (.atZoneSameInstant (OffsetDateTime/parse \"2024-01-05T10:30:00+02:00\") (ZoneId/of \"UTC\"))) => \"2024-01-05T08:30Z[UTC]\"", |who, args| {
            let zone = zone(who, &args[1])?;
            shift::local_of(place(who, &args[0])?, &zone).map(|local| Moment::Zoned(local, zone))
        };
        ".withZoneSameInstant", "time zone", "The same instant in another zone.", "(str (.withZoneSameInstant (ZonedDateTime/parse \"2024-01-05T10:30:00Z\") (ZoneId/of \"+02:00\"))) => \"2024-01-05T12:30+02:00\"", |who, args| {
            let zone = zone(who, &args[1])?;
            shift::local_of(place(who, &args[0])?, &zone).map(|local| Moment::Zoned(local, zone))
        };
        ".withOffsetSameInstant", "time offset", "The same instant at another offset.", "(str (.withOffsetSameInstant (OffsetDateTime/parse \"2024-01-05T10:30:00+02:00\") ZoneOffset/UTC)) => \"2024-01-05T08:30Z\"", |who, args| {
            let zone = only_offset(who, &args[1])?;
            shift::local_of(place(who, &args[0])?, &zone).map(|local| Moment::Offset(local, zone))
        };
        ".toOffsetDateTime", "time", "The date with time and the offset of its zone.", "(str (.toOffsetDateTime (ZonedDateTime/parse \"2024-01-05T10:30:00Z[UTC]\"))) => \"2024-01-05T10:30Z\"", |who, args| {
            let (local, zone) = zoned(who, &args[0])?;
            Ok(Moment::Offset(local, Zone::at(zone.offset)))
        };
        ".toZonedDateTime", "time", "The date with time with its offset as the zone.", "(str (.toZonedDateTime (OffsetDateTime/parse \"2024-01-05T10:30:00+02:00\"))) => \"2024-01-05T10:30+02:00\"", |who, args| {
            let (local, zone) = zoned(who, &args[0])?;
            Ok(Moment::Zoned(local, zone))
        };
        ".getOffset", "time", "The offset of a date with time and zone.", "(str (.getOffset (ZonedDateTime/parse \"2024-01-05T10:30:00Z[UTC]\"))) => \"Z\"", |who, args| {
            zoned(who, &args[0]).map(|(_, zone)| Moment::Zone(Zone::at(zone.offset)))
        };
        ".getZone", "time", "The zone of a date with time and zone.", "(str (.getZone (ZonedDateTime/parse \"2024-01-05T10:30:00Z[UTC]\"))) => \"UTC\"", |who, args| {
            zoned(who, &args[0]).map(|(_, zone)| Moment::Zone(zone))
        };
        ".toInstant", "time|date zone", "The instant of a date with time and zone, or of a date with time in a given zone.", "(str (.toInstant (LocalDateTime/of 2024 1 5 10 30) ZoneOffset/UTC)) => \"2024-01-05T10:30:00Z\"", |who, args| {
            shift::instant_of(place_in(who, args)?).map(Moment::Instant)
        };
        ".atStartOfDay", "date|date zone", "The midnight at which a date starts, optionally in a zone.", "(str (.atStartOfDay (LocalDate/of 2024 1 5))) => \"2024-01-05T00:00\"", |who, args| {
            let local = shift::at_time(who, date(who, &args[0])?, &[])?;
            match args.get(1) {
                None => Ok(Moment::DateTime(local)),
                Some(value) => zone(who, value).map(|zone| Moment::Zoned(local, zone)),
            }
        };
    }
    tests {
        ".getId", "zone", "The name of a zone.", "(.getId (ZoneId/of \"UTC\")) => \"UTC\"", |x| zone(".getId", x).map(|zone| Value::Str(zone.id));
        ".getTotalSeconds", "offset", "The seconds of an offset.", "(.getTotalSeconds (ZoneOffset/ofHours 2)) => 7200", |x| only_offset(".getTotalSeconds", x).map(|zone| Value::Int(i64::from(zone.offset)));
    }
    values {
        ".toEpochSecond", "time|date zone", "The seconds since 1970-01-01 in UTC of a date with time and zone, or of one in a given zone.", "(.toEpochSecond (LocalDateTime/of 1970 1 1 0 1) ZoneOffset/UTC) => 60", |who, args| {
            place_in(who, args).map(|nanos| Value::Int(nanos.div_euclid(SECOND) as i64))
        };
    }
}

pub(super) fn zone(who: &str, value: &Value) -> Res<Zone> {
    match Time::of(value).map(|time| &time.kind) {
        Some(Moment::Zone(zone)) => Ok(zone.clone()),
        _ => Err(wrong_type(who, "a time zone", value).with_help("write `ZoneOffset/UTC`")),
    }
}

fn only_offset(who: &str, value: &Value) -> Res<Zone> {
    let zone = zone(who, value)?;
    if zone.is_offset() {
        return Ok(zone);
    }
    Err(wrong_type(who, "an offset", value).with_help("write `ZoneOffset/UTC`"))
}

/// Returns the local time of an instant in a zone.
pub(super) fn of_instant(who: &str, args: &[Value]) -> Res<DateTime> {
    let zone = zone(who, &args[1])?;
    shift::local_of(instant(who, &args[0])?, &zone)
}

fn instant(who: &str, value: &Value) -> Res<i128> {
    match moment(who, "an instant", value)? {
        Moment::Instant(instant) => Ok(instant.as_nanosecond()),
        _ => Err(wrong_type(who, "an instant", value)),
    }
}

/// Returns the nanoseconds since 1970-01-01T00:00Z of a date with time and zone, or an instant.
fn place(who: &str, value: &Value) -> Res<i128> {
    let what = moment(who, "a date with time and zone", value)?;
    what.nanos().ok_or_else(|| {
        wrong_type(who, "a date with time and zone", value)
            .with_help("name the zone: `(.toInstant date-with-time ZoneOffset/UTC)`")
    })
}

/// Returns the same nanoseconds for a date with time that is put in a zone.
fn place_in(who: &str, args: &[Value]) -> Res<i128> {
    let Some(value) = args.get(1) else { return place(who, &args[0]) };
    let zone = zone(who, value)?;
    match moment(who, "a date with time", &args[0])? {
        Moment::DateTime(local) => Ok(epoch_nanos(*local) - i128::from(zone.offset) * SECOND),
        _ => Err(wrong_type(who, "a date with time", &args[0])),
    }
}

/// Returns the local time of an instant in a zone; a date with time is unchanged.
fn put(who: &str, value: &Value, zone: &Zone) -> Res<DateTime> {
    match moment(who, "an instant or a date with time", value)? {
        Moment::DateTime(local) => Ok(*local),
        Moment::Instant(instant) => shift::local_of(instant.as_nanosecond(), zone),
        _ => Err(wrong_type(who, "an instant or a date with time", value)),
    }
}

fn zoned(who: &str, value: &Value) -> Res<(DateTime, Zone)> {
    let what = moment(who, "a date with time and zone", value)?;
    match (what.local(), what.zone()) {
        (Some(local), Some(zone)) => Ok((local, zone.clone())),
        _ => Err(wrong_type(who, "a date with time and zone", value)
            .with_help("put it in a zone: `(.atZone time (ZoneId/of \"UTC\"))`")),
    }
}

fn parsed(who: &str, args: &[Value]) -> Res<(DateTime, Zone)> {
    let read = text(who, &args[0])?;
    match args.get(1) {
        None => iso::zoned(who, read),
        Some(format) => {
            let read = pattern::parse(who, read, format)?;
            Ok((read.date_time(who)?, read.zone(who)?))
        }
    }
}

/// Makes a date with time and a zone, the date with time optionally of its parts.
fn of_parts(who: &str, args: &[Value]) -> Res<(DateTime, Zone)> {
    let Some((last, parts)) = args.split_last() else { return Err(out_of_range()) };
    let zone = zone(who, last)?;
    let local = match parts {
        [one] => match moment(who, "a date with time", one)? {
            Moment::DateTime(local) => *local,
            _ => return Err(wrong_type(who, "a date with time", one)),
        },
        [year, month, day, time @ ..] => {
            let date = date_of(who, &[year.clone(), month.clone(), day.clone()])?;
            shift::at_time(who, date, time)?
        }
        [first, ..] => return Err(wrong_type(who, "a date with time", first)),
        [] => return Err(out_of_range()),
    };
    Ok((local, zone))
}

fn offset(hours: i64, minutes: i64) -> Res<Moment> {
    let seconds = hours.saturating_mul(3_600).saturating_add(minutes.saturating_mul(60));
    i32::try_from(seconds).ok().filter(|seconds| seconds.abs() <= 18 * 3_600).map_or_else(
        || {
            Err(Diagnostic::new(
                Code::BadDate,
                format!("an offset of {hours} hours is out of range"),
            )
            .with_jvm_message(format!(
                "Zone offset hours not in valid range: value {hours} is not in the range -18 to 18"
            ))
            .with_help("offsets go from -18:00 to +18:00"))
        },
        |seconds| Ok(Moment::Zone(Zone::at(seconds))),
    )
}
