/** nginx with the configuration in docs/tls.md, as it stands there but for names, files and ports, in front of a gateway with the one beside it. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { parse } from "yaml";
import { readPage } from "../../support/curl-lines.ts";
import { accepts, freePorts } from "../../support/ports.ts";
import { findProgram, startProcess } from "../../support/processes.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { makeTls } from "../../support/tls.ts";
import { memoryStore, type WorldOptions } from "../world.ts";

export const HOST = "queue.example.test";
const page = readPage("docs/tls.md");
const block = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? "";

/** What is documented: nginx runs, and the gateway can be started behind it. */
export interface DocumentedTls {
  readonly origin: string;
  readonly plainOrigin: string;
  readonly ca: string;
  readonly worldOptions: WorldOptions;
  stop(): Promise<void>;
}

export async function startDocumentedTls(): Promise<DocumentedTls> {
  const folder = await makeTempDir("tls-page", true);
  const tls = await makeTls(folder.path, [HOST]);
  const [usher = 0, http = 0, https = 0, operators = 0] = await freePorts(4);
  const origin = `https://${HOST}:${https}`;
  const servers = block("nginx")
    .replaceAll("queue.example.com", HOST)
    .replace("127.0.0.1:3000", `127.0.0.1:${usher}`)
    .replace("listen 80;", `listen 127.0.0.1:${http};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${https} ssl;`)
    .replace(`/etc/ssl/${HOST}.crt`, tls.certificateFile)
    .replace(`/etc/ssl/${HOST}.key`, tls.keyFile);
  const configFile = join(folder.path, "nginx.conf");
  await writeFile(configFile, aroundServers(folder.path, servers));
  const program = findProgram("nginx");
  if (program === undefined) throw new Error("this test needs the program nginx");
  await promisify(execFile)(program, ["-t", "-p", folder.path, "-e", "stderr", "-c", configFile]);
  const args = ["-p", folder.path, "-e", "stderr", "-c", configFile];
  const nginx = startProcess({ name: "nginx", command: program, args });
  await nginx.waitUntil("nginx", () => accepts(https));
  const { issuer, listen, admin } = parse(block("yaml")) as {
    issuer: string;
    listen: Record<string, unknown>;
    admin: { listen: Record<string, unknown> };
  };
  expect(issuer).toBe("https://queue.example.com");
  return {
    origin,
    plainOrigin: `http://${HOST}:${http}`,
    ca: tls.ca,
    worldOptions: {
      store: memoryStore,
      rooms: [{ id: "tls" }],
      ports: [usher],
      issuer: origin,
      ca: tls.ca,
      config: { listen, admin: { listen: { ...admin.listen, port: operators } } },
    },
    async stop() {
      await nginx.stop();
      await folder.remove();
    },
  };
}

function aroundServers(folder: string, servers: string): string {
  const tempPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `  ${name}_temp_path ${folder}/${name};`)
    .join("\n");
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
${process.getuid?.() === 0 ? "user nobody nogroup;" : ""}
events { worker_connections 1024; }
http {
  access_log off;
${tempPaths}
${servers}
}
`;
}
