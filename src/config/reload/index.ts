/**
 * Reloads secrets while the program runs: references to files and to AWS Secrets Manager are read again, go through the
 * checks of the start, and whoever uses them hears of the change. What can't be read or used leaves the last values in
 * force. The store's URL is not reloaded. Made by load.ts; started and stopped by app.ts.
 */
import { resolve } from "node:path";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { type Random, systemRandom } from "../../lib/random.ts";
import { formatPath, valueAt } from "../resolve/raw-document.ts";
import { addressOf, stagesOf, unitedStages } from "../secrets/from-secrets-manager.ts";
import { referenceTo } from "../secrets/index.ts";
import { type SecretGroup, type SecretPlace, secretGroups } from "../secrets/secret-places.ts";
import type { SecretContext } from "../secrets/secret-source.ts";
import { resolvePlace, type ValuesByPlace } from "../secrets/secret-values.ts";
import { nameOf, type SecretsManager } from "../secrets/secrets-manager.ts";
import type { SecretAddress } from "../secrets/secrets-manager-failures.ts";
import { createFaultBoard, type FaultBoard } from "./fault-board.ts";
import { createFileLooks } from "./file-looks.ts";
import { NOTHING_RELOADED, type ReloadedSecrets } from "./reloaded-secrets.ts";
import { createReloadedValues, type ReloadedValues } from "./reloaded-values.ts";
import type { Repeated } from "./repeat.ts";
import { createRounds, type ReloadedSecret } from "./secrets-manager-rounds.ts";
import { systemTimers, type Timers } from "./timers.ts";

export interface ReloadOptions {
  readonly raw: unknown;
  /** As they were at the start. */
  readonly values: ValuesByPlace;
  /** By the index of the issuer in the document. */
  readonly issuers: readonly { readonly issuer: string }[];
  readonly context: SecretContext & { readonly secretsManager: SecretsManager };
  readonly refreshMs: number;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly timers?: Timers | undefined;
}

export function createReloadedSecrets(options: ReloadOptions): ReloadedSecrets {
  const { raw, context, refreshMs, clock = systemClock, random = systemRandom, timers = systemTimers } = options;
  const { secretsManager: manager } = context;
  const groups = secretGroups(raw);
  const files = filesOf(raw, groups, context.baseDir);
  const secrets = secretsOf(raw, groups);
  for (const { address } of secrets) manager.forget(address);
  if (secrets.length === 0) manager.close();
  if (files.size === 0 && secrets.length === 0) return NOTHING_RELOADED;

  let running: readonly Repeated[] = [];
  let board: FaultBoard | null = null;
  let isStopped = false;

  async function readAgain(places: readonly SecretPlace[], values: ReloadedValues, isFile: boolean): Promise<void> {
    for (const place of places) {
      const resolved = await resolvePlace(raw, place, context);
      // AWS says by its stages what else is accepted; a file holds one value at a time.
      if (!isStopped) values.take(place, resolved, isFile && place.versions === "accepted");
    }
  }

  return {
    start(listener, report = () => undefined) {
      if (isStopped || running.length > 0) throw new Error("secrets are reloaded once");
      board = createFaultBoard(report);
      const values = createReloadedValues({ ...options, groups, clock, board, listener, report });
      const looks = [...files].map(([path, places]) => ({ path, read: () => readAgain(places, values, true) }));
      const shared = { timers, random, refreshMs, manager, board, isStopped: () => isStopped };
      running = [
        ...(looks.length > 0 ? [createFileLooks(timers, looks, () => isStopped || values.expire())] : []),
        ...secrets.map(({ places, ...secret }) =>
          createRounds({ ...secret, take: () => readAgain(places, values, false) }, shared),
        ),
      ];
      for (const each of running) each.start();
    },
    async stop() {
      isStopped = true;
      manager.close();
      await Promise.all(running.map((each) => each.stop()));
    },
    faults: () => board?.sentences() ?? [],
  };
}

/** The places of each file, by its absolute path. */
function filesOf(raw: unknown, groups: readonly SecretGroup[], baseDir: string): Map<string, SecretPlace[]> {
  const files = new Map<string, SecretPlace[]>();
  for (const place of groups.flatMap(({ places }) => places)) {
    const reference = referenceTo("file", valueAt(raw, place.path));
    if (reference === null) continue;
    const file = resolve(baseDir, reference.path ?? "");
    files.set(file, [...(files.get(file) ?? []), place]);
  }
  return files;
}

type Placed = Omit<ReloadedSecret, "take"> & { readonly places: readonly SecretPlace[] };

/** Each secret of AWS Secrets Manager with its places. */
function secretsOf(raw: unknown, groups: readonly SecretGroup[]): Placed[] {
  const found = new Map<string, { address: SecretAddress; stages: (readonly string[])[]; places: SecretPlace[] }>();
  for (const place of groups.flatMap(({ places }) => places)) {
    const reference = referenceTo("aws_secrets_manager", valueAt(raw, place.path));
    if (reference === null) continue;
    const address = addressOf(reference);
    const secret = found.get(nameOf(address)) ?? { address, stages: [], places: [] };
    secret.stages.push(stagesOf(reference, place.versions));
    secret.places.push(place);
    found.set(nameOf(address), secret);
  }
  return [...found.values()].map(({ address, stages, places }) => ({
    address,
    stages: unitedStages(stages),
    place: formatPath(places[0]?.path ?? []),
    places,
  }));
}
