//! The system prompt: the sections of an answer style, equal in all turns of a run.

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
    /// The sections of the style, in the order of their numbers.
    numbered: &'static [PromptPart],
}

/// One section of a system prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The part of the prompt.
    pub part: PromptPart,
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

    fn chars(&self) -> usize {
        self.text().chars().count()
    }

    /// Returns the section of this number, from 1. A section keeps its number when another one is
    /// left out. The instructions of the author have none.
    pub fn section(&self, number: usize) -> Option<&Section> {
        self.part(*self.numbered.get(number.checked_sub(1)?)?)
    }

    /// Returns the section that is this part.
    pub fn part(&self, part: PromptPart) -> Option<&Section> {
        self.sections.iter().find(|section| section.part == part)
    }

    /// Returns the number of a section, from 1.
    pub fn number(&self, part: PromptPart) -> Option<usize> {
        self.numbered.iter().position(|it| *it == part).map(|at| at + 1)
    }

    /// Creates the prompt of a style with these sections, without cuts. The author's template of the whole puts them
    /// together.
    fn compose(
        sections: Vec<Section>,
        numbered: &'static [PromptPart],
        spec: &PromptSpec<'_>,
    ) -> Result<SystemPrompt, Error> {
        let prompt = SystemPrompt { sections, cuts: Vec::new(), whole: None, numbered };
        let part = PromptPart::Whole;
        let Some(own) = own(spec, part) else { return Ok(prompt) };
        let parts = numbered.iter().chain(&[PromptPart::Instructions]).map(|part| {
            let text = prompt.part(*part).map(|section| Arc::clone(&section.text));
            (part.as_str(), text.unwrap_or_else(|| "".into()))
        });
        let parts: BTreeMap<&str, Arc<str>> = parts.collect();
        let whole = templates::render_custom(part.as_str(), own, parts.into())?;
        Ok(SystemPrompt { whole: Some(whole.into()), ..prompt })
    }
}

/// Returns the author's template of a part, if there is one.
fn own<'a>(spec: &PromptSpec<'a>, part: PromptPart) -> Option<&'a str> {
    spec.sections.and_then(|sections| sections.get(part))
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
/// use ptc_prompt::{AgentSpec, MissionMode, PromptLimits, PromptPart, PromptSpec, system};
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
///     instructions: &[],
/// })?;
/// let row = "- `ctx/scores [:int]`: `[3 ...]` (4 items)";
/// assert!(prompt.part(PromptPart::Inventory).is_some_and(|inventory| inventory.text.contains(row)));
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

/// Renders the system prompt of a style from one template, which has a block for each of the parts. Templates of the author
/// replace them, and the author's instructions follow the rules.
pub(crate) fn styled(
    template: &'static str,
    parts: &'static [PromptPart],
    data: &minijinja::Value,
    spec: &PromptSpec<'_>,
) -> Result<SystemPrompt, Error> {
    let names = parts.iter().map(|part| part.as_str());
    let blocks = templates::blocks(template, data.clone(), names)?;
    let mut sections = Vec::with_capacity(parts.len() + 1);
    for (part, block) in parts.iter().zip(blocks) {
        let text: Arc<str> = match own(spec, *part) {
            Some(own) => {
                let data = context! { section => block, ..data.clone() };
                templates::render_custom(part.as_str(), own, data)?.into()
            }
            None => block.into(),
        };
        if !text.is_empty() {
            sections.push(Section { part: *part, text });
        }
        if *part == PromptPart::Rules {
            sections.extend(instructions(spec, None)?);
        }
    }
    let prompt = SystemPrompt::compose(sections, parts, spec)?;
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

/// Renders the section of the author's instructions, unless there is nothing in it.
fn instructions(
    spec: &PromptSpec<'_>,
    texts: Option<&mut Arc<Texts>>,
) -> Result<Option<Section>, Error> {
    let part = PromptPart::Instructions;
    let (facts, own) = (mission::instructions(spec)?, own(spec, part));
    if facts.is_empty() && own.is_none() {
        return Ok(None);
    }
    let text = Texts::text(texts, part.as_str(), own, Facts::Instructions(facts))?;
    Ok(Some(Section { part, text }).filter(|it| !it.text.is_empty()))
}

/// Creates a prompt from a complete text. Characters that move or hide text become escapes.
impl From<&str> for SystemPrompt {
    fn from(text: &str) -> SystemPrompt {
        SystemPrompt {
            sections: Vec::new(),
            cuts: Vec::new(),
            whole: Some(shown::escape(text).into()),
            numbered: &[],
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
    let text = mission::expand(spec)?;
    let author = instructions(spec, texts.as_deref_mut())?;
    let mut sections = Vec::with_capacity(PROGRAM.len() + 1);
    let mut add = |part: PromptPart, facts: Facts<'_>| {
        let text = Texts::text(texts.as_deref_mut(), part.as_str(), own(spec, part), facts)?;
        sections.push(Section { part, text });
        Ok(())
    };
    let has_tools = spec.tools.iter().any(|tool| tool.callable);
    let can_ask = spec.agent.can_ask;
    let withheld = spec.agent.withheld.to_vec();
    add(PromptPart::Role, Facts::Agent { agent, has_tools, can_ask, withheld: Vec::new() })?;
    add(PromptPart::Rules, Facts::Agent { agent, has_tools, can_ask, withheld })?;
    let built = inventory::build(spec, is_tight);
    let kinds = built.kinds;
    add(PromptPart::Inventory, Facts::Inventory(built))?;
    add(PromptPart::Tools, Facts::Tools(Toolset::new(spec, is_tight)))?;
    let (examples, size) = (examples::choose(spec, kinds), spec.limits.reference);
    if size != Reference::None {
        add(PromptPart::Reference, Facts::Reference(size, examples.clone()))?;
    }
    add(PromptPart::Output, Facts::Output(examples))?;
    let format = spec.signature.map(|signature| Cow::Borrowed(&signature.output));
    let has_example = size.is_for_small_models();
    add(PromptPart::Mission, Facts::Mission { mission: text, agent, output: format, has_example })?;
    let after = sections.iter().position(|it| it.part == PromptPart::Rules).map_or(0, |at| at + 1);
    sections.splice(after..after, author);
    SystemPrompt::compose(sections, PROGRAM, spec)
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

/// The sections of the prompt for programs.
pub(crate) const PROGRAM: &[PromptPart] = &[
    PromptPart::Role,
    PromptPart::Rules,
    PromptPart::Inventory,
    PromptPart::Tools,
    PromptPart::Reference,
    PromptPart::Output,
    PromptPart::Mission,
];
