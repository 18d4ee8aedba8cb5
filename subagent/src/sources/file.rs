//! Files as sources: JSON, JSON lines, and tables of text.

use std::path::Path;

use ptc_lisp::{Value, json};

use super::cache::Read;
use super::csv;
use crate::data::Data;
use crate::files::read_text;
use crate::words::words;

words! {
    /// The format of the file of a source.
    pub enum SourceFormat {
        /// One JSON document.
        Json = "json",
        /// A JSON document in each line: a list.
        JsonLines = "jsonl",
        /// Cells with commas between them, and the names of the columns in the first line: a list of objects with texts.
        Csv = "csv",
        /// The same with tabs.
        Tsv = "tsv",
    }
}

impl SourceFormat {
    /// Returns the format of a file by its extension.
    pub(super) fn of(path: &Path) -> Option<SourceFormat> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "ndjson" => Some(SourceFormat::JsonLines),
            word => SourceFormat::ALL.iter().copied().find(|it| it.as_str() == word),
        }
    }
}

/// Reads a file. Blocks the calling thread.
///
/// # Errors
///
/// The reason, without content of the file.
pub(super) fn read(
    path: &Path,
    format: SourceFormat,
    max_bytes: u64,
    max_rows: u64,
) -> Result<Read, String> {
    let text = read_text(path, max_bytes)?;
    let value = match format {
        SourceFormat::JsonLines => lines(&text, max_rows)?,
        SourceFormat::Csv => csv::read(&text, ',', max_rows)?,
        SourceFormat::Tsv => csv::read(&text, '\t', max_rows)?,
        SourceFormat::Json | SourceFormat::Unknown(_) => json::parse(&text)
            .map_err(|error| format!("line {}, column {}: no JSON", error.line, error.column))?,
    };
    let value = Data::of(&value).map_err(|error| error.message().to_string())?;
    Ok(Read { value, bytes: text.len() as u64 })
}

fn lines(text: &str, max_rows: u64) -> Result<Value, String> {
    let mut all = Vec::new();
    for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        if all.len() as u64 >= max_rows {
            return Err(format!("it has more than {max_rows} rows"));
        }
        let value = json::parse(text)
            .map_err(|error| format!("line {}, column {}: no JSON", line + 1, error.column))?;
        all.push(value);
    }
    Ok(Value::vector(all))
}
