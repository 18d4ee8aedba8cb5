//! Measures labels: runs and checks of programs with rules for labels, beside the same without. The program fails above
//! its bounds.
//!
//! Both take turns in one process, and their minimum times are compared, so the ratio hardly depends on the machine.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::process::ExitCode;
use std::time::Instant;

use ptc_lisp::labels::Sources;
use ptc_lisp::{Effect, Limits, Session, ToolDecl, Value};
use ptc_subagent::provider::Scripted;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{FnTool, ToolDef};
use ptc_subagent::{Agent, Mission, OnLabel, Policy, Takes};
use serde_json::json;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Failure = Box<dyn std::error::Error>;

const ROUNDS: usize = 300;

/// The most that labels may cost in a run.
const RUN: f64 = 1.10;

/// The programs of a run over 20 mails.
const PROGRAMS: [&str; 3] = [
    "(def mails (tool/inbox {}))",
    "(def open (filterv :open mails)) (count open)",
    "(return (tool/mail {:to ctx/boss :body (str/join \", \" (map :text open))}))",
];

/// Returns an agent that reads mails of strangers and writes one.
fn office(has_labels: bool) -> Result<Agent, Failure> {
    let mails = |at: u32| json!({"from": format!("{at}@x"), "text": "Hello.", "open": at % 2 == 0});
    let mails: serde_json::Value = (0..20).map(mails).collect();
    let inbox = FnTool::new(move |_: serde_json::Value, _| {
        let mails = mails.clone();
        async move { Ok(mails) }
    });
    let mut inbox = ToolDef::new("inbox", inbox)
        .with_signature("() -> [{from :string, text :string, open :bool}]")?
        .with_effect(Effect::Read);
    let mail = FnTool::new(|_: serde_json::Value, _| async { Ok(json!("sent")) });
    let mail = ToolDef::new("mail", mail)
        .with_signature("(to :string, body :string) -> :string")?
        .with_effect(Effect::Write);
    let mut agent = Agent::new("Answer the mails.").with_signature("(boss :string) -> :string")?;
    if has_labels {
        inbox = inbox.with_trust("untrusted".to_owned());
        let policy = Policy::default().with_untrusted_to(OnLabel::Deny);
        agent = agent.with_policy(policy.with_argument("mail", "body", Takes::Any));
    }
    Ok(agent.with_tool(inbox).with_tool(mail))
}

/// Returns the seconds of a run with its record.
async fn run(agent: &Agent) -> Result<f64, Failure> {
    let store = Store::in_memory()?;
    let replies = Scripted::new(PROGRAMS.map(|it| format!("```clojure\n{it}\n```")));
    let started = Instant::now();
    let mission = Mission::new(agent, json!({"boss": "b@x"})).record_in(&store);
    let report = mission.run(&replies).await?;
    let seconds = started.elapsed().as_secs_f64();
    if report.value.is_null() {
        return Err("the run did not return".into());
    }
    Ok(seconds)
}

/// A loop with a call.
const SMALL: &str = "(let [mails (tool/inbox {})]
  (doseq [m mails :when (:open m)]
    (tool/mail {:to ctx/boss :body (str \"New: \" (:text m))})))";

/// Returns a program of a hundred functions. Each calls the one before it.
fn large() -> String {
    let mut source = String::from("(defn f0 [m] (:text m))\n");
    for at in 1..100 {
        let before = at - 1;
        source += &format!(
            "(defn f{at} [m]\n  (let [x (f{before} m)]\n    (if (empty? x) \"none\" (str x (:from m)))))\n"
        );
    }
    source + "(tool/mail {:to ctx/boss :body (str/join \", \" (map f99 (tool/inbox {})))})"
}

fn session(has_labels: bool) -> Session {
    let tools = vec![ToolDecl::new("inbox", Effect::Read), ToolDecl::new("mail", Effect::Write)];
    let ctx = Value::map([(Value::str("boss"), Value::str("b@x"))]);
    let mut session = Session::new(ctx, tools, Limits::default());
    if has_labels {
        let tools = vec![("inbox".into(), "untrusted".into())];
        session.set_labels(Sources { tools, ..Sources::default() });
    }
    session
}

/// Returns the seconds of a check.
fn check(session: &Session, source: &str) -> Result<f64, Failure> {
    let started = Instant::now();
    let program = session.admit(source);
    let seconds = started.elapsed().as_secs_f64();
    program.map(|_| seconds).map_err(Failure::from)
}

fn row(name: &str, (without, with): (f64, f64)) -> f64 {
    let ratio = with / without;
    println!("| {name} | {:.1} µs | {:.1} µs | {ratio:.3} |", without * 1e6, with * 1e6);
    ratio
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Failure> {
    println!("| | without labels | with labels | ratio |\n|---|--:|--:|--:|");
    let agents = (office(false)?, office(true)?);
    let mut least = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        least.0 = least.0.min(run(&agents.0).await?);
        least.1 = least.1.min(run(&agents.1).await?);
    }
    let ratio = row("a run of three turns over 20 mails, with its record", least);
    let large = large();
    let sessions = (session(false), session(true));
    for (name, source) in [
        ("the check of a loop with a call", SMALL),
        ("the check of 399 lines with 100 functions", &large),
    ] {
        let mut least = (f64::MAX, f64::MAX);
        for _ in 0..ROUNDS {
            least.0 = least.0.min(check(&sessions.0, source)?);
            least.1 = least.1.min(check(&sessions.1, source)?);
        }
        row(name, least);
    }
    if ratio > RUN {
        println!("the run with labels takes over {RUN} of the time without");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
