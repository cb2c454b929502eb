import {
  type ClientConfig,
  type ClientPlace,
  type ClientReading,
  readClientDocument,
  roomsNamed,
} from "../../config/index.ts";
import type { RegisteredClient, RegistryContent } from "../content.ts";
import { createReadings } from "../readings.ts";

/** A client of the file, or one that was made at run time, as this process sees it. */
export type ClientView =
  | {
      readonly source: "file";
      readonly id: string;
      readonly client: ClientConfig;
      /** One of the same id was made at run time. */
      readonly isShadowing: boolean;
    }
  | {
      readonly source: "admin_api";
      readonly id: string;
      /** `shadowed`: the file has one of the same id, which is in force. `unusable`: the file of this process does not fit it. */
      readonly status: "active" | "shadowed" | "unusable";
      readonly reading: ClientReading;
      readonly registered: RegisteredClient;
    };

export type RegisteredView = Extract<ClientView, { source: "admin_api" }>;

/** Ids of the rooms that it is for, whether they exist or not. */
export function roomsOf(view: ClientView): readonly string[] {
  return view.source === "file" ? view.client.rooms : roomsNamed(view.registered.document);
}

/** Reads registered clients, each once as long as it and the rooms stay the same. */
export function createClientReader(
  place: ClientPlace,
  isInFile: (id: string) => boolean,
): (clients: RegistryContent["clients"]) => readonly RegisteredView[] {
  const begin = () =>
    createReadings<RegisteredClient, ClientReading>((document) => readClientDocument(document, [place]));
  let read = begin();
  let { rooms } = place;

  return (clients) => {
    if (rooms !== place.rooms) read = begin();
    rooms = place.rooms;
    return read(clients).map(({ id, registered, reading }) => ({
      source: "admin_api",
      id,
      status: isInFile(id) ? "shadowed" : "faults" in reading ? "unusable" : "active",
      reading,
      registered,
    }));
  };
}
