import { type Finding, fault, warning } from "../../../lib/finding.ts";
import { counted, figure } from "../../../operate/commands/terminal.ts";
import type { Report } from "./report.ts";

/** Milliseconds that visitors wait without noticing; what takes longer for one in a hundred is worth a look. */
const slowMs = { usher: 1_000, site: 3_000 };
/** Of what the limit would have let in, while people waited for long enough. */
const fullShare = 0.85;
const busySecMin = 20;
/** Milliseconds by which this machine itself may have been late. */
const commandDelayMsMax = 100;

/** What to mend before the sale, each with its way out. Empty: nothing that was seen. */
export function findingsOf(report: Report): Finding[] {
  return [
    ...refusals(report),
    ...failures(report),
    ...places(report),
    ...latencies(report),
    ...outflow(report),
    ...counts(report),
    ...room(report),
    ...rehearsal(report),
  ];
}

/** By the code of the page that said it. */
const refusalWaysOut = new Map(
  Object.entries({
    room_full: "raise max_waiting, or take it away",
    too_many_from_address:
      "the pass of the rehearsal did not arrive: let the proxy and the CDN send the header Usher-Rehearsal on; if the crowd of the sale comes through few addresses, raise joins_per_address",
    hold_on: "the store was away: see the gateways' log and docs/when-things-fail.md",
    not_now: "the store was away: see the gateways' log and docs/when-things-fail.md",
    ended: "the room ended meanwhile: see its schedule, and usher audit for who ended it",
    not_open: "the room was idle meanwhile: see its schedule",
    place_expired: "the turn of these visitors came and went while they polled: raise admission.claim_within",
    cookies_blocked: "let the proxy and the CDN send Cookie and Set-Cookie on",
    too_many_restarts:
      "the site remembers a login for too short a time: see login_timeout of its client (docs/clients.md)",
    too_many_logins: "raise admission.logins_per_admission, or have the site keep its session",
    ticket_unreadable: "give all gateways the same ticket keys (readyz says which differ)",
  }),
);

function refusals({ refused }: Report): Finding[] {
  return Object.entries(refused).map(([code, count]) => {
    const wayOut = refusalWaysOut.get(code) ?? "docs/pages.md says what this page means";
    return warning("refused", `The page ${code} was shown ${counted(count, "time")}: ${wayOut}.`);
  });
}

function failures({ errors }: Report): Finding[] {
  return Object.entries(errors).map(([name, count]) => {
    const [kind = "", ...words] = name.split(" ");
    const times = `${counted(count, "time")}: ${kind} ${words.join(" ")}`;
    return fault("errors", `${times}: ${wayOutOf(kind, words.join(" "))}.`);
  });
}

function wayOutOf(kind: string, reason: string): string {
  const where = kind === "site" ? "the site" : "Usher";
  if (/^5\d\d$/.test(reason)) return `look into the log of ${where}, and of the proxy before it, for that time`;
  if (reason === "429")
    return `${where}, its proxy or CDN refuses so many requests from one address: exempt this machine`;
  if (/^4\d\d$/.test(reason))
    return `let the proxy and the CDN send paths, methods, cookies and bodies on unchanged to ${where}`;
  if (/in time/.test(reason)) return `${where} was too slow: more processes, or less outflow`;
  if (/^E[A-Z]+$|socket|hang up/i.test(reason))
    return `raise the limits on connections of ${where} and its proxy, and of this machine`;
  if (reason.startsWith("login")) return "compare the client at the site with that in Usher's configuration";
  if (reason.startsWith("redirect"))
    return "the rehearsal goes to no other host or room: name a page that leads to the room alone";
  return `see what answers there in place of ${where}`;
}

function places({ visitors: { lost_places } }: Report): Finding[] {
  if (lost_places === 0) return [];
  const wayOut = "a proxy or CDN keeps pages or cookies of visitors, or the gateways do not share their store and keys";
  return [
    fault(
      "places",
      `${counted(lost_places, "visitor")} stood at another place after a reload or in a second tab: ${wayOut}.`,
    ),
  ];
}

function latencies({ requests }: Report): Finding[] {
  return Object.entries(requests).flatMap(([kind, { p99_ms }]) => {
    const limitMs = kind === "site" ? slowMs.site : slowMs.usher;
    if (p99_ms <= limitMs) return [];
    const wayOut =
      kind === "site"
        ? "lower the outflow until the site keeps up"
        : "more gateway processes, or a larger machine for them or Redis";
    return [warning("latency", `One ${kind} in a hundred took ${figure(Math.round(p99_ms))} ms or longer: ${wayOut}.`)];
  });
}

