//! Opening a store, and the check that a file is ours before anything in it is touched.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::legacy::upgrade;
use super::tables::{TABLES, views};
use crate::error::{Error, ErrorKind};

/// "PTC1", so that `file` and we know our files from any other `SQLite` database.
const APPLICATION_ID: i64 = 0x5054_4331;

/// Counts up when the tables change; `upgrade` has a step for each.
pub(super) const VERSION: i64 = 6;

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

/// Opens a store for reading; the file must be there, and may be where nothing can be written. One of an earlier
/// version is brought up to date first: the file, or a copy in memory if the file may not be written.
pub(super) fn open_read_only(path: &Path) -> Result<Connection, Error> {
    if !path.exists() {
        return Err(failure(path, "there is no such file"));
    }
    let (db, found) = look_only(path)?;
    match found {
        Found::Nothing => Err(foreign(path, "the file is empty")),
        Found::Ours => Ok(db),
        Found::Older(version) => match open(path) {
            Ok(_) => Ok(look_only(path)?.0),
            Err(error) => upgraded_copy(&db, path, version, error),
        },
    }
}

/// Opens a file for reading, and says what it holds.
fn look_only(path: &Path) -> Result<(Connection, Found), Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = |name: &OsStr, flags: OpenFlags| -> rusqlite::Result<_> {
        let db = Connection::open_with_flags(name, flags)?;
        db.busy_timeout(BUSY)?;
        let kind = kind(&db)?;
        Ok((db, kind))
    };
    let opened = match open(path.as_os_str(), flags) {
        // SQLite makes files beside a store, even to read it. Where it cannot, nobody else can change the store.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::CannotOpen) => {
            let wal = beside(path, "-wal");
            if wal.metadata().is_ok_and(|it| it.len() > 0) {
                let wal = wal.display();
                let what =
                    format!("its last changes are in {wal}, and nothing can be written there");
                return Err(failure(path, &what).with_help(
                    "copy both files to a folder that can be written, and read that copy",
                ));
            }
            open(&immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)
        }
        opened => opened,
    };
    let (db, kind) = opened.map_err(|it| sqlite(path, &it))?;
    Ok((db, found(path, kind)?))
}

/// The name of a file that `SQLite` keeps beside a store.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(end);
    PathBuf::from(name)
}

/// The name of a store that nobody changes, as `SQLite` takes it.
fn immutable(path: &Path) -> OsString {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                name.push(char::from(*byte));
            }
            // A string takes everything that is written to it.
            _ => drop(write!(name, "%{byte:02X}")),
        }
    }
    name.push_str("?immutable=1");
    name.into()
}

/// A copy in memory of a store of an earlier version, brought up to date. `error` says why the file itself was not.
fn upgraded_copy(
    db: &Connection,
    path: &Path,
    version: i64,
    error: Error,
) -> Result<Connection, Error> {
    /// The most bytes of a copy.
    const MAX_COPY: i64 = 1 << 30;
    let number =
        |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    let copied = || -> rusqlite::Result<Option<Connection>> {
        if number("page_count")?.saturating_mul(number("page_size")?) > MAX_COPY {
            return Ok(None);
        }
        let mut copy = Connection::open_in_memory()?;
        Backup::new(db, &mut copy)?.run_to_completion(i32::MAX, Duration::ZERO, None)?;
        upgrade(&mut copy)?;
        Ok(Some(copy))
    };
    match copied().map_err(|it| sqlite(path, &it))? {
        Some(copy) => Ok(copy),
        None => Err(error.with_help(format!(
            "the file has store version {version}, and is too large to be brought to version {VERSION} in memory: \
             make it writable, or read a copy of it"
        ))),
    }
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
    found(path, kind(db).map_err(|it| sqlite(path, &it))?)
}

/// What tells our files from others: the numbers of application and version, and how many tables there are.
fn kind(db: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    // One look at all of it: another process may be making the store right now.
    let tx = db.unchecked_transaction()?;
    let number = |sql: &str| tx.query_row(sql, [], |row| row.get::<_, i64>(0));
    Ok((
        number("PRAGMA application_id")?,
        number("PRAGMA user_version")?,
        number("SELECT count(*) FROM sqlite_master")?,
    ))
}

fn found(path: &Path, (application, version, tables): (i64, i64, i64)) -> Result<Found, Error> {
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
