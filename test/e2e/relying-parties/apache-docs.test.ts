/** The configurations in docs/relying-parties/apache.md and docs/tutorials/ten-minutes.md are ones that Apache takes. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { APACHE_MODULES_FOLDER, findApache } from "../../support/apache.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { makeTls } from "../../support/tls.ts";

const MODULES = ["mpm_event", "authn_core", "authz_core", "authz_user", "socache_shmcb", "ssl", "auth_openidc"];

test.each([
  ["relying-parties/apache.md", "with the waiting room", ""],
  ["relying-parties/apache.md", "with the waiting room taken out", "Define WaitingRoomOff"],
  ["tutorials/ten-minutes.md", "on this computer", ""],
])("the virtual host of %s is valid, %s", async (name, _, define) => {
  const folder = await makeTempDir("apache-docs", true);
  const tls = await makeTls(folder.path, ["shop.example.com"]);
  const page = await readFile(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
  const documented = page.match(/```apache\n([\s\S]*?)```/)?.[1] ?? "";
  const virtualHost = documented
    .replace("*:443", "127.0.0.1:1")
    .replace("Listen 8080", "Listen 127.0.0.1:1")
    .replace("*:8080", "127.0.0.1:1")
    .replace("/etc/ssl/shop.example.com.crt", tls.certificateFile)
    .replace("/etc/ssl/shop.example.com.key", tls.keyFile)
    .replace("/etc/apache2/oidc-passphrase", tls.certificateFile)
    .replace("/var/www/shop", folder.path)
    .replace("/var/www/html", folder.path);
  const configFile = join(folder.path, "httpd.conf");
  await writeFile(
    configFile,
    [
      `ServerRoot ${folder.path}`,
      `DefaultRuntimeDir ${folder.path}`,
      "ServerName localhost",
      `ErrorLog ${folder.path}/error.log`,
      define,
      ...MODULES.map((name) => `LoadModule ${name}_module ${APACHE_MODULES_FOLDER}/mod_${name}.so`),
      virtualHost,
    ].join("\n"),
  );
  const { stderr } = await promisify(execFile)(findApache(), ["-d", folder.path, "-f", configFile, "-t"]);
  expect(stderr).toContain("Syntax OK");
  await folder.remove();
});
