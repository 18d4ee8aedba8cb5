//! Shortening of conversations that are too long for a model.

use super::images::IMAGE_CHARS;
use super::{Request, Role};

/// A shortened conversation, with a note about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shortened {
    /// The request with the shortened messages.
    pub(crate) request: Request,
    /// A sentence about the removed text.
    pub(crate) note: String,
}

/// The steps of shortening. Each step has the kept lengths of earlier messages, and of the newest message if it is cut.
///
/// The end of the newest message contains the mark that closes its data, and the request for the next program.
const CUTS: [(Kept, Option<Kept>); 3] =
    [(SHORT, None), (SHORT, Some((4000, 2000))), (SHORT, Some((400, 1000)))];

/// The number of characters to keep at the beginning and at the end of a long message.
type Kept = (usize, usize);

/// The lengths to keep of a message that the model no longer needs.
const SHORT: Kept = (400, 200);

/// Returns ever shorter forms of a conversation, without the middle of its long messages. The first form cuts only
/// earlier messages; later forms also cut the newest one. The system prompt, the first message and the programs remain.
///
/// It is used after the error [`ProviderErrorKind::Context`]. Equal conversations have equal forms. The notes differ,
/// so the recorded note tells which form was sent.
///
/// [`ProviderErrorKind::Context`]: super::ProviderErrorKind::Context
pub(crate) fn shortened(request: &Request) -> impl Iterator<Item = Shortened> {
    let mut before = 0;
    CUTS.iter().filter_map(move |(old, newest)| {
        let (short, cut) = cut(request, *old, *newest)?;
        // Skip a form that is not shorter than the one before it.
        (cut > before).then(|| {
            before = cut;
            short
        })
    })
}

/// Cuts long messages. Returns the number of removed characters too, or `None` if there are no long messages.
fn cut(request: &Request, old: Kept, newest: Option<Kept>) -> Option<(Shortened, usize)> {
    let mut request = request.clone();
    let last = request.messages.len().saturating_sub(1);
    let (mut earlier, mut is_newest_cut, mut characters, mut images) = (0, false, 0, 0);
    for (at, message) in request.messages.iter_mut().enumerate().skip(1) {
        let kept = if at == last { newest } else { Some(old) };
        let Some(kept) = kept.filter(|_| message.role == Role::User) else { continue };
        let results = message.results.iter_mut().map(|it| &mut it.text);
        let mut is_cut = !message.images.is_empty();
        images += message.images.len();
        message.images.clear();
        for text in [&mut message.text].into_iter().chain(results) {
            if let Some((shorter, cut)) = without_middle(text, kept) {
                *text = shorter;
                characters += cut;
                is_cut = true;
            }
        }
        if is_cut {
            if at == last {
                is_newest_cut = true;
            } else {
                earlier += 1;
            }
        }
    }
    let subject = match (earlier, is_newest_cut) {
        (0, false) => return None,
        (0, true) => "the newest message".to_string(),
        (1, false) => "1 earlier message".to_string(),
        (1, true) => "1 earlier message and the newest one".to_string(),
        (count, false) => format!("{count} earlier messages"),
        (count, true) => format!("{count} earlier messages and the newest one"),
    };
    let text = format!("{characters} characters were cut out of the middle of {subject}");
    let what = match (characters, images) {
        (_, 0) => text,
        (0, 1) => format!("1 image of {subject} was left out"),
        (0, _) => format!("{images} images of {subject} were left out"),
        (_, 1) => format!("{text}, and 1 image was left out"),
        _ => format!("{text}, and {images} images were left out"),
    };
    let note = format!("the conversation was too long for the model, so {what}");
    Some((Shortened { request, note }, characters + images * IMAGE_CHARS))
}

/// Returns the text without its middle and the number of removed characters, or `None` if they are too few.
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
    use crate::provider::{CallResult, Images, Message, Parameters, Transport};

    /// Checks the forms of a conversation and their notes. The user's messages are the first text, the third, and so
    /// on.
    fn check(texts: &[&str], expected: &[(&[&str], &str)]) {
        let roles = [Role::User, Role::Assistant];
        let messages = texts.iter().zip(roles.iter().cycle());
        let messages = messages.map(|(text, role)| Message { role: *role, ..Message::user(*text) });
        let request = Request {
            system: "s".repeat(5000).as_str().into(),
            messages: messages.collect(),
            images: Images::default(),
            parameters: Parameters::default(),
            grammar: None,
            transport: Transport::Fence,
            streamed: false,
            tools: Vec::new(),
            wants_text: false,
            stop: Vec::new(),
            fallback: 0,
        };
        let found: Vec<_> = shortened(&request)
            .map(|short| {
                assert_eq!(short.request.system, request.system);
                let texts = short.request.messages.into_iter().map(|it| it.text);
                (texts.collect::<Vec<_>>(), short.note)
            })
            .collect();
        let note = |rest: &str| {
            let (count, subject) = rest.split_once(' ').unwrap();
            format!(
                "the conversation was too long for the model, so {count} characters were cut out of the middle of \
                 {subject}"
            )
        };
        let expected: Vec<_> = expected
            .iter()
            .map(|(texts, rest)| (texts.iter().map(ToString::to_string).collect(), note(rest)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn results_of_calls_are_cut_too() {
        let long = "x".repeat(5000);
        let result =
            |text: &str| CallResult { id: "a".into(), name: "f".into(), text: text.into() };
        let messages = vec![
            Message::user("o"),
            Message::assistant("a"),
            Message::user("").with_results(vec![result(&long), result("b")]),
            Message::assistant("a"),
            Message::user("c"),
        ];
        let request = Request {
            system: "s".into(),
            messages,
            images: Images::default(),
            parameters: Parameters::default(),
            grammar: None,
            transport: Transport::Fence,
            streamed: false,
            tools: Vec::new(),
            wants_text: false,
            stop: Vec::new(),
            fallback: 0,
        };
        let found: Vec<Vec<CallResult>> = shortened(&request)
            .map(|mut short| short.request.messages.swap_remove(2).results)
            .collect();
        assert_eq!(found, [vec![result(&cut_to(&long, 4400, SHORT)), result("b")]]);
    }

    fn cut_to(text: &str, count: usize, kept: Kept) -> String {
        let part = |count| text.chars().take(count).collect::<String>();
        format!("{}\n[... {count} characters left out ...]\n{}", part(kept.0), part(kept.1))
    }

    #[test]
    fn long_messages_are_cut() {
        let (long, longer) = ("ü".repeat(5000), "x".repeat(10_000));
        let cut = cut_to(&long, 4400, SHORT);
        // Neither the first message nor a program is ever cut.
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
        // The newest message is cut last, and by as little as possible.
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
        // The messages cannot be cut further.
        check(&["a", "p", &cut, "p", &cut], &[]);
    }
}
