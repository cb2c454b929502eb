/** A key counts as it was proven: an invitation signs nobody in, and who has signed in elsewhere has not done so here. */
import type { Context } from "koa";
import { expect, test } from "vitest";
import type { RoomConfig } from "../../../../src/config/index.ts";
import { createKeyedEntries, createVisitorCookies } from "../../../../src/oidc/index.ts";
import { createVisitorKeys, type WaitingRoom } from "../../../../src/room/index.ts";
import { createKeyRing } from "../../../../src/room/tickets/key-ring.ts";

const cookies = createVisitorCookies(true);
const visitorKeys = createVisitorKeys(createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }]));
const signedInAt = (issuer: string, clientId = "usher") => ({ identity: { issuer, clientId } });
const room = {
  ...{ id: "shop", isByKey: true, nowMs: 1_000 },
  read: () => ({ kind: "none" }),
  visitorWithoutPlace: (name?: string) => ({ sub: `shop.${name ?? "somebody"}` }),
} as unknown as WaitingRoom;

/** The entries of a room that is configured so. */
function entriesOf(config: object) {
  const whole = { id: "shop", invitations: null, identity: null, ...config } as unknown as RoomConfig;
  const directory = { all: [whole], get: () => whole, onChange: () => undefined };
  return createKeyedEntries({
    issuer: "https://q.example",
    directory,
    cookies,
    visitorKeys,
    clock: { now: () => 1_000 },
  });
}

function request(cookie = "") {
  const sent: string[] = [];
  const res = { getHeader: () => sent, setHeader: (_: string, values: string[]) => sent.push(...values) };
  const ctx = { req: { headers: { cookie } }, res } as unknown as Context;
  return { ctx, kept: () => sent.map((each) => each.split(";")[0]).join("; ") };
}

test("a person who has signed in joins by the names of their key, at this provider and as this client alone", () => {
  const entries = entriesOf(signedInAt("https://id.example.com"));
  expect(entries.of(request().ctx, room)).toEqual({ result: "unidentified" });
  const first = request();
  const digest = entries.proveIdentity(first.ctx, room, { iss: "https://id.example.com", sub: "ann" }, 5_000);
  const names = visitorKeys.namesOf({ digest });
  expect(entries.of(first.ctx, room)).toEqual({ result: "names", names });
  const back = request(first.kept()).ctx;
  expect(entries.of(back, room)).toEqual({ result: "names", names });
  expect(entries.digestFor(back, room, `shop.${names[0]}`)).toBe(digest);
  expect(entries.digestFor(back, room, "shop.another")).toBeNull();
  expect(entries.visitorWithoutPlace(back, room).sub).toBe(`shop.${names[0]}`);
  for (const other of [signedInAt("https://other.example.com"), signedInAt("https://id.example.com", "other")]) {
    expect(entriesOf(other).of(back, room)).toEqual({ result: "unidentified" });
  }
  const invited = entriesOf({ invitations: { classes: [] } });
  expect(invited.of(back, room)).toEqual({ result: "uninvited" });
  expect(entries.of(back, { ...room, nowMs: 5_000 } as WaitingRoom)).toEqual({ result: "unidentified" });
});

test("a key of an invitation is no sign-in", () => {
  const digest = visitorKeys.digest("shop", "invitation", "ann");
  const cookie = `__Host-usher-shop.key=${visitorKeys.encode("shop", { digest, classId: "", expiresMs: 5_000 })}`;
  expect(entriesOf(signedInAt("https://id.example.com")).of(request(cookie).ctx, room)).toEqual({
    result: "unidentified",
  });
  expect(entriesOf({ invitations: { classes: [] } }).of(request(cookie).ctx, room)).toMatchObject({ result: "names" });
});
