//! The stable words of records and JSON, as enums.

use std::fmt;

/// A stable word that this version does not know, because a later version wrote it.
///
/// It has at most 31 characters, all of them printable ASCII. So enums of words remain small `Copy` types, and a word
/// from an untrusted file is harmless. A longer text is not a word; a run that has one is damaged.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Word {
    length: u8,
    bytes: [u8; Word::MAX],
}

impl Word {
    const MAX: usize = 31;

    /// Parses a text as a word.
    pub(crate) fn new(text: &str) -> Option<Word> {
        if text.is_empty() || !text.bytes().all(|it| it.is_ascii_graphic()) {
            return None;
        }
        let mut bytes = [0; Word::MAX];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Word { length: u8::try_from(text.len()).ok()?, bytes })
    }

    /// Returns the word.
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// A text that is not a word: empty, longer than 31 characters, or with characters outside printable ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a word of at most 31 printable ASCII characters")]
pub struct NotAWord;

/// Declares an enum of stable words from one table. A word outside the table is kept as `Unknown`.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$about:meta])+ $variant:ident = $word:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$about])+ $variant,)+
            /// A word that this version does not know.
            Unknown($crate::words::Word),
        }

        impl $name {
            /// Every word of this version.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Returns the stable word.
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $word,)+
                    $name::Unknown(word) => word.as_str(),
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::words::NotAWord;

            fn from_str(text: &str) -> Result<$name, $crate::words::NotAWord> {
                match text {
                    $($word => Ok($name::$variant),)+
                    other => $crate::words::Word::new(other)
                        .map($name::Unknown)
                        .ok_or($crate::words::NotAWord),
                }
            }
        }

        $crate::words::as_text!($name);
    };
}

/// Implements display, serialization and deserialization of a type with its `as_str` and `FromStr`.
macro_rules! as_text {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                <String as serde::Deserialize>::deserialize(from)?
                    .parse()
                    .map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use {as_text, words};
