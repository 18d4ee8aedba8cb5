//! Caches the checker's facts about each name of a source.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::Analyzer;
use super::forms::{FORMS, Form, Kind, Special};
use ptc_facts::registry;
use ptc_reader::Name;
use ptc_values::ir::OperandKind;
use ptc_values::{BuiltinId, Value};

/// The meaning of a name that no local has.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning {
    /// A form that becomes nodes.
    Special(Special),
    /// A name that a program defined.
    Global(u32),
    /// A form that is rewritten to others.
    Sugar(Sugar),
    /// A form that names libraries.
    Naming,
    Builtin(BuiltinId),
    /// Data, a tool, a class, or unknown.
    Other,
}

/// A form that is rewritten to others, as an index into [`FORMS`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Sugar(u8);

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

#[derive(Clone, Copy, Default)]
struct Word {
    /// Its meaning, with the value of [`Words::changes`] when it was found.
    meaning: Option<(Meaning, u32)>,
    /// The number, from 1, of the global of this name that this program defines.
    global: u32,
    /// The constants of its keyword and of its text, from 1.
    keyword: u32,
    text: u32,
}

/// The facts about each [`Name`].
pub(super) struct Words {
    all: Vec<Word>,
    /// The number of times that the program changed the meanings of names.
    changes: u32,
}

/// The number of names up to which lookups are not cached.
const FEW: usize = 4;

impl Words {
    /// Creates an empty cache with room for `names` names.
    pub(super) fn with_capacity(names: usize) -> Words {
        let all = if names > FEW { Vec::with_capacity(names) } else { Vec::new() };
        Words { all, changes: 0 }
    }

    fn get(&self, name: Name) -> Word {
        self.all.get(name.index()).copied().unwrap_or_default()
    }

    fn get_mut(&mut self, name: Name) -> &mut Word {
        let at = name.index();
        if self.all.len() <= at {
            self.all.resize(at + 1, Word::default());
        }
        &mut self.all[at]
    }

    /// Invalidates the meanings of names.
    pub(super) fn change_meanings(&mut self) {
        self.changes += 1;
    }
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
        if self.words.all.capacity() > 0 {
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
        let id = self.scope.env.globals.count() as u32 + self.new_globals.len() as u32;
        self.new_globals.push(self.forms.shared(name));
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
