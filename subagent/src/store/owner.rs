//! Owners of runs. A run that has not ended has an owner, a process that may be alive or dead.
//!
//! A process number has no meaning in another PID namespace, such as another container, and systems reuse it. So a
//! store that records runs owns them under a random name. It holds a lock on the file `STORE-owner-NAME` beside the
//! store, and the kernel drops the lock when the process dies.
//!
//! The row of a run that has not ended has the owner as `NUMBER@HOST:NAME`; number and host are for people. Versions up
//! to 5 wrote `NUMBER:NAME` and locked nothing, so only the number identifies their owners.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, ErrorKind};
use crate::record::random_name;

/// The owner of the runs that one open store records. Dropping it removes its file.
pub(super) struct Owner {
    /// The path of the store without symbolic links, so that every path to it leads to the same owners. `None` in
    /// memory.
    store: Option<PathBuf>,
    identity: Mutex<Option<Identity>>,
}

/// The name and the lock that an owner has from its first run on.
struct Identity {
    /// The owner as rows have it.
    process: String,
    /// The locked file. `None` for a store in memory, which no other process sees.
    lock: Option<(PathBuf, File)>,
}

/// A living process that owns a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Holder {
    number: String,
    host: Option<String>,
    /// The reason that its state is unknown; `None` if it is alive.
    doubt: Option<String>,
}

/// A cache of the processes that are alive. It checks each process once.
pub(super) struct Living<'o> {
    owner: &'o Owner,
    known: RefCell<HashMap<String, Option<Holder>>>,
}

impl Owner {
    /// Creates the owner of the runs that a store in a file records.
    pub(super) fn of(path: &Path) -> Owner {
        Owner { store: path.canonicalize().ok(), identity: Mutex::default() }
    }

    /// Creates the owner of the runs that a store in memory records.
    pub(super) fn in_memory() -> Owner {
        Owner { store: None, identity: Mutex::default() }
    }

    /// Returns the owner as rows have it. The first call takes the lock, and removes the files of dead owners.
    pub(super) fn claim(&self) -> Result<String, Error> {
        let mut identity = self.identity.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(identity) = &*identity {
            return Ok(identity.process.clone());
        }
        let (name, lock) = match &self.store {
            None => (random_name(), None),
            Some(store) => {
                let (name, path, file) =
                    lock(store).map_err(|error| lock_failure(store, &error))?;
                remove_dead(store);
                (name, Some((path, file)))
            }
        };
        let process = format!("{}@{}:{name}", std::process::id(), host());
        Ok(identity.insert(Identity { process, lock }).process.clone())
    }

    /// Returns an empty cache of living processes, for one use of the store.
    pub(super) fn living(&self) -> Living<'_> {
        Living { owner: self, known: RefCell::default() }
    }

    /// Returns whether a row names this owner.
    pub(super) fn is_own(&self, process: &str) -> bool {
        let identity = self.identity.lock().unwrap_or_else(PoisonError::into_inner);
        identity.as_ref().is_some_and(|it| it.process == process)
    }

    /// Returns the process that a row names, if it is alive.
    fn look_up(&self, process: &str) -> Option<Holder> {
        let (place, name) = process.split_once(':').unwrap_or((process, ""));
        let Some((number, host)) = place.split_once('@') else {
            let holder = Holder { number: place.to_string(), host: None, doubt: None };
            return legacy::is_alive(place).then_some(holder);
        };
        // The store may be untrusted: a row must not name other files, or show other texts to people.
        if !is_name(name.as_bytes())
            || number.parse::<u32>().is_err()
            || host != without_separators(host)
        {
            return None;
        }
        let (number, host) = (number.to_string(), Some(host.to_string()));
        let doubt = match (self.is_own(process), &self.store) {
            (true, _) => None,
            (false, None) => Some("the path of the store is not known".to_string()),
            (false, Some(store)) => match probe(&file(store, name)) {
                Probe::Alive => None,
                Probe::Dead(_) => return None,
                Probe::Unknown(why) => Some(why),
            },
        };
        Some(Holder { number, host, doubt })
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let identity = self.identity.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(Identity { lock: Some((path, file)), .. }) = identity.take() {
            // The lock is about to go, so the remaining runs count as dead even if the file remains.
            drop(fs::remove_file(path));
            drop(file);
        }
    }
}

impl Living<'_> {
    /// Returns the process that a row names, if it is alive.
    pub(super) fn holder(&self, process: &str) -> Option<Holder> {
        if let Some(known) = self.known.borrow().get(process) {
            return known.clone();
        }
        let holder = self.owner.look_up(process);
        self.known.borrow_mut().insert(process.to_string(), holder.clone());
        holder
    }

    /// Returns whether the process that a row names is alive.
    pub(super) fn has(&self, process: &str) -> bool {
        self.holder(process).is_some()
    }
}

impl fmt::Debug for Living<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Living").finish_non_exhaustive()
    }
}

