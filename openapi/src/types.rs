//! The types of the operations of a document, and the bounds on all of them.

use std::collections::HashMap;

use ptc_signatures::{Signature, Type};
use serde_json::{Value, json};

use crate::document::Document;
use crate::error::Error;
use crate::outline::outline;

/// The maximum length of the types of the operations that are taken, as text, in bytes. The record of each run has them.
const MAX_KEPT: usize = 8 << 20;

/// The maximum length of the types that are read, as text, in bytes. Types of results are cut afterwards.
const MAX_READ: usize = 32 << 20;

/// The types that operations of one document have. Operations share the types of equal results.
///
/// A few bytes of a document can name a large schema, so the bounds count the types and not the document.
#[derive(Debug, Default)]
pub struct Types {
    /// The types of results and their lengths as text, by the text of the schema.
    results: HashMap<String, (Type, usize)>,
    kept: usize,
    read: usize,
}

impl Types {
    /// Returns the reason that the types are too large, if they are.
    pub(crate) fn excess(&self) -> Option<String> {
        (self.kept > MAX_KEPT || self.read > MAX_READ).then(|| {
            let max = if self.kept > MAX_KEPT { MAX_KEPT } else { MAX_READ };
            format!("has operations whose types are longer than {} MiB", max >> 20)
        })
    }

    /// Adds the length of a type of arguments.
    pub(crate) fn add(&mut self, length: usize) {
        self.read += length;
        self.kept += length;
    }

    /// Returns the type of a result.
    pub(crate) fn result(&mut self, document: &Document, schema: &Value) -> Type {
        let key = schema.to_string();
        if let Some((ty, length)) = self.results.get(&key) {
            self.kept += length;
            return ty.clone();
        }
        let arguments = json!({"type": "object"});
        let (signature, _) = Signature::from_schemas_in(document.root(), &arguments, Some(schema));
        let length = signature.output.to_string().len();
        self.read += length;
        let ty = outline(signature.output, length);
        let length = ty.to_string().len();
        self.kept += length;
        self.results.insert(key, (ty.clone(), length));
        ty
    }
}

impl Document {
    /// Checks the size of the types of the operations that were read so far.
    ///
    /// # Errors
    ///
    /// They are too large; the end of a sentence about the document.
    pub fn check_size(types: &Types) -> Result<(), Error> {
        types.excess().map_or(Ok(()), |message| {
            Err(Error::new(message).with_help("take fewer operations with `allow`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_that_are_read_and_those_that_are_kept_have_bounds() {
        let check = |kept: usize, read: usize, expected: Option<&str>| {
            let types = Types { results: HashMap::new(), kept, read };
            let found = types.excess();
            let prefix = "has operations whose types are longer than";
            assert_eq!(found, expected.map(|it| format!("{prefix} {it}")));
        };
        check(MAX_KEPT, MAX_READ, None);
        check(MAX_KEPT + 1, 0, Some("8 MiB"));
        check(0, MAX_READ + 1, Some("32 MiB"));
    }
}
