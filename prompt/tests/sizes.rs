//! Tests of the length of prompts: catalogues of many tools, and prompts with a limit of
//! characters.

mod common;

use std::fmt::Write;

use common::{planned, signature, tool, value};
use ptc_lisp::{Effect, ToolDecl};
use ptc_prompt::{
    AgentSpec, Error, MissionMode, PromptLimits, PromptSpec, SystemPrompt, check_placeholders,
    system,
};

const VERBS: [&str; 10] =
    ["list", "get", "create", "update", "delete", "search", "export", "archive", "count", "assign"];
const THINGS: [&str; 50] = [
    "invoice",
    "order",
    "customer",
    "ticket",
    "contract",
    "product",
    "shipment",
    "payment",
    "refund",
    "account",
    "project",
    "task",
    "comment",
    "file",
    "folder",
    "team",
    "user",
    "role",
    "group",
    "message",
    "channel",
    "event",
    "calendar",
    "meeting",
    "note",
    "tag",
    "report",
    "dashboard",
    "metric",
    "alert",
    "incident",
    "service",
    "host",
    "deployment",
    "release",
    "branch",
    "commit",
    "issue",
    "review",
    "build",
    "test",
    "vendor",
    "warehouse",
    "price",
    "discount",
    "campaign",
    "segment",
    "lead",
    "deal",
    "quote",
];

/// Returns tools as a company has them: `list_invoice` and so on.
fn tools(count: usize) -> Vec<ToolDecl> {
    let names = THINGS.iter().flat_map(|thing| VERBS.iter().map(move |verb| (verb, thing)));
    let made = names.take(count).map(|(verb, thing)| {
        let about = format!("Use it to {verb} one {thing} of the present tenant. Ids are stable.");
        tool(&format!("{verb}_{thing}"), "(id :int) -> {ok :bool}", &about, Effect::Read)
    });
    made.collect()
}

fn render(ctx: &str, tools: &[ToolDecl], limits: PromptLimits) -> Result<SystemPrompt, Error> {
    let ctx = value(ctx);
    let types = signature("-> {count :int}");
    system(&PromptSpec {
        agent: AgentSpec::default(),
        mission: "Count what there is.",
        mode: MissionMode::Agent,
        ctx: &ctx,
        signature: Some(&types),
        tools,
        limits,
        payload: None,
        sections: None,
    })
}

fn count_tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

fn shown(tools: &[ToolDecl], limits: PromptLimits) -> String {
    render("{}", tools, limits).expect("it renders").section(4).expect("tools").text.to_string()
}

#[test]
fn many_tools_are_a_catalogue() {
    let limits = PromptLimits::default();
    let few = PromptLimits { max_tools: 3, ..limits };
    let mut all = String::new();
    let mut four = tools(3);
    four.push(tool("größe 4|x\n# y", "", "", Effect::Write));
    let plan: Vec<ToolDecl> =
        (0..5).map(|i| planned(&format!("plan_{i}"), "-> :any", "Plans.")).collect();
    for (name, tools, limits) in [
        ("as many as are shown", &tools(3), few),
        ("one more", &four, few),
        ("for planning", &plan, few),
        ("sixty", &tools(60), limits),
        ("a hundred and fifty", &tools(150), limits),
        ("five hundred", &tools(500), limits),
    ] {
        let _ = writeln!(all, "=== {name}\n{}\n", shown(tools, limits));
    }
    insta::assert_snapshot!(all);
}

/// The role, the rules, `return` and `fail`, and the format of the output.
#[test]
fn the_fixed_part_takes_at_most_250_tokens() {
    let with = render("{}", &tools(1), PromptLimits::default()).expect("it renders");
    let without = render("{}", &[], PromptLimits::default()).expect("it renders");
    let parts = [(&with, 1), (&with, 2), (&without, 4), (&with, 6)];
    let parts = parts.map(|(prompt, number)| &*prompt.section(number).expect("it is there").text);
    let text = parts.join("\n\n");
    let used = count_tokens(&text);
    assert!(used <= 250, "{used}:\n{text}");
}

#[test]
fn five_hundred_tools_cost_less_than_1500_tokens() {
    for count in [41, 100, 200, 500] {
        let text = shown(&tools(count), PromptLimits::default());
        let used = count_tokens(&text);
        assert!(used < 1500, "{count} tools: {used}");
    }
}

const CTX: &str = r#"{"rows": [{"id": 1, "text": "one two three four five six seven eight nine ten"},
    {"id": 2, "text": "x"}, {"id": 3, "text": "y"}], "note": "A note that is rather long, as notes are."}"#;

#[test]
fn a_prompt_is_cut_until_it_fits() {
    let all_tools = tools(12);
    let limits = |max_chars| PromptLimits { max_chars: Some(max_chars), ..PromptLimits::default() };
    let whole = render(CTX, &all_tools, PromptLimits::default()).expect("it renders");
    let length = |prompt: &SystemPrompt| prompt.text().chars().count();
    assert_eq!(render(CTX, &all_tools, limits(length(&whole))).expect("it fits"), whole);

    let mut all = String::new();
    let mut most = length(&whole) - 1;
    loop {
        match render(CTX, &all_tools, limits(most)) {
            Ok(prompt) => {
                assert!(length(&prompt) <= most);
                assert!(
                    prompt.text().contains("Count what there is.\n\nReturn format: {count :int}")
                );
                let _ = writeln!(all, "{}", prompt.cuts.join(", "));
                most = length(&prompt) - 1;
            }
            Err(error) => {
                let message = error.to_string();
                let shape: String =
                    message.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
                let _ = writeln!(all, "{}: {shape}", error.code());
                break;
            }
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_prompt_with_hardly_any_room() {
    let keys: Vec<String> =
        (0..30).map(|i| format!(r#""key{i}": {{"a": 1, "b": [1, 2]}}"#)).collect();
    let ctx = format!("{{{}}}", keys.join(","));
    let limits = PromptLimits { max_chars: Some(5_200), ..PromptLimits::default() };
    let prompt = render(&ctx, &tools(500), limits).expect("it fits");
    insta::assert_snapshot!(prompt.text());
}

#[test]
fn placeholders_that_the_signature_does_not_have() {
    let types = signature(
        "(user {name :string, _pin :int, tags [:string]}, n :int?, any :any, maybe {a :int}?) -> :any",
    );
    let mut all = String::new();
    for mission in [
        "{{user.name}} {{n}} {{any.thing.there}} {{user.tags.0}} {{maybe.a}}",
        "{{usr.name}}",
        "{{user.nmae}}",
        "{{user.name.first}}",
        "{{n.x}}",
        "{{user.tags.first}}",
        "{{maybe.b}}",
        "{{user name}}",
        "{{user",
    ] {
        let found = check_placeholders(mission, &types);
        let said = found.map_or_else(|it| format!("{}: {it}", it.code()), |()| "fine".to_owned());
        let _ = writeln!(all, "{mission}\n{said}\n");
    }
    insta::assert_snapshot!(all);
}
