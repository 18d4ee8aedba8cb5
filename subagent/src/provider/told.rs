//! Telling a reply while it comes: never a key, and nothing twice when an attempt is made again.

use secrecy::{ExposeSecret, SecretString};

/// Tells of a text as it grows.
///
/// When an attempt breaks off, the next one starts from the beginning: what it says again is not told again, and
/// from the first difference on nothing more is told. So what was told is always how some attempt began, and
/// the reply is what counts.
pub(super) struct Told<'a> {
    on_text: Option<&'a mut (dyn FnMut(&str) + Send)>,
    key: Option<&'a SecretString>,
    said: String,
    /// How many bytes of `said` this attempt has said, too.
    agreed: usize,
    parted: bool,
    /// Text that may be the beginning of the key.
    held: String,
}

impl<'a> Told<'a> {
    /// Tells nobody.
    pub(super) fn nobody() -> Told<'a> {
        Told {
            on_text: None,
            key: None,
            said: String::new(),
            agreed: 0,
            parted: false,
            held: String::new(),
        }
    }

    /// Tells `on_text`, but for the key.
    pub(super) fn new(
        on_text: &'a mut (dyn FnMut(&str) + Send),
        key: Option<&'a SecretString>,
    ) -> Told<'a> {
        Told { on_text: Some(on_text), key, ..Told::nobody() }
    }

    /// Says whether anybody listens.
    pub(super) fn is_heard(&self) -> bool {
        self.on_text.is_some()
    }

    /// Begins the next attempt.
    pub(super) fn restart(&mut self) {
        (self.agreed, self.parted) = (0, false);
        self.held.clear();
    }

    /// Takes what comes next.
    pub(super) fn hear(&mut self, text: &str) {
        self.held.push_str(text);
        if let Some(key) = self.key {
            self.held = self.held.replace(key.expose_secret(), "[key]");
        }
        let ready = self.held.len() - self.doubtful();
        let ready: String = self.held.drain(..ready).collect();
        self.tell(&ready);
    }

    /// Tells what was held back: nothing more comes.
    pub(super) fn end(&mut self) {
        let rest = std::mem::take(&mut self.held);
        self.tell(&rest);
    }

    /// The length of the longest end of `held` that the key may begin with.
    fn doubtful(&self) -> usize {
        let Some(key) = self.key.map(ExposeSecret::expose_secret) else { return 0 };
        let lengths = key.char_indices().map(|(at, _)| at).skip(1);
        let held = &self.held;
        lengths
            .filter(|it| key.get(..*it).is_some_and(|key| held.ends_with(key)))
            .max()
            .unwrap_or(0)
    }

    fn tell(&mut self, text: &str) {
        let Some(on_text) = self.on_text.as_mut().filter(|_| !self.parted && !text.is_empty())
        else {
            return;
        };
        let again = self.said.get(self.agreed..).unwrap_or_default();
        if again.starts_with(text) {
            self.agreed += text.len();
        } else if let Some(more) = text.strip_prefix(again) {
            on_text(more);
            self.said.push_str(more);
            self.agreed = self.said.len();
        } else {
            self.parted = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says attempts piece by piece; compares what was told.
    fn check(attempts: &[&[&str]], expected: &[&str]) {
        let key = SecretString::from("sk-12345");
        let mut told = Vec::new();
        let mut on_text = |text: &str| told.push(text.to_string());
        let mut teller = Told::new(&mut on_text, Some(&key));
        for attempt in attempts {
            teller.restart();
            attempt.iter().for_each(|it| teller.hear(it));
        }
        teller.end();
        assert_eq!(told, expected, "{attempts:?}");
    }

    #[test]
    fn what_is_told() {
        check(&[&["a", "", "b"]], &["a", "b"]);
        check(&[&["one ", "two "], &["o", "ne two thr", "ee"]], &["one ", "two ", "thr", "ee"]);
        check(&[&["one ", "two"], &["one", " 2", " more"]], &["one ", "two"]);
        check(&[&["one"], &[], &["once"], &["one", "two"]], &["one", "two"]);
        check(&[&["a sk-12345 b"]], &["a [key] b"]);
        check(&[&["a s", "k-1", "2345", "s"]], &["a ", "[key]", "s"]);
        check(&[&["task-", "1"]], &["ta", "sk-1"]);
    }
}
