//! The commands of the debugger, and their effects.

use ptc_lisp::debug::{Break, Debugger, Go, Stop};

use super::commands::{COMMANDS, Command};
use super::show;

/// The decision whether the session continues after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    GoOn,
    End,
}

/// A debugger and its current stop.
pub(super) struct Front<'d> {
    debugger: Debugger<'d>,
    at: Stop,
    /// The command that an empty line repeats.
    last: String,
}

impl<'d> Front<'d> {
    pub(super) fn new(debugger: Debugger<'d>) -> Front<'d> {
        let at = debugger.at(1);
        Front { debugger, at, last: "step".to_owned() }
    }

    /// Returns the current stop as text.
    pub(super) fn here(&self) -> String {
        show::stop(&self.at, &[])
    }

    /// Returns the names of the tools that a break may stop at.
    pub(super) fn tools(&self) -> Vec<String> {
        self.debugger.tools().map(str::to_owned).collect()
    }

    /// Executes a line. Returns its output, and whether the session continues.
    pub(super) fn take(&mut self, text: &str) -> (String, Then) {
        let text = match text.trim() {
            "" => self.last.clone(),
            text => text.to_owned(),
        };
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
        let Some((name, ..)) = find(word) else {
            return (format!("there is no command `{word}`; help lists them\n"), Then::GoOn);
        };
        let shown = self.command(name, rest.trim());
        self.last.clone_from(&text);
        (shown, if *name == "quit" { Then::End } else { Then::GoOn })
    }

    fn command(&mut self, name: &str, rest: &str) -> String {
        match name {
            "step" => self.go(Go::Step),
            "next" => self.go(Go::Over),
            "out" => self.go(Go::Out),
            "continue" => self.go(Go::Continue),
            "back" => self.go(Go::Back),
            "rewind" => self.go(Go::BackToBreak),
            "goto" => match rest.parse() {
                Ok(step) => {
                    let there = self.debugger.at(step);
                    self.arrive(there)
                }
                Err(_) => "goto takes the number of a step\n".to_owned(),
            },
            "break" => match parse_break(rest) {
                Some(wanted) => self.add_break(wanted),
                None => "break takes LINE, LINE:COLUMN, tool NAME, or error\n".to_owned(),
            },
            "breaks" => show::breaks(&self.debugger),
            "delete" => self.delete(rest),
            "where" => show::stack(&self.at),
            "locals" => show::names(&self.debugger.names(&self.at)),
            "print" if rest.is_empty() => "print takes an expression\n".to_owned(),
            "print" => show::evaluated(&self.debugger.evaluate(&self.at, rest)),
            "calls" => show::calls(&self.debugger.calls(&self.at)),
            "prints" => show::prints(&self.at.prints),
            "fuel" => show::used(&self.at),
            "list" => show::source(self.debugger.source(), &self.at),
            "help" => show::help(),
            _ => String::new(),
        }
    }

    fn go(&mut self, go: Go) -> String {
        let there = self.debugger.go(&self.at, go);
        self.arrive(there)
    }

    fn arrive(&mut self, there: Stop) -> String {
        let before = std::mem::replace(&mut self.at, there);
        // The lines printed since the stop before; none after a step back.
        let new = self.at.prints.get(before.prints.len()..).unwrap_or_default();
        show::stop(&self.at, new)
    }

    fn add_break(&mut self, wanted: Break) -> String {
        match self.debugger.add_break(wanted.clone()) {
            Some(set) => format!("stops at {}\n", show::break_of(&set)),
            None => match wanted {
                Break::Tool(tool) => format!("the program does not name a tool `{tool}`\n"),
                _ => "no form begins there or later\n".to_owned(),
            },
        }
    }

    fn delete(&mut self, rest: &str) -> String {
        if rest == "all" {
            self.debugger.clear_breaks();
            return "all breaks are removed\n".to_owned();
        }
        let number: Option<usize> = rest.parse().ok().and_then(|it: usize| it.checked_sub(1));
        match number.map(|number| self.debugger.remove_break(number)) {
            Some(true) => show::breaks(&self.debugger),
            Some(false) => "there is no such break\n".to_owned(),
            None => "delete takes the number of a break, or all\n".to_owned(),
        }
    }
}

/// Finds the command that a word means: by its letter, by its name, or by a prefix of its name.
fn find(word: &str) -> Option<&'static Command> {
    let is_letter = |(_, letter, ..): &&Command| word.chars().eq([*letter]);
    let is_name = |(name, ..): &&Command| *name == word;
    let begins = |(name, ..): &&Command| name.starts_with(word);
    let commands = || COMMANDS.iter();
    commands()
        .find(is_letter)
        .or_else(|| commands().find(is_name))
        .or_else(|| commands().find(begins))
}

/// Parses a break: `error`, `tool NAME`, `LINE` or `LINE:COLUMN`.
fn parse_break(text: &str) -> Option<Break> {
    if text == "error" {
        return Some(Break::Error);
    }
    if let Some(tool) = text.strip_prefix("tool ") {
        return Some(Break::Tool(tool.trim().trim_matches('"').to_owned()));
    }
    let (line, column) = text.split_once(':').unwrap_or((text, "1"));
    Some(Break::Form { line: line.parse().ok()?, column: column.parse().ok()? })
}
