/** The admin API's routes for a room's admissions, live and ended, and for its admission log. */
import { Readable } from "node:stream";
import { z } from "zod";
import { formatTime, oneOf } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { type Admission, admissionStatuses, type WaitingRoom } from "../../../room/index.ts";
import type { AdminRoute, RoutesAbout } from "../admin-router.ts";
import { nextCursor, object, opaqueCursor, pageSize, queryNumber, timeText, wrongCursor } from "../bodies.ts";
import { ends } from "./step-bodies.ts";

/** The store looks at a thousand each time. */
const asksMax = 10;

export const admissionBody = object({ status: oneOf("status", ends) });

const listQuery = object({
  status: oneOf("status", admissionStatuses).optional(),
  edition: queryNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  limit: pageSize,
  cursor: opaqueCursor,
});
const logQuery = object({ from: queryNumber(0, Number.MAX_SAFE_INTEGER).default(0) });

export const admittedVia = z.enum(["queue", "bypass", "passthrough", "idle", "ended"]);
export const admission = z
  .object({
    sub: z.string(),
    status: z.enum(admissionStatuses),
    queue_position: z.int().nullable(),
    admitted_via: admittedVia,
    edition: z.int(),
    admitted_at: timeText,
    expires_at: timeText,
    visit_by: timeText.nullable(),
    logins: z.int(),
    addresses: z.int().nullable(),
  })
  .meta({ id: "Admission" });
const admissionPage = z.object({ edition: z.int(), admissions: z.array(admission), next_cursor: nextCursor });
const logHead = z
  .object({
    first: z.int().nullable(),
    last: z.int(),
    rows: z.int(),
    sealed: z.object({ seq: z.int(), hash: z.string() }).nullable(),
  })
  .meta({ id: "LogHead" });
const tag = "Admissions";

export function admissionRoutes(route: RoutesAbout<WaitingRoom>): AdminRoute[] {
  return [
    route(
      "GET",
      "/admissions",
      { summary: "Lists admissions, live and ended.", tag, role: "viewer", query: listQuery, answers: admissionPage },
      ({ subject: room, query }) => listAdmissions(room, query),
    ),
    route(
      "GET",
      "/admissions/:sub",
      { summary: "Shows a visitor's admission.", tag, role: "viewer", answers: admission },
      async ({ subject: room, ctx }) => onRecord(await room.admissions.find(String(ctx.params.sub))),
    ),
    route(
      "PATCH",
      "/admissions/:sub",
      { summary: "Ends a visitor's admission.", tag, role: "operator", body: admissionBody, answers: admission },
      async ({ subject: room, ctx, body }) => onRecord(await room.admissions.end(String(ctx.params.sub), body.status)),
    ),
    route(
      "GET",
      "/log",
      {
        summary: "Exports the admission log: the base line, then the rows that are kept, oldest first, from `from` on.",
        tag,
        role: "viewer",
        query: logQuery,
        type: "application/x-ndjson",
        answers: z.instanceof(Readable),
      },
      async ({ subject: room, query }) => {
        const chunks = await room.log.lines(query.from);
        // Read from the store as the client takes it: one chunk is made while another is on its way, no more.
        return Readable.from(chunks, { objectMode: true, highWaterMark: 1 });
      },
    ),
    route(
      "GET",
      "/log/head",
      {
        summary: "Tells the oldest and the last row of the admission log, and the last one whose hash is stored.",
        tag,
        role: "viewer",
        answers: logHead,
      },
      ({ subject: room }) => room.log.extent(),
    ),
  ];
}

/**
 * A page of the admissions on record: those of the edition that the query names, else those of the present one and then all
 * others, each by order of their last change. Where few of many are wanted, a page may be short and not the last.
 *
 * @throws UsherError `bad_request`, `store_unavailable`
 */
async function listAdmissions(room: WaitingRoom, query: z.output<typeof listQuery>) {
  const { status, edition: named, limit } = query;
  if (room.state === null) await room.refresh();
  const present = room.state?.edition ?? 0;
  const admissions: Admission[] = [];
  let place: Place | null = readCursor(query.cursor, named) ?? { id: named ?? present, isOthers: false, after: 0 };
  for (let asks = 0; place !== null && admissions.length < limit && asks < asksMax; asks++) {
    const { after, ...edition }: Place = place;
    const page = await room.admissions.list(after, limit - admissions.length, { status, edition });
    admissions.push(...page.admissions);
    if (page.cursor !== null) place = { ...edition, after: page.cursor };
    else place = edition.isOthers || named !== undefined ? null : { ...edition, isOthers: true, after: 0 };
  }
  return { edition: present, admissions: admissions.map(admissionJson), next_cursor: place && writeCursor(place) };
}

/** Where a page begins: among the admissions of one edition or of all others, after which change. */
interface Place {
  readonly id: number;
  readonly isOthers: boolean;
  readonly after: number;
}

function writeCursor({ id, isOthers, after }: Place): string {
  return `${isOthers ? "not-" : ""}${id}-${after}`;
}

/** @param named the only edition that is asked for @throws UsherError `bad_request` */
function readCursor(cursor: unknown, named: number | undefined): Place | null {
  if (cursor === undefined) return null;
  const [, not, edition, after] = /^(not-)?(\d{1,15})-(\d{1,16})$/.exec(String(cursor)) ?? [];
  const place = { id: Number(edition), isOthers: not !== undefined, after: Number(after) };
  const fits = named === undefined || (named === place.id && !place.isOthers);
  if (edition !== undefined && fits) return place;
  throw wrongCursor();
}

/** @throws UsherError `not_found` where there is none */
function onRecord(admission: Admission | null) {
  if (admission === null) throw new UsherError("not_found", "this visitor has no admission");
  return admissionJson(admission);
}

export function admissionJson(admission: Admission) {
  return {
    sub: admission.sub,
    status: admission.ended ?? ("live" as const),
    queue_position: admission.position === 0 ? null : admission.position,
    admitted_via: admission.via,
    edition: admission.edition,
    admitted_at: formatTime(admission.admittedMs),
    expires_at: formatTime(admission.expiresMs),
    visit_by: admission.visitByMs === undefined ? null : formatTime(admission.visitByMs),
    logins: admission.logins.length,
    // Known of none: this machine's own, and those behind a proxy that names nobody, are not counted.
    addresses: admission.addresses?.length ?? null,
  };
}
