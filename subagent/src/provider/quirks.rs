//! What a server says that a model does not take, so that the next request leaves it out.
//!
//! Models differ in this from version to version, so no table of names could say it.

use serde_json::Value;

/// What is to be left out, or said in another way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Quirks {
    /// No temperature: models that think, and the newest of Anthropic's.
    pub(super) no_temperature: bool,
    /// The most tokens of a reply are `max_completion_tokens`: OpenAI's models that think.
    pub(super) completion_tokens: bool,
    /// Thinking has a budget of tokens: Anthropic's models that choose no effort themselves.
    pub(super) budget: bool,
}

impl Quirks {
    /// Returns what is known after a server refused `body` with these words; `None` if that is no more than before.
    pub(super) fn with(mut self, body: &Value, said: &str) -> Option<Quirks> {
        let before = self;
        if body.get("max_tokens").is_some() && said.contains("max_completion_tokens") {
            self.completion_tokens = true;
        } else if body.get("temperature").is_some() && said.contains("temperature") {
            self.no_temperature = true;
        } else if body["thinking"]["type"] == "adaptive"
            && ["thinking", "adaptive", "effort", "output_config"]
                .iter()
                .any(|it| said.contains(it))
        {
            self.budget = true;
        }
        (self != before).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_learned() {
        let none = Quirks::default();
        let no_temperature = Quirks { no_temperature: true, ..none };
        let completion_tokens = Quirks { completion_tokens: true, ..none };
        let body = json!({"temperature": 0.0, "max_tokens": 5});
        assert_eq!(none.with(&body, "`temperature` is not supported"), Some(no_temperature));
        assert_eq!(none.with(&json!({}), "`temperature` is not supported"), None);
        assert_eq!(
            none.with(&body, "use 'max_completion_tokens' instead"),
            Some(completion_tokens)
        );
        assert_eq!(no_temperature.with(&body, "`temperature`"), None);
        assert_eq!(none.with(&body, "adaptive thinking is not supported"), None);
        let body = json!({"thinking": {"type": "adaptive"}});
        let budget = Some(Quirks { budget: true, ..none });
        assert_eq!(none.with(&body, "adaptive thinking is not supported on this model"), budget);
    }
}
