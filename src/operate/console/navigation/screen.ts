import type { ComponentType } from "preact";
import type { Principal, Role } from "../api/api.ts";
import { mayDo } from "../parts/roles.ts";
import type { Localized } from "../texts/speech.ts";
import type { Route } from "./route.ts";

/** A screen of the console, as the console or a feature declares it: where it is, who sees it, and how it comes. */
export interface Screen {
  /** Whether it is of the whole installation, at `/console/NAME`, or of one room, at `/console/rooms/ROOM/NAME`. */
  readonly scope: "installation" | "room";
  /** The last part of its address; empty for the first of its scope. */
  readonly name: string;
  readonly title: Localized;
  /** The name of the screen that it follows in the menu; without one, or where there is none of this name, it comes last. */
  readonly after?: string;
  /** Who sees it: this role and all above it. */
  readonly role: Role;
  /** Whether it is for those alone whose role is for all rooms. */
  readonly isForAllRooms: boolean;
  /** See `lazyScreen`. */
  readonly Show: ComponentType<ScreenProps>;
}

export interface ScreenProps {
  /** The id of the room; empty for a screen of the installation. */
  readonly room: string;
  /** As the screen declares it. */
  readonly title: string;
}

/** The screens in the order of the menu. */
export function inMenuOrder(screens: readonly Screen[]): Screen[] {
  const ordered = screens.filter(({ after }) => after === undefined);
  for (const screen of screens.filter(({ after }) => after !== undefined)) {
    const at = ordered.findIndex(({ scope, name }) => scope === screen.scope && name === screen.after);
    ordered.splice(at === -1 ? ordered.length : at + 1, 0, screen);
  }
  return ordered;
}

/** @returns null where there is no such screen */
export function screenOf(screens: readonly Screen[], { room, name }: Route): Screen | null {
  const scope = room === null ? "installation" : "room";
  return screens.find((screen) => screen.scope === scope && screen.name === name) ?? null;
}

/** Whether somebody may see a screen: others are not in the menu. */
export function maySee({ role, isForAllRooms }: Screen, principal: Principal): boolean {
  return mayDo(principal.role, role) && (!isForAllRooms || principal.rooms === null);
}
