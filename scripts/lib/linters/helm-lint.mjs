import { CHART, EXAMPLES, getHelm } from "./helm.mjs";
import { capture } from "./tools.mjs";

/** The chart with its own values, and with each of the examples. */
export const helmLint = {
  name: "helm lint",
  artefact: "kubernetes",
  get: getHelm,
  lint: async (helm) => {
    const sets = [[], ...EXAMPLES.map((file) => ["--values", file])];
    const results = [];
    for (const values of sets) results.push(await capture(helm, ["lint", "--strict", CHART, ...values]));
    const failed = results.filter(({ code }) => code !== 0);
    return { code: failed.length === 0 ? 0 : 1, output: failed.map(({ output }) => output).join("\n") };
  },
};
