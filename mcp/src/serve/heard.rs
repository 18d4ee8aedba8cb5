//! Printed lines and binary content of a run, which its events tell and its report does not have.

use std::collections::BTreeMap;

use ptc_subagent::{Blob, Event};
use rmcp::model::{ContentBlock, ResourceContents};
use serde_json::Value;

/// The maximum number of bytes of binary content in a result, as Base64.
const MAX_BYTES: usize = 8 << 20;
/// The printed lines and the binary content that the events of a run tell.
/// The printed lines and the binary content that the events of a run tell.
#[derive(Clone, Default)]
pub(super) struct Heard {
    /// The lines that its programs printed.
    pub(super) printed: Vec<String>,
    /// The binary content of its calls, by hash.
    blobs: BTreeMap<String, Blob>,
    /// The number of bytes of the content.
    bytes: usize,
}

impl Heard {
    /// Keeps what an event tells. Content above the limit is left out.
    pub(super) fn hear(&mut self, event: &Event) {
        match event {
            Event::Printed { line, .. } => self.printed.push(line.clone()),
            Event::CallFinished { blobs, .. } => {
                for blob in blobs {
                    let bytes = self.bytes + blob.base64.len();
                    if bytes <= MAX_BYTES && !self.blobs.contains_key(&blob.hash) {
                        self.blobs.insert(blob.hash.clone(), blob.clone());
                        self.bytes = bytes;
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns the content that a value names by hash, in the order of the value. Each is there once.
    pub(super) fn content(&self, value: &Value) -> Vec<ContentBlock> {
        let mut left: BTreeMap<&str, &Blob> =
            self.blobs.iter().map(|(hash, blob)| (hash.as_str(), blob)).collect();
        let mut blocks = Vec::new();
        let mut rest = vec![value];
        while let Some(next) = rest.pop() {
            match next {
                Value::Object(fields) => {
                    let hash = fields.get("hash").and_then(Value::as_str);
                    if let Some(blob) = hash.and_then(|it| left.remove(it)) {
                        blocks.push(block(blob, fields.get("uri").and_then(Value::as_str)));
                    }
                    rest.extend(fields.values().rev());
                }
                Value::Array(items) => rest.extend(items.iter().rev()),
                _ => {}
            }
        }
        blocks
    }
}

/// Returns content as a block of the protocol.
fn block(blob: &Blob, uri: Option<&str>) -> ContentBlock {
    let (data, media_type) = (blob.base64.as_str(), blob.media_type.as_str());
    match media_type.split_once('/') {
        Some(("image", _)) => ContentBlock::image(data, media_type),
        Some(("audio", _)) => ContentBlock::audio(data, media_type),
        _ => {
            let uri = uri.map_or_else(|| format!("urn:blake3:{}", blob.hash), str::to_string);
            let resource = ResourceContents::blob(data, uri).with_mime_type(media_type);
            ContentBlock::resource(resource)
        }
    }
}
