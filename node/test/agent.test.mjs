// Agents: definitions, models, events, records, questions, cancellation.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Agent, AgentError, NoValue, Report, Store, Stream, ToolError, tool } from "ptc";
import { z } from "zod";

const reply = (program) => `\`\`\`clojure\n${program}\n\`\`\``;
const doubler = (more = {}) => {
  return new Agent("Double {{n}}.", { input: z.object({ n: z.number().int() }), output: z.number().int(), ...more });
};
const triple = [reply("(return (* 3 ctx/n))")];

test("a run gives a report, whose value the schema types", async () => {
  const rate = tool({ signature: "(currency :string) -> :float", effect: "read" }, async ({ currency }) => ({ USD: 0.5 })[currency]);
  const agent = new Agent("What is {{amount}} {{currency}} in EUR?", {
    input: z.object({ amount: z.number(), currency: z.string() }),
    output: z.object({ amount: z.number(), on: z.string().transform((it) => new Date(it)) }),
    tools: { rate },
  });
  const program = '(return {:amount (* ctx/amount (tool/rate {:currency ctx/currency})) :on "2026-05-01"})';
  const report = await agent.run({ amount: 12, currency: "USD" }, { model: [reply(program)] });
  assert.ok(report instanceof Report);
  assert.deepEqual(report.value, { amount: 6, on: new Date("2026-05-01") });
  const { status, returned, ended_by, turns, tool_calls, exit_code, warnings } = report;
  assert.deepEqual({ status, returned, ended_by, turns, tool_calls, exit_code, warnings }, {
    status: "returned", returned: true, ended_by: "answer", turns: 1, tool_calls: 1, exit_code: 0, warnings: [],
  });
  assert.deepEqual([agent.name, agent.tools], ["agent", ["rate"]]);
  assert.equal(agent.signature, "(amount :float, currency :string) -> {amount :float, on :string}");
  const [system, message] = agent.prompt({ amount: 12, currency: "USD" });
  assert.match(system, /What is 12 USD in EUR\?/);
  assert.match(message, /This is turn 1 of 5\./);
});

test("a run without a value tells why", async () => {
  const ends = async (replies) => {
    const report = await doubler({ max_turns: 1 }).run({ n: 1 }, { model: replies });
    assert.throws(() => report.value, NoValue);
    try {
      return report.value;
    } catch (error) {
      return [report.status, error.message];
    }
  };
  assert.deepEqual(await ends([reply('(fail {:reason "odd" :message "n is odd"})')]), ["failed", "the run failed: odd: n is odd"]);
  assert.equal((await ends([reply('(return "x")')]))[0], "stopped");
});

test("definitions, inputs and models are checked before a run", async () => {
  const refused = [
    [() => new Agent("Go.", { max_turn: 1 }), { name: "AgentError", code: "invalid-agent", help: /max_turns/ }],
    [() => new Agent("Go.", { signature: "(n :int) -> :int", output: z.number() }), { name: "TypeError" }],
    [() => new Agent("Go.", { mcp: [{ name: "x", command: ["x"] }] }), { name: "TypeError", message: /await Agent.connect/ }],
    [() => new Agent("Go.", { signature: "(n :integer) -> :int" }), { name: "AgentError" }],
  ];
  for (const [make, expected] of refused) assert.throws(make, expected);
  const rejected = [
    [() => doubler().run({ n: "x" }, { model: triple }), { name: "AgentError", code: "invalid-input", message: 'the input does not match: n: expected int, found string "x"' }],
    [() => doubler().run({ n: 1 }), { name: "AgentError" }],
    [() => doubler().run({ n: 1 }, { model: 5 }), { name: "TypeError", message: "a model must be a text, replies or a function, and is a number" }],
    [() => doubler().run({ n: 1 }, { modell: triple }), { name: "TypeError", message: "a run has no option `modell`" }],
    [() => doubler().run({ n: 1 }, { model: triple, store: "runs.db" }), { name: "TypeError", message: "`store` must be a `Store`" }],
    [() => Agent.read("/nowhere/agent.toml"), { name: "AgentError" }],
    [() => doubler().resume("x", {}), { name: "AgentError" }],
  ];
  for (const [run, expected] of rejected) await assert.rejects(run(), expected);
  assert.throws(() => { throw new AgentError({ code: "x", message: "m" }); }, { name: "AgentError", code: "x" });
});

