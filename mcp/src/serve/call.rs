//! One call of a client: its run, and the questions that the run asks.

use std::collections::BTreeMap;

use ptc_subagent::host::{Decisions, Start};
use ptc_subagent::provider::Provider;
use ptc_subagent::replay::Resume;
use ptc_subagent::{Agent, Data, Error, ErrorKind, RunReport, Status};
use rmcp::model::{InputRequiredResult, InputResponses};
use rmcp::service::{RequestContext, RoleServer};

use super::elicit::{self, Asked, Asking};
use super::progress::Progress;
use super::result;
use super::run_output::RunOutput;
use super::shared::{PATIENCE, Shared, Waiting};

/// One call of a client.
pub(super) struct Call<'a> {
    pub(super) server: &'a Shared,
    pub(super) cx: &'a RequestContext<RoleServer>,
    /// The name of the tool.
    pub(super) tool: &'a str,
    /// The run that the call continues, if it has the answers to its questions.
    pub(super) state: Option<String>,
    pub(super) responses: InputResponses,
}

/// The end of a call.
pub(super) enum Ended {
    /// The run has ended, or waits without asking the client.
    Run(Box<RunReport>),
    /// The client is to repeat the call with answers.
    Asks(InputRequiredResult),
}

impl Call<'_> {
    /// Runs a mission until it ends, the client cancels the call, or the server ends. `output` gets what its events
    /// tell.
    pub(super) async fn run(
        &self,
        agent: &Agent,
        provider: &dyn Provider,
        input: Data,
        output: &mut RunOutput,
    ) -> Result<Ended, Error> {
        let (cx, shared) = (self.cx, self.server);
        let _place = shared.host.place().await;
        let (mut progress, sender) = Progress::of(cx);
        let cancelled = || async {
            tokio::select! {
                () = cx.ct.cancelled() => {}
                () = self.server.host.ending() => {}
            }
        };
        let mission = match &self.state {
            None => Start::of(input).mission(agent, Some(shared.host.store())).await?,
            Some(run) => match self.answered(run)? {
                Ok(resume) => {
                    let mission = resume.mission(agent)?;
                    // Another call may have had the answers meanwhile.
                    let before = shared.waiting().remove(run).ok_or_else(unknown_state)?;
                    *output = before.output;
                    mission
                }
                Err(again) => return Ok(Ended::Asks(again)),
            },
        };
        let collecting = &mut *output;
        let mission =
            mission.wait_at_most(PATIENCE).cancel_on(cancelled()).observe(move |_, event| {
                collecting.collect(event);
                sender.tell(event);
            });
        let asking = Asking::of(cx);
        let mission = mission.ask_with(|question| {
            let (asked, asking) = (Asked::of(&question), asking.clone());
            // No agent file can continue a program later, so a question about it may not stay open.
            let must_end = shared.code.is_some();
            Box::pin(async move {
                let refused = if must_end { asked.refused(&asking) } else { None };
                match asking {
                    Asking::Now(peer) => elicit::ask(peer, asked).await.or(refused),
                    Asking::Later if asked.can_be_asked() => None,
                    _ => refused,
                }
            })
        });
        let report = progress.beside(mission.run(provider), cancelled()).await?;
        let run = report.run.as_str();
        if report.status == Status::Waiting
            && matches!(asking, Asking::Later)
            && let Some(asks) = elicit::questions(&report.questions, run, &BTreeMap::new())
        {
            let (tool, output) = (self.tool.to_string(), std::mem::take(output));
            shared.waiting().insert(run.to_string(), Waiting { tool, output });
            return Ok(Ended::Asks(asks));
        }
        Ok(Ended::Run(Box::new(report)))
    }

    /// Returns the run that the call continues, with its answers; or the questions again, if an answer does not fit.
    ///
    /// # Errors
    ///
    /// The call does not continue a run of this server and tool, or has no answer.
    fn answered(&self, run: &str) -> Result<Result<Resume<'_>, InputRequiredResult>, Error> {
        if self.server.waiting().get(run).is_none_or(|it| it.tool != self.tool) {
            return Err(unknown_state());
        }
        let resume = Resume::of(self.server.host.store(), run)?;
        let open = resume.questions();
        let (answers, problems) = elicit::answers(&open, &self.responses);
        if !problems.is_empty()
            && let Some(again) = elicit::questions(&open, run, &problems)
        {
            return Ok(Err(again));
        }
        if answers.is_empty() {
            return Err(Error::new(ErrorKind::Input, result::waits(run)));
        }
        let mut decisions = Decisions::default();
        decisions.answers = answers.into_iter().map(|(id, answer)| (Some(id), answer)).collect();
        Ok(Ok(resume.decide(decisions)?))
    }
}

fn unknown_state() -> Error {
    Error::new(ErrorKind::Input, "no call of this server waits with this `requestState`")
}
