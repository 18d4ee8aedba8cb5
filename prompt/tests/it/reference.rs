//! Tests that the language does what the prompt claims.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{planned, tool, value};
use proptest::prelude::*;
use proptest::sample::select;
use ptc_lisp::vocabulary::unsupported_names;
use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, ToolDecl, Value, Yielded, json};
use ptc_prompt::{
    AgentSpec, MissionMode, PromptLimits, PromptSpec, Reference, SystemPrompt, system,
};
use ptc_signatures::Signature;

fn prompt(
    mode: MissionMode,
    ctx: &Value,
    tools: &[ToolDecl],
    reference: Reference,
) -> SystemPrompt {
    let limits = PromptLimits { reference, ..PromptLimits::default() };
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "",
        mode,
        ctx,
        signature: None,
        tools,
        limits,
        payload: None,
        sections: None,
        instructions: &[],
    };
    system(&spec).expect("it renders")
}

fn section(prompt: &SystemPrompt, number: usize) -> &str {
    prompt.section(number).map_or("", |section| &section.text)
}

/// Returns the text outside blocks, and the programs in blocks, one for each paragraph.
fn parts(text: &str) -> (String, Vec<String>) {
    let (mut outside, mut inside, mut open) = (String::new(), String::new(), false);
    for line in text.lines() {
        if line == if open { "```" } else { "```clojure" } {
            open = !open;
        } else if open {
            inside.extend([line, "\n"]);
        } else {
            // The mark of a block in a sentence is not code.
            outside.extend([line.replace("```clojure", "").as_str(), "\n"]);
        }
    }
    let programs = inside.split("\n\n").map(|it| it.trim().to_owned());
    (outside, programs.filter(|it| !it.is_empty()).collect())
}

