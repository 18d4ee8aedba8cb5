//! Collects printed lines and binary content from the events of a run.

use std::collections::BTreeMap;

use ptc_lisp::Value;
use ptc_subagent::{Blob, Data, Event};
use rmcp::model::{ContentBlock, ResourceContents};

/// The maximum number of bytes of binary content in a result, as Base64.
const MAX_BYTES: usize = 8 << 20;

/// The printed lines and the binary content of a run, which its report does not have.
#[derive(Clone, Default)]
pub(super) struct RunOutput {
    /// The lines that its programs printed.
    pub(super) printed: Vec<String>,
    /// The binary content of its calls, by hash.
    blobs: BTreeMap<String, Blob>,
    /// The number of bytes of the content.
    bytes: usize,
}

impl RunOutput {
    /// Keeps what an event tells. Content above the limit is left out.
    pub(super) fn collect(&mut self, event: &Event) {
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
    pub(super) fn content(&self, value: &Data) -> Vec<ContentBlock> {
        let mut left: BTreeMap<&str, &Blob> =
            self.blobs.iter().map(|(hash, blob)| (hash.as_str(), blob)).collect();
        let mut blocks = Vec::new();
        let mut rest = vec![value.value()];
        while let Some(next) = rest.pop() {
            let text = |name: &str| next.get(name).and_then(Value::as_str);
            if let Some(blob) = text("hash").and_then(|it| left.remove(it)) {
                blocks.push(block(blob, text("uri")));
            }
            let mut parts: Vec<&Value> = match next {
                Value::Map(fields) => fields.iter().map(|(_, it)| it).collect(),
                Value::Vector(items) => items.iter().collect(),
                _ => continue,
            };
            parts.reverse();
            rest.append(&mut parts);
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
