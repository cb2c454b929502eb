/**
 * Goal: an event that is refused for a day becomes a dead letter, is listed page by page and can be sent again. Method: the deliveries of one
 * process with a clock that is moved, and a real receiver that refuses, and accepts later.
 */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readPlace } from "../../../../src/features/webhooks/dead-letters.ts";
import { systemClock } from "../../../../src/lib/clock-and-random.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";
import { createWebhookProcess } from "./webhook-process.ts";

const hourMs = 3_600_000;
let receiver: WebhookReceiver;
let process: ReturnType<typeof createWebhookProcess>;
let movedMs = 0;
const clock = { now: () => systemClock.now() + movedMs };

beforeEach(async () => {
  movedMs = 0;
  receiver = await startWebhookReceiver();
  process = createWebhookProcess({ urls: { hook: receiver.url, other: `${receiver.url}/other` }, clock });
});
afterEach(async () => {
  await process.stop();
  await receiver.close();
});

const pages = (webhook = "hook", limit = 100, cursor: string | null = null) =>
  process.deliveries.deadLetters.page(webhook, { limit, cursor: cursor === null ? null : readPlace(cursor) });

/** As deliveries keep it. */
async function keep(webhook: string, n: number, size = 0): Promise<void> {
  const line = process.store.installation;
  const event = { id: `event-${n}`, data: { n, filling: "x".repeat(size) } };
  const taken = await process.store.take(line, { webhook, holder: "test", from: 0, limit: 1 });
  expect(taken.result).toBe("taken");
  const letter = JSON.stringify({ webhook, event, reason: "refused", attempts: 1, at_ms: n });
  await process.store.settle(line, webhook, "test", { outcome: "given_up", through: 1, letter });
}

it("gives an event up when it is refused a day later, goes on with the next, and replays it", async () => {
  receiver.usual = "refuse";
  await process.open("shop");
  process.start();
  const counts = () => process.deliveries.figures()[0]?.counts;
  await expect.poll(() => counts()?.failed).toBeGreaterThan(0);
  movedMs = 23 * hourMs;
  const before = counts()?.failed ?? 0;
  await expect.poll(() => counts()?.failed).toBeGreaterThan(before);
  expect((await pages()).letters).toEqual([]);
  movedMs = 25 * hourMs;
  await expect.poll(async () => (await pages()).letters).toHaveLength(1);
  const [letter] = (await pages()).letters;
  expect(letter).toMatchObject({
    event: { type: "usher.room.phase_changed", subject: "rooms/shop", data: { room: "shop", phase: "open" } },
    reason: "the receiver answered 503",
    attempts: expect.any(Number),
  });
  expect(letter?.attempts).toBeGreaterThanOrEqual(3);
  expect(counts()?.given_up).toBe(1);

  const replay = (webhook = "hook", id = letter?.id ?? "") => process.deliveries.deadLetters.replay(webhook, id);
  expect(await replay()).toMatchObject({ isAccepted: false, status: 503 });
  expect((await pages()).letters).toHaveLength(1);
  await expect(replay("other")).rejects.toThrow("no such dead letter");
  await expect(replay("hook", "shop.1")).rejects.toThrow("no such dead letter");
  await expect(replay("hook", "nowhere.1")).rejects.toThrow("no such dead letter");
  receiver.usual = "accept";
  expect(await replay()).toMatchObject({ isAccepted: true, status: 204 });
  expect(receiver.received.at(-1)).toEqual(letter?.event);
  expect(await pages()).toEqual({ letters: [], nextCursor: null });
  await expect(replay()).rejects.toThrow("no such dead letter");

  // Its line goes on.
  receiver.received.length = 0;
  await process.tell(0, 1);
  await expect.poll(() => receiver.received.map(({ data }) => data.n)).toContain(0);
});

it("lists letters of one webhook page by page, though others' stand between them and one is replayed meanwhile", async () => {
  await process.tell(0, 1);
  for (let n = 0; n < 90; n++) await keep(n % 3 === 0 ? "other" : "hook", n);
  const seen: unknown[] = [];
  let cursor: string | null = null;
  for (let turn = 0; cursor !== null || turn === 0; turn++) {
    const page = await pages("hook", 7, cursor);
    expect(page.letters.length).toBeLessThanOrEqual(7);
    seen.push(...page.letters.map(({ event }) => event.data.n));
    cursor = page.nextCursor;
    // The letter that the cursor names is gone.
    if (turn === 2) await process.deliveries.deadLetters.replay("hook", cursor ?? "");
  }
  expect(seen).toEqual(Array.from({ length: 90 }, (_, n) => n).filter((n) => n % 3 !== 0));
});

it("ends a page at a mebibyte, and after looking at two hundred lines", async () => {
  await process.tell(0, 1);
  for (let n = 0; n < 5; n++) await keep("hook", n, 400_000);
  const first = await pages();
  expect(first.letters).toHaveLength(2);
  const second = await pages("hook", 100, first.nextCursor);
  expect(second.letters.map(({ event }) => event.data.n)).toEqual([2, 3]);
  for (let room = 0; room < 250; room++) await process.open(`room-${room}`);
  const read = vi.spyOn(process.store, "deadLetters");
  const third = await pages("hook", 100, second.nextCursor);
  expect(third.letters).toHaveLength(1);
  expect(third.nextCursor).toMatch(/^room-/);
  expect(read.mock.calls.length).toBeLessThanOrEqual(200);
  expect(await pages("hook", 100, third.nextCursor)).toEqual({ letters: [], nextCursor: null });
});
