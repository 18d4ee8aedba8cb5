//! The table `[limits]` of an agent file, whose keys are the names of [`Limits::ALL`].

use std::fmt::{self, Formatter};

use ptc_lisp::{Limit, LimitValue, Limits};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::key_values::{Seconds, named};

/// The limits that a file sets.
#[derive(Default)]
pub(super) struct LimitsFile(Vec<(&'static Limit, LimitValue)>);

impl LimitsFile {
    /// Sets the limits of the file; the others stay as they are.
    pub(super) fn set(&self, limits: &mut Limits) {
        self.0.iter().for_each(|(limit, value)| limit.set(limits, *value));
    }
}

/// A key of the table. An unknown key is an error at its own location.
struct Key(&'static Limit);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Key, D::Error> {
        named(from, "field", Limits::ALL.iter().map(|it| (it.name, Key(it))))
    }
}

impl<'de> Deserialize<'de> for LimitsFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<LimitsFile, D::Error> {
        from.deserialize_map(Table)
    }
}

struct Table;

impl<'de> Visitor<'de> for Table {
    type Value = LimitsFile;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the keys of limits")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<LimitsFile, A::Error> {
        let mut limits = Vec::new();
        while let Some(Key(limit)) = from.next_key()? {
            let value = match limit.max {
                LimitValue::Time(_) => LimitValue::Time(from.next_value::<Seconds>()?.0),
                LimitValue::Count(max) if max == u64::MAX => LimitValue::Count(from.next_value()?),
                LimitValue::Count(_) => LimitValue::Count(from.next_value::<u32>()?.into()),
            };
            limits.push((limit, value));
        }
        Ok(LimitsFile(limits))
    }
}
