/** A site behind a proxy that asks Usher, as the visitors of a test meet it: it answers with what came through. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { startSiteServer } from "../../support/site-server.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import type { World } from "../world.ts";

/** The room that the site's visitors wait in. */
const room = "tickets";

/** What came through to the site. */
export interface Seen {
  method: string;
  url: string;
  /** Everything that a site may take for one of Usher's headers. */
  usher: Record<string, string>;
  body: string;
  /** The header of that name. */
  upgrade?: string;
}

/** The block of that language in docs/forward-auth.md. */
export function documentedBlock(language: string): string {
  const docs = readFileSync(fileURLToPath(new URL("../../../docs/forward-auth.md", import.meta.url)), "utf8");
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(docs)?.[1] ?? "";
}

/** What nginx has for a site whose API alone is protected, as the docs configure it; its pages come from anywhere. */
export function nginxBeforeApi(sitePort: number, usherPort: number): string {
  const asked = documentedBlock("nginx")
    .replace("location / {", "location /api/ {")
    .replaceAll("http://shop", `http://127.0.0.1:${sitePort}`)
    .replaceAll("http://usher", `http://127.0.0.1:${usherPort}`);
  return `${asked}\nlocation / { proxy_pass http://127.0.0.1:${sitePort}; }`;
}

/** The site itself; `/own-401` is refused by it. */
export function startEchoSite(port: number) {
  return startSiteServer(
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const named = Object.entries(request.headers).filter(([name]) => /^x[\W_]usher/.test(name));
      const usher = Object.fromEntries(named);
      const body = Buffer.concat(chunks).toString();
      const { upgrade } = request.headers;
      response.setHeader("content-type", "application/json");
      response.statusCode = request.url === "/own-401" ? 401 : 200;
      response.end(JSON.stringify({ method: request.method, url: request.url, usher, body, upgrade }));
    },
    { port },
  );
}

export const seen = (page: { json(): unknown }) => page.json() as Seen;

/** A visitor who waits, and comes in by the site's address. */
export async function letIn(world: World, address: string): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = world.visitor();
  const parked = await visitor.navigate(address);
  expect([parked.url.origin, parked.state]).toEqual([world.issuer, "waiting"]);
  await world.admin.increment(room, 1);
  return { visitor, page: await visitor.waitInLine(parked) };
}

/** Names that a site which gets headers as variables does not tell from Usher's, and those themselves. */
export const namesTakenForUshers = [
  "x-usher-sub",
  "x-usher-position",
  "X_Usher_Sub",
  "X_Usher-Sub",
  "X-Usher_Sub",
  "X-USHER-ADMITTED_VIA",
  "x_usher_admitted_at",
  "X.Usher.Sub",
  "X-Usher.Position",
];

/** The first visitor of the room comes by a deep link, and the site hears who it is, whatever they say themselves. */
export async function comesByDeepLink(world: World, site: string): Promise<Page> {
  const { visitor, page } = await letIn(world, `${site}/products/7?a=%20b+c`);
  expect([page.status, page.url.href]).toEqual([200, `${site}/products/7?a=%20b+c`]);
  const { usher } = seen(page);
  expect(usher).toMatchObject({
    "x-usher-sub": expect.stringMatching(/^tickets\./),
    "x-usher-room": room,
    "x-usher-position": "1",
    "x-usher-admitted-via": "queue",
    "x-usher-admitted-at": expect.stringMatching(/^\d+$/),
  });
  const named = Object.fromEntries(namesTakenForUshers.map((name) => [name, "somebody"]));
  for (const headers of [
    named,
    { connection: "close, X-Usher-Sub,x-usher-room" },
    { connection: "x-usher-position" },
  ]) {
    const forged = await visitor.navigate(`${site}/`, { headers });
    expect([headers, forged.redirects, seen(forged).usher]).toEqual([headers, [], usher]);
  }
  return page;
}
