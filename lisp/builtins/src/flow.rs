//! Functions that control work with tools, agents and people: attempts, items, polls, waits, steps, turns and questions.
//! Not in Clojure.
//!
//! The forms `flow/sequence`, `flow/parallel` and `flow/loop` expand to calls of some of these.

use arcstr::ArcStr;
use ptc_signatures::Kinds;

use super::facts::{
    ANY, BOOL, Callback, EACH, How, LIST, MAP, NIL, Options, ResultShape, TEXT, as_value, calls,
    listed,
};
use super::{Row, act, fork, lisp, pure, take, wrong_type};
use ptc_facts::registry::Registered;
use ptc_machine::{Cx, Fork, ItemIter, Looped, MachineAction, StepTaken, arguments_from, items_of};
use ptc_values::code::Code;
use ptc_values::print::display;
use ptc_values::{Diagnostic, Res, Value};

/// A list of values, written as a vector.
const ITEMS: ResultShape = LIST;

const OVER: &[Callback] = &[calls(1, How::Over)];

pub const TABLE: &[Row] = &[
    lisp(
        "flow/attempt",
        "f",
        "The value of f under `:ok`, or its exception under `:error` as `{:message …, :data …}`.",
        "(flow/attempt (fn [] (/ 6 2))) => {:ok 3}",
        as_value(MAP).calls(&[calls(0, How::Tried)]),
    ),
    lisp(
        "flow/each",
        "coll f|coll f options",
        "The results of f for every item, in order. Options: `:at-once` 1, `:on-error` `:stop` or `:continue`, `:max`.",
        "(flow/each [1 0] (fn [n] (/ 6 n)) {:on-error :continue}) => [{:ok 6} {:error {:message \"Divide by zero\"}}]",
        listed(ITEMS).calls(OVER).options(EACH_OPTIONS).acts(),
    ),
    lisp(
        "flow/poll",
        "f done?|f done? options",
        "Calls f until done? passes for its result. Options: `:every` 0 ms, `:max` 100, `:check` `:after` or `:before`.",
        "(flow/poll (fn [n] (* n n)) (fn [x] (> x 5)) {:max 9}) => {:value 9, :attempts 3, :done true}",
        as_value(MAP).calls(&[calls(0, How::Max)]).options(POLL_OPTIONS).acts(),
    ),
    act(
        "flow/wait",
        "ms",
        "Waits for a number of milliseconds. Returns nil.",
        "(mapv flow/wait []) => []",
        as_value(NIL).acts(),
        MachineAction::Wait,
    ),
    lisp(
        "flow/step",
        "name f",
        "The value of f, or `{:skipped true}` if the run skips the step. The record names its calls by the step.",
        "(flow/step \"add\" (fn [] (+ 1 2))) => 3",
        as_value(ANY).calls(&[calls(1, How::Once)]).acts(),
    ),
    pure(
        "flow/path",
        "",
        "The steps so far, in order: maps with `:step`, and with `:skipped` if the run skips it. At most 1,000.",
        "(do (flow/step \"add\" (fn [] (+ 1 2))) (flow/path)) => [{:step \"add\"}]",
        as_value(ITEMS).varies(),
        |cx, _| {
            let steps: Vec<StepTaken> = cx.own.flow.path.steps().cloned().collect();
            cx.spend(steps.len() as u64)?;
            cx.alloc(steps.len() as u64 * 96)?;
            let map = |taken: StepTaken| {
                let name = ("step", Value::Str(taken.name));
                let skipped = taken.is_skipped.then_some(("skipped", Value::Bool(true)));
                let fields = [name].into_iter().chain(skipped);
                Value::map(fields.map(|(key, value)| (Value::keyword(key), value)))
            };
            let steps = steps.into_iter().map(map).collect();
            cx.vector(steps)
        },
    ),
    pure(
        "flow/report",
        "m",
        "Adds to the report of the run: a map with `:message`, `:reasoning`, `:confidence` or `:chat`. Returns nil.",
        "(flow/report {:message \"Paid.\" :confidence 0.9}) => nil",
        listed(NIL).looks_inside().acts(),
        report,
    ),
    pure(
        "flow/start-at",
        "",
        "The name of the step that the run is to start at; nil without one.",
        "(flow/start-at) => nil",
        as_value(ANY).varies(),
        |cx, _| {
            let start = cx.world.steps.as_ref().and_then(|it| it.start_at.clone());
            Ok(start.map_or(Value::Nil, Value::Str))
        },
    ),
    act(
        "flow/continue",
        "state",
        "Ends the turn. The next one finds the state in `ctx/state`.",
        "(mapv flow/continue []) => []",
        as_value(ANY).acts(),
        MachineAction::Continue,
    ),
    act(
        "ask",
        "form",
        "Asks a person, and returns the answer. The form is a text, or a map with `:title`, `:type`, `:choices`, `:fields` ….",
        "(mapv ask []) => []",
        as_value(ANY).acts(),
        MachineAction::Ask,
    ),
    act(
        "transcript/expand",
        "turn",
        "Shows the model again, whole, what it was told after a turn. Returns a text that says so.",
        "(mapv transcript/expand []) => []",
        as_value(TEXT).acts(),
        MachineAction::Expand,
    ),
    // The following serve the functions and forms of `flow/`.
    fork(
        "ptc/pmap-few",
        "n f coll",
        "`pmap` with at most n open branches.",
        "",
        &[calls(1, How::Each)],
        listed(LIST),
        |cx, mut args| {
            let at_once = args[0].as_int().and_then(|n| usize::try_from(n).ok()).unwrap_or(1);
            let items = ItemIter::of(cx, take(&mut args, 2))?;
            Ok(Fork::over(take(&mut args, 1), vec![items]).at_once(at_once.max(1)))
        },
    ),
    pure(
        "ptc/each-plan",
        "coll options",
        "Checks the arguments of `flow/each`.",
        "",
        listed(ANY),
        each_plan,
    ),
    pure(
        "ptc/poll-plan",
        "options",
        "Checks the options of `flow/poll`.",
        "",
        listed(ANY),
        poll_plan,
    ),
    pure("ptc/takes-one", "f", "Whether f takes one argument.", "", as_value(BOOL), |_, args| {
        Ok(Value::Bool(match &args[0] {
            Value::Function(closure) => {
                let lambda = closure.program.lambdas.get(closure.lambda as usize);
                lambda.is_some_and(|lambda| lambda.arity(1).is_some())
            }
            Value::Builtin(id) => id.builtin().takes(1),
            _ => true,
        }))
    }),
    pure(
        "ptc/enter-step",
        "name",
        "Opens a step; returns the outer ones, or false if the run skips it.",
        "",
        as_value(ANY),
        |cx, args| {
            let name = match &args[0] {
                Value::Str(name) | Value::Keyword(name) if !name.is_empty() => name.as_str(),
                other => return Err(wrong_type("flow/step", "a name first", other)),
            };
            let outer = cx.own.flow.step.take();
            let path =
                outer.as_ref().map_or_else(|| name.to_owned(), |outer| format!("{outer}/{name}"));
            if path.len() > MAX_STEP {
                let message =
                    format!("the names of the open steps are longer than {MAX_STEP} bytes");
                cx.own.flow.step = outer;
                return Err(Diagnostic::new(Code::OutOfBounds, message)
                    .with_help("put data into values, and give steps short names"));
            }
            cx.alloc((path.len() + size_of::<StepTaken>()) as u64)?;
            let name = ArcStr::from(path);
            let chosen = cx.world.steps.as_ref();
            let is_skipped = chosen.is_some_and(|it| it.skips(&name, &mut cx.own.flow.has_started));
            cx.own.flow.path.enter(StepTaken { name: name.clone(), is_skipped });
            if is_skipped {
                cx.own.flow.step = outer;
                return Ok(Value::Bool(false));
            }
            cx.own.flow.step = Some(name);
            Ok(outer.map_or(Value::Nil, Value::Str))
        },
    ),
    pure(
        "ptc/leave-step",
        "outer",
        "Goes back to the outer steps.",
        "",
        as_value(NIL),
        |cx, args| {
            cx.own.flow.step = match take(args, 0) {
                Value::Str(outer) => Some(outer),
                _ => None,
            };
            Ok(Value::Nil)
        },
    ),
    lisp(
        "ptc/loop-passes",
        "most pass",
        "The implementation of `flow/loop`.",
        "",
        as_value(MAP).calls(&[calls(1, How::Count)]),
    ),
    lisp(
        "ptc/loop-pass",
        "& agents",
        "Calls functions in order until one ends the loop.",
        "",
        as_value(NIL).calls(&[calls(0, How::Thunks)]),
    ),
    lisp(
        "ptc/loop-pass-over",
        "f agents",
        "Calls f with each agent in order until one ends the loop.",
        "",
        as_value(NIL).calls(EACH),
    ),
    pure(
        "ptc/loop-limit",
        "options",
        "Checks the options of `flow/loop`.",
        "",
        as_value(ANY),
        |_, args| {
            let most = args[0].get("max").cloned().unwrap_or_default();
            count_of("flow/loop", "max", &most)?;
            Ok(most)
        },
    ),
    pure(
        "ptc/enter-loop",
        "",
        "Begins a loop; returns the state of the outer one.",
        "",
        as_value(ANY),
        |cx, _| {
            let outer = std::mem::replace(&mut cx.own.flow.looped, Looped::Inside);
            Ok(Value::from(match outer {
                Looped::No => 0,
                Looped::Inside => 1,
                Looped::Exited => 2,
            }))
        },
    ),
    pure(
        "ptc/leave-loop",
        "outer",
        "Goes back to the outer loop.",
        "",
        as_value(NIL),
        |cx, args| {
            cx.own.flow.looped = match args[0].as_int() {
                Some(1) => Looped::Inside,
                Some(2) => Looped::Exited,
                _ => Looped::No,
            };
            Ok(Value::Nil)
        },
    ),
    pure(
        "ptc/loop-exited",
        "",
        "Whether an agent has ended the loop.",
        "",
        as_value(BOOL),
        |cx, _| Ok(Value::Bool(cx.own.flow.looped == Looped::Exited)),
    ),
    pure(
        "ptc/agent-name",
        "agent",
        "The name of an agent as a text.",
        "",
        as_value(TEXT),
        |_, args| match args[0].name() {
            Some(name) => Ok(Value::str(name)),
            None => Err(wrong_type("flow/sequence", "names of agents, or functions", &args[0])),
        },
    ),
    pure(
        "ptc/agent-input",
        "name",
        "The values that the payload has for the inputs of an agent.",
        "",
        as_value(ResultShape::Kinds(Kinds::MAP)),
        |cx, args| {
            let name = args[0].name().unwrap_or_default();
            let tools = cx.world.tools.clone();
            let signature = tools
                .iter()
                .find(|tool| tool.name == name)
                .and_then(|tool| tool.signature.as_ref());
            let parameters =
                signature.map(|signature| signature.params.as_slice()).unwrap_or_default();
            cx.spend(tools.len() as u64 / 8 + parameters.len() as u64)?;
            cx.alloc(parameters.len() as u64 * 64)?;
            let payload = cx.payload_or_nil();
            Ok(arguments_from(&payload, parameters.iter().map(|field| field.name.as_str())))
        },
    ),
];

