//! The terminal: its colours, and text that is safe to show on it.

use std::io::{self, IsTerminal as _};

use ptc_signatures::shown;

/// Returns whether stderr takes colour.
pub(crate) fn is_coloured() -> bool {
    io::stderr().is_terminal() && colour_is_wanted()
}

/// Returns whether stdout takes colour.
pub(crate) fn is_stdout_coloured() -> bool {
    io::stdout().is_terminal() && colour_is_wanted()
}

/// Returns whether a terminal may get colour: `NO_COLOR` is unset or empty, and `TERM` is not `dumb`.
pub(crate) fn colour_is_wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|it| it != "dumb")
}

/// Returns a text of a model, a tool or a file as a terminal shows it. Characters that move or hide text become escapes.
pub(crate) fn clean(text: &str) -> String {
    shown::escape(text).into_owned()
}
