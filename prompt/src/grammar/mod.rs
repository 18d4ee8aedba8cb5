//! The grammar of the programs that a mission allows, for providers that can hold a model to one.
//!
//! [`grammar`] makes it as plain data; [`Grammar::gbnf`] and [`Grammar::lark`] write it down. What never
//! will be here: what a grammar without a memory cannot know, such as which names are bound where.

mod forms;
mod names;
mod rule;
mod tokens;
mod tools;
mod words;
mod write;

pub use rule::{Chars, Part, Rule};

use crate::PromptSpec;

/// What a grammar is to allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarOptions {
    /// How deep forms nest, at least 1; arguments of tools nest a third as deep.
    pub depth: usize,
    /// What a program may call besides builtins, forms and tools.
    pub functions: Functions,
    /// What stands around the program.
    pub reply: ReplyFormat,
}

impl Default for GrammarOptions {
    fn default() -> Self {
        Self { depth: 8, functions: Functions::default(), reply: ReplyFormat::Fenced }
    }
}

/// The functions of its own that a program may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Functions {
    /// Those of these names.
    Named(Vec<String>),
    /// Those of any name that is no builtin, no form, and no name of Clojure that the language leaves out.
    Any,
}

impl Default for Functions {
    fn default() -> Self {
        Functions::Named(OWN.map(str::to_owned).to_vec())
    }
}

/// Names that fit most helpers, few enough to keep a small model from inventing functions.
const OWN: [&str; 12] =
    ["f", "g", "h", "check", "go", "helper", "label", "one", "pick", "score", "step", "total"];

/// What a reply looks like as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyFormat {
    /// The program in one block of code, and nothing else.
    #[default]
    Fenced,
    /// The program alone.
    Bare,
}

/// A grammar: rules, the first of which produces the whole reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    rules: Vec<Rule>,
}

impl Grammar {
    /// Its rules; the first produces the whole reply.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The grammar for llama.cpp and what understands its notation.
    pub fn gbnf(&self) -> String {
        write::gbnf(&self.rules)
    }

    /// The grammar in Lark's notation, as llguidance reads it.
    pub fn lark(&self) -> String {
        write::lark(&self.rules)
    }
}

/// Makes the grammar of the programs that a mission allows.
///
/// Every program that it produces is read, and names only what is there: tools with the arguments that
/// stand in their calls, keys of `ctx`, every name with a `/` or a dot in front, classes of `catch`, and
/// builtins, each called with as many arguments as it takes. In [`Functions::Named`] nothing else is
/// called by name but functions of those names; in [`Functions::Any`] any name that is no name of Clojure,
/// so that an arity that is wrong cannot hide behind it. Nothing goes on without end but lists of items:
/// forms nest [`GrammarOptions::depth`] deep, and blanks, texts, names, numbers and comments have bounds.
///
/// What it cannot know: whether a plain name is bound where it stands, how many arguments a function of
/// the program takes, where `recur` may stand, and types. Admission looks at those.
///
/// ```
/// use ptc_lisp::json;
/// use ptc_prompt::{GrammarOptions, MissionMode, PromptLimits, PromptSpec, grammar};
///
/// let ctx = json::parse(r#"{"orders": []}"#)?;
/// let grammar = grammar(
///     &PromptSpec {
///         mission: "How many orders are there?",
///         mode: MissionMode::Agent,
///         ctx: &ctx,
///         signature: None,
///         tools: &[],
///         limits: PromptLimits::default(),
///         sections: None,
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
    Grammar { rules: used(rules) }
}

/// The rules that the first one leads to, in their order.
fn used(rules: Vec<Rule>) -> Vec<Rule> {
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
