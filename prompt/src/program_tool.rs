//! The description of a tool that runs programs: for models that this crate does not prompt.

use minijinja::context;
use ptc_lisp::{Effect, ToolDecl};
use ptc_signatures::{Field, Type};

use crate::call_form::{call_form, key, literal};
use crate::catalogue::{Catalogue, TIGHT};
use crate::examples::field_for;
use crate::reference::is_id;
use crate::sample::{is_hidden, is_plain_name};
use crate::templates;
use crate::text::one_line;

/// The way in which a model finds the tools that its programs may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolLookup {
    /// Another tool, `search`, finds them.
    Search,
    /// There is no other tool: the description shows how each tool is called, or programs look them up.
    Program,
}

/// The maximum length of the calls of all tools in a description, in bytes.
const CALLS: usize = 1_000;

/// Returns the description of a tool that takes a program as text. The program may call `tools`. The text teaches the
/// language with examples over the tools, and has fewer than 1,000 tokens for any number of tools.
pub fn program_tool(tools: &[ToolDecl], lookup: ToolLookup) -> String {
    let callable: Vec<&ToolDecl> = tools.iter().filter(|tool| tool.callable).collect();
    let calls = (lookup == ToolLookup::Program).then(|| calls(&callable)).flatten();
    let shows_calls = calls.is_some();
    let Catalogue { lines, more, example } = match calls {
        Some(lines) => Catalogue { lines, ..Catalogue::default() },
        None => Catalogue::new(&callable, TIGHT),
    };
    let read = callable.iter().filter(|tool| tool.effect == Effect::Read);
    let usable: Vec<&ToolDecl> =
        read.filter(|it| is_usable(it)).take(MOST_TOOLS).copied().collect();
    let rows = usable.iter().find_map(|tool| Rows::of(tool)).unwrap_or_else(Rows::made_up);
    let data = context! {
        count => callable.len(),
        shows_calls,
        searches => lookup == ToolLookup::Search,
        lines,
        more,
        example,
        all => rows.all,
        pick => rows.pick,
        label => rows.label,
        value => rows.value,
        number => rows.number,
        chain => chain(&usable),
        each => each(&usable),
    };
    templates::message("program_tool", data)
}

/// Returns how each tool is called, and its summary, if there is room for all.
fn calls(tools: &[&ToolDecl]) -> Option<Vec<String>> {
    let mut left = CALLS;
    let mut lines = Vec::new();
    for tool in tools {
        let writes = if tool.effect == Effect::Write { " (writes)" } else { "" };
        let about = one_line(tool.summary(), 100);
        let colon = if about.is_empty() { "" } else { ": " };
        let line = format!("- {}{writes}{colon}{about}", call_form(tool));
        left = left.checked_sub(line.len() + 1)?;
        lines.push(line);
    }
    Some(lines)
}

/// The maximum number of tools that are searched for examples.
const MOST_TOOLS: usize = 50;

/// The maximum length of a name of a tool or field in an example, in bytes.
const MOST_NAME: usize = 25;

/// A list of records for the examples, and fields of theirs.
struct Rows {
    /// The expression of the list.
    all: String,
    /// The field to take from each record.
    pick: String,
    /// The field to filter and to group by.
    label: String,
    /// A value of that field.
    value: String,
    /// The field to sort by and to add up.
    number: String,
}

impl Rows {
    /// Returns the result of a tool without required arguments, if it is a list of records with two texts and a number.
    fn of(tool: &ToolDecl) -> Option<Rows> {
        let signature = tool.signature.as_ref()?;
        let Type::List(item, _) = &signature.output else { return None };
        let Type::Record(fields) = &**item else { return None };
        let shown = || fields.iter().filter(|it| is_short(&it.name));
        let mut texts = shown().filter(|it| matches!(it.ty, Type::String(_) | Type::Enum(_)));
        let number = number(fields)?;
        let (pick, label) = (texts.next()?, texts.next()?);
        needs_nothing(tool).then(|| Rows {
            all: format!("(call {} {{}})", literal(&tool.name)),
            pick: pick.name.clone(),
            label: label.name.clone(),
            value: match &label.ty {
                Type::Enum(words) => literal(words.first().map_or("", String::as_str)),
                _ => "\"Ada\"".to_owned(),
            },
            number: number.name.clone(),
        })
    }

