//! Counting the bytes that values take.

use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use hashbrown::HashSet;

use ptc_values::{Ext, Order, Value};

/// A sum of the bytes of values; shared parts count once.
pub struct Count {
    bytes: u64,
    /// The sum at which counting stops, because a program is over its limit then.
    limit: u64,
    /// The addresses of counted parts that other values may share.
    seen: HashSet<usize, BuildHasherDefault<AddressHasher>>,
    /// Copies of values to be counted.
    copies: Vec<Value>,
}

impl Count {
    /// Starts a count that expects this number of parts.
    pub fn new(limit: u64, parts: usize) -> Count {
        let seen = HashSet::with_capacity_and_hasher(parts, BuildHasherDefault::default());
        Count { bytes: 0, limit, seen, copies: Vec::new() }
    }

    /// Returns the number of parts that values may share.
    pub fn parts(&self) -> usize {
        self.seen.len()
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds bytes that do not belong to values.
    pub fn add_bytes(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    pub fn add(&mut self, value: &Value) {
        self.add_whole(value);
        while self.bytes <= self.limit
            && let Some(value) = self.copies.pop()
        {
            self.add_whole(&value);
        }
    }

    /// Adds a value, and collects the parts of it that are given as copies.
    fn add_whole(&mut self, value: &Value) {
        let mut open = Vec::new();
        self.add_value(value, true, &mut open);
        while self.bytes <= self.limit
            && let Some(value) = open.pop()
        {
            self.add_value(value, false, &mut open);
        }
    }

    /// Returns whether a part is new to the count. A part with one reference, which is not in
    /// another value, is.
    fn is_new<T: ?Sized>(&mut self, part: &Arc<T>, is_outer: bool) -> bool {
        is_outer && Arc::strong_count(part) == 1
            || self.seen.insert(Arc::as_ptr(part).cast::<u8>().addr())
    }

    /// Adds a text. Values often share it; it counts once, like all other parts.
    fn add_text(&mut self, text: &str) {
        if self.seen.insert(text.as_ptr().addr()) {
            self.bytes += text.len() as u64 + 16;
        }
    }

    fn add_value<'v>(&mut self, value: &'v Value, is_outer: bool, open: &mut Vec<&'v Value>) {
        self.bytes += 16;
        match value {
            Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => {
                self.add_text(text);
            }
            Value::Big(big) => self.bytes += big.bits() / 8 + 48,
            Value::Vector(vector) if self.is_new(vector, is_outer) => {
                let (held, base) = vector.held();
                self.bytes += 48 + held as u64 * 16;
                match base {
                    Some(base) => self.copies.push(Value::Vector(base.clone())),
                    None => self.add_items(vector.iter(), open),
                }
            }
            Value::List(seq) if self.is_new(seq, is_outer) => {
                let mut seq = seq;
                self.bytes += 64;
                // Shared cells of a chain count once.
                while let Some((first, rest)) = seq.cell() {
                    self.bytes += 16;
                    self.add_items(std::iter::once(first), open);
                    if !self.is_new(rest, true) {
                        return;
                    }
                    self.bytes += 64;
                    seq = rest;
                }
                if let Some(base) = seq.base() {
                    self.copies.push(base.value());
                    return;
                }
                self.bytes += seq.made() as u64 * 16;
                if !seq.is_range() {
                    self.add_items(seq.iter(), open);
                }
            }
            Value::Map(map) if self.is_new(map, is_outer) => {
                self.order(map.order());
                // Maps that share their keys count the places of the keys too. Sharing depends on how a map was made,
                // and a restored one was made in another way.
                self.bytes += 48 + map.held() as u64 * 32;
                let items = map.iter().flat_map(|(key, value)| [key, value]);
                self.add_items(items, open);
            }
            Value::Set(set) if self.is_new(set, is_outer) => {
                self.order(set.order());
                self.bytes += 48 + set.held() as u64 * 16;
                self.add_items(set.iter(), open);
            }
            Value::Function(closure) if self.is_new(closure, is_outer) => {
                self.bytes += 64 + closure.captures.len() as u64 * 16;
                open.extend(closure.captures.iter());
            }
            Value::Ext(ext) if self.is_new(ext, is_outer) => {
                self.bytes += 64;
                match &**ext {
                    Ext::Reduced(inner) => open.push(inner),
                    Ext::Cell(cell) => self.copies.extend(cell.values()),
                    Ext::Lazy(lazy) => {
                        self.bytes += 64;
                        lazy.link().into_values(&mut self.copies);
                    }
                    Ext::Error(thrown) => {
                        open.push(&thrown.data);
                        open.push(&thrown.cause);
                    }
                    Ext::Matcher(matcher) => {
                        self.bytes += matcher.text().len() as u64;
                        self.copies.extend(matcher.last());
                    }
                    Ext::Pulled(pulled) => {
                        pulled.each_value(&mut |value| open.push(value));
                    }
                    Ext::Grown(text) => {
                        let (address, len) = text.shared();
                        if self.seen.insert(address) {
                            self.bytes += len as u64 + 64;
                        }
                        if text.is_read() {
                            self.copies.push(text.plain().clone());
                        }
                    }
                    Ext::Stage(step) => {
                        self.bytes += 192;
                        step.each_value(&mut |value| self.copies.push(value.clone()));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn order(&mut self, order: Option<&Order>) {
        if let Some(Order::By(function)) = order {
            self.bytes += 64;
            self.copies.push(function.clone());
        }
    }

    /// Adds what items take outside their places, and opens those that hold values.
    fn add_items<'v>(&mut self, items: impl Iterator<Item = &'v Value>, open: &mut Vec<&'v Value>) {
        for item in items {
            match item {
                Value::Str(text) => self.add_text(text),
                Value::Big(big) => self.bytes += big.bits() / 8 + 48,
                _ if holds_values(item) => open.push(item),
                _ => {}
            }
        }
    }
}

/// A hasher of addresses, which no program chooses.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, address: usize) {
        let mixed = (self.0 ^ address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
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
    let mut count = Count::new(u64::MAX, 0);
    count.add(value);
    count.bytes()
}
