//! Rates the plausibility of a repair: whether a program has forms that admission accepts but hardly anyone writes.
//!
//! It chooses between repairs that all fit the indentation. It refuses nothing: a generally odd program is as odd in
//! every candidate.

use std::collections::BTreeSet;

use crate::analyze::NAMING;
use crate::analyze::forms::{self, Form};
use crate::reader::{FormId, FormKind, Forms, Source};
use crate::registry;
use crate::registry::facts::{Facts, Head};
use crate::session::Session;
use crate::value::BuiltinId;
use crate::value::ir::Op;

/// The parts of a program's meaning that a repair must not decide.
pub(super) struct Meaning {
    pub(super) implausible: usize,
    /// Whether a form calls something without arguments that is never called that way.
    pub(super) senseless: bool,
    /// Tool calls, results and kept values, each with its enclosing forms and its content.
    pub(super) effects: Vec<String>,
}

impl Meaning {
    pub(super) fn of(source: &str, session: &Session) -> Option<Meaning> {
        let source = crate::reader::read(source, session.limits()).ok()?;
        let forms = &source.forms;
        let judge = Judge::of(forms);
        let implausible = forms.ids().filter(|id| judge.is_implausible(*id)).count();
        let discarded = source.top.iter().rev().skip(1).filter(|id| judge.is_idle(**id)).count();
        let named = judge.bound.values.iter().filter(|id| judge.names_function(**id)).count();
        let implausible = implausible + discarded + named;
        let senseless = forms.ids().any(|id| judge.is_senseless(id));
        Some(Meaning { implausible, senseless, effects: effects(&source) })
    }
}

/// Forms of Clojure, missing here, that bind names in the vector after their head.
const BINDS: &[&str] = &["binding", "with-redefs"];

/// Returns the facts of a builtin, by its name with or without namespace.
fn facts_of(name: &str) -> Option<&'static Facts> {
    let id = registry::find(name).or_else(|| registry::find(registry::in_a_namespace(name)?))?;
    Some(&id.builtin().facts)
}

/// Returns whether the name is arithmetic or a comparison of numbers.
fn takes_numbers(name: &str) -> bool {
    facts_of(name).is_some_and(|facts| {
        facts.op.is_some_and(|(op, ..)| !matches!(op, Op::Equal | Op::NotEqual))
    })
}

/// Returns whether a call with one argument is unusual.
fn is_of_several(name: &str) -> bool {
    forms::find(name).map_or_else(
        || facts_of(name).is_some_and(|facts| facts.is_of_several),
        |form| form.is_of_several,
    )
}

/// Returns whether the result of a call may be called immediately.
fn head_of(name: &str) -> Head {
    forms::find(name)
        .map_or_else(|| facts_of(name).map_or(Head::Value, |facts| facts.head), |form| form.head)
}

fn takes_function_first(name: &str) -> bool {
    facts_of(name).is_some_and(Facts::takes_function_first)
}

fn takes_transducer(name: &str) -> bool {
    let sends = |facts: &Facts| facts.sends.is_some();
    facts_of(name).is_some_and(|facts| {
        let mut others = facts.others.iter().filter_map(|(.., other)| facts_of(other));
        sends(facts) || others.any(sends)
    })
}

fn form_is(name: &str, is: fn(&Form) -> bool) -> bool {
    forms::find(name).is_some_and(is)
}

fn binds(name: &str) -> bool {
    form_is(name, Form::binds) || BINDS.contains(&name)
}

struct Judge<'a> {
    forms: &'a Forms,
    bound: Bound<'a>,
    /// By form: whether it has an effect.
    acting: Vec<bool>,
    /// By form: whether it is a step of a thread, which gets one more argument.
    steps: Vec<bool>,
    /// By form: whether it is an argument of a function that takes a transducer.
    transducers: Vec<bool>,
}

