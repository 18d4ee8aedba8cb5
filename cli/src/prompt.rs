//! `ptc prompt`: what a model is told before its first turn.

use std::fmt::Write as _;

use ptc_prompt::{GrammarOptions, Reply};
use ptc_subagent::{Agent, Mission};

use crate::args::{Notation, PromptArgs};
use crate::report::{self, Fault, Result};
use crate::run::mission_input;

/// Characters to a token, measured over English prose and code; tokenizers differ by a third.
const CHARS_PER_TOKEN: f64 = 3.5;

/// Runs `ptc prompt`.
pub(crate) fn command(args: &PromptArgs) -> Result<u8> {
    let agent = Agent::read(&args.agent)?;
    let input = mission_input(&agent, args.input.as_deref())?;
    let mission = Mission::new(&agent, input);
    if let Some(notation) = args.grammar {
        let reply = if args.bare { Reply::Bare } else { Reply::Fenced };
        let grammar = mission.grammar(&GrammarOptions { reply, ..GrammarOptions::default() })?;
        report::print(&match notation {
            Notation::Gbnf => grammar.gbnf(),
            Notation::Lark => grammar.lark(),
        })?;
        return Ok(report::DONE);
    }
    let prompt = mission.system_prompt()?;
    let text = if args.stats {
        let mut table = format!("{:>3}  {:<28}{:>10}{:>10}\n", "", "section", "chars", "tokens");
        let mut row = |number: &str, title: &str, text: &str| {
            let chars = text.chars().count();
            let tokens = (chars as f64 / CHARS_PER_TOKEN).ceil();
            // A string takes everything that is written to it.
            let _ = writeln!(table, "{number:>3}  {title:<28}{chars:>10}{tokens:>10}");
        };
        for number in 1..=7 {
            if let Some(section) = prompt.section(number) {
                row(&number.to_string(), section.title, &section.text);
            }
        }
        row("", "all", &prompt.text());
        table.push_str("\nTokens are an estimate: characters divided by 3.5.\n");
        table
    } else if let Some(number) = args.section {
        let section = prompt.section(usize::from(number)).ok_or_else(|| {
            Fault::new("usage", format!("section {number} is left out of this agent's prompt"))
        })?;
        format!("{}\n", section.text.trim_end())
    } else {
        format!("{}\n", prompt.text().trim_end())
    };
    report::print(&text)?;
    Ok(report::DONE)
}
