// Long: the tutorial from top to bottom with nginx; forward-auth.test.ts shows the rules that nginx asks about.
/**
 * docs/tutorials/nginx-in-ten-minutes.md from top to bottom, as it stands there but for names, files and ports: its configurations,
 * and its commands in a shell. Installing and starting are another test's (test/e2e/programs).
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readPage } from "../../support/curl-lines.ts";
import { ADMIN_KEY, type Gateway, startGateway } from "../../support/gateway.ts";
import { replaceAll } from "../../support/guide.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";
import { accepts, freePorts } from "../../support/ports.ts";
import { findProgram, type Running, startProcess } from "../../support/processes.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { makeTls } from "../../support/tls.ts";
import { createVisitor } from "../../support/visitor.ts";
import { redisStore } from "../redis-store.ts";
import { seen, startEchoSite } from "./proxied-site.ts";

const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const page = readPage("docs/tutorials/nginx-in-ten-minutes.md");

/** The blocks of a section in a language. */
const blocksOf = (heading: string, language: string) => {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\`\n`, "g"))].map(
    ([, text = ""]) => text,
  );
};

describe("nginx in ten minutes", () => {
  const stops: (() => Promise<unknown>)[] = [];
  let queue: string;
  let shop: string;
  let gateway: Gateway;
  let http: HttpClient;
  let nginx: Running;
  /** Runs commands of the page; answers what they print. */
  let shell: (commands: string) => Promise<string>;

  beforeAll(async () => {
    const folder = await makeTempDir("nginx-tutorial", true);
    stops.push(() => folder.remove());
    const etc = join(folder.path, "nginx");
    for (const name of ["sites-available", "sites-enabled", "snippets"])
      mkdirSync(join(etc, name), { recursive: true });
    const [usherPort = 0, operatorsPort = 0, plainPort = 0, port = 0, shopPort = 0] = await freePorts(5);
    queue = `https://localhost:${port}`;
    shop = `https://shop.example.test:${port}`;
    const tls = await makeTls(folder.path, ["localhost", "shop.example.test"]);
    const here = {
      "https://queue.example.com": queue,
      "https://shop.example.com": shop,
      "queue.example.com": "localhost",
      "shop.example.com": "shop.example.test",
      "127.0.0.1:3000": `127.0.0.1:${usherPort}`,
      "127.0.0.1:3100": `127.0.0.1:${operatorsPort}`,
      "127.0.0.1:8080": `127.0.0.1:${shopPort}`,
      "/etc/nginx": etc,
      "/etc/usher": folder.path,
      "/usr/share/doc/usher/docs": inRepository("docs"),
    };

    const site = await startEchoSite(shopPort);
    stops.push(() => site.stop());
    const store = await redisStore.start();
    stops.push(() => store.stop());
    const [configuration = ""] = blocksOf("Usher", "yaml");
    const { admin, ...config } = parse(replaceAll(configuration, here));
    expect(config.store).toEqual({ type: "redis", url: "redis://127.0.0.1:6379" });
    gateway = await startGateway({
      config: { ...config, admin: { listen: { ...admin.listen, port: operatorsPort } }, store: store.config },
      port: usherPort,
    });
    stops.push(() => gateway.stop());
    http = createHttpClient({ ca: tls.ca });
    stops.push(async () => http.close());

    writeFileSync(join(folder.path, "usher.env"), `USHER_ADMIN_API_KEY=${ADMIN_KEY}\n`);
    writeFileSync(join(folder.path, "usher.yaml"), readFileSync(gateway.configFile));
    // What the machine has in its PATH. Reloading is what the test does then.
    const functions = `set -e
      sudo() { [ "\${1#--preserve-env}" = "$1" ] || shift; "$@"; }
      systemctl() { true; }
      nginx() { true; }
      usher() { '${process.execPath}' '${inRepository("dist/main.js")}' "$@"; }
      curl() { command curl --cacert '${tls.caFile}' --resolve shop.example.test:${port}:127.0.0.1 "$@"; }
      ${blocksOf("The queue's address", "sh")[0]
        ?.split("\n")
        .find((line) => line.startsWith("block()"))}\n`;
    shell = async (commands) => {
      const { PATH, HOME } = process.env;
      const env = { PATH, HOME, NODE_EXTRA_CA_CERTS: tls.caFile, USHER_SECRETS_FILE: gateway.secretsFile };
      const script = replaceAll(functions + commands, here);
      // Fails, with what it printed, where a command ends with another code than 0.
      const { stdout } = await promisify(execFile)("sh", ["-c", script], { env, timeout: 60_000 });
      return stdout;
    };

    for (const heading of ["The queue's address", "The shop's address"]) {
      for (const commands of blocksOf(heading, "sh")) await shell(commands);
    }
    const [shopServer = ""] = blocksOf("The shop's address", "nginx");
    writeFileSync(join(etc, "sites-available", "shop"), shopServer);
    // As on the page, but for names, ports and certificates of this test.
    for (const name of ["usher", "shop"]) {
      const file = join(etc, "sites-available", name);
      const text = replaceAll(readFileSync(file, "utf8"), here)
        .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
        .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${tls.certificateFile};`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${tls.keyFile};`);
      writeFileSync(file, text);
    }
    const configFile = join(etc, "nginx.conf");
    writeFileSync(configFile, mainConfiguration(folder.path, etc));
    nginx = startProcess({
      name: "nginx",
      command: findProgram("nginx") ?? "nginx",
      args: ["-p", folder.path, "-e", "stderr", "-c", configFile],
    });
    stops.push(() => nginx.stop());
    await nginx.waitUntil("nginx", () => accepts(port));
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  const commandsOf = (heading: string) => blocksOf(heading, "sh").join("\n");
  const open = () => createVisitor({ http }).navigate(`${shop}/`);

  test("a visitor passes while nobody waits, waits while the line is paused, and enters when it goes on", async () => {
    const first = await open();
    expect([first.status, first.url.href, seen(first).usher["x-usher-room"]]).toEqual([200, `${shop}/`, "tickets"]);
    const tryIt = commandsOf("Try it");
    const [paused = "", resumed] = tryIt.split(/^(?=usher resume)/m);
    expect(await shell(paused)).toMatch(/paused/);
    const visitor = createVisitor({ http });
    const waits = await visitor.navigate(`${shop}/`);
    expect([waits.url.origin, waits.state]).toEqual([queue, "paused"]);
    await shell(`${paused.split("\n").slice(0, 2).join("\n")}\n${resumed}`);
    const enters = await visitor.waitInLine(waits);
    expect([enters.status, enters.url.href]).toEqual([200, `${shop}/`]);
  });

  test("the step that verifies: what the page says that each command prints, and a doctor who finds no fault", async () => {
    const [commands = ""] = blocksOf("Verify", "sh");
    const lines = commands.split("\n");
    const printed: string[] = [];
    for (const line of lines.slice(0, -1)) printed.push((await shell(line)).trim());
    expect(printed).toEqual([
      expect.stringMatching(new RegExp(`^302 ${queue}/rooms/tickets/enter\\?target=`)),
      "401",
      "200",
      "403",
      "404",
    ]);
    expect(lines.map((line) => /# (\d+|the shop's own answer)/.exec(line)?.[1])).toEqual([
      ...["302", "401", "the shop's own answer", "403", "404"],
      undefined,
    ]);
    const key = `export USHER_ADMIN=http://127.0.0.1:3100 USHER_ADMIN_API_KEY=${ADMIN_KEY}\n`;
    expect(lines.at(-1)).toContain("usher doctor");
    expect(await shell(`${key}${lines.at(-1)}`)).not.toMatch(/^fault/im);
  });

  test("in an emergency the shop is open to everybody, without Usher too; and back", async () => {
    const reload = async () => {
      nginx.signal("SIGHUP");
      await new Promise((resolve) => setTimeout(resolve, 500));
    };
    const [passthrough = "", out = "", back = ""] = blocksOf("In an emergency", "sh");
    const key = `export USHER_ADMIN=http://127.0.0.1:3100 USHER_ADMIN_API_KEY=${ADMIN_KEY}\n`;
    await shell(`${key}usher pause tickets\n${passthrough}`);
    expect((await open()).url.href).toBe(`${shop}/`);
    await shell(`${key}usher open tickets`);

    await gateway.halt();
    expect((await open()).status).toBe(500);
    await shell(out);
    await reload();
    const answer = await open();
    expect([answer.status, answer.url.href]).toEqual([200, `${shop}/`]);
    await gateway.start();
    await gateway.waitUntilReady();
    await shell(back);
    await reload();
    const again = await open();
    expect(again.redirects.some(({ origin }) => origin === queue) || again.url.origin === queue).toBe(true);
  });
});

/** Debian's nginx.conf, as far as it counts here. */
function mainConfiguration(folder: string, etc: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
${process.getuid?.() === 0 ? "user nobody nogroup;" : ""}
events { worker_connections 768; }
http {
  access_log off;
${temporary.join("\n")}
  include ${etc}/sites-enabled/*;
}
`;
}
