/** The sum of a counter over all its labels, in what `/metrics` says. */
export function metricSum(metrics: string, name: string): number {
  const rows = metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"));
  return [...rows].reduce((sum, [, value]) => sum + Number(value), 0);
}
