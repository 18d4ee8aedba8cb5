//! Hashes that agree with equality of keys.

use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

use foldhash::quality::RandomState;

use super::{Ext, Value};

/// One seed for the process. Hash values decide where an entry is found and nothing else: every
/// iteration follows insertion order, so the seed reaches no output.
static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// The hash of a key: equal keys hash alike, and so do a keyword and a string of one name.
///
/// A value that is only looked up may be of any depth and, where it shares its parts, endless to
/// walk. So a collection inside a collection counts by its kind and length only, which bounds both
/// the work and the recursion; what differs deeper inside is told apart by equality.
pub(crate) fn hash_key(key: &Value) -> u64 {
    let mut hasher = SEED.build_hasher();
    feed(key, &mut hasher, true);
    hasher.finish()
}

/// The hash of a part of a key.
fn hash_part(part: &Value) -> u64 {
    let mut hasher = SEED.build_hasher();
    feed(part, &mut hasher, false);
    hasher.finish()
}

/// The hash of a key given by name.
pub(crate) fn hash_name(name: &str) -> u64 {
    let mut hasher = SEED.build_hasher();
    feed_name(name, &mut hasher);
    hasher.finish()
}

fn feed_name(name: &str, hasher: &mut impl Hasher) {
    hasher.write_u8(3);
    hasher.write(name.as_bytes());
}

/// `whole`: whether the items of a collection count, or its length only.
fn feed(key: &Value, hasher: &mut impl Hasher, whole: bool) {
    match key {
        Value::Nil => hasher.write_u8(0),
        Value::Bool(bool) => hasher.write_u8(1 + u8::from(*bool)),
        Value::Int(int) => feed_int(*int, hasher),
        Value::Float(float) => feed_float(*float, hasher),
        Value::Big(big) => {
            // A float that equals a big integer must hash like it, so both hash as the float.
            hasher.write_u8(5);
            hasher.write_u64(crate::num::big_to_f64(big).to_bits());
        }
        Value::Str(text) | Value::Keyword(text) => feed_name(text, hasher),
        Value::Symbol(text) => {
            hasher.write_u8(6);
            hasher.write(text.as_bytes());
        }
        Value::List(_) | Value::Vector(_) => {
            hasher.write_u8(7);
            let items = || key.items().into_iter().flatten();
            if whole {
                items().for_each(|item| feed(item, hasher, false));
            } else {
                // The first items are cheap and tell most pairs apart.
                items()
                    .take(4)
                    .filter(|item| item.depth() == 0)
                    .for_each(|item| feed(item, hasher, false));
            }
        }
        // Order does not count in equality, so the hashes of the rows are added.
        Value::Map(map) => {
            hasher.write_u8(8);
            hasher.write_usize(map.len());
            if whole {
                hasher.write_u64(map.iter().fold(0u64, |sum, (key, value)| {
                    sum.wrapping_add(hash_part(key).rotate_left(7) ^ hash_part(value))
                }));
            }
        }
        Value::Set(set) => {
            hasher.write_u8(9);
            hasher.write_usize(set.len());
            if whole {
                hasher.write_u64(
                    set.iter().fold(0u64, |sum, member| sum.wrapping_add(hash_part(member))),
                );
            }
        }
        Value::Function(closure) => hasher.write_usize(std::sync::Arc::as_ptr(closure).addr()),
        Value::Builtin(id) => hasher.write_usize(id.index()),
        Value::Ext(ext) => match &**ext {
            Ext::Regex(regex) => hasher.write(regex.source().as_bytes()),
            Ext::Uuid(uuid) => hasher.write(uuid.text().as_bytes()),
            Ext::Class(class) => hasher.write(class.name.as_bytes()),
            Ext::Var(name) => hasher.write(name.as_bytes()),
            Ext::Reduced(_) => hasher.write_u8(10),
            Ext::Cell(_) | Ext::Error(_) | Ext::Lazy(_) | Ext::Matcher(_) => {
                hasher.write_usize(std::sync::Arc::as_ptr(ext).addr());
            }
            // Equal times have the same text.
            Ext::Time(time) => hasher.write(time.text().as_bytes()),
        },
    }
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
