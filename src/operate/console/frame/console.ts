/** What every part of the console may use. */
import { type ComponentType, createContext, type VNode } from "preact";
import { useContext } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import type { Api, Principal, Problem, Role } from "../api/api.ts";
import type { Line } from "../before/lines.ts";
import type { Health } from "../health/health.ts";
import type { Company, History, News } from "./live.ts";
import type { Localized, Speech } from "./speech.ts";

export interface Console {
  readonly api: Api;
  readonly speech: Speech;
  readonly principal: Principal;
  /** All that there are, in the order of the menu. */
  readonly screens: readonly Screen[];
  readonly features: readonly ConsoleFeature[];
  readonly history: History;
  /** The latest news; null before the first. */
  readonly news: News | null;
  /** Who else has the room open that is shown; null where that is not known. */
  readonly company: Company | null;
  /** The gateway's time, moved on each second; by this computer's clock before the first news. */
  readonly nowMs: number;
  /** `performance.now()`, moved on each second: for ages and pauses. */
  readonly elapsedMs: number;
  /** The address and the name of a screen, for a link to it; null where there is none, or this principal does not see it. */
  linkTo(route: Route): { readonly href: string; readonly title: Screen["title"] } | null;
  /** Whether this is another screen than the page was loaded with. */
  readonly hasMoved: boolean;
}

export const ConsoleContext = createContext<Console | null>(null);

export function useConsole(): Console {
  const console = useContext(ConsoleContext);
  if (console === null) throw new Error("outside of the console");
  return console;
}

/** A moment of `performance.now()` by the gateway's clock. */
export function gatewayTimeOf({ nowMs, elapsedMs }: Pick<Console, "nowMs" | "elapsedMs">, receivedMs: number): number {
  return nowMs - (elapsedMs - receivedMs);
}

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

/** What a feature adds to the console. */
export interface ConsoleFeature {
  readonly screens?: readonly Screen[];
  /** Sections of the health screen, behind the console's own. Each renders nothing where there is nothing to show. */
  readonly healthSections?: readonly ComponentType<{ readonly health: Health }>[];
  /** Short titles of what may not be well, by its code. */
  readonly attentionTitles?: Readonly<Record<string, Localized>>;
  /** What it adds to the checklist before a sale. A hook: it is called with every rendering. @param details null before they are known */
  readonly useChecklist?: (room: string, details: AdminAnswers["Room"] | null) => ChecklistPart;
}

export interface ChecklistPart {
  /** Null before they are known. */
  readonly lines: readonly Line[] | null;
  readonly problem: Problem | null;
  /** Below the list. */
  readonly section?: VNode;
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

/** What an address of the console names: a screen, and the room that it is of. */
export interface Route {
  /** Null for a screen that is of no single room. */
  readonly room: string | null;
  /** The last part of the address; empty for the first screen. */
  readonly name: string;
}

const pathPattern = /^\/console(?:\/rooms\/([a-z0-9-]+))?(?:\/([a-z-]+))?\/?$/;

/** @returns null for an address that is not of the console's shape */
export function routeOf(path: string): Route | null {
  const found = pathPattern.exec(path);
  return found && { room: found[1] ?? null, name: found[2] ?? "" };
}

export function pathOf({ room, name }: Route): string {
  const base = room === null ? "/console" : `/console/rooms/${room}`;
  return name === "" ? base : `${base}/${name}`;
}

/** Each may do all that those below it may. The compiler misses none. */
const rank: Readonly<Record<Role, number>> = { viewer: 0, box_office: 1, operator: 2, admin: 3 };

/** Whether somebody with a role may do what takes another: what they may not do is not shown. */
export function mayDo(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed];
}
