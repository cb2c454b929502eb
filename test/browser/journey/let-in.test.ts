/** A visitor's way through a real gateway into a real relying party, by tabs, reloads and the back button. */
import { afterAll, beforeAll, describe } from "vitest";
import { type Journey, startJourney } from "../../support/journey.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import { isElsewhere, isInside, parkedAt, recordNavigations, seesPeopleAhead } from "../../support/waiting-visitor.ts";

const rooms = ["falls", "tabs", "twins", "reloads", "back", "replayed", "away", "restarts", "status"];
const loginTimeoutMs = 2_000;

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney(
    rooms.map((id) => ({
      id,
      client: { login_timeout: id === "restarts" ? `${loginTimeoutMs}ms` : "5m" },
      ...(id === "status" && { settings: { waiting_status: 429 } }),
    })),
  );
});
afterAll(() => journey?.stop());

describe.concurrent("waiting and entering", () => {
  test("the number falls in the page, the visitor is let in, and back leads to where they were before", async ({
    expect,
  }) => {
    await journey.joinOthers("falls", 3);
    const page = await journey.arrive("falls");
    expect(await parkedAt(page)).toBe(4);
    await seesPeopleAhead(page, "3 people ahead of you");
    const navigations = recordNavigations(page);
    const before = await page.evaluate("history.length");
    await journey.admin.increment("falls", 2);
    await seesPeopleAhead(page, "1 person ahead of you");
    expect(navigations).toEqual([]);

    await journey.admin.increment("falls", 2);
    expect(await isInside(page)).toBe(4);
    expect(page.url()).toBe(journey.siteUrl("falls"));
    await expect.poll(() => page.getByRole("row", { name: /^sub falls\./ }).count()).toBe(1);
    expect(navigations.map(({ pathname }) => pathname)).toEqual(["/authorize", "/callback", "/"]);
    expect(await page.evaluate("history.length")).toBe(before);
    await page.goBack({ waitUntil: "commit" });
    await isElsewhere(page);
    await page.goForward({ waitUntil: "commit" });
    expect(await isInside(page)).toBe(4);
  });

  long(
    `"a second tab counted against me": two tabs of one browser keep one place, and both get in`,
    async ({ expect }) => {
      const one = await journey.arrive("tabs");
      expect(await parkedAt(one)).toBe(1);
      const two = await journey.arriveIn(one.context(), "tabs");
      expect(await parkedAt(two)).toBe(1);
      expect(two.url()).not.toBe(one.url());
      await journey.admin.increment("tabs", 1);
      expect(await Promise.all([one, two].map(isInside))).toEqual([1, 1]);
      expect(await journey.joinOthers("tabs")).toBe(2);
    },
  );

  long(
    "a tab that was duplicated asks with the same state, which is answered once: both get in",
    async ({ expect }) => {
      const one = await journey.arrive("twins");
      await parkedAt(one);
      const two = await one.context().newPage();
      await two.goto(one.url());
      expect(await parkedAt(two)).toBe(1);
      await journey.admin.increment("twins", 1);
      expect(await Promise.all([one, two].map(isInside))).toEqual([1, 1]);
    },
  );

  long(`"refreshing threw me to the back": fifty reloads in a few seconds keep the place`, async ({ expect }) => {
    const page = await journey.arrive("reloads");
    expect(await parkedAt(page)).toBe(1);
    for (let i = 0; i < 50; i++) {
      const response = await page.reload({ waitUntil: "domcontentloaded" });
      expect(response?.status()).toBe(200);
    }
    expect(await parkedAt(page)).toBe(1);
    const cookies = await page.context().cookies(journey.gateway.issuer);
    const tickets = cookies.filter(({ name }) => name.includes("reloads") && !name.includes(".place."));
    expect(tickets).toHaveLength(1);
    expect(await journey.joinOthers("reloads")).toBe(2);
    await journey.admin.increment("reloads", 1);
    expect(await isInside(page)).toBe(1);
  });
});

