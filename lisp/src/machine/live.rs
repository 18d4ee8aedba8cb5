//! Counting the bytes that values take.

use std::sync::Arc;

use hashbrown::HashSet;

use crate::value::{Ext, Order, Value};

/// A sum of the bytes of values; shared parts count once.
pub(super) struct Count {
    bytes: u64,
    /// The sum at which counting stops, because a program is over its limit then.
    limit: u64,
    seen: HashSet<usize>,
    work: Vec<Value>,
}

impl Count {
    pub(super) fn new(limit: u64) -> Count {
        Count { bytes: 0, limit, seen: HashSet::new(), work: Vec::new() }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds bytes that do not belong to values.
    pub(super) fn add_bytes(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    pub(super) fn add(&mut self, value: &Value) {
        let mut work = std::mem::take(&mut self.work);
        self.add_value(value, &mut work);
        while let Some(value) = work.pop() {
            if self.bytes > self.limit {
                break;
            }
            self.add_value(&value, &mut work);
        }
        work.clear();
        self.work = work;
    }

    /// Returns whether a shared part is new to the count.
    fn is_new<T: ?Sized>(&mut self, shared: &Arc<T>) -> bool {
        Arc::strong_count(shared) == 1 || self.seen.insert(Arc::as_ptr(shared).cast::<u8>().addr())
    }

    fn add_value(&mut self, value: &Value, work: &mut Vec<Value>) {
        self.bytes += 16;
        let nested = |value: &&Value| holds_values(value);
        match value {
            // The text of a string is often shared; it counts once, like all other parts.
            Value::Str(text) | Value::Keyword(text) | Value::Symbol(text)
                if self.seen.insert(text.as_ptr().addr()) =>
            {
                self.bytes += text.len() as u64 + 16;
            }
            Value::Big(big) => self.bytes += big.bits() / 8 + 48,
            Value::Vector(vector) if self.is_new(vector) => {
                let (held, base) = vector.held();
                self.bytes += 48 + held as u64 * 16;
                if let Some(base) = base {
                    work.push(Value::Vector(base.clone()));
                } else {
                    self.add_flat(vector.iter());
                    work.extend(vector.iter().filter(nested).cloned());
                }
            }
            Value::List(seq) if self.is_new(seq) => {
                let mut seq = seq;
                self.bytes += 64;
                // Shared cells of a chain count once.
                while let Some((first, rest)) = seq.cell() {
                    self.bytes += 16;
                    self.add_flat(std::iter::once(first));
                    work.extend(Some(first).filter(nested).cloned());
                    if !self.is_new(rest) {
                        return;
                    }
                    self.bytes += 64;
                    seq = rest;
                }
                if let Some(base) = seq.base() {
                    work.push(base);
                    return;
                }
                self.bytes += seq.len() as u64 * 16;
                self.add_flat(seq.iter());
                work.extend(seq.iter().filter(nested).cloned());
            }
            Value::Map(map) if self.is_new(map) => {
                self.order(map.order(), work);
                self.bytes += 48 + map.held() as u64 * 32;
                self.add_flat(map.iter().flat_map(|(key, value)| [key, value]));
                work.extend(
                    map.iter().flat_map(|(key, value)| [key, value]).filter(nested).cloned(),
                );
            }
            Value::Set(set) if self.is_new(set) => {
                self.order(set.order(), work);
                self.bytes += 48 + set.held() as u64 * 16;
                self.add_flat(set.iter());
                work.extend(set.iter().filter(nested).cloned());
            }
            Value::Function(closure) if self.is_new(closure) => {
                self.bytes += 64 + closure.captures.len() as u64 * 16;
                work.extend(closure.captures.iter().cloned());
            }
            Value::Ext(ext) if self.is_new(ext) => {
                self.bytes += 64;
                match &**ext {
                    Ext::Reduced(inner) => work.push(inner.clone()),
                    Ext::Cell(cell) => work.extend(cell.values()),
                    Ext::Lazy(lazy) => {
                        self.bytes += 64;
                        lazy.link().into_values(work);
                    }
                    Ext::Error(thrown) => {
                        work.push(thrown.data.clone());
                        work.push(thrown.cause.clone());
                    }
                    Ext::Matcher(matcher) => {
                        self.bytes += matcher.text().len() as u64;
                        work.extend(matcher.last());
                    }
                    Ext::Stage(step) => {
                        self.bytes += 192;
                        step.each_value(&mut |value| work.push(value.clone()));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn order(&mut self, order: Option<&Order>, work: &mut Vec<Value>) {
        if let Some(Order::By(function)) = order {
            self.bytes += 64;
            work.push(function.clone());
        }
    }

    fn add_flat<'v>(&mut self, values: impl Iterator<Item = &'v Value>) {
        for value in values {
            if let Value::Str(text) = value
                && self.seen.insert(text.as_ptr().addr())
            {
                self.bytes += text.len() as u64 + 16;
            }
            if let Value::Big(big) = value {
                self.bytes += big.bits() / 8 + 48;
            }
        }
    }
}

fn holds_values(value: &Value) -> bool {
    matches!(
        value,
        Value::Vector(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Set(_)
            | Value::Function(_)
            | Value::Ext(_)
    )
}

/// Returns the approximate bytes of a value from outside.
#[inline]
pub(super) fn size(value: &Value) -> u64 {
    if value.is_plain() { 16 } else { size_of_parts(value) }
}

#[inline(never)]
fn size_of_parts(value: &Value) -> u64 {
    let mut count = Count::new(u64::MAX);
    count.add(value);
    count.bytes()
}
