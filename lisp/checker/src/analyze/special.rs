//! Lowers special forms.

use std::rc::Rc;

use arcstr::ArcStr;

use super::analyzer::{Analyzer, Make, Shared, Task, copied};
use super::bindings::{Binding, Bound};
use super::destructure::Params;
use super::forms::Kind;
use super::last_use::Event;
use super::meanings::Special;
use ptc_reader::{FormId, FormKind, Name};
use ptc_values::code::{Code, Span};
use ptc_values::ir::Lambda;
use ptc_values::{Diagnostic, Value};

impl Analyzer<'_> {
    pub(super) fn special(&mut self, form: Special, args: &[FormId], span: Span, tail: bool) {
        match (form, args) {
            (Special::If, [test, then]) => self.if_form(*test, *then, None, span, tail),
            (Special::If, [test, then, other]) => {
                self.if_form(*test, *then, Some(*other), span, tail);
            }
            (Special::If, _) => self.bad(
                span,
                format!(
                    "`if` takes a test, a value and an optional second value, not {} forms",
                    args.len()
                ),
                "write `(if test then else)`; wrap several steps in `(do …)`",
            ),
            (Special::Do, _) => self.body(args, span, tail),
            (Special::And, []) => self.push_const(Value::Bool(true)),
            (Special::Or, []) => self.push_const(Value::Nil),
            (Special::And | Special::Or, [only]) => {
                self.tasks.push(Task::Visit { form: *only, tail });
            }
            (Special::And, _) => self.logic(Make::And, args, span, tail),
            (Special::Or, _) => self.logic(Make::Or, args, span, tail),
            (Special::Quote, [quoted]) => self.quote(*quoted),
            (Special::Quote, _) => self.bad(span, "`quote` takes one form", "write `'form`"),
            (Special::Let, [bindings, body @ ..]) => self.let_form(*bindings, body, span, tail),
            (Special::Loop, [bindings, body @ ..]) => self.loop_form(*bindings, body, span),
            (Special::Let | Special::Loop, []) => self.bad(
                span,
                format!("`{}` needs a vector of names and values", form.name()),
                format!("write `({} [x 1] …)`", form.name()),
            ),
            (Special::Recur, _) => self.recur_form(args, span, tail),
            (Special::Fn, _) => self.fn_form(args, span),
            (Special::Letfn, _) => self.letfn_form(args, span, tail),
            (Special::Try, _) => self.try_form(args, span),
            (Special::Catch | Special::Finally, _) => self.bad(
                span,
                format!("`{}` is outside a `try`", form.name()),
                "write `(try … (catch Exception e …))`",
            ),
            (Special::Def, _) => self.def_form(args, span),
            (Special::Return, [_]) => self.schedule(Make::Return, args, span),
            (Special::Return, _) => {
                let help = self.operator_first(args).unwrap_or_else(|| {
                    "write `(return value)`; put several values into one map".to_owned()
                });
                self.bad(span, format!("`return` takes one value, not {}", args.len()), help);
            }
            (Special::Fail, [_]) => self.schedule(Make::Fail, args, span),
            (Special::Fail, _) => self.bad(
                span,
                format!("`fail` takes one map, not {} values", args.len()),
                "write `(fail {:reason :some_reason :message \"what went wrong\"})`",
            ),
            (Special::Call, [tool, rest @ ..]) => self.tool_form(*tool, rest, span),
            _ => self.bad(
                span,
                format!("`{}` needs a tool's name", form.name()),
                "write `(call \"name\" {:argument value})`",
            ),
        }
    }

    /// Schedules a node of these parts.
    fn schedule(&mut self, what: Make, parts: &[FormId], span: Span) {
        self.tasks.push(Task::Make { what, count: parts.len(), span });
        self.visit_all(parts);
    }

    fn recur_form(&mut self, args: &[FormId], span: Span, tail: bool) {
        if tail {
            return self.schedule(Make::Recur, args, span);
        }
        self.problem(
            Diagnostic::new(
                Code::BadForm,
                "`recur` must be the last thing its loop or function does",
            )
            .at(span)
            .with_help("move the work that follows into the arguments of `recur`, or use `reduce`"),
        );
        self.push_const(Value::Nil);
    }

    /// Schedules `(call "name" args)`, or a call of a computed name.
    fn tool_form(&mut self, tool: FormId, rest: &[FormId], span: Span) {
        match self.form(tool).kind {
            FormKind::Str(name) => {
                let name = self.forms.shared(name);
                self.tool_call(&name, self.span(tool), rest, span);
            }
            _ => self.named_tool(tool, rest, span),
        }
    }

    /// Returns the help for `a + b` instead of one value.
    fn operator_first(&self, args: &[FormId]) -> Option<String> {
        let [left, operator, right] = args else { return None };
        let text = |form: FormId| {
            let Span { start, end } = self.span(form);
            self.lowered
                .program
                .source
                .get(start as usize..end as usize)
                .filter(|it| it.len() <= LONGEST_OPERAND)
        };
        let name = text(*operator).filter(|it| matches!(*it, "+" | "-" | "*" | "/"))?;
        let (left, right) = (text(*left)?, text(*right)?);
        Some(format!("operators come first: `(return ({name} {left} {right}))`"))
    }

    fn if_form(
        &mut self,
        test: FormId,
        then: FormId,
        other: Option<FormId>,
        span: Span,
        tail: bool,
    ) {
        let other = other.unwrap_or_else(|| self.forms_nil(span));
        self.tasks.push(Task::Make { what: Make::If, count: 3, span });
        self.tasks.push(Task::Mark(Event::Join));
        self.tasks.push(Task::Visit { form: other, tail });
        self.tasks.push(Task::Mark(Event::Else));
        self.tasks.push(Task::Visit { form: then, tail });
        self.tasks.push(Task::Mark(Event::Fork));
        self.tasks.push(Task::Visit { form: test, tail: false });
    }

    /// Schedules `and` or `or`: after each part but the last, the rest may be skipped.
    fn logic(&mut self, what: Make, args: &[FormId], span: Span, tail: bool) {
        let Some((last, before)) = args.split_last() else { return };
        self.tasks.push(Task::Make { what, count: args.len(), span });
        for _ in before {
            self.tasks.push(Task::Mark(Event::Join));
            self.tasks.push(Task::Mark(Event::Else));
        }
        self.tasks.push(Task::Visit { form: *last, tail });
        for part in before.iter().rev() {
            self.tasks.push(Task::Mark(Event::Fork));
            self.tasks.push(Task::Visit { form: *part, tail: false });
        }
    }

    /// Returns whether the bindings of a form alternate names and values; reports a problem otherwise.
    fn are_pairs(&mut self, form: FormId, what: &str) -> bool {
        let span = self.span(form);
        if !matches!(self.form(form).kind, FormKind::Vector) {
            self.bad(
                span,
                format!("`{what}` needs its names and values in a vector"),
                format!("write `({what} [name value …] …)`"),
            );
            return false;
        }
        let kids = self.forms.kids(form);
        if kids.len() % 2 == 1 {
            let last = kids.last().map_or(span, |last| self.span(*last));
            self.bad(
                last,
                format!("a name of this `{what}` has no value"),
                "write names and values in pairs: `[a 1 b 2]`",
            );
            return false;
        }
        true
    }

    /// Returns the bindings of a form as pairs; `None` after a problem.
    pub(super) fn pairs_of(&mut self, form: FormId, what: &str) -> Option<Vec<(FormId, FormId)>> {
        let pairs = |this: &Self| {
            let pairs = this.forms.kids(form).chunks_exact(2);
            pairs.map(|pair| (pair[0], pair[1])).collect()
        };
        self.are_pairs(form, what).then(|| pairs(self))
    }

    fn let_form(&mut self, bindings: FormId, body: &[FormId], span: Span, tail: bool) {
        if !self.are_pairs(bindings, "let") {
            return;
        }
        let Some(plain) = self.plain_bindings(bindings) else {
            return self.push_const(Value::Nil);
        };
        let (names, slots) = self.scope_mark();
        self.tasks.push(Task::EndScope { names, slots });
        self.tasks.push(Task::Make { what: Make::Do, count: plain.len() + 1, span });
        self.body(body, span, tail);
        for (name, value) in plain.into_iter().rev() {
            let span = self.span(value);
            self.tasks.push(Task::Bind { name, span });
            self.tasks.push(Task::Visit { form: value, tail: false });
        }
    }

    fn scope_mark(&mut self) -> (usize, u32) {
        let function = &mut self.function;
        (function.names.len(), function.next_slot)
    }

    fn loop_form(&mut self, bindings: FormId, body: &[FormId], span: Span) {
        let Some(pairs) = self.pairs_of(bindings, "loop") else { return };
        if pairs.iter().any(|(pattern, _)| !matches!(self.form(*pattern).kind, FormKind::Symbol(_)))
        {
            let expanded = self.loop_with_patterns(&pairs, body, span);
            return self.tasks.push(Task::Visit { form: expanded, tail: false });
        }
        let (names, slots) = self.scope_mark();
        self.tasks.push(Task::EndScope { names, slots });
        self.tasks.push(Task::Make { what: Make::Do, count: pairs.len() + 1, span });
        self.loop_bodies.push((body.to_vec(), span));
        self.tasks.push(Task::StartLoop { slots, count: pairs.len(), span });
        for (pattern, value) in pairs.into_iter().rev() {
            if let FormKind::Symbol(name) = self.form(pattern).kind {
                let span = self.span(value);
                self.tasks.push(Task::Bind { name, span });
                self.tasks.push(Task::Visit { form: value, tail: false });
            }
        }
    }

    /// Schedules `(fn name? [params] body)` or `(fn name? ([params] body) …)`.
    fn fn_form(&mut self, args: &[FormId], span: Span) {
        let (name, rest) = match args.split_first() {
            Some((first, rest)) => match self.form(*first).kind {
                FormKind::Symbol(name) => (Some(name), rest),
                _ => (None, args),
            },
            None => (None, args),
        };
        let Some(plans) = self.arities(rest, span) else { return self.push_const(Value::Nil) };
        let lambda = self.new_lambda(name);
        let depth = self.depth() + 1;
        self.start_function(lambda).self_name = name;
        if let Some(name) = name {
            self.bound.push(name, Binding { depth, what: Bound::Myself });
        }
        self.tasks.push(Task::EndFunction { span });
        self.visit_arities(plans);
    }

    fn new_lambda(&mut self, name: Option<Name>) -> u32 {
        let name = name.map(|name| self.forms.shared(name));
        self.lowered.program.lambdas.push(Lambda { name, ..Lambda::default() });
        self.lowered.program.lambdas.len() as u32 - 1
    }

    fn visit_arities(&mut self, plans: Vec<Params>) {
        for plan in plans.into_iter().rev() {
            let params = plan.names.len();
            self.tasks.push(Task::EndArity { params, variadic: plan.variadic });
            self.tasks.push(Task::Visit { form: plan.body, tail: true });
            self.tasks.push(Task::StartArity { params });
            self.params.extend(plan.names);
        }
    }

    /// Returns the arities of a function; `None` after a problem.
    fn arities(&mut self, rest: &[FormId], span: Span) -> Option<Vec<Params>> {
        let mut plans = Vec::with_capacity(1);
        match (rest.first().map(|first| self.form(*first).kind), rest.split_first()) {
            (Some(FormKind::Vector), Some((params, body))) => {
                plans.push(self.params(*params, body, span)?);
                return Some(plans);
            }
            (Some(FormKind::List), _) => {}
            _ => {
                self.report(
                    span,
                    "a function needs its parameters in a vector",
                    "write `(fn [x] …)`",
                );
                return None;
            }
        }
        for arity in rest {
            let (mut few, mut many) = Default::default();
            let kids = copied(self.forms.kids(*arity), &mut few, &mut many);
            let Some((params, body)) = kids.split_first() else {
                self.report(
                    span,
                    "an arity of this function is empty",
                    "write `([x] …)` for each arity",
                );
                return None;
            };
            plans.push(self.params(*params, body, span)?);
        }
        if let Some((message, help)) = clash(&plans) {
            self.report(span, message, help);
            return None;
        }
        Some(plans)
    }

    fn report(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problem(Diagnostic::new(Code::BadForm, message).at(span).with_help(help));
    }

    /// Schedules `(letfn [(f [x] …) (g [x] …)] body)`, whose functions may call one another.
    fn letfn_form(&mut self, args: &[FormId], span: Span, tail: bool) {
        let help = "write `(letfn [(f [x] …)] …)`";
        let Some((functions, body)) = args.split_first() else {
            return self.bad(span, "`letfn` needs a vector of functions", help);
        };
        if !matches!(self.form(*functions).kind, FormKind::Vector) {
            return self.bad(self.span(*functions), "`letfn` needs a vector of functions", help);
        }
        let mut plans = Vec::new();
        let mut names = Vec::new();
        for function in self.forms.kids(*functions).to_vec() {
            let place = self.span(function);
            let kids = self.forms.kids(function).to_vec();
            let name = kids.first().map(|name| self.form(*name).kind);
            let (Some(FormKind::Symbol(name)), Some((_, rest))) = (name, kids.split_first()) else {
                return self.bad(place, "a function of `letfn` needs a name", help);
            };
            let Some(arities) = self.arities(rest, place) else {
                return self.push_const(Value::Nil);
            };
            let lambda = self.new_lambda(Some(name));
            names.push((name, lambda));
            plans.push((lambda, arities));
        }
        let (scope, slots) = self.scope_mark();
        self.tasks.push(Task::EndScope { names: scope, slots });
        self.tasks.push(Task::Make { what: Make::Do, count: names.len() + 1, span });
        self.body(body, span, tail);
        let names: Rc<[(Name, u32)]> = names.into();
        self.tasks.push(Task::EndSiblings { functions: names.clone(), span });
        self.siblings.push(Shared::default());
        for (lambda, arities) in plans.into_iter().rev() {
            self.tasks.push(Task::EndSibling);
            self.visit_arities(arities);
            self.tasks.push(Task::StartSibling { lambda, names: names.clone() });
        }
    }

    /// Schedules `(try body… (catch Class e …)… (finally …))`.
    fn try_form(&mut self, args: &[FormId], span: Span) {
        let clause = |this: &Self, form: FormId, head: &str| {
            matches!(this.form(form).kind, FormKind::List)
                && this.forms.kids(form).first().is_some_and(|first| this.is_symbol(*first, head))
        };
        let is_end = |this: &Self, form: &FormId| {
            clause(this, *form, "catch") || clause(this, *form, "finally")
        };
        let split = args.iter().position(|form| is_end(self, form)).unwrap_or(args.len());
        let (body, ends) = args.split_at(split);
        let mut catches = Vec::new();
        let mut finally = None;
        for (at, end) in ends.iter().enumerate() {
            let place = self.span(*end);
            let kids = self.forms.kids(*end).to_vec();
            if clause(self, *end, "finally") && at + 1 == ends.len() {
                finally = Some((kids.get(1..).unwrap_or_default().to_vec(), place));
                continue;
            }
            let [_, class, name, handler @ ..] = &kids[..] else {
                return self.bad(
                    place,
                    "`catch` needs a class and a name, and `finally` comes last",
                    "write `(catch Exception e …)`",
                );
            };
            let (FormKind::Symbol(class_name), FormKind::Symbol(name)) =
                (self.form(*class).kind, self.form(*name).kind)
            else {
                return self.bad(
                    place,
                    "`catch` needs a class and a name",
                    "write `(catch Exception e …)`",
                );
            };
            let class_name = self.forms.text(class_name).to_owned();
            let Some(class) = ptc_values::Class::find(&class_name)
                .filter(|class| class.is_a("Throwable") && clause(self, *end, "catch"))
            else {
                return self.bad(
                    self.span(kids[1]),
                    format!("`catch` does not know the class `{class_name}`"),
                    "write `(catch Exception e …)`; `ExceptionInfo` is the class of `ex-info`",
                );
            };
            catches.push((ArcStr::from(class.name), name, handler.to_vec(), place));
        }
        let count = 1 + catches.len() + usize::from(finally.is_some());
        self.try_plans
            .push((catches.iter().map(|(class, ..)| class.clone()).collect(), finally.is_some()));
        self.tasks.push(Task::Make { what: Make::Try, count, span });
        self.tasks.push(Task::Mark(Event::EndTry));
        if let Some((forms, place)) = finally {
            self.body(&forms, place, false);
        }
        let (names, slots) = self.scope_mark();
        for (_, name, handler, place) in catches.into_iter().rev() {
            self.tasks.push(Task::EndScope { names, slots });
            self.body(&handler, place, false);
            self.tasks.push(Task::Catch { name });
        }
        self.tasks.push(Task::Mark(Event::Catch));
        self.body(body, span, false);
        self.tasks.push(Task::Mark(Event::Try));
    }

    /// Schedules `(def name)`, `(def name value)` or `(def name "doc" value)`.
    fn def_form(&mut self, args: &[FormId], span: Span) {
        let (name, value) = match args {
            [name] => (*name, self.forms_nil(span)),
            [name, value] => (*name, *value),
            [name, doc, value] if matches!(self.form(*doc).kind, FormKind::Str(_)) => {
                (*name, *value)
            }
            _ => {
                return self.bad(
                    span,
                    "`def` takes a name and a value",
                    "write `(def name value)`",
                );
            }
        };
        let FormKind::Symbol(symbol) = self.form(name).kind else {
            return self.bad(self.span(name), "`def` needs a name", "write `(def name value)`");
        };
        let text = self.forms.text(symbol);
        let is_form = super::forms::find(text)
            .is_some_and(|form| matches!(form.kind, Kind::Special(special) if special.is_fixed()));
        if text.contains('/') && text != "/" || is_form {
            let help = match text.strip_prefix("memory/") {
                Some(key) => format!("write `(memory/put :{key} value)`"),
                None => "choose another name".to_owned(),
            };
            return self.bad(self.span(name), format!("`{text}` cannot be defined"), help);
        }
        self.lowered.report.defines(text.to_owned());
        let global = self.global(symbol);
        self.tasks.push(Task::Make { what: Make::Def(global), count: 1, span });
        self.tasks.push(Task::Visit { form: value, tail: false });
    }
}

/// Returns the conflict between arities, if any.
fn clash(plans: &[Params]) -> Option<(&'static str, &'static str)> {
    let fixed = |plan: &Params| plan.names.len() - usize::from(plan.variadic);
    let variadic = plans.iter().filter(|plan| plan.variadic).map(fixed);
    let most = plans.iter().filter(|plan| !plan.variadic).map(fixed).max().unwrap_or(0);
    let mut counts: Vec<usize> = plans.iter().filter(|plan| !plan.variadic).map(fixed).collect();
    counts.sort_unstable();
    let distinct = "give every arity its own number of parameters";
    if variadic.clone().count() > 1 {
        Some(("a function has two arities with `&`", distinct))
    } else if counts.windows(2).any(|pair| pair[0] == pair[1]) {
        Some(("a function has two arities of the same number of parameters", distinct))
    } else if variadic.min().is_some_and(|least| most > least) {
        Some((
            "an arity has more parameters than the one with `&`",
            "give the arity with `&` the most parameters",
        ))
    } else {
        None
    }
}

/// The longest operand that a help repeats, in bytes.
const LONGEST_OPERAND: usize = 200;
