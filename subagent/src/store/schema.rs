//! Opening a store, and the check that a file is ours before anything in it is touched.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::tables::{TABLES, views};
use super::upgrade::upgrade;
use crate::error::{Error, ErrorKind};

/// "PTC1", so that `file` and we know our files from any other `SQLite` database.
const APPLICATION_ID: i64 = 0x5054_4331;

/// Counts up when the tables change; `upgrade` has a step for each.
pub(super) const VERSION: i64 = 5;

/// Another process holds the write lock for one transaction at a time, which takes milliseconds.
const BUSY: Duration = Duration::from_secs(10);

/// Opens a store for writing; makes it if the file is missing or empty, and brings it up to date if an
/// earlier version made it.
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
    let found = look(&db, path)?;
    // SQLite opens a file that may not be written as read-only, and says so only on the first write.
    if db.is_readonly("main").map_err(|it| sqlite(path, &it))? {
        return Err(failure(path, "the file may not be written"));
    }
    match found {
        Found::Nothing => create(&mut db, path)?,
        Found::Older(_) => upgrade(&mut db).map_err(|it| sqlite(path, &it))?,
        Found::Ours => {}
    }
    settings(&db).map_err(|it| sqlite(path, &it))?;
    Ok(db)
}

/// Opens a store for reading; the file must be there. One of an earlier version is brought up to date first,
/// for which it has to be writable.
pub(super) fn open_read_only(path: &Path) -> Result<Connection, Error> {
    if !path.exists() {
        return Err(failure(path, "there is no such file"));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|it| sqlite(path, &it))?;
    db.busy_timeout(BUSY).map_err(|it| sqlite(path, &it))?;
    match look(&db, path)? {
        Found::Nothing => return Err(foreign(path, "the file is empty")),
        Found::Older(version) => drop(open(path).map_err(|error| {
            error.with_help(format!(
                "the file has store version {version} and is brought to version {VERSION} before it is read: \
                 make it writable, or read a copy of it"
            ))
        })?),
        Found::Ours => {}
    }
    Ok(db)
}

/// Opens a store that is gone when it is closed.
pub(super) fn open_in_memory() -> Result<Connection, Error> {
    let path = Path::new(":memory:");
    let mut db = Connection::open_in_memory().map_err(|it| sqlite(path, &it))?;
    create(&mut db, path)?;
    Ok(db)
}

/// Makes an error out of what `SQLite` says.
pub(super) fn sqlite(path: &Path, error: &rusqlite::Error) -> Error {
    if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
        return foreign(path, "the file is no database");
    }
    match error.sqlite_error_code() {
        // SQLite repeats the path in its own text.
        Some(ErrorCode::CannotOpen) => failure(path, "the file can be neither opened nor made"),
        _ => failure(path, &error.to_string()),
    }
}

fn failure(path: &Path, what: &str) -> Error {
    Error::new(ErrorKind::Store, format!("cannot use the store: {what}")).in_file(path)
}

fn foreign(path: &Path, what: &str) -> Error {
    Error::new(ErrorKind::StoreVersion, format!("not a store of this version of ptc: {what}"))
        .in_file(path)
        .with_help("name another file; this one was left as it is")
}

/// What a file holds.
enum Found {
    /// No content yet.
    Nothing,
    /// A store of an earlier version.
    Older(i64),
    /// A store of this version.
    Ours,
}

/// Says what the file holds; an error if that is not ours.
fn look(db: &Connection, path: &Path) -> Result<Found, Error> {
    // One look at all of it: another process may be making the store right now.
    let tx = db.unchecked_transaction().map_err(|it| sqlite(path, &it))?;
    let number = |sql: &str| {
        tx.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(|it| sqlite(path, &it))
    };
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    let tables = number("SELECT count(*) FROM sqlite_master")?;
    match (application, version) {
        (APPLICATION_ID, VERSION) => Ok(Found::Ours),
        (APPLICATION_ID, 1..VERSION) => Ok(Found::Older(version)),
        (APPLICATION_ID, _) => Err(foreign(
            path,
            &format!("it has store version {version}, and this ptc reads versions up to {VERSION}"),
        )),
        (0, 0) if tables == 0 => Ok(Found::Nothing),
        _ => Err(foreign(path, "the database belongs to another application")),
    }
}

fn create(db: &mut Connection, path: &Path) -> Result<(), Error> {
    let make = |db: &mut Connection| -> rusqlite::Result<bool> {
        let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version != 0 {
            // Another process was faster.
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
        look(db, path)?;
    }
    Ok(())
}

/// Does what needs the file alone and does not wait for others on its own: the busy time of a connection does
/// not hold for the change of a journal mode, which several processes may make of a new store at once.
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
    // A killed process loses nothing that was committed; a power cut may lose the last moments.
    wait_for(|| db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())))?;
    db.pragma_update(None, "synchronous", "NORMAL")
}
