//! Reading of dates in the forms that data has.

use jiff::civil::{Date, DateTime, Time as Clock};

use ptc_facts::messages::describe;
use ptc_values::code::Code;
use ptc_values::{DAYS, Diagnostic, MONTHS, Moment, Res, Value, Zone};

/// The longest text of a date.
const MAX_LENGTH: usize = 64;

/// Reads a date, with or without a time and an offset; none if the text is in no such form. A text whose
/// day and month can be exchanged is an error.
pub(super) fn date(who: &str, text: &str) -> Res<Option<Moment>> {
    let trimmed = text.trim();
    if trimmed.len() > MAX_LENGTH {
        return Ok(None);
    }
    // After an offset, the name of the zone tells nothing new.
    let named = trimmed.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    let mut rest = Rest(named.map_or(trimmed, |(text, _)| text));
    let Some(parts) = rest.date() else { return Ok(None) };
    let parts = match parts {
        Parts::Sure(parts) => parts,
        // A number above 12 is no month.
        Parts::Unsure { year, first, second } if first > 12 || first == second => {
            [year, second, first]
        }
        Parts::Unsure { year, first, second } if second > 12 => [year, first, second],
        Parts::Unsure { .. } => return Err(ambiguous(who, text)),
    };
    let mut read = move || {
        let [year, month, day] = parts;
        let date = Date::new(year as i16, month as i8, day as i8).ok()?;
        if rest.0.is_empty() {
            return Some(Moment::Date(date));
        }
        let local = date.to_datetime(rest.clock()?);
        rest.at_offset(local).filter(|_| rest.0.is_empty())
    };
    Ok(read().filter(|moment| named.is_none() || moment.zone().is_some()))
}

/// Reads a time of day without a date; none if the text is in no such form.
pub(super) fn clock(text: &str) -> Option<Clock> {
    let mut rest = Rest(Some(text.trim()).filter(|text| text.len() <= MAX_LENGTH)?);
    rest.time_of_day().filter(|_| rest.0.is_empty())
}

/// The year, the month and the day of a text.
enum Parts {
    Sure([i64; 3]),
    /// A text such as 03/04/2024, which may start with the day or with the month.
    Unsure {
        year: i64,
        first: i64,
        second: i64,
    },
}