function outflow({
  outflow: { busy, limit_per_minute, most_in_a_minute },
  gateways,
  visitors,
  requests,
}: Report): Finding[] {
  const findings: Finding[] = [];
  // What visitors see within a minute may have been admitted in a little more than one.
  const latenessSec = Math.max(1, (requests.enter?.max_ms ?? 0) / 1_000);
  const most = limit_per_minute?.most ?? null;
  if (most !== null && most_in_a_minute > most * (1 + latenessSec / 60) + 1) {
    const text = `${figure(most_in_a_minute)} were let in within a minute, and the limit was ${figure(most)}: compare the admission log (usher report)`;
    findings.push(fault("outflow", `${text}.`));
  }
  const limit = busy?.limit_per_minute ?? null;
  if (busy === null || limit === null || busy.seconds < busySecMin || busy.admitted_per_minute >= limit * fullShare)
    return findings;
  const under = `${figure(Math.round(busy.admitted_per_minute))} a minute were let in while people waited, and the limit was ${figure(Math.round(limit))}`;
  const noShows = Math.max(visitors.no_shows, gateways?.no_shows ?? 0);
  const why =
    noShows > visitors.joined * 0.05
      ? `${figure(noShows)} of ${figure(visitors.joined)} did not come when they were called; a shorter admission.claim_within gives their turn to others sooner`
      : "the inlet's own rate, max_active or slow answers hold it: usher status says which (docs/flow.md)";
  return [...findings, warning("outflow", `${under}: ${why}.`)];
}

function counts({ gateways }: Report): Finding[] {
  if (gateways === null) {
    return [
      warning(
        "counts",
        "No gateway said what was counted in the end: see whether the store is there, and rehearse again.",
      ),
    ];
  }
  const { differences, unanswered_joins } = gateways;
  const words = { joined: "joined", admitted: "were admitted" } as const;
  return (["joined", "admitted"] as const).flatMap((name) => {
    const difference = differences[name];
    if (difference === 0) return [];
    if (difference < 0) {
      const wayOut = "an answer was another visitor's, or the store lost something: see the gateways' log";
      return [
        fault(
          "counts",
          `${figure(-difference)} more visitors saw that they ${words[name]} than the gateways counted: ${wayOut}.`,
        ),
      ];
    }
    const isExplained = name === "joined" && difference <= unanswered_joins;
    const why = isExplained
      ? "their answers were lost, see the errors"
      : "somebody else is in the room, or answers were lost";
    return [warning("counts", `The gateways counted ${figure(difference)} more who ${words[name]}: ${why}.`)];
  });
}

function room({ room_was, unanswered_looks, visitors }: Report): Finding[] {
  const findings = Object.entries(room_was).flatMap(([name, seconds]) => {
    if (["open", "prequeue"].includes(name) || seconds < 1) return [];
    return [
      warning(
        "room",
        `For ${counted(seconds, "second")} the room was ${name}: see why before the sale (usher audit, usher events).`,
      ),
    ];
  });
  if (unanswered_looks > 0) {
    findings.push(
      warning(
        "gateway",
        `${counted(unanswered_looks, "time")} the admin API did not answer: see the log of that gateway.`,
      ),
    );
  }
  if (visitors.ghosts > 0) {
    findings.push(
      warning("room", `${counted(visitors.ghosts, "place")} could not be given up: usher reset begins a new line.`),
    );
  }
  return findings;
}

function rehearsal({ own_delays_ms: { queued_p99, loop_p99 } }: Report): Finding[] {
  const findings: Finding[] = [];
  if (queued_p99 > commandDelayMsMax) {
    const text = `Requests waited ${figure(Math.round(queued_p99))} ms for a connection of this command: give it more with --connections`;
    findings.push(warning("rehearsal", `${text}.`));
  }
  if (loop_p99 > commandDelayMsMax) {
    const text = `This machine was ${figure(Math.round(loop_p99))} ms late itself, so times are longer than they were: take fewer visitors, or a machine of its own`;
    findings.push(warning("rehearsal", `${text}.`));
  }
  return findings;
}
