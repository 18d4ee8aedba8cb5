//! The forms in which a record has settings of an agent, where they differ from those in memory.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::time::Duration;

use ptc_lisp::{Limit, LimitValue, Limits};
use ptc_prompt::{PromptPart, Sections};
use ptc_signatures::Signature;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::payload::{PayloadDef, PayloadTable};
use super::{Answers, OnLimit, Workflow};
use crate::record::SourceInto;
use crate::sources::{SourceDef, origin_on_record};

/// The form of a setting on record.
pub(super) trait Form<T>: Sized {
    fn of(setting: &T) -> Self;
    fn setting(self) -> Result<T, String>;
}

/// Writes and reads a setting in the form `F`, as `with` of serde.
pub(super) struct As<F>(PhantomData<F>);

impl<F> As<F> {
    pub(super) fn serialize<T, S: Serializer>(setting: &T, to: S) -> Result<S::Ok, S::Error>
    where
        F: Form<T> + Serialize,
    {
        F::of(setting).serialize(to)
    }

    pub(super) fn deserialize<'de, T, D: Deserializer<'de>>(from: D) -> Result<T, D::Error>
    where
        F: Form<T> + Deserialize<'de>,
    {
        F::deserialize(from)?.setting().map_err(D::Error::custom)
    }
}

/// Returns whether a setting has its default. Records leave such settings out.
pub(super) fn is_default<T: Default + PartialEq>(setting: &T) -> bool {
    *setting == T::default()
}

/// An answer style, with the parts of its prompt that are set.
#[derive(Serialize, Deserialize)]
pub(super) struct Style {
    answers: Answers,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    decisions: BTreeMap<String, bool>,
}

impl Form<Answers> for Style {
    fn of(answers: &Answers) -> Style {
        let switches = match answers {
            Answers::Decisions(style) => style.switches.given(),
            _ => BTreeMap::new(),
        };
        let decisions = switches.into_iter().map(|(name, is_on)| (name.to_string(), is_on));
        Style { answers: answers.clone(), decisions: decisions.collect() }
    }

    fn setting(self) -> Result<Answers, String> {
        let Style { mut answers, decisions } = self;
        if let Answers::Decisions(style) = &mut answers {
            for (name, is_on) in decisions {
                // A later version may have more switches.
                style.switches.set(&name, is_on);
            }
        }
        Ok(answers)
    }
}

/// The behaviour when turns run out. The first versions only had a fallback.
#[derive(Serialize, Deserialize)]
pub(super) struct Fallback {
    fallback: bool,
    /// The behaviour, unless it is a stop or a fallback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_limit: Option<OnLimit>,
}

impl Form<OnLimit> for Fallback {
    fn of(it: &OnLimit) -> Fallback {
        let on_limit = Some(*it).filter(|it| *it == OnLimit::Summarize);
        Fallback { fallback: *it == OnLimit::LastValue, on_limit }
    }

    fn setting(self) -> Result<OnLimit, String> {
        let fallback = if self.fallback { OnLimit::LastValue } else { OnLimit::Stop };
        Ok(self.on_limit.unwrap_or(fallback))
    }
}

/// The limits of a program: its time, and counts by name.
#[derive(Serialize, Deserialize)]
pub(super) struct Bounds {
    program_time: f64,
    limits: BTreeMap<String, u64>,
}

/// The largest memory limit accepted from a record, in bytes. A record may be imported from an untrusted file.
pub(super) const MAX_MEMORY: u64 = 4 << 30;

impl Form<Limits> for Bounds {
    fn of(limits: &Limits) -> Bounds {
        let count = |limit: &Limit| match limit.get(limits) {
            LimitValue::Count(count) => Some((limit.name.to_string(), count)),
            LimitValue::Time(_) => None,
        };
        let counts = Limits::ALL.iter().filter_map(count).collect();
        Bounds { program_time: limits.program_time.as_secs_f64(), limits: counts }
    }

    fn setting(self) -> Result<Limits, String> {
        let mut limits = Limits::default();
        for (name, count) in self.limits {
            // A later version may have more limits.
            if let Some(limit) = Limits::find(&name) {
                limit.set(&mut limits, LimitValue::Count(count));
            }
        }
        limits.memory = limits.memory.min(MAX_MEMORY);
        limits.program_time = self.program_time.setting()?;
        Ok(limits)
    }
}

/// A time in seconds.
impl Form<Duration> for f64 {
    fn of(it: &Duration) -> f64 {
        it.as_secs_f64()
    }

    fn setting(self) -> Result<Duration, String> {
        Duration::try_from_secs_f64(self).map_err(|error| error.to_string())
    }
}

/// The text of a signature.
impl Form<Option<Signature>> for Option<String> {
    fn of(it: &Option<Signature>) -> Option<String> {
        it.as_ref().map(ToString::to_string)
    }

    fn setting(self) -> Result<Option<Signature>, String> {
        let parsed = self.map(|it| it.parse()).transpose();
        parsed.map_err(|error: ptc_signatures::Error| error.to_string())
    }
}

/// The program of a workflow.
impl Form<Option<Workflow>> for Option<String> {
    fn of(it: &Option<Workflow>) -> Option<String> {
        it.as_ref().map(|it| it.program.clone())
    }

    fn setting(self) -> Result<Option<Workflow>, String> {
        Ok(self.map(Workflow::new))
    }
}

/// The templates of the system prompt, by section.
impl Form<Sections> for BTreeMap<String, String> {
    fn of(it: &Sections) -> BTreeMap<String, String> {
        let row = |part: PromptPart| Some((part.as_str().to_string(), it.get(part)?.to_string()));
        PromptPart::ALL.into_iter().filter_map(row).collect()
    }

    fn setting(self) -> Result<Sections, String> {
        let mut sections = Sections::default();
        for (name, template) in self {
            let part = PromptPart::ALL.into_iter().find(|part| part.as_str() == name);
            let part = part.ok_or_else(|| format!("`{name}` is not a section of a prompt"))?;
            sections.set(part, template).map_err(|error| error.to_string())?;
        }
        Ok(sections)
    }
}

impl Form<Option<PayloadDef>> for Option<PayloadTable> {
    fn of(it: &Option<PayloadDef>) -> Option<PayloadTable> {
        it.as_ref().map(PayloadTable::of)
    }

    fn setting(self) -> Result<Option<PayloadDef>, String> {
        let payload = self.map(PayloadTable::payload).transpose();
        payload.map_err(|fault| fault.error.message().to_string())
    }
}

/// A source as a record has it: its name, its destination, and what its label follows from. The input and the payload on
/// record have its value.
#[derive(Serialize, Deserialize)]
pub(super) struct SourcePart {
    name: String,
    into: SourceInto,
    #[serde(default, skip_serializing_if = "is_default")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    tool: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    trust: Option<String>,
}

impl Form<Vec<SourceDef>> for Vec<SourcePart> {
    fn of(sources: &Vec<SourceDef>) -> Vec<SourcePart> {
        let part = |it: &SourceDef| SourcePart {
            name: it.name.clone(),
            into: it.into,
            path: it.path.clone(),
            tool: it.of_tool().map(str::to_string),
            trust: it.trust.clone(),
        };
        sources.iter().map(part).collect()
    }

    fn setting(self) -> Result<Vec<SourceDef>, String> {
        let source = |it: SourcePart| {
            let (into, path, trust) = (it.into, it.path, it.trust);
            SourceDef { into, path, trust, ..origin_on_record(it.name, it.tool) }
        };
        Ok(self.into_iter().map(source).collect())
    }
}
