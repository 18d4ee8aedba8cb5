//! Results and errors of calls, as programs read them.

use ptc_subagent::tool::{CallContext, Secrets, ToolError, ToolErrorKind};
use ptc_subagent::{Blob, Data};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value, json};

use crate::wire::exact;

/// The maximum length of a server's text in an error, in characters.
const MAX_SAID: usize = 1000;

/// Returns the result of a call: its structured content, else its content.
///
/// One block of content is its own value, several are a list. A text that is a JSON object or array is read as one. The
/// bytes of binary content are kept in the context. Only the text of an error needs `secrets`: others go through those of
/// the tool.
///
/// # Errors
///
/// [`ToolErrorKind::Failed`] with the text of a result that is an error, [`ToolErrorKind::Output`] for binary content
/// that is not Base64, and [`ToolErrorKind::TooLarge`] for too much of it.
pub(crate) fn result(
    result: CallToolResult,
    secrets: impl FnOnce() -> Secrets,
    cx: &CallContext,
) -> Result<Data, ToolError> {
    if result.is_error == Some(true) {
        let texts: Vec<&str> = result.content.iter().filter_map(text).collect();
        let said = match (texts.is_empty(), &result.structured_content) {
            (true, Some(structured)) => exact::written(&structured.to_string()).into_owned(),
            _ => texts.join("\n"),
        };
        let said = cut(&secrets(), &said);
        return Err(ToolError::failed(if said.is_empty() { "failed".to_string() } else { said }));
    }
    if let Some(structured) = result.structured_content {
        return exact::data(&structured).map_err(|why| {
            let message = format!("gave a result without an exact form: {why}");
            ToolError::new(ToolErrorKind::Output, message)
        });
    }
    let values = result.content.into_iter().map(|block| value(block, cx));
    let mut values = values.collect::<Result<Vec<Data>, ToolError>>()?;
    Ok(match values.len() {
        0 => Data::default(),
        1 => values.remove(0),
        _ => Data::list(values),
    })
}

/// Returns the error of a server that refuses a request.
pub(crate) fn refusal(error: &ErrorData, secrets: &Secrets) -> ToolError {
    let kind = match error.code {
        rmcp::model::ErrorCode::INVALID_PARAMS => ToolErrorKind::Arguments,
        rmcp::model::ErrorCode::METHOD_NOT_FOUND => ToolErrorKind::Missing,
        _ => ToolErrorKind::Failed,
    };
    ToolError::new(kind, format!("was refused by its server: {}", cut(secrets, &error.message)))
}

/// Returns what a server said, as the end of a message.
pub(crate) fn said(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("; it said: {text}") }
}

fn text(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// Returns a block of content as a value.
fn value(block: ContentBlock, cx: &CallContext) -> Result<Data, ToolError> {
    let value = match block {
        ContentBlock::Text(text) => {
            let trimmed = text.text.trim_start();
            let parsed = trimmed.starts_with(['{', '[']).then(|| trimmed.parse::<Data>());
            match parsed {
                Some(Ok(value)) => return Ok(value),
                _ => Value::String(text.text),
            }
        }
        ContentBlock::Image(image) => binary(&image.mime_type, &image.data, cx)?,
        ContentBlock::Audio(audio) => binary(&audio.mime_type, &audio.data, cx)?,
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => {
                json!({"uri": uri, "text": text})
            }
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                let mut value = binary(mime_type.as_deref().unwrap_or_default(), &blob, cx)?;
                value["uri"] = Value::from(uri);
                value
            }
            _ => Value::Null,
        },
        ContentBlock::ResourceLink(link) => json!({"uri": link.uri, "name": link.name}),
        _ => Value::Null,
    };
    Ok(Data::from(value))
}

fn binary(media_type: &str, base64: &str, cx: &CallContext) -> Result<Value, ToolError> {
    let Some(blob) = Blob::from_base64(media_type, base64) else {
        let message = "gave binary content that is not Base64";
        return Err(ToolError::new(ToolErrorKind::Output, message));
    };
    cx.keep(blob)
}

/// Returns the start of a text from outside, without secrets.
pub(crate) fn cut(secrets: &Secrets, text: &str) -> String {
    secrets.cut(text, MAX_SAID)
}

/// Returns the innermost message of an error. The outer ones only say that a request failed.
pub(crate) fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
