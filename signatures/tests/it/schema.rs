//! Tests of converting types to JSON Schema and back.

use ptc_signatures::schema::{MAX_DEPTH, MAX_NOTES, Note};
use ptc_signatures::{Signature, Type, check};
use serde_json::{Value, json};

fn notes(notes: &[Note]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

/// Reads a schema, and asserts the type's text and the notes.
fn check_read(schema: &Value, ty: &str, expected: &[&str]) {
    let (found, lost) = Type::from_schema(schema);
    assert_eq!(found.to_string(), ty, "{schema}");
    assert_eq!(notes(&lost), expected, "{schema}");
    assert_eq!(ty.parse(), Ok(found), "{schema}");
}

/// Writes a type as a schema, asserts the schema, and asserts that it reads back without a note.
fn check_both(ty: &str, schema: &Value) {
    let parsed: Type = ty.parse().expect(ty);
    assert_eq!(parsed.to_schema().to_string(), schema.to_string(), "{ty}");
    check_read(schema, ty, &[]);
}

#[test]
fn types_are_written_and_read() {
    for (ty, schema) in [
        (":any", json!({})),
        (":bool", json!({"type": "boolean"})),
        (":int[-5..]", json!({"type": "integer", "minimum": -5})),
        (":float[0..0.5]", json!({"type": "number", "minimum": 0.0, "maximum": 0.5})),
        (":string[1..80]", json!({"type": "string", "minLength": 1, "maxLength": 80})),
        (":map", json!({"type": "object"})),
        ("{}", json!({"type": "object", "properties": {}})),
        (":enum[low \"in progress\"]", json!({"type": "string", "enum": ["low", "in progress"]})),
        ("[:int][..3]", json!({"type": "array", "items": {"type": "integer"}, "maxItems": 3})),
        (":string?", json!({"type": ["string", "null"]})),
        (":enum[a]?", json!({"type": ["string", "null"], "enum": ["a", null]})),
        (":bool|:int", json!({"anyOf": [{"type": "boolean"}, {"type": "integer"}]})),
        (
            ":bool|:int?",
            json!({"anyOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "null"}]}),
        ),
        (
            "{z :int \"last\", a :any?, :\"b c\" {x :int}?}",
            json!({
                "type": "object",
                "properties": {
                    "z": {"type": "integer", "description": "last"},
                    "a": {},
                    "b c": {
                        "type": ["object", "null"],
                        "properties": {"x": {"type": "integer"}},
                        "required": ["x"],
                    },
                },
                "required": ["z"],
            }),
        ),
    ] {
        check_both(ty, &schema);
    }
    let datetime = Type::Datetime.to_schema();
    check_read(&datetime, ":datetime", &[]);
    check_read(&Type::Keyword.to_schema(), ":string", &[]);
}

#[test]
fn strict_schemas_take_no_other_fields() {
    let ty: Type = "{a {b :int}, c :map, d {}}".parse().expect("a type");
    let closed = json!({
        "type": "object",
        "properties": {
            "a": {
                "type": "object",
                "properties": {"b": {"type": "integer"}},
                "required": ["b"],
                "additionalProperties": false,
            },
            "c": {"type": "object"},
            "d": {"type": "object", "properties": {}},
        },
        "required": ["a", "c", "d"],
        "additionalProperties": false,
    });
    assert_eq!(ty.to_strict_schema(), closed);
    let none: Signature = "() -> :any".parse().expect("a signature");
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(none.strict_input_schema(), nothing);
    assert_eq!(none.strict_output_schema(), json!({}));
}

#[test]
fn empty_hand_built_types_accept_nothing() {
    let not = json!({"not": {}});
    for ty in [Type::Enum(vec![]), Type::Union(vec![])] {
        assert_eq!(ty.to_schema(), not);
    }
    let nested = Type::Optional(Box::new(Type::Optional(Box::new(Type::Bool))));
    assert_eq!(
        nested.to_schema(),
        json!({"anyOf": [{"type": ["boolean", "null"]}, {"type": "null"}]}),
    );
}

#[test]
fn scalars_of_servers() {
    for (schema, ty, lost) in [
        (json!(true), ":any", vec![]),
        (json!(false), ":any", vec!["#: accepts nothing; no type expresses that"]),
        (json!(7), ":any", vec!["#: is not a schema"]),
        (json!({"type": "null"}), ":any", vec!["#: accepts only null; no type expresses that"]),
        (json!({"type": "text"}), ":any", vec!["#: there is no type `text`"]),
        (json!({"type": 3}), ":any", vec!["#: `type` is neither a string nor a list of strings"]),
        (json!({"type": ["string", "integer", "null"]}), ":string|:int?", vec![]),
        (json!({"type": "string", "nullable": true}), ":string?", vec![]),
        (json!({"type": "string", "format": "date-time"}), ":datetime", vec![]),
        (
            json!({"type": "string", "format": "date"}),
            ":datetime",
            vec!["#: `format` `date` is read as `:datetime`, which may have a time"],
        ),
        (
            json!({"type": "string", "format": "email", "pattern": "@", "maxLength": 9}),
            ":string[..9]",
            vec!["#: `pattern` is not checked", "#: `format` `email` is not checked"],
        ),
        (json!({"type": "integer", "format": "int64", "minimum": 0}), ":int[0..]", vec![]),
        (json!({"type": "integer", "minimum": 0.5, "exclusiveMaximum": 10}), ":int[1..9]", vec![]),
        (json!({"type": "integer", "maximum": 5, "exclusiveMaximum": true}), ":int[..4]", vec![]),
        (
            json!({"type": "integer", "maximum": u64::MAX}),
            ":int",
            vec!["#: `maximum` is beyond 64 bits and is not checked"],
        ),
        (
            json!({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}),
            ":float[0..]",
            vec![
                "#: `multipleOf` is not checked",
                "#: an exclusive bound of a `number` is accepted too",
            ],
        ),
        (
            json!({"type": "string", "minLength": 5, "maxLength": 1}),
            ":string",
            vec!["#: the bounds exclude every value and are not checked"],
        ),
        (json!({"minLength": 1}), ":string[1..]", vec!["#: has no `type`; it is read as `string`"]),
        (
            json!({"minLength": 1, "minimum": 1}),
            ":any",
            vec!["#: has no `type`, and keywords of several; they are not checked"],
        ),
        (json!({"title": "anything", "default": 1}), ":any", vec![]),
    ] {
        check_read(&schema, ty, &lost);
    }
}

#[test]
fn values_of_servers() {
    for (schema, ty, lost) in [
        (json!({"const": "a"}), ":enum[a]", vec![]),
        (json!({"const": 3}), ":int[3..3]", vec![]),
        (json!({"const": 0.5}), ":float[0.5..0.5]", vec![]),
        (json!({"enum": ["a b", "c", null, "c"]}), ":enum[\"a b\" c]?", vec![]),
        (json!({"type": "string", "enum": ["a", null, 3]}), ":enum[a]", vec![]),
        (json!({"type": "integer", "enum": [1, 2, 3, 7]}), ":int[1..3]|:int[7..7]", vec![]),
        (json!({"enum": [true, false]}), ":bool", vec![]),
        (
            json!({"const": true}),
            ":bool",
            vec!["#: `const` allows one of true and false; both are accepted"],
        ),
        (
            json!({"enum": [{"a": 1}, [1], "x"]}),
            ":enum[x]|:map|[:any]",
            vec!["#: a list or map in `enum` is not compared"],
        ),
        (json!({"enum": []}), ":any", vec!["#: accepts nothing; no type expresses that"]),
        (json!({"const": null}), ":any", vec!["#: accepts only null; no type expresses that"]),
        (
            json!({"type": "integer", "enum": (0..40).step_by(2).collect::<Vec<_>>()}),
            ":int[0..38]",
            vec!["#: `enum` has too many numbers; all between them are accepted"],
        ),
        (json!({"type": "string", "minLength": 2, "enum": ["a", "bb"]}), ":enum[bb]", vec![]),
        (
            json!({"type": "integer", "enum": ["a"]}),
            ":int",
            vec!["#: `enum` contradicts the other keywords and is not checked"],
        ),
    ] {
        check_read(&schema, ty, &lost);
    }
}

#[test]
fn lists_and_maps_of_servers() {
    for (schema, ty, lost) in [
        (json!({"type": "array"}), "[:any]", vec![]),
        (
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true}),
            "[:string][1..]",
            vec!["#: `uniqueItems` is not checked"],
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}),
            "[:string|:int][..2]",
            vec!["#: the positions of `prefixItems` are not distinguished"],
        ),
        (
            json!({"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "boolean"}}),
            "[:string|:bool]",
            vec!["#: the positions of `items` are not distinguished"],
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}]}),
            "[:any]",
            vec!["#: the positions of `prefixItems` are not distinguished"],
        ),
        (
            json!({"type": "object", "properties": {"$id": {"type": "string"}, "b": true}, "required": ["b", "c"], "additionalProperties": false}),
            "{:\"$id\"? :string, b :any, c :any}",
            vec!["#: other fields are accepted too; the mode `strict` refuses them"],
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1}),
            ":map",
            vec![
                "#: `minProperties` is not checked",
                "#: `additionalProperties`: the values of other fields are not checked",
            ],
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": ["integer", "null"]}}, "required": ["a"]}),
            "{a :int?}",
            vec!["#/properties/a: is required and may be null; here it may be absent too"],
        ),
        (
            json!({"type": "object", "properties": {"_a": true, "b/c": {"format": "uri", "type": "string"}}, "required": ["_a"]}),
            "{_a :any, :\"b/c\"? :string}",
            vec![
                "#/properties/_a: is hidden from the model, because its name starts with `_`, and it is required",
                "#/properties/b~1c: `format` `uri` is not checked",
            ],
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": true}),
            "{a :int, ..}",
            vec![],
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "patternProperties": {"^x-": true}}),
            "{a :int, ..}",
            vec!["#: `patternProperties` is not checked"],
        ),
        (
            json!({"allOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": {}},
                {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]},
            ]}),
            "{a :int, b :int, ..}",
            vec![],
        ),
        (
            json!({"properties": {"a": {"type": "integer"}}}),
            "{a? :int}",
            vec!["#: has no `type`; it is read as `object`"],
        ),
    ] {
        check_read(&schema, ty, &lost);
    }
    let long = "x".repeat(2_000);
    let schema = json!({"type": "object", "properties": {"a": {"description": long}}});
    let cut = format!("{{a :any? \"{}…\"}}", "x".repeat(1_000));
    check_read(&schema, &cut, &["#/properties/a: the description is cut after 1000 characters"]);
}

