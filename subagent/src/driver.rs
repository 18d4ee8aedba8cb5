//! The driver of machines: it computes, has a host make the calls, and resumes.
//!
//! The turn loop, `eval` and the commands on top of it share this loop. They differ in their [`CallHost`].

use std::time::Duration;

use ptc_lisp::{
    AnswerEffects, Budget, CallId, Code, Diagnostic, Machine, ToolCall, ToolFailure, Value, Yielded,
};
use tokio::task::coop::consume_budget;
use tokio::time::Instant;

use crate::error::Error;
use crate::record::CallInDoubt;

/// The reason that a machine stopped.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// The program ended.
    Done,
    /// The program reached its limit of computing time.
    ProgramTime,
    /// The run reached its time limit.
    RunTime,
    /// The run was cancelled.
    Cancelled,
    /// The outcome of these calls, or of calls of a sub-agent, is unknown. Records of earlier versions name none.
    InDoubt(Vec<CallInDoubt>),
    /// The program ends in this error.
    Failed(Box<Diagnostic>),
    /// The run ends the loop of agents around it.
    ExitLoop,
    /// The run leaves its waits to another process.
    Waiting,
    /// The runtime has a bug, which this text describes.
    Internal(String),
}

/// The result of a call, or its failure.
pub(crate) type CallOutcome = Result<Value, ToolFailure>;

/// The next event that a host waited for.
pub(crate) enum Next {
    /// A call has an outcome.
    Answer(CallId, CallOutcome),
    /// A call of a sub-agent has an outcome, and these effects.
    AnswerWith(CallId, CallOutcome, AnswerEffects),
    /// The program must stop.
    Halt(Halt),
}

/// Returns the halt of a program that waits while no call is in flight.
pub(crate) fn never_made() -> Halt {
    Halt::Internal("the program waits for a call that was never made".to_string())
}

/// Returns the error of a program that computed for longer than `most`.
pub(crate) fn out_of_time(most: Duration) -> Diagnostic {
    let message = format!("the program computed for longer than {most:?}");
    Diagnostic::new(Code::TimeLimit, message)
        .with_help("do less work in one program (waiting for tools does not count)")
        .with_advice("raise the limit `program_time`")
}

/// Makes the calls of one program.
pub(crate) trait CallHost: Send {
    /// Called before each stretch of computing. May lower the budget.
    fn before(&mut self, _budget: &mut Budget) {}

    /// Called after each stretch of computing with the fuel and the calls that it used. A returned reason stops the
    /// program, unless it has ended.
    fn after(&mut self, _fuel: u64, _calls: u32) -> Option<Halt> {
        None
    }

    /// Called when the program waits for new calls, before they are queued.
    ///
    /// # Errors
    ///
    /// The problem that ends the program.
    fn pause(&mut self, _machine: &mut Machine) -> Result<(), Diagnostic> {
        Ok(())
    }

    /// Queues calls in the order of the program. Returns those that cannot start.
    fn queue(&mut self, calls: Vec<ToolCall>) -> Vec<(CallId, ToolFailure)>;

    /// Starts queued calls while there is room, and waits for the first event.
    fn next(&mut self) -> impl Future<Output = Result<Next, Error>> + Send;

    /// Cancels a call whose answer the program no longer needs.
    fn give_up(&mut self, id: &CallId);
}

/// Runs a machine until its program ends or must stop. `most` limits its computing time; waiting does not count.
///
/// Dropping the future leaves the calls in flight to the host.
pub(crate) async fn drive(
    machine: &mut Machine,
    budget: &mut Budget,
    most: Duration,
    host: &mut impl CallHost,
) -> Result<Halt, Error> {
    let mut computed = Duration::ZERO;
    loop {
        host.before(budget);
        let (fuel, calls) = (budget.fuel, budget.tool_calls);
        let started = Instant::now();
        let step = machine.run(budget);
        computed += started.elapsed();
        for id in machine.given_up() {
            host.give_up(&id);
        }
        let halt = host.after(fuel - budget.fuel, calls - budget.tool_calls);
        match step {
            Yielded::Done => return Ok(Halt::Done),
            _ if computed >= most => return Ok(Halt::ProgramTime),
            Yielded::SliceUsed | Yielded::Calls(_) if let Some(halt) = halt => return Ok(halt),
            Yielded::SliceUsed => tokio::task::yield_now().await,
            Yielded::Calls(calls) => {
                if let Err(problem) = host.pause(machine) {
                    return Ok(Halt::Failed(Box::new(problem)));
                }
                let refused = host.queue(calls);
                if !refused.is_empty() {
                    for (id, failure) in refused {
                        machine.resume(&id, Err(failure));
                    }
                    continue;
                }
                match host.next().await? {
                    Next::Answer(id, answer) => machine.resume(&id, answer),
                    Next::AnswerWith(id, answer, effects) => {
                        machine.resume_with(&id, answer, effects);
                    }
                    Next::Halt(halt) => return Ok(halt),
                }
                // Calls that are answered at once must not keep other tasks, or a cancellation, waiting.
                consume_budget().await;
            }
        }
    }
}
