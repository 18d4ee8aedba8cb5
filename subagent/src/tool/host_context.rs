//! The host context: data of a host that the tools of a run read, and nobody else.

use std::fmt;
use std::sync::Arc;

use ptc_lisp::{Map, Value};
use serde::Serialize;

use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::secrets::{Secrets, names_a_secret};

/// The host context: data of a host that the tools of a run read, and nobody else. Clones share the data.
///
/// A tool may repeat it in a result. Texts of at least 8 characters under a key whose name suggests a secret, such as
/// `token`, are replaced there, in every usual encoding. Its `Debug` form shows nothing of the data.
///
/// ```
/// use ptc_subagent::tool::HostContext;
/// use serde_json::json;
///
/// let context = HostContext::new(json!({"tenant": "acme", "token": "0123456789"}))?;
/// assert_eq!(context.data().get("tenant").unwrap(), json!("acme"));
/// assert_eq!(format!("{context:?}"), "HostContext { .. }");
/// # Ok::<(), ptc_subagent::Error>(())
/// ```
#[derive(Clone)]
pub struct HostContext(Arc<Kept>);

struct Kept {
    data: Data,
    secrets: Arc<Secrets>,
}

impl HostContext {
    /// Makes a host context of a value that serde writes as a JSON object.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Input`] if it is not an object, or cannot be written as JSON. The message has nothing of the data.
    pub fn new(data: impl Serialize) -> Result<HostContext, Error> {
        let wrong = |what: &str| Error::new(ErrorKind::Input, format!("the host context {what}"));
        let data = Data::written(&data).map_err(|_| wrong("cannot be written as JSON"))?;
        if !data.is_object() {
            return Err(wrong("must be a JSON object"));
        }
        Ok(HostContext::of(data))
    }

    /// Wraps an object.
    pub(crate) fn of(data: Data) -> HostContext {
        let mut secrets = Secrets::default();
        add_secrets(&mut secrets, "context", false, data.value());
        HostContext(Arc::new(Kept { data, secrets: Arc::new(secrets) }))
    }

    /// Returns the data, a JSON object.
    pub fn data(&self) -> &Data {
        &self.0.data
    }

    /// Returns the secrets that no result may repeat.
    pub(super) fn secrets(&self) -> &Arc<Secrets> {
        &self.0.secrets
    }

    /// Returns the value at a path, such as `customer.id`.
    pub(crate) fn at(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(self.0.data.value(), |value, key| value.get(key))
    }
}

impl fmt::Debug for HostContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostContext").finish_non_exhaustive()
    }
}

/// Adds the texts below keys whose names suggest secrets. It recurs at most as deep as [`Data`] nests.
fn add_secrets(secrets: &mut Secrets, path: &str, is_secret: bool, value: &Value) {
    match value {
        Value::Map(map) => {
            for (key, value) in Map::iter(map) {
                let key = key.name().unwrap_or_default();
                let path = format!("{path}.{key}");
                add_secrets(secrets, &path, is_secret || names_a_secret(key), value);
            }
        }
        Value::Vector(items) => {
            items.iter().for_each(|item| add_secrets(secrets, path, is_secret, item));
        }
        Value::Str(text) if is_secret => secrets.add(path, text),
        _ => {}
    }
}
