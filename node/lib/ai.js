"use strict";

// Code mode for the AI SDK: one tool that takes a program over other tools.

const { Agent } = require("./agent.js");
const { checked, jsonSchema } = require("./schema.js");
const { tool } = require("./tools.js");

/** The input of the tool, as a Standard Schema. */
const INPUT = {
  "~standard": {
    version: 1,
    vendor: "ptc",
    validate: (value) => {
      const isInput = typeof value?.program === "string";
      return isInput ? { value } : { issues: [{ message: "expected a text", path: ["program"] }] };
    },
    jsonSchema: { input: () => SCHEMA, output: () => SCHEMA },
  },
};
const SCHEMA = {
  type: "object",
  properties: { program: { type: "string", description: "the whole program" } },
  required: ["program"],
  additionalProperties: false,
};

/**
 * Returns one tool for the AI SDK that runs programs over tools of the SDK. A program is checked before any tool runs, and
 * has limits. The reason that it was refused or failed is a result, which the model reads.
 */
function ptcTool({ tools = {}, effects = {}, onReport, ...settings }) {
  const known = Object.entries(tools).map(([name, it]) => [name, convertible(name, it)]);
  if (known.length === 0) throw new TypeError("`tools` has no tool");
  for (const name of Object.keys(effects)) {
    if (!Object.hasOwn(tools, name)) throw new TypeError(`\`effects\` names \`${name}\`, which is no tool`);
  }
  const within = (options) => Object.fromEntries(known.map(([name, it]) => [name, converted(it, effects[name], options)]));
  const example = Agent.workflow("nil", { ...settings, tools: within({}) });
  return {
    description: Agent.programTool(example),
    inputSchema: INPUT,
    async execute({ program }, options = {}) {
      const agent = Agent.workflow(program, {
        max_turns: 1,
        snapshots: false,
        repair: true,
        ...settings,
        tools: within(options),
      });
      const printed = [];
      const onEvent = (event) => event.event === "printed" && printed.push(event.line);
      const report = await agent.run({}, { onEvent, signal: options.abortSignal });
      onReport?.(report);
      const result = report.returned ? { value: report.value } : { error: report.feedback ?? whyNot(report) };
      return printed.length === 0 ? result : { ...result, printed };
    },
  };
}

/** Returns a tool of the SDK with its JSON Schemas, if programs can call it. */
function convertible(name, given) {
  if (typeof given?.execute !== "function") throw new TypeError(`the tool \`${name}\` has no \`execute\`: a program cannot call it`);
  if (given.needsApproval) throw new TypeError(`the tool \`${name}\` needs approval: give it to the model itself`);
  const schema = (part, side) => part && fixed(part, jsonSchema(part, side, `the tool \`${name}\``));
  return { ...given, input: schema(given.inputSchema, "input"), output: schema(given.outputSchema, "output") };
}

/** Returns a schema whose JSON Schema is known. */
function fixed(schema, json) {
  const validate = async (data) => {
    const { value, problems } = await checked(schema, data);
    return problems === undefined ? { value } : { issues: [{ message: problems }] };
  };
  return { "~standard": { version: 1, vendor: "ptc", validate, ...(json && { jsonSchema: { input: () => json, output: () => json } }) } };
}

/** Returns a tool whose calls have the options of the call of the program. */
function converted({ description, input, output, execute }, effect, options) {
  return tool({ description, input, output, effect }, async (args, { signal }) => {
    let result = await execute(args, { ...options, abortSignal: signal });
    if (result?.[Symbol.asyncIterator] !== undefined) {
      let last;
      for await (const part of result) last = part;
      result = last;
    }
    return result;
  });
}

function whyNot({ stop, fail, error }) {
  return fail?.message ?? error?.message ?? `the program was stopped: ${stop}`;
}

module.exports = { ptcTool };
