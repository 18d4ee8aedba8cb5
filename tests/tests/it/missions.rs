//! Tests the missions of `examples/missions`: their solutions are right, and shortcuts are wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::solved::{Mission, missions};
use ptc_signatures::Type;
use ptc_subagent::provider::Scripted;
use ptc_subagent::trial::{Case, Comparison, ToolUse, TrialMission, Writes};
use ptc_subagent::{Agent, Data, Event, Status};
use ptc_tests::{assert_no_problems, one_in, root};
use serde_json::{Value, json};

#[tokio::test]
async fn missions_to_tune_on_are_solved_by_solutions_only() {
    check(false).await;
}

#[tokio::test]
async fn held_out_missions_are_solved_by_solutions_only() {
    check(true).await;
}

/// Tests the checks themselves: shortcuts that pass, and a solution that is wrong.
#[tokio::test]
async fn weak_missions_are_found() {
    let agent = Agent::new("The first number, please.")
        .with_name("weak")
        .with_signature("(numbers [:int]) -> :int")
        .unwrap();
    let case =
        |numbers: Value, expected: i64| Case::new(json!({"numbers": numbers}), json!(expected));
    let cases = vec![case(json!([1, 2]), 1), case(json!([0, 9]), 0)];
    let mut trial = TrialMission::new("weak", PathBuf::new(), cases);
    trial.comparison = Comparison::Tolerance(1.0);
    let mission = Mission { trial, solution: vec!["(return (last ctx/numbers))".to_owned()] };
    let problems = problems_of(&mission, &agent).await;
    let shown: Vec<&str> = problems.iter().map(|it| it.split(": R").next().unwrap()).collect();
    let expected = [
        "weak: for {\"numbers\":[0,9]}",
        "weak: the constant 0 passes",
        "weak: the constant 1 passes",
        "weak: the constant 0 passes",
        "weak: `ctx.numbers[0]` passes",
    ];
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn values_and_calls_are_compared() {
    let call = |args: Value| ToolUse { tool: "send".to_owned(), args: args.into() };
    let calls = vec![call(json!({"to": 1})), call(json!({"to": 2})), call(json!({"to": 2}))];
    let case = Case::new(json!({"n": 2}), json!([1, 2.5])).with_calls(calls);
    let sent = |ids: &[i64]| ids.iter().map(|to| call(json!({"cc": null, "to": to}))).collect();
    let all: Vec<ToolUse> = sent(&[2, 1, 2]);
    let sorted = "(= (sort ctx/value) (sort ctx/expected) (sort [1 (+ 0.5 (:n ctx/input))]))";
    let rows: [(Comparison, Value, Vec<ToolUse>, bool); 11] = [
        (Comparison::Exact, json!([1.0, 2.5]), all.clone(), true),
        (Comparison::Exact, json!([1, 2.5]), sent(&[1, 2]), false),
        (Comparison::Exact, json!([1, 2.5]), sent(&[1, 1, 2]), false),
        (Comparison::Exact, json!([1, 2.5]), sent(&[1, 2, 2, 2]), false),
        (Comparison::Exact, json!([2.5, 1]), all.clone(), false),
        (Comparison::Exact, json!([1]), all.clone(), false),
        (Comparison::Exact, json!([1, 2.51]), all.clone(), false),
        (Comparison::Tolerance(0.1), json!([1, 2.51]), all.clone(), true),
        (Comparison::Tolerance(0.1), json!([1, 2.7]), all.clone(), false),
        (Comparison::Check(sorted.to_owned()), json!([2.5, 1]), all.clone(), true),
        (Comparison::Check(sorted.to_owned()), json!("text"), all, false),
    ];
    for (comparison, value, writes, expected) in rows {
        let mut mission = TrialMission::new("compared", PathBuf::new(), vec![case.clone()]);
        mission.comparison = comparison.clone();
        let found = mission.accepts(&case, &Data::from(&value), &writes).await;
        assert_eq!(found, expected, "{comparison:?} of {value} after {writes:?}");
    }
}

async fn check(held_out: bool) {
    let mut missions = missions(&root().join("examples/missions")).unwrap();
    missions.retain(|it| it.trial.held_out == held_out);
    assert!(missions.len() >= 50, "only {} missions", missions.len());
    let has_python = has_python();
    let mut problems = Vec::new();
    for mission in missions.iter().step_by(one_in(3)) {
        let agent = mission.trial.agent().unwrap();
        let has_script = mission.trial.file.with_file_name("tools.py").exists();
        if has_python || !has_script {
            problems.extend(problems_of(mission, &agent).await);
        }
    }
    assert_no_problems(&problems);
}

/// Returns the problems of a mission: cases that its solution gets wrong, and shortcuts that pass.
async fn problems_of(mission: &Mission, agent: &Agent) -> Vec<String> {
    let mut problems = Vec::new();
    if agent.name != mission.trial.name {
        problems.push(format!("{}: its agent is `{}`", mission.trial.name, agent.name));
    }
    let mut shortcuts = constants(mission, agent);
    let mut rows: Vec<BTreeMap<String, Value>> = Vec::new();
    for case in &mission.trial.cases {
        let mut seen = vec![("ctx".to_owned(), case.input.to_json().unwrap())];
        if let Err(problem) = solve(mission, agent, case, &mut seen).await {
            problems.push(format!("{}: {problem}", mission.trial.name));
        }
        rows.push(seen.iter().flat_map(|(name, value)| first_rows(name, value)).collect());
    }
    for name in rows[0].keys() {
        let answers: Option<Vec<Value>> = rows.iter().map(|it| it.get(name).cloned()).collect();
        if let Some(answers) = answers {
            let lists = answers.iter().map(|it| json!([it])).collect();
            shortcuts.push((format!("`{name}`"), answers));
            shortcuts.push((format!("a list of `{name}`"), lists));
        }
    }
    for (name, answers) in shortcuts {
        let mut passes = true;
        for (case, answer) in mission.trial.cases.iter().zip(&answers) {
            passes = passes && mission.trial.accepts(case, &Data::from(answer), &[]).await;
        }
        if passes {
            problems.push(format!("{}: {name} passes", mission.trial.name));
        }
    }
    problems
}

/// Runs the solution. Adds the results of its calls to what it has seen.
async fn solve(
    mission: &Mission,
    agent: &Agent,
    case: &Case,
    seen: &mut Vec<(String, Value)>,
) -> Result<(), String> {
    let replies = mission.solution.iter().map(|it| format!("```clojure\n{it}\n```"));
    let provider = Scripted::new(replies);
    let mut writes = Writes::of(agent);
    let run = ptc_subagent::Mission::new(agent, case.input.clone());
    let run = run.observe(|_, event| {
        writes.note(event);
        if let Event::CallFinished { tool, result: Ok(value), .. } = event {
            seen.push((format!("{tool}#{}", seen.len()), value.to_json().unwrap()));
        }
    });
    let report = run.run(&provider).await.map_err(|error| error.to_string())?;
    let is_right = mission.trial.accepts(case, &report.value, writes.made()).await;
    let right = report.status == Status::Returned && is_right;
    let turns = usize::try_from(report.turns).unwrap_or(usize::MAX);
    if right && turns == mission.solution.len() && report.warnings.is_empty() {
        return Ok(());
    }
    Err(format!("for {}: {report:?}, calls {:?}", case.input, writes.made()))
}

/// Returns the shortcuts that answer every case alike: the empty value, and the answer of a case.
fn constants(mission: &Mission, agent: &Agent) -> Vec<(String, Vec<Value>)> {
    let output = &agent.signature.as_ref().unwrap().output;
    let empty = empties(output).into_iter().map(|value| (format!("the constant {value}"), value));
    let answers = mission.trial.cases.iter().map(|case| {
        let expected = case.expected.to_json().unwrap();
        (format!("the constant {expected}"), expected)
    });
    let always = |value: Value| vec![value; mission.trial.cases.len()];
    empty.chain(answers).map(|(name, value)| (name, always(value))).collect()
}

/// Returns the values of a type without information.
fn empties(ty: &Type) -> Vec<Value> {
    match ty {
        Type::Any => vec![json!(null), json!(0), json!(""), json!([]), json!({})],
        Type::Bool => vec![json!(false), json!(true)],
        Type::Int(bounds) => vec![json!(bounds.min.unwrap_or(0))],
        Type::Float(bounds) => vec![json!(bounds.min.unwrap_or(0.0))],
        Type::String(_) | Type::Keyword | Type::Datetime => vec![json!("")],
        Type::Enum(words) => words.iter().map(|it| json!(it)).collect(),
        Type::List(..) => vec![json!([])],
        Type::Map => vec![json!({})],
        Type::Record(fields) => {
            let first = |ty: &Type| empties(ty).into_iter().next().unwrap_or_default();
            vec![fields.iter().map(|it| (it.name.clone(), first(&it.ty))).collect()]
        }
        Type::Union(types) => types.iter().flat_map(empties).collect(),
        Type::Optional(ty) => std::iter::once(Value::Null).chain(empties(ty)).collect(),
    }
}

/// Returns the first items of all lists in a value, and everything in them, each with its path.
fn first_rows(name: &str, value: &Value) -> Vec<(String, Value)> {
    let mut rows = Vec::new();
    let mut open = vec![(name.to_owned(), value, false)];
    while let Some((path, value, is_row)) = open.pop() {
        if is_row {
            rows.push((path.clone(), value.clone()));
        }
        match value {
            Value::Array(items) => {
                open.extend(items.first().map(|it| (format!("{path}[0]"), it, true)));
            }
            Value::Object(fields) => {
                open.extend(fields.iter().map(|(key, it)| (format!("{path}.{key}"), it, is_row)));
            }
            _ => {}
        }
    }
    rows
}

fn has_python() -> bool {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    let found = python.is_ok_and(|it| it.success());
    if !found {
        #[expect(clippy::print_stderr, reason = "who reads the log must see that it did not run")]
        {
            eprintln!("skipped: missions with a tools.py need python3, which is not here");
        }
    }
    found
}
