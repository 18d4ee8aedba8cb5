//! The commands of the debugger.

/// A command: name, letter, arguments, description.
pub(super) type Command = (&'static str, char, &'static str, &'static str);

/// All commands, in the order of the help.
pub(super) const COMMANDS: &[Command] = &[
    ("step", 's', "", "to the next step"),
    ("next", 'n', "", "over the form that is about to be evaluated"),
    ("out", 'o', "", "out of the function that runs"),
    ("continue", 'c', "", "to the next break, or to the end"),
    ("back", 'b', "", "to the step before"),
    ("rewind", 'r', "", "back to the last break, or to the first step"),
    ("goto", 'g', "N", "to a step by its number, forward or back"),
    ("break", 'k', "WHERE", "stop at LINE, LINE:COLUMN, tool NAME, error"),
    ("breaks", 'K', "", "list the breaks"),
    ("delete", 'd', "N|all", "remove a break, or all"),
    ("where", 'w', "", "the functions that are running"),
    ("locals", 'l', "", "the names in scope, with their values"),
    ("print", 'p', "EXPR", "the value of an expression here"),
    ("calls", 't', "", "the tool calls so far"),
    ("prints", 'P', "", "the lines printed so far"),
    ("fuel", 'f', "", "the fuel and tool calls so far"),
    ("list", 'v', "", "the source around the form"),
    ("help", 'h', "", "this list"),
    ("quit", 'q', "", "end; so does Ctrl-D"),
];
