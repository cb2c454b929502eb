import { z } from "zod";
import { ROLES } from "../../../config/index.ts";

const person = z.object({
  kind: z.enum(["key", "person"]),
  /** Of a key its id. */
  name: z.string(),
  role: z.enum(ROLES),
});

/** The data of an event `company`: who else has the room open. */
export const company = z
  .object({
    room: z.string(),
    people: z.array(person),
    /** How many there are beside these. */
    more: z.int(),
  })
  .meta({ id: "Company" });

const entry = z.object({ room: z.string(), reader: z.string(), ...person.shape });
/** Somebody who has a room open. */
export type WatcherOfRoom = z.infer<typeof entry>;

const leaseMs = 10_000;
/** So many failures in a row are as long as a lease. */
const failuresMax = 3;
const peopleMax = 20;

export type Company = ReturnType<typeof createCompany>;

/** Says this process's part for so long, "" for none, and answers what the others say. */
export type SayWatchers = (text: string, leaseMs: number) => Promise<string[]>;

/**
 * Who has which room open, at all processes: each says what it knows of its own, every few seconds and only as long as there is
 * something to say; what it does not say any more is gone with its lease.
 */
export function createCompany(say: SayWatchers) {
  let elsewhere: readonly WatcherOfRoom[] = [];
  let said = "";
  let failures = 0;
  let isExchanging = false;

  return {
    /** One call to the store, and none where nobody here has a room open. A store that is away is no error here. */
    async exchange(here: readonly WatcherOfRoom[]): Promise<void> {
      const text = here.length === 0 ? "" : JSON.stringify(once(here));
      if (isExchanging || (text === "" && said === "")) return;
      isExchanging = true;
      try {
        const texts = await say(text, leaseMs);
        said = text;
        failures = 0;
        elsewhere = text === "" ? [] : texts.flatMap(readEntries);
      } catch {
        if (++failures >= failuresMax) elsewhere = [];
      }
      isExchanging = false;
    },
    /** Those who have a room open, but for the reader. */
    of(room: string, reader: string, here: readonly WatcherOfRoom[]): z.output<typeof company> {
      const others = once([...here, ...elsewhere]).filter(
        (watcher) => watcher.room === room && watcher.reader !== reader,
      );
      const people = others.map(({ kind, name, role }) => ({ kind, name, role }));
      people.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      return { room, people: people.slice(0, peopleMax), more: Math.max(0, people.length - peopleMax) };
    },
  };
}

/** A person with a room open in several windows is listed once. */
function once(entries: readonly WatcherOfRoom[]): WatcherOfRoom[] {
  return [...new Map(entries.map((watcher) => [`${watcher.room} ${watcher.reader}`, watcher])).values()];
}

/** What another build says and this one cannot read is left out. */
function readEntries(text: string): WatcherOfRoom[] {
  try {
    return z.array(entry).parse(JSON.parse(text));
  } catch {
    return [];
  }
}
