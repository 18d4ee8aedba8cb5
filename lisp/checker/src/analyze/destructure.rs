//! Expands destructuring: patterns become plain names bound to calls of the language.

use std::borrow::Cow;

use super::analyzer::{Analyzer, copied};
use ptc_reader::{Core, FormId, FormKind, Name};
use ptc_values::Diagnostic;
use ptc_values::code::{Code, Span};
use ptc_values::spelling::nearest;

/// The parameters and body of an arity, with plain names only.
pub(super) struct Params {
    pub(super) names: Vec<Name>,
    pub(super) variadic: bool,
    pub(super) body: FormId,
}

/// The nesting limit of patterns. It bounds the native recursion of the walk.
const MAX_PATTERN: usize = 32;

impl Analyzer<'_> {
    /// Returns the bindings of a `let` with plain names only; `None` after a problem.
    pub(super) fn plain_bindings(&mut self, bindings: FormId) -> Option<Vec<(Name, FormId)>> {
        let (mut few, mut many) = Default::default();
        let kids = copied(self.forms.kids(bindings), &mut few, &mut many);
        let mut plain = Vec::with_capacity(kids.len());
        for pair in kids.chunks_exact(2) {
            self.pattern(pair[0], pair[1], &mut plain, 0)?;
        }
        Some(plain)
    }

    /// Expands a loop with patterns: plain variables outside, patterns inside.
    pub(super) fn loop_with_patterns(
        &mut self,
        pairs: &[(FormId, FormId)],
        body: &[FormId],
        span: Span,
    ) -> FormId {
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for (pattern, value) in pairs {
            let plain = self.forms.fresh();
            let name = self.forms.leaf(FormKind::Symbol(plain), self.span(*pattern));
            outer.extend([name, *value]);
            inner.extend([*pattern, name]);
        }
        let inner = self.let_of(&inner, body, span);
        let outer = self.forms.branch(FormKind::Vector, span, &outer);
        self.call_core(&"loop", &[outer, inner], span)
    }

    /// Reads a parameter vector; `None` after a problem.
    pub(super) fn params(&mut self, params: FormId, body: &[FormId], span: Span) -> Option<Params> {
        let place = self.span(params);
        if !matches!(self.form(params).kind, FormKind::Vector) {
            return self.pattern_problem(
                place,
                "a function needs its parameters in a vector",
                "write `(fn [x] …)`",
            );
        }
        let (mut few, mut many) = Default::default();
        let kids = copied(self.forms.kids(params), &mut few, &mut many);
        let (mut names, mut patterns) = (Vec::with_capacity(kids.len()), Vec::new());
        let mut variadic = false;
        let mut rest = kids.iter();
        while let Some(kid) = rest.next() {
            let mut pattern = *kid;
            if self.is_symbol(*kid, "&") {
                variadic = true;
                let (Some(after), None) = (rest.next(), rest.next()) else {
                    return self.pattern_problem(
                        self.span(*kid),
                        "`&` needs exactly one name after it",
                        "write `[a & more]`",
                    );
                };
                pattern = *after;
            }
            if let FormKind::Symbol(name) = self.form(pattern).kind {
                self.may_bind(name, self.span(pattern))?;
                names.push(name);
            } else {
                let plain = self.forms.fresh();
                names.push(plain);
                let plain = self.forms.leaf(FormKind::Symbol(plain), self.span(pattern));
                patterns.extend([pattern, plain]);
            }
        }
        let checked = self.conditions(body, span)?;
        let body = if patterns.is_empty() {
            self.do_of(&checked, span)
        } else {
            self.let_of(&patterns, &checked, span)
        };
        Some(Params { names, variadic, body })
    }

    /// Expands `{:pre [tests] :post [tests]}` before a body to assertions. `%` in `:post` is the value of the body.
    fn conditions<'b>(&mut self, body: &'b [FormId], span: Span) -> Option<Cow<'b, [FormId]>> {
        let Some((map, rest)) = body.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Some(body.into());
        };
        if !matches!(self.form(*map).kind, FormKind::Map) {
            return Some(body.into());
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for pair in self.forms.kids(*map).to_vec().chunks_exact(2) {
            let Some(word) = self.forms.keyword(pair[0]).map(str::to_owned) else { continue };
            let tests = match word.as_str() {
                "pre" => &mut before,
                "post" => &mut after,
                _ => continue,
            };
            let Some(parts) = self.parts_of_conditions(pair[1]) else {
                return self.pattern_problem(
                    self.span(pair[1]),
                    &format!("`:{word}` needs its tests in a vector"),
                    "write `{:pre [(pos? x)]}`",
                );
            };
            for test in parts {
                tests.push(self.assert(&[test], self.span(test)).ok()?);
            }
        }
        if after.is_empty() {
            before.extend_from_slice(rest);
            return Some(before.into());
        }
        let value = self.forms.intern("%");
        let value = self.forms.leaf(FormKind::Symbol(value), span);
        let result = self.do_of(rest, span);
        after.push(value);
        before.push(self.let_of(&[value, result], &after, span));
        Some(before.into())
    }

    /// Returns the tests of `:pre` or `:post`. As in Clojure, they are the items of any collection, so each part of a
    /// call is a test of its own.
    fn parts_of_conditions(&mut self, tests: FormId) -> Option<Vec<FormId>> {
        let kids = self.forms.kids(tests).to_vec();
        let parts = match self.form(tests).kind {
            FormKind::Vector | FormKind::Set => return Some(kids),
            FormKind::List => kids,
            FormKind::Map => {
                let span = self.span(tests);
                let pairs = kids.chunks_exact(2);
                pairs.map(|pair| self.forms.branch(FormKind::Vector, span, pair)).collect()
            }
            FormKind::Nil | FormKind::Str(_) => Vec::new(),
            _ => return None,
        };
        let message =
            "write the tests of a function in a vector; here each part is a separate test";
        let warning = Diagnostic::new(Code::BadForm, message)
            .at(self.span(tests))
            .with_help("write `{:pre [(pos? x)]}`");
        self.lowered.warn(warning);
        Some(parts)
    }

    /// Binds the names of a pattern to parts of a value.
    fn pattern(
        &mut self,
        pattern: FormId,
        value: FormId,
        plain: &mut Vec<(Name, FormId)>,
        depth: usize,
    ) -> Option<()> {
        let span = self.span(pattern);
        if depth > MAX_PATTERN {
            return self.pattern_problem(
                span,
                "patterns nest too deeply",
                "bind the inner parts in a `let` of their own",
            );
        }
        match self.form(pattern).kind {
            FormKind::Symbol(name) => {
                self.may_bind(name, span)?;
                plain.push((name, value));
                Some(())
            }
            FormKind::Vector => self.vector_pattern(pattern, value, plain, depth),
            FormKind::Map => self.map_pattern(pattern, value, plain, depth),
            _ => {
                let word = self.forms.keyword(pattern);
                let is_as = word.is_some_and(|word| nearest(word, ["as"]).is_some());
                self.pattern_problem(
                    span,
                    "this is not a name that can be bound",
                    if is_as {
                        "did you mean `:as`?"
                    } else {
                        "bind a name, `[a b]` or `{:keys [a b]}`"
                    },
                )
            }
        }
    }

    fn is_keyword(&self, form: FormId, name: &str) -> bool {
        self.forms.keyword(form).is_some_and(|key| key == name)
    }

    fn vector_pattern(
        &mut self,
        pattern: FormId,
        value: FormId,
        plain: &mut Vec<(Name, FormId)>,
        depth: usize,
    ) -> Option<()> {
        let span = self.span(pattern);
        let whole = self.hold(value, span, plain);
        let kids = self.forms.kids(pattern).to_vec();
        // As in Clojure: a pattern with a rest walks the sequence of any collection, and one without a rest takes items
        // by position.
        let has_rest = kids.iter().any(|kid| self.is_symbol(*kid, "&"));
        let take: Core = if has_rest { &"ptc/seq-item" } else { &"ptc/item" };
        let mut rest = kids.iter();
        let mut index = 0;
        while let Some(kid) = rest.next() {
            let place = self.span(*kid);
            if self.is_symbol(*kid, "&") {
                let Some(after) = rest.next() else {
                    return self.pattern_problem(
                        place,
                        "`&` needs a name after it",
                        "write `[a & more]`",
                    );
                };
                let count = self.forms.leaf(FormKind::Int(index), place);
                let tail = self.call_core(&"ptc/rest-from", &[whole, count], place);
                self.pattern(*after, tail, plain, depth + 1)?;
                let next = rest.as_slice().first().copied();
                if let Some(next) = next.filter(|next| !self.is_keyword(*next, "as")) {
                    let place = self.span(next);
                    return self.pattern_problem(
                        place,
                        "only `:as` may follow `&` and its name",
                        "write `[a & more :as all]`",
                    );
                }
            } else if self.is_keyword(*kid, "as") {
                let Some(after) = rest.next() else {
                    return self.pattern_problem(
                        place,
                        "`:as` needs a name after it",
                        "write `[a b :as all]`",
                    );
                };
                self.pattern(*after, whole, plain, depth + 1)?;
            } else {
                let at = self.forms.leaf(FormKind::Int(index), place);
                let item = self.call_core(take, &[whole, at], place);
                self.pattern(*kid, item, plain, depth + 1)?;
                index += 1;
            }
        }
        Some(())
    }

    fn map_pattern(
        &mut self,
        pattern: FormId,
        value: FormId,
        plain: &mut Vec<(Name, FormId)>,
        depth: usize,
    ) -> Option<()> {
        let span = self.span(pattern);
        let entries = self.entries(pattern);
        let value = self.call_core(&"ptc/as-map", &[value], span);
        let whole = self.hold(value, span, plain);
        let defaults = self.defaults(&entries)?;
        for (left, right) in entries {
            let word = self.forms.keyword(left).map(str::to_owned);
            // `:a/keys` names keys of that namespace, as in Clojure.
            let (prefix, group) = match word.as_deref() {
                Some(word) => word.rsplit_once('/').unwrap_or(("", word)),
                None => ("", ""),
            };
            match (group, self.form(right).kind) {
                ("or", _) => {}
                ("as", FormKind::Symbol(name)) => plain.push((name, whole)),
                ("keys" | "strs" | "syms", FormKind::Vector) => {
                    for kid in self.forms.kids(right).to_vec() {
                        let place = self.span(kid);
                        let (name, key) = self.key_of_group(group, prefix, kid)?;
                        self.may_bind(name, place)?;
                        let found = self.lookup(whole, key, name, &defaults, place);
                        plain.push((name, found));
                    }
                }
                (group, right) if word.is_some() => {
                    return self.unknown_group(left, group, right);
                }
                _ => {
                    let place = self.span(right);
                    let found = match self.form(left).kind {
                        FormKind::Symbol(name) => self.lookup(whole, right, name, &defaults, place),
                        _ => self.call_core(&"get", &[whole, right], place),
                    };
                    self.pattern(left, found, plain, depth + 1)?;
                }
            }
        }
        Some(())
    }

    /// Returns the keys and values of a map.
    fn entries(&self, map: FormId) -> Vec<(FormId, FormId)> {
        self.forms.kids(map).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// Returns the names with defaults in the entries of a map pattern; `None` after a problem.
    fn defaults(&mut self, entries: &[(FormId, FormId)]) -> Option<Vec<(FormId, FormId)>> {
        let mut defaults = Vec::new();
        for (left, right) in entries {
            if self.is_keyword(*left, "or") {
                if !matches!(self.form(*right).kind, FormKind::Map) {
                    return self.pattern_problem(
                        self.span(*right),
                        "`:or` needs a map of defaults",
                        "write `:or {name default}`",
                    );
                }
                defaults = self.entries(*right);
            }
        }
        Some(defaults)
    }

    /// Returns the name that an item of `:keys`, `:strs` or `:syms` binds, and its key; `None` after a
    /// problem.
    fn key_of_group(&mut self, group: &str, prefix: &str, item: FormId) -> Option<(Name, FormId)> {
        let place = self.span(item);
        let (FormKind::Symbol(name) | FormKind::Keyword(name)) = self.form(item).kind else {
            return self.pattern_problem(
                place,
                "`:keys` takes only names",
                "write `{:keys [a b]}`",
            );
        };
        let text = self.forms.text(name).to_owned();
        let own = text.rsplit_once('/').map_or(text.as_str(), |(_, own)| own);
        let full = if prefix.is_empty() { text.clone() } else { format!("{prefix}/{text}") };
        let local = self.forms.intern(own);
        let key = match group {
            "keys" => {
                let name = self.forms.intern(&full);
                self.forms.leaf(FormKind::Keyword(name), place)
            }
            "strs" => self.forms.text_leaf(&full, place),
            _ => {
                let name = self.forms.intern(&full);
                let symbol = self.forms.leaf(FormKind::Symbol(name), place);
                self.forms.branch(FormKind::Quote, place, &[symbol])
            }
        };
        Some((local, key))
    }

    /// Reports a keyword of a map pattern that names no group; returns none. A keyword before a name is the usual slip;
    /// the form after the keyword tells the others.
    fn unknown_group(&mut self, keyword: FormId, word: &str, after: FormKind) -> Option<()> {
        let known: &[&str] = match after {
            FormKind::Vector => &["keys", "strs", "syms"],
            FormKind::Map => &["or"],
            _ => &[],
        };
        let near = nearest(word, known.iter().copied());
        let help = near.map(|near| format!("did you mean `:{near}`?"));
        self.pattern_problem(
            self.span(keyword),
            "a map pattern has the name first and then the key",
            help.as_deref().unwrap_or("write `{name :key}`, or `{:keys [name]}`"),
        )
    }

    fn lookup(
        &mut self,
        whole: FormId,
        key: FormId,
        name: Name,
        defaults: &[(FormId, FormId)],
        span: Span,
    ) -> FormId {
        let default = defaults
            .iter()
            .find(|(left, _)| matches!(self.form(*left).kind, FormKind::Symbol(found) if found == name))
            .map(|(_, right)| *right);
        match default {
            Some(default) => self.call_core(&"get", &[whole, key, default], span),
            None => self.call_core(&"get", &[whole, key], span),
        }
    }

    /// Returns a form that may be read several times: binds a value that is not a symbol to a name.
    fn hold(&mut self, value: FormId, span: Span, plain: &mut Vec<(Name, FormId)>) -> FormId {
        if matches!(self.form(value).kind, FormKind::Symbol(_)) {
            return value;
        }
        let name = self.forms.fresh();
        plain.push((name, value));
        self.forms.leaf(FormKind::Symbol(name), span)
    }

    pub(super) fn is_symbol(&self, form: FormId, text: &str) -> bool {
        matches!(self.form(form).kind, FormKind::Symbol(name) if self.forms.text(name) == text)
    }

    fn may_bind(&mut self, name: Name, span: Span) -> Option<()> {
        let text = self.forms.text(name);
        if text.len() < 2 || !text.as_bytes().contains(&b'/') {
            return Some(());
        }
        let message = format!("`{text}` cannot be bound");
        self.pattern_problem(span, &message, "a local name has no `/`")
    }

    /// Reports a problem of a pattern; returns none.
    fn pattern_problem<T>(&mut self, span: Span, message: &str, help: &str) -> Option<T> {
        self.problem(Diagnostic::new(Code::BadForm, message).at(span).with_help(help));
        None
    }
}
