// Long: a process whose output nobody reads until the pipe is full, which is rare.
/** Goal: whoever reads a process's log may hang: visitors are served all the same, and SIGTERM ends it within the drain time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { createHttpClient } from "../../support/http-client.ts";
import { freePort } from "../../support/ports.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { within } from "../../support/within.ts";

/** More than a pipe of Linux takes (64 KiB): each request for a page that is not there is a line. */
const requests = 600;
const drainMs = 1_000;
/** What a busy machine may take beyond it: far less than for ever. */
const patienceMs = 20_000;

const http = createHttpClient();
let folder: TempDir;
beforeAll(async () => {
  folder = await makeTempDir("hung-log");
});
afterAll(async () => {
  http.close();
  await folder.remove();
});

test("a reader that hangs", async () => {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const file = join(folder.path, `usher-${port}.yaml`);
  const config = {
    issuer,
    listen: { port, drain: `${drainMs}ms` },
    store: { type: "memory" },
    rooms: [{ id: "a", title: "A", inlet: { type: "manual" } }],
    clients: [],
  };
  await writeFile(file, stringify(config));
  const main = new URL("../../../dist/main.js", import.meta.url).pathname;
  const env = { PATH: process.env.PATH, USHER_SECRETS_FILE: join(folder.path, `secrets-${port}.json`) };
  const gateway = spawn(process.execPath, [main, "serve", "--config", file], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ended = once(gateway, "exit");
    // Nobody reads its output from here on.
    await within(patienceMs, async () => expect((await http.get(`${issuer}/healthz`)).status).toBe(200));
    const path = `/${"not-there-".repeat(18)}`;
    for (let count = 0; count < requests; count += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => http.get(issuer + path)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    }
    expect(gateway.stdout.readableLength).toBeLessThan(requests * path.length);
    expect((await http.get(`${issuer}/rooms/a/status`)).status).toBe(200);
    const beganMs = performance.now();
    gateway.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - beganMs).toBeLessThan(patienceMs);
  } finally {
    gateway.kill("SIGKILL");
  }
});
