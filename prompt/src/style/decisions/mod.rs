//! Decisions: the model replies with one JSON object, which ends the mission or says what happens
//! next.

mod envelope;
mod loops;
mod remarks;

use minijinja::context;
use ptc_lisp::ToolDecl;

use self::envelope::{Envelope, NO_PROSE};
use super::json::{is_text, json_of, with_fix};
use super::react::entry;
use super::tools::{capitalized, replies_left};
use super::{
    CallOutcome, DecisionSwitches, Outcome, OutcomeEnd, Plan, Reading, ReplyParts, ReplyProblem,
    Style, StyleRules, Told, lookup, observe, payload,
};
use crate::error::Error;
use crate::memo::Memo;
use crate::problem::Problem;
use crate::system::{self, SystemPrompt};
use crate::text::{one_line, paragraphs};
use crate::{PromptPart, PromptSpec, TurnInfo};

/// The style of decisions as JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionsStyle {
    /// The switches of the prompt.
    pub switches: DecisionSwitches,
}

impl DecisionsStyle {
    /// The style with its whole prompt.
    pub const WHOLE: DecisionsStyle = DecisionsStyle { switches: DecisionSwitches::NONE };

    /// Returns the style with the parts of the prompt that these switches leave on.
    pub fn new(switches: DecisionSwitches) -> DecisionsStyle {
        DecisionsStyle { switches }
    }
}

impl Style for DecisionsStyle {
    fn name(&self) -> &'static str {
        "decisions"
    }

    fn sections(&self) -> &'static [PromptPart] {
        &[
            PromptPart::Role,
            PromptPart::Output,
            PromptPart::Rules,
            PromptPart::Payload,
            PromptPart::Loops,
            PromptPart::Forms,
            PromptPart::Commands,
            PromptPart::References,
            PromptPart::Agents,
            PromptPart::Tools,
        ]
    }

    fn system(&self, spec: &PromptSpec<'_>, _memo: &Memo) -> Result<SystemPrompt, Error> {
        let typed = spec.signature.filter(|it| !is_text(&it.output));
        let answer = typed.map(|it| it.output.to_string());
        let schema = typed.map(|it| it.redacted().output_schema().to_string());
        let is_agent = |tool: &&ToolDecl| spec.agent.sub_agents.contains(&tool.name);
        let callable = spec.tools.iter().filter(|tool| tool.callable);
        let (agents, actions): (Vec<&ToolDecl>, Vec<&ToolDecl>) = callable.partition(is_agent);
        let acts = !agents.is_empty() || !actions.is_empty();
        let (catalogue, actions) = lookup::described(actions, "actions", spec)?;
        let listed = |all: Vec<&ToolDecl>| all.into_iter().map(entry).collect::<Vec<_>>();
        let agent = spec.agent;
        let description = agent.description.map(paragraphs);
        let data = context! {
            name => one_line(agent.name, 200),
            description,
            parent => agent.parent.map(|it| one_line(it, 200)),
            answer,
            schema,
            agents => listed(agents),
            actions => listed(actions),
            catalogue,
            acts,
            payload => spec.payload.is_some(),
            reads_only => spec.payload.is_some_and(|it| !it.can_write),
            writes => spec.payload.and_then(|it| it.writes),
            asks => agent.can_ask,
            questions => remarks::questions(),
            commands => remarks::commands(),
            on => self.switches.effective(),
            loops => loops::LoopLimits::of(&agent).data(),
        };
        system::styled("decisions", self.sections(), &data, spec)
    }

    fn opening(
        &self,
        spec: &PromptSpec<'_>,
        turn: TurnInfo,
        _memo: &Memo,
    ) -> Result<String, Error> {
        let payload = spec.payload.filter(|_| self.rules().shows_payload);
        let opening = payload::opening(&PromptSpec { payload, ..*spec })?;
        Ok(format!("{opening}\n\n{}", replies_left(turn)))
    }

    fn conversation_note(&self) -> &'static str {
        "In `params`, a text such as `conversation.user.last.content` or `conversation.last[5]` becomes those messages."
    }

    fn read(&self, reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading {
        let envelope = match json_of(reply.text).and_then(|it| Envelope::read(&it)) {
            Some(envelope) => envelope,
            None if reply.is_cut_off => return Reading::Problem(ReplyProblem::CutOff),
            None => return form("the reply is not one JSON object", NO_PROSE),
        };
        match envelope.decide(spec) {
            Ok(plan) => Reading::Plan(plan),
            Err((message, fix)) => form(&message, &fix),
        }
    }

    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        let mut parts = Vec::new();
        if let Some(plan) = outcome.plan
            && !plan.calls.is_empty()
        {
            parts.push(match &plan.heading {
                Some(heading) => loops::results(heading, plan, outcome),
                None => results(plan, outcome),
            });
        }
        match &outcome.end {
            OutcomeEnd::Problem { problem, .. } if parts.is_empty() => {
                let why =
                    if turn.ends { "The last reply has a problem" } else { "Retrying due to" };
                parts.push(format!("{why}: {}", problem_text(problem, turn)));
            }
            OutcomeEnd::Value { .. } if parts.is_empty() && !turn.ends => {
                parts.push("Go on with the mission.".to_owned());
            }
            _ => {}
        }
        let notes = outcome.plan.iter().flat_map(|plan| &plan.notes);
        let notes: Vec<String> = notes.map(|it| format!("Note: {}", one_line(it, 500))).collect();
        if !notes.is_empty() {
            parts.push(notes.join("\n"));
        }
        if let Some(payload) = outcome.payload {
            parts.push(payload::after_turn(payload, outcome.payload_changes, outcome.limits));
        }
        if turn.is_last() && !turn.ends {
            parts.push("This is the last turn: set `taskComplete` to true now.".to_owned());
        }
        parts.join("\n\n").into()
    }

    fn expansion_hint(&self) -> &'static str {
        "The step `Retry` with the `messageIndex` {n} shows it whole."
    }

    fn rules(&self) -> StyleRules {
        let shows_payload = self.switches.is_on("payload");
        StyleRules { shows_payload, max_malformed: Some(10), ..StyleRules::default() }
    }
}

