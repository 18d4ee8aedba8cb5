//! Loops of decisions: `ForEach` and `While`, read as programs through `flow/each` and `flow/poll`.

use std::fmt::Write as _;

use minijinja::context;
use ptc_lisp::Value;
use ptc_lisp::json::marks;
use serde_json::{Map, Value as Json};

use super::super::{CallOutcome, Outcome, OutcomeEnd, Plan, PlannedCall, observe};
use super::envelope::{Envelope, Misfit, misfit, sub_agent_args};
use crate::expressions::{Expressions, Helper, Names, TEXT, Writing, condition, literal};
use crate::text::one_line;
use crate::{AgentSpec, CallMade, PromptSpec};

/// The most items of a `ForEach` and the most rounds of a `While` that do not say it.
const ITEMS: u64 = 1_000;
const ROUNDS: u64 = 100;
/// The number of rounds of a loop without a limit of its own; the limits of programs end it.
const UNLIMITED: u64 = 1_000_000_000;
/// The default of `maxConcurrency`.
const AT_ONCE: u64 = 10;

/// The numbers of loops: the defaults of their options, within the limits of programs.
#[derive(Clone, Copy)]
pub(super) struct LoopLimits {
    items: u64,
    rounds: u64,
    at_once: u64,
    /// The most rounds and calls of a loop; `None` without a limit.
    most: Option<u64>,
    /// The most calls at a time; `None` without a limit.
    most_at_once: Option<u64>,
}

impl LoopLimits {
    pub(super) fn of(agent: &AgentSpec<'_>) -> LoopLimits {
        let most = agent.max_calls.map(|it| it.max(1)).filter(|it| *it < UNLIMITED);
        let most_at_once = agent.max_calls_at_once.map(|it| it.max(1));
        let within = |count: u64, most: Option<u64>| most.map_or(count, |most| count.min(most));
        LoopLimits {
            items: within(ITEMS, most),
            rounds: within(ROUNDS, most),
            at_once: within(AT_ONCE, most_at_once),
            most,
            most_at_once,
        }
    }

    /// Returns the numbers for the template of the prompt.
    pub(super) fn data(self) -> minijinja::Value {
        let LoopLimits { items, rounds, at_once, most, .. } = self;
        context! { items, rounds, at_once, most }
    }
}

/// The number of times that the results of a loop may be longer than a string of a prompt.
const RESULTS: usize = 80;
/// The most errors that are listed after the results.
const ERRORS: usize = 20;

impl Envelope {
    /// Reads a `ForEach` as a plan.
    pub(super) fn for_each(
        &mut self,
        details: Option<&Json>,
        spec: &PromptSpec<'_>,
    ) -> Result<Plan, Misfit> {
        let Some(Json::Object(details)) = details else {
            let fix = "Add it as `{\"collectionPath\", \"itemVariable\", \"action\"}`.";
            return Err(misfit("`ForEach` has no `forEach`", fix));
        };
        let options = Options { of: "forEach", details };
        let limits = LoopLimits::of(&spec.agent);
        let most = self.rounds(options, limits.items, limits)?;
        let delay = options.count("delayBetweenIterationsMs", 0)?;
        let at_once = match options.text("executionMode")?.map(str::to_lowercase).as_deref() {
            None | Some("sequential") => 1,
            Some("parallel") => {
                let wanted = options.count("maxConcurrency", limits.at_once)?.max(1);
                self.limited("maxConcurrency", wanted, limits.most_at_once)
            }
            Some(_) => {
                let message = "`executionMode` of `forEach` is neither `sequential` nor `parallel`";
                return Err(misfit(message, "Write one of them, or leave it out."));
            }
        };
        let names = Names {
            item: Some(options.text("itemVariable")?.unwrap_or("item")),
            index: Some(options.text("indexVariable")?.unwrap_or("index")),
            has_payload: spec.payload.is_some(),
            ..Names::default()
        };
        let (shown, collection) = collection(details, names)?;
        let mut expressions = Expressions::new(names);
        let body = self.body(options, &mut expressions, spec)?;
        let call = body.map_source(|call| {
            let call = match delay {
                0 => call,
                ms => format!("(do (if (>= index {at_once}) (flow/wait {ms}) nil) {call})"),
            };
            let all = if most == 0 {
                "(map-indexed vector items)".to_owned()
            } else {
                format!("(take {most} (map-indexed vector items))")
            };
            let flow = flow_options(&[
                (at_once > 1).then(|| format!(":at-once {at_once}")),
                options.continues().then(|| ":on-error :continue".to_owned()),
            ]);
            let kept = if options.continues() {
                "(mapv (fn [it] (get it :ok nil)) results)"
            } else {
                "results"
            };
            let missing = literal(&format!("the collection `{shown}` is missing or not a list"));
            let bindings = bindings(expressions.joins_texts.then_some(TEXT).into_iter());
            format!(
                "(let [{bindings}items {collection}]\n  (if (sequential? items)\n    (let [results (flow/each {all}\n       (fn [[index item]] {call}){flow})]\n      (memory/put :results {kept})\n      {{:items (count items) :results results}})\n    (throw (ex-info {missing} {{}}))))"
            )
        });
        let heading = format!("**Type:** ForEach\n**Collection:** {}", one_line(&shown, 200));
        Ok(Plan { calls: vec![call], heading: Some(heading), ..Plan::default() })
    }

