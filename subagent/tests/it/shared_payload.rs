//! The payload of runs: programs, sub-agents, checks, records, replay, resume and chains.

use std::collections::BTreeMap;

use ptc_subagent::payload::{Diff, EndCheck, PayloadChange, StartCheck, Verdict};
use ptc_subagent::provider::{Provider, Reply, Scripted};
use ptc_subagent::replay::Resume;
use ptc_subagent::store::{Hidden, RunRecord, Store};
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{
    Agent, Data, ErrorKind, Mission, PayloadDef, RunReport, Status, Stop, TurnOutcome,
};
use serde_json::{Value, json};

use crate::agent_file::check;
use crate::support::{Model, change_events, program, run_and_replay, scripted_by};

fn scripted(programs: &[&str]) -> Scripted {
    Scripted::new(programs.iter().map(|it| program(it)))
}

fn payload(start: Value) -> PayloadDef {
    PayloadDef::new().with_start(start).unwrap()
}

fn agent(payload: PayloadDef) -> Agent {
    Agent::new("Go.").with_name("root").with_payload(payload)
}

/// Runs an agent and replays its record. Returns the report and the records of the tree, whose changes are checked.
async fn run(agent: &Agent, provider: &impl Provider) -> (RunReport, Vec<RunRecord>) {
    let (report, records) = run_and_replay(agent, json!({}), provider).await;
    records.iter().for_each(check_record);
    (report, records)
}

/// Checks that the recorded changes lead from the payload at the start to that at the end.
fn check_record(record: &RunRecord) {
    let Some(payload) = &record.payload else { return };
    let changes = record.turn_records.iter().flat_map(|turn| &turn.payload_changes);
    let end = PayloadChange::apply_all(&payload.start, changes).unwrap();
    assert_eq!(Some(end), payload.end);
}

fn end(report: &RunReport) -> Data {
    report.payload.clone().unwrap()
}

#[tokio::test]
async fn a_program_changes_the_payload_and_a_failed_turn_does_not() {
    let programs = [
        "(payload/put [:n] 1)",
        "(do (payload/put [:n] 2) (/ 1 0))",
        "(do (payload/push [:log] payload/n) (fail {:reason :no}))",
    ];
    let (report, records) = run(&agent(payload(json!({"n": 0}))), &scripted(&programs)).await;
    assert_eq!(report.status, Status::Failed);
    assert_eq!(end(&report), json!({"n": 1}));
    assert_eq!(report.to_json().to_json().unwrap()["payload"], json!({"n": 1}));
    let changes: Vec<usize> =
        records[0].turn_records.iter().map(|it| it.payload_changes.len()).collect();
    assert_eq!(changes, [1, 0, 0]);
}

/// K12: the values of one run that its sub-agents may not write stay as they are.
#[tokio::test]
async fn k12_fixed_values_stay_through_all_passes() {
    let (report, _) = pipeline(5).await;
    let end = end(&report);
    assert_eq!(end.get("template").unwrap(), json!("T"));
    assert_eq!(end.get("reviewed_summary").unwrap(), json!("S"));
}

/// K13: the keys that each pass overwrites hold the text of the last one.
#[tokio::test]
async fn k13_each_pass_overwrites_its_keys() {
    let (report, _) = pipeline(2).await;
    let end = end(&report);
    assert_eq!(end.get("pruned_template").unwrap(), json!("pruned 2"));
    assert_eq!(end.get("enriched_template").unwrap(), json!("enriched 2 after pruned 2"));
}

/// K14: an optional value is absent in the first pass and there in the second.
#[tokio::test]
async fn k14_feedback_is_absent_in_the_first_pass() {
    let (_, records) = pipeline(2).await;
    let pruners: Vec<&RunRecord> =
        records.iter().filter(|it| it.summary.agent == "pruner").collect();
    let starts: Vec<&Data> = pruners.iter().map(|it| &it.payload.as_ref().unwrap().start).collect();
    assert_eq!(starts[0].get("refinement_feedback"), None);
    assert_eq!(starts[1].get("refinement_feedback").unwrap(), json!("shorter"));
    assert!(!pruners[0].setup.system.contains("payload/refinement_feedback :string"));
    assert!(
        pruners[1].setup.system.contains("- `payload/refinement_feedback :string`: `\"shorter\"`")
    );
}

