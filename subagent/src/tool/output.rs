//! Results of tools: parsing them as JSON with every digit, and checking their size.

use ptc_lisp::json;
use serde_json::Value;

use crate::data::Data;
use crate::secrets::Secrets;

/// Returns whether a value fits into `max` bytes of JSON. It writes no text, and stops soon after the limit.
pub(super) fn fits(value: &Data, max: usize) -> bool {
    json::size(value.value(), max).is_ok_and(|size| size <= max)
}

/// Parses the text of a result and replaces secrets by their names. Integers keep every digit.
pub(super) fn read(text: &str, secrets: &Secrets) -> Result<Data, String> {
    let mut data = Data::recorded(text).map_err(|error| why(text, &error, secrets))?;
    // After parsing: escapes in the text may hide a secret.
    secrets.clean_data(&mut data);
    Ok(data)
}

/// Returns the fault of a text that is not JSON: in the words of `serde_json` if it finds one too.
fn why(text: &str, error: &crate::Error, secrets: &Secrets) -> String {
    match serde_json::from_str::<Value>(text) {
        Err(error) => error.to_string(),
        Ok(_) => secrets.clean(error.message()).into_owned(),
    }
}
