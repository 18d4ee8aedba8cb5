//! Forms in one flat arena, each with its span.

use arcstr::ArcStr;
use num_bigint::BigInt;

use super::names::{Name, Names};
use ptc_values::code::Span;

/// A form, as an index into [`Forms`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct FormId(u32);

/// A name inserted by the checker. The thin pointer keeps forms small.
pub type Core = &'static &'static str;

/// An integer beyond 64 bits, as an index into [`Forms`].
#[derive(Debug, Clone, Copy)]
pub struct Big(u32);

impl FormId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub kind: FormKind,
    pub span: Span,
    first: u32,
    count: u32,
}

#[derive(Debug, Clone, Copy)]
pub enum FormKind {
    Nil,
    Bool(bool),
    Int(i64),
    Big(Big),
    Float(f64),
    Str(Name),
    Keyword(Name),
    Symbol(Name),
    Regex(Name),
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
    /// A special form or function inserted by the checker. Names of the program cannot shadow it.
    Core(Core),
}

/// All forms of a source, and those that the checker makes from them.
#[derive(Debug, Default)]
pub struct Forms {
    all: Vec<Form>,
    kids: Vec<FormId>,
    names: Names,
    bigs: Vec<BigInt>,
    /// Whether there is a keyword with two colons; its text begins with the second colon.
    has_own_keywords: bool,
}

impl Forms {
    /// Creates an arena with room for the forms of a typical source of this size.
    pub fn for_source(bytes: usize) -> Forms {
        let forms = bytes / 4 + 4;
        Forms {
            all: Vec::with_capacity(forms),
            kids: Vec::with_capacity(forms),
            names: Names::with_capacity(forms / 4 + 2),
            bigs: Vec::new(),
            has_own_keywords: false,
        }
    }

    /// Returns the number of forms.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Returns all forms, each after its parts.
    pub fn ids(&self) -> impl Iterator<Item = FormId> + use<> {
        (0..self.all.len() as u32).map(FormId)
    }

    /// Returns the symbol at the head of a form.
    pub fn head(&self, id: FormId) -> Option<&str> {
        match self.get(*self.kids(id).first()?).kind {
            FormKind::Symbol(name) => Some(self.text(name)),
            _ => None,
        }
    }

    pub fn leaf(&mut self, kind: FormKind, span: Span) -> FormId {
        self.all.push(Form { kind, span, first: 0, count: 0 });
        FormId(self.all.len() as u32 - 1)
    }

    pub fn text_leaf(&mut self, text: &str, span: Span) -> FormId {
        let text = self.intern(text);
        self.leaf(FormKind::Str(text), span)
    }

    pub fn branch(&mut self, kind: FormKind, span: Span, kids: &[FormId]) -> FormId {
        let first = self.kids.len() as u32;
        self.kids.extend_from_slice(kids);
        self.all.push(Form { kind, span, first, count: kids.len() as u32 });
        FormId(self.all.len() as u32 - 1)
    }

    /// Adds a list of the forms of three slices.
    pub fn list_of(&mut self, parts: [&[FormId]; 3], span: Span) -> FormId {
        let first = self.kids.len() as u32;
        for part in parts {
            self.kids.extend_from_slice(part);
        }
        self.list_from(first, span)
    }

    /// Adds a copy of a list with one more form.
    pub fn list_with(&mut self, list: FormId, at: usize, more: FormId, span: Span) -> FormId {
        let first = self.kids.len() as u32;
        let Form { first: from, count, .. } = *self.get(list);
        let (from, end) = (from as usize, (from + count) as usize);
        let middle = from.saturating_add(at).min(end);
        self.kids.extend_from_within(from..middle);
        self.kids.push(more);
        self.kids.extend_from_within(middle..end);
        self.list_from(first, span)
    }

    /// Adds a list of the parts from `first` on.
    fn list_from(&mut self, first: u32, span: Span) -> FormId {
        let count = self.kids.len() as u32 - first;
        self.all.push(Form { kind: FormKind::List, span, first, count });
        FormId(self.all.len() as u32 - 1)
    }

    pub fn keyword(&self, id: FormId) -> Option<&str> {
        match self.get(id).kind {
            FormKind::Keyword(name) => Some(self.text(name)),
            _ => None,
        }
    }

    pub fn get(&self, id: FormId) -> &Form {
        // Ids come only from this arena, which never shrinks.
        &self.all[id.0 as usize]
    }

    pub fn kids(&self, id: FormId) -> &[FormId] {
        let form = self.get(id);
        &self.kids[form.first as usize..(form.first + form.count) as usize]
    }

    pub fn intern(&mut self, text: &str) -> Name {
        self.names.intern(text)
    }

    /// Returns a name for a character, which no text shares.
    pub(super) fn character(&mut self, c: char) -> Name {
        self.names.add(ptc_values::character(c))
    }

    /// Interns a keyword with two colons, which gets its namespace later.
    pub(super) fn intern_own(&mut self, text: &str) -> Name {
        self.has_own_keywords = true;
        self.intern(text)
    }

    pub fn has_own_keywords(&self) -> bool {
        self.has_own_keywords
    }

    pub fn name_keyword(&mut self, id: FormId, text: &str) {
        let name = self.intern(text);
        if let Some(form) = self.all.get_mut(id.index()) {
            form.kind = FormKind::Keyword(name);
        }
    }

    pub fn add_big(&mut self, big: BigInt) -> Big {
        self.bigs.push(big);
        Big(self.bigs.len() as u32 - 1)
    }

    pub fn big(&self, big: Big) -> &BigInt {
        &self.bigs[big.0 as usize]
    }

    /// Returns a unique name that no source can spell.
    pub fn fresh(&mut self) -> Name {
        self.names.add(arcstr::literal!("(made)"))
    }

    /// Returns the names of the source.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.texts()
    }

    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    pub fn shared(&self, name: Name) -> ArcStr {
        self.names.shared(name)
    }
}
