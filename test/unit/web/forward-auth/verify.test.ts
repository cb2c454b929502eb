import Koa from "koa";
import request from "supertest";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RoomConfig } from "../../../../src/config/index.ts";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { type AdmissionTokens, createAdmissionTokens } from "../../../../src/oidc/admission-tokens.ts";
import { createIssuerKeys } from "../../../../src/registry/index.ts";
import type { Admission, WaitingRooms } from "../../../../src/room/index.ts";
import { createVerify } from "../../../../src/web/forward-auth/verify.ts";
import { createOriginPin, createTrustedProxies } from "../../../../src/web/middleware/incoming.ts";
import { createRoomSites } from "../../../../src/web/room-sites.ts";
import { makeSigningJwk } from "../../../support/signing-jwk.ts";
import { makeSiteRoom } from "../../../support/site-room.ts";

const issuer = "https://queue.example.com";
const validityMs = 300_000;
const startMs = Date.UTC(2027, 2, 1, 10);
const live: Admission = {
  sub: "tickets.0123456789012345678901",
  edition: 1,
  position: 7,
  usedPosition: 7,
  via: "queue",
  admittedMs: startMs,
  expiresMs: startMs + 3_600_000,
  expiresFlowMs: 3_600_000,
  ended: null,
  logins: [],
};

