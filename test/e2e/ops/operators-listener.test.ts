/** `admin.listen`: what is for operators is answered at a listener of its own, and nowhere else. */
import { describe, expect, test } from "vitest";
import { ADMIN_KEY, startGateway } from "../../support/gateway.ts";
import { accepts, freePort } from "../../support/ports.ts";
import { runUsher } from "../../support/usher-command.ts";
import { memoryStore, useWorld } from "../world.ts";
import { describeListeners } from "./operators-paths.ts";

// The long test asks for each path in every way.
describeListeners({ oneIn: 40 });

describe("with a listener for operators", () => {
  const world = useWorld(async () => ({
    store: memoryStore,
    rooms: [{ id: "line" }],
    config: { admin: { listen: { port: await freePort() } } },
  }));
  const own = () => world().gateways[0]?.operatorsOrigin ?? "";

  test("theirs has it, whatever the host, and asks for the key", async () => {
    const { http, admin } = world();
    expect((await http.get(`${own()}/admin/rooms`)).status).toBe(401);
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      expect((await http.get(`${own()}${path}`, { host: "usher.internal" })).status, path).toBe(200);
    }
    await admin.increment("line", 1);
    const { claims } = await world().relyingParty("line").login(world().visitor());
    expect(claims.queue_position).toBe(1);
  });

  test("a browser signs in at theirs, and its session counts there alone", async () => {
    const { http } = world();
    const answer = await http.request(`${own()}/admin/sign-in/key`, {
      method: "POST",
      headers: { origin: own().replace("127.0.0.1", "localhost") },
      body: new URLSearchParams({ key: ADMIN_KEY }),
    });
    expect(answer.status).toBe(303);
    const [cookie = ""] = (answer.setCookies[0] ?? "").split(";");
    expect((await http.get(`${own()}/admin/rooms`, { cookie })).status).toBe(200);
    expect((await http.get(`${world().issuer}/admin/rooms`, { cookie })).status).toBe(404);
  });

  test("the commands that ask a gateway find it by --url or USHER_ADMIN, and say where it is not", async () => {
    const list = async (url: string, env: Record<string, string> = {}) => {
      const run = await runUsher(["keys", "list", ...(url === "" ? [] : ["--url", url])], {
        env: { USHER_ADMIN_API_KEY: ADMIN_KEY, ...env },
      });
      return run.printed || run.failure;
    };
    expect(await list(own())).toContain("signing");
    expect(await list("", { USHER_ADMIN: own() })).toContain("signing");
    const { issuer } = world();
    expect(await list(issuer)).toBe(`there is no admin API at ${issuer}: name with --url where admin.listen has it`);
  });

  test("a port that is taken is named with its setting, and the end of the process ends both", async () => {
    const [port = 0] = own().match(/\d+$/)?.map(Number) ?? [];
    const config = { rooms: [{ id: "line" }], admin: { listen: { port } } };
    await expect(startGateway({ config, waitUntilReady: false })).rejects.toThrow(
      new RegExp(`Port ${port} is taken: .*, or choose another with admin\\.listen\\.port\\.`),
    );
    const [gateway] = world().gateways;
    await gateway?.halt();
    expect([await accepts(port), await accepts(gateway?.port ?? 0)]).toEqual([false, false]);
    await gateway?.start();
  });
});

describe("with several issuers", () => {
  const hosts = { one: "one.example.test", two: "two.example.test" };
  const world = useWorld(async () => ({
    store: memoryStore,
    rooms: [],
    config: {
      rooms: undefined,
      clients: undefined,
      issuers: Object.entries(hosts).map(([id, host]) => ({ issuer: `https://${host}`, rooms: [{ id }] })),
      admin: { listen: { port: await freePort() } },
    } as never,
  }));

  test("the one listener has the rooms of all, and no host of the public one has any of it", async () => {
    const { http, admin, gateways } = world();
    const { rooms } = (await admin.request("GET", "/rooms")).json() as { rooms: { room: string }[] };
    expect(rooms.map(({ room }) => room)).toEqual(["one", "two"]);
    const origin = `http://127.0.0.1:${gateways[0]?.port}`;
    for (const path of ["/admin/rooms", "/metrics", "/readyz"]) {
      const statusAt = async (host: string) => (await http.get(`${origin}${path}`, { host })).status;
      expect([await statusAt(hosts.one), await statusAt("evil.example")], path).toEqual([404, 421]);
    }
    for (const host of [hosts.one, "evil.example"]) {
      expect((await http.get(`${origin}/healthz`, { host })).status).toBe(200);
    }
  });
});
