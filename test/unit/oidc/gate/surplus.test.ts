/** Several places of one browser, while the store is away: the earliest counts all the same, and the others are given back once it is there. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createSurplus } from "../../../../src/oidc/gate/surplus.ts";
import { forgetSpares, nameOf } from "../../../../src/oidc/gate/visitor-cookies.ts";
import { createVisitorCookies, readTickets } from "../../../../src/oidc/index.ts";
import { createSharedWorld, joinOne } from "../../room/processes.ts";

const cookies = createVisitorCookies(false);

async function openBrowser() {
  const world = createSharedWorld("surplus");
  const process = world.process("a", { isNewInstallation: true });
  await process.refresh();
  const { room } = process;
  const tickets = [
    await joinOne(process, world.clock.now()),
    await joinOne(process, world.clock.now()),
    await joinOne(process, world.clock.now()),
  ] as const;
  const jar = new Map(tickets.map((each) => [`usher-tickets.place.${nameOf(each)}`, room.encode(each)]));
  jar.set("usher-tickets", room.encode(tickets[2]));
  const refund = createSurplus(cookies);
  /** As each request does it. Answers the position that counts. */
  async function visit(): Promise<number> {
    let sent: string[] = [];
    const res = {
      getHeader: () => sent,
      setHeader: (_: string, values: string[]) => {
        sent = values;
      },
    } as unknown as ServerResponse;
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const { presented, surplus } = readTickets(cookies, room, { headers: { cookie } } as IncomingMessage);
    if (presented.kind !== "ticket") throw new Error(presented.kind);
    await refund(room, res, surplus);
    for (const each of sent) if (each.includes("Max-Age=0")) jar.delete(each.split("=")[0] as string);
    jar.set("usher-tickets", room.encode(presented.ticket));
    return presented.ticket.position;
  }
  const left = async () => {
    await process.refresh();
    return room.state?.counts.left;
  };
  return { world, process, jar, visit, left };
}

test("a store that is away costs nobody the earliest place, and the others stay with the browser until they can be given back", async () => {
  const { world, process, jar, visit, left } = await openBrowser();
  world.setAway(true);
  // The process does not know it yet: its first attempt fails.
  expect(await visit()).toBe(1);
  expect(jar.size).toBe(4);
  world.clock.advance(10_000);
  await process.refresh().catch(() => undefined);
  expect(process.room.availability).toBe("away");
  expect(await visit()).toBe(1);
  expect(jar.size).toBe(4);
  world.setAway(false);
  world.clock.advance(10_000);
  await process.refresh();
  expect(process.room.availability).toBe("ready");
  expect(await visit()).toBe(1);
  expect([...jar.keys()].sort()).toEqual(["usher-tickets", expect.stringMatching(/\.place\.\w+-1$/)]);
  expect(await left()).toBe(2);
  expect(await visit()).toBe(1);
  expect(await left()).toBe(2);
});

test("two requests at once give each place back once", async () => {
  const { visit, left } = await openBrowser();
  expect(await Promise.all([visit(), visit()])).toEqual([1, 1]);
  expect(await left()).toBe(2);
});

test("a place under another name, or twice, is not taken for a second one", async () => {
  const { jar, visit, left } = await openBrowser();
  const [first = "", ...names] = [...jar.keys()].filter((name) => name.includes(".place."));
  const value = jar.get(first) ?? "";
  for (const name of names) jar.delete(name);
  jar.set("usher-tickets", value);
  jar.set("usher-tickets.place.1-z", value);
  jar.set("usher-tickets.place.zz-1", value);
  expect(await visit()).toBe(1);
  expect(await left()).toBe(0);
});

test("a header that is full of such cookies makes no long answer", async () => {
  const { process } = await openBrowser();
  const many = Array.from({ length: 800 }, (_, index) => `usher-tickets.place.${index}-0=`);
  let sent: string[] = [];
  const res = {
    getHeader: () => sent,
    setHeader: (_: string, values: string[]) => {
      sent = values;
    },
  } as unknown as ServerResponse;
  forgetSpares(cookies, process.room, { req: { headers: { cookie: many.join("; ") } } as IncomingMessage, res });
  expect(sent.join("\n").length).toBeLessThan(3_000);
  expect(sent[0]).toMatch(/^usher-tickets\.place\.0-0=; Max-Age=0/);
});