test("an agent file runs with further tools", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "ptc-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "agent.toml");
  await writeFile(path, 'name = "adder"\nprompt = "Add one to {{n}}."\nsignature = "(n :int) -> :int"\n');
  const add = tool({ signature: "(a :int, b :int) -> :int" }, ({ a, b }) => a + b);
  const agent = await Agent.read(path, { tools: { add }, model: [reply("(return (tool/add {:a ctx/n :b 1}))")] });
  assert.deepEqual([agent.name, agent.tools], ["adder", ["add"]]);
  assert.equal((await agent.run({ n: 4 })).value, 5);
});

test("agents are tools of agents, with their own functions", async () => {
  const child = new Agent("Double {{n}}.", {
    name: "double",
    signature: "(n :int) -> :int",
    tools: { twice: tool({ signature: "(n :int) -> :int" }, ({ n }) => 2 * n) },
  });
  const parent = Agent.workflow("(+ (tool/double {:n ctx/n}) (tool/plus {}))", {
    signature: "(n :int) -> :int",
    tools: [child, tool({ name: "plus", signature: "() -> :int" }, () => 100)],
  });
  const report = await parent.run({ n: 4 }, { model: [reply("(return (tool/twice {:n ctx/n}))")] });
  assert.equal(report.value, 108);
});

test("m127 m128 a flow file starts at a step and skips steps", async () => {
  const file = new URL("../../examples/rating/rating.flow.toml", import.meta.url);
  const route = (name) => tool({ signature: "(rating :int) -> {route :string}" }, () => ({ route: name }));
  const flow = Agent.workflow("", {
    flow: fileURLToPath(file),
    payload: {},
    signature: "(rating :int) -> :any",
    tools: { mend: route("mended"), praise: route("praised") },
  });
  const report = await flow.run({ rating: 5 });
  assert.deepEqual(report.value, { rating: 5, route: "praised" });
  assert.deepEqual(report.remarks, { path: [{ step: "Mend" }, { step: "Praise" }] });
  const settings = { start_at: "Praise", skip: ["Praise"] };
  const skipped = await flow.run({ rating: 5 }, { settings });
  assert.deepEqual(skipped.value, { rating: 5 });
  assert.deepEqual(skipped.remarks, { path: [{ step: "Praise", skipped: true }] });
  await assert.rejects(flow.run({ rating: 5 }, { settings: { start_at: "Prase" } }), { name: "AgentError" });
});

test("a model is a function of the request", async () => {
  const requests = [];
  const model = async (request, { signal }) => {
    assert.ok(signal instanceof AbortSignal);
    requests.push(request);
    if (requests.length === 1) return reply("(foo)");
    return { text: triple[0], usage: { inputTokens: 900, outputTokens: 12, cachedInputTokens: 100 }, finishReason: "stop" };
  };
  const report = await doubler().run({ n: 2 }, { model });
  assert.equal(report.value, 6);
  assert.deepEqual([report.usage.input_tokens, report.usage.output_tokens], [900, 12]);
  assert.deepEqual(requests[1].messages.map((it) => it.role), ["user", "assistant", "user"]);
  assert.deepEqual(requests[1].chat()[1], { role: "assistant", content: reply("(foo)") });
  assert.match(requests[1].system, /program/);
});

test("a model that fails stops the run with its error", async () => {
  const failing = async () => {
    throw new ToolError("no key");
  };
  const report = await doubler().run({ n: 2 }, { model: failing, base_url: undefined });
  assert.deepEqual([report.status, report.stop, report.error.message], ["stopped", "provider", "node:failing: no key"]);
  const odd = await doubler().run({ n: 2 }, { model: () => 5 });
  assert.match(odd.error.message, /a model must give a text, or an object with a `text`/);
});

