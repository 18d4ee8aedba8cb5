//! The budgets of persons: ceilings of a run and of a day.

use std::time::{SystemTime, UNIX_EPOCH};

use hyper::StatusCode;
use ptc_subagent::provider::Cost;
use ptc_subagent::store::Spent;
use ptc_subagent::{Agent, Reserved, RunBudget, RunChange, RunSettings};
use serde::Deserialize;

use crate::problem::Problem;

/// The budget of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Budget {
    /// The ceilings of each run.
    pub(super) run: Ceilings,
    /// The ceilings of all runs that the person starts on a day, which begins at midnight in UTC.
    pub(super) day: Day,
}

/// The ceilings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Ceilings {
    pub(super) tokens: Option<u64>,
    pub(super) cost: Option<Cost>,
}

/// The ceilings of a day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Day {
    pub(super) runs: Option<u64>,
    pub(super) tokens: Option<u64>,
    pub(super) cost: Option<Cost>,
}

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The seconds after which an open run may have ended.
const SOON: u64 = 5;

/// Returns the begin of the day, in milliseconds since 1970.
pub(crate) fn today() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    now - now % DAY_MS
}

impl Budget {
    /// Returns whether the budget bounds all runs of a day together.
    pub(crate) fn has_day(&self) -> bool {
        self.day != Day::default()
    }

    /// Lowers the ceilings of a run to what the person may still use. The settings of a run cannot raise them. Returns what
    /// the run reserves of the day.
    ///
    /// # Errors
    ///
    /// The problem of a person who has nothing left for the day, or whose open runs have reserved the rest.
    pub(crate) fn lower(
        &self,
        agent: &Agent,
        settings: &mut RunSettings,
        spent: &Spent,
    ) -> Result<Option<Reserved>, Problem> {
        let Budget { run, day } = self;
        if day.is_used(spent.runs, spent.tokens, spent.cost) {
            return Err(used());
        }
        let (tokens, cost) = taken(spent);
        if day.is_used(spent.runs, tokens, cost) {
            return Err(reserved());
        }
        let left = |most: Option<u64>, used: u64| most.map(|it| it.saturating_sub(used));
        let tokens = least([run.tokens, left(day.tokens, tokens)]);
        let billionths = |it: Cost| it.billionths();
        let cost =
            least([run.cost.map(billionths), left(day.cost.map(billionths), cost.billionths())]);
        if tokens.is_none() && cost.is_none() {
            return Ok(None);
        }
        let (now, _) = settings.agent_of(agent);
        let mut budget = RunBudget::default();
        budget.turns = None;
        budget.tokens = least([tokens, now.budget.tokens]);
        budget.cost =
            least([cost, now.budget.cost.map(Cost::billionths)]).map(Cost::from_billionths);
        let mut reserves = Reserved::default();
        reserves.tokens = budget.tokens.filter(|_| day.tokens.is_some());
        reserves.cost = budget.cost.filter(|_| day.cost.is_some());
        settings.changes.push(RunChange::new().with_budget(budget));
        Ok(Some(reserves).filter(|it| *it != Reserved::default()))
    }

    /// Checks that the day has room for the runs that are open.
    ///
    /// # Errors
    ///
    /// The problem of open runs that have together reserved more than the day has.
    pub(crate) fn check(&self, spent: &Spent) -> Result<(), Problem> {
        let (tokens, cost) = taken(spent);
        let is_over = self.day.tokens.is_some_and(|most| tokens > most)
            || self.day.cost.is_some_and(|most| cost > most);
        if is_over { Err(reserved()) } else { Ok(()) }
    }
}

impl Day {
    fn is_used(&self, runs: u64, tokens: u64, cost: Cost) -> bool {
        self.runs.is_some_and(|most| runs >= most)
            || self.tokens.is_some_and(|most| tokens >= most)
            || self.cost.is_some_and(|most| cost >= most)
    }
}

