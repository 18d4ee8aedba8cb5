//! Opening of stores. A file is checked before anything in it is changed.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::legacy::upgrade;
use super::tables::{TABLES, VERSION, views};
use crate::error::{Error, ErrorKind};

/// "PTC1". It lets `file` and this crate distinguish a store from other `SQLite` databases.
const APPLICATION_ID: i64 = 0x5054_4331;

/// The maximum wait for the write lock. Another process holds it for one transaction at a time, which takes
/// milliseconds.
const BUSY: Duration = Duration::from_secs(10);

/// Opens a store for writing. Creates it if the file is missing or empty, and upgrades a store of an earlier version.
pub(super) fn open(path: &Path) -> Result<Connection, Error> {
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty() && !it.is_dir()) {
        let folder = folder.display();
        return Err(failure(path, &format!("the folder {folder} does not exist")));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(path, flags).map_err(|it| sqlite(path, &it))?;
    db.busy_timeout(BUSY).map_err(|it| sqlite(path, &it))?;
    let found = inspect(&db, path)?;
    // SQLite opens a write-protected file as read-only, and fails only at the first write.
    if db.is_readonly("main").map_err(|it| sqlite(path, &it))? {
        return Err(failure(path, "the file is not writable"));
    }
    match found {
        FileKind::Empty => create(&mut db, path)?,
        FileKind::Older(_) => upgrade(&mut db).map_err(|it| sqlite(path, &it))?,
        FileKind::Ours => {}
    }
    settings(&db).map_err(|it| sqlite(path, &it))?;
    Ok(db)
}

/// Opens an existing store for reading, even where nothing can be written. Upgrades a store of an earlier version
/// first. If the file cannot be written, it upgrades a copy in memory.
pub(super) fn open_read_only(path: &Path) -> Result<Connection, Error> {
    if !path.exists() {
        return Err(failure(path, "there is no such file"));
    }
    let (db, found) = inspect_file(path)?;
    match found {
        FileKind::Empty => Err(foreign(path, "the file is empty")),
        FileKind::Ours => Ok(db),
        FileKind::Older(version) => match open(path) {
            Ok(_) => Ok(inspect_file(path)?.0),
            Err(error) => upgraded_copy(&db, path, version, error),
        },
    }
}

/// Opens a file for reading, and returns its kind.
fn inspect_file(path: &Path) -> Result<(Connection, FileKind), Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = |name: &OsStr, flags: OpenFlags| -> rusqlite::Result<_> {
        let db = Connection::open_with_flags(name, flags)?;
        db.busy_timeout(BUSY)?;
        let kind = marks(&db)?;
        Ok((db, kind))
    };
    let mut opened = open(path.as_os_str(), flags);
    for _ in 0..COPIES {
        // SQLite creates files beside a store, even to read it.
        let is_closed = match opened.as_ref().map_err(rusqlite::Error::sqlite_error_code) {
            // On a read-only file system, no process can change the store.
            Err(Some(ErrorCode::CannotOpen)) => true,
            // Another user may change it at any time.
            Err(Some(ErrorCode::ReadOnly)) => false,
            _ => break,
        };
        if let Some(error) = unmerged(path) {
            return Err(error);
        }
        let state = state(path);
        let unchanged = open(&immutable(path), flags | OpenFlags::SQLITE_OPEN_URI);
        if is_closed {
            opened = unchanged;
            break;
        }
        let copied = unchanged.and_then(|(db, kind)| Ok((copy(&db)?, kind)));
        if state.is_none() || state != self::state(path) || log_length(path) > 0 {
            opened = open(path.as_os_str(), flags);
            continue;
        }
        let (db, kind) = copied.map_err(|it| sqlite(path, &it))?;
        let what = "its folder is not writable, and it is too large to copy into memory";
        let db = db.ok_or_else(|| failure(path, what).with_help(COPY_HELP))?;
        return Ok((db, file_kind(path, kind)?));
    }
    let (db, kind) = opened.map_err(|it| sqlite(path, &it))?;
    Ok((db, file_kind(path, kind)?))
}

/// The attempts to copy a store to which another user may write.
const COPIES: usize = 10;

const COPY_HELP: &str = "copy the file to a writable folder, and read the copy";

/// Returns the length of the file with the last changes of a store.
fn log_length(path: &Path) -> u64 {
    companion(path, "-wal").metadata().map_or(0, |it| it.len())
}

/// Returns the error of a store whose last changes are outside of its file.
fn unmerged(path: &Path) -> Option<Error> {
    let wal = companion(path, "-wal");
    let what =
        || format!("its last changes are in {}, and that folder is not writable", wal.display());
    let help = "copy both files to a writable folder, and read the copy";
    (log_length(path) > 0).then(|| failure(path, &what()).with_help(help))
}