/// Runs two agents over one payload, this number of times, one turn each.
async fn pipeline(passes: usize) -> (RunReport, Vec<RunRecord>) {
    let part = |name: &str, writes: &[&str]| {
        let own = PayloadDef::new().with_writes(writes).unwrap();
        ToolDef::agent(
            Agent::new(format!("Be the {name} of pass {{{{pass}}}}."))
                .with_name(name)
                .with_signature("(pass :int) -> :any")
                .unwrap()
                .with_payload(own),
        )
    };
    let root = agent(payload(json!({"template": "T", "reviewed_summary": "S"})))
        .with_max_turns(u32::try_from(2 * passes + 1).unwrap())
        .with_tool(part("pruner", &["pruned_template"]))
        .with_tool(part("enricher", &["enriched_template", "refinement_feedback"]));
    let model = Model(move |text: &str| {
        let source = if text.contains("Be the pruner") {
            "(return (payload/put [:pruned_template] (str \"pruned \" ctx/pass)))".to_owned()
        } else if text.contains("Be the enricher") {
            "(do (payload/put [:enriched_template] (str \"enriched \" ctx/pass \" after \" payload/pruned_template)) \
             (payload/put [:refinement_feedback] \"shorter\") (return nil))"
                .to_owned()
        } else {
            let turn = text.matches("```clojure").count();
            let (pass, name) = (turn / 2 + 1, ["pruner", "enricher"][turn % 2]);
            let last =
                if pass > passes { "(return (payload/get [:enriched_template]))" } else { "" };
            if last.is_empty() {
                format!("(tool/{name} {{:pass {pass}}})")
            } else {
                last.to_owned()
            }
        };
        Reply::new(program(&source))
    });
    run(&root, &model).await
}

/// Creates an agent with one sub-agent `part`.
fn with_part(root: PayloadDef, part: PayloadDef) -> Agent {
    let part = Agent::new("Do the part.").with_name("part").with_payload(part);
    agent(root).with_tool(ToolDef::agent(part))
}

const CALL: &str = "(return (tool/part {}))";

/// M61, M62: the scope is the payload of the sub-agent, and its changes return to that place.
#[tokio::test]
async fn m61_m62_a_scope_is_the_payload_of_the_sub_agent() {
    let scope = PayloadDef::new().with_scope("/functionalRequirements").unwrap();
    let root = payload(json!({"functionalRequirements": {"a": 1}, "other": {"b": 2}}));
    let rules = [("part", "(return (do (payload/put [:done] true) payload))"), ("Go", CALL)];
    let (report, records) = run(&with_part(root, scope), &scripted_by(&rules)).await;
    assert_eq!(report.value, json!({"a": 1, "done": true}));
    assert_eq!(
        end(&report),
        json!({"functionalRequirements": {"a": 1, "done": true}, "other": {"b": 2}})
    );
    assert_eq!(records[1].payload.as_ref().unwrap().start, json!({"a": 1}));
}

/// M63: write grants begin at the scope.
#[tokio::test]
async fn m63_writes_begin_at_the_scope() {
    let part = PayloadDef::new().with_scope("/in").and_then(|it| it.with_writes(["analysis"]));
    let rules = [("part", "(return (payload/put [:analysis] 1))"), ("Go", CALL)];
    let root = payload(json!({"in": {}, "analysis": 0}));
    let (report, _) = run(&with_part(root, part.unwrap()), &scripted_by(&rules)).await;
    assert_eq!(end(&report), json!({"in": {"analysis": 1}, "analysis": 0}));
}

/// M64: a sub-agent whose scope leads to nothing is not started.
#[tokio::test]
async fn m64_a_missing_scope_starts_no_run() {
    let part = PayloadDef::new().with_scope("/absent").unwrap();
    let rules = [("Go", CALL)];
    let root = with_part(payload(json!({"a": 1})), part).with_max_turns(1);
    let (report, records) = run(&root, &scripted_by(&rules)).await;
    assert_eq!(records.len(), 1);
    assert_eq!(
        report.error.unwrap().message,
        "tool `part`: the scope /absent: expected a value, found nothing at absent"
    );
}

