//! Tests of parsing and printing.

use ptc_signatures::{Bounds, Field, Length, Record, Signature, Type};

/// Parses a signature, asserts its canonical text, and asserts that this text means the same.
fn check(written: &str, printed: &str) {
    let signature: Signature = match written.parse() {
        Ok(signature) => signature,
        Err(error) => panic!("{written}: {error}"),
    };
    assert_eq!(signature.to_string(), printed, "{written}");
    assert_eq!(printed.parse(), Ok(signature), "{written}");
}

/// Parses an invalid text, and asserts the code, the text under the span, the message and the help.
fn check_error(written: &str, code: &str, at: &str, message: &str, help: Option<&str>) {
    let error = written.parse::<Signature>().expect_err(written);
    let found = (error.code(), written.get(error.span()), error.to_string());
    assert_eq!(found, (code, Some(at), message.to_owned()), "{written}");
    assert_eq!(error.help(), help, "{written}");
}

#[test]
fn signatures_print_in_one_form() {
    for (written, printed) in [
        ("()->:any", "() -> :any"),
        ("-> :string", "() -> :string"),
        (":string", "() -> :string"),
        ("  :map?  ", "() -> :map?"),
        ("(a :int, b :string?) -> :bool", "(a :int, b :string?) -> :bool"),
        ("(a :int b :string?)\n-> :bool", "(a :int, b :string?) -> :bool"),
        ("(,a:int,,:b :string,) -> :bool", "(a :int, b :string) -> :bool"),
        (
            "(region :string, invoices [{id :int, due :string?}]) -> [{customer :string, total :float}]",
            "(region :string, invoices [{id :int, due :string?}]) -> [{customer :string, total :float}]",
        ),
        ("{:reason :keyword, :op :string?}", "() -> {reason :keyword, op :string?}"),
        ("{reason :keyword :op :string?}", "() -> {reason :keyword, op :string?}"),
        ("{}", "() -> {}"),
        (
            "{:\"first name\" :string \"given\" :\"a.b\" :int, :\"id\" :int}",
            "() -> {:\"first name\" :string \"given\", :\"a.b\" :int, id :int}",
        ),
        ("[{}]", "() -> [{}]"),
        ("[[:any]]", "() -> [[:any]]"),
        ("[{a-b :int x1 :int _y :int}?]?", "() -> [{a-b :int, x1 :int, _y :int}?]?"),
        (":datetime", "() -> :datetime"),
        (":enum[low mid high]", "() -> :enum[low mid high]"),
        (
            ":enum [:low, \"in progress\", \"a\\\"b\"]?",
            "() -> :enum[low \"in progress\" \"a\\\"b\"]?",
        ),
        (":string|:int", "() -> :string|:int"),
        (":string? | :int", "() -> :string|:int?"),
        ("[:string | {a :int}]", "() -> [:string|{a :int}]"),
        (":int??", "() -> :int?"),
        (":int[1..100]", "() -> :int[1..100]"),
        (":int[ -5 .. -1 ]?", "() -> :int[-5..-1]?"),
        (":int[..7]", "() -> :int[..7]"),
        (":float[0..1]", "() -> :float[0..1]"),
        (":float[0.50..1e3]", "() -> :float[0.5..1000]"),
        (":string[1..]", "() -> :string[1..]"),
        ("[:string][3..5]|:int", "() -> [:string][3..5]|:int"),
        ("{id :int \"the key\" ..}", "() -> {id :int \"the key\", ..}"),
        ("[{id :int?,..,}]", "() -> [{id :int?, ..}]"),
        ("{..}", "() -> {}"),
        (
            "(age :int \"in years\", name :string? \"a\\\\b\\n\\t\\\"c\\\"\") -> {n :int \"größe\"}",
            "(age :int \"in years\", name :string? \"a\\\\b\\n\\t\\\"c\\\"\") -> {n :int \"größe\"}",
        ),
    ] {
        check(written, printed);
    }
}

#[test]
fn types_have_one_shape() {
    let optional = |ty: Type| Type::Optional(Box::new(ty));
    for (written, ty) in [
        (":int", Type::INT),
        (":int?", optional(Type::INT)),
        (":int[2..]", Type::Int(Bounds { min: Some(2), max: None })),
        (":float[..0.5]", Type::Float(Bounds { min: None, max: Some(0.5) })),
        (":string[..3]", Type::String(Length { min: None, max: Some(3) })),
        ("[:bool]", Type::list(Type::Bool)),
        (":enum[a b]", Type::Enum(vec!["a".into(), "b".into()])),
        (":string?|:int", optional(Type::Union(vec![Type::STRING, Type::INT]))),
        (
            "{a :any \"what\" b :map}",
            Type::Record(Record::from(vec![
                Field { description: Some("what".into()), ..Field::new("a", Type::Any) },
                Field::new("b", Type::Map),
            ])),
        ),
    ] {
        assert_eq!(written.parse(), Ok(ty), "{written}");
    }
}

