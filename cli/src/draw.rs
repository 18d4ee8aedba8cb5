//! The drawing of problems on stderr.

use std::io::{self, IsTerminal as _};

use ptc_view::Look;

pub(crate) use ptc_view::{Placed, Text};

use crate::screen::say;
use crate::terminal;

/// Draws a problem on stderr: in colour and wrapped on a terminal, plain and unwrapped elsewhere.
pub(crate) fn draw(problem: &dyn miette::Diagnostic) {
    let width = io::stderr().is_terminal().then(|| {
        let size = terminal_size::terminal_size_of(io::stderr());
        size.map_or(80, |(width, _)| usize::from(width.0))
    });
    say(&Look { is_coloured: terminal::is_coloured(), width }.draw(problem));
}
