/** Relying parties that remember one login in a browser, and those that remember several. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { LoginRequest } from "../../support/relying-party.ts";
import type { Visitor } from "../../support/visitor.ts";
import { initiateLoginUri, memoryStore, useWorld } from "../world.ts";

describe("logins of several tabs", () => {
  const many = { remembered_logins: "many" };
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "one" },
      { id: "many", client: many },
      { id: "quiet-one" },
      { id: "quiet-many", client: many },
      { id: "shared" },
      { id: "sharing", client: { room: "shared" } },
      { id: "first", client: { room: undefined, rooms: ["first", "second"] } },
      { id: "second" },
      { id: "stamped", settings: { max_waiting: 1 } },
    ],
  }));
  const site = (room: string) => world().relyingParty(room);
  const open = (visitor: Visitor, { url }: LoginRequest) =>
    visitor.navigate(url, { stopAt: (location) => location.origin !== world().issuer });
  const expectRestart = async (client: string, visitor: Visitor, login: LoginRequest) => {
    const page = await open(visitor, login);
    expect([page.status, page.location?.href]).toEqual([303, initiateLoginUri(client)]);
  };
  const expectLogin = async (client: string, visitor: Visitor, login: LoginRequest) => {
    await site(client).finishLogin(await open(visitor, login), login);
  };

  test("where one is remembered, only the newest is answered, and a restart makes a newer one", async () => {
    const visitor = world().visitor();
    const [older, newer] = [site("one").startLogin(), site("one").startLogin()];
    for (const login of [older, newer]) await open(visitor, login);
    // A reload of the older tab makes it no newer.
    await open(visitor, older);
    await world().admin.increment("one", 1);
    await expectRestart("one", visitor, older);
    const restarted = site("one").startLogin();
    await expectLogin("one", visitor, restarted);
    await expectRestart("one", visitor, newer);
  });

  test("where several are remembered, each is answered, in any order", async () => {
    const visitor = world().visitor();
    const logins = [1, 2, 3].map(() => site("many").startLogin());
    for (const login of logins) await open(visitor, login);
    await world().admin.increment("many", 1);
    for (const login of logins) await expectLogin("many", visitor, login);
  });

  test("a silent login takes an older one's place, too", async () => {
    for (const room of ["quiet-one", "quiet-many"]) {
      const visitor = world().visitor();
      const waiting = site(room).startLogin();
      await open(visitor, waiting);
      const silent = await open(visitor, site(room).startLogin({ prompt: "none" }));
      expect(silent.location?.searchParams.get("error")).toBe("interaction_required");
      await world().admin.increment(room, 1);
      if (room === "quiet-one") await expectRestart(room, visitor, waiting);
      else await expectLogin(room, visitor, waiting);
    }
  });

  test("another client of the room has logins of its own", async () => {
    const visitor = world().visitor();
    const first = site("shared").startLogin();
    const second = site("sharing").startLogin();
    await open(visitor, first);
    await open(visitor, second);
    await world().admin.increment("shared", 1);
    await expectLogin("shared", visitor, first);
    await expectLogin("sharing", visitor, second);
  });

  test("a newer login in another room of the client counts, too", async () => {
    const visitor = world().visitor();
    const older = site("first").startLogin();
    const newer = site("first").startLogin({ room: "second" });
    await open(visitor, older);
    // Times are kept to the second.
    await delay(1_100);
    await open(visitor, newer);
    for (const room of ["first", "second"]) await world().admin.increment(room, 1);
    await expectRestart("first", visitor, older);
    await expectLogin("first", visitor, newer);
    await expectLogin("first", visitor, site("first").startLogin());
  });

  test("logins that were seen before there was a place are known afterwards", async () => {
    const [first, visitor] = [world().visitor(), world().visitor()];
    await open(first, site("stamped").startLogin());
    const [older, newer] = [site("stamped").startLogin(), site("stamped").startLogin()];
    for (const login of [older, newer]) expect((await open(visitor, login)).notice).toBe("room_full");
    await world().admin.increment("stamped", 2);
    await expectRestart("stamped", visitor, older);
    await expectLogin("stamped", visitor, newer);
  });
});
