//! The use of tools in a run: numbers of calls, and cached results.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ptc_prompt::Told;
use tokio::sync::OnceCell;

use super::answer::{Answer, canonical};
use super::shown_images::shown;
use crate::blob::{Blob, Contents};
use crate::data::Data;
use crate::driver::Halt;
use crate::provider::{BoxFuture, Images};
use crate::record::{Refused, ToolError, ToolErrorKind};
use crate::tool::ToolDef;

/// The use of tools in one run.
#[derive(Default)]
pub(super) struct ToolUse {
    calls: BTreeMap<String, u32>,
    /// The numbers of failures in a row, by tool.
    failures: BTreeMap<String, u32>,
    results: HashMap<Key, Arc<OnceCell<Data>>>,
    /// The results of calls that are not cached by their tool, and the numbers of equal calls so far. `None` if equal
    /// calls are made again.
    remembered: Option<Remembered>,
    /// The last refused call of each tool that needs a yes.
    refused: BTreeMap<String, Refused>,
    /// The images of results, if the model sees them.
    images: Option<Images>,
    /// The binary content of results, if a tool takes it.
    contents: Option<Contents>,
}

/// The tool and the arguments of a call.
type Key = (String, String);

#[derive(Default)]
struct Remembered {
    results: HashMap<Key, Arc<OnceCell<Data>>>,
    seen: HashMap<Key, u32>,
}

/// The largest number of cached results of a run. Calls beyond it are made every time.
const MAX_RESULTS: usize = 1000;

/// The number of failures in a row from which on the model is told of them.
const FAILURES: u32 = 3;

impl ToolUse {
    /// Returns the numbers of calls of tools with `max_calls`, by name.
    pub(super) fn calls(&self) -> &BTreeMap<String, u32> {
        &self.calls
    }

    /// Returns the numbers of failures in a row of tools whose last call failed, by name.
    pub(super) fn failures(&self) -> &BTreeMap<String, u32> {
        &self.failures
    }

    /// Makes the use of tools after these numbers of calls. `remembers` is whether equal calls get the earlier result.
    pub(super) fn after(calls: BTreeMap<String, u32>, remembers: bool) -> ToolUse {
        let remembered = remembers.then(Remembered::default);
        ToolUse {
            calls,
            failures: BTreeMap::new(),
            results: HashMap::new(),
            remembered,
            refused: BTreeMap::new(),
            images: None,
            contents: None,
        }
    }

    /// Sets whether the model sees images of results, and whether tools take their content.
    pub(super) fn keeping(mut self, images: bool, contents: bool) -> ToolUse {
        self.images = images.then(Images::default);
        self.contents = contents.then(Contents::default);
        self
    }

    /// Returns the content of earlier results, for a tool that takes it.
    pub(super) fn contents(&self) -> Contents {
        self.contents.clone().unwrap_or_default()
    }

    /// Keeps the content of a result: its images if the model sees images, and all of it if a tool takes it.
    pub(super) fn keep_content(&mut self, content: &[Blob]) {
        if let Some(contents) = &self.contents {
            contents.keep(content);
        }
        if let Some(images) = &mut self.images {
            for it in content {
                images.add(it);
            }
        }
    }

    /// Returns the images of results.
    pub(super) fn images(&self) -> Images {
        self.images.clone().unwrap_or_default()
    }

    /// Returns the images that a message names, and adds a note about them to it.
    pub(super) fn shown_images(&self, told: &mut Told) -> Vec<Arc<Blob>> {
        self.images.as_ref().map_or_else(Vec::new, |known| shown(told, known))
    }

    /// Notes that a person refused a call.
    pub(super) fn refuse(&mut self, tool: &ToolDef, refused: Refused) {
        self.refused.insert(tool.name.clone(), refused);
    }

    /// Returns the last refused call of a tool.
    pub(super) fn refused(&self, tool: &ToolDef) -> Option<&Refused> {
        self.refused.get(&tool.name)
    }

    /// Sets the numbers of failures in a row of tools.
    pub(super) fn with_failures(mut self, failures: BTreeMap<String, u32>) -> ToolUse {
        self.failures = failures;
        self
    }

