//! Suggestions for misspelled names with a namespace: `str/upper`, `Enum.map`, `string-upper-case`.

use super::table::{MATH, NAMESPACES, Registered, find, in_a_namespace, names};
use ptc_values::spelling::nearest;

/// The libraries of the language, in the notation of their functions.
const LIBRARIES: [&str; 7] =
    ["str/", "set/", "walk/", "json/", "combo/", "numeric-tower/", "Math/"];

/// Suggests what to write for an unknown name with a namespace.
pub fn near(name: &str) -> Option<String> {
    if let Some(method) = name.strip_prefix('.') {
        return best(".", method).map(|found| format!("did you mean `{found}`?"));
    }
    let (space, local) = split_namespace(name)?;
    let Some(library) = library(space) else {
        // `row.total` is more likely the field of an object than a function of a library.
        let is_field = !name.contains('/') && space.starts_with(char::is_lowercase);
        let plain = || if is_field { None } else { find(local) };
        let known = find(&format!("{space}/{local}")).or_else(plain);
        return known.map(|id| format!("write `{}`", id.builtin().name));
    };
    if let Some(id) = find(&format!("{library}{local}")) {
        return Some(format!("write `{}`", id.builtin().name));
    }
    if let Some(id) = find(local) {
        return Some(format!("write `{}`", id.builtin().name));
    }
    if let Some(found) = best(library, local) {
        return Some(format!("did you mean `{found}`?"));
    }
    if let Some(full) = in_a_namespace(local) {
        return Some(format!("write `{full}`"));
    }
    let all: Vec<String> = of(library).take(MOST).map(|it| format!("`{it}`")).collect();
    let more = if of(library).nth(MOST).is_some() { " and more" } else { "" };
    Some(format!("there are {}{more}", all.join(", ")))
}

/// The maximum number of functions of a library to list.
const MOST: usize = 25;

/// Splits a name into its namespace, in any notation, and the rest.
pub(super) fn split_namespace(name: &str) -> Option<(&str, &str)> {
    let parts = name.split_once('/').or_else(|| name.rsplit_once('.')).or_else(|| {
        // For example `string-join` of another Lisp.
        name.split_once('-').filter(|(space, _)| matches!(*space, "string" | "str" | "json"))
    });
    parts.filter(|(space, local)| !space.is_empty() && !local.is_empty())
}

/// Returns the library of a namespace in any letter case, such as `String` or `clojure.string`.
pub(super) fn library(space: &str) -> Option<&'static str> {
    let written = format!("{}/", space.to_ascii_lowercase());
    let same = |known: &str| known.eq_ignore_ascii_case(&written);
    let long = NAMESPACES.iter().find(|(long, short)| same(long) && LIBRARIES.contains(short));
    long.map(|(_, short)| *short)
        .or_else(|| LIBRARIES.into_iter().find(|it| same(it)))
        .or_else(|| MATH.contains(&written.as_str()).then_some("Math/"))
        .or_else(|| OTHERS.iter().find(|(other, _)| same(other)).map(|(_, library)| *library))
}

/// The names of libraries in other languages.
const OTHERS: [(&str, &str); 3] = [("strings/", "str/"), ("text/", "str/"), ("sets/", "set/")];

fn of(library: &str) -> impl Iterator<Item = &'static str> {
    names().filter(move |name| name.starts_with(library))
}

/// Returns the most similar function of a library: same letters, common start, or typing error.
fn best(library: &str, local: &str) -> Option<&'static str> {
    let plain = plain(local);
    let rest = |full: &'static str| full.get(library.len()..).unwrap_or_default();
    let same = |full: &&'static str| self::plain(rest(full)) == plain;
    let longer =
        |full: &&'static str| plain.len() >= 3 && self::plain(rest(full)).starts_with(&plain);
    let shorter = |full: &&'static str| {
        let known = self::plain(rest(full));
        known.len() >= 4 && plain.starts_with(&known)
    };
    let slip = || nearest(local, of(library).map(rest));
    of(library)
        .find(same)
        .or_else(|| of(library).filter(longer).min_by_key(|full| full.len()))
        .or_else(|| of(library).filter(shorter).max_by_key(|full| full.len()))
        .or_else(|| slip().and_then(|local| of(library).find(|full| rest(full) == local)))
}

/// Returns the letters of a name.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
