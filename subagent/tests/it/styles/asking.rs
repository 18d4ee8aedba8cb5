//! Questions in every answer style: the run waits, and the model reads the answer.

use ptc_subagent::provider::{ModelCall, Reply, Scripted};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Answers, Data, DecisionsStyle, Mission, Status};
use serde_json::{Value, json};

use crate::support::program;

fn calls(name: &str, args: &Value) -> Reply {
    let mut reply = Reply::new("");
    reply.calls = vec![ModelCall {
        id: "c1".to_string(),
        name: name.to_string(),
        arguments: args.to_string(),
    }];
    reply
}

/// The style, the replies before and after the answer, the expected form, the answer, and the text that the model reads.
type Row = (Answers, [Reply; 2], Value, Value, &'static str);

fn rows() -> Vec<Row> {
    let form = |title: &str, ty: &str| json!({"title": title, "type": ty});
    let fields = "(day :datetime, seats :int)";
    let booked = json!({"day": "2026-12-01", "seats": 2});
    let with_wine = json!({"day": "2026-12-01", "seats": 2, "wine": true});
    let question = json!({"question": "When?", "fields": fields});
    let decision = |it: Value| Reply::new(it.to_string());
    let is_over = decision(json!({"taskComplete": true, "message": "Booked."}));
    let chat = json!({
        "taskComplete": false, "message": "When?",
        "responseForm": {"title": "Details", "description": "For two.", "questions": [
            {"id": "day", "label": "Day", "type": "date", "required": true},
            {"id": "mood", "label": "Mood", "type": "poem"},
            {"id": "wine", "label": "Wine?", "type": "checkbox"},
            {"id": "seats", "label": "Seats", "type": "number", "required": true},
        ]},
    });
    vec![
        (
            Answers::Program,
            [Reply::new(program("(ask \"Who?\")")), Reply::new(program("(return \"Booked.\")"))],
            form("Who?", ":string"),
            json!("Ada"),
            "Ada",
        ),
        (
            Answers::Tools,
            [calls("ask", &json!({"question": "Who?"})), Reply::new("Booked.")],
            form("Who?", ":string"),
            json!("Ada"),
            "Ada",
        ),
        (
            Answers::Tools,
            [calls("ask", &question), Reply::new("Booked.")],
            json!({"title": "When?"}),
            booked,
            "{\"day\":\"2026-12-01\",\"seats\":2}",
        ),
        (
            Answers::React,
            [
                Reply::new("Thought: I need a name.\nAction: ask\nAction Input: Who?"),
                Reply::new("Thought: I know it.\nFinal Answer: Booked."),
            ],
            form("Who?", ":string"),
            json!("Ada"),
            "Observation: Ada",
        ),
        // L3, L11: a message without a next step is a question, and its form has the fields.
        (
            Answers::Decisions(DecisionsStyle::WHOLE),
            [decision(json!({"taskComplete": false, "message": "Who?"})), is_over.clone()],
            form("Who?", ":string"),
            json!("Ada"),
            "Ada",
        ),
        (
            Answers::Decisions(DecisionsStyle::WHOLE),
            [decision(chat.clone()), is_over.clone()],
            json!({"title": "When?", "help": "Details\nFor two."}),
            with_wine.clone(),
            "{\"day\":\"2026-12-01\",\"wine\":true,\"seats\":2",
        ),
        // One wrong question is left out, and the next message says so.
        (
            Answers::Decisions(DecisionsStyle::WHOLE),
            [decision(chat), is_over],
            json!({"title": "When?", "help": "Details\nFor two."}),
            with_wine,
            "Note: question 2 of `responseForm` was ignored: its `type` is none of text,",
        ),
    ]
}

#[tokio::test]
async fn l3_l11_every_style_asks_in_its_own_way() {
    for (answers, [asks, ends], form, answer, told) in rows() {
        let shown = format!("{answers:?}: {form}");
        let store = Store::in_memory().unwrap();
        let agent = Agent::new("Book a table.")
            .with_signature("() -> :string")
            .unwrap()
            .with_answers(answers.clone())
            .with_can_ask(true);
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        let waiting = mission.run(&Scripted::from_replies(vec![asks])).await.unwrap();
        assert_eq!(waiting.status, Status::Waiting, "{shown}: {:?}", waiting.error);
        let [question] = waiting.questions.as_slice() else { panic!("{shown}") };
        assert_eq!(question.form["title"], form["title"], "{shown}");
        assert_eq!(question.form.get("help"), form.get("help"), "{shown}");
        if let Some(ty) = form.get("type") {
            assert_eq!(question.form["type"], *ty, "{shown}: {}", question.form);
        }
        let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
        let resume = resume.answer(None, answer).unwrap();
        let provider = Scripted::from_replies(vec![ends]);
        let report = resume.mission(&agent).unwrap().run(&provider).await.unwrap();
        assert_eq!(
            (report.status, &report.value),
            (Status::Returned, &Data::from(json!("Booked."))),
            "{shown}"
        );
        let record = store.tree(report.run.as_str()).unwrap().remove(0);
        let turn = &record.turn_records[1];
        let results = turn.results.iter().map(|it| it.text.as_str());
        let all: Vec<&str> = results.chain([turn.prompt.as_str()]).collect();
        assert!(all.iter().any(|text| text.contains(told)), "{shown}: {all:?}");
        let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
        assert_eq!((replayed.differences, replayed.missing), (vec![], None), "{shown}");
    }
}

/// Only an agent that can ask tells its model how.
#[test]
fn the_model_is_told_how_to_ask() {
    let rows = [
        (Answers::Program, "`(ask \"question\")` asks a person for a text", ""),
        (Answers::React, "- ask: Asks a person.", ""),
        (
            Answers::Decisions(DecisionsStyle::WHOLE),
            "- `Chat`: asks the user",
            "- `Chat`: ends with the question",
        ),
    ];
    for (answers, with, without) in rows {
        let prompt = |can_ask: bool| {
            let agent = Agent::new("Work.").with_max_turns(3).with_answers(answers.clone());
            let agent = agent.with_can_ask(can_ask);
            Mission::new(&agent, json!({})).system_prompt().unwrap().to_string()
        };
        assert!(prompt(true).contains(with), "{}", prompt(true));
        assert!(!prompt(false).contains(with));
        assert!(prompt(false).contains(without));
    }
}
