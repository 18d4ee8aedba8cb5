//! A record with those of its sub-agents.

use ptc_lisp::json;

use super::event::Parent;
use super::names::{APPROVE, CONFIRM};
use super::question::{OpenQuestion, QuestionKind, approval, confirmation};
use super::run::{CallRecord, RunRecord, RunSummary};
use crate::data::Data;
use crate::form::Form;

/// The record of a run, with the records of the runs that its programs started.
#[derive(Debug)]
pub(crate) struct RunTree {
    pub(crate) record: RunRecord,
    pub(crate) children: Vec<RunTree>,
}

impl RunTree {
    /// Returns the record of the run, then those of the runs below it, each before the runs that it called.
    pub(crate) fn into_records(self) -> Vec<RunRecord> {
        let mut open = vec![self];
        let mut records = Vec::new();
        while let Some(RunTree { record, mut children, .. }) = open.pop() {
            records.push(record);
            children.reverse();
            open.append(&mut children);
        }
        records
    }

    /// Returns the open questions of the run and its sub-agents.
    pub(crate) fn open_questions(&self) -> Vec<OpenQuestion> {
        let mut all = Vec::new();
        self.add_open_questions(&mut all);
        // The report of a waiting run has them as they were asked; the calls have less.
        for open in &mut all {
            if let Some(asked) = self.record.questions.iter().find(|it| it.id == open.id) {
                open.clone_from(asked);
            }
        }
        all
    }

    /// Returns the run that a path of calls leads to.
    pub(crate) fn at<'a>(&self, path: impl Iterator<Item = &'a Parent>) -> Option<&RunTree> {
        path.fold(Some(self), |run, it| run?.child(it.turn, &it.call))
    }

    fn add_open_questions(&self, all: &mut Vec<OpenQuestion>) {
        for turn in self.record.open_turns() {
            for call in turn.calls.iter().filter(|it| it.ended.is_none()) {
                if call.is_question() {
                    all.extend(recorded_question(&self.record.summary, turn.turn, call));
                } else if let Some(child) = self.child(turn.turn, &call.call) {
                    child.add_open_questions(all);
                }
            }
        }
    }

    /// Returns the run of the sub-agent that answers a call.
    fn child(&self, turn: u32, call: &str) -> Option<&RunTree> {
        self.children.iter().find(|child| {
            let parent = child.record.summary.parent.as_ref();
            parent.is_some_and(|it| it.turn == turn && it.call == call)
        })
    }
}

/// Returns the question of an open call of a record; `None` if its form cannot be read.
fn recorded_question(run: &RunSummary, turn: u32, call: &CallRecord) -> Option<OpenQuestion> {
    let args = call.args.value();
    let text = |key: &str| args.get(key)?.as_str().map(str::to_string);
    let (kind, form) = match text("tool").zip(text("effect")) {
        Some((tool, effect)) if call.tool == CONFIRM => {
            let about = Data::of_program(args.get("args")?).ok()?;
            (QuestionKind::Call, confirmation(&tool, &effect, &about, None, "", &call.labels))
        }
        _ if call.tool == APPROVE => (QuestionKind::Program, approval(&text("program")?, None, "")),
        _ => (QuestionKind::Form, Form::read(&json::to_serde(args).ok()?).ok()?),
    };
    Some(OpenQuestion {
        id: format!("{}.{turn}.{}", run.run, call.call),
        run: run.run.clone(),
        agent: run.agent.clone(),
        kind,
        form: form.to_json(),
        expires: form.expires.map(|ms| call.started_at.saturating_add(ms)),
    })
}
