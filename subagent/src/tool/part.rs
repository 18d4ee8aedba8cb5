//! The content of the parts of a request: files of a folder, and binary content of results.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path};

use ptc_openapi::{Loaded, MAX_MULTIPART, Source};

use super::CallContext;
use crate::secrets::Secrets;

/// The maximum length of a path or a hash in a message, in characters.
const MAX_SHOWN: usize = 80;

/// Loads the content that an argument names. The error is the end of a sentence about the part.
pub(super) fn load(
    source: Source<'_>,
    folder: Option<&Path>,
    secrets: &Secrets,
    cx: &CallContext,
) -> Result<Loaded, String> {
    match (source, folder) {
        (Source::File(_), None) => {
            Err("names a file, and the agent file gives no `files`".to_string())
        }
        (Source::File(path), Some(folder)) => {
            let bytes = file(path, folder, secrets)?;
            Ok(Loaded { bytes, media_type: None })
        }
        (Source::Content(hash), _) => {
            let content = cx.content(hash);
            let bytes = content.as_ref().and_then(|it| Some((it.bytes()?, it.media_type.clone())));
            let Some((bytes, media_type)) = bytes else {
                let hash = secrets.cut(hash, MAX_SHOWN);
                return Err(format!("names content that no result has: `{hash}`"));
            };
            Ok(Loaded { bytes, media_type: Some(media_type) })
        }
    }
}

/// Reads a file below a folder.
fn file(path: &str, folder: &Path, secrets: &Secrets) -> Result<Vec<u8>, String> {
    let shown = secrets.cut(path, MAX_SHOWN);
    let outside = || Err(format!("names a file that is not below the folder of files: `{shown}`"));
    // A hidden file is often one with secrets, such as `.env`.
    let is_name = |it: Component<'_>| matches!(it, Component::Normal(name) if !name.as_encoded_bytes().starts_with(b"."));
    if path.is_empty() || !Path::new(path).components().all(is_name) {
        return outside();
    }
    let wrong = |error: std::io::Error| format!("names the file `{shown}`: {error}");
    let folder = folder.canonicalize().map_err(wrong)?;
    // A link may lead out of the folder.
    let found = folder.join(path).canonicalize().map_err(wrong)?;
    if !found.strip_prefix(&folder).is_ok_and(|it| it.components().all(is_name)) {
        return outside();
    }
    // Opening a pipe would wait for its writer.
    if !std::fs::metadata(&found).map_err(wrong)?.is_file() {
        return Err(format!("names `{shown}`, which is not a file"));
    }
    let mut bytes = Vec::new();
    let most = MAX_MULTIPART as u64 + 1;
    File::open(found).and_then(|it| it.take(most).read_to_end(&mut bytes)).map_err(wrong)?;
    Ok(bytes)
}
