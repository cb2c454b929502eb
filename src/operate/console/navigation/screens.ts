/** The screens, in the order of the menu: who sees each, and how it comes. A screen more is a line here, with its name in `texts/`. */
import type { ComponentType } from "preact";
import type { Principal, Role } from "../api/api.ts";
import { mayDo } from "../parts/roles.ts";
import { RoomScreen } from "../room/room-screen.tsx";
import { RoomsScreen } from "../rooms/rooms-screen.tsx";
import type { TextKey } from "../texts/texts.ts";
import { lazyScreen } from "./lazy-screen.tsx";
import type { Route } from "./route.ts";

export interface Screen {
  /** The last part of its address; empty for the first of its kind. */
  readonly name: string;
  readonly title: TextKey;
  /** Who sees it: this role and all above it. */
  readonly role: Role;
  /** Whether it is for those alone whose role is for all rooms. */
  readonly isForAllRooms: boolean;
  /** Takes the id of the room; empty for a screen that is of no single room. */
  readonly Show: ComponentType<{ readonly room: string }>;
}

/** At `/console/NAME`. */
export const screensOfInstallation: readonly Screen[] = [
  { name: "", title: "rooms", role: "viewer", isForAllRooms: false, Show: RoomsScreen },
  {
    name: "health",
    title: "health",
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("../health/health-screen.tsx").then((m) => m.HealthScreen)),
  },
  {
    name: "clients",
    title: "screen.clients",
    role: "admin",
    isForAllRooms: false,
    Show: lazyScreen(() => import("../clients/clients-screen.tsx").then((m) => m.ClientsScreen)),
  },
  {
    name: "keys",
    title: "screen.keys",
    role: "admin",
    isForAllRooms: true,
    Show: lazyScreen(() => import("../keys/keys-screen.tsx").then((m) => m.KeysScreen)),
  },
  {
    name: "people",
    title: "screen.people",
    role: "admin",
    isForAllRooms: true,
    Show: lazyScreen(() => import("../people/people-screen.tsx").then((m) => m.PeopleScreen)),
  },
  {
    name: "webhooks",
    title: "screen.webhooks",
    role: "admin",
    isForAllRooms: true,
    Show: lazyScreen(() => import("../webhooks/webhooks-screen.tsx").then((m) => m.WebhooksScreen)),
  },
  {
    name: "themes",
    title: "screen.themes",
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("../themes/themes-screen.tsx").then((m) => m.ThemesScreen)),
  },
];

/** At `/console/rooms/ROOM/NAME`. */
export const screensOfRoom: readonly Screen[] = [
  { name: "", title: "screen.today", role: "viewer", isForAllRooms: false, Show: RoomScreen },
  {
    name: "settings",
    title: "screen.settings",
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("../settings/settings-screen.tsx").then((loaded) => loaded.SettingsScreen)),
  },
  {
    name: "before",
    title: "screen.before",
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("../before/before-screen.tsx").then(({ BeforeScreen }) => BeforeScreen)),
  },
  {
    name: "after",
    title: "screen.after",
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("../after/after-screen.tsx").then(({ AfterScreen }) => AfterScreen)),
  },
];

/** @returns null where there is no such screen */
export function screenOf({ room, name }: Route): Screen | null {
  const screens = room === null ? screensOfInstallation : screensOfRoom;
  return screens.find((each) => each.name === name) ?? null;
}

/** Whether somebody may see a screen: others are not in the menu. */
export function maySee({ role, isForAllRooms }: Screen, principal: Principal): boolean {
  return mayDo(principal.role, role) && (!isForAllRooms || principal.rooms === null);
}
