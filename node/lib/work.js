"use strict";

// Work on the threads of the package: programs, runs, and reads of stores. Its messages come through one port per thread
// of Node.

const { AsyncLocalStorage } = require("node:async_hooks");
const { defaultMaxListeners, getMaxListeners, setMaxListeners } = require("node:events");

const { ToolError, errorOf, native } = require("./errors.js");
const { Port } = require("./native.js");
const { decode, encode } = require("./values.js");

const works = new Map();
const port = new Port(receive);
let lastWork = 0;
let lastFunction = 0;
let alive;

/** Returns a number for a function that work may call. */
function numbered() {
  lastFunction += 1;
  return lastFunction;
}

/**
 * Starts work, and returns a promise of its text. `begin(port, id)` returns its handle. `functions` are those that it may
 * call, by their numbers. `onEvent` is called when there are events. An abort of `signal` ends the work, and the promise
 * is then rejected with the reason of the signal.
 */
function start(begin, { functions, onEvent, signal } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    lastWork = (lastWork + 1) >>> 0;
    const id = lastWork;
    const work = { resolve, reject, functions, onEvent, signal, calls: new Map(), handle: undefined, failure: undefined };
    // Functions see the asynchronous context of the caller.
    work.run = AsyncLocalStorage.snapshot();
    work.abort = () => work.handle.cancel();
    works.set(id, work);
    try {
      work.handle = native(() => begin(port, id));
    } catch (error) {
      works.delete(id);
      reject(error);
      return;
    }
    if (signal !== undefined) listen(signal, work.abort);
    // The port does not keep the thread of Node alive; work in progress does.
    alive ??= setInterval(() => {}, 2 ** 30);
  });
}

/** Listens to a signal, which may end much work at once: Node warns of 11 listeners. */
function listen(signal, abort) {
  if (getMaxListeners(signal) === defaultMaxListeners) setMaxListeners(Infinity, signal);
  signal.addEventListener("abort", abort, { once: true });
}

/** Takes a message of the native half. */
function receive(kind, id, number, text) {
  const work = works.get(id);
  if (work === undefined) return;
  switch (kind) {
    case "done":
    case "threw":
      end(id, work, kind, text);
      break;
    case "event":
      work.run(work.onEvent);
      break;
    case "call":
      work.run(makeCall, work, number, text);
      break;
    case "cancel":
      work.calls.get(number)?.abort(new ToolError("was cancelled"));
      work.calls.delete(number);
      break;
  }
}

function end(id, work, kind, text) {
  works.delete(id);
  if (works.size === 0) {
    clearInterval(alive);
    alive = undefined;
  }
  work.signal?.removeEventListener("abort", work.abort);
  if (work.signal?.aborted) work.reject(work.signal.reason);
  else if (kind === "threw") work.reject(errorOf(text));
  else work.resolve({ text, failure: work.failure });
}

/** Calls a function: the lines of the text are its number, the context of the host, and its arguments. */
async function makeCall(work, call, text) {
  const controller = new AbortController();
  work.calls.set(call, controller);
  try {
    const [number, context, args] = text.split("\n");
    const options = { signal: controller.signal, context: context === "" ? {} : decode(context) };
    const result = await work.functions.get(Number(number))(decode(args), options);
    work.handle.answer(call, encode(result, "the result"));
  } catch (error) {
    const fault = faultOf(error);
    work.failure = { message: fault.message, error };
    work.handle.fail(call, JSON.stringify(fault));
  } finally {
    work.calls.delete(call);
  }
}

/** Describes an exception by its type and text, without a stack. */
function faultOf(error) {
  if (error instanceof ToolError) {
    const { message, help, advice, retryAfter: retry_after, permanent } = error;
    return { message, help, advice, retry_after, permanent };
  }
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message ? `${error.name}: ${error.message}` : error.name };
}

module.exports = { numbered, start };
