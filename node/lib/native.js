"use strict";

const { join } = require("node:path");

const { addon } = require("./platform.js");

const name = addon();
try {
  module.exports = require(join(__dirname, "..", "native", name));
} catch (cause) {
  if (cause.code !== "MODULE_NOT_FOUND") throw cause;
  throw new Error(`ptc has no addon for this platform: native/${name} is missing; \`npm run build\` makes it`, { cause });
}
