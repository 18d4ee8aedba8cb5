//! Forms: reading, checking answers, and the words of other systems.

use ptc_subagent::form::Form;
use serde_json::{Value, json};

/// Reads a form and answers it. Returns the signature and the answer, or the problems as text.
fn ask(form: &Value, answer: Value) -> Result<(String, Value), String> {
    let text = |problems: Vec<_>| {
        let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
        all.join("; ")
    };
    let form = Form::read(form).map_err(|it| format!("form: {}", text(it)))?;
    assert_eq!(Form::read(&form.to_json()).unwrap(), form, "{}", form.to_json());
    let answer = form.check(answer).map_err(text)?;
    Ok((form.signature().output.to_string(), answer.to_json().unwrap()))
}

fn check(form: &Value, answer: Value, expected: Result<(&str, Value), &str>) {
    let expected = expected
        .map(|(signature, answer)| (signature.to_string(), answer))
        .map_err(ToString::to_string);
    assert_eq!(ask(form, answer), expected, "{form}");
}

#[test]
fn a_form_is_a_signature() {
    check(&json!("Which one?"), json!("the red one"), Ok((":string", json!("the red one"))));
    check(&json!({"title": "Go?", "type": ":bool"}), json!("yes"), Ok((":bool", json!(true))));
    check(
        &json!({"title": "How many?", "type": ":int[1..3]", "default": 2}),
        json!(null),
        Ok((":int[1..3]", json!(2))),
    );
    let pay = json!({"fields": "(approved :bool \"Approve it?\", reason :string?)"});
    let signature = "{approved :bool \"Approve it?\", reason :string?}";
    check(&pay, json!({"approved": true}), Ok((signature, json!({"approved": true}))));
    check(
        &pay,
        json!({"approved": "maybe"}),
        Err("`approved`: expected bool, found string \"maybe\""),
    );
    check(&pay, json!({"approved": true, "by": "Ada"}), Err("`by`: the form has no such field"));
    check(&pay, json!([]), Err("the answer is an object of values"));
    check(
        &json!({"fields": [{"id": "to", "type": ":enum[north south]?"}]}),
        json!("north"),
        Ok(("{to :enum[north south]?}", json!({"to": "north"}))),
    );
}

/// A keyword of a program arrives without its colon. The word of a control wins.
#[test]
fn types_without_a_colon() {
    let one = |ty: &str| json!({"title": "x", "type": ty});
    check(&one("int"), json!("3"), Ok((":int", json!(3))));
    check(&one("int?"), json!(null), Ok((":int?", json!(null))));
    check(&one("bool"), json!("yes"), Ok((":bool", json!(true))));
    check(&one("number"), json!(3), Ok((":float", json!(3))));
    check(
        &one("intt"),
        json!(3),
        Err("form: `answer`: unknown type `intt`: write a type such as `:int`, or one of text, \
             textarea, email, number, currency, date, datetime, time, daterange, slider, buttongroup, \
             radio, dropdown, checkbox"),
    );
}

/// Two names of other systems for one text: both texts are shown.
#[test]
fn both_texts_of_one_name_are_shown() {
    let form =
        json!({"title": "Trip", "message": "When?", "helpText": "A day.", "description": "Any."});
    let read = Form::read(&form).unwrap();
    let expected = json!({"title": "Trip\nWhen?", "help": "A day.\nAny.", "type": ":string"});
    assert_eq!(read.to_json(), expected);
}

/// L52: a form round-trips through the result.
#[test]
fn l52_a_form_keeps_its_parts() {
    let form = json!({
        "title": "Trip", "description": "For the booking.", "submitLabel": "Send",
        "questions": [{
            "id": "when", "label": "When?", "type": {"type": "date"}, "required": true,
            "helpText": "The first day.", "widthHint": "narrow",
        }],
    });
    let read = Form::read(&form).unwrap();
    let expected = json!({
        "title": "Trip", "help": "For the booking.", "submit": "Send",
        "fields": [{
            "id": "when", "label": "When?", "type": ":datetime", "control": "date",
            "help": "The first day.", "width": "narrow",
        }],
    });
    assert_eq!(read.to_json(), expected);
    assert_eq!(Form::read(&expected).unwrap(), read);
}

