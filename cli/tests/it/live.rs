//! Tools of an agent that programs outside of a run call with `--live`.

use crate::support::run_ptc;

/// Writes an agent whose only tool counts its calls in a file and returns the count.
fn counting_agent() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("makes a folder");
    let path = folder.path().join("agent.toml");
    let agent = "prompt = \"Count.\"\n\
        [[tools]]\n\
        name = \"count\"\n\
        signature = \"() -> :int\"\n\
        command = [\"sh\", \"-c\", \"echo x >> calls; grep -c x calls\"]\n";
    std::fs::write(&path, agent).expect("writes");
    let path = path.to_str().expect("is UTF-8").to_owned();
    (folder, path)
}

fn calls(folder: &tempfile::TempDir) -> usize {
    std::fs::read_to_string(folder.path().join("calls")).unwrap_or_default().lines().count()
}

const PROGRAM: &str = "(let [a (tool/count {}) b (tool/count {})] (/ (+ a b) (- a a)))";

/// The debugger runs a program several times, but makes each call only once.
#[test]
fn a_debugger_makes_each_call_once() {
    let (folder, agent) = counting_agent();
    let steps = [
        "--do",
        "break error",
        "--do",
        "continue",
        "--do",
        "rewind",
        "--do",
        "continue",
        "--do",
        "print [a b]",
    ];
    let start = ["debug", "--agent", &agent, "--live", "-e", PROGRAM];
    let output = run_ptc(&[&start[..], &steps[..]].concat(), "");
    assert!(output.stdout.ends_with("(ptc) print [a b]\n[1 2]\n"), "{}", output.stdout);
    assert_eq!((output.code, output.stderr.as_str(), calls(&folder)), (Some(0), "", 2));
}

/// Without `--live`, no command calls a tool.
#[test]
fn no_tool_is_called_without_live() {
    let (folder, agent) = counting_agent();
    for (command, options, code) in
        [("eval", &[][..], 3), ("check", &[], 0), ("debug", &["--print"], 0)]
    {
        let start = [command, "--agent", &agent, "-e", PROGRAM];
        let output = run_ptc(&[&start[..], options].concat(), "");
        assert_eq!((output.code, calls(&folder)), (Some(code), 0), "{command}: {output:?}");
    }
    let output = run_ptc(&["eval", "--agent", &agent, "--live", "-e", "(tool/count {})"], "");
    assert_eq!((output.stdout.as_str(), calls(&folder)), ("1\n", 1));
}
