//! The system prompt: seven sections, equal in all turns of a run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use minijinja::context;
use ptc_signatures::shown;
use serde::{Serialize, Serializer};

use crate::error::{Error, ErrorKind};
use crate::memo::{Facts, Memo, Texts};
use crate::tools::Toolset;
use crate::{
    MissionMode, PromptLimits, PromptPart, PromptSpec, Reference, TurnInfo, examples, inventory,
    mission, templates,
};

/// The system prompt, section by section. Prompts of an agent share equal sections
/// ([`Memo`](crate::Memo)), which saves memory where thousands of runs hold a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SystemPrompt {
    /// The sections in their order.
    pub sections: Vec<Section>,
    /// The cuts that keep the prompt within [`PromptLimits::max_chars`], in the order in which they
    /// were made.
    pub cuts: Vec<&'static str>,
    /// The text of the user's template for the whole, if there is one.
    whole: Option<Arc<str>>,
}

/// One section of a system prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading, without its Markdown mark.
    pub title: &'static str,
    /// The text, with its heading.
    pub text: Arc<str>,
}

impl SystemPrompt {
    /// Returns the whole prompt: the sections with one blank line between them, or the text of the
    /// user's template for the whole.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.len());
        self.parts().for_each(|part| text.push_str(part));
        text
    }

    /// Returns the length of the whole prompt, in bytes.
    pub fn len(&self) -> usize {
        self.parts().map(str::len).sum()
    }

    /// Returns whether the prompt is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the parts that make up the whole prompt.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let sections = if self.whole.is_none() { self.sections.as_slice() } else { &[] };
        let apart = |at: usize| if at == 0 { "" } else { "\n\n" };
        let sections = sections.iter().enumerate().flat_map(move |(at, it)| [apart(at), &it.text]);
        self.whole.as_deref().into_iter().chain(sections)
    }

    /// Creates a prompt of these sections, without cuts.
    pub(crate) fn from_sections(sections: Vec<Section>) -> SystemPrompt {
        SystemPrompt { sections, cuts: Vec::new(), whole: None }
    }

    fn chars(&self) -> usize {
        self.text().chars().count()
    }

    /// Returns the section of this number, from 1. A section keeps its number when another one is
    /// left out.
    pub fn section(&self, number: usize) -> Option<&Section> {
        let title = TITLES.get(number.checked_sub(1)?)?;
        self.sections.iter().find(|section| section.title == *title)
    }
}

/// Renders the system prompt of a mission.
///
/// Nothing in the prompt depends on the turn. If it exceeds [`PromptLimits::max_chars`], it is cut
/// in a fixed order.
///
/// # Errors
///
/// Returns an error in these cases:
///
/// - A placeholder of the mission is malformed, has no value, or names a hidden field:
///   [`ErrorKind::MalformedPlaceholder`](crate::ErrorKind::MalformedPlaceholder),
///   [`ErrorKind::MissingValue`](crate::ErrorKind::MissingValue) or
///   [`ErrorKind::HiddenValue`](crate::ErrorKind::HiddenValue).
/// - A template does not render: [`ErrorKind::Template`](crate::ErrorKind::Template).
/// - The prompt exceeds its limit after every cut:
///   [`ErrorKind::TooLong`](crate::ErrorKind::TooLong).
///
/// ```
/// use ptc_lisp::json;
/// use ptc_prompt::{AgentSpec, MissionMode, PromptLimits, PromptSpec, system};
///
/// let ctx = json::parse(r#"{"user": {"name": "Ana"}, "scores": [3, 5, 8, 13]}"#)?;
/// let signature = "(user {name :string}, scores [:int]) -> {best :int}".parse()?;
/// let prompt = system(&PromptSpec {
///     agent: AgentSpec::default(),
///     mission: "The best score of {{user.name}}.",
///     mode: MissionMode::Agent,
///     ctx: &ctx,
///     signature: Some(&signature),
///     tools: &[],
///     limits: PromptLimits::default(),
///     payload: None,
///     sections: None,
/// })?;
/// let row = "| `ctx/scores` | `[:int]` | `[3 5 8 ...]` (4 items) |";
/// assert!(prompt.section(3).is_some_and(|inventory| inventory.text.contains(row)));
/// assert!(prompt.text().contains("The best score of Ana.\n\nReturn format: {best :int}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn system(spec: &PromptSpec<'_>) -> Result<SystemPrompt, Error> {
    system_with(spec, None)
}

