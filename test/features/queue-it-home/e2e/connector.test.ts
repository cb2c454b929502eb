/** The published connector for JavaScript in front of a site: its visitors are sent into the line, and come back with a token. */
import { describe, expect, test } from "vitest";
import { queueIdOf } from "../../../../src/features/queue-it-home/token.ts";
import { submitForm } from "../../../e2e/form.ts";
import { memoryStore } from "../../../e2e/world.ts";
import { secretKey } from "../support/connector-site.ts";
import { arrive, enterAddress, homePath, pull, useHome } from "../support/home.ts";

const { world, site } = useHome(memoryStore, [
  { id: "line" },
  { id: "two", admission: { duration: "20m" } },
  { id: "sliding", admission: { duration: "10m", max_duration: "1h" } },
  { id: "passing" },
  { id: "clock" },
  { id: "far" },
  { id: "secret" },
  { id: "cookieless" },
  { id: "languages" },
  { id: "bypassed" },
]);
const into = (room: string, path = "/shop?x=1&y=%C3%A9") => `${site().origin}/${room}${path}`;

test("a visitor waits in line, and is in at the page that they wanted, without the token in its address", async () => {
  const visitor = world().visitor();
  const waiting = await visitor.navigate(into("line"));
  expect(waiting.position).toBe(1);
  expect(waiting.url.pathname).toBe("/rooms/line/enter");
  // Still there, and still first.
  expect((await visitor.navigate(into("line"))).position).toBe(1);
  await world().admin.increment("line", 1);
  const inside = await arrive(visitor, into("line"));
  expect(inside.path).toBe("/line/shop?x=1&y=%C3%A9");
  expect(inside.redirectType).toBe("queue");
  const { admissions } = (await world().admin.request("GET", "/rooms/line/admissions")).json() as {
    admissions: { sub: string; admitted_via: string }[];
  };
  expect(admissions.map(({ sub, admitted_via }) => [queueIdOf(sub), admitted_via])).toEqual([
    [inside.queueId, "queue"],
  ]);
  // The site keeps its own session, and asks Usher no more.
  const before = site().sent.length;
  expect((await arrive(visitor, into("line", "/other"))).queueId).toBe(inside.queueId);
  expect(site().sent.length).toBe(before);
  // What is no target is no matter of the connector's.
  expect((await arrive(world().visitor(), `${site().origin}/elsewhere`)).queueId).toBeNull();
});

test("the session ends with a fixed admission, and goes by the site's setting with a sliding one", async () => {
  const valid = async (room: string) => {
    await world().admin.increment(room, 1);
    const visitor = world().visitor();
    await arrive(visitor, into(room));
    const cookie = visitor.jar.all().find(({ name }) => name.startsWith("QueueITAccepted"));
    return new URLSearchParams(decodeURIComponent(cookie?.value ?? "")).get("FixedValidityMins");
  };
  expect([await valid("two"), await valid("sliding")]).toEqual(["20", null]);
});

test("where everybody passes, the connector hears that the room is disabled", async () => {
  await world().admin.step("passing", "passthrough");
  expect(await arrive(world().visitor(), into("passing"))).toMatchObject({ redirectType: "disabled" });
});

test("a link past the line ends at the site, too, though it knows nothing of connectors", async () => {
  const { url } = (
    await world().admin.request("POST", "/rooms/bypassed/bypass", { target_link_uri: into("bypassed") })
  ).json() as { url: string };
  const visitor = world().visitor();
  const page = await submitForm(visitor, await visitor.navigate(url));
  expect(JSON.parse(page.body)).toMatchObject({ path: "/bypassed/shop?x=1&y=%C3%A9", redirectType: "bypass" });
});

test("its culture and layout choose the page's language", async () => {
  const page = await world()
    .visitor()
    .navigate(enterAddress(world(), "languages", { t: into("languages"), cid: "de-DE" }));
  expect(page.body).toContain('<html lang="de"');
  expect(page.position).toBe(1);
});

