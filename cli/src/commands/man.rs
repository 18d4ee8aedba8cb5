//! `ptc man`: manual pages, written from the same definition of the command line as the help.

use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::args::{Cli, ManArgs};
use crate::report::{self, Fault, Result};

/// A heading of at most this many words begins a section; a longer one begins a part of a section.
const SECTION_WORDS: usize = 2;

/// Runs `ptc man`.
pub(crate) fn command(args: &ManArgs) -> Result<u8> {
    let root = root();
    if let Some(folder) = &args.out {
        let pages = write_all(&root, folder)?;
        report::print(&format!("wrote {pages} pages in {}\n", folder.display()))?;
        return Ok(report::DONE);
    }
    let mut command = &root;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| unknown(&root, &args.command))?;
    }
    // Pages are sent to `man`, which reads their escapes.
    report::print_raw(&page(command)?)?;
    Ok(report::DONE)
}

/// Returns the command line, in which every command knows its whole name.
fn root() -> clap::Command {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    root
}

fn unknown(root: &clap::Command, names: &[String]) -> Fault {
    let message = format!("there is no command `{} {}`", root.get_name(), names.join(" "));
    Fault::new("usage", message).with_help("`ptc help` lists all commands")
}

/// Writes the pages of all commands into a folder, and returns their number.
fn write_all(root: &clap::Command, folder: &Path) -> Result<usize> {
    let unwritable = |path: &Path, error: &std::io::Error| {
        Fault::new("unwritable-file", format!("cannot write {}: {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut rest = vec![root];
    let mut pages = 0;
    while let Some(command) = rest.pop() {
        rest.extend(command.get_subcommands().filter(|it| !it.is_hide_set()));
        let path = folder.join(format!("{}.1", name(command)));
        std::fs::write(&path, page(command)?).map_err(|error| unwritable(&path, &error))?;
        pages += 1;
    }
    Ok(pages)
}

/// Returns the name of a command's page, such as `ptc-run`.
fn name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// Returns the page of a command.
fn page(command: &clap::Command) -> Result<String> {
    let text = |_| Fault::bug();
    let mut bytes = Vec::new();
    let version = concat!("ptc ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(version).manual("Manual of ptc");
    man.render_title(&mut bytes).map_err(text)?;
    man.render_name_section(&mut bytes).map_err(text)?;
    man.render_synopsis_section(&mut bytes).map_err(text)?;
    man.render_description_section(&mut bytes).map_err(text)?;
    man.render_options_section(&mut bytes).map_err(text)?;
    if command.get_subcommands().any(|it| !it.is_hide_set()) {
        man.render_subcommands_section(&mut bytes).map_err(text)?;
    }
    if let Some(help) = command.get_after_help() {
        examples(&help.to_string()).to_writer(&mut bytes).map_err(text)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the text below the options as sections. A paragraph whose first line ends in a colon has a heading, and
/// its lines are not filled.
fn examples(help: &str) -> Roff {
    let mut page = Roff::new();
    let mut has_section = false;
    for paragraph in help.split("\n\n") {
        let (first, rest) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        let heading = first.strip_suffix(':').filter(|_| rest.starts_with("  "));
        let is_short = heading.is_some_and(|it| it.split(' ').count() <= SECTION_WORDS);
        match heading {
            Some(heading) if is_short => {
                page.control("SH", [heading.to_uppercase().as_str()]);
            }
            _ if !has_section => {
                page.control("SH", ["NOTES"]);
            }
            _ => {}
        }
        has_section = true;
        match heading {
            Some(heading) => {
                if !is_short {
                    page.control("SS", [heading]);
                }
                page.control("nf", []);
                page.text(rest.lines().flat_map(|it| [roman(it), roman("\n")]).collect::<Vec<_>>());
                page.control("fi", []);
            }
            None => {
                page.control("PP", []);
                page.text([roman(paragraph)]);
            }
        }
    }
    page
}
