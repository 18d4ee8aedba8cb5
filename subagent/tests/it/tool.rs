//! Tools: real processes that behave, and all their ways of failing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_subagent::tool::{
    CallContext, CommandTool, Effect, FnTool, ToolDef, ToolError, ToolErrorKind,
};
use serde_json::{Value, json};

use crate::support::wait_for_exit;

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
    check_shell("exit 3", "tool-failed: exited with code 3, with no output on stderr").await;
    check_shell("echo no such city >&2; exit 1", "tool-failed: exited with code 1: no such city")
        .await;
    check_shell(
        "echo '{}'; kill -9 $$",
        "tool-failed: was killed by a signal, with no output on stderr",
    )
    .await;
    check_shell(
        "true",
        "tool-output: printed nothing; print a JSON result to stdout, such as `null`",
    )
    .await;
    check_shell(
        "echo hello",
        "tool-output: did not print JSON (expected value at line 1 column 1): hello",
    )
    .await;
    check_shell(
        "echo 1 2",
        "tool-output: did not print JSON (trailing characters at line 1 column 3): 1 2",
    )
    .await;
    check_shell(
        "head -c 300 /dev/zero | tr '\\0' x",
        &format!(
            "tool-output: did not print JSON (expected value at line 1 column 1): {}… (300 bytes in all)",
            "x".repeat(200)
        ),
    )
    .await;
    check_shell(
        "yes",
        "tool-too-large: printed more than its `max_output` of 1048576 bytes and was stopped",
    )
    .await;
    let small = ToolDef::new("small", shell("echo 123456")).with_max_output(6);
    check(
        &small,
        json!({}),
        "tool-too-large: printed more than its `max_output` of 6 bytes and was stopped",
    )
    .await;
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
async fn missing_commands() {
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
async fn a_path_is_relative_to_the_folder() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sh");
    std::fs::write(&path, "#!/bin/sh\necho 7\n").unwrap();
    let tool = ToolDef::new("t", CommandTool::new(["./t.sh"], folder.path()));
    let place = folder.path().display();
    check(
        &tool,
        json!({}),
        &format!("tool-missing: cannot start `./t.sh` in {place}: permission denied"),
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
        wait_for_exit(pid).await;
    }
}

/// Processes that leave the group or the session of the tool, or lose their parent, with and without its environment.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn descendants_of_a_command_are_killed_in_any_group() {
    for start in [
        "setsid sleep 600 & echo $! >> pids; wait",
        "setsid sh -c 'echo $$ >> pids; sleep 600 & echo $! >> pids; wait' & wait",
        "env -i \"$(command -v setsid)\" sleep 600 & echo $! >> pids; wait",
        "(setsid sh -c 'echo $$ >> pids; exec sleep 600' &); sleep 600",
        "(setsid sh -c '(setsid sh -c \"echo \\$\\$ >> pids; exec sleep 600\" &)' &); sleep 600",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let tool = ToolDef::new("t", CommandTool::new(["sh", "-c", start], folder.path()));
        let tool = tool.with_timeout(Duration::from_secs(2));
        check(&tool, json!({}), "tool-timeout: gave no result within 2s").await;
        let pids = std::fs::read_to_string(folder.path().join("pids")).unwrap();
        assert!(!pids.trim().is_empty(), "{start}");
        for pid in pids.split_whitespace() {
            wait_for_exit(pid).await;
        }
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
    let mut expected = vec!["PTC_CALL", "PTC_IDEMPOTENCY_KEY"];
    for name in ["PATH", "HOME", "LANG", "TMPDIR"] {
        if std::env::var_os(name).is_some() {
            expected.push(name);
        }
    }
    let named = "CARGO_MANIFEST_DIR";
    for env in [vec![], vec![named]] {
        // Cargo sets these variables. The test also runs without cargo.
        expected.extend(env.iter().filter(|it| std::env::var_os(it).is_some()));
        expected.sort_unstable();
        let tool = ToolDef::new("t", shell(names).with_env(env));
        check(&tool, json!({}), &json!(format!("{} ", expected.join(" "))).to_string()).await;
    }
}