/// The unread rest of a text.
#[derive(Clone, Copy)]
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    fn date(&mut self) -> Option<Parts> {
        if self.name(&DAYS).is_some() {
            self.skip(" ,.");
        }
        if let Some(month) = self.name(&MONTHS) {
            self.skip(" .-");
            let day = self.number(1, 2)?;
            self.ordinal();
            self.skip(" ,-");
            return Some(Parts::Sure([self.number(4, 4)?, month, day]));
        }
        let start = *self;
        match self.digits() {
            8 => Some(Parts::Sure([self.part(4)?, self.part(2)?, self.part(2)?])),
            4 => {
                let year = self.number(4, 4)?;
                let between = self.one_of("-/.")?;
                let month = self.name(&MONTHS).or_else(|| self.number(1, 2))?;
                self.text(between)?;
                Some(Parts::Sure([year, month, self.number(1, 2)?]))
            }
            1 | 2 => {
                let first = self.number(1, 2)?;
                if let Some(between) = self.one_of("./-")
                    && let Some(second) = self.number(1, 2)
                {
                    self.text(between)?;
                    let year = self.number(4, 4)?;
                    return Some(match between {
                        // With points the day is always first.
                        "." => Parts::Sure([year, second, first]),
                        _ => Parts::Unsure { year, first, second },
                    });
                }
                *self = start;
                let day = self.number(1, 2)?;
                self.ordinal();
                self.skip(" .-");
                let month = self.name(&MONTHS)?;
                self.skip(" .,-");
                Some(Parts::Sure([self.number(4, 4)?, month, day]))
            }
            _ => None,
        }
    }

    /// Reads a time of day with what is between it and the date.
    fn clock(&mut self) -> Option<Clock> {
        let before = self.0.len();
        if self.one_of("Tt").is_none() {
            self.skip(" ,");
        }
        if self.0.len() == before { None } else { self.time_of_day() }
    }

    fn time_of_day(&mut self) -> Option<Clock> {
        let mut hour = self.number(1, 2)?;
        self.one_of(":")?;
        let minute = self.part(2)?;
        let (mut second, mut nanos) = (0, 0);
        if self.one_of(":").is_some() {
            second = self.part(2)?;
            if self.one_of(".,").is_some() {
                let (digits, rest) = self.0.split_at(self.digits());
                // Digits below a nanosecond are cut.
                nanos = format!("{:0<9}", &digits[..digits.len().min(9)]).parse().ok()?;
                self.0 = rest;
                if digits.is_empty() {
                    return None;
                }
            }
        }
        let end = *self;
        self.skip(" ");
        match self.word().to_ascii_uppercase().as_str() {
            "AM" | "PM" if !(1..=12).contains(&hour) => return None,
            "AM" => hour %= 12,
            "PM" => hour = hour % 12 + 12,
            _ => *self = end,
        }
        Clock::new(hour as i8, minute as i8, second as i8, nanos).ok()
    }

    /// Reads the optional offset of a local time.
    fn at_offset(&mut self, local: DateTime) -> Option<Moment> {
        self.skip(" ");
        match self.word().to_ascii_uppercase().as_str() {
            "Z" | "UTC" | "GMT" if self.0.is_empty() => {
                return Some(Moment::Offset(local, Zone::at(0)));
            }
            "" | "UTC" | "GMT" => {}
            _ => return None,
        }
        let Some(sign) = self.one_of("+-") else { return Some(Moment::DateTime(local)) };
        let hours = self.part(2)?;
        self.one_of(":");
        let minutes = if self.0.is_empty() { 0 } else { self.part(2)? };
        let offset = hours * 3_600 + minutes * 60;
        let size = (hours <= 18 && minutes < 60).then_some(offset as i32)?;
        Some(Moment::Offset(local, Zone::at(if sign == "-" { -size } else { size })))
    }

    /// Returns the number of digits at the start.
    fn digits(self) -> usize {
        self.0.bytes().take_while(u8::is_ascii_digit).count()
    }

    /// Reads a number of at least `least` digits and at most `most`, with no digit behind it.
    fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let count = self.digits();
        (least..=most).contains(&count).then(|| self.part(count)).flatten()
    }

    /// Reads this many digits.
    fn part(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.0 = rest;
        digits.parse().ok()
    }

    fn one_of(&mut self, characters: &str) -> Option<&'t str> {
        let first = self.0.chars().next().filter(|first| characters.contains(*first))?;
        let (one, rest) = self.0.split_at(first.len_utf8());
        self.0 = rest;
        Some(one)
    }

    fn text(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    fn skip(&mut self, characters: &str) {
        self.0 = self.0.trim_start_matches(|c| characters.contains(c));
    }

    fn word(&mut self) -> &'t str {
        let end = self.0.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    /// Reads one of some names, whole or by its first letters; returns its number from 1.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let start = *self;
        let word = self.word();
        let is_it = |name: &&str| {
            let cut = name.get(..word.len()).is_some_and(|cut| cut.eq_ignore_ascii_case(word));
            // Sept. is usual too.
            cut && (word.len() == 3 || word.len() == name.len() || word.len() == 4)
        };
        let found = names.iter().position(is_it);
        if found.is_none() {
            *self = start;
        }
        found.map(|at| at as i64 + 1)
    }

    /// Skips the ending of a number such as 1st.
    fn ordinal(&mut self) {
        let mut after = *self;
        if ["st", "nd", "rd", "th"].contains(&after.word()) {
            *self = after;
        }
    }
}

#[cold]
fn ambiguous(who: &str, text: &str) -> Diagnostic {
    let shown = describe(&Value::str(text));
    Diagnostic::new(
        Code::BadDate,
        format!("`{who}` cannot tell the day from the month in {shown}"),
    )
    .with_help(
        "give the pattern: `(parse-date text \"dd/MM/yyyy\")` or `(parse-date text \"MM/dd/yyyy\")`",
    )
}
