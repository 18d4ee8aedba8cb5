//! The programs of a workflow's turns on record, and their change while a run was open.

use super::{ProgramChange, RecordedRun};
use crate::agent::Workflow;
use crate::provider::Reply;
use crate::record::{ProgramRecord, TurnOutcome, TurnRecord};

impl RecordedRun {
    /// Continues the run with another program, from the snapshot after the turn `after`.
    pub(crate) fn change_program(&mut self, after: u32, program: String) {
        let last = self.record.turn_records.last().map_or(0, |it| it.turn);
        let new = ProgramRecord { turn: last.max(after) + 1, program };
        self.change = Some(ProgramChange { after, new });
    }

    /// Replaces the program of the workflow from the last turn on.
    pub(crate) fn replace_program(&mut self, program: String) {
        let turn = self.record.turn_records.last().map_or(1, |it| it.turn);
        self.replace_reply(None);
        self.record.programs.retain(|it| it.turn < turn);
        self.record.programs.push(ProgramRecord { turn, program });
    }

    /// Returns the program of a turn. Without a change on record, it is that of the agent.
    fn program_of<'p>(&'p self, turn: u32, workflow: &'p Workflow) -> &'p str {
        let has_changed = self.programs().next().is_some();
        let on_record = self.program_on_record(turn).filter(|_| has_changed);
        on_record.unwrap_or(&workflow.program)
    }

    /// Returns the program of a turn, as the record has it.
    pub(crate) fn program_on_record(&self, turn: u32) -> Option<&str> {
        let newest = self.programs().rfind(|it| it.turn <= turn);
        let at_start = || self.record.setup.definition.as_ref()?.get("program")?.as_str();
        newest.map(|it| it.program.as_str()).or_else(at_start)
    }

    /// Makes the programs of the turns on record those of a new run, which continues with the program of `workflow`.
    pub(crate) fn branch_programs(&mut self, workflow: &Workflow) {
        if self.record.programs.is_empty() {
            return;
        }
        let last = self.record.turn_records.last().map_or(0, |it| it.turn);
        let program = self.program_of(0, workflow).to_string();
        let mut programs = vec![ProgramRecord { turn: 1, program }];
        programs.append(&mut self.record.programs);
        programs.retain(|it| it.turn <= last);
        programs.push(ProgramRecord { turn: last + 1, program: workflow.program.clone() });
        self.record.programs = programs;
    }

    /// Forgets the changes of the program, so that every turn runs the program of the agent.
    pub(crate) fn forget_programs(&mut self) {
        self.record.programs.clear();
    }

    /// Returns the record of a turn that the run does not go through, since its program changed.
    pub(in crate::run) fn abandoned(&self, turn: u32) -> Option<&TurnRecord> {
        let is_left = |it: &ProgramChange| (it.after + 1..it.new.turn).contains(&turn);
        let is_open = self.change.as_ref().is_some_and(is_left);
        self.turn(turn).filter(|it| is_open || it.outcome == Some(TurnOutcome::Abandoned))
    }

    /// Returns the program with which a turn begins, if it is not the one before.
    pub(in crate::run) fn program_from(&self, turn: u32) -> Option<&str> {
        self.programs().rfind(|it| it.turn == turn).map(|it| it.program.as_str())
    }

    /// Returns the program of a turn of a workflow as its reply; `None` if the turn was abandoned.
    pub(in crate::run) fn workflow_reply(&self, turn: u32, workflow: &Workflow) -> Option<Reply> {
        let is_run = self.abandoned(turn).is_none();
        is_run.then(|| Reply::new(self.program_of(turn, workflow)))
    }

    /// Returns the programs that replaced an earlier one, in the order of their turns.
    fn programs(&self) -> impl DoubleEndedIterator<Item = &ProgramRecord> {
        self.record.programs.iter().chain(self.change.as_ref().map(|it| &it.new))
    }
}
