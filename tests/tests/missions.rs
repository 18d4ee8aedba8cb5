//! Tests that the missions of `examples/missions` have answers, and programs that return them.

use std::path::Path;
use std::process::{Command, Stdio};

use ptc_subagent::provider::Scripted;
use ptc_subagent::{Agent, Status};
use ptc_tests::missions::{missions, same_answer};
use ptc_tests::{assert_no_problems, files, root};

#[tokio::test]
async fn each_is_solved_by_its_program() {
    for folder in ["examples/missions", "examples/missions-unseen"] {
        check(&root().join(folder)).await;
    }
}

async fn check(folder: &Path) {
    let missions = missions(folder).unwrap();
    let mut problems = Vec::new();
    for mission in &missions {
        let agent = Agent::read(&mission.agent).unwrap();
        if !agent.tools.is_empty() && !has_python() {
            continue;
        }
        let input = agent.default_input().unwrap().unwrap();
        let provider = Scripted::new([format!("```clojure\n{}\n```", mission.program)]);
        let report = ptc_subagent::Mission::new(&agent, input).run(&provider).await.unwrap();
        let right = report.status == Status::Returned && same_answer(&report.value, &mission.value);
        if !right || report.turns != 1 || !report.warnings.is_empty() {
            problems.push(format!("{}: {report:?}", mission.name));
        }
    }
    assert_no_problems(&problems);
    let agents = files(folder, "toml");
    assert_eq!(agents.len(), missions.len(), "every agent file has an answer: {agents:?}");
}

fn has_python() -> bool {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    let found = python.is_ok_and(|it| it.success());
    if !found {
        #[expect(clippy::print_stderr, reason = "who reads the log must see that it did not run")]
        {
            eprintln!("skipped: the tools of this mission need python3, which is not here");
        }
    }
    found
}
