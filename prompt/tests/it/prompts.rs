//! Tests of whole prompts and their sections as a model receives them.

use std::fmt::Write;

use crate::common::{EMAILS, mail_tools as tools, planned, section, signature, tool, value};
use ErrorKind::{HiddenValue, MalformedPlaceholder, MissingValue};
use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, ToolDecl, Yielded};
use ptc_prompt::{
    AgentSpec, ErrorKind, MissionMode, PromptLimits, PromptPart, PromptSpec, Reference, TurnInfo,
    answer_opening, opening, placeholders, system,
};

/// P1, P2, P3, P5, P7 to P11, P13, P15, P19, P21: seven sections in a fixed order, the same text each time. Data and tools have
/// a line each, `return` and `fail` too. Tools for planning and the return format are marked.
#[test]
fn agent() {
    let (ctx, tools) = (value(EMAILS), tools());
    let types = signature(
        "(user_id :int \"who asks\", emails [{id :int, subject :string?}], _token :string) -> {count :int, draft_ids [:int]}",
    );
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "\nFind all urgent emails for {{user.name}} ({{ user_id }}, first {{emails.0.id}}) and draft replies.\n",
        mode: MissionMode::Agent,
        ctx: &ctx,
        signature: Some(&types),
        tools: &tools,
        limits: PromptLimits::default(),
        payload: None,
        sections: None,
        instructions: &[],
    };
    let prompt = system(&spec).expect("it renders");
    assert_eq!(prompt, system(&spec).expect("it renders"), "two renders differ");
    assert!(!prompt.text().contains("s3cret"), "a hidden value shows");
    let text = prompt.text();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("# ")).collect();
    let expected = [
        "Role",
        "Rules",
        "Data Inventory",
        "Available Tools",
        "PTC-Lisp Quick Reference",
        "Output Format",
        "Mission",
    ];
    assert_eq!(headings, expected.map(|title| format!("# {title}")));
    insta::assert_snapshot!(text);
}

/// P4, P5, P13: the one turn without tools answers with an expression. Its prompt has one rule, and neither `return` nor `fail`.
#[test]
fn single_turn() {
    let ctx = value(r#"{"orders": [{"amount": 3}]}"#);
    let types = signature("(orders [{amount :float}]) -> :float");
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "The sum of all amounts.",
        mode: MissionMode::SingleTurn,
        ctx: &ctx,
        signature: Some(&types),
        tools: &[],
        limits: PromptLimits::default(),
        payload: None,
        sections: None,
        instructions: &[],
    };
    insta::assert_snapshot!(system(&spec).expect("it renders").text());
}

/// P26: a prompt without its reference.
#[test]
fn defaults() {
    let ctx = value("{}");
    let limits = PromptLimits { reference: Reference::None, ..PromptLimits::default() };
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "",
        mode: MissionMode::Agent,
        ctx: &ctx,
        signature: None,
        tools: &[],
        limits,
        payload: None,
        sections: None,
        instructions: &[],
    };
    let prompt = system(&spec).expect("it renders");
    assert_eq!(prompt.section(5), None);
    assert_eq!(prompt.section(7).map(|s| s.part), Some(PromptPart::Mission));
    insta::assert_snapshot!(prompt.text());
}

