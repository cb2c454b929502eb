import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDebianPackage } from "../debian.mjs";
import { capture, programInPath } from "./tools.mjs";

/** The Debian package, made of what is in dist/. What is allowed to be so is in deploy/debian/lintian-overrides. */
export const lintian = {
  name: "lintian",
  artefact: "debian",
  get: async () => {
    programInPath("dpkg-deb", "Debian's package dpkg brings it");
    return programInPath("lintian", "Debian's package of that name brings it");
  },
  lint: async (program) => {
    const folder = mkdtempSync(join(tmpdir(), "usher-lintian-"));
    try {
      const file = await buildDebianPackage(folder);
      return await capture(program, ["--fail-on", "error,warning", "--allow-root", file]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
