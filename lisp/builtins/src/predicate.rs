//! Tests of the kinds of values.

use super::facts::{BOOL, Facts, LazyInput, Moves, OnNil, Pulls, as_value, lazily};
use super::{Row, not_a_number, pure, wrong_type};
use ptc_facts::messages::message_text;
use ptc_values::num::Num;
use ptc_values::{Diagnostic, Ext, Grown, Lazy, Res, Stage, Value};

macro_rules! tests {
    ($($name:literal, $doc:literal, $example:literal, $facts:expr, $test:expr;)+) => {
        pub const TABLE: &[Row] = &[
            $({
                const HOLDS: fn(&Value) -> Res<bool> = $test;
                let facts = $facts.or_pulls(Pulls::AsValue);
                let facts = facts.moves(Moves::Kind);
                let facts = facts.borrows(1, |_, x, _| HOLDS(glance(x)).ok().map(Value::Bool));
                pure($name, "x", $doc, $example, facts, |cx, args| {
                    if HOLDS(glance(&args[0])).is_err() {
                        // The message quotes it.
                        cx.build(&mut args[0])?;
                    }
                    HOLDS(glance(&args[0])).map(Value::Bool)
                })
            }),+
        ];
    };
}

const TEST: Facts = as_value(BOOL);

/// A test that tells whether a value is present.
const ASKS: Facts = TEST.on_nil(OnNil::Asks);

tests! {
    "nil?", "Whether it is nil.", "(nil? nil) => true", ASKS, |x| Ok(x.is_nil());
    "some?", "Whether it is not nil.", "(some? 0) => true", ASKS, |x| Ok(!x.is_nil());
    "not", "Whether it is nil or false.", "(not nil) => true", ASKS, |x| Ok(!x.truthy());
    "boolean", "true for anything but nil and false.", "(boolean 0) => true", ASKS, |x| Ok(x.truthy());
    "true?", "Whether it is true.", "(true? 1) => false", ASKS, |x| Ok(matches!(x, Value::Bool(true)));
    "false?", "Whether it is false.", "(false? nil) => false", ASKS, |x| Ok(matches!(x, Value::Bool(false)));
    "boolean?", "Whether it is true or false.", "(boolean? false) => true", ASKS, |x| Ok(matches!(x, Value::Bool(_)));
    "number?", "Whether it is a number.", "(number? 1.5) => true", ASKS, |x| Ok(Num::of(x).is_some());
    "integer?", "Whether it is an integer.", "(integer? 1) => true", ASKS, |x| Ok(whole(x));
    "int?", "Whether it is an integer of 64 bits.", "(int? 1) => true", ASKS, |x| Ok(matches!(x, Value::Int(_)));
    "float?", "Whether it is a float.", "(float? 1) => false", ASKS, |x| Ok(matches!(x, Value::Float(_)));
    "double?", "Whether it is a float.", "(double? 1.0) => true", ASKS, |x| Ok(matches!(x, Value::Float(_)));
    "string?", "Whether it is a string.", "(string? \"a\") => true", ASKS, |x| Ok(matches!(x, Value::Str(_)));
    "keyword?", "Whether it is a keyword.", "(keyword? :a) => true", ASKS, |x| Ok(matches!(x, Value::Keyword(_)));
    "symbol?", "Whether it is a symbol.", "(symbol? 'a) => true", TEST, |x| Ok(matches!(x, Value::Symbol(_)));
    "ident?", "Whether it is a keyword or a symbol.", "(ident? :a) => true", TEST, |x| Ok(matches!(x, Value::Keyword(_) | Value::Symbol(_)));
    "map?", "Whether it is a map.", "(map? {}) => true", ASKS, |x| Ok(matches!(x, Value::Map(_)));
    "vector?", "Whether it is a vector.", "(vector? [1]) => true", ASKS, |x| Ok(matches!(x, Value::Vector(_)));
    "list?", "Whether it is a list, not another sequence.", "(list? (map inc '(1))) => false", TEST, |x| Ok(list(x));
    "seq?", "Whether it is a sequence.", "(seq? (map inc [1])) => true", ASKS, |x| Ok(sequence(x));
    "set?", "Whether it is a set.", "(set? #{1}) => true", ASKS, |x| Ok(matches!(x, Value::Set(_)));
    "coll?", "Whether it is a list, vector, map or set.", "(coll? {}) => true", ASKS, |x| Ok(is_coll(x));
    "sequential?", "Whether it is a list or a vector.", "(sequential? [1]) => true", ASKS, |x| Ok(sequence(x) || matches!(x, Value::List(_) | Value::Vector(_)));
    "associative?", "Whether it is a map or a vector.", "(associative? {}) => true", TEST, |x| Ok(matches!(x, Value::Map(_) | Value::Vector(_)));
    "counted?", "Whether its length is known in constant time.", "(counted? [1]) => true", TEST, |x| Ok(list(x) || collection(x) && !matches!(x, Value::List(_)));
    "seqable?", "Whether it has items: a collection, a string or nil.", "(seqable? nil) => true", TEST, |x| Ok(collection(x) || sequence(x) || matches!(x, Value::Nil | Value::Str(_)));
    "fn?", "Whether it is a function.", "(fn? inc) => true", TEST, |x| Ok(function(x));
    "ifn?", "Whether it can be called.", "(ifn? :a) => true", TEST, |x| Ok(callable(x));
    "zero?", "Whether a number is 0.", "(zero? 0.0) => true", TEST, |x| number("zero?", x).map(|float| float == 0.0);
    "pos?", "Whether a number is greater than 0.", "(pos? 1) => true", TEST, |x| number("pos?", x).map(|float| float > 0.0);
    "neg?", "Whether a number is less than 0.", "(neg? -1) => true", TEST, |x| number("neg?", x).map(|float| float < 0.0);
    "even?", "Whether an integer is even.", "(even? 2) => true", TEST, |x| odd("even?", x).map(|odd| !odd);
    "odd?", "Whether an integer is odd.", "(odd? 1) => true", TEST, |x| odd("odd?", x);
    "pos-int?", "Whether it is an integer greater than 0.", "(pos-int? 1) => true", TEST, |x| Ok(matches!(x, Value::Int(1..)));
    "neg-int?", "Whether it is an integer less than 0.", "(neg-int? -1) => true", TEST, |x| Ok(matches!(x, Value::Int(..=-1)));
    "nat-int?", "Whether it is an integer that is not negative.", "(nat-int? 0) => true", TEST, |x| Ok(matches!(x, Value::Int(0..)));
    "NaN?", "Whether a number is not-a-number.", "(NaN? ##NaN) => true", TEST, |x| number("NaN?", x).map(f64::is_nan);
    "infinite?", "Whether a number is infinite.", "(infinite? ##Inf) => true", TEST, |x| number("infinite?", x).map(f64::is_infinite);
    "empty?", "Whether it has no items.", "(empty? []) => true", lazily(BOOL, LazyInput::Function).on_nil(OnNil::Asks).pulls(Pulls::First(|_| Some(1))), |x| match x {
        Value::Str(text) => Ok(text.is_empty()),
        x => super::sequence::count_of("empty?", x).map(|count| count == 0),
    };
    "reduced?", "Whether it is the result of `reduced`.", "(reduced? (reduced 1)) => true", TEST, |x| Ok(matches!(x, Value::Ext(ext) if matches!(**ext, Ext::Reduced(_))));
}