/// Returns the code spans outside blocks, line by line.
fn spans(text: &str) -> Vec<&str> {
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// Returns every symbol in a call position, or each name of a list of names.
fn names(code: &str) -> Vec<&str> {
    let stop = |c: char| c.is_whitespace() || "()[]{}\"".contains(c);
    if code.contains(['(', '[', '{', '"']) {
        return code.split('(').skip(1).filter_map(|call| call.split(stop).next()).collect();
    }
    code.split_whitespace().collect()
}

/// Returns the names that the text calls absent, and the text without that line.
fn absent(text: &str) -> (Vec<&str>, String) {
    let Some((before, after)) = text.split_once("Not there:") else {
        return (Vec::new(), text.to_owned());
    };
    let (line, rest) = after.split_once('\n').unwrap_or((after, ""));
    (spans(line), format!("{before}\n{rest}"))
}

/// P16, P32: the prompt names nothing that a program lacks.
#[test]
fn every_name_exists_unless_called_absent() {
    let ctx = value("{}");
    let session = Session::new(ctx.clone(), Vec::new(), Limits::default());
    let left_out: BTreeSet<&str> = unsupported_names().collect();
    for mode in [MissionMode::Agent, MissionMode::SingleTurn] {
        for reference in Reference::ALL {
            let prompt = prompt(mode, &ctx, &[], reference);
            let (rules, _) = parts(section(&prompt, 2));
            let (reference, _) = parts(section(&prompt, 5));
            let (gone, reference) = absent(&reference);
            for name in gone {
                assert!(left_out.contains(name), "`{name}` is called absent and is not left out");
                let refused = session.admit(&format!("({name} 1)")).err();
                assert!(refused.is_some(), "`{name}` is called absent and is there");
            }
            for name in spans(&rules).into_iter().chain(spans(&reference)) {
                for name in names(name) {
                    // Placeholders for other names, and names that the prompt shows as data.
                    let shown = ["ctx/key", "memory/key", "f", "g", "function", "args"]
                        .contains(&name)
                        || name.starts_with(':');
                    assert!(!left_out.contains(name), "the prompt names `{name}`");
                    // "`let` is a form, not a value": the name exists nevertheless.
                    if let Err(refused) = session.admit(name).map_err(|it| it.diagnostics)
                        && !shown
                    {
                        let form = refused.iter().all(|it| it.code() == "bad-form");
                        assert!(form, "the prompt names `{name}`: {refused:?}");
                    }
                }
            }
        }
    }
}

/// The sizes of the reference ascend as their names say. The full one keeps the seed's budget at
/// four characters per token.
#[test]
fn sizes() {
    let orders = value(r#"{"orders": [{"id": 1, "state": "open", "amount": 5}], "user_id": 7}"#);
    let tools = [tool("search", "(user_id :int) -> [{id :int}]", "", Effect::Read)];
    let tokens =
        |reference| section(&prompt(MissionMode::Agent, &orders, &tools, reference), 5).len() / 4;
    let [none, auto, minimal, full] = Reference::ALL.map(tokens);
    assert_eq!(none, 0);
    assert!((10..=160).contains(&auto), "auto: {auto}");
    assert!((100..250).contains(&minimal), "minimal: {minimal}");
    assert!((300..=600).contains(&full), "full: {full}");
}

/// P23: the other sections keep one and a half times the seed's budget, too.
#[test]
fn p23_sizes_of_sections() {
    let tools = [
        tool(
            "get_user",
            "(id :int) -> {name :string, email :string?}",
            "Reads a user.",
            Effect::Read,
        ),
        tool("search", "(query :string, most :int?) -> [{id :int}]", "Finds items.", Effect::Read),
    ];
    let size = |ctx: &str, tools: &[ToolDecl], number| {
        section(&prompt(MissionMode::Agent, &value(ctx), tools, Reference::Full), number).len() / 4
    };
    let (one, two) = (r#"{"user_id": 7}"#, r#"{"user_id": 7, "city": "Lisbon"}"#);
    let sizes = [
        ("role", size(two, &tools, 1), 75),
        ("rules", size(two, &tools, 2), 120),
        ("a field", size(two, &tools, 3) - size(one, &tools, 3), 15),
        ("a tool", size(two, &tools, 4) - size(two, &tools[..1], 4), 45),
        ("reference", size(two, &tools, 5), 600),
        ("output", size(two, &tools, 6), 75),
    ];
    for (part, found, most) in sizes {
        assert!((1..=most).contains(&found), "{part}: {found} of {most}");
    }
}

/// Asserts that every example of the prompt is admitted, and runs to a value, `return` or `fail`.
fn check(mode: MissionMode, ctx: &Value, tools: &[ToolDecl], reference: Reference) {
    let prompt = prompt(mode, ctx, tools, reference);
    let session = Session::new(ctx.clone(), tools.to_vec(), Limits::default());
    let (lines, mut programs) = parts(section(&prompt, 5));
    let (_, output) = parts(section(&prompt, 6));
    assert_eq!(output.len(), 1, "one example of a reply\n{}", section(&prompt, 6));
    match reference {
        Reference::None => assert_eq!(prompt.section(5), None),
        Reference::Auto => {
            let calls = spans(&lines).into_iter().filter(|it| it.starts_with('('));
            programs.extend(calls.map(str::to_owned));
        }
        Reference::Minimal | Reference::Full => assert!(programs.len() >= 2, "{programs:?}"),
    }
    for program in programs.iter().chain(&output) {
        let _ = run(&session, tools, program);
    }
}

/// Runs a program whose tools return examples of their output types, to its end.
fn run(session: &Session, tools: &[ToolDecl], program: &str) -> Outcome {
    let admitted = match session.admit(program) {
        Ok(admitted) => admitted,
        Err(refused) => panic!("{program}\n{:?}", refused.diagnostics),
    };
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(&Limits::default());
    loop {
        match machine.run(&mut budget) {
            Yielded::Done => break,
            Yielded::SliceUsed => {}
            Yielded::Calls(calls) => {
                for call in calls {
                    let tool = tools.iter().find(|it| it.name == call.name);
                    let signature = tool.and_then(|it| it.signature.as_ref());
                    let answer = |it: &Signature| json::from_serde(&it.output.example());
                    machine.resume(&call.id, Ok(signature.map_or(Value::Nil, answer)));
                }
            }
        }
    }
    let outcome = machine.finish().outcome;
    assert!(!matches!(outcome, Outcome::Error(_)), "{program}\n{outcome:?}");
    outcome
}

/// P18: three patterns of programs. One reads the rows of a call, one ends as a value says, and one joins steps by memory.
#[test]
fn p18_patterns_of_programs() {
    let tools = [
        tool("people", "(most :int) -> [{name :enum[Ana]}]", "", Effect::Read),
        tool("find", "(word :string) -> [:int[7..]]", "", Effect::Read),
        tool("add-up", "(found [:int]) -> :int[21..]", "", Effect::Read),
    ];
    let session = Session::new(value(r#"{"found": []}"#), tools.to_vec(), Limits::default());
    for (program, expected) in [
        ("(let [people (call \"people\" {:most 3})] (mapv :name people))", "value [\"Ana\"]"),
        (
            "(if (empty? ctx/found) (fail {:reason :none :message \"No rows\"}) (return (count ctx/found)))",
            "fail none: No rows",
        ),
        (
            "(do (memory/put :found (call \"find\" {:word \"a\"})) (return (call \"add-up\" {:found memory/found})))",
            "return 21",
        ),
    ] {
        let end = match run(&session, &tools, program) {
            Outcome::Value(it) => format!("value {it}"),
            Outcome::Return(it) => format!("return {it}"),
            Outcome::Fail(it) => format!("fail {}: {}", it.reason, it.message),
            other => format!("{other:?}"),
        };
        assert_eq!(end, expected, "{program}");
    }
}

/// P16: each example of the reference runs, of each size, with and without data and tools.
#[test]
fn every_example_runs() {
    let orders = r#"{"orders": [{"id": 1, "state": "open", "amount": 5}], "user_id": 7}"#;
    let odd =
        r#"{"a b": 1, "_k": [{"a": 1}], "rows": [{"x y": 1, "_z": 2}], "names": ["a"], "n": null}"#;
    let search = "(query :string, user_id :int, limit :int?) -> [{id :int}]";
    let read = tool("search", search, "", Effect::Read);
    let mail = "(to {name :string, tags [:enum[a \"b c\"]]}) -> :bool";
    let write = tool("send-mail", mail, "", Effect::Write);
    let each = tool("each", "(name :string) -> :float", "", Effect::Read);
    let bare = tool("anything", "", "", Effect::Write);
    let words = r#"{"words": [{"w": "it\"s `\\"}]}"#;
    for ctx in ["{}", orders, odd, words, r#"{"one": [{"s": "x"}]}"#, r#"{"rows": [{"n": 1}, {}]}"#]
    {
        for tools in [
            vec![],
            vec![write.clone(), read.clone()],
            vec![each.clone()],
            vec![bare.clone()],
            vec![planned("later", "-> :any", "")],
        ] {
            for mode in [MissionMode::Agent, MissionMode::SingleTurn] {
                for reference in Reference::ALL {
                    check(mode, &value(ctx), &tools, reference);
                }
            }
        }
    }
}

/// Names of keys and parameters. Some cannot be written as symbols, and some are hidden.
const NAMES: [&str; 22] = [
    "id", "name", "größe", "名", "_token", "a b", "true", "nil", "fail", "-", "-1", "a.b", "a->b",
    "x?", "1st", "", "a/b", "if", "map", "&", "%", "`",
];

fn text() -> impl Strategy<Value = String> {
    let odd = ["open", "shipped", "```", "a`b", "\"", "\\", "\n", "é\u{2028}", ""];
    prop_oneof![select(odd.to_vec()).prop_map(str::to_owned), any::<String>()]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-1e9..1e9).prop_map(Value::Float),
        text().prop_map(Value::str),
    ]
}

/// Generates data of every kind: scalars, lists of scalars and of maps, and maps in maps.
fn data() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        let map = prop::collection::vec((select(NAMES.to_vec()), inner.clone()), 0..4);
        prop_oneof![prop::collection::vec(inner, 0..4).prop_map(Value::vector), map.prop_map(ctx)]
    })
}

fn ctx(entries: Vec<(&str, Value)>) -> Value {
    Value::map(entries.into_iter().map(|(name, value)| (Value::str(name), value)))
}

/// Generates lists of records with the same fields. Any field may be missing or of another type.
fn records() -> impl Strategy<Value = Value> {
    let field = || (select(NAMES.to_vec()), data());
    let row = (field(), field(), field(), 0..8).prop_map(|(a, b, c, kept)| {
        let fields = [a, b, c].into_iter().enumerate().filter(|(at, _)| kept & (1 << at) == 0);
        ctx(fields.map(|(_, field)| field).collect())
    });
    prop::collection::vec(row, 1..6).prop_map(Value::vector)
}

const TYPES: [&str; 14] = [
    ":any",
    ":int",
    ":int?",
    ":float[0..1]",
    ":string",
    ":string[300..]",
    ":bool",
    ":map",
    "[:string]",
    "[:int][4..9]",
    "{name :string, _pin :int}",
    "[{id :int}]",
    "{_id :int}?",
    ":enum[a \"b c\" \"`\"]",
];

fn tools() -> impl Strategy<Value = Vec<ToolDecl>> {
    let params = prop::collection::btree_map(select(NAMES.to_vec()), select(TYPES.to_vec()), 0..4);
    let effect = select(vec![Effect::Read, Effect::Write]);
    let one = (params, select(TYPES.to_vec()), effect, any::<bool>());
    prop::collection::vec(one, 0..4).prop_map(|all| {
        let tool =
            |(at, (params, output, effect, callable)): (usize, (BTreeMap<&str, &str>, _, _, _))| {
                let params: Vec<String> =
                    params.iter().map(|(name, ty)| format!(":{name:?} {ty}")).collect();
                let signature = format!("({}) -> {output}", params.join(", "));
                ToolDecl { callable, ..tool(&format!("tool-{at}"), &signature, "", effect) }
            };
        all.into_iter().enumerate().map(tool).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_example_runs_for_any_mission(
        entries in prop::collection::vec((select(NAMES.to_vec()), prop_oneof![scalar(), data(), records()]), 0..5),
        tools in tools(),
        agent in any::<bool>(),
    ) {
        let mode = if agent { MissionMode::Agent } else { MissionMode::SingleTurn };
        check(mode, &ctx(entries.clone()), &tools, Reference::Auto);
        check(mode, &ctx(entries), &tools, Reference::Full);
    }
}
