import { inRoot } from "../paths.mjs";
import { capture, programInPath } from "./tools.mjs";

const UNIT = inRoot("deploy", "systemd", "usher.service");
/** Tenths: 1.5 of 10, of which 0.6 is that it speaks to the network at all. */
const EXPOSURE_MAX = 15;

/** The systemd unit: what it says is understood, and leaves little open. */
export const systemdAnalyze = {
  name: "systemd-analyze",
  artefact: "debian",
  get: async () => programInPath("systemd-analyze", "Debian's package systemd brings it"),
  lint: async (program) => {
    const verified = await capture(program, ["verify", "--recursive-errors=no", UNIT]);
    const security = await capture(program, [
      "security",
      "--offline=true",
      `--threshold=${EXPOSURE_MAX}`,
      "--no-pager",
      UNIT,
    ]);
    // Verification also looks for what the package brings: the program, its user, its documentation.
    const said = verified.output
      .split("\n")
      .filter((line) => line.includes("usher.service") && !IS_OF_THE_PACKAGE.test(line));
    return { code: said.length > 0 ? 1 : security.code, output: [...said, security.output].join("\n") };
  },
};

const IS_OF_THE_PACKAGE = /Command \S+ is not executable|is not executable: No such file/;
