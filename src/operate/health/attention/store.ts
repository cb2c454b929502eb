import type { ServerFault } from "../../../store/contract/shared.ts";
import type { SeenStore } from "../presence.ts";
import { type Attention, fault, internal, seconds, warning } from "./attention.ts";

const slowMs = 50;
const restartReportedMs = 600_000;

const severities: Readonly<Record<ServerFault, typeof fault>> = {
  store_evicts: fault,
  store_eviction_unknown: warning,
  store_not_append_only: warning,
  store_append_fails: fault,
  store_save_fails: fault,
  store_nearly_full: fault,
};

const publicWords: Readonly<Record<ServerFault, string>> = {
  store_evicts: "The store would forget rooms when its memory is full",
  store_eviction_unknown: "The store does not say what it does when its memory is full",
  store_not_append_only: "A restart of the store loses its last seconds",
  store_append_fails: "The store cannot write to its disk",
  store_save_fails: "The store cannot save to its disk",
  store_nearly_full: "The memory of the store is nearly full",
};

/** @param name of a store that some rooms are in; absent: the one that has no name */
export function attentionOfStore(store: SeenStore, nowMs: number, name?: string): Attention[] {
  return attentionTo(store, nowMs, name).map((found) =>
    name === undefined
      ? found
      : {
          ...found,
          about: `stores.${name}`,
          text: `Of the store ${name}: ${found.text}`,
          publicText: found.publicText && `Of the store ${name}: ${found.publicText}`,
        },
  );
}

function attentionTo(store: SeenStore, nowMs: number, name?: string): Attention[] {
  const { awayReason, ageMs, quickestMs, restartSeenMs, findings } = store;
  if (awayReason !== null) {
    const since = ageMs === null ? "" : ` It answered last ${seconds(ageMs)} ago.`;
    const what =
      name === undefined
        ? "nobody joins or enters, and all that is shown below is from before"
        : "nobody joins or enters its rooms, and what is shown of them is from before; other rooms go on";
    const text = `${awayReason}; ${what}.${since}`;
    return [fault({ code: "store_away", text: text.slice(0, 1).toUpperCase() + text.slice(1) })];
  }
  const found = findings.map(({ code, text }) => severities[code]({ code, ...internal(text, publicWords[code]) }));
  if (quickestMs !== null && quickestMs > slowMs) {
    const text = `The store takes ${Math.round(quickestMs)} ms to answer. Look at its load and at the way to it: each visitor who joins or enters waits for it.`;
    found.push(warning({ code: "store_slow", text }));
  }
  if (restartSeenMs !== null && nowMs - restartSeenMs < restartReportedMs) {
    const text = `The store was started anew, or another server took over, ${seconds(nowMs - restartSeenMs)} ago. See that each room is in the phase that it should be in.`;
    found.push(warning({ code: "store_restarted", text }));
  }
  return found;
}
