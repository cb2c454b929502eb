/** What connectors and apps may send to a home, and what strangers may: nothing that comes leads past the line or to another site. */
import { createHash } from "node:crypto";
import { Payload, Token } from "@queue-it/queue-token";
import { describe, expect, test } from "vitest";
import { queueIdOf } from "../../../../src/features/queue-it-home/token.ts";
import { memoryStore } from "../../../e2e/world.ts";
import { targetTricks } from "../../../support/target-tricks.ts";
import { customerId, secretKey } from "../support/connector-site.ts";
import { arrive, enterAddress, homePath, useHome } from "../support/home.ts";

const invitations = { secret: "secret-of-the-invitations-0123456789abcdef" };
const { world, site } = useHome(memoryStore, [
  { id: "tricks", settings: { targets: ["https://shop.test/products/*", "https://shop.test/checkout"] } },
  { id: "odd" },
  { id: "leave" },
  { id: "leave-too" },
  { id: "stay" },
  { id: "invited", settings: { entry: "invited", invitations } },
  { id: "invited-app", settings: { entry: "invited", invitations } },
  { id: "app" },
  { id: "app-passing" },
  { id: "app-bound", settings: { device_binding: "required" } },
]);
const into = (room: string) => `${site().origin}/${room}/shop`;
const at = (path: string) => `${world().issuer}${homePath}${path}`;
const admitted = async (room: string) => {
  const { admissions } = (await world().admin.request("GET", `/rooms/${room}/admissions`)).json() as {
    admissions: { sub: string; status: string }[];
  };
  return admissions;
};
/** The place that the next visitor gets: one more than were given. */
const nextPlace = async (room: string) => {
  const { body } = await world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST" });
  return (JSON.parse(body) as { position: number }).position;
};

describe("visitors are sent to the room's targets, and nowhere else", () => {
  test("by t, in any spelling", async () => {
    for (const target of targetTricks("https://shop.test")) {
      const address = `${at("/")}?c=${customerId}&e=event-tricks&t=${encodeURIComponent(target)}`;
      const answer = await world()
        .http.get(address)
        .catch(() => null);
      expect([target, answer?.status ?? 400, answer?.headers.location]).toEqual([
        target,
        expect.any(Number),
        undefined,
      ]);
      expect(answer?.status ?? 400).toBeGreaterThanOrEqual(400);
    }
    expect(await nextPlace("tricks")).toBe(1);
  });

  test("by r, in any spelling", async () => {
    for (const target of targetTricks("https://shop.test")) {
      const address = `${at(`/cancel/${customerId}/event-tricks`)}?r=${encodeURIComponent(target)}`;
      const answer = await world()
        .http.get(address)
        .catch(() => null);
      expect([target, answer?.headers.location]).toEqual([target, undefined]);
    }
  });

  test("two of them, an empty one, a list: none is followed", async () => {
    const good = encodeURIComponent("https://shop.test/checkout");
    const bad = encodeURIComponent("https://evil.example/");
    for (const query of [`t=${good}&t=${bad}`, `t=${bad}&t=${good}`, "t=", `t[]=${good}`, `t[0]=${bad}`]) {
      const { headers } = await world().http.get(`${at("/")}?c=${customerId}&e=event-tricks&${query}`);
      expect([query, /evil/.test(headers.location ?? "")]).toEqual([query, false]);
    }
  });

  test("an older token in the address does not come along", async () => {
    const { headers } = await world().http.get(
      enterAddress(world(), "tricks", { t: "https://shop.test/checkout?queueittoken=e_x~h_0&a=1&usher_token=y" }),
    );
    const link = new URL(headers.location ?? "", world().issuer);
    expect(link.searchParams.get("target")).toBe("https://shop.test/checkout?a=1");
  });
});

