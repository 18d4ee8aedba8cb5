//! Finds the known name that a misspelled one probably means.

/// The number of names up to which a guess may differ more: among few names, a likely slip is certain.
const FEW: usize = 20;

/// Finds the nearest of some names, if it is a likely slip. Of many names, a short one has many neighbours, and a wrong
/// guess is worse than none.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let names: Vec<&str> = names.into_iter().collect();
    let most = match (wanted.chars().count(), names.len() <= FEW) {
        (0..=3, false) => 0,
        (0..=2, true) | (4..=5, false) => 1,
        (3..=5, true) | (6..=8, false) => 2,
        _ => 3,
    };
    let near = names.into_iter().filter(|name| name.len().abs_diff(wanted.len()) <= most);
    let distances = near.map(|name| {
        // Transposed letters are a typing slip at any length.
        let swapped = name.len() == wanted.len() && letters(name) == letters(wanted);
        let distance = strsim::damerau_levenshtein(wanted, name);
        (if swapped { distance.min(1).min(most) } else { distance }, name)
    });
    distances
        .filter(|(distance, name)| *distance <= most && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn letters(name: &str) -> Vec<char> {
    let mut letters: Vec<char> = name.to_lowercase().chars().collect();
    letters.sort_unstable();
    letters
}
