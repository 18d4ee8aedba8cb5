//! Tests of the notations of the grammar.

use crate::common::{tool, value};
use ptc_lisp::{Effect, ToolDecl, Value};
use ptc_prompt::{
    AgentSpec, Functions, Grammar, GrammarOptions, MissionMode, PromptLimits, PromptSpec, grammar,
};

fn build(ctx: &Value, tools: &[ToolDecl], options: &GrammarOptions) -> Grammar {
    let limits = PromptLimits::default();
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "",
        mode: MissionMode::Agent,
        ctx,
        signature: None,
        tools,
        limits,
        payload: None,
        sections: None,
        instructions: &[],
    };
    grammar(&spec, options)
}

/// Returns a grammar without the long lists of names, which the documentation of the language also
/// has.
fn shown(grammar: &str) -> String {
    let mut long = false;
    let lines = grammar.lines().filter(|line| {
        if !line.starts_with(' ') {
            let name = line.to_lowercase().replace('_', "-");
            long = ["takes-", "value-name", "class"].iter().any(|list| name.starts_with(list));
        }
        !long
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_small_grammar_in_both_notations() {
    let ctx = value(r#"{"orders": [{"id": 1}], "region": "north", "no name": 1}"#);
    let tools = [tool("rate", "(currency :string, on :string?) -> :float", "", Effect::Read)];
    let named = Functions::Named(vec!["step".to_owned(), "score".to_owned()]);
    let options = GrammarOptions { depth: 1, functions: named, ..GrammarOptions::default() };
    let grammar = build(&ctx, &tools, &options);
    insta::assert_snapshot!("gbnf", shown(&grammar.gbnf()));
    insta::assert_snapshot!("lark", shown(&grammar.lark()));
    assert_eq!(grammar, build(&ctx, &tools, &options));
}

#[test]
fn the_size_of_a_grammar() {
    let ctx = value(r#"{"orders": [{"id": 1}], "region": "north"}"#);
    let mut lines = Vec::new();
    for count in [0, 20] {
        let signature = "(id :int, name :string, limit :int?) -> :any";
        let tools: Vec<ToolDecl> = (1..=count)
            .map(|number| tool(&format!("tool-{number}"), signature, "", Effect::Read))
            .collect();
        for (name, functions) in [("named", Functions::default()), ("any", Functions::Any)] {
            let options = GrammarOptions { functions, ..GrammarOptions::default() };
            let grammar = build(&ctx, &tools, &options);
            // A new builtin adds its name, which seldom changes a size in KiB.
            let kib = |text: &str| text.len() >> 10;
            let (rules, gbnf, lark) =
                (grammar.rules().len(), kib(&grammar.gbnf()), kib(&grammar.lark()));
            lines.push(format!(
                "{count:2} tools, {name:5} functions: {rules} rules, {gbnf} KiB of GBNF, {lark} KiB of Lark"
            ));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}
