//! Composes values from tags and data: the inverse of [`super::apart`].

use std::collections::BTreeSet;
use std::sync::Arc;

use num_bigint::BigInt;

use super::apart::Places;
use crate::library::own_function;
use crate::{Diagnostic, ToolDecl};
use ptc_builtins::jvm::time;
use ptc_facts::registry;
use ptc_machine::Alive;
use ptc_machine::StageStep;
use ptc_values::limits::{MAX_KEY_DEPTH, MAX_KEY_PARTS};
use ptc_values::{
    Cell, CellKind, Class, Closure, Ext, Lazy, Link, Map, Matcher, Numbers, Order, Pattern,
    Program, Seq, Set, Stage, StageKind, StageState, Thrown, Uuid, Value, compile_regex, parts,
};

/// The reason a text gives no value.
pub(super) enum Fault {
    /// It is not a text of a snapshot.
    Damaged(String),
    /// It refers to something that this session does not have.
    Unavailable(String),
}

impl Fault {
    pub(super) fn damaged(problem: impl Into<String>) -> Fault {
        Fault::Damaged(problem.into())
    }
}

/// The parts of a session that values refer to.
pub(super) struct Context<'a> {
    pub(super) programs: &'a [Restored],
    pub(super) alive: &'a mut Alive,
}

/// A program of a snapshot, checked again.
pub(super) struct Restored {
    pub(super) source: Arc<str>,
    /// The checked program and the places of its functions, or the reason they are lost.
    pub(super) program: Result<(Arc<Program>, Places), String>,
}

impl Restored {
    pub(super) fn new(program: Arc<Program>, tools: &[ToolDecl]) -> Restored {
        let source = program.source.clone();
        let called: BTreeSet<&str> = program.tools.iter().map(|tool| &**tool).collect();
        let is_there = |name: &str| tools.iter().any(|tool| tool.callable && tool.name == name);
        let gone = called.into_iter().find(|name| !is_there(name)).map(str::to_owned);
        let program = match gone {
            Some(gone) => Err(format!("its program calls the missing tool `{gone}`")),
            None => {
                let places = Places::new(&program);
                Ok((program, places))
            }
        };
        Restored { source, program }
    }
}

type Made = Result<Value, Fault>;

/// Refuses a key or member that exceeds the limits of keys.
pub(super) fn key(key: &Value) -> Result<(), String> {
    if key.depth() > MAX_KEY_DEPTH || parts(key, MAX_KEY_PARTS) > MAX_KEY_PARTS {
        let most = format!("{MAX_KEY_DEPTH} levels and {MAX_KEY_PARTS} values");
        return Err(format!("a key of a map or a member of a set has more than {most}"));
    }
    Ok(())
}

/// Composes the value of a tag on data.
pub(super) fn compose(tag: &str, data: &Value, context: &mut Context<'_>) -> Made {
    let made = match tag {
        "keyword" => Value::Keyword(text(data)?.into()),
        "symbol" => Value::Symbol(text(data)?.into()),
        "hex" => hex(text(data)?)?,
        "builtin" => {
            let name = text(data)?;
            let Some(id) = registry::find(name) else {
                return Err(Fault::Unavailable(format!("the language has no function `{name}`")));
            };
            Value::Builtin(id)
        }
        "entry" => match items(data)?.as_slice() {
            [key, value] => Value::entry(key.clone(), value.clone()),
            _ => return Err(Fault::damaged("an entry is a key and a value")),
        },
        "list" => Value::List(Arc::new(Seq::new(items(data)?).into_list())),
        "seq" => match data {
            Value::List(seq) => Value::List(Seq::plain(seq.clone())),
            _ => return Err(Fault::damaged(format!("expected a list, found {data}"))),
        },
        "queue" => Value::List(Arc::new(Seq::enqueue(Arc::new(Seq::empty_queue()), items(data)?))),
        "range" => range(data)?,
        "sorted-map" => sorted_map(data)?,
        "sorted-set" => sorted_set(data)?,
        "regex" => {
            compile_regex(text(data)?).map_err(|problem| Fault::damaged(problem.message()))?
        }
        "reduced" => Ext::Reduced(data.clone()).into_value(),
        "var" => Ext::Var(text(data)?.into()).into_value(),
        "class" => {
            let name = text(data)?;
            let Some(class) = Class::find(name) else {
                return Err(Fault::Unavailable(format!("the language has no class `{name}`")));
            };
            Ext::Class(class).into_value()
        }
        "uuid" => match Uuid::parse(text(data)?) {
            Some(uuid) => Ext::Uuid(uuid).into_value(),
            None => return Err(Fault::damaged(format!("{data} is not a UUID"))),
        },
        "time" => {
            let parts = items(data)?;
            let [class, written] = parts.as_slice() else {
                return Err(Fault::damaged("a time is a class and a text"));
            };
            match time::of_text(text(class)?, text(written)?) {
                Some(time) => time,
                None => return Err(Fault::damaged(format!("{written} is not a text of {class}"))),
            }
        }
        "over" => {
            let kind = match text(data)? {
                "atom" => CellKind::Atom,
                "volatile" => CellKind::Volatile,
                "delay" => CellKind::Delay,
                other => return Err(Fault::damaged(format!("`{other}` is not a kind of cell"))),
            };
            Ext::Cell(Cell::over(kind)).into_value()
        }
        "lazy" => lazy(data, false, context)?,
        "endless" => lazy(data, true, context)?,
        "fn" => function(data, context)?,
        "error" => error(data, context)?,
        "matcher" => matcher(data)?,
        "stage" => stage(data, context)?,
        _ => return Err(Fault::damaged("there is no such tag")),
    };
    Ok(made)
}

