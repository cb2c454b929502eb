/** What files of Cloudflare's API and of Terraform hold of waiting rooms, events, rules and settings, and what belongs together. */
import { isObject } from "../../lib/json.ts";
import { CommandError } from "../../operate/commands/terminal.ts";
import { type Line, leftOut } from "./document.ts";
import { type Input, type Members, requireKind } from "./input.ts";
import { textOf } from "./values.ts";

const expected = "an answer of Cloudflare's API about waiting rooms, or terraform show -json";
const objectsMax = 10_000;
const roomsMax = 1_000;

export interface CloudflareRoom {
  readonly members: Members;
  readonly events: Members[];
  readonly rules: Members[];
  /** Of its zone. */
  readonly passesCrawlers: boolean;
}

type Kind = "room" | "event" | "rule" | "settings";

interface Found {
  readonly kind: Kind;
  readonly members: Members;
  readonly file: string;
  /** The room's id, where the object says it. */
  readonly roomId: string | null;
}

/** @throws CommandError where there is nothing to migrate */
export function readCloudflare(inputs: readonly Input[]): {
  readonly rooms: readonly CloudflareRoom[];
  readonly others: Line[];
} {
  const others: Line[] = [];
  const found = inputs.flatMap((input) => {
    const kind = requireKind(input, ["answer", "state"], expected);
    return kind === "answer" ? ofAnswer(input, others) : ofState(input);
  });
  if (found.length > objectsMax) throw new CommandError(`there are more than ${objectsMax} objects: name fewer files`);
  const rooms = found.filter(({ kind }) => kind === "room");
  if (rooms.length === 0)
    throw new CommandError(
      `no file has a waiting room: ${inputs.map(({ file }) => file).join(", ")}; expected ${expected}`,
    );
  others.push(
    ...rooms.slice(roomsMax).map(({ members }) => leftOut(`room ${nameOf(members)}`, `there are at most ${roomsMax}`)),
  );
  const settings = found.filter(({ kind }) => kind === "settings");
  const read = rooms.slice(0, roomsMax).map(({ members }): CloudflareRoom => {
    // Rooms and settings in an answer of the API name no zone: it is one zone then.
    const passesCrawlers = settings.some(
      ({ members: of }) => of.search_engine_crawler_bypass === true && textOf(of.zone_id) === textOf(members.zone_id),
    );
    return { members, events: [], rules: [], passesCrawlers };
  });
  for (const each of found.filter(({ kind }) => kind === "event" || kind === "rule")) {
    const room = roomOf(each, read);
    const about = `${each.kind} ${textOf(each.members.description) ?? nameOf(each.members)} of ${each.file}`;
    if (room !== null) (each.kind === "event" ? room.events : room.rules).push(each.members);
    else
      others.push(
        leftOut(
          about,
          "nothing says of which room it is: have the id of the room in the file's name, or migrate room by room",
        ),
      );
  }
  return { rooms: read, others };
}

export function nameOf(members: Members): string {
  return textOf(members.name) ?? textOf(members.id) ?? "without a name";
}

/** By the id that it names, else by that in the name of its file, else the only one that there is. */
function roomOf({ roomId, file }: Found, rooms: readonly CloudflareRoom[]): CloudflareRoom | null {
  if (roomId !== null) return rooms.find(({ members }) => members.id === roomId) ?? null;
  const named = rooms.filter(({ members }) => {
    const id = textOf(members.id);
    return id !== null && id.length >= 16 && file.includes(id);
  });
  const [only] = named.length > 0 ? named : rooms;
  return only !== undefined && (named.length === 1 || rooms.length === 1) ? only : null;
}

function ofAnswer({ file, json }: Input, others: Line[]): Found[] {
  const list = Array.isArray(json.result) ? json.result : [json.result];
  const { count, total_count: total } = Object(json.result_info) as Members;
  if (typeof count === "number" && typeof total === "number" && total > count)
    others.push(
      leftOut(
        `${total - count} of ${total} objects`,
        `${file} is one page of several: ask with per_page, or name all pages`,
      ),
    );
  return list.flatMap((each): Found[] => {
    const kind = isObject(each) ? kindOf(each) : null;
    if (kind !== null) return [{ kind, members: each, file, roomId: textOf(each.waiting_room_id) }];
    if (others.length < 100)
      others.push(leftOut(`an object of ${file}`, "it is no waiting room, event, rule or setting"));
    return [];
  });
}

function kindOf(members: Members): Kind | null {
  if ("event_start_time" in members) return "event";
  if ("expression" in members) return "rule";
  if ("host" in members && ("total_active_users" in members || "new_users_per_minute" in members)) return "room";
  return "search_engine_crawler_bypass" in members ? "settings" : null;
}

const types: Readonly<Record<string, Kind>> = {
  cloudflare_waiting_room: "room",
  cloudflare_waiting_room_event: "event",
  cloudflare_waiting_room_settings: "settings",
};

/** Resources of the root module, and of all modules below it. */
function ofState({ file, json }: Input): Found[] {
  const { root_module: root } = json.values as Members;
  const [found, modules]: [Found[], unknown[]] = [[], [root]];
  for (let module = modules.pop(); module !== undefined; module = modules.pop()) {
    if (!isObject(module)) continue;
    if (Array.isArray(module.child_modules)) modules.push(...module.child_modules.toReversed().slice(0, objectsMax));
    for (const resource of Array.isArray(module.resources) ? module.resources : []) {
      if (!isObject(resource) || resource.mode === "data" || !isObject(resource.values)) continue;
      const { type, values } = resource;
      const roomId = textOf(values.waiting_room_id);
      const kind = typeof type === "string" && Object.hasOwn(types, type) ? types[type] : undefined;
      if (kind !== undefined) found.push({ kind, members: values, file, roomId });
      if (type === "cloudflare_waiting_room_rules" && Array.isArray(values.rules))
        for (const rule of values.rules.filter(isObject)) found.push({ kind: "rule", members: rule, file, roomId });
    }
    if (found.length > objectsMax) break;
  }
  return found;
}