/// M65: a payload that does not fit at the start stops the run before its first request, or warns.
#[tokio::test]
async fn m65_the_start_is_checked() {
    let checked = |check| {
        let payload = payload(json!({"n": "x"})).with_signature("{n :int}").unwrap();
        agent(payload.with_check_start(check).with_check_end(EndCheck::Warn, 0))
    };
    let (report, records) = run(&checked(StartCheck::Fail), &scripted(&[])).await;
    assert_eq!((report.turns, report.stop), (0, Some(Stop::Payload)));
    let problem = "Starting payload validation failed:\n1. n: expected int, found string \"x\"";
    assert_eq!(report.error.unwrap().message, problem);
    let check = records[0].payload.as_ref().unwrap().check.as_ref().unwrap();
    assert_eq!(check.verdict, Verdict::Fail);
    let (report, _) = run(&checked(StartCheck::Warn), &scripted(&["(return 1)"])).await;
    assert_eq!(report.status, Status::Returned);
    assert_eq!(report.warnings[0].message, problem);
}

/// M66, M68: the end is checked, the model tries again, and each outcome is on record.
#[tokio::test]
async fn m66_m68_the_end_is_checked() {
    let checked = |check, retries| {
        let payload = payload(json!({"n": 0})).with_signature("{n :int[1..]}").unwrap();
        agent(payload.with_check_start(StartCheck::Warn).with_check_end(check, retries))
    };
    let outcomes = |records: &[RunRecord]| -> Vec<(Verdict, TurnOutcome)> {
        let turns = records[0].turn_records.iter();
        turns.map(|it| (it.payload_check.as_ref().unwrap().verdict, it.outcome.unwrap())).collect()
    };
    let programs = ["(return 1)", "(do (payload/put [:n] 5) (return 2))"];
    let (report, records) = run(&checked(EndCheck::Retry, 1), &scripted(&programs)).await;
    assert_eq!(
        (report.value.clone(), end(&report)),
        (Data::from(json!(2)), Data::from(json!({"n": 5})))
    );
    assert_eq!(
        outcomes(&records),
        [(Verdict::Retry, TurnOutcome::WrongPayload), (Verdict::Pass, TurnOutcome::Returned)]
    );
    assert!(records[0].turn_records[1].prompt.contains("1. n: expected int of at least 1"));

    let programs = ["(return 1)", "(return 2)"];
    let (report, records) = run(&checked(EndCheck::Retry, 1), &scripted(&programs)).await;
    assert_eq!((report.status, report.stop), (Status::Stopped, Some(Stop::Payload)));
    assert_eq!(outcomes(&records)[1], (Verdict::Fail, TurnOutcome::WrongPayload));
    let (report, _) = run(&checked(EndCheck::Fail, 0), &scripted(&["(return 1)"])).await;
    assert_eq!(report.stop, Some(Stop::Payload));
    let (report, _) = run(&checked(EndCheck::Warn, 0), &scripted(&["(return 1)"])).await;
    assert_eq!((report.status, report.warnings.len()), (Status::Returned, 2));
}

/// M90, M91: a sub-agent sees what it may read and changes what it may write. The rest stays.
#[tokio::test]
async fn m90_m91_a_sub_agent_has_grants() {
    let part =
        PayloadDef::new().with_reads(["order"]).and_then(|it| it.with_writes(["order.*:update"]));
    let part = part.unwrap();
    let root = payload(json!({"order": {"total": 1}, "secret": {"kept": true}}));
    let source = "(return (do (payload/put [] (assoc-in payload [:order :total] 2)) payload))";
    let rules = [("part", source), ("Go", CALL)];
    let (report, _) = run(&with_part(root, part.clone()), &scripted_by(&rules)).await;
    assert_eq!(report.value, json!({"order": {"total": 2}}));
    assert_eq!(end(&report), json!({"order": {"total": 2}, "secret": {"kept": true}}));

    let rules = [
        (
            "part",
            "(return (try (payload/put (vector :other) 1) (catch Exception e (ex-message e))))",
        ),
        ("Go", CALL),
    ];
    let (report, _) =
        run(&with_part(payload(json!({"order": {}})), part), &scripted_by(&rules)).await;
    assert_eq!(
        report.value,
        json!("payload/put other: expected a grant to add other, found order.*:update")
    );
}

