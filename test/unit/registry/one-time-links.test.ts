/** Links that work once: for their time, at one of several processes, and by a token that the store does not have. */
import type { Context } from "koa";
import { beforeEach, describe, expect, it } from "vitest";
import { createDebugLinks } from "../../../src/http/admin/visitors/debug-links.ts";
import { systemRandom } from "../../../src/lib/random.ts";
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
    expect(await two.find("sign-in", token)).toEqual({ about: { of: "x" }, expiresMs, isUsed: false });
    const uses = await Promise.all(Array.from({ length: 8 }, (_, each) => [one, two][each % 2]?.use("sign-in", token)));
    expect(uses.filter((isFirst) => isFirst)).toHaveLength(1);
    expect((await one.find("sign-in", token))?.isUsed).toBe(true);
    const late = await one.make("sign-in", {}, minuteMs);
    clock.advance(minuteMs - 1);
    expect(await two.find("sign-in", late.token)).not.toBeNull();
    clock.advance(1);
    expect([await two.find("sign-in", late.token), await two.use("sign-in", late.token)]).toEqual([null, false]);
  });

  it("is for one thing alone, and its token is nowhere in the store", async () => {
    const kept: string[] = [];
    const upsert: OidcAdapter["upsert"] = (...given) => {
      kept.push(JSON.stringify(given));
      return records.upsert(...given);
    };
    const links = createOneTimeLinks({ ...records, upsert }, clock, systemRandom);
    const { token } = await links.make("debug", {}, minuteMs);
    expect([await links.find("sign-in", token), await links.use("sign-in", token)]).toEqual([null, false]);
    expect([await links.find("debug view", token), (await links.find("debug", token))?.isUsed]).toEqual([null, false]);
    expect(kept.join()).toMatch(/^\["[0-9a-f]{64}",/);
    expect(kept.join()).not.toContain(token);
    for (const bad of ["", "x", `${token}x`, "../../x", "x".repeat(43)])
      expect(await links.find("debug", bad)).toBeNull();
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
    expect(await links.open(ctx(), token, clock.now())).toMatchObject({ state: "open", watched });
    expect([...jar.keys()]).toEqual([expect.stringMatching(/^__Host-usher-debug-[0-9a-f]{12}$/)]);
    clock.advance(10 * minuteMs - 1);
    expect(await links.look(ctx(), token)).toMatchObject({ state: "open", watched });
    expect(await links.look(browser().ctx(), token)).toEqual({ state: "opened_elsewhere" });
    clock.advance(1);
    expect(await links.look(ctx(), token)).toEqual({ state: "gone" });
    expect(await links.open(ctx(), token, clock.now())).toEqual({ state: "gone" });
  });
});
