/** The tables of docs/performance.md, as `npm run bench:all` writes them of what it has measured. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Comparison } from "./compare.ts";
import type { HomeMadeFigures } from "./home-made/measure.ts";
import type { CallCost } from "./scale/join-calls.ts";
import type { measureStoreLogins } from "./store-logins.ts";

const file = join(import.meta.dirname, "../../docs/performance.md");

/** What test/bench/run.ts prints, as far as the tables need it. */
export interface BenchReport {
  readonly node: string;
  readonly durationSec: number;
  readonly rounds: number;
  readonly join: Comparison;
  readonly join_gzip: Comparison;
  readonly reload: Comparison;
  readonly reload_gzip: Comparison;
  readonly status: Comparison;
  readonly pace: Comparison;
  readonly place: Comparison;
  readonly held_claim: Comparison;
  readonly forward_auth: Comparison;
  readonly logins: { readonly cpuMs: number };
  readonly login_in_bare_requests: number;
  readonly store_cpu_us: { readonly join: number };
  readonly store_commands_per_join: number;
  readonly store_bytes_per_waiting_visitor: number;
  readonly home_made: HomeMadeFigures;
  readonly page_bytes_compressed: number;
}

type StoreLogins = Awaited<ReturnType<typeof measureStoreLogins>>;

/** Each by the name that its place in the page has. */
export interface Tables {
  readonly requests: string;
  readonly "made by hand": string;
  readonly "join calls": string;
  readonly "logins in Redis": string;
}

const table = (head: string, rule: string, rows: readonly string[]) => [head, rule, ...rows].join("\n");
const digits = (figure: number) => (figure < 2 ? figure.toFixed(2) : figure.toFixed(1));

export function requestsTable(report: BenchReport, machine: string): string {
  const row = (what: string, { cpuUs, bareCpuUs, ratio }: Comparison, goal: string) => {
    const spread = `${digits(ratio.median)} (${digits(ratio.least)} to ${digits(ratio.most)})`;
    return `| ${what} | ${Math.round(cpuUs.median)} µs | ${Math.round(bareCpuUs.median)} µs | ${spread} | ${goal} |`;
  };
  const rows = [
    row("a join: `/authorize` of a new visitor", report.join, "2.0"),
    row("the same, compressed", report.join_gzip, "2.0"),
    row("a reload of the waiting page", report.reload, "1.7"),
    row("the same, compressed", report.reload_gzip, "1.7"),
    row("a room's status", report.status, "1.15"),
    row("what moves in it: `GET …/pace`", report.pace, "1.15"),
    row("an app's own place: `GET …/tickets/me`", report.place, "1.7"),
    row("a claim that is held, which asks the store", report.held_claim, ""),
    row("a request of a site behind forward authentication", report.forward_auth, ""),
    `| a login: \`/authorize\`, \`/token\`, \`/userinfo\` | ${report.logins.cpuMs.toFixed(1)} ms | | ${Math.round(report.login_in_bare_requests)} bare requests | 40 |`,
  ];
  const head = "| | CPU time | bare server | ratio: median (least to most) | goal |";
  const of = `Node.js ${report.node.slice(1)}, one gateway and Redis on ${machine}, ${report.rounds} rounds of ${report.durationSec} seconds; the page is one request of ${(report.page_bytes_compressed / 1_000).toFixed(1)} kB.`;
  return `${table(head, "|---|---:|---:|---:|---:|", rows)}\n\n${of}`;
}

export function homeMadeTable({ home_made: made, ...own }: BenchReport): string {
  const us = (figure: number) => `${Math.round(figure)} µs`;
  return table("| | Usher | made by hand | `express-queue` |", "|---|---:|---:|---:|", [
    `| a join, CPU time | ${us(own.join.cpuUs.median)} | ${us(made.joinCpuUs.median)} | ${us(made.queuedCpuUs.median)} |`,
    `| a reload | ${us(own.reload.cpuUs.median)} | ${us(made.reloadCpuUs.median)} | joins anew |`,
    `| a poll of a page that waits | ${us(own.pace.cpuUs.median)} | ${us(made.pollCpuUs.median)} | holds a connection |`,
    `| commands to Redis for a join | ${own.store_commands_per_join.toFixed(2)} | ${made.storeCommandsPerJoin} | |`,
    `| CPU time of Redis for a join | ${us(own.store_cpu_us.join)} | ${us(made.storeCpuUsPerJoin)} | |`,
    `| bytes in Redis for each waiting visitor | ${Math.round(own.store_bytes_per_waiting_visitor)} | ${made.storeBytesPerWaitingVisitor} | |`,
  ]);
}

/** @param ways by what they are of */
export function joinCallsTable(ways: Readonly<Record<string, readonly CallCost[]>>): string {
  const rows = Object.entries(ways).flatMap(([way, costs]) =>
    costs.map(
      ({ places, cpuUs, scriptUs }) => `| ${way} | ${places} | ${Math.round(cpuUs)} µs | ${Math.round(scriptUs)} µs |`,
    ),
  );
  return table(
    "| calls | places in each | CPU time of Redis for one | of it the script |",
    "|---|---:|---:|---:|",
    rows,
  );
}

export function storeLoginsTable(rows: StoreLogins): string {
  const lines = rows.map(({ connections, atOnce, pauseMs, versions: [own] }) => {
    const gateways = connections === 1 ? "of one gateway" : `of each of ${connections} gateways`;
    const { perSec, cpuUs, scripts, plain } = own as NonNullable<typeof own>;
    const pause = pauseMs === 0 ? "none" : `${pauseMs} ms`;
    return `| ${atOnce} ${gateways} | ${pause} | ${perSec.toLocaleString("en-US")} | ${cpuUs.toLocaleString("en-US")} µs | ${scripts} | ${plain} |`;
  });
  const head =
    "| logins under way | pause between two commands | logins a second | CPU time of Redis for one | scripts | plain commands |";
  return table(head, "|---|---:|---:|---:|---:|---:|", lines);
}

/** @throws Error where the page has no place for one */
export function writeTables(tables: Tables): void {
  let page = readFileSync(file, "utf8");
  for (const [name, text] of Object.entries(tables)) {
    const begin = `<!-- begin: written by \`npm run bench:all\`: ${name} -->\n`;
    const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf("<!-- end -->", page.indexOf(begin))];
    if (!page.includes(begin) || to < 0) throw new Error(`docs/performance.md has no place for the table: ${name}`);
    page = `${page.slice(0, from)}${text}\n${page.slice(to)}`;
  }
  writeFileSync(file, page);
}
