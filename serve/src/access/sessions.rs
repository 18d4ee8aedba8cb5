//! The sessions of browsers.
//!
//! A browser gets a cookie for a token, so the page keeps no token. A script of another server cannot make use of the
//! cookie: browsers send it to this server alone and not for requests of other servers (`SameSite=Strict`), and a request
//! that changes something needs a second secret in a header, which only the page can read.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::secret::Secret;

/// The name of the cookie.
pub(super) const COOKIE: &str = "ptc-session";

/// The time for which a session lasts.
pub(super) const LIFE: Duration = Duration::from_hours(12);

/// The number of sessions. With more, the oldest ends.
const MAX_SESSIONS: usize = 4096;

/// The sessions, by the hashes of their cookies. They last as long as the process, so a restart asks for a login.
#[derive(Debug, Default)]
pub(super) struct Sessions(Mutex<HashMap<blake3::Hash, Session>>);

/// The session of a browser.
#[derive(Clone, Debug)]
pub(super) struct Session {
    /// The person.
    pub(super) name: String,
    /// The hash of the token. If the file has another one for the person, the session has ended.
    pub(super) token: blake3::Hash,
    /// The second secret, which requests that change something send in a header.
    pub(super) guard: Secret,
    began: Instant,
}

impl Sessions {
    /// Begins a session. Returns the text of its cookie.
    pub(super) fn begin(&self, name: &str, token: blake3::Hash, now: Instant) -> Option<Secret> {
        let (cookie, guard) = (Secret::generate()?, Secret::generate()?);
        let mut sessions = self.lock();
        sessions.retain(|_, it| now.saturating_duration_since(it.began) < LIFE);
        if sessions.len() >= MAX_SESSIONS
            && let Some(oldest) = sessions.iter().min_by_key(|(_, it)| it.began).map(|it| *it.0)
        {
            sessions.remove(&oldest);
        }
        let session = Session { name: name.to_owned(), token, guard, began: now };
        sessions.insert(cookie.hash(), session);
        Some(cookie)
    }

    /// Returns the session of a cookie.
    pub(super) fn find(&self, cookie: &str, now: Instant) -> Option<Session> {
        let found = self.lock().get(&blake3::hash(cookie.as_bytes())).cloned();
        found.filter(|it| now.saturating_duration_since(it.began) < LIFE)
    }

    /// Ends the session of a cookie.
    pub(super) fn end(&self, cookie: &str) {
        self.lock().remove(&blake3::hash(cookie.as_bytes()));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<blake3::Hash, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_begins_lasts_and_ends() {
        let sessions = Sessions::default();
        let start = Instant::now();
        let token = blake3::hash(b"token");
        let cookie = sessions.begin("ada", token, start).expect("begins");
        let other = sessions.begin("bob", token, start).expect("begins");
        let name = |cookie: &Secret, at| sessions.find(cookie.text(), at).map(|it| it.name);
        assert_eq!(name(&cookie, start).as_deref(), Some("ada"));
        assert_eq!(name(&other, start + LIFE - Duration::from_secs(1)).as_deref(), Some("bob"));
        assert_eq!(name(&other, start + LIFE), None);
        assert!(sessions.find("guess", start).is_none());
        sessions.end(cookie.text());
        assert_eq!(name(&cookie, start), None);
        let guard = |it: &Secret| sessions.find(it.text(), start).expect("is there").guard;
        let third = sessions.begin("ada", token, start).expect("begins");
        assert_ne!(guard(&other).text(), guard(&third).text());
    }
}
