import {
  forgetTurn,
  publishOthers,
  readEventsBefore,
  readEventTexts,
  readLetters,
  removeLetter,
  settleEvent,
  takeEvents,
} from "../../core/events/deliveries.ts";
import { deliveryOf, eventPageOf, installationLine, otherEventRow, readEventRow } from "../../core/ports/reports.ts";
import { createRoom } from "../../core/room.ts";
import type { EventStore } from "../contract/room-store.ts";
import type { MemoryData } from "./data.ts";

/** The events in this process: of the rooms, and of the installation. */
export function createMemoryEvents(
  data: MemoryData,
  now: () => number,
  count: (operation: string) => void,
): EventStore {
  /** A line that is not there has nothing, and keeps nothing. */
  const lineOf = (name: string) =>
    name === installationLine ? data.installation : (data.rooms.get(name) ?? createRoom());

  return {
    installation: installationLine,
    async read(line, after, limit) {
      count("read-events");
      return eventPageOf(readEventTexts(lineOf(line), after, limit));
    },
    async readBefore(line, before, limit) {
      count("read-events-before");
      return readEventsBefore(lineOf(line), before, limit).map(({ seq, text }) => readEventRow(seq, text));
    },
    async publish({ source, events, isCut = false, memory }) {
      count("tell-others");
      const rows = events.map(({ version, atMs, json }) => ({ version, text: otherEventRow(atMs, json) }));
      publishOthers(data.installation, { source, rows, isCut, memory: memory ?? null }, now());
    },
    async take(line, request) {
      count("take-events");
      const nowMs = now();
      return deliveryOf(takeEvents(lineOf(line), request, nowMs), nowMs);
    },
    async settle(line, webhook, holder, settlement) {
      count("settle-event");
      return settleEvent(lineOf(line), webhook, holder, settlement, now());
    },
    async deadLetters(line, after, limit) {
      count("read-letters");
      return readLetters(lineOf(line), after, limit);
    },
    async removeDeadLetter(line, seq) {
      count("remove-letter");
      return removeLetter(lineOf(line), seq);
    },
    async forgetWebhook(line, webhook) {
      count("forget-turn");
      forgetTurn(lineOf(line), webhook);
    },
  };
}
