//! Reading of ISO 8601, as strict as in `java.time`.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time as Clock};

use super::arguments::{EPOCH, period as period_of};
use super::shift;
use ptc_facts::messages::describe;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Moment, Res, SECOND, Value, Zone, epoch_nanos};

/// The unread rest of a text.
struct Text<'t>(&'t str);

impl Text<'_> {
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.0 = rest;
        digits.parse().ok()
    }

    /// Reads one of some letters in any case.
    fn letter(&mut self, letters: &str) -> Option<char> {
        let letter = self.0.chars().next()?.to_ascii_uppercase();
        letters.contains(letter).then(|| self.0 = &self.0[1..])?;
        Some(letter)
    }

    /// Reads the digits of a fraction after its point, in nanoseconds.
    fn fraction(&mut self) -> Option<i64> {
        let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        if digits.is_empty() && rest.is_empty() {
            return None;
        }
        if digits.len() > 9 {
            return None;
        }
        self.0 = rest;
        format!("{digits:0<9}").parse().ok()
    }

    fn date(&mut self) -> Option<[i64; 3]> {
        let negative = self.letter("-").is_some();
        let year = self.digits(4)?;
        self.letter("-")?;
        let month = self.digits(2)?;
        self.letter("-")?;
        Some([if negative { -year } else { year }, month, self.digits(2)?])
    }

    /// Reads `T`, hours, minutes, seconds and nanoseconds.
    fn clock(&mut self, seconds: bool) -> Option<[i64; 4]> {
        self.letter("T")?;
        self.time(seconds)
    }

    fn time(&mut self, seconds: bool) -> Option<[i64; 4]> {
        let hour = self.digits(2)?;
        self.letter(":")?;
        let minute = self.digits(2)?;
        let (mut second, mut nanos) = (0, 0);
        if self.letter(":").is_some() {
            second = self.digits(2)?;
            if self.letter(".").is_some() {
                nanos = self.fraction()?;
            }
        } else if seconds {
            return None;
        }
        Some([hour, minute, second, nanos])
    }

    /// Reads an offset, in seconds east of UTC.
    fn offset(&mut self) -> Option<i64> {
        if self.letter("Z").is_some() {
            return Some(0);
        }
        let sign = if self.letter("+-")? == '-' { -1 } else { 1 };
        let hours = self.digits(2)?;
        let minutes = if self.letter(":").is_some() { self.digits(2)? } else { 0 };
        (hours <= 18 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
    }

    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// Returns the error of a text that is not in the expected form, with the unread part.
#[cold]
pub(super) fn unread(who: &str, text: &str, what: &str, rest: &str) -> Diagnostic {
    let shown = describe(&Value::str(text));
    let shown = shown.strip_prefix("a string ").unwrap_or(&shown);
    let index = text.chars().count() - rest.chars().count();
    Diagnostic::new(Code::BadDate, format!("`{who}` cannot read {shown} as {what}"))
        .with_class("DateTimeParseException")
        .with_jvm_message(format!("Text '{text}' could not be parsed at index {index}"))
}

/// Returns the error of a text of the right form with a rest behind it.
#[cold]
fn too_long(who: &str, text: &str, what: &str, rest: &str) -> Diagnostic {
    let index = text.chars().count() - rest.chars().count();
    unread(who, text, what, rest).with_jvm_message(format!(
        "Text '{text}' could not be parsed, unparsed text found at index {index}"
    ))
}

#[cold]
pub(super) fn in_text(problem: Diagnostic, text: &str) -> Diagnostic {
    let message = format!("Text '{text}' could not be parsed: {}", problem.exception_message());
    problem.with_class("DateTimeParseException").with_jvm_message(message)
}

/// Returns the value that was read, if the whole text was read.
fn whole<T>(who: &str, text: &str, what: &str, rest: &Text<'_>, read: Option<T>) -> Res<T> {
    match (read, rest.0) {
        (Some(read), "") => Ok(read),
        (Some(_), rest) => Err(too_long(who, text, what, rest)),
        (None, rest) => Err(unread(who, text, what, rest)),
    }
}

pub(super) fn clock(who: &str, text: &str) -> Res<Clock> {
    let mut rest = Text(text);
    let read = rest.time(false);
    let parts = whole(who, text, "a time of day", &rest, read)
        .map_err(|problem| problem.with_help("write it as 10:30:00, or give a format: `(LocalTime/parse text (DateTimeFormatter/ofPattern \"h:mm a\"))`"))?;
    shift::at_time(who, EPOCH, &parts.map(Value::Int))
        .map(DateTime::time)
        .map_err(|problem| in_text(problem, text))
}

pub(super) fn year_month(who: &str, text: &str) -> Res<(i64, i64)> {
    let mut rest = Text(text);
    let mut read = || {
        let negative = rest.letter("-").is_some();
        let year = rest.digits(4)?;
        rest.letter("-")?;
        Some((if negative { -year } else { year }, rest.digits(2)?))
    };
    let read = read();
    whole(who, text, "a month of a year", &rest, read)
        .map_err(|problem| problem.with_help("write it as 2024-02"))
}

/// Reads a date with time, an offset, and optionally the name of a zone in brackets.
pub(super) fn zoned(who: &str, text: &str) -> Res<(DateTime, Zone)> {
    let mut rest = Text(text);
    let read = rest.date().and_then(|date| Some((date, rest.clock(false)?, rest.offset()?)));
    let mut named = None;
    if read.is_some()
        && who.starts_with("Zoned")
        && let Some(name) = rest.0.strip_prefix('[').and_then(|name| name.strip_suffix(']'))
    {
        named = Some(zone_id(name)?);
        rest.0 = "";
    }
    let (date, clock, offset) = whole(who, text, "a date with time and zone", &rest, read)
        .map_err(|problem| problem.with_help("write it as 2024-01-05T10:30:00+02:00; without a zone it is `(LocalDateTime/parse text)`"))?;
    let local = joined(who, text, date, clock)?;
    let own = Zone::at(offset as i32);
    match named {
        // The instant is fixed: an offset in front of the name is converted to that of the zone.
        Some(zone) => {
            let nanos = Moment::Zoned(local, own).nanos().unwrap_or(0);
            Ok((shift::local_of(nanos, &zone)?, zone))
        }
        None => Ok((local, own)),
    }
}

pub(super) fn date(who: &str, text: &str) -> Res<Date> {
    let mut rest = Text(text);
    let read = rest.date();
    let long = read.is_some();
    let [year, month, day] = whole(who, text, "a date", &rest, read).map_err(|problem| {
        if long {
            problem.with_help("take the first ten characters: `(LocalDate/parse (subs text 0 10))`")
        } else {
            problem.with_help("write it as 2024-01-05, or give a format: `(LocalDate/parse text (DateTimeFormatter/ofPattern \"d.M.yyyy\"))`")
        }
    })?;
    shift::date(year, month, day).map_err(|problem| in_text(problem, text))
}

pub(super) fn date_time(who: &str, text: &str) -> Res<DateTime> {
    let mut rest = Text(text);
    let read = rest.date().and_then(|date| Some((date, rest.clock(false)?)));
    let zone = read.is_some() && Text(rest.0).offset().is_some();
    let help = if zone {
        "a text with a time zone is an instant: `(Instant/parse text)`"
    } else {
        "write it as 2024-01-05T10:30:00, or give a format: `(LocalDateTime/parse text (DateTimeFormatter/ofPattern \"yyyy-MM-dd HH:mm\"))`"
    };
    let (date, clock) = whole(who, text, "a date with time", &rest, read)
        .map_err(|problem| problem.with_help(help))?;
    joined(who, text, date, clock)
}

pub(super) fn instant(who: &str, text: &str) -> Res<Timestamp> {
    let mut rest = Text(text);
    let read = rest.date().and_then(|date| Some((date, rest.clock(true)?, rest.offset()?)));
    let (date, clock, offset) = whole(who, text, "an instant", &rest, read).map_err(|problem| {
        problem.with_help(
            "write it as 2024-01-05T10:30:00Z; without a time zone it is `(LocalDateTime/parse text)`",
        )
    })?;
    shift::instant_of(epoch_nanos(joined(who, text, date, clock)?) - i128::from(offset) * SECOND)
}

fn joined(who: &str, text: &str, [year, month, day]: [i64; 3], clock: [i64; 4]) -> Res<DateTime> {
    shift::date(year, month, day)
        .and_then(|date| shift::at_time(who, date, &clock.map(Value::Int)))
        .map_err(|problem| in_text(problem, text))
}

/// Reads numbers followed by letters, in the order of the letters, each at most once.
fn parts(text: &str, letters: &str) -> Option<Vec<(char, i128, i128)>> {
    let mut rest = Text(text);
    let mut left = letters;
    let mut parts = Vec::new();
    while rest.end().is_none() {
        let sign = if rest.letter("+-") == Some('-') { -1 } else { 1 };
        let end = rest.0.find(|c: char| !c.is_ascii_digit())?;
        let whole: i128 = rest.0[..end].parse().ok()?;
        rest.0 = &rest.0[end..];
        let point = rest.letter(".").is_some();
        let fraction = if point { rest.fraction()? } else { 0 };
        let letter = rest.letter(left)?;
        if point && letter != 'S' {
            return None;
        }
        left = &left[left.find(letter)? + 1..];
        parts.push((letter, sign * whole, sign * i128::from(fraction)));
    }
    Some(parts)
}

#[cold]
fn no_span(who: &str, text: &str, what: &str) -> Diagnostic {
    let class = if what == "a period" { "Period" } else { "Duration" };
    unread(who, text, what, text).with_jvm_message(format!("Text cannot be parsed to a {class}"))
}

/// Reads a duration, in nanoseconds.
pub(super) fn duration(who: &str, text: &str) -> Res<i128> {
    let read = || {
        let upper = text.to_ascii_uppercase();
        let (sign, rest) = match upper.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, upper.strip_prefix('+').unwrap_or(&upper)),
        };
        let rest = rest.strip_prefix('P')?;
        let (days, clock) = match rest.split_once('T') {
            Some((_, "")) => return None,
            Some((days, clock)) => (days, clock),
            None => (rest, ""),
        };
        let all: Vec<_> = [parts(days, "D")?, parts(clock, "HMS")?].concat();
        if all.is_empty() {
            return None;
        }
        let nanos = all.iter().fold(0i128, |sum, (letter, whole, fraction)| {
            let unit = match letter {
                'D' => 86_400,
                'H' => 3_600,
                'M' => 60,
                _ => 1,
            };
            sum.saturating_add(whole.saturating_mul(unit * SECOND)).saturating_add(*fraction)
        });
        Some(nanos.saturating_mul(sign))
    };
    read().ok_or_else(|| no_span(who, text, "a duration").with_help("write it as PT1H30M or P2D"))
}

