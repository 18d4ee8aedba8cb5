//! Finds the tool that a call names, or explains why there is none.

use crate::tool::ToolDecl;
use ptc_values::Diagnostic;
use ptc_values::code::Code;
use ptc_values::print::literal;
use ptc_values::spelling::nearest;

/// The number of tools that a message lists.
const LISTED: usize = 20;

/// The characters of a name that a message repeats. Longer names get no suggestion.
const SHOWN: usize = 80;

pub fn callable<'t>(tools: &'t [ToolDecl], name: &str) -> Result<&'t ToolDecl, Diagnostic> {
    match tools.iter().find(|decl| decl.name == name) {
        Some(decl) if decl.callable => Ok(decl),
        Some(_) => Err(Diagnostic::new(
            Code::PlanningTool,
            format!("the tool `{name}` is shown for planning only and cannot be called"),
        )
        .with_help(all(tools))),
        None => Err(unknown(tools, name)),
    }
}

#[cold]
fn unknown(tools: &[ToolDecl], name: &str) -> Diagnostic {
    let is_short = name.chars().nth(SHOWN).is_none();
    let shown: String = name.chars().take(SHOWN).collect();
    let more = if is_short { "" } else { "…" };
    let problem = Diagnostic::new(Code::UnknownTool, format!("there is no tool `{shown}{more}`"));
    let names = tools.iter().filter(|decl| decl.shown).map(|decl| decl.name.as_str());
    let near = if is_short { nearest(name, names) } else { None };
    let near = near.and_then(|near| tools.iter().find(|decl| decl.name == near));
    problem.with_help(match near {
        Some(near) if near.is_word() => format!("did you mean `{}`?", near.name),
        Some(near) => {
            format!("did you mean `(call {} {{:argument value}})`?", literal(&near.name))
        }
        None => all(tools),
    })
}

/// Lists the callable tools that prompts show, in a few words.
pub fn all(tools: &[ToolDecl]) -> String {
    let callable = tools.iter().filter(|decl| decl.callable && decl.shown).take(LISTED);
    let names: Vec<String> = callable.map(|decl| format!("`{}`", decl.name)).collect();
    if names.is_empty() {
        "this mission has no tools".to_owned()
    } else {
        format!("the tools are {}", names.join(", "))
    }
}

/// Returns the problem of a call by a value that is not a name.
#[cold]
pub fn no_name(found: &str) -> Diagnostic {
    let message = format!("a tool is called by its name, a string; found {found}");
    Diagnostic::new(Code::WrongType, message).with_help("write `(call \"name\" {:argument value})`")
}
