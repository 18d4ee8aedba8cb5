//! Tests of the length of prompts: catalogues of many tools, and prompts with a limit of
//! characters.

use std::fmt::Write;

use crate::common::{planned, signature, tool, value};
use ptc_lisp::{Effect, ToolDecl, Value};
use ptc_prompt::{
    AgentSpec, DecisionsStyle, Error, Memo, MissionMode, ProgramStyle, PromptLimits, PromptSpec,
    ReactStyle, Style, SystemPrompt, ToolsStyle, check_placeholders, system,
};
use ptc_signatures::Signature;

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
    let (ctx, types) = (value(ctx), signature("-> {count :int}"));
    system(&spec(&ctx, &types, tools, limits))
}

fn spec<'a>(
    ctx: &'a Value,
    types: &'a Signature,
    tools: &'a [ToolDecl],
    limits: PromptLimits,
) -> PromptSpec<'a> {
    PromptSpec {
        agent: AgentSpec::default(),
        mission: "Count what there is.",
        mode: MissionMode::Agent,
        ctx,
        signature: Some(types),
        tools,
        limits,
        payload: None,
        sections: None,
        instructions: &[],
    }
}

/// Returns what a style says about tools: the parts of the prompt and the offers that it has only with them. Without tools,
/// `react` and `decisions` leave out the format of calls, so they are compared with one tool.
fn told(style: &dyn Style, tools: &[ToolDecl]) -> String {
    let (ctx, types) = (value("{}"), signature("-> {count :int}"));
    let lines = |tools: &[ToolDecl]| {
        let spec = spec(&ctx, &types, tools, PromptLimits::default());
        let text = style.system(&spec, &Memo::default()).expect("it renders").text();
        let offers = style.offers(&spec).into_iter();
        let offers = offers.map(|it| format!("{} {} {}", it.name, it.description, it.parameters));
        text.lines().map(str::to_owned).chain(offers).collect::<Vec<String>>()
    };
    let one = ToolDecl::new("only", Effect::Read);
    let has_format = ["react", "decisions"].contains(&style.name());
    let without = lines(if has_format { std::slice::from_ref(&one) } else { &[] });
    let with = lines(tools).into_iter().filter(|line| line.is_empty() || !without.contains(line));
    with.collect::<Vec<String>>().join("\n")
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

/// The names of tools in catalogues of other shapes than `list_invoice`.
fn names(shape: &str, count: usize) -> Vec<String> {
    const SERVERS: [&str; 12] = [
        "github", "slack", "jira", "notion", "stripe", "postgres", "sentry", "linear", "figma",
        "gmail", "calendar", "drive",
    ];
    let pairs = THINGS.iter().flat_map(|thing| VERBS.iter().map(move |verb| (*verb, *thing)));
    let pairs: Vec<(&str, &str)> = pairs.collect();
    let upper = |word: &str| word[..1].to_uppercase() + &word[1..];
    (0..count)
        .map(|at| {
            let ((verb, thing), server) = (pairs[at % pairs.len()], SERVERS[at % SERVERS.len()]);
            let round = match at / pairs.len() {
                0 => String::new(),
                round => format!("_v{round}"),
            };
            match shape {
                "servers" => format!("{server}_{verb}_{thing}{round}"),
                "one server" => format!("crm_{verb}_{thing}{round}"),
                "camels" => format!("{verb}{}{}{round}", upper(thing), upper(server)),
                "folders" => format!("{server}/{thing}.{verb}{round}"),
                "long" => {
                    format!("{server}_enterprise_{thing}_management_service_{verb}_by_id{round}")
                }
                "without a pattern" => format!("{thing}{verb}{at}"),
                _ => format!("größe{at}/äöü_{verb}"),
            }
        })
        .collect()
}

const STYLES: [&dyn Style; 4] = [&ProgramStyle, &ToolsStyle, &ReactStyle, &DecisionsStyle::WHOLE];
const SHAPES: [&str; 7] =
    ["servers", "one server", "camels", "folders", "long", "without a pattern", "umlauts"];

/// All that a model reads about tools, in each style, costs less than 1,000 tokens.
#[test]
fn tools_of_any_number_cost_less_than_1000_tokens() {
    for count in [41, 100, 200, 500, 5_000] {
        for shape in SHAPES {
            let described = tools(count);
            let named = names(shape, count).into_iter().zip(described.iter().cycle());
            let named: Vec<ToolDecl> =
                named.map(|(name, it)| ToolDecl { name, ..it.clone() }).collect();
            assert_eq!(named.len(), count);
            for style in STYLES {
                let text = told(style, &named);
                let used = count_tokens(&text);
                assert!(used < 1_000, "{count} tools, {shape}, {}: {used}\n{text}", style.name());
                assert!(text.contains(&format!("There are {count} ")), "{text}");
            }
        }
    }
}

#[test]
fn every_style_has_a_catalogue() {
    let mut all = String::new();
    for style in STYLES {
        let _ = writeln!(all, "=== {}\n{}\n", style.name(), told(style, &tools(500)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn names_are_grouped_by_their_beginnings() {
    let mut all = String::new();
    for shape in SHAPES {
        let named = names(shape, 500).into_iter().map(|name| ToolDecl::new(name, Effect::Read));
        let named: Vec<ToolDecl> = named.collect();
        let _ = writeln!(all, "=== {shape}\n{}\n", shown(&named, PromptLimits::default()));
    }
    insta::assert_snapshot!(all);
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
    let limits = PromptLimits { max_chars: Some(4_400), ..PromptLimits::default() };
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
