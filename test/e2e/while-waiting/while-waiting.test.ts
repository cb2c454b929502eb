/** What visitors may read while they wait, over HTTP: one text for all, made once, changed while two gateways run. */
import { describe, expect, test } from "vitest";
import { within } from "../../support/within.ts";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const image = "https://images.example.test";
const text = {
  en: `# On stage\n\n- [The tour](https://www.example.test/tour)\n\n![The hall](${image}/hall.jpg "640x360")`,
  de: "# Auf der Bühne",
};
const ofTheme = "Doors at *seven*.";

interface Status {
  readonly while_waiting: string | null;
}

describe("what visitors may read while they wait", () => {
  const world = useWorld(() => ({
    store: redisStore,
    gateways: 2,
    rooms: [
      { id: "read", settings: { while_waiting: text } },
      { id: "live" },
      { id: "silent" },
      {
        id: "themed",
        settings: { theme: { while_waiting: ofTheme } },
        client: { theme: { while_waiting: { en: "For fans" } } },
      },
      {
        id: "doors",
        settings: {
          while_waiting: text,
          schedule: { prequeue_at: "2020-01-01T00:00:00Z", opens_at: "2099-01-01T00:00:00Z" },
        },
      },
    ],
  }));
  const origins = () => world().gateways.map(({ origin }) => origin);
  const statusOf = async (room: string, origin = world().issuer) =>
    (await world().http.get(`${origin}/rooms/${room}/status`)).json() as unknown as Status;
  const read = (room: string, query = "", headers: Record<string, string> = {}, origin = world().issuer) =>
    world().http.get(`${origin}/rooms/${room}/while-waiting${query}`, headers);
  const policyOf = async (room: string, language = "en") => {
    const { url } = world().relyingParty(room).startLogin();
    const page = await world()
      .visitor()
      .navigate(url, { headers: { "accept-language": language } });
    return { page, policy: page.header("content-security-policy") ?? "" };
  };

  test("is the same page for all, which caches may keep, and which is not made anew", async () => {
    const { while_waiting: revision } = await statusOf("read");
    expect(revision).toMatch(/^[\w-]{10}$/);
    const answer = await read("read", `?of=${revision}&language=en`);
    expect(answer.status).toBe(200);
    expect(answer.header("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.header("cache-control")).toBe("public, max-age=300");
    expect(answer.header("vary")).toBe("Accept-Encoding");
    expect(answer.header("content-language")).toBe("en");
    expect(answer.setCookies).toEqual([]);
    expect(answer.body).toContain(
      '<h2>On stage</h2><ul><li><a class="alone" href="https://www.example.test/tour" target="_blank" rel="noopener noreferrer">',
    );
    const policy = answer.header("content-security-policy") ?? "";
    expect(policy).toContain(`img-src data: ${image};`);
    expect(policy).not.toContain("script-src");
    const etag = answer.header("etag") ?? "";
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    const again = await read("read", `?of=${revision}&language=en`, { "if-none-match": etag });
    expect([again.status, again.body, again.header("etag")]).toEqual([304, "", etag]);
    // The waiting page's script loads the same without what is around it, its styles in an attribute.
    const part = await world().http.get(`${world().issuer}/rooms/read/while-waiting/part?of=${revision}&language=en`);
    const slot = /<div class="slot"[^>]*>.*<\/div>/s.exec(answer.body)?.[0] ?? "";
    expect(part.body.replace(/ data-style="[^"<>]+"/, "")).toBe(`<!doctype html><title>While you wait</title>${slot}`);
    expect([part.header("cache-control"), part.header("content-security-policy")]).toEqual([
      "public, max-age=300",
      "default-src 'none'; frame-ancestors 'none'",
    ]);
    expect(part.header("etag")).not.toBe(etag);
    // What a visitor holds makes no difference, and neither do odd queries.
    const held = await read("read", "?language=en", { cookie: "usher-x=1", authorization: "Bearer x" });
    expect([held.body, held.header("etag")]).toEqual([answer.body, etag]);
    for (const query of ["?language=../../x", "?language=en&language=de", "?language=xx", "?x=1"]) {
      expect((await read("read", query)).status, query).toBe(200);
    }
  });

  test("is compressed for those who can take it", async () => {
    const response = await fetch(`${world().issuer}/rooms/read/while-waiting?language=en`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.text()).toContain("<h2>On stage</h2>");
  });

  test("is in the reader's language, or the first, in both processes alike", async () => {
    const [here, there] = await Promise.all(origins().map((origin) => read("read", "?language=de-AT", {}, origin)));
    expect(here?.body).toContain('dir="auto"><h2>Auf der Bühne</h2>');
    expect(here?.header("content-security-policy")).toContain("img-src data:;");
    expect([there?.body, there?.header("etag")]).toEqual([here?.body, here?.header("etag")]);
    expect((await read("read", "?language=fr")).body).toContain('lang="en" dir="auto"><h2>On stage</h2>');
  });

  test("a page has a link to it for those without scripts, its policy allows its own images alone, and it holds not a word of it", async () => {
    for (const room of ["read", "doors"]) {
      const { page, policy } = await policyOf(room);
      const { while_waiting: revision } = await statusOf(room);
      expect(page.body).toContain(`<noscript><a href="/rooms/${room}/while-waiting?of=${revision}&amp;language=en"`);
      expect(page.body).toContain(`"whileWaiting":{"room":"${revision}","theme":""}`);
      expect(page.body).not.toContain("On stage");
      expect(policy).toContain(`img-src data: ${image};`);
      expect((await policyOf(room, "de")).policy).toContain("img-src data:;");
    }
    const { page, policy } = await policyOf("silent");
    expect(page.body).not.toContain("while-waiting");
    expect(page.body).not.toContain('"whileWaiting"');
    expect(policy).toContain("img-src data:;");
  });

  test("a theme's is that of rooms without one, a client's for its visitors", async () => {
    expect(await statusOf("themed")).toMatchObject({ while_waiting: null });
    expect((await read("themed")).body).toContain("<p>Doors at <em>seven</em>.</p>");
    const { page } = await policyOf("themed");
    const [, href = ""] = /<noscript><a href="([^"]+)"/.exec(page.body) ?? [];
    const ofClient = await world().http.get(`${world().issuer}${href.replaceAll("&amp;", "&")}`);
    expect(ofClient.body).toContain("<p>For fans</p>");
    await world().admin.change("themed", { while_waiting: "The room's own" });
    expect((await read("themed")).body).toContain("<p>The room&#39;s own</p>");
    await world().admin.change("themed", { while_waiting: "off" });
    expect(await statusOf("themed")).toMatchObject({ while_waiting: "" });
    expect((await read("themed")).status).toBe(404);
    expect((await policyOf("themed")).page.body).not.toContain("<noscript><a");
    await world().admin.change("themed", { while_waiting: null });
    expect((await read("themed")).body).toContain("<em>seven</em>");
  });

  test("a live change is told by the status of both processes, under another name; the old name is gone", async () => {
    const [first = "", second = ""] = origins();
    expect(await statusOf("live")).toMatchObject({ while_waiting: null });
    expect((await read("live")).status).toBe(404);
    const names: (string | null)[] = [];
    for (const said of ["One", { de: "Zwei" }]) {
      await world().admin.change("live", { while_waiting: said });
      const { while_waiting: name } = await statusOf("live", first);
      await within(5_000, async () => expect(await statusOf("live", second)).toMatchObject({ while_waiting: name }));
      for (const origin of [first, second]) {
        const page = await read("live", `?of=${name}`, {}, origin);
        expect(page.body).toContain(typeof said === "string" ? "<p>One</p>" : "<p>Zwei</p>");
      }
      names.push(name);
    }
    const old = await read("live", `?of=${names[0]}`);
    // What another process may know in a moment is kept by no cache.
    expect([old.status, old.header("cache-control")]).toEqual([404, "no-store"]);
    const settings = (await world().admin.request("GET", "/rooms/live")).json() as { settings: unknown };
    expect(settings).toMatchObject({ settings: { while_waiting: { de: "Zwei" } } });
    await world().admin.change("live", { while_waiting: null });
    expect(await statusOf("live")).toMatchObject({ while_waiting: null });
  });

  test("what is wrong is refused, all at once, and changes nothing", async () => {
    const refuse = async (said: unknown) => {
      const answer = await world().admin.request("PATCH", "/rooms/silent", { while_waiting: said });
      expect(answer.status).toBe(400);
      return answer.body;
    };
    const faults = await refuse({ en: "[a](javascript:alert(1))\n\n![](https://a.example/x.png)", de: "[b](data:x)" });
    for (const fault of ["while_waiting.en: line 1", "while_waiting.en: line 3", "while_waiting.de: line 1"]) {
      expect(faults).toContain(fault);
    }
    for (const said of [5, [], {}, "", "x".repeat(3_001), { en: 5 }])
      expect(await refuse(said)).toContain("while_waiting");
    expect(await statusOf("silent")).toMatchObject({ while_waiting: null });
  });
});
