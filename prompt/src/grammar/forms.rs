//! The rules of expressions, level by level. An expression of a level contains expressions of the
//! level below, and those of level 0 contain none. So nesting is bounded by the number of levels.

use ptc_lisp::ToolDecl;
use ptc_lisp::vocabulary::{Form, Parts, forms};

use super::names::{Arity, arities, arity_rule};
use super::rule::{Part, Rule, all, any, list, many, maybe, plain, rule, some, text, within};
use super::tools;
use crate::{MissionMode, PromptSpec};

/// Groups the names of forms by shape, in the order of the table of forms.
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

/// Returns the shape of the parts after a form's name, in the notation of [`Level::shape`], if the
/// form has a shape.
fn shape_of(form: &Form) -> Option<&'static str> {
    match form.parts {
        Parts::Shape(shape) => Some(shape),
        Parts::Count(..) | Parts::Own => None,
    }
}

/// The maximum nesting of quoted data, in levels.
const DATA: usize = 3;

/// Returns the rules of expressions up to the level `depth`.
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

struct Level<'a> {
    number: usize,
    arities: &'a [Arity],
    has_ctx: bool,
    tools: &'a [ToolDecl],
    /// The highest level of the arguments of tools.
    arguments: usize,
}

impl Level<'_> {
    /// Returns the name of a rule of this level.
    fn here(&self, name: &str) -> String {
        format!("{name}-{}", self.number)
    }

    /// Returns a reference to a rule of the level below.
    fn below(&self, name: &str) -> Part {
        rule(format!("{name}-{}", self.number.saturating_sub(1)))
    }

    fn rules(&self, rules: &mut Vec<Rule>) {
        let mut add = |name: &str, body: Part| rules.push(plain(self.here(name), body));
        let quoted = all([text("'"), rule(format!("datum-{DATA}"))]);
        if self.number == 0 {
            // Empty containers are two words. A single `()` would match before the `(` of other
            // forms.
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

    /// Returns a form with delimiters: a call, a vector, a set or a map.
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

    /// Returns the rest of a call after `(`, including the `)`.
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

    /// Returns a step of `->` and similar forms.
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

    /// Returns the parts after a form's name. A shape is a list of words separated by spaces. `*`,
    /// `+` or `?` after a word means any number of times, at least once, or at most once.
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

    /// Returns one word of a shape, with the blanks before it.
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
            // The table of forms has all shapes, and each of their words is handled above.
            _ => text(word),
        }
    }

    fn bindings(&self) -> Part {
        within("[", list(all([self.below("pattern"), self.below("item")])), "]")
    }

    /// Returns the parameters of a function: patterns, and optionally one for the rest.
    fn parameters(&self) -> Part {
        let rest = || all([text("&"), rule("ws"), self.below("pattern")]);
        let some = all([list(self.below("pattern")), maybe(all([rule("ws"), rest()]))]);
        within("[", any([some, rest()]), "]")
    }

    /// Returns a pattern: a name, or a vector or map that destructures.
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

/// Returns a part repeated `min` to `max` times, written out, since not every reader of the
/// notations supports counts.
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

/// Returns the rules of quoted data.
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
