//! Tests of looking up tools from a program.

use std::fmt::Write as _;

use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, ToolDecl, Value, Yielded, json};

fn tool(name: &str, signature: &str, description: &str, effect: Effect) -> ToolDecl {
    ToolDecl {
        signature: (!signature.is_empty()).then(|| signature.parse().unwrap()),
        description: (!description.is_empty()).then(|| description.to_owned()),
        ..ToolDecl::new(name, effect)
    }
}

fn session() -> Session {
    let plan =
        ToolDecl { callable: false, ..tool("plan order", "", "Plans an order.", Effect::Write) };
    let mut tools = vec![
        tool(
            "orders",
            "(customer :int, _token :string) -> [{id :int, _key :string}]",
            "The orders of a customer. Newest first.\nAt most a hundred.",
            Effect::Read,
        ),
        tool("order-cancel", "(id :int) -> :bool", "Cancels what was bought.", Effect::Write),
        tool("Größe", "", "Wie groß ein Kunde (customer) ist.", Effect::Read),
        tool("bare", "", "", Effect::Read),
        tool("crm/listInvoices", "", "", Effect::Read),
        plan,
    ];
    tools.extend((0..40).map(|i| tool(&format!("many{i}"), "", "One of many.", Effect::Read)));
    Session::new(json::parse("{}").unwrap(), tools, Limits::default())
}

fn run(session: &Session, source: &str) -> String {
    let admitted = match session.admit(source) {
        Ok(admitted) => admitted,
        Err(rejection) => return format!("refused: {:?}", rejection.diagnostics),
    };
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    while !matches!(machine.run(&mut budget), Yielded::Done) {}
    match machine.finish().outcome {
        Outcome::Value(value) => value.to_string(),
        Outcome::Error(problem) => {
            format!("{}: {problem} ({})", problem.code(), problem.help().unwrap_or_default())
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn tools_are_found_and_described() {
    let session = session();
    let mut all = String::new();
    for source in [
        "(tools/search \"order\")",
        "(tools/search \"customer\")",
        "(tools/search \"cancel an ORDER\")",
        "(tools/search \"größe\")",
        "(tools/search \"invoice\")",
        "(tools/search \"\")",
        "(tools/search \"nothing like it\")",
        "(count (tools/search \"many0 one\"))",
        "(mapv :name (tools/search \"many39 one\"))",
        "(tools/search nil)",
        "(tools/search)",
        "(tools/describe \"orders\")",
        "(tools/describe :order-cancel)",
        "(tools/describe \"bare\")",
        "(tools/describe \"plan order\")",
        "(tools/describe \"order\")",
        "(tools/describe \"zzz\")",
        "(tools/describe 1)",
        "(mapv (comp count tools/describe :name) (tools/search \"order\"))",
    ] {
        let _ = writeln!(all, "{source}\n=> {}\n", run(&session, source));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn the_remaining_budgets_of_run_and_program_are_shown() {
    let mut session = session();
    let left = json::parse(r#"{"turns": 3, "tokens": null, "cost": 0.25}"#).unwrap();
    let left = left
        .as_map()
        .unwrap()
        .iter()
        .map(|(name, value)| (Value::keyword(name.as_str().unwrap()), value.clone()));
    session.set_budget(Value::map(left));
    assert_eq!(
        run(&session, "(assoc (budget) :fuel 0)"),
        "{:fuel 0, :tool-calls 256, :turns 3, :tokens nil, :cost 0.25}"
    );
    session.set_budget(Value::Nil);
    assert_eq!(run(&session, "(dissoc (budget) :fuel)"), "{:tool-calls 256}");
}
