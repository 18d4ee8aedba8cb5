//! Resolves names, and explains unknown ones.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::analyzer::{Analyzer, Task};
use super::meanings::Meaning;
use ptc_facts::registry;
use ptc_facts::registry::Registered;
use ptc_reader::{Core, FormKind, Name};
use ptc_values::code::{Code, Span};
use ptc_values::ir::Node;
use ptc_values::print::literal;
use ptc_values::spelling::nearest;
use ptc_values::{Class, Diagnostic, Ext, Value};

impl Analyzer<'_> {
    pub(super) fn symbol(&mut self, name: Name, span: Span) {
        if let Some(binding) = self.bound.get(name) {
            return self.read_binding(binding);
        }
        match self.meaning(name) {
            Meaning::Global(global) => self.push_node(Node::Global(global), span, &[]),
            Meaning::Builtin(id) => {
                self.note_payload(id, None, span);
                self.push_const(id.value());
            }
            _ => self.other_value(name, span),
        }
    }

    /// Pushes the value of a symbol that is not a local, an ordinary global or a builtin.
    fn other_value(&mut self, name: Name, span: Span) {
        if let Some(global) = self.known_global(name) {
            return self.push_node(Node::Global(global), span, &[]);
        }
        let text = self.forms.shared(name);
        // Some forms can be called as functions too.
        if let Some(id) = self.find(&text) {
            return self.push_const(id.value());
        }
        match text.as_str() {
            "*1" => return self.push_node(Node::History(0), span, &[]),
            "*2" => return self.push_node(Node::History(1), span, &[]),
            "*3" => return self.push_node(Node::History(2), span, &[]),
            "ctx" => {
                self.lowered.report.reads_ctx("*");
                return self.push_node(Node::CtxAll, span, &[]);
            }
            "memory" => {
                self.lowered.report.reads_memory("*".to_owned());
                return self.push_node(Node::MemoryAll, span, &[]);
            }
            "payload" if self.scope.env.payload.is_some() => {
                return self.payload_value(None, span);
            }
            _ => {}
        }
        if let Some((space, key)) = text.split_once('/')
            && !key.is_empty()
        {
            match space {
                "ctx" => return self.ctx_key(key, span),
                "memory" => {
                    self.lowered.report.reads_memory(key.to_owned());
                    let key = self.forms.intern(key);
                    let key = self.keyword_const(key);
                    return self.push_node(Node::Memory(key), span, &[]);
                }
                "payload" => return self.payload_value(Some(key), span),
                "tool" => return self.tool_value(key, span),
                _ => {}
            }
        }
        if let Some(class) = Class::find(&text) {
            return self.push_const(Ext::Class(class).into_value());
        }
        self.unknown(&text, span);
        self.push_const(Value::Nil);
    }

    /// Reports a name of the checker's own that does not exist: a bug of the language.
    pub(super) fn is_missing(&mut self, name: Core, span: Span) {
        let message =
            format!("`{name}` is missing from the language; this is a bug of the language");
        self.problem(Diagnostic::new(Code::InvariantViolated, message).at(span));
        self.push_const(Value::Nil);
    }

    pub(super) fn core_value(&mut self, name: Core, span: Span) {
        match registry::find(name) {
            Some(id) => self.push_const(id.value()),
            None => self.is_missing(name, span),
        }
    }

    fn ctx_key(&mut self, key: &str, span: Span) {
        // `ctx/fail` exists only after a failed turn, so programs may always read it.
        let env = &self.scope.env;
        let is_there = env.ctx.get_name(key).is_some() || self.scope.known_reads.is_some();
        if !is_there && key != "fail" && !env.has_unknown_keys() {
            let mut problem = Diagnostic::new(
                Code::UnknownCtxKey,
                format!("there is no `ctx/{key}` in this mission"),
            )
            .at(span);
            let names = self.scope.env.ctx.iter().filter_map(|(key, _)| key.name());
            problem = match nearest(key, names.clone()) {
                Some(near) => problem.with_help(format!("did you mean `ctx/{near}`?")),
                None => {
                    let all: Vec<String> =
                        names.take(20).map(|name| format!("`ctx/{name}`")).collect();
                    problem.with_help(if all.is_empty() {
                        "this mission has no data in `ctx`".to_owned()
                    } else {
                        format!("there are {}", all.join(", "))
                    })
                }
            };
            self.problem(problem);
            return self.push_const(Value::Nil);
        }
        self.lowered.report.reads_ctx(key);
        let key = self.forms.intern(key);
        let key = self.keyword_const(key);
        self.push_node(Node::Ctx(key), span, &[]);
    }

    /// Makes `tool/name` a function of one argument map.
    fn tool_value(&mut self, tool: &str, span: Span) {
        let name = self.forms.fresh();
        let param = self.forms.leaf(FormKind::Symbol(name), span);
        let params = self.forms.branch(FormKind::Vector, span, &[param]);
        let tool = self.forms.text_leaf(tool, span);
        let call = self.call_core(&"call", &[tool, param], span);
        let function = self.call_core(&"fn", &[params, call], span);
        self.tasks.push(Task::Visit { form: function, tail: false });
    }

    fn unknown(&mut self, text: &str, span: Span) {
        if self.lowered.has_enough_problems() {
            return;
        }
        if super::forms::find(text).is_some() {
            self.problem(
                Diagnostic::new(Code::BadForm, format!("`{text}` is a form, not a value"))
                    .at(span)
                    .with_help(format!("call it in parentheses: `({text} …)`")),
            );
            return;
        }
        if let Some(library) = self.missing_library(text) {
            let message =
                format!("`{text}` belongs to `{library}`, which the language does not have");
            let full = self.full_name(text);
            let local = full.rsplit_once('/').map_or(text, |(_, local)| local);
            let instead = [&full, text, local].into_iter().find_map(registry::unsupported_name);
            let help = match instead.or_else(|| registry::foreign_name(&full)) {
                Some(help) => help.to_owned(),
                None => Self::all_libraries(),
            };
            let problem = Diagnostic::new(Code::NotAvailable, message);
            return self.problem(problem.at(span).with_help(help));
        }
        if registry::unsupported_name(text).is_some() {
            return self.bad_name(text, &format!("`{text}`"), span);
        }
        let problem =
            Diagnostic::new(Code::UnknownName, format!("`{text}` is not defined")).at(span);
        let help = self.help_for(text);
        self.problem(problem.with_help(help));
    }

    /// Reports a name that the language leaves out; `shown` is its spelling in the program.
    pub(super) fn bad_name(&mut self, name: &str, shown: &str, span: Span) {
        let problem =
            Diagnostic::new(Code::NotAvailable, format!("{shown} is not part of the language"));
        let problem = match registry::unsupported_name(name) {
            Some(instead) => problem.with_help(instead),
            None => problem,
        };
        self.problem(problem.at(span));
    }

    /// Returns the text that `doc` prints for a name.
    pub(super) fn doc_of(&self, name: Name) -> String {
        let text = self.forms.text(name);
        if self.bound.get(name).is_some() || self.known_global(name).is_some() {
            return format!("{text}\n  A name of this program.");
        }
        let tool = text.strip_prefix("tool/").unwrap_or(text);
        if let Some(decl) = self.scope.env.tools.iter().find(|decl| decl.name == tool) {
            let mut doc = format!("{tool}\n(call {} {{…}})", literal(tool));
            if let Some(signature) = &decl.signature {
                let _ = write!(doc, "\n  {}", signature.redacted_for_calls());
            }
            if let Some(description) = &decl.description {
                let _ = write!(doc, "\n  {description}");
            }
            return doc;
        }
        super::doc::text_of(&self.full_name(text))
            .unwrap_or_else(|| format!("{text}\n  There is no such name: {}", self.help_for(text)))
    }

    fn help_for(&self, text: &str) -> String {
        let names = self.known_names();
        if text.contains('_') && names.binary_search(&text.replace('_', "-").as_str()).is_ok() {
            format!("names have hyphens: `{}`", text.replace('_', "-"))
        } else if self.scope.env.ctx.get_name(text).is_some() {
            format!("the mission's data is `ctx/{text}`")
        } else if self.scope.env.tools.iter().any(|decl| decl.name == text) {
            format!("a tool is called as `(call \"{text}\" {{…}})`")
        } else if self.scope.env.memory.get_name(text).is_some() {
            format!("the kept value is `memory/{text}`")
        } else if let Some((thing, field)) =
            text.split_once('.').filter(|(thing, _)| names.binary_search(thing).is_ok())
        {
            format!("write `(:{field} {thing})`")
        } else if let Some(instead) = registry::foreign_name(&self.full_name(text)) {
            instead.to_owned()
        } else if let Some(full) = registry::in_a_namespace(text) {
            format!("write `{full}`")
        } else if let Some(help) = registry::near(&self.full_name(text)) {
            help
        } else if let Some(near) = nearest(text, names.iter().copied()) {
            format!("did you mean `{near}`?")
        } else {
            "define it with `def` or `let`, or use another name".to_owned()
        }
    }

    /// Returns a name with the library it comes from.
    fn full_name<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.libraries.full_name(text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Returns all known names. They are sorted, so the nearest name is the same on every run.
    fn known_names(&self) -> Vec<&str> {
        let locals = self.outer.iter().chain([&self.function]).flat_map(|function| &function.names);
        let locals = locals.map(|name| self.forms.text(*name)).filter(|name| *name != "(made)");
        let defined = self
            .scope
            .env
            .globals
            .names()
            .chain(self.lowered.new_globals.iter().map(arcstr::ArcStr::as_str));
        let has_payload = self.scope.env.payload.is_some();
        let known = super::forms::FORMS
            .iter()
            .map(|form| form.name)
            .map(|name| -> &str { name })
            .chain(registry::names().map(|name| -> &str { name }))
            .filter(|name| has_payload || !name.starts_with("payload/"));
        let mut names: Vec<&str> = locals.chain(defined).chain(known).collect();
        names.sort_unstable();
        names
    }
}
