//! The user's templates, which replace the bundled ones.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::templates;

/// A part of the system prompt that a user can replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PromptPart {
    /// Section 1.
    Role,
    /// Section 2.
    Rules,
    /// Section 3.
    Inventory,
    /// Section 4.
    Tools,
    /// Section 5.
    Reference,
    /// Section 6.
    Output,
    /// Section 7.
    Mission,
    /// All seven sections, in an order and with separators of the user's choice.
    Whole,
}

impl PromptPart {
    /// All parts: the sections in their order, then the whole.
    pub const ALL: [PromptPart; 8] = [
        PromptPart::Role,
        PromptPart::Rules,
        PromptPart::Inventory,
        PromptPart::Tools,
        PromptPart::Reference,
        PromptPart::Output,
        PromptPart::Mission,
        PromptPart::Whole,
    ];

    /// Returns the name of the part in agent files and in templates.
    pub fn as_str(self) -> &'static str {
        match self {
            PromptPart::Role => "role",
            PromptPart::Rules => "rules",
            PromptPart::Inventory => "inventory",
            PromptPart::Tools => "tools",
            PromptPart::Reference => "reference",
            PromptPart::Output => "output",
            PromptPart::Mission => "mission",
            PromptPart::Whole => "whole",
        }
    }
}

/// The templates of a user, by part. Parts without one use the bundled template.
///
/// A template is a minijinja template. `{{ section }}` in it is the section of the bundled
/// template, so that a template can extend it or leave it out. It also has the data of the bundled
/// template. The template of the [whole](PromptPart::Whole) has the seven sections under their
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