impl Memo {
    /// Renders a system prompt, as [`system`](crate::system()) does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`system`](crate::system()).
    pub fn system(&self, spec: &PromptSpec<'_>) -> Result<SystemPrompt, Error> {
        self.with(|texts| system_with(spec, Some(texts)))
    }

    /// Renders a first message, as [`opening`](crate::opening) does.
    pub fn opening(&self, spec: &PromptSpec<'_>, turn: TurnInfo) -> String {
        self.with(|texts| opening_with(spec, turn, Some(texts)))
    }
}

/// Renders a system prompt with a cache of texts, if there is one.
fn system_with(
    spec: &PromptSpec<'_>,
    texts: Option<&mut Arc<Texts>>,
) -> Result<SystemPrompt, Error> {
    let mut prompt = render(spec, false, texts)?;
    let Some(most) = spec.limits.max_chars else { return Ok(prompt) };
    let mut spec = *spec;
    let mut is_tight = false;
    let mut cuts = Vec::new();
    for (name, cut) in CUTS {
        if prompt.chars() <= most {
            break;
        }
        let before = prompt.chars();
        cut(&mut spec.limits, &mut is_tight);
        prompt = render(&spec, is_tight, None)?;
        if prompt.chars() < before {
            cuts.push(name);
        }
    }
    let chars = prompt.chars();
    if chars > most {
        let message = format!(
            "the system prompt has {chars} characters after every possible cut, but `max_chars` is {most}"
        );
        return Err(Error::new(ErrorKind::TooLong, message));
    }
    prompt.cuts = cuts;
    Ok(prompt)
}

/// Renders the system prompt of a style from one template. The author's templates replace its role and its rules.
///
/// The template has the data `mark` before and behind its rules, and behind its role.
pub(crate) fn styled(
    template: &'static str,
    data: &minijinja::Value,
    spec: &PromptSpec<'_>,
) -> Result<SystemPrompt, Error> {
    let render = |mark: &str| templates::render(template, context! { mark, ..data.clone() });
    let own = |part| spec.sections.and_then(|sections| sections.get(part));
    let whole = render("")?;
    let prompt = match (own(PromptPart::Role), own(PromptPart::Rules)) {
        (None, None) => {
            SystemPrompt::from_sections(vec![Section { title: "Role", text: whole.trim().into() }])
        }
        (role, rules) => {
            // No text of the prompt has the mark.
            let runs = whole.split(|c| c != MARK).map(str::len);
            let mark = MARK.to_string().repeat(runs.max().unwrap_or_default() + 1);
            let text = render(&mark)?;
            let mut parts = text.splitn(4, &mark).map(str::trim);
            let mut next = || parts.next().unwrap_or_default();
            let (first, format, second, rest) = (next(), next(), next(), next());
            let extended = |part: PromptPart, own: Option<&str>, text: &str| match own {
                Some(own) => {
                    let data = context! { section => text, mark => "", ..data.clone() };
                    templates::render_custom(part.as_str(), own, data)
                }
                None => Ok(text.to_owned()),
            };
            let sections = [
                ("Role", extended(PromptPart::Role, role, first)?),
                ("Output Format", format.to_owned()),
                ("Rules", extended(PromptPart::Rules, rules, second)?),
                ("Available Tools", rest.to_owned()),
            ];
            let sections = sections.into_iter().filter(|(_, text)| !text.is_empty());
            let sections = sections.map(|(title, text)| Section { title, text: text.into() });
            SystemPrompt::from_sections(sections.collect())
        }
    };
    let chars = prompt.chars();
    match spec.limits.max_chars.filter(|most| chars > *most) {
        None => Ok(prompt),
        Some(most) => {
            let message =
                format!("the system prompt has {chars} characters, but `max_chars` is {most}");
            Err(Error::new(ErrorKind::TooLong, message))
        }
    }
}

/// The character of the marks between the parts of a template. Prompts do not escape it.
const MARK: char = '\u{e000}';

/// Creates a prompt from a complete text. Characters that move or hide text become escapes.
impl From<&str> for SystemPrompt {
    fn from(text: &str) -> SystemPrompt {
        SystemPrompt {
            whole: Some(shown::escape(text).into()),
            ..SystemPrompt::from_sections(Vec::new())
        }
    }
}

