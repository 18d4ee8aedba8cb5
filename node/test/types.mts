// What the types promise. `tsc` checks this file, and it is never run.

import type { generateText, ToolSet } from "ai";
import { tool as sdkTool } from "ai";
import { type } from "arktype";
import { Agent, type Event, evaluate, type ModelFunction, ProgramError, ptcTool, type Report, Session, Store, tool } from "ptc";
import * as v from "valibot";
import { z } from "zod";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

const quote = z.object({ amount: z.number(), on: z.string().transform((it) => new Date(it)) });
type Quote = { amount: number; on: Date };

// Values have the type of their schema, and any without one.
const typed = await evaluate("1", { output: quote });
same<typeof typed, Quote>(true);
const plain = await evaluate("1");
same<typeof plain, any>(true);
const fromValibot = await new Session().evaluate("1", { output: v.object({ n: v.number() }) });
same<typeof fromValibot, { n: number }>(true);
const { value: fromArktype } = await new Session().run("1", { output: type({ n: "number" }) });
same<typeof fromArktype, { n: number }>(true);

// Reports have the type of the output.
const agent = new Agent("Go.", { input: z.object({ n: z.number() }), output: quote });
same<typeof agent, Agent<Quote>>(true);
const report = await agent.run({ n: 1 }, { model: ["x"], store: await Store.open() });
same<typeof report, Report<Quote>>(true);
same<typeof report.value, Quote>(true);
const streamed = await agent.stream({ n: 1 }).report;
same<typeof streamed.value, Quote>(true);
const flow = Agent.workflow("1", { output: z.string() });
same<typeof flow, Agent<string>>(true);
const read = await Agent.read("agent.toml");
same<typeof read, Agent<any>>(true);
const untyped = new Agent("Go.", { signature: "() -> :int" });
same<typeof untyped, Agent<any>>(true);
same<typeof bare, Agent<any>>(true);
const bare = new Agent("Go.");
// @ts-expect-error: a key that no agent has
new Agent("Go.", { max_turn: 1 });
// @ts-expect-error: an option that no run has
agent.run({}, { modell: ["x"] });

// Functions take what the schema of their input gives, and give what that of their output takes.
tool({ input: z.object({ day: z.string().transform((it) => new Date(it)) }), output: z.number() }, ({ day }, { signal }) => {
  same<typeof day, Date>(true);
  same<typeof signal, AbortSignal>(true);
  return day.getTime();
});
tool({ input: v.object({ n: v.number() }) }, async ({ n }) => {
  same<typeof n, number>(true);
  return n;
});
// @ts-expect-error: a result of another type
tool({ output: z.number() }, () => "x");
// @ts-expect-error: an effect that there is not
tool({ effect: "reed" }, () => 1);
tool({ result_turns: 2, result_after: "first", keep_original: false }, () => 1);
// @ts-expect-error: a form of expired results that there is not
tool({ result_after: "later" }, () => 1);

// Events are told apart by their names.
function tell(event: Event): string {
  switch (event.event) {
    case "model-asked":
      return (event.changes ?? []).map((it) => `${it.did} ${it.turn + it.tokens_saved}`).join();
    case "program-admitted":
      same<typeof event.program, string>(true);
      return event.program;
    case "printed":
      return event.line;
    default:
      return event.run;
  }
}
for await (const event of agent.stream({ n: 1 })) tell(event);

// Results of the AI SDK are replies, and the tool of code mode is a tool of the SDK.
declare const generate: typeof generateText;
declare const model: Parameters<typeof generateText>[0]["model"];
const asModel: ModelFunction = (request) => generate({ model, system: request.system, messages: request.chat() });
const orders = sdkTool({ inputSchema: z.object({ customer: z.string() }), execute: async ({ customer }) => customer.length });
const tools = { program: ptcTool({ tools: { orders } }) } satisfies ToolSet;
await generate({ model, tools, prompt: "Go." });
new Agent("Go.", { model: asModel });

// @ts-expect-error: errors are made by the package
new ProgramError([]);
export {};