#[tokio::test]
async fn a_key_that_is_let_through_does_not_come_back() {
    // A test must not change its environment, but may set that of a child. So this test runs itself again in a process
    // that has a key.
    const NAME: &str = "PTC_TEST_API_KEY";
    let Ok(key) = std::env::var(NAME) else {
        let status = tokio::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tool::a_key_that_is_let_through_does_not_come_back"])
            .env(NAME, "sk-secret/0123456789")
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
    // The key is removed in every escaped form: as JSON, and with other escapes of its characters.
    let escaped = key.replace('-', "\\u002d").replace('/', "\\/");
    let twice = escaped.replace('\\', "\\\\");
    let percent = key.replace('-', "%2D").replace('/', "%2f");
    let script = format!(
        "cat <<'E'\n{{\"a\": [\"{escaped}\", \"{twice}\", \"{percent}\"], \"{escaped}\": 1}}\nE\n"
    );
    let marks = r#"{"a":["[PTC_TEST_API_KEY]","[PTC_TEST_API_KEY]","[PTC_TEST_API_KEY]"],"[PTC_TEST_API_KEY]":1}"#;
    check(&run(&script), json!({}), marks).await;
    let base64 = "printf '{\"a\": \"%s\"}' \"$(printf %s \"user:$PTC_TEST_API_KEY\" | base64)\"";
    check(&run(base64), json!({}), r#"{"a":"dXNlcjp[PTC_TEST_API_KEY]Q=="}"#).await;
    check(
        &run(&format!("echo '{escaped}' >&2; echo '{percent}' >&2; exit 1")),
        json!({}),
        "tool-failed: exited with code 1: [PTC_TEST_API_KEY]\n[PTC_TEST_API_KEY]",
    )
    .await;
    // The error shows only the end of the output, which may begin inside the key.
    let long =
        "i=0; while [ $i -lt 300 ]; do printf %s $PTC_TEST_API_KEY >&2; i=$((i + 1)); done; exit 1";
    let error = run(long).call(json!({}), &context()).await.unwrap_err().to_string();
    assert!(!error.contains("0123456789") && error.len() < 4200, "{error}");
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
    // The tool is not called, so its invalid result has no effect.
    check(
        &bad,
        json!({"n": "x"}),
        "tool-arguments: the arguments do not match: city: expected string, found nothing; \
         n: expected int or nil, found string \"x\"",
    )
    .await;
}

/// P30: a field that may be nil may be nil or absent in a result.
#[tokio::test]
async fn p30_a_nil_that_the_signature_allows() {
    for (result, expected) in [
        (json!({"name": "Ana", "email": null}), r#"{"name":"Ana","email":null}"#),
        (json!({"name": "Ana"}), r#"{"name":"Ana"}"#),
        (
            json!({"name": null, "email": null}),
            "tool-result: the result does not match: name: expected string, found nil",
        ),
    ] {
        let function = move |_, _| std::future::ready(Ok(result.clone()));
        let tool = ToolDef::new("get_user", FnTool::new(function));
        let tool = tool.with_signature("(id :int) -> {name :string, email :string?}").unwrap();
        check(&tool, json!({"id": 1}), expected).await;
    }
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
    check(&ToolDef::planning("p"), json!({}), "tool-not-callable: is for planning only").await;
}

/// Creates a tool that gives these answers in order, and a log of the keys of its calls.
fn script(answers: Vec<Result<Value, ToolError>>) -> (ToolDef, Arc<Mutex<Vec<String>>>) {
    let answers = Mutex::new(VecDeque::from(answers));
    let keys: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&keys);
    let function = move |_, cx: CallContext| {
        seen.lock().unwrap().push(cx.idempotency_key);
        std::future::ready(answers.lock().unwrap().pop_front().expect("no call too many"))
    };
    (ToolDef::new("t", FnTool::new(function)).with_effect(Effect::Read), keys)
}

/// The clock of the test is paused, so only the delays between attempts pass.
#[tokio::test(start_paused = true)]
async fn retries_and_their_delays() {
    let of = |kind| ToolError::new(kind, "no");
    let down = || Err(ToolError::failed("no"));
    let after =
        |seconds| Err(of(ToolErrorKind::Failed).with_retry_after(Duration::from_secs(seconds)));
    for (retries, answers, expected, waited) in [
        (0, vec![down()], "tool-failed: no", 0.0),
        (2, vec![Ok(json!(1))], "1", 0.0),
        (2, vec![down(), Ok(json!(1))], "1", 0.5),
        (2, vec![down(), down(), Ok(json!(1))], "1", 1.5),
        (2, vec![down(), down(), down()], "tool-failed: no (after 3 attempts)", 1.5),
        // 0.5, 1, 2, 4, 8, 16, 30, 30
        (8, vec![down(); 9], "tool-failed: no (after 9 attempts)", 91.5),
        (1, vec![Err(of(ToolErrorKind::Timeout)), Ok(json!(1))], "1", 0.5),
        (1, vec![Err(of(ToolErrorKind::Output)), Ok(json!(1))], "1", 0.5),
        (3, vec![Err(of(ToolErrorKind::Arguments))], "tool-arguments: no", 0.0),
        (3, vec![Err(of(ToolErrorKind::Result))], "tool-result: no", 0.0),
        (3, vec![Err(of(ToolErrorKind::Missing))], "tool-missing: no", 0.0),
        (3, vec![Err(of(ToolErrorKind::TooLarge))], "tool-too-large: no", 0.0),
        (3, vec![Err(of(ToolErrorKind::NotCallable))], "tool-not-callable: no", 0.0),
        (3, vec![Err(of(ToolErrorKind::Panicked))], "tool-panicked: no", 0.0),
        (3, vec![Err(ToolError::failed("no").permanent())], "tool-failed: no", 0.0),
        (
            3,
            vec![down(), Err(of(ToolErrorKind::Missing))],
            "tool-missing: no (after 2 attempts)",
            0.5,
        ),
        (1, vec![after(20), Ok(json!(1))], "1", 20.0),
        (2, vec![after(60), down(), Ok(json!(1))], "1", 61.0),
        (1, vec![after(61)], "tool-failed: no", 0.0),
    ] {
        let calls = answers.len();
        let (tool, keys) = script(answers);
        let started = tokio::time::Instant::now();
        check(&tool.with_retries(retries), json!({}), expected).await;
        assert_eq!(started.elapsed().as_secs_f64(), waited, "{expected}");
        assert_eq!(*keys.lock().unwrap(), vec!["key-1"; calls]);
    }
    let (tool, _) = script(vec![down(), down(), Ok(json!(1))]);
    let started = tokio::time::Instant::now();
    let tool = tool.with_retries(2).with_retry_delay(Duration::from_secs(25));
    check(&tool, json!({}), "1").await;
    assert_eq!(started.elapsed().as_secs_f64(), 55.0);
}

#[tokio::test(start_paused = true)]
async fn every_attempt_has_its_own_timeout() {
    let slow = FnTool::new(async |_, _| {
        tokio::time::sleep(Duration::from_secs(10)).await;
        Ok(json!(1))
    });
    let tool = ToolDef::new("t", slow).with_effect(Effect::Read);
    let tool = tool.with_timeout(Duration::from_secs(2)).with_retries(1);
    let started = tokio::time::Instant::now();
    check(&tool, json!({}), "tool-timeout: gave no result within 2s (after 2 attempts)").await;
    assert_eq!(started.elapsed().as_secs_f64(), 4.5);
}

#[tokio::test]
async fn a_command_is_retried() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "echo $PTC_IDEMPOTENCY_KEY >> tries; test $(wc -l < tries) -ge 3 || exit 75; echo 7";
    let make = || {
        ToolDef::new("t", CommandTool::new(["sh", "-c", script], folder.path()))
            .with_retries(3)
            .with_retry_delay(Duration::from_millis(1))
    };
    let tries = || {
        let tries = std::fs::read_to_string(folder.path().join("tries")).unwrap();
        std::fs::write(folder.path().join("tries"), "").unwrap();
        tries
    };
    check(&make().with_effect(Effect::Read), json!({}), "7").await;
    assert_eq!(tries(), "key-1\n".repeat(3));
    // Each attempt has the same key.
    check(&make().with_idempotent(true), json!({}), "7").await;
    assert_eq!(tries(), "key-1\n".repeat(3));
    // A tool that writes, or may write, is called once, whatever its definition says.
    let expected = "tool-failed: exited with code 75, with no output on stderr";
    for tool in [make(), make().with_effect(Effect::Write)] {
        check(&tool, json!({}), expected).await;
        assert_eq!(tries(), "key-1\n");
    }
}

#[tokio::test]
async fn the_size_of_results() {
    for (result, max, expected) in [
        (json!("abc"), 5, "\"abc\""),
        (
            json!("abcd"),
            5,
            "tool-too-large: the result is larger as JSON than its `max_output` of 5 bytes",
        ),
        (json!("ü\n"), 6, "\"ü\\n\""),
        (
            json!({"a": [1, 2]}),
            10,
            "tool-too-large: the result is larger as JSON than its `max_output` of 10 bytes",
        ),
        (json!({"a": [1, 2]}), 11, "{\"a\":[1,2]}"),
        (
            json!("x".repeat(1 << 20)),
            ToolDef::DEFAULT_MAX_OUTPUT,
            "tool-too-large: the result is larger as JSON than its `max_output` of 1048576 bytes",
        ),
    ] {
        let function = move |_, _| std::future::ready(Ok(result.clone()));
        check(&ToolDef::new("t", FnTool::new(function)).with_max_output(max), json!({}), expected)
            .await;
    }
    // A result above the limit is not retried.
    let (tool, keys) = script(vec![Ok(json!("abcd"))]);
    check(
        &tool.with_max_output(5).with_retries(3),
        json!({}),
        "tool-too-large: the result is larger as JSON than its `max_output` of 5 bytes",
    )
    .await;
    assert_eq!(keys.lock().unwrap().len(), 1);
    let large = ToolDef::new("t", shell("yes | head -c 3000000 | tr -d '\\n' | sed 's/.*/\"&\"/'"));
    assert_eq!(
        large.with_max_output(4 << 20).call(json!({}), &context()).await.unwrap(),
        json!("y".repeat(1_500_000))
    );
}
