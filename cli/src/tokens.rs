//! The place of the file of tokens.

use ptc_serve::TokenFile;

use crate::args::TokensArgs;
use crate::records;
use crate::report::{Fault, Result};

/// Returns the file of tokens.
pub(crate) fn file(args: &TokensArgs) -> Result<TokenFile> {
    if let Some(path) = args.file() {
        return Ok(TokenFile::new(path));
    }
    let folder = records::state_folder().ok_or_else(|| {
        Fault::new("usage", "there is no place for tokens")
            .with_help("name one with `--tokens FILE`")
    })?;
    Ok(TokenFile::new(folder.join("tokens.toml")))
}
