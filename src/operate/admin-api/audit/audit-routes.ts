/** The admin API's routes for the audit. */
import { Readable } from "node:stream";
import { z } from "zod";
import { oneOf, ROLES, text } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { auditBaseLine, sealLine } from "../../../room/admission-log/index.ts";
import {
  type AuditLine,
  type AuditLog,
  type AuditRow,
  csvHead,
  csvLine,
  type RequestLine,
  readAuditRow,
} from "../../audit/index.ts";
import type { Principal } from "../access/principal.ts";
import { type AdminRoute, routesAbout } from "../admin-router.ts";
import { exactTime, nextCursor, object, pageSize, queryNumber, timeText } from "../bodies.ts";
import { type Undoing, undoRow } from "./undo.ts";

const rowsPerRead = 1_000;
/** Reads for one page: where few of many rows are wanted it may be short and not the last. */
const readsMax = 10;
const wordLengthMax = 200;

/** A plus sign of an offset in an address is read as a space. */
const queryTime = z.preprocess(
  (supplied) => (typeof supplied === "string" ? supplied.replace(/ (?=\d\d:\d\d$)/, "+") : supplied),
  exactTime,
);
const word = (what: string) => text(what, wordLengthMax).optional();
const filters = {
  room: word("the id of a room"),
  principal: word("the id of a key or a person"),
  route: word("a route as rows have it, or its end, such as /end"),
  result: oneOf("result", ["done", "refused", "failed"]).optional(),
  from: queryTime.optional(),
  to: queryTime.optional(),
};
const listQuery = object({ ...filters, limit: pageSize, cursor: queryNumber(0, Number.MAX_SAFE_INTEGER).optional() });
const csvQuery = object(filters);
const exportQuery = object({ from: filters.from, to: filters.to });
type Filters = z.output<typeof csvQuery>;

const place = { seq: z.int(), at: timeText, hash: z.string() };
const change = z.object({ member: z.string(), from: z.unknown().optional(), to: z.unknown().optional() });
const requestRow = z
  .object({
    ...place,
    kind: z.literal("request"),
    principal: z
      .object({ kind: z.enum(["key", "person"]), id: z.string(), name: z.string().optional(), role: z.enum(ROLES) })
      .nullable(),
    address: z.string(),
    method: z.string(),
    route: z.string(),
    room: z.string().nullable(),
    subject: z.record(z.string(), z.string()),
    changes: z.array(change),
    inverse: z
      .object({ method: z.string(), path: z.string(), body: z.record(z.string(), z.unknown()).nullable() })
      .nullable(),
    undoes: z.int().nullable(),
    request_id: z.string(),
    status: z.int(),
    error: z.string().nullable(),
    unlogged: z.int(),
  })
  .meta({ id: "AuditRow" });
const chainRow = z
  .object({
    ...place,
    kind: z.enum(["begin", "recovery"]),
    life: z.string().optional(),
    heard: z.int().optional(),
    after: z.object({ seq: z.int(), hash: z.string() }).nullable().optional(),
  })
  .meta({ id: "AuditChainRow" });
const auditRow = z.union([requestRow, chainRow]);
type RowJson = z.output<typeof auditRow>;
const undone = z.object({ undone: z.int(), changes: z.array(change) });
const tag = "Audit";
const ndjson = "application/x-ndjson";

export interface AuditRoutesOptions {
  readonly audit: Pick<AuditLog, "record" | "read" | "find" | "head">;
  readonly issuers: Undoing["issuers"];
}

/**
 * A principal for some rooms has the rows of these.
 *
 * @param table of all routes: what is undone is carried out by one of them
 */
