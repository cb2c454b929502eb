import { inRoot } from "../paths.mjs";
import { capture, programInPath } from "./tools.mjs";

const UNITS = ["usher.service", "usher-backup.service"].map((name) => inRoot("deploy", "systemd", name));
/** Tenths: 1.5 of 10, of which 0.6 is that it speaks to the network at all. */
const EXPOSURE_MAX = 15;

/** The systemd units: what they say is understood, and leaves little open. */
export const systemdAnalyze = {
  name: "systemd-analyze",
  artefact: "debian",
  get: async () => programInPath("systemd-analyze", "Debian's package systemd brings it"),
  lint: async (program) => {
    const verified = await capture(program, ["verify", "--recursive-errors=no", ...UNITS]);
    const security = await capture(program, [
      "security",
      "--offline=true",
      `--threshold=${EXPOSURE_MAX}`,
      "--no-pager",
      ...UNITS,
    ]);
    // Verification also looks for what the package brings: the program, its user, its documentation.
    const said = verified.output
      .split("\n")
      .filter((line) => /usher(-backup)?\.service/.test(line) && !IS_OF_THE_PACKAGE.test(line));
    return { code: said.length > 0 ? 1 : security.code, output: [...said, security.output].join("\n") };
  },
};

const IS_OF_THE_PACKAGE = /Command \S+ is not executable|is not executable: No such file/;
