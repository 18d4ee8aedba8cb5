//! Programs: the model writes one fenced program.

use super::{Outcome, OutcomeEnd, Reading, ReplyParts, ReplyProblem, Style, StyleRules, Told};
use crate::error::Error;
use crate::memo::Memo;
use crate::system::PROGRAM;
use crate::{
    PromptPart, PromptSpec, SystemPrompt, TurnInfo, extract, feedback_again, observation, repaired,
};

/// The style of programs.
#[derive(Clone, Copy, Debug)]
pub struct ProgramStyle;

impl Style for ProgramStyle {
    fn name(&self) -> &'static str {
        "program"
    }

    fn sections(&self) -> &'static [PromptPart] {
        PROGRAM
    }

    fn system(&self, spec: &PromptSpec<'_>, memo: &Memo) -> Result<SystemPrompt, Error> {
        memo.system(spec)
    }

    fn opening(&self, spec: &PromptSpec<'_>, turn: TurnInfo, memo: &Memo) -> Result<String, Error> {
        Ok(memo.opening(spec, turn))
    }

    fn conversation_note(&self) -> &'static str {
        "Programs read whole messages: `(conversation/last :user 5)`, `(:content (conversation/last))`."
    }

    fn read(&self, reply: &ReplyParts<'_>, _spec: &PromptSpec<'_>) -> Reading {
        match extract(reply.text) {
            Ok(it) => {
                let notes = it.notes.iter().map(ToString::to_string).collect();
                Reading::Program { source: it.program, notes }
            }
            Err(_) if reply.is_cut_off => Reading::Problem(ReplyProblem::CutOff),
            Err(error) => Reading::Problem(ReplyProblem::Program(error)),
        }
    }

    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        let message = match &outcome.end {
            OutcomeEnd::Value { value, prints, calls, is_answer } => {
                observation(value, prints, calls, *is_answer, turn, outcome.limits)
            }
            OutcomeEnd::Problem { problem, times } => feedback_again(problem, turn, *times),
        };
        match outcome.repair {
            Some(repair) => repaired(repair, &message).into(),
            None => message.into(),
        }
    }

    fn expansion_hint(&self) -> &'static str {
        "`(transcript/expand {n})` shows it whole."
    }

    fn rules(&self) -> StyleRules {
        StyleRules { writes_programs: true, ..StyleRules::default() }
    }
}
