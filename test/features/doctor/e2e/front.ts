/** `usher doctor` at a real gateway behind a proxy of the test's own, which is set up wrongly in one way after the other; with a real Redis. */
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { stringify } from "yaml";
import type { Finding } from "../../../../src/lib/finding.ts";
import { clientId, clientSecret, memoryStore, redirectUri, startWorld, type World } from "../../../e2e/world.ts";
import { freePort } from "../../../support/ports.ts";
import { type RedisServer, startRedis } from "../../../support/redis-server.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { makeTls, type Tls } from "../../../support/tls.ts";
import { runUsher } from "../../../support/usher-command.ts";

interface Told {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string | Buffer;
}
/** What the proxy does to an answer of the gateway. */
export type Spoil = (path: string, told: Told) => void | Promise<void>;

export interface Front {
  folder: TempDir;
  front: Server;
  /** The proxy. */
  issuer: string;
  world: World;
  redis: RedisServer;
  tls: Tls;
}

const asItIs = {
  spoil: (() => {}) as Spoil,
  targetOf: (target: string) => target,
  headersOf: (_target: string, headers: IncomingHttpHeaders) => headers,
};
/** Starts all of it before the tests of a file and ends it after them. */
export function useFront() {
  const at = {} as Front;
  /** What the proxy does, to answers and to a request's target and headers. */
  let proxy = { ...asItIs };

  /** Does `work` behind a proxy that changes requests so. */
  async function behind<T>(changes: Partial<typeof asItIs>, work: () => Promise<T>): Promise<T> {
    proxy = { ...asItIs, ...changes };
    return work().finally(() => {
      proxy = { ...asItIs };
    });
  }

  beforeAll(async () => {
    at.folder = await makeTempDir("doctor");
    at.front = createServer(
      (incoming, response) =>
        void passOn(incoming).then(({ status, headers, body }) => {
          response.writeHead(status, headers).end(body);
        }),
    );
    await new Promise<void>((resolve) => at.front.listen(0, "127.0.0.1", resolve));
    at.issuer = `http://127.0.0.1:${(at.front.address() as AddressInfo).port}`;
    at.world = await startWorld({
      store: memoryStore,
      rooms: [{ id: "sale" }],
      issuer: at.issuer,
      config: { admin: { listen: await listenAt() } },
    });
    at.redis = await startRedis(["--appendonly", "yes"]);
    at.tls = await makeTls(at.folder.path, ["localhost"]);
  });
  afterAll(async () => {
    at.front.close();
    await Promise.all([at.world?.stop(), at.redis?.stop()]);
    await at.folder.remove();
  });

  async function listenAt() {
    return { host: "127.0.0.1", port: await freePort() };
  }

  async function passOn(incoming: IncomingMessage): Promise<Told> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { port = 0 } = at.world.gateways[0] ?? {};
    const told = await new Promise<Told>((resolve, reject) => {
      const { method = "GET", url = "/", headers } = incoming;
      const path = proxy.targetOf(url);
      // What is to be spoilt is to be read.
      const plain = { ...proxy.headersOf(url, headers), "accept-encoding": "identity" };
      const passed = request({ host: "127.0.0.1", port, method, path, headers: plain }, async (answer) => {
        const parts: Buffer[] = [];
        for await (const part of answer) parts.push(part as Buffer);
        const { "transfer-encoding": _, "content-length": __, ...rest } = answer.headers;
        resolve({ status: answer.statusCode ?? 500, headers: rest, body: Buffer.concat(parts) });
      });
      passed.on("error", reject);
      passed.end(Buffer.concat(chunks));
    });
    await proxy.spoil(incoming.url ?? "", told);
    return told;
  }

  const fileConfig = (): Record<string, unknown> => ({
    issuer: at.issuer,
    store: { type: "redis", url: at.redis.url },
    admin: { listen: { host: "127.0.0.1", port: Number(new URL(at.world.gateways[0]?.operatorsOrigin ?? "").port) } },
    rooms: [{ id: "sale", title: "The room sale", inlet: { type: "manual" } }],
    clients: [
      {
        client_id: clientId("sale"),
        client_secret: clientSecret("sale"),
        redirect_uris: [redirectUri("sale")],
        room: "sale",
      },
    ],
  });

  async function configFile(changes: Record<string, unknown>): Promise<string> {
    const file = join(at.folder.path, "usher.yaml");
    await writeFile(file, stringify({ ...fileConfig(), ...changes }));
    return file;
  }

  async function doctor(changes: Record<string, unknown> = {}, spoil: Spoil = () => {}, more = {}) {
    proxy.spoil = spoil;
    const env = { USHER_SECRETS_FILE: join(at.folder.path, "secrets.json"), ...more };
    const { code, printed } = await runUsher(["doctor", "--config", await configFile(changes), "--json"], { env });
    proxy.spoil = asItIs.spoil;
    return { code, findings: JSON.parse(printed) as Finding[] };
  }

  const client = (changes: object) => ({ clients: [{ ...(fileConfig().clients as object[])[0], ...changes }] });
  return { at, behind, doctor, client, configFile, listenAt };
}

export const header =
  (path: string, name: string, value: string | undefined): Spoil =>
  (asked, { headers }) => {
    if (!asked.startsWith(path)) return;
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  };
export const answer =
  (path: string, status: number, body: string, headers = {}): Spoil =>
  (asked, told) => {
    if (asked.startsWith(path))
      Object.assign(told, {
        status,
        body,
        headers: { "content-type": "text/html", date: new Date().toUTCString(), ...headers },
      });
  };
