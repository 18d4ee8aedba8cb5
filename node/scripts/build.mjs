// Builds the addon for this platform, and puts it where `lib/native.js` looks: `npm run build`, with `--release` or other
// arguments of cargo behind `--`.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { addon } = createRequire(import.meta.url)("../lib/platform.js");
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const args = ["build", "--package", "ptc-node", "--message-format", "json-render-diagnostics", ...process.argv.slice(2)];
const said = execFileSync("cargo", args, {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 28,
  stdio: ["ignore", "pipe", "inherit"],
});
const made = said
  .split("\n")
  .filter((line) => line.startsWith("{"))
  .map((line) => JSON.parse(line))
  .filter((it) => it.reason === "compiler-artifact" && it.target.name === "ptc_node")
  .flatMap((it) => it.filenames)
  .find((it) => /\.(so|dylib|dll)$/.test(it));
const target = join(here, "..", "native", addon());
mkdirSync(dirname(target), { recursive: true });
copyFileSync(made, target);
console.log(target);
