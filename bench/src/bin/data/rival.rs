//! A language beside the others: a process that answers requests for as long as the suite runs.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::Failure;

/// A language, or a build of the language.
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    /// How the names of its programs end; the first one that exists is run.
    endings: &'static [&'static str],
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Rival {
    /// Starts the process of a language.
    pub(crate) fn start(
        name: &'static str,
        endings: &'static [&'static str],
        command: &mut Command,
    ) -> Result<Rival, Failure> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{name} does not start: {error}"))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the process has no pipes".into());
        };
        Ok(Rival { name, endings, child, requests, answers: BufReader::new(answers) })
    }

    /// Returns the program of a row, if this language has one.
    pub(crate) fn program(&self, folder: &Path, row: &str) -> Option<PathBuf> {
        self.endings.iter().map(|end| folder.join(format!("{row}.{end}"))).find(|it| it.exists())
    }

    /// Loads a program with its data, and returns its result.
    pub(crate) fn load(&mut self, program: &Path, ctx: &Value) -> Result<Value, Failure> {
        Ok(self.ask(&json!({"program": program, "ctx": ctx}))?["result"].take())
    }

    /// Loads a text of JSON, and returns its value.
    pub(crate) fn load_json(&mut self, path: &Path) -> Result<Value, Failure> {
        Ok(self.ask(&json!({"json": path}))?["result"].take())
    }

    /// Does a piece of work several times, and returns the mean time in seconds.
    pub(crate) fn time(&mut self, work: &str, times: u64) -> Result<f64, Failure> {
        let answer = self.ask(&json!({"time": work, "times": times}))?;
        answer["seconds"]
            .as_f64()
            .ok_or_else(|| format!("{}: no time in {answer}", self.name).into())
    }

    fn ask(&mut self, request: &Value) -> Result<Value, Failure> {
        writeln!(self.requests, "{request}")?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(format!("{} ended at {request}", self.name).into());
        }
        let answer: Value = serde_json::from_str(&line)?;
        match answer["error"].as_str() {
            Some(error) => Err(format!("{}: {request}: {error}", self.name).into()),
            None => Ok(answer),
        }
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // A process that has ended already is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