    /// Reads a `While` as a plan.
    pub(super) fn while_loop(
        &mut self,
        details: Option<&Json>,
        spec: &PromptSpec<'_>,
    ) -> Result<Plan, Misfit> {
        let Some(Json::Object(details)) = details else {
            let fix = "Add it as `{\"condition\", \"action\"}`.";
            return Err(misfit("`While` has no `while`", fix));
        };
        let options = Options { of: "while", details };
        let limits = LoopLimits::of(&spec.agent);
        let most = self.rounds(options, limits.rounds, limits)?;
        let most = if most == 0 { UNLIMITED } else { most };
        let delay = options.count("delayBetweenIterationsMs", 0)?;
        let Some(given) = options.text("condition")?.map(str::trim).filter(|it| !it.is_empty())
        else {
            let fix = "Write it as text, such as `payload.status == 'pending'`.";
            return Err(misfit("`while` has no `condition`", fix));
        };
        let has_payload = spec.payload.is_some();
        let names = [
            ("payload", "(payload/get [])"),
            ("data", "ctx"),
            ("results", "(deref results)"),
            ("errors", "(deref errors)"),
        ];
        let names = names.into_iter().skip(usize::from(!has_payload));
        let names: Vec<(String, String)> =
            names.map(|(name, source)| (name.to_owned(), source.to_owned())).collect();
        let read = condition(given, &names, Writing::Reply).map_err(|why| {
            let shown = one_line(given, 200);
            misfit(&format!("the condition `{shown}` cannot be read: {why}"), "Correct it.")
        })?;
        let item = options.text("itemVariable")?.unwrap_or("attempt");
        let mut expressions =
            Expressions::new(Names { item: Some(item), has_payload, ..Names::default() });
        let body = self.body(options, &mut expressions, spec)?;
        let call = body.map_source(|call| {
            let call = if options.continues() {
                format!(
                    "(let [it (flow/attempt (fn [] {call}))] (if (:error it) (swap! errors conj (:message (:error it))) (swap! results conj (:ok it))) it)"
                )
            } else {
                format!("(let [it {call}] (swap! results conj it) it)")
            };
            let lists = ["results (atom [])", "errors (atom [])"].into_iter();
            let text = expressions.joins_texts.then_some(TEXT);
            let helpers: Vec<String> = read.helpers.iter().map(|it| Helper::binding(it)).collect();
            let helpers = helpers.iter().map(String::as_str);
            let bindings = bindings(helpers.chain(lists).chain(text));
            let flow = flow_options(&[
                Some(":check :before".to_owned()),
                Some(format!(":max {most}")),
                (delay > 0).then(|| format!(":every {delay}")),
            ]);
            let poll = format!(
                "(flow/poll\n  (fn [n] (let [item {{\"attemptNumber\" n \"totalAttempts\" (dec n)}}] {call}))\n  (fn [_] (not {})){flow})",
                read.source
            );
            let bindings = bindings.trim_end();
            format!(
                "(let [{bindings}\n      ended {poll}]\n  (memory/put :results (deref results))\n  ended)"
            )
        });
        let heading = format!("**Type:** While\n**Condition:** {}", one_line(given, 200));
        Ok(Plan { calls: vec![call], heading: Some(heading), ..Plan::default() })
    }

    /// Reads the most rounds of a loop; 0 if nothing limits them.
    fn rounds(
        &mut self,
        options: Options<'_>,
        default: u64,
        limits: LoopLimits,
    ) -> Result<u64, Misfit> {
        let wanted = options.count("maxIterations", default)?;
        Ok(match (wanted, limits.most) {
            (0, most) => most.unwrap_or_default(),
            (wanted, most) => self.limited("maxIterations", wanted, most),
        })
    }

