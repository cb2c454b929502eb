/**
 * Child processes for tests: output is kept, a stop is certain, and nothing outlives the test run even
 * when the run itself is killed. Used for gateways, Apache and nginx.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Writable } from "node:stream";

const OUTPUT_CHARS_MAX = 2_000_000;

// The program replaces the shell, so its process id is the child's. Beside it a guard waits on descriptor 3,
// which closes when the test process is gone for whatever reason: then the guard ends the program and its
// process group. A line on descriptor 3 means that the program has ended by itself.
const GUARDED = `( { read -r line <&3 || { kill -TERM $$; sleep 3; kill -KILL -$$; }; } >/dev/null 2>&1 & )
exec "$@" 3<&-`;

const { USHER_CHILDREN_COVERAGE } = process.env;
/** Where scripts/coverage.mjs has V8 write what programs of Node run. */
const coverage = USHER_CHILDREN_COVERAGE === undefined ? {} : { NODE_V8_COVERAGE: USHER_CHILDREN_COVERAGE };

/** How long what an ended program printed is waited for. */
const DRAIN_MS = 2_000;

/** A program that hangs is given up after so long. What a busy machine makes slow is not. */
const GIVE_UP_MS = 60_000;

export interface SpawnOptions {
  /** Shown in error messages. */
  name: string;
  command: string;
  args: readonly string[];
  /** The whole environment; default: this process's. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Running {
  readonly name: string;
  readonly pid: number;
  /** Standard output and error in order of arrival (the last two million characters). */
  output(): string;
  stdout(): string;
  stderr(): string;
  readonly exited: Promise<Exit>;
  hasExited(): boolean;
  /** Resolves with the first match in the output, past or future. */
  waitForOutput(pattern: RegExp, timeoutMs?: number): Promise<RegExpMatchArray>;
  /** Resolves as soon as `probe` answers true; throws with the output when the program ends or time is up. */
  waitUntil(what: string, probe: () => Promise<boolean>, timeoutMs?: number): Promise<void>;
  /** Asks the program to end; after `graceMs` its whole process group is killed. */
  stop(graceMs?: number): Promise<Exit>;
  /** Ends the program and its process group at once, as a crash would. */
  kill(): Promise<Exit>;
  signal(signal: NodeJS.Signals): void;
}

/** The full path of a program, looked up in PATH and the usual places of servers; undefined when it is not there. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", "/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export function startProcess(options: SpawnOptions): Running {
  const child = spawn("/bin/sh", ["-c", GUARDED, "sh", options.command, ...options.args], {
    env: { ...(options.env ?? process.env), ...coverage },
    cwd: options.cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.name}: could not be started`);
  const output = captureOutput(child);
  let exit: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      const ended = { code, signal };
      exit = ended;
      dismissGuard(child);
      // What it printed last may still be in the pipe; a child of its own that lives on would keep that open.
      const timer = setTimeout(() => resolve(ended), DRAIN_MS);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(ended);
      });
    });
  });

  const failure = (what: string) => new Error(`${options.name}: ${what}\n--- its output ---\n${output.both()}`);

  async function waitUntil(what: string, probe: () => Promise<boolean>, timeoutMs = GIVE_UP_MS): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await probe())) {
      if (exit !== undefined) throw failure(`ended (${exit.code ?? exit.signal}) while waiting for ${what}`);
      if (Date.now() > deadline) throw failure(`no ${what} within ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async function waitForOutput(pattern: RegExp, timeoutMs?: number): Promise<RegExpMatchArray> {
    let match: RegExpMatchArray | null = null;
    const probe = async () => {
      match = output.both().match(pattern);
      return match !== null;
    };
    await waitUntil(`output like ${pattern}`, probe, timeoutMs);
    if (match === null) throw failure(`no output like ${pattern}`);
    return match;
  }

  function send(signal: NodeJS.Signals, target: number): void {
    if (exit !== undefined) return;
    try {
      process.kill(target, signal);
    } catch (error) {
      // It ended between the check and the signal.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  return {
    name: options.name,
    pid,
    output: output.both,
    stdout: output.stdout,
    stderr: output.stderr,
    exited,
    hasExited: () => exit !== undefined,
    waitForOutput,
    waitUntil,
    signal: (signal) => send(signal, pid),
    async stop(graceMs = 30_000) {
      send("SIGTERM", pid);
      const timer = setTimeout(() => send("SIGKILL", -pid), graceMs);
      try {
        return await exited;
      } finally {
        clearTimeout(timer);
      }
    },
    kill() {
      send("SIGKILL", -pid);
      return exited;
    },
  };
}

function captureOutput(child: ChildProcess) {
  let both = "";
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    both = (both + text).slice(-OUTPUT_CHARS_MAX);
    stdout = (stdout + text).slice(-OUTPUT_CHARS_MAX);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    both = (both + text).slice(-OUTPUT_CHARS_MAX);
    stderr = (stderr + text).slice(-OUTPUT_CHARS_MAX);
  });
  return { both: () => both, stdout: () => stdout, stderr: () => stderr };
}

function dismissGuard(child: ChildProcess): void {
  const line = child.stdio[3] as Writable | null | undefined;
  line?.on("error", () => {});
  line?.end("ended\n");
}
