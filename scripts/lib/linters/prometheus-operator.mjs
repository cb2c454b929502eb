import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { EXAMPLES, getHelm, renderChart } from "./helm.mjs";
import { fromNpm } from "./tools.mjs";

const API = "monitoring.coreos.com/v1";

/** What the chart makes for the Prometheus Operator, by the operator's own types. They refuse wrong types and missing fields, not unknown ones. */
export const prometheusOperator = {
  name: "prometheus-operator",
  artefact: "kubernetes",
  get: async () => ({
    helm: await getHelm(),
    models: await fromNpm("@kubernetes-models/prometheus-operator", "6.0.0"),
  }),
  lint: async ({ helm, models }) => {
    const faults = [];
    const kinds = new Set();
    for (const example of EXAMPLES) {
      const { code, output } = await renderChart(helm, example);
      if (code !== 0) return { code, output };
      for (const manifest of parseAllDocuments(output).map((document) => document.toJS())) {
        if (manifest?.apiVersion !== API) continue;
        const { kind } = manifest;
        kinds.add(kind);
        const { [kind]: Model } = await import(join(models, API, `${kind}.js`));
        try {
          new Model(manifest).validate();
        } catch (error) {
          faults.push(`${example}: ${kind}: ${error.message}`);
        }
      }
    }
    if (kinds.size === 0) faults.push(`no example has a manifest of ${API}`);
    return { code: faults.length === 0 ? 0 : 1, output: faults.join("\n") };
  },
};
