//! Output files: opening them, and checking that they overwrite no other file of the command.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::report::{Fault, Result};

/// Opens a file for writing, and creates it if it is missing. Its content stays until
/// [`OpenFile::truncate`] is called.
pub(crate) fn open(path: &Path) -> io::Result<OpenFile> {
    if let Some((_, file)) = standard_stream(path) {
        return Ok(OpenFile { file, is_standard: true });
    }
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    Ok(OpenFile { file, is_standard: false })
}

/// A file that is open for writing.
pub(crate) struct OpenFile {
    file: File,
    /// Whether the file is standard output or standard error, whose earlier content must stay.
    is_standard: bool,
}

impl OpenFile {
    /// Removes the content of a regular file. Devices and pipes have no content to remove.
    pub(crate) fn truncate(self) -> io::Result<File> {
        if !self.is_standard && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        Ok(self.file)
    }
}

/// Fails if a file that the command writes is also another file of the command. Each file comes with its name on the
/// command line; a file that is not given is `None`.
pub(crate) fn check_distinct(
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
            return Err(overwrite_fault(name, other, path));
        }
    }
    Ok(())
}

/// Returns the fault of a file that would be overwritten.
pub(crate) fn overwrite_fault(name: &str, other: &str, path: &Path) -> Fault {
    let message = format!("{name} would overwrite {other}: both are {}", path.display());
    Fault::new("usage", message).with_help(format!("give {name} a file of its own"))
}

/// The output of a command: a file or standard output. The file is created at the first write, which also removes an
/// earlier content.
pub(crate) struct Target {
    path: Option<PathBuf>,
    writer: Option<Box<dyn Write + Send>>,
    failure: WriteFailure,
}

/// The first write error of a [`Target`], once there is one.
pub(crate) type WriteFailure = Arc<Mutex<Option<Fault>>>;

impl Target {
    /// Makes a target for a file, or for standard output without a path. Also returns the slot for its write error.
    pub(crate) fn new(path: Option<&Path>) -> (Target, WriteFailure) {
        let failure = WriteFailure::default();
        let path = path.map(Path::to_path_buf);
        (Target { path, writer: None, failure: Arc::clone(&failure) }, failure)
    }

    fn attempt<T>(
        &mut self,
        action: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        let done = match (&mut self.writer, &self.path) {
            (Some(to), _) => action(to),
            (none, Some(path)) => {
                File::create(path).and_then(|it| action(none.insert(Box::new(it))))
            }
            (none, None) => action(none.insert(Box::new(io::stdout()))),
        };
        if let Err(error) = &done {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert_with(|| unwritable(self.path.as_deref(), error));
        }
        done
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.writer.is_none() { Ok(()) } else { self.attempt(|to| to.flush()) }
    }
}

/// Returns the fault of a file, or of standard output, that cannot be written.
pub(crate) fn unwritable(path: Option<&Path>, error: &io::Error) -> Fault {
    match path {
        Some(path) => Fault::new("output", format!("cannot write {}: {error}", path.display())),
        None => Fault::of_stdout(error),
    }
}

/// The identity of a file, whatever its path. Devices, pipes and folders have none, so they may be named twice.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// The device and the inode of an existing file.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The canonical path of a file that does not exist yet, and of every file on a system without inodes.
    Path(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Option<Identity> {
        match std::fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => None,
            Ok(metadata) => Identity::of_file(path, &metadata),
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

/// Returns standard output or standard error, with its name, if it is redirected to `path`. A second handle to that
/// file would overwrite its content.
#[cfg(unix)]
pub(crate) fn standard_stream(path: &Path) -> Option<(&'static str, File)> {
    use std::os::fd::AsFd as _;
    let identity = Identity::of(path)?;
    let (out, error) = (io::stdout(), io::stderr());
    [("standard output", out.as_fd()), ("standard error", error.as_fd())].into_iter().find_map(
        |(name, it)| {
            let file = File::from(it.try_clone_to_owned().ok()?);
            let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
            (Identity::of_file(path, &metadata)? == identity).then_some((name, file))
        },
    )
}

#[cfg(not(unix))]
pub(crate) fn standard_stream(_: &Path) -> Option<(&'static str, File)> {
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
            let found = check_distinct(
                &[("--one", Some(one)), ("--none", None)],
                &[("--other", Some(other))],
            );
            let both = format!("--one would overwrite --other: both are {}", one.display());
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
            // Only regular files conflict.
            check(Path::new("/dev/null"), Path::new("/dev/null"), false);
            check(&path("in"), &path("in"), false);
        }
        std::fs::remove_dir_all(folder).expect("removes");
    }
}
