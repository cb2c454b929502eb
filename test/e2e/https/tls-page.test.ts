/** The configurations in docs/tls.md, as they stand there but for names, files and ports: nginx ends TLS in front of Usher. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { cpuMs } from "../../support/cpu-time.ts";
import { readPage } from "../../support/curl-lines.ts";
import { accepts, freePorts } from "../../support/ports.ts";
import { findProgram, type Running, startProcess } from "../../support/processes.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { makeTls } from "../../support/tls.ts";
import { askForAll, leaks, registeredPaths } from "../spellings.ts";
import { memoryStore, type ProcessWorld, startWorld } from "../world.ts";

const HOST = "queue.example.test";
const page = readPage("docs/tls.md");
const block = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? "";

describe("TLS as documented", () => {
  let folder: TempDir;
  let nginx: Running;
  let world: ProcessWorld;
  let origin: string;
  let ca: string;
  let plain: string;

  beforeAll(async () => {
    folder = await makeTempDir("tls-page", true);
    const tls = await makeTls(folder.path, [HOST]);
    ca = tls.ca;
    const [usher = 0, http = 0, https = 0, operators = 0] = await freePorts(4);
    origin = `https://${HOST}:${https}`;
    plain = `http://${HOST}:${http}`;
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
    nginx = startProcess({ name: "nginx", command: program, args });
    await nginx.waitUntil("nginx", () => accepts(https));
    const { issuer, listen, admin } = parse(block("yaml")) as {
      issuer: string;
      listen: Record<string, unknown>;
      admin: { listen: Record<string, unknown> };
    };
    expect(issuer).toBe("https://queue.example.com");
    world = await startWorld({
      asProcess: true,
      store: memoryStore,
      rooms: [{ id: "tls" }],
      ports: [usher],
      issuer: origin,
      ca: tls.ca,
      config: { listen, admin: { listen: { ...admin.listen, port: operators } } },
    });
  });
  afterAll(async () => {
    await world?.stop();
    await nginx?.stop();
    await folder?.remove();
  });

  test("a whole login works by https", async () => {
    await world.admin.increment("tls", 1);
    const { claims } = await world.relyingParty("tls").login(world.visitor());
    expect(claims).toMatchObject({ iss: origin, queue_position: 1 });
  });

  test("plain http leads to https", async () => {
    const answer = await world.http.get(`${plain}/rooms/tls/status?x=1`);
    expect([answer.status, answer.header("location")]).toEqual([301, `https://${HOST}/rooms/tls/status?x=1`]);
  });

  test("the public address has nothing for operators, by any method and in any spelling", async () => {
    const answers = await askForAll(origin, registeredPaths("tls").operators, { ca });
    expect(leaks(answers, [400, 404, 405, 421])).toEqual([]);
    expect(answers.filter(({ kind, status }) => kind === "as it is" && status !== 404)).toEqual([]);
  });

  test("the public address does not answer what the proxies of forward authentication ask", async () => {
    for (const path of ["/rooms/tls/verify", "/rooms/tls/verify?refuse=401", "/rooms/tls/verify/shop"]) {
      expect([path, (await world.http.get(`${origin}${path}`)).status]).toEqual([path, 403]);
    }
  });

  test("addresses of thousands of parameters come through nginx, and cost less than what everybody else is answered", async () => {
    const { pid } = (world.gateways[0] as ProcessWorld["gateways"][number]).process();
    const attack = `${origin}/rooms/tls/leave?${"a&".repeat(8_000)}`;
    const refused = await world.http.get(attack, { accept: "application/json" });
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "bad_request" }]);
    const cost = async (what: () => Promise<{ status: number }>[]) => {
      const before = cpuMs(pid);
      const statuses = (await Promise.all(what())).map(({ status }) => status);
      return { statuses: [...new Set(statuses)], ms: cpuMs(pid) - before };
    };
    const visits = () =>
      Array.from({ length: 60 }, () => world.visitor().navigate(world.relyingParty("tls").startLogin().url));
    const attacks = () => Array.from({ length: 60 }, () => world.http.get(attack));
    // Both are compiled by then.
    await cost(() => [...attacks(), ...visits()]);
    const alone = await cost(visits);
    const attacked = await cost(() => [...attacks(), ...visits()]);
    expect([alone.statuses, attacked.statuses]).toEqual([[200], [400, 200]]);
    // Before they were refused, each cost as much as a thousand visits.
    expect(attacked.ms).toBeLessThan(alone.ms * 5);
  });

  test("the issuer itself says what it is, and nothing of the rooms", async () => {
    const answer = await world.http.get(`${origin}/`, { accept: "text/html" });
    expect([answer.status, answer.header("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain("This is a waiting room");
    expect(answer.body).toContain("Start at the site you want to visit");
    expect(answer.body).not.toContain("The room tls");
    expect(answer.setCookies).toEqual([]);
    expect((await world.http.request(`${origin}/`, { method: "POST" })).status).toBe(405);
  });
});

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
