import type { EventEmitter } from "node:events";
import { settingsDifferences } from "../../config/index.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import type { RoomEvents, WaitingRooms } from "../../room/index.ts";
import { adaptiveJson } from "../admin-api/rooms/room-json.ts";
import { scheduleWarnings } from "../admin-api/rooms/schedule-warnings.ts";
import { type LoggedProvider, logProviderEvents } from "./log-provider-events.ts";

/** Writes what happens in the rooms and at the providers as JSON lines. Never a ticket, code, token or cookie. */
export function logEvents(rooms: WaitingRooms, providers: readonly LoggedProvider[], logger: Logger): void {
  logRoomEvents(rooms.events, logger);
  for (const provider of providers) logProviderEvents(provider, logger);
}

/** What is logged as it is: how, and with which words for an operator. */
export const plainEvents: {
  readonly [Event in keyof RoomEvents]?: readonly [level: "debug" | "info" | "warn" | "error", message?: string];
} = {
  "tickets.joined": ["debug"],
  "bypass.created": ["info"],
  "bypass.used": ["info"],
  "admission.ended": ["info"],
  "admission.away": ["info"],
  "claim.refused": ["debug"],
  "place.left": ["info"],
  "place.moved": ["info"],
  "admission.renewed": ["debug"],
  "join.refused": ["debug"],
  "join.checked": ["debug"],
  "visitor.sign_in": ["debug"],
  "visitor.device": ["debug"],
  "check.provider_failed": [
    "error",
    "visitors of rooms with this challenge are treated as when_away of their check says",
  ],
  "joins.limited": [
    "warn",
    "visitors have to retry, since too many joined from one address (joins_per_address); where many come through a proxy, it must be in listen.trusted_proxies",
  ],
  "visitor.looked_up": ["info"],
  "room.phase_changed": ["info"],
  "room.settings_changed": ["info"],
  "room.recovering": ["warn", "the store does not know the room; gathering what processes remember"],
  "room.recovered": ["warn"],
  "room.recovery_over": ["info"],
  "store.back": ["warn"],
  "draw.key_unknown": [
    "error",
    "the draw was committed to with a draw key that this process does not have; where no process has it, let everybody in (passthrough) or reset the room",
  ],
};

