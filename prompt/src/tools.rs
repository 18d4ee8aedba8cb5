//! The tools as a model sees them.

use minijinja::{Value as Data, context};
use ptc_lisp::{Effect, ToolDecl};

use crate::text::{one_line, paragraphs};
use crate::{Mode, PromptSpec};

/// What the template of the tools takes.
pub(crate) fn data(spec: &PromptSpec<'_>) -> Data {
    let part = |callable: bool| -> Vec<Data> {
        spec.tools.iter().filter(|tool| tool.callable == callable).map(entry).collect()
    };
    context! {
        agent => spec.mode == Mode::Agent,
        signature => spec.signature.is_some(),
        callable => part(true),
        planning => part(false),
    }
}

fn entry(tool: &ToolDecl) -> Data {
    let effect = match tool.effect {
        Effect::Read => "read",
        Effect::Write => "write",
    };
    context! {
        name => one_line(&tool.name, 200),
        line => line(tool),
        description => tool.description.as_deref().map(paragraphs).unwrap_or_default(),
        effect => if tool.callable { effect } else { "" },
    }
}

/// `name(arg :type, opt :type?) -> type`; a tool without a signature takes and gives anything.
fn line(tool: &ToolDecl) -> String {
    match &tool.signature {
        Some(signature) => {
            let signature = signature.redacted_for_calls();
            one_line(&format!("{}{signature}", tool.name), usize::MAX)
        }
        None => one_line(&format!("{}(args :map) -> :any", tool.name), usize::MAX),
    }
}
