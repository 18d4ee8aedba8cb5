//! The program of a flow.

use std::fmt::Write as _;

use ptc_prompt::expressions::{Condition, Expressions, Helper, Names, Writing, condition, literal};

use super::body::{CONTROL, body, indented, mapped, text_definition};
use super::fault::FlowFault;
use super::file::{FlowFile, PathOn};
use super::graph::FlowGraph;
use super::output::FIND;
use super::places::{Places, has_marks, marked, unmarked};
use super::reach::{Order, order};
use super::scope::{FlowScope, Need, Needs};
use super::steps::{PathTo, Step, StepKind, graph, steps};

/// A compiled flow.
pub(crate) struct Compiled {
    pub(crate) program: String,
    pub(crate) places: Places,
    pub(crate) graph: FlowGraph,
}

/// Compiles a flow file to a program. `file_name` names it there, and `text` is the file.
pub(crate) fn compile(
    file: &FlowFile,
    file_name: &str,
    text: &str,
    scope: &FlowScope<'_>,
) -> Result<Compiled, FlowFault> {
    if has_marks(text) {
        return Err(FlowFault::new(
            0..0,
            "the file has a character that is no character of Unicode",
        ));
    }
    let steps = steps(file, scope.tools)?;
    let order = order(&steps)?;
    let mut needs = Needs::default();
    let (start, result) = ends(file, scope, &mut needs)?;
    let mut work = Vec::new();
    for step in &steps {
        work.push(if step.is_active() { body(step, scope, &mut needs)? } else { String::new() });
    }
    let mut routes = Vec::new();
    for step in &steps {
        routes.push(if step.is_active() {
            route(step, &steps, &order, scope, &mut needs)?
        } else {
            Route::default()
        });
    }
    let mut parts =
        vec![format!(";; The program of {file_name}. Change that file, and not this program.")];
    let chats = steps.iter().any(|it| it.is_active() && may_chat(it));
    parts.extend(helpers(&needs));
    parts.extend(chats.then(|| format!("(defn outcome []\n  {})", indented(&result, 2))));
    for at in &order.defined {
        let (Some(step), Some(work), Some(route)) =
            (steps.get(*at), work.get(*at), routes.get(*at))
        else {
            continue;
        };
        parts.push(function(step, work, route, &needs));
    }
    let mut cases = String::new();
    for step in steps.iter().filter(|it| it.is_active()) {
        let _ = write!(cases, "\n    {} ({})", literal(step.name()), step.function);
    }
    parts.push(format!(
        ";; Does a step and those that follow it.\n(defn go [step]\n  (case step{cases}))"
    ));
    parts.extend(start);
    parts.push(entry(&steps, &order));
    parts.push(if chats { "(outcome)".to_owned() } else { result });
    let (program, places) = unmarked(&(parts.join("\n\n") + "\n"));
    Ok(Compiled { program, places, graph: graph(&steps) })
}

/// Returns what is written to the payload before the first step, and the expression of the run's value.
fn ends(
    file: &FlowFile,
    scope: &FlowScope<'_>,
    needs: &mut Needs,
) -> Result<(Option<String>, String), FlowFault> {
    let names = Names {
        has_payload: scope.has_payload,
        others: &scope.names,
        writing: Writing::Program,
        ..Names::default()
    };
    let mut expressions = Expressions::new(names);
    let start = match &file.payload {
        None => None,
        Some(payload) if !payload.get_ref().is_table() => {
            return Err(FlowFault::new(payload.span(), "`payload` is no table"));
        }
        Some(payload) if !scope.has_payload => {
            let fault = FlowFault::new(payload.span(), "the agent has no payload");
            return Err(fault.with_help("add `[payload]` to the agent file"));
        }
        Some(payload) => {
            let source = mapped(payload, &mut expressions)?;
            Some(marked(&format!("(payload/merge [] {source})"), &payload.span()))
        }
    };
    let result = match &file.result {
        Some(result) => marked(&mapped(result, &mut expressions)?, &result.span()),
        None if scope.has_payload => "(payload/get [])".to_owned(),
        None => "nil".to_owned(),
    };
    needs.add(Need::Text, expressions.joins_texts);
    needs.reads(&result);
    Ok((start, result))
}

