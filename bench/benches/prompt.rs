//! Measures rendering for a model: the system prompt with data and tools, and a catalogue of many
//! tools.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ptc_lisp::{Effect, ToolDecl, Value, json};
use ptc_prompt::{
    AgentSpec, GrammarOptions, Memo, MissionMode, PromptLimits, PromptSpec, extract, grammar,
    system,
};
use ptc_signatures::Signature;

fn tools(count: usize) -> Vec<ToolDecl> {
    let signature: Signature =
        "(customer :int, state :enum[open late paid]?, limit :int?) -> [{id :int, total :float}]"
            .parse()
            .unwrap();
    let tool = |at: usize| ToolDecl {
        signature: Some(signature.clone()),
        description: Some(format!("Lists what there is of kind {at}. Newest first.")),
        ..ToolDecl::new(format!("list_kind_{at}"), Effect::Read)
    };
    (0..count).map(tool).collect()
}

/// Returns ten keys: texts, numbers, and lists of a hundred records.
fn ctx(name: &str) -> Value {
    let mut text = String::from("{");
    for key in 0..5 {
        let rows: Vec<String> = (0..100)
            .map(|row| {
                format!(
                    r#"{{"id": {row}, "name": "name {row}", "total": {row}.5, "tags": ["a", "b"], "_key": "k"}}"#
                )
            })
            .collect();
        let _ = write!(text, r#""rows{key}": [{}], "name{key}": "{name}", "#, rows.join(","));
    }
    text.truncate(text.len() - 2);
    text.push('}');
    json::parse(&text).unwrap()
}

fn prompts(c: &mut Criterion) {
    let [ctx, other] = ["a name of some words", "another name"].map(ctx);
    let signature: Signature = "-> {count :int, ids [:int]}".parse().unwrap();
    for (name, count) in [("20 tools, 10 keys", 20), ("500 tools, 10 keys", 500)] {
        let tools = tools(count);
        let spec = PromptSpec {
            agent: AgentSpec::default(),
            mission: "Count the rows of {{name0}}, and list the ids of those above the mean.",
            mode: MissionMode::Agent,
            ctx: &ctx,
            signature: Some(&signature),
            tools: &tools,
            limits: PromptLimits::default(),
            payload: None,
            sections: None,
            instructions: &[],
        };
        c.bench_function(&format!("prompt: {name}"), |b| {
            b.iter(|| black_box(system(&spec).unwrap().text()));
        });
        // The same agent, with another mission each time.
        let (memo, mut turn) = (Memo::default(), 0);
        c.bench_function(&format!("prompt: {name}, other data each time"), |b| {
            b.iter(|| {
                turn += 1;
                let ctx = [&ctx, &other][turn % 2];
                black_box(memo.system(&PromptSpec { ctx, ..spec }).unwrap().text())
            });
        });
        if count == 20 {
            let options = GrammarOptions::default();
            c.bench_function(&format!("grammar: {name}"), |b| {
                b.iter(|| black_box(grammar(&spec, &options).gbnf()));
            });
        }
    }
    let reply = format!(
        "<think>\nSum it.\n</think>\nHere it is:\n\n```clojure\n{}```\n",
        "(return (reduce + (map :total ctx/rows)))\n".repeat(20)
    );
    c.bench_function("extract: a reply of 1 KB", |b| {
        b.iter(|| black_box(extract(&reply).unwrap()));
    });
}

criterion_group!(benches, prompts);
criterion_main!(benches);
