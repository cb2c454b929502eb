/** Links that work once: for their time, at one of several processes, and by a token that the store does not have. */
import type { Context } from "koa";
import { beforeEach, describe, expect, it } from "vitest";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { createDebugLinks } from "../../../src/operate/admin-api/visitors/debug-links.ts";
import { createOneTimeLinks, oneTimeLinkModel } from "../../../src/registry/index.ts";
import type { OidcAdapter } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";

const minuteMs = 60_000;
let clock: MovedClock;
let records: OidcAdapter;
const open = () => createOneTimeLinks(records, clock, systemRandom);

beforeEach(() => {
  clock = createMovedClock();
  records = createMemoryStore({ clock, random: systemRandom }).oidcAdapter(oneTimeLinkModel);
});

describe("a link that works once", () => {
  it("is found and used at any process, by one of many at once, until its time is over", async () => {
    const [one, two] = [open(), open()];
    const { token, expiresMs } = await one.make("sign-in", { of: "x" }, minuteMs);
    expect(await two.find("sign-in", token, "b")).toEqual({
      about: { of: "x" },
      expiresMs,
      isUsed: false,
      usedByCallerForMs: null,
    });
    const uses = await Promise.all(
      Array.from({ length: 8 }, (_, each) => [one, two][each % 2]?.use("sign-in", token, `browser ${each}`)),
    );
    expect(uses.filter((isFirst) => isFirst)).toHaveLength(1);
    clock.advance(2_000);
    // It belongs to the browser that was the first.
    for (const [each, isFirst] of uses.entries()) {
      const found = await two.find("sign-in", token, `browser ${each}`);
      expect([found?.isUsed, found?.usedByCallerForMs !== null]).toEqual([true, isFirst]);
      if (isFirst) expect(found?.usedByCallerForMs).toBeGreaterThanOrEqual(2_000);
    }
    const late = await one.make("sign-in", {}, minuteMs);
    clock.advance(minuteMs - 1);
    expect(await two.find("sign-in", late.token, "b")).not.toBeNull();
    clock.advance(1);
    expect([await two.find("sign-in", late.token, "b"), await two.use("sign-in", late.token, "b")]).toEqual([
      null,
      false,
    ]);
  });

  it("is for one thing alone, and its token is nowhere in the store", async () => {
    const kept: string[] = [];
    const upsert: OidcAdapter["upsert"] = (...given) => {
      kept.push(JSON.stringify(given));
      return records.upsert(...given);
    };
    const links = createOneTimeLinks({ ...records, upsert }, clock, systemRandom);
    const { token } = await links.make("debug", {}, minuteMs);
    expect([await links.find("sign-in", token, "b"), await links.use("sign-in", token, "b")]).toEqual([null, false]);
    expect([await links.find("sign-in", token, "c"), (await links.find("debug", token, "b"))?.isUsed]).toEqual([
      null,
      false,
    ]);
    expect(kept.join()).toMatch(/^\["[0-9a-f]{64}",/);
    expect(kept.join()).not.toContain(token);
    for (const bad of ["", "x", `${token}x`, "../../x", "x".repeat(43)])
      expect(await links.find("debug", bad, "b")).toBeNull();
  });
});

describe("a debug link", () => {
  /** A browser with its cookies. */
  function browser() {
    const jar = new Map<string, string>();
    const ctx = () =>
      ({
        headers: { cookie: [...jar].map((pair) => pair.join("=")).join("; ") },
        append: (_: string, cookie: string) => {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          jar.set(name, value);
        },
      }) as unknown as Context;
    return { jar, ctx };
  }
  const watched = { room: "one", edition: 1, ref: { by: "position", number: 7 } } as const;
  const tokenOf = ({ path }: { path: string }) => path.slice(path.indexOf("=") + 1);

  it("is open to its browser until its time is over, and then to nobody", async () => {
    const links = createDebugLinks(open(), "https://usher.example.com");
    const { ctx, jar } = browser();
    const token = tokenOf(await links.make(watched, 30 * minuteMs));
    expect(await links.look(ctx(), token)).toEqual({ state: "unopened" });
    clock.advance(20 * minuteMs);
    expect(await links.open(ctx(), token)).toMatchObject({ state: "open", watched });
    expect([...jar.keys()]).toEqual([expect.stringMatching(/^__Host-usher-debug$/)]);
    clock.advance(10 * minuteMs - 1);
    expect(await links.look(ctx(), token)).toMatchObject({ state: "open", watched });
    expect(await links.look(browser().ctx(), token)).toEqual({ state: "opened_elsewhere" });
    clock.advance(1);
    expect(await links.look(ctx(), token)).toEqual({ state: "gone" });
    expect(await links.open(ctx(), token)).toEqual({ state: "gone" });
  });

  it("belongs to the browser that saw its page, however often the button is pressed; of two browsers to the first", async () => {
    const links = createDebugLinks(open(), "https://usher.example.com");
    const [own, other] = [browser(), browser()];
    const token = tokenOf(await links.make(watched, 30 * minuteMs));
    links.know(own.ctx());
    links.know(other.ctx());
    expect(await links.look(own.ctx(), token)).toEqual({ state: "unopened" });
    // A double click: both are sent before either is answered.
    const twice = await Promise.all([links.open(own.ctx(), token), links.open(own.ctx(), token)]);
    expect(twice.map(({ state }) => state)).toEqual(["open", "open"]);
    expect(twice.filter((each) => each.state === "open" && each.isOpenedNow)).toHaveLength(1);
    expect(await links.open(other.ctx(), token)).toEqual({ state: "opened_elsewhere" });
    expect(await links.look(own.ctx(), token)).toMatchObject({ state: "open" });
  });

  it("leaves one cookie in a browser, however many of them it opens", async () => {
    const links = createDebugLinks(open(), "https://usher.example.com");
    const { jar, ctx } = browser();
    const tokens: string[] = [];
    for (let each = 0; each < 30; each++) {
      const token = tokenOf(await links.make(watched, 30 * minuteMs));
      tokens.push(token);
      await links.open(ctx(), token);
    }
    expect(jar.size).toBe(1);
    for (const token of tokens) expect(await links.look(ctx(), token)).toMatchObject({ state: "open" });
  });
});
