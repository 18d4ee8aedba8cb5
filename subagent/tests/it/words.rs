//! The words of records as types, and words of later versions.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use ptc_lisp::{Code, Kind};
use ptc_prompt::Problem;
use ptc_subagent::provider::{Finish, ProviderErrorKind, Scripted};
use ptc_subagent::store::{CallStatus, Filter, Store};
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{
    Agent, ErrorCode, Mission, ProblemKind, RunCode, RunError, Status, Stop, TurnOutcome, Word,
};
use rusqlite::Connection;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::program;

/// Every word parses to its variant, and the variant displays and serializes as the word.
fn check<T>(all: &[T], unknown: impl Fn(&T) -> Option<Word>)
where
    T: Copy + Debug + Display + DeserializeOwned + FromStr + PartialEq + Serialize,
    T::Err: Debug,
{
    let words: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(words.len(), all.len(), "each has a word of its own: {words:?}");
    for it in all {
        assert_eq!(it.to_string().parse::<T>().unwrap(), *it);
        assert_eq!(serde_json::from_value::<T>(json!(it)).unwrap(), *it);
        assert_eq!((json!(it), unknown(it)), (json!(it.to_string()), None));
    }
    for later in ["later", "a-word-of-thirty-one-characters"] {
        let it = serde_json::from_value::<T>(json!(later)).unwrap();
        assert_eq!(unknown(&it).map(|it| it.as_str().to_string()).as_deref(), Some(later));
        assert_eq!((it.to_string().as_str(), json!(it)), (later, json!(later)));
    }
    for none in ["", "two words", "ü", "\u{1b}[31m", "a-word-of-more-than-31-characters"] {
        let error = serde_json::from_value::<T>(json!(none)).unwrap_err().to_string();
        assert_eq!(error, "expected a word of at most 31 printable ASCII characters", "{none}");
    }
}

macro_rules! check {
    ($name:ident, $all:expr) => {
        check::<$name>($all, |it| match it {
            $name::Unknown(word) => Some(*word),
            _ => None,
        })
    };
}

#[test]
fn every_word_is_read_as_it_was_written() {
    check!(Status, Status::ALL);
    check!(Stop, Stop::ALL);
    check!(TurnOutcome, TurnOutcome::ALL);
    check!(CallStatus, CallStatus::ALL);
    check!(Finish, Finish::ALL);
    let kinds: Vec<ProblemKind> = Kind::ALL.iter().map(|it| ProblemKind::from(*it)).collect();
    check!(ProblemKind, &[kinds, vec![ProblemKind::Provider]].concat());
    check::<ErrorCode>(&ErrorCode::all().collect::<Vec<_>>(), |it| match it {
        ErrorCode::Run(RunCode::Unknown(word)) => Some(*word),
        _ => None,
    });
}

#[test]
fn prompt_problems_have_the_codes_that_models_read() {
    let problems = [
        Problem::NoProgram { language: None },
        Problem::Empty,
        Problem::SeveralPrograms { count: 2 },
        Problem::CutOff,
        Problem::NoAnswer,
        Problem::Rejected { diagnostics: &[] },
    ];
    for problem in &problems {
        assert_eq!(ErrorCode::from(problem).as_str(), problem.code());
    }
}

#[test]
fn a_kind_follows_from_the_code() {
    for (code, kind) in [
        (ErrorCode::from(Code::NestingLimit), "limit"),
        (Code::ToolArguments.into(), "signature"),
        (Code::ToolUsedUp.into(), "tool"),
        (ProviderErrorKind::Rate.into(), "provider"),
        (RunCode::Coerced.into(), "signature"),
        (RunCode::TokenBudget.into(), "limit"),
        (RunCode::InDoubt.into(), "tool"),
        (RunCode::NoProgram.into(), "other"),
    ] {
        let error = RunError::new(code, "why");
        assert_eq!(error.kind.as_str(), kind, "{code}");
        let written = serde_json::to_string(&error).unwrap();
        assert_eq!(serde_json::from_str::<RunError>(&written).unwrap(), error);
    }
}

/// A run with words of a later version is listed and shown with them, and does not disturb other runs.
#[tokio::test]
async fn words_of_a_later_version_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let store = Store::open(&path).unwrap();
    let tool = ToolDef::new("save", FnTool::new(async |_: Value, _| Ok(json!(1))))
        .with_signature("() -> :int")
        .unwrap()
        .with_effect(Effect::Write);
    let agent = Agent::new("Save.").with_tool(tool);
    let provider = Scripted::new([program("(return (tool/save {}))")]);
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let run = mission.run(&provider).await.unwrap().run.to_string();

    let db = Connection::open(&path).unwrap();
    let error = r#"{"code":"odd","kind":"newer","message":"m","line":2,"column":3,"help":"h","advice":"a"}"#;
    db.execute_batch(&format!(
        "UPDATE run_heads SET status = 'paused', stop = 'lunch';
         UPDATE event_rows SET data = json_set(data, '$.error', json('{error}')) WHERE kind = 'run-ended';
         UPDATE event_rows SET data = json_set(data, '$.outcome', 'waited', '$.error', json('{error}'))
             WHERE kind = 'turn-ended';
         UPDATE event_rows SET data = json_set(data, '$.finish', 'tired') WHERE kind = 'model-replied';
         UPDATE event_rows SET data = json_set(json_remove(data, '$.result'), '$.error', json('{error}'))
             WHERE kind = 'call-finished';
         INSERT INTO event_rows (run, at, kind, turn, data)
             SELECT run, at, 'warned', 1, json_object('warning', json('{error}')) FROM event_rows LIMIT 1;
         INSERT INTO event_rows (run, at, kind, turn, data)
             SELECT run, at, 'program-rejected', 1, json_object('errors', json('[{error}]')) FROM event_rows LIMIT 1;
         INSERT INTO event_rows (run, at, kind, turn, call, data)
             SELECT run, at, 'dreamt', 1, '7', '{{\"of\": \"sheep\"}}' FROM event_rows LIMIT 1;"
    ))
    .unwrap();

    let [listed] = &store.find(&Filter::default()).unwrap().runs[..] else { panic!("one") };
    assert_eq!(json!([listed.status, listed.stop]), json!(["paused", "lunch"]));
    let record = store.show(&run).unwrap();
    let [turn] = &record.turn_records[..] else { panic!("one") };
    let [call] = &turn.calls[..] else { panic!("one") };
    let error: Value = serde_json::from_str(error).unwrap();
    assert_eq!(
        json!([turn.outcome, turn.finish, call.status, record.warnings[0].code]),
        json!(["waited", "tired", "failed", "odd"])
    );
    assert_eq!(
        json!([record.error, turn.error, turn.rejection, call.error]),
        json!([error, error, [error], error])
    );

    for (sql, message) in [
        ("UPDATE run_heads SET status = 'no word'", "`status` holds \"no word\""),
        (
            "UPDATE run_heads SET status = 'returned';
             UPDATE event_rows SET data = json_set(data, '$.error', 7) WHERE kind = 'turn-ended'",
            "`error` holds 7",
        ),
    ] {
        db.execute_batch(sql).unwrap();
        let message = format!("run {run} cannot be read: {message}");
        assert_eq!(store.show(&run).unwrap_err().message(), message);
    }
}
