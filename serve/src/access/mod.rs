//! Who may do what: persons and their tokens, sessions of browsers, levels for agents, and budgets.
//!
//! `level.rs` has the rules, `tokens.rs` the file, `sessions.rs` the cookies of browsers, and `attempts.rs` the bound on
//! failed logins. Without a file of tokens, everybody who can reach the server may do everything, so it listens at loopback
//! addresses alone.

mod attempts;
mod budget;
mod level;
mod secret;
mod sessions;
mod tokens;

use std::fs;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use hyper::header::{AUTHORIZATION, COOKIE, HeaderValue};
use hyper::{HeaderMap, Method, StatusCode};
use ptc_subagent::Error;

use attempts::Attempts;
use sessions::{Session, Sessions};
use tokens::Tokens;

use crate::problem::Problem;

pub(crate) use budget::{Budget, today};
pub(crate) use level::Level as Action;
pub use level::Level;
pub use tokens::{NewToken, TokenFile, TokenInfo};

/// The header with the second secret of a session.
pub(crate) const GUARD: &str = "ptc-guard";

/// The one who makes a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    /// The name of the token; `None` where the server has no tokens.
    pub(crate) name: Option<String>,
    /// The tokens at the time of the request; `None` where the server has none.
    tokens: Option<Arc<Tokens>>,
}

/// Equal names are the same caller: a file of tokens may change between two requests.
impl PartialEq for Caller {
    fn eq(&self, other: &Caller) -> bool {
        self.name == other.name
    }
}

impl Eq for Caller {}

/// The access to a server.
#[derive(Debug, Default)]
pub(crate) struct Access {
    file: Option<Reloaded>,
    sessions: Sessions,
    attempts: Attempts,
}

/// A file of tokens that is read again when it changes.
#[derive(Debug)]
struct Reloaded {
    file: TokenFile,
    read: Mutex<Read>,
}

/// The last reading of the file.
#[derive(Debug)]
struct Read {
    state: Option<(u64, SystemTime)>,
    /// `None` if the file is malformed; then nobody has access.
    tokens: Option<Arc<Tokens>>,
}

impl Access {
    /// Creates the access of a server with tokens.
    ///
    /// # Errors
    ///
    /// Those of a malformed file.
    pub(crate) fn with_tokens(file: TokenFile) -> Result<Access, Error> {
        let state = state(&file);
        let tokens = Some(Arc::new(file.read()?));
        let read = Mutex::new(Read { state, tokens });
        Ok(Access { file: Some(Reloaded { file, read }), ..Access::default() })
    }

    /// Returns whether requests need a token.
    pub(crate) fn needs_tokens(&self) -> bool {
        self.file.is_some()
    }

    /// Returns the caller of a request from an address.
    ///
    /// # Errors
    ///
    /// The problem of a missing or wrong token, of a session that has ended, and of a change without the secret of its
    /// session.
    pub(crate) fn admit(
        &self,
        method: &Method,
        headers: &HeaderMap,
        from: IpAddr,
    ) -> Result<Caller, Problem> {
        let Some(tokens) = self.tokens()? else { return Ok(Caller::default()) };
        if let Some(value) = headers.get(AUTHORIZATION) {
            let token = value.to_str().ok().and_then(bearer);
            let name = self.person(&tokens, token.unwrap_or_default(), from)?;
            return Ok(Caller { name: Some(name), tokens: Some(tokens) });
        }
        let session = self.session(&tokens, headers).ok_or_else(|| {
            unauthorized("the request has no token").with_help(
                "send the header `Authorization: Bearer TOKEN`; `ptc token new` makes a token",
            )
        })?;
        let guard = headers.get(GUARD).and_then(|it| it.to_str().ok()).unwrap_or_default();
        if !matches!(*method, Method::GET | Method::HEAD) && !session.guard.is(guard) {
            let detail = format!("the request of a session has not its header `{GUARD}`");
            return Err(Problem::new(StatusCode::FORBIDDEN, "foreign-origin", detail));
        }
        Ok(Caller { name: Some(session.name), tokens: Some(tokens) })
    }

    /// Begins the session of a browser. Returns its cookie.
    ///
    /// # Errors
    ///
    /// The problem of a wrong token, and of too many of them.
    pub(crate) fn log_in(&self, token: &str, from: IpAddr) -> Result<HeaderValue, Problem> {
        let tokens = self.tokens()?.unwrap_or_default();
        let name = self.person(&tokens, token, from)?;
        let cookie = self.sessions.begin(&name, blake3::hash(token.as_bytes()), Instant::now());
        let cookie = cookie.map(|it| set_cookie(it.text(), sessions::LIFE.as_secs()));
        cookie.flatten().ok_or_else(crate::problem::internal)
    }

    /// Ends the session of a browser. Returns the cookie that removes its cookie.
    pub(crate) fn log_out(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        cookies(headers).for_each(|it| self.sessions.end(it));
        set_cookie("", 0)
    }