/// L53: every type of question has a type here, and an unknown one is rejected with the id.
#[test]
fn l53_every_type_of_question() {
    let colours = json!([{"value": "red", "label": "Red"}, {"value": "blue", "label": "Blue"}]);
    let cases = [
        (json!({"type": "text", "maxLength": 3}), json!("abc"), Ok((":string[..3]", json!("abc")))),
        (
            json!({"type": "text", "maxLength": 3}),
            json!("abcd"),
            Err("expected string of at most 3 characters, found string \"abcd\""),
        ),
        (json!({"type": "textarea"}), json!("a\nb"), Ok((":string", json!("a\nb")))),
        (
            json!({"type": "email"}),
            json!("ada@example.com"),
            Ok((":string", json!("ada@example.com"))),
        ),
        (
            json!({"type": "email"}),
            json!("ada"),
            Err("expected an e-mail address, such as `ada@example.com`"),
        ),
        (
            json!({"type": "number", "min": 0, "max": 9}),
            json!("4"),
            Ok((":float[0..9]", json!(4.0))),
        ),
        (
            json!({"type": "number", "min": 0, "max": 9}),
            json!(10),
            Err("expected float from 0 to 9, found int 10"),
        ),
        (json!({"type": "currency", "prefix": "€"}), json!(2.5), Ok((":float", json!(2.5)))),
        (
            json!({"type": "slider", "min": 0, "max": 1, "step": 0.5}),
            json!(0.5),
            Ok((":float[0..1]", json!(0.5))),
        ),
        (json!({"type": "date"}), json!("2026-11-25"), Ok((":datetime", json!("2026-11-25")))),
        (
            json!({"type": "date"}),
            json!("2026-11-25T10:00:00Z"),
            Err("expected a date, such as `2026-01-31`"),
        ),
        (
            json!({"type": "datetime"}),
            json!("2026-11-25T10:00:00Z"),
            Ok((":datetime", json!("2026-11-25T10:00:00Z"))),
        ),
        (json!({"type": "time"}), json!("09:30"), Ok((":string", json!("09:30")))),
        (json!({"type": "time"}), json!("24:00"), Err("expected a time, such as `09:30`")),
        (
            json!({"type": "daterange"}),
            json!({"start": "2026-01-01", "end": "2026-01-02"}),
            Ok((
                "{start :datetime, end :datetime}",
                json!({"start": "2026-01-01", "end": "2026-01-02"}),
            )),
        ),
        (
            json!({"type": "buttongroup", "options": colours}),
            json!("red"),
            Ok((":enum[red blue]", json!("red"))),
        ),
        (json!({"type": "radio", "options": [1, 2]}), json!("2"), Ok((":int", json!(2)))),
        (json!({"type": "radio", "options": [1, 2]}), json!(3), Err("3 is not one of 1, 2")),
        (
            json!({"type": "dropdown", "options": [1, "all"]}),
            json!("all"),
            Ok((":any", json!("all"))),
        ),
        (
            json!({"type": "checkbox", "options": colours, "multiple": true}),
            json!(["blue"]),
            Ok(("[:enum[red blue]]", json!(["blue"]))),
        ),
        (json!({"type": "checkbox"}), json!(true), Ok((":bool", json!(true)))),
        (json!({"type": "secret"}), json!("hush"), Ok((":string", json!("hush")))),
    ];
    for (ty, answer, expected) in cases {
        let form = json!({"questions": [{"id": "q", "label": "q", "type": ty, "required": true}]});
        let expected = expected
            .map(|(ty, value)| (format!("{{q {ty}}}"), json!({"q": value})))
            .map_err(|it| format!("`q`: {it}"));
        assert_eq!(ask(&form, json!({"q": answer})), expected, "{form}");
    }
    let unknown = json!({"questions": [{"id": "shade", "type": {"type": "colour"}}]});
    check(
        &unknown,
        json!({}),
        Err(
            "form: `shade`: unknown type `colour`: write a type such as `:int`, or one of text, textarea, email, \
             number, currency, date, datetime, time, daterange, slider, buttongroup, radio, dropdown, checkbox",
        ),
    );
}

