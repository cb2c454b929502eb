import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBypassLinks } from "../../../../src/room/tickets/bypass-link.ts";
import { createArrivalStamps, createKeyRing } from "../../../../src/room/tickets/ticket.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";
import { webAddress } from "../../../support/web-address.ts";

const old = { kid: "old", secret: Buffer.alloc(32, 1) };
const fresh = { kid: "fresh", secret: Buffer.alloc(32, 2) };
const links = createBypassLinks(createKeyRing([fresh, old]), createSeededRandom("links"));
const nowMs = 1_800_000_000_000;

describe("a bypass link", () => {
  test("says what it was made with, lasts three minutes, and is made once", () => {
    const target = "https://shop.example/products/7?size=%C3%9F&a=b~c.d";
    for (const link of [links.make("tickets", nowMs, target), links.make("tickets", nowMs + 0.5, null)]) {
      expect(link).toMatchObject({ room: "tickets", madeMs: nowMs, expiresMs: nowMs + 180_000 });
      expect(links.read("tickets", links.encode(link))).toEqual(link);
    }
    const ids = Array.from({ length: 1_000 }, () => links.make("tickets", nowMs, null).id);
    expect(new Set(ids).size).toBe(1_000);
  });

  test("goes into an address as it is, with the longest target, too", () => {
    fc.assert(
      fc.property(webAddress, (target) => {
        const token = links.encode(links.make("tickets", nowMs, target));
        expect(token).toMatch(/^[\w.~-]+$/);
        expect(new URL(`https://queue.example/?link=${token}`).searchParams.get("link")).toBe(token);
        expect(links.read("tickets", token)?.target).toBe(target);
      }),
    );
    const longest = `https://shop.example/${"x".repeat(2_048 - 21)}`;
    expect(links.read("tickets", links.encode(links.make("tickets", nowMs, longest)))?.target).toBe(longest);
  });

  test("is read by its own room only, by all processes that have the key, and not when altered or of another kind", () => {
    const token = links.encode(links.make("tickets", nowMs, null));
    expect(links.read("checkout", token)).toBeUndefined();
    const rotated = createBypassLinks(createKeyRing([old, fresh]), createSeededRandom("x"));
    expect(rotated.read("tickets", token)).toBeDefined();
    const stranger = createBypassLinks(createKeyRing([old]), createSeededRandom("x"));
    expect(stranger.read("tickets", token)).toBeUndefined();
    const [kid = "", payload = "", mac = ""] = token.split(".");
    const stamps = createArrivalStamps(createKeyRing([fresh, old]));
    const wrong = [
      undefined,
      "",
      payload,
      `${token}x`,
      `${kid}.${payload.replace("tickets", "checkout")}.${mac}`,
      `${kid}.${payload}0.${mac}`,
      stamps.issue({ room: "tickets", arrivedMs: nowMs, requests: [] }),
      `${token}${"x".repeat(4_096)}`,
    ];
    for (const each of wrong) expect(links.read("tickets", each), each?.slice(0, 100)).toBeUndefined();
    expect(stamps.read("tickets", token)).toBeUndefined();
  });
});
