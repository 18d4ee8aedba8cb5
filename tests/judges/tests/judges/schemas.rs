//! JSON Schemas that we write or read, judged by another implementation.

#[path = "../../../../signatures/tests/it/support/types.rs"]
mod generators;

use proptest::prelude::*;
use ptc_signatures::{Field, Signature, Type, check, check_strict};
use serde_json::{Value, json};

use generators::{fractions, near, typed_values, values_with};

/// Generates schemas as servers send them; each states its type.
fn schemas() -> impl Strategy<Value = Value> {
    let small = || proptest::option::of(0..4_u8);
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!({"type": "boolean"})),
        (small(), small(), proptest::sample::select(vec!["minimum", "exclusiveMinimum"])).prop_map(
            |(min, max, key)| with_bounds(
                json!({"type": "integer"}),
                [(key, min), ("maximum", max)]
            )
        ),
        (small(), small(), any::<bool>()).prop_map(|(min, max, null)| {
            let kind = if null { json!(["number", "null"]) } else { json!("number") };
            with_bounds(json!({"type": kind}), [("minimum", min), ("exclusiveMaximum", max)])
        }),
        (small(), small()).prop_map(|(min, max)| {
            with_bounds(json!({"type": "string"}), [("minLength", min), ("maxLength", max)])
        }),
        proptest::collection::vec(
            prop_oneof![
                Just(json!("a")),
                Just(json!("b")),
                Just(json!(2)),
                Just(json!(4)),
                Just(json!(null)),
                Just(json!(1.5)),
                Just(json!([1]))
            ],
            1..5,
        )
        .prop_map(|values| json!({"enum": values})),
        proptest::sample::select(vec!["#/$defs/a", "#/$defs/b"]).prop_map(|it| json!({"$ref": it})),
        Just(json!({"const": "a"})),
    ];
    let nested = leaf.prop_recursive(4, 30, 4, move |inner| {
        let several = || proptest::collection::vec(inner.clone(), 1..4);
        let fields = proptest::collection::btree_map("[a-c]", inner.clone(), 0..3);
        let required = proptest::collection::btree_set("[a-c]", 0..3);
        prop_oneof![
            (inner.clone(), small(), small()).prop_map(|(item, min, max)| {
                with_bounds(json!({"type": "array", "items": item}), [("minItems", min), ("maxItems", max)])
            }),
            several().prop_map(|items| json!({"type": "array", "prefixItems": items})),
            (fields, required, any::<bool>()).prop_map(|(fields, required, open)| {
                json!({"type": "object", "properties": fields, "required": required, "additionalProperties": open})
            }),
            several().prop_map(|members| json!({"anyOf": members})),
            several().prop_map(|members| json!({"oneOf": members})),
            several().prop_map(|members| json!({"allOf": members})),
            (inner.clone(), several()).prop_map(|(mut base, members)| {
                base["anyOf"] = json!(members);
                base
            }),
        ]
    });
    (nested.clone(), nested.clone(), nested).prop_map(|(mut root, a, b)| {
        root["$defs"] = json!({"a": a, "b": b});
        root
    })
}

fn with_bounds<const N: usize>(mut schema: Value, keys: [(&str, Option<u8>); N]) -> Value {
    for (key, number) in keys {
        if let Some(number) = number {
            schema[key] = json!(number);
        }
    }
    schema
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::new(schema).expect("a schema")
}

/// Removes nil where it says that a field is absent: the check accepts it there, the schema does not.
fn without_absent(ty: &Type, value: &Value) -> Value {
    let signature = Signature { params: vec![Field::new("value", ty.clone())], output: Type::Any };
    signature.leave_out_absent(json!({"value": value}))["value"].take()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn schemas_accept_what_the_check_accepts((ty, values) in typed_values()) {
        let (open, strict) = (validator(&ty.to_schema()), validator(&ty.to_strict_schema()));
        for value in values {
            let value = without_absent(&ty, &value);
            let lenient = check(&ty, &value);
            prop_assert_eq!(open.is_valid(&value), lenient.is_empty(), "{} {}\n{:?}", ty, value, lenient);
            let closed = check_strict(&ty, &value);
            prop_assert_eq!(strict.is_valid(&value), closed.is_empty(), "{} {}\n{:?}", ty, value, closed);
        }
    }

    #[test]
    fn types_accept_what_the_schemas_of_servers_accept(
        (schema, values) in schemas().prop_flat_map(|schema| {
            let near = near(&Type::from_schema(&schema).0);
            (Just(schema), proptest::collection::vec(prop_oneof![near, values_with(fractions())], 6))
        })
    ) {
        let (ty, notes) = Type::from_schema(&schema);
        prop_assert_eq!(ty.to_string().parse(), Ok(ty.clone()));
        let Ok(validator) = jsonschema::draft202012::new(&schema) else { return Ok(()) };
        for value in values {
            if validator.is_valid(&value) {
                let found = check(&ty, &value);
                prop_assert!(found.is_empty(), "{} {}\n{}\n{:?}\n{:?}", schema, value, ty, found, notes);
            }
        }
    }
}
