//! One run of a case, and its judgement.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use ptc_lisp::Effect;

use super::{Case, Comparison, ToolUse, TrialMission, compare, recorded};
use crate::agent::{Agent, RunSettings};
use crate::data::Data;
use crate::error::Error;
use crate::eval::Sandbox;
use crate::provider::Provider;
use crate::record::{Event, RunReport, Status};
use crate::run::Mission;
use crate::store::Store;

/// A run of a case, and whether its answer is right.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Whether the run returned the expected value and made the expected calls that write.
    pub is_right: bool,
    /// The report of the run.
    pub report: RunReport,
    /// The code of each turn that did not end the run as expected, in order. A wrong answer has the code
    /// `wrong-answer`, wrong calls have `wrong-calls`.
    pub problems: Vec<String>,
    /// The number of requests to models, with those of sub-agents.
    pub requests: u64,
    /// The input tokens of the first request, as the provider counts them.
    pub prompt_tokens: u64,
    /// The successful calls of tools that write, in the order of their ends.
    pub writes: Vec<ToolUse>,
    /// The time that the run took.
    pub duration: Duration,
}

/// Collects the successful calls of tools that write, while a mission runs.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    tools: Vec<String>,
    open: Vec<(String, ToolUse)>,
    made: Vec<ToolUse>,
}

impl TrialMission {
    /// Runs a case with a model and judges its answer. The run is recorded if there is a store. The tools of a recorded case
    /// answer from its record.
    ///
    /// `agent` is that of the mission, perhaps changed. `settings` are those of the run.
    ///
    /// # Errors
    ///
    /// The errors of [`Mission::run`].
    pub async fn attempt<P: Provider + ?Sized>(
        &self,
        agent: &Agent,
        case: &Case,
        settings: &RunSettings,
        provider: &P,
        store: Option<&Store>,
    ) -> Result<Attempt, Error> {
        let agent = &*match case.record {
            Some(_) => Cow::Owned(recorded::with_tools(agent, &case.tools)),
            None => Cow::Borrowed(agent),
        };
        let (mut problems, mut prompt_tokens, mut writes) = (Vec::new(), 0, Writes::of(agent));
        let mut mission = Mission::new(agent, case.input.clone()).with_settings(settings.clone());
        if let Some(store) = store {
            mission = mission.record_in(store);
        }
        let began = Instant::now();
        let (mut root, mut requests) = (None, 0);
        let report = mission
            .observe(|run, event| {
                requests += u64::from(matches!(event, Event::ModelAsked { .. }));
                // Sub-agents have turns and calls of their own.
                if root.get_or_insert_with(|| run.clone()) != run {
                    return;
                }
                match event {
                    Event::ModelReplied { turn: 1, reply, .. } => {
                        prompt_tokens = reply.usage.map_or(0, |it| it.input_tokens);
                    }
                    Event::TurnEnded { outcome, error, .. } => {
                        let code = error.as_ref().map_or(outcome.as_str(), |it| it.code.as_str());
                        problems.push(code.to_owned());
                    }
                    event => writes.note(event),
                }
            })
            .run(provider)
            .await?;
        let duration = began.elapsed();
        let writes = writes.made;
        let has_returned = report.status == Status::Returned;
        // The report has the end of the last turn.
        problems.pop();
        let is_right = has_returned && {
            let value = self.accepts_value(case, &report.value).await;
            let calls = compare::same_calls(&case.calls, &writes);
            problems.extend((!value).then(|| "wrong-answer".to_owned()));
            problems.extend((!calls).then(|| "wrong-calls".to_owned()));
            value && calls
        };
        if !has_returned {
            let fail = report.fail.as_ref().map(|fail| format!("fail:{}", fail.reason));
            let code = report.error.as_ref().map(|error| error.code.to_string());
            problems.extend(fail.or(code));
        }
        Ok(Attempt { is_right, report, problems, requests, prompt_tokens, writes, duration })
    }

    /// Returns whether a value and the calls that wrote are the expected ones of a case.
    pub async fn accepts(&self, case: &Case, value: &Data, writes: &[ToolUse]) -> bool {
        compare::same_calls(&case.calls, writes) && self.accepts_value(case, value).await
    }

    async fn accepts_value(&self, case: &Case, value: &Data) -> bool {
        match &self.comparison {
            Comparison::Exact => compare::same_answer(value, &case.expected, 0.0),
            Comparison::Tolerance(most) => compare::same_answer(value, &case.expected, *most),
            Comparison::Check(program) => {
                let ctx = Data::default().with("value", value.clone());
                let ctx = ctx.with("expected", case.expected.clone());
                let ctx = ctx.with("input", case.input.clone()).into_value();
                let sandbox = Sandbox { ctx, ..Sandbox::default() };
                let mut session = sandbox.session();
                let never = std::future::pending();
                let evaluation = sandbox.evaluate(&mut session, program, false, never).await;
                evaluation.value == Some(ptc_lisp::Value::Bool(true))
            }
        }
    }
}

impl Writes {
    /// Creates a collection for the tools of an agent that write.
    pub fn of(agent: &Agent) -> Writes {
        let tools = agent.tools.iter().filter(|tool| tool.effect() == Effect::Write);
        Writes { tools: tools.map(|tool| tool.name.clone()).collect(), ..Writes::default() }
    }

    /// Notes a call that starts or ends; ignores other events.
    pub fn note(&mut self, event: &Event) {
        match event {
            Event::CallStarted { call, tool, args, .. } if self.tools.contains(tool) => {
                let args = args.clone();
                self.open.push((call.clone(), ToolUse { tool: tool.clone(), args }));
            }
            Event::CallFinished { call, result, .. } => {
                if let Some(at) = self.open.iter().position(|(open, _)| open == call) {
                    let (_, made) = self.open.remove(at);
                    self.made.extend(result.is_ok().then_some(made));
                }
            }
            _ => {}
        }
    }

    /// Returns the successful calls, in the order of their ends.
    pub fn made(&self) -> &[ToolUse] {
        &self.made
    }
}
