//! What runs may take and have taken: a tree of counters, one ledger a run.
//!
//! Whatever a run takes is taken from its own ledger and from those of all runs above it, so that no part of a
//! tree can take what another part already has. What cannot be known before it is taken, the tokens of a reply,
//! is held at an estimate until it is known; who finds that the rest of a ceiling is held by others waits.
//!
//! All runs of a tree are driven by one task, one step at a time: between a look at what is left and taking it,
//! nothing else takes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arcstr::literal;
use ptc_lisp::Value;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::code::RunCode;
use super::report::{RunError, Stop};
use crate::agent::{Agent, RunBudget};
use crate::provider::{Cost, Usage};

/// How a message says that a ceiling was reached. Records of earlier versions say it nowhere else.
pub(super) const BUDGET_OF: &str = "has used up its budget of";

/// The ledger of one run.
#[derive(Debug)]
pub(super) struct Ledger {
    agent: String,
    budget: RunBudget,
    deadline: Instant,
    /// Whether no clock ends it: a replay takes its time from the record.
    is_timeless: bool,
    /// How many levels of sub-agents there may be below this run.
    depth: u32,
    above: Option<Arc<Ledger>>,
    taken: Mutex<Totals>,
    /// Told whenever something that was held is known; the same for all accounts of a tree.
    settled: Arc<Notify>,
}

/// What a run has taken itself, and what all runs below it have.
#[derive(Clone, Copy, Debug)]
struct Totals {
    own: Consumed,
    below: Consumed,
}

/// What has been taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Consumed {
    pub(super) runs: u64,
    pub(super) turns: u64,
    pub(super) tool_calls: u64,
    pub(super) fuel: u64,
    pub(super) usage: Usage,
    /// Tokens that replies still to come are expected to take, and what they are expected to cost.
    #[serde(skip)]
    held: u64,
    #[serde(skip)]
    held_cost: Cost,
}

impl Consumed {
    const NOTHING: Consumed = Consumed {
        runs: 0,
        turns: 0,
        tool_calls: 0,
        fuel: 0,
        usage: Usage::NOTHING,
        held: 0,
        held_cost: Cost::ZERO,
    };

    fn plus(mut self, other: Consumed) -> Consumed {
        self.runs += other.runs;
        self.turns += other.turns;
        self.tool_calls = self.tool_calls.saturating_add(other.tool_calls);
        self.fuel = self.fuel.saturating_add(other.fuel);
        self.usage.add(other.usage);
        self.held = self.held.saturating_add(other.held);
        self.held_cost = self.held_cost.plus(other.held_cost);
        self
    }
}

/// What is left for a run: the least that it or a run above it has. `None` is no ceiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) turns: Option<u64>,
    pub(super) tool_calls: Option<u64>,
    pub(super) fuel: Option<u64>,
    pub(super) tokens: Option<u64>,
    pub(super) cost: Option<Cost>,
}

/// A ceiling that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exhausted {
    pub(super) stop: Stop,
    pub(super) error: RunError,
}

impl Ledger {
    /// The ledger of a run that nobody called.
    pub(super) fn root(agent: &Agent, is_timeless: bool) -> Arc<Ledger> {
        // The fuel of its programs bounds a replay, which waits for nothing.
        let timeout = if is_timeless { Duration::MAX } else { agent.timeout };
        Ledger::open(agent, (deadline(timeout), is_timeless), agent.budget.depth, None)
    }

    /// The ledger of a run that this one calls; `None` if it may have no level below it.
    pub(super) fn below(self: &Arc<Ledger>, agent: &Agent) -> Option<Arc<Ledger>> {
        let depth = self.depth.checked_sub(1)?.min(agent.budget.depth);
        let own = if self.is_timeless { self.deadline } else { deadline(agent.timeout) };
        let clock = (own.min(self.deadline), self.is_timeless);
        Some(Ledger::open(agent, clock, depth, Some(Arc::clone(self))))
    }

    fn open(
        agent: &Agent,
        (deadline, is_timeless): (Instant, bool),
        depth: u32,
        above: Option<Arc<Ledger>>,
    ) -> Arc<Ledger> {
        let (name, budget) = (agent.name.clone(), agent.budget.clone());
        let taken = Mutex::new(Totals { own: Consumed::NOTHING, below: Consumed::NOTHING });
        let settled = above.as_ref().map(|it| Arc::clone(&it.settled)).unwrap_or_default();
        let agent = name;
        let ledger = Ledger { agent, budget, deadline, is_timeless, depth, above, taken, settled };
        ledger.take(|taken| taken.runs += 1);
        Arc::new(ledger)
    }

    /// When the run must end.
    pub(super) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// What the run and all below it have taken so far.
    fn taken(&self) -> Consumed {
        let Totals { own, below } = *self.lock();
        own.plus(below)
    }

