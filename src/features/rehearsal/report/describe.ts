import type { Finding } from "../../../lib/finding.ts";
import { findingLine } from "../../../operate/commands/findings.ts";
import { figure, printable, tableOf } from "../../../operate/commands/terminal.ts";
import type { Report } from "./report.ts";

/** A report for people: figures in tables, then what to mend. */
export function describeReport(report: Report, findings: readonly Finding[]): string {
  const parts = [head(report), visitors(report), requests(report), minutes(report), gateways(report), mend(findings)];
  return parts.filter((part) => part !== "").join("\n\n");
}

function head({ room, way_in_words, seconds, stopped, asked: { seed } }: Report): string {
  const end = stopped ? "stopped after" : "over after";
  return printable(`Rehearsal of ${room} by ${way_in_words}, ${end} ${figure(Math.round(seconds))} s (seed ${seed}).`);
}

function visitors({ visitors: met, joins_per_second: joins }: Report): string {
  return tableOf(
    [
      ["came", met.arrived],
      ["joined", met.joined, `${joins.mean} a second, at most ${joins.peak}`],
      ["let in", met.admitted, met.logins === met.admitted ? "" : `${figure(met.logins)} logins, with second tabs`],
      ["did not come", met.no_shows, met.no_shows === 0 ? "" : "as they were played"],
      ["still waiting", met.waiting],
      ["turned away", met.gave_up],
      ["reloads", met.reloads],
      ["second tabs", met.second_tabs],
    ].map(([name, count, note = ""]) => [String(name), figure(Number(count)), String(note)]),
  );
}

function requests({ requests: asked }: Report): string {
  const rows = Object.entries(asked).map(([kind, { count, p50_ms, p99_ms, max_ms }]) => [
    kind,
    figure(count),
    ...[p50_ms, p99_ms, max_ms].map(String),
  ]);
  return rows.length === 0 ? "" : tableOf([["REQUEST", "COUNT", "P50 MS", "P99 MS", "LONGEST"], ...rows]);
}

function minutes({ outflow: { minutes: all, busy, most_in_a_minute: most } }: Report): string {
  const rows = all.map(({ minute, joined, admitted, limit_per_minute: limit, waiting, phase }) => [
    String(minute),
    figure(joined),
    figure(admitted),
    limit === null ? "none" : figure(limit),
    waiting === null ? "-" : figure(waiting),
    phase ?? "-",
  ]);
  const moved =
    // In a shorter time more than the limit's share may enter: the limit counts whole minutes.
    busy === null || busy.seconds < 60
      ? ""
      : `\nWhile people waited (${busy.seconds} s): ${busy.admitted_per_minute} a minute${busy.limit_per_minute === null ? "" : ` of ${busy.limit_per_minute}`}.`;
  const table = tableOf([["MINUTE", "JOINED", "LET IN", "LIMIT", "WAITING", "PHASE"], ...rows]);
  return `${table}${moved}${most === 0 ? "" : `\nAt most ${figure(most)} were let in within a minute.`}`;
}

function gateways({ gateways: counted, visitors: met }: Report): string {
  if (counted === null) return "";
  return tableOf([
    ["", "VISITORS SAW", "GATEWAYS COUNTED"],
    ["joined", figure(met.joined), figure(counted.joined)],
    ["let in", figure(met.admitted), figure(counted.admitted)],
    ["did not come", figure(met.no_shows), `${figure(counted.no_shows)}, whose time to come is over`],
  ]);
}

function mend(findings: readonly Finding[]): string {
  if (findings.length === 0) return "Nothing to mend was seen.";
  return ["To mend:", ...findings.map((each) => findingLine(each, 11))].join("\n");
}
