//! What was heard of a reply so far, whichever protocol it comes by, whole or in pieces.

use serde_json::Value;

use super::argument::Argument;
use super::price::Tokens;
use super::{Finish, Reply};

/// A reply in the making.
#[derive(Debug, Default)]
pub(super) struct ReplyBuilder {
    text: String,
    call: Option<Call>,
    /// Why the model stopped. Where it is known the reply is complete, but for its usage.
    pub(super) finish: Option<Finish>,
    /// The tokens, as far as they were told.
    pub(super) tokens: Tokens,
    /// The last message of the stream was heard.
    pub(super) over: bool,
}

/// One call of the tool that takes a program.
#[derive(Debug)]
struct Call {
    index: u64,
    argument: Argument,
    /// What came before it was clear whether the model put a block of code into the argument.
    lead: String,
    fence: Fence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fence {
    /// Too little was heard of the program.
    Unknown,
    /// The text has one around the program.
    Ours,
    /// The model gave one itself.
    Theirs,
}

impl ReplyBuilder {
    /// Takes a piece of text.
    pub(super) fn say(&mut self, text: &str) {
        if !text.is_empty() {
            self.close();
            self.text.push_str(text);
        }
    }

    /// Takes a piece of the arguments of a call, as JSON text.
    pub(super) fn argue(&mut self, index: u64, json: &str) {
        self.open(index);
        let decoded = self.call.as_mut().map(|it| it.argument.feed(json)).unwrap_or_default();
        self.program(index, &decoded);
    }

    /// Takes a piece of the program of a call.
    pub(super) fn program(&mut self, index: u64, program: &str) {
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

    /// Takes the arguments of a call, which stand there as a value.
    pub(super) fn call(&mut self, index: u64, arguments: &Value) {
        match arguments.get("program").and_then(Value::as_str) {
            Some(program) => self.program(index, program),
            None => self.argue(index, &arguments.to_string()),
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

    /// Returns the reply without what it cost.
    pub(super) fn reply(self) -> (Reply, Tokens) {
        let finish = self.finish.unwrap_or(Finish::Other);
        (Reply { text: self.text, usage: None, finish }, self.tokens)
    }

    /// Begins a call, if it is not the one that is heard.
    fn open(&mut self, index: u64) {
        if self.call.as_ref().is_some_and(|it| it.index == index) {
            return;
        }
        self.close();
        let (argument, lead) = (Argument::default(), String::new());
        self.call = Some(Call { index, argument, lead, fence: Fence::Unknown });
    }

    /// Ends the call that is heard, if there is one.
    fn close(&mut self) {
        let rest = self.call.as_mut().map(|it| (it.index, it.argument.end()));
        if let Some((index, rest)) = rest {
            self.program(index, &rest);
        }
        let Some(call) = self.call.take() else { return };
        match call.fence {
            Fence::Ours => {
                self.text.push_str(if self.text.ends_with('\n') { "" } else { "\n" });
                self.text.push_str(FENCE);
            }
            Fence::Theirs => {}
            // No program came of it; the turn loop says what is wanted instead.
            Fence::Unknown => self.text.push_str(&call.lead),
        }
    }
}

const FENCE: &str = "```";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(hear: impl Fn(&mut ReplyBuilder), expected: &str) {
        let mut heard = ReplyBuilder::default();
        hear(&mut heard);
        heard.end();
        assert_eq!(heard.text(), expected);
    }

    #[test]
    fn calls_are_blocks_of_code() {
        check(|it| it.say("hi"), "hi");
        check(|it| it.call(0, &json!({"program": "(f)"})), "```clojure\n(f)\n```");
        check(|it| it.call(0, &json!({"program": "(f)\n"})), "```clojure\n(f)\n```");
        check(|it| it.call(0, &json!({"program": "\n```lisp\n(f)\n```"})), "\n```lisp\n(f)\n```");
        check(|it| it.call(0, &json!({"program": "`a"})), "```clojure\n`a\n```");
        check(|it| it.call(0, &json!({"program": ""})), "");
        check(|it| it.call(0, &json!({"code": "(f)"})), "```clojure\n{\"code\":\"(f)\"}\n```");
        check(
            |it| {
                it.say("So:");
                it.argue(0, "{\"program\": \"(");
                it.argue(0, "f)\"}");
                it.argue(1, "{\"why\": 1, \"program\": \"(g)\"}");
                it.say("\nDone.");
            },
            "So:\n\n```clojure\n(f)\n```\n\n```clojure\n(g)\n```\nDone.",
        );
    }
}
