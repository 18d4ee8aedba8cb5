//! `ptc prompt`: the system prompt of an agent, and the grammar of its programs.

use std::fmt::Write as _;

use ptc_prompt::{CHARS_PER_TOKEN, GrammarOptions, ReplyFormat, SystemPrompt, tokens};
use ptc_subagent::Mission;
use ptc_subagent::provider::ToolOffer;
use serde_json::{Value, json};

use crate::agents;
use crate::args::{Notation, PromptArgs};
use crate::input::mission_input;
use crate::report::{self, Fault, Result};

/// Runs `ptc prompt`.
pub(crate) fn command(args: &PromptArgs) -> Result<u8> {
    let agent = agents::read(&args.agent.file)?;
    if agent.workflow.is_some() {
        let message = format!("agent `{}` is a workflow, which has no prompt", agent.name);
        return Err(Fault::new("usage", message).with_help(
            "`ptc check AGENT.toml` checks its program; name one of its agents for a prompt",
        ));
    }
    let input = mission_input(&agent, args.mission.input.as_deref(), &args.mission.set)?;
    report::say_about_tools(&agent);
    let mission = Mission::new(&agent, input).with_settings(agents::settings(&args.settings)?);
    for warning in mission.warnings()? {
        report::say(&format!("warning: {}\n", report::clean(&warning.message)));
    }
    if let Some(notation) = args.grammar {
        let reply = if args.bare { ReplyFormat::Bare } else { ReplyFormat::Fenced };
        let grammar = mission.grammar(&GrammarOptions { reply, ..GrammarOptions::default() })?;
        report::print_raw(&match notation {
            Notation::Gbnf => grammar.gbnf(),
            Notation::Lark => grammar.lark(),
        })?;
        return Ok(report::DONE);
    }
    let prompt = mission.system_prompt()?;
    let tools = mission.native_tools()?;
    let text = if args.json {
        let object = json!({
            "system": prompt.text(),
            "opening": mission.opening()?,
            "tools": tools.iter().map(as_json).collect::<Vec<_>>(),
        });
        format!("{object}\n")
    } else if args.stats {
        stats(&prompt, &tools)
    } else if let Some(number) = args.section {
        let section = prompt.section(usize::from(number)).ok_or_else(|| {
            Fault::new("usage", format!("section {number} is left out of this agent's prompt"))
        })?;
        format!("{}\n", section.text.trim_end())
    } else {
        format!("{}\n{}", prompt.text().trim_end(), listed(&tools))
    };
    report::print_raw(&text)?;
    Ok(report::DONE)
}

fn as_json(tool: &ToolOffer) -> Value {
    let ToolOffer { name, description, parameters, .. } = tool;
    json!({"name": name, "description": description, "parameters": parameters})
}

/// Returns the native tools of a request as text below the prompt; nothing if there are none.
fn listed(tools: &[ToolOffer]) -> String {
    let mut text = String::new();
    for tool in tools {
        let heading = if text.is_empty() { "\n--- native tools of each request\n" } else { "" };
        // Writing to a string cannot fail.
        let _ =
            write!(text, "{heading}\n{}: {}\n{}\n", tool.name, tool.description, tool.parameters);
    }
    text
}

/// Returns a table with the length of each section, in characters and in tokens.
fn stats(prompt: &SystemPrompt, tools: &[ToolOffer]) -> String {
    let mut table = format!("{:>3}  {:<28}{:>10}{:>10}\n", "", "section", "chars", "tokens");
    let mut row = |number: &str, title: &str, text: &str| {
        let (chars, tokens) = (text.chars().count(), tokens(text));
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{number:>3}  {title:<28}{chars:>10}{:>10}", tokens.count);
        tokens.encoding
    };
    for number in 1..=7 {
        if let Some(section) = prompt.section(number) {
            row(&number.to_string(), section.title, &section.text);
        }
    }
    let encoding = row("", "all", &prompt.text());
    if !tools.is_empty() {
        row(
            "",
            "native tools",
            &tools.iter().map(|it| as_json(it).to_string()).collect::<String>(),
        );
    }
    if !prompt.cuts.is_empty() {
        let cuts = prompt.cuts.join("; ");
        let _ = writeln!(table, "\nCut to keep within `max_chars`: {cuts}.");
    }
    let _ = match encoding {
        Some(encoding) => writeln!(table, "\nTokens are counted in the encoding {encoding}."),
        None => {
            writeln!(table, "\nTokens are an estimate: characters divided by {CHARS_PER_TOKEN}.")
        }
    };
    table
}
