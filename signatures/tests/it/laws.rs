//! Properties of every type and every text.

use proptest::prelude::*;
use ptc_signatures::coerce::{Options, coerce};
use ptc_signatures::{Signature, Type, check, check_strict};
use serde_json::{Value, json};

use crate::support::types::{fields, typed_values, types, values_with};

fn values() -> impl Strategy<Value = Value> {
    values_with(any::<f64>())
}

/// Asserts that a text either parses, and then prints and parses back as itself, or is refused with
/// a span inside the text.
fn check_round_trip_or_span(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<Signature>() {
        Ok(signature) => prop_assert_eq!(signature.to_string().parse(), Ok(signature)),
        Err(error) => prop_assert!(text.get(error.span()).is_some()),
    }
    match text.parse::<Type>() {
        Ok(ty) => prop_assert_eq!(ty.to_string().parse(), Ok(ty)),
        Err(error) => prop_assert!(text.get(error.span()).is_some()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn our_schemas_read_back_as_types_that_accept_the_same((ty, values) in typed_values()) {
        let (back, notes) = Type::from_schema(&ty.to_schema());
        prop_assert_eq!(back.to_string().parse(), Ok(back.clone()));
        let hidden = |note: &ptc_signatures::schema::Note| note.message.contains("hidden");
        prop_assert!(notes.iter().all(hidden), "{} {:?}", ty, notes);
        for value in values {
            prop_assert_eq!(check(&back, &value).is_empty(), check(&ty, &value).is_empty(), "{} {}", ty, value);
        }
    }

    #[test]
    fn any_json_is_read(schema in anything()) {
        let (ty, notes) = Type::from_schema(&schema);
        prop_assert_eq!(ty.to_string().parse(), Ok(ty));
        prop_assert!(notes.len() <= ptc_signatures::schema::MAX_NOTES);
        let (signature, _) = Signature::from_schemas(&schema, Some(&schema));
        prop_assert_eq!(signature.to_string().parse(), Ok(signature));
    }
}

/// Generates JSON with the keys and texts of schemas in places where they make no sense.
fn anything() -> impl Strategy<Value = Value> {
    const WORDS: &[&str] = &[
        "type",
        "properties",
        "required",
        "items",
        "prefixItems",
        "additionalItems",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "$ref",
        "$defs",
        "definitions",
        "$id",
        "$anchor",
        "format",
        "pattern",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxItems",
        "nullable",
        "description",
        "additionalProperties",
        "string",
        "integer",
        "object",
        "array",
        "null",
        "number",
        "date-time",
        "#",
        "#/$defs/a",
        "#/items",
        "a",
        "_b",
        "a b",
        "",
    ];
    let word = || proptest::sample::select(WORDS).prop_map(str::to_owned);
    let leaf = prop_oneof![
        3 => word().prop_map(Value::from),
        1 => values(),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            3 => proptest::collection::vec((word(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn printed_types_read_back(ty in types()) {
        prop_assert_eq!(ty.to_string().parse(), Ok(ty));
    }

    #[test]
    fn printed_signatures_read_back(params in fields(types()), output in types()) {
        let signature = Signature { params, output };
        prop_assert_eq!(signature.to_string().parse(), Ok(signature));
    }

    #[test]
    fn any_text_is_read_or_refused_at_a_place(
        text in "([(){}\\[\\]:?|,\" .a-c1-3-]|->|:int|:enum\\[|\\.\\.|\\PC){0,24}",
    ) {
        check_round_trip_or_span(&text)?;
    }

    #[test]
    fn text_of_any_kind_is_read_or_refused_at_a_place(text in "(?s).{0,80}") {
        check_round_trip_or_span(&text)?;
    }

    #[test]
    fn damaged_types_are_read_or_refused_at_a_place(
        ty in types(), at in any::<proptest::sample::Index>(), by in "(?s).{0,2}",
    ) {
        let mut chars: Vec<char> = ty.to_string().chars().collect();
        let at = at.index(chars.len());
        chars.splice(at..=at, by.chars());
        check_round_trip_or_span(&chars.into_iter().collect::<String>())?;
    }

    #[test]
    fn examples_satisfy_their_type(params in fields(types()), output in types()) {
        prop_assert_eq!(check_strict(&output, &output.example()), vec![]);
        let signature = Signature { params, output };
        prop_assert_eq!(signature.check_input_strict(&signature.example_input()), vec![]);
    }

    #[test]
    fn strict_checks_find_all_mismatches_of_lenient_checks(ty in types(), value in values()) {
        let lenient = check(&ty, &value);
        if check_strict(&ty, &value).is_empty() {
            prop_assert_eq!(lenient, vec![]);
        }
    }

    #[test]
    fn fitting_values_are_not_coerced(ty in types(), value in values()) {
        let fits = check(&ty, &value).is_empty();
        let (new, done, left) = coerce(&ty, value.clone(), Options::default());
        if fits {
            prop_assert_eq!(new, value);
            prop_assert_eq!(done, vec![]);
            prop_assert_eq!(left, vec![]);
        }
    }

    #[test]
    fn coercing_again_changes_nothing(ty in types(), value in values()) {
        let (once, _, left) = coerce(&ty, value, Options { whole_floats: true });
        let (twice, done, still) = coerce(&ty, once.clone(), Options { whole_floats: true });
        prop_assert_eq!((once, left), (twice, still));
        prop_assert_eq!(done, vec![]);
    }
}

/// Nested minimum lengths multiply, but the example stays small.
#[test]
fn examples_are_bounded() {
    let ty: Type = "[[[[:string[999..]][999..]][999..]][999..]][999..]".parse().expect("a type");
    assert!(ty.example().to_string().len() < 100_000);
}

#[test]
fn examples_show_the_shape() {
    let ty: Type = "{n :int[5..], x :float?, s :string[..2], l [:enum[a b]][2..], u :bool|:int, \
                    k :keyword, d :datetime, m :map, any :any}"
        .parse()
        .expect("a type");
    let expected = json!({
        "n": 5, "x": 1.5, "s": "te", "l": ["a", "a"], "u": true,
        "k": "word", "d": "2026-01-31T12:00:00Z", "m": {}, "any": null,
    });
    assert_eq!(ty.example(), expected);
}
