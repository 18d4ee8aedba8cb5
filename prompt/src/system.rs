//! The system prompt: seven sections, the same over all turns of a run.

use minijinja::context;

use crate::error::Error;
use crate::{
    Mode, PromptSpec, TurnInfo, examples, inventory, mission, reference, templates, tools, turn,
};

/// The system prompt, section by section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemPrompt {
    /// The sections in their order.
    pub sections: Vec<Section>,
}

/// One section of a system prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading, without its mark.
    pub title: &'static str,
    /// The text, with its heading.
    pub text: String,
}

impl SystemPrompt {
    /// The whole prompt: the sections with one blank line between them.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.sections.iter().map(|section| section.text.as_str()).collect();
        texts.join("\n\n")
    }

    /// The section of this number, from 1; the number stays the same when another section is left out.
    pub fn section(&self, number: usize) -> Option<&Section> {
        let title = TITLES.get(number.checked_sub(1)?)?;
        self.sections.iter().find(|section| section.title == *title)
    }
}

/// Makes the system prompt of a mission.
///
/// It fails if a placeholder of the mission has no value. Nothing in it depends on the turn.
///
/// ```
/// use ptc_lisp::json;
/// use ptc_prompt::{Mode, PromptLimits, PromptSpec, system};
///
/// let ctx = json::parse(r#"{"user": {"name": "Ana"}, "scores": [3, 5, 8, 13]}"#)?;
/// let signature = "(user {name :string}, scores [:int]) -> {best :int}".parse()?;
/// let prompt = system(&PromptSpec {
///     mission: "The best score of {{user.name}}.",
///     mode: Mode::Agent,
///     ctx: &ctx,
///     signature: Some(&signature),
///     tools: &[],
///     limits: PromptLimits::default(),
/// })?;
/// let row = "| `ctx/scores` | `[:int]` | `[3 5 8 ...]` (4 items) |";
/// assert!(prompt.section(3).is_some_and(|inventory| inventory.text.contains(row)));
/// assert!(prompt.text().contains("The best score of Ana.\n\nReturn format: {best :int}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn system(spec: &PromptSpec<'_>) -> Result<SystemPrompt, Error> {
    let agent = spec.mode == Mode::Agent;
    let mission = context! {
        mission => mission::expand(spec.mission.trim(), spec.ctx, &spec.limits)?,
        agent,
        format => spec.signature.map(|signature| signature.output.to_string()),
        example => spec.signature.map(|signature| examples::of_type(&signature.output)),
    };
    let examples = examples::data(spec);
    let data = [
        Some(("role", context! { agent })),
        Some(("rules", context! { agent })),
        Some(("inventory", inventory::data(spec))),
        Some(("tools", tools::data(spec))),
        reference::data(spec.limits.reference, &examples).map(|data| ("reference", data)),
        Some(("output", examples)),
        Some(("mission", mission)),
    ];
    let mut sections = Vec::with_capacity(TITLES.len());
    for (title, data) in TITLES.into_iter().zip(data) {
        if let Some((template, data)) = data {
            sections.push(Section { title, text: templates::render(template, data)? });
        }
    }
    Ok(SystemPrompt { sections })
}

/// The first message of the user, after which the model answers for the first time.
pub fn opening(spec: &PromptSpec<'_>, turn: TurnInfo) -> String {
    let agent = spec.mode == Mode::Agent;
    templates::message(
        "opening",
        context! { agent, last => turn.is_last(), turn => turn::line(turn) },
    )
}

const TITLES: [&str; 7] = [
    "Role",
    "Rules",
    "Data Inventory",
    "Available Tools",
    "PTC-Lisp Quick Reference",
    "Output Format",
    "Mission",
];
