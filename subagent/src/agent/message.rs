//! The input that a message of a user goes to.

use ptc_signatures::{Signature, Type};

use super::Agent;

impl Agent {
    /// Returns the name of the input that a message of a user goes to: `message`, or else the only text that the
    /// signature asks for. Without a signature it is `message`, or the only placeholder of the prompt. `None` if the
    /// agent takes no message.
    ///
    /// ```
    /// use ptc_subagent::Agent;
    ///
    /// let agent = Agent::new("Answer {{question}}, from the orders.");
    /// assert_eq!(agent.message_input(), Some("question"));
    /// let agent = agent.with_signature("(question :string, orders [:map], lang :string?) -> :string")?;
    /// assert_eq!(agent.message_input(), Some("question"));
    /// let agent = agent.with_signature("(n :int) -> :int")?;
    /// assert_eq!(agent.message_input(), None);
    /// # Ok::<(), ptc_subagent::Error>(())
    /// ```
    pub fn message_input(&self) -> Option<&str> {
        if let Some(signature) = &self.signature {
            return message_input(signature);
        }
        let paths = ptc_prompt::placeholders(&self.prompt).unwrap_or_default();
        let mut names: Vec<&str> =
            paths.iter().map(|it| it.split('.').next().unwrap_or(it)).collect();
        names.dedup();
        match names.as_slice() {
            [only] => Some(only),
            [] => Some(MESSAGE),
            names => names.contains(&MESSAGE).then_some(MESSAGE),
        }
    }
}

/// The usual name of the input that a message of a user goes to.
const MESSAGE: &str = "message";

/// Returns the name of the input that a message of a user goes to, by the signature.
fn message_input(signature: &Signature) -> Option<&str> {
    let texts = |of: fn(&Type) -> bool| {
        let texts = signature.params.iter().filter(move |it| of(&it.ty));
        texts.map(|it| it.name.as_str()).collect::<Vec<_>>()
    };
    let required = texts(|it| matches!(it, Type::String(_)));
    let all = texts(|it| match it {
        Type::Optional(inner) => matches!(**inner, Type::String(_) | Type::Any),
        other => matches!(other, Type::String(_) | Type::Any),
    });
    match (required.as_slice(), all.as_slice()) {
        (_, names) if names.contains(&MESSAGE) => Some(MESSAGE),
        ([only], _) | ([], [only]) => Some(only),
        _ => None,
    }
}
