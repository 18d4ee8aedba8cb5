import ptc from "./index.js";

export const {
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
} = ptc;
