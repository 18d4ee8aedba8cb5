//! Operations of documents: signatures, requests, and errors.

use ptc_openapi::{Document, Endpoint, Error, Given, Operation, Types};
use serde_json::{Value, json};

/// Returns a document with one operation, `POST /x{suffix}`, that has these keys.
pub(crate) fn document(suffix: &str, operation: &Value) -> Value {
    json!({"openapi": "3.1.0", "paths": {format!("/x{suffix}"): {"post": operation}}})
}

pub(crate) fn first(document: &Value) -> Result<Operation, Error> {
    let document = Document::parse(&document.to_string())?;
    let endpoints = document.endpoints()?;
    let (headers, query) = (vec!["x-key".to_string()], vec!["api_key".to_string()]);
    let given = Given { headers, query, files: true };
    document.operation(&endpoints[0], &given)
}

fn names(document: &Value) -> Result<Vec<String>, Error> {
    let document = Document::parse(&document.to_string())?;
    Ok(document.endpoints()?.iter().map(|it: &Endpoint| it.name().to_string()).collect())
}

/// Returns a request as lines: the target, the headers except `Accept: */*`, and the body.
pub(crate) fn request(operation: &Operation, args: &Value) -> String {
    match operation.request(args, Value::to_string) {
        Err(error) => format!("error: {error}"),
        Ok(request) => {
            let mut lines = vec![request.target.clone()];
            let headers =
                request.headers.iter().filter(|(name, value)| name != "accept" || value != "*/*");
            lines.extend(headers.map(|(name, value)| format!("{name}: {value}")));
            lines.extend(
                request.content.map(|it| {
                    format!("{} {}", it.media_type, String::from_utf8(it.bytes).unwrap())
                }),
            );
            lines.join("\n")
        }
    }
}

#[test]
fn parameters_have_styles() {
    let list = json!(["a b", "c/d", 1]);
    let map = json!({"R": 100, "G": "x,y", "none": null});
    for (place, keys, value, expected) in [
        ("path", json!({}), json!("a/b?c#d é"), "/x/a%2Fb%3Fc%23d%20%C3%A9"),
        ("path", json!({}), json!(7), "/x/7"),
        ("path", json!({}), json!(true), "/x/true"),
        ("path", json!({}), list.clone(), "/x/a%20b,c%2Fd,1"),
        ("path", json!({}), map.clone(), "/x/R,100,G,x%2Cy"),
        ("path", json!({"explode": true}), map.clone(), "/x/R=100,G=x%2Cy"),
        ("path", json!({"style": "label"}), json!("a"), "/x/.a"),
        ("path", json!({"style": "label"}), list.clone(), "/x/.a%20b,c%2Fd,1"),
        ("path", json!({"style": "label", "explode": true}), list.clone(), "/x/.a%20b.c%2Fd.1"),
        ("path", json!({"style": "matrix"}), json!(5), "/x/;p=5"),
        ("path", json!({"style": "matrix"}), list.clone(), "/x/;p=a%20b,c%2Fd,1"),
        (
            "path",
            json!({"style": "matrix", "explode": true}),
            list.clone(),
            "/x/;p=a%20b;p=c%2Fd;p=1",
        ),
        ("path", json!({"style": "matrix", "explode": true}), map.clone(), "/x/;R=100;G=x%2Cy"),
        (
            "path",
            json!({}),
            json!(".."),
            "error: an argument cannot be empty, `.` or `..` in a path",
        ),
        ("path", json!({}), json!(""), "error: an argument cannot be empty, `.` or `..` in a path"),
        ("path", json!({}), json!("%2e%2e"), "/x/%252e%252e"),
        ("path", json!({}), json!("..\\"), "/x/..%5C"),
        ("path", json!({}), json!(null), "error: the argument `p` is missing"),
        ("query", json!({}), json!("a&b=c"), "/x?p=a%26b%3Dc"),
        ("query", json!({}), json!(1.5), "/x?p=1.5"),
        ("query", json!({}), json!(null), "/x"),
        ("query", json!({}), json!([]), "/x"),
        ("query", json!({}), list.clone(), "/x?p=a%20b&p=c%2Fd&p=1"),
        ("query", json!({"explode": false}), list.clone(), "/x?p=a%20b,c%2Fd,1"),
        ("query", json!({"explode": false}), json!([]), "/x"),
        ("query", json!({"style": "spaceDelimited"}), list.clone(), "/x?p=a%20b%20c%2Fd%201"),
        ("query", json!({"style": "pipeDelimited"}), list.clone(), "/x?p=a%20b%7Cc%2Fd%7C1"),
        ("query", json!({}), map.clone(), "/x?R=100&G=x%2Cy"),
        ("query", json!({"explode": false}), map.clone(), "/x?p=R,100,G,x%2Cy"),
        ("query", json!({"style": "deepObject"}), map.clone(), "/x?p%5BR%5D=100&p%5BG%5D=x%2Cy"),
        (
            "query",
            json!({"style": "deepObject"}),
            json!({"a": {"b": [1, 2]}, "c]": [{"d": 3}]}),
            "/x?p%5Ba%5D%5Bb%5D%5B%5D=1&p%5Ba%5D%5Bb%5D%5B%5D=2&p%5Bc%5D%5D%5B0%5D%5Bd%5D=3",
        ),
        (
            "query",
            json!({"content": {"application/json": {}}}),
            list.clone(),
            "/x?p=%5B%22a%20b%22%2C%22c%2Fd%22%2C1%5D",
        ),
        ("header", json!({}), json!("a b"), "/x\np: a b"),
        ("header", json!({}), list.clone(), "/x\np: a b,c/d,1"),
        ("header", json!({}), map.clone(), "/x\np: R,100,G,x,y"),
        ("header", json!({"explode": true}), map, "/x\np: R=100,G=x,y"),
        (
            "header",
            json!({}),
            json!("a\r\nb: c"),
            "error: the argument `p` has a control character",
        ),
        ("cookie", json!({}), json!("a;b"), "/x\ncookie: p=a%3Bb"),
        ("cookie", json!({"explode": false}), list, "/x\ncookie: p=a%20b,c%2Fd,1"),
    ] {
        let mut parameter = json!({"name": "p", "in": place});
        parameter.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        let suffix = if place == "path" { "/{p}" } else { "" };
        let operation = first(&document(suffix, &json!({"parameters": [parameter]}))).unwrap();
        assert_eq!(request(&operation, &json!({"p": value})), expected, "{place} {keys} {value}");
    }
}

