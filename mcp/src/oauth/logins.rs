//! The tokens that people got for servers, in a file of theirs.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials,
};
use serde_json::{Map, Value, json};

use super::tokens::Tokens;

/// The maximum size of the file, in bytes.
const MAX_FILE: u64 = 4 << 20;

/// The logins of a person to MCP servers, in a file that only its owner can read. It is made with the first login.
#[derive(Clone, Debug)]
pub struct Logins(Arc<Path>);

/// A login to one server.
pub(super) struct Login {
    pub(super) credentials: StoredCredentials,
    /// The secret of the client, if the server gave it one.
    pub(super) secret: Option<String>,
}

impl Logins {
    /// Names the file of the logins.
    pub fn in_file(path: impl Into<PathBuf>) -> Logins {
        Logins(path.into().into())
    }

    /// Returns the login to a server.
    pub(super) fn find(&self, url: &Url) -> Result<Option<Login>, String> {
        let all = self.read()?;
        let Some(entry) = all.get(url.as_str()) else { return Ok(None) };
        let credentials = serde_json::from_value(entry["credentials"].clone());
        let credentials = credentials.map_err(|error| self.failed("read", &error))?;
        let secret = entry["client_secret"].as_str().map(str::to_string);
        Ok(Some(Login { credentials, secret }))
    }

    /// Keeps a login. The caller has locked the file.
    pub(super) fn keep(&self, url: &Url, login: &Login) -> Result<(), String> {
        let mut entry = json!({"credentials": login.credentials});
        if let Some(secret) = &login.secret {
            entry["client_secret"] = json!(secret);
        }
        let mut all = self.read()?;
        all.insert(url.to_string(), entry);
        self.write(all)
    }

    /// Removes the login to a server. Returns whether there was one. The caller has locked the file.
    pub(super) fn remove(&self, url: &Url) -> Result<bool, String> {
        let mut all = self.read()?;
        let is_known = all.remove(url.as_str()).is_some();
        if is_known {
            self.write(all)?;
        }
        Ok(is_known)
    }

    /// Locks the file against other processes until the result is dropped.
    pub(super) async fn lock(&self) -> Result<File, String> {
        let own = self.clone();
        let locked = tokio::task::spawn_blocking(move || {
            let path = own.beside("lock");
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let file =
                private(OpenOptions::new().create(true).truncate(false).write(true)).open(path)?;
            file.lock()?;
            Ok(file)
        });
        let locked = locked.await.map_err(|error| self.failed("lock", &error))?;
        locked.map_err(|error: std::io::Error| self.failed("lock", &error))
    }

    fn read(&self) -> Result<Map<String, Value>, String> {
        let file = match File::open(self.path()) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Map::new()),
            Err(error) => return Err(self.failed("read", &error)),
        };
        let mut text = String::new();
        let read = file.take(MAX_FILE).read_to_string(&mut text);
        read.map_err(|error| self.failed("read", &error))?;
        serde_json::from_str(&text).map_err(|error| self.failed("read", &error))
    }

    /// Writes a new file, which replaces the old one.
    fn write(&self, all: Map<String, Value>) -> Result<(), String> {
        let made = self.beside("new");
        let write = || {
            // An earlier process may have left one, with other permissions.
            drop(std::fs::remove_file(&made));
            let mut file = private(OpenOptions::new().create_new(true).write(true)).open(&made)?;
            file.write_all(format!("{:#}\n", Value::Object(all)).as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&made, self.path())
        };
        write().map_err(|error| self.failed("write", &error))
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn beside(&self, end: &str) -> PathBuf {
        let mut path = self.0.as_os_str().to_owned();
        path.push(format!(".{end}"));
        path.into()
    }

    fn failed(&self, what: &str, error: &dyn std::error::Error) -> String {
        format!("cannot {what} the logins in `{}`: {error}", self.path().display())
    }
}

/// Makes a new file one that only its owner can read.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// The login to one server, as the SDK reads and refreshes it.
pub(super) struct Stored {
    pub(super) logins: Logins,
    pub(super) url: Url,
    pub(super) tokens: Tokens,
}

/// A future of a [`CredentialStore`].
pub(super) type Storing<'a, T> = Pin<Box<dyn Future<Output = Result<T, AuthError>> + Send + 'a>>;

impl Stored {
    fn find(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let found = self.logins.find(&self.url).map_err(AuthError::CredentialStoreError)?;
        let credentials = found.map(|it| it.credentials);
        if let Some(credentials) = &credentials {
            self.tokens.add_all(credentials);
        }
        Ok(credentials)
    }

    fn change(&self, credentials: StoredCredentials) -> Result<(), String> {
        self.tokens.add_all(&credentials);
        let secret = self.logins.find(&self.url)?.and_then(|it| it.secret);
        self.logins.keep(&self.url, &Login { credentials, secret })
    }
}

impl CredentialStore for Stored {
    fn load<'a, 'b>(&'a self) -> Storing<'b, Option<StoredCredentials>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(std::future::ready(self.find()))
    }

    /// Saves refreshed tokens. The caller holds the guard.
    fn save<'a, 'b>(&'a self, credentials: StoredCredentials) -> Storing<'b, ()>
    where
        'a: 'b,
        Self: 'b,
    {
        let saved = self.change(credentials).map_err(AuthError::CredentialStoreError);
        Box::pin(std::future::ready(saved))
    }

    /// Forgets a login: the server has another authorization server than at the time of the login.
    fn clear<'a, 'b>(&'a self) -> Storing<'b, ()>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move {
            let _lock = self.logins.lock().await.map_err(AuthError::CredentialStoreError)?;
            let removed = self.logins.remove(&self.url).map(drop);
            removed.map_err(AuthError::CredentialStoreError)
        })
    }

    fn acquire_refresh_guard<'a, 'b>(&'a self) -> Storing<'b, Option<CredentialRefreshGuard>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move {
            let lock = self.logins.lock().await.map_err(AuthError::CredentialStoreError)?;
            Ok(Some(CredentialRefreshGuard::new(lock)))
        })
    }
}
