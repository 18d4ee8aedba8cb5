//! Reading a store while others delete from it, and with invalid rows.

use ptc_subagent::provider::Scripted;
use ptc_subagent::store::{Filter, Prune, Store};
use ptc_subagent::{Agent, Error, ErrorKind, Mission};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{exported, program};

/// Creates a store file with `count` runs. Returns their ids, oldest first.
async fn with_runs(count: usize) -> (TempDir, Store, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("runs.sqlite")).unwrap();
    let mut runs = Vec::new();
    for _ in 0..count {
        let agent = Agent::new("Answer.").with_max_turns(1);
        let provider = Scripted::new([program("(println 1) (return 1)")]);
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        runs.push(mission.run(&provider).await.unwrap().run.to_string());
        // Ids sort by the millisecond.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    (folder, store, runs)
}

fn set(folder: &TempDir, sql: &str, run: &str) {
    let db = Connection::open(folder.path().join("runs.sqlite")).unwrap();
    assert_eq!(db.execute(sql, [run]).unwrap(), 1, "{sql}");
}

fn listed(store: &Store) -> (Vec<String>, Value) {
    let found = store.find(&Filter::default()).unwrap();
    let runs = found.runs.iter().map(|it| it.run.to_string()).collect();
    (runs, json!(found.damaged))
}

#[tokio::test]
async fn a_concurrent_deletion_does_not_break_a_read() {
    let (folder, store, runs) = with_runs(2).await;
    let path = folder.path().join("runs.sqlite");
    let ids = runs.clone();
    let read = store.read(move |snapshot| {
        let found = snapshot.find(&Filter::default())?;
        let mut what = Prune::default();
        what.runs.clone_from(&ids);
        assert_eq!(Store::open(&path)?.prune(&what)?.runs, 2);
        let mut all = Vec::new();
        for run in &found.runs {
            all.extend(snapshot.family(run.run.as_str())?);
            all.extend(snapshot.tree(run.run.as_str())?);
            all.push(snapshot.show(run.run.as_str())?);
        }
        Ok::<_, Error>(all)
    });
    let read: Vec<String> = read.unwrap().iter().map(|it| it.summary.run.to_string()).collect();
    assert_eq!(read, [vec![runs[1].clone(); 3], vec![runs[0].clone(); 3]].concat());
    assert_eq!(listed(&store), (vec![], json!([])));
}

/// Damages the newest of three runs and reads the store.
async fn check_damage(sql: &str, message: &str) {
    let (folder, store, runs) = with_runs(3).await;
    let newest = &runs[2];
    set(&folder, sql, newest);
    let is_listed = sql.contains("event_rows");
    let (found, damaged) = listed(&store);
    let others = vec![runs[1].clone(), runs[0].clone()];
    if is_listed {
        // A list does not read events.
        assert_eq!((found.len(), damaged), (3, json!([])), "{sql}");
    } else {
        assert_eq!((&found, damaged), (&others, json!([{"run": newest, "message": message}])));
        let mut one = Filter::default();
        one.limit = Some(1);
        let one = store.find(&one).unwrap().runs;
        assert_eq!(one[0].run.as_str(), runs[1], "it takes no place of another");
    }

    let error = store.show(newest).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DamagedRun);
    assert_eq!(error.message(), format!("run {newest} cannot be read: {message}"));
    let help = format!("`ptc runs prune {newest}` deletes it; the other runs are intact");
    assert_eq!(error.help(), Some(help.as_str()));
    assert_eq!(store.show(&runs[0]).unwrap().turn_records.len(), 1);

    if !is_listed {
        let mut what = Prune::default();
        what.keep = Some(1);
        assert_eq!(store.prune(&what).unwrap().runs, 1);
        assert_eq!(listed(&store).0, [runs[1].clone()], "the newest that can be read is kept");
        assert_eq!(store.show(newest).unwrap_err().kind(), ErrorKind::DamagedRun);
    }
    let mut what = Prune::default();
    what.runs = vec![newest.clone()];
    assert_eq!(store.prune(&what).unwrap().runs, 1);
    assert_eq!(store.show(newest).unwrap_err().kind(), ErrorKind::UnknownRun);
}