long(
  "a waiting page with status 429 is shown, goes on by itself, comes back and lets in as any other",
  async ({ expect }) => {
    await journey.joinOthers("status", 2);
    const page = await journey.arrive("status");
    await seesPeopleAhead(page, "2 people ahead of you");
    expect((await page.reload())?.status()).toBe(429);
    await journey.admin.increment("status", 1);
    await seesPeopleAhead(page, "1 person ahead of you");
    await page.goto(journey.outsideUrl);
    await page.goBack({ waitUntil: "commit" });
    expect(await parkedAt(page)).toBe(3);
    await journey.admin.increment("status", 2);
    expect(await isInside(page)).toBe(3);
  },
);

describeLong("the back button", { concurrent: true }, () => {
  long("from elsewhere it leads back to the place, or in when the turn has come meanwhile", async ({ expect }) => {
    const page = await journey.arrive("away");
    // The browser's back/forward cache is on. It keeps no page that is `no-store`, so the gateway is asked again.
    expect(await parkedAt(page)).toBe(1);
    await page.goto(journey.outsideUrl);
    await page.goBack({ waitUntil: "commit" });
    expect(await parkedAt(page)).toBe(1);
    await page.goto(journey.outsideUrl);
    await journey.admin.increment("away", 1);
    await page.goBack({ waitUntil: "commit" });
    expect(await isInside(page)).toBe(1);
    expect(await journey.joinOthers("away")).toBe(2);
  });

  long("to a waiting page whose login went on in another tab, it ends at the site", async ({ expect }) => {
    const page = await journey.arrive("back");
    await parkedAt(page);
    const address = page.url();
    await page.goto(journey.outsideUrl);
    const other = await page.context().newPage();
    await other.goto(address);
    await journey.admin.increment("back", 1);
    await isInside(other);

    // Its state has been answered now, in the other tab.
    const navigations = recordNavigations(page);
    await page.goBack({ waitUntil: "commit" });
    expect(await isInside(page)).toBe(1);
    expect(page.url()).toBe(journey.siteUrl("back"));
    expect(navigations.map(({ pathname }) => pathname)).toEqual(["/authorize", "/"]);
    await page.goBack({ waitUntil: "commit" });
    await isElsewhere(page);
    await page.goForward({ waitUntil: "commit" });
    expect(await isInside(page)).toBe(1);
  });

  long(
    "to a used request or a used code, with or without the site's session, it ends at the site",
    async ({ expect }) => {
      const page = await journey.arrive("replayed");
      await parkedAt(page);
      const navigations = recordNavigations(page);
      await journey.admin.increment("replayed", 1);
      await isInside(page);
      const [request, callback] = navigations.map(({ href }) => href);
      for (const used of [request, callback, request]) {
        await page.goto(used ?? "");
        expect(await isInside(page)).toBe(1);
      }
      for (const used of [request, callback]) {
        await page.context().clearCookies({ name: "usher_demo_session" });
        await page.goto(used ?? "");
        expect(await isInside(page)).toBe(1);
      }
      expect(await journey.joinOthers("replayed")).toBe(2);
    },
  );
});

describeLong("a login that the relying party has forgotten", { concurrent: true }, () => {
  long("is started anew by the way of initiate_login_uri, in place and without a new position", async ({ expect }) => {
    const page = await journey.arrive("restarts");
    expect(await parkedAt(page)).toBe(1);
    const state = (address: URL | undefined) => address?.searchParams.get("state");
    const parkedWith = state(new URL(page.url()));
    const before = await page.evaluate("history.length");
    const navigations = recordNavigations(page);
    await page.waitForTimeout(loginTimeoutMs + 200);
    await journey.admin.increment("restarts", 1);
    expect(await isInside(page)).toBe(1);
    expect(navigations.map(({ pathname }) => pathname)).toEqual(["/authorize", "/", "/authorize", "/callback", "/"]);
    const [stale, restart, fresh] = navigations;
    expect(restart?.href).toBe(journey.siteUrl("restarts"));
    expect([state(stale), state(fresh) === parkedWith]).toEqual([parkedWith, false]);
    expect(await page.evaluate("history.length")).toBe(before);
    expect(await journey.joinOthers("restarts")).toBe(2);
    await page.goBack({ waitUntil: "commit" });
    await isElsewhere(page);
  });
});
