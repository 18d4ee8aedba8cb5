//! Rows of data: finding, counting, ranking and summarising them. Not in Clojure.

use ptc_signatures::Kinds;

use super::each::each;
use super::facts::{
    EACH, FieldsRead, How, LAST, MADE, OnNil, Origin, ResultShape::By, as_value, calls, listed,
};
use super::{Row, callback, lisp, pure, take, wrong_type};
use ptc_facts::access::find_in;
use ptc_facts::shape::{Shape, gives};
use ptc_machine::{Collect, Cx, Each, ItemIter, finish_first, items_of, merge_sort};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Map, Res, Value};

pub const TABLE: &[Row] = &[
    callback(
        "find-first",
        "pred coll",
        "The first item that passes; nil if there is none. Not in Clojure.",
        "(find-first even? [1 2 4]) => 2",
        EACH,
        as_value(By(|g| g.item(g.last()).or_nil()))
            .collection(LAST)
            .on_nil(OnNil::Drops)
            .origin(Origin::Last),
        |cx, args| {
            if let Some(fields @ Value::Map(_)) = args.first() {
                return Err(wrong_type("find-first", "a predicate first", fields).with_help(
                    "for the first map with these fields write `(first (where {…} rows))`",
                ));
            }
            each(cx, args, Collect::Found, finish_first)
        },
    ),
    pure(
        "where",
        "fields coll",
        "The maps in which these fields have these values, or one of a set. Not in Clojure.",
        "(where {:state \"open\"} [{:id 1 :state \"open\"} {:id 2}]) => ({:id 1, :state \"open\"})",
        listed(By(|g| g.fewer(1)))
            .looks_inside()
            .collection(LAST)
            .on_nil(OnNil::AsksInside)
            .origin(Origin::Last)
            .reads(FieldsRead::Matched),
        matching,
    ),
    callback(
        "count-by",
        "f coll",
        "A map from each result of f to the number of its items. Not in Clojure.",
        "(count-by :city [{:city \"Ulm\"} {:city \"Ulm\"}]) => {\"Ulm\" 2}",
        EACH,
        listed(By(|g| Shape::entries(g.result.clone(), Shape::Kinds(Kinds::INT)))).collection(LAST),
        |cx, args| {
            refuse_unfound(cx, "count-by", &args)?;
            each(cx, args, Collect::Results, |cx, each| counts(cx, each.out))
        },
    ),
    callback(
        "top-by",
        "n f coll",
        "The n items with the greatest results of f, the greatest first; nils are skipped. Not in Clojure.",
        "(top-by 2 count [[1] [1 2 3] [1 2]]) => ([1 2 3] [1 2])",
        &[calls(1, How::Each)],
        listed(By(|g| g.fewer(2))).collection(LAST).origin(Origin::Last),
        |cx, mut args| {
            if !matches!(args[0], Value::Int(0..)) {
                return Err(wrong_type("top-by", "a number of items first", &args[0])
                    .with_help("write `(top-by 3 :field rows)`"));
            }
            refuse_unfound(cx, "top-by", &args)?;
            let items = ItemIter::of(cx, take(&mut args, 2))?;
            let mut each = Each::one(take(&mut args, 1), items, Collect::Both, greatest);
            each.aside.push(take(&mut args, 0));
            Ok(each.into())
        },
    ),
    pure(
        "ptc/with-field",
        "field rows",
        "The rows, which are refused if the field is watched and none of them has it.",
        "",
        listed(By(|g| g.arg(1).clone())).on_nil(OnNil::Passes).origin(Origin::Last),
        |cx, args| {
            refuse_unfound(cx, "aggregate-by", args)?;
            Ok(take(args, 1))
        },
    ),
    lisp(
        "aggregate-by",
        "key value summary coll",
        "A map from each result of key to the summary of the results of value for its items. Not in Clojure.",
        "(aggregate-by :k :n sum [{:k 1 :n 2} {:k 1 :n 3}]) => {1 5}",
        listed(By(|_| Shape::entries(Shape::ANY, Shape::ANY)))
            .calls(&[calls(0, How::Last)])
            .collection(LAST)
            .reads(FieldsRead::Mapped),
    ),
    lisp(
        "filter-vals",
        "pred m",
        "The map with only the entries whose value passes. Not in Clojure.",
        "(filter-vals odd? {:a 1 :b 2}) => {:a 1}",
        listed(By(gives::some_entries)).collection(LAST),
    ),
    lisp(
        "deep-merge",
        "& maps",
        "All maps merged into one, with the maps in them; later values win, vectors too. Not in Clojure.",
        "(deep-merge {:a {:b 1 :c 2}} {:a {:b 3}}) => {:a {:b 3, :c 2}}",
        listed(MADE),
    ),
];

