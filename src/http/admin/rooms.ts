import { formatTime, oneOf, text } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import { isObject, mergePatch } from "../../lib/merge-patch.ts";
import { faultLines, type IssuerRegistry, type RegisteredRoomView, roomIsOfFile } from "../../registry/index.ts";
import { peopleWaiting, type WaitingRoom, type WaitingRooms } from "../../room/index.ts";
import { readJson } from "../middleware/read-body.ts";
import type { AddAdminRoute } from "./admin-router.ts";
import { badRequest, object, validate } from "./bodies.ts";
import { roomJson } from "./room-json.ts";

/** Bytes of a room with long lists. */
const maxRoomLength = 262_144;

const forceQuery = object({ force: oneOf("value", ["true", "false"]).optional() });
const issuerText = text("the address of an issuer", 2_048).optional();

/** Rooms, while the program runs: those of the file are shown, the others are made, changed and removed here. */
export interface RoomService {
  /** Syncs what other processes have done. */
  refresh(): Promise<void>;
  /** What is known of a room beside its numbers: whose it is, and where it is from. */
  originOf(id: string): object;
  /** Those that were made at run time and are not in force here. */
  readonly leftOut: readonly { readonly id: string; readonly json: object }[];
  /** Keys of a room that stand in its document alone; an error where the file has it. */
  patchDocument(id: string, patch: Readonly<Record<string, unknown>>, admin: string): Promise<void>;
  /** Whether that would be taken. @throws as it does */
  checkPatch(id: string, patch: Readonly<Record<string, unknown>>): void;
  isMadeHere(id: string): boolean;
}

export function createRoomService(issuers: readonly IssuerRegistry[]): RoomService {
  const found = (id: string) => {
    for (const { issuer, rooms } of issuers) {
      const view = rooms.registered.find((each) => each.id === id && each.status === "active");
      if (rooms.get(id) !== undefined) return { issuer, rooms, view };
    }
    return undefined;
  };
  return {
    refresh: async () =>
      void (await Promise.all(issuers.map(({ registry }) => registry.refresh().catch(() => undefined)))),
    originOf(id) {
      const owner = found(id);
      return owner === undefined ? {} : { issuer: owner.issuer, ...originJson(owner.view) };
    },
    get leftOut() {
      return issuers.flatMap(({ issuer, rooms }) =>
        rooms.registered
          .filter(({ status }) => status !== "active")
          .map((view) => ({ id: view.id, json: { room: view.id, issuer, ...originJson(view) } })),
      );
    },
    isMadeHere: (id) => found(id)?.view !== undefined,
    checkPatch: (id, patch) => found(id)?.rooms.changes.checkPatch(id, patch),
    async patchDocument(id, patch, admin) {
      await found(id)?.rooms.changes.patch(id, patch, admin);
    },
  };
}

function originJson(view: RegisteredRoomView | undefined) {
  if (view === undefined)
    return { source: "file", status: "active", document: null, created_at: null, changed_at: null, faults: [] };
  const { status, reading, registered } = view;
  return {
    source: "admin_api",
    status,
    document: registered.document,
    created_at: formatTime(registered.created_ms),
    changed_at: formatTime(registered.updated_ms),
    faults: faultLines(reading),
  };
}

export interface RoomsRoutesOptions {
  readonly issuers: readonly IssuerRegistry[];
  readonly rooms: WaitingRooms;
  readonly roomService: RoomService;
}

export function addRoomsRoutes(route: AddAdminRoute, { issuers, rooms, roomService }: RoomsRoutesOptions): void {
  route("POST", "/rooms", async (ctx, key) => {
    key.requireAllRights("new rooms");
    const json = await readJson(ctx, maxRoomLength);
    if (!isObject(json)) throw badRequest([{ path: [], message: "expected an object" }]);
    const { issuer, ...body } = json;
    await roomService.refresh();
    const home = homeOf(validate(object({ issuer: issuerText }), issuer === undefined ? {} : { issuer }).issuer);
    const document = mergePatch({}, body) as Record<string, unknown>;
    await home.rooms.changes.create(document, key.id);
    const id = String(document.id);
    ctx.status = 201;
    ctx.set("Location", `/admin/rooms/${id}`);
    const made = rooms.get(id);
    // Recovery takes its time, and says itself that it does.
    await made?.catchUp();
    ctx.body = { ...(made === undefined ? { room: id } : roomJson(made)), ...roomService.originOf(id) };
  });

  route("DELETE", "/rooms/:room?force", async (ctx, key) => {
    key.requireAllRights("rooms");
    const id = String(ctx.params.room);
    const { force } = validate(forceQuery, { force: ctx.query.force });
    const isForced = force === "true";
    await roomService.refresh();
    const owner =
      issuers.find((each) => each.rooms.registered.some((view) => view.id === id && view.status !== "shadowed")) ??
      issuers.find((each) => each.rooms.get(id) !== undefined) ??
      issuers[0];
    if (owner === undefined || owner.rooms.isInFile(id)) throw roomIsOfFile();
    const room = rooms.get(id);
    if (room !== undefined && !isForced) await requireNobody(room);
    await owner.rooms.changes.remove(id, isForced, key.id);
    ctx.status = 204;
  });

  /** @throws UsherError `bad_request` when none is named, and there are several */
  function homeOf(name: string | undefined): IssuerRegistry {
    const home =
      name === undefined && issuers.length === 1 ? issuers[0] : issuers.find(({ issuer }) => issuer === name);
    if (home !== undefined) return home;
    const known = issuers.map(({ issuer }) => issuer).join(", ");
    const message = name === undefined ? `required: one of ${known}` : `there is no such issuer; there are: ${known}`;
    throw badRequest([{ path: ["issuer"], message }]);
  }
}

/** @throws UsherError `conflict` while visitors wait or are in, or while that is unknown */
async function requireNobody(room: WaitingRoom): Promise<void> {
  await room.catchUp();
  const { state } = room;
  const [waiting, live] = state === null ? [0, 0] : [peopleWaiting(state), state.liveAdmissions];
  if (state !== null && waiting === 0 && live === 0) return;
  const who =
    state === null ? "it is unknown who is in this room just now" : `${waiting} wait in this room, and ${live} are in`;
  throw new UsherError(
    "conflict",
    `${who}: all places and admissions would be void; send ?force=true to remove it all the same`,
    {
      status: 409,
    },
  );
}
