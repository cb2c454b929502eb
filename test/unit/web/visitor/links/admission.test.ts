import Koa from "koa";
import request from "supertest";
import { beforeAll, describe, expect, it } from "vitest";
import type { RoomConfig } from "../../../../../src/config/index.ts";
import { UsherError } from "../../../../../src/lib/errors.ts";
import { type AdmissionTokens, createAdmissionTokens } from "../../../../../src/oidc/admission-tokens.ts";
import { createIssuerKeys } from "../../../../../src/registry/index.ts";
import type { Admission, WaitingRoom } from "../../../../../src/room/index.ts";
import { createAdmissionAnswer } from "../../../../../src/web/visitor/links/admission.ts";
import { makeSigningJwk } from "../../../../support/signing-jwk.ts";

const startMs = Date.UTC(2027, 2, 1, 10);
const admission: Admission = {
  sub: "tickets.0123456789012345678901",
  edition: 1,
  position: 7,
  usedPosition: 7,
  via: "queue",
  admittedMs: startMs,
  expiresMs: startMs + 600_000,
  expiresFlowMs: 600_000,
  ended: null,
  logins: [],
};

describe("POST …/admission", () => {
  let tokens: AdmissionTokens;
  let token: string;

  beforeAll(async () => {
    const config = { waysIn: { admissionToken: { audience: "shop", validityMs: 300_000 } } } as unknown as RoomConfig;
    tokens = createAdmissionTokens({
      issuer: "https://queue.example.com",
      keys: createIssuerKeys({ signing: [makeSigningJwk()], tickets: [], draw: [], cookies: [] }),
      directory: { get: () => config },
    });
    token = (await tokens.issueHandOver("tickets", admission, "login", startMs)).token;
  }, 30_000);

  function ask(body: string, { afterMs = 0, known = null as unknown, id = "tickets", type = "text/plain" } = {}) {
    const room = { id, name: id, nowMs: startMs + afterMs, admissions: { cached: () => known } };
    const app = new Koa({ env: "test" });
    const answer = createAdmissionAnswer({ tokens });
    app.use(async (ctx) => {
      try {
        await answer(ctx, room as unknown as WaitingRoom);
      } catch (error) {
        if (!(error instanceof UsherError)) throw error;
        ctx.status = 400;
        ctx.body = { error: error.code };
      }
    });
    return request(app.callback()).post("/").set("Content-Type", type).send(body);
  }

  const admitted = (forMs: number) => ({
    admitted: true,
    sub: admission.sub,
    admitted_until: admission.expiresMs / 1_000,
    for_ms: forMs,
  });
  const refused = { admitted: false };

  it("says whose the token is and for how long yet, however often, and for two minutes after it has expired", async () => {
    for (const afterMs of [0, 0, 59_000, 179_000]) {
      expect((await ask(token, { afterMs })).body, String(afterMs)).toEqual(admitted(600_000 - afterMs));
    }
    expect((await ask(token, { afterMs: 181_000 })).body).toEqual(refused);
  });

  it("admits nobody after the admission has lapsed, or is known to be over", async () => {
    const short = { ...admission, expiresMs: startMs + 30_000 };
    const brief = (await tokens.issueHandOver("tickets", short, "login", startMs)).token;
    expect((await ask(brief, { afterMs: 29_000 })).body).toMatchObject({ admitted: true, for_ms: 1_000 });
    expect((await ask(brief, { afterMs: 31_000 })).body).toEqual(refused);
    expect((await ask(token, { known: { isLive: false, admission } })).body).toEqual(refused);
    expect((await ask(token, { known: { isLive: true, admission } })).body).toEqual(admitted(600_000));
    // Of the same visitor, and earlier.
    const earlier = { ...admission, admittedMs: startMs - 3_600_000 };
    expect((await ask(token, { known: { isLive: false, admission: earlier } })).body).toEqual(admitted(600_000));
  });

  it("says no more than that of a token of another room, a changed one, a long one and none", async () => {
    const [head, body, signature] = token.split(".");
    const texts = ["", "x", "null", "{}", `${head}.${body}.`, `${head}.${body}.${signature?.toLowerCase()}`];
    for (const text of [...texts, `${token}x`, token.repeat(20), "x".repeat(200_000)]) {
      const answer = await ask(text);
      expect([answer.status, answer.body], text.slice(0, 40)).toEqual([200, refused]);
    }
    expect((await ask(token, { id: "others" })).body).toEqual(refused);
  });

  it("takes plain text alone", async () => {
    expect((await ask("{}", { type: "application/json" })).body).toEqual({ error: "unsupported_media_type" });
    expect((await ask("token=x", { type: "application/x-www-form-urlencoded" })).status).toBe(400);
    expect((await ask("", { type: "application/json" })).body).toEqual(refused);
  });
});
