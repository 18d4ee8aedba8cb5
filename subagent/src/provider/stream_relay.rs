//! Telling a reply while it comes: never a secret, and nothing twice when an attempt is made again.

use super::{Partial, ProviderError};
use crate::secrets::Secrets;

/// Tells of a text as it grows.
///
/// When an attempt breaks off, the next one starts from the beginning: what it says again is not told again, and
/// from the first difference on nothing more is told. So what was told is always how some attempt began, and
/// the reply is what counts.
pub(super) struct StreamRelay<'a> {
    on: Option<&'a mut (dyn FnMut(Partial<'_>) + Send)>,
    is_streamed: bool,
    secrets: Option<&'a Secrets>,
    said: String,
    /// How many bytes of `said` this attempt has said, too.
    agreed: usize,
    parted: bool,
    /// Text that may be the start of a secret.
    held: String,
}

impl<'a> StreamRelay<'a> {
    /// Tells nobody.
    pub(super) fn nobody() -> StreamRelay<'a> {
        StreamRelay {
            on: None,
            is_streamed: false,
            secrets: None,
            said: String::new(),
            agreed: 0,
            parted: false,
            held: String::new(),
        }
    }

    /// Tells `on`, with marks for secrets; `is_streamed` says whether it wants the text as it comes.
    pub(super) fn new(
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
        is_streamed: bool,
        secrets: &'a Secrets,
    ) -> StreamRelay<'a> {
        StreamRelay { on: Some(on), is_streamed, secrets: Some(secrets), ..StreamRelay::nobody() }
    }

    /// Says whether the text is wanted as it comes.
    pub(super) fn is_streamed(&self) -> bool {
        self.is_streamed
    }

    /// Tells of an attempt that failed and is made again.
    pub(super) fn retry(&mut self, error: &ProviderError, attempt: u32, attempts: u32) {
        if let Some(on) = &mut self.on {
            on(Partial::Retry { error, attempt, attempts });
        }
    }

    /// Begins the next attempt.
    pub(super) fn restart(&mut self) {
        (self.agreed, self.parted) = (0, false);
        self.held.clear();
    }

    /// Takes what comes next.
    pub(super) fn hear(&mut self, text: &str) {
        self.held.push_str(text);
        let open = self.secrets.map_or(self.held.len(), |it| it.open_end(&self.held));
        let ready: String = self.held.drain(..open).collect();
        self.tell_clean(&ready);
    }

    /// Tells what was held back: nothing more comes.
    pub(super) fn end(&mut self) {
        let rest = std::mem::take(&mut self.held);
        self.tell_clean(&rest);
    }

    fn tell_clean(&mut self, text: &str) {
        match self.secrets {
            Some(secrets) => self.tell(&secrets.clean(text)),
            None => self.tell(text),
        }
    }

    fn tell(&mut self, text: &str) {
        let Some(on) = self.on.as_mut().filter(|_| !self.parted && !text.is_empty()) else {
            return;
        };
        let again = self.said.get(self.agreed..).unwrap_or_default();
        if again.starts_with(text) {
            self.agreed += text.len();
        } else if let Some(more) = text.strip_prefix(again) {
            on(Partial::Text(more));
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
        let mut secrets = Secrets::default();
        secrets.add("key", "sk-12345");
        let mut told = Vec::new();
        let mut on = |partial: Partial<'_>| {
            if let Partial::Text(text) = partial {
                told.push(text.to_string());
            }
        };
        let mut teller = StreamRelay::new(&mut on, true, &secrets);
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
        check(&[&["a sk%", "2D1234", "5 sk\\u", "002d12345"]], &["a ", "[key] ", "[key]"]);
    }
}