    /// Returns a count within its limit. A note tells that it was larger.
    fn limited(&mut self, key: &str, count: u64, most: Option<u64>) -> u64 {
        let Some(most) = most.filter(|most| *most < count) else { return count };
        self.notes.push(format!("`{key}` is at most {most}, by the limits of the agent."));
        most
    }

    /// Reads the action or the sub-agent that a loop repeats.
    fn body(
        &mut self,
        options: Options<'_>,
        expressions: &mut Expressions<'_>,
        spec: &PromptSpec<'_>,
    ) -> Result<PlannedCall, Misfit> {
        let given = |key: &str| options.details.get(key).and_then(Json::as_object);
        let of = options.of;
        let (body, is_agent) = match (given("action"), given("subAgent")) {
            (Some(action), None) => (action, false),
            (None, Some(agent)) => (agent, true),
            (None, None) => {
                let message = format!("`{of}` has neither `action` nor `subAgent`");
                return Err(misfit(&message, "Add one, as in `Actions` or `Sub-Agent`."));
            }
            (Some(_), Some(_)) => {
                let message = format!("`{of}` has both `action` and `subAgent`");
                return Err(misfit(&message, "Keep one of them."));
            }
        };
        if body.contains_key("outputMapping") {
            self.notes.push("`outputMapping` was ignored: change the payload yourself.".to_owned());
        }
        let name = body.get("name").and_then(Json::as_str).unwrap_or_default();
        let call =
            |name: &str, source| PlannedCall { id: String::new(), name: name.to_owned(), source };
        let tool = match self.find(name, spec) {
            Ok(tool) => tool,
            Err(message) => return Ok(call(name, Err(message))),
        };
        let params = match body.get("params") {
            _ if is_agent => sub_agent_args(tool, body),
            None | Some(Json::Null) => Json::Object(Map::new()),
            Some(params @ Json::Object(_)) => params.clone(),
            Some(_) => {
                let message = format!("Error: the params of `{}` must be a JSON object", tool.name);
                return Ok(call(&tool.name, Err(message)));
            }
        };
        Ok(call(&tool.name, expressions.call(&tool.name, &params)))
    }
}

/// The options of a loop.
#[derive(Clone, Copy)]
struct Options<'a> {
    /// The key of the loop.
    of: &'static str,
    details: &'a Map<String, Json>,
}

impl<'a> Options<'a> {
    fn text(self, key: &str) -> Result<Option<&'a str>, Misfit> {
        match self.details.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => {
                let message = format!("`{key}` of `{}` is not a text", self.of);
                Err(misfit(&message, "Write it as text."))
            }
        }
    }

    fn count(self, key: &str, default: u64) -> Result<u64, Misfit> {
        match self.details.get(key) {
            None | Some(Json::Null) => Ok(default),
            Some(given) => given.as_u64().filter(|it| *it <= UNLIMITED).ok_or_else(|| {
                let message = format!("`{key}` of `{}` is not a count", self.of);
                misfit(&message, &format!("Write a whole number from 0 to {UNLIMITED}."))
            }),
        }
    }

    fn continues(self) -> bool {
        self.details.get("continueOnError").and_then(Json::as_bool).unwrap_or_default()
    }
}

/// Returns the collection of a `ForEach` as it is shown, and as an expression.
fn collection(details: &Map<String, Json>, names: Names<'_>) -> Result<(String, String), Misfit> {
    let fix = "Name a list, such as `payload.customers`.";
    let fixed = |items: &Json| {
        let list = marks::unmarked(items);
        Ok(("static".to_owned(), ptc_lisp::print::readable(&list)))
    };
    match details.get("collectionPath") {
        Some(items @ Json::Array(_)) => fixed(items),
        Some(Json::String(path)) => {
            if let Some(text) = path.trim().strip_prefix("static:") {
                return match ptc_lisp::json::parse(text) {
                    Ok(items @ Value::Vector(_)) => {
                        Ok(("static".to_owned(), ptc_lisp::print::readable(&items)))
                    }
                    _ => Err(misfit("`collectionPath` has no JSON list after `static:`", fix)),
                };
            }
            match names.collection(path) {
                Some(source) => Ok((path.trim().to_owned(), source)),
                None => {
                    let message =
                        format!("`{}` is not a path of a collection", one_line(path, 200));
                    Err(misfit(&message, fix))
                }
            }
        }
        _ => Err(misfit("`forEach` has no `collectionPath`", fix)),
    }
}

