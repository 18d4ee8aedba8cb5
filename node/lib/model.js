"use strict";

// Functions as models.

const { numbered } = require("./work.js");

const FINISHES = { stop: "stop", "tool-calls": "stop", length: "length", "content-filter": "filtered" };

/** A request for the next reply of a conversation. */
class Request {
  constructor(fields) {
    Object.assign(this, fields);
  }

  /** Returns the texts and images of the messages with `role` and `content`, as the AI SDK takes them. */
  chat() {
    return this.messages.map(({ role, text, images }) => {
      const parts = images.map((image) => ({ type: "image", image }));
      return { role, content: parts.length === 0 ? text : [{ type: "text", text }, ...parts] };
    });
  }
}

/** Returns a model as the native half reads it, and adds its function to `functions`. */
function specOf(model, functions) {
  if (model === undefined || model === null) return null;
  if (typeof model === "string") return { spec: model };
  if (Array.isArray(model)) return { script: model.map(String) };
  if (typeof model !== "function") {
    throw new TypeError(`a model must be a text, replies or a function, and is a ${typeof model}`);
  }
  const number = numbered();
  functions.set(number, async (fields, options) => replyOf(await model(new Request(fields), options)));
  return { function: { name: `node:${model.name || "function"}`, function: number } };
}

/** Returns a reply as the native half reads it: a text, or an object with the names of the AI SDK. */
function replyOf(reply) {
  if (typeof reply === "string") reply = { text: reply };
  if (reply === null || typeof reply !== "object" || typeof (reply.text ?? "") !== "string") {
    throw new TypeError("a model must give a text, or an object with a `text`");
  }
  const calls = (reply.toolCalls ?? []).map(({ toolCallId, toolName, input }) => {
    return [toolCallId, toolName, typeof input === "string" ? input : JSON.stringify(input)];
  });
  const finish = FINISHES[reply.finishReason ?? "stop"] ?? "other";
  return { text: reply.text ?? "", calls, usage: usageOf(reply.usage), finish };
}

function usageOf(usage) {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return null;
  const { inputTokens, outputTokens, inputTokenDetails, cost } = usage;
  const cached = usage.cachedInputTokens ?? inputTokenDetails?.cacheReadTokens ?? 0;
  return { input_tokens: inputTokens, output_tokens: outputTokens, cached_input_tokens: cached, cost: cost ?? null };
}

module.exports = { specOf };
