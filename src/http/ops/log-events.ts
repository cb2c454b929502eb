import type { EventEmitter } from "node:events";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { shownText } from "../../lib/shown-text.ts";
import type { ClientDirectory } from "../../registry/index.ts";
import type { WaitingRooms } from "../../room/index.ts";
import { adaptiveJson } from "../admin/adaptive-json.ts";
import { describeNearest, describeWrongSecret } from "./client-faults.ts";
import { logDrawEvents } from "./log-draw-events.ts";
import { settingsDifferences } from "./settings-differences.ts";

export interface LoggedProvider {
  readonly events: EventEmitter;
  readonly clients: Pick<ClientDirectory, "secretsOf">;
}

/** Writes what happens in the rooms and at the providers as JSON lines. Never a ticket, code, token or cookie. */
export function logEvents(rooms: WaitingRooms, providers: readonly LoggedProvider[], logger: Logger): void {
  logRoomEvents(rooms, logger);
  for (const provider of providers) logProviderEvents(provider, logger);
}

function logRoomEvents(rooms: WaitingRooms, logger: Logger): void {
  const { events } = rooms;
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

function logProviderEvents({ events: provider, clients }: LoggedProvider, logger: Logger): void {
  provider.on("server_error", (_ctx: unknown, error: unknown) => {
    const fields = { event: "oidc.server_error", err: error };
    // Told once for all by `store.away`.
    if (error instanceof StoreUnavailableError) logger.debug(fields, error.reason);
    else logger.error(fields, "a request of OpenID Connect failed");
  });
  const logToken = (ctx: ProviderContext, error: ProviderError) =>
    logger.warn({ event: "oidc.token_refused", ...describeRefusal(ctx, error) }, adviceFor(ctx, error, clients));
  for (const name of ["grant.error", "introspection.error", "revocation.error"]) provider.on(name, logToken);
  const logAuthorization = (ctx: ProviderContext, error: ProviderError) => {
    const redirectUri = bounded(ctx.oidc?.params?.redirect_uri);
    const near = nearestOf(ctx);
    logger.warn(
      {
        event: "oidc.authorization_refused",
        ...describeRefusal(ctx, error),
        redirect_uri: redirectUri,
        ...(near && { nearest_registered: near.nearest }),
      },
      near
        ? `the redirect_uri is not registered; of the nearest it differs so: ${near.difference}`
        : adviceFor(ctx, error, clients),
    );
  };
  for (const name of ["authorization.error", "pushed_authorization_request.error"]) provider.on(name, logAuthorization);
}

/** What is read of oidc-provider's context. */
interface ProviderContext {
  readonly res?: { getHeader(name: string): unknown };
  readonly oidc?: {
    readonly client?: { readonly clientId: string; readonly redirectUris?: readonly string[] } | undefined;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
  };
}

interface ProviderError {
  readonly error?: string;
  readonly error_description?: string;
  /** What the answer to the relying party leaves out. */
  readonly error_detail?: string;
}

/** In oidc-provider's words, which may change: then the line says no more than that the client was refused. */
const wrongSecret = "invalid secret provided";

function adviceFor(
  { oidc }: ProviderContext,
  { error, error_detail: detail }: ProviderError,
  clients: LoggedProvider["clients"],
): string {
  if (detail === wrongSecret && oidc?.client !== undefined) return describeWrongSecret(clients, oidc.client.clientId);
  return detail ?? `the request was answered with ${error ?? "an error"}`;
}

/** Null for a redirect URI that is registered. The error itself may be called otherwise, as for a pushed request. */
function nearestOf({ oidc }: ProviderContext) {
  const [sent, registered = []] = [oidc?.params?.redirect_uri, oidc?.client?.redirectUris];
  return typeof sent === "string" && !registered.includes(sent)
    ? describeNearest(sent.slice(0, 2_000), registered)
    : null;
}

/** For the operator of the client; the page that the visitor sees names the same request. */
function describeRefusal({ res, oidc }: ProviderContext, { error, error_description: description }: ProviderError) {
  const isUnknown = error === "invalid_client" && description === "client is invalid";
  return {
    request_id: res?.getHeader("X-Request-Id"),
    client_id: bounded(oidc?.client?.clientId ?? oidc?.params?.client_id),
    error,
    description: isUnknown ? "unknown client_id" : description,
  };
}

function bounded(value: unknown): string | undefined {
  return typeof value === "string" ? shownText(value) : undefined;
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
