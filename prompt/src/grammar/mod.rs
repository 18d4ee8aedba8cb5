//! The grammar of the programs that a mission allows, for providers that can constrain a model to a
//! grammar.
//!
//! [`grammar`] builds it as plain data. [`Grammar::gbnf`] and [`Grammar::lark`] write it in a
//! notation. A context-free grammar cannot express everything: for example, it cannot express which
//! names are bound at a place.

mod forms;
mod names;
mod options;
mod rule;
mod tokens;
mod tools;
mod words;
mod write;

pub use options::{Functions, GrammarOptions, ReplyFormat};
pub use rule::{Chars, Part, Rule};

use crate::PromptSpec;

/// A grammar: a list of rules. The first rule produces the whole reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    rules: Vec<Rule>,
}

impl Grammar {
    /// Returns the rules. The first rule produces the whole reply.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the grammar in GBNF, the notation of llama.cpp.
    pub fn gbnf(&self) -> String {
        write::gbnf(&self.rules)
    }

    /// Returns the grammar in Lark's notation, as llguidance reads it.
    pub fn lark(&self) -> String {
        write::lark(&self.rules)
    }
}

/// Builds the grammar of the programs that a mission allows.
///
/// Every program that the grammar produces parses, and it only uses known names:
///
/// - tools, with their own argument names where the tool is named literally;
/// - keys of `ctx`;
/// - names with a namespace or a leading dot;
/// - classes of `catch`;
/// - builtins, each with a valid number of arguments.
///
/// With [`Functions::Named`], a program calls no other functions by name than those of the list.
/// With [`Functions::Any`], it may call any name that is not a name of Clojure. Names of Clojure
/// are excluded because a builtin with a wrong arity could otherwise pass as such a call.
///
/// Only lists of items are unbounded. Forms nest [`GrammarOptions::depth`] levels deep, and blanks,
/// texts, names, numbers and comments have bounds.
///
/// The grammar cannot express whether a plain name is bound, the arity of a program's own function,
/// the valid places of `recur`, or types. Admission checks those.
///
/// ```
/// use ptc_lisp::json;
/// use ptc_prompt::{GrammarOptions, MissionMode, PromptLimits, PromptSpec, AgentSpec, grammar};
///
/// let ctx = json::parse(r#"{"orders": []}"#)?;
/// let grammar = grammar(
///     &PromptSpec {
///         agent: AgentSpec::default(),
///         mission: "How many orders are there?",
///         mode: MissionMode::Agent,
///         ctx: &ctx,
///         signature: None,
///         tools: &[],
///         limits: PromptLimits::default(),
///         payload: None,
///         sections: None,
///         instructions: &[],
///     },
///     &GrammarOptions::default(),
/// );
/// assert!(grammar.gbnf().contains(r#"ctx-key ::= "ctx/" ("fail" | "orders")"#));
/// assert!(grammar.lark().contains(r"CTX_KEY: /ctx\/(fail|orders)/"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grammar(spec: &PromptSpec<'_>, options: &GrammarOptions) -> Grammar {
    let depth = options.depth.max(1);
    let mut rules = vec![tokens::reply(options.reply, &format!("form-{depth}"))];
    rules.extend(tokens::end_of_line(options.reply));
    rules.extend(forms::rules(spec, depth));
    rules.extend(names::rules(spec, options));
    rules.extend(tokens::rules(options.reply));
    Grammar { rules: reachable(rules) }
}

/// Returns the rules that are reachable from the first one, in their order.
fn reachable(rules: Vec<Rule>) -> Vec<Rule> {
    let places: std::collections::BTreeMap<&str, usize> =
        rules.iter().enumerate().map(|(at, rule)| (rule.name.as_str(), at)).collect();
    let mut seen = vec![false; rules.len()];
    let mut work: Vec<&Part> = Vec::new();
    if let Some(root) = rules.first() {
        seen[0] = true;
        work.push(&root.body);
    }
    while let Some(part) = work.pop() {
        match part {
            Part::Text(_) | Part::Char(_) => {}
            Part::All(parts) | Part::Any(parts) => work.extend(parts),
            Part::Repeat(part, ..) => work.push(part),
            Part::Rule(name) => {
                if let Some(at) = places.get(name.as_str()).copied()
                    && !seen[at]
                {
                    seen[at] = true;
                    work.push(&rules[at].body);
                }
            }
        }
    }
    let mut seen = seen.into_iter();
    rules.into_iter().filter(|_| seen.next().unwrap_or_default()).collect()
}
