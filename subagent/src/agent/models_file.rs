//! The table `models` of an agent file, or the file that it names.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use reqwest::header::HeaderName;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::key_values::Seconds;
use super::source::Source;
use super::tool_file::is_variable;
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_FILE, read_text};
use crate::provider::{ModelAlias, ModelAliases, ModelSpec};

/// The models of an agent file: a table, or the path of a file that has it.
pub(super) enum ModelsFile {
    File(PathBuf),
    Table(Rows),
}

/// Models by their aliases.
type Rows = BTreeMap<String, AliasFile>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a model")]
pub(super) struct AliasFile {
    model: String,
    base_url: Option<String>,
    api_key_env: Option<String>,
    #[serde(default)]
    send_key: bool,
    key_header: Option<String>,
    prices: Option<PathBuf>,
    request_timeout: Option<Seconds>,
    max_tokens: Option<u32>,
    effort: Option<u8>,
}

impl<'de> Deserialize<'de> for ModelsFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ModelsFile, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = ModelsFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of models, or the path of a file with one")
            }

            fn visit_str<E>(self, path: &str) -> Result<ModelsFile, E> {
                Ok(ModelsFile::File(PathBuf::from(path)))
            }

            fn visit_map<A: MapAccess<'de>>(self, rows: A) -> Result<ModelsFile, A::Error> {
                Rows::deserialize(MapAccessDeserializer::new(rows)).map(ModelsFile::Table)
            }
        }
        from.deserialize_any(Either)
    }
}

impl Source<'_> {
    /// Reads a model, and checks its alias.
    pub(super) fn model(&self, text: &str, folder: &Path) -> Result<ModelSpec, Error> {
        let spec = text.parse::<ModelSpec>()?.relative_to(folder);
        self.reading.borrow().models.follow(ModelAlias::new(spec.clone()))?;
        Ok(spec)
    }

    /// Reads the models of the file. It also has those of the files that lead to it, unless it has others of the same
    /// name.
    pub(super) fn models(
        &self,
        models: Option<ModelsFile>,
        folder: &Path,
    ) -> Result<ModelAliases, Error> {
        match models {
            None => {}
            Some(ModelsFile::Table(rows)) => self.add_models(rows, "models.", folder)?,
            Some(ModelsFile::File(path)) => {
                let file = folder.join(&path);
                let text = read_text(&file, MAX_FILE).map_err(|why| {
                    let message = format!("cannot read the models `{}`: {why}", path.display());
                    let path = path.to_string_lossy();
                    self.locate(Error::new(ErrorKind::AgentFile, message), None, "models", &path, 0)
                })?;
                let is_json = file.extension().is_some_and(|it| it.eq_ignore_ascii_case("json"));
                let Source { reading, servers, recorded, tools, .. } = *self;
                let in_code = None;
                let source = Source {
                    path: &file,
                    text: &text,
                    is_json,
                    in_code,
                    reading,
                    servers,
                    recorded,
                    tools,
                };
                let rows = source.parse()?;
                source.add_models(rows, "", file.parent().unwrap_or(Path::new("")))?;
            }
        }
        Ok(self.reading.borrow().models.clone())
    }

    fn add_models(&self, rows: Rows, key: &str, folder: &Path) -> Result<(), Error> {
        let mut texts = Vec::new();
        for (name, row) in rows {
            let wrong = |part: &str, value: &str, error: Error| {
                self.locate(error, None, &format!("{key}{name}{part}"), value, 0)
            };
            let fault = |message: String| Error::new(ErrorKind::AgentFile, message);
            if name.is_empty() || name.contains(':') {
                let message = format!("`{name}` is not a name of a model: it has no colon");
                return Err(wrong("", "", fault(message)));
            }
            if row.effort.is_some_and(|it| !(1..=100).contains(&it)) {
                let message = "`effort` is a number from 1 to 100".to_string();
                return Err(wrong(".effort", "", fault(message)));
            }
            let of_key = key_fault(row.api_key_env.as_deref(), row.key_header.as_deref());
            if let Some((part, message)) = of_key {
                return Err(wrong(&format!(".{part}"), "", fault(message)));
            }
            let spec = row.model.parse::<ModelSpec>();
            let spec = spec.map_err(|error| wrong(".model", &row.model, error))?;
            texts.push((name.clone(), row.model));
            let alias = ModelAlias {
                base_url: row.base_url,
                api_key_env: row.api_key_env,
                send_key: row.send_key,
                key_header: row.key_header,
                prices: row.prices.map(|it| folder.join(it)),
                request_timeout: row.request_timeout.map(|it| it.0),
                max_tokens: row.max_tokens,
                effort: row.effort,
                ..ModelAlias::new(spec.relative_to(folder))
            };
            let mut reading = self.reading.borrow_mut();
            reading.models = std::mem::take(&mut reading.models).with(name, alias);
        }
        for (name, text) in texts {
            if let Err(error) = self.model(&name, folder) {
                return Err(self.locate(error, None, &format!("{key}{name}.model"), &text, 0));
            }
        }
        Ok(())
    }
}

/// Finds a fault of the keys that are about a key: the key, and the message.
pub(super) fn key_fault(
    variable: Option<&str>,
    header: Option<&str>,
) -> Option<(&'static str, String)> {
    if let Some(name) = variable.filter(|it| !is_variable(it)) {
        return Some((
            "api_key_env",
            format!("`{name}` is not the name of an environment variable"),
        ));
    }
    let is_header = |it: &&str| HeaderName::try_from(*it).is_ok();
    let name = header.filter(|it| !is_header(it))?;
    Some(("key_header", format!("`{name}` is not the name of a header")))
}
