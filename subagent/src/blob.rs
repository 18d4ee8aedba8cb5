//! Binary content in results of tools, such as images. Programs see what it is, and the record has its bytes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Binary content of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Blob {
    /// The BLAKE3 hash of the bytes, in hexadecimal digits.
    pub hash: String,
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The bytes in Base64.
    pub base64: String,
}

/// The media type of content whose type is unknown.
const UNKNOWN: &str = "application/octet-stream";

/// The maximum length of a media type, in bytes.
const MAX_MEDIA_TYPE: usize = 100;

impl Blob {
    /// Creates the content with these bytes.
    pub fn new(media_type: &str, bytes: &[u8]) -> Blob {
        let hash = blake3::hash(bytes).to_hex().to_string();
        let is_valid = is_media_type(media_type);
        let media_type = if is_valid { media_type } else { UNKNOWN }.to_ascii_lowercase();
        Blob { hash, media_type, base64: STANDARD.encode(bytes) }
    }

    /// Creates the content of a text in Base64; `None` if it is not one.
    pub fn from_base64(media_type: &str, base64: &str) -> Option<Blob> {
        STANDARD.decode(base64).ok().map(|bytes| Blob::new(media_type, &bytes))
    }

    /// Returns the bytes; `None` if a record has been changed by hand.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        STANDARD.decode(&self.base64).ok()
    }

    /// Returns the number of bytes.
    pub fn size(&self) -> usize {
        let padding = self.base64.bytes().rev().take_while(|it| *it == b'=').count();
        (self.base64.len() / 4 * 3).saturating_sub(padding)
    }

    /// Returns the media type of an image that models take: PNG, JPEG, GIF or WebP. The first bytes decide, since a server
    /// may name a wrong type.
    pub fn image_type(&self) -> Option<&'static str> {
        let start = self.base64.get(..16).unwrap_or(&self.base64);
        let start = STANDARD.decode(start).ok()?;
        match start.as_slice() {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
            [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P'] => Some("image/webp"),
            _ => None,
        }
    }

    /// Returns what a program sees of the content.
    ///
    /// ```
    /// let blob = ptc_subagent::Blob::new("image/png", b"hello");
    /// let hash = "ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f";
    /// let seen = serde_json::json!({"media_type": "image/png", "size": 5, "hash": hash});
    /// assert_eq!(blob.value(), seen);
    /// ```
    pub fn value(&self) -> Value {
        json!({"media_type": self.media_type, "size": self.size(), "hash": self.hash})
    }
}

/// The maximum number of bytes that are kept of the content of a run, in Base64.
const MAX_KEPT: usize = 64 << 20;

/// The binary content of the results of a run, for tools that send it. The newest is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents(Arc<Mutex<VecDeque<Blob>>>);

impl Contents {
    /// Keeps the content of a result.
    pub(crate) fn keep(&self, content: &[Blob]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for it in content {
            kept.retain(|known| known.hash != it.hash);
            kept.push_back(it.clone());
        }
        let mut size: usize = kept.iter().map(|it| it.base64.len()).sum();
        while size > MAX_KEPT
            && let Some(oldest) = kept.pop_front()
        {
            size -= oldest.base64.len();
        }
    }

    /// Returns the content with a hash.
    pub(crate) fn find(&self, hash: &str) -> Option<Blob> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|it| it.hash == hash).cloned()
    }
}

/// Returns whether a text is a media type without parameters.
fn is_media_type(text: &str) -> bool {
    let is_name = |name: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "!#$&^_.+-".contains(c);
        !name.is_empty() && name.chars().all(is_part)
    };
    let parts = text.split_once('/').filter(|_| text.len() <= MAX_MEDIA_TYPE);
    parts.is_some_and(|(kind, name)| is_name(kind) && is_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_has_a_size_and_a_valid_media_type() {
        let check = |media_type: &str, base64: &str, expected: Option<(&str, usize)>| {
            let blob = Blob::from_base64(media_type, base64);
            let found = blob.as_ref().map(|it| (it.media_type.as_str(), it.size()));
            assert_eq!(found, expected, "{media_type} {base64}");
            let back = blob.as_ref().and_then(Blob::bytes).map(|it| it.len());
            assert_eq!(back, expected.map(|it| it.1));
        };
        check("image/png", "aGVsbG8=", Some(("image/png", 5)));
        check("IMAGE/SVG+xml", "aGVsbG8h", Some(("image/svg+xml", 6)));
        check("text/html\"><script>", "", Some((UNKNOWN, 0)));
        check("image", "aA==", Some((UNKNOWN, 1)));
        check("image/", "aGk=", Some((UNKNOWN, 2)));
        check(&format!("image/{}", "x".repeat(100)), "aGk=", Some((UNKNOWN, 2)));
        check("image/png", "aGVsbG8", None);
        check("image/png", "not base64!", None);
    }

    #[test]
    fn the_first_bytes_tell_images() {
        let check = |bytes: &[u8], expected: Option<&str>| {
            assert_eq!(Blob::new("image/png", bytes).image_type(), expected, "{bytes:?}");
        };
        check(b"\x89PNG\r\n\x1a\n", Some("image/png"));
        check(b"\xff\xd8\xff\xe0 and more", Some("image/jpeg"));
        check(b"GIF89a", Some("image/gif"));
        check(b"RIFF\0\0\0\0WEBPVP8 ", Some("image/webp"));
        check(b"RIFF\0\0\0\0WAVE", None);
        check(b"<svg/>", None);
        check(b"", None);
    }
}
