//! A builder of replies, for every protocol, from a complete response or a stream.

use std::collections::BTreeMap;

use ptc_lisp::json::marks;
use ptc_prompt::ModelCall;
use serde_json::{Map, Value};

use super::argument::Argument;
use super::conversation::with_own_ids;
use super::price::Tokens;
use super::{Finish, Opaque, Reply, Request};

/// A reply so far.
#[derive(Debug, Default)]
pub(super) struct ReplyBuilder {
    text: String,
    call: Option<Call>,
    /// Whether calls are kept as such. Otherwise a call has a program, which becomes a part of the text.
    keeps_calls: bool,
    /// The calls that are kept, each with its number in the stream.
    calls: Vec<(u64, ModelCall)>,
    /// The opaque parts by their number in the stream.
    opaque: BTreeMap<u64, Map<String, Value>>,
    /// The finish reason. Once it is known, only the usage may be missing.
    pub(super) finish: Option<Finish>,
    /// The tokens, as far as the server reported them.
    pub(super) tokens: Tokens,
    /// Whether the last message of the stream was read.
    pub(super) is_over: bool,
}

/// A call of the tool that takes a program.
#[derive(Debug)]
struct Call {
    index: u64,
    argument: Argument,
    /// The start of the argument, until it is clear whether the model wrote a fence into it.
    lead: String,
    fence: Fence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fence {
    /// The start of the program is too short to tell.
    Unknown,
    /// The builder adds the fence around the program.
    Ours,
    /// The program has its own fence.
    Theirs,
}

impl ReplyBuilder {
    /// Creates a builder of the reply to a request.
    pub(super) fn new(request: &Request) -> ReplyBuilder {
        ReplyBuilder { keeps_calls: !request.tools.is_empty(), ..ReplyBuilder::default() }
    }

    /// Returns whether calls and opaque parts are kept.
    pub(super) fn keeps_calls(&self) -> bool {
        self.keeps_calls
    }

    /// Starts a call, or adds to the id and the name of the call of this number. A call with another id is a new one,
    /// even if a server gives it the same number.
    pub(super) fn name_call(&mut self, index: u64, id: &str, name: &str) {
        let call = self.calls.iter_mut().rfind(|(at, _)| *at == index).map(|(_, call)| call);
        match call.filter(|call| id.is_empty() || call.id.is_empty() || call.id == id) {
            Some(call) => {
                call.id.push_str(if call.id.is_empty() { id } else { "" });
                call.name.push_str(name);
            }
            None => {
                let arguments = String::new();
                let (id, name) = (id.to_string(), name.to_string());
                self.calls.push((index, ModelCall { id, name, arguments }));
            }
        }
    }

    /// Adds a complete call without an id.
    pub(super) fn add_call(&mut self, function: &Value) {
        let index = self.calls.len() as u64;
        self.name_call(index, "", function["name"].as_str().unwrap_or_default());
        self.push_call(index, &function["arguments"]);
    }

    /// Returns the opaque part of this number, if such parts are kept.
    pub(super) fn opaque(&mut self, index: u64) -> Option<&mut Map<String, Value>> {
        self.keeps_calls.then(|| self.opaque.entry(index).or_default())
    }

    /// Adds text to a field of an opaque part.
    pub(super) fn push_opaque(&mut self, index: u64, field: &str, text: &str) {
        if let Some(part) = self.opaque(index) {
            match part.get_mut(field) {
                Some(Value::String(known)) => known.push_str(text),
                _ => drop(part.insert(field.to_string(), text.into())),
            }
        }
    }

