import { entryPauseMs, spread, timeoutMs } from "../../../room/public-status/pacing.ts";
import type { VisitorPlan } from "../crowd-plan.ts";
import { navigate } from "./navigate.ts";
import { type Tab, waitAt } from "./waiting.ts";
import { askAs, newVisitor, type Visitor, type World } from "./world.ts";

/** Fresh logins in a row that lead to no page. */
const anewMax = 3;
/** After which a page that asks for itself at no set time is loaded again, as people do. */
const impatienceMs = 5_000;
/** Pages after which nothing comes: the room is over for this visitor. */
const lastPages = new Set([
  "ended",
  "too_many_logins",
  "too_many_restarts",
  "place_left",
  "unknown_room",
  "unknown_target",
]);

/** Plays one visitor from the first address to the last page. Faults of the installation do not throw: the tally records them. */
export async function playVisitor(plan: VisitorPlan, world: World, crowd: Visitor[]): Promise<void> {
  const visitor = newVisitor(plan);
  crowd.push(visitor);
  world.tally.arrived++;
  await playTab(visitor, world, true);
  if (!visitor.isAdmitted || world.stayMs === null) return;
  await world.sleep(world.stayMs);
  if (world.isOver()) return;
  if (await leave(visitor, world)) world.tally.loggedOut++;
}

async function playTab(visitor: Visitor, world: World, isFirst: boolean): Promise<void> {
  const { way, tally, chance, nowMs } = world;
  const { plan } = visitor;
  const tab: Tab = { reloadsAtMs: Number.POSITIVE_INFINITY, entries: 0, enteredMs: 0 };
  let [failures, anew] = [0, 0];
  let started = way.begin();
  let { url }: { url: URL } = started;
  let from: URL | null = null;
  let others: Promise<void> | null = null;
  const giveUp = () => {
    visitor.hasGivenUp = true;
    if (isFirst) tally.gaveUp++;
  };

  while (!world.isOver() && !visitor.hasGivenUp) {
    const landing = await navigate(visitor, world, started, url, from);
    if (landing.at === "in") break;
    if (landing.at === "nowhere") {
      tally.fail(way.kind === "site" ? "site" : "page", landing.reason);
      giveUp();
    } else if (landing.at === "anew" && anew < anewMax) {
      anew++;
      begin();
    } else if (landing.at === "anew") {
      tally.fail("page", "fresh logins that lead nowhere");
      giveUp();
    } else if (landing.at === "failure") {
      failures++;
      await world.sleep(spread(entryPauseMs(failures), chance));
      begin();
    } else if (landing.at === "notice") {
      tally.refuse(landing.code);
      if (lastPages.has(landing.code)) giveUp();
      else await world.sleep(spread(Math.max(1_000, landing.retryMs ?? impatienceMs), chance));
      ({ url } = landing);
      from = landing.url;
    } else {
      [failures, anew] = [0, 0];
      others ??= isFirst ? lookAround() : null;
      const leaving = await waitAt(visitor, world, tab, landing.page);
      ({ url } = landing);
      from = leaving === "reload" ? null : landing.url;
      if (leaving === "reload") {
        tally.reloads++;
        tab.reloadsAtMs = Number.POSITIVE_INFINITY;
      } else if (leaving === "turn" && plan.isNoShow) {
        visitor.hasGivenUp = true;
        tally.noShows++;
      }
    }
  }
  await others;

  function begin(): void {
    started = way.begin();
    ({ url } = started);
    from = null;
  }

  /** What the visitor does once the first page is there. */
  async function lookAround(): Promise<void> {
    if (plan.reloadsAfterMs !== null) tab.reloadsAtMs = nowMs() + plan.reloadsAfterMs;
    if (plan.tabAfterMs === null) return;
    await world.sleep(plan.tabAfterMs);
    if (world.isOver() || visitor.hasGivenUp) return;
    tally.tabs++;
    await playTab(visitor, world, false);
  }
}

/** Gives up place and admission, as the button of the waiting page does. */
export async function leave(visitor: Visitor, world: World): Promise<boolean> {
  const { stage, tally } = world;
  if (visitor.hasLeft) return true;
  const url = new URL(`${stage.issuer}/rooms/${stage.room}/tickets/me`);
  const headers = { origin: stage.issuer, "sec-fetch-site": "same-origin" };
  const answer = await askAs(visitor, world, url, { method: "DELETE", headers, timeoutMs });
  if (typeof answer === "string") {
    tally.fail("leave", answer);
    return false;
  }
  tally.took("leave", answer.tookMs);
  visitor.hasLeft = answer.status === 204;
  if (!visitor.hasLeft) tally.fail("leave", String(answer.status));
  return visitor.hasLeft;
}
