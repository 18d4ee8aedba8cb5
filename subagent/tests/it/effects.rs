//! The effects assumed for tools that do not declare one.

use ptc_subagent::Agent;

use crate::agent_file::{check, read};

/// Tests the effect of each kind of tool, and whether it is declared.
#[test]
fn effects() {
    let tool = |keys: &str| {
        let (_folder, agent) =
            read("a.toml", &format!("prompt = \"p\"\n[[tools]]\nname = \"t\"\n{keys}\n"));
        let agent = agent.unwrap();
        let assumed = agent.tools_without_effect();
        assert_eq!(assumed.is_empty(), !agent.tools[0].effect_is_assumed(), "{keys}");
        format!("{} {}", agent.tools[0].effect().as_str(), assumed.join(" ")).trim().to_string()
    };
    let url = "url = \"http://a/b\"";
    for (keys, expected) in [
        ("command = [\"x\"]".to_string(), "write t"),
        ("command = [\"x\"]\nidempotent = true\nretries = 1".to_string(), "write t"),
        ("command = [\"x\"]\neffect = \"read\"\nretries = 1\ncache = true".to_string(), "read"),
        ("command = [\"x\"]\neffect = \"write\"".to_string(), "write"),
        (format!("{url}\nretries = 1\ncache = true"), "read"),
        (format!("{url}\nmethod = \"GET\""), "read"),
        (format!("{url}\nmethod = \"GET\"\neffect = \"write\""), "write"),
        (format!("{url}\neffect = \"write\""), "write"),
        (format!("{url}\nmethod = \"POST\""), "write t"),
        (format!("{url}\nmethod = \"POST\"\neffect = \"read\"\nretries = 2"), "read"),
        (format!("{url}\nmethod = \"PUT\""), "write t"),
        (format!("{url}\nmethod = \"PATCH\""), "write t"),
        (format!("{url}\nmethod = \"DELETE\""), "write t"),
        ("returns = 1\ncache = true".to_string(), "read"),
        ("error = \"no\"\neffect = \"write\"".to_string(), "write"),
        ("prompt = \"q\"\ncache = true".to_string(), "read"),
        ("agent = \"self\"".to_string(), "read"),
        ("planning = true".to_string(), "read"),
    ] {
        assert_eq!(tool(&keys), expected, "{keys}");
    }
}

/// An agent writes if one of its tools writes or may write. The effects of its tools decide whether calls of it can be
/// cached.
#[test]
fn effects_of_sub_agents() {
    let folder = tempfile::tempdir().unwrap();
    let child = |effect: &str| {
        let child =
            format!("prompt = \"p\"\n[[tools]]\nname = \"look\"\ncommand = [\"x\"]\n{effect}");
        std::fs::write(folder.path().join("child.toml"), child).unwrap();
        let path = folder.path().join("a.toml");
        std::fs::write(&path, "prompt = \"p\"\n[[tools]]\nagent = \"child.toml\"\n").unwrap();
        let agent = Agent::read(&path).unwrap();
        let effect = agent.tools[0].effect().as_str();
        std::fs::write(&path, "prompt = \"p\"\n[[tools]]\nagent = \"child.toml\"\ncache = true\n")
            .unwrap();
        let cached = Agent::read(&path).map_err(|error| error.message().to_string()).map(drop);
        (effect, agent.tools_without_effect().join(" "), cached)
    };
    assert_eq!(child("effect = \"read\""), ("read", String::new(), Ok(())));
    let cached = "`cache` of tool `child`: only results of a tool that reads can be cached";
    assert_eq!(child("effect = \"write\""), ("write", String::new(), Err(cached.to_string())));
    let cached =
        "tool `child` has `cache`, and counts as one that writes: no `effect` is given for `look`";
    assert_eq!(child(""), ("write", "child/look".to_string(), Err(cached.to_string())));
}

/// A tool that may write is neither retried nor cached.
#[test]
fn retries_and_caches_of_tools_that_write_are_refused() {
    let tool = |rest: &str| format!("prompt = \"p\"\n[[tools]]\nname = \"t\"\n{rest}");
    check(
        "a.toml",
        &tool("command = [\"x\"]\nretries = 1"),
        "a.toml:5:11: tool `t` has `retries`, and counts as one that writes: no `effect` is given for `t` | set `effect = \"read\"` if its calls change nothing, or set `idempotent = true` if a repeated call changes nothing more; else remove `retries`",
    );
    check(
        "a.toml",
        &tool("url = \"http://a/b\"\nmethod = \"DELETE\"\ncache = true"),
        "a.toml:6:9: tool `t` has `cache`, and counts as one that writes: no `effect` is given for `t` | set `effect = \"read\"` if its calls change nothing; else remove `cache`",
    );
    check(
        "a.toml",
        &tool("command = [\"x\"]\n[[tools]]\nname = \"again\"\nagent = \"self\"\ncache = true"),
        "a.toml:8:9: `cache` of tool `again`: only results of a tool that reads can be cached | remove `cache`",
    );
}
