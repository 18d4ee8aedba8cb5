// Times the Node package beside other sandboxes: `node --no-node-snapshot bench/rivals/node.mjs [ROUNDS]`, in a project where
// `ptc`, `@pydantic/monty`, `quickjs-emscripten` and `isolated-vm` are installed. Prints a table of least times and
// medians. The packages take turns in each round; one that does not load is left out.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const COUNT = 1_000;
const rows = Array.from({ length: COUNT }, (_, n) => ({
  id: n,
  name: `item ${n}`,
  price: ((n * 37) % 1000) / 10,
  paid: n % 3 === 0,
  tags: ["a", "b"],
}));
const cheap = rows.filter((it) => it.paid && it.price < 50);
const odd = Array.from({ length: COUNT }, (_, n) => 2 * n + 1);
const inProject = createRequire(pathToFileURL(join(process.cwd(), "x.js")));
const load = (name) => import(pathToFileURL(inProject.resolve(name)));

/** Each package opens, and gives the work that it can do. */
const packages = {
  async ptc() {
    const { Session, evaluate, evaluateSync } = await load("ptc");
    const plain = new Session();
    const session = new Session({ tools: { double: ({ n }) => 2 * n } });
    return {
      smallSync: () => odd.map((_, n) => plain.evaluateSync(`(+ (* ${n} 2) 1)`)),
      aloneSync: () => odd.map((_, n) => evaluateSync("(+ (* ctx/n 2) 1)", { ctx: { n } })),
      small: () => inTurn((n) => session.evaluate(`(+ (* ${n} 2) 1)`)),
      alone: () => inTurn((n) => evaluate("(+ (* ctx/n 2) 1)", { ctx: { n } })),
      atOnce: () => Promise.all(odd.map((_, n) => evaluate("(+ (* ctx/n 2) 1)", { ctx: { n } }))),
      hostCall: () => session.evaluate("(tool/double {:n 21})"),
      hostCalls: () => session.evaluate("(reduce + (map #(tool/double {:n %}) (range 100)))"),
      records: () => evaluate("(filter #(and (:paid %) (< (:price %) 50)) ctx/rows)", { ctx: { rows } }),
    };
  },
  async "@pydantic/monty"() {
    const { Monty } = await load("@pydantic/monty");
    const externalFunctions = { double: (n) => 2 * n };
    const calls = "total = 0\nfor n in range(100):\n    total += double(n)\ntotal";
    return {
      smallSync: () => odd.map((_, n) => new Monty(`${n} * 2 + 1`).run()),
      aloneSync: () => odd.map((_, n) => new Monty("n * 2 + 1", { inputs: ["n"] }).run({ inputs: { n } })),
      hostCall: () => new Monty("double(21)").run({ externalFunctions }),
      hostCalls: () => new Monty(calls).run({ externalFunctions }),
      records: () => {
        const program = new Monty("[it for it in rows if it['paid'] and it['price'] < 50]", { inputs: ["rows"] });
        return program.run({ inputs: { rows } }).map((it) => (it instanceof Map ? Object.fromEntries(it) : it));
      },
    };
  },
  async "quickjs-emscripten"() {
    const { getQuickJS } = await load("quickjs-emscripten");
    const quickjs = await getQuickJS();
    const evaluated = (context, code) => {
      const handle = context.unwrapResult(context.evalCode(code));
      const value = context.dump(handle);
      handle.dispose();
      return value;
    };
    const context = quickjs.newContext();
    const double = context.newFunction("double", (n) => context.newNumber(2 * context.getNumber(n)));
    context.setProp(context.global, "double", double);
    const within = (code, data) => {
      const own = quickjs.newContext();
      const text = own.newString(JSON.stringify(data));
      own.setProp(own.global, "text", text);
      text.dispose();
      const value = evaluated(own, code);
      own.dispose();
      return value;
    };
    return {
      smallSync: () => odd.map((_, n) => evaluated(context, `${n} * 2 + 1`)),
      aloneSync: () => odd.map((_, n) => within("JSON.parse(text) * 2 + 1", n)),
      hostCall: () => evaluated(context, "double(21)"),
      hostCalls: () => evaluated(context, "{ let total = 0; for (let n = 0; n < 100; n++) total += double(n); total }"),
      records: () => JSON.parse(within("JSON.stringify(JSON.parse(text).filter((it) => it.paid && it.price < 50))", rows)),
    };
  },
  async "isolated-vm"() {
    const { default: ivm } = await load("isolated-vm");
    const isolate = new ivm.Isolate({ memoryLimit: 1024 });
    const context = await isolate.createContext();
    await context.global.set("double", new ivm.Reference(async (n) => 2 * n));
    const alone = async (code, data) => {
      const own = await isolate.createContext();
      await own.global.set("data", new ivm.ExternalCopy(data).copyInto());
      const value = await own.eval(code, { copy: true });
      own.release();
      return value;
    };
    const call = "double.apply(undefined, [21], { result: { promise: true, copy: true } })";
    return {
      small: () => inTurn((n) => context.eval(`${n} * 2 + 1`, { copy: true })),
      alone: () => inTurn((n) => alone("data * 2 + 1", n)),
      atOnce: () => Promise.all(odd.map((_, n) => alone("data * 2 + 1", n))),
      hostCall: () => context.eval(call, { promise: true, copy: true }),
      hostCalls: () => {
        const all = `(async () => { let total = 0; for (let n = 0; n < 100; n++) total += await ${call.replace("21", "n")}; return total; })()`;
        return context.eval(all, { promise: true, copy: true });
      },
      records: () => alone("data.filter((it) => it.paid && it.price < 50)", rows),
    };
  },
};

