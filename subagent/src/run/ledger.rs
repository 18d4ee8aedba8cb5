//! The budget ledger: counters of the resources that runs may use and have used, one ledger a run, in a tree.
//!
//! A run charges its own ledger and those of all runs above it, so no part of a tree can use what another part has
//! used. The tokens of a reply are unknown until it arrives. Until then they are reserved at an estimate, and a run
//! waits while the remainder is reserved.
//!
//! One task drives all runs of a tree, one step at a time. So no other run can charge between a look at the remainder
//! and a charge.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arcstr::literal;
use ptc_lisp::Value;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::waits::Waits;
use crate::agent::{Agent, RunBudget};
use crate::provider::{Cost, Usage};
use crate::record::{RunCode, RunError, RunReport, RunSummary, Stop};

/// The ledger of one run.
#[derive(Debug)]
pub(super) struct Ledger {
    agent: String,
    budget: RunBudget,
    clock: Mutex<Clock>,
    /// Whether the run has no time limit. A replay takes its time from the record.
    is_timeless: bool,
    /// The number of levels of sub-agents allowed below this run.
    depth: u32,
    /// The agent whose budget gives that number, and the number in its budget.
    depth_of: (String, u32),
    above: Option<Arc<Ledger>>,
    taken: Mutex<Totals>,
    /// Notified whenever a reservation is settled; shared by all ledgers of a tree.
    settled: Arc<Notify>,
    /// The number of shares that are asked for at this moment; shared by all ledgers of a tree.
    asked: Arc<AtomicU64>,
    /// The waits of the tree; shared by all its ledgers.
    waits: Arc<Waits>,
}

/// The clock of a run. It stops while neither the run nor one below it works.
#[derive(Debug)]
struct Clock {
    deadline: Instant,
    /// The number of parts of the tree below that work.
    working: u32,
    /// The time at which the last of them stopped.
    stands_since: Option<Instant>,
}

/// Work of a run. While there is any, its clock and those of the runs above it run.
pub(super) struct Work<'a>(&'a Ledger);

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.0.stop_work();
    }
}

/// A rest in the work of a run.
pub(super) struct Rest<'a>(&'a Ledger);

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        self.0.start_work();
    }
}

/// The amounts used by the run itself and by all runs below it.
#[derive(Clone, Copy, Debug)]
struct Totals {
    own: Consumed,
    below: Consumed,
}

/// The amounts used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Consumed {
    pub(super) runs: u64,
    pub(super) turns: u64,
    pub(super) tool_calls: u64,
    pub(super) fuel: u64,
    pub(super) usage: Usage,
    /// The tokens and the cost reserved for pending replies, as estimates, and for runs in other processes.
    #[serde(skip)]
    reserved: u64,
    #[serde(skip)]
    reserved_cost: Cost,
    /// The turns reserved for runs in other processes.
    #[serde(skip)]
    reserved_turns: u64,
}

impl Consumed {
    pub(super) const NOTHING: Consumed = Consumed {
        runs: 0,
        turns: 0,
        tool_calls: 0,
        fuel: 0,
        usage: Usage::NOTHING,
        reserved: 0,
        reserved_cost: Cost::ZERO,
        reserved_turns: 0,
    };

    /// Returns what a run made: its tool calls, without anything else.
    pub(super) fn calls(tool_calls: u64) -> Consumed {
        Consumed { tool_calls, ..Consumed::NOTHING }
    }

    /// Returns what a recorded run used itself.
    pub(super) fn recorded(run: &RunSummary) -> Consumed {
        let (turns, tool_calls) = (u64::from(run.turns), run.tool_calls);
        let (fuel, usage) = (run.fuel, run.usage);
        Consumed { runs: 1, turns, tool_calls, fuel, usage, ..Consumed::NOTHING }
    }

    /// Returns what a run used itself, and what those below it used, by its report.
    pub(super) fn reported(report: &RunReport) -> (Consumed, Consumed) {
        let all = |(runs, turns, tool_calls, fuel): (u64, u64, u64, u64), usage| Consumed {
            runs,
            turns,
            tool_calls,
            fuel,
            usage,
            ..Consumed::NOTHING
        };
        let turns = u64::from(report.turns);
        let own = all((1, turns, report.tool_calls, report.fuel), report.usage);
        let below = report.below.map_or(Consumed::NOTHING, |it| {
            all((it.runs, it.turns, it.tool_calls, it.fuel), it.usage)
        });
        (own, below)
    }

