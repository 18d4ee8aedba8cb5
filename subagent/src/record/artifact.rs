//! Artifacts: named, versioned results of a conversation.

use serde::{Deserialize, Serialize};

use crate::data::Data;

/// A version of an artifact. The run on whose record it is has made it, or a person has, after that run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Artifact {
    /// The name, which is the same for all versions.
    pub name: String,
    /// The number of the version within the conversation, from 1.
    pub version: u32,
    /// The type: that of the agent file or of the person, that of a binary content, or else `application/json`.
    #[serde(rename = "type")]
    pub media_type: String,
    /// The value.
    pub value: Data,
    /// Whether lists leave it out unless they are asked for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The person who made it; `None` if the run did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A version of an artifact, as the report of the run that made it names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ArtifactLink {
    /// The name.
    pub name: String,
    /// The version.
    pub version: u32,
    /// The type.
    #[serde(rename = "type")]
    pub media_type: String,
}

impl Artifact {
    /// Makes a first version with the type of its value.
    pub fn new(name: impl Into<String>, value: impl Into<Data>) -> Artifact {
        let value = value.into();
        let media_type = type_of(&value);
        Artifact { name: name.into(), version: 1, media_type, value, ..Artifact::default() }
    }

    pub(crate) fn link(&self) -> ArtifactLink {
        let Artifact { name, version, media_type, .. } = self.clone();
        ArtifactLink { name, version, media_type }
    }
}

/// The type of a value without another one.
const JSON: &str = "application/json";

/// Returns the type of a value: that of a binary content, or that of JSON.
fn type_of(value: &Data) -> String {
    let is_blob = value.get("hash").is_some() && value.get("size").is_some();
    let media_type = value.get("media_type").filter(|_| is_blob);
    media_type.and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_else(|| JSON.to_owned())
}
