import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "../paths.mjs";

/**
 * What is shipped, as CycloneDX and as SPDX. `npm sbom --omit=dev` leaves out packages that the tests need, too (npm 11), so npm is shown a
 * manifest and a lockfile that know nothing of them.
 */
export function makeSboms() {
  const base = mkdtempSync(join(tmpdir(), "usher-sbom-"));
  try {
    const { devDependencies: _, ...manifest } = read("package.json");
    // npm names the root after its folder.
    const folder = join(base, manifest.name);
    mkdirSync(folder);
    const { packages, ...lock } = read("package-lock.json");
    const { devDependencies: __, ...root } = packages[""];
    const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
    write(join(folder, "package.json"), manifest);
    write(join(folder, "package-lock.json"), { ...lock, packages: { "": root, ...Object.fromEntries(shipped) } });
    return ["cyclonedx", "spdx"].map((format) => {
      const args = ["sbom", "--package-lock-only", `--sbom-format=${format}`];
      return [format, execFileSync("npm", args, { cwd: folder, encoding: "utf8", maxBuffer: 64e6 })];
    });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const read = (name) => JSON.parse(readFileSync(inRoot(name), "utf8"));
const write = (file, value) => writeFileSync(file, JSON.stringify(value));
