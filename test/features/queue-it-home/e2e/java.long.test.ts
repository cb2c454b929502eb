// Long: Maven fetches the published packages for Java, and virtual machines run them.
/** The published connector and SDK of enqueue tokens for Java: the same way into the line and back as the one for JavaScript. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { freePort } from "../../../support/ports.ts";
import { customerId } from "../support/connector-site.ts";
import { arrive, enterAddress, homeOf, homePath, pull } from "../support/home.ts";
import { type JavaSite, prepareJavaSite } from "../support/java-site.ts";

const invitations = { secret: "secret-of-the-invitations-0123456789abcdef" };
const rooms = [{ id: "line" }, { id: "invited", settings: { entry: "invited", invitations } }];
let port = 0;
let java: JavaSite | undefined;
const origin = () => `http://localhost:${port}`;
const world = useWorld(async () => {
  port = await freePort();
  return { store: memoryStore, ...homeOf(rooms, origin()) };
});
beforeAll(async () => {
  java = await prepareJavaSite();
  await java.serve(port, await pull(world()));
});
afterAll(() => java?.stop());

test("a visitor waits, is in at the page that they wanted, stays in, and is out again", async () => {
  const visitor = world().visitor();
  expect((await visitor.navigate(`${origin()}/line/shop?x=1`)).position).toBe(1);
  await world().admin.increment("line", 1);
  const inside = await arrive(visitor, `${origin()}/line/shop?x=1`);
  expect(inside).toMatchObject({ path: "/line/shop?x=1", redirectType: "queue" });
  expect((await arrive(visitor, `${origin()}/line/other`)).queueId).toBe(inside.queueId);

  const out = await visitor.navigate(`${origin()}/line/goodbye`, {
    headers: { referer: `${origin()}/` },
    stopAt: (location) => location.origin === origin(),
  });
  expect(out.url.pathname).toBe(`${homePath}/cancel/${customerId}/event-line/${inside.queueId}`);
  expect(out.location?.href).toBe(`${origin()}/line`);
  const { admissions } = (await world().admin.request("GET", "/rooms/line/admissions")).json() as {
    admissions: { status: string }[];
  };
  expect(admissions.map(({ status }) => status)).not.toContain("live");
});

test("an enqueue token of the SDK is an invitation: one key, one place", async () => {
  const go = async (key: string) => {
    const enqueuetoken = (await java?.token("event-invited", key)) ?? "";
    const address = enterAddress(world(), "invited", { t: `${origin()}/invited/shop`, enqueuetoken });
    return (await world().visitor().navigate(address)).position;
  };
  expect([await go("ada"), await go("ada"), await go("grace")]).toEqual([1, 1, 2]);
});
