/** What each defence against cheating costs the gateway for a join by the JSON API, against one without any, by turns at one gateway on a real Redis. */

import { solve } from "../../src/web/browser/proof.ts";
import { createAdmin } from "../support/admin.ts";
import { startGateway } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { createInvitationSigner } from "../support/invitations.ts";
import { startRedis } from "../support/redis-server.ts";
import { cpuSec } from "./cpu.ts";
import { median, round } from "./medians.ts";

const secret = "secret-of-the-mailing-0123456789abcdef";
const connections = 32;
const joinsPerRun = 4_000;
/** Each takes the bench 80 ms to solve. */
const proofs = 100;

/** CPU time of the gateway for one join, in microseconds: medians of the rounds. */
export type DefenceFigures = Readonly<Record<"off" | "limits" | "rules" | "invitation" | "entry" | "work", number>>;

export async function measureDefences(rounds: number): Promise<DefenceFigures> {
  const redis = await startRedis();
  const common = { targets: ["https://shop.example.com/"], joins_per_address: "off" };
  const networks = Array.from({ length: 500 }, (_, nth) => `100.${nth >> 8}.${nth & 255}.0/24`);
  const gateway = await startGateway({
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      listen: { trusted_proxies: ["127.0.0.1", "::1"] },
      rooms: [
        { id: "off", ...common },
        { id: "limits", ...common, joins_per_address: { per_minute: 600, burst: 1_200 } },
        { id: "rules", ...common, address_rules: [{ name: "hosting", action: "refuse", ranges: networks }] },
        { id: "invitation", ...common, entry: "invited", invitations: { secret } },
        { id: "entry", ...common, joins_per_address: { per_minute: 600, burst: 1_200 }, draw: { order: "random" } },
        { id: "work", ...common, check: { type: "proof_of_work" } },
      ],
      clients: [],
    },
    env: { USHER_LOG_LEVEL: "warn" },
  });
  const http = createHttpClient({ connectionsMax: connections });
  let nth = 0;

  const join = async (room: string, body: object, address: string, expected = 201): Promise<unknown> => {
    const answer = await http.request(`${gateway.origin}/rooms/${room}/tickets`, {
      method: "POST",
      headers: { "x-forwarded-for": address, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.status !== expected) throw new Error(`${room}: ${answer.status} ${answer.body}`);
    return answer.json();
  };
  const nextAddress = () => `20.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth++ & 255}`;

  /** Microseconds of the gateway for each of the joins. */
  async function measure(
    room: string,
    bodies: readonly (readonly [body: object, address: string])[],
    expected?: number,
  ): Promise<number> {
    const left = [...bodies];
    const before = cpuSec(gateway.process().pid);
    const work = async () => {
      for (let each = left.pop(); each !== undefined; each = left.pop()) await join(room, ...each, expected);
    };
    await Promise.all(Array.from({ length: connections }, work));
    return ((cpuSec(gateway.process().pid) - before) * 1_000_000) / bodies.length;
  }

  const many = (body: object = {}) => Array.from({ length: joinsPerRun }, () => [body, nextAddress()] as const);
  const signer = createInvitationSigner({ issuer: gateway.issuer, room: "invitation", secret });
  const invited = async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    return Promise.all(
      many().map(
        async ([, address]) => [{ invitation: await signer.sign({ key: address, expiresAt }) }, address] as const,
      ),
    );
  };
  /** The challenge, and the join with its proof. */
  async function measureWork(): Promise<number> {
    const addresses = Array.from({ length: proofs }, nextAddress);
    const before = cpuSec(gateway.process().pid);
    const asked = [];
    for (const address of addresses)
      asked.push((await join("work", {}, address, 403)) as { check: { challenge: never } });
    const askingSec = cpuSec(gateway.process().pid) - before;
    const bodies = [];
    for (const [at, { check }] of asked.entries()) {
      const { challenge } = check;
      const solution = await solve({ challenge, start: 0, step: 1 });
      const proof = Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
      bodies.push([{ proof }, addresses[at] ?? ""] as const);
    }
    return (askingSec * 1_000_000) / proofs + (await measure("work", bodies));
  }

  try {
    const admin = createAdmin(http, gateway.origin);
    await admin.step("entry", "prequeue");
    const runs: Record<keyof DefenceFigures, number[]> = {
      off: [],
      limits: [],
      rules: [],
      invitation: [],
      entry: [],
      work: [],
    };
    // Before the compiler has seen them often enough, none of them is fast.
    for (const room of ["off", "limits", "rules", "entry"]) await measure(room, many());
    await measure("invitation", await invited());
    await measure("work", many().slice(0, 1_000), 403);
    for (let round = 0; round < rounds; round++) {
      for (const room of ["off", "limits", "rules", "entry"] as const) runs[room].push(await measure(room, many()));
      runs.invitation.push(await measure("invitation", await invited()));
    }
    runs.work.push(await measureWork());
    const figures = Object.fromEntries(Object.entries(runs).map(([name, all]) => [name, round(median(all))]));
    return figures as Record<keyof DefenceFigures, number>;
  } finally {
    http.close();
    await gateway.stop();
    await redis.stop();
  }
}
