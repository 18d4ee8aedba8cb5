//! Patterns of `DateTimeFormatter`: `yyyy-MM-dd HH:mm`, with names of months and days in English.

use std::fmt::Write as _;

use jiff::civil::{Date, DateTime, Time as Clock};

use super::arguments::EPOCH;
use super::field::{Field, field};
use super::iso::{in_text, unread, zone_id};
use super::shift;
use ptc_facts::messages::wrong_type;
use ptc_values::code::Code;
use ptc_values::{DAYS, Diagnostic, MONTHS, Res, Zone, epoch_day, time_name};
use ptc_values::{Moment, Time, Value};

pub(super) const ISO_DATE: &str = "uuuu-MM-dd";
pub(super) const BASIC: &str = "uuuuMMdd";
pub(super) const ISO_TIME: &str = "HH:mm[:ss#]";
pub(super) const ISO_DATE_TIME: &str = "uuuu-MM-dd'T'HH:mm[:ss#]";
pub(super) const ISO_OFFSET: &str = "uuuu-MM-dd'T'HH:mm[:ss#]XXX";
pub(super) const ISO_ZONED: &str = "uuuu-MM-dd'T'HH:mm[:ss#]XXX{";
pub(super) const ISO_ANY: &str = "uuuu-MM-dd'T'HH:mm[:ss#][XXX{]";
/// The pattern of an instant in UTC, which no letters describe.
pub(super) const ISO_INSTANT: &str = "ISO_INSTANT";

#[derive(Clone, Copy)]
enum Part<'p> {
    /// A letter and the number of its repetitions.
    Letter(char, usize),
    Text(&'p str),
    /// The optional fraction of a second with its point. Reserved: no program can write it.
    Fraction,
    /// The optional name of a zone in brackets. Reserved: no program can write it.
    Region,
    Open,
    Close,
}

#[cold]
fn bad(message: String) -> Diagnostic {
    Diagnostic::new(Code::BadFormat, message)
}

