//! Suggests names for a misspelled one.

/// The names of types, in the order that help lists them.
pub(crate) const TYPE_NAMES: [&str; 9] =
    ["string", "int", "float", "bool", "keyword", "datetime", "map", "any", "enum"];

/// Returns the help for an unknown type name.
pub(crate) fn for_type(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let known = match lower.as_str() {
        "str" | "text" | "char" | "uuid" | "uri" | "url" => "use `:string`",
        "integer" | "long" | "bigint" | "int32" | "int64" => "use `:int`",
        "double" | "decimal" | "real" | "float32" | "float64" => "use `:float`",
        "number" | "num" | "numeric" => "use `:int` or `:float`; `:float` accepts both",
        "boolean" => "use `:bool`",
        "symbol" | "atom" => "use `:keyword`",
        "date" | "time" | "timestamp" | "instant" | "date-time" => "use `:datetime`",
        "list" | "array" | "vector" | "vec" | "seq" | "set" | "tuple" => {
            "write a list as `[T]`, for example `[:string]`"
        }
        "object" | "dict" | "hash" | "hashmap" | "record" | "struct" | "json" => {
            "use `:map`, or name the fields: `{id :int, name :string}`"
        }
        "null" | "nil" | "none" | "void" | "unit" | "optional" | "maybe" => {
            "write an optional type as `T?`, for example `:int?`"
        }
        "one-of" | "choice" | "literal" => "use `:enum[a b c]`",
        "union" | "or" => "write a union as `:string|:int`",
        _ => "",
    };
    if !known.is_empty() {
        return known.into();
    }
    match nearest(&lower, TYPE_NAMES) {
        Some("enum") => "did you mean `:enum[a b c]`?".into(),
        Some(near) => format!("did you mean `:{near}`?"),
        None => format!("the types are `:{}`", TYPE_NAMES.join("`, `:")),
    }
}

/// The maximum number of candidates that are compared with a name.
const CONSIDERED: usize = 256;

/// Returns the candidate most similar to `name`, if a misspelling can explain the difference.
///
/// Case, `_` and `-` do not count. Otherwise one edit in three characters is allowed.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = simplify(name);
    candidates
        .into_iter()
        .take(CONSIDERED)
        .map(|candidate| (strsim::levenshtein(&plain, &simplify(candidate)), candidate))
        .filter(|(distance, candidate)| {
            let longest = plain.chars().count().max(candidate.chars().count());
            *distance == 0 || *distance * 3 <= longest
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of characters of a name that are compared. The work grows with the square of the
/// length.
const COMPARED: usize = 40;

fn simplify(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .take(COMPARED)
        .collect()
}
