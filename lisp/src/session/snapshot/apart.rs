//! Decomposes values into data, one level at a time: each kind that plain data cannot express becomes a tag on data.
//! This file defines the data of each tag, and [`super::together`] reads it.

use std::sync::Arc;

use arcstr::ArcStr;
use hashbrown::HashMap;

use crate::library::own_name_of;
use ptc_builtins::jvm::time;
use ptc_facts::registry::Registered;
use ptc_reader::is_plain_name;
use ptc_values::code::Span;
use ptc_values::ir::Node;
use ptc_values::{
    CellKind, Closure, Ext, Lazy, Link, Map, Matcher, Order, Program, Row, Set, Stage, Table,
    Thrown, Time, Value, print,
};

/// Longer integers are written in hexadecimal, which takes time linear in the number of digits.
const DECIMAL_BITS: u64 = 2048;

pub(super) enum Decomposed {
    /// A text; the value holds no other value.
    Text(String),
    /// Items between two texts.
    Items { open: &'static str, close: char, items: Vec<Value> },
    /// A map: keys and values alternate.
    Pairs(Vec<Value>),
    /// A tag on data.
    Tagged(&'static str, Value),
    /// No form, with the reason.
    Nothing(&'static str),
}

/// Returns whether programs can distinguish a value with this tag from an equal copy.
pub(super) fn has_identity(tag: &str) -> bool {
    matches!(
        tag,
        "fn" | "over" | "lazy" | "endless" | "error" | "matcher" | "stage" | "regex" | "range"
    )
}

/// The programs of a snapshot: those with kept functions or error places.
#[derive(Default)]
pub(super) struct Programs {
    pub(super) kept: Vec<Kept>,
    /// Numbers by the address of the source.
    numbers: HashMap<usize, usize>,
}

pub(super) struct Kept {
    pub(super) source: Arc<str>,
    /// `None` if only the text is needed.
    pub(super) program: Option<Arc<Program>>,
    places: Places,
}

/// The places of a program's functions in its source, by number.
#[derive(Default)]
pub(super) struct Places {
    made: Vec<Option<(Span, u32)>>,
    lines: Vec<usize>,
}

impl Places {
    pub(super) fn new(program: &Program) -> Places {
        let mut made = vec![None; program.lambdas.len()];
        for (at, node) in program.nodes.iter().enumerate() {
            if let Node::Function { lambda, captures } = node
                && let Some(place) = made.get_mut(*lambda as usize)
            {
                *place = Some((program.span(at as u32), captures.count));
            }
        }
        let starts = program.source.match_indices('\n').map(|(at, _)| at + 1);
        Places { made, lines: std::iter::once(0).chain(starts).collect() }
    }

    /// Returns line and column of a function, from 1, and the number of captured values.
    pub(super) fn of(&self, lambda: u32) -> Option<(String, usize)> {
        let (span, captures) = (*self.made.get(lambda as usize)?)?;
        let start = span.start as usize;
        let line = self.lines.partition_point(|line| *line <= start);
        let column = start - self.lines.get(line.checked_sub(1)?)? + 1;
        Some((format!("{line}:{column}"), captures as usize))
    }
}

impl Programs {
    /// Returns the number of the program with this source.
    fn of_source(&mut self, source: &Arc<str>) -> usize {
        let next = self.kept.len();
        let number = *self.numbers.entry(source.as_ptr().addr()).or_insert(next);
        if number == next {
            let kept = Kept { source: source.clone(), program: None, places: Places::default() };
            self.kept.push(kept);
        }
        number
    }

    /// Returns the number of a program and the place of one of its functions.
    fn of_function(&mut self, program: &Arc<Program>, lambda: u32) -> (usize, Option<String>) {
        let number = self.of_source(&program.source);
        let Some(kept) = self.kept.get_mut(number) else { return (number, None) };
        if kept.program.is_none() {
            kept.places = Places::new(program);
            kept.program = Some(program.clone());
        }
        (number, kept.places.of(lambda).map(|(at, _)| at))
    }
}

pub(super) fn decompose(value: &Value, programs: &mut Programs) -> Decomposed {
    match value {
        Value::Keyword(name) if !is_plain_name(name) => {
            Decomposed::Text(tagged_text("keyword", name))
        }
        Value::Symbol(name) if !is_plain_name(name) => {
            Decomposed::Text(tagged_text("symbol", name))
        }
        Value::Big(big) if big.bits() > DECIMAL_BITS => {
            Decomposed::Text(tagged_text("hex", &big.to_str_radix(16)))
        }
        Value::Builtin(id) => Decomposed::Text(tagged_text("builtin", id.builtin().name)),
        // Programs can tell a character from a text of the same length.
        Value::Str(text) if ArcStr::is_static(text) && text.len() == 1 => {
            let c = text.as_bytes()[0];
            Decomposed::Text(if c.is_ascii_alphanumeric() {
                format!("\\{text}")
            } else {
                format!("\\u{c:04x}")
            })
        }
        Value::Nil
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Big(_)
        | Value::Str(_)
        | Value::Keyword(_)
        | Value::Symbol(_) => Decomposed::Text(print::readable(value)),
        // A name or a function may hold a range that is not built.
        Value::List(seq) if let Some(ends) = seq.unbuilt().and_then(|numbers| numbers.ends()) => {
            Decomposed::Tagged("range", Value::vector(ends.map(Value::Int).into()))
        }
        Value::List(seq) => {
            // An empty list may count as nested, which changes its cost.
            let is_nested = seq.is_empty() && seq.depth() > 0 && !seq.is_queue();
            let (open, close) = match (seq.is_list(), seq.is_queue()) {
                (true, _) if is_nested => ("#list [", ']'),
                (true, _) => ("(", ')'),
                (_, true) => ("#queue (", ')'),
                _ if is_nested => ("#seq #list [", ']'),
                _ => ("#seq (", ')'),
            };
            Decomposed::Items { open, close, items: seq.iter().cloned().collect() }
        }
        Value::Vector(vector) => {
            let open = if vector.as_entry().is_some() { "#entry [" } else { "[" };
            Decomposed::Items { open, close: ']', items: vector.iter().cloned().collect() }
        }
        Value::Map(map) => match map.order() {
            Some(order) => Decomposed::Tagged("sorted-map", sorted(order, entries(map))),
            None => Decomposed::Pairs(entries(map)),
        },
        Value::Set(set) => match set.order() {
            Some(order) => Decomposed::Tagged("sorted-set", sorted(order, members(set))),
            None => Decomposed::Items { open: "#{", close: '}', items: members(set) },
        },
        Value::Function(closure) => function(closure, programs),
        Value::Ext(ext) => extension(ext, programs),
    }
}

fn tagged_text(tag: &str, text: &str) -> String {
    format!("#{tag} {}", print::readable(&Value::str(text)))
}

/// Makes a map of keywords without nil values.
fn data<const N: usize>(rows: [(&str, Value); N]) -> Value {
    let rows = rows.into_iter().filter(|(_, value)| !value.is_nil());
    Value::map(rows.map(|(key, value)| (Value::keyword(key), value)))
}

fn count(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Makes a vector of the values, or nil if there are none.
fn some(values: Vec<Value>) -> Value {
    if values.is_empty() { Value::Nil } else { Value::vector(values) }
}

fn entries(map: &Map) -> Vec<Value> {
    map.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect()
}

fn members(set: &Set) -> Vec<Value> {
    rows_of(set).cloned().collect()
}

fn rows_of<R: Row>(table: &Table<R>) -> ptc_values::TableIter<'_, R> {
    table.rows()
}

fn sorted(order: &Order, rows: Vec<Value>) -> Value {
    let by = match order {
        Order::Natural => Value::Nil,
        Order::By(function) => function.clone(),
    };
    data([("by", by), ("rows", Value::vector(rows))])
}

fn function(closure: &Closure, programs: &mut Programs) -> Decomposed {
    let number = Value::Int(closure.lambda.into());
    let over = some(closure.captures.to_vec());
    if closure.program.builtin {
        return match own_name_of(&closure.program) {
            Some(name) => Decomposed::Tagged(
                "fn",
                data([("of", Value::str(name)), ("function", number), ("over", over)]),
            ),
            None => Decomposed::Nothing("it is a part of the language without a name"),
        };
    }
    let (program, at) = programs.of_function(&closure.program, closure.lambda);
    let Some(at) = at else {
        return Decomposed::Nothing("it is a function without a known place in its program");
    };
    let name = closure.name().map_or(Value::Nil, Value::str);
    let data = data([
        ("name", name),
        ("program", count(program)),
        ("at", Value::from(at)),
        ("function", number),
        ("over", over),
    ]);
    Decomposed::Tagged("fn", data)
}

fn extension(ext: &Arc<Ext>, programs: &mut Programs) -> Decomposed {
    let text = |tag, text: &str| Decomposed::Tagged(tag, Value::str(text));
    match &**ext {
        Ext::Regex(pattern) => text("regex", pattern.source()),
        Ext::Reduced(inner) => Decomposed::Tagged("reduced", inner.clone()),
        Ext::Var(name) => text("var", name),
        Ext::Class(class) => text("class", class.full_name),
        Ext::Uuid(uuid) => text("uuid", uuid.text()),
        Ext::Time(time) => match time::of_text(time.class(), time.text()) {
            Some(again) if Time::of(&again).is_some_and(|again| again.kind == time.kind) => {
                let parts = [time.class(), time.text()].map(Value::from);
                Decomposed::Tagged("time", Value::vector(parts.to_vec()))
            }
            _ => Decomposed::Nothing("its text does not identify it"),
        },
        Ext::Cell(cell) if cell.is_over() => text(
            "over",
            match cell.kind() {
                CellKind::Atom => "atom",
                CellKind::Volatile => "volatile",
                CellKind::Delay => "delay",
            },
        ),
        Ext::Cell(_) | Ext::Pulled(_) => Decomposed::Nothing("its program is still running"),
        Ext::Lazy(lazy) => {
            Decomposed::Tagged(if lazy.is_endless() { "endless" } else { "lazy" }, of_lazy(lazy))
        }
        Ext::Error(thrown) => Decomposed::Tagged("error", of_error(thrown, programs)),
        Ext::Matcher(matcher) => Decomposed::Tagged("matcher", of_matcher(matcher)),
        Ext::Stage(stage) => Decomposed::Tagged("stage", of_stage(stage)),
        Ext::Grown(text) => decompose(text.plain(), programs),
    }
}

/// Returns the data of a lazy sequence. Cells with no other holder are merged into it.
fn of_lazy(lazy: &Lazy) -> Value {
    let mut items = Vec::new();
    let mut link = lazy.link();
    loop {
        let (first, rest) = match link {
            // A call that was running when its program ended is made again.
            Link::Unmade(function, args) | Link::Making(function, args) => {
                let call = std::iter::once(function).chain(args.iter().cloned()).collect();
                return data([("call", Value::vector(call))]);
            }
            Link::Empty => return data([]),
            Link::Over => return data([("over", Value::Bool(true))]),
            Link::Made(first, rest) => (first, rest),
        };
        items.push(first);
        // Two holders: the previous cell and this function.
        link = match &rest {
            Value::Ext(cell) if Arc::strong_count(cell) == 2 => match &**cell {
                Ext::Lazy(next) if next.is_endless() == lazy.is_endless() => next.link(),
                _ => Link::Empty,
            },
            _ => Link::Empty,
        };
        if !matches!(link, Link::Made(..)) {
            return data([("items", Value::vector(items)), ("rest", rest)]);
        }
    }
}

fn of_error(thrown: &Thrown, programs: &mut Programs) -> Value {
    let problem = thrown.problem.as_ref().map_or(Value::Nil, |problem| {
        let source = problem.shared_source().map(|source| programs.of_source(source));
        problem.to_data(source.map(count))
    });
    data([
        ("class", Value::Str(thrown.class.clone())),
        ("message", thrown.message.clone().map_or(Value::Nil, Value::Str)),
        ("data", thrown.data.clone()),
        ("cause", thrown.cause.clone()),
        ("problem", problem),
    ])
}

fn of_matcher(matcher: &Matcher) -> Value {
    data([
        ("regex", Value::Str(matcher.pattern().source().clone())),
        ("text", Value::str(matcher.text())),
        ("next", matcher.next().map_or(Value::Nil, count)),
        // The last match may be nil.
        ("last", matcher.last().map_or(Value::Nil, |last| Value::vector(vec![last]))),
    ])
}

fn of_stage(stage: &Stage) -> Value {
    let state = stage.state();
    let begun = if state.begun { Value::Bool(true) } else { Value::Nil };
    let counted = i64::try_from(state.count).ok().filter(|count| *count != 0);
    data([
        ("of", Value::from(stage.kind.name())),
        ("arg", stage.arg.clone()),
        ("more", stage.more.clone()),
        ("next", stage.next.clone().map_or(Value::Nil, |next| Value::vector(vec![next]))),
        ("count", counted.map_or(Value::Nil, Value::Int)),
        ("begun", begun),
        ("last", state.last.clone()),
        ("group", some(state.group.clone())),
        ("seen", some(members(&state.seen))),
    ])
}
