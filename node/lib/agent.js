"use strict";

// Agents and their runs.

const { native } = require("./errors.js");
const model = require("./model.js");
const { Agent: NativeAgent } = require("./native.js");
const { Report } = require("./report.js");
const { schemas } = require("./schema.js");
const { Store } = require("./store.js");
const { Tool, named, specOf } = require("./tools.js");
const { decode, encode } = require("./values.js");
const { numbered, start } = require("./work.js");

const RESUME_OPTIONS = ["model", "base_url", "ask", "waitAtMost", "onEvent", "signal", "store", "context"];
const RUN_OPTIONS = [...RESUME_OPTIONS, "seed", "payload", "after", "conversation", "settings"];

/** A definition: prompt, types, tools, limits, model. */
class Agent {
  #native;
  #functions = new Map();
  #model;
  #output;

  constructor(prompt, definition = {}) {
    if (prompt instanceof Parts) {
      this.#begin(prompt);
      return;
    }
    if (definition.mcp !== undefined) {
      throw new TypeError("an agent with MCP servers is made with `await Agent.connect({ prompt, … })`: its servers start first");
    }
    this.#begin(Parts.of({ prompt, ...definition }).now());
  }

  /** Makes an agent whose program a person wrote. It asks no model itself. */
  static workflow(program, definition = {}) {
    return new Agent(Parts.of({ program, ...definition }).now());
  }

  /** Makes an agent with a `prompt` or a `program`. Its MCP servers start without blocking the event loop. */
  static async connect(definition) {
    return new Agent(await Parts.of(definition).later());
  }

  /** Reads an agent file. */
  static async read(path, { tools, model, output } = {}) {
    const parts = Parts.of({ tools, model, output });
    parts.base = await made((port, id) => NativeAgent.read(port, id, String(path)));
    return new Agent(parts);
  }

  /** The name. */
  get name() {
    return this.#native.name;
  }

  /** The types of the input and the output. */
  get signature() {
    return this.#native.signature ?? null;
  }

  /** The names of the tools. */
  get tools() {
    return this.#native.tools;
  }