/// Returns a text for one that grew, which is not empty.
fn glance(value: &Value) -> &Value {
    static TEXT: Value = Value::Str(arcstr::literal!("text"));
    if Grown::of(value).is_some() { &TEXT } else { value }
}

fn whole(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Big(_))
}

fn list(value: &Value) -> bool {
    matches!(value, Value::List(seq) if seq.is_list() || seq.is_queue())
}

/// Returns whether a value is a list, vector, map or set, or a sequence.
pub(super) fn is_coll(x: &Value) -> bool {
    collection(x) || sequence(x)
}

fn collection(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Vector(_) | Value::Map(_) | Value::Set(_))
}

fn sequence(value: &Value) -> bool {
    matches!(value, Value::List(seq) if !seq.is_queue()) || Lazy::of(value).is_some()
}

pub(super) fn callable(value: &Value) -> bool {
    function(value)
        || matches!(
            value,
            Value::Keyword(_) | Value::Symbol(_) | Value::Map(_) | Value::Set(_) | Value::Vector(_)
        )
        || matches!(value, Value::Ext(ext) if matches!(**ext, Ext::Var(_)))
}

fn function(value: &Value) -> bool {
    matches!(value, Value::Function(_) | Value::Builtin(_)) || Stage::of(value).is_some()
}

fn number(who: &str, value: &Value) -> Res<f64> {
    Num::of(value).map(Num::to_f64).ok_or_else(|| not_a_number(who, "first", value))
}

fn odd(who: &str, value: &Value) -> Result<bool, Diagnostic> {
    match value {
        Value::Int(int) => Ok(int % 2 != 0),
        Value::Big(big) => Ok(big.bit(0)),
        _ => Err(wrong_type(who, "an integer", value)
            .with_class("IllegalArgumentException")
            .with_jvm_message(format!("Argument must be an integer: {}", message_text(value)))),
    }
}
