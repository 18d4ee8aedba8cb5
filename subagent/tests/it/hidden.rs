//! Fields whose names start with `_`: messages to a model leave them out, and programs, tools, records and results keep
//! them.

use ptc_subagent::provider::Scripted;
use ptc_subagent::store::{Hidden, Store};
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Data, Mission, RunReport, SignatureMode, Status};
use serde_json::{Value, json};

use crate::modes::RequestLog;

/// The hidden text, which no message to the model may have.
const MARK: &str = "xyzzy-7719";

fn account() -> ToolDef {
    let function = async |args: Value, _| match args["_token"].as_str() {
        Some(token) if token == MARK => {
            Ok(json!({"id": args["id"], "_raw": {"note": MARK}, "rows": [{"n": 1, "_key": MARK}]}))
        }
        _ => Err(ToolError::failed("no such account")),
    };
    ToolDef::new("account", FnTool::new(function))
        .with_signature(
            "(id :int, _token :string, _trace :string?) -> {id :int, _raw {note :string}, rows [{n :int, _key :string}]}",
        )
        .unwrap()
}

/// Creates a tool whose hidden fields never match, in arguments or in the result.
fn mismatched() -> ToolDef {
    let function = async |_: Value, _| Ok(json!({"_key": MARK, "_more": {"k": [MARK]}, "n": "3"}));
    ToolDef::new("wrong", FnTool::new(function))
        .with_signature(
            "(n :int, _token :int?) -> {_key :int, _more {k [:enum[xyzzy-7710]]}, n :int}",
        )
        .unwrap()
        .with_effect(Effect::Write)
}

fn agent() -> Agent {
    Agent::new("Read {{user}} of {{users}}.")
        .with_signature(
            "(user {name :string, _token :string}, users [{_token :string}], _token :string \"the key\", _seen :int?) \
             -> {name :string, _token :string, _n :int}",
        )
        .unwrap()
        .with_tool(account())
        .with_tool(mismatched())
        .with_max_turns(20)
}

fn input() -> Value {
    json!({
        "user": {"name": "Ana", "_token": MARK},
        "users": [{"_token": MARK, "deep": [{"_x": {"y": MARK}}]}],
        "_token": MARK,
        "_seen": "12",
    })
}

/// P10: no message shows a hidden field, and programs use it.
#[tokio::test]
async fn no_message_has_the_value_of_a_hidden_field() {
    let provider = RequestLog::new(&[
        // Values: whole maps, lists of maps, results of tools, and definitions kept for later turns.
        "ctx/user",
        "ctx/users",
        "(memory/put :u ctx/user) {:a [ctx/user] :b #{ctx/user} :c (list ctx/users)}",
        "(tool/account {:id 1 :_token ctx/_token})",
        "[*1 memory/u]",
        "{:count (count (:_token memory/u))}",
        // Errors: of a tool, of its arguments, of its result, and of a program after its calls.
        "(tool/account {:id 1 :_token \"other\"})",
        "(tool/wrong {:n 1 :_token ctx/_token})",
        "(tool/wrong {:n 1})",
        "(let [a (tool/account {:id 1 :_token ctx/_token})] (+ 1 a))",
        "(let [a (tool/account {:id 1 :_token ctx/_token})] (throw (ex-info \"no\" a)))",
        "(let [a (tool/account {:id 1 :_token ctx/_token})] (nth [1] ctx/user))",
        // Wrong answers, and the error as data.
        "(return {:name 1 :_token \"t\" :_n ctx/_token})",
        "ctx/fail",
        "(return {:name \"Ana\" :_token {:t ctx/_token} :_n {:m ctx/user}})",
        "ctx/fail",
        "(return ctx/user)",
        "(return {:name \"Ana\" :_token ctx/_token :_n (str 12)})",
    ]);
    let report = Mission::new(&agent(), input()).run(&provider).await.unwrap();
    for text in provider.texts() {
        assert!(!text.contains(MARK), "{text}");
    }
    // The program and the caller have the value anyway.
    assert_eq!(report.value, json!({"name": "Ana", "_token": MARK, "_n": 12}));
    assert_eq!(report.turns, 18);
    let warnings: Vec<&str> = report.warnings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(warnings.first(), Some(&"input: _seen: coerced [Hidden] to [Hidden]"));
    assert_eq!(warnings.last(), Some(&"answer: _n: coerced [Hidden] to [Hidden]"));
}

/// Hiding is redaction, not secrecy: a value that a program reads from a hidden field is an ordinary value.
#[tokio::test]
async fn a_program_that_prints_a_hidden_field_has_revealed_it() {
    let end = "(fail {:reason :done :message \"\"})";
    for source in ["(println ctx/_token)", "(println ctx/user)", "(:_token ctx/user)"] {
        let provider = RequestLog::new(&[source, end]);
        Mission::new(&agent(), input()).run(&provider).await.unwrap();
        let texts = provider.texts();
        assert_eq!(texts.iter().filter(|text| text.contains(MARK)).count(), 1, "{source}");
    }
}

/// The prompt names the hidden fields that a program must write, and not those that only come from a tool.
#[tokio::test]
async fn names_are_shown_where_a_program_has_to_write_them() {
    let mission = agent();
    let mission = Mission::new(&mission, input());
    let prompt = mission.system_prompt().unwrap();
    for (section, text) in [
        (3, "- `ctx/_token :string`: [Hidden] — the key"),
        (3, "- `ctx/user {name :string, _token :string}`: `{:name \"Ana\", :_token [Hidden]}`"),
        (4, "account(id :int, _token :string) -> {id :int, rows [{n :int}]}"),
        (4, "wrong(n :int) -> {n :int}"),
        (5, "(call \"account\" {:id 1 :_token ctx/_token})"),
        (7, "Return format: {name :string, _token :string, _n :int}"),
    ] {
        let found = &prompt.section(section).unwrap().text;
        assert!(found.contains(text), "{text}\n{found}");
    }
}

