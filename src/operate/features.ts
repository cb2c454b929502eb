import type { RouteTable } from "../web/middleware/router.ts";
import { logFault } from "./events/log-fault.ts";
import type { Feature, FeatureHealth, FeatureModule, Gateway, RunningFeature, VisitorSite } from "./feature.ts";
import type { Read } from "./ops/metric.ts";

/** What runs of the features, loaded. */
export interface LoadedFeature extends Pick<Feature, "name"> {
  readonly module: FeatureModule;
}

/** A feature's health, by the feature's name. */
export interface NamedHealth extends FeatureHealth {
  readonly name: string;
}

/** @throws TypeError for two of one name, and for one that needs what is not there */
export async function loadFeatures(features: readonly Feature[]): Promise<readonly LoadedFeature[]> {
  const names = features.map(({ name }) => name);
  const missing = features.flatMap(({ name, needs = [] }) =>
    needs.filter((each) => !names.includes(each)).map((each) => `${name} needs ${each}`),
  );
  if (missing.length > 0 || new Set(names).size < names.length)
    throw new TypeError(`the features do not fit together: ${missing.join(", ") || "two have one name"}`);
  return Promise.all(
    features.flatMap(({ name, load }) => (load === undefined ? [] : [load().then((module) => ({ name, module }))])),
  );
}

export function healthOf(loaded: readonly LoadedFeature[]): NamedHealth[] {
  return loaded.flatMap(({ name, module: { health } }) => (health === undefined ? [] : { name, ...health }));
}

export type RunningFeatures = ReturnType<typeof startFeatures>;

/** All features of a gateway as one. */
export function startFeatures(loaded: readonly LoadedFeature[], gateway: Gateway) {
  const started = loaded.map(({ name, module }) => ({ name, module, running: module.start(gateway) }));
  const all: readonly RunningFeature[] = started.map(({ running }) => running);
  const report = logFault(gateway.logger);
  return {
    registries: all.flatMap(({ registries = [] }) => registries.map((registry) => ({ registry }))),
    isCrawler: all.find(({ isCrawler }) => isCrawler !== undefined)?.isCrawler ?? null,
    adminRoutes: () => started.flatMap(({ module, running }) => module.adminRoutes?.(running) ?? []),
    visitorRoutes: (site: VisitorSite): RouteTable[] =>
      started.flatMap(({ module, running }) => module.visitorRoutes?.(running, site) ?? []),
    /** By name: what this process reports of each to all others. */
    describe: (): Record<string, unknown> =>
      Object.fromEntries(
        started.flatMap(({ name, running }) => (running.describe ? [[name, running.describe()]] : [])),
      ),
    addMetrics(read: Read): void {
      for (const { module, running } of started) module.addMetrics?.(read, running);
    },
    async prepare(): Promise<void> {
      await Promise.all(all.map((each) => each.prepare?.().catch(report)));
    },
    start(): void {
      for (const feature of all) feature.start?.();
    },
    async stop(): Promise<void> {
      await Promise.all(all.map((each) => each.stop?.()));
    },
  };
}
