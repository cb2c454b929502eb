import type { Member } from "./member.ts";
import type { FromWorker } from "./messages.ts";
import { createMetricsSum } from "./metrics-sum.ts";

/** A worker that says nothing for so long, in milliseconds, is counted as it was when it was asked last. */
const patienceMs = 2_000;

/** Makes `/metrics` of any worker the sum of all: the worker asks the primary, and the primary asks each worker. */
export function createMetricsExchange() {
  const sum = createMetricsSum<Member>();
  const pending = new Map<number, () => void>();
  let lastId = 0;

  function ask(member: Member): Promise<void> {
    const id = ++lastId;
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        pending.delete(id);
        resolve();
      };
      const timer = setTimeout(settle, patienceMs);
      pending.set(id, settle);
      void member.ended.then(settle);
      member.send({ kind: "report", id });
    });
  }

  return {
    /** @param members all that listen */
    async hear(message: FromWorker, from: Member, members: readonly Member[]): Promise<void> {
      if (message.kind === "leaves") sum.note(from, message.report);
      else if (message.kind === "report") {
        sum.note(from, message.report);
        pending.get(message.id)?.();
      } else if (message.kind === "sum") {
        await Promise.all(members.map(ask));
        from.send({ kind: "sum", id: message.id, text: await sum.text() });
      }
    },
    drop: sum.drop,
  };
}
