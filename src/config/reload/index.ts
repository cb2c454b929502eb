/**
 * Reloads secrets while the program runs: each reference is read again as its source requires, its value goes through
 * the checks of the start, and its users are notified of the change. Values that cannot be read or used leave the last
 * ones in force. The store's URL is not reloaded. Made by load.ts; started and stopped by app.ts.
 */
import { type Clock, systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import { formatPath, valueAt } from "../resolve/raw-document.ts";
import { reloadable } from "../secrets/index.ts";
import { type SecretGroup, type SecretPlace, secretGroups } from "../secrets/secret-places.ts";
import type { OriginWatch, ReloadContext, SecretReload, WatchedReference } from "../secrets/secret-source.ts";
import { resolvePlace, type ValuesByPlace } from "../secrets/secret-values.ts";
import { NOTHING_RELOADED, type ReloadedSecrets } from "./reloaded-secrets.ts";
import { createReloadedValues, type ReloadedValues } from "./reloaded-values.ts";
import { repeat, systemTimers, type Timers } from "./repeat.ts";

export interface ReloadOptions {
  readonly raw: unknown;
  /** As they were at the start. */
  readonly values: ValuesByPlace;
  /** By the index of the issuer in the document. */
  readonly issuers: readonly { readonly issuer: string }[];
  readonly context: Omit<ReloadContext, "random"> & { readonly random?: ReloadContext["random"] | undefined };
  readonly clock?: Clock | undefined;
  readonly timers?: Timers | undefined;
}

export function createReloadedSecrets(options: ReloadOptions): ReloadedSecrets {
  const { raw, clock = systemClock, timers = systemTimers } = options;
  const context = { ...options.context, random: options.context.random ?? systemRandom };
  const groups = secretGroups(raw);
  const origins = originsOf(raw, groups, context);
  if (origins.every(({ reload }) => reload.holdsOneValue)) context.secretsManager.close();
  if (origins.length === 0) return NOTHING_RELOADED;

  let stops: readonly (() => Promise<void>)[] = [];
  let values: ReloadedValues | null = null;
  let isStopped = false;

  async function look({ name, watch, places, reload }: Origin, into: ReloadedValues): Promise<number> {
    const { nextMs, fault } = await watch.look(async () => {
      for (const place of places) {
        const resolved = await resolvePlace(raw, place, context);
        if (!isStopped) into.take(place, resolved, reload.holdsOneValue && place.versions === "accepted");
      }
    });
    if (isStopped) return nextMs;
    into.setFault(name, formatPath(places[0]?.path ?? []), fault);
    into.expire();
    return nextMs;
  }

  return {
    start(listener, report = () => undefined) {
      if (isStopped || values !== null) throw new Error("secrets are reloaded once");
      const into = createReloadedValues({ ...options, groups, clock, listener, report });
      values = into;
      stops = origins.map((origin) => repeat(timers, origin.watch.firstMs, () => look(origin, into)));
    },
    async stop() {
      isStopped = true;
      context.secretsManager.close();
      await Promise.all(stops.map((stop) => stop()));
    },
    faults: () => values?.faults() ?? [],
  };
}

interface Origin {
  readonly name: string;
  readonly reload: SecretReload;
  readonly watch: OriginWatch;
  readonly places: readonly SecretPlace[];
}

/** Each file, and each secret of a service, with the places that it is for. */
function originsOf(raw: unknown, groups: readonly SecretGroup[], context: ReloadContext): Origin[] {
  const found = new Map<string, { reload: SecretReload; references: WatchedReference[]; places: SecretPlace[] }>();
  for (const place of groups.flatMap(({ places }) => places)) {
    const written = reloadable(valueAt(raw, place.path));
    if (written === null) continue;
    const { reload, reference } = written;
    const name = reload.originOf(reference, context);
    const origin = found.get(name) ?? { reload, references: [], places: [] };
    origin.references.push({ reference, versions: place.versions });
    origin.places.push(place);
    found.set(name, origin);
  }
  return [...found].map(([name, { reload, references, places }]) => {
    return { name, reload, places, watch: reload.watch(references, context) };
  });
}
