import { Readable } from "node:stream";
import { createBoundedStreams } from "../../lib/bounded-streams.ts";
import { endOrCutOff } from "../../lib/end-or-cut-off.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { EventStore, RoomEvent } from "../../store/contract/room-store.ts";
import type { Line } from "./cloud-event.ts";
import type { EventHub, News } from "./event-hub.ts";
import { isAmong } from "./event-types.ts";
import { Positions } from "./positions.ts";

/** Which events a reader wants, and may read. */
export interface Wanted {
  /** Names the reader, who may have several streams. */
  readonly reader: string;
  isOf(line: Line): boolean;
  /** Whether the reader may hear of events of this type. */
  isFor(type: string): boolean;
  /** Whether the reader may still read; asked before anything is sent. */
  mayRead(): boolean;
  /** Types, or beginnings of types; null for all. */
  readonly types: readonly string[] | null;
}

export interface EventStreams {
  /** How many are open. */
  readonly count: number;
  /** Null where as many are open as may be, of all or of this reader. @param from null: from now on */
  open(wanted: Wanted, from: Positions | null): Readable | null;
  /** Ends all of them: their readers come again, to another process maybe. */
  close(): void;
}

const pageSize = 100;
/** So that proxies and readers see that the connection lives. */
const heartbeatMs = 15_000;
/** Bytes that a reader may leave unread before it is cut off; it comes back to where it was. */
const unreadMax = 1_048_576;
/** Bytes behind which no more is read from the store for a reader that is behind, and for how long it may take to read them. */
const unreadWhileBehindMax = 65_536;
const readWithinMs = 30_000;

/** Server-sent events: what is kept behind the reader's position, and then what happens. */
export function createEventStreams({
  hub,
  store,
  nowMs,
}: {
  readonly hub: EventHub;
  readonly store: EventStore;
  readonly nowMs: () => number;
}): EventStreams {
  const streams = createBoundedStreams<EventReader>();
  return {
    get count() {
      return streams.count;
    },
    open(wanted, from) {
      const positions = from ?? new Positions(Math.floor(nowMs()) * 10 - 1);
      const reader = streams.open(wanted.reader, () => new EventReader(hub, store, wanted, positions));
      reader?.begin(from !== null);
      return reader;
    },
    close: () => streams.close(),
  };
}

class EventReader extends Readable {
  readonly #hub: EventHub;
  readonly #store: EventStore;
  readonly wanted: Wanted;
  readonly #positions: Positions;
  /** Lines that are read from the store, with the latest news that came meanwhile. */
  readonly #behind = new Map<string, number>();
  #heartbeat: NodeJS.Timeout | undefined;
  #unsubscribe = () => {};
  #hasLeft = false;
  /** Lets what waits for the reader go on. */
  #isRead = () => {};

  constructor(hub: EventHub, store: EventStore, wanted: Wanted, positions: Positions) {
    super({ highWaterMark: unreadWhileBehindMax });
    this.#hub = hub;
    this.#store = store;
    this.wanted = wanted;
    this.#positions = positions;
  }

  /** @param isResumed whether there may be events that it has missed */
  begin(isResumed: boolean): void {
    this.push(`retry: 2000\nid: ${this.#positions}\n\n`);
    this.#unsubscribe = this.#hub.subscribe((news) => this.#hear(news));
    this.#heartbeat = setInterval(() => this.#mayGoOn() && this.push(":\n\n"), heartbeatMs).unref();
    if (!isResumed) return;
    void this.#catchUp(this.#hub.lines.filter((line) => this.wanted.isOf(line)));
  }

  end(): void {
    if (this.#hasLeft) return;
    this.#leave();
    endOrCutOff(this);
  }

  override _read(): void {
    this.#isRead();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#leave();
    callback(error);
  }

  #leave(): void {
    this.#hasLeft = true;
    clearInterval(this.#heartbeat);
    this.#unsubscribe();
    this.#isRead();
  }

  #mayGoOn(): boolean {
    const mayRead = this.wanted.mayRead();
    if (!mayRead) this.end();
    return mayRead;
  }

  #hear({ line, events }: News): void {
    if (!this.#mayGoOn() || !this.wanted.isOf(line)) return;
    const last = events.at(-1)?.seq ?? 0;
    if (this.#behind.has(line.name)) this.#behind.set(line.name, last);
    else this.#send(line, events);
  }

  /** One line after the other, as fast as the reader reads. */
  async #catchUp(lines: readonly Line[]): Promise<void> {
    for (const { name } of lines) this.#behind.set(name, 0);
    try {
      for (const line of lines) {
        let isThere = false;
        while (!isThere) {
          const { events } = await this.#store.read(line.name, this.#positions.of(line.name), pageSize);
          if (this.#hasLeft || !this.#mayGoOn()) return;
          this.#send(line, events);
          isThere = events.length < pageSize && (this.#behind.get(line.name) ?? 0) <= this.#positions.of(line.name);
          // In the turn in which it is there, since news may come in the next.
          if (isThere) this.#behind.delete(line.name);
          await this.#waitUntilRead();
        }
      }
    } catch (error) {
      // The reader comes again.
      this.destroy(error instanceof StoreUnavailableError ? undefined : (error as Error));
    }
  }

  async #waitUntilRead(): Promise<void> {
    if (this.readableLength <= unreadWhileBehindMax || this.#hasLeft) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#isRead = resolve;
      timer = setTimeout(() => this.destroy(), readWithinMs);
    });
    clearTimeout(timer);
  }

  #send(line: Line, events: readonly RoomEvent[]): void {
    for (const [index, event] of events.entries()) {
      if (event.seq <= this.#positions.of(line.name)) continue;
      this.#positions.moveTo(line.name, event.seq);
      const cloudEvent = this.#hub.asCloudEvent(line, event);
      if (!this.wanted.isFor(cloudEvent.type)) continue;
      if (this.wanted.types !== null && !isAmong(cloudEvent.type, this.wanted.types)) continue;
      if (this.#behind.size === 0) {
        // The hub may be further than this event: those that come next are yet to be sent.
        const next = events[index + 1]?.seq ?? Number.POSITIVE_INFINITY;
        this.#positions.raise(Math.min(this.#hub.completeThrough(), next - 1));
      }
      this.push(`id: ${this.#positions}\nevent: ${cloudEvent.type}\ndata: ${JSON.stringify(cloudEvent)}\n\n`);
      if (this.readableLength > unreadMax) {
        this.destroy();
        return;
      }
    }
  }
}
