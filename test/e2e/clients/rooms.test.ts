/** One client whose visitors stand in several lines: the authorization request's parameter `room` says in which. */
import { afterEach, describe, expect, test } from "vitest";
import { submitForm } from "../form.ts";
import { admissionStatuses, queued } from "../line.ts";
import { initiateLoginUri, loggedOutUri, memoryStore, useWorld } from "../world.ts";

/** The rooms of the client of the first of them. */
const clientOf = (rooms: string[]) => ({ room: undefined, rooms });

describe("a client of several rooms", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      // Both of its logins stay open: by default a later one makes the site forget the one before.
      { id: "front", client: { ...clientOf(["front", "till"]), remembered_logins: "many" } },
      { id: "till" },
      { id: "silent", client: clientOf(["silent", "silent-till"]) },
      { id: "silent-till" },
      { id: "bye", client: clientOf(["bye", "bye-till"]) },
      { id: "bye-till" },
      { id: "hint", client: clientOf(["hint", "hint-till"]) },
      { id: "hint-till" },
    ],
  }));

  test("a visitor passes one room after another and holds a place in each", async () => {
    const site = world().relyingParty("front");
    const visitor = world().visitor();
    await world()
      .visitor()
      .navigate(site.startLogin({ room: "till" }).url);

    const [front, till] = [site.startLogin(), site.startLogin({ room: "till" })];
    const inFront = await visitor.navigate(front.url, { stopAt: site.isCallback });
    const inTill = await visitor.navigate(till.url, { stopAt: site.isCallback });
    expect([inFront.position, inTill.position]).toEqual([1, 2]);

    await world().admin.increment("front", 1);
    const first = await site.finishLogin(await visitor.waitInLine(inFront, { stopAt: site.isCallback }), front);
    expect(first.claims).toMatchObject({ room: "front", queue_position: 1 });
    expect((await visitor.navigate(till.url, { stopAt: site.isCallback })).position).toBe(2);

    await world().admin.increment("till", 2);
    const second = await site.finishLogin(await visitor.waitInLine(inTill, { stopAt: site.isCallback }), till);
    expect(second.claims).toMatchObject({ room: "till", queue_position: 2 });
    expect(second.claims.sub).not.toBe(first.claims.sub);
    expect((await site.userinfo(second.accessToken)).json()).toMatchObject({ sub: second.claims.sub, room: "till" });
    expect((await site.userinfo(first.accessToken)).json()).toMatchObject({ sub: first.claims.sub, room: "front" });

    // Both admissions stand, in whatever order the site asks.
    for (const { room, sub } of [first.claims, second.claims, first.claims] as { room: string; sub: string }[]) {
      const again = site.startLogin({ room });
      const tokens = await site.finishLogin(await visitor.navigate(again.url, { stopAt: site.isCallback }), again);
      expect(tokens.claims).toMatchObject({ room, sub });
    }
    expect(await admissionStatuses(world(), "front")).toEqual(["live"]);
    expect(await admissionStatuses(world(), "till")).toEqual(["live"]);
  });

  test("a link of the site leaves any of its rooms, and comes back to the site", async () => {
    const site = world().relyingParty("front");
    const visitor = world().visitor();
    const login = site.startLogin({ room: "till" });
    expect((await visitor.navigate(login.url)).position).toBeGreaterThan(0);
    const url = new URL(`${world().issuer}/rooms/till/leave`);
    const headers = { referer: new URL(site.options.redirectUri).origin };
    for (const uri of [loggedOutUri("front"), initiateLoginUri("front")]) {
      url.searchParams.set("return", uri);
      const left = await visitor.navigate(url, { headers, stopAt: ({ origin }) => origin !== world().issuer });
      expect([left.status, left.location?.href]).toEqual([303, uri]);
    }
    url.searchParams.set("return", loggedOutUri("silent"));
    expect((await visitor.navigate(url, { headers, stopAt: () => true })).location?.href).not.toBe(
      loggedOutUri("silent"),
    );
  });

  test("prompt=none answers for the room that it names", async () => {
    const site = world().relyingParty("silent");
    const visitor = world().visitor();
    await world().admin.increment("silent", 1);
    const { claims } = await site.login(visitor);

    const silent = async (parameters: Record<string, string>) => {
      const login = site.startLogin({ prompt: "none", ...parameters });
      return { login, page: await visitor.navigate(login.url, { stopAt: site.isCallback }) };
    };
    const known = await silent({ room: "silent" });
    expect((await site.finishLogin(known.page, known.login)).claims.sub).toBe(claims.sub);
    const unknown = await silent({ room: "silent-till" });
    expect(unknown.page.location?.searchParams.get("error")).toBe("login_required");
    expect(await queued(world(), "silent-till")).toBe(0);
    const foreign = await silent({ room: "bye" });
    expect([foreign.page.status, foreign.page.location, foreign.page.notice]).toEqual([400, undefined, "unknown_room"]);
  });

  test("logout ends the admission of the room that the ID token names, and of no other", async () => {
    const site = world().relyingParty("bye");
    const visitor = world().visitor();
    const login = async (room: string) => {
      await world().admin.increment(room, 1);
      const started = site.startLogin({ room });
      return site.finishLogin(await visitor.login(started.url, { stopAt: site.isCallback }), started);
    };
    const first = await login("bye");
    const second = await login("bye-till");

    const url = new URL(`${world().issuer}/logout`);
    url.searchParams.set("id_token_hint", first.idToken);
    url.searchParams.set("post_logout_redirect_uri", loggedOutUri("bye"));
    const goodbye = await visitor.navigate(url, { stopAt: (to) => to.origin !== world().issuer });
    expect(goodbye.location?.href).toBe(loggedOutUri("bye"));
    expect([await admissionStatuses(world(), "bye"), await admissionStatuses(world(), "bye-till")]).toEqual([
      ["logout"],
      ["live"],
    ]);

    // The other room's visitor stays logged in.
    const again = site.startLogin({ room: "bye-till", prompt: "none" });
    const tokens = await site.finishLogin(await visitor.navigate(again.url, { stopAt: site.isCallback }), again);
    expect(tokens.claims.sub).toBe(second.claims.sub);
    expect((await visitor.navigate(site.startLogin().url)).position).toBe(2);
  });

  test("without a hint, logout ends the admission of the room entered last", async () => {
    const site = world().relyingParty("hint");
    const visitor = world().visitor();
    for (const room of ["hint", "hint-till"]) {
      await world().admin.increment(room, 1);
      const login = site.startLogin({ room });
      await site.finishLogin(await visitor.login(login.url, { stopAt: site.isCallback }), login);
    }
    await submitForm(visitor, await visitor.navigate(`${world().issuer}/logout`));
    expect([await admissionStatuses(world(), "hint"), await admissionStatuses(world(), "hint-till")]).toEqual([
      ["live"],
      ["logout"],
    ]);
  });
});

