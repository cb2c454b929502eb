import type { Registry } from "prom-client";

/** How a worker reaches its primary: of its own process, as Node gives it. */
export interface Channel {
  send?(message: FromWorker, handle: undefined, options: undefined, done: (error: Error | null) => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

export type Worker = ReturnType<typeof createWorker>;

/** How often a worker that has started looks whether it is ready, in milliseconds. */
const lookEveryMs = 250;

/**
 * A worker's end of what it has with its primary.
 *
 * @param slot its number among the workers, from 1
 */
export function createWorker(slot: number, channel: Channel) {
  const sums = new Map<number, (text: string) => void>();
  let lastId = 0;
  let isRetired = false;
  let onRetire = () => {};
  let report: () => Promise<Report> = async () => [];

  const send = (message: FromWorker) =>
    new Promise<void>((resolve) => {
      if (channel.send === undefined) resolve();
      else channel.send(message, undefined, undefined, () => resolve());
    });

  channel.on("message", async (data) => {
    const message = data as FromPrimary;
    if (message.kind === "report") await send({ kind: "report", id: message.id, report: await report() });
    else if (message.kind === "sum") {
      sums.get(message.id)?.(message.text);
      sums.delete(message.id);
    } else if (message.kind === "retire") {
      isRetired = true;
      onRetire();
    }
  });

  return {
    slot,
    /** Whether another has taken its place: the gateway does not stop, only this worker does. */
    get isRetired(): boolean {
      return isRetired;
    },
    /** @param collect its metrics */
    reportBy(collect: () => Promise<Report>): void {
      report = collect;
    },
    /** The metrics of all workers, in the words of Prometheus. */
    async renderMetrics(): Promise<string> {
      const id = ++lastId;
      const text = new Promise<string>((resolve) => sums.set(id, resolve));
      await send({ kind: "sum", id });
      return text;
    },
    /** It listens. @param isReady asked until it is */
    async started(fields: Started, isReady: () => Promise<boolean>): Promise<void> {
      await send({ kind: "started", fields });
      while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, lookEveryMs).unref());
      await send({ kind: "ready" });
    },
    onRetire(listener: () => void): void {
      onRetire = listener;
    },
    /** It ends: what it has counted is not to be lost. */
    async close(): Promise<void> {
      await send({ kind: "leaves", report: await report() });
    },
  };
}

/** The metrics of one process. */
export type Report = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Where the gateway listens, and the like: for the log. */
export type Started = Readonly<Record<string, unknown>>;

export type FromWorker =
  /** It listens. */
  | { readonly kind: "started"; readonly fields: Started }
  /** Its own `/readyz` is 200 for the first time. */
  | { readonly kind: "ready" }
  /** Its metrics, as they were asked for. */
  | { readonly kind: "report"; readonly id: number; readonly report: Report }
  /** Somebody asks it for the metrics of all. */
  | { readonly kind: "sum"; readonly id: number }
  /** It ends, and these are its last metrics. */
  | { readonly kind: "leaves"; readonly report: Report };

export type FromPrimary =
  | { readonly kind: "report"; readonly id: number }
  | { readonly kind: "sum"; readonly id: number; readonly text: string }
  /** Another has taken its place: it ends as on SIGTERM, and is ready until it does. */
  | { readonly kind: "retire" };
