//! The table `[system]` of an agent file: limits and templates of the system prompt.

use ptc_prompt::{PromptLimits, PromptPart, Reference, Sections};
use serde::Deserialize;

use super::Answers;
use super::key_values::set;

/// The table `[system]`: limits and templates of the system prompt.
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
    pub(super) sections: SectionsFile,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the names of sections")]
pub(super) struct SectionsFile {
    role: Option<String>,
    rules: Option<String>,
    inventory: Option<String>,
    tools: Option<String>,
    reference: Option<String>,
    output: Option<String>,
    mission: Option<String>,
    whole: Option<String>,
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
    pub(super) fn unused(&self, answers: &Answers) -> Option<&'static str> {
        let (is_json, is_decisions) = match answers {
            Answers::Program | Answers::Custom(_) => return None,
            Answers::Json => (true, false),
            Answers::Tools | Answers::React => (false, false),
            Answers::Decisions(_) => (false, true),
        };
        let SectionsFile { inventory, tools, reference, output, mission, whole, .. } =
            &self.sections;
        let keys = [
            ("system.reference", self.reference.is_some()),
            ("system.omit_reference", self.omit_reference.is_some()),
            ("system.list_sample", self.list_sample.is_some() && !is_decisions),
            ("system.max_tools", self.max_tools.is_some() && is_json),
            ("system.sections.inventory", inventory.is_some()),
            ("system.sections.tools", tools.is_some()),
            ("system.sections.reference", reference.is_some()),
            ("system.sections.output", output.is_some()),
            ("system.sections.mission", mission.is_some()),
            ("system.sections.whole", whole.is_some()),
        ];
        keys.into_iter().find(|(_, is_set)| *is_set).map(|(key, _)| key)
    }
}

impl SectionsFile {
    /// Returns the templates.
    ///
    /// # Errors
    ///
    /// The key, text and error of the first text that is not a template.
    pub(super) fn sections(self) -> Result<Sections, (&'static str, String, ptc_prompt::Error)> {
        let mut sections = Sections::default();
        for (part, key, template) in [
            (PromptPart::Role, "system.sections.role", self.role),
            (PromptPart::Rules, "system.sections.rules", self.rules),
            (PromptPart::Inventory, "system.sections.inventory", self.inventory),
            (PromptPart::Tools, "system.sections.tools", self.tools),
            (PromptPart::Reference, "system.sections.reference", self.reference),
            (PromptPart::Output, "system.sections.output", self.output),
            (PromptPart::Mission, "system.sections.mission", self.mission),
            (PromptPart::Whole, "system.sections.whole", self.whole),
        ] {
            let Some(template) = template else { continue };
            sections.set(part, template.as_str()).map_err(|error| (key, template, error))?;
        }
        Ok(sections)
    }
}
