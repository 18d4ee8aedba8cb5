//! Functions about the mission: its tools, which no prompt may show fully, and the budget.

use super::facts::{ANY, listed};
use super::{Row, pure, wrong_type};
use ptc_machine::Cx;
use ptc_values::code::Code;
use ptc_values::spelling::nearest;
use ptc_values::{Diagnostic, Res, Value};

pub const TABLE: &[Row] = &[
    pure(
        "tools/search",
        "words",
        "The tools with one of the words in their name, description or signature, the best first, at most 20.",
        "(tools/search \"no such tool\") => []",
        listed(ANY),
        search,
    ),
    pure(
        "tools/describe",
        "name",
        "The signature, description and effect of a tool, as a text.",
        "(mapv tools/describe []) => []",
        listed(ANY),
        describe,
    ),
    pure(
        "budget",
        "",
        "The remaining budget: fuel and tool calls of this program, then the limited resources of the run.",
        "(pos? (:fuel (budget))) => true",
        listed(ANY).varies(),
        budget,
    ),
];

/// The maximum number of tools that a search returns.
const MOST: usize = 20;

/// Returns tools such as
/// `[{:name "orders", :use "orders(customer :int) -> [:any]", :about "The orders of a customer."}]`.
fn search(cx: &mut Cx, args: &mut [Value]) -> Res {
    let Some(words) = args[0].as_str() else {
        return Err(wrong_type("tools/search", "a text with words to look for", &args[0]));
    };
    cx.spend(words.len() as u64 / 8)?;
    cx.alloc(words.len() as u64)?;
    let wanted = words.to_lowercase();
    let wanted: Vec<&str> = words_of(&wanted).collect();
    let tools = cx.world.tools.clone();
    let mut found = Vec::new();
    for tool in tools.iter().filter(|tool| tool.callable && tool.shown) {
        let about = tool.description.as_deref().unwrap_or_default();
        let line = tool.line();
        let length = tool.name.len() + line.len() + about.len();
        cx.spend(1 + (length * (wanted.len() + 1) / 16) as u64)?;
        let (name, about) = (spaced(&tool.name).to_lowercase(), about.to_lowercase());
        let line = spaced(&line).to_lowercase();
        // A word in the name weighs more than one in the description or the signature.
        let score = |word: &&str| match () {
            () if words_of(&name).any(|known| is_like(word, known)) => 3,
            () if words_of(&about).chain(words_of(&line)).any(|known| is_like(word, known)) => 1,
            () => 0,
        };
        let score: u32 = wanted.iter().map(score).sum();
        if score > 0 {
            found.push((score, tool));
        }
    }
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.truncate(MOST);
    let mut rows = Vec::with_capacity(found.len());
    for (_, tool) in found {
        let (line, about) = (tool.line(), tool.summary());
        cx.alloc((tool.name.len() + line.len() + about.len() + 256) as u64)?;
        let text = |name: &'static str, text: &str| (Value::keyword(name), Value::str(text));
        rows.push(Value::map([text("name", &tool.name), text("use", &line), text("about", about)]));
    }
    cx.vector(rows)
}

/// Returns a name with spaces between words such as `listOrders`.
fn spaced(name: &str) -> String {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut after_small = false;
    for c in name.chars() {
        if after_small && c.is_uppercase() {
            spaced.push(' ');
        }
        after_small = c.is_lowercase();
        spaced.push(c);
    }
    spaced
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns whether one word begins with the other: `order` and `orders`. Short words must be equal.
fn is_like(word: &str, known: &str) -> bool {
    let (short, long) = if word.len() < known.len() { (word, known) } else { (known, word) };
    long.starts_with(short) && (short.len() >= 4 || short.len() == long.len())
}

fn describe(cx: &mut Cx, args: &mut [Value]) -> Res {
    let Some(name) = args[0].name() else {
        return Err(wrong_type("tools/describe", "the name of a tool", &args[0]));
    };
    cx.spend(cx.world.tools.len() as u64 / 8)?;
    let Some(tool) = cx.world.tools.iter().find(|tool| tool.name == name) else {
        let problem = Diagnostic::new(Code::UnknownTool, format!("there is no tool `{name}`"));
        let names = cx.world.tools.iter().filter(|tool| tool.shown).map(|tool| tool.name.as_str());
        let near = nearest(name, names);
        return Err(problem.with_help(near.map_or_else(
            || "`(tools/search \"words\")` finds tools by their description".to_owned(),
            |near| format!("did you mean `{near}`?"),
        )));
    };
    let text = tool.entry();
    cx.spend(text.len() as u64 / 16)?;
    cx.alloc(text.len() as u64)?;
    Ok(Value::str(text))
}

/// Returns `{:fuel 9999990, :tool-calls 256, :turns 4, :tokens nil}`: the program's remaining
/// budget now, and the run's when the program began.
fn budget(cx: &mut Cx, _: &mut [Value]) -> Res {
    let rows = [("fuel", cx.fuel_left()), ("tool-calls", u64::from(cx.calls_left()))];
    let rows = rows.map(|(name, left)| {
        (Value::keyword(name), Value::Int(i64::try_from(left).unwrap_or(i64::MAX)))
    });
    let of_run = cx.world.budget.iter().map(|(name, left)| (name.clone(), left.clone()));
    let left = Value::map(rows.into_iter().chain(of_run));
    cx.spend(cx.world.budget.len() as u64)?;
    cx.alloc(256)?;
    Ok(left)
}
