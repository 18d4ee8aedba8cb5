//! Example values of types.

use ptc_lisp::Value;
use ptc_signatures::Type;

use crate::PromptLimits;
use crate::sample::{Sample, sample_unredacted};

/// Returns a value that satisfies a type, in the notation of programs.
///
/// Returns `None` if the value is too long: a cut value would not satisfy the type.
pub(crate) fn of_type(ty: &Type) -> Option<String> {
    let whole = PromptLimits {
        list_sample: usize::MAX,
        string_truncate: usize::MAX,
        ..PromptLimits::default()
    };
    let made = sample_of_type(ty, &whole);
    let fits = !made.cut && made.text.chars().count() <= LONGEST_VALUE;
    fits.then_some(made.text)
}

/// The maximum length of an example value, in characters.
const LONGEST_VALUE: usize = 1_000;

pub(crate) fn sample_of_type(ty: &Type, limits: &PromptLimits) -> Sample {
    sample_unredacted(&with_keywords(ty, ptc_lisp::json::from_serde(&ty.example())), limits)
}

/// Converts the JSON example of a type to a value with keywords where the type asks for them.
fn with_keywords(ty: &Type, value: Value) -> Value {
    match ty {
        Type::Keyword => value.as_str().map(Value::keyword).unwrap_or(value),
        Type::Optional(inner) => with_keywords(inner, value),
        // The example of a union is an example of its first member.
        Type::Union(members) => match members.first() {
            Some(first) => with_keywords(first, value),
            None => value,
        },
        Type::List(item, _) => {
            let items = value.items().into_iter().flatten();
            Value::vector(items.map(|it| with_keywords(item, it.clone())).collect())
        }
        Type::Record(fields) => Value::map(fields.iter().filter_map(|field| {
            let value = value.get(&field.name)?.clone();
            Some((Value::str(&field.name), with_keywords(&field.ty, value)))
        })),
        _ => value,
    }
}
