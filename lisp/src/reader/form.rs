//! Forms in one flat arena, each with its span.

use std::hash::BuildHasher;

use arcstr::ArcStr;
use hashbrown::{DefaultHashBuilder, HashTable};
use num_bigint::BigInt;

use crate::diagnostic::Span;

/// A form, by its place in [`Forms`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct FormId(u32);

/// A symbol's name, by its place in [`Forms`]: comparing names is comparing numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Name(u32);

impl Name {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl FormId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) kind: FormKind,
    pub(crate) span: Span,
    first: u32,
    count: u32,
}

#[derive(Debug, Clone)]
pub(crate) enum FormKind {
    Nil,
    Bool(bool),
    Int(i64),
    Big(BigInt),
    Float(f64),
    Str(ArcStr),
    Keyword(ArcStr),
    Symbol(Name),
    Regex(ArcStr),
    List,
    Vector,
    Map,
    Set,
    /// `#(…)`
    ShortFn,
    /// `'x`
    Quote,
    /// `@x`
    Deref,
    /// `#'x`
    Var,
    /// A special form or function that the checker put here, safe from names of the program.
    Core(&'static str),
}

/// So many names are looked through instead of indexed.
const FEW: usize = 8;

/// All forms of a source, and those the checker makes from them.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    all: Vec<Form>,
    kids: Vec<FormId>,
    names: Vec<ArcStr>,
    /// The names that have been spelled, when there are more than a few.
    ids: HashTable<Name>,
    hasher: DefaultHashBuilder,
}

impl Forms {
    /// An arena with room for the forms of a source of so many bytes, as programs mostly are.
    pub(crate) fn for_source(bytes: usize) -> Forms {
        let forms = bytes / 6 + 4;
        Forms {
            all: Vec::with_capacity(forms),
            kids: Vec::with_capacity(forms),
            names: Vec::with_capacity(forms / 4),
            ids: HashTable::with_capacity(if forms / 4 > FEW { forms / 4 } else { 0 }),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// All of them, each behind its parts.
    pub(crate) fn ids(&self) -> impl Iterator<Item = FormId> + use<> {
        (0..self.all.len() as u32).map(FormId)
    }

    /// Whether a form begins with one of these names.
    pub(crate) fn is_headed(&self, id: FormId, names: &[&str]) -> bool {
        let head = self.kids(id).first().map(|head| &self.get(*head).kind);
        matches!(head, Some(FormKind::Symbol(name)) if names.contains(&self.text(*name).as_str()))
    }

    pub(crate) fn leaf(&mut self, kind: FormKind, span: Span) -> FormId {
        self.all.push(Form { kind, span, first: 0, count: 0 });
        FormId(self.all.len() as u32 - 1)
    }

    pub(crate) fn branch(&mut self, kind: FormKind, span: Span, kids: &[FormId]) -> FormId {
        let first = self.kids.len() as u32;
        self.kids.extend_from_slice(kids);
        self.all.push(Form { kind, span, first, count: kids.len() as u32 });
        FormId(self.all.len() as u32 - 1)
    }

    /// A list of a form and those behind it.
    pub(crate) fn headed(&mut self, head: FormId, rest: &[FormId], span: Span) -> FormId {
        let first = self.kids.len() as u32;
        self.kids.push(head);
        self.kids.extend_from_slice(rest);
        self.all.push(Form { kind: FormKind::List, span, first, count: rest.len() as u32 + 1 });
        FormId(self.all.len() as u32 - 1)
    }

    pub(crate) fn get(&self, id: FormId) -> &Form {
        // An id comes from this arena only, which never shrinks.
        &self.all[id.0 as usize]
    }

    /// The forms inside a form.
    pub(crate) fn kids(&self, id: FormId) -> &[FormId] {
        let form = self.get(id);
        &self.kids[form.first as usize..(form.first + form.count) as usize]
    }

    pub(crate) fn intern(&mut self, text: &str) -> Name {
        if self.ids.is_empty() {
            if let Some(at) = self.names.iter().position(|name| name == text) {
                return Name(at as u32);
            }
        } else {
            let is_it = |name: &Name| self.names[name.index()] == text;
            if let Some(name) = self.ids.find(self.hasher.hash_one(text), is_it) {
                return *name;
            }
        }
        let name = self.add(ArcStr::from(text));
        if self.names.len() > FEW {
            self.index(name);
        }
        name
    }

    /// Puts names into the index: the first ones together, as soon as they are no longer few.
    fn index(&mut self, new: Name) {
        let Forms { names, ids, hasher, .. } = self;
        let hash = |name: &Name| hasher.hash_one(names[name.index()].as_str());
        for at in if ids.is_empty() { 0 } else { new.0 }..=new.0 {
            ids.insert_unique(hash(&Name(at)), Name(at), hash);
        }
    }

    fn add(&mut self, text: ArcStr) -> Name {
        self.names.push(text);
        Name(self.names.len() as u32 - 1)
    }

    /// A name that no source can spell and nothing else has.
    pub(crate) fn fresh(&mut self) -> Name {
        self.add(arcstr::literal!("(made)"))
    }

    /// The names that the source consists of.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(ArcStr::as_str)
    }

    pub(crate) fn text(&self, name: Name) -> &ArcStr {
        &self.names[name.0 as usize]
    }
}
