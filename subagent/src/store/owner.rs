//! Owners of runs: which process has a run that has not ended, and whether that process is alive.
//!
//! A process number says nothing in another PID namespace, such as another container, and other programs get it again.
//! So a store that records runs owns them under a random name, and holds a lock on a file of that name beside the
//! store, `STORE-owner-NAME`. The kernel drops the lock when the process dies. Rows of runs that have not ended have
//! the owner as `NUMBER@HOST:NAME`; number and host are for people. Versions up to 5 wrote `NUMBER:NAME` and locked
//! nothing: there the number has to do.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, ErrorKind};
use crate::run::random_name;

/// The owner of the runs that one open store records. It removes its file when it is dropped.
pub(super) struct Owner {
    /// The file of the store without symbolic links, so that every path to it leads to the same owners; none in memory.
    store: Option<PathBuf>,
    held: Mutex<Option<Held>>,
}

/// What an owner has from its first run on.
struct Held {
    /// What rows say.
    process: String,
    /// The locked file; none for a store in memory, which no other process sees.
    lock: Option<(PathBuf, File)>,
}

/// A living process that has a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Holder {
    number: String,
    host: Option<String>,
    /// Why nobody can tell whether it is alive.
    doubt: Option<String>,
}

/// Says which processes are alive, and asks for each of them once.
pub(super) struct Living<'o> {
    owner: &'o Owner,
    asked: RefCell<HashMap<String, Option<Holder>>>,
}

impl Owner {
    /// The owner of the runs that a store in a file records.
    pub(super) fn of(path: &Path) -> Owner {
        Owner { store: path.canonicalize().ok(), held: Mutex::default() }
    }

    /// The owner of the runs of a store in memory.
    pub(super) fn in_memory() -> Owner {
        Owner { store: None, held: Mutex::default() }
    }

    /// Returns what rows say of this owner. The first call takes the lock, and removes the files of owners that died.
    pub(super) fn claim(&self) -> Result<String, Error> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = &*held {
            return Ok(held.process.clone());
        }
        let (name, lock) = match &self.store {
            None => (random_name(), None),
            Some(store) => {
                let (name, path, file) = lock(store).map_err(|error| unlocked(store, &error))?;
                remove_dead(store);
                (name, Some((path, file)))
            }
        };
        let process = format!("{}@{}:{name}", std::process::id(), host());
        Ok(held.insert(Held { process, lock }).process.clone())
    }

    /// Returns a memory of who is alive, for one look at the store.
    pub(super) fn living(&self) -> Living<'_> {
        Living { owner: self, asked: RefCell::default() }
    }

    /// Whether rows say this of this owner.
    fn is(&self, process: &str) -> bool {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().is_some_and(|it| it.process == process)
    }

    /// Returns the process that a row names, if it is alive.
    fn ask(&self, process: &str) -> Option<Holder> {
        let (place, name) = process.split_once(':').unwrap_or((process, ""));
        let Some((number, host)) = place.split_once('@') else {
            let holder = Holder { number: place.to_string(), host: None, doubt: None };
            return old::is_alive(place).then_some(holder);
        };
        // A store may come from anybody: a row names no other files, and shows nothing else to people.
        if !is_name(name.as_bytes()) || number.parse::<u32>().is_err() || host != plain(host) {
            return None;
        }
        let (number, host) = (number.to_string(), Some(host.to_string()));
        let doubt = match (self.is(process), &self.store) {
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
        let held = self.held.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(Held { lock: Some((path, file)), .. }) = held.take() {
            // The runs that have not ended are dead from here on, with or without the file.
            drop(fs::remove_file(path));
            drop(file);
        }
    }
}

