//! The forms of the language that are not functions, special forms and sugar, in one table.
//!
//! The checker reads their meaning from it. Documentation, did-you-mean, delimiter repair and the prompt's grammar read
//! the rest.

use super::analyzer::Analyzer;
use super::meanings::Special;
use ptc_reader::FormId;
use ptc_values::code::Span;

/// A form of the language that is not a function.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each fact")]
pub struct Form {
    /// The name.
    pub name: &'static str,
    /// The usage, one line for each variant.
    pub usage: &'static str,
    /// The value, described in one line.
    pub doc: &'static str,
    /// The parts after the name.
    pub parts: Parts,
    /// The parts after the name in a step of `->`, as a shape of [`Parts`]. `None` if threading through it is unusual.
    pub step: Option<&'static str>,
    /// Whether it addresses the mission, as `return` does.
    pub is_of_mission: bool,
    pub(super) kind: Kind,
    /// The part where a body begins: all forms of a body but the last are evaluated for their effects.
    pub body: Option<usize>,
    /// Whether it is unusual with a single part.
    pub is_of_several: bool,
    /// Whether it has effects.
    pub acts: bool,
    /// Whether it makes a lazy sequence.
    pub makes_lazy: bool,
}

/// The parts after the name of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// A number of forms: the minimum, and the maximum if there is one.
    Count(usize, Option<usize>),
    /// Words separated by blanks. `item` is any form, `bindings` a vector of patterns and values, and so on. The
    /// suffixes mean: `*` any number, `+` at least one, `?` optional.
    Shape(&'static str),
    /// A structure that only the form knows.
    Own,
}

/// The way the checker handles a form.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Makes nodes.
    Special(Special),
    /// Rewrites it to a simpler form, or reports a problem.
    Sugar(Expand),
}

impl Special {
    pub(super) fn name(self) -> &'static str {
        let is_it = |form: &&Form| matches!(form.kind, Kind::Special(special) if special == self);
        FORMS.iter().find(is_it).map_or("", |form| form.name)
    }

    /// Returns whether its name keeps its meaning even if a program redefines it, as in Clojure. The other forms are
    /// macros there, or words of a mission.
    pub(super) fn is_fixed(self) -> bool {
        use Special::{Catch, Def, Do, Finally, If, Quote, Recur, Try};
        matches!(self, If | Do | Recur | Def | Quote | Try | Catch | Finally)
    }
}

/// Makes the simpler form from the name, the parts and the place of the form.
pub(super) type Expand = fn(&mut Analyzer<'_>, &'static str, &[FormId], Span) -> Result<FormId, ()>;

/// Returns the forms that are not functions: special forms and sugar.
pub fn forms() -> impl Iterator<Item = &'static Form> {
    FORMS.iter()
}

