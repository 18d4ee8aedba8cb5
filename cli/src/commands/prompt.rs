//! `ptc prompt`: the system prompt of an agent, and the grammar of its programs.

use std::fmt::Write as _;

use ptc_prompt::{CHARS_PER_TOKEN, GrammarOptions, PromptPart, ReplyFormat, SystemPrompt, tokens};
use ptc_subagent::provider::ToolOffer;
use ptc_subagent::{Agent, Answers, Data, Mission, RunSettings};
use serde_json::{Value, json};

use crate::agents;
use crate::args::{ModelArgs, Notation, PromptArgs};
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
    let settings = agents::settings(&args.settings, &ModelArgs::default())?;
    let mission = Mission::new(&agent, &input).with_settings(settings.clone());
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
    let shown = match args.style.as_slice() {
        [] => vec![Shown::of(&agent, &mission)?],
        names => names
            .iter()
            .map(|name| in_style(name, &agent, &input, &settings))
            .collect::<Result<_>>()?,
    };
    let text = if args.json {
        format!("{}\n", json_of_all(&shown))
    } else if args.stats {
        match shown.as_slice() {
            [one] => stats(&one.prompt, &one.tools),
            all => compared(all),
        }
    } else {
        let texts = shown.iter().map(|it| match &args.section {
            Some(name) => section(name, it),
            None => Ok(format!("{}\n{}", it.prompt.text().trim_end(), listed(&it.tools))),
        });
        let texts = texts.collect::<Result<Vec<String>>>()?;
        match texts.as_slice() {
            [one] => one.clone(),
            texts => headed(&shown, texts),
        }
    };
    report::print_raw(&text)?;
    Ok(report::DONE)
}

/// The prompt of a mission in one answer style.
struct Shown {
    style: String,
    prompt: SystemPrompt,
    opening: String,
    tools: Vec<ToolOffer>,
}

impl Shown {
    fn of(agent: &Agent, mission: &Mission<'_>) -> Result<Shown> {
        Ok(Shown {
            style: agent.answers.name().to_string(),
            prompt: mission.system_prompt()?,
            opening: mission.opening()?,
            tools: mission.native_tools()?,
        })
    }
}

/// Returns the prompt of an agent in another style, and says which of its templates that style lacks.
fn in_style(name: &str, agent: &Agent, input: &Data, settings: &RunSettings) -> Result<Shown> {
    let answers = Answers::find(name).ok_or_else(|| {
        let message = format!("`{name}` is not an answer style");
        let names = Answers::names().join(", ");
        Fault::new("usage", message).with_help(format!("the styles are {names}"))
    })?;
    // A style keeps its switches.
    let answers =
        if answers.name() == agent.answers.name() { agent.answers.clone() } else { answers };
    let own = answers.style().sections();
    for part in PromptPart::ALL {
        let is_there = part.is_in_every_style() || own.contains(&part);
        if !is_there && agent.sections.get(part).is_some() {
            let part = part.as_str();
            report::say(&format!(
                "note: `system.sections.{part}` has no effect in the style `{name}`\n"
            ));
        }
    }
    let agent = agent.clone().with_answers(answers);
    agent.check()?;
    Shown::of(&agent, &Mission::new(&agent, input).with_settings(settings.clone()))
}

fn json_of_all(shown: &[Shown]) -> Value {
    let object = |it: &Shown| {
        let tools = it.tools.iter().map(as_json).collect::<Vec<_>>();
        json!({"system": it.prompt.text(), "opening": it.opening, "tools": tools})
    };
    match shown {
        [one] => object(one),
        all => all.iter().map(|it| (it.style.clone(), object(it))).collect(),
    }
}

/// Returns one section, by its name or its number.
fn section(name: &str, shown: &Shown) -> Result<String> {
    let prompt = &shown.prompt;
    let section = match name.parse() {
        Ok(number) => prompt.section(number),
        Err(_) => PromptPart::find(name).and_then(|part| prompt.part(part)),
    };
    if let Some(section) = section {
        return Ok(format!("{}\n", section.text.trim_end()));
    }
    let known = prompt.sections.iter().map(|it| it.part.as_str()).collect::<Vec<_>>().join(", ");
    let message = format!("the prompt has no section `{name}` in the style `{}`", shown.style);
    Err(Fault::new("usage", message).with_help(format!("its sections are {known}")))
}

/// Returns the texts of several styles, each under the name of its style.
fn headed(shown: &[Shown], texts: &[String]) -> String {
    let each = shown.iter().zip(texts).map(|(it, text)| format!("=== {}\n\n{text}", it.style));
    each.collect::<Vec<_>>().join("\n")
}

/// Returns a table with the tokens of each section, with a column for each style.
fn compared(shown: &[Shown]) -> String {
    let mut table = format!("{:<28}", "section");
    let row = |title: &str, cells: &mut dyn Iterator<Item = Option<usize>>| {
        let cells =
            cells.map(|it| format!("{:>12}", it.map(|it| it.to_string()).unwrap_or_default()));
        format!("{}\n", format!("{title:<28}{}", cells.collect::<String>()).trim_end())
    };
    table.extend(shown.iter().map(|it| format!("{:>12}", it.style)));
    table.push('\n');
    for part in PromptPart::ALL {
        let count = |it: &Shown| it.prompt.part(part).map(|it| tokens(&it.text).count);
        if shown.iter().any(|it| count(it).is_some()) {
            table.push_str(&row(part.title(), &mut shown.iter().map(count)));
        }
    }
    let whole = |it: &Shown| Some(tokens(&it.prompt.text()).count);
    table.push_str(&row("all", &mut shown.iter().map(whole)));
    let native = |it: &Shown| {
        let text: String = it.tools.iter().map(|it| as_json(it).to_string()).collect();
        (!text.is_empty()).then(|| tokens(&text).count)
    };
    if shown.iter().any(|it| native(it).is_some()) {
        table.push_str(&row("native tools", &mut shown.iter().map(native)));
    }
    table.push_str(&counted(tokens("").encoding));
    table
}

/// Returns the line about how tokens were counted.
fn counted(encoding: Option<&str>) -> String {
    match encoding {
        Some(encoding) => format!("\nTokens are counted in the encoding {encoding}.\n"),
        None => format!("\nTokens are an estimate: characters divided by {CHARS_PER_TOKEN}.\n"),
    }
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
    for section in &prompt.sections {
        let number = prompt.number(section.part).map(|it| it.to_string()).unwrap_or_default();
        row(&number, section.part.title(), &section.text);
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
    table.push_str(&counted(encoding));
    table
}
