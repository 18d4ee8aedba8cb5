/// <reference types="node" />

/** The version of the package. */
export const version: string;

// Schemas

/** A schema of a library that follows Standard Schema, such as zod, valibot or arktype. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown, ...rest: any[]) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: unknown;
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<{ readonly message: string; readonly path?: ReadonlyArray<unknown> | undefined }> };

/** A JSON Schema as data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly "~standard"?: never;
}

export type Schema = StandardSchema<any, any> | JsonSchema;

/** The type of the data that a schema gives: `any` for a JSON Schema. */
export type OutputOf<S> = S extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : any;

/** The type of the data that a schema takes. */
export type InputOf<S> = S extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : unknown
  : any;

// Errors

/** One problem of a program, with a stable code. */
export interface Problem {
  readonly code: string;
  readonly kind: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly help: string | null;
  /** The problem as a terminal shows it: the place in the source with its message. */
  readonly rendering: string;
}

/** A program was refused, or ended in an error or a limit. The first of `problems` gives the other fields. */
export class ProgramError extends Error {
  private constructor();
  /** The stable code, such as `unknown-name`. */
  readonly code: string;
  /** The broad kind, such as `limit`. */
  readonly kind: string;
  /** The line in the source, from 1. */
  readonly line: number | null;
  /** The column in characters, from 1. */
  readonly column: number | null;
  /** One concrete remedy. */
  readonly help: string | null;
  readonly problems: readonly Problem[];
  /** All problems as a terminal shows them. */
  get rendering(): string;
}

/** A program called `fail`. */
export class Failed extends Error {
  private constructor();
  readonly reason: string;
  readonly details: any;
}

/** The failure of a tool, which the program and the model see. */
export class ToolError extends Error {
  constructor(
    message: string,
    options?: ErrorOptions & {
      /** A remedy for the author of the program. */
      help?: string;
      /** A remedy for the author of the agent. */
      advice?: string;
      /** The number of seconds after which the same call may succeed. */
      retryAfter?: number;
      /** Whether the same call never succeeds. */
      permanent?: boolean;
    },
  );
  readonly help: string | undefined;
  readonly advice: string | undefined;
  readonly retryAfter: number | undefined;
  readonly permanent: boolean;
}

