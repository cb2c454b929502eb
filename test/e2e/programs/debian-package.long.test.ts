// Long: builds a Debian package and installs it.
/** The Debian package, built and installed into a root of its own, and the program started from there as its unit says. */
import { execFileSync } from "node:child_process";
import { accessSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { buildDebianPackage } from "../../../scripts/lib/debian.mjs";
// @ts-expect-error: a script without types
import { LINTERS, runLinter } from "../../../scripts/lib/linters/index.mjs";
import { answers, freePorts } from "../../support/ports.ts";
import { findProgram, startProcess } from "../../support/processes.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

const unit = readFileSync(fileURLToPath(new URL("../../../deploy/systemd/usher.service", import.meta.url)), "utf8");
/** What the unit says of a key; several lines are several words. */
const wordsOf = (key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=-?(.*)$`, "gm"))].flatMap(([, value = ""]) => value.split(" "));

const needed = ["dpkg", "dpkg-deb", "systemd-sysusers", "setpriv"].filter((name) => findProgram(name) === undefined);
const missing = process.getuid?.() === 0 ? needed : [...needed, "the rights of root"];
if (missing.length > 0) process.stderr.write(`the Debian package is not tested: no ${missing.join(", ")}\n`);

describe.skipIf(missing.length > 0)("the Debian package", () => {
  let folder: TempDir;
  let packageFile: string;
  /** The system that it is installed into. */
  let root: string;
  const inRoot = (path: string) => join(root, path);
  const read = (path: string) => readFileSync(inRoot(path), "utf8");
  const dpkg = (...args: string[]) =>
    // Of a system without anything else no package is missing, and its scripts run outside of it.
    execFileSync(
      "dpkg",
      [`--root=${root}`, "--force-depends", "--force-script-chrootless", "--force-confold", ...args],
      {
        encoding: "utf8",
        stdio: "pipe",
      },
    );
  const uid = () => Number(/^usher:x:(\d+):/m.exec(read("etc/passwd"))?.[1]);
  const gid = () => Number(/^usher:x:(\d+):/m.exec(read("etc/group"))?.[1]);

  beforeAll(async () => {
    folder = await makeTempDir("debian", true);
    root = join(folder.path, "root");
    for (const path of ["var/lib/dpkg/info", "var/lib/dpkg/updates", "etc"])
      mkdirSync(inRoot(path), { recursive: true });
    writeFileSync(inRoot("var/lib/dpkg/status"), "");
    packageFile = await buildDebianPackage(folder.path);
    dpkg("--install", packageFile);
  });
  afterAll(() => folder?.remove());

  test("a user without a shell, the unit of the repository, an admin key that nobody else has", () => {
    expect(read("etc/passwd")).toMatch(/^usher:x:\d+:\d+:.*:\/usr\/sbin\/nologin$/m);
    expect(read("usr/lib/systemd/system/usher.service")).toBe(unit);
    expect(read("etc/usher/usher.env")).toMatch(/^USHER_ADMIN_API_KEY=[0-9a-f]{64}$/m);
    for (const file of ["etc/usher/usher.env", "etc/usher/usher.yaml"]) {
      const { mode, uid: owner, gid: group } = statSync(inRoot(file));
      expect([file, mode & 0o777, owner, group]).toEqual([file, 0o640, 0, gid()]);
    }
  });

  test("the files that the unit names are there", () => {
    expect(wordsOf("ExecStart").slice(1)).toEqual([
      "/usr/lib/usher/dist/main.js",
      "serve",
      "--config",
      "/etc/usher/usher.yaml",
    ]);
    for (const path of [...wordsOf("WorkingDirectory"), ...wordsOf("EnvironmentFile"), wordsOf("ExecStart")[1] ?? ""]) {
      expect(() => accessSync(inRoot(path)), path).not.toThrow();
    }
  });

  test("the timer of backups is there, and its service asks the operators' listener of the configuration that is installed", () => {
    const service = read("usr/lib/systemd/system/usher-backup.service");
    const { port } =
      /admin: \{ listen: \{ host: 127\.0\.0\.1, port: (?<port>\d+)/.exec(read("etc/usher/usher.yaml"))?.groups ?? {};
    expect(service).toContain(`USHER_ADMIN=http://127.0.0.1:${port}`);
    expect(service).toMatch(
      /^ExecStart=\/usr\/bin\/node \/usr\/lib\/usher\/dist\/main\.js export --dir \/var\/lib\/usher-backups /m,
    );
    expect(read("usr/lib/systemd/system/usher-backup.timer")).toMatch(/^OnCalendar=minutely$/m);
  });

  test("`usher` checks the configuration as it is installed, and finds no fault and no warning", () => {
    const usher = (...args: string[]) =>
      execFileSync(inRoot("usr/bin/usher"), args, { encoding: "utf8", env: environment() });
    expect(usher("--version").trim()).toBe(/^Version: (.*)$/m.exec(dpkgField())?.[1]);
    expect(usher("check", inRoot("etc/usher/usher.yaml")).trim().split("\n")).toEqual([
      expect.stringMatching(/usher\.yaml has no fault: 1 issuer, 1 room, 0 clients\.$/),
    ]);
  });

  test("what is loaded from beside the program is there", () => {
    const script = "await import('@aws-sdk/client-secrets-manager')";
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: inRoot("usr/lib/usher") });
  });

  test("the program starts as the unit says, as a user that may write its state alone, answers, and ends in time", async () => {
    const [port = 0, operators = 0] = await freePorts(2);
    const file = inRoot("etc/usher/usher.yaml");
    const configuration = read("etc/usher/usher.yaml")
      .replaceAll(/\b3000\b/g, `${port}`)
      .replaceAll(/\b3100\b/g, `${operators}`);
    writeFileSync(file, configuration);
    // As StateDirectory does.
    expect([wordsOf("StateDirectory"), wordsOf("StateDirectoryMode")]).toEqual([["usher"], ["0700"]]);
    mkdirSync(inRoot("var/lib/usher"), { mode: 0o700, recursive: true });
    chownSync(inRoot("var/lib/usher"), uid(), gid());
    const ids = [`--reuid=${uid()}`, `--regid=${gid()}`, "--clear-groups", "--no-new-privs", "--bounding-set=-all"];
    const [, main = "", ...args] = wordsOf("ExecStart");
    const running = startProcess({
      name: "the installed program",
      command: "setpriv",
      args: [
        ...ids,
        process.execPath,
        inRoot(main),
        ...args.map((word) => (word.startsWith("/") ? inRoot(word) : word)),
      ],
      env: environment(),
      cwd: inRoot(wordsOf("WorkingDirectory")[0] ?? ""),
    });
    try {
      await running.waitUntil("answer of /healthz", () => answers(`http://127.0.0.1:${port}/healthz`));
      const statusOf = async (path: string, at = operators) => (await fetch(`http://127.0.0.1:${at}${path}`)).status;
      await expect.poll(() => statusOf("/readyz")).toBe(200);
      expect([
        await statusOf("/healthz", port),
        await statusOf("/rooms/tickets/status", port),
        await statusOf("/admin/rooms", port),
      ]).toEqual([200, 200, 404]);
      const authorization = `Bearer ${environment().USHER_ADMIN_API_KEY}`;
      expect((await fetch(`http://127.0.0.1:${operators}/admin/rooms`, { headers: { authorization } })).status).toBe(
        200,
      );
      expect(statSync(inRoot("var/lib/usher/secrets.json")).mode & 0o777).toBe(0o600);
      const stopSec = Number(wordsOf("TimeoutStopSec")[0]);
      const stopped = await running.stop(stopSec * 1_000);
      expect(stopped).toEqual({ code: 0, signal: null });
    } finally {
      await running.stop(0);
    }
  });

  test("an upgrade keeps what was configured, a removal too, and a purge leaves no key behind", () => {
    const [configuration, env] = [read("etc/usher/usher.yaml"), read("etc/usher/usher.env")];
    dpkg("--install", packageFile);
    expect([read("etc/usher/usher.yaml"), read("etc/usher/usher.env")]).toEqual([configuration, env]);
    dpkg("--remove", "usher");
    expect([read("etc/usher/usher.yaml"), read("etc/usher/usher.env")]).toEqual([configuration, env]);
    expect(() => accessSync(inRoot("usr/lib/usher"))).toThrow();
    expect(statSync(inRoot("var/lib/usher/secrets.json")).isFile()).toBe(true);
    dpkg("--purge", "usher");
    expect(() => accessSync(inRoot("var/lib/usher"))).toThrow();
    expect(() => accessSync(inRoot("etc/usher"))).toThrow();
  });

  const dpkgField = () => execFileSync("dpkg-deb", ["--field", packageFile], { encoding: "utf8" });

  /** What systemd gives the program: the unit's own variables and those of its file. */
  function environment(): Record<string, string> {
    const lines = [...wordsOf("Environment"), ...read("etc/usher/usher.env").split("\n")];
    const pairs = lines.map((line) => /^(\w+)=(.*)$/.exec(line)).filter((pair) => pair !== null);
    const own = Object.fromEntries(
      pairs.map(([, name = "", value = ""]) => [name, value.replace(/^\/var/, inRoot("var"))]),
    );
    return { PATH: process.env.PATH ?? "", ...own };
  }
});

