//! Direct answers: replies that are JSON or a text. No program runs, and the model cannot call tools.

use ptc_lisp::Value;
use ptc_prompt::{AnswerProblem, MissionMode, PromptSpec, SystemPrompt, TurnInfo};
use ptc_signatures::Enforced;

use super::event::{Event, TurnOutcome};
use super::journal::Journal;
use super::report::{RunError, Stop, warnings};
use super::turns::{Decision, Tell};
use crate::agent::Agent;
use crate::error::{Error, ErrorKind};
use crate::provider::{Finish, Reply};

/// The answer style that reads a reply as the answer itself.
pub(super) struct JsonAnswers<'a> {
    agent: &'a Agent,
    input: Value,
}

impl<'a> JsonAnswers<'a> {
    /// Creates the style for one agent and its checked input.
    pub(super) fn new(agent: &'a Agent, input: Value) -> JsonAnswers<'a> {
        JsonAnswers { agent, input }
    }

    /// Returns the system prompt.
    pub(super) fn system(&self) -> Result<SystemPrompt, Error> {
        ptc_prompt::answer_system(&self.spec()).map_err(|error| self.prompt_error(&error))
    }

    /// Returns the first message to the model.
    pub(super) fn opening(&self) -> Result<String, Error> {
        ptc_prompt::answer_opening(&self.spec()).map_err(|error| self.prompt_error(&error))
    }

    /// Decides whether a reply is an acceptable answer.
    pub(super) fn decide(&self, reply: &Reply, turn: u32, journal: &mut Journal<'_>) -> Decision {
        let output = self.agent.signature.as_ref().map(|signature| &signature.output);
        let json = match reply.finish {
            Finish::Length => return self.ask_again(&AnswerProblem::CutOff, turn, journal),
            _ => ptc_prompt::read_answer(&reply.text, output),
        };
        let Some(mut answer) = json else {
            return self.ask_again(&AnswerProblem::NoJson, turn, journal);
        };
        if let Some(expected) = output {
            let enforced = expected.enforce(answer, self.agent.signature_mode);
            let Enforced { value, warnings: found, mismatches } = enforced;
            if !mismatches.is_empty() {
                let problem = AnswerProblem::Mismatch { expected, mismatches: &mismatches };
                return self.ask_again(&problem, turn, journal);
            }
            journal.warn(turn, None, warnings("answer", &found));
            answer = value;
        }
        end_turn(journal, turn, TurnOutcome::Returned, Some(answer.to_string()), None);
        Decision::Return(answer)
    }

    fn ask_again(
        &self,
        problem: &AnswerProblem<'_>,
        turn: u32,
        journal: &mut Journal<'_>,
    ) -> Decision {
        let outcome = match problem {
            AnswerProblem::Mismatch { .. } => TurnOutcome::WrongReturn,
            _ => TurnOutcome::NoAnswer,
        };
        let error = RunError::new(problem, problem.message());
        end_turn(journal, turn, outcome, None, Some(error.clone()));
        let message = ptc_prompt::answer_feedback(problem, self.info(turn + 1));
        // Only turns are used up: the model may correct any problem in its next answer.
        Decision::Tell(Tell {
            message,
            stop: Stop::Turns,
            error,
            is_wrong_return: true,
            value: None,
        })
    }

    fn info(&self, turn: u32) -> TurnInfo {
        let Agent { max_turns, retry_turns, .. } = *self.agent;
        TurnInfo { turn, max_turns, retry_turns }
    }

    fn spec(&self) -> PromptSpec<'_> {
        PromptSpec {
            mission: &self.agent.prompt,
            mode: MissionMode::SingleTurn,
            ctx: &self.input,
            signature: self.agent.signature.as_ref(),
            tools: &[],
            limits: self.agent.prompt_limits,
            payload: None,
            sections: None,
        }
    }

    fn prompt_error(&self, error: &ptc_prompt::Error) -> Error {
        let name = &self.agent.name;
        Error::new(ErrorKind::Prompt, format!("the prompt of agent `{name}`: {error}"))
    }
}

fn end_turn(
    journal: &mut Journal<'_>,
    turn: u32,
    outcome: TurnOutcome,
    value: Option<String>,
    error: Option<RunError>,
) {
    let (fuel, tool_calls, bounds) = (0, 0, Vec::new());
    journal.came_to(Event::TurnEnded { turn, outcome, value, error, fuel, tool_calls, bounds });
}