impl Holder {
    /// Returns the error of a run that this process owns.
    pub(super) fn refuse(&self, run: &str) -> Error {
        let Holder { number, host, doubt } = self;
        let error = |message: String| Error::new(ErrorKind::Replay, message);
        let host = host.as_ref().map_or(String::new(), |host| format!(" on {host}"));
        match doubt {
            None if host.is_empty() => {
                error(format!("run {run} is still running in process {number}"))
                    .with_help("if another program has that number now, pass `--take-over`")
            }
            None => error(format!("run {run} is still running in process {number}{host}"))
                .with_help("end that process first, or resume anyway with `--take-over`"),
            Some(doubt) => {
                error(format!("run {run} may still be running in process {number}{host}: {doubt}"))
                    .with_help("if that process is gone, pass `--take-over`")
            }
        }
    }
}

/// The state of the owner of a file.
enum Probe {
    Alive,
    /// The owner is dead. The file is locked, so that no new owner takes it meanwhile, or it is gone.
    Dead(Option<File>),
    Unknown(String),
}

/// Checks whether a process holds the lock of a file.
fn probe(path: &Path) -> Probe {
    let unknown =
        |error: &io::Error| Probe::Unknown(format!("cannot look at {}: {error}", path.display()));
    // Anything but a regular file is not an owner's, and may be a pipe that blocks.
    match fs::symlink_metadata(path) {
        Ok(it) if !it.is_file() => return Probe::Dead(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Probe::Dead(None),
        _ => {}
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Probe::Dead(None),
        Err(error) => return unknown(&error),
    };
    match file.try_lock_shared() {
        Ok(()) => Probe::Dead(Some(file)),
        Err(TryLockError::WouldBlock) => Probe::Alive,
        Err(TryLockError::Error(error)) => unknown(&error),
    }
}

/// Creates and locks the file of a new owner. Returns the name, the path and the file.
fn lock(store: &Path) -> io::Result<(String, PathBuf, File)> {
    /// The maximum number of attempts. Between creation and locking, another process may probe the file as a dead
    /// owner's.
    const ATTEMPTS: u32 = 16;
    let mut failed = io::Error::from(io::ErrorKind::WouldBlock);
    for _ in 0..ATTEMPTS {
        let name = random_name();
        let path = file(store, &name);
        let lock = File::options().read(true).write(true).create_new(true).open(&path)?;
        match lock.try_lock() {
            // A process that removes a file holds its lock. So a file that is locked here and still exists will remain.
            Ok(()) if fs::symlink_metadata(&path).is_ok() => {
                // A process that may read the store may also check whether its runs are alive.
                drop(fs::metadata(store).and_then(|it| lock.set_permissions(it.permissions())));
                return Ok((name, path, lock));
            }
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => {
                failed = error;
                drop(fs::remove_file(&path));
                break;
            }
        }
    }
    Err(failed)
}

/// Removes the files of dead owners. Names are never reused, so a dead owner remains dead. A file that cannot be
/// removed is left for the next call.
fn remove_dead(store: &Path) {
    let Some((folder, start)) = store.parent().zip(file(store, "").file_name().map(OsString::from))
    else {
        return;
    };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let name = file_name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes());
        if name.is_some_and(is_name)
            && let Probe::Dead(Some(_lock)) = probe(&entry.path())
        {
            drop(fs::remove_file(entry.path()));
        }
    }
}

/// Returns the path of an owner's file.
fn file(store: &Path, name: &str) -> PathBuf {
    let mut path = store.as_os_str().to_os_string();
    path.push("-owner-");
    path.push(name);
    PathBuf::from(path)
}

/// Returns whether a text is the name of an owner.
fn is_name(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|it| it.is_ascii_digit() || it.is_ascii_lowercase())
}

/// Returns the name of this machine.
fn host() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    let name = without_separators(&name);
    if name.is_empty() { "localhost".to_string() } else { name }
}

/// Returns the name of a machine without the characters that are separators in a row.
fn without_separators(host: &str) -> String {
    const MAX: usize = 64;
    let is_plain = |it: &char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_');
    host.chars().filter(is_plain).take(MAX).collect()
}

fn lock_failure(store: &Path, error: &io::Error) -> Error {
    let message = format!(
        "cannot use the store: cannot lock the file beside it that marks its runs as alive: {error}"
    );
    Error::new(ErrorKind::Store, message)
        .in_file(store)
        .with_help("keep the store on a file system with locks, in a writable folder")
}

/// Owners of versions up to 5, which have process numbers only.
mod legacy {
    /// Returns whether a process with this number is running. It is never this process, which does not write such rows.
    pub(super) fn is_alive(number: &str) -> bool {
        number != std::process::id().to_string() && is_running(number)
    }

    #[cfg(unix)]
    fn is_running(number: &str) -> bool {
        let number = number.parse().ok().and_then(rustix::process::Pid::from_raw);
        // A process that this one may not signal is alive too.
        number.is_some_and(|it| {
            !matches!(rustix::process::test_kill_process(it), Err(rustix::io::Errno::SRCH))
        })
    }

    /// Returns false, because this platform has no such check.
    #[cfg(not(unix))]
    fn is_running(_number: &str) -> bool {
        false
    }
}
