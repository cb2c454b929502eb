/** The screens that the console has without any feature, in the order of the menu. A feature's are in src/features/screens.ts. */

import type { Screen } from "./frame/console.ts";
import { lazyScreen } from "./frame/navigation.tsx";
import { RoomScreen } from "./room/room-screen.tsx";
import { RoomsScreen } from "./rooms/rooms-screen.tsx";

export const screens: readonly Screen[] = [
  {
    scope: "installation",
    name: "",
    title: { en: "Rooms", de: "Räume" },
    role: "viewer",
    isForAllRooms: false,
    Show: RoomsScreen,
  },
  {
    scope: "installation",
    name: "health",
    title: { en: "Health", de: "Zustand" },
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("./health/health-screen.tsx").then((m) => m.HealthScreen)),
  },
  {
    scope: "installation",
    name: "clients",
    title: { en: "Clients", de: "Clients" },
    role: "admin",
    isForAllRooms: false,
    Show: lazyScreen(() => import("./records/clients.tsx").then((m) => m.ClientsScreen)),
  },
  {
    scope: "installation",
    name: "keys",
    title: { en: "Keys", de: "Schlüssel" },
    role: "admin",
    isForAllRooms: true,
    Show: lazyScreen(() => import("./records/keys-screen.tsx").then((m) => m.KeysScreen)),
  },
  {
    scope: "installation",
    name: "people",
    title: { en: "People", de: "Personen" },
    role: "admin",
    isForAllRooms: true,
    Show: lazyScreen(() => import("./records/people-screen.tsx").then((m) => m.PeopleScreen)),
  },
  {
    scope: "installation",
    name: "themes",
    title: { en: "Themes", de: "Gestaltungen" },
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("./themes/themes-screen.tsx").then((m) => m.ThemesScreen)),
  },
  {
    scope: "room",
    name: "",
    title: { en: "Today", de: "Heute" },
    role: "viewer",
    isForAllRooms: false,
    Show: RoomScreen,
  },
  {
    scope: "room",
    name: "settings",
    title: { en: "Settings", de: "Einstellungen" },
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("./settings/settings-screen.tsx").then((loaded) => loaded.SettingsScreen)),
  },
  {
    scope: "room",
    name: "before",
    title: { en: "Before the sale", de: "Vor dem Verkauf" },
    role: "viewer",
    isForAllRooms: false,
    Show: lazyScreen(() => import("./before/before-screen.tsx").then(({ BeforeScreen }) => BeforeScreen)),
  },
];