    /// Returns rows that no tool has.
    fn made_up() -> Rows {
        let [pick, label, value, number] = ["name", "kind", "\"x\"", "n"].map(str::to_owned);
        let all =
            "[{:name \"A\", :kind \"x\", :n 50} {:name \"B\", :kind \"y\", :n 20}]".to_owned();
        Rows { all, pick, label, value, number }
    }
}

/// Returns a call whose argument is a field of the result of another.
fn chain(tools: &[&ToolDecl]) -> Option<[String; 2]> {
    tools.iter().find_map(|second| {
        let param = only_param(second)?;
        let output_of = &second.signature.as_ref()?.output;
        tools.iter().find_map(|first| {
            let field = field_for(param, first)?;
            let given = only_param(first).filter(|it| matches!(it.ty, Type::String(_)))?;
            let (first, second) = (literal(&first.name), literal(&second.name));
            let [given, taken] = [&given.name, &param.name].map(|it| key(it));
            let call = format!("(call {second} {{{taken} (:{field} a)}})");
            Some([format!("(call {first} {{{given} \"…\"}})"), used(output_of, &call)])
        })
    })
}

/// Returns an expression that uses the result of a call: a sum or the number of a list, or else the result.
fn used(output: &Type, call: &str) -> String {
    match output {
        Type::List(item, _) => match &**item {
            Type::Record(fields) => match number(fields) {
                Some(number) => format!("(reduce + (map :{} {call}))", number.name),
                None => format!("(count {call})"),
            },
            _ => format!("(count {call})"),
        },
        _ => call.to_owned(),
    }
}

/// Returns the last field with numbers that somebody adds up.
fn number(fields: &[Field]) -> Option<&Field> {
    let mut numbers = fields.iter().filter(|it| matches!(it.ty, Type::Int(_) | Type::Float(_)));
    numbers.rfind(|it| is_short(&it.name) && !is_id(&it.name))
}

/// Returns a call for each item of a list that another tool gives, if the name of that tool has the name of the argument.
fn each(tools: &[&ToolDecl]) -> Option<String> {
    tools.iter().find_map(|list| {
        let Type::List(item, _) = &list.signature.as_ref()?.output else { return None };
        let is_item = |it: &Field| it.ty == **item && list.name.contains(&it.name);
        let is_for = |tool: &&&ToolDecl| only_param(tool).is_some_and(is_item);
        let tool = tools.iter().find(is_for).filter(|_| needs_nothing(list))?;
        let param = key(&only_param(tool)?.name);
        let (list, tool) = (literal(&list.name), literal(&tool.name));
        Some(format!("(mapv (fn [x] [x (call {tool} {{{param} x}})]) (call {list} {{}}))"))
    })
}

/// Returns the parameter of a tool that needs exactly one argument.
fn only_param(tool: &ToolDecl) -> Option<&Field> {
    let mut needed = tool.signature.as_ref()?.params.iter().filter(|it| !it.is_optional());
    let (one, None) = (needed.next()?, needed.next()) else { return None };
    is_short(&one.name).then_some(one)
}

fn needs_nothing(tool: &ToolDecl) -> bool {
    tool.signature.as_ref().is_some_and(|it| it.params.iter().all(Field::is_optional))
}

/// Whether a tool may be in an example: its name is short, and cannot close the block of the examples.
fn is_usable(tool: &ToolDecl) -> bool {
    tool.signature.is_some() && tool.name.len() <= MOST_NAME && !tool.name.contains('`')
}

fn is_short(name: &str) -> bool {
    is_plain_name(name) && !is_hidden(name) && name.len() <= MOST_NAME
}