/// L54: the value of a choice is a text, a number or a boolean, and duplicates are reported.
#[test]
fn l54_choices_have_distinct_values() {
    let with = |choices: Value| json!({"title": "Pick", "choices": choices});
    let twice = "form: `answer`: the choice \"a\" is there twice";
    check(&with(json!(["a", {"value": "a", "label": "A"}])), json!("a"), Err(twice));
    let wrong = "form: `answer`: the value of a choice is a text, a number or a boolean";
    check(&with(json!([["a"]])), json!("a"), Err(wrong));
    check(&with(json!([true, 1, "1"])), json!(1), Ok((":any", json!(1))));
    check(
        &with(json!([{"value": "a", "label": "A", "icon": "star"}])),
        json!("a"),
        Ok((":enum[a]", json!("a"))),
    );
}

/// L56: answers have the ids of their questions; a missing one is refused with the id.
#[test]
fn l56_answers_are_checked() {
    let form = json!({"fields": [
        {"id": "name", "label": "Name", "type": ":string[2..]"},
        {"id": "size", "type": ":int[1..5]", "default": 3},
        {"id": "note", "required": false},
    ]});
    let signature = "{name :string[2..] \"Name\", size :int[1..5], note :string?}";
    check(&form, json!({}), Err("`name`: an answer is required"));
    check(&form, json!({"name": " "}), Err("`name`: an answer is required"));
    check(
        &form,
        json!({"name": "A", "size": 9}),
        Err("`name`: expected string of at least 2 characters, found string \"A\"; \
             `size`: expected int from 1 to 5, found int 9"),
    );
    check(&form, json!({"name": "Ada"}), Ok((signature, json!({"name": "Ada", "size": 3}))));
}

#[test]
fn forms_that_are_wrong() {
    let cases = [
        (json!(7), "a form is a text or a map"),
        (json!({}), "a form without fields needs a `title`"),
        (json!(""), "a form without fields needs a `title`"),
        (json!({"fields": []}), "a form has at least one field"),
        (json!({"fields": 1}), "`fields` is a list of at most 100 maps, or a signature"),
        (
            json!({"fields": vec![json!({"id": "a"}); 101]}),
            "`fields` is a list of at most 100 maps, or a signature",
        ),
        (json!({"fields": ["a"]}), "each of the `fields` is a map"),
        (json!({"fields": [{"label": "a"}]}), "each field needs an `id`"),
        (json!({"fields": [{"id": "a"}, {"id": "a"}]}), "`a`: the id is there twice"),
        (
            json!({"fields": [{"id": "a", "type": ":colour"}]}),
            "`a`: `type` is not a type: unknown type `:colour`",
        ),
        (json!({"fields": [{"id": "a", "type": "radio"}]}), "`a`: a `radio` needs `choices`"),
        (
            json!({"fields": [{"id": "a", "choices": []}]}),
            "`a`: `choices` is a list of 1 to 1000 values",
        ),
        (json!({"fields": [{"id": "a", "type": "number", "min": "x"}]}), "`a`: `min` is a number"),
        (
            json!({"title": "a", "type": ":int", "default": "x"}),
            "`answer`: the default: expected int, found string \"x\"",
        ),
        (json!({"title": "a", "expires": -1}), "`expires` is a number of milliseconds"),
        (json!({"title": 1}), "`title` is a text"),
    ];
    for (form, problem) in cases {
        let expected = format!("form: {problem}");
        assert_eq!(ask(&form, json!({})).unwrap_err(), expected, "{form}");
    }
    let wrong = json!({"fields": "(a :int"});
    assert!(ask(&wrong, json!({})).unwrap_err().starts_with("form: `fields` is not a signature: "));
}
