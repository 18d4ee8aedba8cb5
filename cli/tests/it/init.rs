//! `ptc init` in empty folders and in folders with files.

use std::path::Path;

use crate::support::{ptc, run};

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("lists");
    let names = entries.map(|it| it.expect("lists").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn no_file_is_overwritten() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    let init = || run(ptc(&["init"], &store).current_dir(folder.path()), b"");

    let mine = folder.path().join("README.md");
    std::fs::write(&mine, "mine\n").expect("writes");
    let output = init();
    let expected = "file-exists\n\n  × this folder has README.md already; nothing was written\n  \
        help: name a new folder: `ptc init FOLDER`\n";
    assert_eq!(
        (output.code, output.stderr.as_str(), output.stdout.as_str()),
        (Some(2), expected, "")
    );
    assert_eq!(names(folder.path()), ["README.md"]);
    assert_eq!(std::fs::read_to_string(&mine).expect("reads"), "mine\n");

    std::fs::remove_file(&mine).expect("removes");
    let output = init();
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert!(output.stdout.starts_with("wrote in this folder:\n"), "{}", output.stdout);
    let all = ["README.md", "agent.toml", "input.json", "inputs.jsonl", "rate.sh", "replies.jsonl"];
    assert_eq!(names(folder.path()), all);
}

#[test]
fn a_folder_that_cannot_be_made() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("writes");
    let inside = file.join("demo");
    let output = run(
        &mut ptc(&["init", &inside.to_string_lossy()], &folder.path().join("runs.sqlite")),
        b"",
    );
    let expected = format!(
        "unwritable-file\n\n  × cannot write {}: Not a directory (os error 20)\n",
        inside.display()
    );
    assert_eq!((output.code, output.stderr), (Some(2), expected));
}
