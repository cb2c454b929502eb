import { expect, test } from "vitest";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startRedis } from "../../support/redis-server.ts";
import { makeTempDir } from "../../support/temp-dir.ts";

test("a process with other keys of one brand than those of the store is not ready and names that brand", async () => {
  const [redis, http, folder] = [await startRedis(), createHttpClient(), await makeTempDir("brand-keys")];
  const issuers = ["one", "two"].map((name) => ({
    issuer: `https://queue.${name}.example`,
    rooms: [{ id: name }],
    keys: { tickets: [`the ticket key of the brand ${name} of these tests`] },
  }));
  const [one, two] = issuers;
  const other = { ...two, keys: { tickets: ["another ticket key of the brand two of these tests"] } };
  const shared = { secretsFile: `${folder.path}/secrets.json` };
  const store = { type: "redis", url: redis.url };
  const first = await startGateway({ ...shared, config: { store, issuers } });
  const second = await startGateway({
    ...shared,
    config: { store, issuers: [one ?? {}, other] },
    waitUntilReady: false,
  });
  try {
    const answer = await http.get(`${second.origin}/readyz`);
    expect(answer.status).toBe(503);
    const { faults } = answer.json() as { faults: string[] };
    const about = faults.filter((fault) => fault.startsWith("keys disagree"));
    expect(about).toEqual([
      expect.stringMatching(/sign tickets of https:\/\/queue\.two\.example with \S+, this one with \S+;/),
    ]);
    expect((await http.get(`${first.origin}/readyz`)).json()).toEqual({ status: "ok" });
  } finally {
    http.close();
    await Promise.all([first.stop(), second.stop()]);
    await redis.stop();
    await folder.remove();
  }
});
