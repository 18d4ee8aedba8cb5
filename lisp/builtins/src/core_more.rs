//! The less common part of `clojure.core`.

use std::sync::Arc;

use super::facts::{
    ANY, BOOL, LAST, LazyInput, NIL, Origin, Pulls, ResultShape::By, TEXT, as_value, lazily, listed,
};
use super::{Row, lisp, pure, take, wrong_type};
use ptc_facts::access::find_in;
use ptc_facts::registry::facts::Passes;
use ptc_machine::{Cx, Each, ItemStep, Pass, items_of, skip};
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::num::Num;
use ptc_values::{Diagnostic, Ext, Res, Seq, StageState, Uuid, Value, print};

macro_rules! table {
    (
        tests { $($tname:literal, $tdoc:literal, $texample:literal, $test:expr;)+ }
        functions { $($name:literal, $usage:literal, $doc:literal, $example:literal, $facts:expr, $make:expr $(, step $step:expr)?;)+ }
        language { $($lname:literal, $lusage:literal, $ldoc:literal, $lexample:literal, $lfacts:expr;)+ }
    ) => {
        pub const TABLE: &[Row] = &[
            $(pure($tname, "x", $tdoc, $texample, as_value(BOOL), |_, args| {
                let test: fn(&Value) -> bool = $test;
                Ok(Value::Bool(test(&args[0])))
            }),)+
            $(pure($name, $usage, $doc, $example, $facts, $make)$(.step($step))?,)+
            $(lisp($lname, $lusage, $ldoc, $lexample, $lfacts),)+
        ];
    };
}

