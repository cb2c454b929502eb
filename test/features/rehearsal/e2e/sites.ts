/** Rooms, and two sites of the demonstration in front of them, a genuine relying party. */
import { afterAll, beforeAll } from "vitest";
import { createDemoSite, type DemoSite, demoSiteUris } from "../../../../examples/demo/site.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { freePorts } from "../../../support/ports.ts";
import { runUsher, type Surroundings } from "../../../support/usher-command.ts";
import type { RehearsalReport } from "./report.ts";

export const open = { inlet: { type: "periodic", outflow_per_minute: 600 } };
export const rehearsal = { rehearsal: true };
const target = "https://shop.example.test/";

/** Starts them before the tests of a file and ends them after it. */
export function useSites() {
  let world: World;
  let siteUrl = "";
  let saleUrl = "";
  const sites: DemoSite[] = [];

  beforeAll(async () => {
    const ports = await freePorts(2);
    const [shop, sale] = ports.map(demoSiteUris) as [ReturnType<typeof demoSiteUris>, ReturnType<typeof demoSiteUris>];
    [siteUrl, saleUrl] = [shop.url, sale.url];
    const clientAt = ({ redirectUri, postLogoutRedirectUri, initiateLoginUri }: typeof shop) => ({
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [postLogoutRedirectUri],
      initiate_login_uri: initiateLoginUri,
    });
    world = await startWorld({
      store: memoryStore,
      rooms: [
        { id: "shop", ...open, settings: rehearsal, client: clientAt(shop) },
        { id: "sale", ...open, client: clientAt(sale) },
        // The site of the sale may lead here, if it says so; it does not.
        {
          id: "second",
          ...open,
          settings: rehearsal,
          client: { room: undefined, rooms: ["sale", "second"], ...clientAt(sale) },
        },
        // Its client is of another room, so the link is the only way.
        { id: "links", ...open, settings: { ...rehearsal, targets: [target] }, client: { room: "halted" } },
        { id: "pushed", ...open, settings: rehearsal, client: { require_pushed_authorization_requests: true } },
        { id: "shut", ...open, settings: { ...rehearsal, schedule: { opens_at: "2035-01-01T00:00:00Z" } } },
        { id: "halted", ...open, settings: rehearsal },
      ],
    });
    for (const [index, id] of ["shop", "sale"].entries()) {
      const site = createDemoSite({
        issuer: world.issuer,
        clientId: clientId(id),
        clientSecret: clientSecret(id),
        port: ports[index] ?? 0,
        host: "127.0.0.1",
      });
      await site.start();
      sites.push(site);
    }
    await world.admin.step("halted", "pause");
  });
  afterAll(async () => {
    for (const site of sites) await site.close();
    await world?.stop();
  });

  const usher = (args: readonly string[], around: Surroundings = {}) =>
    runUsher(["rehearse", ...args], {
      env: { USHER_ADMIN: world.issuer, USHER_ADMIN_API_KEY: ADMIN_KEY },
      ...around,
    });

  async function played(args: readonly string[], around: Surroundings = {}) {
    const run = await usher([...args, "--minutes", "1", "--seed", "1", "--json"], around);
    const report = JSON.parse(run.printed) as RehearsalReport;
    return { ...run, report, mend: report.mend.filter(({ about }) => about !== "latency" && about !== "rehearsal") };
  }

  const roomOf = async (room: string) =>
    (await world.admin.request("GET", `/rooms/${room}`)).json() as Record<string, number>;

  return {
    world: () => world,
    siteUrl: () => siteUrl,
    saleUrl: () => saleUrl,
    usher,
    played,
    roomOf,
  };
}
