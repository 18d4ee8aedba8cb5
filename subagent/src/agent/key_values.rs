//! Values of keys that several tables of agent files have.

use std::time::Duration;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer};

pub(super) fn set<T>(place: &mut T, value: Option<impl Into<T>>) {
    if let Some(value) = value {
        *place = value.into();
    }
}

/// A positive number of seconds, possibly with a fraction.
#[derive(Clone, Copy)]
pub(super) struct Seconds(pub(super) Duration);

impl From<Seconds> for Duration {
    fn from(it: Seconds) -> Duration {
        it.0
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Seconds, D::Error> {
        let seconds = from.deserialize_any(Number("a number of seconds greater than 0"))?;
        match Duration::try_from_secs_f64(seconds) {
            // More than a year is a mistake, and adding it to a clock could overflow.
            Ok(it) if !it.is_zero() && it.as_secs() < 366 * 86400 => Ok(Seconds(it)),
            _ => Err(serde::de::Error::custom(format!(
                "{seconds} is not a number of seconds between 0 and a year"
            ))),
        }
    }
}

/// Reads an integer or a float. Its text describes the expected value. If the text mentions `"default"`, that word is
/// accepted too and read as NaN.
pub(super) struct Number(pub(super) &'static str);

impl Visitor<'_> for Number {
    type Value = f64;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }

    fn visit_i64<E>(self, it: i64) -> Result<f64, E> {
        Ok(it as f64)
    }

    fn visit_u64<E>(self, it: u64) -> Result<f64, E> {
        Ok(it as f64)
    }

    fn visit_f64<E: serde::de::Error>(self, it: f64) -> Result<f64, E> {
        if it.is_nan() {
            return Err(E::custom(format!("nan is not {}", self.0)));
        }
        Ok(it)
    }

    fn visit_str<E: serde::de::Error>(self, it: &str) -> Result<f64, E> {
        if it == "default" && self.0.contains(it) {
            return Ok(f64::NAN);
        }
        Err(E::invalid_type(serde::de::Unexpected::Str(it), &self))
    }
}
