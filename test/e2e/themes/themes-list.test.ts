/** What operators are told of themes: each as visitors see it, where it is written, and who uses it. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_KEY, type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { freePort } from "../../support/ports.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { clientId, clientSecret, memoryStore, redirectUri, useWorld } from "../world.ts";

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><path d="M0 0h3v1z"/></svg>';
const hostile = '<img src=x onerror="alert(1)">';
const ownKey = "key-of-a-viewer-of-one-room-0123456789";
const tourKey = "key-of-a-viewer-of-the-tour-0123456789";
const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");

let files: TempDir;
beforeAll(async () => {
  files = await makeTempDir("themes-list");
  await writeFile(join(files.path, "logo.svg"), logo);
  await mkdir(join(files.path, "views"));
});
afterAll(() => files?.remove());

interface Theme {
  readonly id: string;
  readonly places: readonly string[];
  readonly issuers: readonly string[];
  readonly has_own_views: boolean;
  readonly colors: Record<"light" | "dark", Record<string, string>>;
  readonly rooms: readonly { readonly room: string; readonly is_usual: boolean; readonly clients: readonly string[] }[];
}

describe("themes of rooms and clients", () => {
  const world = useWorld(async () => ({
    store: memoryStore,
    rooms: [
      {
        id: "tour",
        settings: {
          theme: {
            logo: { file: join(files.path, "logo.svg"), alt: { en: "Acme", de: "Akme" }, link: "https://acme.test/" },
            colors: { accent: "#8a1538" },
            title: { en: hostile, de: "Die Tournee" },
            texts: { en: { "waiting.eyebrow": "Hall" } },
          },
        },
      },
      { id: "plain" },
    ],
    config: {
      theme: {
        footer: "Acme Ltd",
        links: [{ href: "https://acme.test/help", label: "Help" }],
        texts: { en: { "waiting.eyebrow": "Foyer" } },
      },
      admin: {
        keys: [
          { id: "own", key_sha256: sha256(ownKey), role: "viewer", rooms: ["plain"] },
          { id: "tour", key_sha256: sha256(tourKey), role: "viewer", rooms: ["tour"] },
        ],
      },
      clients: [
        ...["tour", "plain"].map((id) => ({
          client_id: clientId(id),
          client_secret: clientSecret(id),
          redirect_uris: [redirectUri(id)],
          room: id,
        })),
        {
          client_id: "fans",
          client_secret: clientSecret("fans"),
          redirect_uris: ["https://fans.example.test/callback"],
          room: "tour",
          theme: { colors: { accent: "#003399", dark: { accent: "#99bbff" } }, title: "The fans' tour" },
        },
      ],
    },
  }));
  const list = async (key = ADMIN_KEY) => {
    const headers = { authorization: `Bearer ${key}` };
    const { status, body } = await world().http.request(`${world().issuer}/admin/themes`, { method: "GET", headers });
    expect(status, body).toBe(200);
    return (JSON.parse(body) as { themes: Theme[] }).themes;
  };

  test("are told as visitors see them, with who uses each", async () => {
    const [tour, fans, plain, ...others] = await list();
    expect(others).toEqual([]);
    expect(tour).toMatchObject({
      id: "theme+rooms[0].theme",
      places: ["theme", "rooms[0].theme"],
      title: [
        { language: "en", text: hostile },
        { language: "de", text: "Die Tournee" },
      ],
      logo: {
        alt: [
          { language: "en", text: "Acme" },
          { language: "de", text: "Akme" },
        ],
        height: 40,
        link: "https://acme.test/",
        has_dark: false,
      },
      chosen_colors: { light: ["accent"], dark: [] },
      // That of the room overrides that of the issuer.
      texts: [{ language: "en", place: "waiting.eyebrow", text: "Hall" }],
      links: [{ href: "https://acme.test/help", label: [{ language: null, text: "Help" }] }],
      footer: [{ language: null, text: "Acme Ltd" }],
      has_own_views: false,
      issuers: [],
      rooms: [{ room: "tour", is_usual: true, clients: [clientId("tour")], links: [] }],
    });
    expect(fans).toMatchObject({
      places: ["theme", "rooms[0].theme", "clients[2].theme"],
      title: [{ language: null, text: "The fans' tour" }],
      chosen_colors: { light: ["accent"], dark: ["accent"] },
      rooms: [{ room: "tour", is_usual: false, clients: ["fans"], links: [] }],
    });
    expect(plain).toMatchObject({
      id: "theme",
      title: null,
      logo: null,
      chosen_colors: { light: [], dark: [] },
      texts: [{ language: "en", place: "waiting.eyebrow", text: "Foyer" }],
      issuers: [world().issuer],
      rooms: [{ room: "plain", is_usual: true, clients: [clientId("plain")], links: [] }],
    });
    // The path of a file is nothing for all who may look.
    expect(JSON.stringify([tour, fans, plain])).not.toContain(files.path);
  });

  test("have the colours that the pages have", async () => {
    const asked = async (room: string, client: string) =>
      (await world().admin.request("GET", `/rooms/${room}/pages/waiting?client=${client}`)).body;
    for (const theme of (await list()).slice(0, 2)) {
      const [use] = theme.rooms;
      const page = await asked(use?.room ?? "", use?.clients[0] ?? "");
      for (const scheme of ["light", "dark"] as const) {
        const { accent, on_accent: onAccent } = theme.colors[scheme];
        expect(page, `${theme.id} ${scheme}`).toContain(`--accent:${accent};--on-accent:${onAccent}`);
      }
    }
  });

  test("are told to a viewer of some rooms as far as these use them, and to nobody without a key", async () => {
    expect((await list(ownKey)).map(({ id }) => id)).toEqual(["theme"]);
    const ofTour = await list(tourKey);
    expect(ofTour.map(({ id, rooms }) => [id, rooms.map(({ room }) => room)])).toEqual([
      ["theme+rooms[0].theme", ["tour"]],
      ["theme+rooms[0].theme+clients[2].theme", ["tour"]],
    ]);
    const { http, issuer } = world();
    expect((await http.get(`${issuer}/admin/themes`)).status).toBe(401);
    expect((await http.get(`${issuer}/admin/themes`, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await world().admin.request("GET", "/themes?limit=1")).status).toBe(400);
    // They are the file's: nothing here changes them.
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect([method, (await world().admin.request(method, "/themes", {})).status]).toEqual([
        method,
        expect.toBeOneOf([404, 405]),
      ]);
    }
  });

  test("no page of another site reads them with an operator's cookie", async () => {
    const { http, issuer } = world();
    const { setCookies } = await http.request(`${issuer}/admin/sign-in/key`, {
      method: "POST",
      headers: { origin: issuer },
      body: new URLSearchParams({ key: ADMIN_KEY }),
    });
    const cookie = (setCookies[0] ?? "").split(";")[0] ?? "";
    const answer = await http.get(`${issuer}/admin/themes`, { cookie, origin: "https://evil.example" });
    // Browsers send that cookie with no request of another site, and no other site may read an answer.
    expect(setCookies[0]).toContain("SameSite=Lax");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test("a room and a client that are made at run time are among those who use them", async () => {
    const { admin } = world();
    const room = await admin.request("POST", "/rooms", { id: "made", inlet: { type: "manual" } });
    expect(room.status, room.body).toBe(201);
    const client = { client_id: "made-client", rooms: ["tour", "made"], redirect_uris: ["https://made.test/cb"] };
    const made = await admin.request("POST", "/clients", client);
    expect(made.status, made.body).toBe(201);
    const rooms = new Map((await list()).map((theme) => [theme.id, theme.rooms]));
    expect(rooms.get("theme")).toContainEqual({ room: "made", is_usual: true, clients: ["made-client"], links: [] });
    expect(rooms.get("theme+rooms[0].theme")).toEqual([
      { room: "tour", is_usual: true, clients: [clientId("tour"), "made-client"], links: [] },
    ]);
  });
});

describe("themes of several issuers", () => {
  const http = createHttpClient();
  let gateway: Gateway;
  let issuers: string[] = [];
  beforeAll(async () => {
    const port = await freePort();
    issuers = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
    const room = (id: string, theme?: object) => ({ id, inlet: { type: "manual" }, ...(theme && { theme }) });
    const client = (id: string) => ({
      client_id: clientId(id),
      client_secret: clientSecret(id),
      redirect_uris: [redirectUri(id)],
      room: id,
    });
    const own = { views: join(files.path, "views") };
    gateway = await startGateway({
      port,
      config: {
        store: { type: "memory" },
        admin: { keys: [{ id: "bar", key_sha256: sha256(ownKey), role: "viewer", rooms: ["bar"] }] },
        issuers: [
          { issuer: issuers[0], rooms: [room("hall")], clients: [client("hall")] },
          { issuer: issuers[1], rooms: [room("club", own), room("bar")], clients: [client("club"), client("bar")] },
        ],
      },
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await http.close();
  });

  test("are one where the pages look alike, and a viewer of a room is told of no other issuer", async () => {
    const list = async (key: string) => {
      const answer = await http.get(`${issuers[0]}/admin/themes`, { authorization: `Bearer ${key}` });
      expect(answer.status, answer.body).toBe(200);
      const { themes } = answer.json() as { themes: Theme[] };
      return themes.map(({ id, places, issuers: ofPages, has_own_views: isOwn, rooms }) => {
        return [id, places, ofPages, isOwn, rooms.map(({ room }) => room)];
      });
    };
    expect(await list(ADMIN_KEY)).toEqual([
      ["built_in", [], issuers, false, ["hall", "bar"]],
      ["issuers[1].rooms[0].theme", ["issuers[1].rooms[0].theme"], [], true, ["club"]],
    ]);
    expect(await list(ownKey)).toEqual([["built_in", [], [issuers[1]], false, ["bar"]]]);
  });
});