    /// Counts the end of a call of a tool. From the third failure in a row on, it returns what the model is told.
    pub(super) fn end(&mut self, tool: &str, failed: bool) -> Option<String> {
        if !failed {
            self.failures.remove(tool);
            return None;
        }
        let count = self.failures.entry(tool.to_string()).or_default();
        *count = count.saturating_add(1);
        (*count >= FAILURES).then(|| {
            format!(
                "`{tool}` has failed {count} times in a row: change the arguments, or do without it"
            )
        })
    }

    /// Counts an equal call, and returns the number of those before it.
    pub(super) fn see(&mut self, tool: &ToolDef, args: impl FnOnce() -> Data) -> u32 {
        let Some(remembered) = &mut self.remembered else { return 0 };
        let key = (tool.name.clone(), canonical(&args()));
        if remembered.seen.len() >= MAX_RESULTS && !remembered.seen.contains_key(&key) {
            return 0;
        }
        let seen = remembered.seen.entry(key).or_default();
        *seen += 1;
        *seen - 1
    }

    /// Forgets the remembered results of other calls, since a call that writes has ended: they may have changed.
    pub(super) fn wrote(&mut self, tool: &ToolDef, args: impl FnOnce() -> Data) {
        let Some(remembered) = &mut self.remembered else { return };
        let key = (tool.name.clone(), canonical(&args()));
        let own = remembered.results.remove_entry(&key);
        remembered.results.clear();
        remembered.results.extend(own);
    }

    /// Counts a call.
    ///
    /// # Errors
    ///
    /// The failure of the call, if the tool has no calls left.
    pub(super) fn take(&mut self, tool: &ToolDef) -> Result<(), ToolError> {
        let Some(most) = tool.max_calls else { return Ok(()) };
        let calls = self.calls.entry(tool.name.clone()).or_default();
        if *calls >= most {
            let times = if most == 1 { "once".to_string() } else { format!("{most} times") };
            let message = format!("may be called {times} in a run, and was");
            return Err(ToolError::new(ToolErrorKind::UsedUp, message));
        }
        *calls += 1;
        Ok(())
    }

    /// Returns the cell for the result of a call. Calls of a cached tool with the same arguments share one, and so do
    /// remembered calls.
    pub(super) fn result_cell(
        &mut self,
        tool: &ToolDef,
        args: impl FnOnce() -> Data,
    ) -> ResultCell {
        let results = match &mut self.remembered {
            _ if tool.cache => &mut self.results,
            Some(remembered) if !tool.repeat => &mut remembered.results,
            _ => return ResultCell(None),
        };
        let key = (tool.name.clone(), canonical(&args()));
        if results.len() >= MAX_RESULTS && !results.contains_key(&key) {
            return ResultCell(None);
        }
        ResultCell(Some(Arc::clone(results.entry(key).or_default())))
    }
}

/// A cell for the cached result of a call; empty if it is not cached.
pub(super) struct ResultCell(Option<Arc<OnceCell<Data>>>);

impl ResultCell {
    /// Stores a successful result.
    pub(super) fn store(self, result: &Result<Data, ToolError>) {
        if let (Some(cell), Ok(value)) = (self.0, result) {
            // An equal call may have stored a result first.
            drop(cell.set(value.clone()));
        }
    }

    /// Makes a call and stores its result, even if the cell has one.
    pub(super) fn store_result_of(self, call: BoxFuture<'_, Answer>) -> BoxFuture<'_, Answer> {
        Box::pin(async move {
            let answer = call.await;
            self.store(&answer.result);
            answer
        })
    }

    /// Returns the stored result, or makes the call. Meanwhile equal calls wait for its result; if it fails, the next
    /// one is made.
    pub(super) fn get_or_make(self, call: BoxFuture<'_, Answer>) -> BoxFuture<'_, Answer> {
        let Some(cell) = self.0 else { return call };
        Box::pin(async move {
            let mut made = None;
            let make = async {
                let answer = call.await;
                let result = answer.result.clone();
                made = Some(answer);
                result.map_err(drop)
            };
            let result = cell.get_or_try_init(|| make).await.ok().cloned();
            match (made, result) {
                (Some(answer), _) => answer,
                (None, Some(value)) => Answer { cached: true, ..Answer::new(Ok(value)) },
                (None, None) => {
                    let halt = Some(Halt::Internal("a cached call gave no result".to_string()));
                    Answer { halt, ..Answer::new(Err(ToolError::failed("gave nothing"))) }
                }
            }
        })
    }
}
