//! Recognizes the texts of dates and times: the one reader of their ISO forms outside of programs.

use nom::branch::alt;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::{char, one_of};
use nom::combinator::{all_consuming, map_res, opt, value, verify};
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// Returns whether `text` is an ISO 8601 date, or date and time, that exists in the calendar.
///
/// Only the extended format counts: `2026-01-31`, `2026-01-31T12:30`,
/// `2026-01-31T12:30:05.25+01:00`.
pub fn is_datetime(text: &str) -> bool {
    let clock = preceded(one_of("Tt "), (time, opt(offset)));
    all_consuming((date, opt(clock))).parse(text).is_ok()
}

/// Returns whether `text` is a date that exists in the calendar, such as `2026-01-31`.
pub fn is_date(text: &str) -> bool {
    all_consuming(date).parse(text).is_ok()
}

/// Returns whether `text` begins with such a date.
pub fn begins_with_date(text: &str) -> bool {
    date(text).is_ok()
}

/// Returns whether `text` is an hour and a minute, such as `09:30`.
pub fn is_hour_and_minute(text: &str) -> bool {
    all_consuming((below(24), char(':'), below(60))).parse(text).is_ok()
}

fn date(input: &str) -> IResult<&str, ()> {
    let parts = (digits(4), char('-'), digits(2), char('-'), digits(2));
    let exists = |(year, _, month, _, day): &(u32, char, u32, char, u32)| {
        (1..=days_in_month(*year, *month)).contains(day)
    };
    value((), verify(parts, exists)).parse(input)
}

fn time(input: &str) -> IResult<&str, ()> {
    let fraction = (one_of(".,"), take_while_m_n(1, 9, |c: char| c.is_ascii_digit()));
    // Second 60 is a leap second.
    let seconds = (char(':'), below(61), opt(fraction));
    value((), (below(24), char(':'), below(60), opt(seconds))).parse(input)
}

fn offset(input: &str) -> IResult<&str, ()> {
    let minutes = (opt(char(':')), below(60));
    let numeric = (one_of("+-"), below(24), opt(minutes));
    alt((value((), one_of("Zz")), value((), numeric))).parse(input)
}

/// Parses a number of two digits below `end`.
fn below<'a>(end: u32) -> impl Parser<&'a str, Output = u32, Error = nom::error::Error<&'a str>> {
    verify(digits(2), move |number| *number < end)
}

/// Parses a number of exactly `n` digits.
fn digits<'a>(n: usize) -> impl Parser<&'a str, Output = u32, Error = nom::error::Error<&'a str>> {
    map_res(take_while_m_n(n, n, |c: char| c.is_ascii_digit()), str::parse)
}

fn days_in_month(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}
