"use strict";

// Values as JSON text. A text that starts with `~` has marked parts: objects with the one key `$`. `src/text.rs` is the
// other end.

const MAX_DEPTH = 500;

/** Writes a value. `name` begins the path in messages. */
function encode(value, name) {
  const converter = { hasMarks: false };
  let plain;
  try {
    plain = convert(value, converter, 0);
  } catch (error) {
    if (!(error instanceof NoForm)) throw error;
    throw new TypeError(`${name}${error.path.reverse().join("")}${error.why}`);
  }
  if (plain === undefined) return "null";
  return converter.hasMarks ? `~${JSON.stringify(plain, marked)}` : JSON.stringify(plain);
}

/** Reads a text. */
function decode(text) {
  return text[0] === "~" ? unmarked(JSON.parse(text.slice(1))) : JSON.parse(text);
}

/** A part that JSON lacks. */
class Marked {
  constructor(kind, part) {
    this.kind = kind;
    this.part = part;
  }
}

/** The reason that a value has no form, and the path to it. */
class NoForm extends Error {
  constructor(why) {
    super(why);
    this.why = why;
    this.path = [];
  }
}

/** Returns a value of JSON and of `Marked`. Parts that are plain are not copied. */
function convert(value, converter, depth) {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return value;
    case "number":
      return isExact(value) ? value : mark("float", floatText(value), converter);
    case "bigint":
      return mark("int", String(value), converter);
    case "object":
      break;
    default:
      throw new NoForm(`: a ${typeof value} has no form in a program`);
  }
  if (value === null) return null;
  if (depth > MAX_DEPTH) throw new NoForm(` is nested deeper than ${MAX_DEPTH} levels, or contains itself`);
  if (Array.isArray(value)) return convertItems(value, converter, depth);
  if (typeof value.toJSON === "function") return convert(value.toJSON(), converter, depth + 1);
  if (value instanceof Set) return mark("set", convertItems([...value], converter, depth), converter);
  if (value instanceof Map) return mark("map", convertItems([...value].flat(1), converter, depth), converter);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return convertItems([...value], converter, depth);
  if (value instanceof Promise) throw new NoForm(": a promise has no form in a program; await it first");
  return convertFields(value, converter, depth);
}

function mark(kind, part, converter) {
  converter.hasMarks = true;
  return new Marked(kind, part);
}

/** Returns whether JSON keeps a number and its kind: a larger whole number would become an integer of another value. */
function isExact(number) {
  return Number.isInteger(number) ? Number.isSafeInteger(number) && !Object.is(number, -0) : Number.isFinite(number);
}

function floatText(number) {
  if (Number.isFinite(number)) return Object.is(number, -0) ? "-0" : String(number);
  return Number.isNaN(number) ? "NaN" : number > 0 ? "inf" : "-inf";
}

function convertItems(items, converter, depth) {
  let made = items;
  let i = 0;
  try {
    for (; i < items.length; i++) {
      const item = items[i];
      if (typeof item === "string") continue;
      const part = item === undefined ? null : convert(item, converter, depth + 1);
      if (part === item) continue;
      if (made === items) made = items.slice();
      made[i] = part;
    }
  } catch (error) {
    if (error instanceof NoForm) error.path.push(`[${i}]`);
    throw error;
  }
  return made;
}

function convertFields(object, converter, depth) {
  let made = object;
  let name;
  try {
    for (const key of Object.keys(object)) {
      name = key;
      const value = object[key];
      if (typeof value === "string") continue;
      const part = convert(value, converter, depth + 1);
      if (part === value) continue;
      if (made === object) made = { ...object };
      made[key] = part;
    }
  } catch (error) {
    if (error instanceof NoForm) error.path.push(`.${name}`);
    throw error;
  }
  return made;
}

/** Writes the parts that JSON lacks as objects; an object that looks like one is such a part too. */
function marked(_, value) {
  if (value instanceof Marked) return { $: [value.kind, value.part] };
  return isMark(value) ? { $: ["object", ["$", value.$]] } : value;
}

function isMark(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === "$";
}

/** Returns the value with its marked parts. */
function unmarked(plain) {
  if (plain === null || typeof plain !== "object") return plain;
  if (Array.isArray(plain)) return plain.map(unmarked);
  if (!isMark(plain)) {
    for (const key of Object.keys(plain)) plain[key] = unmarked(plain[key]);
    return plain;
  }
  const [kind, part] = plain.$;
  if (kind === "int") return BigInt(part);
  if (kind === "float") return Number(part.replace("inf", "Infinity"));
  const parts = part.map(unmarked);
  if (kind === "set") return new Set(parts);
  const pairs = Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i], parts[2 * i + 1]]);
  return kind === "object" ? Object.fromEntries(pairs) : new Map(pairs);
}

module.exports = { decode, encode };