/// Writes the whole prompt.
impl fmt::Display for SystemPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().try_for_each(|part| f.write_str(part))
    }
}

/// Serializes the whole prompt as one string.
impl Serialize for SystemPrompt {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

type Cut = fn(&mut PromptLimits, &mut bool);

/// The cuts of a prompt that is too long, in order. The last one is for prompts with many keys and
/// tools.
const CUTS: [(&str, Cut); 6] = [
    ("samples are shorter", |limits, _| {
        limits.list_sample = limits.list_sample.min(1);
        limits.string_truncate = limits.string_truncate.min(100);
    }),
    ("tools are a catalogue", |limits, _| limits.max_tools = 0),
    ("samples show sizes only", |limits, _| {
        limits.list_sample = 0;
        limits.string_truncate = 0;
    }),
    ("the reference is its examples", |limits, _| {
        if limits.reference == Reference::Full {
            limits.reference = Reference::Minimal;
        }
    }),
    ("the reference is left out", |limits, _| limits.reference = Reference::None),
    ("only the first keys and tools are named", |_, is_tight| *is_tight = true),
];

/// Renders the sections. A tight prompt names only the first keys and tools.
fn render(
    spec: &PromptSpec<'_>,
    is_tight: bool,
    mut texts: Option<&mut Arc<Texts>>,
) -> Result<SystemPrompt, Error> {
    let agent = spec.mode == MissionMode::Agent;
    let own = |part: PromptPart| spec.sections.and_then(|sections| sections.get(part));
    let text = mission::expand(spec)?;
    let mut sections = Vec::with_capacity(TITLES.len());
    let mut add = |title: &'static str, part: PromptPart, facts: Facts<'_>| {
        let text = Texts::text(texts.as_deref_mut(), part.as_str(), own(part), facts)?;
        sections.push(Section { title, text });
        Ok(())
    };
    let [role, rules, inventory, tools, reference, output, mission] = TITLES;
    let has_tools = spec.tools.iter().any(|tool| tool.callable);
    let can_ask = spec.agent.can_ask;
    add(role, PromptPart::Role, Facts::Agent { agent, has_tools, can_ask })?;
    add(rules, PromptPart::Rules, Facts::Agent { agent, has_tools, can_ask })?;
    let built = inventory::build(spec, is_tight);
    let kinds = built.kinds;
    add(inventory, PromptPart::Inventory, Facts::Inventory(built))?;
    add(tools, PromptPart::Tools, Facts::Tools(Toolset::new(spec, is_tight)))?;
    let (examples, size) = (examples::choose(spec, kinds), spec.limits.reference);
    if size != Reference::None {
        add(reference, PromptPart::Reference, Facts::Reference(size, examples.clone()))?;
    }
    add(output, PromptPart::Output, Facts::Output(examples))?;
    let format = spec.signature.map(|signature| Cow::Borrowed(&signature.output));
    let has_example = size.is_for_small_models();
    add(
        mission,
        PromptPart::Mission,
        Facts::Mission { mission: text, agent, output: format, has_example },
    )?;
    let prompt = SystemPrompt::from_sections(sections);
    let Some(own) = own(PromptPart::Whole) else { return Ok(prompt) };
    let parts = TITLES.into_iter().zip(PromptPart::ALL).map(|(title, part)| {
        let section = prompt.sections.iter().find(|section| section.title == title);
        (part.as_str(), section.map_or_else(|| "".into(), |section| Arc::clone(&section.text)))
    });
    let parts: BTreeMap<&str, Arc<str>> = parts.collect();
    let whole = templates::render_custom(PromptPart::Whole.as_str(), own, parts.into())?;
    Ok(SystemPrompt { whole: Some(whole.into()), ..prompt })
}

/// Renders the first message of the user, to which the model replies first.
pub fn opening(spec: &PromptSpec<'_>, turn: TurnInfo) -> String {
    opening_with(spec, turn, None)
}

/// Renders the first message with a cache of texts, if there is one.
fn opening_with(spec: &PromptSpec<'_>, turn: TurnInfo, texts: Option<&mut Arc<Texts>>) -> String {
    let facts = Facts::Opening(spec.mode == MissionMode::Agent, turn);
    let text = Texts::text(texts, "opening", None, facts);
    text.map_or_else(|error| error.to_string(), |text| text.to_string())
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