fn text(data: &Value) -> Result<&str, Fault> {
    data.as_str().ok_or_else(|| Fault::damaged(format!("expected a text, found {}", shown(data))))
}

fn items(data: &Value) -> Result<Vec<Value>, Fault> {
    match data.items() {
        Some(items) => Ok(items.cloned().collect()),
        None => Err(Fault::damaged(format!("expected a vector, found {}", shown(data)))),
    }
}

/// Makes a range of its first integer, its step and its last integer.
fn range(data: &Value) -> Made {
    let numbers = match items(data)?.as_slice() {
        [Value::Int(first), Value::Int(step), Value::Int(last)] => {
            Numbers::between([*first, *step, *last])
        }
        _ => None,
    };
    match numbers {
        Some(numbers) => Ok(Value::List(Arc::new(Seq::of_range(&numbers)))),
        None => Err(Fault::damaged(format!("{} is not a range", shown(data)))),
    }
}

/// Shows a value in a message.
fn shown(data: &Value) -> String {
    let bounds = ptc_values::print::Preview { max_chars: 60, ..Default::default() };
    ptc_values::print::preview(data, &bounds).0
}

/// Returns the items under a key of data; empty without the key.
fn items_of(data: &Value, key: &str) -> Result<Vec<Value>, Fault> {
    data.get(key).map_or_else(|| Ok(Vec::new()), items)
}

fn number_of(data: &Value, key: &str) -> Result<usize, Fault> {
    let number = data.get(key).and_then(Value::as_int);
    number.and_then(|number| usize::try_from(number).ok()).ok_or_else(|| missing(data, key))
}

#[cold]
fn missing(data: &Value, key: &str) -> Fault {
    Fault::damaged(format!("`:{key}` is wrong in {}", shown(data)))
}

fn hex(digits: &str) -> Made {
    match BigInt::parse_bytes(digits.as_bytes(), 16) {
        Some(big) => Ok(Value::big(big)),
        None => Err(Fault::damaged("expected hexadecimal digits")),
    }
}

fn order(data: &Value) -> Order {
    data.get("by").map_or(Order::Natural, |by| Order::By(by.clone()))
}

fn sorted_map(data: &Value) -> Made {
    let mut map = Map::sorted(order(data));
    for row in items_of(data, "rows")?.chunks(2) {
        let [key_of, value] = row else { return Err(missing(data, "rows")) };
        key(key_of).map_err(Fault::Damaged)?;
        map.push_last((key_of.clone(), value.clone()));
    }
    Ok(Value::Map(Arc::new(map)))
}

fn sorted_set(data: &Value) -> Made {
    let mut set = Set::sorted(order(data));
    for member in items_of(data, "rows")? {
        key(&member).map_err(Fault::Damaged)?;
        set.push_last(member);
    }
    Ok(Value::Set(Arc::new(set)))
}

fn lazy(data: &Value, endless: bool, context: &mut Context<'_>) -> Made {
    let rest = data.get("rest").cloned().unwrap_or_default();
    let made = items_of(data, "items")?;
    let link = if let Some(call) = data.get("call") {
        let mut args = items(call)?;
        if args.is_empty() {
            return Err(missing(data, "call"));
        }
        let function = args.remove(0);
        Link::Unmade(function, args.into())
    } else if data.get("over").is_some() {
        Link::Over
    } else {
        let mut link = Link::Empty;
        for (at, item) in made.into_iter().rev().enumerate() {
            let rest = match at {
                0 => rest.clone(),
                _ => alive(context, Ext::Lazy(Lazy::with(link, endless))),
            };
            link = Link::Made(item, rest);
        }
        link
    };
    Ok(alive(context, Ext::Lazy(Lazy::with(link, endless))))
}

