//! Rules of other systems in keys, for hosts whose JSON has them.

use crate::Data;

pub use ptc_prompt::text_without_key_rules;

/// Drops the rules from all keys of JSON: `rows:[3+]` becomes `rows`. Values stay as they are.
///
/// Runs do so only where the expected type has the plain key. This is for JSON that a host knows to have such keys.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::without_key_rules;
/// use serde_json::json;
///
/// let answer = Data::from(json!({"analysisComplete?": true, "recommendations:[3+]": ["a", "b", "c"]}));
/// let plain = json!({"analysisComplete": true, "recommendations": ["a", "b", "c"]});
/// assert_eq!(without_key_rules(&answer), plain);
/// ```
pub fn without_key_rules(data: &Data) -> Data {
    Data::made(ptc_prompt::without_key_rules(data.value()))
}