describe("a site that refuses tokens is no loop", () => {
  const errors = () => site().sent.filter((address) => address.includes("/error/"));

  test("a clock that is fast by less than three minutes: the second token is good", async () => {
    await world().admin.increment("clock", 1);
    site().clockOffsetSec = 150;
    site().sent.length = 0;
    try {
      expect(await arrive(world().visitor(), into("clock"))).toMatchObject({ redirectType: "queue" });
      expect(errors().map((address) => new URL(address).pathname)).toEqual([`${homePath}/error/timestamp/`]);
    } finally {
      site().clockOffsetSec = 0;
    }
  });

  test("by an hour: three fresh tokens, and a page", async () => {
    await world().admin.increment("far", 1);
    site().clockOffsetSec = 3_600;
    site().sent.length = 0;
    const visitor = world().visitor();
    try {
      const page = await visitor.navigate(into("far"));
      expect(page.notice).toBe("too_many_restarts");
      expect(errors()).toHaveLength(4);
      const tokens = errors().map((address) => new URL(address).searchParams.get("queueittoken"));
      expect(tokens.every((token) => token?.startsWith("e_event-far~q_"))).toBe(true);
    } finally {
      site().clockOffsetSec = 0;
    }
  });

  test("another secret key: as often, and health says what is wrong", async () => {
    await world().admin.increment("secret", 1);
    site().secretKey = "another-secret-key-of-the-site-0123456789";
    site().sent.length = 0;
    try {
      expect((await world().visitor().navigate(into("secret"))).notice).toBe("too_many_restarts");
      expect(errors().map((address) => new URL(address).pathname)).toEqual(Array(4).fill(`${homePath}/error/hash/`));
    } finally {
      site().secretKey = secretKey;
    }
    const shown = async () => {
      const { attention, queue_it } = (await world().admin.request("GET", "/health")).json() as {
        attention: { code: string; about: string | null; text: string }[];
        queue_it: { room: string; refused: number }[];
      };
      const found = attention.filter(({ code, about }) => code === "queue_it_refused" && about === "secret");
      return [found.map(({ text }) => text), queue_it.find(({ room }) => room === "secret")?.refused];
    };
    const expected = [[expect.stringMatching(/\(hash\): .* another secret key/)], 4];
    await expect.poll(shown, { timeout: 30_000 }).toEqual(expected);
  });

  test("a stranger who opens the address gets the page, and counts as nothing", async () => {
    const query = new URLSearchParams({
      c: "acme",
      e: "event-line",
      t: into("line"),
      queueittoken: "e_event-line~h_00",
    });
    const visitor = world().visitor();
    expect((await visitor.navigate(`${world().issuer}${homePath}/error/hash/?${query}`)).notice).toBe(
      "too_many_restarts",
    );
    const { body } = await world().http.get(`${world().issuer}/metrics`);
    expect(body).not.toMatch(/usher_queue_it_refused_total\{room="line"/);
  });

  test("no cookie kept: four times, and a page", async () => {
    await world().admin.increment("cookieless", 1);
    site().keepsCookies = false;
    site().sent.length = 0;
    try {
      // The connector is content with the token, and knows nothing of the visitor at the next page.
      const page = await world().visitor().navigate(into("cookieless"));
      expect(page.notice).toBe("too_many_restarts");
      expect(site().sent).toHaveLength(5);
    } finally {
      site().keepsCookies = true;
    }
  });

  test("metrics count them", async () => {
    const { body } = await world().http.get(`${world().issuer}/metrics`);
    const figures = [...body.matchAll(/^usher_queue_it_(\w+)_total\{(.*)\} (\d+)$/gm)].map(([, ...each]) =>
      each.join(" "),
    );
    expect(figures).toEqual(
      expect.arrayContaining([
        'refused room="far",reason="timestamp" 4',
        'refused room="secret",reason="hash" 4',
        'refused room="cookieless",reason="loop" 1',
        'hand_overs room="passing",type="disabled" 1',
      ]),
    );
  });
});

test("the integration configuration is for those who have the key alone, and all spellings of its address are the same", async () => {
  const at = (path: string, headers: Record<string, string> = {}) =>
    world().http.get(`${world().issuer}${homePath}/status/integrationconfig/${path}`, headers);
  const whole = JSON.parse(await pull(world()));
  expect(whole).toMatchObject({ CustomerId: "acme", Integrations: expect.any(Array) });
  expect(JSON.stringify(whole)).not.toContain(secretKey);
  expect((await at("acme", { "api-key": "key-of-the-connectors-0123456789" })).status).toBe(200);
  expect((await at("ACME", { "api-key": "key-of-the-connectors-0123456789" })).status).toBe(200);
  for (const key of ["", "key-of-the-connectors-012345678", "key-of-the-connectors-0123456789x", "x".repeat(4_000)])
    expect((await at("acme", { "api-key": key })).status).toBe(401);
  expect((await at("other", { "api-key": "key-of-the-connectors-0123456789" })).status).toBe(401);
});
