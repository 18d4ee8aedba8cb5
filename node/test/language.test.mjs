// Programs alone: values, tools, sessions, limits, errors.

import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";

import { Failed, ProgramError, Session, Tool, ToolError, check, evaluate, evaluateSync, tool } from "ptc";
import * as v from "valibot";
import { type } from "arktype";
import { z } from "zod";

test("a program sees its data and gives a value", async () => {
  const orders = [{ id: 1, total: 40 }, { id: 2, total: 2 }];
  assert.equal(await evaluate("(reduce + (map :total ctx/orders))", { ctx: { orders } }), 42);
});

test("values survive both ways", async () => {
  const values = [
    null, true, "", "é\u0000\"\\\ud83d\ude00", 0, -0, 1.5, -3, NaN, Infinity, -Infinity, 1e300, 1e20, 2 ** 53 - 1, 2n ** 53n, -(2n ** 70n),
    [], [1, [2, [null]]], {}, { a: 1, "b c": { $: 1 } }, { $: ["int", "1"] }, { $: { $: 1 } },
    new Set([1, "a"]), new Map([[1, "a"], [[2], new Set()]]), { deep: [new Map([["x", 1], [2, 1n << 64n]])] },
  ];
  for (const value of values) {
    assert.deepEqual(await evaluate("ctx/value", { ctx: { value } }), value);
  }
});

test("values change their kind where JavaScript or the language lacks it", async () => {
  const cases = [
    [7n, 7],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [new Uint8Array([1, 2]), [1, 2]],
    [new Map([["a", 1]]), { a: 1 }],
    [new (class Point { x = 1; y = undefined; })(), { x: 1 }],
    [[undefined, , 1], [null, null, 1]],
  ];
  for (const [given, expected] of cases) {
    assert.deepEqual(await evaluate("ctx/value", { ctx: { value: given } }), expected);
  }
  assert.deepEqual(await evaluate("[:k 'sym {:a 1} {1 2} #{3} (/ 1 2.0)]"), ["k", "sym", { a: 1 }, new Map([[1, 2]]), new Set([3]), 0.5]);
});

test("a value without a form is refused with its path", async () => {
  const loop = {};
  loop.loop = loop;
  const cases = [
    [{ rows: [1, { f() {} }] }, "ctx.rows[1].f: a function has no form in a program"],
    [{ s: Symbol("x") }, "ctx.s: a symbol has no form in a program"],
    [{ p: Promise.resolve(1) }, "ctx.p: a promise has no form in a program; await it first"],
    [[1], "ctx must be an object"],
  ];
  for (const [ctx, message] of cases) {
    await assert.rejects(evaluate("1", { ctx }), { name: "TypeError", message });
  }
  await assert.rejects(evaluate("1", { ctx: loop }), /is nested deeper than 500 levels, or contains itself/);
  await assert.rejects(evaluate("inc"), { code: "not-json" });
});

test("tools are functions and async functions, and run side by side", async () => {
  let inside = 0;
  let most = 0;
  const rate = async ({ currency }) => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inside -= 1;
    return { USD: 0.5, GBP: 1.25 }[currency];
  };
  const source = '(pmap (fn [c] (tool/rate {:currency c})) ["USD" "GBP"])';
  assert.deepEqual(await evaluate(source, { tools: { rate } }), [0.5, 1.25]);
  assert.equal(most, 2);
  assert.equal(await evaluate("(tool/double {:n 2})", { tools: [function double({ n }) { return 2 * n; }] }), 4);
});

test("tools see the asynchronous context of the caller", async () => {
  const storage = new AsyncLocalStorage();
  const who = () => storage.getStore();
  const seen = await Promise.all(["a", "b"].map((name) => storage.run(name, () => evaluate("(tool/who {})", { tools: { who } }))));
  assert.deepEqual(seen, ["a", "b"]);
});

test("a signature or a schema checks arguments and results", async () => {
  const schemas = {
    zod: [z.object({ n: z.number().int() }), z.object({ twice: z.number() })],
    valibot: [v.object({ n: v.pipe(v.number(), v.integer()) }), v.object({ twice: v.number() })],
    arktype: [type({ n: "number.integer" }), type({ twice: "number" })],
    json: [{ type: "object", properties: { n: { type: "integer" } }, required: ["n"] }, { type: "object", properties: { twice: { type: "number" } }, required: ["twice"] }],
  };
  for (const [name, [input, output]] of Object.entries(schemas)) {
    const twice = tool({ input, output, effect: "read" }, async ({ n }) => ({ twice: n === 13 ? "x" : 2 * n }));
    assert.ok(twice instanceof Tool);
    const session = new Session({ tools: { twice } });
    assert.deepEqual(await session.evaluate("(tool/twice {:n 4})"), { twice: 8 }, name);
    for (const source of ['(tool/twice {:n "x"})', "(tool/twice {:n 13})"]) {
      await assert.rejects(session.evaluate(source), ProgramError, `${name}: ${source}`);
    }
  }
  const signed = tool({ signature: "(n :int) -> :int" }, ({ n }) => n + 1);
  assert.equal(await evaluate("(tool/signed {:n 1})", { tools: { signed } }), 2);
  const refused = await check('(tool/signed {:n "x"})', { tools: { signed } });
  assert.deepEqual([refused.admitted, refused.errors[0].code], [false, "tool-arguments"]);
});

