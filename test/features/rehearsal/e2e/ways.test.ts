/** Rehearsals by the link to a room: what is refused, and a stop in the middle. */
import { describe, expect, test } from "vitest";
import { memoryStore, startWorld } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { freePorts } from "../../../support/ports.ts";
import { open, rehearsal, useSites } from "./sites.ts";

const { world, siteUrl, saleUrl, usher, played, roomOf } = useSites();

describe("a rehearsal", () => {
  test("that is stopped says what was seen until then, and its visitors leave", async () => {
    const stop = new AbortController();
    const playing = played(["links", "--visitors", "50"], { stop: stop.signal });
    await expect.poll(async () => (await roomOf("links")).live_admissions).toBeGreaterThan(0);
    stop.abort();
    const { report, code, failure } = await playing;
    expect([report.way, report.stopped]).toEqual(["link", true]);
    expect(report.visitors.admitted).toBeGreaterThan(0);
    expect([code, failure]).toEqual([1, expect.stringContaining("stopped before its end")]);
    expect(report.visitors.arrived).toBeLessThan(50);
    expect(report.gateways?.differences).toEqual({ joined: 0, admitted: 0 });
  });
});

describe("refused before anybody comes", () => {
  test.each<[string, string[], number, RegExp]>([
    ["a room that is not marked", ["sale"], 1, /^sale is not marked for rehearsals, .*rehearsal: true/],
    ["no such room", ["nowhere"], 1, /^unknown_room/],
    ["a room before its line", ["shut"], 1, /^shut is idle: usher open shut/],
    ["a paused room", ["halted"], 1, /^halted is paused: usher resume halted/],
    ["a client of another room", ["shop", "--client", "site-sale"], 1, /no client of shop; there are: site-shop/],
    ["a client that pushes", ["pushed"], 1, /pushed authorization requests alone.*--site/],
    [
      "a host that is not the installation's",
      ["shop", "--site", "https://shop.example/"],
      1,
      /no host of this installation/,
    ],
    ["an address of no page", ["shop", "--site", "shop"], 2, /expected the address of a page/],
    [
      "an address with a password",
      ["shop", "--site", "http://me:secret@localhost/"],
      2,
      /expected the address of a page/,
    ],
    ["two ways in", ["shop", "--site", "http://localhost/", "--client", "site-shop"], 2, /exclude each other/],
    ["too many visitors", ["shop", "--visitors", "100001"], 2, /1 to 100000/],
    ["nobody", ["shop", "--visitors", "0"], 2, /1 to 100000/],
    ["a part of a visitor", ["shop", "--visitors", "1.5"], 2, /whole number/],
    ["a day", ["shop", "--minutes", "1440"], 2, /1 to 120/],
    ["a share of more than all", ["shop", "--reloads", "101"], 2, /0 to 100/],
    ["too many connections", ["shop", "--connections", "2001"], 2, /1 to 2000/],
    ["no room", [], 2, /missing required argument/],
  ])("%s", async (_, args, code, words) => {
    const run = await usher(args);
    expect([run.code, run.printed]).toEqual([code, ""]);
    expect(run.failure.replace(/^error: /, "")).toMatch(words);
    expect(run.failure).not.toContain("secret");
  });

  test("a site that leads to another room: nobody takes a place there", async () => {
    const run = await usher(["second", "--site", saleUrl()]);
    expect([run.code, run.failure]).toEqual([1, expect.stringContaining("it does not lead to second")]);
    expect(await roomOf("sale")).toMatchObject({ queued: 0 });
  });

  test("a page that the site shows to everybody", async () => {
    const run = await usher(["shop", "--site", `${siteUrl()}/?state=logged-out`]);
    expect([run.code, run.failure]).toEqual([1, expect.stringMatching(/answered 200, and not with a login at Usher/)]);
  });

  test("an issuer that nobody answers at", async () => {
    const [port = 0, adminPort = 0] = await freePorts(2);
    const away = await startWorld({
      store: memoryStore,
      rooms: [{ id: "shop", ...open, settings: rehearsal }],
      issuer: `http://localhost:${port}`,
      config: { admin: { listen: { port: adminPort } } },
    });
    const env = { USHER_ADMIN: `http://127.0.0.1:${adminPort}`, USHER_ADMIN_API_KEY: ADMIN_KEY };
    const run = await usher(["shop"], { env }).finally(() => away.stop());
    expect([run.code, run.failure]).toEqual([
      1,
      expect.stringMatching(/does not answer \(ECONNREFUSED\): start the proxy/),
    ]);
  });

  test("without the role for it, and without a key", async () => {
    const weak = { USHER_ADMIN: world().issuer, USHER_ADMIN_API_KEY: "of-nobody-0123456789abcdef0123456789" };
    expect((await usher(["shop"], { env: weak })).failure).toMatch(/^unauthorized/);
    const none = await usher(["shop"], { env: { USHER_ADMIN: world().issuer } });
    expect([none.code, none.failure]).toEqual([1, expect.stringContaining("has the role operator for the room")]);
  });
});