/// A default is a sentence of the description.
#[test]
fn defaults_are_described() {
    let long = "x".repeat(99);
    let schema = json!({"type": "object", "properties": {
        "limit": {"type": "integer", "default": 20},
        "order": {"type": "string", "description": "The order", "default": "new"},
        "all": {"type": "boolean", "description": "Whether to list all.", "default": false},
        "tags": {"type": "array", "items": {"type": "string"}, "default": ["a", "b"]},
        "page": {"type": ["integer", "null"], "default": null},
        "note": {"type": "string", "default": long},
    }});
    let ty = r#"{limit? :int "The default is 20.",
        order? :string "The order. The default is \"new\".",
        all? :bool "Whether to list all. The default is false.",
        tags? [:string] "The default is [\"a\",\"b\"].",
        page :int?, note? :string}"#;
    let ty: Type = ty.parse().unwrap();
    check_read(&schema, &ty.to_string(), &[]);
}

#[test]
fn schema_parts_are_merged() {
    let a = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    for (schema, ty, lost) in [
        (
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}),
            ":string|:int?",
            vec![],
        ),
        (json!({"oneOf": [{"const": "a"}, {"const": "b", "title": "B"}]}), ":enum[a b]", vec![]),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            ":int|:float",
            vec!["#: `oneOf` is read as `anyOf`"],
        ),
        (json!({"anyOf": [{}, {"type": "integer"}]}), ":any", vec![]),
        (
            json!({"allOf": [a, {"type": "object", "properties": {"b": {"type": "string"}, "a": {"minimum": 3, "type": "integer"}}}]}),
            "{a :int[3..], b? :string}",
            vec![],
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                   "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
            "{a :int, b? :int}|{a? :int, b :int}",
            vec![],
        ),
        (
            json!({"allOf": [{"type": "string"}, {"type": "integer"}]}),
            ":string",
            vec!["#: `allOf` contradicts the other keywords and is not checked"],
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "allOf": [{"required": ["a"]}]}),
            "{a :string?}",
            vec![],
        ),
        (
            json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "not": {"type": "string"}}),
            ":any",
            vec!["#: `not` is not checked", "#: `if` is not checked"],
        ),
    ] {
        check_read(&schema, ty, &lost);
    }
}

