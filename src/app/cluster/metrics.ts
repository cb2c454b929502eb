import { AggregatorRegistry } from "prom-client";
import type { Member } from "./member.ts";
import type { FromWorker, Report } from "./worker.ts";

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

/**
 * The metrics of all workers as those of one gateway: each metric says how it is put together (`aggregator`). What a worker has counted
 * that has ended stays in the sum, as far as it had told it: a sum that fell would look like a restart of all.
 */
export function createMetricsSum<Key>() {
  const latest = new Map<Key, Report>();
  let ended: Report = [];

  const sum = (reports: readonly Report[]) => AggregatorRegistry.aggregate(reports as unknown as object[]);

  return {
    note(worker: Key, report: Report): void {
      latest.set(worker, report);
    },
    /** It has ended. */
    drop(worker: Key): void {
      const last = latest.get(worker);
      latest.delete(worker);
      if (last !== undefined) ended = sum([ended, last.filter(isCounted)]).getMetricsAsArray() as unknown as Report;
    },
    /** As `/metrics` answers it. */
    text: (): Promise<string> => sum([...latest.values(), ended]).metrics(),
  };
}

/** What only grows, and is the worker's own. */
function isCounted(metric: Report[number]): boolean {
  const type: unknown = metric.type;
  return (type === "counter" || type === "histogram") && metric.aggregator === "sum";
}
