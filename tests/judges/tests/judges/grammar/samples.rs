//! Tests that samples of the grammar parse and only use names that exist.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use ptc_lisp::vocabulary::builtins;
use ptc_lisp::{Diagnostic, Effect, Kind, Limits, Session, ToolDecl, json};
use ptc_prompt::{Functions, Grammar, GrammarOptions, MissionMode, Part, ReplyFormat, extract};

use super::gbnf::{Follower, Gbnf};
use super::scope::{Lark, gbnf, grammar_of};

/// A sampler of a grammar. It follows a list of choices, and then takes the shortest path to the
/// end.
struct Sampler<'a> {
    grammar: &'a Grammar,
    choices: std::slice::Iter<'a, u16>,
    out: String,
}

impl Sampler<'_> {
    /// Returns the next choice below `count`, or 0 if the choices are used up.
    fn choose(&mut self, count: usize) -> usize {
        self.choices.next().map_or(0, |choice| usize::from(*choice) % count.max(1))
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Text(text) => self.out.push_str(text),
            Part::Char(chars) => {
                let all = (' '..='~').chain("\n\täλя中".chars()).filter(|c| chars.has(*c));
                let all: Vec<char> = all.collect();
                let at = self.choose(all.len());
                self.out.push(all[at]);
            }
            Part::All(parts) => parts.iter().for_each(|part| self.part(part)),
            Part::Any(parts) => {
                let at = self.choose(parts.len());
                self.part(&parts[at]);
            }
            Part::Repeat(part, min, max) => {
                let most = max.unwrap_or(min + 3).min(min + 3) - min;
                let more = self.choose(most as usize + 1);
                (0..*min as usize + more).for_each(|_| self.part(part));
            }
            // These names are bound before every sample, so only names that the grammar guarantees
            // can be missing.
            Part::Rule(name) if name == "name" => {
                let names = ["a", "b", "more", "nil", "true"];
                let at = self.choose(names.len());
                self.out.push_str(names[at]);
            }
            Part::Rule(name) => {
                let rule = self.grammar.rules().iter().find(|rule| rule.name == *name);
                self.part(&rule.expect("every rule is there").body);
            }
        }
    }
}

/// The definitions before every sample.
const BEFORE: &str = "(def a 1) (def b [a]) (defn more [& xs] xs)\n";

fn session() -> Session {
    let tools = [
        ("rate", "(currency :any, on :any?) -> :float"),
        ("now", "-> :string"),
        ("search", "(query :any?, limit :any?, page :any?, sort :any?) -> [:any]"),
        ("free", ""),
    ];
    let tools = tools.map(|(name, signature)| ToolDecl {
        signature: (!signature.is_empty()).then(|| signature.parse().unwrap()),
        ..ToolDecl::new(name, Effect::Read)
    });
    let ctx = json::parse(r#"{"orders": [{"id": 1}], "region": "n"}"#).unwrap();
    Session::new(ctx, tools.into(), Limits::default())
}

/// Returns whether the grammar excludes a problem.
fn is_excluded(problem: &Diagnostic) -> bool {
    let name = problem.message().split('`').nth(1).unwrap_or_default();
    match problem.code() {
        "unknown-tool" | "planning-tool" | "unknown-ctx-key" | "tool-arguments" => true,
        "unknown-name" | "not-available" => name.contains('/') || name.starts_with('.'),
        "wrong-arity" => {
            let calls = format!("write `({name}");
            builtins().any(|(_, builtin)| builtin.name == name)
                && problem.help().is_some_and(|help| help.starts_with(&calls))
        }
        // `bad-form` reports a form without meaning, such as a set with a duplicate member.
        code => problem.kind() == Kind::Parse && code != "bad-form",
    }
}

/// A grammar in all its notations.
struct World {
    session: Session,
    grammar: Grammar,
    lark: Lark,
    gbnf: Gbnf,
}

impl World {
    fn new(functions: Functions, reply: ReplyFormat) -> World {
        let session = session();
        let options = GrammarOptions { depth: 4, functions, reply };
        let grammar = grammar_of(&session, MissionMode::Agent, &options);
        let (lark, gbnf) = (Lark::new(&grammar), gbnf(&grammar));
        World { session, grammar, lark, gbnf }
    }

    fn check(&self, follower: &mut Follower<'_>, choices: &[u16]) -> Result<(), TestCaseError> {
        let mut sampler =
            Sampler { grammar: &self.grammar, choices: choices.iter(), out: String::new() };
        sampler.part(&self.grammar.rules()[0].body);
        let reply = sampler.out;
        prop_assert_eq!(self.lark.takes(&reply), Ok(()), "{}", reply);
        prop_assert_eq!(follower.takes(&reply), Ok(()), "{}", reply);
        let program = if reply.starts_with("```") {
            let found =
                extract(&reply).map_err(|it| TestCaseError::fail(format!("{reply}\n{it:?}")));
            found?.program
        } else {
            reply
        };
        let admitted = self.session.admit(&format!("{BEFORE}{program}"));
        let problems = match &admitted {
            Ok(admitted) => admitted.warnings(),
            Err(rejection) => &rejection.diagnostics,
        };
        let problem = problems.iter().find(|problem| is_excluded(problem));
        prop_assert!(problem.is_none(), "{}\n{:?}", program, problem);
        Ok(())
    }
}

#[test]
fn every_sample_parses_and_uses_existing_names() {
    for (functions, reply) in [
        (Functions::Named(vec!["more".to_owned()]), ReplyFormat::Fenced),
        (Functions::Named(vec!["more".to_owned()]), ReplyFormat::Bare),
        (Functions::Any, ReplyFormat::Bare),
    ] {
        let world = World::new(functions, reply);
        let follower = std::cell::RefCell::new(Follower::new(&world.gbnf));
        let config = ProptestConfig { cases: 600, failure_persistence: None, ..Default::default() };
        let seed = TestRng::deterministic_rng(RngAlgorithm::default());
        let mut runner = TestRunner::new_with_rng(config, seed);
        let choices = proptest::collection::vec(any::<u16>(), 0..160);
        let checked =
            runner.run(&choices, |choices| world.check(&mut follower.borrow_mut(), &choices));
        checked.unwrap_or_else(|problem| panic!("{problem}"));
    }
}
