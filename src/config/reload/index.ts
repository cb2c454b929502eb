/**
 * Reloads secrets while the program runs: each reference is read again as its source requires, its value goes through
 * the checks of the start, and its users are notified of the change. Values that cannot be read or used leave the last
 * ones in force. The store's URL is not reloaded. Made by load.ts; started and stopped by app.ts.
 */
import type { Clock } from "../../lib/clock.ts";
import { type After, repeat } from "../../lib/repeat.ts";
import { formatPath, valueAt } from "../resolve/raw-document.ts";
import { watchSecret } from "../secrets/index.ts";
import { type SecretGroup, secretGroups } from "../secrets/secret-places.ts";
import type { OriginWatch, ReloadContext, SecretPlace } from "../secrets/secret-source.ts";
import { resolvePlace, type ValuesByPlace } from "../secrets/secret-values.ts";
import type { SettingsPart } from "../settings-part.ts";
import { createReloadedValues, type ReloadedValues, type SecretChange, type SecretReport } from "./reloaded-values.ts";

export type ReloadedSecrets = ReturnType<typeof createReloadedSecrets>;

export interface ReloadOptions {
  readonly raw: unknown;
  readonly parts: readonly SettingsPart[];
  /** As they were at the start. */
  readonly values: ValuesByPlace;
  /** By the index of the issuer in the document. */
  readonly issuers: readonly { readonly issuer: string }[];
  readonly context: ReloadContext;
  readonly clock: Clock;
  readonly after?: After | undefined;
}

/** Secrets from files and from AWS Secrets Manager, reloaded while the program runs. Where there are none it does nothing. */
export function createReloadedSecrets(options: ReloadOptions) {
  const { raw, parts, context, after } = options;
  const groups = secretGroups(raw, parts);
  /** By the key of the part. */
  const followers = new Map<string, (name: string, secrets: readonly string[]) => void>();
  const origins = originsOf(raw, groups, context);
  if (origins.every(({ watch }) => watch.holdsOneValue)) context.secretsManager.close();

  let stops: readonly (() => Promise<void>)[] = [];
  let values: ReloadedValues | undefined;
  let isStopped = false;

  /** @returns after how many milliseconds to look again */
  async function look({ watch, places }: Origin, into: ReloadedValues): Promise<number> {
    const { nextMs, fault } = await watch.look(async () => {
      for (const { place, group } of places) {
        const resolved = await resolvePlace(raw, place, context);
        const keepsOlder = watch.holdsOneValue && place.versions === "accepted";
        if (!isStopped) into.take(group, place, resolved, keepsOlder);
      }
    });
    if (isStopped) return nextMs;
    into.setFault(watch.name, formatPath(places[0]?.place.path ?? []), fault);
    into.expire();
    return nextMs;
  }

  return {
    /**
     * Calls `take` with the secrets of a part that have changed, by the name that the part gave them; the newest first, each still
     * used. To be called before `start`.
     */
    follow(part: SettingsPart, take: (name: string, secrets: readonly string[]) => void): void {
      followers.set(part.key, take);
    },
    /** Looks from now on. Both are called between other work, never from within `start`. */
    start(
      listener: (change: Exclude<SecretChange, { readonly kind: "part" }>) => void,
      report: (report: SecretReport) => void = () => undefined,
    ): void {
      const notify = (change: SecretChange) =>
        change.kind === "part" ? followers.get(change.part.key)?.(change.name, change.secrets) : listener(change);
      const into = createReloadedValues({ ...options, groups, listener: notify, report });
      values = into;
      stops = origins.map((origin) => repeat(origin.watch.firstMs, () => look(origin, into), after));
    },
    /** Ends what is under way; nothing is called afterwards. */
    async stop(): Promise<void> {
      isStopped = true;
      context.secretsManager.close();
      await Promise.all(stops.map((stop) => stop()));
    },
    /** Sources that fail now, one sentence each; the last values stay in force. */
    faults: (): readonly string[] => values?.faults() ?? [],
  };
}

interface Origin {
  readonly watch: OriginWatch;
  readonly places: { readonly place: SecretPlace; readonly group: SecretGroup }[];
}

/** Each file, and each secret of a service, with the places that it is for. */
function originsOf(raw: unknown, groups: readonly SecretGroup[], context: ReloadContext): Origin[] {
  const found = new Map<string, Origin>();
  for (const group of groups) {
    for (const place of group.places) {
      const watch = watchSecret(valueAt(raw, place.path), context);
      if (watch === undefined) continue;
      const origin = found.get(watch.name) ?? { watch, places: [] };
      origin.places.push({ place, group });
      found.set(watch.name, origin);
    }
  }
  return [...found.values()];
}
