import { freePorts } from "./ports.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

export interface RedisCluster {
  /** The masters, which share all slots. */
  readonly nodes: RedisServer[];
  /** Of the store. */
  readonly url: string;
  /** Makes a replica of a node, in step with it. */
  addReplica(of: RedisServer): Promise<RedisServer>;
  stop(): Promise<void>;
}

const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"];

/** Three real nodes that share the slots. */
export async function startCluster(): Promise<RedisCluster> {
  // Else the bus has a port ten thousand above, which a passing connection may have.
  const busPorts = (await freePorts(4)).map(String);
  const busOf = (index: number) => ["--cluster-port", busPorts[index] ?? ""];
  const nodes = await Promise.all([0, 1, 2].map((index) => startRedis([...settings, ...busOf(index)])));
  const all = [...nodes];
  const share = 16_384 / nodes.length;
  const meet = (node: RedisServer, index: number) =>
    nodes[0]?.command("CLUSTER", "MEET", "127.0.0.1", String(node.port), busPorts[index] ?? "");
  for (const [index, node] of nodes.entries()) {
    const first = Math.ceil(index * share);
    const slots = Array.from({ length: Math.ceil((index + 1) * share) - first }, (_, n) => String(first + n));
    await node.command("CLUSTER", "ADDSLOTS", ...slots);
    await node.command("CLUSTER", "SET-CONFIG-EPOCH", String(index + 1));
    if (index > 0) await meet(node, index);
  }
  const haveMet = async (count: number) => {
    for (const node of all) {
      await until(async () => {
        const info = String(await node.command("CLUSTER", "INFO"));
        return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${count}`);
      });
    }
  };
  await haveMet(3);

  return {
    nodes,
    url: `redis-cluster://${nodes.map((node) => `127.0.0.1:${node.port}`).join(",")}`,
    async addReplica(of) {
      const replica = await startRedis([...settings, ...busOf(3)]);
      all.push(replica);
      await meet(replica, 3);
      await haveMet(4);
      await replica.command("CLUSTER", "REPLICATE", String(await of.command("CLUSTER", "MYID")));
      await until(async () => String(await replica.command("INFO", "replication")).includes("master_link_status:up"));
      return replica;
    },
    stop: async () => void (await Promise.all(all.map((node) => node.stop()))),
  };
}

/** As an operator's tool moves one: the keys go one after the other, then the slot. @param between what happens while both have a part of it */
export async function moveSlot(
  { nodes }: Pick<RedisCluster, "nodes">,
  slot: number,
  [from, to]: readonly [RedisServer, RedisServer],
  between: () => Promise<unknown> = async () => {},
): Promise<void> {
  const [fromId, toId] = (await Promise.all([from, to].map((node) => node.command("CLUSTER", "MYID")))).map(String);
  await to.command("CLUSTER", "SETSLOT", String(slot), "IMPORTING", fromId ?? "");
  await from.command("CLUSTER", "SETSLOT", String(slot), "MIGRATING", toId ?? "");
  const keys = (await from.command("CLUSTER", "GETKEYSINSLOT", String(slot), "1000")) as string[];
  for (const [index, key] of keys.entries()) {
    await from.command("MIGRATE", "127.0.0.1", String(to.port), key, "0", "5000");
    if (index === Math.floor(keys.length / 2)) await between();
  }
  for (const node of [to, from, ...nodes.filter((each) => each !== from && each !== to)]) {
    await node.command("CLUSTER", "SETSLOT", String(slot), "NODE", toId ?? "");
  }
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 25));
}