test("events come in order, and the report behind them", async () => {
  const stream = doubler({ tools: { add: tool({ effect: "read" }, ({ a }) => a + 1) } }).stream({ n: 2 }, {
    model: [reply('(println "hi") (return (tool/add {:a ctx/n}))')],
  });
  assert.ok(stream instanceof Stream);
  const names = [];
  for await (const event of stream) {
    names.push(event.event);
    if (event.event === "call-finished") assert.deepEqual([event.tool, event.result], ["add", 3]);
  }
  assert.deepEqual(names, [
    "run-started", "turn-started", "model-asked", "reply-text", "model-replied", "program-admitted", "call-started",
    "call-finished", "printed", "turn-ended", "run-ended",
  ]);
  assert.equal((await stream.report).value, 3);
  await assert.rejects(async () => { for await (const _ of stream); }, { message: "a stream is iterated once" });
});

test("leaving the loop over events cancels the run", async () => {
  const store = await Store.open();
  const stream = doubler().stream({ n: 1 }, { model: () => new Promise(() => {}), store });
  for await (const event of stream) {
    if (event.event === "model-asked") break;
  }
  await assert.rejects(stream.report, { name: "AbortError" });
  const [{ status }] = await store.runs();
  assert.equal(status, "stopped");
});

test("m12 an observer that fails leaves a warning in the report and on record", async () => {
  const store = await Store.open();
  const warned = new Promise((resolve) => process.once("warning", resolve));
  const onEvent = () => {
    throw new Error("full");
  };
  const report = await doubler().run({ n: 1 }, { model: triple, store, onEvent });
  assert.equal(report.value, 3);
  const [recorded] = (await store.show(report.run)).warnings;
  assert.deepEqual([recorded.code, recorded.message], ["observer-failed", report.warnings.at(-1).message]);
  assert.deepEqual((await store.replay(report.run)).differences, []);
  assert.match(report.warnings.at(-1).message, /^`onEvent` failed \d+ times, and the run went on: Error: full$/);
  assert.match((await warned).message, /`onEvent` failed/);
});

test("records are replayed, mended, exported and imported", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "ptc-"));
  t.after(() => rm(folder, { recursive: true }));
  const store = await Store.open(join(folder, "runs.db"));
  const report = await doubler().run({ n: 4 }, { model: triple, store, seed: 7 });
  assert.deepEqual([report.value, report.seed], [12, 7]);
  const same = await store.replay(report.run);
  assert.deepEqual([same.report.value, same.missing, same.differences, same.drift], [12, null, [], []]);
  const mended = await store.replay(report.run, { turn: 1, program: "(return (* 2 ctx/n))" });
  assert.equal(mended.report.value, 8);
  assert.deepEqual((await store.runs()).map((it) => it.run), [report.run]);
  assert.equal((await store.show(report.run.slice(0, 20))).run, report.run);
  assert.match(await store.view(report.run), /^<!doctype html>/i);
  const path = join(folder, "run.jsonl");
  await store.export(report.run, path);
  assert.ok((await readFile(path, "utf8")).length > 0);
  const other = await Store.open();
  assert.deepEqual(await other.importRuns(path), [report.run]);
  await assert.rejects(other.show("zz"), { name: "AgentError" });
  await assert.rejects(store.replay(report.run, { turn: 1 }), { message: "`turn` and `program` belong together" });
  assert.throws(() => new Store(), { message: "a store is made with `await Store.open(path)`" });
});

test("the record tells where an argument came from", async () => {
  const store = await Store.open();
  const agent = await Agent.read(new URL("../../examples/labels/agent.toml", import.meta.url).pathname);
  const { run } = await agent.run({ boss: "boss@corp.example" }, { store });
  const [refused, made] = await store.why(run, "mail", "to");
  assert.deepEqual([refused.turn, refused.call, refused.tool, refused.args], [2, null, "mail", null]);
  assert.deepEqual(refused.labels, [
    {
      argument: "to",
      label: "untrusted",
      from: "the model, which read inbox",
      certain: true,
      path: ['"eve@evil.example"'],
      rule: 'untrusted_to = "deny"',
    },
  ]);
  assert.deepEqual([made.turn, made.call, made.args.to, made.labels], [3, "1", "boss@corp.example", []]);
  await assert.rejects(store.why(run, "send"), { name: "AgentError", code: "unknown-call" });
});

