//! `ptc work`: waiting runs, real stores and processes.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use rusqlite::Connection;
use serde_json::Value;

use crate::support::Folder;

impl Folder {
    /// Starts a run that waits for 61 seconds, and returns its id.
    pub(crate) fn wait(&self, name: &str) -> String {
        self.wait_with(name, &format!("(do (flow/wait 61000) \"{name} is done\")"))
    }

    /// Starts a run of a program that waits, and returns its id.
    fn wait_with(&self, name: &str, program: &str) -> String {
        self.write_workflow(name, program);
        let output = self.ptc(&["run", &format!("{name}.toml"), "--json", "--quiet"]);
        assert_eq!((output.code, output.stderr.as_str()), (Some(6), ""));
        let report: Value = serde_json::from_str(&output.stdout).expect("is JSON");
        assert_eq!(report["status"], "waiting");
        assert!(report["due"].is_u64());
        report["run"].as_str().expect("is a text").to_owned()
    }

    /// Moves everything on record two minutes into the past.
    pub(crate) fn pass_time(&self) {
        let db = Connection::open(self.path("runs.sqlite")).expect("opens");
        db.execute_batch(
            "UPDATE event_rows SET at = at - 120000;
             UPDATE event_rows SET data = json_set(data, '$.due', json_extract(data, '$.due') - 120000)
             WHERE json_extract(data, '$.due') IS NOT NULL;
             UPDATE run_heads SET ended_at = ended_at - 120000, started_at = started_at - 120000;",
        )
        .expect("changes the times");
    }
}

#[test]
fn a_run_is_resumed_when_it_is_due() {
    let folder = Folder::new();
    let id = folder.wait("one");
    let work = || {
        let output = folder.ptc(&["work", "--once"]);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        output.stdout
    };
    assert_eq!(work(), "");
    folder.pass_time();
    assert_eq!(work(), format!("{id} returned \"one is done\"\n"));
    assert_eq!(work(), "");
    let replayed = folder.ptc(&["replay", &id]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.stdout);
}

#[test]
fn a_run_that_cannot_be_resumed_is_tried_once() {
    let folder = Folder::new();
    let (gone, other) = (folder.wait("gone"), folder.wait("other"));
    std::fs::remove_file(folder.path("gone.toml")).expect("removes");
    folder.pass_time();
    let mut worker = folder.command(&["work"]).stdout(Stdio::piped()).spawn().expect("starts");
    let mut stdout = BufReader::new(worker.stdout.take().expect("is piped"));
    let mut line = || {
        let mut line = String::new();
        stdout.read_line(&mut line).expect("reads");
        line
    };
    let file = folder.path("").canonicalize().expect("is there").join("gone.toml");
    let expected = format!(
        "{gone} the agent file of the run is gone: {}; `ptc resume {gone} --agent AGENT.toml` names another\n",
        file.display()
    );
    assert_eq!(line(), expected);
    assert_eq!(line(), format!("{other} returned \"other is done\"\n"));
    let late = folder.wait("late");
    folder.pass_time();
    assert_eq!(line(), format!("{late} returned \"late is done\"\n"));
    let killed = Command::new("kill").args(["-TERM", &worker.id().to_string()]).status();
    assert!(killed.expect("runs").success());
    assert_eq!(worker.wait().expect("ends").code(), Some(0));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("reads");
    assert_eq!(rest, "");
}

#[test]
fn a_run_whose_workflow_changed_waits_for_a_person() {
    let folder = Folder::new();
    let id = folder.wait_with("long", "(if ctx/state (flow/wait 61000) (flow/continue 1))");
    std::fs::write(folder.path("long.clj"), "(if ctx/state :new (flow/continue 1))")
        .expect("writes");
    folder.pass_time();
    let work = folder.ptc(&["work", "--once"]);
    let expected = format!(
        "{id} the program of run {id} has changed, from line 1 on; `ptc resume {id} --accept-change` continues behind \
         turn 1 with the new program; or restore the old one\n"
    );
    assert_eq!((work.code, work.stdout), (Some(0), expected));
    let resumed = folder.ptc(&["resume", &id, "--accept-change", "--quiet"]);
    assert_eq!((resumed.code, resumed.stdout.as_str()), (Some(0), "\"new\"\n"));
    assert_eq!(folder.ptc(&["work", "--once"]).stdout, "");
    let replayed = folder.ptc(&["replay", &id]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.stdout);
}
