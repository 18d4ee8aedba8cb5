//! Hashes that agree with equality of keys.

use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

use foldhash::quality::RandomState;

use super::limits::{MAX_KEY_DEPTH, MAX_KEY_PARTS};
use super::num;
use super::table::TableIter;
use super::value::{Ext, Items, Value};

/// The one seed of the process. Hashes only locate entries, and every iteration follows insertion
/// order, so the seed reaches no output.
static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// The mark of collections in which the order matters.
const ORDERED: u8 = 7;

/// The length up to which a vector is hashed at once.
const SHORT: usize = 16;

/// Returns the hash of a key; equal keys have equal hashes.
///
/// It covers the whole key, so that nobody can construct collisions. A value that is only looked up
/// may have any depth and, with shared parts, be endless to walk. A value too large for a key gets
/// the same hash as all others of its kind.
pub(crate) fn hash_key(key: &Value) -> u64 {
    if let Some(hash) = hash_atom(key).or_else(|| hash_flat(key)) {
        return hash;
    }
    let mut left = MAX_KEY_PARTS;
    // The collection being hashed, and those around it: none for most keys.
    let mut open = Open::new(key);
    let mut around: Vec<Open<'_>> = Vec::new();
    loop {
        match open.next() {
            Some(part) => {
                left -= 1;
                if left == 0 || around.len() >= MAX_KEY_DEPTH as usize {
                    return u64::MAX;
                }
                if !open.add_atom(part) {
                    around.push(std::mem::replace(&mut open, Open::new(part)));
                }
            }
            None => {
                let hash = open.finish();
                match around.pop() {
                    Some(outer) => open = outer,
                    None => return hash,
                }
                open.add(hash);
            }
        }
    }
}

type KeyHasher = <RandomState as BuildHasher>::Hasher;

/// Returns the hash of a value that is not a collection.
#[inline]
fn hash_atom(value: &Value) -> Option<u64> {
    match value {
        Value::Str(name) | Value::Keyword(name) => return Some(hash_name(name)),
        Value::Ext(ext) if let Ext::Grown(text) = &**ext => return hash_atom(text.plain()),
        _ => {}
    }
    let mut hasher = SEED.build_hasher();
    feed_atom(value, &mut hasher).then(|| hasher.finish())
}

/// Returns the hash of a short vector of values that are not collections, a common key of groups.
fn hash_flat(value: &Value) -> Option<u64> {
    let Value::Vector(vector) = value else { return None };
    let items = vector.as_slice().filter(|items| items.len() < SHORT)?;
    let mut hasher = started(ORDERED, 0);
    if !items.iter().all(|item| feed_atom(item, &mut hasher)) {
        return None;
    }
    Some(finished(hasher, 0))
}

/// Starts the hash of a collection.
fn started(kind: u8, count: usize) -> KeyHasher {
    let mut hasher = SEED.build_hasher();
    hasher.write_u8(kind);
    hasher.write_usize(count);
    hasher
}

/// Ends the hash of a collection with the sum of its unordered parts.
fn finished(mut hasher: KeyHasher, sum: u64) -> u64 {
    hasher.write_u64(sum);
    hasher.finish()
}

/// A collection whose parts are being hashed.
struct Open<'v> {
    parts: Parts<'v>,
    hasher: KeyHasher,
    /// The sum of the hashes of unordered parts.
    sum: u64,
    /// The hash of the key whose value is next.
    key: Option<u64>,
}

