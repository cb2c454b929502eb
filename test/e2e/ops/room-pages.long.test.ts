// Long: shows every page of every kind; preview.test.ts has those that the same parts make.
/** The pages of a room by the admin API: what visitors would see, with words that are not said yet, and nothing in them that acts. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { clientId, clientSecret, memoryStore, redirectUri, useWorld } from "../world.ts";

const viewerKey = "key-of-a-viewer-of-one-room-0123456789";
const key_sha256 = createHash("sha256").update(viewerKey).digest("hex");
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    {
      id: "tickets",
      settings: {
        message: { text: { en: "Doors at <eight>", de: "Einlass um acht" }, severity: "warning" },
        theme: { title: { en: "The tour", fr: "La tournée" }, colors: { accent: "#8a1538" } },
      },
    },
    { id: "german", settings: { language: "de", rehearsal: true } },
    { id: "other" },
  ],
  config: {
    theme: { footer: "Acme Ltd" },
    clients: ["tickets", "german", "other"].map((id) => ({
      client_id: clientId(id),
      client_secret: clientSecret(id),
      redirect_uris: [redirectUri(id)],
      room: id,
      ...(id === "german" && { theme: { colors: { accent: "#003399" } } }),
    })),
    admin: { keys: [{ id: "viewer", key_sha256, role: "viewer", rooms: ["tickets"] }] },
  },
}));

interface RoomPages {
  readonly language: string;
  readonly pages: readonly { readonly id: string; readonly kind: string }[];
  readonly languages: readonly { readonly tag: string; readonly name: string; readonly of_room: boolean }[];
  readonly clients: readonly string[];
  readonly messages: readonly {
    readonly id: string;
    readonly severity: string;
    readonly texts: Readonly<Record<string, string>>;
  }[];
}

const pagesOf = async (room: string) =>
  (await world().admin.request("GET", `/rooms/${room}/pages`)).json() as RoomPages;
const show = (room: string, page: string, query: Record<string, string> = {}) =>
  world().admin.request("GET", `/rooms/${room}/pages/${page}?${new URLSearchParams(query)}`);
const shown = async (...asked: Parameters<typeof show>) => {
  const answer = await show(...asked);
  expect([answer.status, answer.body.slice(0, 200)]).toEqual([200, expect.stringContaining("<!doctype html>")]);
  return answer.body;
};
/** The organiser's words, as the page has them. */
const wordsOf = (page: string) => /<section class="message"[\s\S]*?<\/section>/.exec(page)?.[0].replace(/\s+/g, " ");

test("lists pages, languages with those that the room speaks, clients that look otherwise, and messages in every language", async () => {
  const { pages, languages, clients, messages } = await pagesOf("tickets");
  expect(pages.map(({ id }) => id)).toEqual(expect.arrayContaining(["waiting", "ended", "sold_out_words", "draw"]));
  expect(languages.length).toBeGreaterThanOrEqual(23);
  expect(languages.filter((each) => each.of_room).map(({ tag }) => tag)).toEqual(["de", "en", "fr"]);
  expect(clients).toEqual([]);
  expect(messages.map(({ id }) => id)).toEqual([
    "short_delay",
    "technical_problem",
    "going_on",
    "last_tickets",
    "sold_out",
  ]);
  for (const { texts } of messages) expect(Object.keys(texts).sort()).toEqual(languages.map(({ tag }) => tag).sort());
  const german = await pagesOf("german");
  expect([(await pagesOf("tickets")).language, german.language]).toEqual(["en", "de"]);
  expect(german.languages.filter((each) => each.of_room).map(({ tag }) => tag)).toEqual(["de"]);
  expect(german.clients).toEqual([clientId("german")]);
});