test("a schema may change data on the way", async () => {
  const input = z.object({ day: z.string().transform((it) => new Date(it)) });
  const year = tool({ input }, ({ day }) => day.getUTCFullYear());
  assert.equal(await evaluate('(tool/year {:day "2026-05-01"})', { tools: { year } }), 2026);
  assert.deepEqual(await evaluate('{:day "2026-05-01"}', { output: input }), { day: new Date("2026-05-01") });
  await assert.rejects(evaluate("{:day 1}", { output: input }), { name: "TypeError", message: /^the value of the program does not match: day: / });
});

test("an exception is the failure of its call", async () => {
  const page = () => {
    throw new ToolError("no such page", { help: "pages are 1 to 3" });
  };
  const broken = async () => {
    throw new RangeError("too far");
  };
  const tools = { page, broken };
  const caught = "(try (tool/page {:number 9}) (catch Exception e (:message (ex-data e))))";
  assert.equal(await evaluate(caught, { tools }), "no such page");
  await assert.rejects(evaluate("(tool/page {})", { tools }), (error) => {
    assert.deepEqual([error.code, error.message, error.help], ["tool-failed", "tool `page`: no such page", "pages are 1 to 3"]);
    return error.cause instanceof ToolError;
  });
  await assert.rejects(evaluate("(tool/broken {})", { tools }), { message: "tool `broken`: RangeError: too far" });
  const odd = () => ({ f() {} });
  await assert.rejects(evaluate("(tool/odd {})", { tools: { odd } }), /the result.f: a function has no form in a program/);
});

test("a permanent failure is not tried again, and others are", async () => {
  const counts = { once: 0, again: 0 };
  const once = tool({ effect: "read", retries: 2 }, () => {
    counts.once += 1;
    throw new ToolError("never", { permanent: true });
  });
  const again = tool({ effect: "read", retries: 2 }, () => {
    counts.again += 1;
    if (counts.again < 3) throw new ToolError("later", { retryAfter: 0.001 });
    return counts.again;
  });
  const source = "[(if-error (tool/once {}) nil) (tool/again {})]";
  assert.deepEqual(await evaluate(source, { tools: { once, again } }), [null, 3]);
  assert.deepEqual(counts, { once: 1, again: 3 });
});

test("a program that is refused tells all problems", async () => {
  await assert.rejects(evaluate("(foo)\n (bar)"), (error) => {
    assert.ok(error instanceof ProgramError && error instanceof Error);
    assert.deepEqual([error.name, error.code, error.kind, error.message, error.line, error.column], ["ProgramError", "unknown-name", "unresolved", "`foo` is not defined", 1, 2]);
    assert.deepEqual(error.problems.map((it) => [it.message, it.line, it.column]), [["`foo` is not defined", 1, 2], ["`bar` is not defined", 2, 3]]);
    assert.match(error.rendering, /program:1:2/);
    return true;
  });
});

test("`fail` is an error of its own", async () => {
  await assert.rejects(evaluate('(fail {:reason "empty" :message "no orders" :n 0})'), (error) => {
    assert.ok(error instanceof Failed);
    assert.deepEqual([error.name, error.reason, error.message, error.details.n], ["Failed", "empty", "no orders", 0]);
    return true;
  });
});

test("limits end a program, and wrong ones are refused", async () => {
  await assert.rejects(evaluate("(loop [] (recur))", { limits: { fuel: 10_000 } }), {
    code: "fuel-limit",
    message: "the program used up its fuel of 10000 units of work",
    line: 1,
    column: 10,
  });
  await assert.rejects(evaluate("1", { limits: { fule: 1 } }), { name: "TypeError", message: /there is no limit `fule`/ });
  await assert.rejects(evaluate("(range 10000)", { limits: { result_bytes: 1000 } }), { code: "result-size-limit" });
});

