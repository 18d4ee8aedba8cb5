//! Tests of signatures through the public API: the examples of `docs/signatures.md`, snapshots of
//! messages, and signatures of Rust types.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use ptc_signatures::schema::Note;
use ptc_signatures::{
    Enforced, Error, Mismatch, Signature, SignatureMode, Type, check, check_strict,
};
use ptc_tests::{assert_no_problems, root};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// An example of a fenced block: the kind of the block, the line, the input and the expectation.
struct Example {
    kind: String,
    line: usize,
    given: Vec<String>,
    expected: Vec<String>,
}

fn examples(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut kind: Option<String> = None;
    let mut fresh = true;
    for (at, line) in page.lines().enumerate() {
        if let Some(label) = line.strip_prefix("```") {
            kind = label.strip_prefix("signature").map(|kind| kind.trim().to_owned());
            fresh = true;
            continue;
        }
        let Some(kind) = &kind else { continue };
        if line.is_empty() {
            fresh = true;
            continue;
        }
        if fresh {
            let (kind, line) = (kind.clone(), at + 1);
            examples.push(Example { kind, line, given: Vec::new(), expected: Vec::new() });
            fresh = false;
        }
        let example = examples.last_mut().unwrap();
        match line.strip_prefix(';') {
            Some(expected) => example.expected.push(expected.to_owned()),
            None => example.given.push(line.to_owned()),
        }
    }
    examples
}

fn outcome(example: &Example) -> Vec<String> {
    let ty = || example.given[0].parse::<Type>().unwrap();
    let value = || -> Value { serde_json::from_str(&example.given[1]).unwrap() };
    match example.kind.as_str() {
        "" => match example.given.join("\n").parse::<Signature>() {
            Ok(signature) => vec![format!("=> {signature}")],
            Err(error) => {
                let column = error.span().start + 1;
                let mut lines = vec![format!("! column {column}: {error}")];
                lines.extend(error.help().map(|help| format!("  {help}")));
                lines
            }
        },
        "check" => match check(&ty(), &value()).as_slice() {
            [] => vec!["ok".to_owned()],
            found => found.iter().map(line).collect(),
        },
        "schema" => vec![format!("=> {}", ty().to_schema())],
        "from-schema" => {
            let schema = serde_json::from_str(&example.given.join("\n")).unwrap();
            let (ty, notes) = Type::from_schema(&schema);
            let notes = notes.iter().map(|note| format!("note {note}"));
            std::iter::once(format!("=> {ty}")).chain(notes).collect()
        }
        mode => {
            let Enforced { value, warnings, mismatches } =
                ty().enforce(value(), mode.parse().unwrap());
            if !mismatches.is_empty() {
                return mismatches.iter().map(line).collect();
            }
            let warnings = warnings.iter().map(|warning| format!("warning: {warning}"));
            std::iter::once(format!("=> {value}")).chain(warnings).collect()
        }
    }
}

fn line(mismatch: &Mismatch) -> String {
    match &mismatch.help {
        Some(help) => format!("! {mismatch} ({help})"),
        None => format!("! {mismatch}"),
    }
}

#[test]
fn every_example_of_the_page_is_true() {
    let page = std::fs::read_to_string(root().join("docs/signatures.md")).unwrap();
    let examples = examples(&page);
    let wrong = |example: &&Example| outcome(example) != example.expected;
    let problems: Vec<String> = examples
        .iter()
        .filter(wrong)
        .map(|it| format!("line {}: {:?}\nfound {:#?}", it.line, it.given, outcome(it)))
        .collect();
    assert_no_problems(&problems);
    assert!(examples.len() >= 20, "only {} examples", examples.len());
}

/// Formats an error with the place that it points at.
fn shown(source: &str, error: &Error) -> String {
    let start = source[..error.span().start].chars().count();
    let width = source[error.span()].chars().count().max(1);
    let help = error.help().map(|help| format!("  help: {help}\n")).unwrap_or_default();
    let (code, carets) = (error.code(), "^".repeat(width));
    format!("{code}: {error}\n  {source}\n  {}{carets}\n{help}", " ".repeat(start))
}

