//! The grammar of a mission's scope, with matchers for both notations.

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::ApproximateTokEnv;
use llguidance::{Matcher, ParserFactory};
use ptc_lisp::{Session, Value};
use ptc_prompt::{
    AgentSpec, Grammar, GrammarOptions, MissionMode, PromptLimits, PromptSpec, grammar,
};

use super::gbnf::Gbnf;

/// Builds the grammar for the programs of a session.
pub(crate) fn grammar_of(
    session: &Session,
    mode: MissionMode,
    options: &GrammarOptions,
) -> Grammar {
    let ctx: Value = session.ctx();
    let tools = session.tools();
    let limits = PromptLimits::default();
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "",
        mode,
        ctx: &ctx,
        signature: None,
        tools,
        limits,
        payload: None,
        sections: None,
        instructions: &[],
    };
    grammar(&spec, options)
}

/// A grammar that llguidance matches, byte by byte, with its own limits.
pub(crate) struct Lark(Matcher);

impl Lark {
    pub(crate) fn new(grammar: &Grammar) -> Lark {
        let tokens = ApproximateTokEnv::single_byte_env();
        let mut factory = ParserFactory::new_simple(&tokens).unwrap();
        factory.quiet();
        let parser = factory.create_parser(TopLevelGrammar::from_lark(grammar.lark()));
        let mut matcher = Matcher::new(parser);
        assert_eq!(matcher.get_error(), None);
        assert_eq!(matcher.grammar_warnings(), Vec::<String>::new());
        Lark(matcher)
    }

    /// Returns an error with the place of the mismatch if the grammar does not produce the text.
    pub(crate) fn takes(&self, text: &str) -> Result<(), String> {
        let mut matcher = self.0.deep_clone();
        let bytes: Vec<u32> = text.bytes().map(u32::from).collect();
        match matcher.try_consume_tokens(&bytes) {
            Ok(count) if count < bytes.len() => Err(format!(
                "stops before {:?}",
                String::from_utf8_lossy(&text.as_bytes()[count..])
            )),
            Ok(_) if matcher.is_accepting().unwrap_or(false) => Ok(()),
            Ok(_) => Err("wants more".to_owned()),
            Err(problem) => Err(problem.to_string()),
        }
    }
}

/// Parses the grammar in llama.cpp's notation.
pub(crate) fn gbnf(grammar: &Grammar) -> Gbnf {
    Gbnf::read(&grammar.gbnf()).unwrap_or_else(|problem| panic!("{problem}"))
}
