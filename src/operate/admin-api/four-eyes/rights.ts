import { ROLES, type Role } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { AdminSessions, PendingStep } from "../../../registry/index.ts";
import { type AuthorOptions, authorOf, identityOf, keyInForce } from "./author.ts";

export interface RightsOptions extends AuthorOptions {
  readonly sessions: Pick<AdminSessions, "views">;
}

interface Grant {
  readonly role: Role;
  readonly rooms: readonly string[] | null;
}

/**
 * Whether who asked for a step may still ask for it: a key as long as it is in force and for the room, a person as long as they have
 * a session that is. Asks no store.
 */
export function isRightful({ room, asked_by: by }: Omit<PendingStep, "id">, options: RightsOptions): boolean {
  if (identityOf(by, options) !== by.identity || !isAuthor()) return false;
  return grantsOf().some(({ role, rooms }) => isOperator(role) && (rooms === null || rooms.includes(room)));

  function grantsOf(): readonly Grant[] {
    if (by.kind === "person") return options.sessions.views.filter(({ kind, id }) => kind === "person" && id === by.id);
    const key = keyInForce(by.id, options.adminKeys.views);
    return key === undefined ? [] : [key];
  }

  function isAuthor(): boolean {
    try {
      return authorOf(by, options) === by.author;
    } catch (error) {
      if (error instanceof UsherError) return false;
      throw error;
    }
  }
}

function isOperator(role: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf("operator");
}