test("a session keeps definitions and memory", async () => {
  const session = new Session({ ctx: { n: 2 }, memory: { seen: 0 }, seed: 7 });
  const first = await session.run('(println "hello") (def k 20) (memory/put :seen 1) (* k ctx/n)');
  assert.ok(first.fuel > 0);
  assert.deepEqual({ ...first, fuel: 0 }, { value: 40, returned: false, prints: ["hello"], fuel: 0, calls: [], warnings: [], repair: null });
  assert.equal(await session.evaluate("(+ k 1)"), 21);
  assert.deepEqual(await session.memory(), { seen: 1 });
  assert.equal(session.seed, 7n);
  const same = (seed) => new Session({ seed }).evaluate("(rand-int 1000000)");
  assert.equal(await same(2n ** 63n), await same("9223372036854775808"));
});

test("a program without tools runs on the thread of the caller", () => {
  assert.equal(evaluateSync("(* 2 ctx/n)", { ctx: { n: 21n } }), 42);
  const session = new Session();
  assert.equal(session.evaluateSync("(def k 20) (+ k 1)"), 21);
  assert.equal(session.evaluateSync("(+ k 2)"), 22);
  assert.throws(() => session.evaluateSync("(foo)"), { name: "ProgramError", code: "unknown-name" });
  assert.throws(() => session.evaluateSync('(fail {:reason "x" :message "y"})'), { name: "Failed", message: "y" });
  assert.throws(() => evaluateSync("(loop [] (recur))", { limits: { fuel: 1000 } }), { code: "fuel-limit" });
  const withTools = new Session({ tools: { f: () => 1 } });
  assert.throws(() => withTools.evaluateSync("1"), { name: "TypeError", message: /tools need the event loop/ });
});

test("a session runs one program at a time", async () => {
  const session = new Session({ tools: { wait: () => new Promise((resolve) => setTimeout(resolve, 20)) } });
  const running = session.run("(tool/wait {}) 1");
  await assert.rejects(session.run("2"), { message: "the session is running another program" });
  assert.deepEqual((await running).calls, [{ name: "wait", args: {}, result: null, error: null }]);
});

test("delimiters are repaired on demand", async () => {
  const source = "(defn f [x]\n  (+ x 1)\n(f 1)";
  await assert.rejects(evaluate(source), { code: "unclosed-delimiter" });
  const { value, repair } = await new Session().run(source, { repair: true });
  assert.deepEqual([value, repair], [2, "added `)` at line 2, column 10, which closes `(defn …` of line 1"]);
});

test("a signal ends a program, and aborts the signals of its calls", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  let aborted = false;
  const wait = (_, { signal }) => {
    controller.abort(reason);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve((aborted = true))));
  };
  await assert.rejects(evaluate("(tool/wait {})", { tools: { wait }, signal: controller.signal }), reason);
  assert.equal(aborted, true);
  await assert.rejects(evaluate("1", { signal: AbortSignal.abort(reason) }), reason);
  const spinning = evaluate("(loop [] (recur))", { signal: AbortSignal.timeout(20), limits: { fuel: 1e12, program_time: 60 } });
  await assert.rejects(spinning, { name: "TimeoutError" });
});

test("a check tells what a program can touch", async () => {
  const rate = tool({ signature: "(currency :string) -> :float", effect: "read" }, () => 1);
  const found = await check("(map (fn [c] (tool/rate {:currency c})) ctx/all)", { ctx: { all: ["USD", "GBP"] }, tools: { rate } });
  const { tools, can_write } = found.report;
  assert.deepEqual([found.admitted, tools[0].at_most, can_write], [true, 2, false]);
  const refused = await check("(foo) (bar)");
  assert.deepEqual([refused.admitted, refused.report], [false, null]);
  assert.deepEqual(refused.errors.map((it) => it.message), ["`foo` is not defined", "`bar` is not defined"]);
});

test("wrong tools are refused", async () => {
  const cases = [
    [() => tool({ effects: "read" }, () => 1), "a tool has no setting `effects`"],
    [() => tool({}, 1), "a tool must be a function, and is a number"],
    [() => tool({ signature: "() -> :int", input: {} }, () => 1), "a tool has a signature, or schemas of input and output"],
    [() => new Session({ tools: [() => 1] }), "a function without a name needs one: `tools: { name: function }`"],
    [() => new Session({ tools: { a: tool({ effect: "reed" }, () => 1) } }), 'the effect of a tool is "read" or "write", not "reed"'],
    [() => new Session({ tools: { a: 1 } }), "a tool must be a function, and is a number"],
    [() => new Session({ seed: -1 }), "`seed` must be a whole number, and is -1"],
  ];
  for (const [make, message] of cases) {
    assert.throws(make, { name: "TypeError", message });
  }
});

test("the event loop goes on while programs compute", async () => {
  const controller = new AbortController();
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1) === 10 && controller.abort(new Error("ten")), 1);
  const endless = { limits: { fuel: 1e12, program_time: 60 }, signal: controller.signal };
  await assert.rejects(evaluate("(loop [] (recur))", endless), { message: "ten" });
  clearInterval(timer);
});