impl<'a> Judge<'a> {
    fn of(forms: &'a Forms) -> Judge<'a> {
        let parts_behind = |is_head: fn(&str) -> bool, at: usize| {
            let mut parts = vec![false; forms.len()];
            for id in forms.ids().filter(|id| forms.head(*id).is_some_and(is_head)) {
                for part in forms.kids(id).iter().skip(at) {
                    if let Some(it) = parts.get_mut(part.index()) {
                        *it = true;
                    }
                }
            }
            parts
        };
        let (steps, transducers) = (
            parts_behind(|name| form_is(name, Form::threads), 2),
            parts_behind(takes_transducer, 1),
        );
        Judge { forms, bound: Bound::of(forms), acting: acting(forms), steps, transducers }
    }

    fn is_implausible(&self, id: FormId) -> bool {
        let kids = self.forms.kids(id);
        let pattern = self.bound.patterns.get(id.index()).copied().unwrap_or(false);
        match self.forms.get(id).kind {
            FormKind::List => {
                self.is_implausible_call(kids, usize::from(self.is_step(id))) || self.lacks_data(id)
            }
            // A pattern has names, and defaults that rarely are calls.
            FormKind::Vector | FormKind::Map
                if pattern && self.bound.holds_list(self.forms, id) =>
            {
                true
            }
            FormKind::ShortFn => kids.len() > 1 && self.is_implausible_call(kids, 0),
            FormKind::Map if !pattern => {
                let is_list = |id: &FormId| matches!(self.forms.get(*id).kind, FormKind::List);
                let alike = |is: &dyn Fn(&FormId) -> bool| !kids.is_empty() && kids.iter().all(is);
                let is_int = |id: &FormId| matches!(self.forms.get(*id).kind, FormKind::Int(_));
                alike(&is_int)
                    || (kids.len() > 2 && alike(&|id| self.is_text(Some(id))))
                    || kids.iter().step_by(2).any(|key| is_list(key) || self.names_function(*key))
                    || kids.iter().skip(1).step_by(2).any(|value| self.names_function(*value))
            }
            FormKind::Set => kids.iter().any(|kid| self.names_function(*kid) || self.is_hole(*kid)),
            // Nobody writes a call as a vector or a map.
            FormKind::Vector if !pattern => {
                let keys = kids.iter().step_by(2).all(|kid| self.is_keyword(*kid))
                    || (kids.iter().step_by(2).all(|kid| self.is_text(Some(kid)))
                        && !kids.iter().all(|kid| self.is_text(Some(kid))));
                kids.first().is_some_and(|first| self.names_function(*first))
                    || (kids.len() >= 4 && kids.len().is_multiple_of(2) && keys)
            }
            _ => false,
        }
    }

    /// Returns whether a form calls a literal, or calls a collection or a call's result without arguments.
    fn is_senseless(&self, id: FormId) -> bool {
        let kids = self.forms.kids(id);
        let Some((head, args)) = kids.split_first() else { return false };
        if !matches!(self.forms.get(id).kind, FormKind::List) || self.is_step(id) {
            return false;
        }
        match self.forms.get(*head).kind {
            FormKind::Map | FormKind::Set | FormKind::Vector => args.is_empty(),
            FormKind::List => {
                let makes_thunk = |name| head_of(name) == Head::Thunk;
                args.is_empty() && !self.forms.head(*head).is_some_and(makes_thunk)
            }
            _ => self.is_literal(*head) && !self.is_keyword(*head),
        }
    }

    /// Returns whether a form passes only a function, and no data, where no transducer is expected.
    fn lacks_data(&self, id: FormId) -> bool {
        let [head, _] = self.forms.kids(id) else { return false };
        let FormKind::Symbol(name) = self.forms.get(*head).kind else { return false };
        let name = self.forms.text(name);
        let takes_it = self.transducers.get(id.index()).copied().unwrap_or(false);
        takes_function_first(name)
            && !takes_it
            && !self.is_step(id)
            && !self.bound.names.contains(name)
    }

    fn is_step(&self, id: FormId) -> bool {
        self.steps.get(id.index()).copied().unwrap_or(false)
    }

    fn is_implausible_call(&self, kids: &[FormId], more: usize) -> bool {
        let Some((head, args)) = kids.split_first() else { return true };
        match self.forms.get(*head).kind {
            FormKind::List => {
                self.forms.head(*head).is_none_or(|name| head_of(name) == Head::Value)
            }
            FormKind::Keyword(_) => {
                args.first().map_or(more == 0, |id| self.is_literal(*id))
                    || args.iter().any(|id| self.names_function(*id))
            }
            FormKind::Symbol(name) => self.is_implausible_use(self.forms.text(name), args, more),
            // The arities of a function.
            FormKind::Vector => {
                args.is_empty()
                    || self.forms.kids(*head).iter().any(|id| self.is_literal(*id))
                    || args.iter().rev().skip(1).any(|id| self.is_idle(*id))
            }
            FormKind::Map | FormKind::Set => args.is_empty(),
            _ => self.is_literal(*head),
        }
    }

    fn is_implausible_use(&self, name: &str, args: &[FormId], more: usize) -> bool {
        let own = self.bound.names.contains(name);
        match args.len() + more {
            0 => return !name.contains(['/', '.']) || name.starts_with("ctx/"),
            1 if !own && (is_of_several(name) || name == "call") => return true,
            _ => {}
        }
        if own {
            return false;
        }
        if let Some(from) = forms::find(name).and_then(|form| form.body)
            && let doc_count = usize::from(name == "defn" && self.is_text(args.get(1)))
            && let Some(body) = args.get(from - 1 + doc_count..)
            && body.iter().rev().skip(1).any(|id| self.is_idle(*id))
        {
            return true;
        }
        if matches!(name, "doseq" | "dotimes") {
            return args.iter().skip(1).any(|id| self.is_idle(*id));
        }
        if form_is(name, Form::is_thread) {
            return args.iter().skip(1).any(|id| self.is_literal(*id) && !self.is_keyword(*id));
        }
        let arguments = match name {
            "call" => args.get(1),
            _ if name.starts_with("tool/") => args.first(),
            _ => None,
        };
        if let Some(arguments) = arguments {
            let kind = &self.forms.get(*arguments).kind;
            return !matches!(kind, FormKind::Map | FormKind::Symbol(_));
        }
        if matches!(name, "if" | "if-not" | "when" | "when-not" | "and" | "or" | "not") {
            return args.first().is_some_and(|id| self.is_literal(*id))
                || args.iter().any(|id| self.names_function(*id));
        }
        if name == "for" {
            return args.len() != 2;
        }
        let Some(builtin) = registry::find(name).map(BuiltinId::builtin) else {
            return false;
        };
        if takes_numbers(name) {
            return args.iter().any(|id| {
                matches!(
                    self.forms.get(*id).kind,
                    FormKind::Str(_)
                        | FormKind::Keyword(_)
                        | FormKind::Vector
                        | FormKind::Map
                        | FormKind::Set
                        | FormKind::ShortFn
                ) || self.names_function(*id)
            });
        }
        let from = usize::from(takes_function_first(name));
        if from == 1
            && !name.starts_with("reduc")
            && args.iter().skip(1).any(|id| self.is_literal(*id))
        {
            return true;
        }
        (from == 1 || !takes_functions(builtin))
            && args.iter().skip(from).any(|id| self.names_function(*id))
    }

    fn is_text(&self, id: Option<&FormId>) -> bool {
        id.is_some_and(|id| matches!(self.forms.get(*id).kind, FormKind::Str(_)))
    }

    fn is_keyword(&self, id: FormId) -> bool {
        matches!(self.forms.get(id).kind, FormKind::Keyword(_))
    }

    fn is_literal(&self, id: FormId) -> bool {
        matches!(
            self.forms.get(id).kind,
            FormKind::Nil
                | FormKind::Bool(_)
                | FormKind::Int(_)
                | FormKind::Big(_)
                | FormKind::Float(_)
                | FormKind::Str(_)
                | FormKind::Regex(_)
                | FormKind::Keyword(_)
        )
    }

    /// Returns whether a form is a parameter of a short function.
    fn is_hole(&self, id: FormId) -> bool {
        matches!(self.forms.get(id).kind, FormKind::Symbol(name) if self.forms.text(name).starts_with('%'))
    }

    /// Returns whether a form is the name of a function or form of the language.
    fn names_function(&self, id: FormId) -> bool {
        let FormKind::Symbol(name) = self.forms.get(id).kind else { return false };
        let name = self.forms.text(name);
        !self.bound.names.contains(name)
            && (forms::find(name).is_some()
                || registry::find(name).is_some_and(|id| !id.builtin().is_constant()))
    }

    /// Returns whether a form has a value and no effect, so that dropping the value is odd.
    fn is_idle(&self, id: FormId) -> bool {
        matches!(
            self.forms.get(id).kind,
            FormKind::Vector | FormKind::Map | FormKind::Set | FormKind::ShortFn
        ) || !self.acting.get(id.index()).copied().unwrap_or(true)
    }
}

fn takes_functions(builtin: &registry::Builtin) -> bool {
    const FUNCTIONS: &[&str] =
        &["f", "fs", "g", "pred", "preds", "p", "keyfn", "comp", "cmp", "fn"];
    !builtin.is_pure
        || builtin
            .usage
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .any(|word| FUNCTIONS.contains(&word))
}

/// The names that a program binds, and the forms that bind them.
struct Bound<'a> {
    names: BTreeSet<&'a str>,
    /// By form: whether it is a pattern or contains bindings.
    patterns: Vec<bool>,
    /// By form: whether it is a pattern.
    params: Vec<bool>,
    /// The forms whose values are bound to names.
    values: Vec<FormId>,
}