    /// Adds the estimate of a pending reply.
    fn reserve(&mut self, tokens: u64, cost: Cost) {
        self.reserved = self.reserved.saturating_add(tokens);
        self.reserved_cost = self.reserved_cost.plus(cost);
    }

    pub(super) fn plus(mut self, other: Consumed) -> Consumed {
        self.runs += other.runs;
        self.turns += other.turns;
        self.tool_calls = self.tool_calls.saturating_add(other.tool_calls);
        self.fuel = self.fuel.saturating_add(other.fuel);
        self.usage.add(other.usage);
        self.reserved = self.reserved.saturating_add(other.reserved);
        self.reserved_cost = self.reserved_cost.plus(other.reserved_cost);
        self.reserved_turns = self.reserved_turns.saturating_add(other.reserved_turns);
        self
    }
}

/// The remaining amounts of a run: the minimum over it and the runs above it. `None` means no ceiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) turns: Option<u64>,
    pub(super) tool_calls: Option<u64>,
    pub(super) fuel: Option<u64>,
    pub(super) tokens: Option<u64>,
    pub(super) cost: Option<Cost>,
}

/// The part of a budget that a run in another process has, and how deep and how long it may go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Share {
    /// The agent that calls the run.
    caller: String,
    turns: Option<u64>,
    tokens: Option<u64>,
    cost: Option<Cost>,
    depth: u32,
    depth_of: (String, u32),
    /// The rest of the caller's time.
    time: Duration,
}

/// The stop and the error of a ceiling that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exhausted {
    pub(super) stop: Stop,
    pub(super) error: RunError,
}

impl Ledger {
    /// Opens the ledger of a run that no other run called.
    ///
    /// Its process waits at most for `patience` at a time; `None` sets no limit.
    pub(super) fn root(
        agent: &Agent,
        is_timeless: bool,
        patience: Option<Duration>,
    ) -> Arc<Ledger> {
        // A replay needs no timeout: it waits for nothing, and fuel bounds its programs.
        let timeout = if is_timeless { Duration::MAX } else { agent.timeout };
        let waits = Arc::new(Waits::new(patience));
        let depth = agent.budget.depth.unwrap_or(RunBudget::DEFAULT_DEPTH);
        let depths = (depth, (agent.name.clone(), depth));
        let budget = (agent.name.clone(), agent.budget.clone());
        Ledger::open(budget, (deadline(timeout), is_timeless), depths, None, waits)
    }

    /// Opens the ledger above a run that another process has called. It has the share of the run.
    pub(super) fn of_share(share: &Share, patience: Option<Duration>) -> Arc<Ledger> {
        let Share { caller, turns, tokens, cost, depth, depth_of, time } = share.clone();
        let budget = RunBudget { turns, tokens, cost, ..RunBudget::default() };
        let waits = Arc::new(Waits::new(patience));
        let clock = (deadline(time), false);
        Ledger::open((caller, budget), clock, (depth, depth_of), None, waits)
    }

    /// Returns whether runs may be called below this one.
    pub(super) fn may_nest(&self) -> bool {
        self.depth > 0
    }

    /// Opens the ledger of a run that this one calls.
    ///
    /// # Errors
    ///
    /// The reason that no level is allowed below this run.
    pub(super) fn below(self: &Arc<Ledger>, agent: &Agent) -> Result<Arc<Ledger>, String> {
        let Some(left) = self.depth.checked_sub(1) else {
            let (name, most) = &self.depth_of;
            let levels = if *most == 1 { "level" } else { "levels" };
            return Err(format!(
                "agent `{name}` allows {most} {levels} of sub-agents below it (`[budget] depth`)"
            ));
        };
        let depths = match agent.budget.depth {
            Some(own) if own < left => (own, (agent.name.clone(), own)),
            _ => (left, self.depth_of.clone()),
        };
        let timeout = if self.is_timeless { Duration::MAX } else { agent.timeout };
        let clock = (deadline(timeout), self.is_timeless);
        let waits = Arc::clone(&self.waits);
        let budget = (agent.name.clone(), agent.budget.clone());
        Ok(Ledger::open(budget, clock, depths, Some(Arc::clone(self)), waits))
    }