    /// What it has taken itself.
    pub(super) fn own(&self) -> Consumed {
        self.lock().own
    }

    /// Takes what a run has taken up to a snapshot, itself and by those below it.
    pub(super) fn take_again(&self, own: Consumed, below: Consumed) {
        // It has counted itself already.
        let own = Consumed { runs: own.runs.saturating_sub(1), ..own };
        self.take(|taken| *taken = taken.plus(own));
        let add = |ledger: &Ledger| {
            let taken = &mut ledger.lock().below;
            *taken = taken.plus(below);
        };
        self.upwards().for_each(add);
    }

    /// What the runs below it have taken.
    pub(super) fn below_it(&self) -> Consumed {
        self.lock().below
    }

    /// What is left.
    pub(super) fn left(&self) -> Left {
        let mut left = Left::default();
        for ledger in self.upwards() {
            let (budget, taken) = (&ledger.budget, ledger.taken());
            let tokens = taken.usage.tokens().saturating_add(taken.held);
            least(&mut left.turns, budget.turns.map(|it| it.saturating_sub(taken.turns)));
            least(
                &mut left.tool_calls,
                budget.tool_calls.map(|it| it.saturating_sub(taken.tool_calls)),
            );
            least(&mut left.fuel, budget.fuel.map(|it| it.saturating_sub(taken.fuel)));
            least(&mut left.tokens, budget.tokens.map(|it| it.saturating_sub(tokens)));
            let cost = budget.cost.map(|it| it.minus(taken.usage.cost.unwrap_or(it)));
            least(&mut left.cost, cost);
        }
        left
    }

