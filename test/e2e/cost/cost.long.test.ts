// Long: asks every address with the largest input of every kind, and measures CPU time.
/**
 * No request costs much more than another, however large it is made: for every address and every kind of input, the largest
 * that is accepted, and what is refused, is asked once, and the CPU time of the gateway is compared with that of a page which a
 * waiting visitor reloads. What seems dear is asked again: only a cost that stays counts, so a busy machine does no harm.
 */
import { Agent, request } from "node:http";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../support/cpu-time.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { type RegisteredRoute, registeredRoutes } from "../spellings.ts";
import { clientId, clientSecret, memoryStore, useWorld } from "../world.ts";
import { forms, headers, type Input, jsonBodies, targets } from "./inputs.ts";

/** Times the cost of a reload. What came before was dearer by the hundred. */
const mostByAnybody = 25;
/** Of a body of 256 kB that an operator sends with a key. */
const mostByOperators = 100;

const room = "shop";
const world = useWorld(() => ({
  asProcess: true,
  store: memoryStore,
  rooms: [
    {
      id: room,
      settings: {
        targets: ["https://shop.example.test/", "https://shop.example.test/*"],
        joins_per_address: { per_minute: 6_000, burst: 6_000 },
      },
      client: { target_link_uris: ["https://shop.example.test/*"] },
    },
  ],
  config: { listen: { trusted_proxies: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"] } },
}));

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

function ask({ method, path, headers: given, body }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world().issuer);
    const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const options = { hostname, port, agent, method, path, headers: { ...given, ...length }, maxHeaderSize: 262_144 };
    const outgoing = request(options, (response) => {
      const status = response.statusCode ?? 0;
      response.resume();
      response.on("end", () => resolve(status));
      // A stream of events has no end of its own.
      if (response.headers["content-type"]?.startsWith("text/event-stream")) {
        resolve(status);
        response.destroy();
      }
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const pid = () => (world().gateways[0] as NonNullable<ReturnType<typeof world>["gateways"][0]>).process().pid;

async function costOf(asked: Asked): Promise<{ ms: number; status: number }> {
  const before = cpuMs(pid());
  const status = await ask(asked);
  return { ms: cpuMs(pid()) - before, status };
}

async function medianCost(asked: Asked, rounds: number): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) costs.push((await costOf(asked)).ms);
  return median(costs);
}

function median(costs: readonly number[]): number {
  return costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
}

/**
 * What the request itself costs: the compiler, the garbage collector and what else the gateway does only ever add to it. The plain
 * request to its route is asked in turn with it, so that what goes on for longer meets both.
 */
async function besidePlain(asked: Asked, plain: Asked, rounds: number): Promise<{ least: number; plain: number }> {
  const costs: number[] = [];
  const plainCosts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    costs.push((await costOf(asked)).ms);
    plainCosts.push((await costOf(plain)).ms);
  }
  return { least: Math.min(...costs), plain: median(plainCosts) };
}

const navigation = {
  Accept: "text/html,application/xhtml+xml",
  "Accept-Encoding": "gzip",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "same-origin",
};

/** A request that gets past the door of its route. */
async function ordinaryRequests(): Promise<{ login: Asked; visitors: Asked[]; operators: Asked[] }> {
  const joined = await world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST" });
  const { ticket } = joined.json() as { ticket: string };
  const ofVisitor = { ...navigation, Cookie: `usher-${room}=${ticket}` };
  const basic = Buffer.from(`${clientId(room)}:${clientSecret(room)}`).toString("base64");
  const authorization = (path: string): Record<string, string> => {
    if (/^\/(token|introspect|revoke)$/.test(path)) return { Authorization: `Basic ${basic}` };
    if (path.startsWith("/userinfo")) return { Authorization: "Bearer x" };
    return path.includes("/tickets/me") ? { Authorization: `Bearer ${ticket}` } : {};
  };
  const { url } = world().relyingParty(room).startLogin();
  const login = { method: "GET", path: `${url.pathname}${url.search}`, headers: ofVisitor };
  const asked = ({ method, path }: RegisteredRoute, extra: Record<string, string>): Asked => ({
    method,
    path,
    headers: { ...ofVisitor, "X-Original-URL": "https://shop.example.test/a", ...extra },
    ...(["POST", "PUT", "PATCH"].includes(method) && { body: "" }),
  });
  const { operators, others } = registeredRoutes(room);
  const strange = ["/", "/nothing", "/authorize", `/rooms/${room}/verify/a`].map((path) => ({ method: "GET", path }));
  return {
    login,
    visitors: [login, ...[...others, ...strange].map((each) => asked(each, authorization(each.path)))],
    operators: operators.map((each) =>
      asked(each, { Accept: "application/json", Authorization: `Bearer ${ADMIN_KEY}` }),
    ),
  };
}

/** A request to a route that is dear by itself, such as the metrics of a large world, may cost so many plain requests to it. */
const mostByOwnRoute = 3;

/** The inputs that cost more than `mostMs`, each time they are sent, and much more than the same request without them. */
async function tooDear(ordinary: Asked, inputs: readonly Input[], mostMs: number): Promise<string[]> {
  const found: string[] = [];
  // Whatever is made once, on first use.
  for (let warm = 0; warm < 2; warm++) await ask(ordinary);
  for (const { kind, path = ordinary.path, headers: given = {}, body } of inputs) {
    const asked = { ...ordinary, path, headers: { ...ordinary.headers, ...given }, body: body ?? ordinary.body };
    const { ms, status } = await costOf(asked);
    if (status >= 500 && status !== 503) found.push(`${ordinary.method} ${ordinary.path} ${kind}: ${status}`);
    if (ms <= mostMs) continue;
    const { least, plain } = await besidePlain(asked, ordinary, ms > 20 * mostMs ? 3 : 9);
    if (least <= mostMs || least <= mostByOwnRoute * plain) continue;
    found.push(
      `${ordinary.method} ${ordinary.path} ${kind}: ${least.toFixed(1)} ms, plain ${plain.toFixed(1)} ms (${status})`,
    );
  }
  return found;
}

const isWithBody = ({ method }: Asked) => ["POST", "PUT", "PATCH", "DELETE"].includes(method);

describe("the largest input of each kind", () => {
  test("costs no more than 25 reloads of the waiting page on any route, and a refusal neither", async () => {
    const { login, visitors, operators } = await ordinaryRequests();
    for (let warm = 0; warm < 100; warm++) await ask(login);
    const mostMs = mostByAnybody * (await medianCost(login, 41));
    const found: string[] = [];
    for (const asked of [...visitors, ...operators]) {
      const inputs = [...targets(asked.path), ...headers(world().issuer, room), ...(isWithBody(asked) ? forms() : [])];
      found.push(...(await tooDear(asked, inputs, mostMs)));
    }
    expect(found).toEqual([]);
  }, 600_000);

  test("as JSON costs no more than 100 of them, for whoever has a key", async () => {
    const { login, visitors, operators } = await ordinaryRequests();
    for (let warm = 0; warm < 100; warm++) await ask(login);
    const reloadMs = await medianCost(login, 41);
    const found: string[] = [];
    const small = jsonBodies().filter(({ body = "" }) => body.length <= 65_536);
    for (const asked of visitors.filter(isWithBody))
      found.push(...(await tooDear(asked, small, mostByAnybody * reloadMs)));
    for (const asked of operators.filter(isWithBody)) {
      found.push(...(await tooDear(asked, jsonBodies(), mostByOperators * reloadMs)));
    }
    expect(found).toEqual([]);
  }, 600_000);
});
