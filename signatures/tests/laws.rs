//! Laws that hold for every type and every text.

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
    let fields = proptest::collection::btree_map("[A-Za-z_][A-Za-z0-9_-]{0,5}", rest, 0..4);
    fields.prop_map(|fields| {
        let field = |(name, (ty, description))| Field { name, ty, description };
        fields.into_iter().map(field).collect()
    })
}

/// Types in the shapes that reading gives.
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
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9..9_i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z0-9]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,2}", inner, 0..4).prop_map(|it| json!(it)),
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
        if let Err(error) = text.parse::<Signature>() {
            prop_assert!(text.get(error.span()).is_some());
        }
    }

    #[test]
    fn examples_satisfy_their_type(params in fields(types()), output in types()) {
        prop_assert_eq!(check_strict(&output, &output.example()), vec![]);
        let signature = Signature { params, output };
        prop_assert_eq!(signature.check_input_strict(&signature.example_input()), vec![]);
    }

    #[test]
    fn strict_finds_what_lenient_finds(ty in types(), value in values()) {
        let lenient = check(&ty, &value);
        if check_strict(&ty, &value).is_empty() {
            prop_assert_eq!(lenient, vec![]);
        }
    }

    #[test]
    fn what_fits_is_not_coerced(ty in types(), value in values()) {
        let fits = check(&ty, &value).is_empty();
        let (_, done, left) = coerce(&ty, value, Options::default());
        if fits {
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

/// Nested least lengths multiply; the example stays small.
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
