//! Random texts that nobody guesses.

use std::fmt;
use std::fmt::Write as _;

use rand_core::{OsRng, TryRngCore as _};

/// 256 random bits of the operating system, as a text.
///
/// Secrets are kept as their BLAKE3 hashes. A slow hash with a salt protects passwords, which people choose and others can
/// guess. For 256 random bits a fast hash is enough: a list of all of them is beyond anybody. Equality of hashes takes the
/// same time for all values, and so tells nothing about the secret.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    /// Generates a secret; `None` if the operating system has no random bits.
    pub(super) fn generate() -> Option<Secret> {
        let mut bytes = [0; 32];
        OsRng.try_fill_bytes(&mut bytes).ok()?;
        let mut text = String::with_capacity(64);
        for byte in bytes {
            // Writing to a string never fails.
            let _ = write!(text, "{byte:02x}");
        }
        Some(Secret(text))
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Returns the hash of the text.
    pub(super) fn hash(&self) -> blake3::Hash {
        blake3::hash(self.0.as_bytes())
    }

    /// Returns whether a text is this secret.
    pub(super) fn is(&self, text: &str) -> bool {
        self.hash() == blake3::hash(text.as_bytes())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
