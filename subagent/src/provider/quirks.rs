//! Quirks of models: parts of a request that a model refuses, so that the next request omits them.
//!
//! Quirks differ between versions of models, so they are learned from errors, not listed by name.

use serde_json::Value;

/// The parts of a request to omit or to write in another way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each quirk is there or not")]
pub(super) struct Quirks {
    /// Omit the temperature. Applies to models that think, and to Anthropic's newest models.
    pub(super) no_temperature: bool,
    /// Limit the reply with `max_completion_tokens`. Applies to OpenAI's models that think.
    pub(super) completion_tokens: bool,
    /// Omit the texts at which the model stops. Applies to OpenAI's models that think.
    pub(super) no_stop: bool,
    /// Omit images. Applies to models that read only text.
    pub(super) no_images: bool,
    /// Omit the effort. Applies to models that do not think.
    pub(super) no_effort: bool,
    /// Give a thinking budget in tokens. Applies to Anthropic's models without adaptive thinking.
    pub(super) budget: bool,
}

impl Quirks {
    /// Returns the quirks after a server refused `body` with this message, or `None` if the message shows no new quirk.
    pub(super) fn with(mut self, body: &Value, message: &str) -> Option<Quirks> {
        let before = self;
        if body.get("max_tokens").is_some() && message.contains("max_completion_tokens") {
            self.completion_tokens = true;
        } else if body.get("temperature").is_some() && message.contains("temperature") {
            self.no_temperature = true;
        } else if body.get("stop").is_some() && message.contains("stop") {
            self.no_stop = true;
        } else if has_images(body) && message.to_ascii_lowercase().contains("image") {
            self.no_images = true;
        } else if body["thinking"]["type"] == "adaptive"
            && ["thinking", "adaptive", "effort", "output_config"]
                .iter()
                .any(|it| message.contains(it))
        {
            self.budget = true;
        } else if EFFORTS
            .iter()
            .any(|(key, word)| body.get(key).is_some() && message.contains(word))
        {
            self.no_effort = true;
        }
        (self != before).then_some(self)
    }
}

/// The keys of an effort in the bodies of all protocols, each with a word of servers that refuse it.
const EFFORTS: [(&str, &str); 4] = [
    ("reasoning_effort", "reasoning"),
    ("reasoning", "reasoning"),
    ("think", "think"),
    ("thinking", "thinking"),
];

/// Returns whether a message of a body has images, in any protocol.
fn has_images(body: &Value) -> bool {
    let messages = body.get("messages").or(body.get("input")).and_then(Value::as_array);
    messages.into_iter().flatten().any(|message| {
        let parts = message["content"].as_array();
        let is_image = |it: &Value| it["type"].as_str().is_some_and(|it| it.contains("image"));
        message.get("images").is_some() || parts.is_some_and(|it| it.iter().any(is_image))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn quirks_are_read_from_errors() {
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
        let no_stop = Quirks { no_stop: true, ..none };
        let stops = json!({"stop": ["Observation:"]});
        assert_eq!(none.with(&stops, "'stop' is not supported with this model"), Some(no_stop));
        assert_eq!(none.with(&body, "'stop' is not supported with this model"), None);
        assert_eq!(none.with(&body, "adaptive thinking is not supported"), None);
        let body = json!({"thinking": {"type": "adaptive"}});
        let budget = Some(Quirks { budget: true, ..none });
        assert_eq!(none.with(&body, "adaptive thinking is not supported on this model"), budget);
        let no_effort = Quirks { no_effort: true, ..none };
        for (key, message) in [
            ("reasoning_effort", "unknown parameter `reasoning_effort`"),
            ("reasoning", "'reasoning.effort' is not supported with this model"),
            ("think", "\"qwen2\" does not support thinking"),
            ("thinking", "this model has no thinking"),
        ] {
            assert_eq!(none.with(&json!({key: {}}), message), Some(no_effort), "{key}");
            assert_eq!(none.with(&json!({}), message), None, "{key}");
        }
    }
}