#[test]
fn schemas_of_agents_leave_hidden_fields_out() {
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
    let schema = agent().with_name("reader").tool_schema();
    let name = json!({"name": {"type": "string"}});
    let user = object(name.clone(), json!(["name"]));
    let users = json!({"type": "array", "items": {"type": "object", "properties": {}}});
    assert_eq!(schema.name, "reader");
    assert_eq!(
        schema.input,
        object(json!({"user": user, "users": users}), json!(["user", "users"]))
    );
    assert_eq!(schema.output, object(name, json!(["name"])));
    let strict = agent().with_signature_mode(SignatureMode::Strict).tool_schema();
    assert_eq!(strict.output["additionalProperties"], json!(false));
    let any = Agent::new("Go.").tool_schema();
    assert_eq!((any.input, any.output), (json!({"type": "object", "properties": {}}), json!({})));
}

/// Makes a run whose sub-agent gets a hidden value under another name, and which copies values everywhere.
async fn copies() -> (Store, RunReport) {
    let store = Store::in_memory().unwrap();
    let look = FnTool::new(async |_: Value, _| {
        Ok(
            json!({"id": 7, "_pin": 4711, "_note": {"text": "call \"Ada\"\nat noon", "is_vip": true}}),
        )
    });
    let greet = Agent::new("Greet {{name}}.").with_name("greet").with_max_turns(1);
    let greet = greet.with_signature("(name :string) -> :string").unwrap();
    let agent =
        Agent::new("Go.").with_tool(ToolDef::new("look", look)).with_tool(ToolDef::agent(greet));
    let replies = [
        "(def got (tool/look {:_short \"DE\"})) (println got) (prn got) \
         (println \"mail\" ctx/_mail) (println (json/write-str got)) got",
        "(return {:text (tool/greet {:name ctx/_mail}) :pin (:_pin got) :_pin (:_pin got) \
                  :note (:text (:_note got)) :short ctx/_short})",
        "(return (str \"hello \" ctx/name \", not ada.lovelace\"))",
    ];
    let provider = Scripted::new(replies.map(|it| format!("```clojure\n{it}\n```")));
    let input = json!({"_mail": "ada.lovelace@example.com", "_short": "DE", "n": 1});
    let report = Mission::new(&agent, input).record_in(&store).run(&provider).await.unwrap();
    assert_eq!(report.status, Status::Returned, "{:?}", report.error);
    (store, report)
}

#[tokio::test]
async fn a_record_is_shown_without_hidden_values() {
    let (store, report) = copies().await;
    let family = store.family(report.run.as_str()).unwrap();
    assert_eq!(family.len(), 2);
    let hidden = Hidden::of(&family).unwrap();
    let shown = hidden.cover(&family[0]);
    assert_eq!(shown.setup.input, json!({"_mail": "[Hidden]", "_short": "[Hidden]", "n": 1}));
    let first = &shown.turn_records[0];
    assert_eq!(
        first.prints,
        [
            "{id 7, _pin [Hidden: the model saw it], _note [Hidden: the model saw it]}",
            "{\"id\" 7, \"_pin\" [Hidden: the model saw it], \"_note\" [Hidden: the model saw it]}",
            "mail [Hidden: the model saw it]",
            "{\"id\":7,\"_pin\":[Hidden: the model saw it],\"_note\":[Hidden: the model saw it]}",
        ]
    );
    let value = "{\"id\" 7, \"_pin\" [Hidden], \"_note\" [Hidden]}";
    assert_eq!(first.value.as_deref(), Some(value));
    assert_eq!(first.calls[0].args, json!({"_short": "[Hidden]"}));
    assert_eq!(
        first.calls[0].result,
        Some(Data::from(json!({"id": 7, "_pin": "[Hidden]", "_note": "[Hidden]"})))
    );
    // A number and a short text are hidden only in their own fields.
    assert_eq!(
        shown.value,
        json!({
            "text": "hello [Hidden], not ada.lovelace", "pin": 4711, "_pin": "[Hidden]",
            "note": "[Hidden]", "short": "DE",
        })
    );
    let text = serde_json::to_string(&family.iter().map(|it| hidden.cover(it)).collect::<Vec<_>>());
    let text = text.unwrap();
    assert!(!text.contains("example.com") && !text.contains("at noon"), "{text}");
    assert!(text.contains("Greet [Hidden: the model saw it]."), "{text}");
    // Nothing else changes.
    assert_eq!(shown.summary, family[0].summary);
    assert_eq!(shown.turn_records[0].program, family[0].turn_records[0].program);
    assert_eq!(Hidden::NOTHING.cover(&family[0]), family[0]);
}

/// The run of a sub-agent, shown alone, hides the same values as the run that called it.
#[tokio::test]
async fn a_run_of_a_sub_agent_belongs_to_its_family() {
    let (store, report) = copies().await;
    let family = store.family(report.run.as_str()).unwrap();
    let below = family[1].summary.run.as_str();
    assert_eq!(store.family(below).unwrap(), family);
    let shown = Hidden::of(&family).unwrap().cover(&store.show(below).unwrap());
    assert_eq!(shown.setup.input, json!({"name": "[Hidden]"}));
}
