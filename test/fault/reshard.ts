/**
 * Goal: slots of a Cluster are moved under load, and rooms go on: every join succeeds, positions without a jump, nobody is held, no recovery. Method: two
 * gateways on three real nodes; redis-cli moves the first slots of a node, in which the room is, and back by hand, slowly.
 */
import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createAdmin } from "../support/admin.ts";
import { startGateways } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { findProgram } from "../support/processes.ts";
import { moveSlot, startCluster } from "../support/redis-cluster.ts";
import type { RedisServer } from "../support/redis-server.ts";

const slots = 60;

interface Reshard {
  readonly gateways: number;
  /** Whether redis-cli moves the slots, and not one alone by hand. */
  readonly byTool: boolean;
  /** How long people join before, between and after the moves. */
  readonly spellMs: number;
  readonly asProcess: boolean;
}

export function describeReshard({ gateways: count, byTool, spellMs, asProcess }: Reshard): void {
  test("a room whose slot is moved goes on: no failed join, no jump, no hold", { timeout: 300_000 }, async () => {
    const cluster = await startCluster();
    const http = createHttpClient();
    const [from, to] = cluster.nodes as [RedisServer, RedisServer, RedisServer];
    const id = await roomIn(from, slots);
    const slot = Number(await from.command("CLUSTER", "KEYSLOT", `{${id}}`));
    const gateways = await startGateways(count, {
      asProcess,
      config: {
        store: { type: "redis", url: cluster.url },
        rooms: [{ id, inlet: { type: "periodic", outflow_per_minute: 600 } }],
        clients: [
          { client_id: "c", client_secret: "s".repeat(32), redirect_uris: ["https://site.example/cb"], room: id },
        ],
      },
    });
    let isOver = false;
    const positions: number[] = [];
    const failures: string[] = [];
    const joinOn = async (origin: string) => {
      while (!isOver) {
        positions.push(await join(origin));
        await delay(20);
      }
    };
    /** As a client does: 503 says when to come back. */
    async function join(origin: string): Promise<number> {
      for (let attempt = 0; attempt < 80; attempt++) {
        const answer = await http.request(`${origin}/rooms/${id}/tickets`, { method: "POST" });
        if (answer.status === 201) return (answer.json() as { position: number }).position;
        if (answer.status !== 503) failures.push(`${answer.status} ${answer.body}`);
        await delay(500);
      }
      failures.push("given up");
      return 0;
    }
    const load = gateways.flatMap(({ origin }) => [joinOn(origin), joinOn(origin)]);
    try {
      await delay(spellMs);
      // A new room is gathered once, at the start.
      const before = gateways.map((gateway) => gateway.output().length);
      const id0 = (node: RedisServer) => node.command("CLUSTER", "MYID").then(String);
      if (byTool) {
        await promisify(execFile)(findProgram("redis-cli") ?? "redis-cli", [
          ...[
            "--cluster",
            "reshard",
            `127.0.0.1:${from.port}`,
            "--cluster-from",
            await id0(from),
            "--cluster-to",
            await id0(to),
          ],
          ...["--cluster-slots", String(slots), "--cluster-yes"],
        ]);
      } else {
        await moveSlot(cluster, slot, [from, to], () => delay(spellMs));
      }
      expect(await to.command("EXISTS", `usher:{${id}}:state`)).toBe(1);
      await delay(spellMs);
      await moveSlot(cluster, slot, [to, from], () => delay(spellMs));
      await delay(spellMs);
      isOver = true;
      await Promise.all(load);
      expect(failures).toEqual([]);
      expect(new Set(positions).size).toBe(positions.length);
      // A lost answer is a position that nobody holds; a recovery would leave a thousand.
      expect(Math.max(...positions)).toBeLessThan(positions.length + 50);
      const status = (await http.get(`${gateways[0]?.origin}/rooms/${id}/status`)).json();
      expect(status).toMatchObject({ phase: "open", gaps: [] });
      const room = await createAdmin(http, gateways[0]?.origin ?? "").request("GET", `/rooms/${id}`);
      expect(room.body).not.toContain('"recovering"');
      const since = gateways.map((gateway, index) => gateway.output().slice(before[index]));
      for (const output of since) expect(output).not.toMatch(/room\.recover/);
    } finally {
      isOver = true;
      http.close();
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await cluster.stop();
    }
  });
}

/** A room whose slot is among the first so many, which are the node's. */
async function roomIn(node: RedisServer, below: number): Promise<string> {
  for (let number = 0; ; number++) {
    if (Number(await node.command("CLUSTER", "KEYSLOT", `{r${number}}`)) < below) return `r${number}`;
  }
}
