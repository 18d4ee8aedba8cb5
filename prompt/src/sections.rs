//! The sections of system prompts, and the user's templates, which replace the bundled ones.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::templates;

/// A part of the system prompt that a user can replace. Each answer style has [sections](crate::Style::sections) of its
/// own; every style has the instructions and the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PromptPart {
    /// The role of the model.
    Role,
    /// The rules of its work.
    Rules,
    /// The [instructions](crate::Instruction) of the author.
    Instructions,
    /// The data of programs.
    Inventory,
    /// The tools, or the actions of decisions.
    Tools,
    /// The reference of the language.
    Reference,
    /// The form of a reply.
    Output,
    /// The mission.
    Mission,
    /// The payload, and how to change it.
    Payload,
    /// The loops of decisions.
    Loops,
    /// The forms of questions to the user.
    Forms,
    /// The commands for the time after the mission.
    Commands,
    /// The references to values in loops.
    References,
    /// The sub-agents of an agent that decides.
    Agents,
    /// All sections, in an order and with separators of the user's choice.
    Whole,
}

impl PromptPart {
    /// All parts: the sections, then the whole.
    pub const ALL: [PromptPart; 15] = [
        PromptPart::Role,
        PromptPart::Rules,
        PromptPart::Instructions,
        PromptPart::Inventory,
        PromptPart::Tools,
        PromptPart::Reference,
        PromptPart::Output,
        PromptPart::Mission,
        PromptPart::Payload,
        PromptPart::Loops,
        PromptPart::Forms,
        PromptPart::Commands,
        PromptPart::References,
        PromptPart::Agents,
        PromptPart::Whole,
    ];

    /// Returns the name of the part in agent files and in templates.
    pub fn as_str(self) -> &'static str {
        self.words().0
    }

    /// Returns the title of the section in lists.
    pub fn title(self) -> &'static str {
        self.words().1
    }

    /// Returns whether prompts of every answer style have it, besides the sections of their own.
    pub fn is_in_every_style(self) -> bool {
        matches!(self, PromptPart::Instructions | PromptPart::Whole)
    }

    /// Returns the part of this name.
    pub fn find(name: &str) -> Option<PromptPart> {
        PromptPart::ALL.into_iter().find(|part| part.as_str() == name)
    }

    /// Returns the name and the title.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            PromptPart::Role => ("role", "Role"),
            PromptPart::Rules => ("rules", "Rules"),
            PromptPart::Instructions => ("instructions", "Instructions"),
            PromptPart::Inventory => ("inventory", "Data Inventory"),
            PromptPart::Tools => ("tools", "Available Tools"),
            PromptPart::Reference => ("reference", "PTC-Lisp Quick Reference"),
            PromptPart::Output => ("output", "Output Format"),
            PromptPart::Mission => ("mission", "Mission"),
            PromptPart::Payload => ("payload", "Payload"),
            PromptPart::Loops => ("loops", "Iterative operations"),
            PromptPart::Forms => ("forms", "Forms"),
            PromptPart::Commands => ("commands", "Commands"),
            PromptPart::References => ("references", "References"),
            PromptPart::Agents => ("agents", "Sub-agents"),
            PromptPart::Whole => ("whole", "Whole"),
        }
    }
}

/// The templates of a user, by part. Parts without one use the bundled template.
///
/// A template is a minijinja template. `{{ section }}` in it is the section of the bundled
/// template, so that a template can extend it or leave it out. It also has the data of the bundled
/// template. The template of the [whole](PromptPart::Whole) has the sections under their
/// names. An undefined name is an error.
///
/// ```
/// use ptc_prompt::{PromptPart, Sections};
///
/// let mut sections = Sections::default();
/// sections.set(PromptPart::Rules, "{{ section }}\n8. Write every amount in EUR")?;
/// assert!(sections.set(PromptPart::Role, "{{ section").is_err());
/// # Ok::<(), ptc_prompt::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections(BTreeMap<PromptPart, String>);

impl Sections {
    /// Replaces the template of a part.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Template`](crate::ErrorKind::Template) if the text is not a template.
    pub fn set(&mut self, part: PromptPart, template: impl Into<String>) -> Result<(), Error> {
        let template = template.into();
        templates::check(part.as_str(), &template)?;
        self.0.insert(part, template);
        Ok(())
    }

    /// Returns the template of a part, if there is one.
    pub fn get(&self, part: PromptPart) -> Option<&str> {
        self.0.get(&part).map(String::as_str)
    }
}