enum Parts<'v> {
    /// Parts whose order matters.
    Ordered(Items<'v>),
    Members(TableIter<'v, Value>),
    /// Rows, with the value of the last key.
    Rows(TableIter<'v, (Value, Value)>, Option<&'v Value>),
    Reduced(Option<&'v Value>),
}

impl<'v> Open<'v> {
    /// Opens a collection; other values have no parts.
    fn new(value: &'v Value) -> Open<'v> {
        let (kind, count, parts) = match value {
            Value::Map(map) => (8, map.len(), Parts::Rows(map.rows(), None)),
            Value::Set(set) => (9, set.len(), Parts::Members(set.iter())),
            Value::Ext(ext) => match &**ext {
                Ext::Reduced(inner) => (10, 1, Parts::Reduced(Some(inner))),
                _ => (10, 0, Parts::Reduced(None)),
            },
            _ => match value.items() {
                Some(items) => (ORDERED, 0, Parts::Ordered(items)),
                None => (10, 0, Parts::Reduced(None)),
            },
        };
        Open { parts, hasher: started(kind, count), sum: 0, key: None }
    }

    fn next(&mut self) -> Option<&'v Value> {
        match &mut self.parts {
            Parts::Ordered(items) => items.next(),
            Parts::Members(members) => members.next(),
            Parts::Reduced(inner) => inner.take(),
            Parts::Rows(rows, value) => value.take().or_else(|| {
                let (key, found) = rows.next()?;
                *value = Some(found);
                Some(key)
            }),
        }
    }

    /// Adds the hash of a part.
    fn add(&mut self, hash: u64) {
        match (&self.parts, self.key.take()) {
            (Parts::Ordered(_) | Parts::Reduced(_), _) => self.hasher.write_u64(hash),
            (Parts::Members(_), _) => self.sum = self.sum.wrapping_add(hash),
            (Parts::Rows(..), None) => self.key = Some(hash),
            (Parts::Rows(..), Some(key)) => {
                // The hashes are mixed, so that swapping values between keys changes the sum.
                let mut row = SEED.build_hasher();
                row.write_u64(key);
                row.write_u64(hash);
                self.sum = self.sum.wrapping_add(row.finish());
            }
        }
    }

    /// Adds a part that is not a collection; returns false for a collection.
    fn add_atom(&mut self, part: &Value) -> bool {
        match &self.parts {
            Parts::Ordered(_) => feed_atom(part, &mut self.hasher),
            _ => hash_atom(part).map(|hash| self.add(hash)).is_some(),
        }
    }

    fn finish(self) -> u64 {
        finished(self.hasher, self.sum)
    }
}

pub(crate) fn hash_name(name: &str) -> u64 {
    let mut hasher = SEED.build_hasher();
    hasher.write(name.as_bytes());
    hasher.finish()
}

fn feed_name(name: &str, hasher: &mut impl Hasher) {
    hasher.write_u8(3);
    hasher.write(name.as_bytes());
}

/// Feeds a value that is not a collection; returns false for a collection.
fn feed_atom(key: &Value, hasher: &mut impl Hasher) -> bool {
    match key {
        Value::Nil => hasher.write_u8(0),
        Value::Bool(bool) => hasher.write_u8(1 + u8::from(*bool)),
        Value::Int(int) => feed_int(*int, hasher),
        Value::Float(float) => feed_float(*float, hasher),
        Value::Big(big) => {
            // A float that equals a big integer must have the same hash; most equal none.
            hasher.write_u8(5);
            let exact = big.bits() <= 1024
                && big.bits() - big.trailing_zeros().unwrap_or(0)
                    <= u64::from(f64::MANTISSA_DIGITS);
            if exact {
                hasher.write_u64(num::big_to_f64(big).to_bits());
            } else {
                hasher.write_u8(u8::from(big.sign() == num_bigint::Sign::Minus));
                big.iter_u64_digits().for_each(|digit| hasher.write_u64(digit));
            }
        }
        Value::Str(text) | Value::Keyword(text) => feed_name(text, hasher),
        Value::Symbol(text) => {
            hasher.write_u8(6);
            hasher.write(text.as_bytes());
        }
        Value::List(_) | Value::Vector(_) | Value::Map(_) | Value::Set(_) => return false,
        Value::Function(closure) => hasher.write_usize(std::sync::Arc::as_ptr(closure).addr()),
        Value::Builtin(id) => hasher.write_usize(id.index()),
        Value::Ext(ext) => match &**ext {
            Ext::Regex(regex) => hasher.write(regex.source().as_bytes()),
            Ext::Uuid(uuid) => hasher.write(uuid.text().as_bytes()),
            Ext::Class(class) => hasher.write(class.name.as_bytes()),
            Ext::Var(name) => hasher.write(name.as_bytes()),
            Ext::Reduced(_) => return false,
            Ext::Cell(_)
            | Ext::Error(_)
            | Ext::Lazy(_)
            | Ext::Matcher(_)
            | Ext::Pulled(_)
            | Ext::Stage(_) => {
                hasher.write_usize(std::sync::Arc::as_ptr(ext).addr());
            }
            Ext::Grown(text) => return feed_atom(text.plain(), hasher),
            // Equal times have the same text.
            Ext::Time(time) => hasher.write(time.text().as_bytes()),
        },
    }
    true
}

fn feed_int(int: i64, hasher: &mut impl Hasher) {
    hasher.write_u8(4);
    hasher.write_i64(int);
}

fn feed_float(float: f64, hasher: &mut impl Hasher) {
    // 2^63 is the first float that no i64 equals.
    if float.fract() == 0.0
        && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&float)
    {
        feed_int(float as i64, hasher);
    } else {
        hasher.write_u8(5);
        hasher.write_u64(float.to_bits());
    }
}
