//! Laws of documents and requests: hostile input causes no panic, and a value stays in its place.

use proptest::prelude::*;
use ptc_openapi::{Document, Given, Operation};
use serde_json::{Value, json};

/// The words of documents, which random values have as keys and texts.
const WORDS: &[&str] = &[
    "$ref",
    "#/paths/~1x",
    "#",
    "a.yaml",
    "parameters",
    "name",
    "in",
    "path",
    "query",
    "header",
    "cookie",
    "style",
    "explode",
    "form",
    "deepObject",
    "matrix",
    "schema",
    "type",
    "object",
    "array",
    "items",
    "properties",
    "required",
    "content",
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "requestBody",
    "responses",
    "200",
    "2XX",
    "default",
    "get",
    "post",
    "operationId",
    "servers",
    "url",
    "{p}",
    "variables",
    "p",
    "x",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![4 => prop::sample::select(WORDS).prop_map(str::to_string), 1 => any::<String>()]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Reads every operation of a document, and makes a request of each with these arguments.
fn read(text: &str, args: &Value) {
    let Ok(document) = Document::parse(text) else { return };
    let Ok(endpoints) = document.endpoints() else { return };
    for endpoint in &endpoints {
        if let Ok(operation) = document.operation(endpoint, &Given::default()) {
            let names = operation.signature.params.iter().map(|it| (it.name.clone(), args.clone()));
            drop(operation.request(&Value::Object(names.collect()), Value::to_string));
        }
    }
}

fn operation(parameter: &Value) -> Operation {
    let paths = json!({"/a/{p}/b": {"put": {"parameters": [
        {"name": "p", "in": "path"},
        {"name": "after", "in": "query"},
        parameter,
    ]}}});
    let document = json!({"openapi": "3.1.0", "paths": paths}).to_string();
    let document = Document::parse(&document).unwrap();
    document.operation(&document.endpoints().unwrap()[0], &Given::default()).unwrap()
}

proptest! {
    #[test]
    fn any_document_is_read_or_refused(operation in value(), components in value(), args in value()) {
        let paths = json!({"/x": {"post": operation, "parameters": components}, "/{p}": operation});
        let document = json!({"openapi": "3.0.0", "paths": paths, "components": components});
        read(&document.to_string(), &args);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), start in word()) {
        read(&format!("openapi: 3.0.0\n{start}: {text}"), &Value::Null);
        read(&text, &Value::Null);
    }

    #[test]
    fn a_value_stays_in_its_place(value in value(), style in 0_usize..3, explode in any::<bool>()) {
        let style = ["simple", "label", "matrix"][style];
        let keys = json!({"name": "p", "in": "path", "style": style, "explode": explode});
        let args = json!({"p": value, "after": 1});
        if let Ok(request) = operation(&keys).request(&args, serde_json::Value::to_string) {
            let path = request.target.strip_suffix("?after=1").unwrap();
            let parts: Vec<&str> = path.split('/').collect();
            prop_assert_eq!((parts.len(), parts[1], parts[3]), (4, "a", "b"), "{}", path);
            prop_assert!(!["", ".", ".."].contains(&parts[2]), "{}", path);
            prop_assert!(path.bytes().all(|it| it.is_ascii_graphic() && !b"?#\\".contains(&it)), "{}", path);
        }
    }

    #[test]
    fn a_value_adds_no_other_parameter(value in any::<String>(), style in 0_usize..3, explode in any::<bool>()) {
        let style = ["form", "pipeDelimited", "deepObject"][style];
        let keys = json!({"name": "q", "in": "query", "style": style, "explode": explode});
        let operation = operation(&keys);
        for value in [json!(value), json!([value]), json!({value: 1})] {
            let args = json!({"p": 1, "after": 1, "q": value});
            let request = operation.request(&args, serde_json::Value::to_string).unwrap();
            let query = request.target.strip_prefix("/a/1/b?after=1&").unwrap();
            prop_assert!(!query.contains(['&', '#', ' ']), "{}", query);
        }
    }
}
