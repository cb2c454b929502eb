/** Names for installations: whose key goes where, and that nobody else reads it. */
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeTempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let server: Server;
let url: string;
/** With which all are refused. */
let refusal: 401 | 403 | null = null;
/** What came as `Authorization`, and from where it was asked. */
let heard: (string | undefined)[] = [];

beforeAll(async () => {
  folder = await makeTempDir("contexts");
  server = createServer((request, response) => {
    heard.push(request.headers.authorization);
    if (refusal !== null) {
      response.writeHead(refusal, { "content-type": "application/json" });
      return response.end(
        JSON.stringify({ error: refusal === 401 ? "unauthorized" : "forbidden", error_description: "no" }),
      );
    }
    return response.setHeader("content-type", "application/json").end('{"rooms":[],"next_cursor":null}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  rmSync(join(folder.path, "usher"), { recursive: true, force: true });
  heard = [];
  refusal = null;
});
afterAll(async () => {
  server.close();
  await folder.remove();
});

const usher = (args: string[], env: Record<string, string> = {}, input?: string) =>
  runUsher(args, { env: { XDG_CONFIG_HOME: folder.path, ...env }, ...(input !== undefined && { input }) });
const contextFile = (name: string) => join(folder.path, "usher", "contexts", `${name}.json`);

describe("a context", () => {
  test("says where the key is, and the first one is used where none is named", async () => {
    const keyFile = join(folder.path, "key");
    writeFileSync(keyFile, "key-in-a-file\n", { mode: 0o600 });
    expect((await usher(["context", "add", "first", "--url", `${url}/`, "--key-file", keyFile])).printed).toBe(
      `first is ${url}, and the current one.`,
    );
    await usher(["context", "add", "second", "--url", url, "--key-env", "MY_KEY"]);
    await usher(["context", "add", "third", "--url", url, "--key-stdin"], {}, " key-of-the-pipe\n");
    const env = { MY_KEY: "key-of-a-variable", USHER_ADMIN_API_KEY: "key-of-elsewhere" };
    await usher(["status"], env);
    await usher(["status", "--context", "second"], env);
    await usher(["context", "use", "third"]);
    await usher(["status"], env);
    await usher(["status", "--url", url], env);
    await usher(["status"], { ...env, USHER_ADMIN: url });
    expect(heard).toEqual([
      "Bearer key-in-a-file",
      "Bearer key-of-a-variable",
      "Bearer key-of-the-pipe",
      "Bearer key-of-elsewhere",
      "Bearer key-of-elsewhere",
    ]);
    const { printed } = await usher(["context", "list"]);
    expect(printed.split("\n").slice(1)).toEqual([
      `   first   ${url}  file ${keyFile}`,
      `   second  ${url}  variable MY_KEY`,
      `*  third   ${url}  in the context's file`,
    ]);
    const json = (await usher(["context", "list", "--json"])).printed;
    expect(JSON.parse(json)).toHaveLength(3);
    expect(printed + json).not.toMatch(/key-(in|of)/);
  });

  test("is a file of mode 0600, and its key is not sent where others may read it", async () => {
    await usher(["context", "add", "mine", "--url", url, "--key-stdin"], {}, "secret-key");
    expect(statSync(contextFile("mine")).mode & 0o777).toBe(0o600);
    chmodSync(contextFile("mine"), 0o644);
    expect(await usher(["status"])).toMatchObject({ code: 1, failure: expect.stringContaining("chmod 600") });
    expect(heard).toEqual([]);
  });

  test("is replaced only when that is said, and forgotten", async () => {
    await usher(["context", "add", "one", "--url", url]);
    const before = readFileSync(contextFile("one"), "utf8");
    expect(await usher(["context", "add", "one", "--url", "https://other.example"])).toMatchObject({
      code: 1,
      failure: expect.stringContaining("--replace"),
    });
    expect(readFileSync(contextFile("one"), "utf8")).toBe(before);
    expect(await usher(["context", "add", "one", "--url", "https://other.example", "--replace"])).toMatchObject({
      code: 0,
    });
    await usher(["context", "remove", "one"]);
    expect((await usher(["context", "list"])).printed).toContain("There is none yet");
    // None is current any more: this machine is asked again.
    expect((await usher(["status"], { USHER_ADMIN_API_KEY: "k", PORT: "1" })).failure).toContain("localhost:1");
  });
});

test.each<[string[], number, RegExp]>([
  [["add", "A", "--url", "http://x"], 2, /1 to 32 characters/],
  [["add", "../up", "--url", "http://x"], 2, /1 to 32 characters/],
  [["add", "a", "--url", "x"], 2, /address of a gateway/],
  [["add", "a", "--url", "http://x/admin"], 2, /without a path/],
  [["add", "a", "--url", "http://me:you@x"], 2, /address of a gateway/],
  [["add", "a"], 2, /--url/],
  [["add", "a", "--url", "http://x", "--key-env", "k-e-y"], 2, /name of a variable/],
  [["add", "a", "--url", "http://x", "--key-env", "K", "--key-file", "f"], 2, /give one/],
  [["add", "a", "--url", "http://x", "--key-stdin"], 1, /standard input/],
  [["use", "nobody"], 1, /there is no context nobody; there is none yet/],
  [["remove", "nobody"], 1, /there is no context nobody/],
])("usher context %j ends with %i and makes nothing", async (args, code, words) => {
  expect(await usher(["context", ...args])).toMatchObject({ code, failure: expect.stringMatching(words) });
  expect((await usher(["context", "list"])).printed).toContain("There is none yet");
});

test.each([
  ["{", /is no JSON/],
  ['{"url":"http://x"}', /is damaged/],
  ['{"url":"http://x","key":{"from":"env"}}', /is damaged/],
  [" ".repeat(20_000), /more than 16384 bytes/],
])("a damaged file is told: %.30s", async (text, words) => {
  await usher(["context", "add", "a", "--url", url]);
  writeFileSync(contextFile("a"), text);
  expect(await usher(["status"])).toMatchObject({ code: 1, failure: expect.stringMatching(words) });
  expect(await usher(["context", "remove", "a"])).toMatchObject({ code: 0 });
});

test("a key that is not where the context says is asked for there", async () => {
  await usher(["context", "add", "a", "--url", url, "--key-env", "NOT_SET"]);
  await usher(["context", "add", "b", "--url", url, "--key-file", join(folder.path, "gone")]);
  const env = { USHER_ADMIN_API_KEY: "key-of-elsewhere" };
  expect(await usher(["status"], env)).toMatchObject({ code: 1, failure: expect.stringContaining("set NOT_SET") });
  expect((await usher(["status", "--context", "b"], env)).failure).toMatch(/gone is not there or empty/);
  expect(heard).toEqual([]);
});

describe("a key that is refused", () => {
  const key = "of-nobody-0123456789abcdef";

  test.each<[from: string, context: string[], args: string[], env: Record<string, string>]>([
    ["USHER_ADMIN_API_KEY", [], ["--url", "HERE"], { USHER_ADMIN_API_KEY: key }],
    ["STAGING_KEY (context a)", ["--key-env", "STAGING_KEY"], [], { STAGING_KEY: key }],
    ["FOLDER/key (context a)", ["--key-file", "FOLDER/key"], [], {}],
    ["the context a", ["--key-stdin"], [], {}],
  ])("in %s is named by where it is, and not shown", async (from, context, args, env) => {
    const here = (word: string) => word.replace("HERE", url).replace("FOLDER", folder.path);
    writeFileSync(join(folder.path, "key"), `${key}\n`);
    if (context.length > 0) {
      expect((await usher(["context", "add", "a", "--url", url, ...context.map(here)], {}, key)).code).toBe(0);
    }
    for (const status of [401, 403] as const) {
      refusal = status;
      const { code, failure } = await usher(["status", ...args.map(here)], env);
      expect([code, failure]).toEqual([
        1,
        status === 401
          ? expect.stringContaining(`unauthorized: the key in ${here(from)} isn't valid at ${url}. Put `)
          : `forbidden: no\nThe key is the one in ${here(from)}.`,
      ]);
      expect(failure).not.toContain(key);
    }
  });
});
