//! The needs of a tool: the errors about them in agent files, and the list for a caller.

use ptc_subagent::tool::{CommandTool, Constant, HttpTool, ToolDef, ToolNeeds};
use ptc_subagent::{Agent, ErrorKind};

use crate::agent_file::check;

#[test]
fn unmet_needs_are_errors_of_the_file() {
    let tool = |keys: &str| format!("prompt = \"p\"\n[[tools]]\nname = \"t\"\n{keys}\n");
    for (keys, expected) in [
        (
            "url = \"http://a/b\"\nheaders = { X-Key = \"Bearer $\" }",
            "a.toml:5:11: tool `t`: the header `X-Key` has a `$` without the name of a variable after it",
        ),
        (
            "url = \"http://a/b/{ident}?full={full}\"\nsignature = \"(id :int, full :bool) -> :any\"",
            "a.toml:4:19: tool `t`: the URL needs `{ident}`, which is not an input of its signature | add `ident` to the signature, or correct the URL",
        ),
        (
            "signature = \"(id :int, full :bool) -> :any\"\nurl = \"http://a/b/{id}?full={ful}\"",
            "a.toml:5:29: tool `t`: the URL needs `{ful}`, which is not an input of its signature | did you mean `{full}`?",
        ),
        (
            "url = \"http://a/b\"\nenv = [\"KEY\"]",
            "a.toml:5:7: tool `t` has a `url` and `env`, which is for a `command` | write `$NAME` in a header for a variable of the environment",
        ),
        (
            "command = [\"true\"]\nenv = [\"KEY=1\"]",
            "a.toml:5:7: `env` of tool `t` has `KEY=1`, which is not a name of a variable",
        ),
    ] {
        check("a.toml", &tool(keys), expected);
    }
    check(
        "a.json",
        "{\"prompt\": \"p\", \"tools\": [{\"name\": \"t\", \"signature\": \"(id :int) -> :any\",\n\"url\": \"http://a/{ids}\"}]}",
        "a.json:2:18: tool `t`: the URL needs `{ids}`, which is not an input of its signature | did you mean `{id}`?",
    );
}

#[test]
fn needs_are_listed() {
    let url = HttpTool::new("GET", "http://a/{id}/b?full={full}").unwrap();
    let url = url.with_header("authorization", "Bearer $A_TOKEN").unwrap();
    let url = url.with_header("x-both", "$A_SHOP/$A_TOKEN").unwrap();
    let tool = ToolDef::new("t", url);
    let needs = tool.needs();
    assert_eq!(needs.arguments, ["id", "full"]);
    assert_eq!(needs.header_variables, ["A_TOKEN", "A_SHOP"]);
    assert_eq!(needs.passed_variables, [""; 0]);
    let command = CommandTool::new(["true"], ".").with_env(["A_KEY"]);
    assert_eq!(ToolDef::new("t", command).needs().passed_variables, ["A_KEY"]);
    assert_eq!(ToolDef::new("t", Constant::returns(1)).needs(), ToolNeeds::default());
    // The same check holds for tools made in code. Without a signature, any argument may be present.
    let agent = |tool| Agent::new("Go.").with_tool(tool);
    assert!(agent(tool.clone()).check().is_ok());
    let error = agent(tool.with_signature("(id :int) -> :any").unwrap()).check().unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            ErrorKind::Agent,
            "tool `t`: the URL needs `{full}`, which is not an input of its signature"
        )
    );
}
