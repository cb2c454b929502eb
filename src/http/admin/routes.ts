import type Router from "@koa/router";
import type { Context } from "koa";
import { suggest, unknownWord } from "../../config/index.ts";
import type { AdminKey } from "../../config/resolve/config.ts";
import { UsherError } from "../../lib/errors.ts";
import type { FailedAttempts } from "../../lib/failed-attempts.ts";
import type { Random } from "../../lib/random.ts";
import type { IssuerRegistry } from "../../registry/index.ts";
import type { WaitingRoom, WaitingRooms } from "../../room/index.ts";
import { readJson } from "../middleware/read-body.ts";
import type { BypassServiceOf } from "../visitor/bypass-service.ts";
import { type AddAdminRoute, createAdminRouter } from "./admin-router.ts";
import { admissionJson, listAdmissions, requireAdmission } from "./admissions.ts";
import { admissionBody, alarmBody, emptyBody, incrementBody, loadBody, reportBody, validate } from "./bodies.ts";
import { makeBypass } from "./bypass.ts";
import { addClientRoutes } from "./clients.ts";
import { addKeyRoutes } from "./keys.ts";
import { takeLoad } from "./load.ts";
import { logExtentJson, tellLog } from "./log.ts";
import { readPage } from "./page.ts";
import { carryOutReport } from "./report.ts";
import { roomJson } from "./room-json.ts";
import { addRoomsRoutes, createRoomService, type RoomService } from "./rooms.ts";
import { phaseWarnings, scheduleWarnings } from "./schedule-warnings.ts";
import { effectiveSettings, patchLive } from "./settings.ts";
import { readSettingsBody, splitPatch } from "./settings-body.ts";
import { VerifiedKey } from "./verified-key.ts";

export interface AdminRoutesOptions {
  readonly keys: readonly AdminKey[];
  readonly failures: FailedAttempts;
  readonly rooms: WaitingRooms;
  readonly bypassServiceOf: BypassServiceOf;
  /** Clients and keys that are changed at run time, of every issuer. */
  readonly issuers: readonly IssuerRegistry[];
  readonly random: Random;
}

/** Bytes: three lists of a thousand visitors. */
const maxReportLength = 262_144;
/** Bytes: a message in thirty languages, all of it escaped. */
const maxSettingsLength = 131_072;

/** Steps without a body, by the last word of their address. */
const steps = {
  pause: { step: "pause" },
  resume: { step: "resume" },
  reset: { step: "reset" },
  open: { step: "phase", phase: "open" },
  end: { step: "phase", phase: "ended" },
  prequeue: { step: "phase", phase: "prequeue" },
  idle: { step: "phase", phase: "idle" },
  passthrough: { step: "phase", phase: "passthrough" },
} as const;

type Step = Parameters<WaitingRoom["operations"]["step"]>[0];

/** What operators and their programs ask. JSON only. */
export function adminRoutes(options: AdminRoutesOptions): Pick<Router, "routes"> {
  return createAdminRouter(VerifiedKey.createCheck(options.keys, options.failures), (route) => {
    addClientRoutes(route, options);
    addKeyRoutes(route, options.issuers);
    const roomService = createRoomService(options.issuers);
    addRoomsRoutes(route, { ...options, roomService });
    addRoomRoutes(route, { ...options, roomService });
  });
}

type RoomHandler = (ctx: Context, room: WaitingRoom, key: VerifiedKey) => unknown;

