//! The description of the API, made from the table of its routes.

use serde_json::{Map, Value, json};

use crate::route::{Content, Field, Route, Type};

/// The schemas of answers.
const SCHEMAS: &str = include_str!("schemas.json");

/// The problems that a request can get, besides those that any proxy makes.
const PROBLEMS: &[u16] = &[400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 503];

/// Returns the description of the API: OpenAPI 3.1 as JSON.
pub(crate) fn document(routes: &[Route]) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let is_page = |it: &Route| it.answers.iter().any(|(_, content)| *content == Content::Page);
    for route in routes.iter().filter(|it| !is_page(it)) {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_ascii_lowercase()] = operation(route);
    }
    // The text is a part of the crate, and a test reads it.
    let schemas: Value = serde_json::from_str(SCHEMAS).unwrap_or_default();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "ptc serve",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Agents that answer with programs, and their runs.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn operation(route: &Route) -> Value {
    let named = route.path.split('/').filter_map(|it| it.strip_prefix('{')?.strip_suffix('}'));
    let path = named.map(|name| {
        json!({"name": name, "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}})
    });
    let given = |place: &'static str, fields: &'static [Field]| {
        fields.iter().map(move |it| {
            json!({
                "name": it.name, "in": place, "required": it.is_required, "description": it.about,
                "schema": schema(it.ty),
            })
        })
    };
    let parameters: Vec<Value> =
        path.chain(given("query", route.query)).chain(given("header", route.headers)).collect();
    let mut responses: Map<String, Value> = Map::new();
    for (status, content) in route.answers {
        responses.insert(status.to_string(), answer(*content));
    }
    for status in PROBLEMS {
        responses.insert(status.to_string(), problem());
    }
    let mut operation = json!({
        "operationId": route.id,
        "summary": route.about,
        "tags": [tag(route.path)],
        "parameters": parameters,
        "responses": responses,
    });
    match route.action {
        None => operation["security"] = json!([]),
        Some(action) => operation["x-level"] = json!(action.as_str()),
    }
    if !route.body.is_empty() {
        let has_required = route.body.iter().any(|it| it.is_required);
        operation["requestBody"] = json!({
            "required": has_required,
            "content": {"application/json": {"schema": body(route)}},
        });
    }
    operation
}

/// Returns the part of the API that a path belongs to.
fn tag(path: &str) -> &str {
    path.strip_prefix("/v1/").and_then(|it| it.split('/').next()).unwrap_or("server")
}

fn body(route: &Route) -> Value {
    let property = |it: &Field| {
        let mut schema = schema(it.ty);
        schema["description"] = json!(it.about);
        (it.name.to_string(), schema)
    };
    let properties: Map<String, Value> = route.body.iter().map(property).collect();
    let required = route.body.iter().filter(|it| it.is_required);
    let required: Vec<&str> = required.map(|it| it.name).collect();
    json!({
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": false,
    })
}

fn schema(ty: Type) -> Value {
    match ty {
        Type::Text => json!({"type": "string"}),
        // Clients of other languages have no larger whole numbers.
        Type::Whole(most) => {
            json!({"type": "integer", "minimum": 0, "maximum": most.min(i64::MAX.cast_unsigned())})
        }
        Type::Flag => json!({"type": "boolean"}),
        Type::Object => json!({"type": "object"}),
        Type::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Type::Objects => json!({
            "oneOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}],
        }),
        Type::Any => json!({}),
    }
}

fn answer(content: Content) -> Value {
    let (about, content) = match content {
        Content::Json(name) => {
            let schema = json!({"$ref": format!("#/components/schemas/{name}")});
            ("The answer.", json!({"application/json": {"schema": schema}}))
        }
        Content::Events => {
            ("Server-sent events.", json!({"text/event-stream": {"schema": {"type": "string"}}}))
        }
        Content::Text => ("A text.", json!({"text/plain": {"schema": {"type": "string"}}})),
        Content::Nothing | Content::Page => return json!({"description": "Nothing."}),
    };
    json!({"description": about, "content": content})
}

fn problem() -> Value {
    let schema = json!({"$ref": "#/components/schemas/Problem"});
    json!({
        "description": "The reason that the request is refused.",
        "content": {"application/problem+json": {"schema": schema}},
    })
}
