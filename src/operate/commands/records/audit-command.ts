import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { systemClock } from "../../../lib/clock-and-random.ts";
import type { AdminAnswers } from "../../client/index.ts";
import { askGateway, download, type Gateway } from "../gateway.ts";
import { addExamples } from "../help.ts";
import {
  type GatewayOptions,
  type GatewayRequestOptions,
  gatewayOf,
  withGateway,
  withGatewayRequest,
} from "../installation/gateway-options.ts";
import {
  CommandError,
  jsonLine,
  jsonText,
  printable,
  requireYes,
  type Terminal,
  tableOf,
  UsageError,
  wholeNumberIn,
} from "../terminal.ts";

/** Filters as they were written: the gateway says what is wrong with one. */
interface Wanted {
  readonly room?: string;
  readonly principal?: string;
  readonly route?: string;
  readonly result?: "done" | "refused" | "failed";
  readonly from?: string;
  readonly to?: string;
}
interface Filters {
  readonly room?: string;
  readonly principal?: string;
  readonly route?: string;
  readonly result?: string;
}
interface ExportOptions extends GatewayOptions {
  readonly out: string;
  readonly replace?: true;
  readonly since?: string;
  readonly until?: string;
}

/** Rows asked for at once, the most that the gateway answers. */
const pageSize = 500;
/** Between two looks. */
const followMs = 2_000;
const timeHelp = "a time such as 2027-03-02T00:00+01:00, or a duration such as 2h: so long ago";

/** `usher audit …`: who changed what (docs/audit.md). */
export function addAuditCommand(program: Command, terminal: Terminal): void {
  const { env, print, ask } = terminal;
  const isCut = terminal.screen !== null;
  const audit = program
    .command("audit")
    .description("who changed what: rows of the audit, undo, export (docs/audit.md)");

  withGatewayRequest(audit.command("list", { isDefault: true }).description("the latest rows, the newest last"))
    .option("--room <room>", "of this room")
    .option("--principal <id>", "of this key or person")
    .option("--route <route>", "of this route, or of its end: /end")
    .option("--result <result>", "done, refused or failed")
    .option("--since <time>", timeHelp)
    .option("--until <time>", timeHelp)
    .option("--limit <rows>", "so many, 1 to 50000", wholeNumberIn(1, 50_000), 50)
    .option("--follow", "then show rows as they come, until Ctrl-C")
    .action(
      async ({
        since,
        until,
        limit,
        follow,
        ...options
      }: GatewayRequestOptions &
        Filters & {
          readonly since?: string;
          readonly until?: string;
          readonly limit: number;
          readonly follow?: true;
        }) => {
        if (follow && until !== undefined) throw new UsageError("--follow has no end: leave out --until");
        const stop = terminal.listenForStop();
        const gateway = { ...gatewayOf(options, env, "has the role viewer"), stop };
        const { room, principal, route, result } = options;
        const times = { from: await timeOf(since), to: await timeOf(until) };
        const wanted = suppliedOptions({ room, principal, route, result, ...times }) as Wanted;
        const rows = await newestRows(gateway, wanted, limit, 0);
        if (!follow) {
          print(options.json ? jsonText(rows) : described(rows, isCut));
          return;
        }
        await showAndFollow(rows);

        /** One line for each row, from now on too. */
        async function showAndFollow(first: readonly Row[]): Promise<void> {
          const show = (row: Row) => print(options.json ? jsonLine(row) : printable(rowCells(row, isCut).join("  ")));
          first.forEach(show);
          let last = first.at(-1);
          while (await isDue(stop)) {
            try {
              const newest = (await newestRows(gateway, wanted, 1, 0)).at(-1);
              if (newest === undefined || newest.seq === last?.seq) continue;
              // Where the store was emptied, another chain has begun, and its rows are counted anew.
              const isAnew = last !== undefined && newest.seq < last.seq;
              const more = await newestRows(gateway, wanted, 50_000, isAnew ? 0 : (last?.seq ?? 0));
              more.forEach(show);
              last = more.at(-1) ?? last;
            } catch (error) {
              if (!(error instanceof CommandError)) throw error;
              if (!stop.aborted)
                print(options.json ? jsonLine({ error: error.message }) : printable(`! ${error.message}`));
            }
          }
        }
      },
    );

  withGatewayRequest(audit.command("undo <row>").description("take a change back by its row; asks before"))
    .option("--yes", "do it without asking")
    .action(async (text: string, { yes, ...options }: GatewayRequestOptions & { yes?: true }) => {
      const gateway = gatewayOf(options, env, "may make the change that leads back");
      const params = { path: { row: rowNumber(text) } };
      if (!yes) {
        const row = await askGateway(gateway, (client) => client.GET("/admin/audit/{row}", { params }));
        const stakes = stakesOf(row);
        // Without a way back there is nothing to ask: the gateway refuses it below, and says why.
        if (stakes !== null) await requireYes(ask, printable(`undo row ${row.seq} at ${gateway.url}: ${stakes}`));
      }
      const done = await askGateway(gateway, (client) => client.POST("/admin/audit/{row}/undo", { params }));
      print(options.json ? jsonText(done) : describeUndone(done));
    });

  withGateway(audit.command("export").description("save the rows with their chain, for usher verify-log"))
    .requiredOption("--out <file>", "a new file; NDJSON")
    .option("--replace", "write over a file that is there")
    .option("--since <time>", timeHelp)
    .option("--until <time>", timeHelp)
    .action(async ({ out, replace, since, until, ...which }: ExportOptions) => {
      const gateway = gatewayOf(which, env, "has the role viewer");
      const query = new URLSearchParams(suppliedOptions({ from: await timeOf(since), to: await timeOf(until) }));
      await download(gateway, `/audit/export?${query}`, out, { isReplacing: replace === true });
      print(`Written: ${out}. usher verify-log ${out} checks it.`);
    });
  addExamples(
    program,
    "usher audit list --room tickets --since 2h",
    "usher audit undo 1204",
    "usher audit export --out audit.ndjson",
  );
}

