/** Enqueue tokens of the real SDK, and such as nobody may be let in by. */
import { createHash } from "node:crypto";
import { Payload, Token } from "@queue-it/queue-token";
import { describe, expect, it, test } from "vitest";
import { invitationOf, readEnqueueToken } from "../../../../src/features/queue-it-home/enqueue-token.ts";

const secretKey = "528f01d4-30f9-4753-95b3-2c8c33966abc";
const nowMs = Date.now();
const expected = { customerId: "acme", eventId: "event1", nowMs, address: "192.0.2.7" };
const read = (token: string, changes = {}, keys = [secretKey]) =>
  readEnqueueToken(token, keys, { ...expected, ...changes });

const header = {
  typ: "QT1",
  enc: "AES256",
  iss: nowMs,
  exp: nowMs + 60_000,
  ti: "159aba3e-55e1-4f54-b6ee-e5b943d7e885",
  c: "acme",
};
const encode = (value: string | Buffer) => Buffer.from(value).toString("base64url");
function sign(head: object | string, body = "", key = secretKey): string {
  const said = `${encode(typeof head === "string" ? head : JSON.stringify(head))}.${body}`;
  return `${said}.${createHash("sha256").update(`${said}${key}`).digest("base64url")}`;
}

describe("of the SDK", () => {
  const payload = Payload.Enqueue().WithKey("XKDI42W").WithRelativeQuality(0.4578).WithCustomData("size", "medium");

  it("with everything: the key names the person, whatever else it says", () => {
    const token = Token.Enqueue("acme", "prefix")
      .WithPayload(payload.Generate())
      .WithEventId("event1")
      .WithIpAddress("192.0.2.7", "45.67.2.4,34.56.3.2")
      .WithValidity(60_000)
      .Generate(secretKey).Token;
    expect(read(token)).toEqual({ key: "XKDI42W", expiresMs: expect.any(Number) });
    expect(Math.abs((read(token)?.expiresMs ?? 0) - nowMs - 60_000)).toBeLessThan(30_000);
    expect(read(token, {}, ["another-secret-of-36-characters-long", secretKey])?.key).toBe("XKDI42W");
    expect(read(token, { customerId: "ACME" })?.key).toBe("XKDI42W");
    for (const other of [{ customerId: "other" }, { eventId: "event2" }, { address: "192.0.2.8" }])
      expect(read(token, other)).toBeNull();
    expect(read(token, { nowMs: nowMs + 120_000 })).toBeNull();
    expect(read(token, {}, ["another-secret-of-36-characters-long"])).toBeNull();
  });

  it("with next to nothing: the token itself is for one place", () => {
    const [one, other] = [0, 1].map(() => read(Token.Enqueue("acme").Generate(secretKey).Token));
    expect(one?.key).toMatch(/^queue-it token [0-9a-f-]{36}$/);
    expect(one?.key).not.toBe(other?.key);
  });

  it("no letter of it can be changed", () => {
    const token = Token.Enqueue("acme").WithPayload(payload.Generate()).Generate(secretKey).Token;
    const accepted = [...token].flatMap((letter, at) => {
      const changed = token.slice(0, at) + (letter === "A" ? "B" : "A") + token.slice(at + 1);
      return read(changed) === null ? [] : [at];
    });
    // The last letter of the hash has two bits that say nothing.
    expect(accepted.filter((at) => at < token.length - 1)).toEqual([]);
  });
});

describe("an end in seconds and one in milliseconds", () => {
  test.each([
    [nowMs + 60_000, nowMs + 60_000],
    [Math.ceil(nowMs / 1_000) + 60, (Math.ceil(nowMs / 1_000) + 60) * 1_000],
    [undefined, null],
    [null, null],
  ])("%s", (exp, expiresMs) => expect(read(sign({ ...header, exp }))?.expiresMs).toBe(expiresMs));
  test.each([nowMs - 1, Math.floor(nowMs / 1_000) - 1, 0, -1, "soon"])("%s is over, or none", (exp) =>
    expect(read(sign({ ...header, exp }))).toBeNull(),
  );
});

test.each([
  ["nothing", ""],
  ["no parts", "x"],
  ["too long", `${"a".repeat(3_000)}.${"b".repeat(3_000)}.${"c".repeat(43)}`],
  ["no JSON", sign("{")],
  ["another type", sign({ ...header, typ: "QT2" })],
  ["another cipher", sign({ ...header, enc: "none" })],
  ["no id", sign({ ...header, ti: undefined })],
  ["a list for the customer", sign({ ...header, c: ["acme"] })],
  ["a payload that is none", sign(header, encode("sixteen letters!"))],
  ["a payload of half a block", sign(header, "AAAA")],
  ["a secret of no letters", sign(header, "", "")],
])("refused: %s", (_, token) => expect(read(token)).toBeNull());

describe("the invitation that it stands for", () => {
  const of = { room: "tickets", issuer: "https://queue.test", nowMs };
  const invitations = {
    secrets: ["secret-of-the-invitations-0123456789abcdef"],
    classes: [],
    subjects: "text",
  } as unknown as Parameters<typeof invitationOf>[1]["invitations"];

  it("is for the same person, and ends with it, within a year", async () => {
    const invitation = await invitationOf({ key: "XKDI42W", expiresMs: nowMs + 60_000 }, { ...of, invitations });
    const claims = JSON.parse(Buffer.from(invitation?.split(".")[1] ?? "", "base64url").toString());
    expect(claims).toEqual({
      room: "tickets",
      aud: "https://queue.test",
      sub: "XKDI42W",
      exp: Math.ceil((nowMs + 60_000) / 1_000),
    });
    const endless = await invitationOf({ key: "k", expiresMs: null }, { ...of, invitations });
    const { exp } = JSON.parse(Buffer.from(endless?.split(".")[1] ?? "", "base64url").toString());
    expect(exp * 1_000 - nowMs).toBeLessThan(366 * 86_400_000);
  });

  it("is none where invitations are signed elsewhere", async () => {
    const elsewhere = { ...invitations, secrets: [] };
    expect(await invitationOf({ key: "k", expiresMs: null }, { ...of, invitations: elsewhere })).toBeNull();
  });
});
