//! Laws that hold for every input, for the properties of `props.rs` and the fuzz targets.
//!
//! The error of a law names the broken law and the input that breaks it.

#![expect(clippy::missing_errors_doc, reason = "each error is the law that a value breaks")]

use ptc_lisp::{Diagnostic, Effect, Kind, Limits, Outcome, Session, ToolDecl, Value, json, print};
use ptc_prompt::{
    AgentSpec, DecisionsStyle, JsonStyle, MissionMode, ModelCall, PromptLimits, PromptSpec,
    ReactStyle, Reading, ReplyParts, Style, ToolsStyle,
};

use crate::World;

/// The outcome of a law: an error describes the violation.
pub type Law = Result<(), String>;

/// The data of the programs of the laws.
const CTX: &str = r#"{"a": [1, 2, {"b": 3}], "text": "ab\ncé", "rows": [{"id": 1, "n": 2.5}]}"#;

/// Returns the limits of a program of the laws. They are small, because there are many programs.
pub fn small() -> Limits {
    Limits { fuel: 20_000, memory: 8 << 20, call_depth: 200, ..Limits::default() }
}

fn law(holds: bool, broken: impl FnOnce() -> String) -> Law {
    if holds { Ok(()) } else { Err(broken()) }
}

fn value_of(world: &mut World, source: &str) -> Result<Option<Value>, String> {
    match world.run_raw(source) {
        Err(ran) => Err(ran.shown),
        Ok((ended, _)) => Ok(match ended.outcome {
            Outcome::Value(value) => Some(value),
            _ => None,
        }),
    }
}

/// Checks that the reader accepts any text: the value that it reads prints and reads back as
/// itself.
pub fn reads(text: &str) -> Law {
    let data = Value::map([(Value::str("text"), Value::str(text))]);
    let mut world = World::without_tools("{}", small());
    world.session.set_ctx_key("text", data.get("text").cloned().unwrap_or_default());
    match value_of(&mut world, "(read-string ctx/text)")? {
        Some(value) if prints_as_itself(&value) => prints_and_reads(&value),
        _ => Ok(()),
    }
}

/// Checks that admission accepts any text: it admits the text, or reports problems at places of the
/// text.
pub fn admits(source: &str) -> Law {
    let Err(rejection) = World::new(CTX, small()).session.admit(source) else { return Ok(()) };
    let count = rejection.diagnostics.len();
    law((1..=5).contains(&count), || format!("{count} diagnostics"))?;
    rejection.diagnostics.iter().try_for_each(|problem| points_into(problem, source))
}

/// Checks that every answer style reads any reply, as a text and as the arguments of native calls. A
/// plan that it reads is a program without an error of syntax.
pub fn reads_replies(text: &str) -> Law {
    let ctx = json::parse(CTX).unwrap_or(Value::Nil);
    let mut search = ToolDecl::new("search", Effect::Read);
    search.signature = "(query :string, limit :int?) -> [:int]".parse().ok();
    let tools = vec![search, ToolDecl::new("crm/save note", Effect::Write)];
    let session = Session::new(ctx.clone(), tools.clone(), small());
    let call = |name: &str| ModelCall {
        id: "a".to_owned(),
        name: name.to_owned(),
        arguments: text.to_owned(),
    };
    let calls = [call("search"), call("return"), call("fail"), call(text)];
    let typed = "() -> {ids [:int]}".parse().ok();
    let styles: [&dyn Style; 4] = [&ToolsStyle, &ReactStyle, &DecisionsStyle::WHOLE, &JsonStyle];
    for style in styles {
        for signature in [None, typed.as_ref()] {
            let spec = PromptSpec {
                agent: AgentSpec::default(),
                mission: "Find it.",
                mode: MissionMode::Agent,
                ctx: &ctx,
                signature,
                tools: &tools,
                limits: PromptLimits::default(),
                payload: None,
                sections: None,
                instructions: &[],
            };
            for reply in [
                ReplyParts { text, calls: &[], is_cut_off: false },
                ReplyParts { text: "", calls: &calls, is_cut_off: true },
            ] {
                let Reading::Plan(plan) = style.read(&reply, &spec) else { continue };
                let mut effects = [Effect::Read, Effect::Write].into_iter();
                let broken = effects.find_map(|effect| {
                    let source = plan.program(|_| Some(effect));
                    let rejection = session.admit(&source).err()?;
                    let is_syntax = |it: &Diagnostic| it.code_value().kind() == Kind::Parse;
                    Some((rejection.diagnostics.into_iter().find(is_syntax)?, source))
                });
                law(broken.is_none(), || format!("{}: {broken:?}", style.name()))?;
            }
        }
    }
    Ok(())
}

/// Checks that a diagnostic points into its source and that its message follows the house style.
pub fn points_into(problem: &ptc_lisp::Diagnostic, source: &str) -> Law {
    let message = problem.message();
    law(!message.is_empty() && !message.ends_with('.'), || format!("message `{message}`"))?;
    let Some(span) = problem.span() else { return Ok(()) };
    let (start, end) = (span.start as usize, span.end as usize);
    let inside = start <= end
        && end <= source.len()
        && source.is_char_boundary(start)
        && source.is_char_boundary(end);
    law(inside, || format!("{span:?} in a text of {} bytes", source.len()))?;
    law(problem.excerpt().is_some() || source.is_empty(), || "no excerpt".to_owned())
}