impl PlannedCall {
    /// Replaces the source, if there is one.
    fn map_source(self, change: impl FnOnce(String) -> String) -> PlannedCall {
        PlannedCall { source: self.source.map(change), ..self }
    }
}

fn bindings<'s>(all: impl Iterator<Item = &'s str>) -> String {
    all.fold(String::new(), |text, binding| format!("{text}{binding}\n      "))
}

fn flow_options(all: &[Option<String>]) -> String {
    let all: Vec<&str> = all.iter().flatten().map(String::as_str).collect();
    if all.is_empty() { String::new() } else { format!(" {{{}}}", all.join(" ")) }
}

/// Renders the results of a loop, one for each call that it made.
pub(super) fn results(heading: &str, plan: &Plan, outcome: &Outcome<'_>) -> String {
    let (Some(call), Some(made)) = (plan.calls.first(), outcome.outcomes.first()) else {
        return heading.to_owned();
    };
    let value = match &outcome.end {
        OutcomeEnd::Value { value, .. } => Some(*value),
        OutcomeEnd::Problem { .. } => None,
    };
    let error = match (value.and_then(|value| value.get("error")), &outcome.end) {
        (Some(Value::Str(message)), _) => Some(message.to_string()),
        (_, OutcomeEnd::Problem { problem, .. }) => Some(problem.message()),
        _ => None,
    };
    let calls: &[CallMade] = match made {
        CallOutcome::Made(calls) => calls,
        CallOutcome::Refused(_) => {
            let text = observe::observation(call, made, outcome.limits);
            return format!("## Loop Failed\n{heading}\n{text}");
        }
        CallOutcome::Gave(_) | CallOutcome::NotMade(_) => &[],
    };
    let failed = calls.iter().filter(|it| it.outcome.is_err()).count();
    let ended = if error.is_some() { "Failed" } else { "Completed" };
    let mut text = format!(
        "## Loop {ended}\n{heading}\n**Processed:** {}, **Errors:** {failed}",
        calls.len() - failed
    );
    if let Some(error) = &error {
        let _ = write!(text, "\n**Error:** {}", one_line(error, 1_000));
    }
    if let Some(note) = value.and_then(|value| stopped_early(value.get("ok")?)) {
        let _ = write!(text, "\n{note}");
    }
    let most = outcome.limits.string_truncate.saturating_mul(RESULTS);
    let (start, mut listed) = (text.len(), 0);
    for (round, call) in (1..).zip(calls) {
        if text.len() - start > most {
            break;
        }
        let result = match &call.outcome {
            Ok(value) => observe::result_text(value, outcome.limits),
            Err(_) => "failed".to_owned(),
        };
        let _ = write!(text, "\n\n### Iteration {round}\n{result}");
        listed = round;
    }
    if listed < calls.len() {
        let _ = write!(text, "\n\n[{} more iterations are not shown]", calls.len() - listed);
    }
    let is_cut = listed < calls.len() || text.contains("\n[cut after ");
    if is_cut && error.is_none() {
        let last = calls.len().saturating_sub(1);
        let _ = write!(
            text,
            "\n\nAll results are kept until the next loop: `results[{last}]` in `params` is the last one, and `results` as `collectionPath` all."
        );
    }
    if failed > 0 {
        text.push_str("\n\n### Errors");
        let errors =
            (1..).zip(calls).filter_map(|(round, it)| Some((round, it.outcome.as_ref().err()?)));
        for (round, message) in errors.take(ERRORS) {
            let _ = write!(text, "\n- Iteration {round}: {}", one_line(message, 1_000));
        }
        if failed > ERRORS {
            let _ = write!(text, "\n- and {} more", failed - ERRORS);
        }
    }
    text
}

/// Returns what a loop that reached its limit left out.
fn stopped_early(value: &Value) -> Option<String> {
    let count = |key: &str| value.get(key).and_then(Value::as_int);
    if let (Some(items), Some(Value::Vector(results))) = (count("items"), value.get("results")) {
        let done = i64::try_from(results.len()).ok()?;
        return (done < items)
            .then(|| format!("Stopped at `maxIterations`: {done} of {items} items."));
    }
    let goes_on = value.get("done").is_some_and(|it| !it.truthy());
    let rounds = count("attempts").filter(|_| goes_on)?;
    Some(format!("Stopped at `maxIterations`: the condition is still true after {rounds}."))
}
