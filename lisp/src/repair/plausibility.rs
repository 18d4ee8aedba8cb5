//! Rates the plausibility of a repair: whether a program has forms that admission accepts but hardly anyone writes.
//!
//! It chooses between repairs that all fit the indentation. It refuses nothing: a generally odd program is as odd in
//! every candidate. A rule is here only if it prevents wrong repairs, or decides many right ones.

use std::collections::BTreeSet;

use crate::session::Session;
use ptc_checker::analyze::NAMING;
use ptc_checker::analyze::forms::{self, Form};
use ptc_facts::registry;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::Facts;
use ptc_reader::{FormId, FormKind, Forms};
use ptc_values::ir::Op;

/// Returns whether a program has no implausible form.
pub(super) fn is_plausible(source: &str, session: &Session) -> bool {
    let Ok(source) = ptc_reader::read(source, session.limits()) else { return false };
    let judge = Judge::of(&source.forms);
    !judge.drops_value(&source.top) && !source.forms.ids().any(|id| judge.is_implausible(id))
}

fn facts_of(name: &str) -> Option<&'static Facts> {
    registry::find(name).map(|id| &id.builtin().facts)
}

/// Returns whether a name is arithmetic or a comparison of numbers.
fn takes_numbers(name: &str) -> bool {
    facts_of(name)
        .and_then(|facts| facts.op)
        .is_some_and(|(op, ..)| !matches!(op, Op::Equal | Op::NotEqual))
}

/// Returns whether a call with one argument is unusual.
fn is_of_several(name: &str) -> bool {
    forms::find(name).map_or_else(
        || facts_of(name).is_some_and(|facts| facts.is_of_several),
        |form| form.is_of_several,
    )
}

fn acts(name: &str) -> bool {
    name.ends_with('!')
        || name.starts_with("tool/")
        || form_is(name, |form| form.acts)
        || NAMING.contains(&name)
        || facts_of(name).is_some_and(|facts| facts.acts)
}

fn form_is(name: &str, is: fn(&Form) -> bool) -> bool {
    forms::find(name).is_some_and(is)
}

struct Judge<'a> {
    forms: &'a Forms,
    bound: Bound<'a>,
    /// The steps of threads, which get one more argument.
    steps: BTreeSet<usize>,
    /// By form: whether it may have an effect.
    acting: Vec<bool>,
}

impl<'a> Judge<'a> {
    fn of(forms: &'a Forms) -> Judge<'a> {
        let threads =
            |id: &FormId| forms.head(*id).is_some_and(|name| form_is(name, Form::threads));
        let parts = forms.ids().filter(threads).flat_map(|id| forms.kids(id).iter().skip(2));
        let steps = parts.map(|id| id.index()).collect();
        Judge { forms, bound: Bound::of(forms), steps, acting: acting(forms) }
    }

    fn is_implausible(&self, id: FormId) -> bool {
        let kids = self.forms.kids(id);
        let every_second = |from: usize| kids.iter().skip(from).step_by(2);
        match self.forms.get(id).kind {
            FormKind::List => {
                self.is_implausible_call(kids, usize::from(self.steps.contains(&id.index())))
            }
            FormKind::ShortFn => kids.len() > 1 && self.is_implausible_call(kids, 0),
            _ if self.bound.is_pattern(id) => false,
            FormKind::Map => kids.iter().any(|kid| self.names_function(*kid)),
            // Nobody writes a call or a map as a vector.
            FormKind::Vector => {
                let like_keys = every_second(0).all(|key| self.is_keyword(*key))
                    || (every_second(0).all(|key| self.is_text(*key))
                        && !every_second(1).all(|value| self.is_text(*value)));
                kids.first().is_some_and(|first| self.names_function(*first))
                    || (kids.len() >= 4 && kids.len().is_multiple_of(2) && like_keys)
            }
            _ => false,
        }
    }

    fn is_implausible_call(&self, kids: &[FormId], more: usize) -> bool {
        let Some((head, args)) = kids.split_first() else { return true };
        match self.forms.get(*head).kind {
            FormKind::List => true,
            FormKind::Symbol(name) => self.is_implausible_use(self.forms.text(name), args, more),
            // A vector has the parameters of one of several arities.
            FormKind::Map | FormKind::Set | FormKind::Vector => args.is_empty(),
            _ => false,
        }
    }

    fn is_implausible_use(&self, name: &str, args: &[FormId], more: usize) -> bool {
        if self.bound.names.contains(name) {
            return false;
        }
        if args.len() + more == 1 && is_of_several(name) {
            return true;
        }
        if let Some(from) = forms::find(name).and_then(|form| form.body) {
            let has_doc = name == "defn" && args.get(1).is_some_and(|id| self.is_text(*id));
            let body = args.get(from - 1 + usize::from(has_doc)..);
            return body.is_some_and(|body| self.drops_value(body));
        }
        (takes_numbers(name) && args.iter().any(|id| self.is_no_number(*id)))
            || (facts_of(name).is_some_and(Facts::takes_function_first) && args.len() + more < 2)
    }

    fn is_no_number(&self, id: FormId) -> bool {
        matches!(
            self.forms.get(id).kind,
            FormKind::Str(_)
                | FormKind::Keyword(_)
                | FormKind::Vector
                | FormKind::Map
                | FormKind::Set
                | FormKind::ShortFn
        ) || self.names_function(id)
    }

    fn is_text(&self, id: FormId) -> bool {
        matches!(self.forms.get(id).kind, FormKind::Str(_))
    }

    fn is_keyword(&self, id: FormId) -> bool {
        matches!(self.forms.get(id).kind, FormKind::Keyword(_))
    }

    /// Returns whether a form is the name of a function or form of the language.
    fn names_function(&self, id: FormId) -> bool {
        let FormKind::Symbol(name) = self.forms.get(id).kind else { return false };
        let name = self.forms.text(name);
        !self.bound.names.contains(name)
            && (forms::find(name).is_some()
                || registry::find(name).is_some_and(|id| !id.builtin().is_constant()))
    }

    /// Returns whether a form before the last has no effect, so that its dropped value is odd.
    fn drops_value(&self, body: &[FormId]) -> bool {
        body.iter().rev().skip(1).any(|id| {
            !matches!(self.forms.get(*id).kind, FormKind::List)
                || !self.acting.get(id.index()).copied().unwrap_or(true)
        })
    }
}

/// The names that a program binds.
struct Bound<'a> {
    names: BTreeSet<&'a str>,
    /// By form: whether it is a pattern or contains bindings.
    patterns: Vec<bool>,
}

