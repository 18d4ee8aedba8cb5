"use strict";

const { native } = require("./errors.js");
const { Store: NativeStore } = require("./native.js");
const { Report } = require("./report.js");
const { decode } = require("./values.js");
const { start } = require("./work.js");

/** The records of runs: in a file, or in memory without a path. */
class Store {
  #native;

  /** Stores are made by `Store.open`. */
  constructor(opened) {
    if (!(opened instanceof NativeStore)) throw new TypeError("a store is made with `await Store.open(path)`");
    this.#native = opened;
  }

  /** Opens a store. */
  static async open(path) {
    let handle;
    await start((port, id) => (handle = NativeStore.open(port, id, path === undefined ? null : String(path))));
    return new Store(native(() => NativeStore.opened(handle)));
  }

  /** Returns the native store of a store. */
  static native(store) {
    return store === undefined || store === null ? null : store.#native;
  }

  /** Records that the observer of a run has failed. */
  static async recordObserverFailure(store, run, message) {
    await store.#read((port, id) => store.#native.recordObserverFailure(port, id, run, message));
  }

  /** Returns the summaries of the newest runs, perhaps only those of the conversation of a run. */
  async runs({ limit = 100, conversation } = {}) {
    return this.#read((port, id) => this.#native.runs(port, id, limit, conversation ?? null));
  }

  /** Returns the complete record of a run. A unique prefix of its id is enough. */
  async show(run) {
    return this.#read((port, id) => this.#native.show(port, id, String(run)));
  }

  /** Returns where the arguments of a call came from, or one of them. */
  async why(run, call, argument, { showHidden = false } = {}) {
    return this.#read((port, id) => this.#native.why(port, id, String(run), String(call), argument ?? null, showHidden));
  }

  /** Returns the page of a run and of the runs below it, as HTML. */
  async view(run, { showHidden = false } = {}) {
    return this.#read((port, id) => this.#native.page(port, id, String(run), showHidden));
  }

  /** Writes runs, with those of their sub-agents, to a file. */
  async export(runs, path) {
    const ids = Array.isArray(runs) ? runs.map(String) : [String(runs)];
    await this.#read((port, id) => this.#native.export(port, id, ids, String(path)));
  }

  /** Reads the runs of a file that `export` wrote. Returns their ids. */
  async importRuns(path) {
    return this.#read((port, id) => this.#native.importRuns(port, id, String(path)));
  }

  /** Replays a run without model and tools, perhaps with another program in one turn. */
  async replay(run, { turn, program, signal } = {}) {
    if ((turn === undefined) !== (program === undefined)) throw new TypeError("`turn` and `program` belong together");
    const begin = (port, id) => this.#native.replay(port, id, String(run), turn ?? null, program ?? null);
    const { report, ...rest } = await this.#read(begin, signal);
    return { report: report === null ? null : await Report.of(report, undefined, this), ...rest };
  }

  async #read(begin, signal) {
    return decode((await start(begin, { signal })).text);
  }
}

module.exports = { Store };
