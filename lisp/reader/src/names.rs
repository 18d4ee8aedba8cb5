//! Interns the symbols, keywords and strings of a source.

use std::hash::{BuildHasher, Hasher};

use arcstr::ArcStr;
use hashbrown::{DefaultHashBuilder, HashTable};

/// An interned symbol, keyword or string, as an index into `Names`. Comparing names is comparing
/// numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u32);

impl Name {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of names up to which a linear search replaces the index.
const FEW: usize = 8;

/// The bytes of a name that fit one word.
const SHORT: usize = 8;

/// A name in the index, with its lookup key.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The bytes of a short name, or the hash of a long one.
    word: u64,
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
                // Overlapping bytes are the same ones for all names of one length.
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
    /// The interned names, once there are more than a few.
    index: HashTable<Entry>,
    hasher: DefaultHashBuilder,
}

impl Names {
    /// Creates an empty table with room for `names` names.
    pub(super) fn with_capacity(names: usize) -> Names {
        Names {
            all: Vec::with_capacity(names),
            index: HashTable::with_capacity(if names > FEW { names } else { 0 }),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Returns the name of a text, a new one if necessary.
    pub(super) fn intern(&mut self, text: &str) -> Name {
        // Capacity means that the index is in use.
        if self.index.capacity() == 0 {
            let is_same = |known: &ArcStr| known == text && !ArcStr::is_static(known);
            if let Some(at) = self.all.iter().position(is_same) {
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

    /// Adds a new name for a text, even if another name has that text.
    pub(super) fn add(&mut self, text: ArcStr) -> Name {
        self.all.push(text);
        Name(self.all.len() as u32 - 1)
    }

    /// Fills the index with the first names.
    fn index_all(&mut self) {
        for at in 0..self.all.len() {
            let name = Name(at as u32);
            // A character is not the name of its text.
            if !ArcStr::is_static(&self.all[at]) {
                self.insert(Entry::new(self.text(name), name, &self.hasher));
            }
        }
    }

    fn insert(&mut self, entry: Entry) {
        let Names { index, hasher, .. } = self;
        index.insert_unique(entry.hash(hasher), entry, |entry| entry.hash(hasher));
    }

    pub(super) fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.all.iter().map(ArcStr::as_str)
    }

    pub(super) fn text(&self, name: Name) -> &str {
        // Names come only from this table, which never shrinks.
        &self.all[name.index()]
    }

    pub(super) fn shared(&self, name: Name) -> ArcStr {
        self.all[name.index()].clone()
    }
}