table! {
    tests {
        "any?", "true for any value.", "(any? nil) => true", |_| true;
        "char?", "Whether it is a string of one character.", "(char? \\a) => true", |x| x.as_str().is_some_and(|text| text.chars().count() == 1);
        "uuid?", "Whether it is a UUID.", "(uuid? (parse-uuid \"b6883c0a-0342-4007-9966-bc2dfa6b109e\")) => true", |x| matches!(x, Value::Ext(ext) if matches!(**ext, Ext::Uuid(_)));
        "rational?", "Whether it is an exact number: an integer.", "(rational? 1) => true", |x| matches!(x, Value::Int(_) | Value::Big(_));
        "ratio?", "Always false: there are no ratios.", "(ratio? 0.5) => false", |_| false;
        "decimal?", "Always false: there is no BigDecimal.", "(decimal? 0.5) => false", |_| false;
        "indexed?", "Whether its items are found by position in constant time.", "(indexed? [1]) => true", |x| matches!(x, Value::Vector(_));
        "reversible?", "Whether `rseq` accepts it.", "(reversible? [1]) => true", |x| match x {
            Value::Vector(_) => true,
            Value::Map(map) => map.order().is_some(),
            Value::Set(set) => set.order().is_some(),
            _ => false,
        };
        "map-entry?", "Whether it is a map entry.", "(map-entry? (first {:a 1})) => true", |x| x.as_entry().is_some();
        "var?", "Whether it is a var, the result of `def`.", "(var? 1) => false", |x| matches!(x, Value::Ext(ext) if matches!(**ext, Ext::Var(_)));
        "simple-keyword?", "Whether it is a keyword without a namespace.", "(simple-keyword? :a) => true", |x| matches!(x, Value::Keyword(_)) && space(x).is_none();
        "qualified-keyword?", "Whether it is a keyword with a namespace.", "(qualified-keyword? :a/b) => true", |x| matches!(x, Value::Keyword(_)) && space(x).is_some();
        "simple-symbol?", "Whether it is a symbol without a namespace.", "(simple-symbol? 'a) => true", |x| matches!(x, Value::Symbol(_)) && space(x).is_none();
        "qualified-symbol?", "Whether it is a symbol with a namespace.", "(qualified-symbol? 'a/b) => true", |x| matches!(x, Value::Symbol(_)) && space(x).is_some();
        "simple-ident?", "Whether it is a keyword or symbol without a namespace.", "(simple-ident? :a) => true", |x| matches!(x, Value::Keyword(_) | Value::Symbol(_)) && space(x).is_none();
        "qualified-ident?", "Whether it is a keyword or symbol with a namespace.", "(qualified-ident? :a) => false", |x| matches!(x, Value::Keyword(_) | Value::Symbol(_)) && space(x).is_some();
    }
    functions {
        "namespace", "x", "The namespace of a keyword or symbol; nil if it has none.", "(namespace :a/b) => \"a\"", as_value(ANY), |_, args| match &args[0] {
            Value::Keyword(_) | Value::Symbol(_) => Ok(space(&args[0]).map_or(Value::Nil, Value::str)),
            other => Err(wrong_type("namespace", "a keyword or a symbol", other)),
        };
        "identical?", "x y", "Whether two values are the same object.", "(identical? :a :a) => true", as_value(BOOL).pulls(Pulls::AsValue), |_, args| Ok(Value::Bool(identical(&args[0], &args[1])));
        "list*", "x & more", "A list of the arguments, with the items of the last one at its end.", "(list* 1 2 [3 4]) => (1 2 3 4)", lazily(ANY, LazyInput::Function), list_star;
        "nthnext", "coll n", "The items after the first n; nil if there are none.", "(nthnext [1 2 3] 2) => (3)", lazily(ANY, LazyInput::Function).pulls(Pulls::AsValue), |cx, args| {
            let source = take(args, 0);
            // As in Clojure, the number is not checked if there are no items.
            if super::sequence::count_of("nthnext", &source)? == 0 {
                return Ok(Value::Nil);
            }
            let count = super::sequence::whole("nthnext", &args[1])?;
            tail(cx, source, count)
        };
        "nfirst", "coll", "The items after the first of the first item; nil if there are none.", "(nfirst [[1 2] 3]) => (2)", lazily(ANY, LazyInput::Always), |cx, args| {
            let first = first(cx, args)?;
            tail(cx, first, 1)
        };
        "nnext", "coll", "The items after the second; nil if there are none.", "(nnext [1 2 3]) => (3)", lazily(ANY, LazyInput::Function).pulls(Pulls::AsValue), |cx, args| {
            let source = take(args, 0);
            tail(cx, source, 2)
        };
        "fnext", "coll", "The second item; the same as `second`.", "(fnext [1 2]) => 2", lazily(ANY, LazyInput::Function).pulls(Pulls::AsValue), |cx, args| {
            let source = take(args, 0);
            let rest = skip(cx, source, 1)?;
            Ok(rest.front(0).unwrap_or_default())
        };
        "take-nth", "n coll", "Every nth item, starting with the first.", "(take-nth 2 [1 2 3]) => (1 3)", lazily(By(|g| g.fewer(1)), LazyInput::Function).collection(LAST), |cx, args| {
            let items = items_of(cx, take(args, 1))?;
            let Some(first) = items.first() else { return cx.list(items) };
            match super::sequence::whole("take-nth", &args[0])? {
                0 => super::lazy_cells::zero_step(cx, "take-nth", first.clone()),
                step => cx.list(items.into_iter().step_by(step).collect()),
            }
        }, step &TAKE_NTH;
        "replace", "replacements coll", "The items; keys of a map are replaced by its values.", "(replace {:a 1} [:a :b]) => [1 :b]", listed(ANY), |cx, args| {
            let is_vector = matches!(args[1], Value::Vector(_));
            let (replacements, source) = (take(args, 0), take(args, 1));
            let items = items_of(cx, source)?;
            replacements_of(&replacements).map_err(|problem| {
                problem.with_help("to replace in a text write `(str/replace text old new)`")
            })?;
            let items = Each::run(cx, &replacements, items, replace)?;
            if is_vector { cx.vector(items) } else { cx.list(items) }
        }, step &REPLACE;
        "replicate", "n x", "A sequence of n copies of x.", "(replicate 2 :a) => (:a :a)", listed(ANY), |cx, args| {
            let count = super::sequence::whole("replicate", &args[0])?;
            cx.spend(count as u64)?;
            cx.alloc((count as u64).saturating_mul(16))?;
            cx.list(vec![take(args, 1); count])
        };
        "bounded-count", "n coll", "The number of items.", "(bounded-count 5 [1 2]) => 2", listed(ANY).pulls(Pulls::AsValue), |_, args| {
            super::sequence::count_of("bounded-count", &args[1]).map(|count| Value::Int(count as i64))
        };
        "doall", "coll|n coll", "The collection, with all its items computed.", "(doall (map inc [1])) => (2)", listed(By(|g| g.same(g.last()).or(g.arg(g.last())))).pulls(Pulls::AsValue).origin(Origin::Last), |_, args| {
            let source = take(args, args.len() - 1);
            super::sequence::check_items(&source).map(|()| source)
        };
        "dorun", "coll|n coll", "Computes all items; returns nil.", "(dorun (map inc [1])) => nil", listed(ANY).pulls(Pulls::AsValue), |_, args| super::sequence::check_items(&args[args.len() - 1]).map(|()| Value::Nil);
        "sequence", "coll", "The items as a sequence, empty if there are none.", "(sequence [1 2]) => (1 2)", lazily(By(|g| g.same(0)), LazyInput::Function).others(&[(2, usize::MAX, "ptc/sequence")]), |cx, args| {
            let source = take(args, 0);
            skip(cx, source, 0).map(Value::List)
        };
        "ensure-reduced", "x", "The value wrapped as by `reduced`, unless it already is.", "(reduced? (ensure-reduced 1)) => true", listed(ANY), |cx, args| {
            match &args[0] {
                Value::Ext(ext) if matches!(**ext, Ext::Reduced(_)) => Ok(take(args, 0)),
                _ => {
                    cx.alloc(64)?;
                    Ok(Value::Ext(Arc::new(Ext::Reduced(take(args, 0)))))
                }
            }
        };
        "unreduced", "x", "The value that `reduced` wrapped; any other value unchanged.", "(unreduced (reduced 1)) => 1", listed(ANY), |_, args| match &args[0] {
            Value::Ext(ext) => match &**ext {
                Ext::Reduced(inner) => Ok(inner.clone()),
                _ => Ok(args[0].clone()),
            },
            _ => Ok(take(args, 0)),
        };
        "parse-uuid", "text", "Parses a text as a UUID; nil if it is not one.", "(str (parse-uuid \"B6883C0A-0342-4007-9966-BC2DFA6B109E\")) => \"b6883c0a-0342-4007-9966-bc2dfa6b109e\"", listed(ANY), |cx, args| {
            cx.alloc(96)?;
            let uuid = args[0].as_str().and_then(Uuid::parse);
            Ok(uuid.map_or(Value::Nil, |uuid| Ext::Uuid(uuid).into_value()))
        };
        "UUID/fromString", "text", "Parses a text as a UUID; an error if it is not one.", "(UUID/fromString \"1-2-3-4-5\") => #uuid \"00000001-0002-0003-0004-000000000005\"", listed(ANY), |cx, args| {
            cx.alloc(96)?;
            let Value::Str(text) = &args[0] else {
                return Err(wrong_type("UUID/fromString", "a text", &args[0]));
            };
            Uuid::parse(text).map(|uuid| Ext::Uuid(uuid).into_value()).ok_or_else(|| {
                Diagnostic::new(Code::BadNumber, format!("`UUID/fromString` cannot read {} as a UUID", print::readable(&args[0])))
                    .with_class("IllegalArgumentException")
                    .with_jvm_message(format!("Invalid UUID string: {text}"))
                    .with_help("`(parse-uuid text)` returns nil for text that is not a UUID")
            })
        };
        "MapEntry/create", "key value", "A map entry.", "(key (MapEntry/create :a 1)) => :a", listed(ANY), map_entry;
        "MapEntry.", "key value", "A map entry.", "(val (MapEntry. :a 1)) => 1", listed(ANY), map_entry;
        "flush", "", "nil: printed text is not buffered.", "(flush) => nil", listed(ANY), |_, _| Ok(Value::Nil);
        "newline", "", "Prints an empty line; returns nil.", "(newline) => nil", listed(ANY).acts(), |cx, _| cx.print(&[], false, "\n").map(|()| Value::Nil);
        "pr", "& values", "Prints readable values; returns nil.", "(pr \"a\") => nil", listed(NIL).acts().looks_inside(), |cx, args| cx.print(args, true, "").map(|()| Value::Nil);
        "print-str", "& values", "The text that `print` prints.", "(print-str \"a\" 1 nil) => \"a 1 nil\"", listed(TEXT).looks_inside(), |cx, args| printed(cx, args, false, "");
        "println-str", "& values", "The text that `println` prints, with its line break.", "(println-str \"a\" 1) => \"a 1\\n\"", listed(TEXT).looks_inside(), |cx, args| printed(cx, args, false, "\n");
        "prn-str", "& values", "The text that `prn` prints, with its line break.", "(prn-str \"a\") => \"\\\"a\\\"\\n\"", listed(TEXT).looks_inside(), |cx, args| printed(cx, args, true, "\n");
        "str/re-quote-replacement", "text", "A replacement that is used literally, with `$` and backslashes escaped.", "(str/replace \"a\" #\"a\" (str/re-quote-replacement \"$1\")) => \"$1\"", listed(ANY), |cx, args| {
            let Value::Str(text) = &args[0] else {
                return Err(wrong_type("str/re-quote-replacement", "a text", &args[0]));
            };
            cx.spend(text.len() as u64 / 16 + 1)?;
            cx.string(text.replace('\\', "\\\\").replace('$', "\\$"))
        };
    }
    language {
        "tree-seq", "branch? children root", "The parts of a tree, each before its children.", "(tree-seq vector? seq [1 [2]]) => ([1 [2]] 1 [2] 2)", listed(ANY);
        "comparator", "pred", "A comparator from a function that tests whether x is before y.", "((comparator >) 1 2) => 1", listed(ANY);
        "str/escape", "text replacements", "The text with characters replaced by the values of a map or function for them.", "(str/escape \"<a>\" {\\< \"&lt;\" \\> \"&gt;\"}) => \"&lt;a&gt;\"", listed(ANY);
    }
}

