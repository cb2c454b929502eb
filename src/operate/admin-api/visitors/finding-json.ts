/** What was found out about a visitor, on the wire. */
import { z } from "zod";
import { formatTime } from "../../../config/index.ts";
import { type Finding, type Reason, visitorStates, type WaitingRoom } from "../../../room/index.ts";
import { placeAnswer } from "../../../web/visitor/answers.ts";
import { placeStatusJson } from "../../../web/visitor/place-status-json.ts";
import { snakeCase, timeOrNone, timeOrNull, timeText } from "../bodies.ts";
import { admission, admissionJson } from "../rooms/admissions.ts";
import { availability } from "../rooms/room-json.ts";
import { sentenceOf } from "./sentences.ts";

const state = z.enum(visitorStates);

export const visitorAnswer = z
  .object({
    room: z.string(),
    /** Of the room, as of `updated_at`. */
    edition: z.int(),
    state,
    may_also_be: z.array(state),
    why: z.object({
      code: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      text: z.string(),
    }),
    sub: z.string().nullable(),
    place: placeAnswer.nullable(),
    place_edition: z.int().nullable(),
    admission: admission.nullable(),
    history: z.array(
      z.object({
        event: z.enum(["arrived", "joined", "served", "expired", "moved", "admitted", "ended"]),
        at: timeOrNone,
        is_exact: z.boolean(),
        detail: z.string().nullable(),
      }),
    ),
    availability,
    updated_at: timeText,
    age_seconds: z.int(),
  })
  .meta({ id: "Visitor" });

/** @param room of which a state is known */
export function findingJson(room: WaitingRoom, finding: Finding): z.output<typeof visitorAnswer> {
  const { reason, place, history } = finding;
  return {
    room: room.id,
    edition: room.state?.edition ?? 0,
    state: finding.state,
    may_also_be: [...finding.mayAlsoBe],
    why: { code: reason.code, values: valuesOf(reason), text: sentenceOf(reason) },
    sub: finding.sub,
    place: place && placeStatusJson(place),
    place_edition: finding.edition,
    admission: finding.admission && admissionJson(finding.admission),
    history: history.map(({ event, atMs, isExact, detail }) => ({
      event,
      at: timeOrNull(atMs),
      is_exact: isExact,
      detail,
    })),
    availability: room.availability,
    updated_at: formatTime(room.refreshedMs),
    age_seconds: Math.max(0, Math.floor((room.clock.now() - room.refreshedMs) / 1_000)),
  };
}

function valuesOf({ code: _, ...values }: Reason): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (name.endsWith("Ms")) return [snakeCase(name.slice(0, -2)), timeOrNull(Number(value ?? 0) || null)];
      return [snakeCase(name.replace(/Sec$/, "Seconds")), value];
    }),
  );
}
