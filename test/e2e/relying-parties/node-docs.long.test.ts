// Long: the guide's program is two processes; openid-client.test.ts has the journeys.
/** The program of docs/relying-parties/node.md, run as it stands there but for its addresses. */
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readGuide, replaceAll } from "../../support/guide.ts";
import { accepts, freePorts } from "../../support/ports.ts";
import { startProcess } from "../../support/processes.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { memoryStore, startWorld, type World } from "../world.ts";

const SECRET = "secret-of-the-documented-program";
/** An issuer that does not answer. */
const NOBODY = "http://localhost:1";
const guide = readGuide("node");

describe("the documented program", () => {
  let world: World;
  /** With the line, and with the waiting room taken out. */
  let origins: string[] = [];
  const stopped: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const ports = await freePorts(2);
    origins = ports.map((port) => `http://localhost:${port}`);
    const documented = guide.client({ "https://shop.example.com": origins[0] ?? "" });
    const client = { ...documented, client_secret: SECRET };
    world = await startWorld({ store: memoryStore, rooms: [{ id: "tickets", client }] });
    stopped.push(() => world.stop());
    const folder = await makeTempDir("node-guide");
    stopped.push(() => folder.remove());
    await symlink(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder.path, "node_modules"));
    for (const [index, port] of ports.entries()) {
      const replacements = {
        "https://queue.example.com": index === 1 ? NOBODY : world.issuer,
        "https://shop.example.com": origins[index] ?? "",
        "8080": String(port),
      };
      const file = join(folder.path, `site-${index}.mjs`);
      await writeFile(file, replaceAll(guide.block("js"), replacements));
      const env = {
        SHOP_CLIENT_SECRET: SECRET,
        SESSION_SECRET: "s".repeat(64),
        ...(index === 1 && { WAITING_ROOM: "off" }),
      };
      const program = startProcess({
        name: "site",
        command: process.execPath,
        args: [file],
        env: { ...process.env, ...env },
      });
      stopped.push(() => program.stop());
      await program.waitUntil(`the site on port ${port}`, () => accepts(port));
    }
  });
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  test("lets through what never queues, and refuses scripts without a session", async () => {
    const [site] = origins;
    for (const path of ["/health", "/goodbye", "/assets/a.css"])
      expect([path, (await world.http.get(`${site}${path}`)).status]).toEqual([path, 200]);
    const paid = await world.http.request(`${site}/webhooks/payment`, { method: "POST", body: {} });
    expect(paid.status).toBe(200);
    expect((await world.visitor().fetch(`${site}/api/cart`)).status).toBe(401);
  });

  test("leads a visitor through the line to the page they asked for, and out again", async () => {
    const [site] = origins;
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${site}/cart?item=7`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);
    await world.admin.increment("tickets", 1);
    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href], inside.body.slice(0, 300)).toEqual([200, `${site}/cart?item=7`]);
    expect(inside.json()).toMatchObject({ path: "/cart?item=7", claims: { room: "tickets", queue_position: 1 } });
    expect((await visitor.fetch(`${site}/api/cart`)).status).toBe(200);
    expect((await visitor.navigate(`${site}/logout`)).url.href).toBe(`${site}/goodbye`);
    expect((await visitor.navigate(`${site}/`)).position).toBe(2);
  });

  test("with the waiting room taken out everybody is in, and Usher may be away", async () => {
    const page = await world.visitor().navigate(`${origins[1]}/cart`);
    expect([page.status, page.redirects, page.json()]).toEqual([200, [], { path: "/cart", claims: null }]);
  });
});
