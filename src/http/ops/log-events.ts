import type { EventEmitter } from "node:events";
import type { Logger } from "../../lib/logger.ts";
import type { WaitingRooms } from "../../waiting-room/index.ts";
import { settingsDifferences } from "./settings-differences.ts";

/** Writes what happens in the rooms and at the provider as JSON lines. Never a ticket, code, token or cookie. */
export function logEvents(rooms: WaitingRooms, provider: EventEmitter, logger: Logger): void {
  const { events } = rooms;
  events.on("tickets.joined", (fields) => logger.debug({ event: "tickets.joined", ...fields }));
  events.on("admission.granted", ({ isNew, isLogin: _, ...fields }) => {
    if (isNew) logger.info({ event: "admission.granted", ...fields });
    else logger.debug({ event: "admission.used", ...fields });
  });
  events.on("admission.ended", (fields) => logger.info({ event: "admission.ended", ...fields }));
  events.on("claim.refused", (fields) => logger.debug({ event: "claim.refused", ...fields }));
  events.on("place.left", (fields) => logger.info({ event: "place.left", ...fields }));
  events.on("admission.renewed", (fields) => logger.debug({ event: "admission.renewed", ...fields }));
  events.on("join.refused", (fields) => logger.debug({ event: "join.refused", ...fields }));
  events.on("room.phase_changed", (fields) => logger.info({ event: "room.phase_changed", ...fields }));
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
    logger.error({ event: "store.away", room, err: error }, "the store does not answer; nobody joins or enters"),
  );
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
  events.on("room.failed", ({ room, error }) => logger.error({ event: "room.failed", room, err: error }));
  provider.on("server_error", (_ctx: unknown, error: unknown) =>
    logger.error({ event: "oidc.server_error", err: error }),
  );
  provider.on("grant.error", (_ctx: unknown, error: { error?: string; error_description?: string }) =>
    logger.info({ event: "oidc.token_refused", error: error.error, description: error.error_description }),
  );
  provider.on("authorization.error", (_ctx: unknown, error: { error?: string; error_description?: string }) =>
    logger.info({ event: "oidc.authorization_refused", error: error.error, description: error.error_description }),
  );
}