  /** Returns the system prompt and the first message of a mission. */
  prompt(input = {}) {
    return native(() => this.#native.prompt(encode(input, "input")));
  }

  /** Returns the description of a tool that runs programs over the tools of this agent. */
  static programTool(agent) {
    return agent.#native.programTool();
  }

  /** Runs a mission to its end. */
  async run(input, options = {}) {
    return this.#follow({ input: input === undefined ? null : encode(input, "input") }, options);
  }

  /** Returns the events of a mission, for `for await`. The run starts with the loop, or when its report is asked for. */
  stream(input, options = {}) {
    const given = { input: input === undefined ? null : encode(input, "input") };
    return new Stream((events, left) => {
      const signal = options.signal === undefined ? left : AbortSignal.any([left, options.signal]);
      return this.#start(given, { ...options, signal }, events);
    });
  }

  /** Resumes a run that waits, was cancelled, or whose process died. */
  async resume(run, { done = {}, retry = [], acceptChange = false, takeOver = false, ...options }) {
    const results = Object.entries(done).map(([call, result]) => [call, encode(result, "the result")]);
    const resume = { done: results, retry, accept_change: acceptChange, take_over: takeOver };
    return this.#follow({ resume: { run: String(run), answer: null, ...resume } }, options, RESUME_OPTIONS);
  }

  /** Answers an open question of a waiting run, and resumes the run. */
  async answer(run, answer, { question = null, ...options }) {
    const resume = { done: [], retry: [], accept_change: false, take_over: false };
    const given = { run: String(run), answer: [question, encode(answer, "the answer")], ...resume };
    return this.#follow({ resume: given }, options, RESUME_OPTIONS);
  }

  #begin({ base, model, output, types, tools }) {
    this.#model = model;
    this.#output = output;
    const agents = tools.filter(([, it]) => it instanceof Agent);
    const functions = tools.filter(([, it]) => !(it instanceof Agent));
    const specs = functions.map(([name, it]) => specOf(name, it, this.#functions));
    const extras = JSON.stringify({ schemas: types ?? null, tools: specs });
    this.#native = native(() => base.extended(extras));
    for (const [name, agent] of agents) {
      this.#native = native(() => this.#native.withAgent(name ?? null, agent.#native));
      for (const [number, it] of agent.#functions) this.#functions.set(number, it);
    }
  }

  async #follow(given, options, allowed = RUN_OPTIONS) {
    const observer = options.onEvent === undefined ? undefined : new Observer(options.onEvent);
    const report = await this.#start(given, options, observer && ((events) => events.forEach((it) => observer.tell(it))), allowed);
    await observer?.warn(report, Report.store(report));
    return report;
  }

  /** Starts a run. `onEvents` receives its events in groups; the promise has its report. */
  async #start(given, options, onEvents, allowed = RUN_OPTIONS) {
    for (const name of Object.keys(options)) {
      if (!allowed.includes(name)) throw new TypeError(`a run has no option \`${name}\``);
    }
    const { after, ask, signal } = options;
    const store = options.store ?? (after instanceof Report ? Report.store(after) : undefined);
    if (store !== undefined && !(store instanceof Store)) throw new TypeError("`store` must be a `Store`");
    const functions = new Map(this.#functions);
    const spec = {
      input: null,
      resume: null,
      ...given,
      payload: options.payload === undefined ? null : encode(options.payload, "payload"),
      context: options.context === undefined ? null : encode(options.context, "context"),
      settings: options.settings === undefined ? null : [JSON.stringify(options.settings), process.cwd()],
      model: model.specOf(options.model ?? this.#model, functions),
      base_url: options.base_url ?? null,
      seed: options.seed === undefined ? null : String(options.seed),
      streams: onEvents !== undefined,
      observes: onEvents !== undefined,
      ask: ask === undefined ? null : asking(ask, functions),
      wait_at_most: options.waitAtMost ?? null,
      after: after instanceof Report ? after.run : (after ?? null),
      conversation: options.conversation ?? null,
    };
    let run;
    const begin = (port, id) => {
      run = this.#native.start(port, id, JSON.stringify(spec), Store.native(store));
      return run.work();
    };
    const onEvent = () => onEvents(decode(run.take()));
    const { text } = await start(begin, { functions, onEvent, signal });
    if (onEvents !== undefined) onEvent();
    return Report.of(decode(text), this.#output, store);
  }
}

/** The parts of an agent that is made. */
class Parts {
  static of({ prompt, program, input, output, tools, model, ...settings }) {
    const parts = new Parts();
    const keys = { ...settings };
    if (prompt !== undefined) keys.prompt = String(prompt);
    if (settings.signature !== undefined && (input !== undefined || output !== undefined)) {
      throw new TypeError("an agent has a signature, or schemas of input and output");
    }
    const { tables, others } = sorted(tools);
    if (tables.length > 0) keys.tools = tables;
    if (typeof model === "string") keys.model = model;
    parts.keys = JSON.stringify(keys);
    parts.program = program === undefined ? null : String(program);
    parts.model = typeof model === "string" ? undefined : model;
    parts.output = output;
    parts.types = schemas(input, output, "input", "the agent");
    parts.tools = others;
    return parts;
  }

  now() {
    this.base = native(() => NativeAgent.makeNow(this.keys, this.program, process.cwd()));
    return this;
  }

  async later() {
    this.base = await made((port, id) => NativeAgent.make(port, id, this.keys, this.program, process.cwd()));
    return this;
  }
}

/** Returns the tools that are tables of agent files, and the others with their names. */
function sorted(tools) {
  const list = Array.isArray(tools) ? tools.map((it) => [undefined, it]) : Object.entries(tools ?? {});
  const tables = [];
  const others = [];
  for (const [name, it] of list) {
    if (it instanceof Agent) others.push([name, it]);
    else if (typeof it === "function" || it instanceof Tool) others.push(...named(name === undefined ? [it] : { [name]: it }));
    else tables.push(name === undefined ? it : { name, ...it });
  }
  return { tables, others };
}

/** Waits for work that makes a native agent. */
async function made(begin) {
  let handle;
  await start((port, id) => (handle = begin(port, id)));
  return native(() => NativeAgent.made(handle));
}

/** Returns the number of a function that answers questions. An exception leaves the question open. */
function asking(ask, functions) {
  const number = numbered();
  functions.set(number, async ({ question, program, problems }, options) => {
    const { id, run, agent, kind, form } = question;
    try {
      return await ask({ id, run, agent, kind, form, program, problems }, options);
    } catch (error) {
      warn("`ask` failed, and the question stays open", error);
      return null;
    }
  });
  return number;
}

/** The function `onEvent`. Its exceptions do not end the run. */
class Observer {
  #count = 0;
  #first;
  #onEvent;

  constructor(onEvent) {
    this.#onEvent = onEvent;
  }

  tell(event) {
    try {
      this.#onEvent(event);
    } catch (error) {
      this.#count += 1;
      if (this.#count > 1) return;
      this.#first = error;
      warn("`onEvent` failed, and the run goes on", error);
    }
  }

  /** Adds the warning about exceptions to the report and to the record. A replay, without `onEvent`, has none. */
  async warn(report, store) {
    if (this.#count === 0) return;
    const times = this.#count === 1 ? "once" : `${this.#count} times`;
    const message = `\`onEvent\` failed ${times}, and the run went on: ${this.#first}`;
    report.warnings.push({ code: "observer-failed", kind: "other", message, line: null, column: null, help: null });
    if (store !== undefined) await Store.recordObserverFailure(store, report.run, message);
  }
}

function warn(what, error) {
  process.emitWarning(`${what}: ${error?.stack ?? error}`, "PtcWarning");
}

/** The events of a mission. It is iterated once. */
class Stream {
  #begin;
  #report;
  #events = [];
  #arrived = () => {};
  #isOver = false;
  #isTaken = false;
  #controller = new AbortController();

  constructor(begin) {
    this.#begin = begin;
  }

  /** The report, behind the last event. */
  get report() {
    this.#report ??= this.#start();
    return this.#report;
  }

  async *[Symbol.asyncIterator]() {
    if (this.#isTaken) throw new Error("a stream is iterated once");
    this.#isTaken = true;
    const report = this.report;
    // The loop throws what ends the run early.
    report.catch(() => {});
    try {
      for (;;) {
        yield* this.#events.splice(0);
        if (this.#events.length > 0) continue;
        if (this.#isOver) break;
        await new Promise((resolve) => (this.#arrived = resolve));
      }
    } finally {
      this.#controller.abort();
    }
    await report;
  }

  async #start() {
    try {
      return await this.#begin((events) => {
        this.#events.push(...events);
        this.#arrived();
      }, this.#controller.signal);
    } finally {
      this.#isOver = true;
      this.#arrived();
    }
  }
}

module.exports = { Agent, Stream };