/** An agent, an input, a model or a store cannot be used: no run started. */
export class AgentError extends Error {
  private constructor();
  readonly code: string;
  readonly help: string | null;
  readonly path: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** A run has no value: it failed, was stopped, or waits. */
export class NoValue extends Error {}

// Tools

/** Given to a function beside its arguments. */
export interface CallOptions {
  /** Aborted when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** The data that the caller of the run gave for its tools alone; empty without such data. */
  readonly context: any;
}

export type ToolFunction = (args: any, options: CallOptions) => unknown;

/** How long results stay in the conversation. */
export interface ResultRule {
  result_turns?: number;
  result_after?: "remove" | "first" | "summary";
  result_length?: number;
  summary_prompt?: string;
  keep_original?: boolean;
}

/** What is sent of a conversation: the keys of `[transcript]`. */
export interface Transcript extends ResultRule {
  tokens?: number;
  window?: number;
  reset_after?: number;
  keep_results?: number;
  step?: number;
}

/** The settings of a tool. Those with names of agent files mean the same. */
export interface ToolSettings<Input = undefined, Output = undefined> extends ResultRule {
  name?: string;
  description?: string;
  /** The types, instead of `input` and `output`: `(currency :string) -> :float`. */
  signature?: string;
  input?: Input;
  output?: Output;
  /** `read` promises that calls change nothing, so that they may be repeated, cached and reordered. */
  effect?: "read" | "write" | undefined;
  cost?: number;
  timeout?: number;
  retries?: number;
  max_calls?: number;
  cache?: boolean;
  idempotent?: boolean;
  confirm?: boolean;
  /** The label of its results: `untrusted`, `secret`, `trusted` or a name. */
  trust?: string;
}

/** A function that programs may call, with its declaration. */
export class Tool {
  private constructor();
  readonly execute: ToolFunction;
  readonly settings: ToolSettings<unknown, unknown>;
}

/** Makes a tool of a function. A function without settings is a tool as it is. */
export function tool(execute: ToolFunction): Tool;
export function tool<const Input extends Schema | undefined = undefined, const Output extends Schema | undefined = undefined>(
  settings: ToolSettings<Input, Output>,
  execute: (
    args: Input extends Schema ? OutputOf<Input> : any,
    options: CallOptions,
  ) => Output extends Schema ? InputOf<Output> | Promise<InputOf<Output>> : unknown,
): Tool;

/** Tools by name, or functions with names. */
export type Tools = Readonly<Record<string, ToolFunction | Tool>> | ReadonlyArray<ToolFunction | Tool>;

// Programs

/** The limits of one program, by the names of agent files. */
export interface Limits {
  fuel?: number;
  memory?: number;
  call_depth?: number;
  value_depth?: number;
  source_bytes?: number;
  source_nesting?: number;
  tool_calls?: number;
  calls_in_flight?: number;
  print_bytes?: number;
  result_bytes?: number;
  memory_bytes?: number;
  program_time?: number;
}

/** The world of a program: all that it can reach. */
export interface SessionOptions {
  /** The data that programs read as `ctx/name`. */
  ctx?: object | undefined;
  /** The values that programs keep. */
  memory?: object | undefined;
  tools?: Tools | undefined;
  limits?: Limits | undefined;
  /** The seed of random functions. */
  seed?: number | bigint | undefined;
}

export interface ProgramOptions<Output = undefined> {
  /** Whether wrong delimiters are repaired. */
  repair?: boolean | undefined;
  /** A schema that checks the value, and gives its type. */
  output?: Output | undefined;
  /** Ends the program. The promise is then rejected with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

type ValueOf<Output> = Output extends Schema ? OutputOf<Output> : any;

/** A call of a tool: its arguments, and its result or the message of its failure. */
export interface Call {
  readonly name: string;
  readonly args: any;
  readonly result: any;
  readonly error: string | null;
}

/** The outcome of a program. */
export interface Evaluation<Value = any> {
  readonly value: Value;
  /** Whether `(return v)` ended the program. */
  readonly returned: boolean;
  readonly prints: string[];
  readonly fuel: number;
  readonly calls: Call[];
  readonly warnings: Problem[];
  /** The change to the delimiters of the program. */
  readonly repair: string | null;
}

/** The findings about a program that does not run. */
export interface Check {
  readonly admitted: boolean;
  /** Everything the program can touch: tools with bounds, data, memory, names. `null` if it is refused. */
  readonly report: any;
  readonly warnings: Problem[];
  readonly errors: Problem[];
  readonly repair: string | null;
}

/**
 * The data, the tools and the state of programs. Definitions and memory last from program to program; a program that fails
 * keeps nothing. A session runs one program at a time.
 */
export class Session {
  constructor(options?: SessionOptions);
  /** The seed of random functions. */
  get seed(): bigint;
  /** Returns the values that programs have kept. */
  memory(): Promise<any>;
  /** Runs a program. Throws `ProgramError` for one that is refused or ends in an error, `Failed` after `fail`. */
  run<const Output extends Schema | undefined = undefined>(
    source: string,
    options?: ProgramOptions<Output>,
  ): Promise<Evaluation<ValueOf<Output>>>;
  /** Runs a program and returns its value. */
  evaluate<const Output extends Schema | undefined = undefined>(
    source: string,
    options?: ProgramOptions<Output>,
  ): Promise<ValueOf<Output>>;
  /** Runs a program as `evaluate` does, on this thread, which waits for it. A session with tools cannot. */
  evaluateSync(source: string, options?: { repair?: boolean | undefined }): any;
  /** Checks a program. Nothing runs. */
  check(source: string, options?: { repair?: boolean | undefined }): Promise<Check>;
}

/** Runs a program in a session of its own and returns its value. */
export function evaluate<const Output extends Schema | undefined = undefined>(
  source: string,
  options?: SessionOptions & ProgramOptions<Output>,
): Promise<ValueOf<Output>>;

/** Runs a program as `evaluate` does, on this thread, which waits for it. There are no tools. */
export function evaluateSync(source: string, options?: Omit<SessionOptions, "tools"> & { repair?: boolean | undefined }): any;

/** Checks a program: everything it can touch, or the reasons that it is refused. Nothing runs. */
export function check(source: string, options?: SessionOptions & { repair?: boolean | undefined }): Promise<Check>;

// Models

/** A call that a model asks for natively. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One message of a conversation, by `user` (the runtime) or `assistant` (the model). */
export interface Message {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly calls?: ModelCall[];
  /** The results of the calls of the message before. */
  readonly results?: { readonly id: string; readonly name: string; readonly text: string }[];
  /** The images that the message shows, as `data:` URLs, for an agent with `images: true`. */
  readonly images: string[];
}

export type ChatPart = { type: "text"; text: string } | { type: "image"; image: string };

/** A request for the next reply of a conversation. */
export interface Request {
  readonly system: string;
  readonly messages: Message[];
  readonly temperature: number | null;
  readonly max_tokens: number | null;
  readonly effort: number | null;
  /** The tools that the model can call natively. */
  readonly tools: { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
  readonly wants_text: boolean;
  readonly stop: string[];
  /** Returns the texts and images of the messages with `role` and `content`, as the AI SDK takes them. */
  chat(): ({ role: "user"; content: string | ChatPart[] } | { role: "assistant"; content: string })[];
}

/** A reply of a model. Results of `generateText` of the AI SDK are replies. */
export interface Reply {
  readonly text?: string | undefined;
  readonly toolCalls?:
    | ReadonlyArray<{ readonly toolCallId: string; readonly toolName: string; readonly input: unknown }>
    | undefined;
  readonly usage?:
    | {
        readonly inputTokens: number | undefined;
        readonly outputTokens: number | undefined;
        readonly cachedInputTokens?: number | undefined;
        /** In dollars. */
        readonly cost?: number | undefined;
      }
    | undefined;
  readonly finishReason?: string | undefined;
}

export type ModelFunction = (request: Request, options: CallOptions) => string | Reply | Promise<string | Reply>;

/** A specification such as `openai:gpt-5`, the replies of a script, or a function. */
export type Model = string | readonly string[] | ModelFunction;

// Agents

/** The other keys of an agent file, with the same meaning. Tables are objects. */
export interface Settings {
  name?: string;
  description?: string;
  signature_mode?: string;
  max_turns?: number;
  retry_turns?: number;
  fallback?: boolean;
  on_limit?: string;
  strict_fields?: string;
  snapshots?: boolean;
  /** The path of a flow file, for a workflow with an empty program. */
  flow?: string;
  images?: boolean;
  answers?: string;
  can_ask?: boolean;
  repair?: boolean;
  base_url?: string;
  api_key_env?: string;
  send_key?: boolean;
  key_header?: string;
  fallback_models?: string[];
  models?: object | string;
  timeout?: number;
  request_timeout?: number;
  temperature?: number | "default";
  max_tokens?: number;
  seed?: number;
  effort?: number;
  grammar?: boolean | string;
  transport?: string;
  prices?: string;
  mcp?: object[] | string;
  openapi?: object[];
  policy?: object;
  trust?: Record<string, string>;
  limits?: Limits;
  budget?: object;
  payload?: object;
  context_signature?: string;
  sources?: object[];
  artifacts?: false | object[];
  transcript?: Transcript;
  decisions?: object;
  system?: object;
}

/** A table of a tool as in agent files, such as `{ name: "rate", command: ["rate"] }`. */
export interface ToolTable {
  readonly [key: string]: unknown;
  readonly execute?: never;
}

export type AgentTool = ToolFunction | Tool | Agent<any> | ToolTable;

export interface Definition<Output extends Schema | undefined = undefined> extends Settings {
  /** The types, instead of `input` and `output`: `(amount :float) -> :float`. */
  signature?: string;
  /** The schema of the input: an object. */
  input?: Schema;
  /** The schema of the value. */
  output?: Output;
  /** Functions, tools, other agents, and tables as in agent files. */
  tools?: Readonly<Record<string, AgentTool>> | ReadonlyArray<AgentTool>;
  model?: Model;
}

/** The options of a resumed run. */
export interface ResumeOptions {
  model?: Model | undefined;
  base_url?: string | undefined;
  /** Answers questions. `null` leaves a question open. */
  ask?: ((question: Question, options: CallOptions) => unknown) | undefined;
  /** The longest wait of the process, in seconds. */
  waitAtMost?: number | undefined;
  /** Receives events. An exception of it does not end the run. */
  onEvent?: ((event: Event) => void) | undefined;
  /** Cancels the run. The promise is then rejected with the reason of the signal, when the run has ended on record. */
  signal?: AbortSignal | undefined;
  /** Data for the tools of the run alone: no model, event or record has it. */
  context?: object | undefined;
}

/** The options of one run. */
export interface RunOptions extends ResumeOptions {
  store?: Store | undefined;
  seed?: number | bigint | undefined;
  payload?: unknown;
  /** The settings of the run: one table of a settings file, or a list of them. */
  settings?: object | undefined;
  /** The run that this one follows in a conversation. A report brings its store. */
  after?: string | Report<any> | undefined;
  /** The name of its conversation: the run follows the newest run of the agent in it, or begins it. */
  conversation?: string | undefined;
}

/** A definition: prompt, types, tools, limits, model. */
export class Agent<Value = any> {
  constructor(prompt: string, definition: Definition<undefined>);
  constructor(prompt: string, definition: Definition<StandardSchema<any, Value>>);
  constructor(prompt: string, definition?: Definition<any>);
  /** Makes an agent whose program a person wrote. It asks no model itself. */
  static workflow<const Output extends Schema | undefined = undefined>(
    program: string,
    definition?: Definition<Output>,
  ): Agent<ValueOf<Output>>;
  /** Makes an agent with a `prompt` or a `program`. Its MCP servers start without blocking the event loop. */
  static connect<const Output extends Schema | undefined = undefined>(
    definition: Definition<Output> & ({ prompt: string } | { program: string }),
  ): Promise<Agent<ValueOf<Output>>>;
  /** Reads an agent file. Further tools, a model, and a schema for the value may be given. */
  static read<const Output extends Schema | undefined = undefined>(
    path: string | URL,
    more?: Pick<Definition<Output>, "tools" | "model" | "output">,
  ): Promise<Agent<ValueOf<Output>>>;
  /** The name. */
  get name(): string;
  /** The types of the input and the output. */
  get signature(): string | null;
  /** The names of the tools. */
  get tools(): string[];
  /** Returns the system prompt and the first message of a mission. */
  prompt(input?: object): [system: string, message: string];
  /** Runs a mission to its end. */
  run(input?: object, options?: RunOptions): Promise<Report<Value>>;
  /** Returns the events of a mission, for `for await`. The run starts with the loop, or when its report is asked for. */
  stream(input?: object, options?: Omit<RunOptions, "onEvent">): Stream<Value>;
  /** Resumes a run that waits, was cancelled, or whose process died. */
  resume(
    run: string,
    options: ResumeOptions & {
      store: Store;
      /** Results of calls in doubt that took effect. */
      done?: Readonly<Record<string, unknown>> | undefined;
      /** Calls in doubt to make again. */
      retry?: readonly string[] | undefined;
      /** Whether a workflow continues although its program changed. */
      acceptChange?: boolean | undefined;
      /** Whether the run resumes although its process seems to be alive. */
      takeOver?: boolean | undefined;
    },
  ): Promise<Report<Value>>;
  /** Answers an open question of a waiting run, and resumes the run. */
  answer(
    run: string,
    answer: unknown,
    options: ResumeOptions & {
      store: Store;
      /** The id of the question. Without it the run has one open question. */
      question?: string | undefined;
    },
  ): Promise<Report<Value>>;
}

/** A source of a run, after loading. */
export interface SourceRecord {
  readonly name: string;
  readonly into: "ctx" | "payload" | "context";
  readonly path: string;
  readonly state: "loaded" | "given" | "off" | "failed";
  readonly rows?: number;
  readonly bytes?: number;
  readonly cached?: boolean;
  readonly error?: string;
  /** Whether the run stopped because of it. */
  readonly stops?: boolean;
}

/** A question of a run to a person. */
export interface Question {
  readonly id: string;
  readonly run: string;
  readonly agent: string;
  readonly kind: string;
  readonly form: any;
  /** The program that needs approval. */
  readonly program: string | null;
  /** The problems of the answer before, if it was refused. */
  readonly problems: string[];
}

/** The outcome of a run, and the resources it used: the fields that `ptc run --json` prints. */
export class Report<Value = any> {
  private constructor();
  readonly run: string;
  readonly status: "returned" | "failed" | "stopped" | "waiting";
  readonly ended_by: string;
  readonly turns: number;
  readonly tool_calls: number;
  readonly fuel: number;
  readonly seed: number | bigint;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly cost: any };
  readonly fail: { readonly reason: string; readonly message: string; readonly details: any } | null;
  readonly stop: string | null;
  readonly error: { readonly code: string; readonly message: string; readonly [field: string]: any } | null;
  readonly warnings: { readonly code: string; readonly message: string; readonly [field: string]: any }[];
  readonly questions: any[];
  /** The sources of the agent, in the order in which they were loaded. */
  readonly sources: SourceRecord[];
  /** The versions of artifacts that the run made. */
  readonly artifacts: { readonly name: string; readonly version: number; readonly type: string }[];
  /** The place in its conversation; null for a run that begins one without a name. */
  readonly conversation: { readonly first: string; readonly message: number; readonly after?: string; readonly name?: string } | null;
  readonly payload: any;
  readonly partial: boolean;
  readonly exit_code: number;
  /** The remarks of a decision, or those of a workflow: `message`, `reasoning`, `confidence` and `path`. */
  readonly remarks?: { readonly [name: string]: any };
  /** The text that a model would read about the program of a workflow that was refused or ended in an error. */
  readonly feedback: string | null;
  /** Whether the run returned a value. */
  get returned(): boolean;
  /** The value. Throws `NoValue` for a run without one. */
  get value(): Value;
}

/** The events of a mission. It is iterated once; leaving the loop early cancels the run. */
export class Stream<Value = any> implements AsyncIterable<Event> {
  private constructor();
  /** The report, behind the last event. */
  get report(): Promise<Report<Value>>;
  [Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined>;
}

interface EventOf<Name extends string> {
  readonly event: Name;
  /** The run, which may be one below the run that was started. */
  readonly run: string;
  readonly turn?: number;
  /** Everything else that the record has about it. */
  readonly [field: string]: any;
}

/** A change of what is sent of the conversation. */
export interface TranscriptChange {
  readonly did: string;
  /** The turn whose message changed. */
  readonly turn: number;
  readonly result?: number;
  readonly head?: number;
  readonly note?: string;
  readonly tail?: number;
  readonly lost?: boolean;
  readonly tokens_saved: number;
}

/** An event of a run or of a run below it. */
export type Event =
  | (EventOf<"run-started"> & {
      readonly agent: string;
      readonly model: string;
      readonly input: any;
      readonly system: string;
      /** The settings of a recorded run: its changes, with keys by the names of their variables. */
      readonly settings?: any[];
      readonly sources?: SourceRecord[];
    })
  | EventOf<"run-queued">
  | EventOf<"run-resumed">
  | (EventOf<"acted"> & { readonly by: string; readonly action: string })
  | (EventOf<"program-changed"> & { readonly program: string })
  | (EventOf<"turn-started"> & { readonly prompt: string })
  | (EventOf<"model-asked"> & { readonly purpose: string; readonly number: number; readonly changes?: TranscriptChange[] })
  | (EventOf<"reply-text"> & { readonly text: string })
  | (EventOf<"model-replied"> & { readonly purpose: string; readonly number: number; readonly text: string })
  | (EventOf<"program-admitted"> & { readonly program: string; readonly report: any })
  | (EventOf<"program-rejected"> & { readonly program: string | null; readonly errors: any[] })
  | (EventOf<"call-started"> & { readonly call: string; readonly tool: string; readonly args: any; readonly labels?: any[] })
  | (EventOf<"call-progress"> & { readonly call: string; readonly tool: string; readonly done: number })
  | (EventOf<"call-finished"> & { readonly call: string; readonly tool: string; readonly result: any; readonly elapsed: number })
  | EventOf<"warned">
  | (EventOf<"printed"> & { readonly line: string })
  | (EventOf<"payload-changed"> & { readonly patch: any[] })
  | (EventOf<"payload-checked"> & { readonly check: any })
  | (EventOf<"turn-ended"> & { readonly outcome: string; readonly value: string | null; readonly fuel: number })
  | EventOf<"snapshot">
  | (EventOf<"run-ended"> & { readonly report: any })
  | (EventOf<"webhook-sent"> & { readonly id: string; readonly to: string; readonly attempts: number })
  | (EventOf<"artifact-made"> & { readonly name: string; readonly version: number; readonly type: string; readonly value: any });

/** The records of runs: in a file, or in memory. */
export class Store {
  private constructor();
  /** Opens a store in a file, or one in memory without a path. */
  static open(path?: string): Promise<Store>;
  /** Returns the summaries of the newest runs, perhaps only those of the conversation of a run. */
  runs(options?: { limit?: number; conversation?: string }): Promise<any[]>;
  /** Returns the complete record of a run. A unique prefix of its id is enough. */
  show(run: string): Promise<any>;
  /**
   * Returns where the arguments of a call came from, or one of them, as `ptc why` shows it. A call is named by its turn and its
   * id, such as `"2.1"`, or by its tool, which gives all calls of the tool.
   */
  why(run: string, call: string, argument?: string, options?: { showHidden?: boolean }): Promise<CallOrigins[]>;
  /** Returns the page of a run and of the runs below it, as HTML, as `ptc view` writes it. */
  view(run: string, options?: { showHidden?: boolean }): Promise<string>;
  /** Writes runs, with those of their sub-agents, to a file. */
  export(runs: string | readonly string[], path: string): Promise<void>;
  /** Reads the runs of a file that `export` wrote. Returns their ids. */
  importRuns(path: string): Promise<string[]>;
  /** Replays a run without model and tools, perhaps with another program in one turn. */
  replay(run: string, options?: { turn?: number; program?: string; signal?: AbortSignal }): Promise<Replayed>;
}

/** A call, with the labels of its arguments. */
export interface CallOrigins {
  readonly turn: number;
  /** `null` if the rules for labels refused the program. */
  readonly call: string | null;
  readonly tool: string;
  readonly args: any;
  readonly error: string | null;
  readonly labels: readonly LabelOrigin[];
}

/** A label of an argument, with the place that it comes from. */
export interface LabelOrigin {
  /** Missing for the tests that decide whether the call is made. */
  readonly argument?: string;
  readonly label: string;
  /** The tool, the input or another place. */
  readonly from: string;
  readonly certain?: boolean;
  /** The forms from the source to the call. */
  readonly path?: readonly string[];
  /** The rule of the policy that denies the call or asks a person. */
  readonly rule?: string;
}

/** The result of a replay. */
export interface Replayed {
  /** `null` if the replay reached the end of the record first. */
  readonly report: Report | null;
  /** The step that the record does not answer. */
  readonly missing: string | null;
  readonly differences: any[];
  readonly drift: any[];
}

// Code mode for the AI SDK

/** A tool of the AI SDK. */
export interface SdkTool {
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly execute?: ((input: any, options: any) => unknown) | undefined;
}

/** The result of a program: its value, or the text that tells the model how to correct it; and the printed lines. */
export interface ProgramResult {
  readonly value?: any;
  readonly error?: string;
  readonly printed?: string[];
}

/** Returns one tool for the AI SDK that runs programs over tools of the SDK. A program is checked before any tool runs. */
export function ptcTool(
  options: Pick<Settings, "limits" | "policy" | "budget" | "timeout"> & {
    tools: Readonly<Record<string, SdkTool>>;
    /** Tools that change nothing are `read`. Other tools count as writing. */
    effects?: Readonly<Record<string, "read" | "write">>;
    /** Receives the report of each program. */
    onReport?: (report: Report) => void;
  },
): {
  readonly description: string;
  /** A Standard Schema of `{ program: string }`. */
  readonly inputSchema: any;
  readonly execute: (input: any, options?: any) => Promise<ProgramResult>;
};
