//! Expands sugar: rewrites forms into simpler ones.
//!
//! Expansions use core heads ([`FormKind::Core`]) and fresh names, so no name of the program can change their meaning.
//! Spans refer to the forms of the user.

use super::analyzer::{Analyzer, Task};
use super::forms::Expand;
use super::meanings::Meaning;
use ptc_facts::registry::Registered;
use ptc_reader::{Core, FormId, FormKind, Name};
use ptc_values::Value;
use ptc_values::code::Span;

impl Analyzer<'_> {
    /// Returns the expansion of a sugar form. A malformed form is reported and becomes `nil`.
    pub(super) fn expand(
        &mut self,
        head: &'static str,
        expand: Expand,
        args: &[FormId],
        span: Span,
    ) -> FormId {
        expand(self, head, args, span).unwrap_or_else(|()| self.forms_nil(span))
    }

    pub(super) fn when(&mut self, head: &str, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (test, body) = self.first(head, args, span, "a test")?;
        let body = self.do_of(body, span);
        let nil = self.forms_nil(span);
        Ok(if head == "when" {
            self.call_core(&"if", &[test, body, nil], span)
        } else {
            self.call_core(&"if", &[test, nil, body], span)
        })
    }

    pub(super) fn if_not(&mut self, _: &str, args: &[FormId], span: Span) -> Result<FormId, ()> {
        match args {
            [test, then] => {
                let nil = self.forms_nil(span);
                Ok(self.call_core(&"if", &[*test, nil, *then], span))
            }
            [test, then, other] => Ok(self.call_core(&"if", &[*test, *other, *then], span)),
            _ => self.refuse(
                span,
                "`if-not` takes a test, a value and an optional second value",
                "write `(if-not test then else)`",
            ),
        }
    }

    pub(super) fn lazy_cat(&mut self, args: &[FormId], span: Span) -> FormId {
        let parts: Vec<_> = args.iter().map(|part| self.lazy_seq(&[*part], span)).collect();
        self.call_core(&"concat", &parts, span)
    }

    pub(super) fn pvalues(&mut self, args: &[FormId], span: Span) -> FormId {
        let thunks: Vec<_> = args.iter().map(|arg| self.thunk(&[*arg], span)).collect();
        self.call_core(&"pcalls", &thunks, span)
    }

    pub(super) fn delay(&mut self, args: &[FormId], span: Span) -> FormId {
        // An exception is kept like a value, and thrown to each reader of the value.
        let value = self.do_of(args, span);
        let value = self.forms.branch(FormKind::Vector, span, &[value]);
        let error = self.fresh_symbol(span);
        let computed = self.caught(value, error, error, span);
        let thunk = self.thunk(&[computed], span);
        self.call_core(&"ptc/delay", &[thunk], span)
    }

    pub(super) fn if_error(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let [value, default] = args else {
            return self.refuse(
                span,
                "`if-error` takes a value and a default",
                "write `(if-error (call \"tool\" {…}) nil)`",
            );
        };
        let error = self.fresh_symbol(span);
        Ok(self.caught(*value, error, *default, span))
    }

    /// Makes a `try` with one handler for all exceptions, which binds the exception to a name.
    fn caught(&mut self, value: FormId, name: FormId, handler: FormId, span: Span) -> FormId {
        let [catch, any] = ["catch", "Throwable"].map(|text| {
            let name = self.forms.intern(text);
            self.forms.leaf(FormKind::Symbol(name), span)
        });
        let catch = self.forms.branch(FormKind::List, span, &[catch, any, name, handler]);
        self.call_core(&"try", &[value, catch], span)
    }

    pub(super) fn doc(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        match args {
            [name] if let FormKind::Symbol(name) = self.form(*name).kind => {
                let text = self.doc_of(name);
                let text = self.forms.text_leaf(&text, span);
                Ok(self.call_core(&"println", &[text], span))
            }
            _ => self.refuse(span, "`doc` takes one name", "write `(doc map)`"),
        }
    }

    pub(super) fn var(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        match args {
            [name] if matches!(self.form(*name).kind, FormKind::Symbol(_)) => Ok(*name),
            _ => self.refuse(span, "`var` takes one name", "write `(var name)` or the name itself"),
        }
    }

    pub(super) fn with_out_str(&mut self, args: &[FormId], span: Span) -> FormId {
        // The `nil` keeps `recur` from leaving the body.
        let mut body = args.to_vec();
        body.push(self.forms_nil(span));
        let thunk = self.thunk(&body, span);
        self.call_core(&"ptc/with-out-str", &[thunk], span)
    }

    // ---- building forms ----------------------------------------------------------------------

    pub(super) fn call_core(&mut self, head: Core, args: &[FormId], span: Span) -> FormId {
        self.call_core_of(head, [&[], args], span)
    }

    /// Makes a core call with arguments from two slices.
    fn call_core_of(&mut self, head: Core, args: [&[FormId]; 2], span: Span) -> FormId {
        let head = self.forms.leaf(FormKind::Core(head), span);
        self.forms.list_of([&[head], args[0], args[1]], span)
    }

    pub(super) fn forms_nil(&mut self, span: Span) -> FormId {
        self.forms.leaf(FormKind::Nil, span)
    }

    pub(super) fn do_of(&mut self, body: &[FormId], span: Span) -> FormId {
        match body {
            [] => self.forms_nil(span),
            [only] => *only,
            _ => self.call_core(&"do", body, span),
        }
    }

    pub(super) fn thunk(&mut self, body: &[FormId], span: Span) -> FormId {
        let params = self.forms.branch(FormKind::Vector, span, &[]);
        self.call_core_of(&"fn", [&[params], body], span)
    }

    pub(super) fn let_of(&mut self, bindings: &[FormId], body: &[FormId], span: Span) -> FormId {
        let bindings = self.forms.branch(FormKind::Vector, span, bindings);
        self.call_core_of(&"let", [&[bindings], body], span)
    }

    pub(super) fn fresh_symbol(&mut self, span: Span) -> FormId {
        let name = self.forms.fresh();
        self.forms.leaf(FormKind::Symbol(name), span)
    }

    pub(super) fn call_form(&mut self, kids: &[FormId], span: Span) -> FormId {
        self.forms.branch(FormKind::List, span, kids)
    }

    pub(super) fn fn_of(&mut self, params: &[FormId], body: FormId, span: Span) -> FormId {
        let params = self.forms.branch(FormKind::Vector, span, params);
        self.call_core(&"fn", &[params, body], span)
    }

    pub(super) fn refuse<T>(&mut self, span: Span, message: &str, help: &str) -> Result<T, ()> {
        use ptc_values::Diagnostic;
        use ptc_values::code::Code;
        self.problem(Diagnostic::new(Code::BadForm, message).at(span).with_help(help));
        Err(())
    }

    pub(super) fn first<'f>(
        &mut self,
        head: &str,
        args: &'f [FormId],
        span: Span,
        what: &str,
    ) -> Result<(FormId, &'f [FormId]), ()> {
        match args.split_first() {
            Some((first, rest)) => Ok((*first, rest)),
            None => self.refuse(
                span,
                &format!("`{head}` needs {what}"),
                &format!("write `({head} … …)`"),
            ),
        }
    }

    // ---- threading -----------------------------------------------------------------------------

    /// Expands one step of a thread: the value becomes the first or last argument.
    pub(super) fn threaded(&mut self, value: FormId, step: FormId, last: bool) -> FormId {
        let span = self.span(step);
        match self.form(step).kind {
            FormKind::List => {
                self.note_step(value, step, last);
                let at = if last { usize::MAX } else { 1 };
                self.forms.list_with(step, at, value, span)
            }
            _ => self.call_form(&[step, value], span),
        }
    }

    /// Records a step that puts its value where a builtin does not take its collection, for an error there.
    fn note_step(&mut self, value: FormId, step: FormId, last: bool) {
        let Some(head) = self.forms.kids(step).first() else { return };
        let FormKind::Symbol(name) = self.form(*head).kind else { return };
        if matches!(self.form(value).kind, FormKind::ShortFn) {
            return;
        }
        if let Meaning::Builtin(id) = self.meaning(name)
            && id.builtin().facts.collection.is_some_and(|order| order.is_against(last))
        {
            let span = self.span(step);
            self.lowered.program.threads.push(span);
        }
    }

    pub(super) fn thread(&mut self, head: &str, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (mut value, steps) = self.first(head, args, span, "a value")?;
        for step in steps {
            value = self.threaded(value, *step, head == "->>");
        }
        Ok(value)
    }

    pub(super) fn thread_as(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let [value, name, steps @ ..] = args else {
            return self.refuse(
                span,
                "`as->` needs a value and a name",
                "write `(as-> value x (f x) …)`",
            );
        };
        // The last step is the body, so a pattern need not match its value.
        let Some((last, before)) = steps.split_last() else { return Ok(*value) };
        let mut bindings = vec![*name, *value];
        for step in before {
            bindings.extend([*name, *step]);
        }
        Ok(self.let_of(&bindings, &[*last], span))
    }

    pub(super) fn thread_some(
        &mut self,
        head: &str,
        args: &[FormId],
        span: Span,
    ) -> Result<FormId, ()> {
        let (value, steps) = self.first(head, args, span, "a value")?;
        let Some((last, before)) = steps.split_last() else { return Ok(value) };
        let held = self.fresh_symbol(span);
        let mut bindings = vec![held, value];
        for step in before {
            let next = self.threaded(held, *step, head == "some->>");
            let guarded = self.unless_nil(held, next, span);
            bindings.extend([held, guarded]);
        }
        let next = self.threaded(held, *last, head == "some->>");
        let body = self.unless_nil(held, next, span);
        Ok(self.let_of(&bindings, &[body], span))
    }

    pub(super) fn unless_nil(&mut self, held: FormId, then: FormId, span: Span) -> FormId {
        let test = self.call_core(&"nil?", &[held], span);
        let nil = self.forms_nil(span);
        self.call_core(&"if", &[test, nil, then], span)
    }

    pub(super) fn thread_cond(
        &mut self,
        head: &str,
        args: &[FormId],
        span: Span,
    ) -> Result<FormId, ()> {
        let (value, steps) = self.first(head, args, span, "a value")?;
        if steps.len() % 2 == 1 {
            return self.refuse(
                span,
                &format!("a test of `{head}` has no step"),
                "write tests and steps in pairs: `test step`",
            );
        }
        let held = self.fresh_symbol(span);
        let mut bindings = vec![held, value];
        // The last step is the body, so it may be a `recur`.
        let mut body = held;
        for (at, pair) in steps.chunks_exact(2).enumerate() {
            let next = self.threaded(held, pair[1], head == "cond->>");
            if at > 0 {
                bindings.extend([held, body]);
            }
            body = self.call_core(&"if", &[pair[0], next, held], span);
        }
        Ok(self.let_of(&bindings, &[body], span))
    }

    // ---- choice --------------------------------------------------------------------------------

    pub(super) fn cond(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        if args.len() % 2 == 1 {
            let last = args.last().map_or(span, |last| self.span(*last));
            return self.refuse(
                last,
                "a test of `cond` has no value",
                "write tests and values in pairs; the last test is `:else`",
            );
        }
        let mut value = self.forms_nil(span);
        for pair in args.chunks_exact(2).rev() {
            let span = self.span(pair[0]).to(self.span(pair[1]));
            value = self.call_core(&"if", &[pair[0], pair[1], value], span);
        }
        Ok(value)
    }

    pub(super) fn condp(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let [predicate, value, clauses @ ..] = args else {
            return self.refuse(
                span,
                "`condp` needs a predicate and a value",
                "write `(condp = x 1 \"one\" \"other\")`",
            );
        };
        let held = self.fresh_symbol(span);
        let mut bindings = vec![held, *value];
        // A name is called as it is, so that admission knows the function.
        let held_predicate = match self.form(*predicate).kind {
            FormKind::Symbol(_) => *predicate,
            _ => {
                let name = self.fresh_symbol(span);
                bindings.splice(0..0, [name, *predicate]);
                name
            }
        };
        let mut parts: Vec<Vec<FormId>> = Vec::new();
        let mut rest = clauses;
        while let [test, then, more @ ..] = rest {
            if self.forms.keyword(*then).is_some_and(|arrow| arrow == ">>") {
                let [function, more @ ..] = more else {
                    return self.refuse(
                        span,
                        "`:>>` of `condp` needs a function",
                        "write `test :>> function`",
                    );
                };
                parts.push(vec![*test, *function]);
                rest = more;
            } else {
                parts.push(vec![*test, *then, *then]);
                rest = more;
            }
        }
        let mut chosen = match rest {
            [default] => *default,
            _ => self.call_core(&"ptc/no-clause", &[held], span),
        };
        for part in parts.into_iter().rev() {
            let test = self.call_form(&[held_predicate, part[0], held], span);
            chosen = if part.len() == 3 {
                self.call_core(&"if", &[test, part[1], chosen], span)
            } else {
                let found = self.fresh_symbol(span);
                let then = self.call_form(&[part[1], found], span);
                let choice = self.call_core(&"if", &[found, then, chosen], span);
                self.let_of(&[found, test], &[choice], span)
            };
        }
        Ok(self.let_of(&bindings, &[chosen], span))
    }

    pub(super) fn case(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (value, clauses) = self.first("case", args, span, "a value")?;
        let held = self.fresh_symbol(span);
        let mut chosen = match clauses.chunks_exact(2).remainder() {
            [default] => *default,
            _ => self.call_core(&"ptc/no-clause", &[held], span),
        };
        let mut seen: Vec<Value> = Vec::new();
        for pair in clauses.chunks_exact(2).rev() {
            let (constant, then) = (pair[0], pair[1]);
            // A list has several constants. So has a quoted form, which is the list `(quote form)`.
            let constants = match self.form(constant).kind {
                FormKind::List => self.forms.kids(constant).to_vec(),
                FormKind::Quote => self.reader_macro_list(&"quote", constant),
                FormKind::Deref => self.reader_macro_list(&"clojure.core/deref", constant),
                FormKind::Var => self.reader_macro_list(&"var", constant),
                _ => vec![constant],
            };
            if constants.is_empty() {
                return self.refuse(
                    self.span(constant),
                    "a list of `case` has no constants",
                    "write `(())` for the empty list, or remove the clause",
                );
            }
            for constant in constants.into_iter().rev() {
                let place = self.span(constant);
                let value = self.forms.datum(constant);
                // A vector and a list of equal items are one constant in Clojure too.
                let is_list = |it: &Value| matches!(it, Value::Vector(_) | Value::List(_));
                let is_duplicate = |other: &&Value| {
                    other.is_written_again(&value)
                        || is_list(other) && is_list(&value) && **other == value
                };
                if let Some(other) = seen.iter().find(is_duplicate) {
                    let message = if other.type_name() == value.type_name() {
                        "this `case` constant occurs twice".to_string()
                    } else {
                        format!("`case` has `{value}` and `{other}`, which are equal")
                    };
                    return self.refuse(place, &message, "remove one of the two clauses");
                }
                seen.push(value);
                let quoted = self.forms.branch(FormKind::Quote, place, &[constant]);
                let test = self.call_core(&"=", &[held, quoted], place);
                chosen = self.call_core(&"if", &[test, then, chosen], span);
            }
        }
        Ok(self.let_of(&[held, value], &[chosen], span))
    }

    /// Returns the items of the list that a reader macro abbreviates.
    fn reader_macro_list(&mut self, head: Core, form: FormId) -> Vec<FormId> {
        let name = self.forms.intern(head);
        let head = self.forms.leaf(FormKind::Symbol(name), self.span(form));
        [&[head], self.forms.kids(form)].concat()
    }

    pub(super) fn if_let(&mut self, head: &str, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (bindings, body) = self.first(head, args, span, "a name and a value in a vector")?;
        let pair = match self.form(bindings).kind {
            FormKind::Vector => self.forms.kids(bindings).to_vec(),
            _ => Vec::new(),
        };
        let [pattern, value] = *pair else {
            let place = self.span(bindings);
            return self.refuse(
                place,
                &format!("`{head}` binds exactly one name"),
                &format!("write `({head} [x value] …)`"),
            );
        };
        let (then, other) = match (head, body) {
            ("if-let" | "if-some", [then]) => (*then, self.forms_nil(span)),
            ("if-let" | "if-some", [then, other]) => (*then, *other),
            ("if-let" | "if-some", _) => {
                return self.refuse(
                    span,
                    &format!(
                        "`{head}` takes a value and an optional second value after the binding"
                    ),
                    &format!("write `({head} [x value] then else)`"),
                );
            }
            _ => (self.do_of(body, span), self.forms_nil(span)),
        };
        let held = self.fresh_symbol(span);
        let (test, bound, value) = match head {
            "if-some" | "when-some" => (self.call_core(&"some?", &[held], span), held, value),
            "when-first" => {
                let first = self.call_core(&"first", &[held], span);
                (held, first, self.call_core(&"seq", &[value], span))
            }
            _ => (held, held, value),
        };
        let then = self.let_of(&[pattern, bound], &[then], span);
        let choice = self.call_core(&"if", &[test, then, other], span);
        Ok(self.let_of(&[held, value], &[choice], span))
    }

    // ---- definitions and loops -------------------------------------------------------------------

    pub(super) fn defn(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (name, mut rest) = self.first("defn", args, span, "a name")?;
        if !matches!(self.form(name).kind, FormKind::Symbol(_)) {
            return self.refuse(
                self.span(name),
                "`defn` needs a name",
                "write `(defn name [x] …)`",
            );
        }
        while let Some((first, more)) = rest.split_first() {
            if !matches!(self.form(*first).kind, FormKind::Str(_) | FormKind::Map)
                || more.is_empty()
            {
                break;
            }
            rest = more;
        }
        let function = self.call_core_of(&"fn", [&[name], rest], span);
        Ok(self.call_core(&"def", &[name, function], span))
    }

    pub(super) fn assert(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (test, message) = match args {
            [test] => (*test, None),
            [test, message] => (*test, Some(*message)),
            _ => {
                return self.refuse(
                    span,
                    "`assert` takes a test and an optional message",
                    "write `(assert (pos? x) \"x must be positive\")`",
                );
            }
        };
        let place = self.span(test);
        let shown = self
            .lowered
            .program
            .source
            .get(place.start as usize..place.end as usize)
            .unwrap_or_default()
            .to_owned();
        let shown = self.forms.text_leaf(&shown, span);
        let mut args = vec![shown];
        args.extend(message);
        let failed = self.call_core(&"ptc/assert-failed", &args, span);
        let nil = self.forms_nil(span);
        Ok(self.call_core(&"if", &[test, nil, failed], span))
    }

    pub(super) fn doto(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (value, steps) = self.first("doto", args, span, "a value")?;
        let held = self.fresh_symbol(span);
        let mut body = Vec::new();
        for step in steps {
            body.push(self.threaded(held, *step, false));
        }
        body.push(held);
        Ok(self.let_of(&[held, value], &body, span))
    }

    /// Expands `defonce`: a name keeps its value, and reading a name without one is an error to catch.
    pub(super) fn defonce(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let [name, _] = args else {
            return self.refuse(
                span,
                "`defonce` takes a name and a value",
                "write `(defonce name value)`",
            );
        };
        let nil = self.forms_nil(span);
        let there = self.call_core(&"do", &[*name, nil], span);
        let [catch, class] = ["catch", "IllegalStateException"]
            .map(|word| self.forms.intern(word))
            .map(|name| self.forms.leaf(FormKind::Symbol(name), span));
        let caught = self.fresh_symbol(span);
        let define = self.call_core(&"def", args, span);
        let handler = self.call_form(&[catch, class, caught, define], span);
        Ok(self.call_core(&"try", &[there, handler], span))
    }

    // ---- short functions -------------------------------------------------------------------------

    /// Expands `#(… % %2 %&)`: the parameters go up to the highest one named.
    pub(super) fn short_fn(&mut self, form: FormId, span: Span) {
        /// More parameters than anyone writes by hand, but cheap to make.
        const MAX_PARAMS: u32 = 20;
        let mut highest = 0;
        let mut rest = None;
        let mut work = self.forms.kids(form).to_vec();
        while let Some(part) = work.pop() {
            match self.form(part).kind {
                FormKind::Symbol(name) => {
                    let text = self.forms.text(name).to_owned();
                    match text.strip_prefix('%') {
                        Some("") => highest = highest.max(1),
                        Some("&") => rest = Some(name),
                        Some(number) => {
                            if let Ok(number @ 1..=MAX_PARAMS) = number.parse::<u32>() {
                                highest = highest.max(number);
                            } else if number.bytes().all(|byte| byte.is_ascii_digit()) {
                                return self.bad(
                                    self.span(part),
                                    format!("`{text}` is not a parameter"),
                                    format!(
                                        "the parameters are `%`, `%1` to `%{MAX_PARAMS}` and `%&`"
                                    ),
                                );
                            }
                        }
                        None => {}
                    }
                }
                FormKind::ShortFn => {
                    return self.bad(
                        self.span(part),
                        "`#(…)` is not allowed inside another `#(…)`",
                        "write the inner or the outer one as `(fn [x] …)`",
                    );
                }
                _ => work.extend_from_slice(self.forms.kids(part)),
            }
        }
        let mut params: Vec<Name> = (1..=highest)
            .map(|number| {
                if number == 1 {
                    self.forms.intern("%")
                } else {
                    self.forms.intern(&format!("%{number}"))
                }
            })
            .collect();
        let mut param_forms = Vec::new();
        for name in params.drain(..) {
            param_forms.push(self.forms.leaf(FormKind::Symbol(name), span));
        }
        if let Some(rest) = rest {
            let and = self.forms.intern("&");
            param_forms.push(self.forms.leaf(FormKind::Symbol(and), span));
            param_forms.push(self.forms.leaf(FormKind::Symbol(rest), span));
        }
        let kids = self.forms.kids(form).to_vec();
        let body = self.call_form(&kids, span);
        let function = self.fn_of(&param_forms, body, span);
        self.tasks.push(Task::Visit { form: function, tail: false });
    }
}
