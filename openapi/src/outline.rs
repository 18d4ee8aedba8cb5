//! Types of large results, cut to a length that a prompt can have.

use ptc_signatures::{Field, Record, Type};

/// The maximum length of the type of a result as text, in bytes. A longer one is cut, unless its first level is longer.
const MAX_TYPE: usize = 2_000;

/// The maximum number of levels that a cut type keeps.
const MAX_LEVELS: usize = 4;

/// Returns a type that fits into a prompt: without descriptions, and with `:map` for the maps of deep levels. The type
/// accepts every value that the given one accepts. `length` is the length of the given type as text, in bytes.
pub(crate) fn outline(ty: Type, length: usize) -> Type {
    if length <= MAX_TYPE {
        return ty;
    }
    let cut = (1..=MAX_LEVELS).rev().map(|levels| level(&ty, levels));
    let mut last = Type::Any;
    for ty in cut {
        last = ty;
        if last.to_string().len() <= MAX_TYPE {
            break;
        }
    }
    last
}

/// Keeps this many levels of maps. The recursion ends with the nesting of types, which is bounded.
fn level(ty: &Type, levels: usize) -> Type {
    match ty {
        Type::Record(record) if levels > 0 => {
            let kept = |it: &Field| Field::new(it.name.clone(), level(&it.ty, levels - 1));
            let fields = record.iter().map(kept).collect();
            Type::Record(Record { fields, open: record.open })
        }
        Type::Record(_) => Type::Map,
        Type::List(item, length) => Type::List(Box::new(level(item, levels)), *length),
        Type::Optional(inner) => level(inner, levels).optional(),
        Type::Union(members) => {
            let mut cut: Vec<Type> = Vec::new();
            for member in members {
                let member = level(member, levels);
                if !cut.contains(&member) {
                    cut.push(member);
                }
            }
            if cut.len() == 1 { cut.remove(0) } else { Type::Union(cut) }
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_types_lose_descriptions_and_deep_levels() {
        let long = |count: usize| {
            let fields: Vec<String> =
                (0..count).map(|i| format!("field{i} :string \"About it\"")).collect();
            fields.join(", ")
        };
        let check = |given: &str, expected: &str| {
            let ty: Type = given.parse().unwrap();
            let length = ty.to_string().len();
            assert_eq!(
                outline(ty, length).to_string(),
                expected.parse::<Type>().unwrap().to_string(),
                "{given}"
            );
        };
        let short = format!("{{a :int \"Number\", b {{{}}}}}", long(10));
        check(&short, &short);
        let bare = |count: usize| long(count).replace(" \"About it\"", "");
        check(&format!("[{{{}}}]", long(80)), &format!("[{{{}}}]", bare(80)));
        check(
            &format!("[{{a {{b {{c {{{}}}?}}}}, d {{e :int}}|{{f :int}}}}]", long(200)),
            "[{a {b {c :map?}}, d {e :int}|{f :int}}]",
        );
        check(
            &format!("{{a {{{}}}|{{b :int}}, {}}}", long(200), long(200)),
            &format!("{{a :map, {}}}", bare(200)),
        );
    }
}
