//! The texts for the model of a run: its prompts, the tools that it can call, the outcomes of its replies, and the request
//! for a partial answer. Characters that move or hide text are in none of them.

use ptc_lisp::{ToolDecl, Value, json};
use ptc_prompt::{
    AgentSpec, Grammar, GrammarOptions, MissionMode, Outcome, PayloadSpec, PromptSpec,
    SystemPrompt, Told, ToolOffer, TurnInfo,
};
use ptc_signatures::shown::{escape_owned, escaped_json};
use ptc_signatures::{Enforced, Type};

use super::Programs;
use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::Reply;
use crate::record::{RunError, Stop, TurnOutcome, warnings};
use crate::run::journal::Journal;
use crate::run::turn_end::{ShownPayload, TurnEnd};
use crate::run::turns::{Decision, Rules};
use crate::transcript::{self, Expansions, ResultRule};

impl Programs<'_> {
    /// Returns the system prompt.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Prompt`] if it cannot be rendered.
    pub(in crate::run) fn system(&self) -> Result<SystemPrompt, Error> {
        if self.agent.workflow.is_some() {
            return Ok(SystemPrompt::from(""));
        }
        let ctx = self.prompt_ctx();
        let system = self.style.system(&self.spec(&ctx), &self.agent.memo);
        system.map_err(|error| self.prompt_error(&error))
    }

    /// Returns the first message to the model.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Prompt`] if it cannot be rendered.
    pub(in crate::run) fn opening(&self) -> Result<String, Error> {
        if self.agent.workflow.is_some() {
            return Ok(String::new());
        }
        let ctx = self.prompt_ctx();
        let opening = self.style.opening(&self.spec(&ctx), self.info(1), &self.agent.memo);
        let opening = opening.map_err(|error| self.prompt_error(&error))?;
        if self.earlier.is_empty() {
            return Ok(escape_owned(opening));
        }
        Ok(escape_owned(format!("{}\n\n{opening}", self.earlier)))
    }

    /// Returns the next message to the model about the outcome of a reply. `turn` is the requested turn.
    pub(super) fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        let Told { text, mut results } = self.style.tell(outcome, turn);
        for result in &mut results {
            result.text = escape_owned(std::mem::take(&mut result.text));
        }
        Told { text: escape_owned(text), results }
    }

    fn prompt_error(&self, error: &ptc_prompt::Error) -> Error {
        let name = &self.agent.name;
        Error::new(ErrorKind::Prompt, format!("the prompt of agent `{name}`: {error}"))
    }

    /// Takes the feedback for the program of a workflow, if it was refused or ended in an error.
    pub(in crate::run) fn take_feedback(&mut self) -> Option<String> {
        self.feedback.take()
    }

    /// Returns the message that asks for a partial answer.
    pub(in crate::run) fn summary_request(&self) -> String {
        escape_owned(ptc_prompt::summary_request(self.output()))
    }

    /// Reads the reply to the request for a partial answer. `stopped` is the reason that the run stops without one.
    pub(in crate::run) fn read_summary(
        &self,
        reply: &Reply,
        turn: u32,
        stopped: (Stop, RunError),
        journal: &mut Journal<'_>,
    ) -> Decision {
        let mut end = TurnEnd::new(turn, reply);
        let mode = self.agent.signature_mode;
        let answer = ptc_prompt::read_summary(&reply.text, self.output());
        let enforced = answer.map(|answer| match self.output() {
            Some(output) => output.enforce(answer, mode),
            None => Enforced { value: answer, warnings: Vec::new(), mismatches: Vec::new() },
        });
        match enforced.filter(|it| it.mismatches.is_empty()) {
            Some(enforced) => {
                journal.warn(turn, None, warnings("answer", &enforced.warnings));
                end.outcome = TurnOutcome::Returned;
                let answer = Data::made(enforced.value);
                end.value = Some(answer.to_string());
                end.close(Decision::Return(answer), None, journal)
            }
            None => {
                let (stop, error) = stopped;
                end.outcome = TurnOutcome::NoAnswer;
                end.close(Decision::Stop(stop, error.clone()), Some(error), journal)
            }
        }
    }

    fn output(&self) -> Option<&Type> {
        self.agent.signature.as_ref().map(|signature| &signature.output)
    }

    /// Returns the grammar of the allowed programs; `None` if the model writes no programs.
    pub(in crate::run) fn grammar(&self, options: &GrammarOptions) -> Option<Grammar> {
        let writes = self.rules.writes_programs;
        writes.then(|| ptc_prompt::grammar(&self.spec(&self.prompt_ctx()), options))
    }

    /// Returns the tools that the model can call natively.
    pub(in crate::run) fn offers(&self) -> Vec<ToolOffer> {
        let mut offers = self.style.offers(&self.spec(&self.prompt_ctx()));
        for offer in &mut offers {
            offer.description = escape_owned(std::mem::take(&mut offer.description));
            offer.parameters = escaped_json(std::mem::take(&mut offer.parameters));
        }
        offers
    }

    /// Returns the texts at which the model stops.
    pub(in crate::run) fn stop(&self) -> Vec<String> {
        self.style.stop().iter().map(ToString::to_string).collect()
    }

    /// Returns the input as prompts show it. Programs find more there than the model of another style needs.
    pub(super) fn prompt_ctx(&self) -> Value {
        let writes = self.rules.writes_programs;
        self.shown_ctx(if writes { self.session.ctx() } else { self.ctx.clone() })
    }

    /// Returns whether the value of a program is the answer.
    pub(super) fn is_single_turn(&self) -> bool {
        self.rules.writes_programs && self.agent.is_single_turn()
    }

    fn info(&self, turn: u32) -> TurnInfo {
        let Agent { max_turns, retry_turns, .. } = *self.agent;
        TurnInfo { turn, max_turns, retry_turns, ends: false }
    }

    /// Returns the position of the turn after `turn`, for the message about the outcome of that.
    pub(super) fn info_after(&self, turn: u32, is_wrong_return: bool) -> TurnInfo {
        let ends = Rules::of(self.agent).asks_for_summary(turn, is_wrong_return);
        TurnInfo { ends, ..self.info(turn.saturating_add(1)) }
    }

    /// Returns whether the model is told that a value would be an answer. Where every value is one, that says nothing.
    pub(super) fn tells_of_answers(&self) -> bool {
        let signature = self.agent.signature.as_ref().filter(|_| self.rules.writes_programs);
        signature.is_some_and(|it| !matches!(it.output, Type::Any))
    }

    /// Returns a value as an answer, if it matches the signature.
    pub(super) fn as_answer(&self, value: &Value) -> Option<Data> {
        let json = json::plain(value).ok()?;
        let Some(signature) = &self.agent.signature else { return Some(Data::made(json)) };
        let enforced = signature.output.enforce_data(value, json, self.agent.signature_mode);
        enforced.mismatches.is_empty().then_some(Data::made(enforced.value))
    }

    /// Returns the payload that messages to the model may show.
    pub(super) fn shown_payload(&self) -> Option<ShownPayload> {
        let payload = self.payload.as_ref().filter(|_| self.rules.shows_payload)?;
        let (now, always) = (payload.committed().value(), !self.transcript_rules().is_whole());
        Some(ShownPayload::of(self.payload_before.as_ref(), now, always))
    }

    /// Returns the rules about the part of the conversation that is sent.
    pub(in crate::run) fn transcript_rules(&self) -> transcript::Rules {
        let tools = self.tools.iter().filter(|it| it.result != ResultRule::default());
        let tools = tools.map(|it| (it.name.clone(), it.result.clone())).collect();
        let transcript = self.agent.transcript.clone();
        transcript::Rules { transcript, tools, hint: self.style.expansion_hint(), besides: 0 }
    }

    /// Sets the messages that the next program can have sent whole again.
    pub(in crate::run) fn set_expansions(&mut self, expansions: Expansions) {
        self.expansions = expansions;
    }

    /// Returns whether messages of the conversation may be shortened, and the model can get them back.
    fn can_expand(&self) -> bool {
        let transcript = &self.agent.transcript;
        let may_shorten =
            !transcript.is_whole() || self.tools.iter().any(|it| it.result.result_turns.is_some());
        may_shorten && !self.style.expansion_hint().is_empty()
    }

    pub(super) fn spec<'s>(&'s self, ctx: &'s Value) -> PromptSpec<'s> {
        PromptSpec {
            agent: AgentSpec {
                name: &self.agent.name,
                description: self.agent.description.as_deref(),
                parent: self.caller,
                sub_agents: &self.sub_agents,
                can_ask: self.agent.can_ask,
                can_expand: self.can_expand(),
                withheld: &self.withheld_names,
                max_calls: Some(self.agent.limits.tool_calls.into()),
                max_calls_at_once: Some(self.agent.limits.calls_in_flight.into()),
            },
            mission: &self.agent.prompt,
            mode: if self.is_single_turn() { MissionMode::SingleTurn } else { MissionMode::Agent },
            ctx,
            payload: self.payload.as_ref().map(|payload| {
                let spec = payload.spec();
                let value = self.withheld_payload.as_ref().unwrap_or(spec.value);
                PayloadSpec { value, ..spec }
            }),
            signature: self.agent.signature.as_ref(),
            tools: self.shown_tools(),
            limits: self.agent.prompt_limits,
            sections: Some(&self.agent.sections),
            instructions: &self.agent.instructions,
        }
    }

    /// Returns the tools that prompts show. The session has them before the others.
    fn shown_tools(&self) -> &[ToolDecl] {
        let tools = self.session.tools();
        tools.get(..tools.partition_point(|it| it.shown)).unwrap_or_default()
    }

    /// Returns the mission as the prompt has it. A workflow has none.
    pub(super) fn mission(&self) -> String {
        match &self.agent.workflow {
            Some(_) => String::new(),
            // A mission that cannot be rendered is an error of the prompt, before any program runs.
            None => ptc_prompt::mission(&self.spec(&self.prompt_ctx())).unwrap_or_default(),
        }
    }
}