const EACH_OPTIONS: Options =
    Options { from: 2, known: &["at-once", "on-error", "max"], closed: true };
const POLL_OPTIONS: Options = Options { from: 2, known: &["every", "max", "check"], closed: true };

/// Keeps what a program tells for the report of its run.
fn report(cx: &mut Cx, args: &mut [Value]) -> Res {
    let wrong = |found: &Value| {
        let expected = "a map with `:message`, `:reasoning`, `:confidence` or `:chat`";
        wrong_type("flow/report", expected, found)
    };
    let told = take(args, 0);
    let Value::Map(told) = told else { return Err(wrong(&told)) };
    for (key, value) in told.iter() {
        let (is_right, expected) = match key.name() {
            Some("message" | "reasoning") => (matches!(value, Value::Str(_)), "a text"),
            Some("confidence") => (matches!(value, Value::Int(_) | Value::Float(_)), "a number"),
            Some("chat") => (matches!(value, Value::Bool(_)), "true or false"),
            _ => return Err(wrong(key)),
        };
        if !(is_right || value.is_nil()) {
            let expected = format!("{expected} for `{key}`", key = display(key));
            return Err(wrong_type("flow/report", &expected, value));
        }
    }
    cx.alloc(told.len() as u64 * 64)?;
    cx.own.flow.tell(&told);
    Ok(Value::Nil)
}