#[test]
fn several_arguments_make_one_request() {
    let operation = first(&json!({
        "openapi": "3.0.3",
        "paths": {"/teams/{team}/users/{id}.json": {
            "parameters": [
                {"$ref": "#/components/parameters/team"},
                {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
            ],
            "post": {
                "summary": "Changes a user",
                "description": "Only for administrators.",
                "deprecated": true,
                "parameters": [
                    {"name": "id", "in": "path", "required": true, "description": "The user", "schema": {"type": "integer"}},
                    {"name": "id", "in": "query", "schema": {"type": "string"}},
                    {"name": "filter[name]", "in": "query", "schema": {"type": "string", "nullable": true}},
                    {"name": "_page", "in": "query", "schema": {"$ref": "#/components/schemas/Page"}},
                    {"name": "$", "in": "query"},
                    {"name": "X-Trace", "in": "header", "required": true, "schema": {"type": "string"}},
                    {"name": "X-Key", "in": "header", "required": true, "schema": {"type": "string"}},
                    {"name": "Authorization", "in": "header", "required": true, "schema": {"type": "string"}},
                    {"name": "api_key", "in": "query", "required": true, "schema": {"type": "string"}},
                    {"name": "a", "in": "cookie"},
                    {"name": "b", "in": "cookie"},
                ],
                "requestBody": {"required": true, "content": {
                    "application/xml": {},
                    "application/merge-patch+json; charset=utf-8": {"schema": {"$ref": "#/components/schemas/User"}},
                }},
                "responses": {
                    "200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}},
                    "204": {"description": "nothing"},
                    "404": {"description": "", "content": {"application/json": {"schema": {"type": "boolean"}}}},
                },
            },
        }},
        "components": {
            "parameters": {"team": {"name": "team", "in": "path", "required": true, "schema": {"type": "string"}}},
            "schemas": {
                "Page": {"type": "integer", "description": "From 1", "minimum": 1},
                "User": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "integer", "readOnly": true},
                        "name": {"type": "string"},
                        "boss": {"$ref": "#/components/schemas/User"},
                    },
                    "required": ["id", "name"],
                },
            },
        },
    }))
    .unwrap();
    assert_eq!(
        operation.signature.to_string(),
        "(team :string, id :int \"The user\", X-Trace :string, body {id? :int, name :string, boss :any?}, query_id? :string, filter_name :string?, page? :int[1..] \"From 1\", query :any?, a :any?, b :any?) -> {id :int, name :string, boss :any?}?"
    );
    assert_eq!(
        operation.description.as_deref(),
        Some("Deprecated. Changes a user\nOnly for administrators.")
    );
    let args = json!({
        "team": "a/b", "id": 7, "X-Trace": "t", "body": {"name": "Ann"}, "query_id": "q",
        "filter_name": "f", "page": 2, "query": 1, "a": 1, "b": 2,
    });
    assert_eq!(
        request(&operation, &args),
        "/teams/a%2Fb/users/7.json?id=q&filter%5Bname%5D=f&_page=2&%24=1\naccept: application/json\nX-Trace: t\ncookie: a=1; b=2\napplication/merge-patch+json {\"name\":\"Ann\"}"
    );
    let without = json!({"team": "a", "id": 7, "X-Trace": "t"});
    assert_eq!(request(&operation, &without), "error: the argument `body` is missing");
    let more = json!({"team": "a", "id": 7, "X-Trace": "t", "body": {}, "ids": 1});
    assert_eq!(
        request(&operation, &more),
        "error: has no parameter for the argument `ids`: it takes `team`, `id`, `query_id`, `filter_name`, `page`, `query`, `X-Trace`, `a`, `b`, `body`"
    );
}

