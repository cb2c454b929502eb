/** A gateway that hangs, before its answer or within it, holds nobody up. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createBoundedFetch } from "../../../../src/lib/bounded-fetch.ts";
import { createAdminClient } from "../../../../src/operate/client/index.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function hanging(isBegun: boolean): Promise<string> {
  server = createServer((_, response) => {
    if (isBegun) response.setHeader("content-type", "application/json").write('{"rooms":[');
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["that never answers", false],
  ["whose answer never ends", true],
])("a gateway %s is given up after the time-out, with and without a signal to stop", async (_, isBegun) => {
  const url = await hanging(isBegun);
  const fetchAnswer = createBoundedFetch({ timeoutMs: 50 });
  for (const stop of [undefined, new AbortController().signal]) {
    const client = createAdminClient({ url, key: "key", fetch: (request) => fetchAnswer(request, { signal: stop }) });
    await expect(client.GET("/admin/rooms")).rejects.toMatchObject({ name: "TimeoutError" });
  }
});

test.each([false, true])(
  "the signal to stop ends what is under way (answer begun: %s), and what comes later",
  async (isBegun) => {
    const url = await hanging(isBegun);
    const stop = new AbortController();
    const fetchAnswer = createBoundedFetch();
    const client = createAdminClient({ url, key: "key", fetch: (request) => fetchAnswer(request, stop) });
    const asked = client.GET("/admin/rooms");
    setTimeout(() => stop.abort(), 30);
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    await expect(client.GET("/admin/rooms")).rejects.toMatchObject({ name: "AbortError" });
  },
);
