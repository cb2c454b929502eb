import { figure } from "../../operate/commands/terminal.ts";
import type { Plan } from "./reckon.ts";

/** The plan as an operator reads it. */
export function describePlan({ demand, line, perSecond, gateways, redis, egressGb, aws, measured }: Plan): string {
  const { arrivals, minutes, outflowPerMinute, page, hasCdn } = demand;
  const rows: [string, string][] = [
    [
      "line",
      line.longest === 0
        ? "nobody waits: as many are let in as come"
        : `${figure(Math.ceil(line.longest))} people at most; the last one waits ${spanOf(line.lastWaitsMinutes)}`,
    ],
    [
      "at its most",
      `${rate(perSecond.joins)} joins, ${rate(perSecond.polls)} polls and ${rate(perSecond.logins)} logins a second` +
        (hasCdn ? `; the CDN answers all but ${rate(perSecond.pollsAtGateways)} of the polls` : ""),
    ],
    [
      "gateways",
      `${gateways.count} processes on cores of their own, each used to ${gateways.usableShare * 100} % at most (${gateways.cores.toFixed(2)} cores in all)`,
    ],
    ["Redis", describeRedis(redis)],
    [
      "egress",
      `${gigabytes(egressGb.all)}: pages ${gigabytes(egressGb.pages)}, ${egressGb.files === 0 ? "" : `their files ${gigabytes(egressGb.files)}, `}polls ${gigabytes(egressGb.polls)}, logins ${gigabytes(egressGb.logins)}`,
    ],
    [
      "AWS",
      `${dollars(aws.all)} for ${spanOf(aws.hours * 60)}: gateways ${dollars(aws.dollars.gateways)}, load balancer ${dollars(aws.dollars.balancer)}, Redis and a replica ${aws.dollars.redis === null ? "unknown" : dollars(aws.dollars.redis)}, ${hasCdn ? "CloudFront" : "egress"} ${dollars(aws.dollars.egress)}`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [
    `${figure(arrivals)} arrivals in ${figure(minutes)} ${minutes === 1 ? "minute" : "minutes"}, ${figure(outflowPerMinute)} let in a minute, page ${page}, ${hasCdn ? "with" : "without"} a CDN`,
    "",
    ...rows.map(([name, text]) => `${name.padEnd(width)}${text}`),
    "",
    `CPU time and bytes as measured on ${measured.date} (${measured.machine}); a core of yours may be quicker or slower. List prices of ${aws.prices}; one hour before the sale is in them.`,
  ].join("\n");
}

function describeRedis({ cores, gigabytes: size, node, isEnough }: Plan["redis"]): string {
  const needs = `${cores.toFixed(2)} of a core, ${gigabytes(size)} once all are in`;
  if (isEnough) return `one with a replica: ${needs} (${node})`;
  const limit =
    node === null
      ? "that is more memory than one node has"
      : "that is more than is to be planned of the one core that Redis uses";
  return `${needs}: ${limit}. A room is in one store, which each login asks several times: let in fewer a minute, or spread the arrivals over rooms in several stores (docs/stores.md)`;
}

const rate = (perSecond: number) => figure(Math.ceil(perSecond));
const dollars = (amount: number) =>
  `$${amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
const gigabytes = (amount: number) => `${amount < 10 ? amount.toFixed(1) : figure(Math.round(amount))} GB`;

function spanOf(minutes: number): string {
  const whole = Math.ceil(minutes);
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`;
}
