import type { Context } from "koa";
import { formatTime, oneOf, wholeNumber } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import { type Admission, admissionStatuses, type WaitingRoom } from "../../room/index.ts";
import { badRequest, object, validate } from "./bodies.ts";
import { readLimit } from "./page.ts";

/** The store looks at a thousand each time. */
const asksMax = 10;

const listQuery = object({
  status: oneOf("status", admissionStatuses).optional(),
  edition: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

/**
 * A page of the admissions on record: those of the edition that the query names, else those of the present one and then all
 * others, each by order of their last change. Where few of many are wanted, a page may be short and not the last.
 *
 * @throws UsherError `bad_request`, `store_unavailable`
 */
export async function listAdmissions(ctx: Context, room: WaitingRoom) {
  const limit = readLimit(ctx);
  const { status, edition: named } = validate(listQuery, {
    status: ctx.query.status,
    edition: numberOrText(ctx.query.edition),
  });
  if (room.state === null) await room.refresh();
  const present = room.state?.edition ?? 0;
  const admissions: Admission[] = [];
  let place: Place | null = readCursor(ctx.query.cursor, named) ?? beginning(named ?? present);
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

function beginning(id: number): Place {
  return { id, isOthers: false, after: 0 };
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
  throw badRequest([{ path: ["cursor"], message: "expected the next_cursor of the page before" }]);
}

function numberOrText(value: unknown): unknown {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}

/** @throws UsherError `not_found` */
export function requireAdmission(admission: Admission | null): Admission {
  if (admission !== null) return admission;
  throw new UsherError("not_found", "this visitor has no admission", { status: 404 });
}

export function admissionJson(admission: Admission) {
  return {
    sub: admission.sub,
    status: admission.ended ?? "live",
    queue_position: admission.position === 0 ? null : admission.position,
    admitted_via: admission.via,
    edition: admission.edition,
    admitted_at: formatTime(admission.admittedMs),
    expires_at: formatTime(admission.expiresMs),
    logins: admission.logins.length,
    // Known of none: this machine's own, and those behind a proxy that names nobody, are not counted.
    addresses: admission.addresses?.length ?? null,
  };
}