const asking = [reply('(return (:n (ask {:title "How many?" :fields "(n :int)"})))')];

test("a question waits on record, and an answer resumes the run", async () => {
  const store = await Store.open();
  const agent = new Agent("How many chairs?", { output: z.number().int() });
  const waiting = await agent.run(undefined, { model: asking, store });
  assert.deepEqual([waiting.status, waiting.questions.length], ["waiting", 1]);
  assert.throws(() => waiting.value, { name: "NoValue", message: "the run waits" });
  await assert.rejects(agent.answer(waiting.run, { n: "x" }, { store, model: [] }), { name: "AgentError" });
  const done = await agent.answer(waiting.run, { n: 3 }, { store, model: [] });
  assert.equal(done.value, 3);
});

test("a function answers questions; one that fails leaves them open", async () => {
  const agent = new Agent("How many chairs?", { output: z.number().int() });
  const questions = [];
  const ask = async (question) => {
    questions.push(question);
    return { n: questions.length };
  };
  assert.equal((await agent.run({}, { model: asking, ask })).value, 1);
  assert.deepEqual([questions[0].agent, questions[0].kind, questions[0].problems], ["agent", "form", []]);
  const failing = () => {
    throw new Error("away");
  };
  const store = await Store.open();
  assert.equal((await agent.run({}, { model: asking, ask: failing, store })).status, "waiting");
});

test("an abort ends a run on record, and it resumes", async () => {
  const store = await Store.open();
  const controller = new AbortController();
  const reason = new Error("enough");
  const aborted = [];
  const slow = tool({ effect: "read" }, (_, { signal }) => {
    controller.abort(reason);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(aborted.push(true))));
  });
  let isQuick = false;
  const agent = doubler({ tools: { slow: tool({ effect: "read" }, (args, options) => (isQuick ? 5 : slow.execute(args, options))) } });
  const model = [reply("(return (tool/slow {}))")];
  await assert.rejects(agent.run({ n: 1 }, { model, store, signal: controller.signal }), reason);
  const [{ run, status }] = await store.runs();
  assert.deepEqual([status, aborted], ["stopped", [true]]);
  isQuick = true;
  assert.equal((await agent.resume(run, { store, model })).value, 5);
});

test("a run follows another one in a conversation", async () => {
  const agent = new Agent("Answer: {{message}}", { signature: "(message :string, orders [:int]) -> :int" });
  const input = { message: "How many are large?", orders: [120, 89, 410] };
  const store = await Store.open();
  const count = [reply("(def large (filter #(> % 100) ctx/orders)) (return (count large))")];
  const first = await agent.run(input, { model: count, store });
  const total = [reply("(return (reduce + large))")];
  const second = await agent.run({ ...input, message: "And together?" }, { model: total, after: first });
  assert.deepEqual([first.value, second.value], [2, 530]);
  assert.equal((await store.runs({ conversation: second.run })).length, 2);
});

test("tools alone read the context of a run", async () => {
  const tenant = (_, { context }) => context.tenant;
  const token = async (_, { context }) => context.token;
  const agent = Agent.workflow("[(tool/tenant {}) (tool/token {})]", { tools: { tenant, token } });
  const store = await Store.open();
  const events = [];
  const context = { tenant: "acme", token: "tok-0123456789" };
  const report = await agent.run({}, { context, store, onEvent: (event) => events.push(event) });
  assert.deepEqual(report.value, ["acme", "[context.token]"]);
  assert.doesNotMatch(JSON.stringify([events, report, await store.show(report.run)]), /tok-0123456789/);
  assert.deepEqual((await agent.run()).value, [null, null]);
  const typed = Agent.workflow("1", { context_signature: "{tenant :string}" });
  await assert.rejects(typed.run({}, { context: {} }), { name: "AgentError", message: /`tenant` is missing/ });
});