/// Returns the definitions of the functions that the steps call.
fn helpers(needs: &Needs) -> Vec<String> {
    let mut all = Vec::new();
    if needs.has(Need::Results) {
        all.push("(def results (atom {}))".to_owned());
    }
    if needs.has(Need::Text) {
        all.push(text_definition());
    }
    if needs.has(Need::Output) {
        all.push(FIND.to_owned());
    }
    if needs.has(Need::Merge) {
        let merge = |data: &str| {
            format!(
                "(payload/merge [] (deep-merge (select-keys (payload/get []) (keys {data})) {data}))"
            )
        };
        let merge = if needs.has(Need::MergeWithoutControl) {
            let control: Vec<String> = CONTROL.iter().map(|it| format!(":{it}")).collect();
            format!("(let [data (dissoc reply {})]\n      {})", control.join(" "), merge("data"))
        } else {
            merge("reply")
        };
        all.push(format!(
            ";; Merges a reply into the payload, with the maps in it.\n(defn merge-in [reply]\n  (when (map? reply)\n    {merge})\n  reply)"
        ));
    }
    let mut named: Vec<&Helper> = Vec::new();
    for helper in &needs.helpers {
        if !named.contains(helper) {
            named.push(helper);
        }
    }
    // A function may call `truthy`, and no other one.
    named.sort_by_key(|it| it.name != "truthy");
    all.extend(named.into_iter().map(Helper::definition));
    all
}

/// The way on from a step.
#[derive(Default)]
struct Route {
    source: String,
    reads_result: bool,
}

/// Returns what follows a step: the first path that may be taken.
fn route(
    step: &Step<'_>,
    steps: &[Step<'_>],
    order: &Order,
    scope: &FlowScope<'_>,
    needs: &mut Needs,
) -> Result<Route, FlowFault> {
    let mut clauses = control(step, steps, order);
    let mut reads_result = !clauses.is_empty();
    let mut closed: Vec<(String, String)> = Vec::new();
    for path in &step.paths {
        let (test, reads) = test(step, path, scope, needs)?;
        reads_result |= reads;
        match steps.get(path.to) {
            Some(to) if to.is_active() => clauses.push((test, go_to(path.to, to, order))),
            Some(to) => {
                let message = format!("step `{}` is {}", to.name(), to.file.status.as_str());
                closed.push((test, format!("(throw (ex-info {} {{}}))", literal(&message))));
            }
            None => {}
        }
    }
    clauses.extend(closed);
    if step.is_attempted() {
        let error = "(throw (ex-info (:message (:error tried)) (:data (:error tried) {})))";
        clauses.push(("(:error tried)".to_owned(), error.to_owned()));
    }
    // Nothing behind a path that always holds is reached.
    let always = clauses.iter().position(|(test, _)| test == ALWAYS);
    clauses.truncate(always.map_or(clauses.len(), |at| at + 1));
    let source = match &clauses[..] {
        [] => "nil".to_owned(),
        [(test, then)] if test == ALWAYS => then.clone(),
        [(test, then)] => format!("(if {}\n  {then}\n  nil)", indented(test, 4)),
        [(test, then), (last, other)] if last == ALWAYS => {
            format!("(if {}\n  {then}\n  {other})", indented(test, 4))
        }
        _ => {
            let lines = clauses.iter().map(|(test, then)| {
                let test = if test == ALWAYS { ":else" } else { test.as_str() };
                format!("\n  {} {then}", indented(test, 2))
            });
            format!("(cond{})", lines.collect::<String>())
        }
    };
    Ok(Route { source, reads_result })
}

/// The test of a path that always holds.
const ALWAYS: &str = "";

/// Returns the test of a path, and whether it reads the result of the step.
fn test(
    step: &Step<'_>,
    path: &PathTo<'_>,
    scope: &FlowScope<'_>,
    needs: &mut Needs,
) -> Result<(String, bool), FlowFault> {
    let ended = match (path.file.on, step.is_attempted()) {
        (PathOn::Error, _) => Some("(:error tried)"),
        (PathOn::Success, true) => Some("(not (:error tried))"),
        _ => None,
    };
    let Some(when) = &path.file.when else {
        return Ok((ended.unwrap_or(ALWAYS).to_owned(), false));
    };
    let read = condition(when.get_ref(), &scope.condition_names(true), Writing::Program);
    let Condition { source, helpers, reads } = read.map_err(|why| {
        FlowFault::new(when.span(), format!("the condition cannot be read: {why}"))
    })?;
    needs.reads(&source);
    needs.helpers.extend(helpers);
    let source = marked(&source, &when.span());
    let source = match ended {
        Some(ended) => format!("(and {ended} {source})"),
        None => source,
    };
    Ok((source, reads.iter().any(|it| it == "stepResult")))
}

/// Returns the clauses by which a reply of a prompt chooses what follows.
fn control(step: &Step<'_>, steps: &[Step<'_>], order: &Order) -> Vec<(String, String)> {
    let mut clauses = Vec::new();
    if step.kind != StepKind::Prompt || step.gives().is_none() {
        return clauses;
    }
    if may_chat(step) {
        let mut tests = Vec::new();
        if step.may_give("nextStep") {
            tests.push("(= (get-in result [:nextStep :type]) \"Chat\")");
        }
        if step.may_give("taskComplete") && step.may_give("message") {
            tests.push("(and (:taskComplete result) (:message result))");
        }
        let test = match &tests[..] {
            [one] => (*one).to_owned(),
            _ => format!("(or {})", tests.join(" ")),
        };
        clauses.push((test, "(do (flow/report {:chat true}) (return (outcome)))".to_owned()));
    }
    if step.may_give("terminate") {
        clauses.push(("(:terminate result)".to_owned(), "nil".to_owned()));
    }
    if step.may_give("nextStepName") {
        for path in &step.paths {
            if let Some(to) = steps.get(path.to).filter(|it| it.is_active()) {
                let test = format!("(= (:nextStepName result) {})", literal(to.name()));
                clauses.push((test, go_to(path.to, to, order)));
            }
        }
    }
    clauses
}

