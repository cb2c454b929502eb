import type { Command } from "commander";
import { systemClock, systemRandom } from "../../lib/clock-and-random.ts";
import type { Finding } from "../../lib/finding.ts";
import { askGateway, type Gateway } from "../../operate/commands/gateway.ts";
import { addExamples } from "../../operate/commands/help.ts";
import {
  type GatewayRequestOptions,
  gatewayOf,
  withGatewayRequest,
} from "../../operate/commands/installation/gateway-options.ts";
import {
  CommandError,
  counted,
  figure,
  jsonText,
  printable,
  type Terminal,
  UsageError,
  wholeNumberIn,
} from "../../operate/commands/terminal.ts";
import { planCrowd, seededChance } from "./crowd-plan.ts";
import { createObserver, refusalsSince } from "./observer.ts";
import { type Rehearsal, startRehearsal } from "./rehearsal.ts";
import { describeReport } from "./report/describe.ts";
import { findingsOf } from "./report/mend.ts";
import { type Report, reportOf } from "./report/report.ts";
import { prepareStage } from "./stage.ts";

interface RehearseOptions extends GatewayRequestOptions {
  readonly visitors: number;
  readonly minutes: number;
  readonly site?: string;
  readonly client?: string;
  readonly reloads: number;
  readonly tabs: number;
  readonly absent: number;
  readonly stay?: number;
  readonly connections: number;
  readonly seed?: number;
}

const visitorsMax = 100_000;
const minutesMax = 120;
const connectionsMax = 2_000;
const seedMax = 999_999_999;
const progressEveryMs = 1_000;

/** `usher rehearse ROOM`: plays a crowd in a room that is marked for rehearsals, and reports what it met. */
export function addRehearseCommand(program: Command, terminal: Terminal): void {
  const percent = wholeNumberIn(0, 100);
  withGatewayRequest(
    program
      .command("rehearse <room>")
      .description(
        "play a crowd of visitors in a room with rehearsal: true, and report what they met and what to mend",
      ),
  )
    .option("--visitors <number>", `so many come, 1 to ${visitorsMax}`, wholeNumberIn(1, visitorsMax), 1_000)
    .option("--minutes <number>", `at most so long, 1 to ${minutesMax}`, wholeNumberIn(1, minutesMax), 10)
    .option("--site <url>", "through the relying party: visitors begin at this page of the protected site")
    .option("--client <id>", "by logins of this client of the room, which are not handed to its site")
    .option("--reloads <percent>", "of the visitors load the page again while they wait", percent, 20)
    .option("--tabs <percent>", "open a second tab", percent, 10)
    .option("--absent <percent>", "do not come when it is their turn", percent, 5)
    .option(
      "--stay <seconds>",
      "after which who is in logs out, 0 to 7200; without it at the end",
      wholeNumberIn(0, 7_200),
    )
    .option(
      "--connections <number>",
      `to each host at once, 1 to ${connectionsMax}`,
      wholeNumberIn(1, connectionsMax),
      256,
    )
    .option("--seed <number>", "plays the same crowd again", wholeNumberIn(0, seedMax))
    .action((room: string, options: RehearseOptions) => rehearse(room, options, terminal));
  addExamples(program, "usher rehearse rehearsal --visitors 2000 --minutes 5");
}

