"use strict";

// The language alone: programs without a model and without a record.

const { Failed, ProgramError, native } = require("./errors.js");
const { Session: NativeSession } = require("./native.js");
const { checked } = require("./schema.js");
const { named, specOf } = require("./tools.js");
const { decode, encode } = require("./values.js");
const { start } = require("./work.js");

/** The data, the tools and the state of programs. A session runs one program at a time. */
class Session {
  #native;
  #functions = new Map();

  constructor({ ctx, memory, tools, limits, seed } = {}) {
    const specs = named(tools).map(([name, tool]) => specOf(name, tool, this.#functions));
    const spec = { tools: specs, limits: JSON.stringify(limits ?? {}), seed: seed === undefined ? null : String(seed) };
    const texts = [map(ctx, "ctx"), map(memory, "memory")];
    this.#native = native(() => new NativeSession(JSON.stringify(spec), ...texts));
  }

  /** The seed of random functions. */
  get seed() {
    return BigInt(this.#native.seed);
  }

  /** Returns the values that programs have kept. */
  async memory() {
    const { text } = await start((port, id) => this.#native.memory(port, id));
    return decode(text);
  }

  /** Runs a program. Throws `ProgramError` for one that is refused or ends in an error, `Failed` after `fail`. */
  async run(source, options) {
    const { value, calls, rest } = await this.#run(source, options, true);
    const { status, prints, fuel, warnings, repair } = rest;
    return { value, returned: status === "return", prints, fuel, calls, warnings, repair };
  }

  /** Runs a program and returns its value. */
  async evaluate(source, options) {
    return (await this.#run(source, options, false)).value;
  }

  /** Runs a program as `evaluate` does, on this thread, which waits for it. A session with tools cannot. */
  evaluateSync(source, { repair = false } = {}) {
    if (this.#functions.size > 0) throw new TypeError("a session with tools has no `evaluateSync`: tools need the event loop");
    return admitted(decode(native(() => this.#native.runNow(String(source), repair)))).value;
  }

  /** Checks a program. Nothing runs. */
  async check(source, { repair = false } = {}) {
    const { text } = await start((port, id) => this.#native.check(port, id, String(source), repair));
    const { report, ...rest } = JSON.parse(text);
    return { admitted: report !== null, report, ...rest };
  }

  async #run(source, { repair = false, output, signal } = {}, isWhole) {
    const begin = (port, id) => this.#native.run(port, id, String(source), repair, isWhole);
    const { text, failure } = await start(begin, { functions: this.#functions, signal });
    const outcome = admitted(decode(text), failure);
    if (output !== undefined) {
      const found = await checked(output, outcome.value);
      if (found.problems !== undefined) throw new TypeError(`the value of the program does not match: ${found.problems}`);
      outcome.value = found.value;
    }
    return outcome;
  }
}

/** Returns an outcome with a value; throws the error of another one. `failure` is the latest of a call. */
function admitted(outcome, failure) {
  const { errors, reason, message } = outcome.rest;
  if (errors.length > 0) {
    const isCause = failure !== undefined && errors[0].message.endsWith(failure.message);
    throw new ProgramError(errors, isCause ? { cause: failure.error } : undefined);
  }
  if (reason !== null) throw new Failed(reason, message, outcome.details);
  return outcome;
}

/** Runs a program as `evaluate` does, on this thread, which waits for it. There are no tools. */
function evaluateSync(source, { repair, ...options } = {}) {
  return new Session(options).evaluateSync(source, { repair });
}

/** Runs a program in a session of its own and returns its value. */
async function evaluate(source, { repair, output, signal, ...options } = {}) {
  return new Session(options).evaluate(source, { repair, output, signal });
}

/** Checks a program: everything it can touch, or the reasons that it is refused. Nothing runs. */
async function check(source, { repair, ...options } = {}) {
  return new Session(options).check(source, { repair });
}

/** Writes named data; nothing for none. */
function map(data, name) {
  const isMap = typeof data === "object" && !Array.isArray(data) && !(data instanceof Set);
  if (data !== undefined && !isMap) throw new TypeError(`${name} must be an object`);
  return encode(data, name);
}

module.exports = { Session, check, evaluate, evaluateSync };
