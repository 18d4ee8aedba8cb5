"use strict";

// Types that a host states: signatures, JSON Schemas, and schemas of libraries that follow Standard Schema.

const NOTHING = { type: "object", properties: {} };
const AI_SCHEMA = Symbol.for("vercel.ai.schema");

/** Returns the part of a Standard Schema, if a schema is one. */
function standard(schema) {
  const part = schema?.["~standard"];
  return typeof part?.validate === "function" ? part : undefined;
}

/**
 * Returns the JSON Schema of a schema. `side` is `input` for data that is checked by it, and `output` for data that it
 * gives. Nothing is known of a schema whose library tells no JSON Schema; its own check holds.
 */
function jsonSchema(schema, side, what) {
  if (typeof schema !== "object" && typeof schema !== "function") {
    throw new TypeError(`${what} must be a schema, and is ${JSON.stringify(schema)}`);
  }
  if (schema[AI_SCHEMA] !== undefined) return settled(schema.jsonSchema, what);
  const part = standard(schema);
  if (part === undefined) return typeof schema === "function" ? jsonSchema(schema(), side, what) : schema;
  for (const target of ["draft-2020-12", "draft-07"]) {
    try {
      if (part.jsonSchema !== undefined) return settled(part.jsonSchema[side]({ target }), what);
    } catch {
      // A part of it has no JSON Schema: the check of the library holds.
    }
  }
  return undefined;
}

function settled(schema, what) {
  if (typeof schema?.then === "function") throw new TypeError(`${what}: its JSON Schema is a promise; await it first`);
  return withoutSafeBounds(schema);
}

/** Removes the bounds of integers that are exact in JavaScript: to a model they are noise. */
function withoutSafeBounds(schema) {
  if (schema === null || typeof schema !== "object") return schema;
  if (Array.isArray(schema)) return schema.map(withoutSafeBounds);
  const isKept = ([key, value]) => {
    return !((key === "minimum" && value === Number.MIN_SAFE_INTEGER) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER));
  };
  return Object.fromEntries(Object.entries(schema).filter(isKept).map(([key, value]) => [key, withoutSafeBounds(value)]));
}

/** Returns the problems of data as a text, or the data as the schema gives it. */
async function checked(schema, data) {
  if (schema?.[AI_SCHEMA] !== undefined) {
    const found = await schema.validate?.(data);
    if (found === undefined || found.success) return { value: found === undefined ? data : found.value };
    return { problems: String(found.error?.message ?? found.error) };
  }
  const part = standard(schema);
  if (part === undefined) return { value: data };
  const found = await part.validate(data);
  return found.issues === undefined ? { value: found.value } : { problems: found.issues.map(issueText).join("; ") };
}

function issueText({ message, path }) {
  const names = (path ?? []).map((it) => String(typeof it === "object" ? it.key : it));
  return names.length === 0 ? message : `${names.join(".")}: ${message}`;
}

/**
 * Returns the JSON Schemas of a tool or a mission: of the object that it takes, and of the value that it gives. The schema
 * of a tool gives the value to the program. That of a mission takes it from the model, as its `side` says.
 */
function schemas(input, output, side, what) {
  if (input === undefined && output === undefined) return undefined;
  const takes = input === undefined ? NOTHING : jsonSchema(input, "input", `the input of ${what}`);
  const gives = output === undefined ? undefined : jsonSchema(output, side, `the output of ${what}`);
  return takes === undefined ? undefined : [takes, gives ?? null];
}

module.exports = { checked, jsonSchema, schemas };