test("m33 m46 sources are loaded before a run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ptc-"));
  try {
    const file = join(folder, "orders.json");
    await writeFile(file, '{"items": [{"total": 40}, {"total": 2}]}');
    const sources = [
      { name: "orders", file, select: "(:items ctx/loaded)" },
      { name: "rate", tool: "rate", args: { of: "{{context.tenant}}" }, into: "context" },
    ];
    const rate = tool({ effect: "read" }, ({ of }) => ({ of, n: 2 }));
    const times = tool({ effect: "read" }, ({ n }, { context }) => n * context.rate.n);
    const program = "(tool/times {:n (reduce + (map :total (or ctx/orders [])))})";
    const agent = Agent.workflow(program, { tools: { rate, times }, sources });
    const [store, events, context] = [await Store.open(), [], { tenant: "acme" }];
    const onEvent = (event) => events.push(event);
    const report = await agent.run({}, { context, store, onEvent });
    assert.equal(report.value, 84);
    const loaded = [
      { name: "orders", into: "ctx", path: "orders", state: "loaded", rows: 2, bytes: 40 },
      { name: "rate", into: "context", path: "rate", state: "loaded", bytes: 19 },
    ];
    const shown = await store.show(report.run);
    assert.deepEqual([report.sources, events[0].sources, shown.sources], [loaded, loaded, loaded]);
    assert.deepEqual((await store.replay(report.run)).differences, []);
    assert.doesNotMatch(JSON.stringify(events), /acme/);

    const settings = { sources: { orders: false }, keys: { openai: "ACME_KEY" } };
    const without = await agent.run({}, { context, settings, store, onEvent });
    assert.deepEqual(without.sources.map((it) => it.state), ["off", "loaded"]);
    const started = events.filter((it) => it.event === "run-started");
    assert.deepEqual(started.map((it) => it.settings ?? null), [null, [settings]]);
    assert.deepEqual((await store.show(without.run)).settings, [settings]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("settings hold for one run", async () => {
  const agent = Agent.workflow("(tool/refund {})", { tools: { refund: () => 5 } });
  assert.equal((await agent.run()).value, 5);
  const without = await agent.run({}, { settings: { tools: { remove: ["refund"] } } });
  assert.deepEqual([without.status, without.error.code], ["stopped", "unknown-tool"]);
  await assert.rejects(agent.run({}, { settings: { tool: {} } }), { name: "AgentError" });
});

test("results expire by the rules of agents, tools and runs", async () => {
  const page = tool({ effect: "read", result_turns: 1 }, () => "word ".repeat(100));
  const agent = new Agent("Read.", { max_turns: 9, tools: { page }, transcript: { result_turns: 5, result_length: 10 } });
  const model = ["(tool/page {})", "(tool/page {})", "(transcript/expand 1)", "(return 1)"].map(reply);
  const changes = async (settings) => {
    const seen = [];
    await agent.run({}, { model, settings, onEvent: (event) => seen.push(event) });
    return seen.flatMap((event) => (event.changes ?? []).map((it) => [event.turn, it.did, it.turn]));
  };
  assert.deepEqual(await changes(), [[3, "shortened", 1], [4, "expanded", 1], [4, "shortened", 2]]);
  assert.deepEqual(await changes({ transcript: { result_turns: 9 } }), []);
  assert.throws(() => new Agent("Read.", { tools: { page: tool({ result_after: "later" }, () => 1) } }), /later/);
});

test("m150 settings choose the model of the root", async () => {
  const asked = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part)).on("end", () => {
      asked.push(JSON.parse(Buffer.concat(parts)).model);
      const choices = [{ message: { content: reply("(return 7)") }, finish_reason: "stop" }];
      response.setHeader("content-type", "application/json").end(JSON.stringify({ choices }));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const base_url = `http://127.0.0.1:${server.address().port}/v1`;
    const agent = new Agent("Work.", { signature: "-> :int", model: "openai:m", base_url: "http://localhost:1/v1" });
    const report = await agent.run({}, { settings: { model: "openai:n", base_url } });
    assert.deepEqual([report.value, asked], [7, ["n"]]);
  } finally {
    server.close();
  }
});

test("an MCP server that does not start is an error", async () => {
  const mcp = [{ name: "x", command: ["/nowhere/server"] }];
  await assert.rejects(Agent.connect({ prompt: "Go.", mcp }), { name: "AgentError" });
  const plain = await Agent.connect({ program: "(+ 1 2)" });
  assert.equal((await plain.run()).value, 3);
});
