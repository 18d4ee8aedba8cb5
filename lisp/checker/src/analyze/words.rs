//! Finds the meanings of names.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::analyzer::Analyzer;
use super::forms::{FORMS, Form, Kind};
use super::meanings::{Meaning, Sugar};
use ptc_facts::registry;
use ptc_reader::Name;
use ptc_values::Value;
use ptc_values::ir::OperandKind;

impl Sugar {
    pub(super) fn form(self) -> &'static Form {
        &FORMS[usize::from(self.0)]
    }
}

/// Forms that name libraries or classes and have no other effect.
pub const NAMING: &[&str] = &["require", "use", "refer", "alias", "refer-clojure", "import", "ns"];

/// The names of the language. Where a form and a function share a name, the form wins.
static LANGUAGE: LazyLock<HashMap<&'static str, Meaning>> = LazyLock::new(|| {
    let builtins = registry::ids().map(|(name, id)| (name, Meaning::Builtin(id)));
    let forms = FORMS.iter().zip(0..).map(|(form, at)| match form.kind {
        Kind::Special(special) => (form.name, Meaning::Special(special)),
        Kind::Sugar(_) => (form.name, Meaning::Sugar(Sugar(at))),
    });
    let naming = NAMING.iter().map(|name| (*name, Meaning::Naming));
    builtins.chain(naming).chain(forms).collect()
});

/// Returns the meaning of a name that the checker wrote.
pub(super) fn core_meaning(name: &str) -> Meaning {
    LANGUAGE.get(name).copied().unwrap_or(Meaning::Other)
}

/// Returns the form of a name that has the namespace of the language.
fn form_of_core(text: &str) -> Option<&'static str> {
    let text = text.strip_prefix("clojure.")?;
    let rest = text.strip_prefix("core/").or_else(|| text.strip_prefix("repl/"))?;
    super::forms::find(rest).map(|form| form.name)
}

impl Analyzer<'_> {
    /// Returns the meaning of a name that no local has.
    pub(super) fn meaning(&mut self, name: Name) -> Meaning {
        let changes = self.words.changes;
        if let Some((meaning, found)) = self.words.get(name).meaning
            && found == changes
        {
            return meaning;
        }
        let meaning = self.own_name(name).unwrap_or_else(|| self.meaning_of(name));
        if self.words.are_kept() {
            self.words.get_mut(name).meaning = Some((meaning, changes));
        }
        meaning
    }

    fn meaning_of(&self, name: Name) -> Meaning {
        let text = self.forms.text(name);
        if let Some(form) = form_of_core(text) {
            return core_meaning(form);
        }
        let core = core_meaning(text);
        if let Meaning::Special(form) = core
            && form.is_fixed()
        {
            return core;
        }
        if let Some(global) = self.known_global(name) {
            return Meaning::Global(global);
        }
        match core {
            Meaning::Builtin(_) if self.has_aliases() => {}
            Meaning::Other => {}
            known => return known,
        }
        self.find(text).map_or(Meaning::Other, Meaning::Builtin)
    }

    pub(super) fn known_global(&self, name: Name) -> Option<u32> {
        self.scope
            .env
            .globals
            .id(self.forms.text(name))
            .or_else(|| self.words.get(name).global.checked_sub(1))
    }

    /// Returns the number of a defined name, a new one if necessary.
    pub(super) fn global(&mut self, name: Name) -> u32 {
        if let Some(id) = self.known_global(name) {
            return id;
        }
        let id = self.scope.env.globals.count() as u32 + self.lowered.new_globals.len() as u32;
        self.lowered.new_globals.push(self.forms.shared(name));
        let word = self.words.get_mut(name);
        word.global = id + 1;
        word.meaning = None;
        id
    }

    /// Returns the constant of a name as a keyword.
    pub(super) fn keyword_const(&mut self, name: Name) -> u32 {
        if let Some(index) = self.words.get(name).keyword.checked_sub(1) {
            return index;
        }
        let index = self.constant(Value::Keyword(self.forms.shared(name)));
        self.words.get_mut(name).keyword = index + 1;
        index
    }

    pub(super) fn push_keyword(&mut self, name: Name) {
        let index = self.keyword_const(name);
        self.push_place(OperandKind::Const(index));
    }

    pub(super) fn push_text(&mut self, text: Name) {
        let index = match self.words.get(text).text.checked_sub(1) {
            Some(index) => index,
            None => {
                let index = self.constant(Value::Str(self.forms.shared(text)));
                self.words.get_mut(text).text = index + 1;
                index
            }
        };
        self.push_place(OperandKind::Const(index));
    }
}
