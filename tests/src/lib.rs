//! Support for tests across crates: running programs, reading corpora and documentation.
//!
//! Everything that calls the language's API on behalf of the tests is here, so that a test is data.
//! Expectations are not.

mod corpus;
pub mod damage;
mod documentation;
pub mod hostile;
pub mod imports;
pub mod laws;
mod promise;
mod world;

pub use corpus::{Answer, Block, Case, Corpus};
pub use documentation::{Block as DocBlock, Expect, Form as DocForm, blocks as doc_blocks};
pub use promise::broken_promise;
pub use world::{Call, Ran, World, eval};

use std::path::{Path, PathBuf};

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Returns the files below a folder with an extension, sorted. A missing folder has no files.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                if !path.ends_with("target") && !path.ends_with(".git") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns `count`, or 1 if `PTC_TESTS=all` asks for every case: a test over a large corpus takes one case of `count`.
pub fn one_in(count: usize) -> usize {
    if std::env::var_os("PTC_TESTS").is_some_and(|value| value == "all") { 1 } else { count }
}

/// Returns whether `UPDATE=1` asks to rewrite expectations instead of checking them.
pub fn updating() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// Asserts that there are no problems, and reports all of them at once.
///
/// # Panics
/// Panics if there are problems.
pub fn assert_no_problems(problems: &[String]) {
    assert!(problems.is_empty(), "{} problems:\n\n{}\n", problems.len(), problems.join("\n\n"));
}