fn parts(pattern: &str) -> Res<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    let mut open = 0;
    while let Some(c) = rest.chars().next() {
        if c == '\'' {
            let after = &rest[1..];
            if let Some(after) = after.strip_prefix('\'') {
                parts.push(Part::Text("'"));
                rest = after;
                continue;
            }
            // Within quotes, two of them mean one.
            let mut text = after;
            loop {
                let Some(end) = text.find('\'') else {
                    return Err(bad(format!(
                        "the date format \"{pattern}\" has a quote that is not closed"
                    ))
                    .with_help("quote literal letters: `'T'`"));
                };
                parts.push(Part::Text(&text[..end]));
                text = &text[end + 1..];
                if !text.starts_with('\'') {
                    break;
                }
                parts.push(Part::Text("'"));
                text = &text[1..];
            }
            rest = text;
        } else if c.is_ascii_alphabetic() {
            let count = rest.chars().take_while(|next| *next == c).count();
            check_letter(c, count)?;
            parts.push(Part::Letter(c, count));
            rest = &rest[count..];
        } else {
            match c {
                '[' => {
                    open += 1;
                    parts.push(Part::Open);
                }
                ']' if open > 0 => {
                    open -= 1;
                    parts.push(Part::Close);
                }
                ']' => {
                    return Err(bad(format!(
                        "the date format \"{pattern}\" closes a bracket that it did not open"
                    )));
                }
                '#' => parts.push(Part::Fraction),
                '{' => parts.push(Part::Region),
                _ => parts.push(Part::Text(&rest[..c.len_utf8()])),
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    // The end of the pattern closes open brackets, as on the JVM.
    parts.extend(std::iter::repeat_n(Part::Close, open));
    Ok(parts)
}

fn check_letter(letter: char, count: usize) -> Res<()> {
    let most = match letter {
        'd' | 'H' | 'h' | 'K' | 'k' | 'm' | 's' => 2,
        'D' => 3,
        'S' => 9,
        'M' | 'L' | 'E' | 'Q' | 'q' | 'G' => 5,
        'a' => 1,
        'y' | 'u' | 'n' | 'A' | 'N' => 19,
        'X' | 'x' | 'Z' => 5,
        'V' if count == 2 => 2,
        'z' => 3,
        'V' | 'v' | 'O' => {
            return Err(bad(format!(
                "the date format has the letter `{letter}` for a time zone, which is not supported"
            ))
            .with_help("the offset is `XXX`, the zone `VV`; quote literal text, such as `'Z'`"));
        }
        'Y' | 'w' | 'W' | 'e' | 'c' | 'F' => {
            return Err(bad(format!(
                "the date format has the letter `{letter}` for weeks, which is not supported"
            ))
            .with_help("the year is `yyyy`, in lower case, and the day `dd`"));
        }
        _ => {
            return Err(bad(format!("the date format has the unknown letter `{letter}`"))
                .with_help("use y M d D E a H h m s S or Q; quote literal text, such as `'T'`"));
        }
    };
    if count > most {
        return Err(bad(format!(
            "the date format has too many letters `{letter}`: at most {most}"
        )));
    }
    Ok(())
}

pub(super) fn check(pattern: &str) -> Res<()> {
    let parts = parts(pattern)?;
    if parts.iter().any(|part| matches!(part, Part::Fraction | Part::Region))
        || parts.iter().any(|part| matches!(part, Part::Text(text) if *text == "}"))
    {
        return Err(bad(format!("the date format \"{pattern}\" has a reserved sign: {{, }} or #"))
            .with_help("quote literal text: `'#'`"));
    }
    Ok(())
}

pub(super) fn format(who: &str, pattern: &str, what: &Moment, value: &Value) -> Res<String> {
    let mut out = String::new();
    if pattern == ISO_INSTANT {
        let nanos = what.nanos().ok_or_else(|| wrong_type(who, "an instant", value))?;
        return Ok(Moment::Instant(shift::instant_of(nanos)?).write());
    }
    let parts = parts(pattern)?;
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        at += 1;
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Fraction => {
                let nanos = format!("{:09}", field(what, Field::Nano).unwrap_or(0));
                let digits = nanos.trim_end_matches('0');
                if !digits.is_empty() {
                    let _ = write!(out, ".{digits}");
                }
            }
            Part::Region => {
                if let Some(zone) = what.zone().filter(|zone| !zone.is_offset()) {
                    let _ = write!(out, "[{}]", zone.id);
                }
            }
            Part::Open => open.push(out.len()),
            Part::Close => {
                open.pop();
            }
            Part::Letter(letter, count) => {
                if put(&mut out, what, *letter, *count).is_some() {
                    continue;
                }
                let Some(start) = open.pop() else {
                    return Err(wrong_type(who, &format!("a date with the field of `{letter}`"), value)
                        .with_help("only a `LocalDateTime` has hours: `(.atStartOfDay date)`, or `(LocalDateTime/ofInstant instant ZoneOffset/UTC)`"));
                };
                out.truncate(start);
                at = after_close(&parts, at);
            }
        }
    }
    Ok(out)
}