describe("forward authentication", () => {
  let tokens: AdmissionTokens;
  let nowMs: number;
  let reads: number;
  let questions: number;
  /** What the store answers; null for none on record. */
  let inStore: Admission | null | "away" | "broken";
  let known: Admission | undefined;
  /** Logins that were taken, as the store knows. */
  let taken: Set<string>;
  let cookieDomain: string | null;
  let logins: number;
  /** `admission.first_visit_within`, and how often the store was told of a visit. */
  let firstVisitWithinMs: number | null;
  let visits: number;
  let ask: (path: string, cookie?: string, headers?: Record<string, string>) => request.Test;

  beforeAll(async () => {
    const room = { waysIn: { admissionToken: { audience: "shop", validityMs } } } as unknown as RoomConfig;
    const signingKeys = [makeSigningJwk()];
    tokens = await createAdmissionTokens({
      issuer,
      keys: createIssuerKeys({ signing: signingKeys, tickets: [], draw: [], cookies: [] }),
      directory: { get: () => room },
    });
  }, 30_000);

  beforeEach(() => {
    [nowMs, reads, questions, inStore, known] = [startMs, 0, 0, live, undefined];
    [taken, logins, cookieDomain] = [new Set(), 0, null];
    [firstVisitWithinMs, visits] = [null, 0];
    const room = {
      id: "tickets",
      get nowMs() {
        return nowMs;
      },
      get away() {
        return { isLettingIn: inStore === "away" };
      },
      get settings() {
        return { admission: { firstVisitWithinMs } };
      },
      admissions: {
        visit: async () => {
          visits++;
          if (inStore === "away") throw new StoreUnavailableError();
          return inStore;
        },
        cached: () => (known === undefined ? null : { admission: known, isLive: known.ended === null }),
        takeLogin: async (sub: string, login: string) => {
          if (inStore === "away") throw new StoreUnavailableError();
          const isNew = !taken.has(`${sub} ${login}`);
          taken.add(`${sub} ${login}`);
          return isNew;
        },
        renew: async () => {
          questions++;
          if (inStore === "away") throw new StoreUnavailableError();
          if (inStore === "broken") throw new Error("a fault of ours");
          return inStore;
        },
      },
    };
    const waysIn = {
      targets: ["https://shop.example.com/*"],
      verify: { exempt: ["/exempt"] },
      admissionToken: { validityMs },
    };
    const app = new Koa({ env: "test" });
    app.silent = true;
    const pin = createOriginPin(issuer, createTrustedProxies([]));
    app.use((ctx, next) => {
      pin(ctx);
      return next();
    });
    app.use(
      createVerify({
        issuer,
        isCrawler: null,
        programs: new Map(),
        rooms: { get: (id: string) => (id === "tickets" ? room : undefined) } as unknown as WaitingRooms,
        tokens: {
          ...tokens,
          read: (...args) => {
            reads++;
            return tokens.read(...args);
          },
        },
        sitesOf: () =>
          createRoomSites(
            issuer,
            makeSiteRoom("tickets", { ...waysIn, verify: { ...waysIn.verify, cookieDomain } }),
            [],
          ),
        proxies: createTrustedProxies([]),
      }),
    );
    const handle = app.callback();
    ask = (path, cookie = "", headers = {}) =>
      request(handle)
        .get("/rooms/tickets/verify")
        .set({ Accept: "text/html", Cookie: cookie, "X-Original-URL": `https://shop.example.com${path}` })
        .set(headers);
  });

  it("keeps one cookie for all hosts of the domain, and none of its own for another host", async () => {
    cookieDomain = "example.com";
    const at = (address: string, cookie = "") => ask("/", cookie, { "X-Original-URL": address });
    const [cookie = ""] = (await at(`https://shop.example.com/a?usher_token=${await handOver()}`)).headers[
      "set-cookie"
    ] as unknown as string[];
    expect(cookie).toMatch(
      /^__Secure-usher-tickets\.admission=[^;]+; Max-Age=\d+; Domain=example\.com; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const [kept = ""] = cookie.split(";");
    expect((await at("https://api.example.com/cart", kept)).headers["x-usher-sub"]).toBe(live.sub);
    // A browser does not send it there; whoever does has the name wrong.
    expect((await at("https://example.org/", kept)).status).toBe(302);
    expect((await at("https://notexample.com/", kept)).status).toBe(302);
    expect((await at("https://example.org/", cookieOf(kept.split("=")[1] ?? ""))).status).toBe(200);
    // Without TLS browsers refuse `Secure`.
    const [plain = ""] = (await at(`http://shop.example.com/?usher_token=${await handOver()}`)).headers[
      "set-cookie"
    ] as unknown as string[];
    expect(plain).toMatch(
      /^usher-tickets\.admission=[^;]+; Max-Age=\d+; Domain=example\.com; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  const cookieOf = (token: string) => `__Host-usher-tickets.admission=${token}`;
  const issue = async (admission = live) => (await tokens.issue("tickets", admission, nowMs)).token;
  const handOver = async (admission = live, login = `login-${++logins}`) =>
    (await tokens.issueHandOver("tickets", admission, login, nowMs)).token;

  it("asks the store nothing, for a visitor whose token is fresh; and the token is verified once", async () => {
    const cookie = cookieOf(await issue());
    for (let times = 0; times < 20; times++) expect((await ask("/a", cookie)).status).toBe(200);
    expect([questions, reads]).toEqual([0, 1]);
    nowMs += validityMs / 2;
    expect((await ask("/a", cookie)).headers["set-cookie"]).toBeUndefined();
    nowMs += validityMs;
    expect((await ask("/a", cookie)).status).toBe(302);
    expect([questions, reads]).toEqual([0, 1]);
  });

  describe("where a site has to see the visitor in time", () => {
    beforeEach(() => {
      firstVisitWithinMs = 10_000;
      inStore = { ...live, admittedMs: nowMs, visitByMs: nowMs + 10_000 };
    });

    it("tells the store of the first request, of many at once", async () => {
      const cookie = cookieOf(await issue(inStore as Admission));
      await Promise.all(Array.from({ length: 10 }, () => ask("/a", cookie)));
      nowMs += 5_000;
      expect((await ask("/a", cookie)).status).toBe(200);
      expect(visits).toBe(1);
    });

    it("tells it whatever the setting is by now, where the admission says that it has to be seen", async () => {
      const admission = inStore as Admission;
      const cookie = cookieOf(await issue(admission));
      known = admission;
      firstVisitWithinMs = null;
      await ask("/a", cookie);
      expect(visits).toBe(1);
    });

    it("tells it again, and lets the request pass, while the store is away", async () => {
      const cookie = cookieOf(await issue(inStore as Admission));
      inStore = "away";
      for (let times = 0; times < 2; times++) expect((await ask("/a", cookie)).status).toBe(200);
      inStore = live;
      for (let times = 0; times < 2; times++) expect((await ask("/a", cookie)).status).toBe(200);
      expect(visits).toBe(3);
    });

    it("tells it nothing of those whom this process knows to have been seen, or whose time is over", async () => {
      const cookie = cookieOf(await issue(inStore as Admission));
      known = { ...live, admittedMs: nowMs };
      await ask("/a", cookie);
      known = undefined;
      nowMs += 12_000;
      await ask("/a", cookie);
      firstVisitWithinMs = null;
      await ask("/a", cookie);
      expect(visits).toBe(0);
    });
  });

  it("takes one hand-over of each login that no store knows, however many tokens were made for it", async () => {
    const { admittedMs, expiresMs, position, sub } = live;
    const away = { sub, position, admittedMs, expiresMs, via: "away" as const };
    const handedOver = async () => (await tokens.issueHandOver("tickets", away, "login", nowMs)).token;
    inStore = "away";
    const first = await ask(`/a?usher_token=${await handedOver()}`);
    expect(String(first.headers["set-cookie"])).toContain("usher-tickets.admission=");
    nowMs += 1_000;
    expect((await ask(`/a?usher_token=${await handedOver()}`)).headers["set-cookie"]).toBeUndefined();
    // Back, the store has an earlier admission of the visitor, which says nothing of this one.
    inStore = { ...live, admittedMs: live.admittedMs - 3_600_000, ended: "expired" };
    nowMs += validityMs / 2;
    const cookie = String(first.headers["set-cookie"]).split(";")[0] ?? "";
    expect((await ask("/a", cookie)).status).toBe(200);
  });

  it("asks nothing, for paths that are exempt and for visitors without a token", async () => {
    expect((await ask("/exempt", cookieOf("x"))).status).toBe(200);
    expect(reads).toBe(0);
    expect((await ask("/a", cookieOf("x"))).status).toBe(302);
    expect(questions).toBe(0);
  });

  it("asks once for each half of a token's validity, however often the visitor comes with whatever token", async () => {
    const cookie = cookieOf(await issue());
    nowMs += validityMs / 2 + 1_000;
    const asked = Array.from({ length: 10 }, async (_, index) =>
      index % 2 === 0 ? ask("/a", cookie) : ask(`/a?usher_token=${await handOver()}`),
    );
    const cookies = new Set((await Promise.all(asked)).map(({ headers }) => headers["set-cookie"]?.[0]));
    expect([questions, cookies.size]).toEqual([1, 1]);
    const renewed = [...cookies][0]?.split(";")[0] ?? "";
    nowMs += validityMs / 2 + 1_000;
    expect((await ask("/a", renewed)).headers["set-cookie"]).toHaveLength(1);
    expect(questions).toBe(2);
  });

  it("asks nothing for a token that was made within that time: it is not sent again either", async () => {
    nowMs += 900;
    const handedOver = await ask(`/a?usher_token=${await handOver()}`);
    const cookie = handedOver.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    // Tokens tell whole seconds.
    nowMs += validityMs / 2 - 500;
    const answer = await ask("/a", cookie);
    expect([answer.status, answer.headers["set-cookie"], questions]).toEqual([200, undefined, 1]);
  });

  it("asks whether the admission goes on: one that has ended is renewed no more, and refused", async () => {
    const cookie = cookieOf(await issue());
    nowMs += validityMs / 2 + 1_000;
    inStore = { ...live, ended: "completed" };
    const refused = await ask("/a", cookie);
    expect([refused.status, refused.headers["set-cookie"]]).toEqual([302, undefined]);
    const byUrl = await ask(`/a?usher_token=${await handOver()}`);
    expect([byUrl.status, byUrl.headers["set-cookie"]]).toEqual([302, undefined]);
    expect(byUrl.headers.location).toMatch(/\/enter\?target=/);
  });

  it("takes what this process knows first: an end that was heard, but not that of an earlier admission", async () => {
    const cookie = cookieOf(await issue());
    known = { ...live, ended: "revoked" };
    expect((await ask("/a", cookie)).status).toBe(302);
    known = { ...live, admittedMs: live.admittedMs - 60_000, ended: "expired" };
    expect((await ask("/a", cookie)).status).toBe(200);
    expect(questions).toBe(0);
  });

  it("lets tokens stand while the store is away: renewed by what the process knows, else to their end", async () => {
    const cookie = cookieOf(await issue());
    inStore = "away";
    nowMs += validityMs / 2 + 1_000;
    const stands = await ask("/a", cookie);
    expect([stands.status, stands.headers["set-cookie"]]).toEqual([200, undefined]);

    // Nobody can say whether another process has taken it.
    const handedOver = await ask(`/a?usher_token=${await handOver()}`);
    expect([handedOver.status, handedOver.headers["set-cookie"]]).toEqual([302, undefined]);
    expect(handedOver.headers.location).toMatch(/\/enter\?target=/);

    known = live;
    nowMs += 6_000;
    expect((await ask("/a", cookie)).headers["set-cookie"]).toHaveLength(1);
    // It is asked again soon after it could not be.
    expect(questions).toBe(2);
  });

  it("asks again after a fault of its own", async () => {
    const cookie = cookieOf(await issue());
    nowMs += validityMs / 2 + 1_000;
    inStore = "broken";
    expect((await ask("/a", cookie)).status).toBe(500);
    inStore = live;
    expect((await ask("/a", cookie)).headers["set-cookie"]).toHaveLength(1);
  });

  it("ends no good token because nobody has the admission on record", async () => {
    const cookie = cookieOf(await issue());
    nowMs += validityMs / 2 + 1_000;
    inStore = null;
    const answer = await ask("/a", cookie);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([200, undefined]);
  });

  it("takes an address's token once, and no other kind of token from there", async () => {
    const token = await handOver();
    const taken = await ask(`/a?usher_token=${token}`);
    expect([taken.status, taken.headers.location]).toEqual([302, "https://shop.example.com/a"]);
    const again = await ask(`/a?usher_token=${token}`);
    const another = await handOver(live, "login-1");
    expect((await ask(`/a?usher_token=${another}`)).headers.location).toMatch(/\/enter\?target=/);
    expect([again.status, again.headers["set-cookie"]]).toEqual([302, undefined]);
    expect(again.headers.location).toMatch(/\/rooms\/tickets\/enter\?target=/);
    // That of somebody's cookie is as good as a cookie, and only there.
    expect((await ask(`/a?usher_token=${await issue()}`)).headers.location).toMatch(/\/enter\?target=/);
  });

  it("keeps a good cookie, whatever link is followed: only the address is cleaned", async () => {
    const cookie = cookieOf(await issue());
    const other = { ...live, sub: "tickets.abcdefghijklmnopqrstuv" };
    const token = await handOver(other);
    const led = await ask(`/a?usher_token=${token}`, cookie);
    expect([led.status, led.headers.location, led.headers["set-cookie"]]).toEqual([
      302,
      "https://shop.example.com/a",
      undefined,
    ]);
    const script = await ask(`/a?usher_token=${token}`, cookie, { "X-Requested-With": "XMLHttpRequest" });
    expect([script.status, script.headers["x-usher-sub"]]).toEqual([200, live.sub]);
    expect(questions).toBe(0);
    // Without the cookie the token is still to be taken.
    expect((await ask(`/a?usher_token=${token}`)).headers["set-cookie"]).toHaveLength(1);
  });

  it("renews no cookie with a part of a page, which caches may keep", async () => {
    const cookie = cookieOf(await issue());
    nowMs += validityMs / 2 + 1_000;
    for (const dest of ["image", "style", "script", "font", "iframe"]) {
      const part = await ask("/a.png", cookie, { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": dest });
      expect([part.status, part.headers["set-cookie"]]).toEqual([200, undefined]);
    }
    const script = await ask("/api", cookie, { "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" });
    expect(script.headers["set-cookie"]).toHaveLength(1);
  });

  it("takes a token at an exempt page, too, so that the cookie comes of it; a bad one takes nothing away", async () => {
    const taken = await ask(`/exempt?usher_token=${await handOver()}`);
    expect([taken.status, taken.headers.location]).toEqual([302, "https://shop.example.com/exempt"]);
    expect(taken.headers["set-cookie"]).toHaveLength(1);
    const bad = await ask("/exempt?usher_token=x");
    expect([bad.status, bad.headers["x-usher-sub"], bad.headers["set-cookie"]]).toEqual([200, "", undefined]);
  });

  it("lets whoever stays active stay, where admissions slide and are shorter than tokens", async () => {
    const sliding = () => ({ ...live, expiresMs: nowMs + 8_000 });
    inStore = sliding();
    let cookie = cookieOf(await issue(inStore));
    for (let second = 0; second < 40; second++) {
      nowMs += 1_000;
      inStore = sliding();
      const answer = await ask("/a", cookie);
      expect([second, answer.status]).toEqual([second, 200]);
      cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? cookie;
    }
    expect(questions).toBeLessThanOrEqual(15);
  });
});
