// Long: it builds Usher without three features, and runs the quick tests that are left, but for browsers and faults: five minutes of CPU time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { copyWithoutFeatures } from "../../../scripts/lib/without-features.mjs";

const features = ["status-page", "doctor", "preview"];
const folder = mkdtempSync(join(tmpdir(), "usher-without-features-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`without ${features.join(", ")} the rest is whole: it compiles, is built, and passes its tests`, async ({
  signal,
}) => {
  copyWithoutFeatures(folder, features);
  const node = async (program: string, ...args: string[]) => run([join(folder, program), ...args], signal);
  await node("scripts/reference.mjs");
  await node("node_modules/typescript/bin/tsc", "--noEmit");
  await node("scripts/build.mjs");
  const projects = ["unit", "contract", "e2e"].flatMap((kind) => ["--project", kind]);
  expect(await node("node_modules/vitest/vitest.mjs", "run", ...projects)).toMatch(/Test Files .*passed/);
}, 3_600_000);

/** @throws an error with the end of the output, where the program fails */
async function run(args: readonly string[], signal: AbortSignal): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_OPTIONS$/.test(name));
  const env = { ...Object.fromEntries(inherited), NODE_ENV: "", NO_COLOR: "1" };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], signal });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} ends with ${code}:\n${faults(output)}`);
  return output;
}

/** What failed, and the end. */
function faults(output: string): string {
  const lines = output.split("\n");
  return [...lines.filter((line) => /FAIL|Error/.test(line)).slice(0, 60), ...lines.slice(-30)].join("\n");
}