/// Creates a value that may later hold itself. The session frees it when it ends.
fn alive(context: &mut Context<'_>, ext: Ext) -> Value {
    let ext = Arc::new(ext);
    context.alive.add(&ext);
    Value::Ext(ext)
}

fn function(data: &Value, context: &Context<'_>) -> Made {
    let own = data.get("of").map(text).transpose()?;
    let fresh;
    let (program, places) = if let Some(name) = own {
        let Some(program) = own_function(name) else {
            return Err(Fault::Unavailable(format!("the language has no function `{name}`")));
        };
        fresh = Places::new(program);
        (program, &fresh)
    } else {
        let Some(restored) = context.programs.get(number_of(data, "program")?) else {
            return Err(missing(data, "program"));
        };
        match &restored.program {
            Ok((program, places)) => (program, places),
            Err(why) => return Err(Fault::Unavailable(why.clone())),
        }
    };
    let lambda = number_of(data, "function")? as u32;
    let over = items_of(data, "over")?;
    let is = |wanted: Option<&str>, key| data.get(key).and_then(Value::as_str) == wanted;
    // Function numbers depend on how the language is compiled, which may differ in another version.
    let fits = match places.of(lambda) {
        _ if own.is_some() && lambda == 1 => over.is_empty(),
        Some((at, captures)) => {
            let name = program.lambdas.get(lambda as usize).and_then(|it| it.name.as_deref());
            over.len() == captures && (own.is_some() || is(Some(&at), "at") && is(name, "name"))
        }
        None => false,
    };
    if !fits {
        return Err(Fault::Unavailable(format!("there is no such function: {}", shown(data))));
    }
    Ok(Value::Function(Arc::new(Closure::new(program.clone(), lambda, over.into()))))
}

fn error(data: &Value, context: &Context<'_>) -> Made {
    let class = data.get("class").and_then(Value::as_str).ok_or_else(|| missing(data, "class"))?;
    let message = data.get("message").map(text).transpose()?.map(Into::into);
    let value = |key| data.get(key).cloned().unwrap_or_default();
    let mut thrown = Thrown::new(class.into(), message, value("data"), value("cause"));
    if let Some(problem) = data.get("problem") {
        let source = match problem.get("program") {
            None => None,
            Some(_) => match context.programs.get(number_of(problem, "program")?) {
                Some(program) => Some(program.source.clone()),
                None => return Err(missing(problem, "program")),
            },
        };
        let problem = Diagnostic::of_data(problem, source);
        thrown.problem = Some(problem.ok_or_else(|| missing(data, "problem"))?);
    }
    Ok(Ext::Error(thrown).into_value())
}

fn matcher(data: &Value) -> Made {
    let at = |key| data.get(key).ok_or_else(|| missing(data, key)).and_then(text);
    let pattern = Pattern::new(at("regex")?, |_| Ok(()), |why| missing_regex(data, &why))?;
    let next = data.get("next").map(|_| number_of(data, "next")).transpose()?;
    let last = items_of(data, "last")?.pop();
    let is_found = |found: &Value| match found {
        Value::Vector(groups) => {
            groups.iter().all(|group| group.is_nil() || group.as_str().is_some())
        }
        _ => found.is_nil() || found.as_str().is_some(),
    };
    if !last.iter().all(is_found) {
        return Err(missing(data, "last"));
    }
    let matcher = Matcher::going_on(Arc::new(pattern), at("text")?.into(), next, last);
    Ok(Ext::Matcher(matcher.ok_or_else(|| missing(data, "next"))?).into_value())
}

fn missing_regex(data: &Value, why: &str) -> Fault {
    Fault::damaged(format!("`:regex` is wrong in {}: {why}", shown(data)))
}

fn stage(data: &Value, context: &mut Context<'_>) -> Made {
    let kind = data.get("of").and_then(Value::as_str).and_then(StageKind::named);
    let kind = kind.ok_or_else(|| missing(data, "of"))?;
    let value = |key| data.get(key).cloned().unwrap_or_default();
    let next = items_of(data, "next")?.pop();
    let stage = match next {
        None => Stage::transducer(kind, value("arg"), value("more")),
        Some(next) => Stage::reducing(kind, (value("arg"), value("more")), next, 0),
    };
    let mut seen = Set::default();
    for member in items_of(data, "seen")? {
        key(&member).map_err(Fault::Damaged)?;
        seen.insert(member);
    }
    let count = data.get("count").map(|_| number_of(data, "count")).transpose()?;
    let state = StageState {
        count: count.unwrap_or(0) as u64,
        begun: value("begun").truthy(),
        last: value("last"),
        group: items_of(data, "group")?,
        seen,
    };
    Ok(alive(context, Ext::Stage(stage.remembering(state))))
}