describe("a room that is none of the client's", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "a", client: clientOf(["a", "b"]) }, { id: "b" }, { id: "vip" }],
  }));
  afterEach(async () => {
    for (const room of ["a", "b", "vip"]) expect(await queued(world(), room)).toBe(0);
  });
  const open = (suffix: string, headers: Record<string, string> = {}) => {
    const { url } = world().relyingParty("a").startLogin();
    return world()
      .visitor()
      .navigate(`${url.href}${suffix}`, { headers, stopAt: () => true });
  };

  test.each([
    ["of another client", "&room=vip"],
    ["that does not exist", "&room=nowhere"],
    ["in capitals", "&room=A"],
    ["with a space", "&room=a%20"],
    ["in a list", "&room=a,b"],
    ["that is named twice", "&room=a&room=b"],
    ["that is named twice, the same", "&room=a&room=a"],
    ["with a line break", "&room=a%0d%0aSet-Cookie:%20x=y"],
    ["with a script", "&room=%3Cscript%3Ealert(1)%3C/script%3E"],
    ["that climbs", "&room=../vip"],
    ["of an object", "&room=__proto__"],
    ["without end", `&room=${"a".repeat(6_000)}`],
  ])("%s is refused with a page, and takes no place", async (_, suffix) => {
    const page = await open(suffix);
    expect([page.status, page.location, page.notice, page.setCookies]).toEqual([400, undefined, "unknown_room", []]);
    expect(page.header("cache-control")).toContain("no-store");
    expect(page.body).not.toContain("alert(1)");
    expect(page.header("set-cookie")).toBeUndefined();
  });

  test("programs are told what to do", async () => {
    const answer = await open("&room=vip", { accept: "application/json" });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: "unknown_room", error_description: expect.stringContaining("rooms of the client") },
    ]);
  });

  test("a posted request is no way around", async () => {
    const { url } = world().relyingParty("a").startLogin({ room: "vip" });
    const posted = await world()
      .visitor()
      .navigate(url.origin + url.pathname, { method: "POST", body: url.searchParams });
    expect([posted.status, posted.notice]).toEqual([400, "unknown_room"]);
  });

  test("a page of ours that offers to join leads to the same refusal", async () => {
    const page = await open("&room=vip&usher_join=1");
    expect([page.status, page.notice]).toEqual([400, "unknown_room"]);
  });
});