    /// Takes a turn, and holds what it is expected to take; or says which ceiling is reached. Waits
    /// while replies still to come may reach one.
    pub(super) async fn ask(&self, expected: Usage) -> Result<Asking<'_>, Exhausted> {
        let (tokens, cost) = (expected.tokens(), expected.cost.unwrap_or_default());
        loop {
            let settled = self.settled.notified();
            if let Some(spent) = self.upwards().find_map(Ledger::spent) {
                return Err(spent);
            }
            if !self.upwards().any(Ledger::is_held) {
                break;
            }
            settled.await;
        }
        self.take(|taken| {
            taken.turns += 1;
            taken.held = taken.held.saturating_add(tokens);
            taken.held_cost = taken.held_cost.plus(cost);
        });
        Ok(Asking { ledger: self, tokens, cost })
    }

    /// Takes a turn whose reply is on record, and what the reply took.
    pub(super) fn take_reply(&self, usage: Usage) {
        self.take(|taken| {
            taken.turns += 1;
            taken.usage.add(usage);
        });
    }

    /// Whether all tokens or all money that are left of this budget are held for replies still to come.
    fn is_held(&self) -> bool {
        let taken = self.taken();
        let tokens = taken.usage.tokens().saturating_add(taken.held);
        let cost = taken.usage.cost.unwrap_or_default().plus(taken.held_cost);
        taken.held > 0
            && (self.budget.tokens.is_some_and(|most| tokens >= most)
                || self.budget.cost.is_some_and(|most| cost >= most))
    }

    /// Says which ceiling of this budget keeps the model from being asked again.
    fn spent(&self) -> Option<Exhausted> {
        let (budget, taken) = (&self.budget, self.taken());
        if let Some(most) = budget.fuel.filter(|most| taken.fuel >= *most) {
            let what = format!("{most} units of fuel");
            return Some(self.reached(Stop::Fuel, RunCode::FuelBudget, &what, "fuel"));
        }
        if let Some(most) = budget.turns.filter(|most| taken.turns >= *most) {
            return Some(self.reached(
                Stop::Turns,
                RunCode::TurnBudget,
                &format!("{most} turns"),
                "turns",
            ));
        }
        if let Some(most) = budget.tokens.filter(|most| taken.usage.tokens() >= *most) {
            let what = format!("{most} tokens");
            return Some(self.reached(Stop::Tokens, RunCode::TokenBudget, &what, "tokens"));
        }
        let most = budget.cost?;
        match taken.usage.cost {
            Some(cost) if cost < most => None,
            Some(_) => {
                Some(self.reached(Stop::Cost, RunCode::CostBudget, &most.to_string(), "cost"))
            }
            None => {
                let message = format!(
                    "agent `{}` may cost {most}, and nobody knows what the replies so far cost",
                    self.agent
                );
                let mut error = RunError::new(RunCode::CostUnknown, message);
                error.help = Some(
                    "give the model a price, or set `tokens` of `[budget]` instead of `cost`"
                        .to_string(),
                );
                Some(Exhausted { stop: Stop::Cost, error })
            }
        }
    }

    /// The error of a program that ran out of fuel which its run has no more of.
    pub(super) fn out_of_fuel(&self) -> Option<Exhausted> {
        self.upwards().find_map(|ledger| {
            let most = ledger.budget.fuel.filter(|most| ledger.taken().fuel >= *most)?;
            let what = format!("{most} units of fuel");
            Some(ledger.reached(Stop::Fuel, RunCode::FuelBudget, &what, "fuel"))
        })
    }

    /// The error of a program that made all calls which its run may make.
    pub(super) fn out_of_calls(&self) -> Option<Exhausted> {
        self.upwards().find_map(|ledger| {
            let most =
                ledger.budget.tool_calls.filter(|most| ledger.taken().tool_calls >= *most)?;
            let what = format!("{most} tool calls");
            Some(ledger.reached(Stop::ToolCalls, RunCode::ToolCallBudget, &what, "tool_calls"))
        })
    }

    fn reached(&self, stop: Stop, code: RunCode, what: &str, key: &str) -> Exhausted {
        let message = format!("agent `{}` {BUDGET_OF} {what}, with its sub-agents", self.agent);
        let mut error = RunError::new(code, message);
        error.help = Some(format!("raise `{key}` of `[budget]`"));
        Exhausted { stop, error }
    }

    /// What a program may take now, out of what it has left itself.
    pub(super) fn bound(&self, program: &mut ptc_lisp::Budget) {
        for ledger in self.upwards() {
            let (fuel, tool_calls) = (ledger.budget.fuel, ledger.budget.tool_calls);
            if fuel.is_none() && tool_calls.is_none() {
                continue;
            }
            let taken = ledger.taken();
            let left = fuel.map_or(u64::MAX, |it| it.saturating_sub(taken.fuel));
            program.fuel = program.fuel.min(left);
            let left = tool_calls.map_or(u64::MAX, |it| it.saturating_sub(taken.tool_calls));
            program.tool_calls = program.tool_calls.min(u32::try_from(left).unwrap_or(u32::MAX));
        }
    }

    /// Takes what a program has taken.
    pub(super) fn take_work(&self, fuel: u64, tool_calls: u64) {
        self.take(|taken| {
            taken.fuel = taken.fuel.saturating_add(fuel);
            taken.tool_calls = taken.tool_calls.saturating_add(tool_calls);
        });
    }

    /// What a program sees of it with `(budget)`, beside what it has left itself. `turns` is how many turns the
    /// run may have after this one.
    pub(super) fn shown(&self, turns: u64) -> Value {
        let left = self.left();
        let seconds = self.deadline.saturating_duration_since(Instant::now()).as_secs();
        let number = |it: u64| Value::Int(i64::try_from(it).unwrap_or(i64::MAX));
        let of_run = |it: Option<u64>| it.map_or(Value::Nil, number);
        // Every turn has these: their names are made once.
        let rows = [
            (literal!("turns"), number(left.turns.unwrap_or(turns).min(turns))),
            (literal!("run-fuel"), of_run(left.fuel)),
            (literal!("run-tool-calls"), of_run(left.tool_calls)),
            (literal!("tokens"), of_run(left.tokens)),
            (literal!("cost"), left.cost.map_or(Value::Nil, |it| Value::Float(it.dollars()))),
            (literal!("seconds"), number(seconds)),
            (literal!("depth"), number(u64::from(self.depth))),
        ];
        Value::map(rows.map(|(name, value)| (Value::keyword(name), value)))
    }

    fn take(&self, take: impl Fn(&mut Consumed)) {
        take(&mut self.lock().own);
        for ledger in self.upwards().skip(1) {
            take(&mut ledger.lock().below);
        }
    }

    /// This ledger and those above it.
    fn upwards(&self) -> impl Iterator<Item = &Ledger> {
        std::iter::successors(Some(self), |ledger| ledger.above.as_deref())
    }

    fn lock(&self) -> MutexGuard<'_, Totals> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn whose reply is still to come. What it holds is given back when it is dropped.
#[derive(Debug)]
pub(super) struct Asking<'a> {
    ledger: &'a Ledger,
    tokens: u64,
    cost: Cost,
}

impl Asking<'_> {
    /// Takes what the reply took in the place of what was held.
    pub(super) fn settle(self, usage: Usage) {
        self.ledger.take(|taken| taken.usage.add(usage));
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.ledger.take(|taken| {
            taken.held = taken.held.saturating_sub(self.tokens);
            taken.held_cost = taken.held_cost.minus(self.cost);
        });
        self.ledger.settled.notify_waiters();
    }
}

fn least<T: Ord>(left: &mut Option<T>, here: Option<T>) {
    if let Some(here) = here
        && left.as_ref().is_none_or(|left| here < *left)
    {
        *left = Some(here);
    }
}

/// Returns when a run that starts now must end; a time that no clock can hold is in a year.
fn deadline(timeout: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(timeout).unwrap_or_else(|| now + Duration::from_hours(365 * 24))
}
