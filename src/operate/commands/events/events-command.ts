import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { type EventSummary, eventInWords } from "../../../lib/event-words.ts";
import { openStream, Refusal } from "../gateway.ts";
import { addExamples } from "../help.ts";
import { type GatewayRequestOptions, gatewayOf, withGateway } from "../installation/gateway-options.ts";
import { CommandError, jsonLine, printable, type Terminal } from "../terminal.ts";
import { messagesOf } from "./event-source.ts";

interface EventsOptions extends GatewayRequestOptions {
  readonly room?: string;
  readonly type?: string;
}

/** Between two tries, in milliseconds, as the stream asks for. */
const retryMs = 2_000;
/** Ids of events that are dropped when they come again. */
const seenMax = 10_000;
/** A gateway that lives sends something every 15 s. */
const quietMs = 40_000;
/** Another try would be refused as well: what was asked for is wrong, or the key may not. */
const finalStatuses: readonly number[] = [400, 401, 403, 404];

/** `usher events`: what happens, as it happens (docs/webhooks.md). */
export function addEventsCommand(program: Command, { env, print, listenForStop }: Terminal): void {
  withGateway(program.command("events").description("what happens, as it happens (docs/webhooks.md); Ctrl-C ends it"))
    .option("--room <room>", "of this room")
    .option("--type <types>", "types with commas between them, such as usher.room.phase_changed,usher.room.hold_*")
    .option("--json", "print the CloudEvents, one a line")
    .action(async ({ room, type, json, ...which }: EventsOptions) => {
      const stop = listenForStop();
      const gateway = { ...gatewayOf(which, env, "has the role viewer"), stop };
      const query = new URLSearchParams({ ...(room !== undefined && { room }), ...(type !== undefined && { type }) });
      const seen = new Set<string>();
      let lastId = "";
      let isAway = false;
      while (!stop.aborted) {
        try {
          await listen();
        } catch (error) {
          if (stop.aborted) return;
          // What is wrong from the beginning is an error. Later a gateway may be away for a while.
          if (!(error instanceof CommandError) || lastId === "" || isFinal(error)) throw error;
          if (!isAway) tellTrouble(error.message);
          isAway = true;
        }
        await sleep(retryMs, undefined, { signal: stop }).catch(() => {});
      }

      /** Until the gateway ends the stream. */
      async function listen(): Promise<void> {
        const headers: Record<string, string> = lastId === "" ? {} : { "last-event-id": lastId };
        const chunks = await openStream(gateway, `/events?${query}`, { quietMs, headers });
        for await (const { id, data } of messagesOf(chunks)) {
          if (data !== "") tell(eventOf(data, gateway.url));
          lastId = id;
          isAway = false;
        }
      }

      function tell({ event, whole }: { readonly event: TimedEvent; readonly whole: object }): void {
        // Where many rooms had news, a gateway tells some again to one who comes back.
        if (seen.has(event.id)) return;
        seen.add(event.id);
        for (const oldest of seen) {
          if (seen.size <= seenMax) break;
          seen.delete(oldest);
        }
        print(json ? jsonLine(whole) : lineOf(event));
      }

      function tellTrouble(message: string): void {
        print(json ? jsonLine({ error: message }) : printable(`! ${message.replaceAll("\n", " ")}`));
      }
    });
  addExamples(program, "usher events --room tickets --type usher.room.*");
}

interface TimedEvent extends EventSummary {
  readonly id: string;
  readonly time: string;
}

/** @throws CommandError for what is no event */
function eventOf(json: string, url: string): { event: TimedEvent; whole: object } {
  try {
    const whole = JSON.parse(json);
    const { id, type, subject, time, data } = whole;
    const isEvent = [id, type, subject, time].every((each) => typeof each === "string") && typeof data === "object";
    if (isEvent && data !== null) return { event: { id, type, subject, time, data }, whole };
  } catch {
    // It is said below.
  }
  throw new CommandError(`${url} sends what is no event: check --url`);
}

function lineOf(event: TimedEvent): string {
  return printable(`${event.time}  ${eventInWords(event)}`);
}

function isFinal(error: CommandError): boolean {
  return error instanceof Refusal && finalStatuses.includes(error.status);
}
