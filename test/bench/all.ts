/**
 * `npm run bench:all`: measures all that docs/performance.md has of requests, joins and logins, and writes it there, and where `usher plan` reckons
 * by it. Half an hour at most, with nothing beside it. `BENCH_SECONDS` and `BENCH_ROUNDS` as of `npm run bench`.
 */
import { execFile } from "node:child_process";
import { availableParallelism, totalmem } from "node:os";
import { promisify } from "node:util";
import { measureJoinCalls } from "./scale/join-calls.ts";
import { measureStoreLogins } from "./store-logins.ts";
import {
  type BenchReport,
  homeMadeTable,
  joinCallsTable,
  requestsTable,
  storeLoginsTable,
  writeTables,
} from "./write-docs.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const runTool = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", ...args], { maxBuffer: 64e6 });
  return stdout;
};
const say = (what: string) => process.stdout.write(`${what} …\n`);

say("What a request costs");
const report = JSON.parse(await runTool("test/bench/run.ts", "--write", "--report")) as BenchReport;
say("What a call with joins costs Redis");
const batches = [1, 16, 256];
const calls = {
  "one after the other, 2 ms between them": { connections: 1, pauseMs: 2, callsPerRound: 400, rounds },
  "one after the other": { connections: 1, pauseMs: 0, callsPerRound: 1_600, rounds },
  "of eight connections at once": { connections: 8, pauseMs: 0, callsPerRound: 1_600, rounds },
};
const ways: Record<string, Awaited<ReturnType<typeof measureJoinCalls>>> = {};
for (const [way, load] of Object.entries(calls)) ways[way] = await measureJoinCalls(load, batches);
say("What a login costs Redis");
const logins = await measureStoreLogins(rounds);

const machine = `a machine with ${availableParallelism()} cores and ${Math.round(totalmem() / 2 ** 30)} GiB`;
writeTables({
  requests: requestsTable(report, machine),
  "made by hand": homeMadeTable(report),
  "join calls": joinCallsTable(ways),
  "logins in Redis": storeLoginsTable(logins),
});
const storeLogins = logins
  .flatMap(({ versions: [own] }) => own ?? [])
  .map(({ perSec, cpuUs }) => ({ perSecond: perSec, cpuUs }));
// Not before: the tool above has written the other figures.
const { writeFigures } = await import("./write-figures.ts");
writeFigures({ storeLogins: storeLogins.sort((a, b) => a.perSecond - b.perSecond) });
say("Plans");
await runTool("scripts/lib/write-reference.ts");