const linters = (LINTERS as { name: string; artefact: string }[]).filter(({ artefact }) => artefact === "debian");

test.for(linters)("$name finds nothing", async (linter, { skip }) => {
  const { outcome, text } = await runLinter(linter);
  if (outcome === "unavailable") skip(text);
  expect(outcome, text).toBe("clean");
});

const strace = findProgram("strace");
const analyze = findProgram("systemd-analyze");
test.skipIf(strace === undefined || analyze === undefined)(
  "the unit lets the program make every system call that it makes",
  async () => {
    const folder = await makeTempDir("syscalls");
    const [port = 0] = await freePorts(1);
    const file = join(folder.path, "usher.yaml");
    writeFileSync(
      file,
      `issuer: http://localhost:${port}\nlisten: { host: 127.0.0.1, port: ${port}, drain: 0s }\nrooms: [{ id: tickets, targets: ["http://localhost/"] }]\n`,
    );
    const trace = join(folder.path, "trace");
    const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
    const running = startProcess({
      name: "usher under strace",
      command: strace ?? "",
      args: ["-f", "-qq", "-o", trace, process.execPath, main, "serve", "--config", file],
      env: { PATH: process.env.PATH ?? "", USHER_SECRETS_FILE: join(folder.path, "secrets.json") },
    });
    await running.waitUntil("answer", () => answers(`http://127.0.0.1:${port}/healthz`));
    expect(
      (await fetch(`http://127.0.0.1:${port}/rooms/tickets/enter?target=http://localhost/`, { redirect: "manual" }))
        .status,
    ).toBeLessThan(400);
    await running.stop();
    const made = new Set([...readFileSync(trace, "utf8").matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = ""]) => name));
    expect(made.size).toBeGreaterThan(40);
    // The first line allows, the one with ~ takes away.
    const [allowed = [], denied = []] = [...unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)].map(([, , words = ""]) =>
      callsOf(words.split(" ")),
    );
    expect([...made].filter((name) => !allowed.includes(name) || denied.includes(name))).toEqual([]);
    await folder.remove();
  },
);

/** The system calls of names and groups. */
function callsOf(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    if (!word.startsWith("@")) return [word];
    const lines = execFileSync(analyze ?? "", ["syscall-filter", word], { encoding: "utf8" })
      .split("\n")
      .slice(1);
    return callsOf(lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#")));
  });
}