/// Returns what is used or reserved.
fn taken(spent: &Spent) -> (u64, Cost) {
    let tokens = spent.tokens.saturating_add(spent.reserved_tokens);
    (tokens, spent.cost.plus(spent.reserved_cost))
}

fn used() -> Problem {
    let midnight = today() + DAY_MS;
    let seconds = (midnight - now_within(midnight)) / 1000 + 1;
    refused("the budget of the token for this day is used", seconds)
}

/// Returns the problem of a rest that open runs have reserved. It is free again as soon as one of them ends.
fn reserved() -> Problem {
    let detail =
        "runs that have not ended have reserved the rest of the budget of the token for this day";
    refused(detail, SOON).with_help("`budget.run` of the token lowers what a run reserves")
}

fn refused(detail: &str, retry_after: u64) -> Problem {
    let mut problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "budget-used", detail);
    problem.retry_after = Some(retry_after);
    problem
}

/// Returns the present time, which is before a midnight.
fn now_within(midnight: u64) -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(midnight).min(midnight)
}

fn least(all: [Option<u64>; 2]) -> Option<u64> {
    all.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(text: &str) -> Cost {
        Cost::from_dollars(text.parse().expect("is a number")).expect("is a cost")
    }

    fn budget(text: &str) -> Budget {
        toml::from_str(text).expect("is a budget")
    }

    fn spent(runs: u64, tokens: u64, cost: &str) -> Spent {
        let mut spent = Spent::default();
        (spent.runs, spent.tokens, spent.cost) = (runs, tokens, dollars(cost));
        spent
    }

    #[test]
    fn the_lowest_ceiling_counts() {
        let mut agent = Agent::new("Go.");
        agent.budget.cost = Some(dollars("3"));
        let check = |text: &str, used: &Spent, expected: (Option<u64>, Option<&str>)| {
            let mut settings = RunSettings::new();
            budget(text).lower(&agent, &mut settings, used).expect("has something left");
            let (lowered, _) = settings.agent_of(&agent);
            let found = (lowered.budget.tokens, lowered.budget.cost);
            assert_eq!(found, (expected.0, expected.1.map(dollars)), "{text}");
            assert_eq!(lowered.budget.turns, agent.budget.turns, "{text}");
        };
        let none = spent(0, 0, "0");
        check("", &none, (None, Some("3")));
        check("run = {cost = 0.5}", &none, (None, Some("0.5")));
        check("run = {cost = 5}", &none, (None, Some("3")));
        check("run = {cost = 2}\nday = {cost = 4}", &spent(9, 9, "3.5"), (None, Some("0.5")));
        check("day = {tokens = 100}", &spent(9, 60, "0"), (Some(40), Some("3")));
    }

    /// A caller cannot raise the ceilings with settings of a run.
    #[test]
    fn settings_cannot_raise_a_ceiling() {
        let agent = Agent::new("Go.");
        let mut wanted = RunBudget::default();
        wanted.cost = Some(dollars("100"));
        let mut settings = RunSettings::new().with(RunChange::new().with_budget(wanted));
        let budget = budget("run = {cost = 1}");
        budget.lower(&agent, &mut settings, &Spent::default()).expect("has something left");
        assert_eq!(settings.agent_of(&agent).0.budget.cost, Some(dollars("1")));
    }

    #[test]
    fn a_used_day_ends_at_midnight() {
        let agent = Agent::new("Go.");
        for (text, used) in [
            ("day = {runs = 2}", spent(2, 0, "0")),
            ("day = {tokens = 5}", spent(1, 6, "0")),
            ("day = {cost = 1}", spent(1, 1, "1")),
        ] {
            let refused = budget(text).lower(&agent, &mut RunSettings::new(), &used);
            let problem = refused.expect_err(text);
            assert_eq!((problem.status.as_u16(), problem.code), (429, "budget-used"));
            assert!(problem.retry_after.is_some_and(|it| it <= 24 * 3600 + 1), "{problem:?}");
        }
    }
}