describe("what is odd is refused, and costs nothing", () => {
  test.each([
    ["another customer", "/?c=other&e=event-odd", 404],
    ["no customer", "/?e=event-odd", 404],
    ["two customers", "/?c=acme&c=acme&e=event-odd", 404],
    ["no room", "/?c=acme", 404],
    ["a room that there is not", "/?c=acme&e=event-none", 404],
    ["capital letters", "/?c=acme&e=Event-odd", 404],
    ["the room's own id", "/?c=acme&e=odd", 404],
    ["a name of all objects", "/?c=acme&e=constructor", 404],
    ["an error of another room", "/error/timestamp/?c=acme&e=event-none", 404],
    ["a cancel of another customer", "/cancel/other/event-odd", 404],
    ["a cancel of no room", "/cancel/multiple/acme?wrl=", 400],
    ["a cancel of one that there is not", "/cancel/multiple/acme?wrl=event-odd~x_event-none~y", 404],
    ["a path that there is not", "/nothing", 404],
    ["a path that nobody can read", "/cancel/acme/%zz", 404],
    ["the path without its slash", "?c=acme&e=event-odd", 404],
    ["a post", "/api/mobileapp/queue/acme/event-none/enqueue", 405],
  ])("%s", async (_, path, status) => expect((await world().http.get(at(path))).status).toBe(status));

  test("a link names the way to its own room's site alone", async () => {
    const link = (way: string) =>
      world().http.get(`${world().issuer}/rooms/odd/enter?target=${encodeURIComponent(into("odd"))}&hand_over=${way}`);
    for (const way of [
      "queue_it.event-stay",
      "queue_it",
      "queue_it.",
      "other.event-odd",
      "queue_it.event-odd&hand_over=x",
      "",
    ])
      expect([way, (await link(way)).status]).toEqual([way, 400]);
    expect((await link("queue_it.event-odd")).status).toBe(200);
  });

  test("a prefetch takes no place", async () => {
    const before = await nextPlace("odd");
    const visitor = world().visitor({ headers: { "sec-purpose": "prefetch" } });
    expect((await visitor.navigate(enterAddress(world(), "odd", { t: into("odd") }))).status).toBe(503);
    expect(await nextPlace("odd")).toBe(before + 1);
  });
});

describe("cancel", () => {
  const from = { referer: "" };
  const inside = async (...rooms: string[]) => {
    from.referer = `${site().origin}/`;
    const visitor = world().visitor();
    const ids: string[] = [];
    for (const room of rooms) {
      await world().admin.increment(room, 1);
      ids.push((await arrive(visitor, into(room))).queueId);
    }
    return { visitor, ids };
  };
  const isLive = async (room: string, id: string) =>
    (await admitted(room)).some(({ sub, status }) => queueIdOf(sub) === id && status === "live");

  test("ends this browser's own visit, and goes on to a target", async () => {
    const { visitor, ids } = await inside("leave");
    const r = encodeURIComponent(into("leave"));
    const page = await visitor.navigate(at(`/cancel/${customerId}/event-leave/${ids[0]}?c=acme&r=${r}`), {
      headers: from,
      stopAt: () => true,
    });
    expect(page.location?.href).toBe(into("leave"));
    expect(await isLive("leave", ids[0] ?? "")).toBe(false);
  });

  test("of several rooms at once, as connectors from 5.0 on write it", async () => {
    const { visitor, ids } = await inside("leave", "leave-too");
    const wrl = `event-leave~${ids[0]}_event-leave-too~${ids[1]}`;
    const r = encodeURIComponent(into("leave-too"));
    const page = await visitor.navigate(at(`/cancel/multiple/ACME?wrl=${wrl}&r=${r}`), {
      headers: from,
      stopAt: () => true,
    });
    expect(page.location?.href).toBe(into("leave-too"));
    expect([await isLive("leave", ids[0] ?? ""), await isLive("leave-too", ids[1] ?? "")]).toEqual([false, false]);
  });

  test("another visitor's id ends nothing, of neither", async () => {
    const one = await inside("stay");
    const other = await inside("stay");
    const r = encodeURIComponent(into("stay"));
    for (const path of [`/cancel/${customerId}/event-stay/${one.ids[0]}`, `/cancel/multiple/acme`]) {
      const query = path.includes("multiple") ? `wrl=event-stay~${one.ids[0]}&` : "";
      const page = await other.visitor.navigate(at(`${path}?${query}r=${r}`), { headers: from, stopAt: () => true });
      expect(page.location?.href).toBe(into("stay"));
    }
    // Nor does one who has no ticket at all.
    await world()
      .visitor()
      .navigate(at(`/cancel/${customerId}/event-stay/${one.ids[0]}`), { headers: from });
    expect(await isLive("stay", one.ids[0] ?? "")).toBe(true);
    expect(await isLive("stay", other.ids[0] ?? "")).toBe(true);
  });

  test("from elsewhere it asks first, and in a page's image it does nothing", async () => {
    const { visitor, ids } = await inside("stay");
    const address = at(`/cancel/${customerId}/event-stay`);
    for (const headers of [
      { referer: "https://evil.example/" },
      {},
      { ...from, "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" },
    ]) {
      const page = await visitor.navigate(address, { headers });
      expect(page.notice).toBe("leave_confirm");
    }
    expect(await isLive("stay", ids[0] ?? "")).toBe(true);
  });
});

