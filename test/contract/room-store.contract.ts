/**
 * What every store of waiting rooms must do, as src/store/contract/room-store.ts promises it. The embedded store runs all of it in
 * `npm test`, and so tests the rules of src/core; Redis the parts that its bindings may break, and all of it in `npm run test:long`.
 * Time stands still in these tests unless a test moves it.
 */
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import type { HarnessFactory, StoreHarness } from "./harness.ts";
import type { RoomContext, RoomTest } from "./room-context.ts";
import { RoomDriver, settings } from "./room-driver.ts";
import { adaptive } from "./room-store/adaptive.ts";
import { admin } from "./room-store/admin.ts";
import { admissionLog } from "./room-store/admission-log.ts";
import { advances } from "./room-store/advances.ts";
import { atOnce } from "./room-store/at-once.ts";
import { bypass } from "./room-store/bypass.ts";
import { changes } from "./room-store/changes.ts";
import { claims } from "./room-store/claims.ts";
import { clocks } from "./room-store/clocks.ts";
import { counts } from "./room-store/counts.ts";
import { drawLosses } from "./room-store/draw-losses.ts";
import { draws } from "./room-store/draws.ts";
import { endedLogins } from "./room-store/ended-logins.ts";
import { events } from "./room-store/events.ts";
import { health } from "./room-store/health.ts";
import { inlets } from "./room-store/inlets.ts";
import { joins } from "./room-store/joins.ts";
import { keys } from "./room-store/keys.ts";
import { limiter } from "./room-store/limiter.ts";
import { linksAtOnce } from "./room-store/links-at-once.ts";
import { loadReports } from "./room-store/load-reports.ts";
import { lowLimits } from "./room-store/low-limits.ts";
import { maxActive } from "./room-store/max-active.ts";
import { maxActiveRule } from "./room-store/max-active-rule.ts";
import { maxWaiting } from "./room-store/max-waiting.ts";
import { moves } from "./room-store/moves.ts";
import { newRooms } from "./room-store/new-rooms.ts";
import { phases } from "./room-store/phases.ts";
import { progress } from "./room-store/progress.ts";
import { pushes } from "./room-store/pushes.ts";
import { recovery } from "./room-store/recovery.ts";
import { sharedOutflow } from "./room-store/shared-outflow.ts";
import { sliding } from "./room-store/sliding.ts";
import { statistics } from "./room-store/statistics.ts";
import { stocks } from "./room-store/stock.ts";
import { transitions } from "./room-store/transitions.ts";
import { unaccounted } from "./room-store/unaccounted.ts";
import { uses } from "./room-store/uses.ts";
import { voids } from "./room-store/voids.ts";
import { withoutLine } from "./room-store/without-line.ts";

/** Parts that play minutes of a room, second by second, or many rooms by chance: what is never exceeded, and always used. */
export const plays = {
  limiter,
  "low limits": lowLimits,
  "max_active, whatever happens": maxActiveRule,
  max_active: maxActive,
  unaccounted,
  "shared outflow": sharedOutflow,
  progress,
  clocks,
  transitions,
  "joins that need not wait": atOnce,
  inlets,
};

/** Parts that together ask for each operation and each of its answers, by several processes at once and after losses. */
export const bindings = {
  joins,
  keys,
  claims,
  "links at once": linksAtOnce,
  admin,
  changes,
  "new rooms": newRooms,
  recovery,
  health,
  "load reports": loadReports,
  "max waiting": maxWaiting,
  "admission log": admissionLog,
  events,
  "ended logins": endedLogins,
  pushes,
  "uses of an admission": uses,
  draws,
  voids,
  statistics,
  stock: stocks,
};

/** What the rules say besides. */
const rules = {
  "bypass links": bypass,
  moves,
  advances,
  adaptive,
  counts,
  "sliding admissions": sliding,
  phases,
  "losses of a draw": drawLosses,
  "phases without a line": withoutLine,
};

export interface RoomStoreOptions {
  /** Default: all. */
  readonly parts?: Readonly<Record<string, RoomTest>>;
  /** The share of the usual number of tries of each property; default 1. */
  readonly triesShare?: number;
  /** See RoomContext; default false. */
  readonly isBrief?: boolean;
}

export function describeRoomStore(
  name: string,
  createHarness: HarnessFactory,
  { parts = { ...plays, ...bindings, ...rules }, triesShare = 1, isBrief = false }: RoomStoreOptions = {},
): void {
  describe(`${name} as a room store`, () => {
    let harness: StoreHarness | undefined;
    let count = 0;

    const context: RoomContext = {
      get harness() {
        if (harness === undefined) throw new Error("the harness is made before the first test");
        return harness;
      },
      room: (sketch) => new RoomDriver(context.harness, `room-${++count}`, settings(sketch)),
      runs: (inProcess, elsewhere) => Math.ceil(triesShare * (context.harness.store.isShared ? elsewhere : inProcess)),
      isBrief,
    };

    beforeAll(async () => {
      harness = await createHarness();
    });
    beforeEach(() => context.harness.wipe());
    afterAll(() => harness?.close());

    for (const [title, part] of Object.entries(parts)) describe(title, () => part(context));
  });
}
