//! The instructions of each spelling, which do not depend on the host. Callgrind counts them in another process of this
//! binary, and writes a file at each mark.

use std::path::Path;
use std::process::Command;
use std::{env, fs, process};

use crate::Failure;

/// Begins or ends a run that is counted.
#[inline(never)]
pub(crate) fn mark() {
    // The compiler cannot leave out a call of this.
    std::hint::black_box(());
}

/// Returns the counts of all runs that `cliffs runs` makes between two marks.
pub(crate) fn counts(only: &str) -> Result<Vec<u64>, Failure> {
    let folder = env::temp_dir().join(format!("cliffs-{}", process::id()));
    fs::create_dir_all(&folder)?;
    let counts = counts_in(&folder, only);
    fs::remove_dir_all(&folder)?;
    counts
}

fn counts_in(folder: &Path, only: &str) -> Result<Vec<u64>, Failure> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-before=cliffs::instructions::mark*"])
        .arg(format!("--callgrind-out-file={}", folder.join("counts").display()))
        .arg(env::current_exe()?)
        .args(["runs", only])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let mut counts = Vec::new();
    // The first file is what came before the first mark, and every second one is what came between two runs.
    while let Ok(text) = fs::read_to_string(folder.join(format!("counts.{}", 2 * counts.len() + 2)))
    {
        let total = text.lines().find_map(|line| line.strip_prefix("summary: "));
        counts.push(total.ok_or("callgrind counted nothing")?.trim().parse()?);
    }
    if counts.is_empty() {
        return Err("callgrind found no mark; build with CARGO_PROFILE_RELEASE_STRIP=none".into());
    }
    Ok(counts)
}
