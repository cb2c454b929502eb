/** What a played visitor understands of addresses, cookies and pages. */
import { describe, expect, test } from "vitest";
import { readUsherPage } from "../../../../src/features/rehearsal/visitor/navigate.ts";
import { linkWay, loginWay, siteWay, strayReason } from "../../../../src/features/rehearsal/visitor/ways.ts";
import { CookieJar } from "../../../../src/lib/cookie-jar.ts";

const issuer = "https://queue.example";
const client = {
  client_id: "shop",
  redirect_uris: ["https://shop.example/callback"],
  token_endpoint_auth_method: "client_secret_basic" as const,
  require_pushed_authorization_requests: false,
  is_first_room: false,
  is_only_room: false,
};
const stage = {
  room: "practice",
  issuer,
  pass: "pass",
  visitors: 1,
  expires_at: "2030-01-01T00:00:00Z",
  clients: [client],
  has_link: true,
};

describe("redirects", () => {
  const at = (path: string) => new URL(path, issuer);

  test.each<[string, string, string | RegExp | null]>([
    ["the room by name", "/authorize?client_id=shop&room=practice", null],
    ["another room by name", "/authorize?client_id=shop&room=sale", /for the room sale/],
    ["no room, and the client's first is another", "/authorize?client_id=shop", /another of its rooms/],
    ["no room, but an empty name", "/authorize?client_id=shop&room=", /another of its rooms/],
    ["another client", "/authorize?client_id=other&room=practice", /no client of the room/],
    ["what was pushed ahead", "/authorize?client_id=shop&request_uri=urn:x", /another of its rooms/],
    ["the link of another room", "/rooms/sale/enter", /into the room sale/],
    ["the link of the room", "/rooms/practice/enter", null],
    ["another page of Usher", "/logout", null],
  ])("at the issuer, %s", (_, path, reason) => {
    const found = strayReason(stage, at(path));
    if (reason === null) expect(found).toBeNull();
    else expect(found).toMatch(reason);
  });

  test("without a name count where the room is the client's first, and pushed ones where it is the only one", () => {
    const first = { room: "practice", clients: [{ ...client, is_first_room: true }] };
    const only = { room: "practice", clients: [{ ...client, is_first_room: true, is_only_room: true }] };
    const [plain, pushed] = [at("/authorize?client_id=shop"), at("/authorize?client_id=shop&request_uri=urn:x")];
    expect([first, only].map((each) => strayReason(each, plain))).toEqual([null, null]);
    expect([first, only].map((each) => strayReason(each, pushed) === null)).toEqual([false, true]);
  });

  test("of a login lead in with its own code and state alone, and begin anew where the site begins logins", () => {
    const way = loginWay(stage, client);
    const begun = way.begin();
    const state = begun.url.searchParams.get("state");
    const back = (query: string) => way.lead(new URL(`https://shop.example/callback?${query}`), begun);
    expect(back(`code=c&state=${state}&iss=${encodeURIComponent(issuer)}`)).toEqual({
      to: "in",
      isFollowed: false,
      code: "c",
    });
    for (const query of ["code=c&state=other", `state=${state}`, `code=c&state=${state}&iss=https://other.example`]) {
      expect(back(query)).toEqual({ to: "nowhere", reason: "another login came back" });
    }
    expect(back("error=access_denied")).toEqual({ to: "nowhere", reason: "login refused: access_denied" });
    expect(way.lead(new URL("https://shop.example/start"), begun)).toEqual({ to: "anew" });
    expect(way.lead(at("/authorize?x"), begun)).toEqual({ to: "follow" });
    expect(way.begin().url.href).not.toBe(begun.url.href);
  });

  test("of a site go to the issuer and the hosts of its clients alone", () => {
    const way = siteWay(stage, new URL("https://shop.example/"));
    const begun = way.begin();
    const lead = (to: string) => way.lead(new URL(to), begun);
    expect(lead("https://shop.example/callback?code=c&state=s")).toEqual({ to: "in", isFollowed: true, code: "c" });
    expect(lead("https://shop.example/basket?code=c")).toEqual({ to: "follow" });
    expect(lead("https://elsewhere.example/")).toMatchObject({ to: "nowhere", reason: /elsewhere\.example/ });
    expect(lead("https://shop.example:444/")).toMatchObject({ to: "nowhere" });
    expect(lead(`${issuer}/authorize?client_id=shop&room=sale`)).toMatchObject({ to: "nowhere" });
    expect(lead("https://shop.example/callback?error=login_required")).toMatchObject({ to: "nowhere" });
  });

  test("of the link lead in when they leave Usher", () => {
    const way = linkWay(stage);
    expect(way.begin().url.href).toBe(`${issuer}/rooms/practice/enter`);
    expect(way.lead(new URL("https://shop.example/?usher_token=t"), way.begin())).toMatchObject({
      to: "in",
      isFollowed: false,
    });
  });
});

describe("cookies", () => {
  test("go back to their host, and to those below their domain", () => {
    const jar = new CookieJar();
    jar.keep("www.shop.example", [
      "a=1; Path=/; HttpOnly",
      "b=2; Domain=.shop.example",
      "c=3; Domain=elsewhere.example",
    ]);
    expect(jar.header("www.shop.example")).toBe("a=1; b=2; c=3");
    expect(jar.header("login.shop.example")).toBe("b=2");
    expect([jar.header("elsewhere.example"), jar.header("evilshop.example")]).toEqual(["", ""]);
  });

  test("are removed by an empty value, an age and a date of long ago, and never are too many", () => {
    const jar = new CookieJar();
    jar.keep("shop.example", ["a=1", "b=2", "c=3", "d=4=5"]);
    jar.keep("shop.example", [
      "a=",
      "b=x; Max-Age=0",
      "c=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "nothing",
      "d=6; Max-Age=60",
    ]);
    expect(jar.header("shop.example")).toBe("d=6");
    jar.keep("shop.example", [
      ...Array.from({ length: 1_000 }, (_, index) => `n${index}=1`),
      `long=${"x".repeat(10_000)}`,
    ]);
    expect(jar.header("shop.example").split("; ")).toHaveLength(50);
    expect(jar.find((name) => name === "d")).toBe("6");
  });
});

describe("pages", () => {
  const live = '<script type="application/json" id="live">{"poll":{"floor_ms":1},"pace":null}</script>';
  const main =
    '<main data-position="7" data-ahead="3" data-edition="2" data-retry-ms="900" data-state="held" data-draw="undrawn" data-room="practice">';

  test("of the line and notices are read; anything else is none", () => {
    expect(readUsherPage(`<html>${main}…</main>${live}</html>`)).toEqual({
      kind: "waiting",
      room: "practice",
      edition: 2,
      position: 7,
      ahead: 3,
      state: "held",
      isUndrawn: true,
      retryMs: 900,
      poll: { floor_ms: 1 },
      pace: null,
    });
    const notice = (more: string) => readUsherPage(`<main data-notice="room_full" data-tone="wait"${more}>`);
    expect(notice(' data-retry-ms="30000"')).toEqual({ kind: "notice", code: "room_full", retryMs: 30_000 });
    expect(notice("")).toEqual({ kind: "notice", code: "room_full", retryMs: null });
    const others = [
      "",
      "<h1>502 Bad Gateway</h1>",
      "<main>",
      main,
      `${main}<script id="live">{</script>`,
      `<main>${live}`,
    ];
    for (const html of others) expect(readUsherPage(html)).toBeNull();
  });
});
