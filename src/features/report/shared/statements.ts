/** What a report says in words: what each figure shows, and what it does not. */
import type { ReportJson } from "./create-report.ts";
import { wordsOfDuration, wordsOfNumber, wordsOfShare, wordsOfTime } from "./words.ts";

export function chainWords({ log: { fault, rows, first, last, heads } }: ReportJson): string {
  if (fault !== null) {
    return `No: the chain of hashes breaks at line ${fault.line} of the file: ${fault.reason}. What follows is computed from what the file says all the same.`;
  }
  const range = first === null || last === null ? "" : ` (${wordsOfNumber(first)} to ${wordsOfNumber(last.seq)})`;
  const chain = `The chain of hashes holds over all ${wordsOfNumber(rows)} rows${range}.`;
  const same = heads.filter(({ result }) => result === "matches").length;
  const others = heads.filter(({ result }) => result === "differs");
  if (others.length > 0) {
    const seqs = others.map(({ head }) => wordsOfNumber(head.seq)).join(", ");
    return `${chain} But the head that was noted of row ${seqs} is another: rows up to there were replaced.`;
  }
  if (same > 0)
    return `${chain} ${same === 1 ? "A head" : `${same} heads`} noted earlier is in it: what came before is as it was then.`;
  return `${chain} That no row was changed, added or removed since is only shown by comparing with a head that was noted or published during the event.`;
}

export function missingWords({ log: { missing, base }, recoveries }: ReportJson): string[] {
  const words = missing.map(({ from, to, recovery }) => {
    if (recovery === null)
      return `Rows ${wordsOfNumber(from)} to ${wordsOfNumber(to)} are missing: the store has lost them.`;
    const lost = recovery.heard - from + 1;
    const missingPart =
      lost > 0
        ? `Of rows that were known to exist ${wordsOfNumber(lost)} are missing`
        : "No row that was known to exist is missing";
    return `The store lost something before ${wordsOfTime(recovery.at)}. ${missingPart}; rows of the last moments before it may be, and nobody knows how many.`;
  });
  if (base !== null && base.seq > 0) {
    words.unshift(`Rows up to ${wordsOfNumber(base.seq)} are no part of this file: older ones are forgotten in time.`);
  }
  if (recoveries.length > 0) {
    const often = wordsOfNumber(recoveries.length);
    words.push(`In this edition the room recovered ${often} times from a loss or a restart of the store.`);
  }
  return words;
}

export function countWords({ admissions: { total, via }, counts, increments }: ReportJson): string[] {
  const beside = total - (via.queue ?? 0);
  const words = [
    `${wordsOfNumber(total)} admissions, ${wordsOfNumber(beside)} of them bypassing the queue. A visitor who returns after an admission has ended counts again.`,
  ];
  if (counts !== null) {
    words.push(
      `${wordsOfNumber(counts.joined)} places were handed out. ${wordsOfNumber(counts.no_shows)} were called and not taken up in time, ${wordsOfNumber(counts.left)} were given up. Those are counts of the room, noted about once a minute, so the last minute may be missing.`,
    );
  } else words.push("The log does not say how many joined, did not show up or left.");
  if (increments.steps > 0) {
    const often = increments.steps === 1 ? "once" : `${wordsOfNumber(increments.steps)} times`;
    const places = increments.places === 1 ? "1 place" : `${wordsOfNumber(increments.places)} places`;
    words.push(`An operator moved the line by hand ${often}, by ${places} in all.`);
  }
  return words;
}

export function orderWords({ order }: ReportJson): string[] {
  const { admissions, inversions, pairs, kendall_tau, displacement, ties } = order;
  if (kendall_tau === null || displacement === null) return ["Fewer than two were admitted by the line."];
  return [
    `Of ${wordsOfNumber(admissions)} admitted by the line, ${wordsOfShare(pairs - ties - inversions, pairs)} of all pairs came in by the order of their places; in ${wordsOfNumber(inversions)} pairs (${wordsOfShare(inversions, pairs)}) the later place came first. Kendall's tau is ${kendall_tau.toFixed(4)} (1: in order, 0: as if by chance).`,
    `Half of them came in within ${wordsOfNumber(displacement.p50)} admissions of where their place would have put them, 99 in 100 within ${wordsOfNumber(displacement.p99)}, all within ${wordsOfNumber(displacement.max)}.`,
    "This compares when people came in with where they stood. A pair out of order is not yet a wrong: who is called and comes to the page minutes later is let in behind others who came at once. It says nothing of those who were never called, and not whether places themselves were handed out fairly: where they were drawn, usher verify-draw checks that.",
    ...(ties > 0
      ? [`${wordsOfNumber(ties)} pairs have the same position, which only a loss of the store can cause.`]
      : []),
  ];
}

export function waitWords({ wait_ms: waits }: ReportJson): string[] {
  if (waits === null) return ["No waits were recorded."];
  return [
    `Half waited up to ${wordsOfDuration(waits.p50)}, nine in ten up to ${wordsOfDuration(waits.p90)}, 99 in 100 up to ${wordsOfDuration(waits.p99)}; the longest wait was ${wordsOfDuration(waits.max)}.`,
    "A wait is the time from taking a place to coming in, in which the room was open and nothing held it: pauses, recoveries and the time before the opening do not count. It includes the time that people took to come when they were called. Of those who gave up or never came there is no wait.",
  ];
}

export function limitWords({ outflow, interruptions }: ReportJson): string[] {
  const { largest_60_seconds: most, windows_over_limit: over, largest_60_seconds_by_wall_clock: byWall } = outflow;
  const byFlow = `At most ${wordsOfNumber(most)} were let in by the line and bypass links in any 60 seconds of the store's running clock, which limits go by.`;
  const words = [`${byFlow} ${verdictOnLimit(over)}`];
  if (byWall !== null) {
    words.push(
      `By the wall clock, all ways in together, most were let in in the 60 seconds from ${wordsOfTime(byWall.from)}: ${wordsOfNumber(byWall.admissions)}.`,
    );
  }
  const paused = interruptions.filter(({ kind }) => kind === "paused");
  if (paused.length > 0) {
    const inAll = paused.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0);
    words.push(
      `The room was paused ${wordsOfNumber(paused.length)} times, ${wordsOfDuration(inAll)} in all (shaded; recoveries are dashed).`,
    );
  }
  return words;
}

/** @param over windows in which the limit was exceeded; null where there was no limit */
function verdictOnLimit(over: number | null): string {
  if (over === null) return "No limit was in force.";
  if (over === 0) return "In no 60 seconds were more let in than the highest limit in force in them.";
  return `The limit in force was exceeded in ${wordsOfNumber(over)} of the 60 seconds that end with an admission.`;
}