describe("enqueue tokens are invitations in a room by invitation", () => {
  const token = (key: string | null, changes: { event?: string; ms?: number; secret?: string; ip?: string } = {}) => {
    const payload = Payload.Enqueue();
    const made = Token.Enqueue(customerId)
      .WithPayload((key === null ? payload : payload.WithKey(key)).Generate())
      .WithEventId(changes.event ?? "event-invited")
      .WithValidity(changes.ms ?? 600_000);
    if (changes.ip !== undefined) made.WithIpAddress(changes.ip, "");
    return made.Generate(changes.secret ?? secretKey).Token;
  };

  test("one key, one place, in whatever browser; none without", async () => {
    expect((await world().visitor().navigate(into("invited"))).notice).toBe("uninvited");
    const go = async (enqueueToken: string) => {
      site().enqueueToken = enqueueToken;
      try {
        const page = await world().visitor().navigate(into("invited"));
        return page.position ?? page.notice;
      } finally {
        site().enqueueToken = null;
      }
    };
    expect(await go(token("ada"))).toBe(1);
    expect(await go(token("ada"))).toBe(1);
    expect(await go(token("grace"))).toBe(2);
    const once = token(null);
    expect([await go(once), await go(once)]).toEqual([3, 3]);
    expect(await go(token("eve", { event: "event-other" }))).toBe("invalid_invitation");
    expect(await go(token("eve", { secret: "another-secret-key-of-36-characters-0" }))).toBe("invalid_invitation");
    expect(await go(token("eve", { ms: -600_000 }))).toBe("invalid_invitation");
    expect(await go(token("eve", { ip: "192.0.2.77" }))).toBe("invalid_invitation");
    expect(await go("x".repeat(5_000))).toBe("invalid_invitation");
    const [header = "", payload = ""] = token("eve").split(".");
    const forged = createHash("sha256").update(`${header}.${payload}`).digest("base64url");
    expect(await go(`${header}.${payload}.${forged}`)).toBe("invalid_invitation");
    expect(await go(token("last"))).toBe(4);
  });

  test("the token stands in no address that the browser keeps", async () => {
    const visitor = world().visitor();
    const enqueuetoken = token("ida");
    const page = await visitor.navigate(enterAddress(world(), "invited", { t: into("invited"), enqueuetoken }));
    expect(page.position).toBeGreaterThan(0);
    expect(page.url.href).not.toMatch(/invitation|enqueuetoken/);
  });
});

describe("an app with the SDK", () => {
  const enqueue = (room: string, body: object, customer = customerId) =>
    world().http.request(at(`/api/mobileapp/queue/${customer}/event-${room}/enqueue?userId=u1`), {
      method: "POST",
      body,
    });
  const asked = { userId: "u1", userAgent: "app", sdkVersion: "Android-2.0", layoutName: "", language: "de-DE" };

  test("gets the address of the line, which ends at the room's target", async () => {
    const answer = await enqueue("app", asked);
    expect(answer.status).toBe(200);
    const told = answer.json() as Record<string, string>;
    expect(told).toEqual({
      QueueId: "",
      QueueUrl: expect.stringContaining(`${world().issuer}${homePath}/?c=acme&e=event-app&t=`),
      QueueUrlTTLInMinutes: 10,
      EventTargetUrl: `${site().origin}/app`,
      QueueitToken: "",
    });
    const view = world().visitor();
    const page = await view.navigate(`${told.QueueUrl}&userId=u1`);
    expect([page.position, page.body.includes('<html lang="de"')]).toEqual([1, true]);
    await world().admin.increment("app", 1);
    const end = await view.waitInLine(page, { stopAt: (location) => location.origin === site().origin });
    expect(end.location?.pathname).toBe("/app");
    expect(end.location?.searchParams.get("queueittoken")).toMatch(/^e_event-app~q_.*~rt_queue~h_[0-9a-f]{64}$/);
  });

  test("gets a token where everybody passes", async () => {
    await world().admin.step("app-passing", "passthrough");
    const told = (await enqueue("app-passing", {})).json() as Record<string, string>;
    expect(told).toMatchObject({ QueueUrl: "", QueueitToken: expect.stringMatching(/~rt_disabled~h_[0-9a-f]{64}$/) });
    expect(told.QueueitToken).toContain(`~q_${told.QueueId}~`);
    const [admission] = await admitted("app-passing");
    expect(queueIdOf(admission?.sub ?? "")).toBe(told.QueueId);
  });

  test("never past what the room asks for", async () => {
    for (const room of ["invited-app", "app-bound"]) {
      await world().admin.step(room, "passthrough");
      expect((await enqueue(room, { ...asked, enqueueKey: "ada" })).json()).toMatchObject({ QueueitToken: "" });
      expect(await admitted(room)).toEqual([]);
    }
  });

  test.each([
    ["another customer", () => enqueue("app", asked, "other"), 404],
    ["another room", () => enqueue("none", asked), 404],
    ["a long body", () => enqueue("app", { userId: "x".repeat(20_000) }), 413],
    ["a long name", () => enqueue("app", { userId: "x".repeat(300) }), 400],
    ["a number for a name", () => enqueue("app", { userId: 7 }), 400],
    ["half a character", () => enqueue("app", { ...asked, language: "\ud800" }), 200],
  ])("%s is no fault of the program's", async (_, send, status) => expect((await send()).status).toBe(status));
});