/// The maximum length of the names of open steps, in bytes.
const MAX_STEP: usize = 256;

/// Returns the items of `flow/each`, the number of branches, and whether errors are values.
fn each_plan(cx: &mut Cx, args: &mut [Value]) -> Res {
    let options = take(args, 1);
    let option = |name| options.get(name).filter(|value| !value.is_nil());
    let at_once = option("at-once").map_or(Ok(1), |n| count_of("flow/each", "at-once", n))?.max(1);
    let continues = choice_of("flow/each", &options, "on-error", ["stop", "continue"])? == 1;
    let most = option("max").map(|n| count_of("flow/each", "max", n)).transpose()?;
    let items = items_of(cx, take(args, 0))?;
    if let Some(most) = most.filter(|most| items.len() as u64 > *most) {
        let message = format!("`flow/each` has {} items, and `:max` is {most}", items.len());
        return Err(Diagnostic::new(Code::OutOfBounds, message)
            .with_help("raise `:max`, or pass fewer items, such as `(take n coll)`"));
    }
    let items = cx.vector(items)?;
    cx.vector(vec![items, Value::from(at_once as i64), Value::Bool(continues)])
}

/// Returns the delay of `flow/poll`, the number of attempts, and whether it checks before the first one.
fn poll_plan(cx: &mut Cx, args: &mut [Value]) -> Res {
    let options = take(args, 0);
    let option = |name, default| match options.get(name) {
        None | Some(Value::Nil) => Ok(default),
        Some(given) => count_of("flow/poll", name, given),
    };
    let (every, most) = (option("every", 0)?, option("max", 100)?);
    let is_before = choice_of("flow/poll", &options, "check", ["after", "before"])? == 1;
    cx.vector(vec![Value::from(every as i64), Value::from(most as i64), Value::Bool(is_before)])
}

/// Returns a number that is not negative.
fn count_of(who: &str, option: &str, value: &Value) -> Res<u64> {
    let count = value.as_int().and_then(|count| u64::try_from(count).ok());
    count.ok_or_else(|| {
        wrong_type(who, &format!("a number that is not negative for `:{option}`"), value)
    })
}

/// Returns the index of the chosen word; without the option, of the first one.
fn choice_of(who: &str, options: &Value, option: &str, words: [&str; 2]) -> Res<usize> {
    let Some(given) = options.get(option).filter(|value| !value.is_nil()) else { return Ok(0) };
    let index = words.iter().position(|word| given.name() == Some(word));
    index.ok_or_else(|| {
        let expected = format!("`:{}` or `:{}` for `:{option}`", words[0], words[1]);
        wrong_type(who, &expected, given)
    })
}
