//! Expressions level by level: an expression of a level holds expressions of the level below, and those
//! of level 0 hold none. So nothing nests deeper than there are levels.

use ptc_lisp::{Form, Parts, ToolDecl, forms};

use super::names::{Arity, arities, arity_rule};
use super::rule::{Part, Rule, all, any, many, maybe, rule, some, text};
use super::tools;
use crate::{MissionMode, PromptSpec};

/// The names of forms by what follows them, in the order of the table of forms.
fn by_shape(
    shape_of: impl Fn(&Form) -> Option<&'static str>,
) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut shapes: Vec<(&str, Vec<&str>)> = Vec::new();
    for form in forms() {
        let Some(shape) = shape_of(form) else { continue };
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, names)) => names.push(form.name),
            None => shapes.push((shape, vec![form.name])),
        }
    }
    shapes
}

/// What follows the name of a form with a shape of its own, as [`Level::shape`] reads it.
fn shape_of(form: &Form) -> Option<&'static str> {
    match form.parts {
        Parts::Shape(shape) => Some(shape),
        Parts::Count(..) | Parts::Own => None,
    }
}

/// How deep quoted data nests.
const DATA: usize = 3;

/// The rules of expressions up to a level.
pub(super) fn rules(spec: &PromptSpec<'_>, depth: usize) -> Vec<Rule> {
    let tools: &[ToolDecl] = if spec.mode == MissionMode::Agent { spec.tools } else { &[] };
    let has_ctx = !super::names::ctx_keys(spec).is_empty();
    let arities: Vec<Arity> = arities(spec.mode).into_keys().collect();
    let mut rules = data();
    rules.push(plain("end", all([maybe(rule("ws")), text(")")])));
    for number in (0..=depth).rev() {
        let level = Level { number, arities: &arities, has_ctx, tools, arguments: depth / 3 };
        level.rules(&mut rules);
    }
    rules
}

pub(super) fn plain(name: impl Into<String>, body: Part) -> Rule {
    Rule { name: name.into(), token: false, body }
}

struct Level<'a> {
    number: usize,
    arities: &'a [Arity],
    has_ctx: bool,
    tools: &'a [ToolDecl],
    /// The highest level that arguments of tools have.
    arguments: usize,
}

