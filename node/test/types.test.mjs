// The declared types, and the examples of the guide: `tsc` checks both, and the examples run.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const node = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: false,
  target: "es2022",
  lib: ["es2023", "esnext.disposable", "dom", "dom.asynciterable"],
  module: "nodenext",
  moduleResolution: "nodenext",
  types: ["node"],
  skipLibCheck: true,
};

/** Compiles files, and returns the messages. */
function compile(name, files, options) {
  const config = join(node, `tsconfig.${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }));
  try {
    return spawnSync(process.execPath, [tsc, "--project", config, "--pretty", "false"], { cwd: node, encoding: "utf8" }).stdout;
  } finally {
    rmSync(config);
  }
}

test("the types promise what they say", () => {
  assert.equal(compile("types", ["test/types.mts"], { noEmit: true }), "");
});

test("the types are those of the module", () => {
  const declared = readFileSync(join(node, "index.d.ts"), "utf8");
  const names = [...declared.matchAll(/^export (?:class|function|const) (\w+)/gm)].map((it) => it[1]);
  assert.deepEqual([...new Set(names)].sort(), Object.keys(require("ptc")).sort());
});

/** Returns the examples of a page: each has its first line, and its code. */
function examples(page) {
  const text = readFileSync(join(node, "..", page), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((it) => ({
    name: `${page.replace(/\W/g, "-")}-${text.slice(0, it.index).split("\n").length + 1}`,
    code: it[1],
  }));
}

test("the examples of the guide have right types, and run", { timeout: 300_000 }, () => {
  const all = ["docs/node.md", "node/README.md", "README.md"].flatMap(examples);
  assert.ok(all.length > 10, `${all.length} examples`);
  const folder = join(node, "examples");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "run"), { recursive: true });
  for (const { name, code } of all) writeFileSync(join(folder, `${name}.mts`), code);
  const files = all.map(({ name }) => `examples/${name}.mts`);
  assert.equal(compile("examples", files, { outDir: "examples", rootDir: "examples" }), "");
  for (const { name } of all) {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, `${name}.mjs`)], { cwd: join(folder, "run"), encoding: "utf8" });
    assert.deepEqual({ name, status, stderr }, { name, status: 0, stderr: "" });
  }
  rmSync(folder, { recursive: true });
});