/// Returns whether a reply of a prompt may end the flow with a message to the user.
fn may_chat(step: &Step<'_>) -> bool {
    let is_typed = step.kind == StepKind::Prompt && step.gives().is_some();
    is_typed
        && (step.may_give("nextStep") || step.may_give("taskComplete") && step.may_give("message"))
}

/// Returns the expression that continues with a step.
fn go_to(at: usize, step: &Step<'_>, order: &Order) -> String {
    match order.is_named.get(at) {
        Some(true) => literal(step.name()),
        _ => format!("({})", step.function),
    }
}

/// Returns the definition of the function of a step.
fn function(step: &Step<'_>, work: &str, route: &Route, needs: &Needs) -> String {
    let about = step.file.description.as_deref().map(one_line);
    let about = about.map(|it| format!(": {it}")).unwrap_or_default();
    let name = literal(step.name());
    let done = format!("(flow/step {name}\n  (fn []\n    {}))", indented(work, 4));
    let kept = needs.has(Need::Results).then(|| format!("(swap! results assoc {name} result)"));
    let mut bindings = Vec::new();
    if step.is_attempted() {
        bindings.push(format!(
            "tried (flow/attempt\n        (fn []\n          {}))",
            indented(&done, 10)
        ));
        if route.reads_result || kept.is_some() {
            bindings.push("result (if (:error tried) tried (:ok tried))".to_owned());
        }
    } else if route.reads_result || kept.is_some() {
        bindings.push(format!("result {}", indented(&done, 7)));
    }
    let mut lines: Vec<String> = Vec::new();
    if bindings.is_empty() {
        lines.push(done);
    }
    lines.extend(kept);
    lines.push(route.source.clone());
    let lines = lines.join("\n");
    let body = if bindings.is_empty() {
        lines
    } else {
        let bindings: Vec<String> = bindings.iter().map(|it| indented(it, 6)).collect();
        format!("(let [{}]\n  {})", bindings.join("\n      "), indented(&lines, 2))
    };
    format!(
        ";; {}{about}\n(defn {} []\n  {})",
        one_line(step.name()),
        step.function,
        indented(&body, 2)
    )
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the form that runs the steps.
fn entry(steps: &[Step<'_>], order: &Order) -> String {
    let named = |at: usize| steps.get(at).map(|it| literal(it.name())).unwrap_or_default();
    let goes_on = order.defined.iter().any(|at| order.is_named.get(*at) == Some(&true));
    let run = ";; Does steps until none follows.\n(defn run [step]\n  (loop [step step]\n    (if step (recur (go step)) nil)))";
    match &order.starts[..] {
        [start] if !goes_on => format!("(go (or (flow/start-at) {}))", named(*start)),
        [start] => format!("{run}\n\n(run (or (flow/start-at) {}))", named(*start)),
        starts => {
            let all: Vec<String> = starts.iter().map(|at| named(*at)).collect();
            let (run, go) =
                if goes_on { (format!("{run}\n\n"), "run") } else { (String::new(), "go") };
            let seen = "(contains? (set (map :step (flow/path))) step)";
            let all = all.join(" ");
            let joined = if goes_on {
                format!(
                    "(doseq [step (distinct (remove nil? (pmap go [{all}])))]\n    (if {seen} nil (run step)))"
                )
            } else {
                format!("(doall (pmap go [{all}]))")
            };
            format!("{run}(if-let [step (flow/start-at)]\n  ({go} step)\n  {joined})")
        }
    }
}
