"use strict";

const { NoValue } = require("./errors.js");
const { checked } = require("./schema.js");

/** The outcome of a run, and the resources it used: the fields that `ptc run --json` prints. */
class Report {
  #value;
  #why;
  #store;

  constructor({ value, ...fields }, made, why, store) {
    Object.assign(this, { warnings: [], questions: [], sources: [], artifacts: [], conversation: null, fail: null, stop: null, error: null }, fields);
    this.#value = made;
    this.#why = why;
    this.#store = store;
  }

  /** Makes the report of these fields. Its value is checked by the schema of the output. */
  static async of(fields, output, store) {
    if (fields.status !== "returned") return new Report(fields, undefined, whyNot(fields), store);
    const { value, problems } = await checked(output, fields.value);
    const why = problems === undefined ? undefined : `the value does not match the schema of the output: ${problems}`;
    return new Report(fields, value, why, store);
  }

  /** Returns the store of the run. */
  static store(report) {
    return report.#store;
  }

  /** Whether the run returned a value. */
  get returned() {
    return this.status === "returned";
  }

  /** The value. Throws `NoValue` for a run without one. */
  get value() {
    if (this.#why !== undefined) throw new NoValue(this.#why);
    return this.#value;
  }
}

function whyNot({ status, fail, stop, error }) {
  if (fail) return `the run failed: ${fail.reason}: ${fail.message}`;
  if (status === "waiting") return "the run waits";
  return `the run was stopped: ${stop}${error ? `: ${error.message}` : ""}`;
}

module.exports = { Report };