#[test]
fn bodies_have_media_types() {
    let form = "application/x-www-form-urlencoded";
    let fields = json!({"a": "x y", "b": [1, 2], "c": {"d": 1}, "e": null});
    let deep = json!({form: {"encoding": {"c": {"style": "deepObject"}, "b": {"style": "form", "explode": false}}}});
    for (content, body, expected) in [
        (
            json!({"application/json": {}}),
            json!([1, null]),
            "application/json [1,null]".to_string(),
        ),
        (json!({"*/*": {}}), json!(1), "application/json 1".to_string()),
        (
            json!({"multipart/form-data": {}, "text/*": {}}),
            json!("hello"),
            "text/plain hello".to_string(),
        ),
        (json!({"text/csv; header=present": {}}), json!("a,b"), "text/csv a,b".to_string()),
        (
            json!({form: {}, "text/plain": {}}),
            fields.clone(),
            format!("{form} a=x%20y&b=1&b=2&c=%7B%22d%22%3A1%7D"),
        ),
        (deep, fields, format!("{form} a=x%20y&b=1,2&c%5Bd%5D=1")),
    ] {
        let operation =
            first(&document("", &json!({"requestBody": {"content": content}}))).unwrap();
        let found = request(&operation, &json!({"body": body}));
        assert_eq!(found, format!("/x\n{expected}"), "{content}");
        assert_eq!(request(&operation, &json!({"body": null})), "/x", "{content}");
    }
}

#[test]
fn results_have_types() {
    let (json, int, text) =
        ("application/json", json!({"type": "integer"}), json!({"type": "string"}));
    let of = |content: Value| json!({"description": "", "content": content});
    for (responses, expected, accept) in [
        (json!({}), ":any", "*/*"),
        (json!({"204": of(json!({}))}), ":any", "*/*"),
        (json!({"200": of(json!({json: {"schema": int}, "text/html": {}}))}), ":int", json),
        (json!({"default": of(json!({json: {"schema": int}}))}), ":int", json),
        (
            json!({"200": of(json!({json: {"schema": int}})), "default": of(json!({json: {"schema": text}}))}),
            ":int",
            json,
        ),
        (json!({"200": of(json!({json: {"schema": int}})), "202": of(json!({}))}), ":int?", json),
        (
            json!({"200": of(json!({json: {"schema": int}})), "2XX": of(json!({"text/plain": {}}))}),
            ":int|:string",
            "application/json, text/plain",
        ),
        (json!({"200": of(json!({json: {}}))}), ":any", json),
        (json!({"200": of(json!({"image/png": {}}))}), ":any", "image/png"),
        (
            json!({"200": of(json!({"text/html": {"schema": {"type": "object"}}}))}),
            ":string",
            "text/html",
        ),
    ] {
        let operation = first(&document("", &json!({"responses": responses}))).unwrap();
        assert_eq!(operation.signature.to_string(), format!("() -> {expected}"), "{responses}");
        let request = operation.request(&json!({}), Value::to_string).unwrap();
        assert_eq!(request.headers, [("accept".to_string(), accept.to_string())], "{responses}");
    }
}

