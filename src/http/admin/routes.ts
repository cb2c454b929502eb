import { Readable } from "node:stream";
import Router from "@koa/router";
import type { Context } from "koa";
import type { AdminKey } from "../../config/config.ts";
import { suggest, unknownWord } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import type { IssuerRegistry } from "../../registry/index.ts";
import type { WaitingRoom, WaitingRooms } from "../../waiting-room/index.ts";
import type { DeskOf } from "../bypass-desk.ts";
import { readJson } from "../read-body.ts";
import { adminKeyOf, requireAdminKey, requireScope } from "./authentication.ts";
import { admissionBody, alarmBody, emptyBody, incrementBody, loadBody, reportBody, validate } from "./bodies.ts";
import { makeBypass } from "./bypass.ts";
import { addClientRoutes } from "./clients.ts";
import { addKeyRoutes } from "./keys.ts";
import { takeLoad } from "./load.ts";
import { logExtentJson, tellLog } from "./log.ts";
import { readPage } from "./page.ts";
import { carryOutReport } from "./report.ts";
import { admissionJson, roomJson } from "./room-json.ts";
import { phaseWarnings, scheduleWarnings } from "./schedule-warnings.ts";
import { effectiveSettings, patchLive } from "./settings.ts";
import { readSettingsBody } from "./settings-body.ts";

export interface AdminRoutesOptions {
  readonly keys: readonly AdminKey[];
  readonly rooms: WaitingRooms;
  readonly deskOf: DeskOf;
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
export function adminRoutes({ keys, rooms, deskOf, issuers, random }: AdminRoutesOptions): Router {
  const router = new Router({ prefix: "/admin" });

  router.use(requireAdminKey(keys));
  router.use(async (ctx, next) => {
    ctx.set("Cache-Control", "no-store");
    await next();
    if (ctx.status === 204 || ctx.body instanceof Readable) return;
    // A terminal shows its prompt on the line after it.
    ctx.type = "json";
    ctx.body = `${JSON.stringify(ctx.body)}\n`;
  });

  addClientRoutes(router, { issuers, random });
  addKeyRoutes(router, issuers);

  const visibleTo = ({ rooms: scope }: AdminKey) =>
    rooms.all.filter((room) => scope === null || scope.includes(room.id));

  const roomOf = (ctx: Context): WaitingRoom => {
    requireScope(ctx, ctx.params.room);
    const id = String(ctx.params.room);
    const room = rooms.get(id);
    if (room === undefined)
      throw new UsherError("unknown_room", noSuchRoom(id, visibleTo(adminKeyOf(ctx))), { status: 404 });
    return room;
  };

  /** Makes a repeated request safe, when the caller sends one. */
  const requestIdOf = (ctx: Context): string | null => {
    const key = ctx.get("Idempotency-Key");
    if (key === "") return null;
    if (!/^[\x21-\x7e]{1,128}$/.test(key)) {
      throw new UsherError("bad_request", "Idempotency-Key: 1 to 128 visible ASCII characters", { status: 400 });
    }
    return `${adminKeyOf(ctx).id}:${key}`;
  };

  router.get("/rooms", (ctx) => {
    const { limit, cursor } = readPage(ctx);
    const visible = visibleTo(adminKeyOf(ctx));
    const page = visible.slice(cursor, cursor + limit);
    const next = cursor + limit < visible.length ? String(cursor + limit) : null;
    ctx.body = { rooms: page.map(roomJson), next_cursor: next };
  });

  router.get("/rooms/:room", (ctx) => {
    ctx.body = roomJson(roomOf(ctx));
  });

  router.patch("/rooms/:room", async (ctx) => {
    const room = roomOf(ctx);
    const json = await readJson(ctx, maxSettingsLength);
    await room.refresh();
    const { state } = room;
    if (state === null)
      throw new UsherError("store_unavailable", "try again in a moment", { status: 503, retryAfterSec: 2 });
    const { file, effective: before } = state.settings;
    const body = readSettingsBody(json, { inForce: before.timeZone ?? null, file: file.timeZone ?? null });
    const live = patchLive(state.settings.live, body);
    const effective = effectiveSettings(file, live);
    await room.operations.changeSettings(live, effective, state.version, adminKeyOf(ctx).id);
    const after = room.state ?? state;
    const warnings = [...phaseWarnings(state, after), ...scheduleWarnings(after, body.times)];
    ctx.body = { ...roomJson(room), warnings };
  });

  const carryOut = async (ctx: Context, room: WaitingRoom, step: Step) => {
    const answer = await room.operations.step(step, requestIdOf(ctx), adminKeyOf(ctx).id);
    const { edition, phase, serving, queued, waiting } = answer;
    return { edition, phase, serving, queued, waiting };
  };

  router.post("/rooms/:room/serving", async (ctx) => {
    const room = roomOf(ctx);
    const { increment_by: by } = validate(incrementBody, await readJson(ctx));
    const { serving, queued, waiting } = await carryOut(ctx, room, { step: "increment", by });
    ctx.body = { serving, queued, waiting };
  });

  for (const [name, step] of Object.entries(steps)) {
    router.post(`/rooms/:room/${name}`, async (ctx) => {
      const room = roomOf(ctx);
      validate(emptyBody, await readJson(ctx));
      ctx.body = await carryOut(ctx, room, step);
    });
  }

  router.post("/rooms/:room/alarm", async (ctx) => {
    const room = roomOf(ctx);
    const { set } = validate(alarmBody, await readJson(ctx));
    ctx.body = await carryOut(ctx, room, { step: "alarm", isSet: set });
  });

  router.post("/rooms/:room/load", async (ctx) => {
    const room = roomOf(ctx);
    const load = validate(loadBody, await readJson(ctx));
    ctx.body = await takeLoad(room, load, adminKeyOf(ctx).id);
  });

  router.post("/rooms/:room/report", async (ctx) => {
    const room = roomOf(ctx);
    const report = validate(reportBody, await readJson(ctx, maxReportLength));
    ctx.body = await carryOutReport(room, report, requestIdOf(ctx), adminKeyOf(ctx).id);
  });

  router.post("/rooms/:room/bypass", async (ctx) => {
    const room = roomOf(ctx);
    makeBypass(ctx, room, deskOf(room.id), rooms.events, await readJson(ctx));
  });

  router.get("/rooms/:room/admissions", async (ctx) => {
    const room = roomOf(ctx);
    const { limit, cursor } = readPage(ctx);
    const page = await room.admissions.list(cursor, limit);
    ctx.body = {
      admissions: page.admissions.map(admissionJson),
      next_cursor: page.cursor === null ? null : String(page.cursor),
    };
  });

  router.get("/rooms/:room/log", async (ctx) => {
    await tellLog(ctx, roomOf(ctx));
  });

  router.get("/rooms/:room/log/head", async (ctx) => {
    ctx.body = logExtentJson(await roomOf(ctx).log.extent());
  });

  router.patch("/rooms/:room/admissions/:sub", async (ctx) => {
    const room = roomOf(ctx);
    const { status } = validate(admissionBody, await readJson(ctx));
    const admission = await room.admissions.end(String(ctx.params.sub), status);
    if (admission === null) throw new UsherError("not_found", "this visitor has no admission", { status: 404 });
    ctx.body = admissionJson(admission);
  });

  router.post("/rooms/:room/:step", (ctx) => {
    roomOf(ctx);
    throw new UsherError("not_found", unknownWord("step", String(ctx.params.step), stepNames), { status: 404 });
  });

  return router;
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
