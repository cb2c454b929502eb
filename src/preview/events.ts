import type { ServerResponse } from "node:http";

/** Tells open windows what they should show now, by server-sent events. */
export interface Events {
  /** Answers with events from now on; the first says what is true already. */
  open(response: ServerResponse): void;
  tellAll(): void;
}

/** @param revision another one whenever there is something else to show */
export function createEvents(revision: () => string): Events {
  const listeners = new Set<ServerResponse>();
  const tell = (response: ServerResponse) => response.write(`event: revision\ndata: ${revision()}\n\n`);
  return {
    open(response) {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.write("retry: 500\n\n");
      tell(response);
      listeners.add(response);
      response.once("close", () => listeners.delete(response));
    },
    tellAll() {
      for (const response of listeners) tell(response);
    },
  };
}
