/** Goal: a key that changes at its source, while the gateway runs, rotates as any other: verified with first. */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cookieKeyId } from "../../../src/config/index.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { createKeyOperator } from "./key-operator.ts";

const [old, next] = ["the cookie key that a file began with", "the cookie key that came into the file later"] as const;

test("a file with another key stages it, and the one before goes on signing", async () => {
  const folder = await makeTempDir("key-sources");
  const path = join(folder.path, "cookie-key");
  await writeFile(path, old, { mode: 0o600 });
  const http = createHttpClient();
  const gateway = await startGateway({
    config: { store: { type: "memory" }, rooms: [{ id: "line" }], keys: { cookies: [{ from: "file", path }] } },
  });
  try {
    const operator = createKeyOperator(http, [gateway.origin]);
    const states = async () => (await operator.list(0, "cookies")).map(({ kid, state, held }) => [kid, state, held]);
    expect(await states()).toEqual([[cookieKeyId(old), "active", true]]);
    await writeFile(`${path}.new`, next, { mode: 0o600 });
    await rename(`${path}.new`, path);
    await expect.poll(states).toEqual([
      [cookieKeyId(old), "active", true],
      [cookieKeyId(next), "staged", true],
    ]);
    expect((await http.get(`${gateway.origin}/readyz`)).status).toBe(200);
    await gateway.waitForOutput(new RegExp(`"event":"key.entered".*"kid":"${cookieKeyId(next)}"`));
    expect(gateway.output()).not.toContain(next);
  } finally {
    http.close();
    await gateway.stop();
    await folder.remove();
  }
});