function logRoomEvents(events: EventEmitter<RoomEvents>, logger: Logger): void {
  for (const [event, [level, message]] of Object.entries(plainEvents)) {
    events.on(event as keyof RoomEvents, (fields: object) => logger[level]({ event, ...fields }, message));
  }
  const mayTell = createAllowance(refusedPerMinute);
  events.on("join.network_refused", ({ request, ...fields }) => {
    logger[mayTell() ? "info" : "debug"]({ event: "join.network_refused", ...fields, request_id: request });
  });
  events.on("admission.granted", ({ isNew, isLogin: _, position: place, ...others }) => {
    const fields = { position: place === 0 ? null : place, ...others };
    if (isNew) logger.info({ event: "admission.granted", ...fields });
    else logger.debug({ event: "admission.used", ...fields });
  });
  events.on("backchannel_logout.sent", ({ client, ...fields }) =>
    logger.debug({ event: "backchannel_logout.sent", client_id: client, ...fields }),
  );
  events.on("backchannel_logout.failed", ({ client, isOver, ...fields }) => {
    const message = `the site ${isOver ? "was not notified" : "is notified later"} that the admission has ended`;
    logger.warn({ event: "backchannel_logout.failed", client_id: client, ...fields }, message);
  });
  events.on("inlet.adapted", ({ room, before, adaptive }) =>
    logger.info({ event: "inlet.adapted", room, before, ...adaptiveJson({ adaptive }) }),
  );
  events.on("draw.changed", ({ draw, ...fields }) =>
    logger.info({ event: "draw.changed", ...fields, ...drawFields(draw) }),
  );
  events.on("room.admin_step", ({ detail, ...fields }) =>
    // A shop tells its stock every few seconds.
    logger[fields.step === "stock" ? "debug" : "info"]({ event: "room.admin_step", ...fields, ...detail }),
  );
  events.on("room.sold_out", ({ isSoldOut, ...fields }) => {
    if (isSoldOut) logger.info({ event: "room.sold_out", ...fields });
    else logger.info({ event: "room.sold_out_ended", ...fields });
  });
  events.on("room.recovered", ({ room, phase }) => {
    if (phase !== "paused") return;
    logger.warn({ event: "room.recovered_paused", room }, "check the room, then resume it by the admin API");
  });
  events.on("store.away", ({ room, error }) => {
    const reason = error instanceof StoreUnavailableError ? error.reason : "the store does not answer";
    logger.error({ event: "store.away", room, ...describeOutage(error) }, `${reason}; nobody joins or enters`);
  });
  events.on("settings.live", ({ room, settings }) => {
    const differences = settingsDifferences(settings.file, settings.effective);
    if (Object.keys(differences).length === 0) return;
    logger.info(
      { event: "settings.live", room, differences },
      "live changes of this room are in force over the values of the configuration file; null in a PATCH gives one back",
    );
  });
  events.on("settings.drift", ({ room, isDrifting, configured, stored }) => {
    if (!isDrifting) return logger.info({ event: "settings.agree", room });
    logger.warn(
      { event: "settings.drift", room, differences: settingsDifferences(configured, stored) },
      "the settings of this room in this process's file differ from those in the store, which are in force",
    );
  });
  events.on("log.sealed", (fields) => logger.info({ event: "admissions.sealed", ...fields }));
  events.on("room.failed", ({ room, error }) =>
    logger.error(
      { event: "room.failed", room, err: error },
      "the room could not be kept moving; tried again in a second",
    ),
  );
}

/** A refused network may send any number of requests: beyond so many lines a minute they are for debugging. */
const refusedPerMinute = 120;

/** Answers true so many times a minute. */
function createAllowance(perMinute: number): () => boolean {
  let [sinceMs, used] = [0, 0];
  return () => {
    const nowMs = performance.now();
    if (nowMs - sinceMs >= 60_000) [sinceMs, used] = [nowMs, 0];
    used++;
    return used <= perMinute;
  };
}

/** The commitment and the outcome of a draw: a second witness beside the pages. */
function drawFields(draw: RoomEvents["draw.changed"][0]["draw"]) {
  const { id, stage, commitment, keyId, chain, first, last, seed, beacon, usesBeacon } = draw;
  return {
    draw: id,
    stage,
    commitment,
    key: keyId,
    ...(usesBeacon && chain !== null && { chain: chain.hash }),
    ...(first > 0 && { first }),
    ...(last > 0 && { last }),
    ...(seed !== "" && { seed, beacon: beacon ?? (usesBeacon ? "fallback" : "none") }),
  };
}

/**
 * At start: a schedule that was added to the file of a room that is open already, say, does nothing. Rooms whose state
 * this process has not synced yet are left out.
 */
export function logScheduleWarnings(rooms: WaitingRooms, logger: Logger): void {
  for (const { id, state } of rooms.all) {
    const warnings = state === null ? [] : scheduleWarnings(state, state.settings.effective.schedule);
    for (const warning of warnings) logger.warn({ event: "config.warning", room: id }, warning);
  }
}

/** What the store's client says when there is nobody to talk to, or no answer in time. */
const silence = /^(Connection is closed|Command timed out|Stream isn't writeable|Reached the max retries|Not sent:)/;

/** An outage that the network or the store explains needs no stack. */
function describeOutage(error: unknown): object {
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  if (!(cause instanceof Error)) return { err: error };
  if ("code" in cause) return { error: cause.message, code: cause.code };
  return cause.name === "ReplyError" || silence.test(cause.message) ? { error: cause.message } : { err: error };
}