function addRoomRoutes(
  route: AddAdminRoute,
  { rooms, bypassServiceOf, roomService }: AdminRoutesOptions & { roomService: RoomService },
): void {
  const visibleTo = (key: VerifiedKey) => rooms.all.filter(({ id }) => key.isFor(id));

  /** Whatever is asked of one room: the key is for it. */
  const roomRoute = (method: Parameters<AddAdminRoute>[0], path: string, handler: RoomHandler) =>
    route(method, `/rooms/:room${path}`, async (ctx, key) => {
      const id = String(ctx.params.room);
      key.requireRoom(id);
      // Behind a load balancer, what was made at one process is asked for at another.
      if (rooms.get(id) === undefined) await roomService.refresh();
      const room = rooms.get(id);
      if (room === undefined) throw new UsherError("unknown_room", noSuchRoom(id, visibleTo(key)), { status: 404 });
      return handler(ctx, room, key);
    });

  /** Makes a repeated request safe, when the caller sends one. */
  const requestIdOf = (ctx: Context, { id }: VerifiedKey): string | null => {
    const given = ctx.get("Idempotency-Key");
    if (given === "") return null;
    if (!/^[\x21-\x7e]{1,128}$/.test(given)) {
      throw new UsherError("bad_request", "Idempotency-Key: 1 to 128 visible ASCII characters", { status: 400 });
    }
    return `${id}:${given}`;
  };

  const tell = (room: WaitingRoom) => ({ ...roomJson(room), ...roomService.originOf(room.id) });

  route("GET", "/rooms?limit&cursor", async (ctx, key) => {
    const { limit, cursor } = readPage(ctx);
    await roomService.refresh();
    const leftOut = roomService.leftOut.filter(({ id }) => key.isFor(id)).map(({ json }) => json);
    const visible = [...visibleTo(key).map(tell), ...leftOut];
    const page = visible.slice(cursor, cursor + limit);
    const next = cursor + limit < visible.length ? String(cursor + limit) : null;
    ctx.body = { rooms: page, next_cursor: next };
  });

  roomRoute("GET", "", (ctx, room) => {
    ctx.body = tell(room);
  });

  roomRoute("PATCH", "", async (ctx, room, key) => {
    const { ofDocument, live: json } = roomService.isMadeHere(room.id)
      ? splitPatch(await readJson(ctx, maxSettingsLength))
      : { ofDocument: null, live: await readJson(ctx, maxSettingsLength) };
    if (ofDocument !== null) key.requireAllRights(`${Object.keys(ofDocument).join(", ")} of a room`);
    await room.refresh();
    const { state } = room;
    if (state === null)
      throw new UsherError("store_unavailable", "try again in a moment", { status: 503, retryAfterSec: 2 });
    const { file, effective: before } = state.settings;
    const body = readSettingsBody(json, { inForce: before.timeZone ?? null, file: file.timeZone ?? null });
    const live = patchLive(state.settings.live, body);
    const effective = effectiveSettings(file, live);
    // The store refuses what was decided on an older state, and then nothing of it is done.
    if (ofDocument !== null) roomService.checkPatch(room.id, ofDocument);
    await room.operations.changeSettings(live, effective, state.version, key.id);
    if (ofDocument !== null) await roomService.patchDocument(room.id, ofDocument, key.id);
    const after = room.state ?? state;
    const warnings = [...phaseWarnings(state, after), ...scheduleWarnings(after, body.times)];
    ctx.body = { ...tell(room), warnings };
  });

  const carryOut = async (ctx: Context, room: WaitingRoom, key: VerifiedKey, step: Step) => {
    const answer = await room.operations.step(step, requestIdOf(ctx, key), key.id);
    const { edition, phase, serving, queued, waiting } = answer;
    return { edition, phase, serving, queued, waiting };
  };

  roomRoute("POST", "/serving", async (ctx, room, key) => {
    const { increment_by: by } = validate(incrementBody, await readJson(ctx));
    const { serving, queued, waiting } = await carryOut(ctx, room, key, { step: "increment", by });
    ctx.body = { serving, queued, waiting };
  });

  for (const [name, step] of Object.entries(steps)) {
    roomRoute("POST", `/${name}`, async (ctx, room, key) => {
      validate(emptyBody, await readJson(ctx));
      ctx.body = await carryOut(ctx, room, key, step);
    });
  }

  roomRoute("POST", "/alarm", async (ctx, room, key) => {
    const { set } = validate(alarmBody, await readJson(ctx));
    ctx.body = await carryOut(ctx, room, key, { step: "alarm", isSet: set });
  });

  roomRoute("POST", "/load", async (ctx, room, key) => {
    const load = validate(loadBody, await readJson(ctx));
    ctx.body = await takeLoad(room, load, key.id);
  });

  roomRoute("POST", "/report", async (ctx, room, key) => {
    const report = validate(reportBody, await readJson(ctx, maxReportLength));
    ctx.body = await carryOutReport(room, report, requestIdOf(ctx, key), key.id);
  });

  roomRoute("POST", "/bypass", async (ctx, room, key) => {
    makeBypass(ctx, room, key, bypassServiceOf(room.id), rooms.events, await readJson(ctx));
  });

  roomRoute("GET", "/admissions?status&edition&limit&cursor", async (ctx, room) => {
    ctx.body = await listAdmissions(ctx, room);
  });

  roomRoute("GET", "/admissions/:sub", async (ctx, room) => {
    ctx.body = admissionJson(requireAdmission(await room.admissions.find(String(ctx.params.sub))));
  });

  roomRoute("GET", "/log?from", async (ctx, room) => {
    await tellLog(ctx, room);
  });

  roomRoute("GET", "/log/head", async (ctx, room) => {
    ctx.body = logExtentJson(await room.log.extent());
  });

  roomRoute("PATCH", "/admissions/:sub", async (ctx, room) => {
    const { status } = validate(admissionBody, await readJson(ctx));
    ctx.body = admissionJson(requireAdmission(await room.admissions.end(String(ctx.params.sub), status)));
  });

  roomRoute("POST", "/:step", (ctx) => {
    throw new UsherError("not_found", unknownWord("step", String(ctx.params.step), stepNames), { status: 404 });
  });
}

/** Whatever a POST to a room may end in. */
const stepNames = [...Object.keys(steps), "serving", "alarm", "bypass", "load", "report"];

const namedRoomsMax = 10;

function noSuchRoom(id: string, visible: readonly WaitingRoom[]): string {
  const ids = visible.map((room) => room.id);
  const meant = suggest(id, ids);
  const more = ids.length > namedRoomsMax ? ` and ${ids.length - namedRoomsMax} more` : "";
  const known = ids.length === 0 ? "none" : ids.slice(0, namedRoomsMax).join(", ") + more;
  return `there is no room of this name${meant === null ? "" : ` (did you mean ${meant}?)`}; this key may see: ${known}`;
}
