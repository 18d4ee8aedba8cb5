//! The tools that an agent takes from a server or an API.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use ptc_lisp::Effect;
use ptc_signatures::spelling::nearest;

use super::{Tool, ToolDef};
use crate::error::{Error, ErrorKind};
use crate::record::{ToolError, ToolErrorKind};
use crate::secrets::Secrets;

/// The tools to take from a server or an API, their names in programs, and their limits.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Selection {
    /// The tools to take, by the source's names; `None` takes all. `*` in a name is any text.
    pub allow: Option<Vec<String>>,
    /// The tools to leave out, by the source's names. `*` in a name is any text.
    pub deny: Vec<String>,
    /// The text before the source's name of each tool.
    pub prefix: String,
    /// The effects of tools, by the source's names. They override what the source states.
    pub effects: BTreeMap<String, Effect>,
    /// The time limit of one call.
    pub timeout: Duration,
    /// The maximum size of a result as JSON, in bytes.
    pub max_output: usize,
    /// The label of all results; `None` for `untrusted`.
    pub trust: Option<String>,
}

impl Default for Selection {
    /// Takes all tools, with the limits of [`ToolDef`].
    fn default() -> Selection {
        Selection {
            allow: None,
            deny: Vec::new(),
            prefix: String::new(),
            effects: BTreeMap::new(),
            timeout: ToolDef::DEFAULT_TIMEOUT,
            max_output: ToolDef::DEFAULT_MAX_OUTPUT,
            trust: None,
        }
    }
}

impl Selection {
    /// Returns the offered tools that are taken, in their order.
    ///
    /// # Errors
    ///
    /// [`ToolErrorKind::Missing`] if the selection names a tool that is not offered.
    pub fn pick<'a, T>(
        &self,
        offered: &'a [T],
        name: impl Fn(&T) -> &str,
    ) -> Result<Vec<&'a T>, ToolError> {
        let named = self.allow.iter().flatten().chain(&self.deny).map(|it| (it, true));
        let named = named.chain(self.effects.keys().map(|it| (it, false)));
        for (pattern, may_match) in named {
            let fits = |it: &str| if may_match { matches(pattern, it) } else { pattern == it };
            if !offered.iter().any(|it| fits(name(it))) {
                let names: Vec<&str> = offered.iter().map(&name).collect();
                return Err(unknown(pattern, &names));
            }
        }
        let is_named = |list: &[String], it: &str| list.iter().any(|name| matches(name, it));
        let is_taken = |it: &str| {
            self.allow.as_deref().is_none_or(|list| is_named(list, it)) && !is_named(&self.deny, it)
        };
        Ok(offered.iter().filter(|it| is_taken(name(it))).collect())
    }

    /// Returns whether a tool is to be taken by its whole name.
    pub(super) fn names(&self, own: &str) -> bool {
        self.allow.iter().flatten().any(|name| name == own)
    }

    /// Returns a tool with the name in programs, the limits, and the effect that the selection gives it. The name shows
    /// no secret.
    pub fn tool(
        &self,
        own: &str,
        secrets: &Secrets,
        implementation: impl Tool + 'static,
    ) -> ToolDef {
        let name = self.name_in_programs(&secrets.clean(own));
        let mut tool = ToolDef::new(name, implementation)
            .with_timeout(self.timeout)
            .with_max_output(self.max_output);
        tool.effect = self.effects.get(own).copied();
        tool.trust.clone_from(&self.trust);
        tool
    }

    /// Returns the name of a tool in programs. An underscore replaces each character that names rarely have.
    pub fn name_in_programs(&self, own: &str) -> String {
        let usual = |c: char| if c.is_alphanumeric() || "_-./".contains(c) { c } else { '_' };
        self.prefix.chars().chain(own.chars()).map(usual).collect()
    }
}

/// The tools that an agent takes from a server or an API.
#[derive(Clone, Debug, Default)]
pub struct TakenTools {
    /// The tools, in the source's order.
    pub tools: Vec<ToolDef>,
    /// The tools that cannot be taken.
    pub left_out: Vec<LeftOut>,
}

/// A tool of a server or an API that an agent does without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The source, such as ``MCP server `files` ``.
    pub source: String,
    /// The name of the tool.
    pub name: String,
    /// The reason, such as "takes a body of `image/png` only".
    pub why: String,
}

impl TakenTools {
    /// Takes tools whose names in programs differ. The first tool of a name is taken, and later ones are left out.
    pub(super) fn distinct(source: &str, tools: impl IntoIterator<Item = ToolDef>) -> TakenTools {
        let mut taken = TakenTools::default();
        let mut names = BTreeSet::new();
        for tool in tools {
            if names.insert(tool.name.clone()) {
                taken.tools.push(tool);
            } else {
                let (source, name) = (source.to_string(), tool.name);
                let why = "has the name of another tool of its source".to_string();
                taken.left_out.push(LeftOut { source, name, why });
            }
        }
        taken
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of the {} is left out: it {}", self.name, self.source, self.why)
    }
}

/// Returns the error of a source that offers no tools, without its secrets.
pub(super) fn source_error(source: &str, secrets: &Secrets, error: &ToolError) -> Error {
    let located =
        Error::new(ErrorKind::Server, format!("{source} {}", secrets.clean(&error.message)));
    match error.help() {
        Some(help) => located.with_help(secrets.clean(help)),
        None => located,
    }
}

/// Returns whether a name fits a pattern, in which `*` is any text.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        let Some((_, after)) = name.split_once(part) else { return false };
        name = after;
    }
    name.ends_with(end)
}

fn unknown(name: &str, offered: &[&str]) -> ToolError {
    let error = ToolError::new(ToolErrorKind::Missing, format!("offers no tool `{name}`"));
    match nearest(name, offered.iter().copied()) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None if offered.is_empty() => error.with_help("it offers no tools"),
        None => {
            let names: Vec<&str> = offered.iter().take(10).copied().collect();
            error.with_help(format!("it offers {}", names.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names() {
        let check = |pattern: &str, name: &str, expected: bool| {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        };
        check("a/b", "a/b", true);
        check("a/b", "a/bc", false);
        check("*", "", true);
        check("a/*", "a/b", true);
        check("a/*", "a", false);
        check("*b", "a/b", true);
        check("*b", "ba", false);
        check("a*a", "a", false);
        check("a*a", "aa", true);
        check("*list*", "issues/list-all", true);
        check("a*b*c", "a-c-b-c", true);
        check("a*b*c", "a-c-b", false);
        check("a**c", "abc", true);
    }
}