/// Checks that any program ends, and in the same way however often its machine yields. It spends no
/// more than its limits, and its session runs the next program.
pub fn runs(source: &str) -> Law {
    let mut world = World::new(CTX, small());
    let once = world.run(source);
    law(once.fuel <= small().fuel, || format!("{} units of fuel", once.fuel))?;
    let next = world.run("(+ 1 2)").shown;
    // A program may redefine `+`.
    let redefined = source.contains("def");
    law(redefined || next == "=> 3", || format!("then `(+ 1 2)` gave {next}"))?;
    let mut world = World::new(CTX, small());
    world.slice = 1;
    let again = world.run(source);
    law(once == again, || format!("{once:?}\nwith yields {again:?}"))
}

/// Checks that a printed value reads as an equal value, which prints the same.
pub fn prints_and_reads(value: &Value) -> Law {
    let text = print::readable(value);
    // A value may nest deeper than the source of a program may.
    let long = Limits { source_bytes: u32::MAX, source_nesting: u32::MAX, ..small() };
    let limits = Limits { fuel: 10_000_000, ..long };
    let mut world = World::without_tools("{}", limits);
    let read = value_of(&mut world, &format!("'{text}")).map_err(|why| format!("{text}: {why}"))?;
    let Some(read) = read else { return Err(format!("{text}: no value")) };
    law(read == *value, || format!("{text} read as {read}"))?;
    law(print::readable(&read) == text, || format!("{text} read and printed as {read}"))
}

/// Returns whether a value reads back equal to itself. A regular expression equals no other value,
/// not-a-number not even itself, and a name may have been made from any text.
fn prints_as_itself(value: &Value) -> bool {
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        match value {
            Value::Ext(_) | Value::Function(_) | Value::Builtin(_) => return false,
            Value::Float(float) if float.is_nan() => return false,
            Value::Map(map) => work.extend(map.iter().flat_map(|(key, value)| [key, value])),
            _ => work.extend(value.items().into_iter().flatten()),
        }
    }
    true
}

/// Checks that JSON is read as `serde_json` reads it, and survives a round trip through text.
pub fn json_agrees(text: &str) -> Law {
    let ours = json::parse(text);
    let theirs: Result<serde_json::Value, _> = serde_json::from_str(text);
    match (&ours, &theirs) {
        // `serde_json` refuses deep nesting, and numbers beyond doubles.
        (Ok(value), Err(problem)) => {
            let why = problem.to_string();
            let known = why.contains("recursion limit") || why.contains("number out of range");
            law(known, || format!("{text}: {value}, but {why}"))?;
        }
        (Err(problem), Ok(_)) => {
            let known = problem.message.contains("too many digits");
            law(known, || format!("{text}: {problem}"))?;
        }
        (Ok(value), Ok(theirs)) => {
            let also = json::from_serde(theirs);
            law(also == *value || has_long_integer(value), || {
                format!("{text}: {value}, but {also}")
            })?;
        }
        (Err(problem), Err(_)) => {
            law(problem.line > 0 && problem.column > 0, || problem.to_string())?;
        }
    }
    match &ours {
        Ok(value) => json_comes_back(value),
        Err(_) => Ok(()),
    }
}

/// Returns whether a value has an integer beyond 64 bits, which `serde_json` represents as a
/// double.
fn has_long_integer(value: &Value) -> bool {
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        match value {
            Value::Big(_) => return true,
            Value::Map(map) => work.extend(map.iter().map(|(_, value)| value)),
            _ => work.extend(value.items().into_iter().flatten()),
        }
    }
    false
}

/// Checks that a JSON value survives a round trip through text, both compact and pretty-printed.
pub fn json_comes_back(value: &Value) -> Law {
    for text in [json::write(value), json::write_pretty(value)] {
        let text = text.map_err(|problem| problem.to_string())?;
        let read = json::parse(&text).map_err(|problem| format!("{text}: {problem}"))?;
        law(read == *value, || format!("{value} came back as {read}"))?;
        law(print::readable(&read) == print::readable(value), || format!("{text}: {read}"))?;
    }
    Ok(())
}

/// Creates a value that reads back as itself from any bytes. A small machine pushes values and puts
/// pushed values into collections.
pub fn value_from(bytes: &[u8]) -> Value {
    let mut stack: Vec<Value> = Vec::new();
    let mut bytes = bytes.iter().copied();
    while let Some(what) = bytes.next() {
        let mut take = |count: usize| -> Vec<u8> { bytes.by_ref().take(count).collect() };
        let count = usize::from(what >> 4);
        let value = match what & 15 {
            0 => Value::Nil,
            1 => Value::Bool(count > 7),
            2 => Value::Int(count as i64 - 8),
            3 => Value::Int(i64::from_le_bytes(padded(&take(8)))),
            4 => match f64::from_le_bytes(padded(&take(8))) {
                float if float.is_nan() => Value::Float(0.5),
                float => Value::Float(float),
            },
            5 => Value::str(String::from_utf8_lossy(&take(count))),
            6 => Value::keyword(format!("k{}", name(&take(count)))),
            7 => Value::Symbol(format!("s{}", name(&take(count))).into()),
            8 => Value::str(take(count).into_iter().map(char::from).collect::<String>()),
            kind => {
                let parts = stack.split_off(stack.len().saturating_sub(count));
                match kind {
                    9 | 10 => Value::vector(parts),
                    11 | 12 => Value::list(parts),
                    13 => Value::set(parts),
                    _ => Value::map(parts.chunks_exact(2).map(|pair| match pair {
                        [key, value] => (key.clone(), value.clone()),
                        _ => (Value::Nil, Value::Nil),
                    })),
                }
            }
        };
        stack.push(value);
    }
    Value::vector(stack)
}

fn padded(bytes: &[u8]) -> [u8; 8] {
    let mut all = [0; 8];
    for (place, byte) in all.iter_mut().zip(bytes) {
        *place = *byte;
    }
    all
}

fn name(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(b'a' + byte % 26)).collect()
}
