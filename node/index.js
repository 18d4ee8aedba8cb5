"use strict";

const { Agent, Stream } = require("./lib/agent.js");
const { ptcTool } = require("./lib/ai.js");
const { AgentError, Failed, NoValue, ProgramError, ToolError } = require("./lib/errors.js");
const { Report } = require("./lib/report.js");
const { Session, check, evaluate, evaluateSync } = require("./lib/session.js");
const { Store } = require("./lib/store.js");
const { Tool, tool } = require("./lib/tools.js");
const { version } = require("./package.json");

module.exports = {
  Agent,
  AgentError,
  Failed,
  NoValue,
  ProgramError,
  Report,
  Session,
  Store,
  Stream,
  Tool,
  ToolError,
  check,
  evaluate,
  evaluateSync,
  ptcTool,
  tool,
  version,
};
