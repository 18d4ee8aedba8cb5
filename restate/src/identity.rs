//! The cryptography of signed requests.
//!
//! The SDK reads the signature of a request, its path and its time, and leaves the cryptography to the process. Its own
//! choices for that are large libraries, one of them with an open advisory; `ring` is there already, for TLS.

use jsonwebtoken::crypto::{CryptoProvider, JwkUtils, JwtVerifier};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::signature::{Error as Mismatch, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey};
use ring::signature::{ED25519, UnparsedPublicKey};

/// Signs nothing, and checks the signatures of Restate servers.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::InvalidAlgorithm.into()),
    verifier_factory: |algorithm, key| match algorithm {
        Algorithm::EdDSA => Ok(Box::new(Key::new(key))),
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    },
    jwk_utils: JwkUtils::new_unimplemented(),
};

/// A public key of a server.
struct Key(UnparsedPublicKey<Vec<u8>>);

/// Lets the SDK check signatures in this process.
pub(crate) fn install() {
    // The program around this crate may have chosen another one, which knows this algorithm too.
    PROVIDER.install_default().unwrap_or_default();
}

impl Key {
    fn new(key: &DecodingKey) -> Key {
        Key(UnparsedPublicKey::new(&ED25519, key.as_bytes().to_vec()))
    }
}

impl Verifier<Vec<u8>> for Key {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), Mismatch> {
        self.0.verify(message, signature).map_err(|_| Mismatch::new())
    }
}

impl JwtVerifier for Key {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}