impl Level<'_> {
    /// The rule of this name, of this level.
    fn here(&self, name: &str) -> String {
        format!("{name}-{}", self.number)
    }

    /// The rule of this name, of the level below.
    fn below(&self, name: &str) -> Part {
        rule(format!("{name}-{}", self.number.saturating_sub(1)))
    }

    fn rules(&self, rules: &mut Vec<Rule>) {
        let mut add = |name: &str, body: Part| rules.push(plain(self.here(name), body));
        let quoted = all([text("'"), rule(format!("datum-{DATA}"))]);
        if self.number == 0 {
            // In two words: as one it would be longer than the `(` of other forms, and read instead.
            let empty = [("(", ")"), ("[", "]"), ("{", "}"), ("#{", "}")];
            let empty = empty.map(|(open, close)| all([text(open), text(close)]));
            add("form", any(std::iter::once(rule("atom")).chain(empty)));
            add("item", all([rule("ws"), rule("form-0")]));
            add("pattern", rule("name"));
            add("step", self.step());
            return;
        }
        let deref =
            all([text("@"), any([rule("name"), all([text("("), rule(self.here("call"))])])]);
        add("form", any([rule("atom"), rule(self.here("group")), quoted, deref]));
        add("item", all([rule("ws"), rule(self.here("form"))]));
        add("group", self.group());
        add("call", self.call());
        add("pattern", self.pattern());
        add("parameters", self.parameters());
        add("bindings", self.bindings());
        add("step", self.step());
        if self.number <= self.arguments + 1 && !self.tools.is_empty() {
            rules.extend(tools::rules(self.tools, self.number - 1, self.has_ctx));
        }
    }

    /// What stands between delimiters of its own.
    fn group(&self) -> Part {
        let (form, item) = (|| self.below("form"), || self.below("item"));
        let items = || all([form(), many(item())]);
        let pairs = all([form(), item(), many(all([item(), item()]))]);
        any([
            all([any([text("("), text("#(")]), rule(self.here("call"))]),
            all([text("("), text(")")]),
            within("[", items(), "]"),
            within("#{", items(), "}"),
            within("{", pairs, "}"),
        ])
    }

    /// What stands behind `(`, with the `)`.
    fn call(&self) -> Part {
        let item = || self.below("item");
        let mut heads: Vec<Part> = Vec::new();
        for (min, max) in self.arities {
            let name = rule(arity_rule((*min, *max)));
            heads.push(all([name, repeat_of(item(), *min, *max)]));
        }
        let ctx_key = self.has_ctx.then(|| rule("ctx-key"));
        let quoted = all([text("'"), rule("name")]);
        let lookup = any([rule("keyword"), text("ctx"), quoted].into_iter().chain(ctx_key));
        heads.push(all([lookup, item(), maybe(item())]));
        heads.push(all([
            any([rule("own"), rule("memory-key"), all([text("@"), rule("name")])]),
            many(item()),
        ]));
        if self.number > 1 {
            heads.push(all([self.below("group"), many(item())]));
        }
        for (shape, names) in by_shape(shape_of) {
            heads.push(all([any(names.into_iter().map(text)), self.shape(shape)]));
        }
        if !self.tools.is_empty() {
            heads.push(rule(format!("tool-{}", self.arguments.min(self.number - 1))));
        }
        all([maybe(rule("ws")), any(heads), rule("end")])
    }

    /// What stands in `->` and its kin.
    fn step(&self) -> Part {
        let item = || self.below("item");
        let mut heads: Vec<Part> = Vec::new();
        let mut bare: Vec<Part> = vec![rule("keyword"), rule("own")];
        for (min, max) in self.arities.iter().copied() {
            let name = || rule(arity_rule((min, max)));
            if min <= 1 && max.is_none_or(|max| max >= 1) {
                bare.push(name());
            }
            if max != Some(0) {
                let args = repeat_of(item(), min.saturating_sub(1), max.map(|max| max - 1));
                heads.push(all([name(), args]));
            }
        }
        let lookup =
            if self.has_ctx { any([rule("keyword"), rule("ctx-key")]) } else { rule("keyword") };
        if self.has_ctx {
            bare.push(rule("ctx-key"));
        }
        if self.number == 0 {
            return any(bare);
        }
        heads.push(all([lookup, maybe(item())]));
        heads.push(all([rule("own"), many(item())]));
        if self.number > 1 {
            heads.push(all([self.below("group"), many(item())]));
        }
        for (shape, names) in by_shape(|form| form.step) {
            heads.push(all([any(names.into_iter().map(text)), self.shape(shape)]));
        }
        let call = all([text("("), maybe(rule("ws")), any(heads), rule("end")]);
        bare.push(all([text("#("), rule(self.here("call"))]));
        bare.push(call);
        any(bare)
    }

    /// What follows the name of a form: words apart by blanks, each with `*`, `+` or `?` where it stands
    /// many times, once and more, or perhaps.
    fn shape(&self, shape: &str) -> Part {
        all(shape.split(' ').map(|word| {
            let name = word.trim_end_matches(['*', '+', '?']);
            let part = self.word(name);
            match word.strip_prefix(name) {
                Some("*") => many(part),
                Some("+") => some(part),
                Some("?") => maybe(part),
                _ => part,
            }
        }))
    }

    /// One word of a shape, with the blanks before it.
    fn word(&self, word: &str) -> Part {
        let (ws, blank, item) = (|| rule("ws"), || maybe(rule("ws")), || self.below("item"));
        let open = |head: &str| all([text("("), blank(), text(head)]);
        let pattern = || self.below("pattern");
        match word {
            "item" => item(),
            "name" => all([ws(), rule("name")]),
            "as" => all([ws(), pattern()]),
            "any-name" => all([ws(), any([rule("name"), rule("value-name")])]),
            "doc" => all([ws(), rule("string")]),
            "datum" => all([ws(), rule(format!("datum-{DATA}"))]),
            "pair" => all([item(), item()]),
            "step" => all([ws(), self.below("step")]),
            "choice" => all([item(), ws(), self.below("step")]),
            "bindings" => all([ws(), rule(self.here("bindings"))]),
            "binding" => all([ws(), text("["), blank(), pattern(), item(), blank(), text("]")]),
            "parameters" => all([ws(), rule(self.here("parameters"))]),
            "function" => {
                let parameters = rule(self.here("parameters"));
                let one = all([text("("), blank(), parameters.clone(), many(item()), rule("end")]);
                any([all([ws(), parameters, many(item())]), some(all([ws(), one]))])
            }
            "functions" => {
                let one =
                    all([text("("), blank(), rule("name"), self.word("function"), rule("end")]);
                all([ws(), within("[", list(one), "]")])
            }
            "each" => {
                let bind = || all([pattern(), item()]);
                let test = all([any([text(":when"), text(":while")]), item()]);
                let names = all([text(":let"), ws(), rule(self.here("bindings"))]);
                let more = many(all([ws(), any([bind(), test, names])]));
                all([ws(), text("["), blank(), bind(), more, blank(), text("]")])
            }
            "clause" => {
                let datum = || rule(format!("datum-{}", DATA - 1));
                all([ws(), datum(), item()])
            }
            "catch" => all([
                ws(),
                open("catch"),
                ws(),
                rule("class"),
                ws(),
                rule("name"),
                many(item()),
                rule("end"),
            ]),
            "finally" => all([ws(), open("finally"), many(item()), rule("end")]),
            // Shapes are written in the table of forms, and every word of them is above.
            _ => text(word),
        }
    }

    fn bindings(&self) -> Part {
        within("[", list(all([self.below("pattern"), self.below("item")])), "]")
    }

    /// The parameters of a function: patterns, and perhaps one for the rest.
    fn parameters(&self) -> Part {
        let rest = || all([text("&"), rule("ws"), self.below("pattern")]);
        let some = all([list(self.below("pattern")), maybe(all([rule("ws"), rest()]))]);
        within("[", any([some, rest()]), "]")
    }

    /// A name, or the parts of a vector or of a map by their names.
    fn pattern(&self) -> Part {
        let ws = || rule("ws");
        let below = || self.below("pattern");
        let whole = || all([text(":as"), ws(), rule("name")]);
        let rest = || all([text("&"), ws(), below()]);
        let last = || maybe(all([ws(), whole()]));
        let items = all([list(below()), maybe(all([ws(), rest()])), last()]);
        let vector = within("[", any([items, all([rest(), last()]), whole()]), "]");
        let names = within("[", list(any([rule("name"), rule("keyword"), rule("long-name")])), "]");
        let defaults = within("{", list(all([rule("name"), self.below("item")])), "}");
        let entry = any([
            all([rule("group-key"), ws(), names]),
            all([text(":or"), ws(), defaults]),
            whole(),
            all([below(), self.below("item")]),
        ]);
        any([rule("name"), vector, within("{", list(entry), "}")])
    }
}