#[test]
fn operations_have_names_and_servers() {
    let api = json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://{host}/v{n}", "variables": {"host": {"default": "api.example.com"}, "n": {"default": "2"}}}],
        "paths": {
            "/a/{b}": {"get": {}, "delete": {"operationId": "get_a_b"}, "x-more": {}},
            "/a-b": {"get": {}, "servers": [{"url": "/other"}]},
            "/": {"get": {"operationId": " root "}, "trace": {}},
            "x-paths": {"get": {}},
            "/ref": {"$ref": "#/components/pathItems/p"},
        },
        "components": {"pathItems": {"p": {"put": {"servers": [{"url": "https://else.example.com"}]}}}},
    });
    assert_eq!(
        names(&api),
        Ok(["get_a_b_2", "get_a_b", "get_a_b_3", "root", "put_ref"].map(str::to_string).to_vec())
    );
    let document = Document::parse(&api.to_string()).unwrap();
    let servers: Vec<String> = document.endpoints().unwrap()[2..]
        .iter()
        .map(|it| document.operation(it, &Given::default()).unwrap().server.unwrap())
        .collect();
    assert_eq!(servers, ["/other", "https://api.example.com/v2", "https://else.example.com"]);
}

#[test]
fn malformed_documents_and_operations_are_errors() {
    let of = |operation: Value| document("/{p}", &operation);
    let parameter = |keys: Value| of(json!({"parameters": [keys]}));
    let p = json!({"name": "p", "in": "path"});
    for (api, expected) in [
        (json!({}), "has no key `openapi`"),
        (
            json!({"swagger": "2.0"}),
            "is a Swagger document of version 2 (convert it to OpenAPI 3.0 or 3.1)",
        ),
        (
            json!({"openapi": "4.0"}),
            "has version 4.0 of OpenAPI (the supported versions are 3.0 and 3.1)",
        ),
        (json!({"openapi": 3.1, "paths": []}), "has `paths` that are not a map"),
        (
            json!({"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "x"}, "put": {"operationId": "x"}}}}),
            "has two operations named `x` (change the `operationId` of one of them)",
        ),
        (
            json!({"openapi": "3.1.0", "paths": {"/a": {"$ref": "other.yaml#/a"}}}),
            "refers to `other.yaml#/a`, which is another document (bundle all documents into one file)",
        ),
        (
            json!({"openapi": "3.1.0", "paths": {"/a": {"$ref": "#/paths/~1b"}}}),
            "has the path `/a`, which refers to `#/paths/~1b`, which does not exist",
        ),
        (
            json!({"openapi": "3.1.0", "paths": {"/a": {"$ref": "#/paths/~1a"}}}),
            "has the path `/a`, which refers to itself",
        ),
        (json!({"openapi": "3.1.0", "paths": {"/a": {"get": 1}}}), "is not a map"),
        (
            json!({"openapi": "3.1.0", "paths": {"/a": {"get": {}}}, "servers": [{}]}),
            "has a server without `url`",
        ),
        (
            json!({"openapi": "3.1.0", "paths": {"/a": {"get": {}}}, "servers": [{"url": "/{v}"}]}),
            "has a server whose variable has no default: `v`",
        ),
        (
            json!({"openapi": "3.1.0", "paths": {"a": {"get": {}}}}),
            "has a path that is none: `a` (a path begins with `/`, and has no query)",
        ),
        (
            json!({"openapi": "3.1.0", "paths": {"/a?b=c": {"get": {}}}}),
            "has a path that is none: `/a?b=c` (a path begins with `/`, and has no query)",
        ),
        (
            json!({"openapi": "3.1.0", "paths": {"/a/../b": {"get": {}}}}),
            "has a path with dots as a part: `/a/../b`",
        ),
        (of(json!({})), "has no path parameter for `{p}`"),
        (of(json!({"parameters": {}})), "has `parameters` that are not a list"),
        (
            of(json!({"parameters": [p, {"name": "q", "in": "path"}]})),
            "has the path parameter `q`, which its path lacks",
        ),
        (parameter(json!({"in": "path"})), "has a parameter without `name`"),
        (
            parameter(json!({"name": "p", "in": "body"})),
            "has the parameter `p` in `body` (a parameter is in path, query, header or cookie)",
        ),
        (
            parameter(json!({"name": "p", "in": "path", "style": "form"})),
            "has the parameter `p` with the style `form`, which a path parameter cannot have",
        ),
        (
            parameter(json!({"name": "p", "in": "path", "content": {"text/xml": {}}})),
            "has the parameter `p` of the type `text/xml`, which is not supported",
        ),
        (parameter(json!({"$ref": "#/x"})), "refers to `#/x`, which does not exist"),
        (
            of(
                json!({"parameters": [p], "requestBody": {"content": {"application/octet-stream": {}, "image/png": {}}}}),
            ),
            "takes a body of `application/octet-stream`, `image/png` only (supported are JSON, forms and text)",
        ),
        (
            of(
                json!({"parameters": [p], "requestBody": {"$ref": "#/paths"}, "responses": {"200": {"$ref": "#/y"}}}),
            ),
            "refers to `#/y`, which does not exist",
        ),
    ] {
        let found = first(&api).map(|it| it.signature.to_string()).unwrap_err();
        let help = found.help().map(|it| format!(" ({it})")).unwrap_or_default();
        assert_eq!(format!("{found}{help}"), expected, "{api}");
    }
    let check = |text: &str, expected: &str| {
        assert_eq!(Document::parse(text).unwrap_err().to_string(), expected, "{text}");
    };
    check("{\"openapi\": ", "is not JSON: EOF while parsing a value at line 1 column 12");
    check("a: [", "is not YAML: unclosed bracket '[' at line 1");
    check("text", "has no key `openapi`");
}

/// Deep and wide documents end soon, and without an overflow.
#[test]
fn work_is_bounded() {
    let schema = |i: usize| {
        let next = json!({"$ref": format!("#/components/schemas/s{}", i + 1)});
        (format!("s{i}"), json!({"type": "object", "properties": {"a": next, "b": next}}))
    };
    let schemas: serde_json::Map<String, Value> = (0..60).map(schema).collect();
    let mut api = document(
        "",
        &json!({
            "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/s0"}}}},
            "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/s0"}}}}},
        }),
    );
    api["components"] = json!({"schemas": schemas});
    assert!(first(&api).unwrap().signature.to_string().len() < 200_000);
    let hops: serde_json::Map<String, Value> = (0..40)
        .map(|i| (format!("p{i}"), json!({"$ref": format!("#/components/parameters/p{}", i + 1)})))
        .collect();
    let mut api = document("", &json!({"parameters": [{"$ref": "#/components/parameters/p0"}]}));
    api["components"] = json!({"parameters": hops});
    assert_eq!(first(&api).unwrap_err().to_string(), "refers to itself");
    let paths: serde_json::Map<String, Value> = (0..10_001)
        .map(|i| (format!("/{}", "-".repeat(i % 100) + &i.to_string()), json!({"get": {}})))
        .collect();
    let api = json!({"openapi": "3.0.0", "paths": paths});
    assert_eq!(names(&api).unwrap_err().to_string(), "has more than 10000 operations");
    let many: Vec<Value> =
        (0..1_001).map(|i| json!({"name": i.to_string(), "in": "query"})).collect();
    let error = first(&document("", &json!({"parameters": many}))).unwrap_err();
    assert_eq!(error.to_string(), "has more than 1000 parameters");
}

