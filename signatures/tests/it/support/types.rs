//! Generators of types, of values, and of values that mostly fit a type.

use proptest::prelude::*;
use ptc_signatures::{Bounds, Field, Record, Type};
use serde_json::{Value, json};

pub(crate) fn bounds<T: PartialOrd + Copy + std::fmt::Debug>(
    ends: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Bounds<T>> {
    let ends = (proptest::option::of(ends.clone()), proptest::option::of(ends));
    ends.prop_map(|ends| match ends {
        (Some(min), Some(max)) if min > max => Bounds { min: Some(max), max: Some(min) },
        (min, max) => Bounds { min, max },
    })
}

pub(crate) fn leaf() -> impl Strategy<Value = Type> {
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

pub(crate) fn fields(ty: impl Strategy<Value = Type>) -> impl Strategy<Value = Vec<Field>> {
    let rest = (ty, proptest::option::of(".{0,12}"), any::<bool>());
    let fields = proptest::collection::btree_map("[A-Za-z_][A-Za-z0-9_-]{0,5}|.{0,4}", rest, 0..4);
    fields.prop_map(|fields| {
        let field = |(name, (ty, description, absent)): (_, (Type, _, bool))| {
            let field = Field { description, ..Field::new(name, ty) };
            if absent && !field.is_optional() { field.absent_if_nil() } else { field }
        };
        fields.into_iter().map(field).collect()
    })
}

/// Generates types in the shapes that parsing gives.
pub(crate) fn types() -> impl Strategy<Value = Type> {
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
            (fields(inner.clone()), any::<bool>()).prop_map(|(fields, open)| {
                let open = open && !fields.is_empty();
                Type::Record(Record { fields, open })
            }),
            union,
            inner.prop_map(Type::optional),
        ]
    })
}

pub(crate) fn values_with(
    float: impl Strategy<Value = f64> + 'static,
) -> impl Strategy<Value = Value> {
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

/// Generates floats with a fraction. JSON Schema takes `1.0` for an integer; this crate does not.
pub(crate) fn fractions() -> impl Strategy<Value = f64> {
    (-1_000_000..1_000_000_i32).prop_map(|it| f64::from(it) + 0.5)
}

/// Generates values that mostly fit a type, and sometimes miss it in one place.
pub(crate) fn near(ty: &Type) -> BoxedStrategy<Value> {
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
pub(crate) fn typed_values() -> impl Strategy<Value = (Type, Vec<Value>)> {
    types().prop_flat_map(|ty| {
        let values = proptest::collection::vec(near(&ty), 4);
        (Just(ty), values)
    })
}
