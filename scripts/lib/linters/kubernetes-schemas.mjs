import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { EXAMPLES, getHelm, renderChart } from "./helm.mjs";
import { capture, fromPypi } from "./tools.mjs";

/** The oldest that the chart is for and has a schema there, and the newest. */
const KUBERNETES = ["1.27", "1.37"];

/** A kind without a schema is only warned of. */
const WITHOUT_SCHEMA = /^WARN (?!.*api version monitoring\.coreos\.com\/v1 ).*$/m;

/** Every manifest of the examples by the schemas of Kubernetes, unknown fields refused. Those of the Prometheus Operator have none there. */
export const kubernetesSchemas = {
  name: "kubernetes-validate",
  artefact: "kubernetes",
  get: async () => ({ helm: await getHelm(), validate: await fromPypi("kubernetes-validate", "1.37.0") }),
  lint: async ({ helm, validate }) => {
    const folder = mkdtempSync(join(tmpdir(), "usher-manifests-"));
    try {
      const outputs = [];
      for (const example of EXAMPLES) {
        const { code, output } = await renderChart(helm, example);
        if (code !== 0) return { code, output };
        const file = join(folder, basename(example));
        writeFileSync(file, output);
        for (const version of KUBERNETES) {
          outputs.push(await capture(validate, ["--strict", "--quiet", "-k", version, file]));
        }
      }
      const failed = outputs.filter(({ code, output }) => code !== 0 || WITHOUT_SCHEMA.test(output));
      return { code: failed.length === 0 ? 0 : 1, output: failed.map(({ output }) => output).join("\n") };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