#[test]
fn hand_built_shapes_print_as_read() {
    let nested = Type::Union(vec![
        Type::Optional(Box::new(Type::INT.optional())),
        Type::Union(vec![Type::STRING, Type::Bool]),
    ]);
    assert_eq!(nested.to_string(), ":int|:string|:bool?");
    assert_eq!(Type::INT.optional().optional().to_string(), ":int?");
}

#[test]
fn unknown_types_get_a_suggestion() {
    for (written, at, help) in [
        (
            "(code :exit-success) -> :int",
            ":exit-success",
            "the types are `:string`, `:int`, `:float`, `:bool`, `:keyword`, `:datetime`, `:map`, `:any`, `:enum`",
        ),
        (":strng", ":strng", "did you mean `:string`?"),
        (":String", ":String", "did you mean `:string`?"),
        (":date_time", ":date_time", "did you mean `:datetime`?"),
        (":keywrod", ":keywrod", "did you mean `:keyword`?"),
        (":enums[a]", ":enums", "did you mean `:enum[a b c]`?"),
        (":integer", ":integer", "use `:int`"),
        (":str", ":str", "use `:string`"),
        (":text", ":text", "use `:string`"),
        (":boolean", ":boolean", "use `:bool`"),
        (":number", ":number", "use `:int` or `:float`; `:float` accepts both"),
        (":double", ":double", "use `:float`"),
        (":date", ":date", "use `:datetime`"),
        (":list", ":list", "write a list as `[T]`, for example `[:string]`"),
        ("[:array]", ":array", "write a list as `[T]`, for example `[:string]`"),
        (":vector", ":vector", "write a list as `[T]`, for example `[:string]`"),
        (":object", ":object", "use `:map`, or name the fields: `{id :int, name :string}`"),
        (":nil", ":nil", "write an optional type as `T?`, for example `:int?`"),
    ] {
        check_error(written, "unknown-type", at, &format!("unknown type `{at}`"), Some(help));
    }
}

#[test]
fn syntax_errors_point_at_the_place() {
    const TYPE: &str = "a type is like `:string`, `[:int]` or `{id :int, name :string?}`";
    const NAME: &str =
        "names are letters, digits, `_` and `-`; any other is quoted: `:\"a.b\" :int`";
    const WORDS: &str = "for example `:enum[low mid high]`; quote a value that is not a plain word";
    const ONE_ITEM: &str = "a list has one type of items; for several write `[:string|:int]`";
    for (written, at, message, help) in [
        ("", "", "expected a type, found the end", Some(TYPE)),
        ("(a :int) ->", "", "expected a type, found the end", Some(TYPE)),
        (
            "(a :int)",
            "",
            "expected `->` and the output type, found the end",
            Some("a signature is `(inputs) -> output`; for any output use `:any`"),
        ),
        (
            "(a :int) :int",
            ":int",
            "expected `->` and the output type, found `:int`",
            Some("a signature is `(inputs) -> output`; for any output use `:any`"),
        ),
        (":int :string", ":string", "expected the end, found `:string`", None),
        (":int)", ")", "expected the end, found `)`", None),
        ("int", "int", "expected a type, found `int`", Some("types start with a colon: `:int`")),
        (
            "(länge :int) -> :int",
            "länge",
            "expected a name, found `länge`",
            Some("a name with other letters than a to z is quoted: `:\"länge\" :int`"),
        ),
        (
            "Integer",
            "Integer",
            "expected a type, found `Integer`",
            Some("types start with a colon; use `:int`"),
        ),
        (
            "(name) -> :int",
            "name",
            "`name` has no type",
            Some("for example `name :string`; for any value `name :any`"),
        ),
        (
            "{a ? :int}",
            "?",
            "expected the type of `a`, found `?`",
            Some("the `?` follows the type or the name: `a? :string`"),
        ),
        (
            "{name: :string}",
            ":",
            "expected the name of a type right after `:`",
            Some("the colon belongs to the type: `name :string`"),
        ),
        (
            "{\"a\" :int}",
            "\"",
            "expected a name, found `\"`",
            Some(
                "plain names have no quotes, others a colon before them: `:\"first name\" :string`",
            ),
        ),
        ("{1a :int}", "1", "expected a name, found `1`", Some(NAME)),
        ("{a.b :int}", ".", "expected a type, found `.`", Some(TYPE)),
        ("{:\"a :int}", "\"", "the text in quotes is never closed", None),
        ("{a :int", "{", "`{` is never closed", None),
        ("(a :int -> :int", "->", "expected `)`, found `->`", None),
        (
            ":string?[1..]",
            "[",
            "the range goes before the `?`",
            Some("for example `:string[1..]?`"),
        ),
        ("{a :int]", "]", "expected `}`, found `]`", None),
        ("(a [:int) -> :int", ")", "expected `]`, found `)`", Some(ONE_ITEM)),
        ("[:int :string]", ":string", "expected `]`, found `:string`", Some(ONE_ITEM)),
        ("[:int", "[", "`[` is never closed", Some(ONE_ITEM)),
        (
            "[]",
            "]",
            "a list needs the type of its items, found `]`",
            Some("for example `[:string]`; for items of any type `[:any]`"),
        ),
        (":string|", "", "expected a type, found the end", Some(TYPE)),
        (":enum", ":enum", "`:enum` needs its values in brackets", Some(WORDS)),
        (":enum[]", ":enum[]", "an enum needs at least one value", Some(WORDS)),
        (":enum[1 2]", "1", "expected a value of the enum, found `1`", Some(WORDS)),
        (":enum[a", "[", "`[` is never closed", None),
        (
            ":string[a b]",
            "a",
            "expected a range such as `[1..10]`, found `a`",
            Some("for a choice of words write `:enum[a b]`"),
        ),
        (
            ":int[5]",
            "]",
            "expected a range such as `[1..10]`, found `]`",
            Some("`[1..10]` is both ends, `[1..]` the least, `[..10]` the most"),
        ),
        ("{a :int \"x}", "\"", "the text in quotes is never closed", None),
        (
            "{a :int \"\\x\"}",
            "\\x",
            "unknown escape `\\x`",
            Some("the escapes are `\\\"`, `\\\\`, `\\n`, `\\r` and `\\t`"),
        ),
        ("ä", "ä", "expected a type, found `ä`", Some(TYPE)),
    ] {
        check_error(written, "signature-syntax", at, message, help);
    }
}

