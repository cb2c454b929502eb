/** Rooms with a status page, and an incident on it. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { World } from "../../../e2e/world.ts";

export const slow = { title: "Payments are slow", text: "We are looking into it.", rooms: ["tickets"], language: "en" };
/** A process hears of a change within a second or two, and looks at what it knows once a second. */
export const syncedMs = 5_000;
export const viewerKey = "key-of-a-viewer-0123456789abcdef";
export const ownKey = "key-of-one-room-0123456789abcdef";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export const config = {
  status_page: { enabled: true, rooms: ["tickets", "soon"] },
  admin: {
    keys: [
      { id: "viewer", key_sha256: sha256(viewerKey), role: "viewer" },
      { id: "own", key_sha256: sha256(ownKey), role: "operator", rooms: ["tickets"] },
    ],
  },
};
export const rooms = [
  { id: "tickets" },
  { id: "soon", settings: { schedule: { opens_at: "2099-01-01T10:00:00Z" } } },
  { id: "secret" },
];

export interface Told {
  well: boolean;
  rooms: { room: string; phase: string; availability: string; opens_at: string | null }[];
  incidents: { id: string; title: string; state: string; rooms: string[] | null; updates: { text: string }[] }[];
}

export const at = (world: World, index: number, path: string, headers: Record<string, string> = {}) =>
  fetch(`${world.gateways[index]?.origin}${path}`, { headers });
export const told = async (world: World, index: number) =>
  (await (await at(world, index, "/status.json")).json()) as Told;
export const page = async (world: World, index: number, query = "") =>
  (await at(world, index, `/status${query}`)).text();
export async function open(world: World, changes: object = {}): Promise<string> {
  const answer = await world.admin.request("POST", "/incidents", { ...slow, ...changes });
  expect([answer.status, answer.json()]).toMatchObject([201, { state: "investigating", resolved_at: null }]);
  return (answer.json() as { id: string }).id;
}