/// All forms, special forms first.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of one lifetime is no function of any"
)]
pub static FORMS: &[Form] = &[
    special(
        "if",
        "(if test then else?)",
        "then if the test is true, otherwise else, or nil.",
        Parts::Count(2, Some(3)),
        Special::If,
    ),
    special(
        "do",
        "(do form …)",
        "Evaluates the forms and returns the last value.",
        Parts::Count(0, None),
        Special::Do,
    )
    .body(1)
    .several(),
    special(
        "let",
        "(let [pattern value …] body …)",
        "The body with names bound to values.",
        Parts::Shape("bindings item*"),
        Special::Let,
    )
    .step("bindings item*")
    .body(2)
    .several(),
    special(
        "loop",
        "(loop [pattern value …] body …)",
        "Evaluates the body; `recur` runs it again with new values.",
        Parts::Shape("bindings item*"),
        Special::Loop,
    )
    .body(2)
    .several(),
    special(
        "recur",
        "(recur value …)",
        "Runs the innermost `loop` or function again with new values.",
        Parts::Count(0, None),
        Special::Recur,
    )
    .acts(),
    special(
        "fn",
        "(fn name? [pattern …] body …)\n(fn name? ([pattern …] body …) …)",
        "A function; also written `#(+ % 1)`.",
        Parts::Shape("name? function"),
        Special::Fn,
    )
    .step("name? parameters item*")
    .body(2)
    .several(),
    special(
        "def",
        "(def name value?)",
        "Names a value for the rest of the program and later turns.",
        Parts::Shape("name doc? item?"),
        Special::Def,
    )
    .step("name")
    .acts(),
    special(
        "quote",
        "(quote form)",
        "The form itself as data; also written 'form.",
        Parts::Shape("datum"),
        Special::Quote,
    ),
    special(
        "and",
        "(and form …)",
        "The first false value, otherwise the last.",
        Parts::Count(0, None),
        Special::And,
    )
    .several(),
    special(
        "or",
        "(or form …)",
        "The first true value, otherwise the last.",
        Parts::Count(0, None),
        Special::Or,
    )
    .several(),
    special(
        "call",
        "(call \"tool\" {:argument value …})",
        "The result of a tool; its name is a literal string.",
        Parts::Own,
        Special::Call,
    )
    .acts()
    .of_mission(),
    special(
        "return",
        "(return value)",
        "Ends the program with the answer of the mission.",
        Parts::Count(1, Some(1)),
        Special::Return,
    )
    .acts()
    .of_mission(),
    special(
        "fail",
        "(fail {:reason :name :message \"text\"})",
        "Ends the program without an answer of the mission.",
        Parts::Count(1, Some(1)),
        Special::Fail,
    )
    .acts()
    .of_mission(),
    special(
        "letfn",
        "(letfn [(name [pattern …] body …) …] body …)",
        "The body with functions that may call one another.",
        Parts::Shape("functions item*"),
        Special::Letfn,
    ),
    special(
        "try",
        "(try body … (catch Class name handler …) … (finally form …))",
        "The value of the body, or of the first handler whose class matches the exception.",
        Parts::Shape("item* catch* finally?"),
        Special::Try,
    ),
    special(
        "catch",
        "(catch Class name handler …)",
        "A part of `try` that handles an exception.",
        Parts::Own,
        Special::Catch,
    ),
    special(
        "finally",
        "(finally form …)",
        "The last part of `try`, which is always evaluated.",
        Parts::Own,
        Special::Finally,
    ),
    sugar(
        "->",
        "(-> x form …)",
        "Passes x through the forms, as the first argument of each.",
        Parts::Shape("item step*"),
        |a, head, args, span| a.thread(head, args, span),
    )
    .step("step*")
    .several(),
    sugar(
        "->>",
        "(->> x form …)",
        "Passes x through the forms, as the last argument of each.",
        Parts::Shape("item step*"),
        |a, head, args, span| a.thread(head, args, span),
    )
    .step("step*")
    .several(),
    sugar(
        "as->",
        "(as-> x name form …)",
        "Passes x through the forms, with a name for the value so far.",
        Parts::Shape("item as item*"),
        |a, _, args, span| a.thread_as(args, span),
    )
    .step("as item*"),
    sugar(
        "cond->",
        "(cond-> x test form …)",
        "`->` through the forms whose test is true.",
        Parts::Shape("item choice*"),
        |a, head, args, span| a.thread_cond(head, args, span),
    )
    .step("choice*")
    .several(),
    sugar(
        "cond->>",
        "(cond->> x test form …)",
        "`->>` through the forms whose test is true.",
        Parts::Shape("item choice*"),
        |a, head, args, span| a.thread_cond(head, args, span),
    )
    .step("choice*")
    .several(),
    sugar(
        "some->",
        "(some-> x form …)",
        "`->` that stops at nil.",
        Parts::Shape("item step*"),
        |a, head, args, span| a.thread_some(head, args, span),
    )
    .step("step*")
    .several(),
    sugar(
        "some->>",
        "(some->> x form …)",
        "`->>` that stops at nil.",
        Parts::Shape("item step*"),
        |a, head, args, span| a.thread_some(head, args, span),
    )
    .step("step*")
    .several(),
    sugar(
        "cond",
        "(cond test value … :else value)",
        "The value of the first test that is true.",
        Parts::Shape("pair*"),
        |a, _, args, span| a.cond(args, span),
    ),
    sugar(
        "condp",
        "(condp f x test value … default?)",
        "The value of the first test for which (f test x) is true.",
        Parts::Count(2, None),
        |a, _, args, span| a.condp(args, span),
    ),
    sugar(
        "case",
        "(case x constant value … default?)",
        "The value of the constant that equals x; (a b) matches either.",
        Parts::Shape("item clause* item?"),
        |a, _, args, span| a.case(args, span),
    )
    .step("clause* item?"),
    sugar(
        "when",
        "(when test body …)",
        "The body if the test is true, otherwise nil.",
        Parts::Count(1, None),
        |a, head, args, span| a.when(head, args, span),
    )
    .body(2)
    .several(),
    sugar(
        "when-not",
        "(when-not test body …)",
        "The body if the test is false, otherwise nil.",
        Parts::Count(1, None),
        |a, head, args, span| a.when(head, args, span),
    )
    .body(2)
    .several(),
    sugar(
        "if-not",
        "(if-not test then else?)",
        "then if the test is false, otherwise else, or nil.",
        Parts::Count(2, Some(3)),
        |a, head, args, span| a.if_not(head, args, span),
    ),
    sugar(
        "if-let",
        "(if-let [pattern value] then else?)",
        "`if` that binds a true value.",
        Parts::Shape("binding item item?"),
        |a, head, args, span| a.if_let(head, args, span),
    )
    .step("binding item?")
    .several(),
    sugar(
        "when-let",
        "(when-let [pattern value] body …)",
        "`when` that binds a true value.",
        Parts::Shape("binding item*"),
        |a, head, args, span| a.if_let(head, args, span),
    )
    .step("binding item*")
    .body(2)
    .several(),
    sugar(
        "if-some",
        "(if-some [pattern value] then else?)",
        "`if` that binds a value that is not nil.",
        Parts::Shape("binding item item?"),
        |a, head, args, span| a.if_let(head, args, span),
    )
    .step("binding item?"),
    sugar(
        "when-some",
        "(when-some [pattern value] body …)",
        "`when` that binds a value that is not nil.",
        Parts::Shape("binding item*"),
        |a, head, args, span| a.if_let(head, args, span),
    )
    .step("binding item*")
    .body(2)
    .several(),
    sugar(
        "when-first",
        "(when-first [pattern coll] body …)",
        "The body with the first item, if there is one.",
        Parts::Shape("binding item*"),
        |a, head, args, span| a.if_let(head, args, span),
    ),
    sugar(
        "defn",
        "(defn name text? [pattern …] body …)\n(defn name text? ([pattern …] body …) …)",
        "Names a function for the rest of the program and later turns.",
        Parts::Shape("name doc? function"),
        |a, _, args, span| a.defn(args, span),
    )
    .body(3)
    .acts(),
    sugar(
        "defn-",
        "(defn- name text? [pattern …] body …)",
        "The same as `defn`.",
        Parts::Shape("name doc? function"),
        |a, _, args, span| a.defn(args, span),
    )
    .acts(),
    sugar(
        "for",
        "(for [pattern coll … :let [pattern value …] :when test :while test] value)",
        "A sequence of values for every combination of items.",
        Parts::Shape("each item+"),
        |a, _, args, span| a.for_form(args, span, true),
    )
    .step("each item*")
    .several(),
    sugar(
        "doseq",
        "(doseq [pattern coll … :let [pattern value …] :when test :while test] body …)",
        "Evaluates the body for every combination of items; returns nil.",
        Parts::Shape("each item*"),
        |a, _, args, span| a.for_form(args, span, false),
    )
    .step("each item*")
    .several(),
    sugar(
        "dotimes",
        "(dotimes [name count] body …)",
        "Evaluates the body for 0, 1, … below count; returns nil.",
        Parts::Shape("binding item*"),
        |a, _, args, span| a.dotimes(args, span),
    )
    .several(),
    sugar(
        "while",
        "(while test body …)",
        "Evaluates the body as long as the test is true; returns nil.",
        Parts::Count(1, None),
        |a, _, args, span| a.while_form(args, span),
    ),
    sugar(
        "flow/sequence",
        "(flow/sequence [agent …])",
        "Runs agents over the payload, one after another; returns the last result.",
        Parts::Count(1, Some(1)),
        |a, _, args, span| a.flow_sequence(args, span),
    ),
    sugar(
        "flow/parallel",
        "(flow/parallel [agent …])",
        "Runs agents over the payload side by side; returns their results in order.",
        Parts::Count(1, Some(1)),
        |a, _, args, span| a.flow_parallel(args, span),
    ),
    sugar(
        "flow/loop",
        "(flow/loop [agent …] {:max n})",
        "Runs agents in order, again and again, until one calls `exit_loop`; returns `:passes` and `:ended_by`.",
        Parts::Count(2, Some(2)),
        |a, _, args, span| a.flow_loop(args, span),
    ),
    sugar(
        "assert",
        "(assert test message?)",
        "Throws an AssertionError when the test is false.",
        Parts::Count(1, Some(2)),
        |a, _, args, span| a.assert(args, span),
    ),
    sugar(
        "comment",
        "(comment form …)",
        "nil; the forms are not evaluated.",
        Parts::Count(0, None),
        |a, _, _, span| Ok(a.forms_nil(span)),
    ),
    sugar(
        "declare",
        "(declare name …)",
        "nil; a name may be used before its definition anyway.",
        Parts::Shape("name+"),
        |a, _, _, span| Ok(a.forms_nil(span)),
    )
    .acts(),
    sugar(
        "defonce",
        "(defonce name value)",
        "`def`, unless the name has a value already.",
        Parts::Shape("name item"),
        |a, _, args, span| a.defonce(args, span),
    ),
    sugar(
        "doto",
        "(doto x form …)",
        "Evaluates each form with x as its first argument; returns x.",
        Parts::Shape("item step*"),
        |a, _, args, span| a.doto(args, span),
    )
    .step("step*"),
    sugar(
        "lazy-seq",
        "(lazy-seq body …)",
        "A lazy sequence of the items that the body returns.",
        Parts::Count(0, None),
        |a, _, args, span| Ok(a.lazy_seq(args, span)),
    )
    .makes_lazy(),
    sugar(
        "lazy-cat",
        "(lazy-cat coll …)",
        "The items of all collections; each is evaluated when it is reached.",
        Parts::Count(0, None),
        |a, _, args, span| Ok(a.lazy_cat(args, span)),
    )
    .makes_lazy(),
    sugar(
        "..",
        "(.. object (method argument …) …)",
        "Calls methods one after another, each on the result before.",
        Parts::Own,
        |a, _, args, span| a.members(args, span),
    ),
    sugar(
        ".",
        "(. object method argument …)",
        "Calls a Java method.",
        Parts::Own,
        |a, _, args, span| a.method(args, span),
    ),
    sugar(
        "memfn",
        "(memfn method name …)",
        "A Java method as a function.",
        Parts::Own,
        |a, _, args, span| a.member_function(args, span),
    ),
    sugar(
        "new",
        "(new Class argument …)",
        "A new value of a class, as `(Class. argument …)`.",
        Parts::Own,
        |a, _, args, span| a.new_form(args, span),
    ),
    sugar(
        "pvalues",
        "(pvalues form …)",
        "The values of the forms, with concurrent tool calls.",
        Parts::Count(0, None),
        |a, _, args, span| Ok(a.pvalues(args, span)),
    ),
    sugar(
        "if-error",
        "(if-error value default)",
        "The value, or the default if computing the value is an error. Not in Clojure.",
        Parts::Count(2, Some(2)),
        |a, _, args, span| a.if_error(args, span),
    ),
    sugar(
        "delay",
        "(delay form …)",
        "A value that `@` or `force` computes once, on first use.",
        Parts::Count(0, None),
        |a, _, args, span| Ok(a.delay(args, span)),
    ),
    sugar(
        "with-out-str",
        "(with-out-str form …)",
        "The text that the forms print.",
        Parts::Count(0, None),
        |a, _, args, span| Ok(a.with_out_str(args, span)),
    ),
    sugar(
        "doc",
        "(doc name)",
        "Prints the usage of a function, form or tool; returns nil.",
        Parts::Shape("any-name"),
        |a, _, args, span| a.doc(args, span),
    ),
    sugar(
        "var",
        "(var name)",
        "The value of the name; also written #'name.",
        Parts::Shape("any-name"),
        |a, _, args, span| a.var(args, span),
    ),
];