/// Returns the size and the time of the last change of a file. A writer changes the file of a store only when it moves
/// its log there. So a copy is whole if both are the same afterwards, and there is still no log.
fn state(path: &Path) -> Option<(u64, SystemTime)> {
    let metadata = path.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// Returns a copy in memory, or `None` if the store is too large.
fn copy(db: &Connection) -> rusqlite::Result<Option<Connection>> {
    /// The maximum size of a copy, in bytes.
    const MAX_COPY: i64 = 1 << 30;
    let number =
        |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    if number("page_count")?.saturating_mul(number("page_size")?) > MAX_COPY {
        return Ok(None);
    }
    let mut copy = Connection::open_in_memory()?;
    Backup::new(db, &mut copy)?.run_to_completion(i32::MAX, Duration::ZERO, None)?;
    Ok(Some(copy))
}

/// Returns the path of a file that `SQLite` keeps beside a store.
fn companion(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(end);
    PathBuf::from(name)
}

/// Returns the URI that makes `SQLite` open a store as immutable.
fn immutable(path: &Path) -> OsString {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                name.push(char::from(*byte));
            }
            // Writing to a string never fails.
            _ => drop(write!(name, "%{byte:02X}")),
        }
    }
    name.push_str("?immutable=1");
    name.into()
}

/// Returns an upgraded copy in memory of a store of an earlier version. `error` is the reason that the file was not
/// upgraded.
fn upgraded_copy(
    db: &Connection,
    path: &Path,
    version: i64,
    error: Error,
) -> Result<Connection, Error> {
    let copied = || -> rusqlite::Result<Option<Connection>> {
        let mut copied = copy(db)?;
        copied.as_mut().map(upgrade).transpose()?;
        Ok(copied)
    };
    match copied().map_err(|it| sqlite(path, &it))? {
        Some(copy) => Ok(copy),
        None => Err(error.with_help(format!(
            "the file has store version {version}, and is too large to upgrade to version {VERSION} in memory: \
             make it writable, or read a copy of it"
        ))),
    }
}

/// Opens a store that exists only while it is open.
pub(super) fn open_in_memory() -> Result<Connection, Error> {
    let path = Path::new(":memory:");
    let mut db = Connection::open_in_memory().map_err(|it| sqlite(path, &it))?;
    create(&mut db, path)?;
    Ok(db)
}

/// Converts an error of `SQLite`.
pub(super) fn sqlite(path: &Path, error: &rusqlite::Error) -> Error {
    if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
        return foreign(path, "the file is not a database");
    }
    match error.sqlite_error_code() {
        // The text of SQLite would repeat the path.
        Some(ErrorCode::CannotOpen) => failure(path, "the file can be neither opened nor created"),
        _ => failure(path, &error.to_string()),
    }
}

fn failure(path: &Path, what: &str) -> Error {
    Error::new(ErrorKind::Store, format!("cannot use the store: {what}")).in_file(path)
}

fn foreign(path: &Path, what: &str) -> Error {
    Error::new(ErrorKind::StoreVersion, format!("not a store of this version of ptc: {what}"))
        .in_file(path)
        .with_help("name another file; this one was not changed")
}

/// The kind of a file.
enum FileKind {
    /// An empty file.
    Empty,
    /// A store of an earlier version.
    Older(i64),
    /// A store of this version.
    Ours,
}

/// Returns the kind of a file, or an error if it is not a store.
fn inspect(db: &Connection, path: &Path) -> Result<FileKind, Error> {
    file_kind(path, marks(db).map_err(|it| sqlite(path, &it))?)
}

/// Returns the marks of a store: the application id, the version, and the number of tables.
fn marks(db: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    // One transaction, because another process may be creating the store.
    let tx = db.unchecked_transaction()?;
    let number = |sql: &str| tx.query_row(sql, [], |row| row.get::<_, i64>(0));
    Ok((
        number("PRAGMA application_id")?,
        number("PRAGMA user_version")?,
        number("SELECT count(*) FROM sqlite_master")?,
    ))
}

fn file_kind(
    path: &Path,
    (application, version, tables): (i64, i64, i64),
) -> Result<FileKind, Error> {
    match (application, version) {
        (APPLICATION_ID, VERSION) => Ok(FileKind::Ours),
        (APPLICATION_ID, 1..VERSION) => Ok(FileKind::Older(version)),
        (APPLICATION_ID, _) => Err(foreign(
            path,
            &format!("it has store version {version}, and this ptc reads versions up to {VERSION}"),
        )),
        (0, 0) if tables == 0 => Ok(FileKind::Empty),
        _ => Err(foreign(path, "the database belongs to another application")),
    }
}

fn create(db: &mut Connection, path: &Path) -> Result<(), Error> {
    let make = |db: &mut Connection| -> rusqlite::Result<bool> {
        let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version != 0 {
            // Another process has created the store.
            return Ok(false);
        }
        tx.execute_batch(TABLES)?;
        tx.execute_batch(&views())?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", VERSION)?;
        tx.commit()?;
        Ok(true)
    };
    if !make(db).map_err(|it| sqlite(path, &it))? {
        inspect(db, path)?;
    }
    Ok(())
}

/// Retries an operation while the database is locked. The busy timeout of a connection does not apply to a change of
/// the journal mode, and several processes may change that of a new store at once.
fn wait_for(mut work: impl FnMut() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    const STEP: Duration = Duration::from_millis(5);
    let mut waited = Duration::ZERO;
    loop {
        match work() {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && waited < BUSY =>
            {
                std::thread::sleep(STEP);
                waited += STEP;
            }
            done => return done,
        }
    }
}

fn settings(db: &Connection) -> rusqlite::Result<()> {
    // A killed process loses no commit; a power failure may lose the last ones.
    wait_for(|| db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())))?;
    db.pragma_update(None, "synchronous", "NORMAL")
}
