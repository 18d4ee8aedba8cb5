//! The answer styles of agents: the built-in ones, and those that a host registers.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use ptc_prompt::{DecisionsStyle, JsonStyle, ProgramStyle, ReactStyle, Style, ToolsStyle};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::key_values::named;
use crate::error::{Error, ErrorKind};

/// The built-in styles, with their default settings. A row makes a style usable everywhere.
const STYLES: [Answers; 5] = [
    Answers::Program,
    Answers::Json,
    Answers::Tools,
    Answers::React,
    Answers::Decisions(DecisionsStyle::WHOLE),
];

/// Styles by name, with their priorities.
type Registered = BTreeMap<String, (i32, Arc<dyn Style>)>;

/// The styles that the host has registered.
static REGISTERED: RwLock<Registered> = RwLock::new(BTreeMap::new());

/// The answer style of a model: the form in which it replies.
///
/// A style with settings has them in its variant:
///
/// ```
/// use ptc_subagent::{Agent, Answers, DecisionSwitches, DecisionsStyle};
///
/// let mut switches = DecisionSwitches::default();
/// assert!(switches.set("payload", false));
/// let style = DecisionsStyle::new(switches);
/// let agent = Agent::new("Plan a trip.").with_answers(Answers::Decisions(style));
/// assert_eq!(agent.answers.name(), "decisions");
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Answers {
    /// A program, which the run executes.
    #[default]
    Program,
    /// The answer itself, as JSON. If the output of the signature is a `:string`, the reply text is the answer. Such an
    /// agent has no tools, and its model sees the whole input.
    Json,
    /// Native calls of tools, several in one reply. The answer is a text where the output of the signature is a
    /// `:string` or there is no signature, and otherwise a call of the tool `return`.
    Tools,
    /// Thoughts, actions and observations as text, with one call in a reply. The final answer is read as JSON unless the
    /// output of the signature is a `:string` or there is no signature.
    React,
    /// One JSON object: actions, a sub-agent, a change of the payload, or the end of the task. Its switches leave parts of
    /// the prompt out.
    Decisions(DecisionsStyle),
    /// A style of the host.
    Custom(Arc<dyn Style>),
}

impl Answers {
    /// Makes a style usable in agent files and records by its name, in the whole process. Of two styles with a name, the
    /// one with the higher priority is used; the usual priority is 0.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if another style has this name and this priority, or if a built-in style has the name.
    pub fn register(style: Arc<dyn Style>, priority: i32) -> Result<(), Error> {
        let name = style.name().to_string();
        if STYLES.iter().any(|it| it.name() == name) {
            let message = format!("`{name}` is the name of a built-in answer style");
            return Err(
                Error::new(ErrorKind::Agent, message).with_help("give the style another name")
            );
        }
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        match registered.get(&name) {
            Some((known, other)) if *known == priority && !Arc::ptr_eq(other, &style) => {
                let message = format!(
                    "another answer style is registered as `{name}` with priority {priority}"
                );
                let help = "give one of them another name, or a higher priority";
                return Err(Error::new(ErrorKind::Agent, message).with_help(help));
            }
            Some((known, _)) if *known > priority => {}
            _ => drop(registered.insert(name, (priority, style))),
        }
        Ok(())
    }

    /// Returns the style of this name, built in or registered.
    pub fn find(name: &str) -> Option<Answers> {
        STYLES.into_iter().find(|it| it.name() == name).or_else(|| {
            let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
            registered.get(name).map(|(_, style)| Answers::Custom(Arc::clone(style)))
        })
    }

    /// Returns the names of all styles, built in and registered.
    pub fn names() -> Vec<String> {
        let built_in = STYLES.iter().map(|it| it.name().to_string());
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        built_in.chain(registered.keys().cloned()).collect()
    }

    /// Returns the name in agent files and records.
    pub fn name(&self) -> &str {
        self.style().name()
    }

    /// Returns the style.
    pub fn style(&self) -> &dyn Style {
        match self {
            Answers::Program => &ProgramStyle,
            Answers::Json => &JsonStyle,
            Answers::Tools => &ToolsStyle,
            Answers::React => &ReactStyle,
            Answers::Decisions(style) => style,
            Answers::Custom(style) => &**style,
        }
    }
}

impl Serialize for Answers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Answers {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Answers, D::Error> {
        let all = Answers::names().into_iter();
        named(from, "variant", all.filter_map(|it| Answers::find(&it).map(|style| (it, style))))
    }
}

/// Two styles of a host are equal if they are the same object.
impl PartialEq for Answers {
    fn eq(&self, other: &Answers) -> bool {
        match (self, other) {
            (Answers::Custom(one), Answers::Custom(two)) => Arc::ptr_eq(one, two),
            (Answers::Decisions(one), Answers::Decisions(two)) => one == two,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Eq for Answers {}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
