/** How pages look: by issuer, room and client; and that nothing of an operator's own takes the room down. */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway } from "../../support/gateway.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import type { Page } from "../../support/visitor.ts";
import { clientId, clientSecret, memoryStore, redirectUri, useWorld } from "../world.ts";

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><path d="M0 0h3v1z"/></svg>';
const fanRedirect = "https://fans.example.test/callback";

let files: TempDir;
beforeAll(async () => {
  files = await makeTempDir("themes");
  await writeFile(join(files.path, "logo.svg"), logo);
  await mkdir(join(files.path, "views"));
  await writeFile(join(files.path, "views", "notice.ejs"), "<main>\n<%= page.titel %>\n</main>");
  const waiting = await readFile(new URL("../../../views/waiting.ejs", import.meta.url), "utf8");
  const fails = '<% if (page.view.room.id === "strange") page.nothing.at.all; %>';
  await writeFile(
    join(files.path, "views", "waiting.ejs"),
    `${fails}\n${waiting.replace("<main", '<main class="own"')}`,
  );
});
afterAll(() => files?.remove());

const styleOf = ({ body }: Page) => /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? "";
const accentOf = (page: Page) => [...styleOf(page).matchAll(/--accent:(#\w+)/g)].map(([, color]) => color);

/** The policy allows the page's own style, and no other. */
function expectOwnStyle(page: Page): void {
  const hash = createHash("sha256").update(styleOf(page)).digest("base64");
  const policy = page.header("content-security-policy") ?? "";
  expect(policy.match(/style-src [^;]*/)?.[0]).toBe(`style-src 'sha256-${hash}'`);
}

describe("the look of a page", () => {
  const world = useWorld(async () => ({
    store: memoryStore,
    rooms: [
      {
        id: "tickets",
        settings: {
          theme: {
            logo: { file: join(files.path, "logo.svg"), alt: "Acme" },
            colors: { accent: "#8a1538" },
            title: { en: "The tour", de: "Die Tournee" },
          },
        },
      },
      { id: "plain" },
      { id: "strange" },
    ],
    config: {
      theme: { footer: "Acme Ltd", views: join(files.path, "views") },
      clients: [
        ...["tickets", "plain", "strange"].map((id) => ({
          client_id: clientId(id),
          client_secret: clientSecret(id),
          redirect_uris: [redirectUri(id)],
          room: id,
        })),
        {
          client_id: "fans",
          client_secret: clientSecret("fans"),
          redirect_uris: [fanRedirect],
          room: "tickets",
          theme: {
            colors: { accent: "#003399" },
            title: "The fans' tour",
            texts: { en: { "waiting.eyebrow": "Foyer" } },
          },
        },
      ],
    },
  }));

  function loginOf(client: string, redirect: string): URL {
    const { url } = world().relyingParty("tickets").startLogin();
    url.searchParams.set("client_id", client);
    url.searchParams.set("redirect_uri", redirect);
    return url;
  }
  const asFan = () => loginOf("fans", fanRedirect);
  const asShop = () => loginOf(clientId("tickets"), redirectUri("tickets"));

  test("is that of the client that the visitor comes with, in one room of one gateway", async () => {
    const shop = await world().visitor().navigate(asShop());
    const fan = await world().visitor().navigate(asFan());
    expect([shop.position, fan.position]).toEqual([1, 2]);
    expect(shop.body).toContain('<bdi id="room">The tour</bdi>');
    expect(fan.body).toContain('<bdi id="room">The fans&#39; tour</bdi>');
    expect([accentOf(shop).includes("#8a1538"), accentOf(shop).includes("#003399")]).toEqual([true, false]);
    expect([accentOf(fan).includes("#8a1538"), accentOf(fan).includes("#003399")]).toEqual([false, true]);
    expect(fan.body).toContain('<p class="eyebrow">Foyer</p>');
    for (const page of [shop, fan]) {
      expect(page.body).toContain('alt="Acme" width="120" height="40"');
      expect(page.body).toContain("Acme Ltd");
      expectOwnStyle(page);
    }
    expect(styleOf(shop)).not.toBe(styleOf(fan));
  });

  test("stays with the visitor on the pages that follow, and is the room's where no client is known", async () => {
    const visitor = world().visitor();
    const waiting = await visitor.navigate(asFan());
    const left = await visitor.navigate(`${world().issuer}/rooms/tickets/leave`, {
      method: "POST",
      from: waiting.url,
      headers: { origin: world().issuer, referer: waiting.url.href },
    });
    expect(left.notice).toBe("left");
    expect(accentOf(left)).toContain("#003399");
    expectOwnStyle(left);
    const typedIn = await world().visitor().navigate(`${world().issuer}/rooms/tickets/leave`);
    expect(accentOf(typedIn)).toContain("#8a1538");
    const refused = await world()
      .visitor()
      .navigate(new URL(`${asFan()}&room=none`));
    expect([refused.notice, accentOf(refused).includes("#003399")]).toEqual(["unknown_room", true]);
  });

  test("is the issuer's on pages of no room and in rooms without a theme", async () => {
    for (const address of [`${world().issuer}/`, world().relyingParty("plain").startLogin().url]) {
      const page = await world().visitor().navigate(address);
      expect(page.body).toContain("Acme Ltd");
      expect(page.body).not.toMatch(/alt="Acme"|#8a1538/);
      expectOwnStyle(page);
    }
  });

  test("is no matter of the status, which goes on with the room's own title", async () => {
    const { body } = await world().http.request(new URL(`${world().issuer}/rooms/tickets/status`));
    expect(JSON.parse(body)).toMatchObject({ title: "The room tickets" });
  });

  test("a template that does not work is told at start, with its line, and the built-in one is used", async () => {
    await world().gateways[0]?.waitForOutput(
      /"event":"views\.warning".*notice\.ejs is not used: .*notice\.ejs:2: page\.titel is not defined/,
    );
    expect((await world().visitor().navigate(`${world().issuer}/`)).notice).toBe("front_door");
  });

  test("a template that fails on a page takes nobody's place: the built-in page is shown, and it is told once", async () => {
    const visit = (room: string) => world().visitor().navigate(world().relyingParty(room).startLogin().url);
    expect((await visit("plain")).body).toContain('<main class="own"');
    for (const position of [1, 2]) {
      const page = await visit("strange");
      expect([page.status, page.position]).toEqual([200, position]);
      expect(page.body).not.toContain('class="own"');
      expectOwnStyle(page);
    }
    // A line that is written later comes later: what is not there by then was not told.
    await world().admin.step("strange", "pause");
    const gateway = world().gateways[0];
    await gateway?.waitForOutput(/"event":"room\.admin_step","room":"strange"/);
    expect(gateway?.output().match(/"event":"views\.failed".*/g)).toEqual([
      expect.stringMatching(/waiting\.ejs:1: Cannot read properties of undefined/),
    ]);
  });
});

test("a text that is none of the pages' keeps Usher from starting, and says where it stands", async () => {
  const theme = { texts: { en: { "waiting.eyebro": "Foyer" } } };
  const started = startGateway({ config: { rooms: [{ id: "tickets", theme }] } });
  await expect(started).rejects.toThrow(
    /rooms\[0\]\.theme\.texts\.en\.waiting\.eyebro: unknown text, did you mean waiting\.eyebrow\?/,
  );
});
