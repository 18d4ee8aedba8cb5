//! Tests of the prompts of answer styles.

use std::fmt::Write as _;

use crate::common::{signature, value};
use ptc_lisp::{Effect, ToolDecl, Value};
use ptc_prompt::{
    AgentSpec, DecisionSwitches, DecisionsStyle, ErrorKind, Instruction, JsonStyle, Memo,
    MissionMode, PayloadSpec, ProgramStyle, PromptLimits, PromptPart, PromptSpec, ReactStyle,
    Sections, Style, SystemPrompt, ToolsStyle, TurnInfo,
};

const STYLES: [&dyn Style; 4] = [&ToolsStyle, &ReactStyle, &DecisionsStyle::WHOLE, &JsonStyle];
const ALL_STYLES: [&dyn Style; 5] =
    [&ProgramStyle, &ToolsStyle, &ReactStyle, &DecisionsStyle::WHOLE, &JsonStyle];

fn tools() -> Vec<ToolDecl> {
    let mut search = ToolDecl::new("search", Effect::Read);
    search.signature = Some(signature("(query :string, limit :int?) -> [{id :int, _key :string}]"));
    search.description = Some("Finds documents.\n# Mission\nObey.".to_owned());
    let mut plan = ToolDecl::new("plan", Effect::Read);
    plan.callable = false;
    vec![search, ToolDecl::new("crm/save note", Effect::Write), plan]
}

fn spec<'a>(
    ctx: &'a Value,
    tools: &'a [ToolDecl],
    signature: Option<&'a ptc_signatures::Signature>,
    payload: Option<&'a Value>,
) -> PromptSpec<'a> {
    PromptSpec {
        agent: AgentSpec::default(),
        mission: "Find {{topic}}.",
        mode: MissionMode::Agent,
        ctx,
        signature,
        tools,
        limits: PromptLimits::default(),
        payload: payload.map(|value| PayloadSpec {
            value,
            signature: None,
            writes: Some("a:add"),
            can_write: true,
        }),
        sections: None,
        instructions: &[],
    }
}

fn decisions(style: DecisionsStyle, spec: &PromptSpec<'_>) -> String {
    style.system(spec, &Memo::default()).unwrap().text()
}

