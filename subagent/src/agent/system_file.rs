//! The table `[system]` of an agent file: limits, instructions and templates of the system prompt.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ptc_prompt::{Instruction, PromptLimits, PromptPart, Reference, Sections};
use serde::{Deserialize, Deserializer};

use super::Answers;
use super::key_values::{named, set};
use super::source::Source;
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_FILE, read_text};

/// The table `[system]`: limits, instructions and templates of the system prompt.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of the system prompt")]
pub(super) struct SystemFile {
    list_sample: Option<usize>,
    string_truncate: Option<usize>,
    max_tools: Option<usize>,
    max_chars: Option<usize>,
    reference: Option<Reference>,
    omit_reference: Option<bool>,
    #[serde(default)]
    pub(super) instructions: Vec<InstructionFile>,
    #[serde(default)]
    sections: BTreeMap<SectionKey, String>,
}

/// A text of the author: a file, or the text itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of an instruction")]
pub(super) struct InstructionFile {
    name: Option<String>,
    file: Option<PathBuf>,
    text: Option<String>,
    #[serde(default)]
    order: i64,
    on: Option<bool>,
}

/// A key of the table `[system.sections]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SectionKey(PromptPart);

impl SectionKey {
    fn path(self) -> String {
        format!("system.sections.{}", self.0.as_str())
    }
}

impl<'de> Deserialize<'de> for SectionKey {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SectionKey, D::Error> {
        let all = PromptPart::ALL.into_iter().map(|it| (it.as_str(), SectionKey(it)));
        named(from, "field", all)
    }
}

impl SystemFile {
    pub(super) fn limits(&self) -> PromptLimits {
        let mut limits = PromptLimits::default();
        set(&mut limits.list_sample, self.list_sample);
        set(&mut limits.string_truncate, self.string_truncate);
        set(&mut limits.max_tools, self.max_tools);
        set(&mut limits.reference, self.reference);
        if self.omit_reference == Some(true) {
            limits.reference = Reference::None;
        }
        limits.max_chars = self.max_chars;
        limits
    }

    /// Returns the first key that has no effect with an answer style. A style of the host may use all of them.
    pub(super) fn unused(&self, answers: &Answers) -> Option<String> {
        let own = answers.style().sections();
        let has = |part: PromptPart| part.is_in_every_style() || own.contains(&part);
        let (is_json, is_decisions) = match answers {
            Answers::Program | Answers::Custom(_) => (false, false),
            Answers::Json => (true, false),
            Answers::Tools | Answers::React => (false, false),
            Answers::Decisions(_) => (false, true),
        };
        let has_reference = own.contains(&PromptPart::Reference);
        let keys = [
            ("system.reference", self.reference.is_some() && !has_reference),
            ("system.omit_reference", self.omit_reference.is_some() && !has_reference),
            ("system.list_sample", self.list_sample.is_some() && !has_reference && !is_decisions),
            ("system.max_tools", self.max_tools.is_some() && is_json),
        ];
        let key = keys.into_iter().find(|(_, is_set)| *is_set).map(|(key, _)| key.to_string());
        let unused = || self.sections.keys().find(|it| !has(it.0)).map(|it| it.path());
        key.or_else(unused)
    }

    /// Returns the templates.
    ///
    /// # Errors
    ///
    /// The key, text and error of the first text that is not a template.
    pub(super) fn sections(&mut self) -> Result<Sections, (String, String, ptc_prompt::Error)> {
        let mut sections = Sections::default();
        for (key, template) in std::mem::take(&mut self.sections) {
            let set = sections.set(key.0, template.as_str());
            set.map_err(|error| (key.path(), template, error))?;
        }
        Ok(sections)
    }
}

/// Returns the advice about a key without effect: the sections of a style.
pub(super) fn sections_of(answers: &Answers) -> String {
    let everywhere = PromptPart::ALL.iter().filter(|it| it.is_in_every_style());
    let own = answers.style().sections().iter().chain(everywhere);
    let names: Vec<String> = own.map(|part| format!("`{}`", part.as_str())).collect();
    format!("remove it; the sections of `{}` are {}", answers.name(), names.join(", "))
}

impl Source<'_> {
    /// Reads the instructions of `[system]`. Paths are relative to `folder`.
    pub(super) fn instructions(
        &self,
        files: Vec<InstructionFile>,
        folder: &Path,
    ) -> Result<Vec<Instruction>, Error> {
        let files = files.into_iter().enumerate();
        files.map(|(at, file)| self.instruction(file, at, folder)).collect()
    }

    fn instruction(
        &self,
        file: InstructionFile,
        at: usize,
        folder: &Path,
    ) -> Result<Instruction, Error> {
        let wrong = |key: &str, message: String| {
            let key = format!("system.instructions.{at}{key}");
            self.locate(Error::new(ErrorKind::AgentFile, message), None, &key, "", 0)
        };
        let InstructionFile { name, file, text, order, on } = file;
        let (stem, text) = match (file, text) {
            (Some(file), None) => {
                let text = read_text(&folder.join(&file), MAX_FILE).map_err(|why| {
                    let message =
                        format!("cannot read the instruction `{}`: {why}", file.display());
                    wrong(".file", message)
                })?;
                (file.file_stem().map(|it| it.to_string_lossy().into_owned()), text)
            }
            (None, Some(text)) => (None, text),
            _ => {
                let message = "an instruction has either a `file` or a `text`";
                return Err(wrong("", message.to_string()));
            }
        };
        let Some(name) = name.or(stem) else {
            let message = "an instruction with a `text` has a `name`, by which a run switches it";
            return Err(wrong("", message.to_string()));
        };
        let mut instruction = Instruction::new(name, text.trim());
        instruction.order = order;
        set(&mut instruction.is_on, on);
        Ok(instruction)
    }
}
