/** Events by `usher`, at a real gateway. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startCuttingProxy } from "../../support/cutting-proxy.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { runUsher, type Surroundings } from "../../support/usher-command.ts";
import { memoryStore, useWorld } from "../world.ts";

const barKey = "key-of-the-bar-0123456789abcdef0123";
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "shop" }, { id: "bar" }],
  config: {
    admin: {
      keys: [
        { id: "bar", key_sha256: createHash("sha256").update(barKey).digest("hex"), rooms: ["bar"], role: "viewer" },
      ],
    },
  },
}));
const origin = () => world().gateways[0]?.operatorsOrigin ?? "";
const keyed = (more: Surroundings = {}, url = origin()): Surroundings => ({
  ...more,
  env: { USHER_ADMIN: url, USHER_ADMIN_API_KEY: ADMIN_KEY },
});

/** Listens while `work` is done. */
async function listening(
  args: readonly string[],
  url: string,
  work: (lines: () => readonly string[]) => Promise<void>,
) {
  const stop = new AbortController();
  const seen: string[] = [];
  const running = runUsher(["events", ...args], keyed({ stop: stop.signal, onPrint: (line) => seen.push(line) }, url));
  try {
    await work(() => seen);
  } finally {
    stop.abort();
  }
  expect(await running).toMatchObject({ code: 0, failure: "" });
  return seen;
}
/** The stream has begun where a change is told. */
async function begun(lines: () => readonly string[]): Promise<void> {
  await expect
    .poll(
      async () => {
        await world().admin.step("shop", "pause");
        await world().admin.step("shop", "resume");
        return lines().length;
      },
      { interval: 300 },
    )
    .toBeGreaterThan(3);
}

test("tells what happens, a line each, in words", async () => {
  const lines = await listening(["--room", "shop"], origin(), async (seen) => {
    await begun(seen);
    await world().admin.step("bar", "pause");
    await world().admin.change("shop", { max_waiting: 500 });
    await expect.poll(() => seen().at(-1)).toContain("max_waiting: none → 500");
  });
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}shop: room [a-z ]+ \(/);
  expect(lines.join("\n")).toContain("room hold began (hold: operator)");
});

test("prints the CloudEvents, goes on behind the last one where the connection is lost, and repeats none", async () => {
  const proxy = await startCuttingProxy(Number(new URL(origin()).port));
  let places = 1_000;
  const change = () => world().admin.change("shop", { max_waiting: ++places });
  const toldOf = (line: string) => JSON.parse(line).data?.changes.max_waiting.after as number | undefined;
  const args = ["--json", "--type", "usher.room.settings_*"];
  const lines = await listening(args, `http://127.0.0.1:${proxy.port}`, async (seen) => {
    await expect.poll(() => change().then(() => seen().length), { interval: 300 }).toBeGreaterThan(1);
    proxy.cutNextReply();
    await change();
    await change();
    await expect.poll(() => seen().filter((line) => line.startsWith('{"error"')).length).toBe(1);
    await expect.poll(() => toldOf(seen().at(-1) ?? "{}")).toBe(places);
  });
  await proxy.close();
  const told = lines.map(toldOf).filter((after) => after !== undefined);
  expect(told).toEqual(told.map((_, index) => places - told.length + 1 + index));
});

test("prints what steers a terminal as JSON that says the same, and an event that comes again once", async () => {
  const event = (n: number) => ({ id: `e${n}`, type: "t", subject: "s", time: "now", data: { n } });
  const odd = { ...event(0), data: { text: "\u009b31m\u202e\u2028\u{e0041}\n" } };
  let answers = 0;
  const told = (events: object[]) => events.map((each, n) => `id: ${n}\ndata: ${JSON.stringify(each)}\n\n`).join("");
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(told(answers++ === 0 ? [odd, event(1), event(2)] : [event(1), event(2), event(3)]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines = await listening(["--json"], url, async (seen) => {
    await expect.poll(() => seen().length).toBe(4);
    await expect.poll(() => answers).toBe(3);
  });
  server.close();
  expect(lines.map((line) => JSON.parse(line))).toEqual([odd, event(1), event(2), event(3)]);
  expect(lines.join("")).toMatch(/^[\x20-\x7e]*$/);
});

test.each([
  [["--room", "nowhere"], ADMIN_KEY, /unknown_room/],
  [["--room", "shop"], barKey, /forbidden/],
  [["--type", "usher.nothing"], ADMIN_KEY, /there are no events usher\.nothing/],
  [[], "another-key-0123456789abcdef0123456", /unauthorized/],
])("events %j is refused in the gateway's words", async (args, key, failure) => {
  const env = { USHER_ADMIN: origin(), USHER_ADMIN_API_KEY: key };
  expect(await runUsher(["events", ...args], { env })).toMatchObject({
    code: 1,
    printed: "",
    failure: expect.stringMatching(failure),
  });
});