/// A part between delimiters, or nothing between them.
pub(super) fn within(open: &str, inside: Part, close: &str) -> Part {
    let blank = || maybe(rule("ws"));
    all([text(open), blank(), maybe(all([inside, blank()])), text(close)])
}

/// A part once or more, with blanks between.
pub(super) fn list(part: Part) -> Part {
    all([part.clone(), many(all([rule("ws"), part]))])
}

/// A part so many times, written out: not every reader of the notations knows numbers of times.
fn repeat_of(part: Part, min: usize, max: Option<usize>) -> Part {
    let required = std::iter::repeat_n(part.clone(), min);
    let rest = match max {
        None => Some(many(part)),
        Some(max) => (min..max).fold(None, |rest: Option<Part>, _| {
            Some(maybe(all(std::iter::once(part.clone()).chain(rest))))
        }),
    };
    all(required.chain(rest))
}

/// Quoted data: whatever is read.
fn data() -> Vec<Rule> {
    let mut rules = Vec::new();
    for number in 0..=DATA {
        let name = format!("datum-{number}");
        if number == 0 {
            rules.push(plain(name, any([rule("atom"), rule("long-name")])));
            continue;
        }
        let below = || rule(format!("datum-{}", number - 1));
        let items = || list(below());
        let pairs = list(all([below(), rule("ws"), below()]));
        let data = [
            any([rule("atom"), rule("long-name")]),
            all([text("'"), below()]),
            within("(", items(), ")"),
            within("[", items(), "]"),
            within("#{", items(), "}"),
            within("{", pairs, "}"),
        ];
        rules.push(plain(name, any(data)));
    }
    rules
}
