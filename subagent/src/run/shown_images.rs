//! The images of results that a message shows: those that its texts name by their hashes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use ptc_prompt::{CallResult, Told};

use crate::blob::Blob;
use crate::provider::{Images, MAX_IMAGE_BYTES, MAX_IMAGES, Room};

/// The number of hexadecimal digits of a hash.
const HASH: usize = 64;

/// The number of digits of a hash in a note.
const SHORT: usize = 12;

/// Finds the images that a message names, and adds a note about them to its text.
pub(super) fn shown(told: &mut Told, known: &Images) -> Vec<Arc<Blob>> {
    let (mut room, mut seen, mut shown, mut left_out) =
        (Room::default(), BTreeSet::new(), Vec::new(), 0);
    let texts = told.results.iter().map(|it: &CallResult| it.text.as_str()).chain([&*told.text]);
    for image in texts.flat_map(hashes).filter_map(|hash| known.get(hash)) {
        if !seen.insert(image.hash.clone()) {
            continue;
        }
        if room.take(image) {
            shown.push(Arc::clone(image));
        } else {
            left_out += 1;
        }
    }
    if let Some(note) = note(&shown, left_out) {
        if !told.text.is_empty() {
            told.text.push_str("\n\n");
        }
        told.text.push_str(&note);
    }
    shown
}

/// Returns the parts of a text that may be hashes.
fn hashes(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| it.len() == HASH)
}

fn note(shown: &[Arc<Blob>], left_out: usize) -> Option<String> {
    let names = shown.iter().map(|it| it.hash.get(..SHORT).unwrap_or(&it.hash));
    let names: Vec<&str> = names.collect();
    let mut note = match names.as_slice() {
        [] if left_out == 0 => return None,
        [] => String::new(),
        [name] => format!("This message shows the image {name}."),
        names => format!("This message shows the images {}, in this order.", names.join(", ")),
    };
    if left_out > 0 {
        let (space, images) = (if note.is_empty() { "" } else { " " }, plural(left_out));
        let megabytes = MAX_IMAGE_BYTES >> 20;
        // Writing to a string cannot fail.
        let _ = write!(
            note,
            "{space}{images} left out: a request has at most {MAX_IMAGES} images and {megabytes} MiB."
        );
    }
    Some(note)
}

fn plural(left_out: usize) -> String {
    if left_out == 1 { "1 image is".to_string() } else { format!("{left_out} images are") }
}
