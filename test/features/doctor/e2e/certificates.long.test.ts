// Long: each case is a process of its own, for the authorities that Node trusts.
import { readFile } from "node:fs/promises";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startProcess } from "../../../support/processes.ts";
import { useFront } from "./front.ts";

const main = fileURLToPath(new URL("../../../../dist/main.js", import.meta.url));
const { at, configFile } = useFront();

test("a certificate that is not trusted, is for another name, or ends soon", async () => {
  const options = { cert: await readFile(at.tls.certificateFile), key: await readFile(at.tls.keyFile) };
  const server = createTlsServer(options, (_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const told = async (host: string, env: Record<string, string>) => {
    const args = [main, "doctor", "--config", await configFile({ issuer: `https://${host}:${port}` })];
    const { PATH = "" } = process.env;
    const running = startProcess({
      name: "usher doctor",
      command: process.execPath,
      args,
      env: { PATH, USHER_SECRETS_FILE: join(at.folder.path, "secrets.json"), ...env },
    });
    const { code } = await running.exited;
    return { code, output: running.output() };
  };
  const trusted = { NODE_EXTRA_CA_CERTS: at.tls.caFile };
  expect(await told("localhost", {})).toEqual({
    code: 1,
    output: expect.stringMatching(/FAULT +TLS .*not trusted .*whole chain/),
  });
  expect(await told("127.0.0.1", trusted)).toEqual({
    code: 1,
    output: expect.stringMatching(/FAULT +TLS .*for other names/),
  });
  expect(await told("localhost", trusted)).toEqual({
    code: 1,
    output: expect.stringMatching(/WARNING +TLS .*ends in [12] days: renew it/),
  });
  server.close();
});
