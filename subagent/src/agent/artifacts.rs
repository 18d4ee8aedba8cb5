//! The artifacts that an agent takes from the results of its runs.

use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::record::{Artifact, RunReport};

/// The artifacts that runs of an agent make at their end, beside those that their programs put.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected false, or a list of tables with `from`")]
#[non_exhaustive]
pub enum Artifacts {
    /// Whether runs make any artifact at all.
    Made(bool),
    /// Parts of the value or of the payload.
    Taken(Vec<TakenArtifact>),
}

/// A part of the value or of the payload of a run, which becomes an artifact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of an artifact")]
#[non_exhaustive]
pub struct TakenArtifact {
    /// The place: `value` or `payload`, and the keys to its part behind dots.
    pub from: String,
    /// The name. Without one it is the text under `name` or `title` of the part, or else the name of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The type. Without one it is that of the value.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Whether lists leave it out unless they are asked for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

impl Default for Artifacts {
    fn default() -> Artifacts {
        Artifacts::Taken(Vec::new())
    }
}

impl Artifacts {
    /// Returns the fault of the first place that is none: its index, and the message.
    pub(crate) fn fault(&self) -> Option<(usize, String)> {
        let Artifacts::Taken(all) = self else { return None };
        all.iter().enumerate().find_map(|(at, it)| {
            let root = it.from.split('.').next().unwrap_or_default();
            let is_place =
                matches!(root, "value" | "payload") && !it.from.split('.').any(str::is_empty);
            let message = || {
                format!(
                    "`{}` is not `value`, `payload` or a part of one, such as `payload.report`",
                    it.from
                )
            };
            (!is_place).then(|| (at, message()))
        })
    }

    /// Returns the artifacts that a run of an agent takes from its report, as first versions. A part that is absent or
    /// empty makes none.
    pub(crate) fn taken(&self, report: &RunReport, agent: &str) -> Vec<Artifact> {
        let Artifacts::Taken(all) = self else { return Vec::new() };
        all.iter().filter_map(|it| it.of(report, agent)).collect()
    }
}

impl TakenArtifact {
    /// Takes the artifact at a place: `value` or `payload`, and the keys to its part behind dots.
    pub fn new(from: impl Into<String>) -> TakenArtifact {
        TakenArtifact { from: from.into(), ..TakenArtifact::default() }
    }

    fn of(&self, report: &RunReport, agent: &str) -> Option<Artifact> {
        let mut keys = self.from.split('.');
        let root = match keys.next() {
            Some("payload") => report.payload.clone()?,
            _ => report.value.clone(),
        };
        let value = keys.try_fold(root, |value, key| value.get(key))?;
        if is_empty(&value) {
            return None;
        }
        let text = |key: &str| value.get(key).and_then(|it| it.as_str().map(str::to_owned));
        let named = || text("name").or_else(|| text("title")).filter(|it| !it.trim().is_empty());
        let name = self.name.clone().or_else(named).unwrap_or_else(|| agent.to_owned());
        let mut artifact = Artifact::new(name, value);
        if let Some(media_type) = &self.media_type {
            artifact.media_type.clone_from(media_type);
        }
        artifact.hidden = self.hidden;
        Some(artifact)
    }
}

fn is_empty(value: &Data) -> bool {
    let is_empty_map = value.is_object() && value.fields().next().is_none();
    value.is_null() || is_empty_map || value.items().is_some_and(|mut it| it.next().is_none())
}