#[tokio::test]
async fn a_damaged_row_hides_no_other_run() {
    for (change, message) in [
        ("turns = -998", "`turns` holds -998"),
        ("turns = 4294967296", "`turns` holds 4294967296"),
        ("fuel = -1", "`fuel` holds -1"),
        ("started_at = -5", "`started_at` holds -5"),
        ("cost = -1", "`cost` holds -1"),
        ("parent = id, parent_call = 'c1'", "`parent_turn` holds nothing"),
        ("origin = id, origin_turns = -1", "`origin_turns` holds -1"),
    ] {
        check_damage(&format!("UPDATE run_heads SET {change} WHERE id = ?1"), message).await;
    }
    for (change, kind, message) in [
        ("data = json_set(data, '$.fuel', -1)", "turn-ended", "`fuel` holds -1"),
        ("data = json_set(data, '$.error', 7)", "turn-ended", "`error` holds 7"),
        ("data = '{\"outcome\":'", "turn-ended", "`data` holds {\"outcome\":"),
        (
            "data = '{\"text#\":-7}'",
            "model-replied",
            "`text` holds the number of a text that is not there",
        ),
        ("turn = NULL", "printed", "`turn` holds nothing"),
        ("turn = 9", "printed", "`printed` precedes the event that it belongs to"),
        ("kind = 'dreamt'", "run-started", "the first event is `dreamt`"),
    ] {
        let which = "run = (SELECT seq FROM run_heads WHERE id = ?1)";
        let sql = format!("UPDATE event_rows SET {change} WHERE kind = '{kind}' AND {which}");
        check_damage(&sql, message).await;
    }
}

/// Replaces a text in an export and corrects its hash.
fn replaced(file: &str, from: &str, to: &str) -> String {
    let (rows, _) = file.trim_end().rsplit_once('\n').unwrap();
    let rows = format!("{}\n", rows.replacen(from, to, 1));
    assert_ne!(file, rows, "{from}");
    let hash = blake3::hash(rows.as_bytes()).to_hex();
    format!("{rows}{}\n", json!({"blake3": hash.as_str()}))
}

#[tokio::test]
async fn a_file_with_a_damaged_run_is_not_taken() {
    let (_folder, store, runs) = with_runs(1).await;
    let run = &runs[0];
    let file = exported(&store, run);
    let other = Store::in_memory().unwrap();
    let check = |from: &str, to: &str, expected: &str| {
        let file = replaced(&file, from, to);
        let error = other.import(None, std::io::Cursor::new(file)).unwrap_err();
        assert_eq!(error.to_string(), expected.replace("RUN", run));
        assert_eq!(listed(&other), (vec![], json!([])));
    };
    let cannot = |what: &str| format!("line LINE: {what}");
    let check = |from: &str, to: &str, behind: usize, what: &str| {
        let at = file.lines().position(|line| line.contains(from)).unwrap() + 1 + behind;
        check(from, to, &cannot(what).replace("LINE", &at.to_string()));
    };
    check("\"tool_calls\":0,\"turns\":1", "\"turns\":-998", 0, "`turns` holds -998");
    check("\"agent\":", "\"origin\":7,\"agent\":", 0, "`origin` holds 7");
    check(
        "\"event\":\"turn-started\"",
        "\"event\":\"turn-dreamt\"",
        1,
        "run RUN cannot be read: `model-asked` precedes the event that it belongs to",
    );
    let two = format!("{file}{file}");
    let error = other.import(None, std::io::Cursor::new(two)).unwrap_err();
    let lines = file.lines().count();
    let goes_on =
        |at: usize| format!("line {at}: there is more data after the last line of the export");
    assert_eq!(error.to_string(), goes_on(lines + 1));
    let error = other.import(None, std::io::Cursor::new(format!("{file}\n"))).unwrap_err();
    assert_eq!(error.to_string(), goes_on(lines + 1));
    assert_eq!(listed(&other), (vec![], json!([])));
}
