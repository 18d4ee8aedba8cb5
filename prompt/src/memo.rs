//! A cache of the sections of the last prompt.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::Serde;
use minijinja::{Value as Data, context};
use ptc_signatures::Type;

use crate::error::Error;
use crate::examples::Examples;
use crate::inventory::Inventory;
use crate::text::code;
use crate::tools::Toolset;
use crate::{Reference, TurnInfo, example_value, reference, templates, tools, turn};

/// A cache of the last prompt, section by section. It reuses a section while its inputs are equal:
/// the missions of one agent differ in their data, not in their tools.
///
/// The result does not depend on earlier prompts. Many threads may use one memo at once.
///
/// ```
/// use ptc_lisp::json;
/// use ptc_prompt::{AgentSpec, Memo, MissionMode, PromptLimits, PromptSpec, system};
///
/// let memo = Memo::default();
/// for name in ["Ana", "Ben"] {
///     let ctx = json::parse(&format!("{{\"name\": \"{name}\"}}"))?;
///     let spec = PromptSpec {
///         agent: AgentSpec::default(),
///         mission: "Greet {{name}}.",
///         mode: MissionMode::Agent,
///         ctx: &ctx,
///         signature: None,
///         tools: &[],
///         limits: PromptLimits::default(),
///         payload: None,
///         sections: None,
///         instructions: &[],
///     };
///     assert_eq!(memo.system(&spec)?, system(&spec)?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Memo(Mutex<Arc<Texts>>);

impl Memo {
    pub(crate) fn with<T>(&self, make: impl FnOnce(&mut Arc<Texts>) -> T) -> T {
        let before = Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut texts = Arc::clone(&before);
        let made = make(&mut texts);
        if !Arc::ptr_eq(&before, &texts) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = texts;
        }
        made
    }
}

/// A clone starts empty: the cached texts do not affect its results.
impl Clone for Memo {
    fn clone(&self) -> Memo {
        Memo::default()
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memo").finish_non_exhaustive()
    }
}

/// The last rendered text of each template.
#[derive(Clone, Default)]
pub(crate) struct Texts(Vec<Arc<CachedText>>);

struct CachedText {
    template: &'static str,
    /// The user's template, if there is one.
    own: Option<String>,
    facts: Facts<'static>,
    text: Arc<str>,
}

/// The inputs of a text besides its templates.
#[derive(Debug, PartialEq)]
pub(crate) enum Facts<'a> {
    /// Whether the model works in turns, and whether there are tools.
    Agent {
        agent: bool,
        has_tools: bool,
        can_ask: bool,
        /// The tools and the data whose values the model does not read.
        withheld: Vec<String>,
    },
    Instructions(Vec<String>),
    Inventory(Inventory),
    Tools(Toolset<'a>),
    Reference(Reference, Examples),
    Output(Examples),
    Mission {
        mission: String,
        agent: bool,
        output: Option<Cow<'a, Type>>,
        /// Whether an example of the output is shown.
        has_example: bool,
    },
    Opening(bool, TurnInfo),
}

impl Facts<'_> {
    fn into_owned(self) -> Facts<'static> {
        match self {
            Facts::Agent { agent, has_tools, can_ask, withheld } => {
                Facts::Agent { agent, has_tools, can_ask, withheld }
            }
            Facts::Instructions(texts) => Facts::Instructions(texts),
            Facts::Inventory(inventory) => Facts::Inventory(inventory),
            Facts::Tools(tools) => Facts::Tools(tools.into_owned()),
            Facts::Reference(size, examples) => Facts::Reference(size, examples),
            Facts::Output(examples) => Facts::Output(examples),
            Facts::Mission { mission, agent, output, has_example } => {
                let output = output.map(|it| Cow::Owned(it.into_owned()));
                Facts::Mission { mission, agent, output, has_example }
            }
            Facts::Opening(agent, turn) => Facts::Opening(agent, turn),
        }
    }

    /// Returns the data of the template.
    fn data(&self) -> Data {
        match self {
            Facts::Agent { agent, has_tools, can_ask, withheld } => {
                let withheld: Vec<String> = withheld.iter().map(|it| code(it)).collect();
                let withheld = withheld.join(", ");
                context! { agent, tools => *has_tools, asks => *can_ask, withheld }
            }
            Facts::Instructions(texts) => context! { texts },
            Facts::Inventory(inventory) => Serde(inventory).into(),
            Facts::Tools(tools) => tools::data(tools),
            Facts::Reference(size, examples) => reference::data(*size, examples),
            Facts::Output(examples) => Serde(examples).into(),
            Facts::Mission { mission, agent, output, has_example } => context! {
                mission,
                agent,
                format => output.as_ref().map(ToString::to_string),
                example => output.as_ref().filter(|_| *has_example).and_then(|it| example_value::of_type(it)),
            },
            Facts::Opening(agent, turn) => {
                context! { agent, last => turn.is_last(), turn => turn::line(*turn) }
            }
        }
    }
}

impl Texts {
    /// Returns the text of a template, or of the user's template if there is one. It reuses and
    /// updates the cache `all`, if there is one.
    pub(crate) fn text(
        all: Option<&mut Arc<Texts>>,
        template: &'static str,
        own: Option<&str>,
        facts: Facts<'_>,
    ) -> Result<Arc<str>, Error> {
        let known = all.as_ref().map_or(&[][..], |all| &all.0);
        let place = known.iter().position(|last| last.template == template);
        let last = place.and_then(|place| known.get(place));
        if let Some(last) = last
            && last.own.as_deref() == own
            && last.facts == facts
        {
            return Ok(Arc::clone(&last.text));
        }
        let data = facts.data();
        let mut text = templates::render(template, data.clone())?;
        if let Some(own) = own {
            text = templates::render_custom(template, own, context! { section => text, ..data })?;
        }
        let (own, facts) = (own.map(str::to_owned), facts.into_owned());
        let text: Arc<str> = text.into();
        let Some(all) = all else { return Ok(text) };
        let made = Arc::new(CachedText { template, own, facts, text: Arc::clone(&text) });
        let all = &mut Arc::make_mut(all).0;
        match place.and_then(|place| all.get_mut(place)) {
            Some(last) => *last = made,
            None => all.push(made),
        }
        Ok(text)
    }
}
