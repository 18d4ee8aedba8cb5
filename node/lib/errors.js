"use strict";

/** A program was refused, or ended in an error or a limit. The first of `problems` gives the other fields. */
class ProgramError extends Error {
  constructor(problems, options) {
    super(problems[0].message, options);
    const { code, kind, line, column, help } = problems[0];
    Object.assign(this, { code, kind, line, column, help });
    this.problems = problems;
  }

  /** All problems as a terminal shows them. */
  get rendering() {
    return this.problems.map((it) => it.rendering).join("");
  }
}

/** A program called `fail`. */
class Failed extends Error {
  constructor(reason, message, details) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

/** The failure of a tool, which the program and the model see. */
class ToolError extends Error {
  constructor(message, { help, advice, retryAfter, permanent = false, ...options } = {}) {
    super(message, options);
    this.help = help;
    this.advice = advice;
    this.retryAfter = retryAfter;
    this.permanent = permanent;
  }
}

/** An agent, an input, a model or a store cannot be used: no run started. */
class AgentError extends Error {
  constructor({ code, message, help, path, line, column }) {
    super(message);
    Object.assign(this, { code, help, path, line, column });
  }
}

/** A run has no value: it failed, was stopped, or waits. */
class NoValue extends Error {}

for (const kind of [ProgramError, Failed, ToolError, AgentError, NoValue]) {
  Object.defineProperty(kind.prototype, "name", { value: kind.name, configurable: true, writable: true });
}

/** Returns the error that the native half describes. Other errors stay as they are. */
function errorOf(text) {
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    return new Error(text);
  }
  if (told.class === "AgentError") return new AgentError(told);
  return told.class === "TypeError" ? new TypeError(told.message) : new Error(told.message);
}

/** Calls the native half, whose errors are descriptions. */
function native(call) {
  try {
    return call();
  } catch (error) {
    throw errorOf(error.message);
  }
}

module.exports = { AgentError, Failed, NoValue, ProgramError, ToolError, errorOf, native };