const TAKE_NTH: ItemStep = ItemStep::plain(|cx, state, n, item, _| {
    let left = cx.op(Op::Rem, &Value::Int(state.next_index()), n)?;
    let passes = Num::of(&left).is_some_and(|left| left.to_f64() == 0.0);
    Ok(if passes { Pass::One(item) } else { Pass::Nothing })
})
.passes(Passes::Some);

const REPLACE: ItemStep = ItemStep::plain(replace).start(|_, table| {
    replacements_of(table).map_err(|problem| problem.with_class("IllegalArgumentException"))
});

/// Passes on an item, or its replacement.
#[inline]
fn replace(cx: &mut Cx, _: &mut StageState, table: &Value, item: Value, _: Value) -> Res<Pass> {
    cx.look_for(&item)?;
    Ok(Pass::One(find_in(table, &item).cloned().unwrap_or(item)))
}

fn replacements_of(value: &Value) -> Res<u64> {
    match value {
        Value::Map(_) | Value::Vector(_) | Value::Nil => Ok(0),
        other => Err(wrong_type("replace", "a map of replacements first", other)),
    }
}

fn map_entry(cx: &mut Cx, args: &mut [Value]) -> Res {
    cx.alloc(96)?;
    let entry = Value::entry(take(args, 0), take(args, 1));
    cx.depth(entry.depth())?;
    Ok(entry)
}