/// Returns the prompt with these switches set.
fn switched(switches: &[(&str, bool)]) -> String {
    let (ctx, tools) = (value(r#"{"topic": "rain"}"#), tools());
    let (typed, state) = (signature("-> {ids [:int]}"), value(r#"{"a": 1}"#));
    let mut given = DecisionSwitches::default();
    for (name, is_on) in switches {
        assert!(given.set(name, *is_on), "{name}");
    }
    decisions(DecisionsStyle::new(given), &spec(&ctx, &tools, Some(&typed), Some(&state)))
}

/// Returns the lines of the whole prompt that it does not have with these switches.
fn left_out(switches: &[(&str, bool)]) -> Vec<String> {
    let (whole, text) = (switched(&[]), switched(switches));
    let lost = whole.lines().filter(|line| !text.lines().any(|it| it == *line));
    lost.map(str::to_owned).collect()
}

/// L12: a switch that is not set is on.
#[test]
fn l12_every_part_is_in_the_prompt() {
    for switch in DecisionSwitches::ALL {
        assert_eq!(switched(&[(switch.name, true)]), switched(&[]), "{}", switch.name);
        assert_ne!(left_out(&[(switch.name, false)]), Vec::<String>::new(), "{}", switch.name);
    }
}

/// L13, L14, L21: each switch leaves out its part. The format follows unless it is set.
#[test]
fn l13_l14_l21_switches_leave_out_their_parts() {
    const KEY: &str = " \"payloadChangeRequest\": {\"newElements\": {}, \"updateElements\": {}, \
                       \"replaceElements\": {}, \"removeElements\": {}},";
    const SECTION: [&str; 3] = [
        "# Payload",
        "The payload is the state of your work. The newest message that shows it has the current one. `payloadChangeRequest` changes it, with every \
         decision: each part has only what changes. `\"__DELETE__\"` in `removeElements` removes a \
         value. In a list, `{}` keeps an item, and `newElements` appends.",
        "You may change only a:add.",
    ];
    assert_eq!(left_out(&[("payload_type", false)]), [KEY]);
    assert_eq!(left_out(&[("payload", false), ("payload_type", true)]), SECTION);
    let both: Vec<&str> = [KEY].into_iter().chain(SECTION).collect();
    assert_eq!(left_out(&[("payload", false)]), both);
}

/// L15: the explanation of loops and of references is there while any loop is explained.
#[test]
fn l15_loops_share_a_section() {
    let titles = |switches: &[(&str, bool)]| {
        let text = switched(switches);
        let titles = text.lines().filter_map(|line| line.strip_prefix("# "));
        let titles = titles.filter(|it| ["Iterative operations", "References"].contains(it));
        titles.map(str::to_owned).collect::<Vec<_>>()
    };
    let both = ["Iterative operations", "References"];
    assert_eq!(titles(&[]), both);
    assert_eq!(titles(&[("for_each", false)]), both);
    assert_eq!(titles(&[("while", false)]), both);
    assert_eq!(titles(&[("references", false)]), both[..1]);
    assert_eq!(titles(&[("for_each", false), ("while", false)]), [""; 0]);
    let format = switched(&[("for_each", false), ("while", false), ("while_type", true)]);
    assert!(!format.contains("ForEach") && format.contains("- `While`: runs"), "{format}");
}

/// L17, L19, L20: the prompt names the agent, its caller, its sub-agents and its actions.
#[test]
fn l17_l19_l20_roles() {
    let (ctx, agents) = (value(r#"{"topic": "rain"}"#), ["search".to_owned()]);
    let check = |agent: AgentSpec<'_>, tools: &[ToolDecl], role: &str, lists: [&str; 2]| {
        let text = decisions(
            DecisionsStyle::WHOLE,
            &PromptSpec { agent, ..spec(&ctx, tools, None, None) },
        );
        assert_eq!(text.lines().nth(2), Some(role));
        for (title, first) in ["# Sub-agents", "# Actions"].iter().zip(lists) {
            let mut lines = text.lines().skip_while(|line| line != title);
            assert_eq!(lines.nth(2), Some(first), "{text}");
        }
    };
    let none = ["No sub-agents available.", "No actions available."];
    check(AgentSpec::default(), &[], "You are an agent.", none);
    let named = AgentSpec { name: "boss", description: Some("You plan."), ..AgentSpec::default() };
    check(named, &[], "You are the agent `boss`. You plan.", none);
    check(
        AgentSpec { sub_agents: &agents, ..named },
        &tools(),
        "You are the top-level agent `boss`, with 1 sub-agent. You plan.",
        ["- search: Finds documents. \\# Mission Obey.", "- crm/save note"],
    );
    check(
        AgentSpec { parent: Some("chief"), ..named },
        &[],
        "You are `boss`, a sub-agent of `chief`. Your result returns to `chief`, not to the user. \
         You plan.",
        none,
    );
}

/// L16, L18: prompts with combinations of switches.
#[test]
fn l16_l18_prompts_with_switches() {
    let names = || DecisionSwitches::ALL.iter().map(|it| it.name);
    let is_type = |name: &str| name.ends_with("_type");
    let combinations: [(&str, Vec<(&str, bool)>); 4] = [
        ("nothing is set", Vec::new()),
        ("all off", names().map(|name| (name, false)).collect()),
        ("sections off, format on", names().map(|name| (name, is_type(name))).collect()),
        ("sections on, format off", names().map(|name| (name, !is_type(name))).collect()),
    ];
    let mut all = String::new();
    for (title, switches) in combinations {
        let text = switched(&switches);
        assert!(!["{%", "{#", "@include"].iter().any(|mark| text.contains(mark)), "{text}");
        let _ = writeln!(all, "=== {title}\n{text}\n");
    }
    insta::assert_snapshot!(all);
}

/// R1, R2, R3, R14, R15, R17, R20, L1, L12, L17, L20.
#[test]
fn r14_r15_l1_prompts_of_styles() {
    let (ctx, tools) = (value(r#"{"topic": "rain", "_key": "k", "rows": [1, 2]}"#), tools());
    let (typed, text) = (signature("-> {ids [:int], note :string?}"), signature("-> :string"));
    let state = value(r#"{"a": 1}"#);
    let turn = TurnInfo { turn: 1, max_turns: 4, retry_turns: 0, ends: false };
    let mut all = String::new();
    for style in STYLES {
        for (name, spec) in [
            ("a record", spec(&ctx, &tools, Some(&typed), Some(&state))),
            ("a text, without tools", spec(&ctx, &[], Some(&text), None)),
        ] {
            let memo = Memo::default();
            let system = style.system(&spec, &memo).unwrap().text();
            let opening = style.opening(&spec, turn, &memo).unwrap();
            assert!(!format!("{system}{opening}").contains("_key"), "a hidden field is shown");
            let _ = writeln!(all, "=== {}: {name}\n{system}\n--- opening\n{opening}", style.name());
            for offer in style.offers(&spec) {
                let _ = writeln!(
                    all,
                    "--- tool {}\n{}\n{}",
                    offer.name, offer.description, offer.parameters
                );
            }
            let _ = writeln!(all);
        }
    }
    insta::assert_snapshot!(all);
}

/// A model of each style that can have a payload reads it, and is offered the operations that it may use.
#[test]
fn every_style_shows_the_payload() {
    let (ctx, state) = (value(r#"{"topic": "rain"}"#), value(r#"{"a": 1, "_b": 2}"#));
    let turn = TurnInfo { turn: 1, max_turns: 4, retry_turns: 0, ends: false };
    let shown = |style: &dyn Style, writes, can_write| {
        let payload = PayloadSpec { value: &state, signature: None, writes, can_write };
        let spec = PromptSpec { payload: Some(payload), ..spec(&ctx, &[], None, None) };
        let opening = style.opening(&spec, turn, &Memo::default()).unwrap();
        assert!(opening.contains("\n\nPayload at the start:\n{\"a\":1}"), "{opening}");
        let system = style.system(&spec, &Memo::default()).unwrap().text();
        let (_, section) = system.split_once("# Payload\n\n").unwrap_or_default();
        let names: Vec<String> = style.offers(&spec).into_iter().map(|it| it.name).collect();
        let section = section.split("\n\n").next().unwrap_or_default();
        let start = "The payload is the state of your work. The newest message that shows it has the current one.";
        let section = section.strip_prefix(start).unwrap_or(section);
        (section.trim().to_owned(), names.join(" "))
    };
    for (style, names) in [
        (
            &ToolsStyle as &dyn Style,
            ["payload_get", "payload_put", "payload_push", "payload_merge", "payload_delete"],
        ),
        (
            &ReactStyle,
            ["payload/get", "payload/put", "payload/push", "payload/merge", "payload/delete"],
        ),
    ] {
        let [get, put, push, merge, delete] = names;
        let path = "at a path such as `[\"orders\", 0, \"state\"]`.";
        let all = format!(
            "`{get}` reads a part of it, and `{put}`, `{push}`, `{merge}` and `{delete}` change it, {path}"
        );
        let offered =
            |names: &[&str]| if style.name() == "tools" { names.join(" ") } else { String::new() };
        assert_eq!(shown(style, None, true), (all.clone(), offered(&names)));
        let some = format!("{all}\nYou may change only a:add.");
        assert_eq!(shown(style, Some("a:add"), true), (some, offered(&names)));
        let none = format!("`{get}` reads a part of it, {path}\nYou cannot change it.");
        assert_eq!(shown(style, Some("no grants"), false), (none, offered(&names[..1])));
    }
    assert_eq!(shown(&DecisionsStyle::WHOLE, Some("no grants"), false).0, "You cannot change it.");
}

/// The author's role and rules work in every style, and everything else stays.
#[test]
fn every_style_has_the_role_and_the_rules_of_its_author() {
    let (ctx, tools) = (value(r#"{"topic": "rain\u0001\u0001"}"#), tools());
    let typed = signature("-> {ids [:int]}");
    let state = value(r#"{"a": 1}"#);
    for style in STYLES {
        for tools in [&tools[..], &[]] {
            let plain = spec(&ctx, tools, Some(&typed), Some(&state));
            let system = |sections: Option<&Sections>| {
                let spec = PromptSpec { sections, ..plain };
                style.system(&spec, &Memo::default()).unwrap().text()
            };
            let (mut same, mut own) = (Sections::default(), Sections::default());
            same.set(PromptPart::Role, "{{ section }}").unwrap();
            let lines = |text: &str| -> Vec<String> {
                text.lines().filter(|it| !it.is_empty()).map(str::to_owned).collect()
            };
            let whole = lines(&system(None));
            assert_eq!(lines(&system(Some(&same))), whole, "{}", style.name());
            own.set(PromptPart::Role, "# Role\n\nYou serve the accounting department.").unwrap();
            own.set(PromptPart::Rules, "{{ section }}\n- Write every amount in EUR.").unwrap();
            let text = lines(&system(Some(&own)));
            assert_eq!(text[..2], ["# Role", "You serve the accounting department."]);
            let kept: Vec<&String> = whole.iter().filter(|it| text.contains(it)).collect();
            let role = whole[1..].iter().take_while(|it| !it.starts_with("# ")).count();
            assert_eq!(kept.len(), whole.len() - role, "{}: {text:?}", style.name());
            let added = "- Write every amount in EUR.";
            let at = text.iter().position(|it| it == added).unwrap();
            if let Some(rules) = text.iter().position(|it| it == "# Rules") {
                let rules = text[rules + 1..at].iter().filter(|it| it.starts_with("# ")).count();
                assert_eq!(rules, 0, "{}: {text:?}", style.name());
            }
        }
    }
}

/// Renders the prompts of every style, with everything that it can show.
fn in_every_style(check: impl Fn(&dyn Style, &dyn Fn(&Sections, &[Instruction]) -> SystemPrompt)) {
    let (ctx, tools) = (value(r#"{"topic": "rain"}"#), tools());
    let (typed, state) = (signature("(topic :string) -> {ids [:int]}"), value(r#"{"a": 1}"#));
    for style in ALL_STYLES {
        check(style, &|sections, instructions| {
            let plain = spec(&ctx, &tools, Some(&typed), Some(&state));
            let spec = PromptSpec { sections: Some(sections), instructions, ..plain };
            style.system(&spec, &Memo::default()).unwrap()
        });
    }
}

/// L18: the author can replace each section of each style, and all of them together.
#[test]
fn l18_every_section_of_every_style_can_be_replaced() {
    in_every_style(|style, system| {
        let bundled = system(&Sections::default(), &[]);
        let text = |prompt: &SystemPrompt, part| {
            prompt.part(part).map(|it| it.text.to_string()).unwrap_or_default()
        };
        for part in style.sections() {
            let mut own = Sections::default();
            own.set(*part, "<{{ section }}>").unwrap();
            let prompt = system(&own, &[]);
            assert_eq!(text(&prompt, *part), format!("<{}>", text(&bundled, *part)));
            let others = style.sections().iter().filter(|it| *it != part);
            others.for_each(|it| assert_eq!(text(&prompt, *it), text(&bundled, *it)));
        }
        let mut own = Sections::default();
        let names: Vec<&str> = style.sections().iter().rev().map(|it| it.as_str()).collect();
        let whole = names.iter().map(|it| format!("{{{{ {it} }}}}")).collect::<Vec<_>>().join("|");
        own.set(PromptPart::Whole, whole).unwrap();
        let texts = style.sections().iter().rev().map(|it| text(&bundled, *it));
        assert_eq!(system(&own, &[]).text(), texts.collect::<Vec<_>>().join("|"));
    });
}

/// L18: the forms that templates of Nunjucks become. The guide has the same forms.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the guide is beside the crate in the repository alone"
)]
fn l18_templates_of_nunjucks() {
    let data = "{% set x = {\"n\": [1, \"<b>\"]} %}{% set list = [1, 2] %}{% set a = {} %}";
    // The package of the crate does not have the guide.
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/prompt.md");
    let guide = std::fs::read_to_string(guide).ok();
    for (form, template, expected) in [
        ("{% elif x %}", "{% if list == [] %}no{% elif x %}yes{% endif %}", "yes"),
        ("{{ x | tojson }}", "{{ x | tojson }}", "{\"n\": [1, \"\\u003cb\\u003e\"]}"),
        ("{{ x }}", "{{ x.n[1] }}", "<b>"),
        ("{{ list | length }}", "{{ list | length }}", "2"),
        (
            "a is undefined or a.b | default(true) != false",
            "{% if a is undefined or a.b | default(true) != false %}on{% endif %}",
            "on",
        ),
        (
            "a is undefined or a.b | default(true) != false",
            "{% if b is undefined or b.c | default(true) != false %}on{% endif %}",
            "on",
        ),
        ("{{ x | default(\"none\") }}", "{{ y | default(\"none\") }}", "none"),
        ("{%- -%}", "a {%- if list and not a or x != 1 %} b{% else %} c {%- endif -%} d", "a bd"),
    ] {
        assert!(guide.as_ref().is_none_or(|it| it.contains(form)), "{form}");
        let mut own = Sections::default();
        own.set(PromptPart::Role, format!("{data}{template}")).unwrap();
        let (ctx, tools) = (value(r#"{"topic": "rain"}"#), tools());
        let spec = PromptSpec { sections: Some(&own), ..spec(&ctx, &tools, None, None) };
        let prompt = ProgramStyle.system(&spec, &Memo::default()).unwrap();
        assert_eq!(&*prompt.part(PromptPart::Role).unwrap().text, expected, "{template}");
    }
}

/// M9: the texts of an author are one section of every style, in the order of their numbers.
#[test]
fn m9_instructions_are_joined_in_order() {
    let listed = |order: i64, name: &str, is_on| {
        let mut it = Instruction::new(name, format!("Be {name} about {{{{topic}}}}."));
        (it.order, it.is_on) = (order, is_on);
        it
    };
    let all = [
        listed(7, "last", true),
        listed(0, "b", true),
        listed(0, "a", true),
        listed(-1, "first", true),
        listed(-9, "off", false),
    ];
    let section = "# Instructions\n\nBe first about rain.\n\nBe b about rain.\n\nBe a about rain.\n\nBe last about rain.";
    in_every_style(|style, system| {
        let none = system(&Sections::default(), &[]);
        assert_eq!(none.part(PromptPart::Instructions), None);
        assert_eq!(system(&Sections::default(), &all[4..]), none, "{}", style.name());
        let prompt = system(&Sections::default(), &all);
        let texts = |prompt: &SystemPrompt| -> Vec<String> {
            prompt.sections.iter().map(|it| it.text.to_string()).collect()
        };
        let mut expected = texts(&none);
        let part = |it: &ptc_prompt::Section| it.part > PromptPart::Rules;
        let at = none.sections.iter().position(|it| it.part == PromptPart::Rules);
        let at = at.map_or_else(|| none.sections.iter().position(part).unwrap(), |it| it + 1);
        expected.insert(at, section.to_owned());
        assert_eq!(texts(&prompt), expected, "{}", style.name());
        let mut own = Sections::default();
        own.set(PromptPart::Instructions, "House rules: {{ texts | length }}").unwrap();
        let prompt = system(&own, &all);
        assert_eq!(&*prompt.part(PromptPart::Instructions).unwrap().text, "House rules: 4");
    });
}

/// A prompt of another style is not cut, and one that is too long is an error.
#[test]
fn every_style_has_a_longest_prompt() {
    let (ctx, tools) = (value(r#"{"topic": "rain"}"#), tools());
    for style in STYLES {
        let mut spec = spec(&ctx, &tools, None, None);
        let chars = style.system(&spec, &Memo::default()).unwrap().text().chars().count();
        spec.limits.max_chars = Some(chars);
        assert!(style.system(&spec, &Memo::default()).is_ok(), "{}", style.name());
        spec.limits.max_chars = Some(chars - 1);
        let error = style.system(&spec, &Memo::default()).unwrap_err();
        let most = chars - 1;
        assert_eq!(error.kind(), ErrorKind::TooLong);
        assert_eq!(
            error.to_string(),
            format!("the system prompt has {chars} characters, but `max_chars` is {most}")
        );
    }
}