impl Living<'_> {
    /// Returns the process that a row names, if it is alive.
    pub(super) fn holder(&self, process: &str) -> Option<Holder> {
        if let Some(known) = self.asked.borrow().get(process) {
            return known.clone();
        }
        let holder = self.owner.ask(process);
        self.asked.borrow_mut().insert(process.to_string(), holder.clone());
        holder
    }

    /// Whether the process that a row names is alive.
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
    /// Makes the error of a run that this process has.
    pub(super) fn refuse(&self, run: &str) -> Error {
        let Holder { number, host, doubt } = self;
        let error = |message: String| Error::new(ErrorKind::Replay, message);
        let host = host.as_ref().map_or(String::new(), |host| format!(" on {host}"));
        match doubt {
            None if host.is_empty() => {
                error(format!("run {run} is still running in process {number}"))
                    .with_help("if that is another program by now, `--take-over` says so")
            }
            None => error(format!("run {run} is still running in process {number}{host}"))
                .with_help(
                    "end that process first; `--take-over` goes on with the run without that",
                ),
            Some(doubt) => {
                error(format!("run {run} may still be running in process {number}{host}: {doubt}"))
                    .with_help("if that process is gone, `--take-over` says so")
            }
        }
    }
}

/// What a look at the file of an owner says.
enum Probe {
    Alive,
    /// The file is there still, and locked, so that nobody makes it his own meanwhile; or it is gone.
    Dead(Option<File>),
    Unknown(String),
}

/// Looks whether somebody holds the lock of a file.
fn probe(path: &Path) -> Probe {
    let unknown =
        |error: &io::Error| Probe::Unknown(format!("cannot look at {}: {error}", path.display()));
    // Whatever else has that name was never an owner's, and may be a pipe that blocks.
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

/// Makes the file of a new owner and locks it; returns the owner's name too.
fn lock(store: &Path) -> io::Result<(String, PathBuf, File)> {
    /// Between making a file and locking it, somebody who removes dead ones may look at it.
    const ATTEMPTS: u32 = 16;
    let mut failed = io::Error::from(io::ErrorKind::WouldBlock);
    for _ in 0..ATTEMPTS {
        let name = random_name();
        let path = file(store, &name);
        let lock = File::options().read(true).write(true).create_new(true).open(&path)?;
        match lock.try_lock() {
            // Those who remove a file hold its lock meanwhile: one that is locked and there stays.
            Ok(()) if fs::symlink_metadata(&path).is_ok() => {
                // Who may read the store may ask whether its runs are alive.
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

/// Removes the files of owners that died. Names are never used again, so a dead owner stays dead; what cannot be
/// removed stays for the next one.
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

/// The file of an owner.
fn file(store: &Path, name: &str) -> PathBuf {
    let mut path = store.as_os_str().to_os_string();
    path.push("-owner-");
    path.push(name);
    PathBuf::from(path)
}

/// Whether a text is the name of an owner.
fn is_name(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|it| it.is_ascii_digit() || it.is_ascii_lowercase())
}

/// The name of this machine.
fn host() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    let name = plain(&name);
    if name.is_empty() { "localhost".to_string() } else { name }
}

/// The name of a machine without what has a meaning in a row.
fn plain(host: &str) -> String {
    const MAX: usize = 64;
    let is_plain = |it: &char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_');
    host.chars().filter(is_plain).take(MAX).collect()
}

fn unlocked(store: &Path, error: &io::Error) -> Error {
    let message = format!(
        "cannot use the store: cannot lock a file beside it, which tells others that its runs are alive: {error}"
    );
    Error::new(ErrorKind::Store, message)
        .in_file(store)
        .with_help("keep the store on a file system with locks, in a folder that can be written")
}

/// Owners of versions up to 5, by the numbers of their processes.
mod old {
    /// Whether a process has a number. This one is never meant: it writes no such row.
    pub(super) fn is_alive(number: &str) -> bool {
        number != std::process::id().to_string() && runs(number)
    }

    #[cfg(unix)]
    fn runs(number: &str) -> bool {
        let number = number.parse().ok().and_then(rustix::process::Pid::from_raw);
        // A process of somebody else is alive too.
        number.is_some_and(|it| {
            !matches!(rustix::process::test_kill_process(it), Err(rustix::io::Errno::SRCH))
        })
    }

    /// Nobody can be asked here.
    #[cfg(not(unix))]
    fn runs(_number: &str) -> bool {
        false
    }
}