impl<'a> Bound<'a> {
    fn of(forms: &'a Forms) -> Bound<'a> {
        let mut bound = Bound { names: BTreeSet::new(), patterns: vec![false; forms.count()] };
        let is_vector = |id: FormId| matches!(forms.get(id).kind, FormKind::Vector);
        let mut patterns: Vec<FormId> = Vec::new();
        for id in forms.ids().filter(|id| matches!(forms.get(*id).kind, FormKind::List)) {
            let Some((head, parts)) = forms.kids(id).split_first() else { continue };
            let first = parts.first().copied();
            let name = forms.head(id).unwrap_or_default();
            if is_vector(*head) {
                patterns.push(*head);
            } else if form_is(name, Form::binds) {
                let mut bindings: Vec<FormId> = first.into_iter().collect();
                while let Some(vector) = bindings.pop().filter(|it| is_vector(*it)) {
                    bound.mark(vector);
                    for pair in forms.kids(vector).chunks(2) {
                        match forms.get(pair[0]).kind {
                            // `:let` of `for`.
                            FormKind::Keyword(_) => bindings.extend(pair.get(1)),
                            _ => patterns.push(pair[0]),
                        }
                    }
                }
            } else if form_is(name, Form::makes_function) {
                patterns.extend(parts.iter().take(4).find(|part| is_vector(**part)));
                patterns.extend(first.filter(|part| !is_vector(*part)));
            } else if matches!(name, "def" | "declare") {
                patterns.extend(first);
            } else if name == "catch" {
                patterns.extend(parts.get(1));
            } else if parts.len() > 1 && is_vector(parts[0]) {
                // A function of `letfn`, or a call with a vector. Additional names do no harm.
                patterns.push(*head);
            }
        }
        while let Some(pattern) = patterns.pop() {
            match forms.get(pattern).kind {
                FormKind::Symbol(name) if forms::find(forms.text(name)).is_none() => {
                    bound.names.insert(forms.text(name));
                }
                FormKind::Vector | FormKind::Map => {
                    bound.mark(pattern);
                    patterns.extend(forms.kids(pattern));
                }
                _ => {}
            }
        }
        bound
    }

    fn mark(&mut self, id: FormId) {
        if let Some(it) = self.patterns.get_mut(id.index()) {
            *it = true;
        }
    }

    fn is_pattern(&self, id: FormId) -> bool {
        self.patterns.get(id.index()).copied().unwrap_or(false)
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
    let mut acting: Vec<bool> = Vec::with_capacity(forms.count());
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
            .filter(|(_, source)| !is_plausible(source, &session))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(odd, [""; 0]);
    }

    #[test]
    fn implausible_forms() {
        let session = Session::new(Value::Nil, Vec::new(), Limits::default());
        let check = |source: &str, plausible: bool| {
            assert_eq!(is_plausible(source, &session), plausible, "{source}");
        };
        check("(+ 1 2)", true);
        check("(+ :price 2)", false);
        check("(+ map 2)", false);
        check("(let [map 1] (+ map 2))", true);
        check("(= :price 2)", true);
        check("((+ 1 2))", false);
        check("((comp inc dec) 1)", false);
        check("()", false);
        check("({:a 1})", false);
        check("({:a 1} :a)", true);
        check("(fn ([x] x) ([x y] y))", true);
        check("(fn ([x]))", false);
        check("(let [x 1] :a x)", false);
        check("(let [x 1] (+ x 1) x)", false);
        check("(-> x (conj 1))", true);
        check("(conj 1)", false);
        check("(let [x 1] (println x) x)", true);
        check("(defn f \"Doubles.\" [x] (* 2 x))", true);
        check("(->> [[1 2]] (map) first)", false);
        check("(->> [[1 2]] (map first))", true);
        check("(str (map first) [[1 2]])", false);
        check("{count xs}", false);
        check("{:n count}", false);
        check("[count xs]", false);
        check("(fn [count xs] count)", true);
        check("[:a 1 :b 2]", false);
        check("[\"a\" 1 \"b\" 2]", false);
        check("[\"a\" \"b\" \"c\" \"d\"]", true);
        check("inc 1 2", false);
    }
}
