//! Bodies with parts: the types of their arguments, and their bytes.

use ptc_openapi::{Loaded, Operation, Source};
use serde_json::{Value, json};

use crate::operations::{document, first};

/// Returns an operation whose body has parts.
fn upload(content: &Value) -> Operation {
    let body = json!({"required": true, "content": {"multipart/form-data": content}});
    let mut document = document("", &json!({"requestBody": body}));
    document["components"] = json!({"schemas": {
        "File": {"type": "string", "format": "binary", "description": "A picture"},
        "Base": {"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": "integer"}}, "required": ["id"]},
    }});
    first(&document).unwrap()
}

fn parts(properties: &Value) -> Operation {
    upload(&json!({"schema": {"type": "object", "properties": properties}}))
}

/// Returns the body of a request as text, or the error. Content is its own name in capital letters.
fn sent(operation: &Operation, body: &Value) -> String {
    let args = json!({"body": body});
    let mut load = |source: Source<'_>| match source {
        Source::File("missing.txt") => Err("is no file".to_string()),
        Source::File(name) => Ok(Loaded { bytes: name.to_uppercase().into(), media_type: None }),
        Source::Content(hash) => {
            let media_type = Some("image/png".to_string());
            Ok(Loaded { bytes: hash.to_uppercase().into(), media_type })
        }
    };
    match operation.request_with(&args, Value::to_string, &mut load) {
        Err(error) => format!("error: {error}"),
        Ok(request) => {
            let content = request.content.unwrap();
            let boundary = content.media_type.strip_prefix("multipart/form-data; boundary=");
            let text = String::from_utf8(content.bytes).unwrap();
            let (body, rest) = text.split_once(&format!("--{}--\r\n", boundary.unwrap())).unwrap();
            assert_eq!(rest, "");
            body.replace(&format!("--{}\r\n", boundary.unwrap()), "--\r\n").replace("\r\n", "|")
        }
    }
}

#[test]
fn parts_have_types() {
    let file = "{file :string, filename? :string, type? :string}|{text :string, filename? :string, type? :string}|{hash :string, filename? :string, type? :string}";
    for (content, expected) in [
        (json!({}), ":any".to_string()),
        (
            json!({"schema": {"type": "object", "required": ["title", "photo"], "properties": {
                "title": {"type": "string"},
                "photo": {"$ref": "#/components/schemas/File"},
                "more": {"type": "array", "items": {"$ref": "#/components/schemas/File"}},
                "id": {"type": "integer", "readOnly": true},
            }}}),
            format!("{{title :string, photo {file} \"A picture\", more? [{file}], id? :int}}"),
        ),
        (
            json!({
                "encoding": {"d": {"contentType": "image/png, image/jpeg"}, "e": {"contentType": "text/csv"}, "f": {"contentType": "application/json"}},
                "schema": {"type": "object", "properties": {
                    "a": {"type": "string", "contentMediaType": "image/png"},
                    "b": {"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"},
                    "c": {},
                    "d": {"type": "string"},
                    "e": {"type": "string"},
                    "f": {"type": "object"},
                }},
            }),
            format!("{{a? {file}, b? :string, c :any?, d? {file}, e? :string, f? :map}}"),
        ),
        (
            json!({"schema": {
                "allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["note"]}],
                "properties": {"note": {"type": "string"}},
            }}),
            "{note :string, id :int}".to_string(),
        ),
    ] {
        let found = upload(&content).signature.to_string();
        assert_eq!(found, format!("(body {expected}) -> :any"), "{content}");
    }
    assert!(parts(&json!({"a": {"format": "binary"}})).takes_content());
    assert!(!parts(&json!({"a": {"type": "string"}})).takes_content());
}

