/** The program of docs/relying-parties/python.md, run as it stands there but for its addresses. */
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readGuide, replaceAll } from "../guide.ts";
import { accepts } from "../ports.ts";
import { startProcess } from "../processes.ts";
import { makeTempDir } from "../temp-dir.ts";
import { type Site, type SiteOptions, siteUris } from "./site.ts";

/** Debian's, which has its packages; another Python that comes first in PATH has not. */
const PYTHON = "/usr/bin/python3";

export async function startAuthlibSite(options: SiteOptions): Promise<Site> {
  const { issuer, clientId, clientSecret, port } = options;
  const { origin } = siteUris(port);
  const folder = await makeTempDir("authlib");
  const program = replaceAll(readGuide("python").block("python"), {
    "https://shop.example.com": origin,
    "https://queue.example.com": issuer,
    "shop-python": clientId,
  });
  await writeFile(join(folder.path, "shop.py"), program);
  const site = startProcess({
    name: "authlib",
    command: PYTHON,
    args: ["-m", "flask", "--app", "shop", "run", "--host", "127.0.0.1", "--port", String(port)],
    cwd: folder.path,
    env: { ...process.env, SHOP_CLIENT_SECRET: clientSecret, SESSION_SECRET: randomBytes(32).toString("hex") },
  });
  const stop = async () => {
    await site.stop();
    await folder.remove();
  };
  try {
    await site.waitUntil(`the site on port ${port}`, () => accepts(port));
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, stop };
}