#[test]
fn duplicates_and_ranges_are_refused() {
    const TWICE: Option<&str> = Some("every name occurs once; rename or remove one of the two");
    const NO_RANGE: Option<&str> =
        Some("`:int`, `:float`, `:string` and lists have ranges; words go in `:enum[a b]`");
    for (written, code, at, message, help) in [
        ("(a :int, :a :int) -> :int", "duplicate-field", ":a", "duplicate field `a`", TWICE),
        ("{a :int, b {c :int c :int}}", "duplicate-field", "c", "duplicate field `c`", TWICE),
        (":enum[a b :a]", "duplicate-value", ":a", "the enum names `a` twice", None),
        (":int|:bool|:int?", "duplicate-type", ":int", "the union names `:int` twice", None),
        (
            ":int[5..1]",
            "invalid-range",
            "[5..1]",
            "the range is empty: its least value is above its greatest",
            None,
        ),
        (
            ":int[..]",
            "invalid-range",
            "[..]",
            "the range has neither a least nor a greatest value",
            None,
        ),
        (
            ":int[1.5..2]",
            "invalid-range",
            "1.5",
            "expected an integer of 64 bits, found `1.5`",
            None,
        ),
        (
            ":int[1..99999999999999999999]",
            "invalid-range",
            "99999999999999999999",
            "expected an integer of 64 bits, found `99999999999999999999`",
            None,
        ),
        (
            ":string[-1..]",
            "invalid-range",
            "-1",
            "expected a whole number from 0, found `-1`",
            None,
        ),
        (":float[..1e999]", "invalid-range", "1e999", "expected a number, found `1e999`", None),
        (":bool[0..1]", "invalid-range", "[", "`:bool` takes no range", NO_RANGE),
    ] {
        check_error(written, code, at, message, help);
    }
}

#[test]
fn nesting_and_length_are_bounded() {
    let nested = |n: usize| format!("{}:int{}", "[".repeat(n), "]".repeat(n));
    check(&nested(64), &format!("() -> {}", nested(64)));
    check_error(
        &nested(100_000 / 4),
        "type-nesting",
        "[",
        "types nest deeper than 64",
        Some("use `:any` or `:map` for the innermost parts"),
    );
    let records = "{a ".repeat(65);
    check_error(
        &records,
        "type-nesting",
        "{",
        "types nest deeper than 64",
        Some("use `:any` or `:map` for the innermost parts"),
    );
    let long = " ".repeat(65_537);
    let message = "the signature has 65537 bytes, more than the 65536 allowed";
    check_error(&long, "signature-length", &long, message, None);
}

#[test]
fn hidden_fields_can_be_left_out() {
    let signature: Signature =
        "(_key :string, rows [{id :int, _raw {x :int}?}]) -> {_a :int}|[{_b :int, c :int}]?"
            .parse()
            .expect("a signature");
    assert_eq!(signature.redacted().to_string(), "(rows [{id :int}]) -> {}|[{c :int}]?");
    let signature: Signature =
        "(_key :string, _may :int?, rows [{_id :int, _n :int?}]) -> {a {_b :int}|{_c :int}}"
            .parse()
            .expect("a signature");
    assert_eq!(
        signature.redacted_for_calls().to_string(),
        "(_key :string, rows [{_id :int}]) -> {a {}}",
    );
}
