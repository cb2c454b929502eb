/** Requests that are no visit by a person take no place in line, and browsers without cookies are told so. */
import { describe, expect, test } from "vitest";
import { attribute, enterLink, type Page } from "../../support/visitor.ts";
import { numbers, queued } from "../line.ts";
import { memoryStore, useWorld } from "../world.ts";

/** The link of a notice's first button. */
function enterFrom(page: Page): URL {
  const href = attribute(page.body.match(/<a\b[^>]*class="button[^>]*>/)?.[0] ?? "", "href");
  if (href === undefined) throw new Error(`no button on ${page.body.slice(0, 300)}`);
  return new URL(href, page.url);
}

describe("requests that take no place", () => {
  const oneLogin = { admission: { logins_per_admission: 1 } };
  const rooms = [
    { id: "quiet" },
    { id: "no-cookies" },
    { id: "silent-head", ...oneLogin },
    { id: "silent-prefetch", ...oneLogin },
    { id: "same-origin" },
    { id: "program" },
  ];
  const world = useWorld(() => ({ store: memoryStore, rooms }));
  const page = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

  test.each([
    ["a prefetch", { ...page, "sec-purpose": "prefetch" }, 503],
    ["a prerender", { ...page, "sec-purpose": "prefetch;prerender" }, 503],
    ["an old prefetch", { ...page, purpose: "prefetch" }, 503],
    ["a picture", { accept: "image/*", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }, 403],
    ["a script's request", { accept: "*/*", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }, 403],
    ["a frame", { ...page, "sec-fetch-dest": "iframe" }, 403],
    ["a link preview", { accept: "text/html", "user-agent": "facebookexternalhit/1.1" }, 200],
    ["a crawler", { accept: "text/html", "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" }, 200],
  ])("%s", async (_, headers, status) => {
    const { url } = world().relyingParty("quiet").startLogin();
    const answer = await world().http.get(url, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain("data-position");
    expect(answer.setCookies).toEqual([]);
    expect(await queued(world(), "quiet")).toBe(0);
  });

  test("HEAD", async () => {
    const { url } = world().relyingParty("quiet").startLogin();
    const answer = await world().http.request(url, { method: "HEAD", headers: page });
    expect([answer.status, answer.body, answer.setCookies]).toEqual([200, "", []]);
    expect(await queued(world(), "quiet")).toBe(0);
  });

  test.each([
    ["silent-head", { method: "HEAD" }],
    ["silent-prefetch", { headers: { "sec-purpose": "prefetch" } }],
  ])("prompt=none claims nothing and takes no login when nobody navigates: %s", async (room, how) => {
    const site = world().relyingParty(room);
    const visitor = world().visitor();
    const waiting = await visitor.navigate(site.startLogin().url);
    await world().admin.increment(room, 1);
    const askSilently = async () => {
      const { url } = site.startLogin({ prompt: "none" });
      const answer = await visitor.navigate(url, { ...how, stopAt: site.isCallback });
      return answer.location?.searchParams.get("error");
    };
    expect(await askSilently()).toBe("interaction_required");
    expect(await numbers(world(), room)).toMatchObject({ live_admissions: 0, counts: { entered: 0 } });

    // A claim is no login, so that the only one of this admission is left for the silent request to take.
    const claim = `${world().issuer}/rooms/${room}/tickets/me/claim`;
    const admitted = await visitor.fetch(claim, { method: "POST", from: waiting.url });
    expect(admitted.json()).toMatchObject({ state: "admitted" });
    expect(await askSilently()).toBe("interaction_required");
    expect((await site.login(visitor)).claims.queue_position).toBe(1);
  });

  test("a browser that keeps no cookies gets an explanation at its second request, not another place", async () => {
    const site = world().relyingParty("no-cookies");
    const visitor = world().visitor({ acceptsCookies: false });
    const parked = await visitor.navigate(site.startLogin().url);
    expect(parked.position).toBe(1);

    const second = await visitor.navigate(enterLink(parked), { from: parked.url, stopAt: site.isCallback });
    expect([second.status, second.notice, second.redirects]).toEqual([400, "cookies_blocked", []]);
    expect(await queued(world(), "no-cookies")).toBe(1);

    // The explanation's button tries once more and comes to the same page while nothing has changed …
    const tryAgain = enterFrom(second);
    const third = await visitor.navigate(tryAgain, { from: second.url, stopAt: site.isCallback });
    expect([third.notice, third.redirects.length]).toEqual(["cookies_blocked", 1]);
    // … and leads into the line when cookies are allowed.
    const allowed = world().visitor();
    const page = await allowed.navigate(tryAgain, { from: second.url, stopAt: site.isCallback });
    expect(page.position).toBeGreaterThan(1);
    expect((await allowed.navigate(enterLink(page), { from: page.url })).position).toBe(page.position);
  });

  test("a client that calls every visit same-origin waits like others, is told nothing of cookies, and finishes its login", async () => {
    // HtmlUnit does, which the OpenID Foundation's conformance suite is driven with.
    const htmlUnit = { headers: { ...page, "sec-fetch-site": "same-origin" } };
    const site = world().relyingParty("same-origin");
    const visitor = world().visitor();
    const login = site.startLogin();
    const parked = await visitor.navigate(login.url, htmlUnit);
    expect([parked.notice, parked.position]).toEqual([undefined, 1]);
    await world().admin.increment("same-origin", 1);
    const tokens = await site.finishLogin(
      await visitor.navigate(enterLink(parked), { ...htmlUnit, stopAt: site.isCallback }),
      login,
    );
    // Nor is any later login of an age that nobody knows.
    const second = site.startLogin();
    const again = await visitor.navigate(second.url, { ...htmlUnit, stopAt: site.isCallback });
    expect((await site.finishLogin(again, second)).claims.sub).toBe(tokens.claims.sub);
  });

  test("Node's own fetch, which names the mode and nothing else, is a program like curl", async () => {
    const { url } = world().relyingParty("program").startLogin();
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('data-position="1"')]);
  });
});
