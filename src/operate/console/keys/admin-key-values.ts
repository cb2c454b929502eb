/** What is entered of an admin key. */
import type { AdminAnswers } from "../../client/index.ts";
import { choiceOf, given, itemsOf, textOf } from "../parts/form/members.ts";

export type AdminKey = AdminAnswers["ApiKey"];

export const roles = ["viewer", "box_office", "operator", "admin"] as const;

export const newAdminKey = { id: "", role: "viewer", rooms: [] as readonly string[], expires_at: "", note: "" };
export const adminKeyPaths = Object.keys(newAdminKey);

export function adminKeyBody({ id, role, rooms, expires_at, note }: typeof newAdminKey) {
  const members = given({ id: textOf(id), rooms: itemsOf(rooms), expires_at: timeOf(expires_at), note: textOf(note) });
  return { role: choiceOf(roles, role) ?? "viewer", ...members };
}

/** A time as a browser's field has it, by this computer's clock. What is no time is sent as it is: the gateway says so. */
export function timeOf(written: string): string | undefined {
  const ms = Date.parse(written);
  return Number.isNaN(ms) ? textOf(written) : new Date(ms).toISOString();
}