async function inTurn(work) {
  const values = [];
  for (let n = 0; n < COUNT; n++) values.push(await work(n));
  return values;
}

const work = [
  ["1,000 small programs of one session, on the thread of Node", "smallSync", odd, 1],
  ["1,000 small programs, each on its own, on the thread of Node", "aloneSync", odd, 1],
  ["1,000 small programs of one session, on another thread", "small", odd, 1],
  ["1,000 small programs, each on its own, on another thread", "alone", odd, 1],
  ["the same at once", "atOnce", odd, 1],
  ["one host call", "hostCall", 42, 100],
  ["100 host calls of one program, in turn", "hostCalls", 9_900, 1],
  ["1,000 records in, filtered, out", "records", cheap, 1],
];

const FIRST = {
  ptc: 'const { evaluate } = await load("ptc"); await evaluate("(+ 1 2)");',
  "@pydantic/monty": 'const { Monty } = await load("@pydantic/monty"); new Monty("1 + 2").run();',
  "quickjs-emscripten": 'const { getQuickJS } = await load("quickjs-emscripten"); (await getQuickJS()).evalCode("1 + 2");',
  "isolated-vm": 'const { default: ivm } = await load("isolated-vm"); await (await new ivm.Isolate().createContext()).eval("1 + 2");',
};

/** Returns the milliseconds and the MiB that the first program takes in a fresh process, beside those of Node alone. */
function fresh(name) {
  const code = `
    import { createRequire } from "node:module";
    import { pathToFileURL } from "node:url";
    const inProject = createRequire(pathToFileURL(process.cwd() + "/x.js"));
    const load = (name) => import(pathToFileURL(inProject.resolve(name)));
    const before = process.memoryUsage().rss;
    const start = performance.now();
    ${FIRST[name]}
    console.log(JSON.stringify([performance.now() - start, (process.memoryUsage().rss - before) / 2 ** 20]));
    process.exit();
  `;
  const args = name === "isolated-vm" ? ["--no-node-snapshot"] : [];
  const { stdout, stderr } = spawnSync(process.execPath, [...args, "--input-type=module", "-e", code], { encoding: "utf8" });
  assert.ok(stdout, stderr);
  return JSON.parse(stdout);
}

const shown = (ms) => (ms < 0.1 ? `${(ms * 1000).toPrecision(3)} µs` : `${ms.toPrecision(3)} ms`);
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const rounds = Number(process.argv[2] ?? 15);
const opened = [];
for (const [name, open] of Object.entries(packages)) {
  try {
    opened.push([name, await open()]);
  } catch (error) {
    console.error(`${name} is left out: ${error.message}`);
  }
}
console.log(`| work |${opened.map(([name]) => ` ${name} | median |`).join("")}`);
console.log(`|---|${"---:|---:|".repeat(opened.length)}`);
const starts = opened.map(([name]) => Array.from({ length: rounds }, () => fresh(name)));
for (const [what, at, unit] of [["start: load, and the first program", 0, shown], ["memory of that", 1, (it) => `${it.toFixed(1)} MiB`]]) {
  const cells = starts.map((all) => all.map((it) => it[at])).map((all) => ` ${unit(Math.min(...all))} | ${unit(median(all))} |`);
  console.log(`| ${what} |${cells.join("")}`);
}
for (const [what, kind, expected, times] of work) {
  const took = opened.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [at, [, it]] of opened.entries()) {
      if (it[kind] === undefined) continue;
      const start = performance.now();
      let value;
      for (let i = 0; i < times; i++) value = await it[kind]();
      if (round >= 0) took[at].push((performance.now() - start) / times);
      assert.deepEqual(value, expected, `${opened[at][0]}: ${what}`);
    }
  }
  console.log(`| ${what} |${took.map((all) => (all.length ? ` ${shown(Math.min(...all))} | ${shown(median(all))} |` : " – | – |")).join("")}`);
}
process.exit();
