//! Relaying of streamed replies to an observer, without secrets and without repetitions after a retry.

use super::{Partial, ProviderError};
use crate::secrets::Secrets;

/// A relay of a growing text to an observer.
///
/// After a failure, the next attempt starts from the beginning. The relay skips text that it has relayed before, and
/// stops at the first difference. So the relayed text is always the beginning of some attempt, and only the final reply
/// counts.
pub(super) struct StreamRelay<'a> {
    on: Option<&'a mut (dyn FnMut(Partial<'_>) + Send)>,
    is_streamed: bool,
    secrets: Option<&'a Secrets>,
    relayed: String,
    /// The number of bytes of `relayed` that this attempt has repeated.
    matched: usize,
    diverged: bool,
    /// Withheld text that may be the start of a secret.
    withheld: String,
}

impl<'a> StreamRelay<'a> {
    /// Creates a relay without an observer.
    pub(super) fn silent() -> StreamRelay<'a> {
        StreamRelay {
            on: None,
            is_streamed: false,
            secrets: None,
            relayed: String::new(),
            matched: 0,
            diverged: false,
            withheld: String::new(),
        }
    }

    /// Creates a relay to `on` that replaces secrets by marks. `is_streamed` is whether the observer wants the text as
    /// it arrives.
    pub(super) fn new(
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
        is_streamed: bool,
        secrets: &'a Secrets,
    ) -> StreamRelay<'a> {
        StreamRelay { on: Some(on), is_streamed, secrets: Some(secrets), ..StreamRelay::silent() }
    }

    /// Returns whether the observer wants the text as it arrives.
    pub(super) fn is_streamed(&self) -> bool {
        self.is_streamed
    }

    /// Reports a failed attempt that will be retried.
    pub(super) fn retry(&mut self, error: &ProviderError, attempt: u32, attempts: u32) {
        if let Some(on) = &mut self.on {
            on(Partial::Retry { error, attempt, attempts });
        }
    }

    /// Starts the next attempt.
    pub(super) fn restart(&mut self) {
        (self.matched, self.diverged) = (0, false);
        self.withheld.clear();
    }

    /// Relays the next piece of text.
    pub(super) fn push(&mut self, text: &str) {
        self.withheld.push_str(text);
        let open = self.secrets.map_or(self.withheld.len(), |it| it.open_end(&self.withheld));
        let ready: String = self.withheld.drain(..open).collect();
        self.relay_clean(&ready);
    }

    /// Relays the withheld text at the end of the reply.
    pub(super) fn end(&mut self) {
        let rest = std::mem::take(&mut self.withheld);
        self.relay_clean(&rest);
    }

    fn relay_clean(&mut self, text: &str) {
        match self.secrets {
            Some(secrets) => self.relay(&secrets.clean(text)),
            None => self.relay(text),
        }
    }

    fn relay(&mut self, text: &str) {
        let Some(on) = self.on.as_mut().filter(|_| !self.diverged && !text.is_empty()) else {
            return;
        };
        let expected = self.relayed.get(self.matched..).unwrap_or_default();
        if expected.starts_with(text) {
            self.matched += text.len();
        } else if let Some(more) = text.strip_prefix(expected) {
            on(Partial::Text(more));
            self.relayed.push_str(more);
            self.matched = self.relayed.len();
        } else {
            self.diverged = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relays attempts piece by piece, and checks the text that the observer receives.
    fn check(attempts: &[&[&str]], expected: &[&str]) {
        let mut secrets = Secrets::default();
        secrets.add("key", "sk-12345");
        let mut received = Vec::new();
        let mut on = |partial: Partial<'_>| {
            if let Partial::Text(text) = partial {
                received.push(text.to_string());
            }
        };
        let mut relay = StreamRelay::new(&mut on, true, &secrets);
        for attempt in attempts {
            relay.restart();
            attempt.iter().for_each(|it| relay.push(it));
        }
        relay.end();
        assert_eq!(received, expected, "{attempts:?}");
    }

    #[test]
    fn text_is_relayed_once() {
        check(&[&["a", "", "b"]], &["a", "b"]);
        check(&[&["one ", "two "], &["o", "ne two thr", "ee"]], &["one ", "two ", "thr", "ee"]);
        check(&[&["one ", "two"], &["one", " 2", " more"]], &["one ", "two"]);
        check(&[&["one"], &[], &["once"], &["one", "two"]], &["one", "two"]);
        check(&[&["a sk-12345 b"]], &["a [key] b"]);
        check(&[&["a s", "k-1", "2345", "s"]], &["a ", "[key]", "s"]);
        check(&[&["task-", "1"]], &["ta", "sk-1"]);
        check(&[&["a sk%", "2D1234", "5 sk\\u", "002d12345"]], &["a ", "[key] ", "[key]"]);
    }
}
