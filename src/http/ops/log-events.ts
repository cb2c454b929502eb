import type { EventEmitter } from "node:events";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import type { RoomEvents, WaitingRooms } from "../../room/index.ts";
import { adaptiveJson } from "../admin/room-json.ts";
import { scheduleWarnings } from "../admin/schedule-warnings.ts";
import { type LoggedProvider, logProviderEvents } from "./log-provider-events.ts";
import { settingsDifferences } from "./settings-differences.ts";

/** Writes what happens in the rooms and at the providers as JSON lines. Never a ticket, code, token or cookie. */
export function logEvents(rooms: WaitingRooms, providers: readonly LoggedProvider[], logger: Logger): void {
  logRoomEvents(rooms.events, logger);
  for (const provider of providers) logProviderEvents(provider, logger);
}

function logRoomEvents(events: EventEmitter<RoomEvents>, logger: Logger): void {
  events.on("tickets.joined", (fields) => logger.debug({ event: "tickets.joined", ...fields }));
  events.on("admission.granted", ({ isNew, isLogin: _, position: place, ...others }) => {
    const fields = { position: place === 0 ? null : place, ...others };
    if (isNew) logger.info({ event: "admission.granted", ...fields });
    else logger.debug({ event: "admission.used", ...fields });
  });
  events.on("bypass.created", (fields) => logger.info({ event: "bypass.created", ...fields }));
  events.on("bypass.used", (fields) => logger.info({ event: "bypass.used", ...fields }));
  events.on("admission.ended", (fields) => logger.info({ event: "admission.ended", ...fields }));
  events.on("backchannel_logout.sent", ({ client, ...fields }) =>
    logger.debug({ event: "backchannel_logout.sent", client_id: client, ...fields }),
  );
  events.on("backchannel_logout.failed", ({ client, isOver, ...fields }) =>
    logger.warn(
      { event: "backchannel_logout.failed", client_id: client, ...fields },
      isOver
        ? "the site was not notified that the admission has ended"
        : "the site is notified later that the admission has ended",
    ),
  );
  events.on("claim.refused", (fields) => logger.debug({ event: "claim.refused", ...fields }));
  events.on("place.left", (fields) => logger.info({ event: "place.left", ...fields }));
  events.on("place.moved", (fields) => logger.info({ event: "place.moved", ...fields }));
  events.on("admission.renewed", (fields) => logger.debug({ event: "admission.renewed", ...fields }));
  events.on("join.refused", (fields) => logger.debug({ event: "join.refused", ...fields }));
  events.on("joins.limited", (fields) =>
    logger.warn(
      { event: "joins.limited", ...fields },
      "visitors have to retry, since too many joined from one address (joins_per_address); where many come through a proxy, it must be in listen.trusted_proxies",
    ),
  );
  events.on("room.phase_changed", (fields) => logger.info({ event: "room.phase_changed", ...fields }));
  events.on("inlet.adapted", ({ room, before, adaptive }) =>
    logger.info({ event: "inlet.adapted", room, before, ...adaptiveJson({ adaptive }) }),
  );
  logDrawEvents(events, logger);
  events.on("room.admin_step", ({ detail, ...fields }) =>
    logger.info({ event: "room.admin_step", ...fields, ...detail }),
  );
  events.on("room.settings_changed", (fields) => logger.info({ event: "room.settings_changed", ...fields }));
  events.on("room.recovering", (fields) =>
    logger.warn(
      { event: "room.recovering", ...fields },
      "the store does not know the room; gathering what processes remember",
    ),
  );
  events.on("room.recovered", (fields) => {
    logger.warn({ event: "room.recovered", ...fields });
    if (fields.phase === "paused") {
      logger.warn(
        { event: "room.recovered_paused", room: fields.room },
        "check the room, then resume it by the admin API",
      );
    }
  });
  events.on("store.away", ({ room, error }) =>
    logger.error(
      { event: "store.away", room, ...describeOutage(error) },
      `${error instanceof StoreUnavailableError ? error.reason : "the store does not answer"}; nobody joins or enters`,
    ),
  );
  events.on("room.recovery_over", (fields) => logger.info({ event: "room.recovery_over", ...fields }));
  events.on("store.back", (fields) => logger.warn({ event: "store.back", ...fields }));
  events.on("settings.live", ({ room, settings }) => {
    const differences = settingsDifferences(settings.file, settings.effective);
    if (Object.keys(differences).length === 0) return;
    logger.info(
      { event: "settings.live", room, differences },
      "live changes of this room are in force over the values of the configuration file; null in a PATCH gives one back",
    );
  });
  events.on("settings.drift", ({ room, isDrifting, own, stored }) => {
    if (isDrifting) {
      logger.warn(
        { event: "settings.drift", room, differences: settingsDifferences(own, stored) },
        "the settings of this room in this process's file differ from those in the store, which are in force",
      );
    } else logger.info({ event: "settings.agree", room });
  });
  events.on("log.sealed", (fields) => logger.info({ event: "admissions.sealed", ...fields }));
  events.on("room.failed", ({ room, error }) =>
    logger.error(
      { event: "room.failed", room, err: error },
      "the room could not be kept moving; tried again in a second",
    ),
  );
}

/** Logs commitments and outcomes of draws: a second witness beside the pages. */
function logDrawEvents(events: EventEmitter<RoomEvents>, logger: Logger): void {
  events.on(
    "draw.changed",
    ({ room, edition, draw: { id, stage, commitment, keyId, chain, first, last, seed, beacon, usesBeacon } }) =>
      logger.info({
        event: "draw.changed",
        room,
        edition,
        draw: id,
        stage,
        commitment,
        key: keyId,
        ...(usesBeacon && chain !== null && { chain: chain.hash }),
        ...(first > 0 && { first }),
        ...(last > 0 && { last }),
        ...(seed !== "" && { seed, beacon: beacon ?? (usesBeacon ? "fallback" : "none") }),
      }),
  );
  events.on("draw.key_unknown", (fields) =>
    logger.error(
      { event: "draw.key_unknown", ...fields },
      "the draw was committed to with a draw key that this process does not have; where no process has it, let everybody in (passthrough) or reset the room",
    ),
  );
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
const silence = /^(Connection is closed|Command timed out|Stream isn't writeable|Reached the max retries)/;

/** An outage that the network or the store explains needs no stack. */
function describeOutage(error: unknown): object {
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  if (!(cause instanceof Error)) return { err: error };
  if ("code" in cause) return { error: cause.message, code: cause.code };
  return cause.name === "ReplyError" || silence.test(cause.message) ? { error: cause.message } : { err: error };
}
