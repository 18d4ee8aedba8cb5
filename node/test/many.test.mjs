// Many runs at once, many runs one after the other, and threads of Node.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import { Agent, Session, evaluate, tool } from "ptc";

const add = tool({ signature: "(a :int, b :int) -> :int", effect: "read" }, async ({ a, b }) => a + b);
const model = async () => "```clojure\n(return (tool/add {:a ctx/n :b 1}))\n```";

test("1,000 runs at once wait for one another's tools", async () => {
  let waiting = 0;
  let release;
  const all = new Promise((resolve) => (release = resolve));
  // No call ends before all runs are there.
  const meet = tool({ signature: "(n :int) -> :int", effect: "read" }, async ({ n }) => {
    waiting += 1;
    if (waiting === 1_000) release();
    await all;
    return n;
  });
  const agent = new Agent("Go.", { signature: "(n :int) -> :int", tools: { meet }, timeout: 300, model: ["```clojure\n(return (tool/meet {:n ctx/n}))\n```"] });
  const reports = await Promise.all(Array.from({ length: 1_000 }, (_, n) => agent.run({ n })));
  assert.deepEqual(reports.map((it) => it.value), Array.from({ length: 1_000 }, (_, n) => n));
});

test("1,000 programs end at one abort", async () => {
  const controller = new AbortController();
  let waiting = 0;
  let aborted = 0;
  const wait = (_, { signal }) => {
    signal.addEventListener("abort", () => (aborted += 1));
    waiting += 1;
    if (waiting === 1_000) controller.abort(new Error("enough"));
    return new Promise(() => {});
  };
  const programs = Array.from({ length: 1_000 }, () => evaluate("(tool/wait {})", { tools: { wait }, signal: controller.signal }));
  const ends = await Promise.allSettled(programs);
  assert.deepEqual(new Set(ends.map((it) => it.reason?.message)), new Set(["enough"]));
  assert.equal(aborted, 1_000);
});

/** Returns the memory of the process after a number of rounds. */
async function memoryAfter(rounds, round) {
  for (let i = 0; i < rounds; i++) await round(i);
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().rss;
}

/**
 * Checks that rounds leave nothing behind. A leak grows in every part of them, and an allocator that takes more memory only
 * in some. So the least growth of a part counts, which may not be 1 KiB a round.
 */
async function assertNoLeak(rounds, round) {
  const part = rounds / 5;
  let before = await memoryAfter(part, round);
  const growths = [];
  for (let i = 0; i < 4; i++) {
    const after = await memoryAfter(part, round);
    growths.push((after - before) / part);
    before = after;
  }
  assert.ok(Math.min(...growths) < 1024, `bytes a round: ${growths.join(", ")}`);
}

test("10,000 runs leave nothing behind", async () => {
  const agent = new Agent("Go.", { signature: "(n :int) -> :int", tools: { add }, model });
  await assertNoLeak(10_000, async (n) => assert.equal((await agent.run({ n })).value, n + 1));
});

test("10,000 programs, sessions and failures leave nothing behind", async () => {
  const wait = () => new Promise(() => {});
  await assertNoLeak(10_000, async (n) => {
    const session = new Session({ ctx: { n, rows: Array.from({ length: 10 }, (_, id) => ({ id })) }, tools: { add, wait } });
    assert.equal(await session.evaluate("(tool/add {:a ctx/n :b 1})"), n + 1);
    await assert.rejects(session.evaluate("(foo)"), { code: "unknown-name" });
    if (n % 10 === 0) {
      await assert.rejects(session.evaluate("(tool/wait {})", { signal: AbortSignal.timeout(1) }), { name: "TimeoutError" });
    }
  });
});

const WORKER = `
  const { parentPort } = require("node:worker_threads");
  const { Agent, evaluate, tool } = require("ptc");
  (async () => {
    const add = ({ a, b }) => a + b;
    const sum = await evaluate("(tool/add {:a 1 :b 2})", { tools: { add } });
    parentPort.postMessage(sum);
    // The thread is ended in this call.
    await evaluate("(tool/stop {})", { tools: { stop: () => (parentPort.postMessage("stop"), new Promise(() => {})) } });
  })();
`;

test("threads of Node run programs side by side, and end in the middle of one", async () => {
  const one = () => new Promise((resolve, reject) => {
    const messages = [];
    const worker = new Worker(WORKER, { eval: true });
    worker.on("error", reject);
    worker.on("exit", () => resolve(messages));
    worker.on("message", (message) => {
      messages.push(message);
      if (message === "stop") void worker.terminate();
    });
  });
  for (let round = 0; round < 5; round++) {
    const all = await Promise.all(Array.from({ length: 4 }, one));
    assert.deepEqual(all, Array(4).fill([3, "stop"]));
  }
  assert.equal(await evaluate("(+ 1 2)"), 3);
});

const here = fileURLToPath(new URL(".", import.meta.url));

function node(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: here, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a process ends when its work has ended, and can end before", () => {
  const waits = 'require("ptc").evaluate("(tool/f {})", { tools: { f: () => 5 } }).then((it) => console.log(it));';
  assert.deepEqual(node("-e", waits), { status: 0, stdout: "5\n", stderr: "" });
  assert.deepEqual(node("-e", 'require("ptc"); console.log(1);'), { status: 0, stdout: "1\n", stderr: "" });
  const leaves = 'require("ptc").evaluate("(loop [] (recur))", { limits: { fuel: 1e12, program_time: 60 } }); setTimeout(() => process.exit(7), 20);';
  assert.deepEqual(node("-e", leaves), { status: 7, stdout: "", stderr: "" });
});

test("ES modules and CommonJS are one package with the same names", () => {
  const script = `
    import { createRequire } from "node:module";
    import * as esm from "ptc";
    const cjs = createRequire(import.meta.url)("ptc");
    const names = Object.keys(esm);
    console.log(names.every((it) => esm[it] === cjs[it]) && names.join() === Object.keys(cjs).sort().join());
  `;
  assert.deepEqual(node("--input-type=module", "-e", script), { status: 0, stdout: "true\n", stderr: "" });
});