/** Those behind the row `after`, at most `limit`, the newest last. @throws CommandError */
async function newestRows(gateway: Gateway, wanted: Wanted, limit: number, after: number): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && rows.length < limit) {
    const size = Math.min(pageSize, limit - rows.length);
    const page = await askForPage(gateway, { ...wanted, limit: size, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...page.rows.filter(({ seq }) => seq > after));
    // A cursor is the number of the row to go on from.
    const isBehind = page.next_cursor !== null && Number(page.next_cursor) <= after;
    cursor = isBehind ? null : page.next_cursor;
  }
  return rows.reverse();
}

function askForPage(gateway: Gateway, query: Wanted & { limit: number; cursor?: string }) {
  return askGateway(gateway, (client) => client.GET("/admin/audit", { params: { query } }));
}

/** Without the options that were left out. */
function suppliedOptions(options: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(options).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function described(rows: readonly Row[], isCut: boolean): string {
  if (rows.length === 0) return "There are no such rows.";
  return tableOf([rowColumns, ...rows.map((row) => rowCells(row, isCut))]);
}

/** What would be sent, and what was changed; null where nothing leads back. */
function stakesOf(row: Row): string | null {
  if (row.kind !== "request" || row.error !== null || row.inverse === null) return null;
  const { inverse, changes } = row;
  const body = inverse.body === null ? "" : ` ${JSON.stringify(inverse.body)}`;
  return `it changed ${describeChanges(changes)}. This would send ${inverse.method} ${inverse.path}${body}.`;
}

function describeUndone({ undone, changes }: { undone: number; changes: AdminAnswers["AuditRow"]["changes"] }): string {
  return printable(`Row ${undone} is undone: ${describeChanges(changes) || "nothing was different"}.`);
}

/** @throws UsageError */
function rowNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError("expected the number of a row: usher audit shows it");
}

/** Waits; false where it was told to stop. */
async function isDue(stop: AbortSignal): Promise<boolean> {
  await sleep(followMs, undefined, { signal: stop }).catch(() => {});
  return !stop.aborted;
}

export type Row = AdminAnswers["AuditRow"] | AdminAnswers["AuditChainRow"];
type Change = AdminAnswers["AuditRow"]["changes"][number];

/** Characters of the changes in a row at a terminal, where a longer one would wrap. Into a file or a pipe, all are written. */
const changesLengthMax = 80;

export const rowColumns = ["ROW", "TIME", "WHO", "REQUEST", "ROOM", "RESULT", "CHANGES"] as const;

/** A row of the audit as the columns have it. @param isCut whether many changes are cut, for a terminal */
export function rowCells(row: Row, isCut: boolean): string[] {
  const place = [String(row.seq), row.at];
  if (row.kind !== "request") {
    const what = row.kind === "begin" ? "a chain of rows begins" : "the store has lost rows before this one";
    return [...place, "-", "-", "-", "-", what];
  }
  const { principal, method, route, room, error, status, changes } = row;
  const result = error === null ? "done" : `${status} ${error}`;
  const all = describeChanges(changes) || "-";
  const cell = isCut && all.length > changesLengthMax ? `${all.slice(0, changesLengthMax - 1)}…` : all;
  return [...place, principal?.id ?? "(nobody known)", `${method} ${route}`, room ?? "-", result, cell];
}

/** Such as `/inlet/outflow_per_minute: 600 → 900`, with semicolons. */
export function describeChanges(changes: readonly Change[]): string {
  return changes
    .filter((change) => !isFilled(change, changes))
    .map(({ member, from, to }) => `${member}: ${written(from)} → ${written(to)}`)
    .join("; ");
}

/** A member that was null and now has members of its own: those tell it all. */
function isFilled({ member, from, to }: Change, changes: readonly Change[]): boolean {
  return from === null && to === undefined && changes.some((other) => other.member.startsWith(`${member}/`));
}

function written(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/**
 * A time as the admin API takes it. A duration such as `2h` means so long ago, by the clock of this machine; all else is passed on, and
 * the gateway says what is wrong with it.
 *
 * @throws UsageError where it is a duration that no time is behind
 */
export async function timeOf(text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { formatTime, parseDuration } = await import("../../../config/index.ts");
  const durationMs = parseDuration(text);
  if (durationMs === null) return text;
  const atMs = systemClock.now() - durationMs;
  if (atMs < 0) throw new UsageError(`${text} ago was before 1970`);
  return formatTime(atMs);
}
