/** The figures of all rooms each second, as the console hears them: to those who may see them, and with the age of what is known. */
import { createHash } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { ADMIN_KEY, startGateway } from "../../support/gateway.ts";
import { startRedis } from "../../support/redis-server.ts";
import { memoryStore, useWorld } from "../world.ts";

const barKey = "key-of-the-bar-0123456789abcdef0123";
const bar = createHash("sha256").update(barKey).digest("hex");

interface LiveRoom {
  room: string;
  availability: string;
  age_ms: number;
  figures: Record<string, unknown>;
}

async function listen(origin: string, headers: Record<string, string> = { authorization: `Bearer ${ADMIN_KEY}` }) {
  const abort = new AbortController();
  const answer = await fetch(`${origin}/admin/live`, { headers, signal: abort.signal });
  let text = "";
  let hasEnded = false;
  const ended = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })()
    .catch(() => undefined)
    .then(() => {
      hasEnded = true;
    });
  const frames = (): { at: string; rooms: LiveRoom[] }[] =>
    Array.from(text.matchAll(/^event: figures\ndata: (.*)\n\n/gm), ([, json = ""]) => JSON.parse(json));
  return {
    answer,
    ended,
    frames,
    room: (id: string) =>
      frames()
        .at(-1)
        ?.rooms.find(({ room }) => room === id),
    hasEnded: () => hasEnded,
    close: () => abort.abort(),
  };
}

describe("the stream of figures", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "shop" }, { id: "bar" }],
    config: { admin: { keys: [{ id: "bar", key_sha256: bar, rooms: ["bar"], role: "viewer" }] } },
  }));

  const join = (room: string) =>
    world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST", headers: {} });

  test("tells each second what goes on in the rooms that one may see", async () => {
    const all = await listen(world().issuer);
    expect(all.answer.headers.get("content-type")).toContain("text/event-stream");
    expect(all.answer.headers.get("cache-control")).toBe("no-store");
    const own = await listen(world().issuer, { authorization: `Bearer ${barKey}` });
    await join("shop");
    await expect.poll(() => all.room("shop")?.figures.waiting).toBe(1);
    await world().admin.step("shop", "pause");
    await expect
      .poll(() => all.room("shop")?.figures)
      .toMatchObject({
        phase: "paused",
        phase_reason: "operator",
        base_phase: "open",
        queued: 1,
        serving: 0,
      });
    expect(all.room("shop")?.age_ms).toBeLessThan(3_000);
    expect(new Set(own.frames().flatMap(({ rooms }) => rooms.map(({ room }) => room)))).toEqual(new Set(["bar"]));
    const times = all.frames().map(({ at }) => Date.parse(at));
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - 2) * 800);
    all.close();
    own.close();
  });

  test("forecasts when the line ends", async () => {
    // Of a line that somebody waits in it takes two minutes to know.
    const stream = await listen(world().issuer);
    await expect
      .poll(() => stream.room("bar")?.figures.line_ends_at)
      .toMatchObject({
        low: expect.stringMatching(/^\d{4}-/),
      });
    stream.close();
  });

  test("asks for a key or a session, and ends with the session", async () => {
    const { http, issuer, admin } = world();
    expect((await http.get(`${issuer}/admin/live`)).status).toBe(401);
    const signedIn = await http.request(`${issuer}/admin/sign-in/key`, {
      method: "POST",
      headers: { origin: issuer },
      body: new URLSearchParams({ key: ADMIN_KEY }),
    });
    const [cookie = ""] = (signedIn.setCookies[0] ?? "").split(";");
    const stream = await listen(issuer, { cookie });
    await expect.poll(() => stream.frames().length).toBeGreaterThan(0);
    const { sessions } = (await admin.request("GET", "/sessions")).json() as { sessions: { id: string }[] };
    await admin.request("DELETE", `/sessions/${sessions[0]?.id}`);
    await expect.poll(stream.hasEnded).toBe(true);
    expect((await listen(issuer, { cookie })).answer.status).toBe(401);
  });
});

test("ten who watch ask the store for no more than one does, and hear the same", async () => {
  const redis = await startRedis();
  const rooms = ["shop", "bar"].map((id) => ({ id }));
  const gateway = await startGateway({ config: { store: { type: "redis", url: redis.url }, rooms } });
  onTestFinished(async () => {
    await gateway.stop();
    await redis.stop();
  });
  const reads = async () => {
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    return Number(/^usher_store_commands_total\{command="read-statistics"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  };
  const watch = async (count: number) => {
    const before = await reads();
    const streams = await Promise.all(Array.from({ length: count }, () => listen(gateway.origin)));
    // Fewer than ten, after which the next forecasts are due.
    await expect.poll(() => Math.min(...streams.map(({ frames }) => frames().length))).toBeGreaterThanOrEqual(3);
    for (const { close } of streams) close();
    await Promise.all(streams.map(({ ended }) => ended));
    // The first frame of each was made when it began; those after it, once for all.
    const told = streams.map(({ frames }) =>
      frames()
        .slice(1)
        .map((frame) => JSON.stringify(frame)),
    );
    const isShared = new Set(told.flat()).size === Math.max(...told.map(({ length }) => length));
    return { reads: (await reads()) - before, isShared };
  };
  const one = await watch(1);
  expect(one.reads).toBeGreaterThanOrEqual(rooms.length);
  expect(one.isShared).toBe(true);
  // Each asking for itself would make ten times as many; one more round may be due where the machine is busy.
  const ten = await watch(10);
  expect(ten.reads).toBeLessThan(5 * one.reads);
  expect(ten.isShared).toBe(true);
});

test("a store that is gone: the figures go on, grow old and say so; with the gateway the stream ends at once", async () => {
  const redis = await startRedis();
  const gateway = await startGateway({ config: { store: { type: "redis", url: redis.url }, rooms: [{ id: "shop" }] } });
  onTestFinished(async () => {
    await gateway.stop();
    await redis.stop();
  });
  const stream = await listen(gateway.origin);
  await expect.poll(() => stream.room("shop")?.availability).toBe("ready");
  await redis.stop();
  await expect.poll(() => stream.room("shop")?.age_ms).toBeGreaterThan(5_000);
  expect(stream.room("shop")).toMatchObject({ availability: "away", figures: { phase: "open" } });
  const beganMs = performance.now();
  await gateway.halt();
  await stream.ended;
  expect(performance.now() - beganMs).toBeLessThan(5_000);
});
