/** What operators and the site's programs do to a room. */
import { z } from "zod";
import { FOUR_EYES_STEPS, unknownWord, wholeNumber } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { BypassLinks, WaitingRoom, WaitingRooms } from "../../../room/index.ts";
import type { RoomSitesOf } from "../../../web/room-sites.ts";
import type { AdminRequest, AdminRoute, RoutesAbout } from "../admin-router.ts";
import { carryOut, type StepRules } from "../audit/carry-out.ts";
import { emptyBody, exactTime, object, onlyErrors } from "../bodies.ts";
import { newBypassLink } from "./bypass-link.ts";
import { adaptiveJson } from "./room-json.ts";
import {
  alarmBody,
  bypassAnswer,
  bypassBody,
  ends,
  incrementBody,
  lineFigures,
  loadAnswer,
  loadBody,
  reportAnswer,
  reportBody,
  reportLengthMax,
  stepAnswer,
} from "./step-bodies.ts";

/** Admissions that are ended at the same time. */
const concurrencyMax = 32;

/** Steps without a body, by the last word of their address. */
const plainSteps = {
  pause: { step: { step: "pause" }, summary: "Stops the line; paused time costs nobody anything." },
  resume: { step: { step: "resume" }, summary: "Lets a paused line go on." },
  reset: { step: { step: "reset" }, summary: "Starts a new line; all places are void." },
  open: { step: { step: "phase", phase: "open" }, summary: "Opens the room: the line moves." },
  end: { step: { step: "phase", phase: "ended" }, summary: "Ends the room: nobody joins or enters any more." },
  prequeue: { step: { step: "phase", phase: "prequeue" }, summary: "Lets visitors join before the opening." },
  idle: { step: { step: "phase", phase: "idle" }, summary: "Puts the room into the phase before its line begins." },
  passthrough: { step: { step: "phase", phase: "passthrough" }, summary: "Lets everybody in without a line." },
} as const;

const isDangerous = (name: string) => FOUR_EYES_STEPS.some((candidate) => candidate === name);

const tag = "Line";

type OnRoom<Body> = AdminRequest<WaitingRoom, unknown, Body>;

export interface RoomStepsOptions extends StepRules {
  readonly rooms: WaitingRooms;
  /** The issuer that a room is of, with what its bypass links are made of. */
  readonly issuerOf: (room: string) => {
    readonly issuer: string;
    readonly bypassLinks: BypassLinks;
    readonly sitesOf: RoomSitesOf;
  };
}

/** The routes below a room that POST. */
export function roomStepRoutes(route: RoutesAbout<WaitingRoom>, options: RoomStepsOptions): AdminRoute[] {
  const role = "operator";
  const steps = [
    ...Object.entries(plainSteps).map(([name, { step, summary }]) =>
      route(
        "POST",
        `/${name}`,
        {
          summary,
          tag,
          role,
          body: emptyBody,
          isRepeatable: true,
          answers: stepAnswer,
          errors: isDangerous(name)
            ? ["confirmation_required", "approval_required", "conflict", "too_many_requests"]
            : [],
        },
        (request) => carryOut(request, step, options),
      ),
    ),
    route(
      "POST",
      "/serving",
      {
        summary: "Lets so many more in; a negative number takes back calls of visitors who have not entered yet.",
        tag,
        role,
        body: incrementBody,
        isRepeatable: true,
        answers: z.object(lineFigures),
      },
      async (request) => {
        const step = { step: "increment", by: request.body.increment_by } as const;
        const { serving, queued, waiting } = await carryOut(request, step, options);
        return { serving, queued, waiting };
      },
    ),
    route(
      "POST",
      "/alarm",
      {
        summary: "Holds the line for a monitor of yours, or lets it go on.",
        tag,
        role,
        body: alarmBody,
        isRepeatable: true,
        answers: stepAnswer,
      },
      (request) => carryOut(request, { step: "alarm", isSet: request.body.set }, options),
    ),
    route(
      "POST",
      "/bypass",
      {
        summary: "Makes a link that lets one person in ahead of the line, once, within three minutes.",
        tag,
        role: "box_office",
        body: bypassBody,
        status: 201,
        answers: bypassAnswer,
        errors: ["unknown_target"],
      },
      (request) => makeBypass(request, options),
    ),
    route(
      "POST",
      "/load",
      {
        summary: "Takes the site's latency, errors or signal, for an adaptive inlet.",
        tag,
        role,
        body: loadBody,
        answers: loadAnswer,
        errors: ["conflict"],
      },
      takeLoad,
    ),
    route(
      "POST",
      "/report",
      {
        summary: "Ends the admissions of many visitors who are done, and counts those who left unnamed.",
        tag,
        role,
        body: reportBody,
        bodyMax: reportLengthMax,
        isRepeatable: true,
        answers: reportAnswer,
      },
      (request) => carryOutReport(request, options),
    ),
  ];
  const names = steps.map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
  const ofUnknown = { summary: "Says which steps there are.", tag, role: "box_office", answers: onlyErrors } as const;
  const unknownStep = route("POST", "/:step", ofUnknown, ({ ctx }) => {
    throw new UsherError("not_found", unknownWord("step", ctx.params.step, names));
  });
  return [...steps, unknownStep];
}

