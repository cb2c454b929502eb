import type { Context } from "koa";
import { z } from "zod";
import { oneOf, type Role, type RoomHome, roomHere, roomPatch, suggest } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { mergePatch } from "../../../lib/json.ts";
import { type IssuerRegistry, noSuchRoom, refreshAll, roomIsOfFile } from "../../../registry/index.ts";
import { peopleWaiting, type WaitingRoom, type WaitingRooms } from "../../../room/index.ts";
import type { Principal } from "../access/principal.ts";
import { type AdminRequest, type AdminRoute, routesAbout } from "../admin-router.ts";
import {
  anyObject,
  issuerName,
  issuerNamed,
  nextCursor,
  nothing,
  object,
  pageOf,
  pageQuery,
  validate,
} from "../bodies.ts";
import { type PastEventsOptions, pastEventRoutes } from "../events/past-events.ts";
import { approvalRoutes } from "../four-eyes/approval-routes.ts";
import { type VisitorRoutesOptions, visitorRoutes } from "../visitors/visitors.ts";
import { admissionRoutes } from "./admissions.ts";
import { entryVoidRoutes } from "./entry-voids.ts";
import { createdRoom, listedRoom, originJson, roomAnswer, roomJson, roomJsonSchema } from "./room-json.ts";
import { type RoomPagesParts, roomPagesRoutes } from "./room-pages.ts";
import { patchRoom, type RoomOwner } from "./room-patch.ts";
import { type RoomStepsOptions, roomStepRoutes, stockRoutes } from "./room-steps.ts";
import { softBlockRoutes } from "./soft-blocks.ts";
import { statisticsRoutes } from "./statistics.ts";

/** Bytes of a room with long lists. */
const roomLengthMax = 262_144;
/** Bytes: a message in thirty languages, all of it escaped. */
const settingsLengthMax = 131_072;
/** Rooms that an error names. */
const namedRoomsMax = 10;

const forceQuery = object({ force: oneOf("value", ["true", "false"]).optional() });
const newRoom = object({ issuer: issuerName, ...roomHere.shape });
const tag = "Rooms";

export interface RoomRoutesOptions extends RoomStepsOptions, VisitorRoutesOptions, PastEventsOptions {
  readonly issuerOf: RoomStepsOptions["issuerOf"] & RoomPagesParts["issuerOf"];
  readonly pages: RoomPagesParts["pages"];
  readonly clock: RoomPagesParts["clock"];
  readonly issuers: readonly IssuerRegistry[];
  /** Of all rooms. */
  readonly homes: readonly RoomHome[];
}

