/** What a command saves of a gateway is whole, or not there. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { download } from "../../../../src/operate/commands/gateway.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";

let folder: TempDir;
let server: Server | undefined;
beforeEach(async () => {
  folder = await makeTempDir("download");
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await folder.remove();
});

async function gateway(answer: (response: ServerResponse) => void) {
  server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: "key" };
}

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ["never comes", () => {}, /nothing came for 100 ms/],
  ["stalls", (response) => response.write("row\n"), /broke off \(nothing came for 100 ms\)/],
  ["breaks off", (response) => response.write("row\n", () => response.destroy()), /broke off/],
  ["is a refusal that stalls", (response) => response.writeHead(403).write("{"), /nothing came for 100 ms/],
])("nothing is saved where the answer %s, and what was to be replaced stays", async (_, answer, message) => {
  const from = await gateway(answer);
  const file = join(folder.path, "rows");
  await expect(download(from, "/x", file, { isReplacing: false, quietMs: 100 })).rejects.toThrow(message);
  expect(await readdir(folder.path)).toEqual([]);
  await writeFile(file, "before");
  await expect(download(from, "/x", file, { isReplacing: true, quietMs: 100 })).rejects.toThrow(message);
  expect(await readdir(folder.path)).toEqual(["rows"]);
  expect(await readFile(file, "utf8")).toBe("before");
});

test("an answer that is slow, but never silent for long, is saved whole, for its owner alone", async () => {
  const from = await gateway(async (response) => {
    for (let row = 1; row <= 5; row++) {
      response.write(`${row}\n`);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    response.end();
  });
  const file = join(folder.path, "rows");
  await download(from, "/x", file, { isReplacing: false, quietMs: 200 });
  expect(await readFile(file, "utf8")).toBe("1\n2\n3\n4\n5\n");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a file that is there stays as it is, unless it is to be replaced and there is an answer", async () => {
  const file = join(folder.path, "rows");
  await writeFile(file, "before, and longer");
  const from = await gateway((response) => response.end("after"));
  await expect(download(from, "/x", file, { isReplacing: false })).rejects.toThrow(/is there already: --replace/);
  expect(await readFile(file, "utf8")).toBe("before, and longer");
  await download(from, "/x", file, { isReplacing: true });
  expect(await readFile(file, "utf8")).toBe("after");
});
