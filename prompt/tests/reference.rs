//! The prompt claims nothing that the language does not do.

mod common;

use common::{planned, tool, value};
use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, Step, Value};
use ptc_prompt::{Mode, PromptLimits, PromptSpec, system};

/// Missions that differ in what their examples are made of.
fn check(test: impl Fn(&Session, &[String])) {
    let orders = r#"{"orders": [{"id": 1, "state": "open", "amount": 5}], "user_id": 7}"#;
    let odd =
        r#"{"a b": 1, "_k": [{"a": 1}], "rows": [{"x y": 1, "_z": 2}], "names": ["a"], "n": null}"#;
    let read = tool(
        "search",
        "(query :string, user_id :int, limit :int?) -> [{id :int}]",
        "",
        Effect::Read,
    );
    let write = tool(
        "send-mail",
        "(to {name :string, tags [:enum[a \"b c\"]]}) -> :bool",
        "",
        Effect::Write,
    );
    let bare = tool("anything", "", "", Effect::Write);
    for ctx in ["{}", orders, odd, r#"{"words": [{"w": "it\"s `\\"}]}"#, r#"{"one": [{"s": "x"}]}"#]
    {
        for tools in [
            vec![],
            vec![write.clone(), read.clone()],
            vec![bare.clone()],
            vec![planned("later", "-> :any", "")],
        ] {
            for mode in [Mode::Agent, Mode::SingleTurn] {
                let ctx = value(ctx);
                let limits = PromptLimits::default();
                let spec = PromptSpec {
                    mission: "",
                    mode,
                    ctx: &ctx,
                    signature: None,
                    tools: &tools,
                    limits,
                    sections: None,
                };
                let prompt = system(&spec).expect("it renders");
                let text =
                    |number| prompt.section(number).map(|s| s.text.clone()).unwrap_or_default();
                let session = Session::new(ctx.clone(), tools.clone(), Limits::default());
                test(&session, &[text(2), text(5), text(6)]);
            }
        }
    }
}

/// The pieces between backticks that stand on the lines of lists.
fn spans(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("- "))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect()
}

/// Every symbol in a call position; of a list of names, each.
fn names(code: &str) -> Vec<&str> {
    let stop = |c: char| c.is_whitespace() || "()[]{}\"".contains(c);
    if code.contains(['(', '[', '{', '"']) {
        return code.split('(').skip(1).filter_map(|call| call.split(stop).next()).collect();
    }
    code.split_whitespace().collect()
}

#[test]
fn every_name_exists() {
    check(|session, texts| {
        for name in texts.iter().flat_map(|text| spans(text)).flat_map(names) {
            // What stands for something else, and what is shown as data.
            let shown = ["ctx/key", "memory/key", "f", "%", "..."].contains(&name)
                || name.starts_with(|c: char| c.is_ascii_digit() || c == ':')
                || name.is_empty();
            if shown {
                continue;
            }
            if let Err(refused) = session.admit(name) {
                // "`let` is a form, not a value": it is there all the same.
                let forms = refused.diagnostics.iter().all(|d| d.code() == "bad-form");
                assert!(forms, "the prompt names `{name}`: {:?}", refused.diagnostics);
            }
        }
    });
}

#[test]
fn every_pattern_runs() {
    check(|session, texts| {
        for text in &texts[1..] {
            let mut found = 0;
            let blocks: Vec<&str> = text.split("```").collect();
            for block in blocks.iter().filter_map(|block| block.strip_prefix("clojure\n")) {
                for pattern in block.split("\n\n") {
                    run(session, pattern);
                    found += 1;
                }
            }
            assert!(found > 0, "no pattern was found in\n{text}");
        }
    });
}

/// Runs a program whose tools give nil.
fn run(session: &Session, program: &str) {
    let admitted = match session.admit(program) {
        Ok(admitted) => admitted,
        Err(refused) => panic!("{program}\n{:?}", refused.diagnostics),
    };
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(&Limits::default());
    loop {
        match machine.run(&mut budget) {
            Step::Done => break,
            Step::Yield => {}
            Step::Calls(calls) => {
                for call in calls {
                    machine.resume(&call.id, Ok(Value::Nil));
                }
            }
        }
    }
    let outcome = machine.finish().outcome;
    assert!(!matches!(outcome, Outcome::Error(_)), "{program}\n{outcome:?}");
}
