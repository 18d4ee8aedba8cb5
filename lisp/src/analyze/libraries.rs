//! `require` and its kin: everything is there already, so they only give names to it.

use super::Analyzer;
use crate::builtins::{self, BuiltinId};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::reader::{FormId, FormKind};

/// Libraries whose functions are part of the language.
const LIBRARIES: &[&str] = &[
    "clojure.core",
    "clojure.string",
    "clojure.set",
    "clojure.walk",
    "clojure.math",
    "clojure.math.numeric-tower",
    "clojure.math.combinatorics",
    "clojure.edn",
    "clojure.repl",
    "clojure.data.json",
    "cheshire.core",
];

/// Forms that name libraries or classes. They do nothing else here.
pub(super) const NAMING: &[&str] = &["require", "use", "import", "ns"];

impl Analyzer<'_> {
    /// Whether names of the language may mean something else in this program.
    pub(super) fn has_aliases(&self) -> bool {
        !self.referred.is_empty() || !self.aliases.is_empty()
    }

    /// The function a name stands for, with the aliases that the program gave.
    pub(super) fn find(&self, name: &str) -> Option<BuiltinId> {
        if !self.referred.is_empty()
            && let Some(full) = self.referred.get(name)
        {
            return builtins::find(full);
        }
        if !self.aliases.is_empty()
            && let Some((space, rest)) = name.split_once('/')
            && let Some(library) = self.aliases.get(space)
        {
            return builtins::find(&format!("{library}/{rest}"));
        }
        builtins::find(name)
    }

    /// `(require '[clojure.string :as str])`, `(ns name (:require …))`, `(import …)`.
    pub(super) fn naming_form(&mut self, head: &str, args: &[FormId]) {
        for arg in args {
            match (head, self.form(*arg).kind) {
                // Classes are found by their names, with or without their package.
                ("import", _) => {}
                ("ns", FormKind::List) => {
                    let clause = self.forms.kids(*arg).to_vec();
                    if let Some((head, rest)) = clause.split_first()
                        && let Some(word) = self.forms.keyword(*head)
                        && matches!(word, "require" | "use")
                    {
                        for library in rest {
                            self.library(*library);
                        }
                    }
                }
                ("ns", _) => {}
                _ => self.library(*arg),
            }
        }
    }

    /// One library with the names it is to have.
    fn library(&mut self, form: FormId) {
        let span = self.span(form);
        let form = match (&self.form(form).kind, self.forms.kids(form)) {
            (FormKind::Quote, [quoted]) => *quoted,
            _ => form,
        };
        let parts = match self.form(form).kind {
            FormKind::Vector => self.forms.kids(form).to_vec(),
            FormKind::Keyword(_) => return,
            _ => vec![form],
        };
        let Some((name, options)) = parts.split_first() else { return };
        let Some(library) = self.symbol_text(*name) else {
            return self.no_library("this", span);
        };
        if !LIBRARIES.contains(&library.as_str()) {
            return self.no_library(&format!("`{library}`"), span);
        }
        self.words.change_meanings();
        for option in options.chunks_exact(2) {
            let Some(word) = self.forms.keyword(option[0]).map(str::to_owned) else { continue };
            match word.as_str() {
                "as" => {
                    if let Some(alias) = self.symbol_text(option[1]) {
                        self.aliases.insert(alias, library.clone());
                    }
                }
                "refer" => {
                    for name in self.forms.kids(option[1]).to_vec() {
                        if let Some(name) = self.symbol_text(name) {
                            let full = format!("{library}/{name}");
                            self.referred.insert(name, full);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn symbol_text(&self, form: FormId) -> Option<String> {
        match self.form(form).kind {
            FormKind::Symbol(name) => Some(self.forms.text(name).to_string()),
            _ => None,
        }
    }

    fn no_library(&mut self, shown: &str, span: Span) {
        self.problem(
            Diagnostic::new(Code::NotAvailable, format!("{shown} is no library of the language"))
                .at(span)
                .with_help(format!(
                    "there are {}; nothing needs to be required",
                    LIBRARIES.join(", ")
                )),
        );
    }
}
