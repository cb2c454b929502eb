/** A worker, as its primary sees it. */
import type { Worker } from "node:cluster";
import type { FromPrimary, FromWorker, Started } from "./worker.ts";

export type Child = Pick<Worker["process"], "pid" | "kill" | "on" | "once"> & {
  send(message: FromPrimary, done: (error: Error | null) => void): unknown;
};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export type Member = ReturnType<typeof createMember>;

/** @param onMessage told what it says beside how its start goes */
export function createMember(slot: number, child: Child, onMessage: (message: FromWorker, from: Member) => void) {
  const [started, ready, ended] = [promised<Started | null>(), promised<boolean>(), promised<Ended>()];
  let isListening = false;
  const end = (how: Ended) => {
    isListening = false;
    started.resolve(null);
    ready.resolve(false);
    ended.resolve(how);
  };
  child.once("exit", (code, signal) => end({ code, signal }));
  // One that could not even be started does not exit.
  child.on("error", () => child.pid === undefined && end({ code: 1, signal: null }));
  child.on("message", (data) => {
    const message = data as FromWorker;
    if (message.kind === "started") {
      isListening = true;
      started.resolve(message.fields);
    } else if (message.kind === "ready") ready.resolve(true);
    else onMessage(message, member);
  });

  const member = {
    slot,
    pid: child.pid,
    get isListening(): boolean {
      return isListening;
    },
    /** What it says of itself when it listens; null where it has ended before. */
    started: started.promise,
    /** False where it has ended before. */
    ready: ready.promise,
    ended: ended.promise,
    /** One that has ended hears nothing. */
    send: (message: FromPrimary): void => void child.send(message, () => undefined),
    kill: (signal: NodeJS.Signals): void => void child.kill(signal),
  };
  return member;
}

function promised<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
