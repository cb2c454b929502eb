import { describe, expect, test } from "vitest";
import { createBypassLinks } from "../../../../src/room/tickets/bypass-link.ts";
import { createRehearsalPasses } from "../../../../src/room/tickets/rehearsal-pass.ts";
import { createKeyRing } from "../../../../src/room/tickets/ticket.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

const old = { kid: "old", secret: Buffer.alloc(32, 1) };
const fresh = { kid: "fresh", secret: Buffer.alloc(32, 2) };
const process = (keys = [fresh, old]) => createRehearsalPasses(createKeyRing(keys), createSeededRandom("passes"));
const nowMs = 1_800_000_000_000;
const minuteMs = 60_000;

describe("a pass of a rehearsal", () => {
  test("lets so many join until its time is over, at each process that has the key", () => {
    const [maker, other] = [process(), process([old, fresh])];
    const token = maker.encode(maker.make("practice", nowMs, 2, 5 * minuteMs));
    for (const each of [maker, other]) {
      const uses = [1, 2, 3].map(() => each.use("practice", token, nowMs + 1) !== null);
      expect(uses).toEqual([true, true, false]);
    }
    const later = process();
    expect(later.use("practice", token, nowMs + 5 * minuteMs - 1)).not.toBeNull();
    expect(process().use("practice", token, nowMs + 5 * minuteMs)).toBeNull();
  });

  test("spares nobody a check once it is used up, or over", () => {
    const passes = process();
    const token = passes.encode(passes.make("practice", nowMs, 2, minuteMs));
    const isGood = () => passes.isGood("practice", token, nowMs);
    expect([isGood(), passes.isGood("sale", token, nowMs), passes.isGood("practice", token, nowMs + minuteMs)]).toEqual(
      [...[true, false, false]],
    );
    passes.use("practice", token, nowMs);
    expect(isGood()).toBe(true);
    passes.use("practice", token, nowMs);
    expect(isGood()).toBe(false);
  });

  test("counts nobody of whose join nothing came", () => {
    const passes = process();
    const token = passes.encode(passes.make("practice", nowMs, 1, minuteMs));
    for (let visit = 0; visit < 3; visit++) passes.use("practice", token, nowMs)?.();
    expect(passes.use("practice", token, nowMs)).not.toBeNull();
    expect(passes.use("practice", token, nowMs)).toBeNull();
  });

  test("is worth nothing in another room, altered, of another kind, or of a key that is not known", () => {
    const passes = process();
    const token = passes.encode(passes.make("practice", nowMs, 1_000, minuteMs));
    const [kid = "", payload = "", mac = ""] = token.split(".");
    const links = createBypassLinks(createKeyRing([fresh]), createSeededRandom("links"));
    const wrong = [
      "",
      payload,
      `${token}x`,
      `${kid}.${payload.replace("practice", "practicf")}.${mac}`,
      `${kid}.${payload}z.${mac}`,
      links.encode(links.make("practice", nowMs, null)),
      "x".repeat(10_000),
    ];
    for (const each of wrong) expect(passes.use("practice", each, nowMs), each.slice(0, 40)).toBeNull();
    expect(passes.use("sale", token, nowMs)).toBeNull();
    expect(process([old]).use("practice", token, nowMs)).toBeNull();
    expect(passes.use("practice", token, nowMs)).not.toBeNull();
  });

  test("takes no more memory than a hundred of them, and makes room as they end", () => {
    const passes = process();
    const tokens = Array.from({ length: 101 }, (_, index) =>
      passes.encode(passes.make("practice", nowMs, 9, (index + 1) * minuteMs)),
    );
    const uses = tokens.map((token) => passes.use("practice", token, nowMs) !== null);
    expect([uses.filter(Boolean).length, uses.at(-1)]).toEqual([100, false]);
    expect(passes.use("practice", tokens.at(-1) ?? "", nowMs + minuteMs)).not.toBeNull();
  });
});
