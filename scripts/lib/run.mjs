import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { inRoot, root } from "./paths.mjs";

/**
 * Runs a program in the root folder and answers its exit code (128 + n when signal n ended it).
 * `quiet` keeps its output and prints it only if the program fails.
 */
export async function run(command, args, { quiet = false, env = process.env } = {}) {
  const stdio = quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
  const child = spawn(command, args, { cwd: root, stdio, env });
  const output = [];
  child.stdout?.on("data", (chunk) => output.push(chunk));
  child.stderr?.on("data", (chunk) => output.push(chunk));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve(exitCode ?? (signal === "SIGINT" ? 130 : 143)));
  });
  if (quiet && code !== 0) {
    process.stderr.write(Buffer.concat(output));
  }
  return code;
}

/** Runs a JavaScript program of a package in node_modules, by its name in that package's `bin`. */
export function runTool(path, args, options) {
  return run(process.execPath, [inRoot("node_modules", path), ...args], options);
}

/** Runs npm: the one that started this script, else the one beside node, else the one in PATH. */
export function runNpm(args, options) {
  const candidates = [
    process.env.npm_execpath ?? "",
    join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js"),
    join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js"),
  ];
  const cli = candidates.find((path) => basename(path) === "npm-cli.js" && existsSync(path));
  return cli === undefined ? run("npm", args, options) : run(process.execPath, [cli, ...args], options);
}

/** Ends this process with a message for a human instead of a stack. */
export function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
