//! Ids of runs.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The id of a run: 26 characters that sort by creation time, like a ULID.
///
/// No other text becomes an id, so an id from a file is safe in a list and in the name of a file.
/// Neither the model nor a program ever sees it, so a run can be replayed under another id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

impl RunId {
    /// Generates an id that is greater than every earlier one of this process.
    pub fn generate() -> RunId {
        static LAST: Mutex<u128> = Mutex::new(0);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let id = (u128::from(now_ms()) << RANDOM_BITS) | (random() >> (128 - RANDOM_BITS));
        // Two ids of one millisecond, or a clock that was set back.
        *last = if id > *last { id } else { *last + 1 };
        RunId(text(*last))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The error of a text that is not the id of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the id of a run, which is 26 digits and lower-case letters")]
pub struct InvalidRunId;

impl FromStr for RunId {
    type Err = InvalidRunId;

    fn from_str(text: &str) -> Result<RunId, InvalidRunId> {
        // The first character has the highest three of 128 bits.
        let is_first_valid = text.bytes().next().is_some_and(|it| it <= b'7');
        let is_valid = text.len() == LENGTH && text.bytes().all(|it| DIGITS.contains(&it));
        if is_valid && is_first_valid { Ok(RunId(text.to_string())) } else { Err(InvalidRunId) }
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl serde::Serialize for RunId {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for RunId {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<RunId, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Returns the current time in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

const RANDOM_BITS: u32 = 80;

/// The number of characters of an id.
const LENGTH: usize = 26;

/// Crockford's alphabet in lower case: it has no letter that looks like a digit.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Returns a unique name of 16 digits and lower-case letters.
pub(crate) fn random_name() -> String {
    text(random() >> (128 - RANDOM_BITS)).split_off(LENGTH - RANDOM_BITS as usize / 5)
}

/// Returns random bits. The standard library seeds its hashers from the operating system, so no other process gets the
/// same bits at the same moment. They are not used for secrets.
pub(super) fn random() -> u128 {
    let word = || {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u32(std::process::id());
        u128::from(hasher.finish())
    };
    (word() << 64) | word()
}

fn text(id: u128) -> String {
    (0..LENGTH).rev().map(|at| char::from(DIGITS[(id >> (at * 5)) as usize & 31])).collect()
}
