//! Finds the known name that a misspelled one probably means.

/// Finds the nearest of many names of the language, if it is a likely slip.
pub(crate) fn nearest<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A short name has many neighbours, and a wrong guess is worse than none.
    nearest_within(
        wanted,
        names,
        match wanted.chars().count() {
            0..=3 => 0,
            4..=5 => 1,
            6..=8 => 2,
            _ => 3,
        },
    )
}

/// Finds the nearest of a few names, such as the tools of a mission, with more tolerance.
pub(crate) fn nearest_of_few<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest_within(
        wanted,
        names,
        match wanted.chars().count() {
            0..=2 => 1,
            3..=5 => 2,
            _ => 3,
        },
    )
}

fn nearest_within<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Option<&'a str> {
    names
        .into_iter()
        .filter(|name| name.len().abs_diff(wanted.len()) <= most)
        .map(|name| {
            // Transposed letters are a typing slip at any length.
            let swapped = name.len() == wanted.len() && letters(name) == letters(wanted);
            let distance = strsim::damerau_levenshtein(wanted, name);
            (if swapped { distance.min(1).min(most) } else { distance }, name)
        })
        .filter(|(distance, name)| *distance <= most && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn letters(name: &str) -> Vec<char> {
    let mut letters: Vec<char> = name.to_lowercase().chars().collect();
    letters.sort_unstable();
    letters
}