/// A sub-agent does not see what the program has changed in the same turn. A warning tells which change it replaced.
#[tokio::test]
async fn a_sub_agent_that_replaces_a_change() {
    let child =
        Agent::workflow("(do (payload/put [:n] 2) (payload/put [:m] 2))").with_name("child");
    let agent = agent(payload(json!({"n": 0})))
        .with_tool(ToolDef::agent(child.with_payload(payload(json!({})))));
    let check = async |source: &str, value: Value, warned: &[&str]| {
        let (report, _) = run(&agent, &scripted(&[source])).await;
        assert_eq!(report.value, value, "{source}");
        let warnings: Vec<String> =
            report.warnings.iter().map(|it| format!("{}: {}", it.code, it.message)).collect();
        assert_eq!(warnings, warned, "{source}");
    };
    let lost = "payload-conflict: a sub-agent changed n without having seen the change of the program, and its \
                change wins";
    let before = "(do (payload/put [:n] 1) (tool/child {}) (return payload/n))";
    check(before, json!(2), &[lost]).await;
    let after = "(do (tool/child {}) (payload/put [:n] 1) (return payload/n))";
    check(after, json!(1), &[]).await;
    let other = "(do (payload/put [:k] 1) (tool/child {}) (return (payload/get [])))";
    check(other, json!({"n": 2, "k": 1, "m": 2}), &[]).await;
}

/// M94: programs of an agent change only what its own grants allow; admission refuses the rest.
#[tokio::test]
async fn m94_own_writes_are_granted() {
    let own = payload(json!({"status": "new"})).with_writes(["results:add", "status:update"]);
    let programs = [
        "(payload/delete [:status])",
        "(do (payload/push [:results] 1) (payload/put [:status] \"done\") (return 1))",
    ];
    let (report, records) = run(&agent(own.unwrap()), &scripted(&programs)).await;
    assert_eq!(records[0].turn_records[0].outcome, Some(TurnOutcome::Rejected));
    assert_eq!(end(&report), json!({"status": "done", "results": [1]}));
}

/// M97: every run has its payload at the start and at the end, and each change with its hash.
#[tokio::test]
async fn m97_changes_are_on_record() {
    let text = "a".repeat(200);
    let root = payload(json!({"text": text}));
    let rules = [("part", "(return (payload/put [:text] \"TBD\"))"), ("Go", CALL)];
    let (_, records) = run(&with_part(root, PayloadDef::new()), &scripted_by(&rules)).await;
    let change = &records[0].turn_records[0].payload_changes[0];
    assert_eq!(change.call.as_deref(), Some("0"));
    assert_eq!(change.hash.len(), 64);
    assert!(!change.suspicious.is_empty());
    let part = records[1].payload.as_ref().unwrap();
    assert_eq!(
        (&part.start, part.end.as_ref().unwrap()),
        (&json!({"text": text}).into(), &json!({"text": "TBD"}).into())
    );
    assert_eq!(records[1].turn_records[0].payload_changes[0].call, None);
    let diff = Diff::between(&part.start, part.end.as_ref().unwrap());
    assert_eq!(records[0].payload_diffs().unwrap(), BTreeMap::from([(1, diff)]));
}

#[tokio::test]
async fn sub_agents_side_by_side_merge_or_conflict() {
    let source = "(return (payload/push [:found] (payload/get [:n] 0)))";
    let both = "(do (pcalls #(tool/part {}) #(tool/part {})) (payload/put [:n] 1) (return (count payload/found)))";
    let root = with_part(payload(json!({"found": []})), PayloadDef::new());
    let (report, _) = run(&root, &scripted_by(&[("part", source), ("Go", both)])).await;
    assert_eq!(
        (report.value.clone(), end(&report)),
        (Data::from(json!(2)), Data::from(json!({"found": [0, 0], "n": 1})))
    );

    let part = |name: &str| {
        let agent = Agent::new(format!("Do the {name}.")).with_name(name);
        ToolDef::agent(agent.with_payload(PayloadDef::new()))
    };
    let root =
        agent(payload(json!({}))).with_max_turns(1).with_tool(part("one")).with_tool(part("two"));
    let rules = [
        ("Do the one", "(return (payload/put [:n] 1))"),
        ("Do the two", "(return (payload/put [:n] 2))"),
        ("Go", "(pcalls #(tool/one {}) #(tool/two {}))"),
    ];
    let (report, _) = run(&root, &scripted_by(&rules)).await;
    assert_eq!(report.error.unwrap().message, "branches 0 and 1 set n differently");
}

/// The changes of a sub-agent stay when the program that called it fails.
#[tokio::test]
async fn a_committed_patch_outlives_a_failed_turn() {
    let rules = [
        ("part", "(return (payload/put [:n] 1))"),
        ("divide", "(return payload/n)"),
        ("Go", "(do (payload/put [:own] 1) (tool/part {}) (/ payload/n 0))"),
    ];
    let (report, _) =
        run(&with_part(payload(json!({})), PayloadDef::new()), &scripted_by(&rules)).await;
    assert_eq!(
        (report.value.clone(), end(&report)),
        (Data::from(json!(1)), Data::from(json!({"n": 1})))
    );
}

