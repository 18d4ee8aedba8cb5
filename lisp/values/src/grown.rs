//! A text that grew by appending, with room for more.
//!
//! Several values are the beginnings of one buffer. Who appends to the longest of them writes behind it, and the others see
//! only their own bytes. Who appends to a shorter one must copy. So the price of appending depends on what a program has
//! appended before, never on who holds a text.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The first bytes of a buffer.
#[derive(Debug)]
pub struct Grown<T> {
    buffer: Arc<Mutex<String>>,
    len: usize,
    /// The same text as a plain value, once somebody has read it.
    plain: OnceLock<T>,
}

impl<T: for<'t> From<&'t str>> Grown<T> {
    /// Makes a text with a buffer of its own.
    pub fn new(text: String) -> Grown<T> {
        let len = text.len();
        Grown { buffer: Arc::new(Mutex::new(text)), len, plain: OnceLock::new() }
    }

    /// Returns the length in bytes, which is never 0.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns this text with another behind it; none if the buffer has another one there already.
    pub fn append(&self, more: &str) -> Option<Grown<T>> {
        let mut text = self.text();
        if text.len() != self.len {
            return None;
        }
        text.push_str(more);
        Some(Grown { buffer: self.buffer.clone(), len: text.len(), plain: OnceLock::new() })
    }

    /// Returns this text in a buffer of its own, with room for another text.
    pub fn copied(&self, room: usize) -> String {
        let mut copy = String::with_capacity(self.len + room);
        copy.push_str(self.text().get(..self.len).unwrap_or_default());
        copy
    }

    /// Returns the same text as a plain value.
    pub fn plain(&self) -> &T {
        self.plain.get_or_init(|| T::from(self.text().get(..self.len).unwrap_or_default()))
    }

    /// Returns whether the plain value is made.
    pub fn is_read(&self) -> bool {
        self.plain.get().is_some()
    }

    /// Returns the address and the length of the buffer, which other texts may share.
    pub fn shared(&self) -> (usize, usize) {
        (Arc::as_ptr(&self.buffer).addr(), self.text().len())
    }

    fn text(&self) -> MutexGuard<'_, String> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Grown, Value};

    #[test]
    fn no_holder_sees_what_another_appends() {
        let short = Grown::new("a".to_owned());
        let long = short.append("b").unwrap();
        let longer = long.append("c").unwrap();
        assert!(short.append("x").is_none() && long.append("x").is_none());
        let fork = Grown::new(short.copied(1) + "x");
        assert_eq!(
            [&short, &long, &longer, &fork].map(Grown::plain),
            ["a", "ab", "abc", "ax"].map(Value::from).each_ref()
        );
        assert_eq!([short.shared().1, fork.shared().1], [3, 2]);
        assert_eq!(longer.append("d").unwrap().plain(), &Value::from("abcd"));
        assert_eq!(longer.plain(), &Value::from("abc"));
    }
}