#[test]
fn errors() {
    let sources = [
        "",
        "int",
        "(name) -> :int",
        "(a :int) :int",
        "(a :int",
        "(n :integer) -> :bool",
        ":strng",
        ":date_time",
        ":object",
        ":exit-success",
        "{name: :string}",
        "{a ? :int}",
        "{\"a\" :int}",
        "{a.b :int}",
        "{a :int a :int}",
        "[]",
        "[:int :string]",
        "{ä :int}",
        ":int|:int",
        ":enum",
        ":enum[1 2]",
        ":enum[a a]",
        ":int[5]",
        ":int[5..1]",
        ":int[1.5..]",
        ":bool[0..1]",
        ":string[a b]",
        ":string?[1..]",
        "{a :int \"open}",
        "{a :int \"\\x\"}",
        ":int :string",
    ];
    let mut text = String::new();
    for source in sources {
        let error = source.parse::<Signature>().expect_err(source);
        let _ = writeln!(text, "{}", shown(source, &error));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn mismatches() {
    let order = "{id :int[1..], state :enum[open closed], lines [{sku :string[1..8], n :int}][1..], \
                 due :datetime?, note :string|:keyword, _key :string}";
    let values = [
        json!([]),
        json!({}),
        json!({"id": "7", "state": "Open", "lines": [], "due": "soon", "note": 3, "_key": 4}),
        json!({"ID": 7, "state": "closed", "lines": [{"sku": "", "n": 1.5}, 8], "due": null,
               "note": "a", "_key": "k"}),
        json!({"id": 0, "state": null, "lines": {"sku": "a"}, "due": "2026-02-30", "note": [1],
               "_key": "k", "stat": 1}),
    ];
    let ty: Type = order.parse().unwrap();
    let mut text = format!("{ty}\n");
    for value in values {
        let _ = writeln!(text, "\n{value}");
        for mismatch in check_strict(&ty, &value) {
            let _ = writeln!(text, "  {}", line(&mismatch));
        }
    }
    insta::assert_snapshot!(text);
}

#[derive(JsonSchema, Serialize)]
struct Order {
    /// The number on the invoice
    id: u32,
    #[serde(rename = "first name")]
    name: String,
    /// Longer text over
    /// two lines
    state: State,
    lines: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<Box<Order>>,
    tags: BTreeMap<String, i8>,
    place: (f64, f64),
    payment: Payment,
    _token: String,
    anything: Value,
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    /// Nothing more happens
    ClosedForGood,
}

#[derive(JsonSchema, Serialize)]
struct Line {
    n: i64,
    price: f32,
    #[serde(default)]
    urgent: bool,
}

#[derive(JsonSchema, Serialize)]
#[serde(tag = "kind")]
enum Payment {
    Card { last: u16 },
    Cash,
}

fn order(parent: Option<Box<Order>>) -> Order {
    let (state, payment) = match &parent {
        Some(_) => (State::ClosedForGood, Payment::Card { last: 1234 }),
        None => (State::Open, Payment::Cash),
    };
    Order {
        id: 7,
        name: "Ana".to_owned(),
        state,
        lines: vec![Line { n: -1, price: 0.5, urgent: true }],
        parent,
        tags: BTreeMap::from([("a".to_owned(), 1)]),
        place: (1.5, -2.5),
        payment,
        _token: "t".to_owned(),
        anything: json!([1, "a", null]),
    }
}

#[test]
fn rust_types_have_signatures() {
    let (signature, notes) = Signature::of_with_notes::<Order, HashMap<String, u8>>();
    let notes: Vec<String> = notes.iter().map(Note::to_string).collect();
    insta::assert_snapshot!(format!("{signature}\n\n{}", notes.join("\n")));
    let value = serde_json::to_value(order(Some(Box::new(order(None))))).unwrap();
    assert_eq!(signature.check_input(&value), vec![]);
    assert_eq!(check(&Type::of::<Order>(), &value), vec![]);
    let cash = json!({"kind": "Cash"});
    assert_eq!(check(&Type::of::<Payment>(), &cash), vec![]);
    assert_eq!(
        check(&Type::of::<Payment>(), &json!({"kind": "Card"}))[0].to_string(),
        "last: expected int from 0 to 65535, found nothing",
    );
}

#[test]
fn modes_are_documented() {
    let page = std::fs::read_to_string(root().join("docs/signatures.md")).unwrap();
    for mode in SignatureMode::ALL {
        assert!(page.contains(&format!("| `{mode}` |")), "{mode}");
    }
}
