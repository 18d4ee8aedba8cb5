"use strict";

const { ToolError } = require("./errors.js");
const { checked, schemas } = require("./schema.js");
const { numbered } = require("./work.js");

const SETTINGS = [
  "name", "description", "signature", "input", "output", "effect", "cost", "timeout", "retries", "max_calls", "cache",
  "idempotent", "confirm", "trust", "result_turns", "result_after", "result_length", "summary_prompt", "keep_original",
];

/** A function that programs may call, with its declaration. */
class Tool {
  constructor(execute, settings) {
    this.execute = execute;
    this.settings = settings;
    Object.freeze(this);
  }
}

/** Makes a tool of a function: `tool(settings, function)` or `tool(function)`. */
function tool(settings, execute) {
  if (execute === undefined) return tool({}, settings);
  if (typeof execute !== "function") throw new TypeError(`a tool must be a function, and is a ${typeof execute}`);
  for (const name of Object.keys(settings)) {
    if (!SETTINGS.includes(name)) throw new TypeError(`a tool has no setting \`${name}\``);
  }
  if (settings.signature !== undefined && (settings.input !== undefined || settings.output !== undefined)) {
    throw new TypeError("a tool has a signature, or schemas of input and output");
  }
  return new Tool(execute, { ...settings });
}

/** Returns tools by name: those of an object, or of a list whose functions have names. */
function named(tools) {
  if (tools === undefined || tools === null) return [];
  const list = Array.isArray(tools) ? tools.map((it) => [undefined, it]) : Object.entries(tools);
  return list.map(([key, it]) => {
    const made = it instanceof Tool ? it : tool(it);
    const name = key ?? made.settings.name ?? made.execute.name;
    if (!name) throw new TypeError("a function without a name needs one: `tools: { name: function }`");
    return [name, made];
  });
}

/** Returns a tool as the native half reads it, and adds its function to `functions`. */
function specOf(name, { settings, execute }, functions) {
  const { input, output, name: _, ...rest } = settings;
  const number = numbered();
  functions.set(number, input === undefined && output === undefined ? execute : typed(execute, input, output));
  return { ...rest, name, function: number, schemas: schemas(input, output, "output", `the tool \`${name}\``) };
}

/** Returns a function whose arguments and result are checked by schemas. */
function typed(execute, input, output) {
  return async (given, options) => {
    const args = await checked(input, given);
    if (args.problems !== undefined) throw new ToolError(`wrong arguments: ${args.problems}`);
    const result = await checked(output, await execute(args.value, options));
    if (result.problems !== undefined) throw new ToolError(`gave a wrong result: ${result.problems}`, { permanent: true });
    return result.value;
  };
}

module.exports = { Tool, named, specOf, tool };