#[test]
fn references_stay_in_the_document() {
    let defs = json!({
        "Id": {"type": "integer", "minimum": 1},
        "a/b c": {"type": "boolean"},
        "Named": {"$anchor": "named", "type": "string"},
        "Tree": {
            "type": "object",
            "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        },
    });
    for (reference, ty, lost) in [
        ("#/$defs/Id", "{x :int[1..]}", vec![]),
        ("#/$defs/a~1b%20c", "{x :bool}", vec![]),
        ("#named", "{x :string}", vec![]),
        ("https://example.com/root#/$defs/Id", "{x :int[1..]}", vec![]),
        (
            "#/$defs/Tree",
            "{x {children? [:any]}}",
            vec![
                "#/properties/x/$ref/properties/children/items: `#/$defs/Tree` contains itself; from here on it is `:any`",
            ],
        ),
        ("#", "{x :any}", vec!["#/properties/x: `#` contains itself; from here on it is `:any`"]),
        ("#/$defs/Nope", "{x :any}", vec!["#/properties/x: `#/$defs/Nope` does not exist"]),
        ("#%zz", "{x :any}", vec!["#/properties/x: `#%zz` does not exist"]),
        (
            "https://example.com/other",
            "{x :any}",
            vec!["#/properties/x: `https://example.com/other` is in another document"],
        ),
    ] {
        let schema = json!({
            "$id": "https://example.com/root",
            "$defs": defs,
            "type": "object",
            "properties": {"x": {"$ref": reference}},
            "required": ["x"],
        });
        check_read(&schema, ty, &lost);
    }
    let old =
        json!({"definitions": {"A": {"type": "integer"}}, "$ref": "#/definitions/A", "maximum": 3});
    check_read(&old, ":int[..3]", &[]);
}

#[test]
fn signatures_of_servers() {
    for (input, params, lost) in [
        (json!({"type": "object"}), "()", vec![]),
        (json!({}), "()", vec!["#: does not list the arguments"]),
        (
            json!({"type": "string"}),
            "()",
            vec!["#: arguments are always a map; this schema is not checked"],
        ),
        (
            json!({"oneOf": [
                {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
                {"type": "object", "properties": {"id": {"type": "string"}, "q": {"type": "string"}}, "required": ["id", "q"]},
            ]}),
            "(id :int|:string, q? :string)",
            vec!["#: several kinds of arguments are read as one"],
        ),
    ] {
        let (signature, found) = Signature::from_schemas(&input, None);
        assert_eq!(signature.to_string(), format!("{params} -> :any"), "{input}");
        assert_eq!(notes(&found), lost, "{input}");
    }
    let output = json!({"type": "array", "items": {"type": "string", "format": "uuid"}});
    let (signature, found) = Signature::from_schemas(&json!({"type": "object"}), Some(&output));
    assert_eq!(signature.to_string(), "() -> [:string]");
    assert_eq!(notes(&found), ["output#/items: `format` `uuid` is not checked"]);
}

#[test]
fn schemas_may_be_parts_of_a_document() {
    let id = json!({"type": "integer", "readOnly": true});
    let key = json!({"type": "string", "writeOnly": true});
    let user = json!({
        "type": "object",
        "properties": {"id": id, "key": key, "name": {"type": "string"}},
        "required": ["id", "key", "name"],
    });
    let document = json!({"components": {"schemas": {"User": user}}});
    let reference = json!({"$ref": "#/components/schemas/User"});
    let input = json!({"type": "object", "properties": {"body": reference}, "required": ["body"]});
    let (signature, found) = Signature::from_schemas_in(&document, &input, Some(&reference));
    assert_eq!(
        signature.to_string(),
        "(body {id? :int, key :string, name :string}) -> {id :int, key? :string, name :string}"
    );
    assert_eq!(notes(&found), [""; 0]);
    let (_, found) = Signature::from_schemas(&input, None);
    assert_eq!(notes(&found), ["#/properties/body: `#/components/schemas/User` does not exist"]);
}

/// Hostile schemas exhaust neither time nor stack.
#[test]
fn work_is_bounded() {
    // Each definition refers to the next one twice.
    let twice = |i: usize| {
        let next = json!({"$ref": format!("#/$defs/{}", i + 1)});
        (i.to_string(), json!({"type": "object", "properties": {"a": next, "b": next}}))
    };
    let defs: serde_json::Map<_, _> = (0..60).map(twice).collect();
    let bomb = json!({"$defs": defs, "$ref": "#/$defs/0"});
    let words: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let alternatives: Vec<Value> = (0..30)
        .map(|i| json!({"type": "object", "properties": {format!("p{i}"): {"type": "integer"}}}))
        .collect();
    let product = vec![json!({"anyOf": alternatives}); 1_000];
    let fields: serde_json::Map<_, _> =
        words.iter().map(|it| (it.clone(), json!({"type": "integer"}))).collect();
    let mut deep = json!({"type": "integer"});
    for _ in 0..300 {
        deep = json!({"type": "array", "items": deep});
    }
    for schema in [
        bomb,
        json!({"enum": words}),
        json!({"anyOf": words.iter().map(|it| json!({"const": it})).collect::<Vec<_>>()}),
        json!({"allOf": product}),
        json!({"type": "object", "properties": fields}),
        json!({"type": "object", "required": words}),
        json!({"allOf": vec![json!({"type": "object", "properties": {"a": {"format": "x", "type": "string"}, "b": {"pattern": "y", "type": "string"}}}); 30_000]}),
        deep,
    ] {
        let (ty, lost) = Type::from_schema(&schema);
        assert!(!lost.is_empty() && lost.len() <= MAX_NOTES);
        assert_eq!(ty.to_string().parse(), Ok(ty));
    }
    let nested =
        (0..MAX_DEPTH).fold(json!(true), |item, _| json!({"type": "array", "items": item}));
    let (ty, lost) = Type::from_schema(&nested);
    assert_eq!(notes(&lost).len(), 1);
    assert!(check(&ty, &json!([[[[]]]])).is_empty());
}
