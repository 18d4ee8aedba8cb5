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

/// The steps of cutting: what stays of each earlier message, and of the newest one if that is cut too.
///
/// The end of the newest message has the mark that closes its data, and what is asked for next.
const CUTS: [(Kept, Option<Kept>); 3] =
    [(SHORT, None), (SHORT, Some((4000, 2000))), (SHORT, Some((400, 1000)))];

/// How many characters of a long message stay, at its beginning and at its end.
type Kept = (usize, usize);

/// What stays of a message that the model needs no more.
const SHORT: Kept = (400, 200);

/// Returns a conversation without the middle of its long messages, in ever shorter forms: first only the earlier
/// messages are cut, then the newest one too. The system prompt, the first message and the programs stay.
///
/// For a server that said that the conversation is too long ([`ProviderErrorKind::Context`]). The same conversation has
/// the same forms, and their notes differ, so that the note on record tells which of them was sent.
///
/// [`ProviderErrorKind::Context`]: super::ProviderErrorKind::Context
pub(crate) fn shortened(request: &Request) -> impl Iterator<Item = Shortened> {
    let mut before = 0;
    CUTS.iter().filter_map(move |(old, newest)| {
        let (short, cut) = cut(request, *old, *newest)?;
        // A form that is no shorter than the one before it is not worth asking for.
        (cut > before).then(|| {
            before = cut;
            short
        })
    })
}

/// Cuts long messages, and tells how many characters that is; `None` if there are none.
fn cut(request: &Request, old: Kept, newest: Option<Kept>) -> Option<(Shortened, usize)> {
    let mut request = request.clone();
    let last = request.messages.len().saturating_sub(1);
    let (mut earlier, mut is_newest_cut, mut characters) = (0, false, 0);
    for (at, message) in request.messages.iter_mut().enumerate().skip(1) {
        let kept = if at == last { newest } else { Some(old) };
        let Some(kept) = kept.filter(|_| message.role == Role::User) else { continue };
        if let Some((text, cut)) = without_middle(&message.text, kept) {
            message.text = text;
            characters += cut;
            if at == last {
                is_newest_cut = true;
            } else {
                earlier += 1;
            }
        }
    }
    let which = match (earlier, is_newest_cut) {
        (0, false) => return None,
        (0, true) => "the newest message".to_string(),
        (1, false) => "1 earlier message".to_string(),
        (1, true) => "1 earlier message and the newest one".to_string(),
        (count, false) => format!("{count} earlier messages"),
        (count, true) => format!("{count} earlier messages and the newest one"),
    };
    let note = format!(
        "the conversation was too long for the model, so {characters} characters were cut out of the middle of {which}"
    );
    Some((Shortened { request, note }, characters))
}

/// Returns the text without its middle, and how many characters that is; `None` if it is not worth it.
fn without_middle(text: &str, kept: Kept) -> Option<(String, usize)> {
    let length = text.chars().count();
    let cut = length.checked_sub(kept.0 + kept.1).filter(|it| *it > SHORT.1)?;
    let at = |index: usize| text.char_indices().nth(index).map(|(at, _)| at);
    let (head, tail) = (text.get(..at(kept.0)?)?, text.get(at(length - kept.1)?..)?);
    Some((format!("{head}\n[... {cut} characters left out ...]\n{tail}"), cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{Message, Parameters, Transport};

    /// The forms of a conversation of texts, the first, third … of which are the user's: the texts and the note.
    fn check(texts: &[&str], expected: &[(&[&str], &str)]) {
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
        let found: Vec<_> = shortened(&request)
            .map(|short| {
                assert_eq!(short.request.system, request.system);
                let texts = short.request.messages.into_iter().map(|it| it.text);
                (texts.collect::<Vec<_>>(), short.note)
            })
            .collect();
        let note = |rest: &str| {
            let (count, which) = rest.split_once(' ').unwrap();
            format!(
                "the conversation was too long for the model, so {count} characters were cut out of the middle of \
                 {which}"
            )
        };
        let expected: Vec<_> = expected
            .iter()
            .map(|(texts, rest)| (texts.iter().map(ToString::to_string).collect(), note(rest)))
            .collect();
        assert_eq!(found, expected);
    }

    fn cut_to(text: &str, count: usize, kept: Kept) -> String {
        let part = |count| text.chars().take(count).collect::<String>();
        format!("{}\n[... {count} characters left out ...]\n{}", part(kept.0), part(kept.1))
    }

    #[test]
    fn what_is_cut() {
        let (long, longer) = ("ü".repeat(5000), "x".repeat(10_000));
        let cut = cut_to(&long, 4400, SHORT);
        // The opening is never cut, nor is a program.
        check(&[&long], &[]);
        check(&[&long, &long, "short"], &[]);
        check(&[&long, &long, "short", &long, "short"], &[]);
        let newest = cut_to(&long, 3600, (400, 1000));
        check(&[&long, &long, &long], &[(&[&long, &long, &newest], "3600 the newest message")]);
        check(
            &[&long, &long, &long, "p", "z"],
            &[(&[&long, &long, &cut, "p", "z"], "4400 1 earlier message")],
        );
        check(
            &["a", "p", &long, "p", &long, "p", "z"],
            &[(&["a", "p", &cut, "p", &cut, "p", "z"], "8800 2 earlier messages")],
        );
        // The newest message stays as long as it can.
        let (much, little) =
            (cut_to(&longer, 4000, (4000, 2000)), cut_to(&longer, 8600, (400, 1000)));
        check(
            &["a", "p", &long, "p", &longer],
            &[
                (&["a", "p", &cut, "p", &longer], "4400 1 earlier message"),
                (&["a", "p", &cut, "p", &much], "8400 1 earlier message and the newest one"),
                (&["a", "p", &cut, "p", &little], "13000 1 earlier message and the newest one"),
            ],
        );
        check(
            &["a", "p", &longer],
            &[
                (&["a", "p", &much], "4000 the newest message"),
                (&["a", "p", &little], "8600 the newest message"),
            ],
        );
        check(
            &["a", "p", &long, "p", &long, "p", &long],
            &[
                (&["a", "p", &cut, "p", &cut, "p", &long], "8800 2 earlier messages"),
                (
                    &["a", "p", &cut, "p", &cut, "p", &newest],
                    "12400 2 earlier messages and the newest one",
                ),
            ],
        );
        // There is nothing more to cut.
        check(&["a", "p", &cut, "p", &cut], &[]);
    }
}
