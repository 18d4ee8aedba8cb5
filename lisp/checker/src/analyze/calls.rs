//! Lowers lists: calls of functions, forms and tools.

use super::analyzer::{Analyzer, Make, Task, copied};
use super::forms::{Form, Kind};
use super::meanings::Special;
use super::meanings::{Meaning, Sugar};
use ptc_facts::lookup;
use ptc_facts::registry::Registered;
use ptc_reader::{Core, FormId, FormKind, Name};
use ptc_values::code::{Code, Span};
use ptc_values::print::literal;
use ptc_values::{BuiltinId, Diagnostic, Value};

impl Analyzer<'_> {
    pub(super) fn list(&mut self, form: FormId, span: Span, tail: bool) {
        // Copied, because the checker adds forms meanwhile.
        let (mut few, mut many) = Default::default();
        let kids = copied(self.forms.kids(form), &mut few, &mut many);
        match kids.split_first() {
            Some((head, args)) => self.call_of(*head, args, span, tail),
            None => self.push_const(Value::empty_list()),
        }
    }

    fn call_of(&mut self, head: FormId, args: &[FormId], span: Span, tail: bool) {
        let head = &head;
        match self.form(*head).kind {
            FormKind::Core(name) => self.core_call(name, args, span, tail),
            FormKind::Symbol(name) => self.named_call(name, *head, args, span, tail),
            FormKind::Keyword(key) => match args {
                [_] => {
                    let key = self.keyword_const(key);
                    self.tasks.push(Task::Make { what: Make::Get(key), count: 1, span });
                    self.visit_all(args);
                }
                [_, _] => {
                    let get = self.call_core(&"get", &[args[0], *head, args[1]], span);
                    self.tasks.push(Task::Visit { form: get, tail: false });
                }
                _ => {
                    let key = self.forms.text(key);
                    let problem = Diagnostic::new(
                        Code::WrongArity,
                        format!("a keyword as a function takes a map and an optional default, not {} arguments", args.len()),
                    )
                    .at(span)
                    .with_help(format!("write `(:{key} m)` or `(:{key} m default)`"));
                    self.fails(problem);
                    self.call(*head, args, span);
                }
            },
            FormKind::Nil
            | FormKind::Bool(_)
            | FormKind::Int(_)
            | FormKind::Float(_)
            | FormKind::Big(_)
            | FormKind::Str(_) => {
                let what = &self.lowered.program.source
                    [self.span(*head).start as usize..self.span(*head).end as usize];
                let what: String = what.chars().take(40).collect();
                let problem = Diagnostic::new(
                    Code::NotCallable,
                    format!("expected a function, found `{what}`"),
                )
                .at(self.span(*head))
                .with_help("a list is a call; write data in square brackets, such as `[1 2 3]`");
                // Clojure's compiler refuses a call of nil too.
                if matches!(self.form(*head).kind, FormKind::Nil) {
                    self.problem(problem);
                    return self.push_const(Value::Nil);
                }
                self.fails(problem);
                self.call(*head, args, span);
            }
            _ => self.call(*head, args, span),
        }
    }

    /// Schedules a call of the value of `head`.
    pub(super) fn call(&mut self, head: FormId, args: &[FormId], span: Span) {
        self.tasks.push(Task::Make { what: Make::Call, count: args.len() + 1, span });
        if self.visit_plain(head) {
            return self.visit_all(args);
        }
        self.tasks.extend(args.iter().rev().map(|form| Task::Visit { form: *form, tail: false }));
        self.tasks.push(Task::Visit { form: head, tail: false });
    }

    fn named_call(&mut self, name: Name, head: FormId, args: &[FormId], span: Span, tail: bool) {
        let meaning = self.meaning(name);
        let is_bound = self.bound.get(name).is_some();
        if let Meaning::Special(form) = meaning
            && (form.is_fixed() || !is_bound)
        {
            return self.special(form, args, span, tail);
        }
        if is_bound || matches!(meaning, Meaning::Global(_)) {
            self.warn_of_hidden(name, head);
            return self.call(head, args, span);
        }
        match meaning {
            Meaning::Builtin(id) => return self.builtin_call(id, args, span),
            Meaning::Sugar(sugar) => return self.sugar(sugar, args, span, tail),
            _ => {}
        }
        let text = self.forms.shared(name);
        if let Meaning::Naming = meaning {
            self.naming_form(&text, args, span);
            return self.push_const(Value::Nil);
        }
        if text.starts_with("payload/") && self.scope.env.payload.is_some() {
            return self.not_of_payload(&text, span);
        }
        if args.is_empty() && (text == "ctx" || text.starts_with("ctx/")) {
            // A key of `ctx` is never called without arguments; this is a misread function call.
            self.visit_all(&[head]);
            self.problem(
                Diagnostic::new(Code::NotCallable, format!("`{text}` is data, not a function"))
                    .at(span)
                    .with_help(format!("write `{text}` without parentheses")),
            );
            return;
        }
        if let Some(tool) = text.strip_prefix("tool/") {
            let args = args.to_vec();
            return self.tool_call(tool, self.span(head), &args, span);
        }
        // The parts of an unsupported form mean nothing here.
        if ptc_facts::registry::unsupported_name(&text).is_some() {
            return self.symbol(name, self.span(head));
        }
        self.call(head, args, span);
    }

    /// Warns, once per name, of a call that would address the mission if the program did not shadow its word.
    fn warn_of_hidden(&mut self, name: Name, head: FormId) {
        let text = self.forms.text(name);
        let word = super::forms::find(text).filter(|form| form.is_of_mission);
        let Some(Form { name: word, kind, .. }) = word else { return };
        let does = match kind {
            Kind::Special(Special::Call) => "calls no tool",
            _ => "does not end the program",
        };
        let message = format!("`{word}` is a name of the program here, so this {does}");
        if self.lowered.warnings.iter().any(|known| known.message() == message) {
            return;
        }
        let warning = Diagnostic::new(Code::HiddenName, message)
            .at(self.span(head))
            .with_help("rename it if you meant the form of the mission");
        self.lowered.warn(warning);
    }

    /// Lowers a call whose head the checker wrote.
    fn core_call(&mut self, name: Core, args: &[FormId], span: Span, tail: bool) {
        match super::words::core_meaning(name) {
            Meaning::Special(form) => self.special(form, args, span, tail),
            Meaning::Builtin(id) => self.builtin_call(id, args, span),
            Meaning::Sugar(sugar) => self.sugar(sugar, args, span, tail),
            _ => self.is_missing(name, span),
        }
    }

    fn sugar(&mut self, sugar: Sugar, args: &[FormId], span: Span, tail: bool) {
        let form = sugar.form();
        if let Kind::Sugar(expand) = form.kind {
            let expanded = self.expand(form.name, expand, args, span);
            self.tasks.push(Task::Visit { form: expanded, tail });
        }
    }

    fn builtin_call(&mut self, id: BuiltinId, args: &[FormId], span: Span) {
        self.note_memory_key(id, args);
        self.note_payload(id, Some(args), span);
        self.tasks.push(Task::Make { what: Make::Builtin(id), count: args.len(), span });
        self.visit_all(args);
    }

    fn note_memory_key(&mut self, id: BuiltinId, args: &[FormId]) {
        let name = id.builtin().name;
        // An artifact is memory under its prefix.
        let (prefix, is_put) = match name {
            "memory/get" => ("", false),
            "memory/put" => ("", true),
            "artifact/get" => ("artifact/", false),
            "artifact/put" => ("artifact/", true),
            _ => return,
        };
        let key = match args.first().map(|key| self.form(*key).kind) {
            Some(FormKind::Keyword(key) | FormKind::Str(key)) => self.forms.text(key),
            _ => "*",
        };
        let key = format!("{prefix}{key}");
        if is_put {
            self.lowered.report.writes_memory(key);
        } else {
            self.lowered.report.reads_memory(key);
        }
    }

    /// Schedules a tool call; `return` and `fail` may be called like tools.
    pub(super) fn tool_call(&mut self, tool: &str, place: Span, args: &[FormId], span: Span) {
        if matches!(tool, "return" | "fail") {
            let args = args.to_vec();
            let form = if tool == "return" { Special::Return } else { Special::Fail };
            return self.special(form, &args, span, false);
        }
        let decl = match lookup::callable(self.scope.env.tools, tool) {
            Ok(decl) => Some(decl),
            Err(_) if self.scope.known_reads.is_some() => None,
            Err(problem) => {
                self.problem(problem.at(place));
                return self.push_const(Value::Nil);
            }
        };
        let Some(args) = self.arguments(&literal(tool), args, span) else {
            return self.push_const(Value::Nil);
        };
        if !matches!(
            self.form(args).kind,
            FormKind::Map | FormKind::List | FormKind::Symbol(_) | FormKind::Core(_)
        ) {
            self.problem(
                Diagnostic::new(
                    Code::WrongType,
                    format!("the tool `{tool}` takes a map of arguments"),
                )
                .at(self.span(args))
                .with_help(format!("write `(call {} {{:argument value}})`", literal(tool))),
            );
            return self.push_const(Value::Nil);
        }
        if let Some(decl) = decl {
            self.lowered.report.calls_tool(decl);
        }
        let index = match self.lowered.program.tools.iter().position(|name| name == tool) {
            Some(index) => index,
            None => {
                self.lowered.program.tools.push(tool.into());
                self.lowered.program.tools.len() - 1
            }
        };
        self.tasks.push(Task::Make { what: Make::Tool(index as u32), count: 1, span });
        self.tasks.push(Task::Visit { form: args, tail: false });
    }

    /// Schedules a call of a tool with a computed name.
    pub(super) fn named_tool(&mut self, name: FormId, args: &[FormId], span: Span) {
        let given = self.span(name);
        let text = &self.lowered.program.source[given.start as usize..given.end as usize];
        let text: String = text.chars().take(40).collect();
        if !matches!(
            self.form(name).kind,
            FormKind::Symbol(_) | FormKind::Core(_) | FormKind::List | FormKind::Deref
        ) {
            return self.bad(
                given,
                format!("a tool is called by its name, a string; found `{text}`"),
                "write `(call \"name\" {:argument value})`",
            );
        }
        let Some(args) = self.arguments(&text, args, span) else {
            return self.push_const(Value::Nil);
        };
        self.tasks.push(Task::Make { what: Make::Named, count: 2, span });
        self.visit_all(&[name, args]);
    }

    /// Returns the form of a call's arguments; `None` after a problem if there are several.
    fn arguments(&mut self, name: &str, args: &[FormId], span: Span) -> Option<FormId> {
        match args {
            [] => Some(self.forms.branch(FormKind::Map, span, &[])),
            [args] => Some(*args),
            _ => {
                self.problem(
                    Diagnostic::new(
                        Code::WrongArity,
                        format!("a tool takes one map of arguments, not {} values", args.len()),
                    )
                    .at(span)
                    .with_help(format!("write `(call {name} {{:argument value}})`")),
                );
                None
            }
        }
    }
}