/// Returns the items that have all fields of the first argument.
fn matching(cx: &mut Cx, args: &mut [Value]) -> Res {
    let fields = match take(args, 0) {
        Value::Map(fields) => fields,
        other => {
            return Err(wrong_type("where", "a map of fields first", &other)
                .with_help("write `(where {:field value} rows)`, or `(filter pred rows)`"));
        }
    };
    let items = items_of(cx, take(args, 1))?;
    for (field, _) in fields.iter() {
        cx.fields.refuse_unfound("where", field, &items)?;
    }
    let mut kept = Vec::new();
    for item in items {
        if has_fields(cx, &item, &fields)? {
            kept.push(item);
        }
    }
    cx.list(kept)
}

/// Refuses a keyword that the last two arguments read from rows, if no row has it.
pub(super) fn refuse_unfound(cx: &Cx, who: &str, args: &[Value]) -> Res<()> {
    match args {
        [.., field, Value::Vector(rows)] => cx.fields.refuse_unfound(who, field, rows.iter()),
        [.., field, Value::List(rows)] => cx.fields.refuse_unfound(who, field, rows.iter()),
        _ => Ok(()),
    }
}

fn has_fields(cx: &mut Cx, item: &Value, fields: &Map) -> Res<bool> {
    for (key, expected) in fields.iter() {
        cx.spend(1)?;
        let found = find_in(item, key).unwrap_or(&Value::Nil);
        let fits = match expected {
            Value::Set(set) => {
                cx.key(found)?;
                set.contains(found) || cx.equal(found, expected)?
            }
            Value::Function(_) | Value::Builtin(_) => {
                let help = format!("write `(filter #(… (get % {key})) rows)`");
                return Err(wrong_type("where", "values to compare with", expected).with_help(help));
            }
            _ => cx.equal(found, expected)?,
        };
        if !fits {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Refuses two keys that are numbers as text, if texts have another order than the numbers.
pub(super) fn check_keys(who: &str, less: &Value, greater: &Value) -> Res<()> {
    // Longer texts are hardly numbers, and reading one takes time.
    const LONGEST: usize = 32;

    let number = |key: &Value| match key {
        Value::Str(text) if text.len() <= LONGEST => {
            text.parse::<f64>().ok().filter(|number| number.is_finite())
        }
        _ => None,
    };
    let (Some(low), Some(high)) = (number(less), number(greater)) else { return Ok(()) };
    if low <= high {
        return Ok(());
    }
    let message = format!("`{who}` found numbers as text: as text, {less} is before {greater}");
    Err(Diagnostic::new(Code::WrongType, message)
        .with_help("read the key as a number, such as `(parse-long (:n %))`"))
}

fn counts(cx: &mut Cx, keys: Vec<Value>) -> Res {
    let mut counts = Map::default();
    for key in keys {
        cx.key(&key)?;
        counts.count(key);
    }
    cx.map(counts)
}

/// Returns the greatest items; their number is in front of them.
fn greatest(cx: &mut Cx, each: Each) -> Res {
    let mut items = each.aside.into_iter();
    let count = items.next().and_then(|count| count.as_int()).unwrap_or(0);
    let keyed = each.out.into_iter().zip(items).filter(|(key, _)| !key.is_nil()).collect();
    let sorted = merge_sort(cx, keyed, |(key, _)| key, true)?;
    for pair in sorted.windows(2) {
        check_keys("top-by", &pair[1].0, &pair[0].0)?;
    }
    let items = sorted.into_iter().map(|(_, item)| item);
    cx.list(items.take(usize::try_from(count).unwrap_or(usize::MAX)).collect())
}
