//! The text of an agent file, and the places of its errors.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use ptc_signatures::Signature;
use ptc_signatures::spelling::nearest;
use serde::de::DeserializeOwned;

use super::settings::Agent;
use crate::error::{Error, ErrorKind, in_our_words, line_column};
use crate::files::{MAX_FILE, read_text};
use crate::provider::ModelAliases;
use crate::tool::ToolServers;

/// The text of an agent file, in which errors are located.
pub(super) struct Source<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
    pub(super) is_json: bool,
    /// The rest of a definition that is not in a file.
    pub(super) in_code: Option<InCode<'a>>,
    pub(super) reading: &'a RefCell<Reading>,
    pub(super) servers: &'a dyn ToolServers,
    /// The agent on record.
    pub(super) recorded: Option<&'a Agent>,
    /// The key of the list of tools.
    pub(super) tools: &'a str,
}

/// The key of the list of tools in an agent file.
pub(super) const TOOLS: &str = "tools";

/// The part of a definition in code that is not a key.
#[derive(Clone, Copy)]
pub(super) struct InCode<'a> {
    /// The program of a workflow.
    pub(super) program: Option<&'a str>,
}

impl Source<'_> {
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        if self.is_json {
            let at = |inner: &serde_json::Error, key: &str| {
                let message = inner.to_string();
                let message = message.split(" at line ").next().unwrap_or(&message);
                self.malformed(message, key).at(inner.line(), inner.column().max(1))
            };
            let from = &mut serde_json::Deserializer::from_str(self.text);
            let file = serde_path_to_error::deserialize(&mut *from)
                .map_err(|error| at(error.inner(), &error.path().to_string()))?;
            from.end().map_err(|error| at(&error, "."))?;
            return Ok(file);
        }
        let syntax = |error: &toml::de::Error, key: &str| {
            let offset = error.span().map_or(self.text.len(), |it| it.start);
            place(self.malformed(error.message(), key), self.path, self.text, offset)
        };
        let from = toml::Deserializer::parse(self.text).map_err(|it| syntax(&it, "."))?;
        serde_path_to_error::deserialize(from)
            .map_err(|error| syntax(error.inner(), &error.path().to_string()))
    }

    /// Makes an error from a message of serde, in the project's own words.
    #[cold]
    fn malformed(&self, message: &str, key: &str) -> Error {
        let error = |message: String| Error::new(ErrorKind::AgentFile, message).in_file(self.path);
        // serde's path of a part that it could not read as a key.
        let key = if key == "?" { "." } else { key };
        let mut quoted = message.split('`').skip(1).step_by(2);
        if message.starts_with("unknown field") || message.starts_with("unknown variant") {
            let wrong = quoted.next().unwrap_or_default();
            let known: Vec<&str> = quoted.collect();
            let (what, kind) = if message.contains("field") {
                (format!("unknown key `{wrong}`"), "keys")
            } else {
                (format!("`{wrong}` is not a value of `{key}`"), "values")
            };
            let help = match nearest(wrong, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the known {kind} are {}", known.join(", ")),
            };
            return error(what).with_help(help);
        }
        if message.starts_with("missing field") {
            let missing = quoted.next().unwrap_or_default();
            let of = if key == "." { "the file".to_string() } else { format!("`{key}`") };
            return error(format!("{of} has no `{missing}`"));
        }
        let message = in_our_words(message.trim());
        if key == "." { error(message) } else { error(format!("`{key}`: {message}")) }
    }

    /// Reads the program of a workflow, or its flow file.
    pub(super) fn program(&self, key: &str, path: &Path) -> Result<String, Error> {
        let wrong = |why: String| {
            let message = format!("cannot read the {key} `{}`: {why}", path.display());
            self.locate(Error::new(ErrorKind::AgentFile, message), None, key, "", 0)
        };
        read_text(path, MAX_FILE).map_err(wrong)
    }

    pub(super) fn signature(
        &self,
        text: &str,
        tool: Option<(usize, &str)>,
    ) -> Result<Signature, Error> {
        text.parse().map_err(|error: ptc_signatures::Error| {
            let whose = tool.map(|(_, name)| format!(" of tool `{name}`")).unwrap_or_default();
            let message = format!("the signature{whose} does not parse: {error}");
            let mut located = Error::new(ErrorKind::AgentFile, message);
            if let Some(help) = error.help() {
                located = located.with_help(help);
            }
            self.locate(located, tool.map(|it| it.0), "signature", text, error.span().start)
        })
    }

    /// Adds a location to an error: the byte `offset` in the text `value` at a key of the file.
    pub(super) fn locate(
        &self,
        error: Error,
        tool: Option<usize>,
        key: &str,
        value: &str,
        offset: usize,
    ) -> Error {
        let span = if self.is_json {
            // The JSON parser gives no locations. If a text occurs twice, this finds the first.
            let literal = serde_json::Value::from(value).to_string();
            self.text.find(&literal).map(|it| it..it + literal.len())
        } else {
            self.toml_span(tool, key)
        };
        let Some(span) = span else { return place(error, self.path, self.text, 0) };
        let raw = self.text.get(span.clone()).unwrap_or_default();
        // A text with escapes is not found inside its literal: the start of the literal must do.
        let inside = if value.is_empty() { None } else { raw.find(value) };
        let inside = inside.map_or(0, |it| it + offset);
        place(error, self.path, self.text, span.start + inside)
    }

    /// Returns the span of a key's value, or of the whole tool if it lacks the key.
    fn toml_span(&self, tool: Option<usize>, key: &str) -> Option<std::ops::Range<usize>> {
        let root = toml::de::DeTable::parse(self.text).ok()?;
        let path = match tool {
            Some(index) => format!("{}.{index}.{key}", self.tools),
            None => key.to_string(),
        };
        let mut keys = path.split('.');
        let mut value = root.get_ref().get(keys.next()?)?;
        for key in keys {
            let inner = value.get_ref();
            let part = match key.parse::<usize>() {
                Ok(index) => inner.as_array().and_then(|it| it.get(index)),
                Err(_) => inner.as_table().and_then(|it| it.get(key)),
            };
            // The table itself, if it lacks the key.
            let Some(part) = part else { break };
            value = part;
        }
        Some(value.span())
    }
}

/// The state of reading an agent file and the files of its sub-agents.
#[derive(Default)]
pub(super) struct Reading {
    /// The path from the first file to the current one.
    pub(super) open: Vec<PathBuf>,
    /// The number of files that tools named so far.
    pub(super) count: usize,
    /// The models under names of their own, of the current file and of those that lead to it.
    pub(super) models: ModelAliases,
}

/// Adds a file and the line and column of a byte offset to an error.
pub(super) fn place(error: Error, path: &Path, text: &str, offset: usize) -> Error {
    let (line, column) = line_column(text, offset);
    error.in_file(path).at(line, column)
}