    /// Returns the name of the person whose session a request has, and the second secret of the session for the page.
    pub(crate) fn session_of(&self, headers: &HeaderMap) -> Option<(String, String)> {
        let tokens = self.tokens().ok()??;
        let session = self.session(&tokens, headers)?;
        Some((session.name, session.guard.text().to_owned()))
    }

    fn person(&self, tokens: &Tokens, token: &str, from: IpAddr) -> Result<String, Problem> {
        if let Some(name) = tokens.person(blake3::hash(token.as_bytes())) {
            self.attempts.succeeded(from);
            return Ok(name.to_owned());
        }
        // The bound is for wrong tokens alone, since callers behind a proxy share an address.
        let now = Instant::now();
        if let Some(wait) = self.attempts.wait(from, now) {
            let detail = "too many requests with a wrong token came from this address";
            let mut problem =
                Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-attempts", detail);
            problem.retry_after = Some(wait.as_secs() + 1);
            return Err(problem);
        }
        self.attempts.failed(from, now);
        Err(unauthorized("the token is not one of this server"))
    }

    fn session(&self, tokens: &Tokens, headers: &HeaderMap) -> Option<Session> {
        let now = Instant::now();
        let session = cookies(headers).find_map(|it| self.sessions.find(it, now))?;
        // A token that was removed or replaced ends its sessions.
        (tokens.person(session.token) == Some(session.name.as_str())).then_some(session)
    }

    /// Returns the caller with a name, as the file of tokens has it now. A caller that the file lacks may do nothing.
    ///
    /// # Errors
    ///
    /// The problem of a file that cannot be read.
    pub(crate) fn caller(&self, name: &str) -> Result<Caller, Problem> {
        Ok(Caller { name: Some(name.to_owned()), tokens: self.tokens()? })
    }

    /// Returns the tokens, read again if the file has changed; `None` for a server without tokens.
    fn tokens(&self) -> Result<Option<Arc<Tokens>>, Problem> {
        let Some(Reloaded { file, read }) = &self.file else { return Ok(None) };
        let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
        let state = state(file);
        if state != read.state {
            *read = Read { state, tokens: file.read().ok().map(Arc::new) };
        }
        let malformed = || {
            let detail = "the file of tokens cannot be read, so nobody has access";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unreadable-tokens", detail)
                .with_help("`ptc token list` shows the problem")
        };
        read.tokens.clone().map(Some).ok_or_else(malformed)
    }
}

impl Caller {
    /// Returns the level of the caller for an agent; `None` if the caller may not even see it.
    pub(crate) fn level(&self, agent: &str) -> Option<Level> {
        match (&self.tokens, &self.name) {
            (None, _) => Some(Level::Delete),
            (Some(tokens), Some(name)) => tokens.rules.level(name, agent),
            (Some(_), None) => None,
        }
    }

    /// Returns the budget of the caller, if it has one.
    pub(crate) fn budget(&self) -> Option<&Budget> {
        self.tokens.as_ref()?.budgets.get(self.name.as_ref()?)
    }

    /// Returns whether the caller started a run.
    pub(crate) fn owns(&self, by: Option<&str>) -> bool {
        self.name.is_some() && self.name.as_deref() == by
    }
}

/// Returns whether a caller may do this with the agent of this name and its runs.
///
/// # Errors
///
/// The problem to answer with.
pub(crate) fn allow(caller: &Caller, action: Action, agent: &str) -> Result<(), Problem> {
    if caller.level(agent) >= Some(action) {
        return Ok(());
    }
    let name = caller.name.as_deref().unwrap_or("the caller");
    let verb = match action {
        Level::View => "see",
        Level::Run => "run",
        Level::Edit => "change runs of",
        Level::Delete => "delete runs of",
    };
    let detail = format!("{name} does not have permission to {verb} agent '{agent}'");
    Err(Problem::new(StatusCode::FORBIDDEN, "no-permission", detail))
}

/// Returns whether a caller may see the runs of all agents, also of those that are not served.
pub(crate) fn sees_all(caller: &Caller) -> bool {
    match (&caller.tokens, &caller.name) {
        (None, _) => true,
        (Some(tokens), Some(name)) => tokens.rules.sees_all(name),
        (Some(_), None) => false,
    }
}

fn state(file: &TokenFile) -> Option<(u64, SystemTime)> {
    let metadata = fs::metadata(file.path()).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Returns the values of the session cookie. A page of a neighbouring host name may add cookies of the same name.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|it| it.to_str().ok());
    let pairs = all.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.filter(|(name, _)| *name == sessions::COOKIE).map(|(_, value)| value)
}

fn set_cookie(value: &str, seconds: u64) -> Option<HeaderValue> {
    let name = sessions::COOKIE;
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict");
    HeaderValue::from_str(&text).ok()
}

fn unauthorized(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
}