pub fn find(name: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == name)
}

impl Form {
    /// Returns whether the vector after its name binds names.
    pub fn binds(&self) -> bool {
        let Parts::Shape(shape) = self.parts else { return false };
        ["binding", "each"].iter().any(|word| shape.starts_with(word))
    }

    /// Returns whether it makes a function with its parameters in a vector.
    pub fn makes_function(&self) -> bool {
        matches!(self.parts, Parts::Shape(shape) if shape.ends_with(" function"))
    }

    /// Returns whether it puts a value into its other parts as an argument.
    pub fn threads(&self) -> bool {
        let Parts::Shape(shape) = self.parts else { return false };
        ["step*", "choice*", "as item*"].iter().any(|end| shape.ends_with(end))
    }

    const fn step(self, step: &'static str) -> Form {
        Form { step: Some(step), ..self }
    }

    const fn of_mission(self) -> Form {
        Form { is_of_mission: true, ..self }
    }

    const fn body(self, from: usize) -> Form {
        Form { body: Some(from), ..self }
    }

    const fn several(self) -> Form {
        Form { is_of_several: true, ..self }
    }

    const fn acts(self) -> Form {
        Form { acts: true, ..self }
    }

    const fn makes_lazy(self) -> Form {
        Form { makes_lazy: true, ..self }
    }
}

const fn special(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    parts: Parts,
    form: Special,
) -> Form {
    row(name, usage, doc, parts, Kind::Special(form))
}

const fn sugar(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    parts: Parts,
    expand: Expand,
) -> Form {
    row(name, usage, doc, parts, Kind::Sugar(expand))
}

const fn row(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    parts: Parts,
    kind: Kind,
) -> Form {
    Form {
        name,
        usage,
        doc,
        parts,
        kind,
        step: None,
        is_of_mission: false,
        body: None,
        is_of_several: false,
        acts: false,
        makes_lazy: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usage_starts_with_its_name() {
        for form in FORMS {
            for usage in form.usage.lines() {
                let head = usage.trim_start_matches('(').split([' ', ')']).next();
                assert_eq!(head, Some(form.name), "{usage}");
            }
            assert!(form.doc.ends_with('.') && form.doc.len() < 120, "{}", form.doc);
        }
    }
}
