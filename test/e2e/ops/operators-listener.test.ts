/** `admin.listen`: what is for operators is answered at a listener of its own, and nowhere else. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ADMIN_KEY, startGateway } from "../../support/gateway.ts";
import { accepts, freePort } from "../../support/ports.ts";
import { startProcess } from "../../support/processes.ts";
import { askForAll, leaks, registeredPaths } from "../spellings.ts";
import { memoryStore, useWorld } from "../world.ts";

const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
const { operators, signIn, others } = registeredPaths("line");

describe("with a listener for operators", () => {
  const world = useWorld(async () => ({
    store: memoryStore,
    rooms: [{ id: "line" }],
    config: { admin: { listen: { port: await freePort() } } },
  }));
  const own = () => world().gateways[0]?.operatorsOrigin ?? "";

  test("the public one has nothing of theirs, by any method and in any spelling", async () => {
    expect(leaks(await askForAll(world().issuer, [...operators, ...signIn]), [404, 400, 421])).toEqual([]);
    const key = { authorization: `Bearer ${ADMIN_KEY}` };
    expect((await world().http.get(`${world().issuer}/admin/rooms`, key)).status).toBe(404);
  });

  test("theirs has it, whatever the host, and asks for the key", async () => {
    const { http, admin } = world();
    expect(leaks(await askForAll(own(), operators.filter(isOfAdmin)), [400, 401, 404, 405])).toEqual([]);
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

  test("theirs has nothing for visitors and relying parties", async () => {
    const answers = await askForAll(
      own(),
      others.filter((path) => path !== "/healthz" && path !== "/robots.txt"),
    );
    expect(leaks(answers, [404, 400])).toEqual([]);
    expect((await world().http.get(`${world().issuer}/healthz`)).status).toBe(200);
  });

  test("the commands that ask a gateway find it by --url or USHER_ADMIN, and say where it is not", async () => {
    const list = async (url: string, env: NodeJS.ProcessEnv = {}) => {
      const process_ = startProcess({
        name: "usher keys list",
        command: process.execPath,
        args: [main, "keys", "list", ...(url === "" ? [] : ["--url", url])],
        env: { PATH: process.env.PATH, USHER_ADMIN_API_KEY: ADMIN_KEY, ...env },
      });
      await process_.exited;
      return process_.output();
    };
    expect(await list(own())).toContain("signing");
    expect(await list("", { USHER_ADMIN: own() })).toContain("signing");
    const { issuer } = world();
    expect(await list(issuer)).toBe(`there is no admin API at ${issuer}: name with --url where admin.listen has it\n`);
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

function isOfAdmin(path: string): boolean {
  return path.startsWith("/admin");
}