#[test]
fn parts_have_headers() {
    let text = |name: &str, rest: &str| {
        format!("--|Content-Disposition: form-data; name=\"{name}\"|{rest}|")
    };
    let file = |name: &str, filename: &str, kind: &str, text: &str| {
        format!(
            "--|Content-Disposition: form-data; name=\"{name}\"; filename=\"{filename}\"|Content-Type: {kind}||{text}|"
        )
    };
    let binary = json!({"type": "string", "format": "binary"});
    let photo = upload(&json!({
        "schema": {"properties": {"p": binary, "all": {"type": "array", "items": binary}, "j": {"type": "array"}, "c": {"type": "string"}, "w": binary}},
        "encoding": {"p": {"contentType": "image/png"}, "j": {"contentType": "application/json"}, "c": {"contentType": "text/csv; charset=utf-8"}, "w": {"contentType": "image/*"}},
    }));
    for (body, expected) in [
        (json!({}), String::new()),
        (json!({"c": "a,b"}), text("c", "Content-Type: text/csv; charset=utf-8||a,b")),
        (json!({"j": [1, [2]]}), text("j", "Content-Type: application/json||[1,[2]]")),
        (
            json!({"x": [1, "two", null, {"d": 1}], "y": true, "z": null}),
            [
                text("x", "|1"),
                text("x", "|two"),
                text("x", "Content-Type: application/json||{\"d\":1}"),
                text("y", "|true"),
            ]
            .concat(),
        ),
        (json!({"p": {"file": "a/b.gif"}}), file("p", "b.gif", "image/png", "A/B.GIF")),
        (
            json!({"p": {"file": "b.gif", "type": "image/gif", "filename": "c"}}),
            file("p", "c", "image/gif", "B.GIF"),
        ),
        (json!({"w": {"file": "a.JPG"}}), file("w", "a.JPG", "image/jpeg", "A.JPG")),
        (json!({"w": {"file": "a"}}), file("w", "a", "application/octet-stream", "A")),
        (
            json!({"w": {"media_type": "image/png", "size": 1, "hash": "ab"}}),
            file("w", "file.png", "image/png", "AB"),
        ),
        (
            json!({"all": [{"text": "a"}, null, {"text": "é", "filename": "x \"y\" é.csv"}]}),
            [
                file("all", "file.txt", "text/plain", "a"),
                file("all", "x %22y%22 é.csv", "text/csv", "é"),
            ]
            .concat(),
        ),
        (json!({"a\\\"b": 1}), text("a%5C%22b", "|1")),
    ] {
        assert_eq!(sent(&photo, &body), expected, "{body}");
    }
    let filename = "error: the part `p` has a `filename` that is not the name of a file";
    let kind = "error: the part `p` has a `type` that is not a media type";
    let control = "error: the part `p` has a control character in its names";
    let one = "error: the part `p` needs one of `file`, `text` and `hash`";
    for (part, expected) in [
        (json!({"file": "missing.txt"}), "error: the part `p` is no file"),
        (json!({"file": "a", "text": "b"}), one),
        (json!({}), one),
        (json!("a.png"), one),
        (json!({"text": "", "filename": "a/b"}), filename),
        (json!({"text": "", "filename": "a\\b"}), filename),
        (json!({"text": "", "filename": ""}), filename),
        (json!({"text": "", "filename": "x".repeat(201)}), filename),
        (json!({"text": "", "filename": "a\r\nX: y"}), control),
        (json!({"text": "", "type": "text/plain\r\nX: y"}), kind),
        (json!({"text": "", "type": "image/*;a"}), kind),
        (json!({"text": "", "type": "text"}), kind),
        (json!({"text": "x".repeat(33 << 20)}), "error: the parts have more than 32 MiB"),
    ] {
        let cut: String = part.to_string().chars().take(80).collect();
        assert_eq!(sent(&photo, &json!({"p": part})), expected, "{cut}");
    }
    let injected = sent(&photo, &json!({"a\"\r\nX: y": 1}));
    assert_eq!(injected, "error: the part `a\"\nX: y` has a control character in its names");
    assert_eq!(sent(&photo, &json!([])), "error: the argument `body` is not a map");
    let none = photo.request(&json!({"body": {"p": {"hash": "a"}}}), Value::to_string);
    let message = "the part `p` cannot name a file or content here";
    assert_eq!(none.unwrap_err().to_string(), message);
}

/// A content that has a boundary cannot end its part.
#[test]
fn no_content_ends_its_part() {
    let operation = parts(&json!({"a": {"type": "string"}}));
    let body = |text: &str| {
        let args = json!({"body": {"a": text}});
        let content = operation.request(&args, Value::to_string).unwrap().content.unwrap();
        (content.media_type, String::from_utf8(content.bytes).unwrap())
    };
    let (kind, whole) = body("x\r\n--ptc-part-00000000--\r\n");
    assert_eq!(kind, "multipart/form-data; boundary=ptc-part-00000001");
    assert_eq!(
        whole,
        "--ptc-part-00000001\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--ptc-part-00000000--\r\n\r\n--ptc-part-00000001--\r\n"
    );
    let (_, nested) = body(&whole);
    assert!(nested.starts_with("--ptc-part-00000002\r\n"), "{nested}");
}