/// P7, P8, P9, P24, P25: types come from the signature, or else from the data. Samples are cut with a mark and a count.
#[test]
fn inventory() {
    let long = "é".repeat(700);
    let many: Vec<String> =
        (0..100).map(|i| format!(r#"{{"id": {i}, "tags": ["a", "b", "c", "d"]}}"#)).collect();
    let wide: Vec<String> = (0..40).map(|i| format!(r#""k{i}": {i}"#)).collect();
    let deep = format!("{}1{}", "[".repeat(40), "]".repeat(40));
    let huge: Vec<String> = (0..30).map(|i| format!(r#""k{i}": "{}""#, "x".repeat(120))).collect();
    let rows = [
        ("nothing", r"{}".to_owned(), ""),
        ("scalars", r#"{"i": 1, "f": 1.5, "s": "x", "b": true, "n": null, "big": 123456789012345678901234567890}"#.to_owned(), ""),
        ("empty containers", r#"{"l": [], "m": {}, "s": ""}"#.to_owned(), ""),
        ("merged", r#"{"l": [{"a": 1, "b": "x"}, {"a": 1.5}, {"a": null, "b": "y"}]}"#.to_owned(), ""),
        ("mixed", r#"{"l": [1, "x", null, [1], {"a": 1}]}"#.to_owned(), ""),
        ("keys that are data", r#"{"m": {"2024-01-01": 1, "a b": 2, "_x": 3}}"#.to_owned(), ""),
        ("hidden inside", r#"{"u": {"name": "A", "_pin": 7, "in": [{"_k": 1}]}}"#.to_owned(), ""),
        ("signature first", r#"{"a": [1], "b": [1]}"#.to_owned(), "(a [:float], c :int?) -> :any"),
        (
            "every type",
            r#"{"s": "x", "i": 1, "f": 1.5, "b": true, "k": "red", "any": null, "m": {"a b": 1},
                "at": "2026-01-31T12:00:00Z", "l": ["x"], "r": {"id": 1}, "o": null, "e": "low",
                "u": 5, "range": 7, "text": "abc", "three": [1, 2, 3]}"#
                .to_owned(),
            "(s :string, i :int, f :float, b :bool, k :keyword, any :any, m :map, at :datetime, \
             l [:string], r {id :int, note :string?}, o :int?, e :enum[low mid high], \
             u :string|:int, range :int[1..100], text :string[1..], three [:int][3..]) -> :any",
        ),
        ("description", r#"{"a": 1}"#.to_owned(), "(a :int|:string \"one | two\nthree\") -> :any"),
        ("marks of Markdown", r#"{"s": "a|b\nc`d```e", "t": "`", "u": "\u2028\u202e\u0007"}"#.to_owned(), ""),
        ("unicode", r#"{"größe": "Łódź 🦀", "名": "値"}"#.to_owned(), ""),
        ("a long string", format!(r#"{{"s": "{long}"}}"#), ""),
        ("a long list", format!(r#"{{"l": [{}]}}"#, many.join(",")), ""),
        ("many keys", format!(r#"{{"m": {{{}}}}}"#, wide.join(",")), ""),
        ("deep", format!(r#"{{"d": {deep}}}"#), ""),
        ("too much of it all", format!(r#"{{"l": [{{{}}}, 1]}}"#, huge.join(",")), ""),
        ("an odd key", r#"{"a b": 1, "c|d": 2}"#.to_owned(), ""),
    ];
    let mut all = String::new();
    for (name, ctx, types) in rows {
        let text = section(3, MissionMode::Agent, &ctx, types, &[], PromptLimits::default());
        let _ = writeln!(all, "=== {name}\n{text}\n");
    }
    let limits = PromptLimits { list_sample: 1, string_truncate: 4, ..PromptLimits::default() };
    let text =
        section(3, MissionMode::Agent, r#"{"l": ["abcdef", 2], "s": "abcdef"}"#, "", &[], limits);
    let _ = writeln!(all, "=== other limits\n{text}\n");
    insta::assert_snapshot!(all);
}

/// P11: a line for each tool.
#[test]
fn no_tools_one_and_twenty() {
    let one = [tool(
        "get_user",
        "(id :int) -> {name :string, email :string?}",
        "Fetch a user.",
        Effect::Read,
    )];
    let twenty: Vec<ToolDecl> = (1..=20)
        .map(|i| tool(&format!("tool_{i}"), "(x :int) -> :int", "Count.", Effect::Read))
        .collect();
    let plan = [planned("later", "-> :any", "")];
    let limits = PromptLimits::default();
    let mut all = String::new();
    for (name, mode, tools) in [
        ("none", MissionMode::Agent, &[][..]),
        ("none, single turn", MissionMode::SingleTurn, &[]),
        ("one", MissionMode::Agent, &one),
        ("one, single turn", MissionMode::SingleTurn, &one),
        ("planning only", MissionMode::Agent, &plan),
        ("planning only, single turn", MissionMode::SingleTurn, &plan),
        ("twenty", MissionMode::Agent, &twenty),
    ] {
        let _ = writeln!(all, "=== {name}\n{}\n", section(4, mode, "{}", "", tools, limits));
    }
    insta::assert_snapshot!(all);
}

/// P20: placeholders of a mission. A missing value is an error before any request.
#[test]
fn missions() {
    let ctx = value(EMAILS);
    let check = |mission: &str, expected: Result<&str, (ErrorKind, &str)>| {
        let spec = PromptSpec {
            agent: AgentSpec::default(),
            mission,
            mode: MissionMode::Agent,
            ctx: &ctx,
            signature: None,
            tools: &[],
            limits: PromptLimits::default(),
            payload: None,
            sections: None,
            instructions: &[],
        };
        let made = system(&spec)
            .map(|prompt| prompt.section(7).map(|s| s.text.to_string()).unwrap_or_default());
        let made = made.map_err(|error| (error.kind(), error.to_string()));
        let expected = expected.map(|text| format!("# Mission\n\n{text}"));
        assert_eq!(made, expected.map_err(|(kind, text)| (kind, text.to_owned())), "{mission}");
    };
    check("Plain {text}.", Ok("Plain {text}."));
    check("For {{user.name}}!", Ok("For Ana {{x}}!"));
    check("{{user}}", Ok("{:name \"Ana {{x}}\", :_pin [Hidden]}"));
    check(
        "{{emails.1.from}}",
        Err((
            MissingValue,
            "the placeholder `{{emails.1.from}}` has no value: `from` is missing in `1`",
        )),
    );
    check(
        "{{emails.2.subject}}",
        Err((
            MissingValue,
            "the placeholder `{{emails.2.subject}}` has no value: `subject` is nil in `2`",
        )),
    );
    check(
        "{{usr.name}}",
        Err((
            MissingValue,
            "the placeholder `{{usr.name}}` has no value: `usr` is missing in the input",
        )),
    );
    check(
        "{{_token}}",
        Err((
            HiddenValue,
            "the placeholder `{{_token}}` names `_token`, which is hidden from the model",
        )),
    );
    check("a {{b", Err((MalformedPlaceholder, "the placeholder `{{b` has no closing `}}`")));
    check(
        "{{}}",
        Err((MalformedPlaceholder, "the placeholder `{{}}` is not a path like `{{user.name}}`")),
    );
    check(
        "{{user | upper}}",
        Err((
            MalformedPlaceholder,
            "the placeholder `{{user | upper}}` is not a path like `{{user.name}}`",
        )),
    );
    assert_eq!(placeholders("{{a}} {{ b.c }}").ok(), Some(vec!["a", "b.c"]));
}

/// An absent optional value leaves nothing in the mission. Every other value has to be present.
#[test]
fn absent_inputs() {
    let signature = "(name :string?, city {zip :string?, street :string}?, days [:int?]?, ids [{note :string?}], any :any, one :string)";
    let signature = format!("{signature} -> :any").parse().unwrap();
    let check = |mission: &str, given: &str, expected: Result<&str, &str>| {
        let ctx = value(given);
        let spec = PromptSpec {
            agent: AgentSpec::default(),
            mission,
            mode: MissionMode::Agent,
            ctx: &ctx,
            signature: Some(&signature),
            tools: &[],
            limits: PromptLimits::default(),
            payload: None,
            sections: None,
            instructions: &[],
        };
        let made = system(&spec).map(|prompt| {
            let text = prompt.section(7).unwrap().text.to_string();
            text.split("\n\n").nth(1).unwrap().to_string()
        });
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(made.map_err(|error| error.to_string()), expected, "{mission} {given}");
        // The opening of an agent that answers with JSON has the same mission.
        if given == "{}" {
            let asked = answer_opening(&spec).map_err(|error| error.to_string());
            assert_eq!(asked, expected, "{mission}");
        }
    };
    check("For {{name}}: go.", "{}", Ok("For : go."));
    check("For {{name}}: go.", r#"{"name": null}"#, Ok("For : go."));
    check("For {{name}}: go.", r#"{"name": "Ana"}"#, Ok("For Ana: go."));
    check("In {{city}} {{city.zip}} {{city.street}}.", "{}", Ok("In   ."));
    check("In {{city.zip}} {{city.street}}.", r#"{"city": {"street": "s"}}"#, Ok("In  s."));
    check(
        "In {{city.street}}.",
        r#"{"city": {"zip": "z"}}"#,
        Err("the placeholder `{{city.street}}` has no value: `street` is missing in `city`"),
    );
    check("On {{days.1}}.", r#"{"days": [1, null]}"#, Ok("On ."));
    check("See {{ids.0.note}}.", r#"{"ids": [{}]}"#, Ok("See ."));
    check(
        "See {{ids.0.note}}.",
        r#"{"ids": []}"#,
        Err("the placeholder `{{ids.0.note}}` has no value: `0` is missing in `ids`"),
    );
    check(
        "{{one}}",
        "{}",
        Err("the placeholder `{{one}}` has no value: `one` is missing in the input"),
    );
    check(
        "{{any}}",
        r#"{"any": null}"#,
        Err("the placeholder `{{any}}` has no value: `any` is nil in the input"),
    );
    check(
        "{{any.x}}",
        r#"{"any": {}}"#,
        Err("the placeholder `{{any.x}}` has no value: `x` is missing in `any`"),
    );
    check(
        "{{name._x}}",
        "{}",
        Err("the placeholder `{{name._x}}` names `_x`, which is hidden from the model"),
    );
}

/// The examples for missions with different data and tools. Other sizes of the reference have them
/// too.
#[test]
fn examples() {
    let one = [tool("rate", "(currency :string) -> :float", "", Effect::Read)];
    let orders = r#"{"orders": [{"id": 7, "city": "Lyon", "amount": 5}, {"id": 8, "city": "Lyon", "amount": 9}]}"#;
    let limits = PromptLimits { reference: Reference::Minimal, ..PromptLimits::default() };
    let mut all = String::new();
    for (name, mode, ctx, tools) in [
        ("nothing", MissionMode::Agent, "{}", &[][..]),
        ("nothing, single turn", MissionMode::SingleTurn, "{}", &[]),
        ("records", MissionMode::Agent, orders, &[]),
        ("records, single turn", MissionMode::SingleTurn, orders, &[]),
        ("a tool", MissionMode::Agent, r#"{"currency": "EUR"}"#, &one),
        ("a tool and a list", MissionMode::Agent, r#"{"currencies": ["EUR"]}"#, &one),
        ("records and tools", MissionMode::Agent, EMAILS, &tools()),
    ] {
        for number in [5, 6] {
            let text = section(number, mode, ctx, "", tools, limits);
            let _ = writeln!(all, "=== {name}\n{text}\n");
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn openings() {
    let ctx = value("{}");
    let made = |mode, turn, max_turns| {
        let spec = PromptSpec {
            agent: AgentSpec::default(),
            mission: "",
            mode,
            ctx: &ctx,
            signature: None,
            tools: &[],
            limits: PromptLimits::default(),
            payload: None,
            sections: None,
            instructions: &[],
        };
        opening(&spec, TurnInfo { turn, max_turns, retry_turns: 0, ends: false })
    };
    assert_eq!(made(MissionMode::Agent, 1, 5), "This is turn 1 of 5. Write its program.");
    assert_eq!(
        made(MissionMode::Agent, 1, 1),
        "This is the last turn: the program has to end with `(return result)` or `(fail {:reason :keyword :message \"...\"})`; \
         any other end loses the mission. Write the program."
    );
    assert_eq!(made(MissionMode::SingleTurn, 1, 1), "Write the expression.");
}

/// The example of a return format satisfies that format.
#[test]
fn the_example_satisfies_the_return_format() {
    let fields: Vec<String> = (0..40).map(|i| format!("f{i} :int")).collect();
    let many = format!("{{{}}}", fields.join(", "));
    let deep = format!("{}:int{}", "[".repeat(12), "]".repeat(12));
    for (ty, is_shown) in [
        (":int", true),
        ("[:int][5..]", true),
        ("[{id :int, tags [:string][4..6], level :enum[low \"very high\"]}]", true),
        ("{a :string[50..], b :float?, c :string|:int, _d :bool}", true),
        (":datetime", true),
        (":keyword", true),
        ("{kind :keyword, kinds [:keyword][2..], either :keyword|:int}", true),
        (":map", true),
        (":any", true),
        ("[:string[600..]][3..]", false),
        (many.as_str(), false),
        (deep.as_str(), false),
    ] {
        let types = signature(&format!("-> {ty}"));
        let limits = PromptLimits { reference: Reference::Full, ..PromptLimits::default() };
        let text = section(7, MissionMode::Agent, "{}", &format!("-> {ty}"), &[], limits);
        let example = text.split_once("A value of that format: `").map(|(_, rest)| rest);
        assert_eq!(example.is_some(), is_shown, "{text}");
        let Some(source) = example.and_then(|rest| rest.strip_suffix('`')) else { continue };
        let session = Session::new(value("{}"), Vec::new(), Limits::default());
        let admitted = session.admit(source).unwrap_or_else(|it| panic!("{source}: {it:?}"));
        let mut machine = session.start(&admitted);
        let mut budget = Budget::new(session.limits());
        while !matches!(machine.run(&mut budget), Yielded::Done) {}
        let Outcome::Return(returned) = machine.finish().outcome else { panic!("{source}") };
        assert_eq!(types.check_output(&returned), [], "{source}");
    }
}