/// Returns the namespace of a keyword or symbol, if it has one.
fn space(value: &Value) -> Option<&str> {
    let (space, name) = value.name()?.split_once('/')?;
    (!space.is_empty() && !name.is_empty()).then_some(space)
}

fn identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b),
        (Value::Vector(a), Value::Vector(b)) => Arc::ptr_eq(a, b),
        (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b),
        (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(a, b),
        (Value::Ext(a), Value::Ext(b)) => Arc::ptr_eq(a, b),
        // Floats are never the same object on the JVM.
        (Value::Float(_), _) | (_, Value::Float(_)) => false,
        (Value::Int(_), Value::Int(_)) | (Value::Str(_), Value::Str(_)) => a == b,
        // They are equal but distinguishable here (D5).
        (Value::Keyword(_), Value::Str(_)) | (Value::Str(_), Value::Keyword(_)) => false,
        _ => Num::of(a).is_none() && a == b,
    }
}

fn list_star(cx: &mut Cx, args: &mut [Value]) -> Res {
    let Some((last, front)) = args.split_last_mut() else { return Ok(Value::Nil) };
    let last = std::mem::take(last);
    let mut rest = skip(cx, last, 0)?;
    if front.is_empty() && rest.is_empty() {
        return Ok(Value::Nil);
    }
    cx.spend(front.len() as u64)?;
    cx.alloc(front.len() as u64 * 64)?;
    for item in front.iter_mut().rev() {
        rest = Arc::new(Seq::cons(std::mem::take(item), rest));
    }
    cx.depth(rest.depth())?;
    Ok(Value::List(rest))
}

fn first(cx: &mut Cx, args: &mut [Value]) -> Res {
    let source = take(args, 0);
    let items = skip(cx, source, 0)?;
    Ok(items.get(0).cloned().unwrap_or_default())
}

fn tail(cx: &mut Cx, source: Value, count: usize) -> Res {
    let rest = skip(cx, source, count)?;
    Ok(if rest.is_empty() { Value::Nil } else { Value::List(rest) })
}

fn printed(cx: &mut Cx, args: &[Value], readable: bool, end: &str) -> Res {
    let mut out = String::new();
    for (at, value) in args.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        let style = if readable { print::Style::Readable } else { print::Style::Printed };
        cx.styled(&mut out, value, style)?;
    }
    out.push_str(end);
    cx.spend(out.len() as u64 / 16 + 1)?;
    cx.string(out)
}
