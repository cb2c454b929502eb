// Long: a gateway for each relying party, a real Apache, nginx and Caddy; init.test.ts checks what is written for each, and starts two.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { START_PARTIES } from "../../../../src/features/init/configuration.ts";
import { seen, startEchoSite } from "../../../e2e/ways-in/proxied-site.ts";
import { APACHE_MODULES_FOLDER, findApache } from "../../../support/apache.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { accepts, answers, freePort } from "../../../support/ports.ts";
import { findProgram, type Running, startProcess } from "../../../support/processes.ts";
import { makeTempDir } from "../../../support/temp-dir.ts";
import { createVisitor } from "../../../support/visitor.ts";
import { useInit, variablesOf } from "./init-world.ts";

const MAIN_FILE = fileURLToPath(new URL("../../../../dist/main.js", import.meta.url));
const { newPlace, init, tryGateway } = useInit();

/** A gateway as the command says it. */
function startGatewayIn(place: string): Running {
  const script = `set -a; . ./usher.env; set +a; exec "$0" "$1" serve --config usher.yaml`;
  return startProcess({
    name: "gateway of usher init",
    command: "sh",
    args: ["-c", script, process.execPath, MAIN_FILE],
    env: { PATH: process.env.PATH },
    cwd: place,
  });
}

function readyAt(gateway: Running, adminPort: number): Promise<unknown> {
  return gateway.waitUntil("readiness", () =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
}

test.each(START_PARTIES)("for %s a gateway starts with it, and a visitor gets through the line", (party) =>
  tryGateway(party),
);

test("a real nginx takes the file, and lets a visitor in who has been through the line", async () => {
  const [port, adminPort, proxyPort, sitePort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const [issuer, origin] = [`http://localhost:${port}`, `http://localhost:${proxyPort}`];
  const place = newPlace();
  const options = { issuer, site: origin, "relying-party": "nginx", "admin-port": String(adminPort), rate: "600" };
  expect((await init(place, options)).code).toBe(0);
  const folder = await makeTempDir("init-nginx", true);
  const server = (await readFile(join(place, "nginx.conf"), "utf8")).replaceAll(
    "127.0.0.1:8080",
    `127.0.0.1:${sitePort}`,
  );
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder.path}/${name};`,
  );
  const user = process.getuid?.() === 0 ? "user nobody nogroup;" : "";
  const whole = `daemon off;\npid ${folder.path}/nginx.pid;\n${user}\nevents {}\nhttp {\naccess_log off;\n${folders.join("\n")}\n${server}\n}\n`;
  const configFile = join(folder.path, "whole.conf");
  await writeFile(configFile, whole);
  const site = await startEchoSite(sitePort);
  const gateway = startGatewayIn(place);
  const args = ["-p", folder.path, "-e", "stderr", "-c", configFile];
  const nginx = startProcess({ name: "nginx", command: findProgram("nginx") ?? "nginx", args });
  try {
    await readyAt(gateway, adminPort);
    await nginx.waitUntil("nginx", () => accepts(proxyPort));
    const http = createHttpClient();
    const page = await createVisitor({ http }).login(`${origin}/products/7`);
    expect([page.status, page.url.href]).toEqual([200, `${origin}/products/7`]);
    expect(seen(page).usher["x-usher-room"]).toBe("tickets");
    http.close();
  } finally {
    await nginx.stop();
    await gateway.stop();
    await site.stop();
    await folder.remove();
  }
});

test("a real Caddy finds no fault in the file", async () => {
  for (const site of ["https://shop.example.com", "http://localhost:8080"]) {
    const place = newPlace();
    expect((await init(place, { site, "relying-party": "caddy" })).code).toBe(0);
    const args = ["validate", "--adapter", "caddyfile", "--config", join(place, "Caddyfile")];
    const env = { HOME: place, XDG_CONFIG_HOME: place, XDG_DATA_HOME: place };
    const { stdout, stderr } = await promisify(execFile)(findProgram("caddy") ?? "caddy", args, { env });
    expect(stdout + stderr).toMatch(/Valid configuration/);
  }
});

test("a real Apache takes the snippet, and lets a visitor in who has been through the line", async () => {
  const site = await makeTempDir("init-apache", true);
  const [port, adminPort, sitePort] = [await freePort(), await freePort(), await freePort()];
  const [issuer, origin] = [`http://localhost:${port}`, `http://localhost:${sitePort}`];
  const place = newPlace();
  const options = { issuer, site: origin, "relying-party": "apache", "admin-port": String(adminPort), rate: "600" };
  expect((await init(place, options)).code).toBe(0);
  const { SITE_CLIENT_SECRET: secret = "" } = await variablesOf(place);
  const snippet = await readFile(join(place, "apache.conf"), "utf8");
  // Where the files of this site are, and its secret.
  const virtualHost = snippet
    .replace("the client's secret", secret)
    .replace("exec:/usr/bin/cat /etc/apache2/oidc-passphrase", "a passphrase of this test")
    .replace("/var/www/shop", site.path);
  const modules = ["mpm_event", "authn_core", "authz_core", "authz_user", "dir", "auth_openidc"];
  const head = [
    `ServerRoot ${site.path}`,
    `DefaultRuntimeDir ${site.path}`,
    `PidFile ${site.path}/httpd.pid`,
    "ServerName localhost",
    `ErrorLog ${site.path}/error.log`,
    ...modules.map((name) => `LoadModule ${name}_module ${APACHE_MODULES_FOLDER}/mod_${name}.so`),
  ];
  const configFile = join(site.path, "httpd.conf");
  await writeFile(configFile, [...head, virtualHost].join("\n"));
  await writeFile(join(site.path, "index.html"), "the site behind the line");
  const gateway = startGatewayIn(place);
  const apache = startProcess({
    name: "apache",
    command: findApache(),
    args: ["-d", site.path, "-f", configFile, "-DFOREGROUND"],
  });
  try {
    await readyAt(gateway, adminPort);
    await apache.waitUntil("Apache", () => answers(`${origin}/health`));
    const http = createHttpClient();
    const page = await createVisitor({ http }).login(`${origin}/`);
    expect(page.url.href).toBe(`${origin}/`);
    expect(page.body).toBe("the site behind the line");
  } finally {
    await apache.stop();
    await gateway.stop();
    await site.remove();
  }
});
