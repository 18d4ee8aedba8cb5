//! Properties of every type and every text.

use proptest::prelude::*;
use ptc_signatures::coerce::{Options, coerce};
use ptc_signatures::{Bounds, Field, Signature, Type, check, check_strict};
use serde_json::{Value, json};

fn bounds<T: PartialOrd + Copy + std::fmt::Debug>(
    ends: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Bounds<T>> {
    let ends = (proptest::option::of(ends.clone()), proptest::option::of(ends));
    ends.prop_map(|ends| match ends {
        (Some(min), Some(max)) if min > max => Bounds { min: Some(max), max: Some(min) },
        (min, max) => Bounds { min, max },
    })
}

fn leaf() -> impl Strategy<Value = Type> {
    prop_oneof![
        Just(Type::Any),
        Just(Type::Bool),
        Just(Type::Keyword),
        Just(Type::Datetime),
        Just(Type::Map),
        bounds(any::<i64>()).prop_map(Type::Int),
        bounds(-1e9..1e9).prop_map(Type::Float),
        bounds(any::<f64>().prop_filter("finite", |x| x.is_finite())).prop_map(Type::Float),
        bounds(0..9_u64).prop_map(Type::String),
        proptest::collection::btree_set("[a-z]{1,4}|.{0,4}", 1..4)
            .prop_map(|words| Type::Enum(words.into_iter().collect())),
    ]
}

fn fields(ty: impl Strategy<Value = Type>) -> impl Strategy<Value = Vec<Field>> {
    let rest = (ty, proptest::option::of(".{0,12}"));
    let fields = proptest::collection::btree_map("[A-Za-z_][A-Za-z0-9_-]{0,5}|.{0,4}", rest, 0..4);
    fields.prop_map(|fields| {
        let field = |(name, (ty, description))| Field { name, ty, description };
        fields.into_iter().map(field).collect()
    })
}

/// Generates types in the shapes that parsing gives.
fn types() -> impl Strategy<Value = Type> {
    leaf().prop_recursive(4, 40, 4, |inner| {
        let plain = inner.clone().prop_filter_map("plain", |ty| match ty {
            Type::Optional(_) | Type::Union(_) => None,
            ty => Some(ty),
        });
        let union = proptest::collection::vec(plain, 2..4).prop_filter_map("distinct", |members| {
            let later = |(i, member)| members[..i].contains(member);
            let twice = members.iter().enumerate().any(later);
            (!twice).then_some(Type::Union(members))
        });
        prop_oneof![
            (inner.clone(), bounds(0..4_u64)).prop_map(|(item, n)| Type::List(Box::new(item), n)),
            fields(inner.clone()).prop_map(Type::Record),
            union,
            inner.prop_map(Type::optional),
        ]
    })
}

fn values() -> impl Strategy<Value = Value> {
    values_with(any::<f64>())
}

fn values_with(float: impl Strategy<Value = f64> + 'static) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9..9_i64).prop_map(Value::from),
        float.prop_map(Value::from),
        "[a-z0-9]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,2}", inner, 0..4).prop_map(|it| json!(it)),
        ]
    })
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

/// Generates floats with a fraction. JSON Schema takes `1.0` for an integer; this crate does not.
fn fractions() -> impl Strategy<Value = f64> {
    (-1_000_000..1_000_000_i32).prop_map(|it| f64::from(it) + 0.5)
}

/// Generates values that mostly fit a type, and sometimes miss it in one place.
fn near(ty: &Type) -> BoxedStrategy<Value> {
    let number =
        |bound: Option<f64>| bound.map_or(1.5, |it| if it.fract() == 0.0 { it + 0.5 } else { it });
    let fitting = match ty {
        Type::Int(range) => prop_oneof![
            Just(range.min), Just(range.max), any::<i64>().prop_map(Some),
        ].prop_map(|it| json!(it.unwrap_or(3))).boxed(),
        Type::Float(range) => prop_oneof![
            Just(json!(number(range.min))),
            Just(json!(number(range.max))),
            fractions().prop_map(Value::from),
            (-9..9_i64).prop_map(Value::from),
        ].boxed(),
        Type::String(_) | Type::Keyword => "\\PC{0,10}".prop_map(Value::from).boxed(),
        Type::Datetime => prop_oneof![
            "(19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]",
            "[0-9]{2}(00|04|13)-02-29",
            "2026-01-31[Tt ][0-2][0-9]:[0-6][0-9](:[0-6][0-9]([.,][0-9]{1,10})?)?(Z|z|[+-][0-2][0-9](:?[0-6][0-9])?)?",
        ].prop_map(Value::from).boxed(),
        Type::Enum(words) => proptest::sample::select(words.clone()).prop_map(Value::from).boxed(),
        Type::List(item, length) => {
            let least = length.min.unwrap_or(0) as usize;
            proptest::collection::vec(near(item), least.saturating_sub(1)..least + 3)
                .prop_map(Value::from).boxed()
        }
        Type::Record(fields) => {
            let entry = |field: &Field| (Just(field.name.clone()), near(&field.ty), 0..12_u8);
            let entries: Vec<_> = fields.iter().map(entry).collect();
            (entries, 0..6_u8).prop_map(|(entries, extra)| {
                let kept = entries.into_iter().filter(|(_, _, chance)| *chance > 0);
                let mut map: serde_json::Map<_, _> = kept.map(|(name, value, _)| (name, value)).collect();
                if extra == 0 {
                    map.insert("extra field".into(), json!(1));
                }
                Value::Object(map)
            }).boxed()
        }
        Type::Union(members) => proptest::strategy::Union::new(members.iter().map(near)).boxed(),
        Type::Optional(inner) => prop_oneof![1 => Just(Value::Null), 3 => near(inner)].boxed(),
        Type::Any | Type::Bool | Type::Map => values_with(fractions()).boxed(),
    };
    prop_oneof![9 => fitting, 1 => values_with(fractions())].boxed()
}

/// Generates a type and values that mostly fit it.
fn typed_values() -> impl Strategy<Value = (Type, Vec<Value>)> {
    types().prop_flat_map(|ty| {
        let values = proptest::collection::vec(near(&ty), 4);
        (Just(ty), values)
    })
}

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn schemas_accept_what_the_check_accepts((ty, values) in typed_values()) {
        let (open, strict) = (validator(&ty.to_schema()), validator(&ty.to_strict_schema()));
        for value in values {
            let lenient = check(&ty, &value);
            prop_assert_eq!(open.is_valid(&value), lenient.is_empty(), "{} {}\n{:?}", ty, value, lenient);
            let closed = check_strict(&ty, &value);
            prop_assert_eq!(strict.is_valid(&value), closed.is_empty(), "{} {}\n{:?}", ty, value, closed);
        }
    }

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
