//! Handles `require` and its kin. All libraries are loaded, so these forms only name them.

use hashbrown::HashMap;

use super::analyzer::Analyzer;
use super::library_names::{DEFAULT_NAMESPACE, LIBRARIES};
use super::meanings::Meaning;
use ptc_facts::registry;
use ptc_reader::{FormId, FormKind, Name};
use ptc_values::code::{Code, Span};
use ptc_values::{BuiltinId, Diagnostic};

/// A library named by a program, with the options after the name.
struct NamedLibrary {
    library: String,
    span: Span,
    options: Vec<FormId>,
}

impl Analyzer<'_> {
    /// Returns whether names of the language may have another meaning in this program.
    pub(super) fn has_aliases(&self) -> bool {
        !self.libraries.is_empty()
    }

    /// Finds the builtin of a name, through the names that the program gave.
    pub(super) fn find(&self, name: &str) -> Option<BuiltinId> {
        if self.has_aliases()
            && let Some(full) = self.libraries.full_name(name)
        {
            return registry::find(&full);
        }
        registry::find(name)
    }

    /// Returns the meaning of a name in the program's own namespace, such as `user/f`.
    pub(super) fn own_name(&mut self, name: Name) -> Option<Meaning> {
        let (space, rest) = self.forms.text(name).split_once('/')?;
        if rest.is_empty() || space != DEFAULT_NAMESPACE && space != self.libraries.space {
            return None;
        }
        let rest = rest.to_owned();
        let rest = self.forms.intern(&rest);
        self.known_global(rest).map(Meaning::Global)
    }

    /// Returns the library of a name, if the language does not have that library.
    pub(super) fn missing_library(&self, name: &str) -> Option<String> {
        let full = self.libraries.full_name(name)?;
        let (library, _) = full.split_once('/')?;
        (!LIBRARIES.contains(&library)).then(|| library.to_owned())
    }

    pub(super) fn all_libraries() -> String {
        format!("the libraries are {}; they need no `require`", LIBRARIES.join(", "))
    }

    /// Applies `(require '[clojure.string :as str])`, `(ns name (:require …))` or `(import …)`.
    pub(super) fn naming_form(&mut self, head: &str, args: &[FormId], span: Span) {
        self.words.change_meanings();
        match (head, args) {
            ("ns", [name, clauses @ ..]) => {
                if let Some(space) = self.symbol_text(*name) {
                    self.libraries.space = space.into();
                }
                for clause in clauses {
                    if let Some((word, libraries)) = self.clause(*clause) {
                        self.libraries_of(&word, &libraries);
                    }
                }
            }
            // Classes are found by their names, with or without a package.
            ("import" | "refer-clojure" | "ns", _) => {}
            ("alias", _) => match self.alias_of(args) {
                Some((alias, library)) => {
                    self.warn_of_missing(&library, self.span(args[1]));
                    self.libraries.aliases.insert(alias, library);
                }
                None => self.bad_alias(span),
            },
            // The options follow the name.
            ("refer", [name, options @ ..]) => {
                let Some(library) = self.symbol_text(*name) else {
                    return self.malformed_library(self.span(*name));
                };
                let (span, options) = (self.span(*name), options.to_vec());
                self.library(head, NamedLibrary { library, span, options });
            }
            _ => self.libraries_of(head, args),
        }
    }

    /// Returns the word and the libraries of a part of `ns`.
    fn clause(&self, clause: FormId) -> Option<(String, Vec<FormId>)> {
        let (head, rest) = self.forms.kids(clause).split_first()?;
        let word = self.forms.keyword(*head)?;
        matches!(word, "require" | "use").then(|| (word.to_owned(), rest.to_vec()))
    }

    /// Returns the alias and library of `(alias 's 'clojure.string)`.
    fn alias_of(&self, args: &[FormId]) -> Option<(String, String)> {
        let [alias, library] = args else { return None };
        self.symbol_text(*alias).zip(self.symbol_text(*library))
    }

    fn libraries_of(&mut self, head: &str, args: &[FormId]) {
        for arg in args {
            match self.named(*arg) {
                Some(all) => all.into_iter().for_each(|named| self.library(head, named)),
                None => self.malformed_library(self.span(*arg)),
            }
        }
    }

    /// Returns the libraries that a form names: one, or with `(clojure string [set :as s])` several with a common
    /// prefix. `None` if it names no library.
    fn named(&self, form: FormId) -> Option<Vec<NamedLibrary>> {
        let form = self.unquoted(form);
        let parts = match self.form(form).kind {
            // `:reload` and the like.
            FormKind::Keyword(_) => return Some(Vec::new()),
            FormKind::Vector | FormKind::List => self.forms.kids(form),
            _ => &[form],
        };
        let (name, rest) = parts.split_first()?;
        let library = self.symbol_text(*name)?;
        if rest.first().is_none_or(|option| self.forms.keyword(*option).is_some()) {
            return Some(vec![NamedLibrary {
                library,
                span: self.span(form),
                options: rest.to_vec(),
            }]);
        }
        let mut all = Vec::with_capacity(rest.len());
        for part in rest {
            let (part, options) = match *self.forms.kids(*part) {
                [part, ref options @ ..] => (part, options.to_vec()),
                [] => (*part, Vec::new()),
            };
            let library = format!("{library}.{}", self.symbol_text(part)?);
            all.push(NamedLibrary { library, span: self.span(part), options });
        }
        Some(all)
    }

    fn library(&mut self, head: &str, named: NamedLibrary) {
        let NamedLibrary { library, span, options } = named;
        self.warn_of_missing(&library, span);
        let (mut chosen, mut without, mut renamed) = (None, Vec::new(), Vec::new());
        let mut is_used = head != "require";
        for option in options.chunks_exact(2) {
            let value = self.unquoted(option[1]);
            match self.forms.keyword(option[0]) {
                Some("as" | "as-alias") => {
                    if let Some(alias) = self.symbol_text(value) {
                        self.libraries.aliases.insert(alias, library.clone());
                    }
                }
                Some("refer") if self.forms.keyword(value) == Some("all") => is_used = true,
                Some("refer" | "only") => chosen = Some(self.symbol_texts(value)),
                Some("exclude") => without = self.symbol_texts(value),
                Some("rename") => renamed = self.symbol_texts(value),
                _ => {}
            }
        }
        let renamed: HashMap<String, String> =
            renamed.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        let is_whole = is_used && chosen.is_none();
        let names = chosen.unwrap_or_else(|| renamed.keys().cloned().collect());
        for name in names.iter().filter(|name| !without.contains(name)) {
            let here = renamed.get(name).unwrap_or(name).clone();
            self.libraries.referred.insert(here, format!("{library}/{name}"));
        }
        if is_whole {
            without.extend(renamed.into_keys());
            self.libraries.used.push((library, without));
        }
    }

    fn unquoted(&self, form: FormId) -> FormId {
        match (self.form(form).kind, self.forms.kids(form)) {
            (FormKind::Quote, [quoted]) => *quoted,
            (FormKind::List, [head, quoted]) if self.is_symbol(*head, "quote") => *quoted,
            _ => form,
        }
    }

    fn symbol_text(&self, form: FormId) -> Option<String> {
        match self.form(self.unquoted(form)).kind {
            FormKind::Symbol(name) => Some(self.forms.text(name).to_owned()),
            _ => None,
        }
    }

    fn symbol_texts(&self, form: FormId) -> Vec<String> {
        self.forms.kids(form).iter().filter_map(|name| self.symbol_text(*name)).collect()
    }

    fn malformed_library(&mut self, span: Span) {
        self.problem(
            Diagnostic::new(Code::BadForm, "this is not a library name")
                .at(span)
                .with_help("write `(require '[clojure.set :as set])`"),
        );
    }

    fn bad_alias(&mut self, span: Span) {
        let problem = Diagnostic::new(Code::BadForm, "`alias` takes a name and a library");
        self.problem(problem.at(span).with_help("write `(alias 's 'clojure.set)`"));
    }

    /// Warns of an unknown library, which is harmless until the program uses one of its names.
    fn warn_of_missing(&mut self, library: &str, span: Span) {
        if LIBRARIES.contains(&library) {
            return;
        }
        let message = format!("the language has no library `{library}`");
        let warning = Diagnostic::new(Code::UnknownLibrary, message)
            .at(span)
            .with_help(Self::all_libraries());
        self.lowered.warn(warning);
    }

    /// Gives each keyword with two colons its namespace: that of the program, or the library of an alias. The walk is
    /// skipped for sources without such keywords.
    pub(super) fn resolve_keywords(&mut self) {
        if !self.forms.has_own_keywords() {
            return;
        }
        let mut space = DEFAULT_NAMESPACE.to_owned();
        let mut aliases: HashMap<String, String> = HashMap::new();
        // Forms follow their parts and earlier forms, so declarations come before the keywords they affect.
        for form in self.forms.ids() {
            if let FormKind::Keyword(name) = self.form(form).kind {
                if let Some(own) = self.forms.text(name).strip_prefix(':') {
                    let (before, rest) = own.split_once('/').unwrap_or(("", own));
                    let before = if before.is_empty() { Some(&space) } else { aliases.get(before) };
                    let full = before.map(|before| format!("{before}/{rest}"));
                    self.resolve(form, full);
                }
                continue;
            }
            let Some((head, args)) = self.forms.kids(form).split_first() else { continue };
            let FormKind::Symbol(head) = self.form(*head).kind else { continue };
            match (self.forms.text(head), args) {
                ("alias", _) => aliases.extend(self.alias_of(args)),
                ("require" | "use", _) => aliases.extend(self.aliases_in(args)),
                ("ns", [name, clauses @ ..]) => {
                    space = self.symbol_text(*name).unwrap_or(space);
                    for clause in clauses {
                        if let Some((_, libraries)) = self.clause(*clause) {
                            aliases.extend(self.aliases_in(&libraries));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the aliases that forms give to libraries.
    fn aliases_in(&self, forms: &[FormId]) -> Vec<(String, String)> {
        let named = forms.iter().filter_map(|form| self.named(*form)).flatten();
        let aliases = named.flat_map(|NamedLibrary { library, options, .. }| {
            let of = |option: &[FormId]| match self.forms.keyword(option[0]) {
                Some("as" | "as-alias") => Some((self.symbol_text(option[1])?, library.clone())),
                _ => None,
            };
            options.chunks_exact(2).filter_map(of).collect::<Vec<_>>()
        });
        aliases.collect()
    }

    fn resolve(&mut self, form: FormId, full: Option<String>) {
        if let Some(full) = full {
            return self.forms.name_keyword(form, &full);
        }
        let own = self.forms.keyword(form).unwrap_or_default();
        let alias = own.trim_start_matches(':').split('/').next().unwrap_or_default();
        let message = format!("`:{own}`: `{alias}` is not an alias of a library");
        let help = format!("write `:{}`, or give a library the alias first", &own[1..]);
        let span = self.span(form);
        self.problem(Diagnostic::new(Code::BadToken, message).at(span).with_help(help));
    }
}
