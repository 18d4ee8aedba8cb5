//! Templates of a user in place of the bundled ones.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::templates;

/// A part of the system prompt that a user can write anew.
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
    /// All seven, in an order of the user's choice, with whatever stands between them.
    Whole,
}

impl PromptPart {
    /// All parts: the sections in their order, and the whole.
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

    /// Its name in agent files and in templates.
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

/// The templates of a user, by part; the bundled ones stand where there is none.
///
/// A template is one of minijinja. `{{ section }}` in it is the section as it would be, so that a template
/// can extend it or leave it out; besides, it has what the bundled template has. That of the
/// [whole](PromptPart::Whole) has the seven sections under their names. A name that is not there is an error.
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

    /// The template of a part, if there is one.
    pub fn get(&self, part: PromptPart) -> Option<&str> {
        self.0.get(&part).map(String::as_str)
    }
}
