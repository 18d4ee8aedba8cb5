//! The meanings of names, and the facts kept about each name of a source.

use ptc_reader::Name;
use ptc_values::BuiltinId;

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

/// A form that is rewritten to others, as an index into `FORMS`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sugar(pub(super) u8);

/// A form that becomes nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    If,
    Do,
    Let,
    Loop,
    Recur,
    Fn,
    Def,
    Quote,
    And,
    Or,
    Call,
    Return,
    Fail,
    Letfn,
    Try,
    Catch,
    Finally,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    /// Its meaning, with the value of [`Words::changes`] when it was found.
    pub(super) meaning: Option<(Meaning, u32)>,
    /// The number, from 1, of the global of this name that this program defines.
    pub(super) global: u32,
    /// The constants of its keyword and of its text, from 1.
    pub(super) keyword: u32,
    pub(super) text: u32,
}

/// The facts about each [`Name`].
pub(super) struct Words {
    all: Vec<Word>,
    /// The number of times that the program changed the meanings of names.
    pub(super) changes: u32,
}

/// The number of names up to which lookups are not cached.
const FEW: usize = 4;

impl Words {
    /// Creates an empty cache with room for `names` names.
    pub(super) fn with_capacity(names: usize) -> Words {
        let all = if names > FEW { Vec::with_capacity(names) } else { Vec::new() };
        Words { all, changes: 0 }
    }

    pub(super) fn get(&self, name: Name) -> Word {
        self.all.get(name.index()).copied().unwrap_or_default()
    }

    pub(super) fn get_mut(&mut self, name: Name) -> &mut Word {
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

    /// Returns whether meanings are kept.
    pub(super) fn are_kept(&self) -> bool {
        self.all.capacity() > 0
    }
}
