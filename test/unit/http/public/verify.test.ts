import Koa from "koa";
import request from "supertest";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAskedByProxy, pinOrigin } from "../../../../src/http/origin.ts";
import { createTargets } from "../../../../src/http/public/targets.ts";
import { createVerify } from "../../../../src/http/public/verify.ts";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { type AdmissionTokens, createAdmissionTokens } from "../../../../src/oidc/admission-tokens.ts";
import type { Admission, WaitingRooms } from "../../../../src/waiting-room/index.ts";
import { makeSigningJwk } from "../../../support/signing-jwk.ts";

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

describe("what forward authentication asks of the store", () => {
  let tokens: AdmissionTokens;
  let nowMs: number;
  let reads: number;
  let questions: number;
  /** What the store answers; null for none on record. */
  let inStore: Admission | null | "away";
  let known: Admission | undefined;
  let ask: (path: string, cookie?: string) => request.Test;

  beforeAll(async () => {
    const settingsOf = () => ({ audience: "shop", validityMs });
    tokens = await createAdmissionTokens({ issuer, signingKeys: [await makeSigningJwk()], settingsOf });
  }, 30_000);

  beforeEach(() => {
    [nowMs, reads, questions, inStore, known] = [startMs, 0, 0, live, undefined];
    const room = {
      id: "tickets",
      get storeNowMs() {
        return nowMs;
      },
      admissions: {
        known: () => (known === undefined ? null : { admission: known, isLive: known.ended === null }),
        renew: async () => {
          questions++;
          if (inStore === "away") throw new StoreUnavailableError();
          return inStore;
        },
      },
    };
    const app = new Koa();
    app.use(pinOrigin(issuer, () => ""));
    app.use(
      createVerify({
        issuer,
        rooms: { get: (id: string) => (id === "tickets" ? room : undefined) } as unknown as WaitingRooms,
        tokens: {
          issue: tokens.issue,
          read: (...args) => {
            reads++;
            return tokens.read(...args);
          },
        },
        validityMsOf: () => validityMs,
        targetsOf: () => createTargets(["https://shop.example.com/*"]),
        isExemptIn: (_, path) => path === "/exempt",
        isAskedByProxy: createAskedByProxy([]),
        clock: { now: () => nowMs },
      }),
    );
    const handle = app.callback();
    ask = (path, cookie = "") =>
      request(handle)
        .get("/rooms/tickets/verify")
        .set({ Accept: "text/html", Cookie: cookie, "X-Original-URL": `https://shop.example.com${path}` });
  });

  const cookieOf = (token: string) => `__Host-usher-tickets.admission=${token}`;
  const issue = async (longestMs?: number) => (await tokens.issue("tickets", live, nowMs, longestMs)).token;

  it("nothing, for a visitor whose token is fresh; and the token is verified once", async () => {
    const cookie = cookieOf(await issue());
    for (let times = 0; times < 20; times++) expect((await ask("/a", cookie)).status).toBe(200);
    expect([questions, reads]).toEqual([0, 1]);
    nowMs += validityMs / 2;
    expect((await ask("/a", cookie)).headers["set-cookie"]).toBeUndefined();
    nowMs += validityMs;
    expect((await ask("/a", cookie)).status).toBe(302);
    expect([questions, reads]).toEqual([0, 1]);
  });

  it("nothing, for paths that are exempt and for visitors without a token", async () => {
    expect((await ask("/exempt?usher_token=x", cookieOf("x"))).status).toBe(200);
    expect(reads).toBe(0);
    expect((await ask("/a", cookieOf("x"))).status).toBe(302);
    expect(questions).toBe(0);
  });

  it("once for each half of a token's validity, however often the visitor comes with whatever token", async () => {
    const cookie = cookieOf(await issue());
    nowMs += validityMs / 2 + 1_000;
    const handedOver = await issue(60_000);
    const asked = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? ask("/a", cookie) : ask(`/a?usher_token=${handedOver}`),
    );
    const cookies = new Set((await Promise.all(asked)).map(({ headers }) => headers["set-cookie"]?.[0]));
    expect([questions, cookies.size]).toEqual([1, 1]);
    const renewed = [...cookies][0]?.split(";")[0] ?? "";
    nowMs += validityMs / 2 + 1_000;
    expect((await ask("/a", renewed)).headers["set-cookie"]).toHaveLength(1);
    expect(questions).toBe(2);
  });

  it("nothing for a token that was made within that time: it is not sent again either", async () => {
    nowMs += 900;
    const handedOver = await ask(`/a?usher_token=${await issue(60_000)}`);
    const cookie = handedOver.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    // Tokens tell whole seconds.
    nowMs += validityMs / 2 - 500;
    const answer = await ask("/a", cookie);
    expect([answer.status, answer.headers["set-cookie"], questions]).toEqual([200, undefined, 1]);
  });

  it("whether the admission goes on: one that has ended is renewed no more, and refused", async () => {
    const cookie = cookieOf(await issue());
    nowMs += validityMs / 2 + 1_000;
    inStore = { ...live, ended: "completed" };
    const refused = await ask("/a", cookie);
    expect([refused.status, refused.headers["set-cookie"]]).toEqual([302, undefined]);
    const byUrl = await ask(`/a?usher_token=${await issue(60_000)}`);
    expect([byUrl.status, byUrl.headers["set-cookie"]]).toEqual([302, undefined]);
    expect(byUrl.headers.location).toMatch(/\/enter\?target=/);
  });

  it("what this process knows comes first: an end that was heard, but not that of an earlier admission", async () => {
    const cookie = cookieOf(await issue());
    known = { ...live, ended: "revoked" };
    expect((await ask("/a", cookie)).status).toBe(302);
    known = { ...live, admittedMs: live.admittedMs - 60_000, ended: "expired" };
    expect((await ask("/a", cookie)).status).toBe(200);
    expect(questions).toBe(0);
  });

  it("while it is away, tokens stand: renewed by what the process knows, else to their end", async () => {
    const cookie = cookieOf(await issue());
    inStore = "away";
    nowMs += validityMs / 2 + 1_000;
    const stands = await ask("/a", cookie);
    expect([stands.status, stands.headers["set-cookie"]]).toEqual([200, undefined]);

    const handedOver = await issue(60_000);
    const kept = await ask(`/a?usher_token=${handedOver}`);
    expect([kept.status, kept.headers.location]).toEqual([302, "https://shop.example.com/a"]);
    expect(kept.headers["set-cookie"]?.[0]).toMatch(`${cookieOf(handedOver)}; Max-Age=60;`);

    known = live;
    nowMs += 6_000;
    expect((await ask("/a", cookie)).headers["set-cookie"]).toHaveLength(1);
    // It is asked again soon after it could not be.
    expect(questions).toBe(2);
  });

  it("an admission that nobody has on record does not end a good token", async () => {
    const cookie = cookieOf(await issue());
    nowMs += validityMs / 2 + 1_000;
    inStore = null;
    const answer = await ask("/a", cookie);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([200, undefined]);
  });
});
