import type { EventTexts, TakenRows } from "../../core/events/deliveries.ts";
import type { LogText } from "../../core/ports/lists.ts";
import { deliveryOf, eventPageOf, installationLine, otherEventRow, readEventRow } from "../../core/ports/reports.ts";
import type { EventStore } from "../contract/room-store.ts";
import type { Keys } from "./keys.ts";
import { readList } from "./replies.ts";
import type { Reply } from "./reply.ts";
import type { Runner } from "./runner.ts";
import type { ScriptSpec } from "./scripts.ts";

/** A function of core/events/deliveries.ts on the collections of one line; nothing of a state is read. */
function script<A>(name: string, call: string, before = ""): ScriptSpec<A> {
  const lua = `local request = cjson.decode(arg.request)\n${before}\nreturn { cjson.encode(${call}) }`;
  return { name, lua, read: (reply: Reply) => JSON.parse(reply.text(0)) as A };
}

const scripts = {
  read: script<EventTexts>("read-events", "read_event_texts(request.after, request.limit)"),
  publish: script<boolean>("publish-others", "publish_others(request, server_now_ms()) or true"),
  readBefore: script<LogText[]>("read-events-before", "read_events_before(request.before, request.limit)"),
  take: script<TakenRows & { nowMs: number }>(
    "take-events",
    "taken",
    "local now_ms = server_now_ms() local taken = take_events(request, now_ms) taken.nowMs = now_ms",
  ),
  settle: script<boolean>(
    "settle-event",
    "settle_event(request.webhook, request.holder, request.settlement, server_now_ms())",
  ),
  letters: script<LogText[]>("read-letters", "read_letters(request.after, request.limit)"),
  removeLetter: script<boolean>("remove-letter", "remove_letter(request.seq)"),
  forgetTurn: script<boolean>("forget-turn", "forget_turn(request.webhook) or true"),
};

/** The events in Redis: streams, and a hash with the cursor and lease of each webhook. */
export function createRedisEvents(runner: Runner, keys: Keys): EventStore {
  const run = <A>(spec: ScriptSpec<A>, line: string, request: object) =>
    runner.run(spec, keys.room(line), { request: JSON.stringify(request, (_name, value) => value ?? undefined) });

  return {
    installation: installationLine,
    async read(line, after, limit) {
      const page = await run(scripts.read, line, { after, limit });
      return eventPageOf({ last: page.last, rows: readList(page.rows) });
    },
    async readBefore(line, before, limit) {
      const rows = readList(await run(scripts.readBefore, line, { before, limit }));
      return rows.map(({ seq, text }) => readEventRow(seq, text));
    },
    async publish({ source, events, isCut = false, memory }) {
      const rows = events.map(({ version, atMs, json }) => ({ version, text: otherEventRow(atMs, json) }));
      await run(scripts.publish, installationLine, { source, rows, isCut, memory });
    },
    async take(line, request) {
      const taken = await run(scripts.take, line, request);
      return deliveryOf({ ...taken, rows: readList(taken.rows) }, taken.nowMs);
    },
    settle: (line, webhook, holder, settlement) => run(scripts.settle, line, { webhook, holder, settlement }),
    async deadLetters(line, after, limit) {
      return readList(await run(scripts.letters, line, { after, limit }));
    },
    removeDeadLetter: (line, seq) => run(scripts.removeLetter, line, { seq }),
    async forgetWebhook(line, webhook) {
      await run(scripts.forgetTurn, line, { webhook });
    },
  };
}