/**
 * Makes a link that lets its first user in ahead of the line. Each call makes another link: one whose answer was lost lapses unused.
 *
 * @throws UsherError `unknown_target`, `store_unavailable`
 */
function makeBypass(
  { subject: room, body, principal, notes }: OnRoom<z.infer<typeof bypassBody>>,
  { rooms, issuerOf }: RoomStepsOptions,
) {
  const { note = null, target_link_uri: target = null } = body;
  const { sitesOf } = issuerOf(room.id);
  if (target !== null && sitesOf(room.id).continueTo(target) === null) {
    const expected = "an address that is among the target_link_uris of a client of this room, or the room's targets";
    throw new UsherError("unknown_target", `target_link_uri: expected ${expected}`);
  }
  const { url, link, expires_at } = newBypassLink(room, issuerOf(room.id), target);
  notes.subject = { link };
  rooms.events.emit("bypass.created", { room: room.id, link, admin: principal.id, note, expires_at });
  return { url, expires_at, room: room.id, link, note, target_link_uri: target };
}

/**
 * Takes a site's report of its load, and answers the inlet's state with all reports so far. Safe to repeat: another sample
 * of the same value moves no median, and a signal that is given counts once.
 *
 * @throws UsherError `conflict` where the room's inlet is not `adaptive`: nothing would come of the report
 */
async function takeLoad({ subject: room, body, principal, notes }: OnRoom<z.infer<typeof loadBody>>) {
  const { latency_ms: latencyMs = null, error_rate: errorRate = null, signal = null } = body;
  notes.isRoutine = signal === null;
  if (room.state === null) await room.refresh();
  const type = room.state?.settings.effective.inlet.type;
  if (type !== undefined && type !== "adaptive") {
    const message = `the inlet of this room is ${type}: only adaptive goes by the load of the site`;
    throw new UsherError("conflict", message);
  }
  await room.operations.reportLoad({ latencyMs, errorRate, signal }, principal.id);
  const { state } = room;
  return {
    phase: state?.phase ?? null,
    phase_reason: state?.phaseReason ?? null,
    adaptive: state === null ? null : adaptiveJson(state),
  };
}

/**
 * Applies a site's report of visitors who are done. Safe to repeat: an ended admission keeps its end, and exits without
 * a `sub` are counted once for each Idempotency-Key. Answers how many of those were counted (no more than were live), how
 * many admissions on record have ended in each way, at any time, and which have no record.
 */
async function carryOutReport(request: OnRoom<z.infer<typeof reportBody>>, rules: StepRules) {
  const { subject: room, body: report } = request;
  // First, since it alone may be refused: an Idempotency-Key of another request.
  const { exited = 0 } =
    report.exited === undefined ? {} : await carryOut(request, { step: "exited", count: report.exited }, rules);
  const counts = { completed: 0, abandoned: 0, revoked: 0 };
  const unknown: string[] = [];
  const named = ends.flatMap((end) => [...new Set(report[end])].map((sub) => ({ sub, end }))).values();
  const endNamed = async () => {
    // All take from one iterator.
    for (const { sub, end } of named) {
      const admission = await room.admissions.end(sub, end);
      if (admission === null) unknown.push(sub);
      else if (admission.ended === end) counts[end]++;
    }
  };
  await Promise.all(Array.from({ length: concurrencyMax }, endNamed));
  // Should the store be away since, the number of the live is a little old.
  await room.catchUp();
  return { exited, ...counts, unknown, live_admissions: room.state?.liveAdmissions ?? null };
}

const remainingMax = 1_000_000_000;

const stockBody = object({
  remaining: wholeNumber(0, remainingMax).nullable(),
  as_of: exactTime.optional(),
});
const stockAnswer = stepAnswer.omit({ exited: true }).extend({ remaining: z.int().nullable() });

export function stockRoutes(route: RoutesAbout<WaitingRoom>, rules: StepRules): AdminRoute[] {
  return [
    route(
      "PUT",
      "/stock",
      {
        summary: "Says how many are left to sell: at 0 the room is sold out; null takes the number away.",
        tag: "Line",
        role: "box_office",
        body: stockBody,
        isRepeatable: true,
        answers: stockAnswer,
      },
      async (request) => {
        const { remaining, as_of: asOfMs = null } = request.body;
        const { remaining: left = null, ...step } = await carryOut(
          request,
          { step: "stock", remaining, asOfMs },
          rules,
        );
        const { notes } = request;
        // A shop says it every few seconds: what counts is when it begins, and when everything is sold.
        notes.isRoutine = notes.changes.every(
          ({ member, from, to }) => member === "/stock" && from !== null && to !== null,
        );
        return { ...step, remaining: left };
      },
    ),
  ];
}
