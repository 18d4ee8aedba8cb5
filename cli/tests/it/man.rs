//! `ptc man`: a manual page for each command.

use std::collections::BTreeMap;

use crate::support::{commands, run_ptc};

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let out = folder.path().join("man1");
    let output = run_ptc(&["man", "--out", out.to_str().expect("is UTF-8")], "");
    let mut pages = BTreeMap::new();
    for entry in std::fs::read_dir(&out).expect("lists") {
        let path = entry.expect("lists").path();
        let name = path.file_name().and_then(|it| it.to_str()).expect("is UTF-8").to_owned();
        pages.insert(name, std::fs::read_to_string(&path).expect("reads"));
    }
    let wrote = format!("wrote {} pages in {}\n", pages.len(), out.display());
    assert_eq!((output.code, output.stdout, output.stderr), (Some(0), wrote, String::new()));

    let mut names: Vec<Vec<String>> = vec![Vec::new()];
    names.extend(commands().into_iter().filter(|it| it != "help").map(|it| vec![it]));
    for nested in [
        "mcp login",
        "mcp logout",
        "runs prune",
        "store backup",
        "store check",
        "token new",
        "token list",
        "token remove",
    ] {
        names.push(nested.split(' ').map(str::to_owned).collect());
    }
    let mut found = BTreeMap::new();
    for name in names {
        let args: Vec<&str> = ["man"].into_iter().chain(name.iter().map(String::as_str)).collect();
        let output = run_ptc(&args, "");
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{name:?}");
        let whole: Vec<&str> = ["ptc"].into_iter().chain(args.into_iter().skip(1)).collect();
        found.insert(format!("{}.1", whole.join("-")), output.stdout);
    }
    assert_eq!(pages, found);
}
