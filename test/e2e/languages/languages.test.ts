/** The language of the pages: who decides it, and the chooser at the foot of every page, for browsers without scripts as well. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway } from "../../support/gateway.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { attribute, type Page, type Visitor } from "../../support/visitor.ts";
import { leaveLine } from "../form.ts";
import { queued } from "../line.ts";
import { initiateLoginUri, memoryStore, useWorld } from "../world.ts";

const target = "https://shop.example.test/";
const languageOf = (page: Page) => attribute(page.body.match(/<html\b[^>]*>/)?.[0] ?? "", "lang");

let texts: TempDir;
beforeAll(async () => {
  texts = await makeTempDir("texts");
  await writeFile(join(texts.path, "sw.json"), JSON.stringify({ waiting: { eyebrow: "Chumba cha kusubiri" } }));
  await writeFile(join(texts.path, "de.json"), JSON.stringify({ waiting: { eyebrow: "Foyer" } }));
});
afterAll(() => texts?.remove());

describe("the language of a page", () => {
  const world = useWorld(async () => ({
    store: memoryStore,
    rooms: [
      { id: "plain" },
      { id: "swahili", settings: { language: "sw" } },
      { id: "keeps" },
      { id: "leaves" },
      { id: "anew", client: { login_timeout: "1s" } },
      { id: "link", settings: { targets: [target] } },
      // Its ticket is no language, whatever it is called.
      { id: "language" },
    ],
    config: { locales: texts.path },
  }));

  function loginUrl(room: string, parameters: Record<string, string> = {}): URL {
    const { url } = world().relyingParty(room).startLogin();
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
  }

  /** What the chooser's form sends, with these fields in place of its own. */
  function choose(visitor: Visitor, page: Page, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const form = page.body.match(/<footer class="languages">[\s\S]*?<\/footer>/)?.[0] ?? "";
    const returnTo = attribute(page.body.match(/<input\b[^>]*name="return"[^>]*>/)?.[0] ?? "", "value") ?? "";
    return visitor.navigate(new URL(attribute(form, "action") ?? "", page.url), {
      method: "POST",
      body: new URLSearchParams({ return: returnTo, ...fields }),
      from: page.url,
      headers: { origin: page.url.origin, referer: page.url.href, ...headers },
    });
  }

  test("is the browser's, the room's, or English", async () => {
    const visit = async (room: string, accepted?: string) =>
      world()
        .visitor(accepted === undefined ? {} : { headers: { "accept-language": accepted } })
        .navigate(loginUrl(room));
    const german = await visit("plain", "de-AT, en;q=0.5");
    expect([languageOf(german), german.header("content-language")]).toEqual(["de", "de"]);
    expect(german.header("vary")).toMatch(/Accept-Language, Cookie/);
    expect(languageOf(await visit("plain", "xx"))).toBe("en");
    expect(languageOf(await visit("plain"))).toBe("en");
    expect(languageOf(await visit("swahili"))).toBe("sw");
    expect(languageOf(await visit("swahili", "ar"))).toBe("ar");
    const arabic = await visit("plain", "ar");
    expect(arabic.body).toContain('<html lang="ar" dir="rtl">');
  });

  test("is what the site's request asks for, before the browser's", async () => {
    const visitor = world().visitor({ headers: { "accept-language": "en" } });
    expect(languageOf(await visitor.navigate(loginUrl("plain", { ui_locales: "xx de-CH ar" })))).toBe("de");
    const link = `${world().issuer}/rooms/link/enter?ui_locales=ar&target=${encodeURIComponent(target)}`;
    expect(languageOf(await visitor.navigate(link))).toBe("ar");
    expect(languageOf(await visitor.navigate(`${world().issuer}/logout?ui_locales=de`))).toBe("de");
  });

  test("may be the operator's own, or have other words", async () => {
    const headers = { "accept-language": "de" };
    expect((await world().visitor({ headers }).navigate(loginUrl("plain"))).body).toContain(">Foyer<");
    const swahili = await world().visitor().navigate(loginUrl("swahili"));
    expect(swahili.body).toContain(">Chumba cha kusubiri<");
    expect(swahili.body).toContain('<option value="sw" lang="sw" selected>Kiswahili</option>');
    await world().gateways[0]?.waitForOutput(/locales: sw\.json lacks \d+ of \d+ texts/);
  });

  describe("is what the visitor chooses", () => {
    test("before all else; the place, the address and the line stay as they are", async () => {
      const visitor = world().visitor({ headers: { "accept-language": "de" } });
      await world().visitor().navigate(loginUrl("keeps"));
      const parked = await visitor.navigate(loginUrl("keeps", { ui_locales: "de", state: 'a"b&c=ü' }));
      await world().visitor().navigate(loginUrl("keeps"));
      expect([languageOf(parked), parked.position]).toEqual(["de", 2]);

      const chosen = await choose(visitor, parked, { language: "ar" });
      expect([languageOf(chosen), chosen.position, chosen.state]).toEqual(["ar", 2, "waiting"]);
      expect(chosen.redirects.map(({ pathname }) => pathname)).toEqual(["/language"]);
      expect(chosen.url.href).toBe(parked.url.href);
      expect(await queued(world(), "keeps")).toBe(3);
      expect(visitor.cookie("usher.language")).toMatchObject({
        value: "ar",
        path: "/",
        sameSite: "lax",
        httpOnly: true,
      });
      expect(visitor.jar.refused).toEqual([]);

      expect(languageOf(await visitor.navigate(loginUrl("plain", { ui_locales: "de" })))).toBe("ar");
      expect(languageOf(await visitor.navigate(`${world().issuer}/nothing/here`))).toBe("ar");
      const english = await choose(visitor, chosen, { language: "en" });
      expect([languageOf(english), english.position]).toEqual(["en", 2]);

      await world().admin.increment("keeps", 2);
      const { isCallback } = world().relyingParty("keeps");
      expect((await visitor.waitInLine(english, { stopAt: isCallback })).location?.searchParams.get("state")).toBe(
        'a"b&c=ü',
      );
    });

    test("in a room whose name is that of the choice", async () => {
      const visitor = world().visitor();
      await world().visitor().navigate(loginUrl("language"));
      const parked = await visitor.navigate(loginUrl("language"));
      expect((await choose(visitor, parked, { language: "de" })).position).toBe(2);
    });

    test("on a page that refuses the request, whose address it does not repeat", async () => {
      const visitor = world().visitor();
      const refused = await visitor.navigate(loginUrl("plain", { room: "<evil>" }));
      expect([refused.status, refused.notice]).toEqual([400, "unknown_room"]);
      expect(refused.body).not.toContain("evil");
      const chosen = await choose(visitor, refused, { language: "de" });
      expect([chosen.url.href, languageOf(chosen)]).toEqual([refused.url.href, "de"]);
      const elsewhere = await choose(visitor, refused, { language: "ar" }, { referer: "https://evil.example/" });
      expect([elsewhere.notice, languageOf(elsewhere)]).toEqual(["front_door", "ar"]);
    });

    test("on the answer to a form, which is not sent again", async () => {
      const visitor = world().visitor();
      const parked = await visitor.navigate(loginUrl("leaves", { ui_locales: "de" }));
      const left = await leaveLine(visitor, parked);
      expect(left.notice).toBe("left");
      const chosen = await choose(visitor, left, { language: "ar" });
      expect([chosen.notice, chosen.url.pathname, languageOf(chosen)]).toEqual(["front_door", "/", "ar"]);
      expect(await queued(world(), "leaves")).toBe(1);
    });

    test.each([
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      "/authorize\r\nSet-Cookie: a=b",
      "authorize",
      "javascript:alert(1)",
    ])("and leads to no address but ours: %j", async (returnTo) => {
      const visitor = world().visitor();
      const page = await visitor.navigate(`${world().issuer}/`);
      const refused = await choose(visitor, page, { language: "de", return: returnTo });
      expect([refused.status, refused.notice, refused.redirects]).toEqual([400, "bad_request", []]);
      expect(visitor.jar.all()).toEqual([]);
    });

    test.each(["", "xx", "DE", "de; Domain=evil.example", "de\r\nSet-Cookie: a=b", "__proto__"])(
      "and is one that there is: %j",
      async (language) => {
        const visitor = world().visitor();
        const page = await visitor.navigate(`${world().issuer}/`);
        expect(await choose(visitor, page, { language })).toMatchObject({ status: 400, setCookies: [] });
      },
    );

    test("on a page of ours alone", async () => {
      const visitor = world().visitor();
      const page = await visitor.navigate(`${world().issuer}/`);
      const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      expect(await choose(visitor, page, { language: "de" }, foreign)).toMatchObject({ status: 403, setCookies: [] });
      const got = await visitor.navigate(`${world().issuer}/language?language=de&return=/`);
      expect([got.status, got.header("allow"), got.setCookies]).toEqual([405, "POST", []]);
    });
  });

  test("outlives a login that has to be begun again without it", async () => {
    const visitor = world().visitor();
    const parked = await visitor.navigate(loginUrl("anew", { ui_locales: "de ar" }));
    await world().admin.increment("anew", 1);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const stopAt = (location: URL) => location.href === initiateLoginUri("anew");
    expect((await visitor.waitInLine(parked, { stopAt })).location?.href).toBe(initiateLoginUri("anew"));
    expect(languageOf(await visitor.navigate(`${world().issuer}/nothing/here`))).toBe("de");
    expect(languageOf(await visitor.navigate(loginUrl("plain", { ui_locales: "ar" })))).toBe("ar");
  });
});

test("what is wrong with the operator's texts ends the program, told all at once", async () => {
  const folder = await makeTempDir("faulty-texts");
  await writeFile(join(folder.path, "de.json"), JSON.stringify({ waiting: { updated: "Stand", eyebow: "x" } }));
  await writeFile(join(folder.path, "nonsense!.json"), "{}");
  const rooms = [{ id: "a", language: "sw" }];
  const start = startGateway({ config: { rooms, locales: folder.path } });
  const output = await start.then(() => "", String);
  expect(output).toContain("The languages of the pages have 4 faults:");
  for (const place of ["de.json: waiting.updated", "de.json: waiting.eyebow", "nonsense!.json", "room a"]) {
    expect(output).toContain(place);
  }
  await folder.remove();
});
