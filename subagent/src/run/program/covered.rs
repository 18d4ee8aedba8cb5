//! Texts about a program without the hidden values of its session.

use ptc_lisp::{HiddenTexts, Session};
use ptc_prompt::Told;
use ptc_signatures::{Mismatch, Segment};

use crate::record::RunError;

/// Returns mismatches that quote no hidden value of the session.
pub(super) fn covered(session: &Session, mismatches: Vec<Mismatch>) -> Vec<Mismatch> {
    let hidden = session.hidden();
    let cover = |text: &str| hidden.cover(text).into_owned();
    let made = mismatches.into_iter().map(|it| {
        let mut path = it.path;
        for step in &mut path.0 {
            if let Segment::Field(name) = step {
                *name = cover(name);
            }
        }
        Mismatch { path, found: cover(&it.found), help: it.help.map(|help| cover(&help)), ..it }
    });
    made.collect()
}

/// Returns warnings that quote no hidden value of the session.
pub(super) fn warned(session: &Session, mut warnings: Vec<RunError>) -> Vec<RunError> {
    if !warnings.is_empty() {
        let hidden = session.hidden();
        for it in &mut warnings {
            it.each_text(|text| hidden.cover(text).into_owned());
        }
    }
    warnings
}

/// Returns the feedback about a mistake without hidden values of the session. It quotes calls and the returned value.
pub(super) fn without_hidden(session: &Session, mut told: Told) -> Told {
    let hidden = session.hidden();
    if !hidden.is_empty() {
        let texts = told.results.iter_mut().map(|it| &mut it.text);
        texts.chain([&mut told.text]).for_each(|it| {
            *it = in_calls(&hidden, &hidden.cover_page(it));
        });
    }
    told
}

/// Returns an observation whose list of calls has no hidden value of the session. The value and the printed lines are
/// those of the program.
pub(super) fn without_hidden_arguments(session: &Session, mut told: Told) -> Told {
    if told.text.contains(CALL) {
        let hidden = session.hidden();
        if !hidden.is_empty() {
            told.text = in_calls(&hidden, &told.text);
        }
    }
    told
}

/// The start of a line about a call.
const CALL: &str = "(call ";

fn in_calls(hidden: &HiddenTexts, text: &str) -> String {
    let lines = text.split_inclusive('\n');
    let covered =
        lines.map(|line| if line.starts_with(CALL) { hidden.cover(line) } else { line.into() });
    covered.collect()
}