    fn open(
        (agent, budget): (String, RunBudget),
        (deadline, is_timeless): (Instant, bool),
        (depth, depth_of): (u32, (String, u32)),
        above: Option<Arc<Ledger>>,
        waits: Arc<Waits>,
    ) -> Arc<Ledger> {
        let taken = Mutex::new(Totals { own: Consumed::NOTHING, below: Consumed::NOTHING });
        let settled = above.as_ref().map(|it| Arc::clone(&it.settled)).unwrap_or_default();
        let asked = above.as_ref().map(|it| Arc::clone(&it.asked)).unwrap_or_default();
        let clock = Mutex::new(Clock { deadline, working: 0, stands_since: None });
        let ledger = Ledger {
            agent,
            budget,
            clock,
            is_timeless,
            depth,
            depth_of,
            above,
            taken,
            settled,
            asked,
            waits,
        };
        ledger.take(|taken| taken.runs += 1);
        Arc::new(ledger)
    }

    /// Returns the time at which the run must end, if it works until then.
    pub(super) fn deadline(&self) -> Instant {
        let now = Instant::now();
        let own = |ledger: &Ledger| {
            let clock = ledger.lock_clock();
            let stood = clock.stands_since.map_or(Duration::ZERO, |since| now - since);
            clock.deadline.checked_add(stood).unwrap_or(clock.deadline)
        };
        self.upwards().map(own).min().unwrap_or(now)
    }

