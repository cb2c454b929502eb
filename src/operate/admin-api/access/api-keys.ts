import { z } from "zod";
import { list, oneOf, ROLES, suggest, text } from "../../../config/index.ts";
import type { Random } from "../../../lib/clock-and-random.ts";
import {
  type AdminKeys,
  type AdminKeyView,
  type IssuerRegistry,
  noSuchAdminKey,
  refreshAll,
} from "../../../registry/index.ts";
import type { WaitingRooms } from "../../../room/index.ts";
import { type AdminRequest, type AdminRoute, routesAbout } from "../admin-router.ts";
import {
  badRequest,
  exactTime,
  nextCursor,
  nothing,
  object,
  pageOf,
  pageQuery,
  rotation,
  timeOrNone,
  timeOrNull,
  timeText,
} from "../bodies.ts";

const idBytes = 6;
/** Bytes: with a thousand rooms. */
const keyLengthMax = 65_536;
/** Rooms that an error names: to look for what was meant takes time. */
const namedRoomsMax = 10;

const newKey = object({
  // It is part of an address.
  id: text("a name for the key, of letters, digits and _.-", 64, /^[A-Za-z0-9][\w.-]*$/).optional(),
  role: oneOf("role", ROLES),
  rooms: list(text("the id of a room", 32), 1_000, 1).nullish(),
  expires_at: exactTime.nullish(),
  note: text("what the key is for", 200).nullish(),
});

const apiKey = z
  .object({
    id: z.string(),
    source: z.enum(["file", "admin_api"]),
    status: z.enum(["active", "expired", "shadowed"]),
    role: z.enum(ROLES),
    rooms: z.array(z.string()).nullable(),
    note: z.string().nullable(),
    secrets: z.array(z.object({ created_at: timeOrNone, expires_at: timeOrNone })),
    created_by: z.string().nullable(),
    created_at: timeOrNone,
    expires_at: timeOrNone,
  })
  .meta({ id: "ApiKey" });
const createdKey = z.object({ ...apiKey.shape, secret: z.string() });
const rotatedKey = z.object({ id: z.string(), secret: z.string(), previous_secret_expires_at: timeText.nullable() });
const terms = { tag: "Admin keys", role: "admin" } as const;

export interface ApiKeyRoutesOptions {
  readonly adminKeys: AdminKeys;
  readonly issuers: readonly IssuerRegistry[];
  readonly rooms: WaitingRooms;
  readonly random: Random;
}

/**
 * Admin keys, while the program runs: those of the configuration are shown, the others are made, given new secrets and revoked here.
 * They are of no room, so only an admin of all rooms manages them, and no key makes one that may do more.
 */
export function apiKeyRoutes({ adminKeys, issuers, rooms, random }: ApiKeyRoutesOptions): AdminRoute[] {
  // Behind a load balancer, what was made at one process is asked for at another.
  const route = routesAbout("/api-keys", () => refreshAll([adminKeys, ...issuers]));

  return [
    route(
      "GET",
      "",
      {
        ...terms,
        summary: "Lists the admin keys, those of the configuration and those made at run time, without what is secret.",
        query: object(pageQuery),
        answers: z.object({ keys: z.array(apiKey), next_cursor: nextCursor }),
      },
      ({ query }) => {
        const { page, next_cursor } = pageOf(adminKeys.views, query);
        return { keys: page.map(keyJson), next_cursor };
      },
    ),
    route(
      "POST",
      "",
      {
        ...terms,
        summary: "Makes an admin key, and shows its secret this once.",
        body: newKey,
        bodyMax: keyLengthMax,
        status: 201,
        answers: createdKey,
        errors: ["conflict"],
      },
      createKey,
    ),
    route("GET", "/:key", { ...terms, summary: "Shows an admin key.", answers: apiKey }, ({ ctx }) =>
      keyJson(find(String(ctx.params.key))),
    ),
    route(
      "DELETE",
      "/:key",
      {
        ...terms,
        summary: "Revokes an admin key made at run time.",
        status: 204,
        answers: nothing,
        errors: ["conflict"],
      },
      async ({ ctx, principal, notes }) => {
        const id = String(ctx.params.key);
        const view = adminKeys.views.find((candidate) => candidate.id === id);
        if (view !== undefined) notes.removed(grantOf(view));
        await adminKeys.changes.revoke(id, principal.id);
      },
    ),
    route(
      "POST",
      "/:key/rotate",
      {
        ...terms,
        summary: "Gives an admin key made at run time a new secret; the one before works on for `overlap`.",
        body: rotation,
        answers: rotatedKey,
        errors: ["conflict"],
      },
      async ({ ctx, principal, body: { overlap } }) => {
        const id = String(ctx.params.key);
        const { secret, previousExpiresMs } = await adminKeys.changes.rotate(id, overlap, principal.id);
        return { id, secret, previous_secret_expires_at: timeOrNull(previousExpiresMs) };
      },
    ),
  ];

  async function createKey({ ctx, principal, notes, body }: AdminRequest<void, unknown, z.output<typeof newKey>>) {
    const { id = `key-${random.bytes(idBytes).toString("hex")}`, role, note = null } = body;
    const uniqueRooms = body.rooms == null ? null : [...new Set(body.rooms)];
    refuseUnknownRooms(uniqueRooms ?? []);
    const key = { id, role, rooms: uniqueRooms, note, expiresMs: body.expires_at ?? null };
    const secret = await adminKeys.changes.create(key, principal.id);
    ctx.set("Location", `/admin/api-keys/${id}`);
    notes.created(grantOf(find(id)));
    return { ...keyJson(find(id)), secret };
  }

  /** @throws UsherError `not_found` */
  function find(id: string): AdminKeyView {
    const view = adminKeys.views.find((candidate) => candidate.id === id);
    if (view === undefined) throw noSuchAdminKey();
    return view;
  }

  /** @throws UsherError `bad_request` */
  function refuseUnknownRooms(ids: readonly string[]): void {
    const unknown = ids.filter((id) => rooms.get(id) === undefined);
    if (unknown.length === 0) return;
    const roomIds = rooms.all.map((room) => room.id);
    const faults = unknown.slice(0, namedRoomsMax).map((id) => {
      const suggestion = suggest(id, roomIds);
      const message = `there is no such room${suggestion === null ? "" : ` (did you mean ${suggestion}?)`}`;
      return { path: ["rooms", ids.indexOf(id)], message };
    });
    throw badRequest(faults);
  }
}

/** What a key is for, as a row of the audit says it. */
function grantOf(view: AdminKeyView) {
  const { role, rooms, note, expires_at } = keyJson(view);
  return { role, rooms, note, expires_at };
}

function keyJson(view: AdminKeyView) {
  const { id, source, role, rooms } = view;
  const status = view.source === "file" ? ("active" as const) : view.status;
  const registered = view.source === "file" ? null : view.registered;
  return {
    id,
    source,
    status,
    role,
    rooms,
    note: registered?.note ?? null,
    // Nothing is known of the times of those in the file.
    secrets: (registered?.secrets ?? [{ created_ms: null, expires_ms: null }]).map(({ created_ms, expires_ms }) => ({
      created_at: timeOrNull(created_ms),
      expires_at: timeOrNull(expires_ms),
    })),
    created_by: registered?.created_by ?? null,
    created_at: timeOrNull(registered?.created_ms),
    expires_at: timeOrNull(registered?.expires_ms),
  };
}