#[tokio::test]
async fn a_run_with_snapshots_keeps_its_payload() {
    let programs =
        ["(payload/put [:n] 1)", "(payload/put [:m] (inc payload/n))", "(return payload)"];
    let agent = agent(payload(json!({}))).with_snapshots(true);
    let (report, _) = run(&agent, &scripted(&programs)).await;
    assert_eq!(report.value, json!({"n": 1, "m": 2}));
}

/// M80: a payload of the mission wins over that of the agent.
#[tokio::test]
async fn m80_a_given_payload_wins() {
    let agent = agent(payload(json!({"n": 1})));
    let mission = Mission::new(&agent, json!({})).with_payload(json!({"n": 7}));
    let report = mission.run(&scripted(&["(return payload/n)"])).await.unwrap();
    assert_eq!(report.value, json!(7));
    let plain = Agent::new("Go.");
    let mission = Mission::new(&plain, json!({})).with_payload(json!({}));
    let error = mission.run(&scripted(&[])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
}

/// Agents without a payload have no trace of it in prompts and records.
#[tokio::test]
async fn other_agents_are_unchanged() {
    let plain = Agent::new("Go.").with_max_turns(1);
    let (report, records) = run(&plain, &scripted(&["(return (payload/put [:n] 1))"])).await;
    assert_eq!(report.error.unwrap().message, "this mission has no payload");
    assert!(!records[0].setup.system.contains("payload"));
    let json = serde_json::to_string(&records[0]).unwrap();
    assert!(!json.contains("\"payload"));
}

/// M79, M80, M82: a run continues from the payload of an earlier run, and its record names that run.
#[tokio::test]
async fn m79_m80_m82_a_run_continues_from_a_payload() {
    let store = Store::in_memory().unwrap();
    let agent = agent(payload(json!({"n": 0})));
    let one = "(return (payload/put [:n] (inc payload/n)))";
    let first = Mission::new(&agent, json!({})).record_in(&store);
    let first = first.run(&scripted(&[one])).await.unwrap();
    let earlier = store.payload_of(first.run.as_str()).unwrap();
    let second =
        Mission::new(&agent, json!({})).record_in(&store).continue_payload(earlier.clone());
    let second = second.run(&scripted(&[one])).await.unwrap();
    assert_eq!(second.value, json!(2));
    let record = store.show(second.run.as_str()).unwrap().payload.unwrap();
    assert_eq!(record.from, Some(first.run.clone()));
    assert_eq!(record.start, json!({"n": 1}));
    let third = Mission::new(&agent, json!({})).with_payload(json!({"n": 10}));
    let third = third.continue_payload(earlier).record_in(&store);
    assert_eq!(third.run(&scripted(&[one])).await.unwrap().value, json!(11));
}

/// M81: runs that continue from one another in a circle are refused.
#[tokio::test]
async fn m81_a_circle_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let run = {
        let store = Store::open(file.path()).unwrap();
        let agent = agent(payload(json!({"n": 0})));
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        mission.run(&scripted(&["(return 1)"])).await.unwrap().run
    };
    let change = format!("json_set(data, '$.payload_from', '{run}')");
    assert_eq!(change_events(file.path(), &change, "kind = 'run-started'"), 1);
    let other = Store::open(file.path()).unwrap();
    let error = other.payload_of(run.as_str()).unwrap_err();
    assert_eq!(
        error.message(),
        format!("the payloads of runs form a circle: run {run} is in it twice")
    );
}

/// M83: without the earlier run, the run starts as usual, with a warning.
#[tokio::test]
async fn m83_a_missing_run_is_a_warning() {
    let store = Store::in_memory().unwrap();
    let agent = agent(payload(json!({"n": 5})));
    let earlier = store.payload_of("nothing").unwrap();
    let mission = Mission::new(&agent, json!({})).continue_payload(earlier).record_in(&store);
    let report = mission.run(&scripted(&["(return payload/n)"])).await.unwrap();
    assert_eq!((report.value, report.warnings.len()), (Data::from(json!(5)), 1));
    assert!(report.warnings[0].message.starts_with("no payload to continue from: "));
}