/// Returns the position after the bracket that encloses a piece.
fn after_close(parts: &[Part<'_>], mut at: usize) -> usize {
    let mut depth = 1;
    while let Some(part) = parts.get(at) {
        at += 1;
        match part {
            Part::Open => depth += 1,
            Part::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the field of a letter, if it is a number.
fn numeric(letter: char, count: usize) -> Option<Field> {
    Some(match letter {
        'y' => Field::YearOfEra,
        'u' => Field::Year,
        'M' | 'L' if count <= 2 => Field::Month,
        'd' => Field::Day,
        'D' => Field::DayOfYear,
        'H' => Field::Hour,
        'h' => Field::ClockHour12,
        'K' => Field::Hour12,
        'k' => Field::ClockHour,
        'm' => Field::Minute,
        's' => Field::Second,
        'n' => Field::Nano,
        'A' => Field::MilliOfDay,
        'N' => Field::NanoOfDay,
        'Q' | 'q' if count <= 2 => Field::Quarter,
        _ => return None,
    })
}

fn put(out: &mut String, what: &Moment, letter: char, count: usize) -> Option<()> {
    if let Some(what_field) = numeric(letter, count) {
        let number = field(what, what_field)?;
        let number =
            if count == 2 && matches!(letter, 'y' | 'u') { number.rem_euclid(100) } else { number };
        let _ = write!(out, "{number:0count$}");
        return Some(());
    }
    match letter {
        'X' | 'x' | 'Z' => write_offset(out, what.zone()?.offset, letter, count),
        'V' | 'z' => out.push_str(&what.zone()?.id),
        'S' => {
            let nanos = format!("{:09}", field(what, Field::Nano)?);
            out.push_str(nanos.get(..count)?);
        }
        'a' => out.push_str(if field(what, Field::Hour)? < 12 { "AM" } else { "PM" }),
        'G' => {
            let after = field(what, Field::Year)? > 0;
            out.push_str(match (count, after) {
                (4, true) => "Anno Domini",
                (4, false) => "Before Christ",
                (5, true) => "A",
                (5, false) => "B",
                (_, true) => "AD",
                (_, false) => "BC",
            });
        }
        'Q' | 'q' => {
            let quarter = field(what, Field::Quarter)?;
            match count {
                3 => {
                    let _ = write!(out, "Q{quarter}");
                }
                4 => {
                    let ending = ["st", "nd", "rd", "th"].get(quarter as usize - 1)?;
                    let _ = write!(out, "{quarter}{ending} quarter");
                }
                _ => out.push_str(&quarter.to_string()),
            }
        }
        _ => {
            let name = if letter == 'E' {
                time_name(&DAYS, field(what, Field::DayOfWeek)? as i8)
            } else {
                time_name(&MONTHS, field(what, Field::Month)? as i8)
            };
            out.push_str(match count {
                1..=3 => name.get(..3)?,
                5 => name.get(..1)?,
                _ => name,
            });
        }
    }
    Some(())
}

/// Writes an offset such as `+0200`, `+02:00` or `Z`.
fn write_offset(out: &mut String, offset: i32, letter: char, count: usize) {
    let zulu = letter == 'X' || (letter == 'Z' && count == 5);
    if zulu && offset == 0 {
        return out.push('Z');
    }
    let sign = if offset < 0 { '-' } else { '+' };
    let size = offset.abs();
    let (hours, minutes) = (size / 3_600, size / 60 % 60);
    let colon = match (letter, count) {
        ('Z', 5) | ('X' | 'x', 3 | 5) => ":",
        _ => "",
    };
    let _ = write!(out, "{sign}{hours:02}");
    if !(matches!(letter, 'X' | 'x') && count == 1 && minutes == 0) {
        let _ = write!(out, "{colon}{minutes:02}");
    }
}

/// The parts of a date and a time that were read.
#[derive(Clone, Default)]
pub(super) struct Read<'t> {
    text: &'t str,
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    day_of_week: Option<i64>,
    hour: Option<i64>,
    hour12: Option<i64>,
    afternoon: Option<bool>,
    minute: Option<i64>,
    second: Option<i64>,
    nano: Option<i64>,
    zone: Option<Zone>,
}

/// Reads a text by a pattern.
pub(super) fn parse<'t>(who: &str, text: &'t str, format: &Value) -> Res<Read<'t>> {
    let Some(Moment::Formatter(pattern)) = Time::of(format).map(|time| &time.kind) else {
        return Err(wrong_type(who, "a date format", format)
            .with_help("make one: `(DateTimeFormatter/ofPattern \"dd.MM.yyyy\")`"));
    };
    let parts = parts(if pattern == ISO_INSTANT { ISO_OFFSET } else { pattern })?;
    let failed = |rest: &str| {
        unread(who, text, &format!("a date in the format \"{pattern}\""), rest)
            .with_help("two letters mean two digits, one letter means one or two digits")
    };
    let mut read = Read { text, ..Read::default() };
    let mut rest = text;
    let mut open: Vec<(Read<'t>, &'t str)> = Vec::new();
    let mut at = 0;
    while let Some(part) = parts.get(at).copied() {
        at += 1;
        let next = match part {
            Part::Text(expected) => rest.strip_prefix(expected),
            Part::Fraction => Some(read.fraction(rest)),
            Part::Region => Some(read.region(rest)),
            Part::Open => {
                open.push((read.clone(), rest));
                Some(rest)
            }
            Part::Close => {
                open.pop();
                Some(rest)
            }
            Part::Letter(letter, count) => {
                let reserved =
                    parts.get(at..).unwrap_or_default().iter().map_while(|part| match part {
                        Part::Letter(letter, count)
                            if *count >= 2
                                && (numeric(*letter, *count).is_some() || *letter == 'S') =>
                        {
                            Some(*count)
                        }
                        _ => None,
                    });
                read.letter(rest, letter, count, reserved.sum())
            }
        };
        match (next, open.pop()) {
            (Some(next), back) => {
                rest = next;
                open.extend(back);
            }
            (None, Some((before, text))) => {
                (read, rest) = (before, text);
                at = after_close(&parts, at);
            }
            (None, None) => return Err(failed(rest)),
        }
    }
    if rest.is_empty() { Ok(read) } else { Err(failed(rest)) }
}

impl<'t> Read<'t> {
    /// Reads an optional fraction of a second with its point; returns the rest of the text.
    fn fraction(&mut self, text: &'t str) -> &'t str {
        let Some(digits) = text.strip_prefix('.') else { return text };
        let count = digits.bytes().take(9).take_while(u8::is_ascii_digit).count();
        let (number, rest) = digits.split_at(count);
        self.nano = format!("{number:0<9}").parse().ok();
        rest
    }

    /// Reads an optional name of a zone in brackets; returns the rest of the text.
    fn region(&mut self, text: &'t str) -> &'t str {
        let named = text.strip_prefix('[').and_then(|name| name.split_once(']'));
        match named.and_then(|(name, rest)| Some((zone_id(name).ok()?, rest))) {
            Some((zone, rest)) => {
                self.zone = Some(zone);
                rest
            }
            None => text,
        }
    }

    /// Reads an offset or the name of a zone; returns the rest of the text.
    fn place(&mut self, text: &'t str) -> Option<&'t str> {
        let end = text
            .find(|c: char| !(c.is_ascii_alphanumeric() || "+-:/_".contains(c)))
            .unwrap_or(text.len());
        let zone = zone_id(&text[..end]).ok()?;
        self.zone = Some(zone);
        Some(&text[end..])
    }

    /// Reads the value of a letter; returns the rest of the text.
    fn letter(
        &mut self,
        text: &'t str,
        letter: char,
        count: usize,
        reserved: usize,
    ) -> Option<&'t str> {
        if matches!(letter, 'X' | 'x' | 'Z' | 'V' | 'z') {
            return self.place(text);
        }
        let names: &[&str] = match letter {
            'E' => &DAYS,
            'M' | 'L' if count > 2 => &MONTHS,
            'a' => &["AM", "PM"],
            _ => &[],
        };
        if !names.is_empty() {
            let short =
                |name: &'static str| if count <= 3 { name.get(..3).unwrap_or(name) } else { name };
            let names = names.iter().copied().map(short).enumerate();
            let (number, name) = names.into_iter().find(|(_, name)| text.starts_with(name))?;
            let number = Some(number as i64 + 1);
            match letter {
                'E' => self.day_of_week = number,
                'a' => self.afternoon = Some(number == Some(2)),
                _ => self.month = number,
            }
            return text.get(name.len()..);
        }
        let there = text.bytes().take_while(u8::is_ascii_digit).count();
        let digits = if count >= 2 || letter == 'S' {
            count
        } else {
            there.saturating_sub(reserved).min(18)
        };
        if digits == 0 || digits > there {
            return None;
        }
        let (number, rest) = text.split_at_checked(digits)?;
        let nano = format!("{number:0<9}").parse().ok();
        let number: i64 = number.parse().ok()?;
        match letter {
            'y' | 'u' => self.year = Some(if count == 2 { 2000 + number } else { number }),
            'M' | 'L' => self.month = Some(number),
            'd' => self.day = Some(number),
            'D' => self.day_of_year = Some(number),
            'H' => self.hour = Some(number),
            // These letters write midnight as 24 and noon as 12.
            'k' => self.hour = Some(number % 24),
            'h' => self.hour12 = (1..=12).contains(&number).then_some(number % 12),
            'K' => self.hour12 = Some(number),
            'm' => self.minute = Some(number),
            's' => self.second = Some(number),
            'S' => self.nano = nano,
            'n' => self.nano = Some(number),
            _ => return None,
        }
        Some(rest)
    }

    pub(super) fn date(&self, who: &str) -> Res<Date> {
        let date = match (self.year, self.month, self.day, self.day_of_year) {
            (Some(year), Some(month), Some(day), _) => {
                // A day after the end of the month becomes its last day, as on the JVM.
                let of = |day| {
                    shift::date(year, month, day).map_err(|problem| in_text(problem, self.text))
                };
                let last = of(1)?.days_in_month();
                of(if day <= 31 { day.min(i64::from(last)) } else { day })?
            }
            (Some(year), _, _, Some(day)) => shift::of_year_day(who, year, day)?,
            _ => {
                return Err(unread(
                    who,
                    self.text,
                    "a date: the format lacks the year, the month or the day",
                    "",
                ));
            }
        };
        match self.day_of_week {
            Some(day) if (epoch_day(date) + 3).rem_euclid(7) + 1 != day => {
                Err(unread(who, self.text, "a date: the day of the week does not match", ""))
            }
            _ => Ok(date),
        }
    }

    pub(super) fn date_time(&self, who: &str) -> Res<DateTime> {
        let date = self.date(who)?;
        let time = self.clock(who)?;
        Ok(date.to_datetime(time))
    }

    /// Returns the date, with the time and the offset if there are any.
    pub(super) fn moment(&self, who: &str) -> Res<Moment> {
        let date = self.date(who)?;
        if self.day.is_some_and(|day| day != i64::from(date.day())) {
            return Err(unread(who, self.text, "a date: the month has fewer days", ""));
        }
        if self.hour.or(self.hour12).is_none() {
            return Ok(Moment::Date(date));
        }
        let local = date.to_datetime(self.clock(who)?);
        Ok(match &self.zone {
            Some(zone) => Moment::Offset(local, Zone::at(zone.offset)),
            None => Moment::DateTime(local),
        })
    }

    /// Returns the time of day that was read.
    pub(super) fn clock(&self, who: &str) -> Res<Clock> {
        let hour = match (self.hour, self.hour12, self.afternoon) {
            (Some(hour), ..) => hour,
            (None, Some(hour), Some(afternoon)) => hour + if afternoon { 12 } else { 0 },
            _ => {
                return Err(unread(who, self.text, "a time of day: the format lacks the hour", "")
                    .with_help("for a date alone write `(LocalDate/parse text format)`"));
            }
        };
        let rest = [self.minute, self.second, self.nano].map(|part| part.unwrap_or(0));
        let parts: Vec<Value> = std::iter::once(hour).chain(rest).map(Value::Int).collect();
        shift::at_time(who, EPOCH, &parts)
            .map(DateTime::time)
            .map_err(|problem| in_text(problem, self.text))
    }

    pub(super) fn year_month(&self, who: &str) -> Res<(i64, i64)> {
        self.year.zip(self.month).ok_or_else(|| {
            unread(who, self.text, "a month of a year: the format lacks the year or the month", "")
        })
    }

    pub(super) fn zone(&self, who: &str) -> Res<Zone> {
        self.zone.clone().ok_or_else(|| {
            unread(who, self.text, "a date with time and zone: the format lacks the zone", "")
                .with_help("the letters `XXX` mean the offset")
        })
    }
}