impl<'a> Bound<'a> {
    fn of(forms: &'a Forms) -> Bound<'a> {
        let mut bound = Bound {
            names: BTreeSet::new(),
            patterns: vec![false; forms.len()],
            params: vec![false; forms.len()],
            values: Vec::new(),
        };
        let mut patterns = Vec::new();
        let is_vector = |id: FormId| matches!(forms.get(id).kind, FormKind::Vector);
        for id in forms.ids() {
            if !matches!(forms.get(id).kind, FormKind::List) {
                continue;
            }
            let kids = forms.kids(id);
            let Some(head) = kids.first() else { continue };
            if is_vector(*head) {
                patterns.push(*head);
            } else if forms.head(id).is_some_and(binds) {
                let mut bindings: Vec<FormId> = kids.get(1).copied().into_iter().collect();
                while let Some(vector) = bindings.pop().filter(|it| is_vector(*it)) {
                    bound.mark(vector);
                    for pair in forms.kids(vector).chunks(2) {
                        match forms.get(pair[0]).kind {
                            FormKind::Keyword(name) if forms.text(name) == "let" => {
                                bindings.extend(pair.get(1));
                            }
                            FormKind::Keyword(_) => {}
                            _ => {
                                patterns.push(pair[0]);
                                bound.values.extend(pair.get(1));
                            }
                        }
                    }
                }
            } else if forms.head(id).is_some_and(|name| form_is(name, Form::makes_function)) {
                patterns.extend(kids.iter().skip(1).take(4).find(|kid| is_vector(**kid)));
                patterns.extend(kids.get(1).filter(|kid| !is_vector(**kid)));
            } else if forms.is_headed(id, &["def", "declare"]) {
                patterns.extend(kids.get(1));
            } else if forms.is_headed(id, &["catch"]) {
                patterns.extend(kids.get(2));
            } else if kids.len() > 2 && is_vector(kids[1]) {
                // A function of `letfn`, or a call with a vector. Additional names do no harm.
                patterns.extend(&kids[..1]);
            }
        }
        while let Some(pattern) = patterns.pop() {
            if let Some(it) = bound.params.get_mut(pattern.index()) {
                *it = true;
            }
            match forms.get(pattern).kind {
                FormKind::Symbol(name) => {
                    let name = forms.text(name);
                    if !binds(name) && !form_is(name, Form::makes_function) {
                        bound.names.insert(name);
                    }
                }
                FormKind::Vector => {
                    bound.mark(pattern);
                    patterns.extend(forms.kids(pattern));
                }
                FormKind::Map => {
                    bound.mark(pattern);
                    for pair in forms.kids(pattern).chunks(2) {
                        let keyword = matches!(forms.get(pair[0]).kind, FormKind::Keyword(_));
                        patterns.extend(if keyword { pair.get(1) } else { pair.first() });
                    }
                }
                _ => {}
            }
        }
        bound
    }

    fn holds_list(&self, forms: &Forms, id: FormId) -> bool {
        self.params.get(id.index()).copied().unwrap_or(false)
            && forms.kids(id).iter().any(|kid| matches!(forms.get(*kid).kind, FormKind::List))
    }

    fn mark(&mut self, id: FormId) {
        if let Some(it) = self.patterns.get_mut(id.index()) {
            *it = true;
        }
    }
}

/// Returns, by form, whether it may have an effect.
fn acting(forms: &Forms) -> Vec<bool> {
    let unknown = |id: &FormId| match forms.get(*id).kind {
        FormKind::Symbol(name) => {
            let name = forms.text(name);
            registry::find(name).is_none() && !name.contains('/') && forms::find(name).is_none()
        }
        _ => false,
    };
    let mut acting: Vec<bool> = Vec::with_capacity(forms.len());
    for id in forms.ids() {
        let kids = forms.kids(id);
        let own = match forms.get(id).kind {
            FormKind::Symbol(name) => acts(forms.text(name)),
            // Definitions of the program may have any effect, and so may functions passed to it.
            FormKind::List => {
                kids.iter().take(2).any(unknown) && !forms.head(id).is_some_and(takes_numbers)
            }
            _ => false,
        };
        // A form comes after its parts.
        let parts = kids.iter().any(|kid| acting.get(kid.index()).copied() == Some(true));
        acting.push(own || parts);
    }
    acting
}

fn acts(name: &str) -> bool {
    name.ends_with('!')
        || name.starts_with("tool/")
        || form_is(name, |form| form.acts)
        || NAMING.contains(&name)
        || facts_of(name).is_some_and(|facts| facts.acts)
}

/// Returns calls of tools, results and kept values, with their enclosing forms and their content.
fn effects(source: &Source) -> Vec<String> {
    let forms = &source.forms;
    let mut parents: Vec<Option<FormId>> = vec![None; forms.len()];
    for id in forms.ids() {
        for kid in forms.kids(id) {
            if let Some(parent) = parents.get_mut(kid.index()) {
                *parent = Some(id);
            }
        }
    }
    let head = |id: FormId| forms.head(id);
    let text = |id: FormId, without: &[char]| -> String {
        let span = forms.get(id).span;
        let text = source.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        text.chars().filter(|c| !c.is_whitespace() && !without.contains(c)).collect()
    };
    let mut found = Vec::new();
    for id in forms.ids() {
        let Some(name) = head(id) else { continue };
        let inside = if name == "call" || name.starts_with("tool/") {
            text(id, &[])
        } else if matches!(name, "return" | "fail" | "memory/put") {
            text(id, &['(', ')', '[', ']', '{', '}'])
        } else {
            continue;
        };
        let mut effect = inside;
        let mut around = parents.get(id.index()).copied().flatten();
        while let Some(id) = around {
            effect.push(' ');
            effect.push_str(head(id).unwrap_or("_"));
            around = parents.get(id.index()).copied().flatten();
        }
        found.push(effect);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Value};

    /// Typical programs of agents have no implausible form: a rule that finds one would prevent their repair.
    #[test]
    fn typical_programs_are_plausible() {
        let text = include_str!("../../../tests/repair/programs.clj");
        let session = Session::new(Value::Nil, Vec::new(), Limits::default());
        let programs = text.split("\n;: ").skip(1).filter_map(|part| part.split_once('\n'));
        let odd: Vec<&str> = programs
            .filter(|(_, source)| Meaning::of(source, &session).is_none_or(|it| it.implausible > 0))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(odd, [""; 0]);
    }

    #[test]
    fn implausible_forms() {
        let session = Session::new(Value::Nil, Vec::new(), Limits::default());
        let check = |source: &str, odd: usize| {
            assert_eq!(
                Meaning::of(source, &session).map(|it| it.implausible),
                Some(odd),
                "{source}"
            );
        };
        check("(+ 1 2)", 0);
        check("(+ :price 2)", 1);
        check("(reduce + map :total xs)", 1);
        check("((+ 1 2))", 1);
        check("((comp inc dec) 1)", 0);
        check("(let [x 1] (+ x 1) x)", 1);
        check("(let [x 1] (println x) x)", 0);
        check("(-> x (conj 1))", 0);
        check("(conj 1)", 1);
        check("{count xs}", 1);
        check("[count xs]", 1);
        check("(fn [count xs] count)", 0);
        check("(:a map {:a 1})", 1);
        check("inc 1 2", 2);
    }
}
