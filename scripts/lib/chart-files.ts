/** What the Helm chart has from elsewhere: its versions are package.json's, its alerts those of deploy/monitoring. */

const CHART = "deploy/helm/usher";

/** The files of the chart that follow from others, whole. */
export function chartFiles(read: (file: string) => string): Record<string, string> {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const chart = read(`${CHART}/Chart.yaml`)
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`);
  return {
    [`${CHART}/Chart.yaml`]: chart,
    [`${CHART}/files/usher.rules.yml`]: read("deploy/monitoring/usher.rules.yml"),
  };
}