/** Rooms, while the program runs: those of the file are shown and changed, others are also made and removed here. */
export function roomRoutes(options: RoomRoutesOptions): AdminRoute[] {
  const { issuers, rooms, homes, issuerOf, fourEyes, confirmations, debugLinks, bounds } = options;
  const onAll = routesAbout("/rooms", () => refreshAll(issuers));
  const onRoom = routesAbout("/rooms/:room", createRoomFinder(options));

  return [
    onAll(
      "GET",
      "",
      {
        summary: "Lists rooms, those of the file and those made at run time.",
        tag,
        role: "viewer",
        reach: "own",
        query: object(pageQuery),
        answers: z.object({ rooms: z.array(listedRoom), next_cursor: nextCursor }),
      },
      ({ principal, query }) => {
        const { page, next_cursor } = pageOf([...visibleTo(rooms, principal).map(tell), ...leftOut(principal)], query);
        return { rooms: page, next_cursor };
      },
    ),
    onAll(
      "POST",
      "",
      {
        summary: "Makes a room, beside those of the file.",
        tag,
        role: "admin",
        body: anyObject,
        describedBody: newRoom,
        bodyMax: roomLengthMax,
        status: 201,
        answers: createdRoom,
        errors: ["conflict"],
      },
      createRoom,
    ),
    onAll(
      "DELETE",
      "/:room",
      {
        summary: "Removes a room made at run time.",
        tag,
        role: "admin",
        reach: "all",
        query: forceQuery,
        status: 204,
        answers: nothing,
        errors: ["conflict"],
      },
      removeRoom,
    ),
    onRoom(
      "GET",
      "",
      {
        summary: "Shows a room: live numbers, and settings with where they come from.",
        tag,
        role: "viewer",
        answers: roomAnswer,
      },
      ({ subject: room }) => tell(room),
    ),
    onRoom(
      "PATCH",
      "",
      {
        summary: "Changes settings by a merge patch (RFC 7396); null gives a value back to the file.",
        tag,
        role: "box_office",
        roleFor,
        // Which members a body may have depends on where the room is from, and its times on the zone in force.
        body: anyObject,
        describedBody: roomPatch,
        bodyMax: settingsLengthMax,
        answers: roomJsonSchema,
        errors: ["conflict"],
      },
      async (request) => {
        const { id } = request.subject;
        return { ...(await patchRoom(request, ownerOf(id))), ...originOf(id) };
      },
    ),
    // Before the steps, which answer any other POST.
    ...statisticsRoutes(onRoom),
    ...softBlockRoutes(onRoom),
    ...pastEventRoutes(onRoom, options),
    ...roomPagesRoutes(onRoom, options),
    ...approvalRoutes(onRoom, { confirmations, fourEyes }),
    ...entryVoidRoutes(onRoom),
    ...stockRoutes(onRoom, { confirmations, fourEyes }),
    ...roomStepRoutes(onRoom, { rooms, issuerOf, confirmations, fourEyes }),
    ...admissionRoutes(onRoom),
    ...visitorRoutes(onRoom, { rooms, debugLinks, bounds }),
  ];

  /** The issuer whose room of this id is in force, and where it was made at run time its view. */
  function ownerOf(id: string): (RoomOwner & { readonly issuer: string }) | undefined {
    const owner = issuers.find((candidate) => candidate.rooms.get(id) !== undefined);
    const view = owner?.rooms.registered.find((candidate) => candidate.id === id && candidate.status === "active");
    return owner && { issuer: owner.issuer, changes: owner.rooms.changes, view };
  }

  function originOf(id: string) {
    const owner = ownerOf(id);
    return owner && originJson({ issuer: owner.issuer, id }, owner.view, homes);
  }

  function tell(room: WaitingRoom) {
    return { ...roomJson(room), ...originOf(room.id) };
  }

  /** Those that were made at run time and are not in force here. */
  function leftOut(principal: Principal) {
    return issuers.flatMap(({ issuer, rooms: { registered } }) =>
      registered
        .filter(({ id, status }) => status !== "active" && principal.isFor(id))
        .map((view) => ({ room: view.id, ...originJson({ issuer, id: view.id }, view, homes) })),
    );
  }

  async function createRoom({
    ctx,
    principal,
    notes,
    body: { issuer, ...body },
  }: AdminRequest<void, unknown, Record<string, unknown>>) {
    const home = issuerNamed(issuers, validate(object({ issuer: issuerName }), { issuer }).issuer);
    const document = mergePatch({}, body) as Record<string, unknown>;
    await home.rooms.changes.create(document, principal.id);
    const id = String(document.id);
    notes.room = id;
    notes.created(document);
    ctx.set("Location", `/admin/rooms/${id}`);
    const created = rooms.get(id);
    // Recovery takes its time, and says itself that it does.
    await created?.catchUp();
    return { ...(created === undefined ? { room: id } : roomJson(created)), ...originOf(id) };
  }

  async function removeRoom({
    ctx,
    principal,
    notes,
    query,
  }: AdminRequest<void, z.output<typeof forceQuery>, undefined>) {
    const id = String(ctx.params.room);
    const isForced = query.force === "true";
    const owner = issuers.find(({ rooms: { registered } }) =>
      registered.some((view) => view.id === id && view.status !== "shadowed"),
    );
    const room = rooms.get(id);
    if (owner === undefined) throw room === undefined ? noSuchRoom() : roomIsOfFile();
    if (room !== undefined && !isForced) await requireNobody(room);
    notes.removed(owner.rooms.registered.find((view) => view.id === id)?.registered.document ?? {});
    await owner.rooms.changes.remove(id, isForced, principal.id);
  }
}

/** The message to visitors is the box office's, too. */
function roleFor(body: Record<string, unknown>): Role {
  return Object.keys(body).every((member) => member === "message") ? "box_office" : "operator";
}

/** @throws UsherError `conflict` while visitors wait or are in, or while that is unknown */
async function requireNobody(room: WaitingRoom): Promise<void> {
  await room.catchUp();
  const { state } = room;
  const [waiting, live] = state === null ? [0, 0] : [peopleWaiting(state), state.liveAdmissions];
  if (state !== null && waiting === 0 && live === 0) return;
  const who =
    state === null ? "it is unknown who is in this room just now" : `${waiting} wait in this room, and ${live} are in`;
  const message = `${who}: all places and admissions would be void; send ?force=true to remove it all the same`;
  throw new UsherError("conflict", message);
}

/**
 * For `routesAbout`: the room that a request names.
 *
 * @returns a function that throws UsherError `unknown_room`
 */
export function createRoomFinder({
  rooms,
  issuers,
}: {
  readonly rooms: Pick<WaitingRooms, "all" | "get">;
  readonly issuers: readonly IssuerRegistry[];
}) {
  return async (ctx: Context, principal: Principal): Promise<WaitingRoom> => {
    const id = String(ctx.params.room);
    // Behind a load balancer, what was made at one process is asked for at another.
    if (rooms.get(id) === undefined) await refreshAll(issuers);
    const room = rooms.get(id);
    if (room === undefined) throw noSuchRoom(nearby(id, visibleTo(rooms, principal)));
    return room;
  };
}

function visibleTo(rooms: Pick<WaitingRooms, "all">, principal: Principal): WaitingRoom[] {
  return rooms.all.filter(({ id }) => principal.isFor(id));
}

/** What may have been meant. */
function nearby(id: string, visible: readonly WaitingRoom[]): string {
  const ids = visible.map((room) => room.id);
  const suggestion = suggest(id, ids);
  const more = ids.length > namedRoomsMax ? ` and ${ids.length - namedRoomsMax} more` : "";
  const listed = ids.length === 0 ? "none" : ids.slice(0, namedRoomsMax).join(", ") + more;
  return `${suggestion === null ? "" : ` (did you mean ${suggestion}?)`}; this key may see: ${listed}`;
}