    /// Adds a piece of text.
    pub(super) fn push_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.close();
            self.text.push_str(text);
        }
    }

    /// Adds a piece of the arguments of a call, as JSON text.
    pub(super) fn push_arguments(&mut self, index: u64, json: &str) {
        if self.keeps_calls {
            if let Some((_, call)) = self.calls.iter_mut().rfind(|(at, _)| *at == index) {
                call.arguments.push_str(json);
            }
            return;
        }
        self.open(index);
        let decoded = self.call.as_mut().map(|it| it.argument.feed(json)).unwrap_or_default();
        self.push_program(index, &decoded);
    }

    /// Adds a piece of the program of a call.
    pub(super) fn push_program(&mut self, index: u64, program: &str) {
        self.open(index);
        let Some(call) = &mut self.call else { return };
        if call.fence != Fence::Unknown {
            self.text.push_str(program);
            return;
        }
        call.lead.push_str(program);
        let lead = call.lead.trim_start();
        if lead.len() < 3 && FENCE.starts_with(lead) {
            return;
        }
        let lead = std::mem::take(&mut call.lead);
        call.fence = if lead.trim_start().starts_with(FENCE) { Fence::Theirs } else { Fence::Ours };
        if !self.text.trim().is_empty() {
            self.text.push_str("\n\n");
        }
        if call.fence == Fence::Ours {
            self.text.push_str("```clojure\n");
        }
        self.text.push_str(&lead);
    }

    /// Adds the complete arguments of a call, as a JSON value.
    pub(super) fn push_call(&mut self, index: u64, arguments: &Value) {
        if self.keeps_calls {
            let text = match arguments {
                Value::String(text) => text.clone(),
                Value::Null => "{}".to_string(),
                other => marks::written(&other.to_string()).into_owned(),
            };
            return self.push_arguments(index, &text);
        }
        match arguments.get("program").and_then(Value::as_str) {
            Some(program) => self.push_program(index, program),
            None => self.push_arguments(index, &marks::written(&arguments.to_string())),
        }
    }

    /// Returns the text so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Ends the reply.
    pub(super) fn end(&mut self) {
        self.close();
    }

    /// Returns the reply and its tokens. The reply has no usage yet.
    pub(super) fn reply(self, kind: &str) -> (Reply, Tokens) {
        let finish = self.finish.unwrap_or(Finish::Other);
        let calls = with_own_ids(self.calls.into_iter().map(|(_, call)| call).collect());
        let opaque = self
            .opaque
            .into_values()
            .map(|part| Opaque { provider: kind.to_string(), part: Value::Object(part) });
        let opaque = opaque.collect();
        (Reply { text: self.text, calls, opaque, usage: None, finish }, self.tokens)
    }

    /// Starts a call, unless it is the current one.
    fn open(&mut self, index: u64) {
        if self.call.as_ref().is_some_and(|it| it.index == index) {
            return;
        }
        self.close();
        let (argument, lead) = (Argument::default(), String::new());
        self.call = Some(Call { index, argument, lead, fence: Fence::Unknown });
    }

    /// Ends the current call, if there is one.
    fn close(&mut self) {
        let rest = self.call.as_mut().map(|it| (it.index, it.argument.end()));
        if let Some((index, rest)) = rest {
            self.push_program(index, &rest);
        }
        let Some(call) = self.call.take() else { return };
        match call.fence {
            Fence::Ours => {
                self.text.push_str(if self.text.ends_with('\n') { "" } else { "\n" });
                self.text.push_str(FENCE);
            }
            Fence::Theirs => {}
            // The call has no program. The turn loop gives feedback on it.
            Fence::Unknown => self.text.push_str(&call.lead),
        }
    }
}

const FENCE: &str = "```";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(build: impl Fn(&mut ReplyBuilder), expected: &str) {
        let mut builder = ReplyBuilder::default();
        build(&mut builder);
        builder.end();
        assert_eq!(builder.text(), expected);
    }

    #[test]
    fn calls_are_blocks_of_code() {
        check(|it| it.push_text("hi"), "hi");
        check(|it| it.push_call(0, &json!({"program": "(f)"})), "```clojure\n(f)\n```");
        check(|it| it.push_call(0, &json!({"program": "(f)\n"})), "```clojure\n(f)\n```");
        check(
            |it| it.push_call(0, &json!({"program": "\n```lisp\n(f)\n```"})),
            "\n```lisp\n(f)\n```",
        );
        check(|it| it.push_call(0, &json!({"program": "`a"})), "```clojure\n`a\n```");
        check(|it| it.push_call(0, &json!({"program": ""})), "");
        check(|it| it.push_call(0, &json!({"code": "(f)"})), "```clojure\n{\"code\":\"(f)\"}\n```");
        check(
            |it| {
                it.push_text("So:");
                it.push_arguments(0, "{\"program\": \"(");
                it.push_arguments(0, "f)\"}");
                it.push_arguments(1, "{\"why\": 1, \"program\": \"(g)\"}");
                it.push_text("\nDone.");
            },
            "So:\n\n```clojure\n(f)\n```\n\n```clojure\n(g)\n```\nDone.",
        );
    }
}
