//! Tools: real processes that behave, and every way they do not.

use std::time::Duration;

use ptc_subagent::tool::{CallContext, CommandTool, FnTool, ToolDef, ToolError};
use serde_json::{Value, json};

use crate::support::gone;

fn shell(script: &str) -> CommandTool {
    CommandTool::new(["sh", "-c", script], "/tmp")
}

fn context() -> CallContext {
    CallContext::new("key-1")
}

/// Calls a tool and compares the result, or the code and message of its error.
async fn check(tool: &ToolDef, args: Value, expected: &str) {
    let found = match tool.call(args, &context()).await {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {error}", error.kind.code()),
    };
    assert_eq!(found, expected, "{tool:?}");
}

async fn check_shell(script: &str, expected: &str) {
    let tool = ToolDef::new(script, shell(script)).with_timeout(Duration::from_mins(1));
    check(&tool, json!({"city": "Köln", "n": 2}), expected).await;
}

#[tokio::test]
async fn commands_that_behave() {
    check_shell("cat", r#"{"city":"Köln","n":2}"#).await;
    check_shell("echo 1 >&2; echo '[1, 2.5]'", "[1,2.5]").await;
    check_shell("echo null", "null").await;
    check_shell("exec <&-; echo '\"closed early\"'", r#""closed early""#).await;
    check_shell("pwd | sed 's/.*/\"&\"/'", r#""/tmp""#).await;
    check_shell("echo \"\\\"$PTC_IDEMPOTENCY_KEY\\\"\"", r#""key-1""#).await;
}

#[tokio::test]
async fn commands_that_do_not() {
    check_shell("exit 3", "tool-failed: exited with code 3 and said nothing on stderr").await;
    check_shell("echo no such city >&2; exit 1", "tool-failed: exited with code 1: no such city")
        .await;
    check_shell(
        "echo '{}'; kill -9 $$",
        "tool-failed: was killed by a signal and said nothing on stderr",
    )
    .await;
    check_shell(
        "true",
        "tool-output: printed nothing; a result is JSON on stdout, `null` at least",
    )
    .await;
    check_shell(
        "echo hello",
        "tool-output: printed no JSON (expected value at line 1 column 1): hello",
    )
    .await;
    check_shell(
        "echo 1 2",
        "tool-output: printed no JSON (trailing characters at line 1 column 3): 1 2",
    )
    .await;
    check_shell(
        "head -c 300 /dev/zero | tr '\\0' x",
        &format!(
            "tool-output: printed no JSON (expected value at line 1 column 1): {}… (300 bytes in all)",
            "x".repeat(200)
        ),
    )
    .await;
    check_shell("yes", "tool-too-large: printed more than 1048576 bytes and was stopped").await;
    let small = ToolDef::new("small", shell("echo 123456").with_max_output(6));
    check(&small, json!({}), "tool-too-large: printed more than 6 bytes and was stopped").await;
}

#[tokio::test]
async fn stderr_is_kept_to_its_end() {
    let tool = ToolDef::new("t", shell("yes y | head -c 100000 >&2; echo last >&2; exit 1"));
    let error = tool.call(json!({}), &context()).await.unwrap_err();
    assert!(error.message.starts_with("exited with code 1: …"), "{error}");
    assert!(error.message.ends_with("y\nlast"), "{error}");
    assert!(error.message.len() < 4200, "{}", error.message.len());
}

#[tokio::test]
async fn commands_that_are_not_there() {
    let check = async |tool: CommandTool, expected: &str| {
        check(&ToolDef::new("t", tool), json!({}), expected).await;
    };
    check(
        CommandTool::new(["no-such-program-anywhere"], "/tmp"),
        "tool-missing: cannot start `no-such-program-anywhere` in /tmp: there is no such program",
    )
    .await;
    check(
        CommandTool::new(["./no-such-program"], "/tmp"),
        "tool-missing: cannot start `./no-such-program` in /tmp: there is no such program",
    )
    .await;
    check(
        CommandTool::new(["sh"], "/no/such/folder"),
        "tool-missing: cannot start `sh` in /no/such/folder: there is no such folder",
    )
    .await;
    check(CommandTool::new(Vec::<String>::new(), "/tmp"), "tool-missing: has no command").await;
}

#[tokio::test]
async fn a_path_is_meant_from_the_folder() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sh");
    std::fs::write(&path, "#!/bin/sh\necho 7\n").unwrap();
    let tool = ToolDef::new("t", CommandTool::new(["./t.sh"], folder.path()));
    let place = folder.path().display();
    check(
        &tool,
        json!({}),
        &format!("tool-missing: cannot start `./t.sh` in {place}: it may not be run"),
    )
    .await;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    check(&tool, json!({}), "7").await;
}

#[tokio::test]
async fn a_command_that_hangs_is_killed_with_what_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let script = format!("sleep 600 & echo $! $$ > {}; wait", pids.display());
    let tool = ToolDef::new("t", shell(&script)).with_timeout(Duration::from_secs(2));
    check(&tool, json!({}), "tool-timeout: gave no result within 2s").await;
    let pids = std::fs::read_to_string(pids).unwrap();
    assert_eq!(pids.split_whitespace().count(), 2);
    for pid in pids.split_whitespace() {
        gone(pid).await;
    }
}

#[tokio::test]
async fn a_large_argument_and_a_large_result_do_not_block_each_other() {
    let text = "x".repeat(500_000);
    let tool = ToolDef::new("t", shell("cat"));
    assert_eq!(tool.call(json!({"t": text}), &context()).await.unwrap(), json!({"t": text}));
}

#[tokio::test]
async fn the_environment_is_clean() {
    let names = "env | cut -d= -f1 | grep -v -x -e _ -e SHLVL -e PWD -e OLDPWD | sort | tr '\\n' ' ' \
                 | sed 's/.*/\"&\"/'";
    let mut expected = vec!["PTC_IDEMPOTENCY_KEY"];
    for name in ["PATH", "HOME", "LANG", "TMPDIR"] {
        if std::env::var_os(name).is_some() {
            expected.push(name);
        }
    }
    let named = "CARGO_MANIFEST_DIR";
    for env in [vec![], vec![named]] {
        // Cargo sets it; the test also runs without cargo.
        expected.extend(env.iter().filter(|it| std::env::var_os(it).is_some()));
        expected.sort_unstable();
        let tool = ToolDef::new("t", shell(names).with_env(env));
        check(&tool, json!({}), &json!(format!("{} ", expected.join(" "))).to_string()).await;
    }
}

#[tokio::test]
async fn a_key_that_is_let_through_does_not_come_back() {
    // The environment of a test is not ours to change, but that of a child is: run this test again
    // in one that has a key.
    const NAME: &str = "PTC_TEST_API_KEY";
    let Ok(key) = std::env::var(NAME) else {
        let status = tokio::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tool::a_key_that_is_let_through_does_not_come_back"])
            .env(NAME, "sk-secret-0123456789")
            .status()
            .await
            .unwrap();
        assert!(status.success());
        return;
    };
    let run = |script: &str| ToolDef::new("t", shell(script).with_env([NAME]));
    let length = key.len();
    check(&run("echo \"\\\"$PTC_TEST_API_KEY\\\"\""), json!({}), "\"[PTC_TEST_API_KEY]\"").await;
    check(&run("echo \"${#PTC_TEST_API_KEY}\""), json!({}), &length.to_string()).await;
    check(
        &run("echo $PTC_TEST_API_KEY >&2; exit 1"),
        json!({}),
        "tool-failed: exited with code 1: [PTC_TEST_API_KEY]",
    )
    .await;
    let unnamed = ToolDef::new("t", shell("echo \"${#PTC_TEST_API_KEY}\""));
    check(&unnamed, json!({}), "0").await;
}

#[tokio::test]
async fn signatures_are_checked_on_both_sides() {
    let signature = "(city :string, n :int?) -> {t :float}";
    let make = |result: Value| {
        let function = move |_, _| std::future::ready(Ok(result.clone()));
        ToolDef::new("t", FnTool::new(function)).with_signature(signature).unwrap()
    };
    let good = make(json!({"t": 1.5}));
    check(&good, json!({"city": "Köln"}), r#"{"t":1.5}"#).await;
    let bad = make(json!({"t": "warm"}));
    check(
        &bad,
        json!({"city": "Köln"}),
        r#"tool-result: the result does not match: t: expected float, found string "warm""#,
    )
    .await;
    // The tool is not called at all: its bad result is never seen.
    check(
        &bad,
        json!({"n": "x"}),
        "tool-arguments: the arguments do not match: city: expected string, found nothing; \
         n: expected int or nil, found string \"x\"",
    )
    .await;
}

#[tokio::test]
async fn closures() {
    let tool = ToolDef::new(
        "double",
        FnTool::new(async |args: Value, cx: CallContext| match args["n"].as_i64() {
            Some(n) => Ok(json!([n * 2, cx.idempotency_key])),
            None => Err(ToolError::failed("no number")),
        }),
    );
    check(&tool, json!({"n": 4}), r#"[8,"key-1"]"#).await;
    check(&tool, json!({}), "tool-failed: no number").await;
    check(&ToolDef::planning("p"), json!({}), "tool-not-callable: is only there to plan with")
        .await;
}