export function auditRoutes({ audit, issuers }: AuditRoutesOptions, table: () => readonly AdminRoute[]): AdminRoute[] {
  const route = routesAbout("/audit", () => undefined);
  const terms = { tag, role: "viewer", reach: "own" } as const;

  return [
    route(
      "GET",
      "",
      {
        ...terms,
        summary: "Lists what was changed and refused, the latest first: who, what, old and new, with what result.",
        query: listQuery,
        answers: z.object({ rows: z.array(auditRow), next_cursor: nextCursor }),
      },
      ({ principal, query }) => listRows(principal, query),
    ),
    route(
      "GET",
      "/export",
      {
        ...terms,
        summary:
          "Exports the audit with its chain, oldest first, for `usher verify-log`; for some rooms, their rows alone.",
        query: exportQuery,
        type: ndjson,
        answers: z.instanceof(Readable),
      },
      ({ principal, query }) => streamed(sealedLines(principal, query)),
    ),
    route(
      "GET",
      "/csv",
      {
        ...terms,
        summary: "Exports requests of the audit as a table, oldest first.",
        query: csvQuery,
        type: "text/csv",
        answers: z.instanceof(Readable),
      },
      ({ principal, query }) => streamed(csvLines(principal, query)),
    ),
    route(
      "GET",
      "/:row",
      { ...terms, summary: "Shows a row of the audit.", answers: auditRow },
      async ({ ctx, principal }) => rowJson(await findRow(ctx.params.row, principal)),
    ),
    route(
      "POST",
      "/:row/undo",
      {
        tag,
        role: "box_office",
        reach: "own",
        summary: "Takes a change of settings or phase back, by the request that leads there; it takes the same role.",
        answers: undone,
        errors: ["conflict"],
      },
      async ({ ctx, principal, notes }) => {
        const row = await findRow(ctx.params.row, principal);
        await undoRow(readAuditRow(row), { ctx, principal, notes, table: table(), issuers });
        return { undone: row.seq, changes: notes.changes };
      },
    ),
  ];

  /** @throws UsherError `not_found`, also of rows that are not for this principal */
  async function findRow(supplied: unknown, principal: Principal): Promise<AuditRow> {
    const text = String(supplied);
    const row = /^\d{1,15}$/.test(text) ? await audit.find(Number(text)) : null;
    if (row !== null && isFor(principal, readAuditRow(row))) return row;
    throw new UsherError("not_found", "there is no such row: GET /admin/audit lists those that are kept");
  }

  async function listRows(principal: Principal, { limit, cursor, ...wanted }: z.output<typeof listQuery>) {
    const rows: RowJson[] = [];
    let to = cursor ?? Number.MAX_SAFE_INTEGER;
    for (let read = 0; read < readsMax && to > 0; read++) {
      const found = await audit.read({ from: 0, to, limit: rowsPerRead, isNewestFirst: true });
      for (const row of found) {
        const line = readAuditRow(row);
        if (isWanted(line, wanted) && isFor(principal, line)) rows.push(rowJson(row));
        to = row.seq - 1;
        if (rows.length === limit) return { rows, next_cursor: to > 0 ? String(to) : null };
      }
      if (found.length < rowsPerRead) return { rows, next_cursor: null };
    }
    return { rows, next_cursor: String(to) };
  }

  /** All rows that there are now, oldest first, as they are asked for. */
  async function* allRows(): AsyncGenerator<AuditRow[]> {
    const to = (await audit.head())?.seq ?? 0;
    for (let from = 0; from <= to; ) {
      const rows = await audit.read({ from, to, limit: rowsPerRead, isNewestFirst: false });
      if (rows.length > 0) yield rows;
      if (rows.length < rowsPerRead) return;
      from = (rows.at(-1)?.seq ?? to) + 1;
    }
  }

  /** From the first row of the time to the last one before its end, so that the chain has no hole. */
  async function* sealedLines(
    principal: Principal,
    { from, to }: z.output<typeof exportQuery>,
  ): AsyncGenerator<string> {
    let hasStarted = false;
    for await (const rows of allRows()) {
      let chunk = "";
      for (const row of rows) {
        const line = readAuditRow(row);
        const atMs = Date.parse(line.at);
        if (!hasStarted && from !== undefined && atMs < from) continue;
        if (to !== undefined && atMs > to) {
          if (chunk !== "") yield chunk;
          return;
        }
        if (!hasStarted && principal.rooms === null) chunk += `${auditBaseLine(row.before)}\n`;
        hasStarted = true;
        if (isFor(principal, line)) chunk += `${sealLine(row.text, row.hash)}\n`;
      }
      if (chunk !== "") yield chunk;
    }
  }

  async function* csvLines(principal: Principal, wanted: Filters): AsyncGenerator<string> {
    yield csvHead;
    for await (const rows of allRows()) {
      const lines = rows.map(readAuditRow).filter((line): line is RequestLine => line.kind === "request");
      const chunk = lines.filter((line) => isWanted(line, wanted) && isFor(principal, line)).map(csvLine);
      if (chunk.length > 0) yield chunk.join("");
    }
  }
}

/** Read from the store as the client takes it: one chunk is made while another is on its way, no more. */
async function streamed(chunks: AsyncGenerator<string>): Promise<Readable> {
  // A store that is away is an error, and no broken answer.
  const first = await chunks.next();
  async function* all() {
    if (first.done !== true) yield first.value;
    yield* chunks;
  }
  return Readable.from(all(), { objectMode: true, highWaterMark: 1 });
}

function isFor(principal: Principal, line: AuditLine): boolean {
  if (principal.rooms === null) return true;
  return line.kind === "request" && line.room !== null && principal.isFor(line.room);
}

function isWanted(line: AuditLine, { room, principal, route, result, from, to }: Filters): boolean {
  const atMs = Date.parse(line.at);
  if ((from !== undefined && atMs < from) || (to !== undefined && atMs > to)) return false;
  const isFiltered = [room, principal, route, result].some((filter) => filter !== undefined);
  if (line.kind !== "request") return !isFiltered;
  if (room !== undefined && line.room !== room) return false;
  if (principal !== undefined && line.principal?.id !== principal) return false;
  if (route !== undefined && !line.route.endsWith(route)) return false;
  return result === undefined || result === resultOf(line);
}

function resultOf({ status, error }: RequestLine): "done" | "refused" | "failed" {
  if (error === null) return "done";
  return status >= 500 ? "failed" : "refused";
}

function rowJson(row: AuditRow): RowJson {
  return { ...(readAuditRow(row) as Omit<RowJson, "hash">), hash: row.hash } as RowJson;
}