test("pages of every kind are shown, and none of them can act", async () => {
  const { pages } = await pagesOf("german");
  // Each notice costs the signatures of the draws.
  const some = pages.filter(({ id, kind }, index) => kind === "waiting" || index % 6 === 0 || /^(draw|move)$/.test(id));
  for (const { id } of some) {
    const { status, body, header } = await show("german", id);
    expect([id, status]).toEqual([id, 200]);
    expect(body).not.toMatch(/<(script|noscript|iframe|base|object|meta http-equiv)/);
    expect([...body.matchAll(/<a\b[^>]*href="([^"]*)"/g)].filter(([, href]) => href !== "#")).toEqual([]);
    const policy = header("content-security-policy") ?? "";
    const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? "";
    expect(policy).toBe(
      [
        "default-src 'none'",
        `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
        "img-src data:",
        "base-uri 'none'",
        "frame-ancestors 'self'",
        "form-action 'none'",
        "sandbox",
      ].join("; "),
    );
  }
});

test("is the page that a visitor of the room has: theme, title, language, message, rehearsal", async () => {
  const page = await shown("tickets", "waiting", { language: "fr" });
  expect(page).toMatch(/<html lang="fr"[\s\S]*La tournée/);
  expect(page).toContain("#8a1538");
  const { url } = await world().relyingParty("tickets").startLogin();
  for (const language of ["en", "de", "de-AT", "fr"]) {
    const visited = await world()
      .visitor({ headers: { "accept-language": language } })
      .navigate(url);
    const tag = language === "de-AT" ? "de" : language;
    expect(wordsOf(await shown("tickets", "waiting", { language: tag }))).toBe(wordsOf(visited.body));
  }
  const german = await shown("german", "waiting");
  expect(german).toMatch(/<html lang="de"[\s\S]*<aside class="rehearsal">/);
  expect(await shown("german", "waiting", { client: clientId("german") })).toContain("#003399");
});

test("with a message that is not said yet, as the page then has it, and shows it to nobody else", async () => {
  const message = { text: { de: "Ausverkauft <b>", en: "Sold out" }, severity: "sold_out" };
  const draft = await shown("other", "waiting", { language: "de", message: JSON.stringify(message) });
  expect(wordsOf(draft)).toMatch(/data-severity="sold_out".*>Ausverkauft &lt;b&gt;</);
  expect(wordsOf(await shown("other", "waiting", { language: "de" }))).toContain("hidden");
  await world().admin.change("other", { message });
  const { url } = await world().relyingParty("other").startLogin();
  expect(
    wordsOf(
      (
        await world()
          .visitor({ headers: { "accept-language": "de" } })
          .navigate(url)
      ).body,
    ),
  ).toBe(wordsOf(draft));
  expect(wordsOf(await shown("other", "ended", { language: "de" }))).toBe(wordsOf(draft));
  expect(wordsOf(await shown("other", "waiting", { message: "" }))).toContain("hidden");
  expect(wordsOf(await shown("other", "waiting", { message: "{ a text" }))).toContain("{ a text");
});

test("hostile words are text", async () => {
  const hostile = `"><script>document.title='owned'</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a></noscript>`;
  const page = await shown("tickets", "waiting", { message: hostile });
  const words = wordsOf(page) ?? "";
  const text = /id="message-text"[^>]*>([^<]*)</.exec(words)?.[1] ?? "";
  expect(text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#34;", '"').replaceAll("&#39;", "'")).toBe(
    hostile,
  );
});

test.each([
  ["other", "wating", {}, 404, "did you mean waiting?"],
  ["other", "waiting", { language: "tlh" }, 400, "language"],
  ["other", "waiting", { client: "site-tickets" }, 400, "client"],
  ["other", "waiting", { message: " " }, 400, "message"],
  ["other", "waiting", { message: "x".repeat(501) }, 400, "at most 500 characters"],
  ["other", "waiting", { message: '{"text": {"xx-": "a"}}' }, 400, "message"],
  ["other", "waiting", { message: '{"text": "a", "severity": "grave"}' }, 400, "message.severity"],
  ["other", "waiting", { message: '{"text": "a", "tone": "b"}' }, 400, "message"],
  ["other", "waiting", { mesage: "a" }, 400, "did you mean message?"],
  ["other", "waiting", { message: "x".repeat(16_400) }, 414, ""],
  ["nowhere", "waiting", {}, 404, "no room of this name"],
] as const)("refuses %s/%s with a fault in the query: case %#", async (room, page, query, status, words) => {
  const answer = await show(room, page, query);
  expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(words)]);
});

test("takes a key for the room, and refuses several messages at once", async () => {
  const ask = (path: string, key: string) =>
    world().http.request(`${world().issuer}/admin${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask("/rooms/tickets/pages/waiting", viewerKey)).status).toBe(200);
  expect((await ask("/rooms/other/pages/waiting", viewerKey)).status).toBe(403);
  expect((await ask("/rooms/other/pages", viewerKey)).status).toBe(403);
  expect((await ask("/rooms/tickets/pages/waiting", "")).status).toBe(401);
  expect((await ask("/rooms/tickets/pages/waiting?message=a&message=b", ADMIN_KEY)).status).toBe(400);
});
