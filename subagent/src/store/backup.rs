//! Copies of a store while other processes write to it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};

use super::schema;
use crate::error::{Error, ErrorKind};
use crate::record::random_name;

/// Copies a store to a file, whose earlier content it replaces. The copy has the state of one moment.
///
/// The copy is made beside the file, checked, and renamed. So the file never has a part of a copy, and an earlier copy stays
/// if this one fails.
pub(super) fn backup(db: &Connection, store: &Path, to: &Path) -> Result<u64, Error> {
    let part = part(to);
    let copied = copy(db, store, &part, to).and_then(|size| {
        fs::rename(&part, to).map_err(|it| unwritable(to, &it))?;
        sync_folder(to);
        Ok(size)
    });
    if copied.is_err() {
        drop(fs::remove_file(&part));
    }
    copied
}

fn copy(db: &Connection, store: &Path, part: &Path, to: &Path) -> Result<u64, Error> {
    let file = create(part).map_err(|it| unwritable(to, &it))?;
    let sqlite = |it: rusqlite::Error| schema::sqlite(to, &it);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut copy = Connection::open_with_flags(part, flags).map_err(sqlite)?;
    // All pages in one step: between two steps another process could write, and the copy would begin anew.
    let all = Backup::new(db, &mut copy)
        .and_then(|it| it.run_to_completion(i32::MAX, Duration::ZERO, None));
    all.map_err(|it| schema::sqlite(store, &it))?;
    // The copy is one file: without this, SQLite would keep a second one beside it.
    copy.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(())).map_err(sqlite)?;
    let said: String =
        copy.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(sqlite)?;
    if said != "ok" {
        let message = format!("cannot copy the store: it is damaged: {said}");
        return Err(Error::new(ErrorKind::Store, message).in_file(store));
    }
    drop(copy);
    // Who may read the store may read its copy, and nobody else.
    let permissions = fs::metadata(store).map(|it| it.permissions());
    permissions
        .and_then(|it| file.set_permissions(it))
        .and_then(|()| file.sync_all())
        .and_then(|()| file.metadata())
        .map(|it| it.len())
        .map_err(|it| unwritable(to, &it))
}

/// Creates a file that only its owner may read.
fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn part(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_os_string();
    name.push(format!("-part-{}", random_name()));
    PathBuf::from(name)
}

/// Makes the new name of the file last. Not every file system can do that for folders.
fn sync_folder(file: &Path) {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    drop(File::open(folder.unwrap_or_else(|| Path::new("."))).and_then(|it| it.sync_all()));
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    let message = format!("cannot write {}: {error}", path.display());
    Error::new(ErrorKind::Unreadable, message)
}
