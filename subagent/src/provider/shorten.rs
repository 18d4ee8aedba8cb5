//! A conversation that was too long for a model, made shorter.

use super::{Request, Role};

/// A conversation with parts cut out of it, and what to say about that.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shortened {
    /// What to ask instead.
    pub(crate) request: Request,
    /// What was cut, in a sentence.
    pub(crate) note: String,
}

/// How many characters of an old observation stay, at its beginning and at its end.
const KEPT: (usize, usize) = (400, 200);

/// Cuts the middle out of long observations. The system prompt, the first message and the newest one stay as they
/// are, and so do the programs; `None` if that leaves nothing to cut.
///
/// To be asked once, when a server said that the conversation is too long ([`ProviderErrorKind::Context`]).
///
/// [`ProviderErrorKind::Context`]: super::ProviderErrorKind::Context
pub(crate) fn shortened(request: &Request) -> Option<Shortened> {
    let mut request = request.clone();
    let last = request.messages.len().saturating_sub(1);
    let (mut observations, mut characters) = (0, 0);
    let old = request.messages.iter_mut().take(last).skip(1);
    for message in old.filter(|it| it.role == Role::User) {
        if let Some((text, cut)) = without_middle(&message.text) {
            message.text = text;
            observations += 1;
            characters += cut;
        }
    }
    let note = format!(
        "the conversation was too long for the model, so {characters} characters were cut out of the middle of \
         {observations} earlier message{}",
        if observations == 1 { "" } else { "s" }
    );
    (observations > 0).then_some(Shortened { request, note })
}

/// Returns the text without its middle, and how many characters that is; `None` if it is not worth it.
fn without_middle(text: &str) -> Option<(String, usize)> {
    let length = text.chars().count();
    let cut = length.checked_sub(KEPT.0 + KEPT.1).filter(|it| *it > KEPT.1)?;
    let at = |index: usize| text.char_indices().nth(index).map(|(at, _)| at);
    let (head, tail) = (text.get(..at(KEPT.0)?)?, text.get(at(length - KEPT.1)?..)?);
    Some((format!("{head}\n[... {cut} characters left out ...]\n{tail}"), cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{Message, Parameters, Transport};

    /// Shortens a conversation of texts, the first, third … of which are the user's.
    fn shorten(texts: &[&str]) -> Option<(Vec<String>, String)> {
        let roles = [Role::User, Role::Assistant];
        let messages = texts.iter().zip(roles.iter().cycle());
        let messages = messages.map(|(text, role)| Message { role: *role, text: (*text).into() });
        let request = Request {
            system: "s".repeat(5000).as_str().into(),
            messages: messages.collect(),
            parameters: Parameters::default(),
            grammar: None,
            transport: Transport::Fence,
            streamed: false,
        };
        let short = shortened(&request)?;
        assert_eq!(short.request.system, request.system);
        Some((short.request.messages.into_iter().map(|it| it.text).collect(), short.note))
    }

    #[test]
    fn what_is_cut() {
        let long = "ü".repeat(5000);
        let cut =
            format!("{}\n[... 4400 characters left out ...]\n{}", "ü".repeat(400), "ü".repeat(200));
        assert_eq!(shorten(&[&long]), None);
        assert_eq!(shorten(&[&long, &long, &long]), None);
        assert_eq!(shorten(&[&long, &long, "short", &long, &long]), None);
        let note = "the conversation was too long for the model, so 4400 characters were cut out of the middle of \
                    1 earlier message";
        let found = shorten(&[&long, &long, &long, "p", &long]).unwrap();
        assert_eq!(found.0, [&long, &long, &cut, "p", &long]);
        assert_eq!(found.1, note);
        let found = shorten(&["a", "p", &long, "p", &long, "p", "z"]).unwrap();
        assert_eq!(found.0, ["a", "p", &cut, "p", &cut, "p", "z"]);
        assert_eq!(
            found.1,
            note.replace("4400", "8800").replace("1 earlier message", "2 earlier messages")
        );
        // Once is enough: there is nothing more to cut.
        let again: Vec<&str> = found.0.iter().map(String::as_str).collect();
        assert_eq!(shorten(&again), None);
    }
}