fn form(message: &str, fix: &str) -> Reading {
    let (message, fix) = (message.to_owned(), fix.to_owned());
    Reading::Problem(ReplyProblem::Form { message, fix })
}

fn problem_text(problem: &Problem<'_>, turn: TurnInfo) -> String {
    match problem {
        Problem::CutOff => with_fix("your reply stops in the middle", "Write a shorter one.", turn),
        Problem::Form { message, fix } => with_fix(&capitalized(message), fix, turn),
        Problem::WrongReturn { expected, mismatches, .. } => {
            let all = mismatches.iter().take(10).map(|it| format!("- {}", it.redacted()));
            let all: Vec<String> = all.collect();
            format!("the result is not of the type `{expected}`:\n{}", all.join("\n"))
        }
        other => one_line(&other.message(), 1_000),
    }
}

/// Renders the results of actions.
fn results(plan: &Plan, outcome: &Outcome<'_>) -> String {
    let all = plan.calls.iter().zip(outcome.outcomes).map(|(call, made)| {
        let failed = match made {
            CallOutcome::Made(calls) => calls.iter().any(|it| it.outcome.is_err()),
            CallOutcome::Gave(value) => value.is_err(),
            CallOutcome::Refused(_) | CallOutcome::NotMade(_) => true,
        };
        let mark = if failed { "✗" } else { "✓" };
        let text = observe::observation(call, made, outcome.limits);
        (failed, format!("## {} {mark}\n{text}", one_line(&call.name, 200)))
    });
    let all: Vec<(bool, String)> = all.collect();
    let failed = all.iter().filter(|it| it.0).count();
    let title = match failed {
        0 => "Action results:".to_owned(),
        failed => format!("{failed} of {} action(s) failed:", all.len()),
    };
    let all: Vec<String> = all.into_iter().map(|it| it.1).collect();
    format!("{title}\n\n{}", all.join("\n\n"))
}
