//! The language corpus, `tests/language/*.clj`: whole values and whole messages.
//!
//! `UPDATE=1 cargo test -p ptc-tests --test it language` rewrites the expected answers.
//! `tests/oracle.sh` compares them with Clojure's own answers.

use ptc_lisp::{Limits, Payload};
use ptc_subagent::payload::{Grants, payload_of_session};
use ptc_tests::{Answer, Corpus, assert_no_problems, files, root, updating};

#[test]
fn every_program_gives_its_answer() {
    let mut problems = Vec::new();
    let mut count = 0;
    for path in files(&root().join("tests/language"), "clj") {
        let mut corpus = Corpus::read(&path);
        for block in &mut corpus.blocks {
            let mut world = block.world(Limits::default());
            if corpus.name.contains("payload") {
                world = world.with_payload(empty_payload());
            }
            if corpus.name.contains("conversation") {
                world = world.with_conversation(CONVERSATION);
            }
            for case in &mut block.cases {
                count += 1;
                let found = Answer::of(&world.run(&case.source));
                if updating() {
                    case.answer = found;
                } else if case.answer != found {
                    problems.push(format!(
                        "{}:{}: {}\nexpected {}\nfound    {}",
                        corpus.name,
                        case.line,
                        case.source,
                        case.answer.0.join("\n         "),
                        found.0.join("\n         ")
                    ));
                }
            }
        }
        if updating() {
            std::fs::write(&path, corpus.write()).unwrap();
        }
    }
    assert_no_problems(&problems);
    assert!(count >= 500, "the corpus has only {count} programs");
}

/// The conversation of the programs in `conversation.clj`.
const CONVERSATION: &str = r#"[
    {"role": "user", "content": "How many orders?"},
    {"role": "assistant", "content": {"count": 3}},
    {"role": "user", "content": "Of whom?"},
    {"role": "assistant", "content": "the run was cancelled", "status": "stopped"},
    {"role": "user", "content": "Hello?"}
]"#;

/// Returns an empty payload that programs may change.
fn empty_payload() -> Payload {
    payload_of_session(serde_json::json!({}).into(), Grants::all())
}

#[test]
fn different_answers_of_clojure_are_known_divergences() {
    let page = std::fs::read_to_string(root().join("docs/language/divergences.md")).unwrap();
    let mut problems = Vec::new();
    for path in files(&root().join("tests/language"), "clj") {
        let corpus = Corpus::read(&path);
        for case in corpus.blocks.iter().flat_map(|block| &block.cases) {
            let Some(clojure) = &case.clojure else { continue };
            let id = clojure.split_whitespace().next().unwrap_or_default();
            if !page.contains(&format!("## {id} ")) {
                problems.push(format!("{}:{}: `{id}` is unknown", corpus.name, case.line));
            }
        }
    }
    assert_no_problems(&problems);
}
