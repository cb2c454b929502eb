/** The stream of figures, which the gateway sends each second. */
import type { AdminAnswers } from "../../client/index.ts";
import { readEvent } from "../api/reading.ts";

export type LiveFigures = AdminAnswers["LiveFigures"];
export type LiveRoom = AdminAnswers["LiveRoom"];
export type Figures = NonNullable<LiveRoom["figures"]>;
/** Who else has the room open. */
export type Company = AdminAnswers["Company"];

export interface Heard {
  readonly figures: LiveFigures;
  /** When they came, by `performance.now()`. */
  readonly heardMs: number;
}

export interface LiveListener {
  heard(news: Heard): void;
  /** Only where the address names a room. */
  met(company: Company): void;
  /** The gateway refuses the stream; it is tried again unless the session has ended. @returns whether to try again */
  refused(): Promise<boolean>;
}

const againMs = 2_000;

/** Listens until it is told to stop. A connection that breaks is made again, by the browser or here. */
export function listen(address: string, listener: LiveListener): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function open(): void {
    source = new EventSource(address);
    source.addEventListener("figures", (event) => {
      const figures = readEvent<LiveFigures>(String((event as MessageEvent).data), "LiveFigures");
      if (figures !== null) listener.heard({ figures, heardMs: performance.now() });
    });
    source.addEventListener("company", (event) => {
      const company = readEvent<Company>(String((event as MessageEvent).data), "Company");
      if (company !== null) listener.met(company);
    });
    source.addEventListener("error", () => void broken());
  }

  async function broken(): Promise<void> {
    // Otherwise the browser tries again by itself: the gateway answered with something else than a stream.
    if (source?.readyState !== EventSource.CLOSED) return;
    const mayGoOn = await listener.refused();
    if (isStopped || !mayGoOn) return;
    clearTimeout(timer);
    timer = setTimeout(open, againMs);
  }

  open();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    source?.close();
  };
}