async function rehearse(room: string, options: RehearseOptions, terminal: Terminal): Promise<void> {
  const { env, print, progress } = terminal;
  if (options.site !== undefined && options.client !== undefined) {
    throw new UsageError("--site and --client exclude each other: the site knows its client");
  }
  const gateway = gatewayOf(options, env, "has the role operator for the room");
  const stop = terminal.listenForStop();
  const { stage, way, tokenRequest, before } = await prepareStage(gateway, env, { ...options, room });
  const { minutes, connections, seed = Math.floor(systemRandom.fraction() * seedMax) } = options;
  const chance = seededChance(seed);
  const crowd = { ...options, noShows: options.absent };
  const plan = planCrowd(crowd, chance);
  const beganAt = new Date(systemClock.now()).toISOString();
  const stayMs = options.stay === undefined ? null : options.stay * 1_000;
  const rehearsal = startRehearsal({ stage, way, tokenRequest, stayMs, chance, plan, minutes, connections, stop });
  const observer = createObserver(gateway, before, rehearsal.nowMs, rehearsal.inPhase);
  const painting = progress && setInterval(() => progress(lineOf(rehearsal, plan.length)), progressEveryMs);
  try {
    await rehearsal.play();
  } finally {
    if (painting !== null) clearInterval(painting);
  }
  const tookMs = rehearsal.nowMs();
  const waiting = rehearsal.waiting();
  progress?.("the crowd leaves");
  const after = await observer.finish();
  const refusals = await refusalsSince(gateway, room, before.updated_at);
  // Another Ctrl-C ends that, too.
  const ghosts = await rehearsal.leaveAll(terminal.listenForStop());
  progress?.("");
  const report = reportOf({
    room,
    issuer: stage.issuer,
    way,
    crowd: { ...crowd, seed },
    beganAt,
    tookMs,
    isStopped: stop.aborted,
    tally: rehearsal.tally,
    waiting,
    ghosts,
    samples: observer.samples,
    unansweredLooks: observer.unanswered(),
    before,
    after,
    refusals,
    commandDelays: rehearsal.commandDelays(),
  });
  const findings = findingsOf(report);
  const storeFault = await keepResult(gateway, stage.pass, report, findings);
  print(
    options.json ? jsonText({ ...report, mend: findings, not_kept: storeFault }) : describeReport(report, findings),
  );
  if (storeFault !== null && !options.json) print(printable(`The console will not show this rehearsal: ${storeFault}`));
  if (stop.aborted) throw new CommandError("stopped before its end: the report is of the time until then");
  if (findings.length > 0) throw new CommandError(`${counted(findings.length, "thing")} to mend before the sale`);
}

function lineOf({ tally, waiting, nowMs }: Rehearsal, visitors: number): string {
  const { arrived, joinedMs, admittedMs, noShows, errors } = tally;
  const wrong = [...errors.values()].reduce((sum, count) => sum + count, 0);
  const seconds = Math.round(nowMs() / 1_000);
  return `${seconds} s: ${figure(arrived)} of ${figure(visitors)} came, ${figure(joinedMs.length)} joined, ${figure(waiting())} wait, ${figure(admittedMs.length)} in, ${figure(noShows)} did not come, ${counted(wrong, "error")}`;
}

/** As the route takes them. */
const mendMax = 50;
const textMax = 1_000;
const aboutMax = 40;

/**
 * Has the gateway keep what the rehearsal came to, for the console.
 *
 * @param pass that it was begun with
 * @returns why it does not; null where it does
 */
async function keepResult(
  gateway: Gateway,
  pass: string,
  report: Report,
  findings: readonly Finding[],
): Promise<string | null> {
  const { asked, visitors, outflow, gateways } = report;
  const { arrived, joined, admitted, no_shows, waiting, lost_places, ghosts } = visitors;
  const body = {
    pass,
    began_at: report.began_at,
    seconds: report.seconds,
    stopped: report.stopped,
    way: report.way,
    visitors: asked.visitors,
    arrived,
    joined,
    admitted,
    no_shows,
    waiting,
    lost_places,
    ghosts,
    most_in_a_minute: outflow.most_in_a_minute,
    limit_per_minute: outflow.limit_per_minute?.most ?? null,
    differences: gateways?.differences ?? null,
    mend: findings.slice(0, mendMax).flatMap(({ about, status, text }) => {
      // A rehearsal finds nothing that is well.
      return status === "ok" ? [] : [{ about: about.slice(0, aboutMax), status, text: text.slice(0, textMax) }];
    }),
  };
  try {
    const params = { path: { room: report.room } };
    await askGateway(gateway, (api) => api.PUT("/admin/rooms/{room}/rehearsal", { params, body }));
    return null;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}