    /// Starts work of the run, which goes on until the guard is dropped.
    pub(super) fn work(&self) -> Work<'_> {
        self.start_work();
        Work(self)
    }

    /// Interrupts work of the run until the guard is dropped. If nothing in the tree works then, its runs may leave their
    /// waits.
    pub(super) fn rest(&self) -> Rest<'_> {
        self.stop_work();
        self.leave_if_quiet();
        Rest(self)
    }

    /// Makes the runs of the tree leave their waits, if nothing in it works and no process waits for them.
    pub(super) fn leave_if_quiet(&self) {
        let root = self.upwards().last();
        if root.is_some_and(|root| root.lock_clock().working == 0) {
            self.waits.leave_if_long();
        }
    }

    /// Returns the waits of the tree.
    pub(super) fn waits(&self) -> &Waits {
        &self.waits
    }

    fn start_work(&self) {
        let now = Instant::now();
        for ledger in self.upwards() {
            let mut clock = ledger.lock_clock();
            if let Some(since) = clock.stands_since.take() {
                clock.deadline = clock.deadline.checked_add(now - since).unwrap_or(clock.deadline);
            }
            clock.working += 1;
        }
    }

    fn stop_work(&self) {
        let now = Instant::now();
        for ledger in self.upwards() {
            let mut clock = ledger.lock_clock();
            clock.working = clock.working.saturating_sub(1);
            if clock.working == 0 {
                clock.stands_since = Some(now);
            }
        }
    }

    fn lock_clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the amounts used by the run and all runs below it.
    fn taken(&self) -> Consumed {
        let Totals { own, below } = *self.lock();
        own.plus(below)
    }

    /// Returns the amounts used by the run itself.
    pub(super) fn own(&self) -> Consumed {
        self.lock().own
    }

    /// Charges the recorded amounts up to a snapshot, of the run itself and of the runs below it.
    pub(super) fn take_recorded(&self, own: Consumed, below: Consumed) {
        // Opening the ledger has charged this run already.
        let own = Consumed { runs: own.runs.saturating_sub(1), ..own };
        self.take(|taken| *taken = taken.plus(own));
        let add = |ledger: &Ledger| {
            let taken = &mut ledger.lock().below;
            *taken = taken.plus(below);
        };
        self.upwards().for_each(add);
    }

    /// Returns the amounts used by the runs below this one.
    pub(super) fn taken_below(&self) -> Consumed {
        self.lock().below
    }

    /// Returns the remaining amounts.
    pub(super) fn left(&self) -> Left {
        let mut left = Left::default();
        for ledger in self.upwards() {
            let (budget, taken) = (&ledger.budget, ledger.taken());
            let tokens = taken.usage.tokens().saturating_add(taken.reserved);
            let turns = taken.turns.saturating_add(taken.reserved_turns);
            least(&mut left.turns, budget.turns.map(|it| it.saturating_sub(turns)));
            least(
                &mut left.tool_calls,
                budget.tool_calls.map(|it| it.saturating_sub(taken.tool_calls)),
            );
            least(&mut left.fuel, budget.fuel.map(|it| it.saturating_sub(taken.fuel)));
            least(&mut left.tokens, budget.tokens.map(|it| it.saturating_sub(tokens)));
            let spent = |most: Cost| taken.usage.cost.unwrap_or(most).plus(taken.reserved_cost);
            let cost = budget.cost.map(|most| most.minus(spent(most)));
            least(&mut left.cost, cost);
        }
        left
    }

    /// Charges a turn and reserves the estimate of its reply. Waits while reservations may reach a ceiling. Fails with
    /// the ceiling that is reached.
    pub(super) async fn reserve(&self, expected: Usage) -> Result<Reservation<'_>, Exhausted> {
        let (tokens, cost) = (expected.tokens(), expected.cost.unwrap_or_default());
        loop {
            let settled = self.settled.notified();
            if let Some(spent) = self.upwards().find_map(Ledger::exhausted) {
                return Err(spent);
            }
            if !self.upwards().any(Ledger::is_reserved) {
                break;
            }
            settled.await;
        }
        self.take(|taken| {
            taken.turns += 1;
            taken.reserve(tokens, cost);
        });
        Ok(Reservation { ledger: self, tokens, cost })
    }

    /// Returns whether each program of the run has to know what all others use. Then no other process can have a share.
    pub(super) fn is_undivided(&self) -> bool {
        let Left { tool_calls, fuel, .. } = self.left();
        tool_calls.is_some() || fuel.is_some()
    }

    /// Reserves a share for the run of an agent in another process. Shares that are asked for at the same time are equal,
    /// but none exceeds the agent's own budget. A later one waits until something is left. `begun` is the share of a run
    /// that has one already.
    pub(super) async fn lend(&self, agent: &Agent, begun: Option<Share>) -> Loan<'_> {
        let share = match begun {
            Some(share) => share,
            None => self.next_share(agent).await,
        };
        let turns = share.turns.unwrap_or_default();
        let loan = (share.tokens.unwrap_or_default(), share.cost.unwrap_or_default());
        self.take(|taken| {
            taken.reserve(loan.0, loan.1);
            taken.reserved_turns = taken.reserved_turns.saturating_add(turns);
        });
        Loan { ledger: self, share }
    }

    async fn next_share(&self, agent: &Agent) -> Share {
        loop {
            let settled = self.settled.notified();
            if self.upwards().any(Ledger::is_reserved) {
                settled.await;
                continue;
            }
            self.asked.fetch_add(1, Ordering::Relaxed);
            // Calls that start together ask before one of them has its share.
            tokio::task::yield_now().await;
            let parts = self.asked.fetch_sub(1, Ordering::Relaxed).max(1);
            if self.upwards().any(Ledger::is_reserved) {
                continue;
            }
            let left = self.left();
            let turns = part(left.turns.map(|it| it.div_ceil(parts)), agent.budget.turns);
            let tokens = part(left.tokens.map(|it| it.div_ceil(parts)), agent.budget.tokens);
            let cost = part(
                left.cost.map(|it| Cost::from_billionths(it.billionths().div_ceil(parts))),
                agent.budget.cost,
            );
            let (caller, depth) = (self.agent.clone(), self.depth);
            let depth_of = self.depth_of.clone();
            let time = self.deadline().saturating_duration_since(Instant::now());
            return Share { caller, turns, tokens, cost, depth, depth_of, time };
        }
    }

    /// Reserves the estimate of a reply beside that of the turn, which has its own reservation. There is none if
    /// reservations may reach a ceiling.
    pub(super) fn reserve_beside(&self, expected: Usage) -> Option<Reservation<'_>> {
        let (tokens, cost) = (expected.tokens(), expected.cost.unwrap_or_default());
        if self.upwards().any(Ledger::is_reserved) {
            return None;
        }
        self.take(|taken| taken.reserve(tokens, cost));
        Some(Reservation { ledger: self, tokens, cost })
    }

    /// Charges the recorded usage of a reply beside that of the turn.
    pub(super) fn take_beside(&self, usage: Usage) {
        self.take(|taken| taken.usage.add(usage));
    }

    /// Charges a recorded turn and the recorded usage of its reply.
    pub(super) fn take_reply(&self, usage: Usage) {
        self.take(|taken| {
            taken.turns += 1;
            taken.usage.add(usage);
        });
    }

    /// Returns whether pending replies have reserved all remaining tokens or money of this budget.
    fn is_reserved(&self) -> bool {
        let taken = self.taken();
        let tokens = taken.usage.tokens().saturating_add(taken.reserved);
        let cost = taken.usage.cost.unwrap_or_default().plus(taken.reserved_cost);
        let turns = taken.turns.saturating_add(taken.reserved_turns);
        let is_any = taken.reserved > 0 || taken.reserved_cost > Cost::ZERO;
        is_any
            && (self.budget.tokens.is_some_and(|most| tokens >= most)
                || self.budget.cost.is_some_and(|most| cost >= most))
            || taken.reserved_turns > 0 && self.budget.turns.is_some_and(|most| turns >= most)
    }

    /// Returns the ceiling of this budget that forbids another request to the model, if one does.
    fn exhausted(&self) -> Option<Exhausted> {
        let (budget, taken) = (&self.budget, self.taken());
        if let Some(most) = budget.fuel.filter(|most| taken.fuel >= *most) {
            let what = format!("{most} units of fuel");
            let reached = (what, taken.fuel.to_string());
            return Some(self.reached(Stop::Fuel, RunCode::FuelBudget, &reached, "fuel"));
        }
        if let Some(most) = budget.turns.filter(|most| taken.turns >= *most) {
            let reached = (format!("{most} turns"), taken.turns.to_string());
            return Some(self.reached(Stop::Turns, RunCode::TurnBudget, &reached, "turns"));
        }
        if let Some(most) = budget.tokens.filter(|most| taken.usage.tokens() >= *most) {
            let reached = (format!("{most} tokens"), taken.usage.tokens().to_string());
            return Some(self.reached(Stop::Tokens, RunCode::TokenBudget, &reached, "tokens"));
        }
        let most = budget.cost?;
        match taken.usage.cost {
            Some(cost) if cost < most => None,
            Some(cost) => {
                let reached = (most.to_string(), cost.to_string());
                Some(self.reached(Stop::Cost, RunCode::CostBudget, &reached, "cost"))
            }
            None => {
                let message = format!(
                    "agent `{}` has a cost budget of {most}, but the cost of its replies is unknown",
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

    /// Returns the error of a program that used the last fuel of its run.
    pub(super) fn out_of_fuel(&self) -> Option<Exhausted> {
        self.upwards().find_map(|ledger| {
            let most = ledger.budget.fuel.filter(|most| ledger.taken().fuel >= *most)?;
            // Runs beside this one may have used more by now, which a replay cannot know.
            let reached = (format!("{most} units of fuel"), "all".to_string());
            Some(ledger.reached(Stop::Fuel, RunCode::FuelBudget, &reached, "fuel"))
        })
    }

    /// Returns the error of a program that used the last tool calls of its run.
    pub(super) fn out_of_calls(&self) -> Option<Exhausted> {
        self.upwards().find_map(|ledger| {
            let most =
                ledger.budget.tool_calls.filter(|most| ledger.taken().tool_calls >= *most)?;
            let reached = (format!("{most} tool calls"), "all".to_string());
            Some(ledger.reached(Stop::ToolCalls, RunCode::ToolCallBudget, &reached, "tool_calls"))
        })
    }

    /// Returns the ceiling that is reached, and what is used.
    fn reached(
        &self,
        stop: Stop,
        code: RunCode,
        (most, used): &(String, String),
        key: &str,
    ) -> Exhausted {
        let message = format!(
            "agent `{}` has used up its budget of {most}, with its sub-agents: {used} used",
            self.agent
        );
        let mut error = RunError::new(code, message);
        error.help = Some(format!("raise `{key}` of `[budget]`"));
        Exhausted { stop, error }
    }

    /// Lowers the budget of a program to the remainder of the run.
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

    /// Charges the fuel and the tool calls of a program.
    pub(super) fn take_work(&self, fuel: u64, tool_calls: u64) {
        self.take(|taken| {
            taken.fuel = taken.fuel.saturating_add(fuel);
            taken.tool_calls = taken.tool_calls.saturating_add(tool_calls);
        });
    }

    /// Returns the run's part of the value of `(budget)`; the program adds its own part. `turns` is the number of turns
    /// left to the run after this one.
    pub(super) fn shown(&self, turns: u64) -> Value {
        let left = self.left();
        let seconds = self.deadline().saturating_duration_since(Instant::now()).as_secs();
        let number = |it: u64| Value::Int(i64::try_from(it).unwrap_or(i64::MAX));
        let or_nil = |it: Option<u64>| it.map_or(Value::Nil, number);
        // Every turn needs these names, so they are literals that are made once.
        let rows = [
            (literal!("turns"), number(left.turns.unwrap_or(turns).min(turns))),
            (literal!("run-fuel"), or_nil(left.fuel)),
            (literal!("run-tool-calls"), or_nil(left.tool_calls)),
            (literal!("tokens"), or_nil(left.tokens)),
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

    /// Returns this ledger, then those above it.
    fn upwards(&self) -> impl Iterator<Item = &Ledger> {
        std::iter::successors(Some(self), |ledger| ledger.above.as_deref())
    }

    fn lock(&self) -> MutexGuard<'_, Totals> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reservation for a pending reply. Dropping it releases the reserved amounts.
#[derive(Debug)]
pub(super) struct Reservation<'a> {
    ledger: &'a Ledger,
    tokens: u64,
    cost: Cost,
}

impl Reservation<'_> {
    /// Replaces the reservation by the actual usage of the reply.
    pub(super) fn settle(self, usage: Usage) {
        self.ledger.take(|taken| taken.usage.add(usage));
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.ledger.take(|taken| {
            taken.reserved = taken.reserved.saturating_sub(self.tokens);
            taken.reserved_cost = taken.reserved_cost.minus(self.cost);
        });
        self.ledger.settled.notify_waiters();
    }
}

/// The loan of a share. Dropping it gives the share back.
#[derive(Debug)]
pub(super) struct Loan<'a> {
    ledger: &'a Ledger,
    pub(super) share: Share,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let Share { turns, tokens, cost, .. } = &self.share;
        let (turns, tokens) = (turns.unwrap_or_default(), tokens.unwrap_or_default());
        let cost = cost.unwrap_or_default();
        self.ledger.take(|taken| {
            taken.reserved = taken.reserved.saturating_sub(tokens);
            taken.reserved_cost = taken.reserved_cost.minus(cost);
            taken.reserved_turns = taken.reserved_turns.saturating_sub(turns);
        });
        self.ledger.settled.notify_waiters();
    }
}

/// Returns a part of what is left, or less if the run has a lower ceiling of its own.
fn part<T: Ord + Copy>(left: Option<T>, own: Option<T>) -> Option<T> {
    left.map(|left| own.map_or(left, |own| own.min(left)))
}

fn least<T: Ord>(left: &mut Option<T>, here: Option<T>) {
    if let Some(here) = here
        && left.as_ref().is_none_or(|left| here < *left)
    {
        *left = Some(here);
    }
}

/// Returns the time at which a run that starts now must end. If the clock cannot represent that time, it is in a year.
fn deadline(timeout: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(timeout).unwrap_or_else(|| now + Duration::from_hours(365 * 24))
}
