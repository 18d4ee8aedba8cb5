//! Files that a command writes: none of them is another file of the command.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::report::{Fault, Result};

/// Opens a file for writing, or makes one. It keeps what it holds until it is [`Opened::emptied`].
pub(crate) fn open(path: &Path) -> io::Result<Opened> {
    if let Some((_, file)) = standard(path) {
        return Ok(Opened { file, is_standard: true });
    }
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    Ok(Opened { file, is_standard: false })
}

/// A file that is open for writing.
pub(crate) struct Opened {
    file: File,
    /// Others write to it too, so that it keeps what they wrote.
    is_standard: bool,
}

impl Opened {
    /// Takes away what the file holds. Devices and pipes hold nothing.
    pub(crate) fn emptied(self) -> io::Result<File> {
        if !self.is_standard && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        Ok(self.file)
    }
}

/// Refuses a command line where a file that is written is also another file of the command. Each comes with what the
/// command line calls it; a file that is not named is `None`.
pub(crate) fn distinct(
    written: &[(&str, Option<&Path>)],
    read: &[(&str, Option<&Path>)],
) -> Result<()> {
    let named = |files: &[(&str, Option<&Path>)]| -> Vec<(String, PathBuf, Identity)> {
        let files = files.iter().filter_map(|(name, path)| {
            let path = (*path)?;
            Some(((*name).to_owned(), path.to_path_buf(), Identity::of(path)?))
        });
        files.collect()
    };
    let (written, read) = (named(written), named(read));
    for (at, (name, path, identity)) in written.iter().enumerate() {
        let mut others = written.iter().skip(at + 1).chain(&read);
        if let Some((other, ..)) = others.find(|it| it.2 == *identity) {
            return Err(same(name, other, path));
        }
    }
    Ok(())
}

/// The fault of a file that would be written over.
pub(crate) fn same(name: &str, other: &str, path: &Path) -> Fault {
    let message = format!("{name} would write over {other}: both are {}", path.display());
    Fault::new("usage", message).with_help(format!("give {name} a file of its own"))
}

/// Where a command writes: a file that is made when something is written to it, in place of whatever it held, or
/// standard output.
pub(crate) struct Target {
    path: Option<PathBuf>,
    to: Option<Box<dyn Write + Send>>,
    failed: Failed,
}

/// Why nothing could be written, once that is so.
pub(crate) type Failed = Arc<Mutex<Option<Fault>>>;

impl Target {
    /// Names a file; without a name it is standard output. The other half is why it could not be written.
    pub(crate) fn new(path: Option<&Path>) -> (Target, Failed) {
        let failed = Failed::default();
        let path = path.map(Path::to_path_buf);
        (Target { path, to: None, failed: Arc::clone(&failed) }, failed)
    }

    fn attempt<T>(
        &mut self,
        action: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        let done = match (&mut self.to, &self.path) {
            (Some(to), _) => action(to),
            (none, Some(path)) => {
                File::create(path).and_then(|it| action(none.insert(Box::new(it))))
            }
            (none, None) => action(none.insert(Box::new(io::stdout()))),
        };
        if let Err(error) = &done {
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            failed.get_or_insert_with(|| unwritable(self.path.as_deref(), error));
        }
        done
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.to.is_none() { Ok(()) } else { self.attempt(|to| to.flush()) }
    }
}

/// The fault of a file, or of standard output, that cannot be written.
pub(crate) fn unwritable(path: Option<&Path>, error: &io::Error) -> Fault {
    match path {
        Some(path) => Fault::new("output", format!("cannot write {}: {error}", path.display())),
        None => Fault::of_stdout(error),
    }
}

/// What tells a file from others, by whatever name it goes. Devices and pipes have none: they may be written to
/// twice.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// Of a file that is there.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Of a file that is to be made.
    Path(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Option<Identity> {
        match std::fs::metadata(path) {
            Ok(there) if !there.is_file() => None,
            Ok(there) => Identity::of_file(path, &there),
            Err(_) => {
                let folder = match path.parent() {
                    Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
                    folder => folder?,
                };
                Some(Identity::Path(folder.canonicalize().ok()?.join(path.file_name()?)))
            }
        }
    }

    #[cfg(unix)]
    fn of_file(_: &Path, file: &std::fs::Metadata) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt as _;
        Some(Identity::Inode(file.dev(), file.ino()))
    }

    #[cfg(not(unix))]
    fn of_file(path: &Path, _: &std::fs::Metadata) -> Option<Identity> {
        path.canonicalize().ok().map(Identity::Path)
    }
}

/// The file that standard output or standard error goes to, if `path` is that file: opened once more, the two would
/// write over each other.
#[cfg(unix)]
pub(crate) fn standard(path: &Path) -> Option<(&'static str, File)> {
    use std::os::fd::AsFd as _;
    let identity = Identity::of(path)?;
    let (out, error) = (io::stdout(), io::stderr());
    [("standard output", out.as_fd()), ("standard error", error.as_fd())].into_iter().find_map(
        |(name, it)| {
            let file = File::from(it.try_clone_to_owned().ok()?);
            let there = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
            (Identity::of_file(path, &there)? == identity).then_some((name, file))
        },
    )
}

#[cfg(not(unix))]
pub(crate) fn standard(_: &Path) -> Option<(&'static str, File)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_under_two_names() {
        let folder = std::env::temp_dir().join(format!("ptc-output-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("in")).expect("makes a folder");
        let path = |name: &str| folder.join(name);
        std::fs::write(path("there"), "").expect("writes");
        let check = |one: &Path, other: &Path, is_same: bool| {
            let found =
                distinct(&[("--one", Some(one)), ("--none", None)], &[("--other", Some(other))]);
            let both = format!("--one would write over --other: both are {}", one.display());
            let expected = is_same.then_some(both);
            assert_eq!(found.err().map(|it| it.to_string()), expected);
        };
        check(&path("there"), &path("in/../there"), true);
        check(&path("new"), &path("in/../new"), true);
        check(&path("there"), &path("new"), false);
        check(&path("new"), &path("in/new"), false);
        #[cfg(unix)]
        {
            std::fs::hard_link(path("there"), path("linked")).expect("links");
            check(&path("there"), &path("linked"), true);
            // What is no file may be written to twice.
            check(Path::new("/dev/null"), Path::new("/dev/null"), false);
            check(&path("in"), &path("in"), false);
        }
        std::fs::remove_dir_all(folder).expect("removes");
    }
}
