// The AI SDK, with its own mock model: its models as models of agents, and code mode over its tools.

import assert from "node:assert/strict";
import { test } from "node:test";

import { asSchema, generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { Agent, ptcTool } from "ptc";
import { z } from "zod";

const usage = {
  inputTokens: { total: 900, noCache: 800, cacheRead: 100, cacheWrite: 0 },
  outputTokens: { total: 12, text: 12, reasoning: 0 },
};
const text = (content) => ({ content: [{ type: "text", text: content }], finishReason: { unified: "stop", raw: "stop" }, usage, warnings: [] });
const call = (toolName, input) => ({
  content: [{ type: "tool-call", toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: "tool-calls", raw: "tool_calls" },
  usage,
  warnings: [],
});

const made = [];
const orders = tool({
  description: "Lists the orders of a customer.",
  inputSchema: z.object({ customer: z.string() }),
  outputSchema: z.array(z.object({ id: z.number().int(), total: z.number() })),
  execute: async ({ customer }, { toolCallId, abortSignal }) => {
    made.push([customer, toolCallId, abortSignal instanceof AbortSignal]);
    return { Ada: [{ id: 1, total: 40 }, { id: 2, total: 2 }], Bo: [{ id: 3, total: 7 }] }[customer];
  },
});
const customers = tool({
  description: "Lists the names of all customers.",
  inputSchema: jsonSchema({ type: "object", properties: {}, additionalProperties: false }),
  async *execute() {
    yield [];
    yield ["Ada", "Bo"];
  },
});

test("a model of the SDK is a model of an agent", async () => {
  const mock = new MockLanguageModelV3({ doGenerate: async () => text("```clojure\n(return (count ctx/words))\n```") });
  const agent = new Agent("How many words?", {
    signature: "(words [:string]) -> :int",
    model: ({ system, ...request }, { signal }) => generateText({ model: mock, system, messages: request.messages.map(({ role, text }) => ({ role, content: text })), abortSignal: signal }),
  });
  const report = await agent.run({ words: ["one", "two"] });
  assert.equal(report.value, 2);
  assert.deepEqual([report.usage.input_tokens, report.usage.output_tokens], [900, 12]);
});

test("code mode runs a program over the tools of the SDK", async () => {
  const program = '(sum-by :total (mapcat #(tool/orders {:customer %}) (tool/customers {})))';
  const replies = [call("program", { program }), text("49")];
  const mock = new MockLanguageModelV3({ doGenerate: async () => replies.shift() });
  const result = await generateText({
    model: mock,
    prompt: "What did all customers spend?",
    tools: { program: ptcTool({ tools: { orders, customers }, effects: { orders: "read", customers: "read" } }) },
    stopWhen: stepCountIs(3),
  });
  assert.equal(result.text, "49");
  assert.deepEqual(result.steps[0].toolResults.map((it) => it.output), [{ value: 49 }]);
  assert.deepEqual(made.splice(0), [["Ada", "call-program", true], ["Bo", "call-program", true]]);
  const [offered] = mock.doGenerateCalls[0].tools;
  assert.deepEqual([offered.name, offered.inputSchema.required], ["program", ["program"]]);
  assert.match(offered.description, /\(call "orders" \{:customer <string>\}\) -> \[\{:id int, :total float\}\]: Lists the orders of a customer\./);
});

test("a program that is refused or fails is told to the model, before any tool runs", async () => {
  const reports = [];
  const { execute } = ptcTool({ tools: { orders }, limits: { tool_calls: 1 }, onReport: (report) => reports.push(report.status) });
  const refused = await execute({ program: '(tool/orders {:customer 5}) (foo)' });
  assert.deepEqual(Object.keys(refused), ["error"]);
  assert.match(refused.error, /foo/);
  assert.deepEqual(made, []);
  const limited = await execute({ program: '(println "go") (mapv #(tool/orders {:customer %}) ["Ada" "Bo"])' });
  assert.match(limited.error, /tool/);
  assert.deepEqual(await execute({ program: '(println "go")\n(count\n  (tool/orders {:customer "Bo"})' }), { value: 1, printed: ["go"] });
  assert.deepEqual(reports, ["stopped", "stopped", "returned"]);
  made.splice(0);
});

test("an abort of the SDK ends the program", async () => {
  const controller = new AbortController();
  const wait = tool({
    inputSchema: z.object({}),
    execute: (_, { abortSignal }) => {
      controller.abort(new Error("enough"));
      return new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
    },
  });
  const { execute } = ptcTool({ tools: { wait } });
  await assert.rejects(execute({ program: "(tool/wait {})" }, { abortSignal: controller.signal }), { message: "enough" });
});

test("the description has fewer than 1,000 tokens", () => {
  const many = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`tool_${i}`, orders]));
  for (const count of [1, 5, 10, 20, 500]) {
    const { description } = ptcTool({ tools: many(count) });
    // A token of such text has more than three characters.
    assert.ok(description.length < 3_000, `${count} tools: ${description.length} characters`);
  }
  assert.match(ptcTool({ tools: many(500) }).description, /\(tools\/search "words"\)/);
});

test("tools that programs cannot call are refused", () => {
  const cases = [
    [{}, "`tools` has no tool"],
    [{ tools: { a: tool({ inputSchema: z.object({}) }) } }, "the tool `a` has no `execute`: a program cannot call it"],
    [{ tools: { a: { ...orders, needsApproval: true } } }, "the tool `a` needs approval: give it to the model itself"],
    [{ tools: { orders }, effects: { order: "read" } }, "`effects` names `order`, which is no tool"],
  ];
  for (const [options, message] of cases) assert.throws(() => ptcTool(options), { name: "TypeError", message });
});

test("the SDK reads the schema of the tool", async () => {
  const schema = asSchema(ptcTool({ tools: { orders } }).inputSchema);
  assert.deepEqual((await schema.jsonSchema).properties.program, { type: "string", description: "the whole program" });
  assert.deepEqual(await schema.validate({ program: "1" }), { success: true, value: { program: "1" } });
  assert.equal((await schema.validate({})).success, false);
});
