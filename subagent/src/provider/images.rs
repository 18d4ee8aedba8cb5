//! Images in a conversation, and the limits within which they are sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::blob::Blob;

/// The maximum number of images in a request.
pub(crate) const MAX_IMAGES: usize = 8;

/// The maximum number of bytes of all images in a request.
pub(crate) const MAX_IMAGE_BYTES: usize = 4 << 20;

/// The number of characters of a text that takes about as many tokens as an image.
pub(super) const IMAGE_CHARS: usize = 4_000;

/// The images that a conversation may show, by their hashes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Images(BTreeMap<String, Arc<Blob>>);

impl Images {
    /// Adds an image. Other content is left out.
    pub fn add(&mut self, content: &Blob) {
        if content.image_type().is_some() && !self.0.contains_key(&content.hash) {
            self.0.insert(content.hash.clone(), Arc::new(content.clone()));
        }
    }

    /// Returns the image with this hash.
    pub fn get(&self, hash: &str) -> Option<&Arc<Blob>> {
        self.0.get(hash)
    }
}

/// Counts images up to the limits of a request.
#[derive(Default)]
pub(crate) struct Room {
    images: usize,
    bytes: usize,
}

impl Room {
    /// Returns whether there is room for the image, and takes it.
    pub(crate) fn take(&mut self, image: &Blob) -> bool {
        let bytes = self.bytes + image.size();
        let fits = self.images < MAX_IMAGES && bytes <= MAX_IMAGE_BYTES;
        if fits {
            (self.images, self.bytes) = (self.images + 1, bytes);
        }
        fits
    }
}

/// Returns an image as a URL that has its bytes.
pub(super) fn data_url(image: &Blob) -> String {
    format!("data:{};base64,{}", image.image_type().unwrap_or_default(), image.base64)
}
