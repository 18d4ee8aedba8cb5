//! What a source spells, each thing once.

use std::hash::{BuildHasher, Hasher};

use arcstr::ArcStr;
use hashbrown::{DefaultHashBuilder, HashTable};

/// What a source spells, be it a symbol, a keyword or a text in quotes, by its place in
/// [`Names`]: comparing names is comparing numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Name(u32);

impl Name {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// So many names are looked through instead of indexed.
const FEW: usize = 8;

/// The bytes of a name that can be compared at once.
const SHORT: usize = 8;

/// A name in the index, with what it is found by.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The bytes of a short name, or what those of a long one hash to.
    word: u64,
    /// How many bytes it has.
    len: u32,
    name: Name,
}

impl Entry {
    fn new(text: &str, name: Name, hasher: &DefaultHashBuilder) -> Entry {
        let bytes = text.as_bytes();
        let word = match *bytes {
            [] => 0,
            [only] => u64::from(only),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
            _ => match (bytes.first_chunk(), bytes.last_chunk()) {
                // The same bytes stand in both for all names of one length.
                (Some(first), Some(last)) if bytes.len() <= SHORT => {
                    let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
                    u64::from(first) | u64::from(last) << 32
                }
                _ => {
                    let mut hasher = hasher.build_hasher();
                    hasher.write(bytes);
                    hasher.finish()
                }
            },
        };
        Entry { word, len: bytes.len() as u32, name }
    }

    fn hash(self, hasher: &DefaultHashBuilder) -> u64 {
        let mut hasher = hasher.build_hasher();
        hasher.write_u64(self.word);
        hasher.write_u32(self.len);
        hasher.finish()
    }
}

/// The names of a source.
#[derive(Debug, Default)]
pub(crate) struct Names {
    all: Vec<ArcStr>,
    /// Those that have been spelled, when there are more than a few.
    index: HashTable<Entry>,
    hasher: DefaultHashBuilder,
}

impl Names {
    /// None, with room for so many.
    pub(super) fn with_room(names: usize) -> Names {
        Names {
            all: Vec::with_capacity(names),
            index: HashTable::with_capacity(if names > FEW { names } else { 0 }),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// The name that a text is; a new one if it was not spelled before.
    pub(super) fn intern(&mut self, text: &str) -> Name {
        // An index with room is one that is meant to be used.
        if self.index.capacity() == 0 {
            if let Some(at) = self.texts().position(|known| known == text) {
                return Name(at as u32);
            }
            let name = self.add(text.into());
            if self.all.len() > FEW {
                self.index_all();
            }
            return name;
        }
        let new = Entry::new(text, Name(self.all.len() as u32), &self.hasher);
        let is_same = |known: &Entry| {
            known.word == new.word
                && known.len == new.len
                && (text.len() <= SHORT || self.text(known.name) == text)
        };
        if let Some(known) = self.index.find(new.hash(&self.hasher), is_same) {
            return known.name;
        }
        self.insert(new);
        self.add(text.into())
    }

    /// A name of its own for a text, whatever else is spelled like it.
    pub(super) fn add(&mut self, text: ArcStr) -> Name {
        self.all.push(text);
        Name(self.all.len() as u32 - 1)
    }

    /// Puts the first names into the index, since they are no longer few.
    fn index_all(&mut self) {
        for at in 0..self.all.len() {
            let name = Name(at as u32);
            self.insert(Entry::new(self.text(name), name, &self.hasher));
        }
    }

    fn insert(&mut self, entry: Entry) {
        let Names { index, hasher, .. } = self;
        index.insert_unique(entry.hash(hasher), entry, |entry| entry.hash(hasher));
    }

    /// All that the source spells.
    pub(super) fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.all.iter().map(ArcStr::as_str)
    }

    pub(super) fn text(&self, name: Name) -> &str {
        // A name comes from these only, which never get fewer.
        &self.all[name.index()]
    }

    /// The text of a name, to keep.
    pub(super) fn shared(&self, name: Name) -> ArcStr {
        self.all[name.index()].clone()
    }
}