pub(super) fn period(who: &str, text: &str) -> Res<Moment> {
    let read = || {
        let upper = text.to_ascii_uppercase();
        let (sign, rest) = match upper.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, upper.strip_prefix('+').unwrap_or(&upper)),
        };
        let all = parts(rest.strip_prefix('P')?, "YMWD")?;
        if all.is_empty() {
            return None;
        }
        let (mut years, mut months, mut days) = (0, 0, 0i32);
        for (letter, count, _) in all {
            let count = i32::try_from(count * sign).ok()?;
            match letter {
                'Y' => years = count,
                'M' => months = count,
                'W' => days = days.checked_add(count.checked_mul(7)?)?,
                _ => days = days.checked_add(count)?,
            }
        }
        Some(period_of(years, months, days))
    };
    read().ok_or_else(|| no_span(who, text, "a period").with_help("write it as P1Y2M3D"))
}

pub(super) fn zone_id(name: &str) -> Res<Zone> {
    if let Some(offset) = offset_of(name) {
        return Ok(Zone::at(offset));
    }
    let start = ["UTC", "GMT", "UT"].into_iter().find(|start| name.starts_with(start));
    if let Some(start) = start
        && let Some(offset) = offset_of(&name[start.len()..])
    {
        let shown = if offset == 0 { "" } else { &*Zone::at(offset).id };
        return Ok(Zone { id: format!("{start}{shown}").into(), offset });
    }
    if matches!(name, "UTC" | "GMT" | "UT" | "Etc/UTC" | "Etc/GMT" | "Etc/UCT" | "UCT" | "Zulu") {
        return Ok(Zone { id: name.into(), offset: 0 });
    }
    Err(Diagnostic::new(Code::BadDate, format!("the time zone \"{name}\" is unknown: there are UTC and fixed offsets only"))
        .with_class("ZoneRulesException")
        .with_jvm_message(format!("Unknown time-zone ID: {name}"))
        .with_help("the offset of a place changes with the season; get it from a tool or from `ctx/`, and write `(ZoneId/of \"+02:00\")`"))
}

/// Returns the seconds of an offset such as `+2`, `+02`, `+0230` or `+02:30`.
pub(super) fn offset_of(text: &str) -> Option<i32> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+')?),
    };
    let digits = match digits.len() {
        1 | 2 | 4 | 6 => digits.to_owned(),
        5 | 8 => digits.replace(':', ""),
        _ => return None,
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = if digits.len() == 1 { format!("0{digits}") } else { digits };
    let part = |at: usize| digits.get(at..at + 2).map_or(Some(0), |part| part.parse::<i32>().ok());
    let (hours, minutes, seconds) = (part(0)?, part(2)?, part(4)?);
    let total = hours * 3_600 + minutes * 60 + seconds;
    (minutes < 60 && seconds < 60 && total <= 18 * 3_600).then_some(sign * total)
}
