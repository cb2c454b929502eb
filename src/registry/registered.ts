/** What rooms and clients that are made at run time have in common: how they are read, and how many there may be. */
import type { ClientReading, RoomReading } from "../config/index.ts";
import type { RegistryContent } from "./content.ts";
import { conflict, faultLines } from "./refusals.ts";

/** Its members as JSON gives them. */
export type Document = Readonly<Record<string, unknown>>;

/** A room or client that was made at run time, as this process sees it. */
export interface RegisteredView<Registered, Reading> {
  readonly source: "admin_api";
  readonly id: string;
  /** `shadowed`: the file has one of the same id (or another issuer a room), which is in force. `unusable`: it does not fit this process. */
  readonly status: "active" | "shadowed" | "unusable";
  readonly reading: Reading;
  readonly registered: Registered;
}

export interface ViewsOptions<Reading> {
  readonly read: (document: Document) => Reading;
  readonly isShadowed: (id: string) => boolean;
  /** Called for each document that is not in force: once, until it is in force again. */
  readonly report: (id: string, status: "shadowed" | "unusable", faults: readonly string[]) => void;
}

/** Reads what was registered, each document once as long as it stays the same: a change of one must not cost the time of all. */
export function createViews<
  Registered extends { readonly document: Document },
  Reading extends ClientReading | RoomReading,
>({ read, isShadowed, report }: ViewsOptions<Reading>) {
  let previous: ReadonlyMap<string, RegisteredView<Registered, Reading> & { readonly text: string }> = new Map();

  /** @param isAnew whether what documents are read by is another now */
  return (all: Readonly<Record<string, Registered>>, isAnew = false): RegisteredView<Registered, Reading>[] => {
    const views = Object.entries(all).map(([id, registered]) => {
      const before = previous.get(id);
      const text = JSON.stringify(registered.document);
      const reading = before?.text === text && !isAnew ? before.reading : read(registered.document);
      const faults = faultLines(reading);
      const status = isShadowed(id) ? "shadowed" : faults.length > 0 ? "unusable" : "active";
      if (status !== "active" && status !== before?.status) report(id, status, faults);
      return { source: "admin_api", id, status, reading, registered, text } as const;
    });
    previous = new Map(views.map((view) => [view.id, view]));
    return views;
  };
}

/** As many of each as the configuration file may have. */
const entriesMax = 1_000;
/** The registry travels as a whole, and its keys need room, too. */
const bounds = {
  rooms: { bytesMax: 512 * 1024, said: "512 KiB" },
  clients: { bytesMax: 3 * 1024 * 1024, said: "3 MiB" },
};

/** The content with these rooms or clients. @throws UsherError `conflict` where they are too many */
export function withRegistered<Kind extends "rooms" | "clients">(
  content: RegistryContent,
  kind: Kind,
  registered: NonNullable<RegistryContent[Kind]>,
): RegistryContent {
  const { bytesMax, said } = bounds[kind];
  if (Object.keys(registered).length > entriesMax) {
    throw conflict(`there are ${entriesMax} ${kind} made at run time, and no more can be: delete some`);
  }
  if (Buffer.byteLength(JSON.stringify(registered)) > bytesMax) {
    throw conflict(`the ${kind} made at run time take more than ${said} together: shorten lists, or delete some`);
  }
  return { ...content, [kind]: registered };
}