/// A run that stopped after a commit resumes with the same payload.
#[tokio::test]
async fn a_resumed_run_has_the_committed_payload() {
    for snapshots in [false, true] {
        let store = Store::in_memory().unwrap();
        let root = with_part(payload(json!({"log": []})), PayloadDef::new());
        let root = root.with_snapshots(snapshots);
        let mission = Mission::new(&root, json!({})).record_in(&store);
        let first = "(do (payload/push [:log] \"own\") (tool/part {}))";
        // Without a further reply, the run stops for its provider.
        let replies = scripted(&[first, "(return (payload/push [:log] \"part\"))"]);
        let stopped = mission.run(&replies).await.unwrap();
        assert_eq!(stopped.stop, Some(Stop::Provider));
        assert_eq!(end(&stopped), json!({"log": ["own", "part"]}));
        let resume = Resume::of(&store, stopped.run.as_str()).unwrap();
        let mission = resume.mission(&root).unwrap();
        let report = mission.run(&scripted(&["(return payload)"])).await.unwrap();
        assert_eq!(report.value, json!({"log": ["own", "part"]}), "snapshots: {snapshots}");
        let record = store.show(report.run.as_str()).unwrap();
        check_record(&record);
        assert_eq!(record.turn_records[0].payload_changes.len(), 2);
    }
}

/// A record without hidden values has none in the payload.
#[tokio::test]
async fn hidden_fields_of_a_payload_are_covered() {
    let start = json!({"_key": "abcdefgh", "open": 1});
    let source = "(do (payload/put [:_key] \"ijklmnop\") (payload/merge [:in] {:_pin \"12345678\"}) (return 1))";
    let (_, records) = run(&agent(payload(start)), &scripted(&[source])).await;
    let hidden = Hidden::of(&records).unwrap();
    let covered = hidden.cover(&records[0]);
    let kept = serde_json::to_string(&(&covered.payload, &covered.turn_records[0].payload_changes));
    let kept = kept.unwrap();
    for secret in ["abcdefgh", "ijklmnop", "12345678"] {
        assert!(!kept.contains(secret), "{kept}");
    }
    assert!(kept.contains("\"open\":1"));
}

#[tokio::test]
async fn a_program_pays_for_the_changes_of_sub_agents() {
    let push = "(return (count (payload/push [:log] (str/join (repeat 500000 \"x\")))))";
    let root = with_part(payload(json!({"log": []})), PayloadDef::new());
    let model = scripted_by(&[("part", push), ("Go", CALL)]);
    let report = Mission::new(&root, json!({})).run(&model).await.unwrap();
    // One unit for four bytes of JSON, as for the program's own changes.
    assert!(report.fuel > 125_000, "{}", report.fuel);
}

#[test]
fn a_start_has_integers_of_64_bits() {
    let start: Data = r#"{"n": 123456789012345678901}"#.parse().unwrap();
    let error = PayloadDef::new().with_start(start).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Agent);
    let message = "the payload at the start: n: a whole number past 64 bits has no JSON form";
    assert_eq!(error.message(), message);
}

#[test]
fn malformed_payloads() {
    let file = |payload: &str| format!("prompt = \"p\"\n[payload]\n{payload}\n");
    check(
        "a.toml",
        &file("signature = \"{n :nit}\""),
        "a.toml:3:14: the signature of the payload does not parse: unknown type `:nit`",
    );
    check(
        "a.toml",
        &file("writes = [\"order:change\"]"),
        "a.toml:3:10: the grant `order:change`: expected `add`, `update` or `delete` behind `:`, found `change`",
    );
    check(
        "a.toml",
        &file("check_end = \"fail\""),
        "a.toml:2:1: a payload is checked against its `signature`, which is absent",
    );
    check(
        "a.toml",
        &file("signature = \"{n :int}\"\ncheck_start = \"retry\""),
        "a.toml:4:16: expected one of `fail`, `warn`",
    );
    check(
        "a.toml",
        &file("signature = \"{n :int}\"\ncheck_end = \"never\""),
        "a.toml:4:14: expected one of `retry`, `fail`, `warn`",
    );
    check(
        "a.toml",
        &file("scop = \"/a\""),
        "a.toml:3:1: unknown key `scop` | did you mean `scope`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\nanswers = \"json\"\n[payload]\n",
        "a.toml:3:1: an agent with `answers = \"json\"` cannot have a payload",
    );
}
