/** A key counts as it was proven: an invitation signs nobody in, and who has signed in elsewhere has not done so here. */
import type { Context } from "koa";
import { expect, test } from "vitest";
import type { RoomConfig } from "../../../../src/config/index.ts";
import { createKeyedEntries, createVisitorCookies, type JoinAttempt } from "../../../../src/oidc/index.ts";
import { createVisitorKeys, type WaitingRoom } from "../../../../src/room/index.ts";
import { createKeyRing } from "../../../../src/room/tickets/ticket.ts";

const cookies = createVisitorCookies(true);
const visitorKeys = createVisitorKeys(createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }]));
const signedInAt = (issuer: string, clientId = "usher") => ({ identity: { issuer, clientId } });
const room = {
  id: "shop",
  isByKey: true,
  entrance: "line",
  nowMs: 1_000,
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

/** What a visitor may join by: the names of a proven key; or the page of who may not join yet. */
function join(entries: ReturnType<typeof entriesOf>, ctx: Context, of = room) {
  const attempt = { ctx, room: of, names: null } as unknown as JoinAttempt;
  const answer = entries.beforeJoin(attempt);
  if (answer === "enough") return attempt.names;
  return answer?.page("/authorize?client_id=shop") ?? null;
}

const signInPage = {
  redirect: "/rooms/shop/identity/start?return=%2Fauthorize%3Fclient_id%3Dshop",
  stampsArrival: true,
  withholdsTicket: true,
};
const uninvitedPage = { status: 403, code: "uninvited", returnTo: "/authorize?client_id=shop&usher_join=1" };

function request(cookie = "") {
  const sent: string[] = [];
  const res = { getHeader: () => sent, setHeader: (_: string, values: string[]) => sent.push(...values) };
  const ctx = { req: { headers: { cookie } }, res } as unknown as Context;
  return { ctx, kept: () => sent.map((each) => each.split(";")[0]).join("; ") };
}

test("a person who has signed in joins by the names of their key, at this provider and as this client alone", () => {
  const entries = entriesOf(signedInAt("https://id.example.com"));
  expect(join(entries, request().ctx)).toEqual(signInPage);
  const first = request();
  const digest = entries.proveIdentity(first.ctx, room, { iss: "https://id.example.com", sub: "ann" }, 5_000);
  const names = visitorKeys.namesOf({ digest });
  expect(join(entries, first.ctx)).toEqual(names);
  const back = request(first.kept()).ctx;
  expect(join(entries, back)).toEqual(names);
  expect(entries.digestFor(back, room, `shop.${names[0]}`)).toBe(digest);
  expect(entries.digestFor(back, room, "shop.another")).toBeNull();
  expect(entries.identify(back, room)).toEqual({ name: names[0] });
  for (const other of [signedInAt("https://other.example.com"), signedInAt("https://id.example.com", "other")]) {
    expect(join(entriesOf(other), back)).toEqual(signInPage);
  }
  const invited = entriesOf({ invitations: { classes: [] } });
  expect(join(invited, back)).toEqual(uninvitedPage);
  expect(invited.identify(back, room)).toEqual({ name: undefined });
  expect(join(entries, back, { ...room, nowMs: 5_000 } as WaitingRoom)).toEqual(signInPage);
});

test("a key of an invitation is no sign-in", () => {
  const digest = visitorKeys.digest("shop", "invitation", "ann");
  const cookie = `__Host-usher-shop.key=${visitorKeys.encode("shop", { digest, classId: "", expiresMs: 5_000 })}`;
  expect(join(entriesOf(signedInAt("https://id.example.com")), request(cookie).ctx)).toEqual(signInPage);
  expect(join(entriesOf({ invitations: { classes: [] } }), request(cookie).ctx)).toEqual(
    visitorKeys.namesOf({ digest }),
  );
});