/// Reads operations until their types are too large. Returns the number of operations, and the error.
fn read_all(document: &Value) -> (usize, Option<String>) {
    let document = Document::parse(&document.to_string()).unwrap();
    let mut types = Types::default();
    for (at, endpoint) in document.endpoints().unwrap().iter().enumerate() {
        let operation = document.operation_of(endpoint, &Given::default(), &mut types).unwrap();
        if at < 2 {
            let alone = document.operation(endpoint, &Given::default()).unwrap();
            assert_eq!(operation.signature, alone.signature);
        }
        if let Err(error) = Document::check_size(&types) {
            return (at + 1, Some(error.to_string()));
        }
    }
    (document.endpoints().unwrap().len(), None)
}

/// A small document can name a large schema in each of its operations.
#[test]
fn types_that_operations_share_have_a_bound() {
    let fields: serde_json::Map<String, Value> =
        (0..250).map(|i| (format!("field{i:0100}"), json!({"type": "string"}))).collect();
    let large = json!({"type": "object", "properties": fields});
    let content = json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/large"}}}});
    let with = |count: usize, operation: Value| {
        let paths: serde_json::Map<String, Value> =
            (0..count).map(|i| (format!("/x{i}"), json!({"post": operation}))).collect();
        json!({"openapi": "3.1.0", "paths": paths, "components": {"schemas": {"large": large}}})
    };
    let body = json!({"requestBody": content});
    let result = json!({"responses": {"200": content}});
    let error = Some("has operations whose types are longer than 8 MiB".to_string());
    assert_eq!(read_all(&with(100, body.clone())), (100, None));
    assert_eq!(read_all(&with(600, body)), (482, error.clone()));
    assert_eq!(read_all(&with(600, result)), (482, error));
}
