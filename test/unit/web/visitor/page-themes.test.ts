import type { Context } from "koa";
import { describe, expect, test } from "vitest";
import type { ClientConfig, ThemeConfig } from "../../../../src/config/index.ts";
import { createPageThemes } from "../../../../src/web/visitor/pages/page-request.ts";

const issuer = "https://queue.example.com";
const theme = (name: string): ThemeConfig => ({
  places: [name],
  chosenColors: { light: {}, dark: {} },
  logo: null,
  colors: null,
  title: [{ language: null, text: name }],
  texts: [],
  links: [],
  footer: null,
  whileWaiting: null,
  viewsDir: null,
});
const ofRooms = new Map([["tickets", theme("tickets")]]);
const ofFans = new Map([
  ["tickets", theme("fans in tickets")],
  ["shop", theme("fans in shop")],
]);
const clients = clientsOf([
  { clientId: "fans", rooms: ["shop", "tickets"] },
  { clientId: "app", rooms: ["tickets"] },
]);
const themes = createPageThemes(
  {
    usual: theme("usual"),
    ofRooms,
    ofClients: new Map([["fans", ofFans]]),
    ofLinks: new Map([["tickets", new Map([["night", theme("night")]])]]),
  },
  clients,
  issuer,
);

function clientsOf(list: readonly Pick<ClientConfig, "clientId" | "rooms">[]) {
  return { get: (id: string) => list.find(({ clientId }) => clientId === id) as ClientConfig | undefined };
}
const nameOf = (found: ThemeConfig | undefined) => found?.title?.[0]?.text;
const contextOf = (originalUrl: string, referer = "", cookie?: string) =>
  ({
    originalUrl,
    req: { headers: { cookie, referer } },
  }) as unknown as Context;
const ofPage = (address: string, room?: string, referer?: string) =>
  nameOf(themes.ofPage(contextOf(address, referer), room).theme);

test("a client's theme in a room goes before the room's, and that before the usual one", () => {
  expect(nameOf(themes.of("tickets", "fans"))).toBe("fans in tickets");
  expect(nameOf(themes.of("tickets", "app"))).toBe("tickets");
  expect(nameOf(themes.of("tickets", undefined))).toBe("tickets");
  expect(nameOf(themes.of("other", "fans"))).toBe("usual");
  expect(themes.of("tickets", "fans")).toBe(themes.of("tickets", "fans"));
});

test("without themes there are none", () => {
  const none = createPageThemes(
    { usual: null, ofRooms: new Map(), ofClients: new Map(), ofLinks: new Map() },
    clients,
    issuer,
  );
  expect(none.of("tickets", "fans")).toBeUndefined();
  expect(none.ofPage(contextOf("/authorize?client_id=fans"), undefined).theme).toBeUndefined();
});

describe("a page that says nothing of its client looks", () => {
  test.each([
    ["/authorize?client_id=fans", undefined, undefined, "fans in shop"],
    ["/authorize?x=1&client_id=fans&room=tickets", undefined, undefined, "fans in tickets"],
    ["/authorize?client_id=fans&room=none", undefined, undefined, "fans in shop"],
    ["/authorize?client_id=fans", "tickets", undefined, "fans in tickets"],
    ["/authorize?client_id=nobody", undefined, undefined, "usual"],
    ["/authorize?client_id=constructor", undefined, undefined, "usual"],
    ["/rooms/tickets/leave", undefined, undefined, "tickets"],
    ["/rooms/tickets/leave", undefined, `${issuer}/authorize?client_id=fans`, "fans in tickets"],
    ["/rooms/tickets/leave", undefined, "https://evil.example/authorize?client_id=fans", "tickets"],
    ["/language", undefined, `${issuer}/rooms/tickets/enter`, "tickets"],
    ["/", undefined, undefined, "usual"],
    ["/logout/success", undefined, undefined, "usual"],
  ])("at %s (room %s, from %s) like %s", (address, room, referer, name) => {
    expect(ofPage(address, room, referer)).toBe(name);
  });
});

describe("a link that names a theme of the room", () => {
  const cookie = "__Host-usher.theme=night";
  test.each([
    ["/rooms/tickets/enter?theme=night", "", undefined, "night"],
    ["/rooms/tickets/enter?target=https%3A%2F%2Fa.example%2F&theme=night", "", undefined, "night"],
    ["/authorize?client_id=fans&room=tickets&theme=night", "", undefined, "night"],
    ["/authorize?client_id=fans&theme=night", "", undefined, "fans in shop"],
    ["/rooms/tickets/leave", `${issuer}/rooms/tickets/enter?theme=night`, undefined, "night"],
    ["/rooms/tickets/leave", "https://evil.example/rooms/tickets/enter?theme=night", undefined, "tickets"],
    // Of a request that a fresh one took the place of.
    ["/authorize?client_id=app", "", cookie, "night"],
    ["/authorize?client_id=app&theme=day", "", cookie, "tickets"],
    ["/authorize?client_id=app", "", "__Host-usher.theme=../x", "tickets"],
    ["/rooms/shop/enter?theme=night", "", cookie, "usual"],
    ...["", "Night", "night%20", "constructor", "__proto__", "a".repeat(5_000), "night&theme=day"].map(
      (name) =>
        [`/rooms/tickets/enter?theme=${name}`, "", undefined, name.startsWith("night&") ? "night" : "tickets"] as const,
    ),
    ["/rooms/tickets/enter?mytheme=night", "", undefined, "tickets"],
    ["/", "", cookie, "usual"],
  ] as const)("%s from %j with %s looks like %s", (address, referer, held, name) => {
    expect(nameOf(themes.ofPage(contextOf(address, referer, held), undefined).theme)).toBe(name);
  });

  test("goes before the client's, on the waiting page, too", () => {
    const ofVisit = (address: string) => nameOf(themes.ofVisit(contextOf(address), "tickets", "fans"));
    expect(ofVisit("/authorize?client_id=fans&room=tickets&theme=night")).toBe("night");
    expect(ofVisit("/authorize?client_id=fans&room=tickets&theme=none")).toBe("fans in tickets");
    expect(themes.allOf("tickets").map(nameOf)).toEqual(["tickets", "fans in tickets", "night"]);
  });
});
